"""Nothing without evidence: when nothing, or less, is injected (T-66)."""

from typing import Any

import pytest
from core_tools import memory
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.recall.rank import NO_EVIDENCE, TOO_LITTLE, split_by_evidence
from memory_ledger.recall.selection import Candidate
from memory_ledger.setting_groups import NoiseGate

GATE = NoiseGate()
HOSTS = 0.7
LIKELY, UNLIKELY, LITTLE = GATE.least_likely, GATE.least_likely - 0.001, GATE.least_share - 0.001


def scored(
    memory_id: str, share: float = 0.5, similarity: float = 0.6, likely: float = 0.5, kinship: float = 0.0
) -> Candidate:
    return Candidate(memory=memory(memory_id), similarity=similarity, likely=likely, kinship=kinship, share=share)


def passing(
    *found: Candidate, likely: float = LIKELY, gate: NoiseGate = GATE, threshold: float = HOSTS, uses_words: bool = True
) -> list[str]:
    kept, refused = split_by_evidence(found, likely, gate, threshold, uses_words=uses_words)
    assert [one.memory.id for one in found if one in kept] == [one.memory.id for one in kept], "in the order given"
    assert len(kept) + len(refused) == len(found)
    return [one.memory.id for one in kept]


@pytest.mark.parametrize(
    ("found", "options"),
    [
        pytest.param([], {}, id="no candidate"),
        pytest.param([scored("a"), scored("b", similarity=1.0)], {"likely": UNLIKELY}, id="the best of nothing"),
        pytest.param([scored("a", similarity=0.8)], {"threshold": 0.81}, id="E-04 a stricter threshold"),
        pytest.param([scored("a")], {"likely": 1.0, "uses_words": False}, id="E-80 by meaning alone too far"),
    ],
)
def test_nothing_without_evidence(found: list[Candidate], options: dict[str, Any]) -> None:
    """T-66: injecting nothing is a good answer, however many there are; the reason is given."""
    assert passing(*found, **options) == []


def test_the_reason_is_given() -> None:
    assert split_by_evidence([scored("a")], UNLIKELY, GATE, HOSTS, uses_words=True)[1] == [(scored("a"), NO_EVIDENCE)]
    found = [scored("a"), scored("b", LITTLE)]
    assert split_by_evidence(found, LIKELY, GATE, HOSTS, uses_words=True)[1] == [(found[1], TOO_LITTLE)]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param([scored("a", 1.0)], "a", id="one alone"),
        pytest.param([scored("a"), scored("b", GATE.least_share)], "ab", id="with it what has a share"),
        pytest.param([scored("a"), scored("b", LITTLE)], "a", id="and not what has less"),
        pytest.param([scored("a", LITTLE), scored("b", LITTLE - 0.01)], "a", id="the best of many alike"),
        pytest.param([scored("a", likely=0.8), scored("b", 0.3, likely=0.19)], "a", id="and not what shares by chance"),
        pytest.param([scored("a"), scored("b", LITTLE, likely=0.9)], "ab", id="the answer to a second question"),
        pytest.param([scored("a"), scored("b", LITTLE, kinship=0.8)], "ab", id="what says nearly the same"),
        pytest.param([scored("a"), scored("b", LITTLE, likely=0.14, kinship=1.0)], "a", id="unless by chance"),
    ],
)
def test_what_comes_with_evidence(found: list[Candidate], expected: str) -> None:
    """T-66: the best by itself; the others as far as they may be what the message asks for."""
    assert "".join(passing(*found)) == expected


def test_switched_off_it_lets_everything_in() -> None:
    assert passing(scored("a", 0.0), scored("b", 0.0), likely=0.0, gate=NoiseGate(enabled=False)) == ["a", "b"]


def test_by_meaning_alone_it_is_the_threshold() -> None:
    found = [scored("a", 0.0, 0.7), scored("b", 1.0, 0.69999), scored("c", 0.0, 1.0)]
    assert passing(*found, likely=0.0, uses_words=False) == ["a", "c"]


share = st.floats(0, 1)
many = st.lists(
    st.builds(scored, st.sampled_from("abcdefgh"), share, share, share),
    max_size=8,
    unique_by=lambda one: one.memory.id,
)


@given(many, share, share, st.booleans(), st.builds(NoiseGate, least_likely=share, least_share=share))
def test_no_memory_enters_without_evidence(
    found: list[Candidate], likely: float, threshold: float, uses_words: bool, gate: NoiseGate
) -> None:
    """T-66: nothing is lost or doubled; what enters is near, or the message is likely and it has its share."""
    kept = passing(*found, likely=likely, gate=gate, threshold=threshold, uses_words=uses_words)
    for one in (each for each in found if each.memory.id in kept):
        if not uses_words or threshold > HOSTS:
            assert one.similarity >= threshold
        if uses_words:
            assert likely >= gate.least_likely
            has_share = one.share >= min(gate.least_share, max(other.share for other in found if other.likely))
            assert one.likely
            assert has_share or one.likely >= 0.9
