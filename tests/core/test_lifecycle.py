"""Status: how it moves, who wins, what shows that the pack wrote it, and a store that others have written to."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from case_tables import read_cases
from core_tools import (
    AGENT,
    ARCHIVED,
    CONFIRMED,
    DEPRECATED,
    EXTERNAL,
    INFERRED,
    LATER,
    LOAD_BEARING,
    NOW,
    TACTICAL,
    USER,
    axes,
    memory,
    propose_retirements,
    retire,
)
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.ledger import lifecycle
from memory_ledger.ledger.adopt import Carried, is_sealed, judge_metadata, make_seal, sealed
from memory_ledger.ledger.changes import Confirm, Supersede
from memory_ledger.ledger.lifecycle import summarize_status
from memory_ledger.ledger.resolve import Outcome, Party, decide_memories, name_winner
from memory_ledger.ledger.settle import Review, propose
from memory_ledger.records import Lineage, Memory, Relevance, Source, Utility, Validity, write_record

CASES = read_cases(__file__)
KEY, OTHER_KEY = b"k" * 32, b"o" * 32


def seal_of(one: Memory, key: bytes = KEY) -> Memory:
    classification, lineage = lifecycle.status_of(one)
    return replace(one, lineage=sealed(key, one.id, one.text, classification, lineage))


def test_loser_is_kept_and_points_to_the_winner() -> None:
    """C-48, C-49: deprecated, with the pointer; the winner names it; nothing else of either changes."""
    loser, winner = retire(memory("a"), memory("b", at=LATER))
    assert loser.classification is not None and winner.classification is not None
    assert loser.lineage is not None and winner.lineage is not None
    assert loser.classification.validity is DEPRECATED
    assert (loser.lineage.superseded_by, winner.lineage.supersedes) == ("b", "a")
    assert (loser.lineage.deprecated_at, loser.lineage.deprecated_at_cycle) == (LATER, 3)
    assert loser.text == memory("a").text
    assert winner.classification == memory("b").classification
    assert write_record(loser.classification) == {**write_record(axes()), "validity": "deprecated"}


@pytest.mark.parametrize(
    ("said_again", "says_again", "said"),
    [
        pytest.param(LATER, True, LATER, id="later: the original was said then"),
        pytest.param(NOW, True, LATER - timedelta(hours=1), id="earlier: the later word counts"),
        pytest.param(LATER, False, LATER - timedelta(hours=1), id="no repetition: of another matter"),
    ],
)
def test_a_repetition_never_makes_the_original_older(said_again: datetime, says_again: bool, said: datetime) -> None:
    """T-68, C-47: what was said last wins, so the time of the original moves forward only."""
    loser = memory("a", lineage={"stated_at": said_again})
    winner = memory("b", lineage={"stated_at": LATER - timedelta(hours=1)})
    change = Supersede(winner_id="b", loser_id="a", at=LATER, cycle=3, rule="T-68", says_again=says_again)
    _, kept = change.apply(loser, winner)
    assert kept.lineage is not None and kept.lineage.stated_at == said


def test_a_line_tells_where_a_memory_stands() -> None:
    """For whoever looks at the raw metadata; an id in it is none to a host that deletes what names one (T-61)."""
    loser, winner = retire(memory("a"), memory("b", at=LATER))
    told = [lifecycle.describe_status(*lifecycle.status_of(one)) for one in (winner, loser)]
    assert told == [
        "confirmed, user_asserted, tactical",
        f"deprecated since {LATER:%Y-%m-%d}, replaced by m:b, user_asserted, tactical",
    ]


def test_deprecated_memory_neither_retires_nor_is_retired() -> None:
    loser, winner = retire(memory("a"), memory("b"))
    for pair in ((winner, loser), (loser, memory("c")), (winner, winner)):
        with pytest.raises(lifecycle.LifecycleError, match="allowed"):
            retire(*pair)


def test_ring_in_foreign_metadata_ends() -> None:
    assert lifecycle.follow_to_head("a", {"a": "b", "b": "a"}.get) == "b"


def test_validation_confirms_an_inferred_memory_only() -> None:
    change = Confirm(memory_id="m1", at=NOW, evidence="Yes, exactly.")
    confirmed = change.apply_to(memory(validity=INFERRED, source=AGENT))
    assert confirmed.classification == axes(CONFIRMED, source=AGENT)
    for validity in (CONFIRMED, DEPRECATED):
        with pytest.raises(lifecycle.LifecycleError):
            change.apply_to(memory(validity=validity))


SIDES: dict[str, dict[str, Any]] = {
    "agent": {"source": AGENT},
    "external": {"source": EXTERNAL},
    "inferred": {"validity": INFERRED},
    "deprecated": {"validity": DEPRECATED},
    "load_bearing": {"utility": LOAD_BEARING},
    "archived": {"utility": ARCHIVED},
    "later": {"at": LATER},
    "told": {"is_told_by_others": True},
}


def party(words: str = "") -> Party:
    """Return one of two sides: the user's confirmed, tactical word, said now, but for what the words say."""
    side = {"source": USER, "validity": CONFIRMED, "utility": TACTICAL, "at": NOW}
    for word in words.split():
        side |= SIDES[word]
    return Party(**side)


@pytest.mark.parametrize(("older", "newer", "corrects", "expected"), CASES["priorities"])
def test_priorities(older: str, newer: str, corrects: str | None, expected: tuple[str | None, str]) -> None:
    winner, rule, reason = name_winner(party(older), party(newer), corrects=corrects)  # type: ignore[arg-type]
    assert (winner, rule) == expected
    assert reason


@given(st.sampled_from(Utility), st.sampled_from(Utility), st.sampled_from([CONFIRMED, INFERRED]))
def test_two_user_memories_of_different_time_never_stay_open(a: Utility, b: Utility, validity: Validity) -> None:
    assert name_winner(Party(USER, CONFIRMED, a, NOW), Party(USER, validity, b, LATER))[0] is not None


@pytest.mark.parametrize(("older", "newer", "outcome", "winner"), CASES["outcomes"])
def test_outcomes(older: str, newer: str, outcome: str, winner: str | None) -> None:
    """C-38 ... C-43, C-50, T-46: without a model; by default both stay, and what is retired contradicts nothing."""
    decision = decide_memories(memory("a", older), memory("b", newer, at=LATER))[2]
    assert (decision.outcome, decision.winner) == (outcome, winner)
    assert decision.is_contradiction is (outcome in (Outcome.SUPERSEDE, Outcome.PARTIAL))
    retired = decide_memories(memory("a", older, validity=DEPRECATED), memory("b", newer, at=LATER))[2]
    assert retired.outcome is Outcome.COEXIST


def test_review_of_an_old_store_proposes_each_retirement_once() -> None:
    """design.md (Storage), T-09: the chain of versions leaves its newest; what was said is not touched."""
    texts = ["project uses Python 3.9", "project uses Python 3.10", "project uses Python 3.11", "User likes tea"]
    days = [replace(memory(str(n), text), created_at=NOW) for n, text in enumerate(texts)]
    dated = [
        replace(one, lineage=one.lineage.model_copy(update={"created_at": NOW.replace(day=n + 1)}))
        for n, one in enumerate(days)
        if one.lineage is not None
    ]
    found = propose_retirements(dated, at=LATER, cycle=1)
    assert [(one.loser_id, one.winner_id) for one in found] == [("0", "1"), ("1", "2")]
    assert propose_retirements(reversed(dated), at=LATER, cycle=1) == found


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"id": "other"}, id="another id"),
        pytest.param({"text": "another text"}, id="another text"),
        pytest.param({"classification": axes(INFERRED)}, id="validity"),
        pytest.param({"classification": axes(utility=LOAD_BEARING)}, id="utility"),
        pytest.param({"classification": axes(source=AGENT)}, id="source"),
        pytest.param({"classification": axes(relevance=Relevance.DORMANT)}, id="relevance"),
    ],
)
def test_seal_breaks_with_what_it_seals(changed: dict[str, object]) -> None:
    mine = seal_of(memory())
    assert is_sealed(KEY, mine)
    assert not is_sealed(OTHER_KEY, mine)
    assert not is_sealed(KEY, replace(mine, **changed))  # type: ignore[arg-type]
    assert is_sealed(KEY, lifecycle.access(mine, at=LATER, cycle=1))


@pytest.mark.parametrize(
    ("found", "honours", "expected"),
    [
        pytest.param(seal_of(memory()), False, Carried.OURS, id="sealed"),
        pytest.param(memory(), True, Carried.HONOURED, id="C-91 from before the pack"),
        pytest.param(memory(), False, Carried.UNTRUSTED, id="C-91 appears later"),
        pytest.param(memory(lineage={"seal": "0" * 24}), False, Carried.COPIED, id="T-69 a forged seal"),
        pytest.param(replace(seal_of(memory()), text="another"), True, Carried.COPIED, id="T-43 onto another text"),
        pytest.param(replace(seal_of(memory()), id="other"), False, Carried.COPIED, id="T-43 under another id"),
        pytest.param(seal_of(memory(), OTHER_KEY), True, Carried.HONOURED, id="C-91 the key was lost"),
        pytest.param(replace(memory(), lineage=None), True, Carried.ABSENT, id="C-75 no lineage"),
        pytest.param(replace(memory(), classification=None), True, Carried.ABSENT, id="C-75 no axes"),
    ],
)
def test_what_carried_metadata_is_worth(found: Memory, honours: bool, expected: Carried) -> None:
    assert judge_metadata(found, KEY, honours_unsealed=honours) is expected


def test_health_has_every_figure() -> None:
    """C-61, C-62, C-63, C-64, C-64a, T-68: zero counts included; a further source is added once there is one."""
    counts = {(CONFIRMED, TACTICAL, USER): 2, (DEPRECATED, LOAD_BEARING, AGENT): 1}
    health = summarize_status(counts, conflicts_resolved=4, echoes_retired=2, at=NOW)
    assert health == {
        "total_memories": 3,
        "by_validity": {"confirmed": 2, "inferred": 0, "deprecated": 1},
        "by_utility": {"load_bearing": 1, "tactical": 2, "archived": 0},
        "by_source": {"user_asserted": 2, "agent_inferred": 1},
        "conflicts_resolved_this_session": 4,
        "echoes_retired_this_session": 2,
        "last_classification_run": "2026-03-01T12:00:00+00:00",
    }
    external = summarize_status({(CONFIRMED, TACTICAL, EXTERNAL): 1}, conflicts_resolved=0, at=NOW)
    assert external["by_source"] == {"user_asserted": 0, "agent_inferred": 0, "external_retrieved": 1}


def lineage_of(one: Memory) -> Lineage:
    return lifecycle.status_of(one)[1]


def test_winner_of_several_keeps_them_all() -> None:
    """C-49, T-09: `supersedes` names the most recent loser; the others are not forgotten."""
    _, winner = retire(memory("a"), memory("z"))
    assert lineage_of(winner).supersedes_ids == ()
    _, winner = retire(memory("b"), winner)
    _, winner = retire(memory("c"), winner)
    assert (lineage_of(winner).supersedes, lineage_of(winner).supersedes_ids) == ("c", ("a", "b", "c"))


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=10),
    st.lists(st.none() | st.integers(0, 4), min_size=5, max_size=5),
)
def test_foreign_pointers_never_close_a_ring(pairs: list[tuple[int, int]], pointers: list[int | None]) -> None:
    """T-09: whatever pointers memories in use came with, what the rules retire never points in a circle."""
    store = {
        str(number): memory(str(number), lineage={"superseded_by": None if to is None else str(to)})
        for number, to in enumerate(pointers)
    }
    for a, b in pairs:
        try:
            retired, kept = retire(store[str(a)], store[str(b)])
        except lifecycle.LifecycleError:
            continue
        store |= {retired.id: retired, kept.id: kept}
    for one in [one for one in store.values() if one.is_deprecated]:
        winner = one
        while winner.is_deprecated:
            winner = store[lineage_of(winner).superseded_by or ""]
        assert lineage_of(winner).superseded_by is None
        assert lifecycle.follow_to_head(one.id, lambda name: lineage_of(store[name]).superseded_by) == winner.id


RANKS = {"validity": [INFERRED, CONFIRMED], "utility": [ARCHIVED, TACTICAL, LOAD_BEARING]}
parties = st.builds(
    Party,
    st.sampled_from(Source),
    st.sampled_from(RANKS["validity"]),
    st.sampled_from(Utility),
    st.just(NOW),
    is_told_by_others=st.booleans(),
)


@given(parties, parties, st.sampled_from(["older", "newer", None]))
def test_same_winner_from_both_sides_with_a_correction(a: Party, b: Party, corrects: str | None) -> None:
    """C-41, C-44 ... C-47, C-96: at one time the order of telling decides nothing; the same memory wins."""
    swap = {"older": "newer", "newer": "older", None: None}
    winner, rule, _ = name_winner(a, b, corrects=corrects)  # type: ignore[arg-type]
    other, other_rule, _ = name_winner(b, a, corrects=swap[corrects])  # type: ignore[arg-type]
    assert (swap[winner], rule) == (other, other_rule)


@given(parties, parties)
def test_user_always_wins(a: Party, b: Party) -> None:
    """C-44: before validity, utility and correction, and never loses; where nobody knows who said it, both stay."""
    if (a.source is USER) == (b.source is USER):
        return
    other = b if a.source is USER else a
    winner = ("older" if a.source is USER else "newer") if other.is_told_by_others else None
    for corrects in ("older", "newer", None):
        assert name_winner(a, b, corrects=corrects)[0] == winner  # type: ignore[arg-type]


@given(st.sampled_from(Source), st.sampled_from(Utility), st.sampled_from(Utility))
def test_rank_before_rank(source: Source, a: Utility, b: Utility) -> None:
    """C-45, C-46, C-96: within one source validity decides before utility, utility before time."""
    confirmed, inferred = Party(source, CONFIRMED, a, NOW), Party(source, INFERRED, b, LATER)
    if source is USER:
        assert name_winner(confirmed, inferred)[:2] == ("newer", "C-47")
        return
    assert name_winner(confirmed, inferred)[:2] == ("older", "C-45")
    if a is not b:
        older, newer = Party(source, CONFIRMED, a, NOW), Party(source, CONFIRMED, b, LATER)
        better = "older" if RANKS["utility"].index(a) > RANKS["utility"].index(b) else "newer"
        assert name_winner(older, newer)[:2] == (better, "C-46")


def dated(memory_id: str, text: str, day: int, **status: object) -> Memory:
    moment = NOW.replace(day=day)
    return memory(memory_id, text, at=moment, **status)  # type: ignore[arg-type]


def told_by_agent(one: Memory) -> Memory:
    assert one.lineage is not None
    return replace(one, lineage=one.lineage.model_copy(update={"stated_by": "agent"}))


def test_review_lets_the_older_one_win_where_the_rules_say_so() -> None:
    """C-44, C-80: the agent's newer memory is the loser, and what comes after it is compared with the survivor."""
    store = [
        dated("u", "project uses Python 3.11", 1),
        told_by_agent(dated("a", "project uses Python 3.9", 2, source=AGENT, validity=INFERRED)),
        dated("v", "project uses Python 3.12", 3),
    ]
    found = propose_retirements(store, at=LATER, cycle=2)
    assert [(one.loser_id, one.winner_id, one.rule) for one in found] == [("a", "u", "C-44"), ("u", "v", "C-47")]
    assert {one.cycle for one in found} == {2}


AGENTS = {"source": AGENT, "validity": INFERRED}


@pytest.mark.parametrize(("older", "newer", "status", "outcome"), CASES["correction_excludes_what_was_before_it"])
def test_correction_excludes_what_was_before_it(older: str, newer: str, status: dict, outcome: str) -> None:
    """C-41, C-43, C-44, C-80: what the person says later may come in addition; what nobody said stays open."""
    _, _, decision = decide_memories(dated("a", older, 1), dated("b", newer, 2, **status))
    assert decision.outcome == outcome
    assert decision.winner == ("newer" if outcome == Outcome.SUPERSEDE else None)


@pytest.mark.parametrize(("status", "outcome"), [(AGENTS, Outcome.COEXIST), ({}, Outcome.PARTIAL)])
def test_only_the_user_ends_what_the_steps_of_a_solution_set(status: dict, outcome: Outcome) -> None:
    """C-43: a recipe shows how something is done, with the values of the day; another setting elsewhere ends none."""
    text = "# Problem\nThe login fails.\n# Solution\n```\nAUTH_URL=http://localhost:5173\n```\nRestart it."
    newer = dated("b", "The server is set up anew.\n\nAUTH_URL=http://10.0.0.7:3000", 2, **status)
    assert decide_memories(dated("a", text, 1, **AGENTS, area="solutions"), newer)[2].outcome is outcome


def test_review_leaves_alone_what_says_something_else() -> None:
    one, other = dated("a", "User likes tea", 1), dated("b", "User likes coffee", 2)
    assert propose(one, other, at=LATER, cycle=1) is None
    same = [dated("a", "project uses Python 3.11", 1), dated("b", "project uses Python 3.11", 2)]
    assert propose_retirements(same, at=LATER, cycle=1) == []


def test_review_reads_only_what_is_in_use() -> None:
    store = [
        replace(dated("a", "project uses Python 3.9", 1), classification=None),
        dated("b", "project uses Python 3.10", 2, validity=DEPRECATED),
        dated("c", "project uses Python 3.11", 3),
    ]
    assert propose_retirements(store, at=LATER, cycle=1) == []


@given(st.permutations(range(8)), st.lists(st.integers(0, 3), max_size=12), st.integers(1, 5))
def test_review_finds_the_same_in_any_steps(order: list[int], pauses: list[int], limit: int) -> None:
    """C-91, T-01: however the memories come, and whatever is compared in between."""
    texts = [f"{subject} uses Python 3.{number}" for number in range(9, 13) for subject in ("project", "service")]
    store = [dated(f"m{number}", text, number + 1) for number, text in enumerate(texts)]
    review = Review()
    for number, pause in zip(order, [*pauses, *[0] * len(order)], strict=False):
        review.add(store[number])
        if pause:
            review.advance(pause, at=LATER, cycle=1)
    while review.remaining:
        before = review.remaining
        review.advance(limit, at=LATER, cycle=1)
        assert review.remaining < before
    assert review.proposals() == propose_retirements(store, at=LATER, cycle=1)
    assert len(review.proposals()) == 6


keys = st.binary(min_size=32, max_size=32)
ids = st.text("abc-019\ud800", min_size=1, max_size=8)


@given(keys, keys, ids, ids)
def test_seal_depends_on_its_key(key: bytes, other_key: bytes, one: str, other: str) -> None:
    """T-69: nobody without the key writes a seal, and the parts of one cannot be shifted."""
    seal = make_seal(key, one, other, axes())
    assert (seal == make_seal(other_key, one, other, axes())) is (key == other_key)
    assert seal != make_seal(key, one[:-1], one[-1] + other, axes())
