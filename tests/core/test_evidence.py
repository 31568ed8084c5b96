"""What speaks for a memory, and how likely any of them bears on a message (T-66)."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.recall.lexical import Matches
from memory_ledger.recall.plan import MessageSentence
from memory_ledger.recall.relevance import Found, Logistic, Models, Trees, read_models, weigh

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


# --- what must not change ------------------------------------------------------------------------------------------


def test_without_a_sentence_nothing_is_evidence() -> None:
    """T-66: a message that says nothing brings nothing."""
    nothing = replace(found(None, [[0.0] * 3], ASKS), sentences=(), words=Matches(*np.zeros((4, 0, 3))))
    assert {name: column.tolist() for name, column in weigh(nothing, read_models())[1].items() if column.any()} == {}
    assert likely(nothing) == 0.0


def test_what_the_whole_store_has_in_common_is_no_evidence() -> None:
    """T-66: every memory as near as every other one, however near, and no word in common."""
    flat = found([[0.75] * 8], [[0.0] * 8], ASKS, floors=np.array([[0.75, 0.01]]), hubs=np.full(8, 0.5))
    assert likely(flat) < 0.1


# --- what is evidence ----------------------------------------------------------------------------------------------


def test_what_is_near_is_likely() -> None:
    """T-66: far above the rest of the store, and not in its middle."""
    near, far = (likely(found([[similarity, 0.6]], [[0.0, 0.0]], ASKS)) for similarity in (0.85, 0.6))
    assert near > 0.5 > 0.1 > far


def test_what_is_near_to_everything_says_less() -> None:
    """T-66: a memory in the middle of the store is near to any message."""
    alone, hub = (likely(found([[0.75]], [[0.0]], ASKS, hubs=np.array([one]))) for one in (0.1, 0.4))
    assert alone > hub


def test_words_alone_are_evidence_where_no_vector_is_known() -> None:
    """E-80: most of a question, by rarity."""
    most, few = (likely(found(None, [[one, 0.0]], ASKS)) for one in (9.0, 1.0))
    assert most > 0.35 > few


def test_the_best_sentence_counts_and_not_the_length_of_the_message() -> None:
    """T-66: behind chat a memory is as likely as for the question alone."""
    alone, behind = found([[0.8]], [[5.0]], ASKS), found([[0.5], [0.8]], [[0.0], [5.0]], TELLS, ASKS)
    assert likely(behind) == likely(alone)
    columns, expected = (weigh(one, read_models())[1] for one in (behind, alone))
    assert columns == expected


def test_what_asks_is_heard_before_what_is_said_beside_it() -> None:
    """T-66: the same evidence counts less in a sentence that asks nothing."""
    asked, told = (likely(found([[0.75]], [[3.0]], one)) for one in (ASKS, TELLS))
    assert asked > told


def test_a_stricter_threshold_makes_a_memory_less_likely() -> None:
    """E-04: by so much more similarity."""
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
    """T-66: in 0..1, one for each candidate."""
    near, words = values
    given_ = found(near if has_vectors else None, words, *[ASKS] * len(words))
    columns = weigh(given_, read_models())[1]
    assert {column.shape for column in columns.values()} == {(4,)}
    assert all(0.0 <= one <= 1.0 for one in columns["likely"])
    assert 0.0 <= likely(given_) <= 1.0


def test_a_model_weighs_what_it_names() -> None:
    """T-66: a logistic function of a weighted sum."""
    models = Models(Logistic(0.0, {"similarity": 1.0}), Logistic(-99.0, {"coverage": 0.0}), Trees([], [0.0]))
    one = found([[0.8]], [[0.0]], ASKS)
    assert weigh(one, models)[0] == pytest.approx(1.0 / (1.0 + np.exp(-1.0)))
    columns = weigh(one, models)[1]
    figures = [columns[name].item() for name in ("centred", "hub", "distinct")]
    assert figures == pytest.approx((0.8, 0.097, 0.503), abs=0.001)
