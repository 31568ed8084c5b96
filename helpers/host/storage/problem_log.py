"""What is wrong now, and what of that nobody has been told yet: one log for a process, a memory folder, or a chat.

A problem is told once for as long as it lasts, and once more when it comes back after it was solved. Any thread tells;
a hook takes what is new into the log of its chat.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from ...errors import Problem, reason_of

_log = logging.getLogger(__name__)

#: What is asked of a file that is read, and of one that is written.
READABLE = "a file that can be read"
WRITABLE = "a file that can be written; what belongs into it waits until then"

Found = TypeVar("Found", bound=Hashable)


class ProblemKind(StrEnum):
    """What a chat's log calls problems of one kind, after their number."""

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
    """The problems of one process, folder or chat; thread-safe. With `is_logged`, Python's log has them as well."""

    def __init__(self, *, is_logged: bool = False) -> None:
        self._is_logged = is_logged
        self._open: dict[Hashable, set[Hashable]] = {}
        self._news: list[tuple[ProblemKind, Problem]] = []
        self._lock = threading.RLock()

    def tell(self, problem: Problem, kind: ProblemKind = ProblemKind.UNUSABLE, *, is_news: bool = False) -> bool:
        """Tell a problem, which lasts until its place and what it allows are settled; whether it is new.

        One that `is_news` is, whatever was told before: it is over already.
        """
        with self._lock:
            if not is_news and not self.note((problem.where, problem.allowed), problem):
                return False
            self._news.append((kind, problem))
        if self._is_logged:
            _log.warning("%s", problem)
        return True

    def note(self, about: Hashable, found: Hashable) -> bool:
        """Note one more thing that is wrong with `about`; whether it is new since `about` was last settled."""
        with self._lock:
            known = self._open.setdefault(about, set())
            is_new = found not in known
            known.add(found)
        return is_new

    def settle(self, about: Hashable, found: Iterable[Found] = ()) -> list[Found]:
        """Return what is new of `found`, which is all that is wrong with `about` now; the rest is solved."""
        with self._lock:
            now, before = dict.fromkeys(found), self._open.pop(about, set())
            if now:
                self._open[about] = set(now)
        return [one for one in now if one not in before]

    def update(
        self, about: Hashable, problems: Iterable[Problem] = (), kind: ProblemKind = ProblemKind.UNUSABLE
    ) -> None:
        """Tell what is new of `problems`, which are all that `about` has now; the rest is solved."""
        found = tuple(problems)
        if not found and about not in self._open:
            return  # as for nearly every memory that is read
        with self._lock:
            for one in self.settle(about, found):
                self.tell(one, kind, is_news=True)

    def reading(self, path: Path) -> AbstractContextManager[None]:
        """Tell that a file cannot be read, which is no error then; once it can, that is settled."""
        return self._trying(path, unreadable, READABLE)

    def writing(self, path: Path) -> AbstractContextManager[None]:
        """Tell that a file cannot be written, which is no error then; once it can, that is settled."""
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
        """Return what is new since the last call, of these kinds, or of all."""
        with self._lock:
            news, wanted = self._news, kinds or (*ProblemKind,)
            self._news = [(kind, one) for kind, one in news if kind not in wanted]
        return [*dict.fromkeys(one for kind, one in news if kind in wanted)]


def unwritable(path: Path, exc: OSError) -> Problem:
    """Return the problem of a file that cannot be written."""
    return Problem(where=str(path), found=f"not written ({reason_of(exc)})", allowed=WRITABLE)


def unreadable(path: Path, exc: OSError) -> Problem:
    """Return the problem of a file that nobody may read."""
    return Problem(where=str(path), found=f"not readable ({reason_of(exc)})", allowed=READABLE)
