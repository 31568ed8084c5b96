"""How relevant each candidate is beside the others, and what stands around it (T-66, E-80)."""

from typing import Any

import numpy as np
import pytest
from core_tools import memory
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.language.keys import iter_tokens, parse_tokens
from memory_ledger.recall.candidates import Candidate
from memory_ledger.recall.evidence import Evidence
from memory_ledger.recall.models import Trees, read_models
from memory_ledger.recall.relevance import asks, leading_word, measure_relevance, order_features
from memory_ledger.recall.surroundings import Neighbourhood, fuse, look_around

share = st.floats(0, 1)


def candidate(memory_id: str, text: str = "It rains.", place: int = 0, **figures: Any) -> Candidate:
    neighbours = Neighbourhood(**{name: figures.pop(name) for name in ("before", "lender") if name in figures})
    similarity = figures.pop("similarity", 0.6)
    return Candidate(
        memory=memory(memory_id, text=text),
        similarity=similarity,
        evidence=Evidence(**figures),
        neighbourhood=neighbours,
        place=place,
    )


def relevance(*found: Candidate, query: str = "", trees: Trees | None = None) -> dict[str, float]:
    measured = measure_relevance(found, query, trees or read_models().order)
    return {one.memory.id: given.value for one, given in zip(found, measured, strict=True)}


candidates = st.lists(
    st.builds(
        candidate,
        st.sampled_from("abcdefgh"),
        st.sampled_from(["Ann likes tea", "Does Ann like tea?", "Bob likes tea", "the user's cat", "", "?"]),
        st.integers(0, 9),
        similarity=share,
        centred=share,
        share=share,
        before=share,
        lender=st.none() | st.integers(0, 9),
    ),
    max_size=8,
    unique_by=(lambda one: one.memory.id, lambda one: one.place),
)


# --- the ranking ---------------------------------------------------------------------------------------------------


def test_the_best_has_all_of_it() -> None:
    """T-66: each step behind it counts the same, down to nothing six steps behind."""
    found = candidate("a", centred=1.0), candidate("b", centred=0.3), candidate("c", centred=0.1)
    trees = Trees(["centred"], [[0, 0.2, -7.0, [0, 0.5, 0.0, 2.0]]])
    assert relevance(*found, trees=trees) == pytest.approx({"a": 1.0, "b": 2.0 / 3.0, "c": 0.0})
    assert relevance() == {}


def test_trees_are_evaluated_all_at_once() -> None:
    """T-66: a leaf counts where all nodes above it turn its way; up to the threshold is low."""
    trees = Trees(["x", "y"], [[0, 0.5, [1, 2.0, 1.0, 10.0], 100.0], 1000.0])
    features = {"x": np.array([0.5, 0.0, 0.6]), "y": np.array([2.0, 3.0, 9.0])}
    assert trees.evaluate(features).tolist() == [1001.0, 1010.0, 1100.0]


def test_near_and_worded_memories_come_first() -> None:
    """T-66: with the weights that were learnt."""
    strong = candidate("a", similarity=0.85, centred=0.8, distinct=0.7, margin=6.0, gap=1.0, share=1.0, coverage=0.8)
    weak = candidate("b", similarity=0.6, centred=0.1, distinct=0.1, margin=1.0, gap=-2.5, share=0.2, coverage=0.1)
    found = relevance(weak, strong)
    assert found["a"] == 1.0 > found["b"]


@given(candidates, st.sampled_from(["Ann?", "what do i like", "tea", ""]), st.randoms())
def test_relevance_is_a_share_whatever_the_order(found: list[Candidate], query: str, random: Any) -> None:
    """T-66: in 0..1; equal input gives equal output in whatever order; who lends is one of them."""
    measured = relevance(*found, query=query)
    assert all(0.0 <= value <= 1.0 for value in measured.values())
    shuffled = list(found)
    random.shuffle(shuffled)
    assert relevance(*shuffled, query=query) == pytest.approx(measured, abs=1e-9)
    lenders = {one.lender for one in measure_relevance(found, query, read_models().order)}
    assert lenders <= {None, *(one.memory.id for one in found)}


# --- who a message names, and what it asks for ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param("what does it like", "", id="no name"),
        pytest.param("what do Ann and Bob like", "", id="several"),
        pytest.param("what does Carla like", "", id="nobody that a memory is about"),
        pytest.param("what do Ann and Carla like", "a", id="of two the one that is known"),
        pytest.param("What does Bob like?", "b", id="a name"),
        pytest.param("what do i like", "u", id="the user"),
    ],
)
def test_whom_a_message_is_about(query: str, expected: str) -> None:
    """T-66: only the one person or thing that a message names and that memories are about."""
    texts = {"a": "Ann likes tea", "b": "Bob likes tea", "u": "User likes tea"}
    columns = order_features([candidate(one, text) for one, text in texts.items()], query)
    assert "".join(one for one, is_about in zip(texts, columns["about"], strict=True) if is_about) == expected
    assert columns["about_other"].sum() == (2.0 if expected else 0.0)


@pytest.mark.parametrize(
    ("query", "column", "text"),
    [("When did we move?", "dated", "They moved last May"), ("How many cats?", "counted", "There are three cats")],
)
def test_what_has_what_is_asked_for(query: str, column: str, text: str) -> None:
    """T-66: a time for who asks when, a number for who asks how many."""
    found = [candidate("a", text), candidate("b", "They have moved house with cats")]
    assert order_features(found, query)[column].tolist() == [1.0, 0.0]
    assert order_features(found, "Cats?")[column].tolist() == [0.0, 0.0]


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


# --- what stands around a memory -----------------------------------------------------------------------------------


def around(place: int, occasions: list[int], fused: dict[int, float], questions: tuple[int, ...] = ()) -> Neighbourhood:
    shares = np.array([fused.get(one, 0.0) for one in range(len(occasions))])
    (found,) = look_around([place], np.array(occasions), fused, shares, questions.__contains__)
    return found


def test_what_was_written_on_the_same_occasion() -> None:
    """T-66: just before and after, two away, up to eight away; who is best lends."""
    fused = {0: 0.1, 1: 0.2, 2: 0.3, 3: 0.9, 4: 0.4, 9: 0.6}
    found = around(2, [0] * 10, fused)
    assert (found.before, found.after, found.second, found.around, found.lender) == (0.2, 0.9, 0.4, 0.9, 3)
    assert found.occasion == pytest.approx((0.9 + 0.6 + 0.4) / 3)
    assert around(2, [0] * 10, {2: 1.0}).lender is None


def test_another_occasion_lends_nothing() -> None:
    """T-66: however close it stands."""
    found = around(2, [0, 0, 1, 2], {1: 0.9, 2: 0.3, 3: 0.9})
    assert found == Neighbourhood(occasion=pytest.approx(0.1))


def test_an_answer_stands_right_behind_its_question() -> None:
    """T-66: not before it, and not two behind it."""
    assert around(1, [0, 0, 0], {0: 0.8, 1: 0.1}, (0,)).answered == 0.8
    assert around(1, [0, 0, 0], {0: 0.8, 1: 0.1}).answered == 0.0
    assert around(2, [0, 0, 0], {0: 0.8, 1: 0.1}, (0,)).answered == 0.0


def test_two_searches_are_fused_half_and_half() -> None:
    """T-66: each in 0..1; what is about equally near differs by nothing that counts."""
    assert fuse(np.array([0.9, 0.7, 0.5]), np.array([0.0, 1.0, 0.0])).tolist() == pytest.approx([0.5, 0.75, 0.0])
    assert fuse(np.array([0.6, 0.61]), np.array([0.0, 0.0])).tolist() == pytest.approx([0.0, 0.1])
    assert fuse(np.array([]), np.array([])).tolist() == []


def test_tokens_one_by_one_are_those_of_the_whole() -> None:
    """T-66: a memory is led by the same word however much of it is read."""
    text = "The two-week plan of 3 pm costs €5, see node-2.lab.example and /var/run"
    assert tuple(iter_tokens(text)) == parse_tokens(text)
    assert leading_word(text) == next(one for one in parse_tokens(text) if one.keys and one.low != "the").keys[0]
