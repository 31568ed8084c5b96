"""Carry out what a person decides about an entry, beside agents that may write at the same time (M-21).

What was decided is kept on this machine, the latest last, so that it can be taken back: beside the memory folders, as
`agent_file` is. A fleet shares the entries, not who decided what about them here.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from ...errors import StoreError
from ...inbox import Row
from ...knowledge.categories import FILES, STATE_NAME
from ...knowledge.curation import (
    EDIT,
    CurationError,
    CurationVerb,
    EntryDecision,
    Pen,
    note_decision,
    note_edit,
    note_undo,
)
from ...knowledge.documents import EntryWords, digest_of
from ...knowledge.state import EntryRecord, KnowledgeState, state_from_text, state_to_text
from ..storage.line_store import LineStore
from .places import KnowledgeFiles

DECISION_FILE = "knowledge_decisions.jsonl"
#: So many can be taken back.
_KEPT = 50

#: The new texts of the files that a decision changes, and what stood there before.
Changed = tuple[dict[str, str], dict[str, str | None]]


class EntryChangedError(StoreError):
    """Somebody else was faster."""


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

    def mark_undone(self, decision: EntryDecision) -> None:
        """Remember that a decision was taken back."""
        self._lines.rewrite(
            lambda rows: [{**row, "is_undone": True} if _parse(row) == decision else row for row in rows]
        )


class Curator:
    """Decides for a person, `by` whom; what was decided is kept in `decisions`."""

    def __init__(
        self, files: KnowledgeFiles, decisions: DecisionFile, *, now: datetime, threshold: float, by: str
    ) -> None:
        self._files, self._decisions, self._now, self._by = files, decisions, now, by
        texts = {name: text for name in FILES if (text := files.read(name)) is not None}
        self._pen = Pen(texts, now, threshold)

    def decide(self, entry_id: str, verb: CurationVerb, *, dry_run: bool = False) -> Changed:
        """Use an entry, reject it, or archive it; raises CurationError where that cannot be."""
        (changed, left), note = self._pen.decide(entry_id, verb), self._note_of(entry_id)
        if not dry_run:
            self._carry_out(changed, lambda state: note_decision(state, entry_id, verb))
            self._keep(verb.value, entry_id, note, left)
        return changed, self._before(changed)

    def edit(self, entry_id: str, words: EntryWords) -> Changed:
        """Put an entry into other words, which no run changes; raises CurationError where that cannot be."""
        (changed, block), note = self._pen.edit(entry_id, words), self._note_of(entry_id)
        self._carry_out(changed, lambda state: note_edit(state, entry_id, block))
        self._keep(EDIT, entry_id, note, digest_of(block.text))
        return changed, self._before(changed)

    def undo(self, decision: EntryDecision) -> Changed:
        """Take a decision back; raises CurationError where the entry has changed since."""
        changed = self._pen.undo(decision)
        self._note_of(decision.entry)
        self._carry_out(changed, lambda state: note_undo(state, decision))
        self._decisions.mark_undone(decision)
        return changed, self._before(changed)

    def _note_of(self, entry_id: str) -> EntryRecord:
        found = state_from_text(self._files.read(STATE_NAME)).notes.get(entry_id)
        if found is None:
            raise CurationError(f"{entry_id} was written by hand, and no run has seen it yet; distil first")
        return found

    def _before(self, changed: dict[str, str]) -> dict[str, str | None]:
        return {name: self._pen.texts.get(name) for name in changed}

    def _carry_out(self, changed: dict[str, str], note: Callable[[KnowledgeState], None]) -> None:
        for name, text in changed.items():
            self._replace(name, text)

        def noted(found: str | None) -> str:
            state = state_from_text(found)
            note(state)
            return state_to_text(state)

        self._files.update(STATE_NAME, noted)

    def _replace(self, name: str, text: str) -> None:
        before = self._pen.texts.get(name)
        if self._files.update(name, lambda found: text if found == before else found) != text:
            raise EntryChangedError(f"{name} was changed by somebody else in the meantime; run the command again")

    def _keep(self, what: str, entry_id: str, note: EntryRecord, left: str) -> None:
        (file, *_), block = self._pen.find(entry_id)
        self._decisions.keep(
            EntryDecision(
                at=self._now,
                by=self._by,
                what=what,
                entry=entry_id,
                title="" if block.entry is None else block.entry.title,
                file=file,
                text=block.text,
                left=left,
                note=note,
            )
        )


def _parse(row: Row) -> EntryDecision | None:
    try:
        return EntryDecision.model_validate(row)
    except ValidationError:
        return None
