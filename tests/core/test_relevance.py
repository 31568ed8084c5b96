"""How relevant each candidate is: two searches fused, then what stands around it (T-66, E-80)."""

from datetime import timedelta
from typing import Any

import pytest
from core_tools import NOW, memory
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.recall.candidates import Candidate
from memory_ledger.recall.relevance import asks, leading_word, measure_relevance
from memory_ledger.setting_groups import Context, Lexical

ALONE = Context(enabled=False)
QUIET = {"subject_boost": 0.0, "question_penalty": 0.0}


def candidate(memory_id: str, similarity: float = 0.5, lexical: float = 0.0, **fields: Any) -> Candidate:
    found = {key: fields.pop(key) for key in ("place", "is_found", "coverage") if key in fields}
    return Candidate(memory=memory(memory_id, **fields), similarity=similarity, lexical=lexical, **found)


def relevance(
    *found: Candidate, query: str = "", context: Context = ALONE, lexical: Lexical | None = None
) -> dict[str, float]:
    measured = measure_relevance(found, query, lexical or Lexical(), context)
    return {one.memory.id: given.value for one, given in zip(found, measured, strict=True)}


def lenders(*found: Candidate, **context: Any) -> dict[str, str | None]:
    measured = measure_relevance(found, "", Lexical(), Context.model_validate(QUIET | context))
    return {one.memory.id: given.lender for one, given in zip(found, measured, strict=True)}


share = st.floats(0, 1)
candidates = st.lists(
    st.builds(
        candidate,
        st.sampled_from("abcdefgh"),
        share,
        st.floats(0, 30),
        place=st.integers(0, 9),
        is_found=st.booleans(),
        text=st.sampled_from(["Ann likes tea", "Does Ann like tea?", "Bob likes tea", "the user's cat", "", "?"]),
        at=st.sampled_from([NOW, NOW + timedelta(minutes=59), NOW - timedelta(days=2)]),
    ),
    max_size=8,
    unique_by=(lambda one: one.memory.id, lambda one: one.place),
)


# --- what must not change ------------------------------------------------------------------------------------------


@given(candidates, st.booleans())
def test_without_words_it_is_the_similarity_to_the_digit(found: list[Candidate], has_context: bool) -> None:
    """E-80: `lexical.enabled: false`, whatever stands around a memory; nobody lends."""
    measured = measure_relevance(found, "Ann?", Lexical(enabled=False), Context(enabled=has_context))
    assert [(one.value, one.lender) for one in measured] == [(one.similarity, None) for one in found]


@pytest.mark.parametrize(
    ("context", "fields"),
    [
        pytest.param({}, {"place": 14}, id="too far apart"),
        pytest.param({}, {"place": 11, "at": NOW + timedelta(minutes=61)}, id="another occasion"),
        pytest.param({"neighbour_minutes": 5}, {"place": 11, "at": NOW + timedelta(minutes=6)}, id="as configured"),
        pytest.param({"neighbour_share": 0.0}, {"place": 11}, id="no share"),
        pytest.param({"enabled": False}, {"place": 11}, id="switched off"),
    ],
)
def test_nothing_is_lent(context: dict[str, Any], fields: dict[str, Any]) -> None:
    """T-66: each memory by itself."""
    pair = candidate("best", 0.9, 5.0, place=10), candidate("other", 0.5, 0.0, **fields)
    assert relevance(*pair, context=Context.model_validate(QUIET | context))["other"] == 0.0


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("what does it like", id="no name"),
        pytest.param("what do Ann and Bob like", id="several"),
        pytest.param("what does Carla like", id="nobody that a memory is about"),
    ],
)
def test_no_subject(query: str) -> None:
    """T-66: only the one person or thing that a message names and that memories are about."""
    pair = candidate("a", 0.9, text="Ann likes tea"), candidate("b", 0.5, text="Bob likes tea")
    assert relevance(*pair, query=query, context=Context()) == {"a": 1.0, "b": 0.0}


# --- fusion --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weight", "expected"),
    [
        pytest.param(0.0, {"near": 1.0, "worded": 0.5, "neither": 0.0}, id="meaning alone"),
        pytest.param(0.5, {"near": 0.5, "worded": 0.75, "neither": 0.05}, id="half and half"),
        pytest.param(1.0, {"near": 0.0, "worded": 1.0, "neither": 0.1}, id="words alone"),
    ],
)
def test_fusion_is_min_max(weight: float, expected: dict[str, float]) -> None:
    """T-66: each search in 0..1 over what was found, then weighted."""
    found = candidate("near", 0.9), candidate("worded", 0.7, 20.0), candidate("neither", 0.5, 2.0)
    assert relevance(*found, lexical=Lexical(weight=weight)) == pytest.approx(expected)


def test_what_no_search_found_moves_no_scale() -> None:
    """T-66: it stands beside a find; better or worse than all of them it stays in 0..1."""
    found = candidate("a", 0.9, 4.0), candidate("b", 0.5, 2.0)
    beside = candidate("low", 0.1, 0.0, is_found=False), candidate("high", 1.0, 9.0, is_found=False)
    measured = relevance(*found, *beside)
    assert {one: measured[one] for one in "ab"} == relevance(*found) == {"a": 1.0, "b": 0.25}
    assert (measured["low"], measured["high"]) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param([], {}, id="nothing found"),
        pytest.param([candidate("a", 0.9)], {"a": 0.5}, id="one, without words"),
        pytest.param([candidate("a", 0.9, 3.0)], {"a": 1.0}, id="one, with words"),
        pytest.param([candidate("a", 0.8, 3.0), candidate("b", 0.8, 1.5)], {"a": 1.0, "b": 0.75}, id="equally near"),
        pytest.param([candidate("a", 0.9), candidate("b", 0.75)], {"a": 0.5, "b": 0.25}, id="the farthest is near"),
        pytest.param([candidate("a", 0.6)], {"a": 0.0}, id="as far as strangers are"),
        pytest.param([candidate("a", 0.3)], {"a": 0.0}, id="farther than strangers are"),
    ],
)
def test_fusion_of_a_few(found: list[Candidate], expected: dict[str, float]) -> None:
    """T-66: no division by nothing, and who is near stays near where all are."""
    assert relevance(*found) == pytest.approx(expected)


# --- what stands around it -----------------------------------------------------------------------------------------

BEST = candidate("best", 0.9, 5.0, place=10)


@pytest.mark.parametrize(("place", "expected"), [(11, 0.3), (9, 0.3), (12, 0.2), (8, 0.2)])
def test_share_of_a_neighbour(place: int, expected: float) -> None:
    """T-66: those written next to the best get a share of it, the next but one two thirds of that."""
    other = candidate("other", 0.5, 0.0, place=place)
    assert relevance(BEST, other, context=Context.model_validate(QUIET))["other"] == pytest.approx(expected)
    assert lenders(BEST, other)["other"] == "best"


def test_an_answer_gets_more_of_its_question() -> None:
    """T-66: what was written right after a question, and not what was written before it."""
    question = candidate("best", 0.9, 5.0, place=10, text="Where does Ann live?")
    around = candidate("before", 0.5, place=9), candidate("answer", 0.5, place=11)
    measured = relevance(question, *around, context=Context.model_validate(QUIET))
    assert measured == pytest.approx({"best": 1.0, "before": 0.3, "answer": 0.6})


def test_the_best_offer_counts_and_names_its_lender() -> None:
    """T-66: shares are not added up; equal offers end with the id."""
    found = candidate("a", 0.9, place=9), candidate("mid", 0.5, place=10), candidate("b", 0.9, place=11)
    assert relevance(*found, context=Context.model_validate(QUIET))["mid"] == pytest.approx(0.25)
    assert lenders(*found)["mid"] == lenders(*reversed(found))["mid"] == "b"


def test_subject_of_the_message_is_preferred() -> None:
    """T-66: the one that the message names; "my" is the user's."""
    found = [candidate("a", 0.5, text="Ann likes tea"), candidate("b", 0.5, text="Bob likes tea")]
    assert relevance(*found, query="What does Bob like?", context=Context()) == {"a": 0.0, "b": 1.0}
    found.append(candidate("u", 0.5, text="User likes tea"))
    assert relevance(*found, query="what do i like", context=Context()) == {"a": 0.0, "b": 0.0, "u": 1.0}


def test_what_only_asks_loses() -> None:
    """T-66: a question is no answer; it never falls below 0."""
    found = candidate("says", 0.9, 5.0), candidate("asks", 0.9, 5.0, text="Which port?"), candidate("none", text="Eh?")
    measured = relevance(*found, context=Context(neighbour_share=0.0, answer_share=0.0))
    assert measured == pytest.approx({"says": 1.0, "asks": 0.9, "none": 0.0})


@given(candidates, st.sampled_from(["Ann?", "what do i like", "tea", ""]), st.randoms())
def test_relevance_is_a_share_whatever_the_order(found: list[Candidate], query: str, random: Any) -> None:
    """T-66: in 0..1; equal input gives equal output in whatever order; nobody lends to itself."""
    measured = relevance(*found, query=query, context=Context())
    assert all(0.0 <= value <= 1.0 for value in measured.values())
    shuffled = list(found)
    random.shuffle(shuffled)
    assert relevance(*shuffled, query=query, context=Context()) == pytest.approx(measured, abs=1e-12)
    known = {one.memory.id for one in found}
    assert lenders(*found) == lenders(*shuffled)
    assert all(lender is None or (lender in known and lender != one) for one, lender in lenders(*found).items())


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("the user's cat", "user"),
        ("The cat of Ann", "cat"),
        ("Ann likes tea", "ann"),
        ("", None),
        ("...", None),
        ("the", None),
    ],
)
def test_leading_word(text: str, word: str | None) -> None:
    """T-66: who speaks, or whom or what it is about."""
    assert leading_word(text) == word


def test_asks() -> None:
    """T-66: a text that ends as a question."""
    assert asks("Which port? \n")
    assert not asks("Which port? 8443")
