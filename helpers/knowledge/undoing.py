"""What a person decided about an entry, kept so that it can be taken back (M-21). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from hashlib import blake2b

from pydantic import BaseModel, ConfigDict

from ..clock import format_time
from ..records import Moment
from .categories import FILES
from .confidence import Place
from .curation import CurationError, CurationVerb, Pen, find_block
from .documents import Block
from .entries import parse_entry
from .held import digest_of
from .state import EntryRecord, KnowledgeState

#: Beside the verbs of the terminal: an entry in other words.
EDIT = "edit"
_MEANWHILE = "has changed since; allowed: what stands as that decision has left it"
_DIGEST_BYTES = 6


class EntryStanding(BaseModel):
    """What the memory of the runs says of an entry, as far as a decision changes it."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    base: float
    place: Place
    digest: str
    chosen: Place | None
    is_edited: bool
    is_removed: bool
    is_filed: bool


class EntryDecision(BaseModel):
    """Who decided what about which entry, and how that had stood: in `file`, with `text`. `left` is a digest of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    at: Moment
    by: str
    what: str
    entry: str
    title: str
    file: str
    text: str
    left: str
    note: EntryStanding
    is_undone: bool = False

    @property
    def id(self) -> str:
        """What it is named by."""
        words = f"{format_time(self.at)} {self.entry} {self.what}"
        return blake2b(words.encode(), digest_size=_DIGEST_BYTES).hexdigest()


def standing_of(note: EntryRecord) -> EntryStanding:
    """Return what a decision may have to bring back."""
    return EntryStanding.model_validate({name: getattr(note, name) for name in EntryStanding.model_fields})


def plan_undo(texts: Mapping[str, str], decision: EntryDecision, *, now: datetime, threshold: float) -> dict[str, str]:
    """Return the new texts of the files that bring an entry back to where it stood, in the words that it had.

    What distillation has learnt of it meanwhile stays. Raises CurationError where somebody has changed it again.
    """
    pen, one, told = Pen(now, threshold), decision.entry, f"By hand; {decision.what} was taken back"
    if decision.file not in FILES:
        raise CurationError(f"{decision.file} is no knowledge file; allowed: {', '.join(FILES)}")
    if decision.what == CurationVerb.REJECT:
        if any(f"**ID:** {one}\n" in text for name, text in texts.items() if name in FILES):
            raise CurationError(f"{one} {_MEANWHILE}")
        block = Block(decision.text, parse_entry(decision.text))
        return {decision.file: pen.put(texts, decision.file, block, "UNDONE", one, told)}
    holders, block = find_block(texts, one)
    if decision.what == EDIT:
        if digest_of(block.text) != decision.left:
            raise CurationError(f"{one} {_MEANWHILE}")
        before = Block(decision.text, parse_entry(decision.text))
        return {holders[0]: pen.replace(texts[holders[0]], before, "UNDONE", one, told)}
    if holders != [decision.left]:
        raise CurationError(f"{one} {_MEANWHILE}")
    put = pen.put(texts, decision.file, block, "UNDONE", one, told)
    return {decision.file: put, holders[0]: pen.take(texts[holders[0]], "UNDONE", one, told)}


def note_undo(memory: KnowledgeState, decision: EntryDecision) -> None:
    """Remember how it stood; what the runs have counted since then stays."""
    note, before = memory.notes[decision.entry], decision.note
    note.place, note.chosen = before.place, before.chosen
    note.is_removed, note.is_filed = before.is_removed, before.is_filed
    if decision.what == EDIT:
        note.is_edited, note.digest, note.base = before.is_edited, before.digest, before.base
