"""Carry out what a person decides about an entry, beside agents that may write at the same time (M-21)."""

from __future__ import annotations

from datetime import datetime

from ...errors import StoreError
from ...knowledge.categories import FILES, STATE_NAME
from ...knowledge.curation import Curation, CurationError, CurationVerb, Pen
from ...knowledge.documents import EntryWords
from ...knowledge.state import EntryUndo, state_from_text, state_to_text
from .places import KnowledgeFiles

#: The new texts of the files that a decision changes, and what stood there before.
Changed = tuple[dict[str, str], dict[str, str | None]]


class EntryChangedError(StoreError):
    """Somebody else was faster."""


def decisions_in(files: KnowledgeFiles) -> list[tuple[str, EntryUndo]]:
    """Return the latest decision about each entry that can be taken back, the latest of all last."""
    notes = state_from_text(files.read(STATE_NAME)).notes
    found = [(one, note.undo) for one, note in notes.items() if note.undo is not None]
    return sorted(found, key=lambda each: each[1].at)


class Curator:
    """Decides for a person about the entries in these files."""

    def __init__(self, files: KnowledgeFiles, *, now: datetime, threshold: float) -> None:
        self._files = files
        texts = {name: text for name in FILES if (text := files.read(name)) is not None}
        self._pen = Pen(texts, now, threshold)

    def decide(self, entry_id: str, verb: CurationVerb, *, dry_run: bool = False) -> Changed:
        """Use an entry, reject it, or archive it; raises CurationError where that cannot be."""
        return self._carry_out(entry_id, self._pen.decide(entry_id, verb), dry_run=dry_run)

    def edit(self, entry_id: str, words: EntryWords) -> Changed:
        """Put an entry into other words, which no run changes; raises CurationError where that cannot be."""
        return self._carry_out(entry_id, self._pen.edit(entry_id, words))

    def undo(self, entry_id: str) -> tuple[str, Changed]:
        """Take the latest decision about an entry back; return what it was, and what changes.

        Raises CurationError where there is none, or the entry has changed since.
        """
        undo = dict(decisions_in(self._files)).get(entry_id)
        if undo is None:
            raise CurationError(f"{entry_id}: nothing was decided here; allowed: an entry with a decision to take back")
        return undo.what, self._carry_out(entry_id, self._pen.undo(entry_id, undo))

    def _carry_out(self, entry_id: str, decision: Curation, *, dry_run: bool = False) -> Changed:
        if entry_id not in state_from_text(self._files.read(STATE_NAME)).notes:
            raise CurationError(f"{entry_id} was written by hand, and no run has seen it yet; distil first")
        before = {name: self._pen.texts.get(name) for name in decision.texts}
        if dry_run:
            return decision.texts, before
        for name, text in decision.texts.items():
            self._replace(name, text)

        def noted(found: str | None) -> str:
            state = state_from_text(found)
            decision.note(state.notes[entry_id])
            return state_to_text(state)

        self._files.update(STATE_NAME, noted)
        return decision.texts, before

    def _replace(self, name: str, text: str) -> None:
        before = self._pen.texts.get(name)
        if self._files.update(name, lambda found: text if found == before else found) != text:
            raise EntryChangedError(f"{name} was changed by somebody else in the meantime; run the command again")
