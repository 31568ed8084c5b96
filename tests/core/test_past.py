"""What stands beside a memory in the prompt, marked: what was so before (C-51), and what is at odds with it (C-96)."""

import tomllib
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import memory_ledger
import pytest
from case_tables import read_cases
from core_tools import AGENT, DEPRECATED, LATER, NOW, memory
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.recall.eligibility import held_when, was_replaced
from memory_ledger.recall.plan import RecallLimits, make_plan
from memory_ledger.recall.rank import (
    TOO_LITTLE,
    Past,
    Rival,
    find_origins,
    keep_meant,
    order_by_standing,
    put_beside,
    put_past_beside,
)
from memory_ledger.recall.selection import Candidate, Selection, join_texts
from memory_ledger.records import Memory
from memory_ledger.setting_groups import NoiseGate
from memory_ledger.settings import Settings
from rows import every_row

TABLE = tomllib.loads((Path(memory_ledger.__file__).parent / "recall/past.toml").read_text("utf-8"))
ALL = Settings()
WHOLE = Settings.model_validate({"query_expansion": {"enabled": False}})


def numbers(message: str, settings: Settings = ALL) -> tuple[int, ...]:
    return make_plan(message, settings, NOW, limits=RecallLimits()).past


@every_row((one,) for one in TABLE["counterexamples"])
def test_a_message_that_does_not_ask_for_the_past(message: str) -> None:
    """C-50, C-51: in doubt none does; a stale value must not come into its prompt."""
    assert numbers(message) == numbers(message, WHOLE) == ()


@given(st.lists(st.sampled_from(TABLE["counterexamples"]), max_size=5))
def test_nor_does_one_that_says_several_such_things(messages: list[str]) -> None:
    assert numbers("\n\n".join(messages)) == ()


@every_row((one,) for one in TABLE["examples"])
def test_a_message_that_asks_for_the_past(message: str) -> None:
    assert numbers(message) and numbers(message, WHOLE) == (0,)


def test_only_the_sentence_that_asks_for_it_is_asked_again() -> None:
    plan = make_plan("Write to Ann. Where did I live before?", Settings(), NOW, limits=RecallLimits())
    past = plan.of_past()
    assert [one.text for one in past.variants] == [past.query] == ["Where did I live before?"]
    assert past.sentences == {0: plan.sentences[plan.past[0]]} and past.is_past and not plan.is_past


def test_the_message_asks_for_it_and_not_what_a_model_made_of_it() -> None:
    """T-02: the host may let a model write the query."""
    asked = {"limits": RecallLimits(), "message": "Where did I live before?"}
    plan = make_plan("the user's home", Settings(), NOW, **asked)
    assert [plan.variants[one].text for one in plan.past] == ["Where did I live before?"]
    assert make_plan("Where did the user live before?", Settings(), NOW, **asked | {"message": "Hi."}).past == ()


def retired(name: str, day: int, reason: str | None = "C-47", *, by: str | None = "new", **status: object) -> Memory:
    lineage = {"superseded_by": by, "deprecated_at": LATER + timedelta(days=30), "deprecated_reason": reason}
    status = {"validity": DEPRECATED, **status}
    return memory(name, f"The port is {name}.", at=NOW + timedelta(days=day), lineage=lineage, **status)


@every_row(
    [
        (retired("a", 0), True),
        (retired("a", 0, "C-41"), True),
        (retired("a", 0, None), True),
        (retired("a", 0, validity="confirmed"), False),
        (retired("a", 0, "T-70", by=None), False),  # a person withdrew it
        (retired("a", 0, "T-67"), False),  # a copy of what was replaced
        (retired("a", 0, "T-68"), False),  # an echo
        *((retired("a", 0, rule), False) for rule in ("E-39", "E-40", "E-42", "E-43")),  # a duplicate
        (retired("a", 0, area="solutions"), False),
        (memory("a"), False),
    ]
)
def test_what_was_replaced_by_something_else(one: Memory, expected: bool) -> None:
    assert was_replaced(one) is expected
    assert (held_when(one, memory("new", at=NOW + timedelta(days=9))) is not None) is expected


@every_row(
    [
        (memory(at=NOW + timedelta(days=9)), "2026-03-01 to 2026-03-10"),
        (memory(at=NOW + timedelta(hours=3)), "2026-03-01 12:00 to 15:00"),
        (memory(at=LATER, lineage={"stated_at": NOW + timedelta(days=2)}), "2026-03-01 to 2026-03-03"),
        (memory(at=NOW), "2026-03-01 12:00 to 12:00"),
        (memory(at=NOW - timedelta(days=1)), None),  # it never held: what was said before it stands
        (None, "2026-03-01 to 2026-04-01"),
    ]
)
def test_it_held_until_what_replaced_it_was_said(winner: Memory | None, expected: str | None) -> None:
    assert held_when(retired("a", 0), winner) == expected


def test_what_is_hardly_meant_stays_out() -> None:
    """T-66: what is likely by itself, and not far behind the best; without the gate, or words, all of it stays."""

    def found(name: str, likely: float, relevance: float) -> Candidate:
        return Candidate(memory=retired(name, 0), similarity=0.9, likely=likely, relevance=relevance)

    asked = Selection(memories=(found("a", 0.9, 1.0), found("b", 0.1, 1.0), found("c", 0.9, 0.4)), uses_words=True)
    meant = keep_meant(asked, NoiseGate())
    assert ids(meant.memories) == ["a"]
    assert [(one.memory.id, why) for one, why in meant.left_out] == [("b", TOO_LITTLE), ("c", TOO_LITTLE)]
    assert keep_meant(asked, NoiseGate(enabled=False)) == asked
    assert keep_meant(replace(asked, uses_words=False), NoiseGate()).memories == asked.memories


def scored(one: Memory) -> Candidate:
    return Candidate(memory=one, similarity=0.9, relevance=0.9, recency=1.0, score=0.9)


NEW, TEA = scored(memory("new", "The port is 8443.", at=LATER)), scored(memory("tea", "User likes tea."))


def ids(found: Iterable[Candidate]) -> list[str]:
    return [one.memory.id for one in found]


def old(name: str, day: int, present: Candidate | None = NEW) -> Past:
    return Past(scored(retired(name, day)), f"day {day}", present)


def test_what_was_so_before_stands_before_what_holds_the_oldest_first() -> None:
    """C-47: whether or not a search has found what holds; what is of another thing keeps its place."""
    for selection in (Selection(memories=(NEW, TEA)), Selection(memories=(TEA,))):
        chosen = put_past_beside(selection, [old("8081", 2), old("8080", 1), old("lone", 3, None)], limit=8)
        expected = ["8080", "8081", "new"]
        tea = ["tea"] if NEW in selection.memories else []
        assert ids(chosen.memories) == (expected + tea if tea else ["tea", *expected]) + ["lone"]
        assert chosen.past == {"8080": "day 1", "8081": "day 2", "lone": "day 3"}
    assert join_texts(chosen.memories, chosen).split("\n\n") == [
        "User likes tea.",
        "[past, day 1] The port is 8080.",
        "[past, day 2] The port is 8081.",
        "The port is 8443.",
        "[past, day 3] The port is lone.",
    ]


def test_without_anything_past_nothing_changes() -> None:
    selection = Selection(memories=(NEW, TEA), left_out=((scored(memory("x")), "why"),))
    assert put_past_beside(selection, [], limit=8) == selection


def test_what_is_at_odds_is_not_pushed_out() -> None:
    """C-96: neither of the two goes for the sake of the past, which is named as left out then."""
    both = put_beside(Selection(memories=(NEW,)), {"new": [Rival(TEA)]}, limit=2)
    chosen = put_past_beside(both, [old("8080", 1)], limit=2)
    assert (set(ids(chosen.memories)), chosen.past) == ({"new", "tea"}, {})
    assert [(one.memory.id, why) for one, why in chosen.left_out] == [("8080", "over the cap of 2")]


@given(st.integers(1, 8), st.integers(0, 8), st.integers(0, 12))
def test_the_cap_holds_and_what_holds_now_is_never_pushed_out_by_what_does_not(
    limit: int, others: int, count: int
) -> None:
    """C-58: every past memory stands with the present one; of too many the best come, and the others are named."""
    notes = tuple(scored(memory(f"n{number}")) for number in range(others))[: limit - 1]
    pasts = [old(f"p{number:02d}", number) for number in range(count)]
    for selection in (Selection(memories=(*notes, NEW)), Selection(memories=notes)):
        chosen = put_past_beside(selection, pasts, limit=limit)
        found = ids(chosen.memories)
        assert len(found) <= limit and len(set(found)) == len(found)
        assert list(chosen.past) == ids(one.candidate for one in pasts[: max(0, limit - 1)])
        assert "new" in found or (NEW not in selection.memories and not chosen.past)
        assert not chosen.past or found.index("new") == found.index("p00") + len(chosen.past)
        assert {*found, *ids(one for one, _ in chosen.left_out)} >= {
            *selection.ids,
            *ids(one.candidate for one in pasts),
        }


CASES = read_cases(__file__)


def said(name: str, text: str, hours: int) -> Candidate:
    return scored(memory(name, text, at=NOW + timedelta(hours=hours)))


OLD, NEWER = said("old", "The port is 8080.", 0), said("new", "The port is 8443.", 48)
DRINK, TEN = said("tea", "User likes tea.", 1), said("ten", "The port is 8010.", 2)


def test_a_rival_that_was_not_found_comes_along_and_the_newest_is_last() -> None:
    """C-96: whichever of the two a search has found, both are shown, together."""
    for found, other in ((OLD, NEWER), (NEWER, OLD)):
        chosen = put_beside(Selection(memories=(found, DRINK)), {found.memory.id: [Rival(other)]}, limit=8)
        assert list(chosen.ids) == ["old", "new", "tea"]
        assert chosen.contested == {"old", "new"}


def test_both_are_shown_with_their_dates() -> None:
    chosen = put_beside(Selection(memories=(OLD, DRINK)), {"old": [Rival(NEWER)]}, limit=8)
    assert join_texts(chosen.memories, chosen).split("\n\n") == [
        "[contested, 2026-03-01 user] The port is 8080.",
        "[contested, 2026-03-03 user] The port is 8443.",
        "User likes tea.",
    ]
    same_day = put_beside(Selection(memories=(OLD,)), {"old": [Rival(TEN)]}, limit=8)
    assert "[contested, 2026-03-01 14:00 user] The port is 8010." in join_texts(same_day.memories, same_day)


def test_what_is_only_possible_says_who_said_it_and_leaves_a_contradiction_its_mark() -> None:
    """C-96: the older first; a memory that contradicts one and looks at odds with another is contested."""
    only = put_beside(Selection(memories=(NEWER, DRINK)), {"new": [Rival(OLD, is_possible=True)]}, limit=8)
    assert join_texts(only.memories, only).split("\n\n") == [
        "[at odds? 2026-03-01 user] The port is 8080.",
        "[at odds? 2026-03-03 user] The port is 8443.",
        "User likes tea.",
    ]
    both = put_beside(Selection(memories=(NEWER,)), {"new": [Rival(OLD), Rival(TEN, is_possible=True)]}, limit=8)
    assert (both.contested, both.possible) == ({"old", "ten", "new"}, {"ten"})


@pytest.mark.parametrize(("before", "last"), CASES["of_one_thing_what_was_said_last_stands_last"])
def test_of_one_thing_what_was_said_last_stands_last(before: str, last: str) -> None:
    """C-47: whichever a search finds first; what is of another thing keeps its place."""
    one, two = said("one", before, 0), said("two", last, 1)
    assert list(order_by_standing(Selection(memories=(two, one, DRINK))).ids) == ["one", "two", "tea"]
    assert list(order_by_standing(Selection(memories=(DRINK, two, one))).ids) == ["tea", "one", "two"]
    assert list(order_by_standing(Selection(memories=(two, DRINK))).ids) == ["two", "tea"]


def test_without_rivals_nothing_changes() -> None:
    chosen = put_beside(Selection(memories=(DRINK, OLD)), {}, limit=8)
    assert (list(chosen.ids), chosen.contested, join_texts(chosen.memories)) == (
        ["tea", "old"],
        frozenset(),
        "User likes tea.\n\nThe port is 8080.",
    )


@given(st.integers(2, 8), st.integers(1, 8))
def test_the_cap_holds_and_of_two_at_odds_neither_goes_alone(limit: int, count: int) -> None:
    """C-58: what is pushed over the cap is named as left out, and is none of the two."""
    others = tuple(said(f"m{number}", f"Note {number}.", number) for number in range(count))
    before = (*others[: limit - 1], OLD)
    chosen = put_beside(Selection(memories=before), {"old": [Rival(NEWER)]}, limit=limit)
    assert len(chosen.memories) <= limit
    assert {"old", "new"} <= set(chosen.ids)
    left = {one.memory.id for one, _ in chosen.left_out}
    assert left | set(chosen.ids) == {one.memory.id for one in (*before, NEWER)}
    assert not left & {"old", "new"}


def test_every_memory_says_when_it_was_said() -> None:
    """C-47: what a memory reports counts from when it was said, not from when it was written."""
    late = memory("late", "The port is 1.", at=NOW + timedelta(days=9), lineage={"stated_at": NOW})
    chosen = put_beside(Selection(memories=(NEWER,)), {"new": [Rival(scored(late))]}, limit=8)
    assert list(chosen.ids) == ["late", "new"]


ALLERGY = said("allergy", "User is allergic to penicillin.", 0)


def claimed(text: str) -> Candidate:
    return scored(memory("claim", text, source=AGENT, at=NOW + timedelta(hours=1)))


@pytest.mark.parametrize(
    "text", ['The user said: "I am not allergic to penicillin."', "User is allergic to amoxicillin."]
)
def test_a_claim_about_what_the_user_said_does_not_stand_without_it(text: str) -> None:
    """C-44: whatever a search ranked higher; the user's own word stands last."""
    claim = claimed(text)
    expected = ["claim", "allergy"] if "penicillin" in text else ["claim"]
    chosen = put_beside(Selection(memories=(claim,)), find_origins([claim], [DRINK, ALLERGY]), limit=8)
    assert (list(chosen.ids), chosen.contested) == (expected, frozenset())


def test_the_users_word_takes_the_place_of_others_and_the_cap_holds() -> None:
    claim = claimed("User is not allergic to penicillin.")
    full = put_beside(Selection(memories=(DRINK, claim)), find_origins([DRINK, claim], [ALLERGY]), limit=2)
    assert list(full.ids) == ["claim", "allergy"] and [one.memory.id for one, _ in full.left_out] == ["tea"]
    assert find_origins([DRINK, OLD], [ALLERGY, NEWER]) == {}
