"""What a person decides about one entry: to use, reject or archive it, in which words; and that taken back (M-21).

An entry that is moved keeps every word. It is first put where it shall stand, then taken from where it stood, so that
it is never nowhere; an interrupted decision is finished by giving it again. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b

from pydantic import BaseModel, ConfigDict

from ..clock import format_time
from ..errors import MemoryLedgerError
from ..records import Moment
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
from .state import EntryRecord, KnowledgeState

#: Beside the verbs of the terminal: an entry in other words.
EDIT = "edit"
_DIGEST_BYTES = 6


class CurationVerb(StrEnum):
    """What a person may decide; the value is the verb of the command."""

    APPROVE = "approve"
    REJECT = "reject"
    ARCHIVE = "archive"


_PLACE_OF = {CurationVerb.APPROVE: Place.ACTIVE, CurationVerb.ARCHIVE: Place.ARCHIVE}
_ACTION_OF = {CurationVerb.APPROVE: "APPROVED", CurationVerb.REJECT: "REJECTED", CurationVerb.ARCHIVE: "ARCHIVED"}


class CurationError(MemoryLedgerError):
    """There is no such entry, or nothing to decide about it."""


class EntryDecision(BaseModel):
    """Who decided what about which entry, and how that had stood: in `file`, with `text` and `note`.

    `left` is where it has stood since, of an edit the digest of its text; empty where it is nowhere.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    at: Moment
    by: str
    what: str
    entry: str
    title: str
    file: str
    text: str
    left: str
    note: EntryRecord
    is_undone: bool = False

    @property
    def id(self) -> str:
        """What it is named by."""
        words = f"{format_time(self.at)} {self.entry} {self.what}"
        return blake2b(words.encode(), digest_size=_DIGEST_BYTES).hexdigest()


@dataclass(frozen=True, slots=True)
class Pen:
    """Writes what is decided into the texts of files, each with a row in its log of changes (M-47)."""

    texts: Mapping[str, str]
    now: datetime
    threshold: float

    def find(self, entry_id: str) -> tuple[list[str], Block]:
        """Return the files that hold an entry, and its text in the first; raises CurationError where none does."""
        blocks = [(name, one) for name in FILES for one in parse_document(self.texts.get(name, "")).blocks]
        holders = [(name, one) for name, one in blocks if one.entry is not None and one.entry.id == entry_id]
        if not holders:
            known = ", ".join(sorted({one.entry.id for _, one in blocks if one.entry is not None})[:20])
            raise CurationError(f"no entry {entry_id}; allowed: {known or 'there is none yet'}")
        return list(dict.fromkeys(name for name, _ in holders)), holders[0][1]

    def decide(self, entry_id: str, verb: CurationVerb) -> tuple[dict[str, str], str]:
        """Return the new texts of the files that a decision changes, in the order in which they are to be written.

        Beside them the file that the entry stands in then, empty for none. Raises CurationError where no file holds
        it, or it stands already where it should.
        """
        holders, block = self.find(entry_id)
        target = None if verb is CurationVerb.REJECT else file_of(FILES[holders[0]][0], _PLACE_OF[verb])
        if holders == [target]:
            raise CurationError(f"{entry_id} stands in {target} already; allowed: an entry that stands elsewhere")
        return self._move(entry_id, block, holders, target, _ACTION_OF[verb], "By hand"), target or ""

    def edit(self, entry_id: str, words: EntryWords) -> tuple[dict[str, str], Block]:
        """Return the new text of the file that holds an entry, and the entry in other words, marked as a person's.

        Raises CurationError where there is no such entry, or the words hold what would end it or another one.
        """
        (name, *_), block = self.find(entry_id)
        new = marked(Block(with_words(block.text, words), None), {EDITED: f"{self.now:%Y-%m-%d}"})
        if not words.title or new.entry is None or new.entry.words != words or new.entry.id != entry_id:
            raise CurationError("the words are refused; allowed: a title in one line, and no line that ends a section")
        changed = self._write(name, entry_id, new, "EDITED", "Edited by hand; kept as it is")
        stand = [new.text if one.text == block.text else one.text for one in parse_document(self.texts[name]).blocks]
        if [one.text for one in parse_document(changed).blocks] != stand:
            raise CurationError("the words are refused; allowed: none that end an entry or begin another one")
        return {name: changed}, new

    def undo(self, decision: EntryDecision) -> dict[str, str]:
        """Return the new texts of the files that bring an entry back to where it stood, in the words that it had.

        What distillation has learnt of it meanwhile stays. Raises CurationError where somebody has changed it again.
        """
        if decision.file not in FILES:
            raise CurationError(f"{decision.file} is no knowledge file; allowed: {', '.join(FILES)}")
        told, one = f"By hand; {decision.what} was taken back", decision.entry
        before = Block(decision.text, parse_entry(decision.text))
        is_rejected = decision.what == CurationVerb.REJECT
        holders, block = ([], before) if is_rejected and not self._is_anywhere(one) else self.find(one)
        stands = digest_of(block.text) if decision.what == EDIT else " ".join(holders)
        if stands != decision.left:
            raise CurationError(f"{one} has changed since; allowed: what stands as that decision has left it")
        if decision.what == EDIT:
            return {holders[0]: self._write(holders[0], one, before, "UNDONE", told)}
        return self._move(one, block, holders, decision.file, "UNDONE", told)

    def _is_anywhere(self, entry_id: str) -> bool:
        return any(f"**ID:** {entry_id}\n" in text for name, text in self.texts.items() if name in FILES)

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


def note_decision(state: KnowledgeState, entry_id: str, verb: CurationVerb) -> None:
    """Remember it, so that no later run undoes it."""
    note = state.notes[entry_id]
    note.is_removed, note.is_filed = verb is CurationVerb.REJECT, verb is not CurationVerb.REJECT
    if verb is not CurationVerb.REJECT:
        note.chosen = note.place = _PLACE_OF[verb]


def note_edit(state: KnowledgeState, entry_id: str, block: Block) -> None:
    """Remember whose words an entry has, as a run that finds them in the file does."""
    note = state.notes[entry_id]
    note.is_edited, note.digest = True, digest_of(block.text)
    note.base = note.base if block.entry is None else block.entry.confidence


def note_undo(state: KnowledgeState, decision: EntryDecision) -> None:
    """Remember how it stood; what the runs have counted since then stays."""
    note, before = state.notes[decision.entry], decision.note
    note.place, note.chosen = before.place, before.chosen
    note.is_removed, note.is_filed = before.is_removed, before.is_filed
    if decision.what == EDIT:
        note.is_edited, note.digest, note.base = before.is_edited, before.digest, before.base
