"""What stands in the place of one of the pack's files and is not what the pack wrote (C-75): set aside, and told once.

Nothing but a regular file is opened, so nobody waits for a pipe. What cannot be used, be it a folder, a link to nothing
or JSON that is none, is kept as it is as `NAME.damaged`, and the file is begun anew.
"""

from __future__ import annotations

import errno
import filecmp
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import IO

from ...errors import Problem, reason_of
from ...texts import counted
from .deadline import in_time
from .problem_log import ProblemLog

# What opening says where no regular file stands, and where nobody may look at one.
_IN_THE_WAY = frozenset((errno.ELOOP, errno.EISDIR, errno.ENXIO, errno.ENOENT))
_UNREADABLE = frozenset((errno.EACCES, errno.EPERM, errno.EIO))
_KINDS = ((stat.S_ISDIR, "a folder"), (stat.S_ISLNK, "a link to no file"), (stat.S_ISFIFO, "a pipe"))
#: What is set aside has the name that it had, this, and "-2" where that stands there already.
SUFFIX = ".damaged"

only_looks: ContextVar[bool] = ContextVar("only_looks", default=False)

#: One for the process, as a logger is: a file belongs to no chat.
notices = ProblemLog(is_logged=True)


def open_regular(path: Path, flags: int, mode: int = 0) -> int:
    """Open a regular file; what else stands in its place is set aside first. Raises OSError, and waits for nobody."""
    try:
        return _open(path, flags, mode)
    except OSError as exc:
        if exc.errno not in _IN_THE_WAY or not os.path.lexists(path) or not clear_the_way(path):
            raise
    return _open(path, flags, mode)


def _open(path: Path, flags: int, mode: int) -> int:
    descriptor = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC, mode)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise OSError(errno.ENXIO, "no regular file", str(path))


def give_to_host(path: Path, created: int | Path) -> None:
    """Give what was created at `path` to the owner of its folder: root may sit at the terminal, the host be another."""
    if os.geteuid() == 0:
        with suppress(OSError):
            owner = path.parent.stat()
            os.chown(created, owner.st_uid, owner.st_gid)


def open_to_read(path: Path) -> IO[bytes]:
    """Open a file of the pack; FileNotFoundError where there is none, or what stood there was set aside."""
    descriptor = in_time(path, lambda _: open_regular(path, os.O_RDONLY), undo=os.close, is_reading=True)
    return os.fdopen(descriptor, "rb")


def read_bytes(path: Path) -> bytes | None:
    """Return what a file of the pack holds; None where there is none. Raises OSError where it cannot be read."""
    try:
        with open_to_read(path) as stream:
            return stream.read()
    except FileNotFoundError:
        return None


def read_json(path: Path) -> object | None:
    """Return what JSON a file of the pack holds; None where there is none, or it had to be set aside."""
    with notices.reading(path):
        try:
            data = read_bytes(path)
            return None if data is None else parse(data)
        except ValueError as exc:
            set_aside(path, fault_of(exc))
        except OSError as exc:
            if exc.errno not in _UNREADABLE or not set_aside(path, fault_of(exc)):
                raise
    return None


def parse(data: bytes) -> object:
    """Return what JSON bytes say; raises ValueError, also where they are nested too deeply."""
    try:
        value: object = json.loads(data.decode("utf-8-sig"))
    except RecursionError:
        raise ValueError("JSON that is nested too deeply") from None
    except ValueError as exc:
        raise ValueError(f"no JSON ({reason_of(exc)})") from None
    return value


def set_aside(path: Path, found: str, problems: ProblemLog = notices) -> bool:
    """Keep what stands at `path` under another name, the same only once; False where it can only be told."""
    if only_looks.get():
        problems.tell(_problem(path, found, "it is left where it is"))
        return False
    kept, number = path.with_name(f"{path.name}{SUFFIX}"), 1
    while os.path.lexists(kept) and not _are_same(path, kept):
        number += 1
        kept = path.with_name(f"{path.name}{SUFFIX}-{number}")
    try:
        path.replace(kept)
    except FileNotFoundError:  # somebody else was faster
        return True
    except OSError as exc:
        problems.tell(_problem(path, found, f"it could not be set aside ({reason_of(exc)})"))
        return False
    problems.tell(_problem(path, found, f"the old content is kept as {kept.name}"), is_news=True)
    return True


@contextmanager
def only_looking() -> Iterator[None]:
    """Set nothing aside meanwhile: a dry run changes nothing."""
    token = only_looks.set(True)
    try:
        yield
    finally:
        only_looks.reset(token)


def note_lines(path: Path, count: int, allowed: str) -> None:
    """Tell that `count` lines of a file are not what is allowed there; 0 settles that."""
    found = f"not readable in {counted(count, 'line', 'lines')}"
    notices.update((path, allowed), [Problem(where=str(path), found=found, allowed=allowed)] if count else ())


def fault_of(exc: Exception) -> str:
    """Return what a file is that cannot be read, or not be parsed."""
    return f"not readable ({reason_of(exc)})" if isinstance(exc, OSError) else reason_of(exc)


def _problem(path: Path, found: str, outcome: str) -> Problem:
    return Problem(where=str(path), found=found, allowed=f"a file as the pack wrote it; {outcome}")


def _are_same(one: Path, other: Path) -> bool:
    """Whether both are regular files that hold the same."""
    if not (one.is_file() and other.is_file()) or one.is_symlink() or other.is_symlink():
        return False
    try:
        return filecmp.cmp(one, other, shallow=False)
    except OSError:
        return False


def clear_the_way(path: Path) -> bool:
    """Set aside what is not a regular file, nor a link to one; False where it stays.

    One look decides: what another process or thread puts there meanwhile is a file as it should be.
    """
    try:
        mode = path.lstat().st_mode
    except OSError:
        return True
    if stat.S_ISLNK(mode):
        with suppress(OSError):
            mode = os.stat(path).st_mode  # noqa: PTH116 - a link in a circle raises
    if stat.S_ISREG(mode):
        return True
    return set_aside(path, next((kind for is_kind, kind in _KINDS if is_kind(mode)), "no regular file"))
