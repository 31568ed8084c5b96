"""The decisions of a person about entries, each with a row in the log of changes of every file that it touches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from ...clock import format_time
from ...errors import StoreError
from ...knowledge.documents import (
    EDITED,
    FILES,
    STATE_NAME,
    Entry,
    EntryChange,
    EntryWords,
    Place,
    digest_of,
    entries_in,
    file_of,
    new_document,
    parse_document,
    parse_entry,
    revise,
    with_bullets,
    with_words,
)
from ...knowledge.shelving import EDIT, CurationError, CurationVerb
from ...knowledge.state import EntryUndo, state_from_text, state_to_text
from .places import KnowledgeFiles, replace_text

#: The new and the former texts of the files that a decision changes.
Changed = tuple[dict[str, str], dict[str, str | None]]

_PLACE_OF = {CurationVerb.APPROVE: Place.ACTIVE, CurationVerb.ARCHIVE: Place.ARCHIVE}
_ACTION_OF = {CurationVerb.APPROVE: "APPROVED", CurationVerb.REJECT: "REJECTED", CurationVerb.ARCHIVE: "ARCHIVED"}


class EntryChangedError(StoreError):
    """Somebody else was faster."""


def decisions_in(files: KnowledgeFiles) -> list[tuple[str, EntryUndo]]:
    """Return the ids of entries with their latest decisions that can be undone, the latest last."""
    notes = state_from_text(files.read(STATE_NAME)).notes
    decisions = [(entry_id, note.undo) for entry_id, note in notes.items() if note.undo is not None]
    return sorted(decisions, key=lambda decision: decision[1].at)


class Curator:
    """Carries out a person's decisions about the entries in these files; raises CurationError for impossible ones."""

    def __init__(self, files: KnowledgeFiles, *, now: datetime, threshold: float) -> None:
        self._files, self._now, self._threshold = files, now, threshold
        self._texts = {name: text for name in FILES if (text := files.read(name)) is not None}

    def decide(self, entry_id: str, verb: CurationVerb, *, dry_run: bool = False) -> Changed:
        """Use, reject or archive an entry."""
        holders, entry = self._find(entry_id)
        target = None if verb is CurationVerb.REJECT else file_of(FILES[holders[0]][0], _PLACE_OF[verb])
        if holders == [target]:
            raise CurationError(f"{entry_id} stands in {target} already; allowed: an entry that stands elsewhere")

        note: dict[str, Any] = {"is_removed": target is None, "is_filed": target is not None}
        if target is not None:
            note |= dict.fromkeys(("chosen", "place"), FILES[target][1])
        texts = self._move(entry_id, entry.text, target, _ACTION_OF[verb], "By hand")
        undo = self._undo_of(verb.value, holders[0], entry, left=target or "")
        return self._carry_out(entry_id, texts, note, undo, dry_run=dry_run)

    def edit(self, entry_id: str, words: EntryWords) -> Changed:
        """Reword an entry, which no run changes afterwards; what would end it or another one is refused."""
        (name, *_), entry = self._find(entry_id)
        new = parse_entry(with_bullets(with_words(entry.text, words), {EDITED: f"{self._now:%Y-%m-%d}"}))
        if not words.title or new is None or new.words != words or new.id != entry_id:
            raise CurationError("the words are refused; allowed: a title in one line, and no line that ends a section")
        text = self._write(name, entry_id, new.text, "EDITED", "Edited by hand; kept as it is")
        expected = [new.text if block == entry.text else block for block in parse_document(self._texts[name]).blocks]
        if [*parse_document(text).blocks] != expected:
            raise CurationError("the words are refused; allowed: none that end an entry or begin another one")

        note = {"is_edited": True, "digest": digest_of(new.text), "base": new.confidence}
        undo = self._undo_of(EDIT, name, entry, left=digest_of(new.text))
        return self._carry_out(entry_id, {name: text}, note, undo)

    def undo(self, entry_id: str) -> tuple[str, Changed]:
        """Bring an entry back to its former place and words, unless it has changed since; what runs have learnt stays.

        Returns the name of the decision, and the changed texts.
        """
        undo = dict(decisions_in(self._files)).get(entry_id)
        if undo is None:
            raise CurationError(f"{entry_id}: nothing was decided here; allowed: an entry with a decision to take back")
        holding = self._holding(entry_id)
        stands = digest_of(holding[0][1].text) if undo.what == EDIT and holding else " ".join(dict(holding))
        if stands != undo.left:
            raise CurationError(f"{entry_id} has changed since; allowed: what stands as that decision has left it")
        why, names = f"By hand; {undo.what} was taken back", ["place", "chosen", "is_removed", "is_filed"]
        if undo.what == EDIT:
            texts = {holding[0][0]: self._write(holding[0][0], entry_id, undo.text, "UNDONE", why)}
            names += "is_edited", "digest", "base"
        else:
            texts = self._move(entry_id, holding[0][1].text if holding else undo.text, undo.file, "UNDONE", why)
        note = {name: getattr(undo.record, name) for name in names}
        return undo.what, self._carry_out(entry_id, texts, note, None)

    def _carry_out(
        self,
        entry_id: str,
        texts: dict[str, str],
        note: Mapping[str, Any],
        undo: partial[EntryUndo] | None,
        *,
        dry_run: bool = False,
    ) -> Changed:
        """Write the files, and then the entry's record with these values, and with what takes the decision back."""
        if entry_id not in state_from_text(self._files.read(STATE_NAME)).notes:
            raise CurationError(f"{entry_id} was written by hand, and no run has seen it yet; distil first")
        before = {name: self._texts.get(name) for name in texts}

        def keep(stored: str | None) -> str:
            state = state_from_text(stored)
            former = replace(state.notes[entry_id], undo=None)
            state.notes[entry_id] = replace(former, undo=None if undo is None else undo(record=former), **note)
            return state_to_text(state)

        for name, text in () if dry_run else texts.items():
            if not replace_text(self._files, name, before[name], text):
                raise EntryChangedError(f"{name} was changed by somebody else in the meantime; run the command again")
        if not dry_run:
            self._files.update(STATE_NAME, keep)
        return texts, before

    def _find(self, entry_id: str) -> tuple[list[str], Entry]:
        """Return the files that hold an entry, and the entry in the first."""
        holding = self._holding(entry_id)
        if not holding:
            known = ", ".join(sorted({entry.id for _, entry in entries_in(self._texts)})[:20])
            raise CurationError(f"no entry {entry_id}; allowed: {known or 'there is none yet'}")
        return list(dict(holding)), holding[0][1]

    def _holding(self, entry_id: str) -> list[tuple[str, Entry]]:
        return [(name, entry) for name, entry in entries_in(self._texts) if entry.id == entry_id]

    def _undo_of(self, decision: str, file: str, entry: Entry, *, left: str) -> partial[EntryUndo]:
        at = format_time(self._now)
        return partial(EntryUndo, at=at, what=decision, title=entry.title, file=file, text=entry.text, left=left)

    def _move(self, entry_id: str, block: str, target: str | None, action: str, why: str) -> dict[str, str]:
        """Return the files that change when an entry leaves all files but `target`, which gets it."""
        holders, changed = list(dict(self._holding(entry_id))), {}
        if target is not None and target not in holders:
            source = f", from {holders[0]}" if holders else ""
            changed[target] = self._write(target, entry_id, block, action, why + source)
        left = f", to {target}" if target is not None else "; it does not come back"
        return changed | {
            name: self._write(name, entry_id, None, action, why + left) for name in holders if name != target
        }

    def _write(self, name: str, entry_id: str, block: str | None, action: str, why: str) -> str:
        """Return the text of a file with this block for the entry, in its place or at the end; without it if None."""
        text = self._texts.get(name)
        document = new_document(FILES[name][0], threshold=self._threshold) if text is None else parse_document(text)
        former = [entry.text for entry in document.entries if entry.id == entry_id]
        blocks = [block if other in former else other for other in document.blocks] + ([] if former else [block])
        change = EntryChange(f"{self._now:%Y-%m-%d}", action, entry_id, why)
        return revise(document, filter(None, blocks), [change], now=self._now, threshold=self._threshold).render()
