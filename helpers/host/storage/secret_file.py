"""Which memories hold what looks like a secret: their ids and of which kind, never the secret itself (V-56, T-22).

The first line says which version of the guard has looked through the whole folder, so that no memory that the pack
knows is looked at twice. Losing the file means to look once more.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from . import files
from .line_store import LineStore, RetryingLines
from .problem_log import ProblemLog

_GUARD_FOLDER = Path(__file__).parents[2] / "privacy"

Kinds = tuple[str, ...]


class SecretBook:
    """The findings of one memory folder; it reads its file when it is first asked. Not thread-safe by itself."""

    def __init__(self, folder: Path, problems: ProblemLog) -> None:
        self._lines = LineStore(folder / files.SECRETS_FILE, is_durable=False)
        self._retrying = RetryingLines(self._lines, problems)
        self._problems = problems
        self._found: dict[str, Kinds] | None = None
        self._is_whole = False
        self._news: dict[str, Kinds] = {}

    @property
    def found(self) -> Mapping[str, Kinds]:
        """The memories with findings, by id."""
        return self._known()

    @property
    def is_whole(self) -> bool:
        """Whether every memory that the pack had adopted has been looked at by this version of the guard."""
        self._known()
        return self._is_whole

    def _known(self) -> dict[str, Kinds]:
        if self._found is None:
            rows = list(files.read_lines_if_any(self._lines.path))
            ids = ((row.get("id"), _kinds(row)) for row in rows)
            self._found = {one: kinds for one, kinds in ids if isinstance(one, str) and kinds}
            self._is_whole = any(row.get("guard") == guard_digest() for row in rows)
        return self._found

    def note(self, memory_id: str, kinds: Iterable[str]) -> bool:
        """Note what was found in a memory, which may be nothing; whether that is news."""
        ordered = tuple(dict.fromkeys(kinds))
        if ordered == self.found.get(memory_id, ()):
            return False
        if not ordered:
            return self.drop([memory_id])
        self._known()[memory_id] = self._news[memory_id] = ordered
        self._retrying.append([_row(memory_id, ordered)])
        return True

    def drop(self, memory_ids: Iterable[str]) -> bool:
        """Forget memories that are gone; whether there was anything to forget."""
        known = self._known()
        gone = {one for one in memory_ids if known.pop(one, None) is not None}
        for one in gone:
            self._news.pop(one, None)
        if gone:
            self._rewrite()
        return bool(gone)

    def finish(self) -> None:
        """Note that the whole folder has been looked through."""
        if not self.is_whole:
            self._is_whole = True
            self._rewrite()

    def _rewrite(self) -> None:
        """Write anew what is known, once nothing is owed that would come after it."""
        head = [{"guard": guard_digest()}] if self._is_whole else []
        with self._problems.writing(self._lines.path):
            if self._retrying.append():
                self._lines.rewrite(lambda _: [*head, *(_row(*one) for one in self.found.items())])

    def take_news(self) -> dict[str, Kinds]:
        """Return what was found since the last call."""
        news, self._news = self._news, {}
        return news


def _row(memory_id: str, kinds: Kinds) -> dict[str, Any]:
    return {"id": memory_id, "types": list(kinds)}


def _kinds(row: Mapping[str, Any]) -> Kinds:
    found = row.get("types")
    return tuple(one for one in found if isinstance(one, str)) if isinstance(found, list) else ()


def guard_digest() -> str:
    """Return what changes with every rule of the guard."""
    sums = hashlib.sha256()
    for path in sorted(_GUARD_FOLDER.glob("*.py")):
        sums.update(path.read_bytes())
    return sums.hexdigest()[:16]
