"""What is found in a vault, and what a person might tidy up: search, similar pairs, deletion proposals, figures. Pure.

Nothing here changes a record (V-46, V-47, V-53, V-54, V-59).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any

from .contents import VaultContents
from .gate import find_secret, find_signal
from .record import VaultRecord
from .similarity import is_near_duplicate, parse_text, search_score, similarity
from .taxonomy import MAX_TEXT_LENGTH, STALE_DAYS


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A record that a search found, with its score (V-53)."""

    record: VaultRecord
    score: float


@dataclass(frozen=True, slots=True)
class SimilarPair:
    """Two active records of one scope that say much the same; a person looks whether they should be one (V-46)."""

    one: VaultRecord
    other: VaultRecord
    similarity: float


@dataclass(frozen=True, slots=True)
class DeletionProposal:
    """A record that might go, and why (V-47)."""

    record: VaultRecord
    reasons: tuple[str, ...]


def search(
    contents: VaultContents, query: str, scopes: Collection[str] | None = None, *, limit: int = 20
) -> list[SearchHit]:
    """Return what has a word in common with the query, the best first; ties by tier, then by id (V-53)."""
    asked = parse_text(query)
    scored = ((scope, search_score(asked, contents.reading_of(scope))) for scope in contents.in_scopes(scopes))
    found = [SearchHit(one, score) for one, score in scored if score]
    found.sort(key=lambda hit: (-hit.score, not hit.record.is_canon, hit.record.id))
    return found[:limit]


def find_consolidation_candidates(
    contents: VaultContents, scopes: Collection[str] | None, floor: float
) -> list[SimilarPair]:
    """Return the pairs of active records, each of one scope, that are at least so similar, the most similar first."""
    found = []
    for one, other in combinations(contents.in_scopes(scopes), 2):
        if one.scope == other.scope:
            much = similarity(contents.reading_of(one), contents.reading_of(other), least=floor)
            if much >= floor:
                found.append(SimilarPair(one, other, much))
    found.sort(key=lambda pair: (-pair.similarity, pair.one.id, pair.other.id))
    return found


def propose_deletions(
    contents: VaultContents, scopes: Collection[str] | None, signals: tuple[str, ...], *, now: datetime
) -> list[DeletionProposal]:
    """Return what might be deleted, with the reasons; nothing is (V-47, V-59)."""
    found = ((scope, tuple(_reasons(scope, contents, signals, now))) for scope in contents.in_scopes(scopes))
    return [DeletionProposal(one, reasons) for one, reasons in found if reasons]


def _reasons(record: VaultRecord, contents: VaultContents, signals: tuple[str, ...], now: datetime) -> Iterator[str]:
    secret = find_secret(record)
    if secret is not None:
        yield secret
    signal = find_signal(record.text, signals)
    if signal is not None:
        yield f'it is journal noise ("{signal}")'
    if len(record.text) > MAX_TEXT_LENGTH:
        yield f"it has {len(record.text)} characters; allowed: {MAX_TEXT_LENGTH}"
    better = next((one for one in contents.in_scopes((record.scope,)) if _says_it_better(one, record, contents)), None)
    if better is not None:
        yield f"{better.id} ({better.tier.value}) says nearly the same"
    if not record.is_canon and now - record.touched_at > timedelta(days=STALE_DAYS):
        yield f"it was not written for {(now - record.touched_at).days} days"


def _says_it_better(one: VaultRecord, record: VaultRecord, contents: VaultContents) -> bool:
    """Whether a record of the same scope stands for another: canon before register, the later written of two equal."""
    if one.id == record.id or (one.is_canon, one.touched_at, one.id) < (record.is_canon, record.touched_at, record.id):
        return False
    return is_near_duplicate(contents.reading_of(record), contents.reading_of(one))


def vault_stats(contents: VaultContents, most_active: int) -> dict[str, Any]:
    """Return the figures of a vault (V-54, T-55)."""
    active = contents.active
    return {
        "active": len(active),
        "max_active": most_active,
        "utilization_percent": round(100 * len(active) / most_active, 1),
        "deleted": contents.deleted_count,
        "raw_lines": contents.raw_lines,
        "unreadable_lines": contents.unreadable,
        "bloat_ratio": round(contents.raw_lines / max(len(active), 1), 2),
        "by_scope": _counts(one.scope for one in active),
        "by_tier": _counts(one.tier.value for one in active),
        "by_category": _counts(one.category for one in active),
        "register_topics": sum(one.is_topic for one in active),
    }


def _counts(names: Iterator[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))
