"""The pack's own files beside the host's store: seal key, journal, conflicts, backup, requests.

Losing any of them loses no memory. The host's own files are never written here."""

from __future__ import annotations

import codecs
import contextlib
import errno
import fcntl
import json
import logging
import os
import secrets
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any

from ..errors import Problem, StoreError, reason_of, refusal_of
from ..ledger.adopt import KEY_BYTES
from . import damage
from .deadline import in_time

_log = logging.getLogger(__name__)

DATABASE_FILE = "ledger.db"
KEY_FILE = "ledger_seal.key"
_CHECK_BYTES = 4
#: The consequence of an unusable key, in words.
NEW_KEY = "a new one is made, and every known memory is sealed again"
JOURNAL_FILE = "ledger.jsonl"
CONFLICTS_FILE = "conflicts.jsonl"
INBOX_FILE = "ledger_inbox.jsonl"
BACKUP_FILE = "ledger_backup.jsonl"
CO_RETRIEVAL_FILE = "co_retrieval_log.json"
CHAIN_FILE = "chain.jsonl"
CHAIN_HEAD_FILE = "chain_head.json"
SIGNING_KEYS_FILE = "ledger_signing.json"
UNSAVED_FILE = "ledger_unsaved.jsonl"
VAULT_FILE = "vault.jsonl"
CONFIG_FILE = "classification_config.json"

#: The prefix of the folders for an index that cannot be loaded.
SET_ASIDE = "damaged-"
#: The prefix of the folders that a save is written to; they and their files may vanish at any time.
STAGING = ".saving"

_PRIVATE, _WRITABLE_BY_OTHERS = 0o600, 0o022
_READABLE_AND_WRITABLE = 0o666
# The host's file with every memory in it, relative to the folder of a file of ours, or to a folder above that.
_HOST_INDEX = ("index.pkl", "default/index.pkl", "memory/default/index.pkl")
_LEVELS = 5

# Half of a surrogate pair, which a model's JSON may hold, is written as the JSON escape that reads back the same.
_JSON_ESCAPES = "backslashreplace"


def read_key(folder: Path) -> bytes | None:
    """Return the seal key of a memory folder; None where it is missing or damaged."""
    path = folder / KEY_FILE
    try:
        data = damage.read_bytes(path)
    except OSError as exc:
        damage.set_aside(path, f"{reason_of(exc)}; {NEW_KEY}")
        return None
    key = None if data is None else parse_key(data)
    if data is not None and key is None:
        damage.set_aside(path, f"no key; {NEW_KEY}")
    return key


def parse_key(data: bytes) -> bytes | None:
    """Return the key in the bytes of a file; None if there is none, or it is damaged."""
    try:
        key, *check = (bytes.fromhex(part) for part in data.decode("ascii").split())
    except ValueError:
        return None
    is_whole = len(key) == KEY_BYTES and check in ([], [_check_of(key)])  # keys of 0.1.0 had no check
    return key if is_whole else None


def _check_of(key: bytes) -> bytes:
    """Return a checksum of a key that reveals nothing else of it."""
    return blake2b(key, digest_size=_CHECK_BYTES, person=b"seal key").digest()


def new_key() -> bytes:
    """Return a new random seal key."""
    return secrets.token_bytes(KEY_BYTES)


def write_key(folder: Path, key: bytes) -> None:
    """Write the seal key of a memory folder with its checksum, unless the file holds just that; makes the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    path, data = folder / KEY_FILE, f"{key.hex()} {_check_of(key).hex()}\n".encode("ascii")
    if damage.read_bytes(path) != data and not damage.only_looks.get():
        write_atomically(path, data, mode=0o600)


def new_file_mode(path: Path) -> int:
    """Return the mode of a new file, which may hold texts of memories: as wide as that of the host's index.

    So the pack's files tell nothing to whoever cannot read the index, and two hosts that share it share them too.
    """
    for folder in list(path.absolute().parents)[:_LEVELS]:
        for name in _HOST_INDEX:
            with contextlib.suppress(OSError):
                return _PRIVATE | (folder / name).stat().st_mode & _READABLE_AND_WRITABLE
    return _PRIVATE


def request_mode(path: Path) -> int:
    """Return the mode of a file more private than the host's index: 0600, unless others may write the index."""
    mode = new_file_mode(path)
    return mode if mode & _WRITABLE_BY_OTHERS else _PRIVATE


def create_empty(path: Path, mode: int) -> None:
    """Make an empty file, unless there is one."""
    with contextlib.suppress(FileExistsError):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        damage.give_to_host(path, descriptor)
        os.close(descriptor)


FileStamp = tuple[int, int, int]


#: Two writes of a file within this many nanoseconds may have the same stamp: file systems count in such steps.
TICK_NS = 2_000_000_000


def file_stamp(path: str | Path) -> FileStamp | None:
    """Return a stamp that changes with every write of a file; None if there is none. A text is faster than a `Path`."""
    try:
        status = os.stat(path)  # noqa: PTH116 - every hook asks
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def write_atomically(path: Path, data: str | bytes, *, mode: int | None = None) -> None:
    """Replace `path` by `data` in one step; a crash leaves the old file or the new one, never a part.

    An existing file keeps its owner, and its mode unless `mode` is given.
    """
    with replacing(path, mode=mode) as (stream, put_in_place):
        stream.write(data if isinstance(data, bytes) else to_bytes(data))
        put_in_place()


@contextlib.contextmanager
def replacing(path: Path, *, mode: int | None = None) -> Iterator[tuple[IO[bytes], Callable[[], None]]]:
    """Yield a new file to write, and a function that syncs it and puts it in the place of `path`; else it goes."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{time.time_ns()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    try:
        descriptor = in_time(path, lambda _: os.open(temporary, flags, _PRIVATE), undo=os.close)
    except OSError as exc:
        exc.filename = str(path)  # whoever reads the message knows no other
        raise
    with os.fdopen(descriptor, "wb") as stream:
        keep_owner_and_mode(path, stream.fileno(), mode)

        def put_in_place() -> None:
            stream.flush()
            os.fsync(stream.fileno())
            if path.is_dir():
                damage.set_aside(path, "a folder")
            temporary.replace(path)

        try:
            yield stream, put_in_place
        finally:
            with contextlib.suppress(FileNotFoundError):  # it is in place
                temporary.unlink()


def files_below(folder: Path) -> list[Path]:
    """Return the files in a folder and its subfolders, sorted, without those that vanish meanwhile."""
    paths = (Path(place, name) for place, _, names in os.walk(folder) for name in names)
    return sorted(path for path in paths if path.is_file())


def to_bytes(text: str) -> bytes:
    """Return `text` as it is written to a file."""
    return text.encode("utf-8", _JSON_ESCAPES)


def keep_owner_and_mode(path: Path, descriptor: int, mode: int | None = None) -> None:
    """Give an open file the owner of `path`, where this process may, and its mode unless `mode` says otherwise."""
    try:
        status = path.stat()
    except FileNotFoundError:
        os.fchmod(descriptor, new_file_mode(path) if mode is None else mode)
        return
    with contextlib.suppress(PermissionError):  # only root gives files away
        os.fchown(descriptor, status.st_uid, status.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(status.st_mode) if mode is None else mode)


def append_held(stream: IO[bytes], rows: Iterable[dict[str, Any]]) -> None:
    """Append lines in one write to a file that `only_writer` holds; `synchronised` waits for the disk."""
    lines, end = "".join(map(to_line, rows)), stream.seek(0, os.SEEK_END)
    if end:
        stream.seek(end - 1)
        # A crash tore the last line; what is appended to it would be lost with it.
        lines = lines if stream.read(1) == b"\n" else f"\n{lines}"
    stream.write(to_bytes(lines))
    stream.flush()


@contextlib.contextmanager
def synchronised(path: Path) -> Iterator[None]:
    """Sync the file that is at `path` now at the end of the block."""
    descriptor = damage.open_regular(path, os.O_RDONLY)
    try:
        yield
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def hold_folder(folder: Path) -> Iterator[bool]:
    """Lock a folder against everybody else, this process included; yields False if somebody else has it."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        yield try_lock(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Lock a folder without a host against every other writer; raises StoreError where it is open already."""
    with contextlib.ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            is_held = stack.enter_context(hold_folder(folder))
        except OSError as exc:
            raise StoreError(refusal_of(exc, folder)) from exc
        if not is_held:
            raise StoreError(f"{folder} is open elsewhere; allowed: one writer at a time: end that one, or wait for it")
        yield


def try_lock(descriptor: int) -> bool:
    """Lock an open file, or a folder, without waiting; False if somebody else has it."""
    try:
        lock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def to_line(row: dict[str, Any]) -> str:
    """Return a row as the line that is written."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"


@contextlib.contextmanager
def only_writer(path: Path, *, mode: int | None = None) -> Iterator[IO[bytes]]:
    """Open a line file that no other process or thread writes inside the block.

    A waiter opens the new file if the old one was replaced meanwhile.
    """
    descriptor = in_time(path, lambda _: _open_locked(path, mode), undo=os.close)
    with os.fdopen(descriptor, "ab+") as stream:
        stream.seek(0)
        yield stream


def _open_locked(path: Path, mode: int | None) -> int:
    """Open and lock the file at `path`, or a new one, once nobody else holds it."""
    flags = os.O_RDWR | os.O_APPEND
    while True:
        try:
            descriptor = damage.open_regular(path, flags)
        except FileNotFoundError:
            descriptor = damage.open_regular(path, flags | os.O_CREAT, new_file_mode(path) if mode is None else mode)
            damage.give_to_host(path, descriptor)
        try:
            lock(descriptor)
            if is_at(path, descriptor):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def lock(descriptor: int, operation: int = fcntl.LOCK_EX) -> bool:
    """Lock an open file; False where the file system has no locks."""
    try:
        fcntl.flock(descriptor, operation)
    except OSError as exc:
        if exc.errno not in (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS):
            raise
        _log.debug("the file system has no locks: %s", exc)
        return False
    return True


def is_at(path: Path, descriptor: int) -> bool:
    """Whether the file at `path` is still the one that was opened."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def read_lines_if_any(path: Path) -> list[dict[str, Any]]:
    """Return the JSON objects of a line file; a file that cannot be read is reported and counts as empty."""
    with damage.notices.reading(path):
        return read_lines(path)
    return []


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the JSON objects of a line file. Raises OSError where it cannot be read."""
    return parse_lines(path, damage.read_bytes(path) or b"")[0]


def parse_lines(path: Path, data: bytes) -> tuple[list[dict[str, Any]], list[bytes]]:
    """Return the JSON objects of a line file, and its other lines, torn or foreign, which are reported."""
    rows, damaged = list[dict[str, Any]](), list[bytes]()
    for line in filter(bytes.strip, data.removeprefix(codecs.BOM_UTF8).split(b"\n")):
        try:
            row = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            row = None
        if isinstance(row, dict):
            rows.append(row)
        else:
            damaged.append(line)
    damage.note_lines(path, len(damaged), "JSON objects; the other lines are read, and these are kept")
    return rows, damaged


def read_object(path: Path) -> dict[str, Any] | None:
    """Return the JSON object in one of the pack's files, None if there is none; a damaged file is set aside."""
    value = damage.read_json(path)
    if value is not None and not isinstance(value, dict):
        damage.set_aside(path, f"a JSON {type(value).__name__}")
    return value if isinstance(value, dict) else None


def read_hosts_object(path: Path) -> dict[str, Any] | None:
    """Return the JSON object in a file of the host; None if there is none."""
    try:
        value = _read_theirs(path)
    except (ValueError, OSError) as exc:
        _log.warning("%s cannot be read: %s", path, exc)
        return None
    return value if isinstance(value, dict) else None


def read_settings_file(path: Path, problems: list[Problem]) -> object | None:
    """Return the content of the user's settings file, None if it is missing; a malformed one is added to `problems`."""
    try:
        return _read_theirs(path)
    except (ValueError, OSError) as exc:
        problems.append(Problem(where=str(path), found=damage.fault_of(exc), allowed="a JSON object of settings"))
        return None


def _read_theirs(path: Path) -> object | None:
    """Return the JSON in a file of somebody else, None if there is none; raises ValueError or OSError."""
    if not os.path.lexists(path):
        return None
    if not path.is_file():
        raise ValueError("no regular file")
    return damage.parse(path.read_bytes())
