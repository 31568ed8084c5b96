"""How age lowers a score: the specification's formula, its exemptions and its floor."""

import math
from datetime import datetime, timedelta
from typing import Any

import pytest
from core_tools import AGENT, CONFIRMED, DEPRECATED, INFERRED, LOAD_BEARING, NOW, USER, memory
from hypothesis import example, given
from hypothesis import strategies as st
from memory_ledger.recall.rank import blend, measure_recency
from memory_ledger.records import Memory, Source, Utility, Validity
from memory_ledger.setting_groups import TemporalDecay

DEFAULT = TemporalDecay()
FLOOR = 0.1


def hours_ago(hours: float) -> datetime:
    return NOW - timedelta(hours=hours)


def guess(hours: float, **fields: Any) -> Memory:
    """Return a memory that no rule exempts, written `hours` ago."""
    return memory(at=hours_ago(hours), **{"source": AGENT, "validity": INFERRED} | fields)


def recency(found: Memory, **settings: Any) -> float:
    return measure_recency(found, NOW, TemporalDecay.model_validate(settings))


@pytest.mark.parametrize(
    "found",
    [
        pytest.param(guess(9_999, utility=LOAD_BEARING), id="E-56 load_bearing"),
        pytest.param(guess(9_999, source=USER), id="E-57 user_asserted"),
        pytest.param(guess(9_999, validity=CONFIRMED), id="E-58 confirmed"),
        pytest.param(guess(0), id="E-19 written now"),
        pytest.param(guess(-48), id="E-23 written in the future"),
        pytest.param(guess(9_999, lineage={"last_accessed": NOW}), id="E-23 shown now"),
        pytest.param(guess(9_999, lineage={"last_accessed": hours_ago(-5)}), id="E-23 shown in the future"),
    ],
)
def test_full_recency(found: Memory) -> None:
    """E-19, E-21, E-23, T-50: exempt whatever the age, and never more than 1."""
    assert recency(found) == 1.0
    assert recency(found, min_recency_score=0.0) == 1.0


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param(guess(168), 0.5, id="E-59 half-life"),
        pytest.param(guess(336), 0.25, id="E-19 twice the half-life"),
        pytest.param(guess(24), math.exp(-math.log(2) / 168 * 24), id="E-19 a day"),
        pytest.param(guess(24, validity=DEPRECATED), math.exp(-math.log(2) / 168 * 24), id="E-21 deprecated"),
        pytest.param(guess(9_999), FLOOR, id="E-22 floor"),
        pytest.param(guess(168, lineage={"access_count": 0}), 0.5, id="E-62 never shown: from created_at"),
        pytest.param(guess(9_999, lineage={"last_accessed": hours_ago(168)}), 0.5, id="E-23 from last_accessed"),
        pytest.param(guess(0, lineage={"last_accessed": hours_ago(168)}), 0.5, id="E-23 shown before it was written"),
        pytest.param(guess(168, source=Source.EXTERNAL_RETRIEVED), 0.5, id="E-20 external is not exempt"),
        pytest.param(Memory(id="m", text="t", created_at=hours_ago(168)), 0.5, id="E-23 not classified yet"),
    ],
)
def test_recency(found: Memory, expected: float) -> None:
    """E-19, E-22, E-23, E-59, E-62."""
    assert recency(found) == pytest.approx(expected, abs=1e-12)


def test_what_exempts_is_a_setting() -> None:
    """E-20, E-21: an empty list exempts nobody; another value exempts its own."""
    nobody: dict[str, Any] = {"exempt_utilities": [], "exempt_sources": [], "exempt_validities": []}
    pinned = guess(168, utility=LOAD_BEARING, source=USER, validity=CONFIRMED)
    assert recency(pinned, **nobody) == pytest.approx(0.5)
    assert recency(guess(168), **nobody | {"exempt_sources": ["agent_inferred"]}) == 1.0
    assert recency(guess(168), **nobody | {"exempt_validities": ["inferred"]}) == 1.0
    assert recency(guess(168), **nobody | {"exempt_utilities": ["tactical"]}) == 1.0


ages = st.floats(-1e4, 1e5, allow_nan=False)


@example(0.0, 0.0, 5e-324, 0.1)
@given(ages, ages, st.floats(0, 1e6, exclude_min=True), st.floats(0, 1))
def test_recency_is_the_formula_between_the_floor_and_one(one: float, other: float, half: float, floor: float) -> None:
    """E-19, E-22: never more for what is older, and exactly the floor or the exponential."""
    settings = {"half_life_hours": half, "min_recency_score": floor}
    older, newer = sorted((one, other), reverse=True)
    assert floor <= recency(guess(older), **settings) <= recency(guess(newer), **settings) <= 1.0
    age = max(0.0, (NOW - guess(one).created_at).total_seconds() / 3600)
    expected = 1.0 if age == 0.0 else max(floor, 2.0 ** (-age / half))
    assert recency(guess(one), **settings) == pytest.approx(expected, abs=1e-9)


@given(st.sampled_from(Validity), st.sampled_from(Utility), st.sampled_from(Source), ages)
def test_exempt_is_what_the_settings_name(validity: Validity, utility: Utility, source: Source, age: float) -> None:
    """E-20, E-21, T-50: each of the three axes alone exempts; nothing else does."""
    found = guess(age, validity=validity, utility=utility, source=source)
    is_exempt = utility is LOAD_BEARING or source is USER or validity is CONFIRMED
    assert recency(found) == (1.0 if is_exempt else recency(guess(age)))


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        pytest.param({"enabled": False}, 0.8, id="E-83 switched off"),
        pytest.param({"enabled": False, "decay_weight": 1.0}, 0.8, id="E-83 whatever the weight"),
        pytest.param({"decay_weight": 0.0}, 0.8, id="E-19 no weight"),
        pytest.param({}, 0.85 * 0.8 + 0.15 * 0.3, id="E-19"),
        pytest.param({"decay_weight": 1.0}, 0.3, id="E-19 recency alone"),
    ],
)
def test_final_score(settings: dict[str, Any], expected: float) -> None:
    """E-19, E-83: final = (1 - decay_weight) * similarity + decay_weight * recency."""
    assert blend(0.8, 0.3, TemporalDecay.model_validate(settings)) == pytest.approx(expected, abs=1e-12)
