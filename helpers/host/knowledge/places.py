"""The files under `context/memory/`: in a folder, or wherever fsspec has a file system for.

Symbolic links are refused. A file is replaced in one step, so a reader never sees a part, and two writers merge: in a
folder under its lock, on S3 by conditional puts (`If-Match`). A place without either is only read: two writers would
undo each other's work.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import secrets
import stat
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from ...clock import format_time, system_clock
from ...errors import StoreError, refusal_of, shorten
from ...setting_groups import Knowledge
from ...store import files
from ...store.damage import set_aside
from .addresses import (
    FOLDER,
    GOVERNANCE_FOLDER,
    LOCK_NAME,
    SIGNAL_NAME,
    KnowledgeAwayError,
    NameRefusedError,
    is_name,
    local_folder,
    open_filesystem,
    without_secrets,
)

_log = logging.getLogger(__name__)

#: The size limit of a knowledge file.
MOST_BYTES = 33_554_432
# Each lost race means that somebody else has written; a writer that loses this often gives up.
_MOST_ROUNDS = 50
_CONFLICT_CODES = {409, 412}
_NO_VERSION = '"none-has-this"'
# No valid name of knowledge; the file is written only on a server that ignores conditions.
_PROBE_NAME = ".If-Match"


class Stored(NamedTuple):
    """The bytes of a file, and a mark that changes with them."""

    data: bytes
    version: str


class KnowledgeFiles(ABC):
    """Whole texts in, whole texts out; a name is relative to `context/memory/`, and any other is refused.

    `KnowledgeAwayError` means that the place cannot be used, or that the outcome of a write is unknown; any other
    `StoreError` that a single file cannot be read.
    """

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._written = 0

    def mark(self) -> object:
        """Return what changes with every own write; in a folder with those of others too, by one stat call."""
        return self._written

    def read(self, name: str) -> str | None:
        """Return the text of a file, with its line ends as written; None if there is no such file."""
        stored = self._load(_checked(name))
        return None if stored is None else stored.data.decode("utf-8", "surrogateescape")

    def update(self, name: str, merge: Callable[[str | None], str | None]) -> str | None:
        """Write the result of `merge`, given the file's text; return the text that the file has then.

        `merge` gets None for a missing file. It may be called again when another writer was faster, so it must not
        have side effects. If it returns None, or the same text, nothing is written.
        """
        for _ in range(_MOST_ROUNDS):
            stored = self._load(_checked(name))
            before = None if stored is None else stored.data.decode("utf-8", "surrogateescape")
            after = merge(before)
            if after is None or after == before:
                return before
            if self._swap(name, _encoded(name, after), None if stored is None else stored.version):
                self._written += 1
                self._signal()
                return after
        raise KnowledgeAwayError(f"{self}: {name} was changed by others {_MOST_ROUNDS} times in a row")

    def _signal(self) -> None:
        """Write the cache-refresh signal, with a new text each time."""
        signal = {"refreshed_at": format_time(self._clock()), "generation": secrets.token_hex(8)}
        try:
            self._announce(json.dumps(signal) + "\n")
        except KnowledgeAwayError as exc:  # the file is written; the signal only tells others
            _log.info("the signal was not written: %s", exc)

    def prompt_texts(self) -> dict[str, str]:
        """Return the texts of `context/memory/*.md`, without subfolders, by name; unreadable files are left out."""
        texts: dict[str, str] = {}
        for name in sorted(self.names()):
            if "/" in name or name.startswith(".") or not name.endswith(".md"):
                continue
            try:
                text = self.read(name)
            except KnowledgeAwayError:
                raise
            except StoreError as exc:
                _log.info("%s", exc)
                continue
            texts |= {} if text is None else {name: text}
        return texts

    @abstractmethod
    def names(self) -> list[str]:
        """Return the names of all files, without links and names that are none of knowledge."""

    @abstractmethod
    def governance(self) -> Mapping[str, bytes]:
        """Return the bytes of the files `context/governance/*.md` of the place, by their bare names."""

    @abstractmethod
    def _load(self, name: str) -> Stored | None:
        """Return a file; None if there is none."""

    @abstractmethod
    def _swap(self, name: str, data: bytes, expected: str | None) -> bool:
        """Replace the version `expected` (None: no file) in one step; return False, and do nothing, if it differs."""

    @abstractmethod
    def _announce(self, signal: str) -> None:
        """Replace the signal in one step."""


def replace_text(files: KnowledgeFiles, name: str, before: str | None, after: str) -> bool:
    """Write `after` where a file has the text `before`; return False, and write nothing, where it has another."""
    return files.update(name, lambda text: after if text == before else text) == after


def open_files(
    settings: Knowledge, *, home: Path, clock: Callable[[], datetime] = system_clock
) -> FolderFiles | RemoteFiles:
    """Return the files of knowledge; a server is asked, and its library loaded, at the first read.

    `home` is Agent Zero's folder of its user, which relative paths begin at. Raises StoreError where a link leads out
    of the folder.
    """
    folder = local_folder(settings.knowledge_url, home)
    if folder is not None:
        return FolderFiles(folder, clock)
    return RemoteFiles(settings.knowledge_url, clock, seconds=settings.storage_timeout_seconds)


class FolderFiles(KnowledgeFiles):
    """The files under `ROOT/context/memory/`: the default, with nothing but the standard library."""

    def __init__(self, root: Path, clock: Callable[[], datetime]) -> None:
        super().__init__(clock)
        self._root = root
        self._signal_path = str(self._own_place(SIGNAL_NAME))

    def mark(self) -> object:
        """One stat call: it may be asked on the event loop."""
        return files.file_stamp(self._signal_path)

    def __str__(self) -> str:
        return str(self._root / FOLDER)

    def names(self) -> list[str]:
        """Return the names of all files."""
        with self._reported():
            top = self._place("")
            paths = (Path(folder, name) for folder, _, names in os.walk(top) for name in names)
            named = {path.relative_to(top).as_posix(): path for path in paths}
            return [name for name, path in named.items() if is_name(name) and path.is_file() and not path.is_symlink()]

    def governance(self) -> Mapping[str, bytes]:
        """Return the governance files beside the knowledge."""
        with self._reported():
            paths = sorted((self._root / GOVERNANCE_FOLDER).glob("*.md"))
            return {path.name: path.read_bytes() for path in paths if path.is_file()}

    def _load(self, name: str) -> Stored | None:
        with self._reported():
            path = self._place(name)
            try:
                return _read(path)
            except PermissionError as exc:
                raise StoreError(refusal_of(exc)) from exc

    def _swap(self, name: str, data: bytes, expected: str | None) -> bool:
        """Compare and replace under the lock of the folder."""
        with self._reported():
            path, lock = self._place(name), self._own_place(LOCK_NAME)
            path.parent.mkdir(parents=True, exist_ok=True)
            with files.only_writer(lock):
                for leftover in path.parent.glob(f".{path.name}.*.tmp"):  # a writer that was killed
                    leftover.unlink(missing_ok=True)
                stored = _read(self._place(name))
                if (None if stored is None else stored.version) != expected:
                    return False
                files.write_atomically(path, data)
        return True

    def _announce(self, signal: str) -> None:
        with self._reported():
            files.write_atomically(self._own_place(SIGNAL_NAME), signal)

    def _place(self, name: str) -> Path:
        """Return the path of `name`; raises NameRefusedError if a link leads anywhere else."""
        path = self._root.resolve() / FOLDER / name
        if os.path.realpath(path) != str(path) or path.is_symlink():  # one in a circle is its own real path
            raise NameRefusedError(name, f"no symbolic link on the way to {path}")
        return path

    def _own_place(self, name: str) -> Path:
        """Return the path of a file of the pack itself, after a link in its place was set aside."""
        path = self._place("") / name
        if path.is_symlink():
            set_aside(path, "a link")
        return self._place(name)

    @contextlib.contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except OSError as exc:
            raise KnowledgeAwayError(refusal_of(exc, self)) from exc


class _ConflictError(Exception):
    """Another writer was faster."""


class RemoteFiles(KnowledgeFiles):
    """The objects under `URL/context/memory/`; no request takes longer than `seconds`."""

    def __init__(self, url: str, clock: Callable[[], datetime], *, seconds: float) -> None:
        super().__init__(clock)
        self._url, self._seconds = url, seconds
        self._has_conditions: bool | None = None

    def __str__(self) -> str:
        return f"{without_secrets(self._url).rstrip('/')}/{FOLDER}"

    @cached_property
    def _opened(self) -> tuple[Any, str]:
        return open_filesystem(self._url, self._seconds)

    def names(self) -> list[str]:
        """Return the names of all objects, by one listing."""
        start = len(self._path("").strip("/")) + 1
        return [name for path in self._find(self._path("")) if is_name(name := path.strip("/")[start:])]

    def governance(self) -> Mapping[str, bytes]:
        """Return the governance objects beside the knowledge."""
        paths = sorted(self._find(f"{self._opened[1]}/{GOVERNANCE_FOLDER}", maxdepth=1))
        objects = {path.rpartition("/")[2]: self._load_path(path) for path in paths if path.endswith(".md")}
        return {name: stored.data for name, stored in objects.items() if stored is not None}

    def _load(self, name: str) -> Stored | None:
        return self._load_path(self._path(name))

    def _load_path(self, path: str) -> Stored | None:
        """Return an object; its mark is read before its data, so that a change in between fails the next swap."""
        try:
            info = self._do("info", path)
            if info.get("type") != "file":
                return None
            if (info.get("size") or 0) > MOST_BYTES:
                raise _too_large(path)
            data: bytes = self._do("cat_file", path)
        except FileNotFoundError:
            return None
        return Stored(data, str(info.get("ETag") or hashlib.sha256(data).hexdigest()))

    def _find(self, path: str, **options: Any) -> Mapping[str, Mapping[str, Any]]:
        try:
            objects: Mapping[str, Mapping[str, Any]] = self._do("find", path, detail=True, **options)
        except FileNotFoundError:
            return {}
        return objects

    def _swap(self, name: str, data: bytes, expected: str | None) -> bool:
        """Replace exactly the version that was read; after a lost answer, the next merge meets its own text."""
        condition = self._condition(expected)
        try:
            self._do("pipe_file", self._path(name), data, **condition)
        except FileNotFoundError as exc:
            if expected is None:
                raise KnowledgeAwayError(f"{self}: {shorten(str(exc), 200)}") from exc
            return False  # it was taken away in between
        except _ConflictError:
            return False
        return True

    def _announce(self, signal: str) -> None:
        self._do("pipe_file", self._path(SIGNAL_NAME), signal.encode())

    def _condition(self, expected: str | None) -> dict[str, str]:
        """Return the condition of a put; asks once whether the server and its library honour conditions.

        Raises KnowledgeAwayError where they do not.
        """
        if self._has_conditions is None:
            protocol = self._opened[0].protocol  # one name, or several
            self._has_conditions = "s3" in protocol and self._refuses_wrong_conditions()
        if not self._has_conditions:
            raise KnowledgeAwayError(
                f"{self} takes no conditional puts, so that two writers would undo each other's work: it is read, and"
                " nothing is written there; allowed: a folder, or S3 that honours `If-Match`"
            )
        return {"IfNoneMatch": "*"} if expected is None else {"IfMatch": expected}

    def _refuses_wrong_conditions(self) -> bool:
        try:
            self._do("pipe_file", self._path(_PROBE_NAME), b"", IfMatch=_NO_VERSION)
        except (FileNotFoundError, _ConflictError):
            return True
        self._do("rm_file", self._path(_PROBE_NAME))
        return False

    def _path(self, name: str) -> str:
        return f"{self._opened[1]}/{FOLDER}/{name}".rstrip("/")

    def _do(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """Call the file system.

        Raises FileNotFoundError, `_ConflictError`, or KnowledgeAwayError for all other errors.
        """
        try:
            return getattr(self._opened[0], method)(*args, **kwargs)
        except FileNotFoundError as exc:
            if _response_of(exc, "Error").get("Code") == "NoSuchBucket":
                raise KnowledgeAwayError(f"{self}: there is no such bucket") from exc
            raise
        except KnowledgeAwayError:
            raise
        except Exception as exc:  # any exception of the storage's library
            status = _response_of(exc, "ResponseMetadata").get("HTTPStatusCode")
            if isinstance(exc, FileExistsError) or status in _CONFLICT_CODES:
                raise _ConflictError from exc
            reason = shorten(str(exc), 200) or f"no answer in {self._seconds:g} s"
            raise KnowledgeAwayError(f"{self}: {type(exc).__name__}: {reason}") from exc


def _checked(name: str) -> str:
    """Return `name`; raises NameRefusedError unless it is a valid name of a knowledge file."""
    if not is_name(name):
        raise NameRefusedError(name)
    return name


def _encoded(name: str, text: str) -> bytes:
    """Return a text as bytes; bytes that were not UTF-8 when they were read are restored."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as exc:
        raise StoreError(f"knowledge file {name}: character {exc.start} is no text; allowed: Unicode text") from exc


def _read(path: Path) -> Stored | None:
    """Return the file at `path`; None for a missing file, a pipe or a folder."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    with os.fdopen(descriptor, "rb") as stream:
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise _too_large(path)
    return Stored(data, hashlib.sha256(data).hexdigest())


def _too_large(path: object) -> StoreError:
    return StoreError(f"{path} is larger than {MOST_BYTES} bytes; allowed: a file for people to read")


def _response_of(exc: BaseException, part: str) -> Mapping[str, Any]:
    response = getattr(exc.__cause__, "response", None)
    inner = response.get(part) if isinstance(response, Mapping) else None
    return inner if isinstance(inner, Mapping) else {}
