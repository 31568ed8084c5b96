"""Nothing without evidence: when nothing, or less, is injected (T-66)."""

from typing import Any

import pytest
from core_tools import memory
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.recall.candidates import Candidate, Scored
from memory_ledger.recall.gate import NO_EVIDENCE, TOO_LITTLE, split_by_evidence
from memory_ledger.setting_groups import NoiseGate

GATE = NoiseGate()
HOSTS = 0.7
NEAR, NEARBY, FAR = HOSTS + GATE.strong_margin, HOSTS, 0.6
MOST_WORDS, SOME_WORDS, FEW_WORDS = GATE.strong_coverage, GATE.coverage, 0.29


def scored(
    memory_id: str, similarity: float = FAR, coverage: float = 0.0, relevance: float = 1.0, lender: str | None = None
) -> Scored:
    candidate = Candidate(memory=memory(memory_id), similarity=similarity, coverage=coverage)
    return Scored(candidate=candidate, relevance=relevance, recency=1.0, score=relevance, lender=lender)


def passing(*found: Scored, gate: NoiseGate = GATE, threshold: float = HOSTS, counts_words: bool = True) -> list[str]:
    kept, refused = split_by_evidence(found, gate, threshold, counts_words=counts_words)
    assert [one.memory.id for one in found if one in kept] == [one.memory.id for one in kept], "in the order given"
    assert len(kept) + len(refused) == len(found)
    return [one.memory.id for one in kept]


@pytest.mark.parametrize(
    ("found", "options"),
    [
        pytest.param([], {}, id="no candidate"),
        pytest.param([scored("a", 0.75, FEW_WORDS), scored("b", 0.75)], {}, id="near enough for the host, no more"),
        pytest.param([scored("a", FAR, 0.49), scored("b", FAR, 0.49)], {}, id="words here and there"),
        pytest.param([scored("a", 0.759, 0.499)], {}, id="a little of both is not strong"),
        pytest.param([scored("a", 0.8)], {"threshold": 0.81}, id="E-04 a stricter threshold"),
        pytest.param([scored("a", FAR, 1.0)], {"counts_words": False}, id="E-04 words stand in for no threshold"),
        pytest.param([scored("a", 0.8, lender="b"), scored("b", 0.8)], {"threshold": 0.9}, id="lent by what is weak"),
    ],
)
def test_nothing_without_strong_evidence(found: list[Scored], options: dict[str, Any]) -> None:
    """T-66: injecting nothing is a good answer, however many there are; the reason is told."""
    assert passing(*found, **options) == []
    kwargs = {"threshold": HOSTS, "counts_words": True} | options
    assert {reason for _, reason in split_by_evidence(found, GATE, **kwargs)[1]} <= {NO_EVIDENCE}


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param([scored("a", NEAR)], "a", id="near alone"),
        pytest.param([scored("a", FAR, MOST_WORDS)], "a", id="most of the words alone"),
        pytest.param([scored("a", NEAR), scored("b", NEARBY)], "ab", id="beside a strong one the host's threshold"),
        pytest.param([scored("a", NEAR), scored("b", FAR, SOME_WORDS)], "ab", id="beside a strong one some words"),
        pytest.param([scored("a", NEAR), scored("b", 0.699, FEW_WORDS)], "a", id="too little"),
        pytest.param([scored("a", NEAR), scored("b", FAR, lender="a")], "ab", id="written beside what passes"),
        pytest.param(
            [scored("a", NEAR), scored("b", FAR, lender="c"), scored("c", FAR)], "a", id="beside what does not pass"
        ),
        pytest.param(
            [scored("a", NEAR), scored("b", NEAR, relevance=GATE.least_relevance - 0.001)],
            "a",
            id="far behind the best",
        ),
        pytest.param(
            [scored("a", NEAR), scored("b", NEAR, relevance=GATE.least_relevance)], "ab", id="not so far behind"
        ),
        pytest.param(
            [scored("a", NEAR), scored("b", FAR, lender="a", relevance=0.4)], "a", id="lent, and far behind the best"
        ),
    ],
)
def test_what_comes_with_strong_evidence(found: list[Scored], expected: str) -> None:
    """T-66: dense or lexical; the others with weaker evidence, or beside one that has it, and not far behind."""
    assert "".join(passing(*found)) == expected
    reasons = {one.memory.id: reason for one, reason in split_by_evidence(found, GATE, HOSTS, counts_words=True)[1]}
    assert reasons == {one.memory.id: TOO_LITTLE for one in found if one.memory.id not in expected}


def test_switched_off_it_lets_everything_in() -> None:
    """T-66: `noise_gate.enabled: false`."""
    assert passing(scored("a", 0.0), scored("b", 0.0, relevance=0.0), gate=NoiseGate(enabled=False)) == ["a", "b"]


def test_by_meaning_alone_it_is_the_threshold() -> None:
    """E-80: with what a plan makes of the gate then; exactly the host's rule, and no other."""
    gate = GATE.model_copy(update={"strong_margin": 0.0, "least_relevance": 0.0})
    found = [scored("a", 0.7, relevance=0.7), scored("b", 0.69999, 1.0), scored("c", 1.0), scored("d", 0.0, lender="a")]
    assert passing(*found[:3], gate=gate, counts_words=False) == ["a", "c"]


share = st.floats(0, 1)
many = st.lists(
    st.builds(scored, st.sampled_from("abcdefgh"), share, share, share, st.none() | st.sampled_from("abcdefgh")),
    max_size=8,
    unique_by=lambda one: one.memory.id,
)


@given(many, share, st.booleans(), st.builds(NoiseGate, strong_margin=share, strong_coverage=share, coverage=share))
def test_no_memory_enters_without_evidence(
    found: list[Scored], threshold: float, counts_words: bool, gate: NoiseGate
) -> None:
    """T-66: nothing is lost or doubled; what enters is near, holds words, or stands beside one that does."""
    kept = passing(*found, gate=gate, threshold=threshold, counts_words=counts_words)
    by_id = {one.memory.id: one for one in found}

    def has_evidence(one: Scored) -> bool:
        covers = counts_words and one.candidate.coverage >= gate.coverage
        return one.candidate.similarity >= threshold or covers

    def is_strong(one: Scored) -> bool:
        covers = counts_words and one.candidate.coverage >= gate.strong_coverage
        return one.candidate.similarity >= threshold + gate.strong_margin or covers

    assert not kept or any(is_strong(one) for one in found)
    for memory_id in kept:
        one = by_id[memory_id]
        assert has_evidence(one) or (one.lender in by_id and has_evidence(by_id[one.lender]))
        assert one.relevance >= gate.least_relevance * max(other.relevance for other in found)


@given(many, share, share)
def test_a_stricter_threshold_lets_in_no_more(found: list[Scored], one: float, other: float) -> None:
    """E-04, T-66: where words do not count."""
    strict, loose = max(one, other), min(one, other)
    assert set(passing(*found, threshold=strict, counts_words=False)) <= set(
        passing(*found, threshold=loose, counts_words=False)
    )
