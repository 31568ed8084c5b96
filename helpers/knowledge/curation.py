"""What a person decides about one entry: to use it, to reject it, or to archive it (M-21, M-58 ... M-61). Pure.

The entry keeps every word. It is first put where it shall stand, then taken from where it stood, so that it is never
nowhere; an interrupted decision is finished by giving it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from ..errors import MemoryLedgerError
from .categories import FILES, Category, file_of
from .confidence import Place
from .documents import EntryChange, new_document, parse_document, revise
from .memory import KnowledgeState
from .retrieval import holders_of


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
    holders = [name for name in FILES if entry_id in holders_of({name: texts.get(name, "")})]
    if not holders:
        known = ", ".join(sorted(holders_of(texts))[:20]) or "there is none yet"
        raise CurationError(f"no entry {entry_id}; allowed: {known}")
    category, _ = FILES[holders[0]]
    target = None if decision is CurationVerb.REJECT else file_of(category, _PLACE_OF[decision])
    if holders == [target]:
        raise CurationError(f"{entry_id} stands in {target} already; allowed: an entry that stands elsewhere")
    changed = {}
    if target is not None and target not in holders:
        changed[target] = _with(texts, holders[0], target, category, entry_id, decision, now, threshold)
    for name in holders:
        if name != target:
            changed[name] = _without(texts[name], entry_id, target, decision, now, threshold)
    return changed


def note_decision(memory: KnowledgeState, entry_id: str, decision: CurationVerb) -> None:
    """Remember it, so that no later run undoes it."""
    note = memory.notes[entry_id]
    if decision is CurationVerb.REJECT:
        note.is_removed, note.is_filed = True, False
    else:
        note.chosen = note.place = _PLACE_OF[decision]
        note.is_removed, note.is_filed = False, True


def _with(
    texts: Mapping[str, str],
    source: str,
    target: str,
    category: Category,
    entry_id: str,
    decision: CurationVerb,
    now: datetime,
    threshold: float,
) -> str:
    document = parse_document(texts[target]) if target in texts else new_document(category, threshold=threshold)
    moved = [one for one in parse_document(texts[source]).blocks if one.entry and one.entry.id == entry_id][:1]
    change = EntryChange(f"{now:%Y-%m-%d}", _ACTION_OF[decision], entry_id, f"By hand, from {source}")
    return revise(document, [*document.blocks, *moved], [change], now=now, threshold=threshold).render()


def _without(
    text: str, entry_id: str, target: str | None, decision: CurationVerb, now: datetime, threshold: float
) -> str:
    document = parse_document(text)
    kept = [one for one in document.blocks if one.entry is None or one.entry.id != entry_id]
    told = "By hand; it does not come back" if target is None else f"By hand, to {target}"
    change = EntryChange(f"{now:%Y-%m-%d}", _ACTION_OF[decision], entry_id, told)
    return revise(document, kept, [change], now=now, threshold=threshold).render()
