"""What is at odds stands side by side in the prompt, dated, the newest last (C-96)."""

from datetime import timedelta

import pytest
from core_tools import AGENT, NOW, memory
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.recall.rank import Rival, find_origins, order_by_standing, put_beside
from memory_ledger.recall.selection import Candidate, Selection, join_texts
from memory_ledger.records import Memory


def said(name: str, text: str, hours: int) -> Candidate:
    found = memory(name, text, at=NOW + timedelta(hours=hours))
    return Candidate(memory=found, similarity=0.9, relevance=0.9, recency=1.0, score=0.9)


OLD, NEW = said("old", "The port is 8080.", 0), said("new", "The port is 8443.", 48)
TEA, TEN = said("tea", "User likes tea.", 1), said("ten", "The port is 8010.", 2)


def ids(selection: Selection) -> list[str]:
    return [one.memory.id for one in selection.memories]


def test_a_rival_that_was_not_found_comes_along_and_the_newest_is_last() -> None:
    """C-96: whichever of the two a search has found, both are shown, together."""
    for found, other in ((OLD, NEW), (NEW, OLD)):
        chosen = put_beside(Selection(memories=(found, TEA)), {found.memory.id: [Rival(other)]}, limit=8)
        assert ids(chosen) == ["old", "new", "tea"]
        assert chosen.contested == {"old", "new"}


def test_both_are_shown_with_their_dates() -> None:
    """C-96: the day; and the time where both were said on one day."""
    chosen = put_beside(Selection(memories=(OLD, TEA)), {"old": [Rival(NEW)]}, limit=8)
    assert join_texts(chosen.memories, chosen).split("\n\n") == [
        "[contested, 2026-03-01 user] The port is 8080.",
        "[contested, 2026-03-03 user] The port is 8443.",
        "User likes tea.",
    ]
    same_day = put_beside(Selection(memories=(OLD,)), {"old": [Rival(TEN)]}, limit=8)
    assert "[contested, 2026-03-01 14:00 user] The port is 8010." in join_texts(same_day.memories, same_day)


def test_what_is_only_possible_says_who_said_it_and_leaves_a_contradiction_its_mark() -> None:
    """C-96: the older first; a memory that contradicts one and looks at odds with another is contested."""
    only = put_beside(Selection(memories=(NEW, TEA)), {"new": [Rival(OLD, is_possible=True)]}, limit=8)
    assert join_texts(only.memories, only).split("\n\n") == [
        "[at odds? 2026-03-01 user] The port is 8080.",
        "[at odds? 2026-03-03 user] The port is 8443.",
        "User likes tea.",
    ]
    both = put_beside(Selection(memories=(NEW,)), {"new": [Rival(OLD), Rival(TEN, is_possible=True)]}, limit=8)
    assert (both.contested, both.possible) == ({"old", "ten", "new"}, {"ten"})


@pytest.mark.parametrize(
    ("before", "last"),
    [
        ("User runs 5 km each morning.", "User currently runs 8 km every morning."),
        ("The daughter is taught by Adeyemi.", "The daughter is taught by Okafor."),
        ("The database of Orchard is in Dublin.", "The database of Orchard runs a nightly dump."),
    ],
)
def test_of_one_thing_what_was_said_last_stands_last(before: str, last: str) -> None:
    """C-47: whichever a search finds first; what is of another thing keeps its place."""
    one, two = said("one", before, 0), said("two", last, 1)
    assert ids(order_by_standing(Selection(memories=(two, one, TEA)))) == ["one", "two", "tea"]
    assert ids(order_by_standing(Selection(memories=(TEA, two, one)))) == ["tea", "one", "two"]
    assert ids(order_by_standing(Selection(memories=(two, TEA)))) == ["two", "tea"]


def test_without_rivals_nothing_changes() -> None:
    """C-57: order and texts are those of the selection."""
    chosen = put_beside(Selection(memories=(TEA, OLD)), {}, limit=8)
    assert (ids(chosen), chosen.contested, join_texts(chosen.memories)) == (
        ["tea", "old"],
        frozenset(),
        "User likes tea.\n\nThe port is 8080.",
    )


@given(st.integers(2, 8), st.integers(1, 8))
def test_the_cap_holds_and_of_two_at_odds_neither_goes_alone(limit: int, count: int) -> None:
    """C-58: what is pushed over the cap is named as left out, and is none of the two."""
    others = tuple(said(f"m{number}", f"Note {number}.", number) for number in range(count))
    before = (*others[: limit - 1], OLD)
    chosen = put_beside(Selection(memories=before), {"old": [Rival(NEW)]}, limit=limit)
    assert len(chosen.memories) <= limit
    assert {"old", "new"} <= set(ids(chosen))
    left = {one.memory.id for one, _ in chosen.left_out}
    assert left | set(ids(chosen)) == {one.memory.id for one in (*before, NEW)}
    assert not left & {"old", "new"}


def test_every_memory_says_when_it_was_said() -> None:
    """C-47: what a memory reports counts from when it was said, not from when it was written."""
    late = memory("late", "The port is 1.", at=NOW + timedelta(days=9), lineage={"stated_at": NOW})
    assert isinstance(late, Memory)
    scored = Candidate(memory=late, similarity=0.9, relevance=0.9, recency=1.0, score=0.9)
    chosen = put_beside(Selection(memories=(NEW,)), {"new": [Rival(scored)]}, limit=8)
    assert ids(chosen) == ["late", "new"]


ALLERGY = said("allergy", "User is allergic to penicillin.", 0)


def claimed(text: str) -> Candidate:
    found = memory("claim", text, source=AGENT, at=NOW + timedelta(hours=1))
    return Candidate(memory=found, similarity=0.9, relevance=0.9, recency=1.0, score=0.9)


@pytest.mark.parametrize(
    "text", ['The user said: "I am not allergic to penicillin."', "User is allergic to amoxicillin."]
)
def test_a_claim_about_what_the_user_said_does_not_stand_without_it(text: str) -> None:
    """C-44: whatever a search ranked higher; the user's own word stands last."""
    claim = claimed(text)
    expected = ["claim", "allergy"] if "penicillin" in text else ["claim"]
    chosen = put_beside(Selection(memories=(claim,)), find_origins([claim], [TEA, ALLERGY]), limit=8)
    assert (ids(chosen), chosen.contested) == (expected, frozenset())


def test_the_users_word_takes_the_place_of_others_and_the_cap_holds() -> None:
    """C-44, C-58: beside the user's own words nothing comes along."""
    claim = claimed("User is not allergic to penicillin.")
    full = put_beside(Selection(memories=(TEA, claim)), find_origins([TEA, claim], [ALLERGY]), limit=2)
    assert ids(full) == ["claim", "allergy"] and [one.memory.id for one, _ in full.left_out] == ["tea"]
    assert find_origins([TEA, OLD], [ALLERGY, NEW]) == {}
