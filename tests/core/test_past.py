"""A question about the past brings what was so before, marked, beside what holds now (C-51)."""

import tomllib
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import memory_ledger
from core_tools import DEPRECATED, LATER, NOW, memory
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.recall.eligibility import held_when, was_replaced
from memory_ledger.recall.plan import RecallLimits, make_plan
from memory_ledger.recall.rank import TOO_LITTLE, Past, Rival, keep_meant, put_beside, put_past_beside
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


# --- what must not change ------------------------------------------------------------------------------------------


@every_row((one,) for one in TABLE["counterexamples"])
def test_a_message_that_does_not_ask_for_the_past(message: str) -> None:
    """C-50, C-51: in doubt none does; a stale value must not come into its prompt."""
    assert numbers(message) == numbers(message, WHOLE) == ()


@given(st.lists(st.sampled_from(TABLE["counterexamples"]), max_size=5))
def test_nor_does_one_that_says_several_such_things(messages: list[str]) -> None:
    assert numbers("\n\n".join(messages)) == ()


def test_there_are_more_counterexamples_than_examples() -> None:
    tables = [TABLE, *TABLE["pattern"].values()]
    assert sum(len(one["examples"]) for one in tables) < sum(len(one["counterexamples"]) for one in tables)
    assert len(TABLE["examples"]) < len(TABLE["counterexamples"])


# --- which messages ask for it -------------------------------------------------------------------------------------


@every_row((one,) for one in TABLE["examples"])
def test_a_message_that_asks_for_the_past(message: str) -> None:
    assert numbers(message) and numbers(message, WHOLE) == (0,)


def test_only_the_sentence_that_asks_for_it_is_asked_again() -> None:
    """T-66: each sentence is a question of its own to the store."""
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


# --- what was so before --------------------------------------------------------------------------------------------


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
    """C-51: and until it was retired where what replaced it is gone."""
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


# --- how it stands in the prompt -----------------------------------------------------------------------------------


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
