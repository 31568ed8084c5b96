"""What a person decides about one entry: to use, reject or archive it, in which words; and that taken back (M-21).

An entry that is moved keeps every word. It is first put where it shall stand, then taken from where it stood, so that
it is never nowhere; an interrupted decision is finished by giving it again. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from ..clock import format_time
from ..errors import MemoryLedgerError
from .categories import FILES, Place, file_of
from .documents import (
    EDITED,
    Block,
    EntryChange,
    EntryWords,
    digest_of,
    marked,
    new_document,
    parse_document,
    parse_entry,
    revise,
    with_words,
)
from .state import EntryRecord, EntryUndo

#: Beside the verbs of the terminal: an entry in other words.
EDIT = "edit"


class CurationVerb(StrEnum):
    """What a person may decide; the value is the verb of the command."""

    APPROVE = "approve"
    REJECT = "reject"
    ARCHIVE = "archive"


_PLACE_OF = {CurationVerb.APPROVE: Place.ACTIVE, CurationVerb.ARCHIVE: Place.ARCHIVE}
_ACTION_OF = {CurationVerb.APPROVE: "APPROVED", CurationVerb.REJECT: "REJECTED", CurationVerb.ARCHIVE: "ARCHIVED"}


class CurationError(MemoryLedgerError):
    """There is no such entry, or nothing to decide about it."""


@dataclass(frozen=True, slots=True)
class Curation:
    """What a decision changes: files, in the order in which they are to be written, and what is known of the entry."""

    texts: dict[str, str]
    note: Callable[[EntryRecord], None]


@dataclass(frozen=True, slots=True)
class Pen:
    """Writes what is decided into the texts of files, each with a row in its log of changes (M-47)."""

    texts: Mapping[str, str]
    now: datetime
    threshold: float

    def decide(self, entry_id: str, verb: CurationVerb) -> Curation:
        """Return what a decision changes.

        Raises CurationError where no file holds the entry, or it stands already where it should.
        """
        holders, block = self._find(entry_id)
        target = None if verb is CurationVerb.REJECT else file_of(FILES[holders[0]][0], _PLACE_OF[verb])
        if holders == [target]:
            raise CurationError(f"{entry_id} stands in {target} already; allowed: an entry that stands elsewhere")

        def note(record: EntryRecord) -> None:
            record.undo = self._undo_of(record, verb.value, holders[0], block, left=target or "")
            record.is_removed, record.is_filed = target is None, target is not None
            if target is not None:
                record.chosen = record.place = FILES[target][1]

        return Curation(self._move(entry_id, block, holders, target, _ACTION_OF[verb], "By hand"), note)

    def edit(self, entry_id: str, words: EntryWords) -> Curation:
        """Return what changes where an entry gets other words, marked as a person's.

        Raises CurationError where there is no such entry, or the words hold what would end it or another one.
        """
        (name, *_), block = self._find(entry_id)
        new = marked(Block(with_words(block.text, words), None), {EDITED: f"{self.now:%Y-%m-%d}"})
        entry = new.entry
        if not words.title or entry is None or entry.words != words or entry.id != entry_id:
            raise CurationError("the words are refused; allowed: a title in one line, and no line that ends a section")
        changed = self._write(name, entry_id, new, "EDITED", "Edited by hand; kept as it is")
        stand = [new.text if one.text == block.text else one.text for one in parse_document(self.texts[name]).blocks]
        if [one.text for one in parse_document(changed).blocks] != stand:
            raise CurationError("the words are refused; allowed: none that end an entry or begin another one")

        def note(record: EntryRecord) -> None:
            record.undo = self._undo_of(record, EDIT, name, block, left=digest_of(new.text))
            record.is_edited, record.digest, record.base = True, digest_of(new.text), entry.confidence

        return Curation({name: changed}, note)

    def undo(self, entry_id: str, undo: EntryUndo) -> Curation:
        """Return what brings an entry back to where it stood, in the words that it had; what runs have learnt stays.

        Raises CurationError where somebody has changed it again.
        """
        told, before = f"By hand; {undo.what} was taken back", Block(undo.text, parse_entry(undo.text))
        holders, block = self._find(entry_id) if undo.left or self._is_anywhere(entry_id) else ([], before)
        stands = digest_of(block.text) if undo.what == EDIT else " ".join(holders)
        if stands != undo.left:
            raise CurationError(f"{entry_id} has changed since; allowed: what stands as that decision has left it")

        def note(record: EntryRecord) -> None:
            former, record.undo = undo.record, None
            record.place, record.chosen = former.place, former.chosen
            record.is_removed, record.is_filed = former.is_removed, former.is_filed
            if undo.what == EDIT:
                record.is_edited, record.digest, record.base = former.is_edited, former.digest, former.base

        if undo.what == EDIT:
            return Curation({holders[0]: self._write(holders[0], entry_id, before, "UNDONE", told)}, note)
        return Curation(self._move(entry_id, block, holders, undo.file, "UNDONE", told), note)

    def _find(self, entry_id: str) -> tuple[list[str], Block]:
        """Return the files that hold an entry, and its text in the first; raises CurationError where none does."""
        blocks = [(name, block) for name in FILES for block in parse_document(self.texts.get(name, "")).blocks]
        holders = [(name, one) for name, one in blocks if one.entry is not None and one.entry.id == entry_id]
        if not holders:
            known = ", ".join(sorted({one.entry.id for _, one in blocks if one.entry is not None})[:20])
            raise CurationError(f"no entry {entry_id}; allowed: {known or 'there is none yet'}")
        return list(dict.fromkeys(name for name, _ in holders)), holders[0][1]

    def _is_anywhere(self, entry_id: str) -> bool:
        return any(f"**ID:** {entry_id}\n" in text for name, text in self.texts.items() if name in FILES)

    def _undo_of(self, record: EntryRecord, what: str, file: str, block: Block, *, left: str) -> EntryUndo:
        return EntryUndo(
            at=format_time(self.now),
            what=what,
            title="" if block.entry is None else block.entry.title,
            file=file,
            text=block.text,
            left=left,
            record=replace(record, undo=None),
        )

    def _move(
        self, entry_id: str, block: Block, holders: list[str], target: str | None, action: str, told: str
    ) -> dict[str, str]:
        changed = {}
        if target is not None and target not in holders:
            source = f", from {holders[0]}" if holders else ""
            changed[target] = self._write(target, entry_id, block, action, told + source)
        left = f", to {target}" if target is not None else "; it does not come back"
        for name in holders:
            if name != target:
                changed[name] = self._write(name, entry_id, None, action, told + left)
        return changed

    def _write(self, name: str, entry_id: str, block: Block | None, action: str, told: str) -> str:
        """Return the text of a file with an entry as this block, in its place or at the end; without it if None."""
        text = self.texts.get(name)
        document = new_document(FILES[name][0], threshold=self.threshold) if text is None else parse_document(text)
        is_it = [one.entry is not None and one.entry.id == entry_id for one in document.blocks]
        blocks = [block if mine else one for one, mine in zip(document.blocks, is_it, strict=True)]
        blocks += [] if any(is_it) else [block]
        change = EntryChange(f"{self.now:%Y-%m-%d}", action, entry_id, told)
        kept = [one for one in blocks if one is not None]
        return revise(document, kept, [change], now=self.now, threshold=self.threshold).render()
