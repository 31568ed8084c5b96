"""Conflicts: two memories that cannot both hold, how severe that is, and the winner of a strategy.

Pure: no clock, no store, no log. `claims` decides whether two memories contradict each other, and `ledger.resolve`
which one survives.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from itertools import product
from typing import Any

from ..claims import IMPLICATION, Claim, Relation, compare_claims, extract_claims
from ..contents import parse_json
from ..ledger.claim_index import ClaimIndex
from ..ledger.lifecycle import is_classified, status_of
from ..ledger.resolve import Outcome, Party, decide_memories, parse_claims
from ..records import Memory
from .conflict_record import Conflict, ConflictType, Severity, Strategy, conflict_id
from .kinds import STALENESS_RATES, MemoryType, Rates, memory_type
from .scores import SOURCE_RELIABILITY, confidence_of, origin_of

#: The reason why two lists of a property are put before a person: `merge` makes one memory of them.
DIFFERENT_LISTS = "both list what one property holds, and the lists differ; merged, one memory holds all of both"

_HIGH, _MEDIUM = 0.6, 0.35
_SECONDS_PER_DAY = 86_400.0


def open_conflict(
    memory: Memory,
    other: Memory,
    *,
    at: datetime,
    reasons: Iterable[str],
    rates: Rates = STALENESS_RATES,
    is_possible: bool = False,
) -> Conflict:
    """Return the unresolved conflict between two classified memories."""
    older, newer = _in_order(memory, other)
    return Conflict(
        id=conflict_id(older.id, newer.id),
        type=conflict_type(older, newer),
        memories=(older.id, newer.id),
        detected=at,
        severity=severity(conflict_weight(older, newer, rates)),
        description="; ".join(reasons),
        is_possible=is_possible,
    )


def weigh(conflict: Conflict, memory: Memory, other: Memory, rates: Rates = STALENESS_RATES) -> Conflict:
    """Return `conflict` with the type and the severity of its memories as they are now."""
    weight = severity(conflict_weight(memory, other, rates))
    return conflict.model_copy(update={"type": conflict_type(memory, other), "severity": weight})


def conflict_type(memory: Memory, other: Memory) -> ConflictType:
    """Return why two memories disagree: the first of the four types that fits."""
    if _denies_consequence(memory, other):
        return ConflictType.LOGICAL
    if Party.of(memory).source is not Party.of(other).source or origin_of(memory) is not origin_of(other):
        return ConflictType.SOURCE
    return ConflictType.TEMPORAL if _is_outdated(memory, other) else ConflictType.DIRECT


def _is_outdated(memory: Memory, other: Memory) -> bool:
    """Whether both may have been right in their time: a newer preference, a change that is told, two dates."""
    party, opponent = Party.of(memory), Party.of(other)
    is_ordered = party.is_before(opponent) or opponent.is_before(party)
    if is_ordered and MemoryType.PREFERENCE in (memory_type(memory), memory_type(other)):
        return True
    if _expires(memory) != _expires(other):
        return True
    pairs = product(parse_claims(memory), parse_claims(other))
    met = ((claim, counter) for claim, counter in pairs if claim.key == counter.key)
    return any(claim.time != counter.time or claim.change or counter.change for claim, counter in met)


def _expires(memory: Memory) -> datetime | None:
    return memory.quality.expires if memory.quality is not None else None


def _denies_consequence(memory: Memory, other: Memory) -> bool:
    """Whether one memory says that something follows and the other denies it; outdated parts count."""
    claims, counters = extract_claims(memory.text), extract_claims(other.text)
    if not any(claim.implied for claim in (*claims, *counters)):
        return False
    comparison = compare_claims(claims, counters, older_text=memory.text, newer_text=other.text)
    if comparison.relation is not Relation.CONTRADICTS or comparison.rule == IMPLICATION:
        return comparison.rule == IMPLICATION
    spoken = [claim for claim in claims if claim.implied], [claim for claim in counters if claim.implied]
    sides = ((spoken[0], counters), (claims, spoken[1]))
    return any(compare_claims(*side).relation is Relation.CONTRADICTS for side in sides)


def conflict_weight(memory: Memory, other: Memory, rates: Rates = STALENESS_RATES) -> float:
    """Return the weight of a conflict, 0..1; the gravest is between trusted, reliable memories of one time.

    The half-life of the type that goes out of date sooner measures how far apart they are.
    """
    confidence = (confidence_of(memory) + confidence_of(other)) / 2
    reliability = min(SOURCE_RELIABILITY[origin_of(side)] for side in (memory, other))
    return confidence * (0.5 + 0.5 * reliability) * _closeness(memory, other, rates)


def _closeness(memory: Memory, other: Memory, rates: Rates) -> float:
    half_lives = [days for side in (memory, other) if (days := rates[memory_type(side)].half_life_days) is not None]
    if not half_lives:
        return 1.0
    apart = abs(status_of(memory)[1].created_at - status_of(other)[1].created_at).total_seconds() / _SECONDS_PER_DAY
    return float(0.5 ** (apart / min(half_lives)))


def severity(weight: float) -> Severity:
    """Return the severity of a weight."""
    if weight >= _HIGH:
        return Severity.HIGH
    return Severity.MEDIUM if weight >= _MEDIUM else Severity.LOW


def conflict_risk(weights: Iterable[float]) -> float:
    """Return the risk, 0..1, of a memory whose open conflicts have these weights."""
    return 1.0 - math.prod(1.0 - weight for weight in weights)


def detect_conflicts(memories: Iterable[Memory], *, at: datetime, memory: Memory | None = None) -> list[Conflict]:
    """Return the conflicts among `memories`, or those of `memory` with them; nothing is changed.

    Only the candidates of the claim index are compared, so the work grows with the claims, not with the pairs. A
    correction that names no subject ("Actually it's 8443") is not found here. Two lists of a property that differ are
    only a possible conflict: merged, one memory holds all of both.
    """
    conflicts: dict[str, Conflict] = {}
    known, own_id = _Claims(), None if memory is None else memory.id
    for candidate in memories:
        is_out = not is_classified(candidate) or candidate.is_deprecated or candidate.is_forgotten
        if is_out or candidate.id == own_id:
            continue
        if memory is None:
            known.compare(candidate, at, conflicts)
        known.add(candidate)
    if is_classified(memory):
        known.compare(memory, at, conflicts)
    return list(conflicts.values())


def stated_list(memory: Memory) -> tuple[str, frozenset[str]] | None:
    """Return the owner of the list in a memory's structured content, and the items of the list; None without a list."""
    content = parse_json(memory.content_text) if memory.content_text is not None else None
    if not isinstance(content, dict) or not isinstance(content.get("value"), list):
        return None
    names = [content.get(key) for key in ("subject", "property", "scope")]
    if not all(isinstance(name, str) and name.strip() for name in names[:2]):
        return None
    return json_key(names).casefold(), frozenset(map(json_key, content["value"]))


def json_key(value: Any) -> str:
    """Return a text that equal JSON values share: 1 and 1.0, but not 1 and true."""
    return json.dumps(json.loads(json.dumps(value), parse_float=_parse_number), sort_keys=True)


def _parse_number(text: str) -> float:
    number = float(text)
    return int(number) if number.is_integer() else number


class _Claims:
    """Memories with their claims, which are parsed once."""

    def __init__(self) -> None:
        self._index = ClaimIndex()
        self._memories: dict[str, Memory] = {}
        self._claims: dict[str, tuple[Claim, ...]] = {}
        self._lists: dict[str, tuple[Memory, frozenset[str]]] = {}

    def claims_of(self, memory: Memory) -> tuple[Claim, ...]:
        if memory.id not in self._claims:
            self._claims[memory.id] = parse_claims(memory)
        return self._claims[memory.id]

    def add(self, memory: Memory) -> None:
        self._index.add(memory.id, self.claims_of(memory))
        self._memories[memory.id] = memory
        if (stated := stated_list(memory)) is not None:
            self._lists[stated[0]] = memory, stated[1]

    def compare(self, memory: Memory, at: datetime, conflicts: dict[str, Conflict]) -> None:
        for other_id in self._index.candidates(self.claims_of(memory)):
            other = self._memories[other_id]
            decision = decide_memories(other, memory, claims_of=self.claims_of)[2]
            if decision.is_contradiction:
                conflict = open_conflict(other, memory, at=at, reasons=decision.reasons)
                conflicts[conflict.id] = conflict
        key, held = stated_list(memory) or ("", frozenset())
        other, listed = self._lists.get(key, (memory, held))
        if held != listed:
            conflict = open_conflict(other, memory, at=at, reasons=(DIFFERENT_LISTS,), is_possible=True)
            conflicts.setdefault(conflict.id, conflict)


def strategic_winner(memory: Memory, other: Memory, strategy: Strategy) -> Memory | None:
    """Return the memory that `strategy` prefers; None where it ranks them equal, or ranks nothing."""
    older, newer = _in_order(memory, other)
    if strategy is Strategy.NEWER_WINS:
        return newer if Party.of(older).is_before(Party.of(newer)) else None
    rank = _RANKS.get(strategy)
    if rank is None or rank(older) == rank(newer):
        return None
    return max((older, newer), key=rank)


_RANKS: Mapping[Strategy, Callable[[Memory], float]] = {
    Strategy.HIGHER_CONFIDENCE: confidence_of,
    Strategy.SOURCE_PRIORITY: lambda memory: SOURCE_RELIABILITY[origin_of(memory)],
}


def can_merge(memory: Memory, other: Memory) -> bool:
    """Whether both memories can stay: they agree, or the loser says other things that still hold."""
    return decide_memories(memory, other)[2].outcome not in (Outcome.SUPERSEDE, Outcome.CONTEST)


def _in_order(memory: Memory, other: Memory) -> tuple[Memory, Memory]:
    """Return both memories, older first: by the time of saying, then by id."""
    older, newer = sorted((memory, other), key=lambda side: (Party.of(side).at, side.id))
    return older, newer
