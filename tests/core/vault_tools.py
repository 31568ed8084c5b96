"""Records and drafts for the tests of the vault."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from core_tools import NOW
from memory_ledger.vault.gate import Draft, Rejection, Rules, check_draft, check_place, find_upsert
from memory_ledger.vault.record import VaultContents, VaultRecord, parse_contents, write_row
from memory_ledger.vault.taxonomy import JOURNAL_SIGNALS, Tier

MISSION = "Mission: stabilise the runtime, then explore boundaries"


def record(record_id: str, text: str = MISSION, *, at: datetime = NOW, **fields: Any) -> VaultRecord:
    """Return a record of scope `shared`, canon unless told otherwise."""
    return VaultRecord(
        **{"id": record_id, "text": text, "scope": "shared", "category": "bio", "created_at": at, **fields}
    )


def register(record_id: str, text: str, topic_id: str | None = None, **fields: Any) -> VaultRecord:
    """Return a register."""
    return record(record_id, text, tier=Tier.REGISTER, topic_id=topic_id, **fields)


def contents_of(records: Iterable[VaultRecord]) -> VaultContents:
    """Return what the lines of these records come to."""
    return parse_contents(map(write_row, records))


def judge(contents: VaultContents | None = None, *, most_active: int = 100, **fields: Any) -> Rejection | str:
    """Return what the gate says of a draft: a rejection, the id of the register that it updates, or "added"."""
    draft = Draft(**{"text": MISSION, "scope": "shared", "category": "mission", **fields})
    rules = Rules(frozenset(("shared", "astraea")), JOURNAL_SIGNALS, most_active)
    contents = contents or VaultContents()
    rejection = check_draft(draft, rules)
    if rejection is not None:
        return rejection
    known = find_upsert(draft, contents)
    return known.id if known is not None else check_place(draft, contents, rules) or "added"
