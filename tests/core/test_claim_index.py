"""The index of claims finds what their comparison calls a contradiction, and what speaks of one thing (C-37, C-39)."""

from itertools import product

import pytest
from case_tables import read_cases
from core_tools import memory
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.claims import Claim, Relation, Value, ValueKind, compare_claims, compare_texts, extract_claims
from memory_ledger.ledger.claim_index import ClaimIndex
from memory_ledger.ledger.resolve import speak_of_the_same
from rows import every_row

CASES = read_cases(__file__)

TEXTS = CASES["texts"]


def index_of(texts: dict[str, str]) -> ClaimIndex:
    """Return an index of `texts` by id."""
    index = ClaimIndex()
    for memory_id, text in texts.items():
        index.add(memory_id, extract_claims(text))
    return index


@every_row(product(TEXTS, repeat=2))
def test_every_contradiction_is_a_candidate(older: str, newer: str) -> None:
    if compare_texts(older, newer).relation is Relation.CONTRADICTS:
        assert index_of({"old": older}).candidates(extract_claims(newer)) == ["old"]
        assert index_of({"new": newer}).candidates(extract_claims(older)) == ["new"]


@pytest.mark.parametrize(("known", "asked"), CASES["what_contradicts_nothing_is_no_candidate"])
def test_what_contradicts_nothing_is_no_candidate(known: str, asked: str) -> None:
    """C-43: a list may grow without every member being compared with every other."""
    index = index_of({"known": known})
    assert index.candidates(extract_claims(asked)) == []
    assert index.contradictable(["known"], extract_claims(asked)) == []


@pytest.mark.parametrize(
    ("known", "asked", "is_compared"), CASES["what_ends_something_is_compared_with_what_tells_of_it"]
)
def test_what_ends_something_is_compared_with_what_tells_of_it(known: str, asked: str, is_compared: bool) -> None:
    """C-37, C-40, C-43: whatever holds all words of what ends, and of what it is ended for."""
    assert index_of({"known": known}).contradictable(["known"], extract_claims(asked)) == ["known"] * is_compared


def test_a_table_may_give_a_relation_one_value() -> None:
    """C-39: where a slot of the settings bears the name of a relation, two of its values contradict each other."""
    one, other = (Claim("ann", "supports", Value(ValueKind.NAME, name, (name,))) for name in ("ajax", "celtic"))
    assert compare_claims([one], [other]).relation is Relation.CONTRADICTS
    index = ClaimIndex()
    index.add("known", [one])
    assert index.candidates([other]) == ["known"]


def test_a_hot_subject_costs_no_more_than_what_speaks_against_it() -> None:
    """C-37: of thousands of things that somebody likes, or says again and again, only the one denied is compared."""
    texts = {f"m{number}": f"The user likes tea number {number}" for number in range(2_000)}
    texts |= {f"d{number}": "The user lives in Oslo" for number in range(400)} | {"lisbon": "The user lives in Lisbon"}
    texts |= {f"e{number}": "The user lives in Oslo" for number in range(400)}
    index = index_of(texts)
    assert index.candidates(extract_claims("The user no longer likes tea number 7")) == ["m7"]
    assert index.candidates(extract_claims("The user likes tea number 7")) == []
    assert index.candidates(extract_claims("The user lives in Oslo")) == ["lisbon"]


def test_what_all_say_is_not_looked_at_and_what_one_does_not_is_found() -> None:
    """C-37: the count of who says the same follows every change; the oldest of many is found by what it says else."""
    index = index_of(
        {"first": "The user lives in Lisbon"} | {f"m{number}": "The user lives in Oslo" for number in range(9)}
    )
    asked = extract_claims("The user lives in Oslo")
    assert index.candidates(asked) == ["first"]
    index.add("first", asked)
    assert index.candidates(asked) == []
    index.add("m4", extract_claims("The user lives in Bergen"))
    assert index.candidates(asked) == ["m4"]
    index.remove("m4")
    assert index.candidates(asked) == []


def test_the_newest_fifty_are_compared() -> None:
    """C-37, Q-19: newest first; what was entered again is the newest; a removed one is not found."""
    index = index_of({f"m{number}": f"The port of the shop is {8000 + number}" for number in range(60)})
    index.add("m3", extract_claims("The port of the shop is 8003"))
    index.remove("m58")
    index.remove("nobody")
    found = index.candidates(extract_claims("The port of the shop is 1"))
    assert found[:3] == ["m3", "m59", "m57"]
    assert (len(found), len(index)) == (50, 59)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from([*TEXTS, ""])), max_size=20))
def test_order_of_changes_leaves_no_trace(steps: list[tuple[str, str]]) -> None:
    """C-37: an index after any adding and removing is the one of what is left."""
    index, left = ClaimIndex(), {}
    for memory_id, text in steps:
        left.pop(memory_id, None)
        if text:
            index.add(memory_id, extract_claims(text))
            left[memory_id] = text
        else:
            index.remove(memory_id)
    fresh = index_of(left)
    for text in TEXTS:
        assert index.candidates(extract_claims(text)) == fresh.candidates(extract_claims(text))


@every_row([*((*pair, False) for pair in CASES["apart"]), *((*pair, True) for pair in CASES["same"])])
def test_one_subject(older: str, newer: str, expected: bool) -> None:
    """T-43, C-39: as in a comparison, in either order; where no subject is read, nothing is the same."""
    texts = [memory("a", text=older), memory("b", text=newer)]
    assert speak_of_the_same(*texts) is expected
    assert speak_of_the_same(*reversed(texts)) is expected
