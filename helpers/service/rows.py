"""The one writer of each row: of a memory, with the stamp by which an act knows it again.

Places in a text are counted as a browser counts them, in UTF-16 code units.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from difflib import SequenceMatcher
from hashlib import blake2b
from typing import Any

from ..clock import format_time
from ..language.segment import tokenise
from ..language.token import Token
from ..records import Memory
from ..store.catalogue import CatalogueEntry, Row, to_entry

#: So much of a text stands in a list, and on a line about another memory.
MOST_CHARACTERS = 300
MOST_OF_A_LINE = 2_000

Result = dict[str, Any]
_STATUS = {"superseded_by", "deprecated_at", "outdated_parts", "archived_at_cycle", "dormant_since_cycle"}
#: Of longer texts only the beginning is compared: the time grows with the square of the words.
_MOST_CHARACTERS = 2_000

Spans = list[list[int]]


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


def differing_spans(older: str, newer: str) -> tuple[Spans, Spans]:
    """Return the stretches of words of each text that the other one has not in that place."""
    sides = [older[:_MOST_CHARACTERS], newer[:_MOST_CHARACTERS]]
    words = [tokenise(side) for side in sides]
    plain = [[one.low for one in found] for found in words]
    blocks = SequenceMatcher(None, plain[0], plain[1], autojunk=False).get_opcodes()
    changed = [block for block in blocks if block[0] != "equal"]
    return (
        [_span(sides[0], words[0], begin, end) for _, begin, end, _, _ in changed if begin < end],
        [_span(sides[1], words[1], begin, end) for _, _, _, begin, end in changed if begin < end],
    )


def _span(text: str, words: Sequence[Token], begin: int, end: int) -> list[int]:
    return [_units(text[: words[begin].start]), _units(text[: words[end - 1].end])]


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
