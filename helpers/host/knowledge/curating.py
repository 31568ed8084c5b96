"""Carry out what a person decides about an entry, beside agents that may write at the same time (M-21)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from ...errors import StoreError
from ...knowledge.categories import FILES, STATE_NAME
from ...knowledge.curation import (
    CurationError,
    CurationVerb,
    find_block,
    note_decision,
    note_edit,
    plan_decision,
    plan_edit,
)
from ...knowledge.entries import EntryWords
from ...knowledge.held import digest_of
from ...knowledge.retrieval import holders_of
from ...knowledge.state import EntryRecord, KnowledgeState, state_from_text, state_to_text
from ...knowledge.undoing import EDIT, EntryDecision, note_undo, plan_undo, standing_of
from .decision_file import DecisionFile
from .places import KnowledgeFiles

#: The new texts of the files that a decision changes, and what stood there before.
Changed = tuple[dict[str, str], dict[str, str | None]]


class EntryChangedError(StoreError):
    """Somebody else was faster."""


class Curator:
    """Decides for a person, `by` whom; what was decided is kept in `decisions`, so that it can be taken back."""

    def __init__(
        self, files: KnowledgeFiles, decisions: DecisionFile | None, *, now: datetime, threshold: float, by: str
    ) -> None:
        self._files, self._decisions = files, decisions
        self._now, self._threshold, self._by = now, threshold, by
        self._texts = {name: text for name in FILES if (text := files.read(name)) is not None}

    def decide(self, entry_id: str, verb: CurationVerb, *, dry_run: bool = False) -> Changed:
        """Use an entry, reject it, or archive it; raises CurationError where that cannot be."""
        changed = plan_decision(self._texts, entry_id, verb, now=self._now, threshold=self._threshold)
        note = self._note_of(entry_id)
        if not dry_run:
            done = {**self._texts, **changed}
            left = "" if verb is CurationVerb.REJECT else holders_of(done)[entry_id]
            self._carry_out(changed, lambda memory: note_decision(memory, entry_id, verb))
            self._keep(verb.value, entry_id, note, left)
        return changed, self._before(changed)

    def edit(self, entry_id: str, words: EntryWords) -> Changed:
        """Put an entry into other words, which no run changes; raises CurationError where that cannot be."""
        changed, block = plan_edit(self._texts, entry_id, words, now=self._now, threshold=self._threshold)
        note = self._note_of(entry_id)
        self._carry_out(changed, lambda memory: note_edit(memory.notes[entry_id], block))
        self._keep(EDIT, entry_id, note, digest_of(block.text))
        return changed, self._before(changed)

    def undo(self, decision: EntryDecision) -> Changed:
        """Take a decision back; raises CurationError where the entry has changed since."""
        changed = plan_undo(self._texts, decision, now=self._now, threshold=self._threshold)
        self._note_of(decision.entry)
        self._carry_out(changed, lambda memory: note_undo(memory, decision))
        if self._decisions is not None:
            self._decisions.mark_undone(decision.id)
        return changed, self._before(changed)

    def _note_of(self, entry_id: str) -> EntryRecord:
        found = state_from_text(self._files.read(STATE_NAME)).notes.get(entry_id)
        if found is None:
            raise CurationError(f"{entry_id} was written by hand, and no run has seen it yet; distil first")
        return found

    def _before(self, changed: dict[str, str]) -> dict[str, str | None]:
        return {name: self._texts.get(name) for name in changed}

    def _carry_out(self, changed: dict[str, str], note: Callable[[KnowledgeState], None]) -> None:
        for name, text in changed.items():
            self._replace(name, text)

        def noted(found: str | None) -> str:
            memory = state_from_text(found)
            note(memory)
            return state_to_text(memory)

        self._files.update(STATE_NAME, noted)

    def _replace(self, name: str, text: str) -> None:
        before = self._texts.get(name)
        stands = self._files.update(name, lambda found: text if found == before else found)
        if stands != text:
            raise EntryChangedError(f"{name} was changed by somebody else in the meantime; run the command again")

    def _keep(self, what: str, entry_id: str, note: EntryRecord, left: str) -> None:
        if self._decisions is None:
            return
        holders, block = find_block(self._texts, entry_id)
        self._decisions.keep(
            EntryDecision(
                at=self._now,
                by=self._by,
                what=what,
                entry=entry_id,
                title="" if block.entry is None else block.entry.title,
                file=holders[0],
                text=block.text,
                left=left,
                note=standing_of(note),
            )
        )
