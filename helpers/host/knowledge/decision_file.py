"""What people have decided about entries on this machine, the latest last, so that it can be taken back (M-21).

Beside the memory folders, as `agent_file` is: a fleet shares the entries, not who decided what about them here.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from ...inbox import Row
from ...knowledge.undoing import EntryDecision
from ..storage.line_store import LineStore

DECISION_FILE = "knowledge_decisions.jsonl"
#: So many can be taken back.
_KEPT = 50


class DecisionFile:
    """The latest decisions; any number of threads and processes may write."""

    def __init__(self, folder: Path) -> None:
        self._lines = LineStore(folder / DECISION_FILE)

    def read(self) -> list[EntryDecision]:
        """Return what was decided, the latest last; a row that this version cannot read is left out."""
        return [one for row in self._lines.read() if (one := _parse(row)) is not None]

    def keep(self, decision: EntryDecision) -> None:
        """Add a decision; the oldest one goes."""
        self._lines.path.parent.mkdir(parents=True, exist_ok=True)
        row = decision.model_dump(mode="json")
        self._lines.rewrite(lambda rows: [*rows, row][-_KEPT:])

    def mark_undone(self, decision_id: str) -> None:
        """Remember that a decision was taken back."""
        self._lines.rewrite(lambda rows: [_undone(row, decision_id) for row in rows])


def _undone(row: Row, decision_id: str) -> Row:
    found = _parse(row)
    return row if found is None or found.id != decision_id else {**row, "is_undone": True}


def _parse(row: Row) -> EntryDecision | None:
    try:
        return EntryDecision.model_validate(row)
    except ValidationError:
        return None
