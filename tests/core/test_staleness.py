"""Scores and staleness, as computed when somebody reads (Q-05, Q-07 ... Q-15, Q-27, Q-64, Q-65, T-25 ... T-27)."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from core_tools import AGENT, CONFIRMED, DEPRECATED, EXTERNAL, INFERRED, NOW, USER, memory
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.quality.kinds import STALENESS_RATES, MemoryType, StalenessRates, memory_type
from memory_ledger.quality.requests import may_archive, refresh_changes
from memory_ledger.quality.scores import (
    Decay,
    SourceClass,
    days_of,
    days_since,
    measure,
    measure_memory,
    origin_of,
    read_row,
    score_of,
    staleness_of,
)
from memory_ledger.records import (
    Quality,
)

SHARE = st.floats(0, 1)
DAYS = st.floats(0, 10_000)
FACT, PREFERENCE, EVENT = (
    "The server port is 8443",
    "User prefers dark mode",
    "We met on 2026-01-03 and signed the contract",
)


def stale(
    age: float = 0.0, idle: float = 0.0, is_superseded: bool = False, kind: MemoryType = MemoryType.FACT
) -> float:
    half_life, access_decay = days_of(STALENESS_RATES[kind])
    return float(
        staleness_of(
            age_days=age,
            idle_days=idle,
            is_superseded=is_superseded,
            half_life_days=half_life,
            access_decay_days=access_decay,
        )
    )


def aged(days: float, text: str = FACT, **lineage: object):
    return memory(text=text, at=NOW - timedelta(days=days), lineage=lineage)


def with_quality(one, **quality):
    return replace(one, quality=Quality.model_validate(quality))


def test_the_example_of_the_specification() -> None:
    """Q-02, Q-07, Q-08, Q-10: confidence 0.95, fresh, risk 0.1, told: 0.925, which the specification shows as 0.92."""
    told = with_quality(memory(source=USER), confidence=0.95, conflictRisk=0.1)
    assert measure_memory(told, NOW) == Decay(0.0, 0.925)


@pytest.mark.parametrize(
    ("shares", "score"),
    [
        *(((1, 0, 0, 0), 0.9), ((0, 0, 0, 0), 0.5), ((0, 1, 0, 0), 0.25), ((0, 0, 1, 0), 0.25)),
        *(((0, 1, 1, 1), 0.1), ((1, 0, 0, 1), 1.0), ((0, 1, 1, 0), 0.0)),
    ],
)
def test_weight_of_each_part(shares, score) -> None:
    assert score_of(*shares) == pytest.approx(score)


@given(DAYS, DAYS, DAYS, st.sampled_from(list(MemoryType)))
def test_staleness_is_bounded_and_monotone(age, idle, more, kind) -> None:
    """Q-11: within 0..1; older, longer unused or superseded is never fresher."""
    found = stale(age, idle, kind=kind)
    assert 0.0 <= found <= 1.0
    assert stale(age + more, idle, kind=kind) >= found
    assert stale(age, idle + more, kind=kind) >= found
    assert stale(age, idle, is_superseded=True, kind=kind) >= found


@pytest.mark.parametrize(
    ("kind", "age", "idle", "is_superseded", "expected"),
    [
        *((MemoryType.FACT, 90, 0, False, 0.25), (MemoryType.FACT, 180, 0, False, 0.375)),
        *((MemoryType.FACT, 0, 15, False, 0.15), (MemoryType.FACT, 0, 30, False, 0.3)),
        *((MemoryType.FACT, 0, 300, False, 0.3), (MemoryType.FACT, 0, 0, True, 0.2)),
        *((MemoryType.PREFERENCE, 14, 7, False, 0.55), (MemoryType.LESSON, 60, 14, False, 0.55)),
        *((MemoryType.RELATIONSHIP, 30, 14, False, 0.55), (MemoryType.DECISION, 60, 14, False, 0.55)),
        *((MemoryType.SKILL, 60, 14, False, 0.55), (MemoryType.EVENT, 9_000, 9_000, False, 0.0)),
        (MemoryType.EVENT, 9_000, 9_000, True, 0.2),
    ],
)
def test_staleness_of_each_type(kind, age, idle, is_superseded, expected) -> None:
    """Q-11, Q-12, Q-14, Q-15, T-26, T-27: half at the half-life, a whole decay at its days, null never."""
    assert stale(age, idle, is_superseded, kind) == expected


def test_a_superseded_fact_can_be_archived_after_119_days() -> None:
    """T-27: without supersession 0.8 is out of reach; with it a fact is there after about 119 days."""
    assert stale(100_000, 100_000) <= 0.8
    assert stale(118, 118, True) < 0.8 <= stale(120, 120, True)


def test_an_access_or_a_citation_stops_the_access_decay() -> None:
    """Q-13, Q-64: what was recalled or cited today has the age factor only."""
    idle, cited = aged(90), with_quality(aged(90), citedAt=NOW.isoformat())
    recalled = aged(90, last_accessed=NOW)
    assert measure_memory(idle, NOW).staleness == 0.55
    assert measure_memory(recalled, NOW).staleness == 0.25
    assert measure_memory(cited, NOW).staleness == 0.25


def test_validation_resets_staleness_unless_superseded() -> None:
    """Q-27, Q-65: age and access decay count from the later of created and validatedAt; 0 right after."""
    old = aged(400)
    validated = with_quality(old, validatedAt=NOW.isoformat())
    assert measure_memory(old, NOW).staleness > 0.7
    assert measure_memory(validated, NOW).staleness == 0.0
    assert measure_memory(validated, NOW + timedelta(days=90)).staleness == 0.55
    superseded = replace(validated, lineage=validated.lineage.model_copy(update={"superseded_by": "m2"}))
    assert measure_memory(superseded, NOW).staleness == 0.2
    older = with_quality(aged(0), validatedAt=(NOW - timedelta(days=90)).isoformat())
    assert measure_memory(older, NOW).staleness == 0.0


def test_retired_is_superseded() -> None:
    assert measure_memory(memory(validity=DEPRECATED), NOW).staleness == 0.2


def test_what_is_not_known_counts_as_fresh() -> None:
    """Q-05: without a status the score is the confidence and the staleness 0."""
    unknown = replace(aged(400), classification=None)
    assert measure_memory(with_quality(unknown, confidence=0.3), NOW) == Decay(0.0, 0.3)
    assert measure_memory(unknown, NOW) == Decay(0.0, 0.6)
    assert measure_memory(replace(unknown, lineage=None), NOW) == Decay(0.0, 0.6)


def test_a_stated_source_refines_what_the_agent_says_only() -> None:
    """T-25: `experience` can be stated of what the agent inferred; what the user says stays told."""
    stated = {"source": "experience"}
    agents = memory(source=AGENT, validity=INFERRED)
    assert origin_of(with_quality(agents, **stated)) is SourceClass.EXPERIENCE
    assert origin_of(with_quality(memory(source=AGENT, area="solutions"), source="inferred")) is SourceClass.INFERRED
    for area in ("main", "solutions"):
        assert origin_of(with_quality(memory(source=USER, area=area), **stated)) is SourceClass.TOLD
    assert origin_of(with_quality(memory(source=EXTERNAL), **stated)) is SourceClass.TOLD
    assert origin_of(with_quality(agents, source="rumour")) is SourceClass.INFERRED


def test_configured_rates_are_used() -> None:
    rates = {**STALENESS_RATES, MemoryType.FACT: StalenessRates(half_life_days=1, access_decay_days=None)}
    assert measure_memory(aged(1), NOW, rates).staleness == 0.25


@given(st.lists(st.tuples(DAYS, DAYS, st.booleans(), SHARE, SHARE, st.sampled_from(list(MemoryType))), min_size=1))
def test_arrays_give_what_single_memories_give(rows) -> None:
    read = [
        read_row(memory())._replace(
            kind=kind,
            confidence=confidence,
            conflict_risk=risk,
            created=(NOW - timedelta(days=age)).timestamp(),
            touched=(NOW - timedelta(days=idle)).timestamp(),
            is_superseded=is_superseded,
        )
        for age, idle, is_superseded, confidence, risk, kind in rows
    ]
    one_by_one = [measure(row, NOW) for row in read]
    rates = np.array([days_of(STALENESS_RATES[row.kind]) for row in read])
    now, created = NOW.timestamp(), np.array([row.created for row in read])
    stale_now = staleness_of(
        age_days=days_since(created, now),
        idle_days=days_since(np.maximum(created, [row.touched for row in read]), now),
        is_superseded=np.array([row.is_superseded for row in read]),
        half_life_days=rates[:, 0],
        access_decay_days=rates[:, 1],
    )
    scores = score_of(
        np.array([row.confidence for row in read]), stale_now, np.array([row.conflict_risk for row in read]), 0.7
    )
    assert stale_now.tolist() == [one.staleness for one in one_by_one]
    assert scores.tolist() == [one.score for one in one_by_one]


def test_a_stated_type_wins() -> None:
    """Q-60, T-26: decision and skill have to be stated; an unknown one is not used."""
    assert memory_type(with_quality(memory(text=FACT), type="decision")) is MemoryType.DECISION
    assert memory_type(with_quality(memory(text=FACT), type="skill")) is MemoryType.SKILL
    assert memory_type(with_quality(memory(text=PREFERENCE), type="mood")) is MemoryType.PREFERENCE
    assert {one.value for one in MemoryType} >= {"fact", "preference", "lesson", "relationship", "event"}


def test_what_was_written_in_the_future_is_fresh() -> None:
    """Q-11: the clocks of two machines may differ; staleness is never below 0."""
    assert measure_memory(aged(-10), NOW) == measure_memory(aged(0), NOW)


def test_a_refresh_changes_what_it_must() -> None:
    """Q-65, C-16: what is confirmed is not confirmed again; errors are settled by who verified it alone."""
    sure = with_quality(memory(validity=CONFIRMED), validationErrors=["x: y"])
    [change] = refresh_changes(sure, at=NOW, is_verified=True, confidence=None)
    assert change.stated == {"validated_at": NOW, "validation_errors": ()}
    [change] = refresh_changes(sure, at=NOW, is_verified=False, confidence=0.3)
    assert change.stated == {"validated_at": NOW, "confidence": 0.3}
    assert len(refresh_changes(memory(validity=INFERRED), at=NOW, is_verified=True, confidence=None)) == 2


def test_older_means_older() -> None:
    one = aged(90)
    assert not may_archive(one, older_than=timedelta(days=90), now=NOW, is_forced=False)
    assert may_archive(one, older_than=timedelta(days=90), now=NOW + timedelta(seconds=1), is_forced=False)
