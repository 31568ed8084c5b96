"""What a vault record stands for among the memories of the host's store (T-18, T-25). Pure."""

from __future__ import annotations

from ..ledger.tags import make_tags
from ..records import Classification, Lineage, Relevance, Source, Utility, Validity
from .record import VaultRecord

_AREA = "main"


def axes_of(record: VaultRecord) -> Classification:
    """Return the four axes: canon is confirmed and load-bearing, a register confirmed and tactical (T-18)."""
    utility = Utility.LOAD_BEARING if record.is_canon else Utility.TACTICAL
    return Classification(
        validity=Validity.CONFIRMED,
        relevance=Relevance.ACTIVE,
        utility=utility,
        source=Source.AGENT_INFERRED if record.is_agents else Source.USER_ASSERTED,
        tags=make_tags(record.text, utility=utility, area=_AREA, domain=None, role_id=None),
    )


def lineage_of(record: VaultRecord, known: Lineage | None, *, cycle: int) -> Lineage:
    """Return the lineage of a record; what was counted for an earlier version goes on being counted."""
    counted = {} if known is None else {name: getattr(known, name) for name in _COUNTED}
    return Lineage.model_validate(
        {
            "classified_at_cycle": cycle,
            **counted,
            "created_at": record.created_at,
            "stated_at": record.touched_at,
        }
    )


_COUNTED = (
    "access_count",
    "last_accessed",
    "last_access_cycle",
    "classified_at_cycle",
    "related_memory_ids",
    "supersedes",
    "supersedes_ids",
)
