"""The one writer of each row: of a memory as a list shows it, with the stamp by which an act knows it again."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any

from ..clock import format_time
from ..host.docstore.entries import CatalogueEntry, Row, to_entry
from ..records import Memory

#: So much of a text stands in a list, and on a line about another memory.
MOST_CHARACTERS = 300
MOST_OF_A_LINE = 2_000

Result = dict[str, Any]
_STATUS = {"superseded_by", "deprecated_at", "outdated_parts", "archived_at_cycle", "dormant_since_cycle"}


def entry_row(entry: Row) -> Result:
    """Return what every list says of a memory; None stands for what is not known of it."""
    one = CatalogueEntry._make(entry)
    return {
        "id": one.id,
        "text": one.text,
        "area": one.area,
        "validity": one.validity or None,
        "source": one.source or None,
        "utility": one.utility or None,
        "relevance": one.relevance or None,
        "said_at": format_time(datetime.fromtimestamp(one.at, UTC)),
        "tags": [*one.tags],
        "shown": one.shown,
    }


def memory_row(memory: Memory, most: int = MOST_CHARACTERS) -> Result:
    """Return what a list that can be acted on says of a memory, with at most so many characters of its text."""
    return {
        **entry_row(to_entry(memory)),
        "text": memory.text[:most],
        "is_cut": len(memory.text) > most,
        "replaced_by": memory.lineage and memory.lineage.superseded_by,
        "stamp": stamp_of(memory),
    }


def other_row(memory_id: str, memory: Memory | None, why: str | None = None) -> Result:
    """Return what is said of another memory; without a text where it is not there any more."""
    return {"id": memory_id, "text": memory and memory.text[:MOST_OF_A_LINE], "why": why or None}


def stamp_of(memory: Memory) -> str:
    """Return a digest of the text and the status of a memory; how often it was shown does not count."""
    axes, lineage, quality = memory.classification, memory.lineage, memory.quality
    parts = (
        memory.text,
        None if axes is None else axes.model_dump(mode="json", exclude={"tags"}),
        None if lineage is None else lineage.model_dump(mode="json", include=_STATUS),
        None if quality is None else str(quality.deleted_at),
    )
    return blake2b(json.dumps(parts, sort_keys=True).encode(), digest_size=8).hexdigest()
