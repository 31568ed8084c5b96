"""What a person decides about one entry: to use, reject or archive it, in which words (M-21, M-58 ... M-61). Pure.

An entry that is moved keeps every word. It is first put where it shall stand, then taken from where it stood, so that
it is never nowhere; an interrupted decision is finished by giving it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from ..errors import MemoryLedgerError
from .categories import FILES, file_of
from .confidence import Place
from .documents import Block, EntryChange, marked, new_document, parse_document, revise
from .entries import EDITED, EntryWords, with_words
from .held import digest_of
from .state import EntryRecord, KnowledgeState


class CurationVerb(StrEnum):
    """What a person may decide; the value is the verb of the command."""

    APPROVE = "approve"
    REJECT = "reject"
    ARCHIVE = "archive"


_PLACE_OF = {CurationVerb.APPROVE: Place.ACTIVE, CurationVerb.ARCHIVE: Place.ARCHIVE}
_ACTION_OF = {CurationVerb.APPROVE: "APPROVED", CurationVerb.REJECT: "REJECTED", CurationVerb.ARCHIVE: "ARCHIVED"}


class CurationError(MemoryLedgerError):
    """There is no such entry, or nothing to decide about it."""


def plan_decision(
    texts: Mapping[str, str], entry_id: str, decision: CurationVerb, *, now: datetime, threshold: float
) -> dict[str, str]:
    """Return the new texts of the files that a decision changes, in the order in which they are to be written.

    Raises CurationError where no file holds the entry, or it stands already where it should.
    """
    holders, block = find_block(texts, entry_id)
    category, _ = FILES[holders[0]]
    target = None if decision is CurationVerb.REJECT else file_of(category, _PLACE_OF[decision])
    if holders == [target]:
        raise CurationError(f"{entry_id} stands in {target} already; allowed: an entry that stands elsewhere")
    pen = Pen(now, threshold)
    action = _ACTION_OF[decision]
    changed = {}
    if target is not None and target not in holders:
        changed[target] = pen.put(texts, target, block, action, entry_id, f"By hand, from {holders[0]}")
    told = "By hand; it does not come back" if target is None else f"By hand, to {target}"
    for name in holders:
        if name != target:
            changed[name] = pen.take(texts[name], action, entry_id, told)
    return changed


def plan_edit(
    texts: Mapping[str, str], entry_id: str, words: EntryWords, *, now: datetime, threshold: float
) -> tuple[dict[str, str], Block]:
    """Return the new text of the file that holds an entry, and the entry in other words, marked as a person's.

    Raises CurationError where there is no such entry, or the words hold what would end it or another one.
    """
    holders, block = find_block(texts, entry_id)
    new = marked(Block(with_words(block.text, words), None), {EDITED: f"{now:%Y-%m-%d}"})
    if not words.title or new.entry is None or new.entry.words != words or new.entry.id != entry_id:
        raise CurationError("the words are refused; allowed: a title in one line, and no line that ends a section")
    changed = Pen(now, threshold).replace(texts[holders[0]], new, "EDITED", entry_id, "Edited by hand; kept as it is")
    stand = [new.text if one.text == block.text else one.text for one in parse_document(texts[holders[0]]).blocks]
    if [one.text for one in parse_document(changed).blocks] != stand:
        raise CurationError("the words are refused; allowed: none that end an entry or begin another one")
    return {holders[0]: changed}, new


def find_block(texts: Mapping[str, str], entry_id: str) -> tuple[list[str], Block]:
    """Return the files that hold an entry, and its text in the first of them; raises CurationError where none does."""
    found = [
        (name, block)
        for name in FILES
        for block in parse_document(texts.get(name, "")).blocks
        if block.entry is not None
    ]
    of_it = {name: block for name, block in reversed(found) if block.entry and block.entry.id == entry_id}
    holders = [name for name in FILES if name in of_it]
    if not holders:
        known = ", ".join(sorted({block.entry.id for _, block in found if block.entry})[:20]) or "there is none yet"
        raise CurationError(f"no entry {entry_id}; allowed: {known}")
    return holders, of_it[holders[0]]


@dataclass(frozen=True, slots=True)
class Pen:
    """Writes an entry into the text of a file or takes it out, with a row in the log of changes (M-47)."""

    now: datetime
    threshold: float

    def put(self, texts: Mapping[str, str], name: str, block: Block, action: str, entry_id: str, told: str) -> str:
        """Return the text of a file with an entry more."""
        new = new_document(FILES[name][0], threshold=self.threshold).render()
        text = texts.get(name, new)
        return self._revised(text, [*parse_document(text).blocks, block], action, entry_id, told)

    def take(self, text: str, action: str, entry_id: str, told: str) -> str:
        """Return the text of a file without an entry."""
        kept = [one for one in parse_document(text).blocks if one.entry is None or one.entry.id != entry_id]
        return self._revised(text, kept, action, entry_id, told)

    def replace(self, text: str, block: Block, action: str, entry_id: str, told: str) -> str:
        """Return the text of a file with another text of an entry."""
        blocks = parse_document(text).blocks
        put = [block if one.entry is not None and one.entry.id == entry_id else one for one in blocks]
        return self._revised(text, put, action, entry_id, told)

    def _revised(self, text: str, blocks: list[Block], action: str, entry_id: str, told: str) -> str:
        change = EntryChange(f"{self.now:%Y-%m-%d}", action, entry_id, told)
        return revise(parse_document(text), blocks, [change], now=self.now, threshold=self.threshold).render()


def note_decision(memory: KnowledgeState, entry_id: str, decision: CurationVerb) -> None:
    """Remember it, so that no later run undoes it."""
    note = memory.notes[entry_id]
    if decision is CurationVerb.REJECT:
        note.is_removed, note.is_filed = True, False
    else:
        note.chosen = note.place = _PLACE_OF[decision]
        note.is_removed, note.is_filed = False, True


def note_edit(note: EntryRecord, block: Block) -> None:
    """Remember whose words an entry has, as a run that finds them in the file does."""
    note.is_edited, note.digest = True, digest_of(block.text)
    note.base = note.base if block.entry is None else block.entry.confidence
