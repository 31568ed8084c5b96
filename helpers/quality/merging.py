"""The merge of two memories: their texts, structured contents, links and times.

Nothing is lost: both stay on record as replaced by the new memory. Two values of one property, or two moments until
which a memory is valid, cannot be merged. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Any, TypeVar

from ..clock import format_time
from ..contents import CONTENT_KEY, FORMLESS, parse_json
from ..errors import RequestError, shorten
from ..language.sentences import LONGEST_TEXT, split_sentences
from ..ledger.adopt import Archived, is_same_text
from ..ledger.lifecycle import SOURCE_PRIORITY, make_tags, status_of
from ..records import (
    CLASSIFICATION_KEY,
    LINEAGE_KEY,
    QUALITY_KEY,
    Classification,
    Lineage,
    Memory,
    OutdatedPart,
    Quality,
    Relevance,
    Source,
    Utility,
    Validity,
    order_of,
    write_record,
)
from .conflicts import json_key
from .kinds import memory_type, text_type
from .objects import text_of
from .scores import confidence_of, origin_of

_ID_BYTES = 5
_AREA = "main"
Item = TypeVar("Item")
#: The advice where a merge is impossible.
INSTEAD = "to keep one of them, or to dismiss the conflict"


def merge_memories(older: Memory, newer: Memory, *, outdated: Iterable[OutdatedPart] = (), at: datetime) -> Archived:
    """Return the merge of two memories; `outdated` are the parts of either that hold no more.

    Raises RequestError where the two cannot be merged.
    """
    where = f"the merge of {older.id} and {newer.id}"
    contents = [_content_of(memory, where) for memory in (older, newer)]
    content = merge_values(contents[0], contents[1], where)
    is_beside = older.content_text is not None or newer.content_text is not None
    if all(part is not None and _tells(side.text, part) for side, part in zip((older, newer), contents, strict=True)):
        # Each text only restates its content.
        text = text_of(content) if is_beside else json.dumps(content, ensure_ascii=False, sort_keys=True)
    else:
        text = merge_texts(older.text, newer.text)
    stated = _merge_quality(older, newer, text, where)
    more = {} if stated == Quality() else {QUALITY_KEY: write_record(stated)}
    if content is not None and is_beside:
        more[CONTENT_KEY] = content
    axes, lineage = _merge_axes(older, newer, text), _merge_lineages(older, newer, outdated, at)
    return to_archived((older, newer), text, axes, lineage, at=at, more=more)


def replace_by_text(sides: Sequence[Memory], text: str, *, source: Source, at: datetime) -> Archived:
    """Return the memory that replaces `sides` (newest last) by a text of now; it is as important as any of them."""
    utility = min((status_of(memory)[0].utility for memory in sides), key=[*Utility].index, default=Utility.TACTICAL)
    lineage, area = (status_of(sides[-1])[1], sides[-1].area) if sides else (Lineage(created_at=at), _AREA)
    domain, role = lineage.bst_domain, lineage.created_by_role
    status = Classification(
        validity=Validity.CONFIRMED,
        relevance=Relevance.ACTIVE,
        utility=utility,
        source=source,
        tags=make_tags(text, utility=utility, area=area, domain=domain, role_id=role),
    )
    order = max([at, *map(order_of, sides)])  # the clock may have gone back since
    origin = Lineage(
        created_at=at,
        stated_at=at,
        ordered_at=None if order == at else order,
        created_by_role=role,
        bst_domain=domain,
    )
    return to_archived(sides, text, status, origin, at=at)


def to_archived(
    sides: Sequence[Memory],
    text: str,
    axes: Classification,
    lineage: Lineage,
    *,
    at: datetime,
    more: Mapping[str, Any] = {},
) -> Archived:
    """Return the memory that replaces `sides` (newest last); equal input at an equal time gives an equal id."""
    words = "\0".join((*(side.id for side in sides), text, format_time(at))).encode("utf-8", "surrogatepass")
    metadata = {
        "area": sides[-1].area if sides else _AREA,
        "timestamp": format_time(at),
        CLASSIFICATION_KEY: write_record(axes),
        LINEAGE_KEY: write_record(lineage),
        **more,
    }
    return Archived(id=blake2b(words, digest_size=_ID_BYTES).hexdigest(), text=text, metadata=metadata)


def merge_texts(older: str, newer: str) -> str:
    """Return a text with every sentence of both, each once: the older text, then what only the newer one says."""
    if max(len(older), len(newer)) > LONGEST_TEXT:  # of which not all sentences are told
        return older if is_same_text(older, newer) else f"{older.rstrip()}\n{newer.lstrip()}"
    own, others = split_sentences(older), split_sentences(newer)
    if all(any(is_same_text(other, known) for known in own) for other in others):
        return older
    if all(any(is_same_text(sentence, known) for known in others) for sentence in own):
        return newer
    return f"{older.rstrip()}\n{newer.lstrip()}"


def merge_values(older: Any, newer: Any, where: str) -> Any:
    """Return the union of two JSON values: objects by key, lists with all items of both; null is empty.

    Raises RequestError where two values of one key differ.
    """
    if older is None or newer is None or json_key(older) == json_key(newer):
        return newer if older is None else older
    if isinstance(older, Mapping) and isinstance(newer, Mapping):
        keys = dict.fromkeys((*older, *newer))
        return {key: merge_values(older.get(key), newer.get(key), f"{where}: {key}") for key in keys}
    if isinstance(older, list) or isinstance(newer, list):
        items: dict[str, Any] = {}
        for item in (*_listed(older), *_listed(newer)):
            items.setdefault(json_key(item), item)
        return [*items.values()]
    raise RequestError(where, f"impossible: {shorten(older)} and {shorten(newer)} cannot both hold", INSTEAD)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _content_of(memory: Memory, where: str) -> dict[str, Any] | None:
    """Return the structured content of a memory: the content beside its text, or its whole text."""
    if memory.content_text == FORMLESS:
        raise RequestError(where, f"impossible: the content of {memory.id} has no one form", INSTEAD)
    content = parse_json(memory.text if memory.content_text is None else memory.content_text)
    content = parse_json(content) if isinstance(content, str) and memory.content_text is not None else content
    return content if isinstance(content, dict) else None


def _tells(text: str, content: Mapping[str, Any]) -> bool:
    return is_same_text(text, text_of(content)) or parse_json(text) == content


def _merge_axes(older: Memory, newer: Memory, text: str) -> Classification:
    """Return the status of both: the lower certainty, the higher importance."""
    first, second = status_of(older)[0], status_of(newer)[0]
    utility = min((first.utility, second.utility), key=[*Utility].index)
    lineage = status_of(newer)[1]
    tags = make_tags(text, utility=utility, area=newer.area, domain=lineage.bst_domain, role_id=lineage.created_by_role)
    return second.model_copy(
        update={
            "validity": Validity.INFERRED if Validity.INFERRED in (first.validity, second.validity) else first.validity,
            "relevance": Relevance.ACTIVE,
            # Of two sources the weaker one: a merge does not make a text the user's word.
            "source": max((first.source, second.source), key=SOURCE_PRIORITY.__getitem__),
            "utility": utility,
            "tags": tags,
        }
    )


def _merge_lineages(older: Memory, newer: Memory, outdated: Iterable[OutdatedPart], at: datetime) -> Lineage:
    """Return the lineage of both: said between the two times, and recalled as often as both."""
    first, second = status_of(older)[1], status_of(newer)[1]
    accesses = [lineage.last_accessed for lineage in (first, second) if lineage.last_accessed is not None]
    cycles = [lineage.last_access_cycle for lineage in (first, second) if lineage.last_access_cycle is not None]
    begun, latest = first.stated_from or order_of(older), max(order_of(older), order_of(newer))
    return Lineage(
        created_at=at,
        created_by_role=second.created_by_role,
        bst_domain=second.bst_domain,
        stated_at=latest,
        stated_from=begun if begun < latest else None,
        stated_by=first.stated_by or second.stated_by,
        access_count=first.access_count + second.access_count,
        last_accessed=max(accesses, default=None),
        last_access_cycle=max(cycles, default=None),
        related_memory_ids=_once(first.related_memory_ids, second.related_memory_ids, but=(older.id, newer.id)),
        outdated_parts=tuple(
            {part.text: part for part in (*first.outdated_parts, *second.outdated_parts, *outdated)}.values()
        ),
    )


def _once(*groups: Sequence[Item], but: Sequence[Item] = ()) -> tuple[Item, ...]:
    return tuple(dict.fromkeys(item for group in groups for item in group if item not in but))


def _merge_quality(older: Memory, newer: Memory, text: str, where: str) -> Quality:
    """Return the stated quality of both: all tags, links and citations, and the lower confidence."""
    first, second = (memory.quality or Quality() for memory in (older, newer))
    if first.expires != second.expires:
        raise RequestError(where, "impossible: they are valid until different times", INSTEAD)
    is_stated = first.confidence is not None or second.confidence is not None
    kinds, own = {memory_type(older), memory_type(newer)}, (older.id, newer.id)
    kind = kinds.pop().value if len(kinds) == 1 else None
    return Quality(
        confidence=min(confidence_of(older), confidence_of(newer)) if is_stated else None,
        type=kind if kind != text_type(text, is_solution=newer.is_solution).value else None,
        source=first.source if origin_of(older) is origin_of(newer) and first.source == second.source else None,
        tags=_once(first.tags, second.tags),
        expires=first.expires,
        relationships=tuple(
            link for link in _once(first.relationships, second.relationships) if link.target not in own
        ),
        cited_by=_once(first.cited_by, second.cited_by, but=own),
        cited_at=max((moment for moment in (first.cited_at, second.cited_at) if moment is not None), default=None),
    )
