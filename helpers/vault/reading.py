"""The reading side of a vault: for a person who tidies it up, and in a prompt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import compress
from typing import Any, NamedTuple

from ..texts import estimate_tokens, neutralize
from .gate import find_secret, find_signal
from .record import VaultContents, VaultRecord
from .similarity import near_duplicates, parse_text, search_score, similarities
from .taxonomy import MAX_TEXT_LENGTH, OWN_SCOPE, SHARED_SCOPE, STALE_DAYS, STORED_TIERS, Tier


class SearchHit(NamedTuple):
    """A record that a search found, with its score."""

    record: VaultRecord
    score: float


class SimilarPair(NamedTuple):
    """Two active records of one scope that say nearly the same; a person decides whether to merge them."""

    record: VaultRecord
    other: VaultRecord
    similarity: float


class DeletionProposal(NamedTuple):
    """A record that might be deleted, and the reasons."""

    record: VaultRecord
    reasons: tuple[str, ...]


def search(
    contents: VaultContents, query: str, scopes: Collection[str] | None = None, *, limit: int = 20
) -> list[SearchHit]:
    """Return the records that share a word with the query, the best first; ties by tier, then by id."""
    asked = parse_text(query)
    scored = (SearchHit(record, search_score(asked, parse_text(record.text))) for record in contents.in_scopes(scopes))
    hits = [hit for hit in scored if hit.score]
    hits.sort(key=lambda hit: (-hit.score, not hit.record.is_canon, hit.record.id))
    return hits[:limit]


def find_consolidation_candidates(
    contents: VaultContents, scopes: Collection[str] | None, floor: float
) -> list[SimilarPair]:
    """Return the pairs of active records of one scope with a similarity of at least `floor`, the highest first."""
    records = contents.in_scopes(scopes)
    pairs: list[SimilarPair] = []
    for scope in {record.scope for record in records}:
        of_scope = [record for record in records if record.scope == scope]
        texts = [record.text for record in of_scope]
        for place, record in enumerate(of_scope, 1):
            rated = similarities(record.text, texts, overlap=floor, ratio=floor, start=place)
            scored = zip(of_scope[place:], rated, strict=True)
            pairs += [SimilarPair(record, other, score) for other, score in scored if score >= floor]
    return sorted(pairs, key=lambda pair: (-pair.similarity, pair.record.id, pair.other.id))


def propose_deletions(
    contents: VaultContents, scopes: Collection[str] | None, signals: tuple[str, ...], *, now: datetime
) -> list[DeletionProposal]:
    """Return the records that might be deleted, with the reasons; nothing is changed."""
    records = contents.in_scopes(scopes)
    proposals = (DeletionProposal(record, tuple(_reasons(record, contents, signals, now))) for record in records)
    return [proposal for proposal in proposals if proposal.reasons]


def _reasons(record: VaultRecord, contents: VaultContents, signals: tuple[str, ...], now: datetime) -> Iterator[str]:
    secret = find_secret(record)
    if secret is not None:
        yield secret
    signal = find_signal(record.text, signals)
    if signal is not None:
        yield f'it is journal noise ("{signal}")'
    if len(record.text) > MAX_TEXT_LENGTH:
        yield f"it has {len(record.text)} characters; allowed: {MAX_TEXT_LENGTH}"
    others = contents.in_scopes((record.scope,))
    same = compress(others, near_duplicates(record.text, [other.text for other in others]))
    better = next((other for other in same if _rank(other) > _rank(record)), None)
    if better is not None:
        yield f"{better.id} ({better.tier.value}) says nearly the same"
    if not record.is_canon and now - record.touched_at > timedelta(days=STALE_DAYS):
        yield f"it was not written for {(now - record.touched_at).days} days"


def _rank(record: VaultRecord) -> tuple[bool, datetime, str]:
    """Sort key of records that say the same: canon is better than a register, of equals the later one."""
    return record.is_canon, record.touched_at, record.id


def vault_stats(contents: VaultContents, most_active: int) -> dict[str, Any]:
    """Return the figures of a vault."""
    active = contents.active
    return {
        "active": len(active),
        "max_active": most_active,
        "utilization_percent": round(100 * len(active) / most_active, 1),
        "deleted": len(contents.latest) - len(active),
        "raw_lines": contents.raw_lines,
        "unreadable_lines": contents.unreadable,
        "bloat_ratio": round(contents.raw_lines / max(len(active), 1), 2),
        "by_scope": _counts(record.scope for record in active),
        "by_tier": _counts(record.tier.value for record in active),
        "by_category": _counts(record.category for record in active),
        "register_topics": sum(record.is_topic for record in active),
    }


def _counts(names: Iterator[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))


_SNAPSHOT_HEAD = "# Vault: what always holds"
_MEMORY_HEAD = "# Vault: what fits the message"
_TITLES = {Tier.CANON: "## Canon", Tier.REGISTER: "## Registers"}


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultSnapshot:
    """The text of every prompt, and the records that it shows; the cap left out the `trimmed` registers."""

    text: str = ""
    records: tuple[VaultRecord, ...] = ()
    trimmed: tuple[VaultRecord, ...] = ()
    canon_tokens: int = 0
    is_over: bool = False


def parse_scopes(scopes: str | Collection[str]) -> tuple[str, ...]:
    """Return one or several scopes as a tuple."""
    return (scopes,) if isinstance(scopes, str) else tuple(scopes)


def scopes_of(configured: Iterable[str], agent_name: str) -> tuple[str, ...]:
    """Return the scopes that an agent sees: `<agent>` is its own name; without a name only the shared scope."""
    named = (agent_name if name == OWN_SCOPE else name for name in configured)
    return tuple(dict.fromkeys(name for name in named if name))


def build_snapshot(records: Iterable[VaultRecord], most_tokens: int) -> VaultSnapshot:
    """Return compact Markdown of all canon and of the registers that have a topic.

    The cap leaves out registers only, an agent's first, then the least recently written. Canon that an agent has
    entered takes no room from a person's registers.
    """
    listed = list(records)
    canon = [record for record in listed if record.is_canon]
    topics = [record for record in listed if record.is_topic]
    topics.sort(key=lambda topic: (not topic.is_agents, topic.touched_at, topic.id), reverse=True)
    canon_tokens = estimate_tokens(_render(_SNAPSHOT_HEAD, canon))
    own_tokens = estimate_tokens(_render(_SNAPSHOT_HEAD, [record for record in canon if not record.is_agents]))
    kept, used = list(topics), 0
    for number, topic in enumerate(topics):
        used += estimate_tokens(f"{_line(topic)}\n") + (0 if number else estimate_tokens(_TITLES[Tier.REGISTER]))
        if used > most_tokens - (canon_tokens if topic.is_agents else own_tokens):
            kept = topics[:number]
            break
    shown = (*canon, *sorted(kept, key=lambda record: (record.topic_id or "", record.scope, record.id)))
    return VaultSnapshot(
        text=_render(_SNAPSHOT_HEAD, shown) if shown else "",
        records=shown,
        trimmed=tuple(topics[len(kept) :]),
        canon_tokens=canon_tokens if canon else 0,
        is_over=bool(canon) and canon_tokens > most_tokens,
    )


def build_memory_text(records: Sequence[VaultRecord]) -> str:
    """Return records that fit a query as a block, by tier, canon first; empty without records."""
    return _render(_MEMORY_HEAD, records) if records else ""


def find_fitting(
    contents: VaultContents, scopes: Collection[str], query: str | None, similarities: Mapping[str, float], limit: int
) -> list[VaultRecord]:
    """Return at most `limit` records: the nearest of those with a cosine in `similarities`, then by words.

    Without a query these are the latest ones.
    """
    active = contents.in_scopes(scopes)
    if query is None:
        latest = sorted(active, key=lambda record: (not record.is_canon, -record.touched_at.timestamp(), record.id))
        return latest[:limit]
    similar = (record for record in active if record.id in similarities)
    meant = sorted(similar, key=lambda record: -similarities[record.id])
    worded = (hit.record for hit in search(contents, query, scopes, limit=limit))
    return list({record.id: record for record in (*meant, *worded)}.values())[:limit]


def _render(head: str, records: Sequence[VaultRecord]) -> str:
    lines = [head]
    for tier in STORED_TIERS:
        of_tier = [_line(record) for record in records if record.tier is tier]
        lines += [_TITLES[tier], *of_tier] if of_tier else []
    return "\n".join(lines)


def _line(record: VaultRecord) -> str:
    name = record.category if record.topic_id is None else f"{record.category}, {record.topic_id}"
    scope = "" if record.scope == SHARED_SCOPE else f", only {record.scope}"
    scope += ", agent" if record.is_agents else ""
    return neutralize(f"- [{_on_one_line(name + scope)}] {_on_one_line(record.text)}")


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
