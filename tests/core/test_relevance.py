"""What speaks for a memory, and how relevant it is beside the others and what stands around it (T-66, E-80)."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from case_tables import read_cases
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.recall.lexical import Matches
from memory_ledger.recall.plan import MessageSentence
from memory_ledger.recall.relevance import (
    Columns,
    Found,
    Trees,
    fuse,
    look_around,
    measure_relevance,
    order_columns,
    read_models,
    weigh,
)

CASES = read_cases(__file__)

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


def test_the_best_has_all_of_it() -> None:
    """T-66: each step behind it counts the same, down to nothing six steps behind."""
    trees = Trees(["centred"], [[0, 0.2, -7.0, [0, 0.5, 0.0, 2.0]]])
    found = relevance({"centred": 1.0}, {"centred": 0.3}, {"centred": 0.1}, trees=trees)
    assert found == pytest.approx([1.0, 2.0 / 3.0, 0.0])
    assert relevance() == []


def test_near_and_worded_memories_come_first() -> None:
    strong = dict(similarity=0.85, centred=0.8, distinct=0.7, margin=6.0, gap=1.0, share=1.0, coverage=0.8)
    weak = dict(similarity=0.6, centred=0.1, distinct=0.1, margin=1.0, gap=-2.5, share=0.2, coverage=0.1)
    found = relevance(weak, strong)
    assert found[1] == 1.0 > found[0]


@given(candidates, st.sampled_from(["Ann?", "what do i like", "tea", ""]), st.randoms())
def test_relevance_is_a_share_whatever_the_order(
    found: list[tuple[str, dict[str, float]]], query: str, random: Any
) -> None:

    def measure(order: list[int]) -> list[float]:
        texts, figures = zip(*(found[at] for at in order), strict=True)
        return relevance(*figures, texts=list(texts), query=query)

    numbers = list(range(len(found)))
    measured = measure(numbers)
    assert all(0.0 <= value <= 1.0 for value in measured)
    random.shuffle(numbers)
    assert measure(numbers) == pytest.approx([measured[at] for at in numbers], abs=1e-9)


@pytest.mark.parametrize(("query", "expected"), CASES["whom_a_message_is_about"])
def test_whom_a_message_is_about(query: str, expected: str) -> None:
    """T-66: only the one person or thing that a message names and that memories are about."""
    texts = {"a": "Ann likes tea", "b": "Bob likes tea", "u": "User likes tea"}
    columns = order_columns(columns_of(*[{}] * len(texts)), list(texts.values()), query)
    assert "".join(one for one, is_about in zip(texts, columns["about"], strict=True) if is_about) == expected
    assert columns["about_other"].sum() == (2.0 if expected else 0.0)


def test_what_has_what_is_asked_for() -> None:
    texts = ["They moved last May", "They have moved house with cats"]
    dated = [order_columns(columns_of({}, {}), texts, query)["dated"].tolist() for query in ("When was it?", "Cats?")]
    assert dated == [[1.0, 0.0], [0.0, 0.0]]


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
    found, lender = around(2, [0, 0, 1, 2], {1: 0.9, 2: 0.3, 3: 0.9})
    assert {name for name, value in found.items() if value} == {"occasion"} and lender is None
    assert found["occasion"] == pytest.approx(0.1)


def test_an_answer_stands_right_behind_its_question() -> None:
    assert around(1, [0, 0, 0], {0: 0.8, 1: 0.1}, (0,))[0]["answered"] == 0.8
    assert around(1, [0, 0, 0], {0: 0.8, 1: 0.1})[0]["answered"] == 0.0
    assert around(2, [0, 0, 0], {0: 0.8, 1: 0.1}, (0,))[0]["answered"] == 0.0


def test_two_searches_are_fused_half_and_half() -> None:
    """T-66: each in 0..1; what is about equally near differs by nothing that counts."""
    assert fuse(np.array([0.9, 0.7, 0.5]), np.array([0.0, 1.0, 0.0])).tolist() == pytest.approx([0.5, 0.75, 0.0])
    assert fuse(np.array([0.6, 0.61]), np.array([0.0, 0.0])).tolist() == pytest.approx([0.0, 0.1])
    assert fuse(np.array([]), np.array([])).tolist() == []


ASKS, TELLS = MessageSentence("Who calls?", asks=True, is_own=False), MessageSentence("It rains.", False, False)


def found(
    similarities: list[list[float]] | None, scores: list[list[float]], *sentences: MessageSentence, **figures: Any
) -> Found:
    """Return what was found of a store of 500 memories with a usual similarity of .5."""
    words = np.array(scores, dtype=np.float64).reshape(len(sentences), -1)
    near = np.array(similarities or np.zeros((0, 0)), dtype=np.float64)
    coverage = words / 10.0
    return Found(
        **{
            "sentences": sentences,
            "similarities": near,
            "floors": np.tile([0.5, 0.05], (len(near), 1)),
            "centred": 4.0 * near - 2.4,
            "hubs": np.full(near.shape[-1], 0.1),
            "count": 500,
            "words": Matches(words, coverage, coverage, np.zeros_like(words)),
            "sizes": [4] * len(sentences),
        }
        | figures
    )


def likely(given_: Found, threshold: float = 0.7) -> float:
    return weigh(given_, read_models(), threshold)[0]


def test_without_a_sentence_nothing_is_evidence() -> None:
    nothing = replace(found(None, [[0.0] * 3], ASKS), sentences=(), words=Matches(*np.zeros((4, 0, 3))))
    assert {name: column.tolist() for name, column in weigh(nothing, read_models())[1].items() if column.any()} == {}
    assert likely(nothing) == 0.0


def test_what_the_whole_store_has_in_common_is_no_evidence() -> None:
    """T-66: every memory as near as every other one, however near, and no word in common."""
    flat = found([[0.75] * 8], [[0.0] * 8], ASKS, floors=np.array([[0.75, 0.01]]), hubs=np.full(8, 0.5))
    assert likely(flat) < 0.1


def test_what_is_near_is_likely() -> None:
    near, far = (likely(found([[similarity, 0.6]], [[0.0, 0.0]], ASKS)) for similarity in (0.85, 0.6))
    assert near > 0.5 > 0.1 > far


def test_what_is_near_to_everything_says_less() -> None:
    alone, hub = (likely(found([[0.75]], [[0.0]], ASKS, hubs=np.array([one]))) for one in (0.1, 0.4))
    assert alone > hub


def test_words_alone_are_evidence_where_no_vector_is_known() -> None:
    most, few = (likely(found(None, [[one, 0.0]], ASKS)) for one in (9.0, 1.0))
    assert most > 0.35 > few


def test_the_best_sentence_counts_and_not_the_length_of_the_message() -> None:
    alone, behind = found([[0.8]], [[5.0]], ASKS), found([[0.5], [0.8]], [[0.0], [5.0]], TELLS, ASKS)
    assert likely(behind) == likely(alone)
    columns, expected = (weigh(one, read_models())[1] for one in (behind, alone))
    assert columns == expected


def test_what_asks_is_heard_before_what_is_said_beside_it() -> None:
    """T-66: the same evidence counts less in a sentence that asks nothing."""
    asked, told = (likely(found([[0.75]], [[3.0]], one)) for one in (ASKS, TELLS))
    assert asked > told


def test_a_stricter_threshold_makes_a_memory_less_likely() -> None:
    one = found([[0.72, 0.6]], [[9.0, 0.0]], ASKS)
    assert likely(one, 0.9) < likely(one, 0.7)


@given(
    st.integers(1, 3).flatmap(
        lambda rows: st.tuples(
            *(
                st.lists(st.lists(st.floats(0, top), min_size=4, max_size=4), min_size=rows, max_size=rows)
                for top in (1.0, 9.0)
            )
        )
    ),
    st.booleans(),
)
def test_evidence_is_a_probability(values: tuple[list[list[float]], list[list[float]]], has_vectors: bool) -> None:
    near, words = values
    given_ = found(near if has_vectors else None, words, *[ASKS] * len(words))
    columns = weigh(given_, read_models())[1]
    assert {column.shape for column in columns.values()} == {(4,)}
    assert all(0.0 <= one <= 1.0 for one in columns["likely"])
    assert 0.0 <= likely(given_) <= 1.0
