"""The present problems, each reported once, and the damaged files that are set aside."""

from __future__ import annotations

import errno
import json
import logging
import os
import stat
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from enum import StrEnum
from pathlib import Path
from typing import IO, TypeVar

from ..errors import Problem, reason_of
from ..texts import counted
from .deadline import in_time

_log = logging.getLogger(__name__)

#: What is required of a file that is read, and of one that is written.
READABLE = "a file that can be read"
WRITABLE = "a file that can be written; what belongs into it waits until then"

Found = TypeVar("Found", bound=Hashable)


class ProblemKind(StrEnum):
    """The kinds of problems, by the words that follow their number in a chat's log."""

    SETTINGS = "settings that were not applied"
    HOST = "parts that are off, because this Agent Zero is not as they know it"
    METADATA = "unreadable pieces of metadata; they were derived again"
    SAVING = "things that Agent Zero could not save as they were"
    UNUSABLE = "things that could not be used"
    DECISIONS = "decisions that cannot be carried out"
    BACKUP = "items missing from the backup"
    VAULT = "things about the vault"
    NOTES = "notes that the prompt cannot show in full"


class ProblemLog:
    """The problems of one process, folder or chat; thread-safe. With `is_logged`, Python's log gets them as well."""

    def __init__(self, *, is_logged: bool = False) -> None:
        self._is_logged = is_logged
        self._open: dict[Hashable, set[Hashable]] = {}
        self._news: list[tuple[ProblemKind, Problem]] = []
        self._lock = threading.RLock()

    def tell(self, problem: Problem, kind: ProblemKind = ProblemKind.UNUSABLE, *, is_news: bool = False) -> bool:
        """Report a problem, which stays open until its place and requirement are settled; return whether it is new.

        A problem that `is_news` is always new: it is over already.
        """
        with self._lock:
            if not is_news and not self.note((problem.where, problem.allowed), problem):
                return False
            self._news.append((kind, problem))
        if self._is_logged:
            _log.warning("%s", problem)
        return True

    def note(self, about: Hashable, fact: Hashable) -> bool:
        """Note one more fact about `about`; return whether it is new since `about` was last settled."""
        with self._lock:
            known = self._open.setdefault(about, set())
            is_new = fact not in known
            known.add(fact)
        return is_new

    def settle(self, about: Hashable, facts: Iterable[Found] = ()) -> list[Found]:
        """Return what is new of `found`, which is all that is wrong with `about` now; the rest is solved."""
        with self._lock:
            present, before = dict.fromkeys(facts), self._open.pop(about, set())
            if present:
                self._open[about] = set(present)
        return [fact for fact in present if fact not in before]

    def update(
        self, about: Hashable, problems: Iterable[Problem] = (), kind: ProblemKind = ProblemKind.UNUSABLE
    ) -> None:
        """Report the new ones of `problems`, which are all that `about` has now; the other ones are solved."""
        current = tuple(problems)
        if not current and about not in self._open:
            return  # as for nearly every memory that is read
        with self._lock:
            for problem in self.settle(about, current):
                self.tell(problem, kind, is_news=True)

    def reading(self, path: Path) -> AbstractContextManager[None]:
        """Report, instead of raising, that a file cannot be read; settle that once it can."""
        return self._trying(path, unreadable, READABLE)

    def writing(self, path: Path) -> AbstractContextManager[None]:
        """Report, instead of raising, that a file cannot be written; settle that once it can."""
        return self._trying(path, unwritable, WRITABLE)

    @contextmanager
    def _trying(self, path: Path, make: Callable[[Path, OSError], Problem], allowed: str) -> Iterator[None]:
        try:
            yield
        except OSError as exc:
            self.tell(make(path, exc))
        else:
            self.settle((str(path), allowed))

    def take(self, *kinds: ProblemKind) -> list[Problem]:
        """Return the new problems since the last call, of these kinds or of all."""
        with self._lock:
            news, wanted = self._news, kinds or (*ProblemKind,)
            self._news = [(kind, problem) for kind, problem in news if kind not in wanted]
        return [*dict.fromkeys(problem for kind, problem in news if kind in wanted)]


def unwritable(path: Path, exc: OSError) -> Problem:
    """Return the problem of a file that cannot be written."""
    return Problem(where=str(path), found=f"not written ({reason_of(exc)})", allowed=WRITABLE)


def unreadable(path: Path, exc: OSError) -> Problem:
    """Return the problem of a file that nobody may read."""
    return Problem(where=str(path), found=f"not readable ({reason_of(exc)})", allowed=READABLE)


# The errors of opening what is no regular file, and of opening a file without permission.
_IN_THE_WAY = frozenset((errno.ELOOP, errno.EISDIR, errno.ENXIO))
_UNREADABLE = frozenset((errno.EACCES, errno.EPERM, errno.EIO))
#: A file is set aside under its name with this suffix, and "-2" and so on if that exists.
SUFFIX = ".damaged"

only_looks: ContextVar[bool] = ContextVar("only_looks", default=False)

#: One log for the process, like a logger: a file belongs to no chat.
notices = ProblemLog(is_logged=True)


def open_regular(path: Path, flags: int, mode: int = 0) -> int:
    """Open a regular file, after anything else in its place was set aside; raises OSError and never blocks."""
    try:
        return _open(path, flags, mode)
    except OSError as exc:
        if exc.errno not in _IN_THE_WAY or not set_aside(path, reason_of(exc)):
            raise
    return _open(path, flags, mode)


def _open(path: Path, flags: int, mode: int) -> int:
    descriptor = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC, mode)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise OSError(errno.ENXIO, "no regular file", str(path))


def give_to_host(path: Path, created: int | Path) -> None:
    """Give a created file to the owner of its folder: root may sit at the terminal while the host is another user."""
    if os.geteuid() == 0:
        with suppress(OSError):
            owner = path.parent.stat()
            os.chown(created, owner.st_uid, owner.st_gid)


def open_to_read(path: Path) -> IO[bytes]:
    """Open a file of the pack; raises FileNotFoundError if there is none."""
    descriptor = in_time(path, lambda _: open_regular(path, os.O_RDONLY), undo=os.close, is_reading=True)
    return os.fdopen(descriptor, "rb")


def read_bytes(path: Path) -> bytes | None:
    """Return the content of a file of the pack, None if there is none. Raises OSError where it cannot be read."""
    try:
        with open_to_read(path) as stream:
            return stream.read()
    except FileNotFoundError:
        return None


def read_json(path: Path) -> object | None:
    """Return the JSON value in a file of the pack; None if there is none, or it had to be set aside."""
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
    """Return the value of JSON bytes; raises ValueError, also where they are nested too deeply."""
    try:
        value: object = json.loads(data.decode("utf-8-sig"))
    except RecursionError:
        raise ValueError("JSON that is nested too deeply") from None
    except ValueError as exc:
        raise ValueError(f"no JSON ({reason_of(exc)})") from None
    return value


def set_aside(path: Path, fault: str, problems: ProblemLog = notices) -> bool:
    """Rename what stands at `path`; return False if that is only reported."""
    if only_looks.get():
        problems.tell(_problem(path, fault, "it is left where it is"))
        return False
    kept, number = path.with_name(f"{path.name}{SUFFIX}"), 1
    while os.path.lexists(kept):
        number += 1
        kept = path.with_name(f"{path.name}{SUFFIX}-{number}")
    try:
        path.replace(kept)
    except FileNotFoundError:  # somebody else was faster
        return True
    except OSError as exc:
        problems.tell(_problem(path, fault, f"it could not be set aside ({reason_of(exc)})"))
        return False
    problems.tell(_problem(path, fault, f"the old content is kept as {kept.name}"), is_news=True)
    return True


@contextmanager
def only_looking() -> Iterator[None]:
    """Set nothing aside inside the block: a dry run changes nothing."""
    token = only_looks.set(True)
    try:
        yield
    finally:
        only_looks.reset(token)


def note_lines(path: Path, count: int, allowed: str) -> None:
    """Report how many lines of a file are not as `allowed` there; 0 settles that."""
    fault = f"not readable in {counted(count, 'line', 'lines')}"
    notices.update((path, allowed), [Problem(where=str(path), found=fault, allowed=allowed)] if count else ())


def fault_of(exc: Exception) -> str:
    """Return the fault of a file that cannot be read or parsed, in words."""
    return f"not readable ({reason_of(exc)})" if isinstance(exc, OSError) else reason_of(exc)


def _problem(path: Path, fault: str, outcome: str) -> Problem:
    return Problem(where=str(path), found=fault, allowed=f"a file as the pack wrote it; {outcome}")
