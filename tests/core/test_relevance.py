"""How relevant each candidate is beside the others, and what stands around it (T-66, E-80)."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.language.keys import iter_tokens, parse_tokens
from memory_ledger.recall.relevance import (
    Columns,
    Trees,
    asks,
    fuse,
    leading_word,
    look_around,
    measure_relevance,
    order_columns,
    read_models,
)

share = st.floats(0, 1)
EVIDENCE = ("centred", "hub", "distinct", "margin", "gap", "share", "coverage", "rarest", "named")
AROUND = ("before", "after", "second", "around", "answered", "occasion")


def columns_of(*found: dict[str, float]) -> Columns:
    """Return the columns of candidates of which only some figures are given."""
    usual = dict.fromkeys((*EVIDENCE, *AROUND, "kinship"), 0.0) | {"similarity": 0.6}
    return {name: np.array([one.get(name, value) for one in found], dtype=np.float64) for name, value in usual.items()}


def relevance(
    *found: dict[str, float], texts: list[str] | None = None, query: str = "", trees: Trees | None = None
) -> list[float]:
    given_texts = texts or ["It rains."] * len(found)
    values, shares = measure_relevance(columns_of(*found), given_texts, query, trees or read_models().order)
    assert sum(shares) == pytest.approx(1.0 if found else 0.0)
    return values.tolist()


candidates = st.lists(
    st.tuples(
        st.sampled_from(["Ann likes tea", "Does Ann like tea?", "Bob likes tea", "the user's cat", "", "?"]),
        st.fixed_dictionaries({name: share for name in ("similarity", "centred", "share", "before")}),
    ),
    min_size=1,
    max_size=8,
)


# --- the ranking ---------------------------------------------------------------------------------------------------


def test_the_best_has_all_of_it() -> None:
    """T-66: each step behind it counts the same, down to nothing six steps behind."""
    trees = Trees(["centred"], [[0, 0.2, -7.0, [0, 0.5, 0.0, 2.0]]])
    found = relevance({"centred": 1.0}, {"centred": 0.3}, {"centred": 0.1}, trees=trees)
    assert found == pytest.approx([1.0, 2.0 / 3.0, 0.0])
    assert relevance() == []


def test_trees_are_evaluated_all_at_once() -> None:
    """T-66: a leaf counts where all nodes above it turn its way; up to the threshold is low."""
    trees = Trees(["x", "y"], [[0, 0.5, [1, 2.0, 1.0, 10.0], 100.0], 1000.0])
    features = {"x": np.array([0.5, 0.0, 0.6]), "y": np.array([2.0, 3.0, 9.0])}
    assert trees.evaluate(features).tolist() == [1001.0, 1010.0, 1100.0]


def test_near_and_worded_memories_come_first() -> None:
    """T-66: with the weights that were learnt."""
    strong = dict(similarity=0.85, centred=0.8, distinct=0.7, margin=6.0, gap=1.0, share=1.0, coverage=0.8)
    weak = dict(similarity=0.6, centred=0.1, distinct=0.1, margin=1.0, gap=-2.5, share=0.2, coverage=0.1)
    found = relevance(weak, strong)
    assert found[1] == 1.0 > found[0]


@given(candidates, st.sampled_from(["Ann?", "what do i like", "tea", ""]), st.randoms())
def test_relevance_is_a_share_whatever_the_order(
    found: list[tuple[str, dict[str, float]]], query: str, random: Any
) -> None:
    """T-66: in 0..1; equal input gives equal output in whatever order."""

    def measure(order: list[int]) -> list[float]:
        texts, figures = zip(*(found[at] for at in order), strict=True)
        return relevance(*figures, texts=list(texts), query=query)

    numbers = list(range(len(found)))
    measured = measure(numbers)
    assert all(0.0 <= value <= 1.0 for value in measured)
    random.shuffle(numbers)
    assert measure(numbers) == pytest.approx([measured[at] for at in numbers], abs=1e-9)


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
    columns = order_columns(columns_of(*[{}] * len(texts)), list(texts.values()), query)
    assert "".join(one for one, is_about in zip(texts, columns["about"], strict=True) if is_about) == expected
    assert columns["about_other"].sum() == (2.0 if expected else 0.0)


def test_what_has_what_is_asked_for() -> None:
    """T-66: a time for who asks when."""
    texts = ["They moved last May", "They have moved house with cats"]
    dated = [order_columns(columns_of({}, {}), texts, query)["dated"].tolist() for query in ("When was it?", "Cats?")]
    assert dated == [[1.0, 0.0], [0.0, 0.0]]


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


def around(
    place: int, occasions: list[int], fused: dict[int, float], questions: tuple[int, ...] = ()
) -> tuple[dict[str, float], int | None]:
    lent = np.array([fused.get(one, 0.0) for one in range(len(occasions))])
    columns, (lender,) = look_around([place], np.array(occasions), lent, lent, questions.__contains__)
    return {name: column.item() for name, column in columns.items()}, lender


def test_what_was_written_on_the_same_occasion() -> None:
    """T-66: just before and after, two away, up to eight away; who is best lends."""
    found, lender = around(2, [0] * 12, {0: 0.1, 1: 0.2, 2: 0.3, 3: 0.9, 4: 0.4, 9: 0.6, 11: 1.0})
    assert (found["before"], found["after"], found["second"], found["around"], lender) == (0.2, 0.9, 0.4, 0.9, 3)
    assert found["occasion"] == pytest.approx((1.0 + 0.9 + 0.6) / 3)
    assert around(2, [0] * 12, {10: 0.5, 11: 1.0})[0]["around"] == 0.5
    assert around(2, [0] * 10, {2: 1.0})[1] is None
    assert around(2, [0] * 10, {1: 0.5, 3: 0.5})[1] == 3


def test_another_occasion_lends_nothing() -> None:
    """T-66: however close it stands."""
    found, lender = around(2, [0, 0, 1, 2], {1: 0.9, 2: 0.3, 3: 0.9})
    assert {name for name, value in found.items() if value} == {"occasion"} and lender is None
    assert found["occasion"] == pytest.approx(0.1)


def test_an_answer_stands_right_behind_its_question() -> None:
    """T-66: not before it, and not two behind it."""
    assert around(1, [0, 0, 0], {0: 0.8, 1: 0.1}, (0,))[0]["answered"] == 0.8
    assert around(1, [0, 0, 0], {0: 0.8, 1: 0.1})[0]["answered"] == 0.0
    assert around(2, [0, 0, 0], {0: 0.8, 1: 0.1}, (0,))[0]["answered"] == 0.0


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
