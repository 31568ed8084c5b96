"""Conflict objects: type, severity, strategies and what a decision changes (Q-16 ... Q-25, Q-66, T-28, T-70)."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from case_tables import read_cases
from core_tools import AGENT, CONFIRMED, DEPRECATED, EXTERNAL, INFERRED, LATER, NOW, memory
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.clock import EPOCH
from memory_ledger.inbox import ConflictDecision
from memory_ledger.ledger.changes import Restore, Supersede
from memory_ledger.ledger.lifecycle import LifecycleError
from memory_ledger.ledger.resolve import Outcome, decide_memories
from memory_ledger.quality import requests
from memory_ledger.quality.conflict_record import (
    Conflict,
    ConflictType,
    ConflictVerdict,
    RequestKind,
    Resolver,
    Severity,
    Strategy,
    parse_conflict,
    resolve,
    write_conflict,
)
from memory_ledger.quality.conflicts import (
    conflict_risk,
    conflict_type,
    conflict_weight,
    detect_conflicts,
    open_conflict,
    severity,
    strategic_winner,
)
from memory_ledger.quality.kinds import STALENESS_RATES, MemoryType, memory_type
from memory_ledger.quality.requests import RequestError
from memory_ledger.quality.scores import SOURCE_RELIABILITY, SourceClass, confidence_of, origin_of
from memory_ledger.records import Lineage, Memory, Quality, Source

CASES = read_cases(__file__)

OLD, NEW = "User's project uses Python 3.9", "User's project uses Python 3.11"
PARTIAL = "User's project uses Python 3.9, and the build server is rebooted by hand every Monday morning"


def conflict(one=None, other=None) -> Conflict:
    """Return the open conflict between two memories."""
    one, other = one or memory("a", OLD), other or memory("b", NEW, at=LATER)
    return open_conflict(one, other, at=LATER, reasons=("older: 3.9", "newer: 3.11"))


def test_conflict_has_the_keys_of_the_specification() -> None:
    """Q-17: these keys and no other; the id says what it is; older first."""
    row = write_conflict(conflict())
    assert list(row) == ["id", "type", "memories", "detected", "resolution", "severity", "description"]
    assert row["id"].startswith("conflict_")
    assert row["memories"] == ["a", "b"]
    assert row["detected"] == "2026-03-02T12:00:00Z"
    assert row["resolution"] is None
    assert row["description"] == "older: 3.9; newer: 3.11"


@given(
    st.sampled_from(Strategy),
    st.sampled_from(ConflictVerdict),
    st.sampled_from(Resolver),
    st.sampled_from(["a", None]),
    st.text(),
)
def test_conflict_is_reread_identically(strategy, verdict, by, winner, reason) -> None:
    """Q-70: write, read: the same object, resolution included."""
    one, other = memory("a", OLD, source=AGENT), memory("b", NEW, at=LATER)
    found = open_conflict(one, other, at=NOW, reasons=(reason,))
    for state in (found, resolve(found, strategy, verdict, winner=winner, at=LATER, by=by)):
        assert parse_conflict(json.loads(json.dumps(write_conflict(state)))) == state


@pytest.mark.parametrize("damage", [{"type": "odd"}, {"memories": ["a"]}, {"detected": "soon"}, {"more": 1}])
def test_row_that_is_no_conflict(damage) -> None:
    assert parse_conflict(write_conflict(conflict()) | damage) is None


def test_one_id_for_each_pair() -> None:
    """Q-17: whichever of the two came first; another pair has another id."""
    a, b, c = memory("a", OLD), memory("b", NEW, at=LATER), memory("c", NEW, at=LATER)
    assert conflict(a, b).id == conflict(b, a).id != conflict(a, c).id


IMPLIES = "The flag is on, so the API listens on port 8080"
DENIES = "The API does not listen on port 8080"


@pytest.mark.parametrize(
    ("older", "newer", "how", "expected"),
    [
        pytest.param(OLD, NEW, "at once", "direct", id="same time, same source"),
        pytest.param(OLD, NEW, "later", "direct", id="a later value"),
        pytest.param("Adam lives in MST", "Adam lives in EST", "later", "direct", id="4.1"),
        pytest.param("User prefers tea", "User prefers coffee", "later", "temporal", id="a newer preference"),
        pytest.param("User prefers tea", "User prefers coffee", "at once", "direct", id="at once"),
        pytest.param(OLD, "User's project no longer uses Python 3.9", "later", "temporal", id="a change that is told"),
        pytest.param(OLD, NEW, "later, of the agent", "source", id="sources"),
        pytest.param(IMPLIES, DENIES, "later, of the agent", "logical", id="so"),
        pytest.param("If the flag is set, the API listens on port 8080", DENIES, "at once", "logical", id="if-then"),
        pytest.param("The API listens on port 8080 whenever it rains", DENIES, "later", "logical", id="turned round"),
        pytest.param(f"If Ann is in Oslo, the office is open. {OLD}", NEW, "later", "direct", id="one beside it"),
        pytest.param("The API is public, so the team likes tea", DENIES, "at once", "direct", id="not what is denied"),
    ],
)
def test_type_is_the_first_that_fits(older: str, newer: str, how: str, expected: str) -> None:
    one = memory("a", older, source=AGENT if "agent" in how else Source.USER_ASSERTED)
    other = memory("b", newer, at=LATER if "later" in how else NOW)
    assert conflict_type(one, other) is conflict_type(other, one) is ConflictType(expected)


def test_times_of_validity_and_of_telling_count() -> None:
    ends = replace(memory("b", NEW), quality=Quality(expires=LATER))
    assert conflict_type(memory("a", OLD), ends) is ConflictType.TEMPORAL
    said = {"lineage": {"stated_at": NOW}}
    assert conflict_type(memory("a", OLD, at=LATER, **said), memory("b", NEW, **said)) is ConflictType.DIRECT


CONDITIONAL = "If the flag is set, the API listens on port 8080"


@pytest.mark.parametrize("other", CASES["a_conditional_that_nothing_denies_is_in_no_conflict"])
def test_a_conditional_that_nothing_denies_is_in_no_conflict(other: str) -> None:
    """Issue 23, Q-16: a conditional says what follows, and of nothing that it is so."""
    pair = [memory("a", CONDITIONAL), memory("b", other, at=LATER)]
    assert detect_conflicts(pair, at=LATER) == detect_conflicts(pair[::-1], at=LATER) == []
    habit = [memory("a", "If it rains, Ann does not cycle to work"), memory("b", "Ann cycles to work", at=LATER)]
    assert detect_conflicts(habit, at=LATER) == []


@pytest.mark.parametrize(("source", "by"), [(AGENT, "of the agent"), (Source.USER_ASSERTED, "of the user")])
@pytest.mark.parametrize(
    "conditional",
    [
        CONDITIONAL,
        "The API listens on port 8080 if the flag is set",
        "Whenever the flag is set, the API listens on port 8080",
        "A set flag implies that the API listens on port 8080",
    ],
)
def test_what_denies_a_consequence_is_found_as_logical(conditional: str, source: Source, by: str) -> None:
    """Issue 23, Q-16, Q-66: "if A, B" against "not B", whichever came first; nobody is said to be right."""
    for early, late in ((conditional, DENIES), (DENIES, conditional)):
        pair = [memory("a", early, source=source), memory("b", late, at=LATER)]
        for found in (pair, pair[::-1]):
            [one] = detect_conflicts(found, at=LATER)
            assert (one.type, one.resolution) == (ConflictType.LOGICAL, None), by
        decision = decide_memories(*pair)[2]
        assert (decision.outcome, decision.winner, decision.rule) == (Outcome.CONTEST, None, "Q-16")


OPENERS = ("if", "when", "whenever", "unless", "provided that", "as long as", "so long as", "in case", "assuming that")
FACTS = ("The API listens on port 9090", DENIES, "The API no longer listens on port 8080", "Actually, the API is down")


@given(
    st.sampled_from((*OPENERS, "on condition that", "every time")),
    st.sampled_from(FACTS),
    st.booleans(),
    st.booleans(),
    st.sampled_from((AGENT, EXTERNAL, Source.USER_ASSERTED)),
    st.sampled_from((CONFIRMED, INFERRED)),
)
def test_a_conditional_retires_nothing(opener, fact, is_first, is_newer, source, validity) -> None:
    """Issue 23, Q-16: nor does anything retire it, whoever said it, however it is worded, whatever came first."""
    condition, result = "the flag is set", "the API listens on port 8080"
    text = (
        f"{opener} {condition}, {result}".capitalize()
        if is_first
        else f"The API listens on port 8080 {opener} {condition}"
    )
    conditional = memory("a", text, source=source, validity=validity, at=LATER if is_newer else NOW)
    decision = decide_memories(conditional, memory("b", fact, at=NOW if is_newer else LATER))[2]
    assert decision.winner is None and decision.outcome in (Outcome.COEXIST, Outcome.CONTEST)


DAY, GUESS = timedelta(days=1), {"source": AGENT, "validity": INFERRED}


@pytest.mark.parametrize(
    ("one", "other", "weight", "expected"),
    [
        # two of the user's, confirmed, at once: 0.95 * (0.5 + 0.5 * 0.7)
        pytest.param(memory("a", OLD), memory("b", NEW), 0.8075, "high", id="confirmed"),
        pytest.param(memory("a", OLD, at=NOW - 90 * DAY), memory("b", NEW), 0.40375, "medium", id="a half-life apart"),
        pytest.param(memory("a", "likes tea", at=NOW - 14 * DAY), memory("b", NEW), 0.40375, "medium", id="shorter"),
        pytest.param(memory("a", OLD, **GUESS), memory("b", NEW, **GUESS), 0.45, "medium", id="inferred"),
        pytest.param(memory("a", OLD, **GUESS), memory("b", NEW, **GUESS, at=NOW + 90 * DAY), 0.225, "low", id="low"),
        pytest.param(
            memory("a", "I met Al in May", at=EPOCH), memory("b", "I met Al yesterday"), 0.8075, "high", id="met"
        ),
    ],
)
def test_weight_and_severity_follow_confidence_reliability_and_time(
    one: Memory, other: Memory, weight: float, expected: str
) -> None:
    """Q-21, T-28: the formula, by hand, and what is on record; symmetric."""
    assert conflict_weight(one, other) == conflict_weight(other, one) == pytest.approx(weight)
    assert conflict(one, other).severity is Severity(expected)
    assert write_conflict(conflict(other, one))["severity"] == expected


@pytest.mark.parametrize(
    ("weight", "expected"), [(0.6, "high"), (0.5999, "medium"), (0.35, "medium"), (0.3499, "low"), (0.0, "low")]
)
def test_severity_has_three_classes(weight: float, expected: str) -> None:
    assert severity(weight) is Severity(expected)


def test_risk_grows_with_every_open_conflict() -> None:
    assert conflict_risk([]) == 0.0
    assert conflict_risk([0.5, 0.2]) == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        pytest.param(memory("a"), ("told", 0.95), id="user, confirmed"),
        pytest.param(memory("a", validity=INFERRED), ("told", 0.9), id="user"),
        pytest.param(memory("a", source=EXTERNAL, validity=INFERRED), ("told", 0.7), id="external"),
        pytest.param(memory("a", area="solutions", **GUESS), ("experience", 0.7), id="solution"),
        pytest.param(memory("a", **GUESS), ("inferred", 0.6), id="agent"),
        pytest.param(memory("a", source=Source.BOOKSHELF_DOCUMENT, validity=INFERRED), ("told", 0.6), id="bookshelf"),
        pytest.param(memory("a", validity=DEPRECATED), ("told", 0.2), id="retired"),
    ],
)
def test_confidence_and_source_are_views_of_the_axes(one, expected) -> None:
    """T-25, Q-09."""
    assert (origin_of(one).value, confidence_of(one)) == expected
    assert set(SOURCE_RELIABILITY) == set(SourceClass)


@pytest.mark.parametrize(("text", "expected"), CASES["type_of_a_memory"])
def test_type_of_a_memory(text: str, expected: str) -> None:
    """T-26: ordered rules, fact by default; every type has a half-life (Q-15)."""
    assert memory_type(memory("a", text)) is MemoryType(expected)
    assert set(STALENESS_RATES) == set(MemoryType)


SOLUTION = memory("a", OLD, area="solutions", **GUESS)
TOLD = memory("b", NEW, at=LATER)
GUESSED = memory("c", NEW, at=LATER, **GUESS)
TWIN = memory("d", NEW)


@pytest.mark.parametrize(
    ("one", "other", "strategy", "winner"),
    [
        pytest.param(SOLUTION, TOLD, Strategy.NEWER_WINS, "b", id="newer"),
        pytest.param(memory("a", OLD), TWIN, Strategy.NEWER_WINS, None, id="at once: nobody can say"),
        pytest.param(SOLUTION, TOLD, Strategy.HIGHER_CONFIDENCE, "b", id="confidence"),
        pytest.param(memory("a", OLD), TWIN, Strategy.HIGHER_CONFIDENCE, None, id="equal confidence"),
        pytest.param(SOLUTION, TOLD, Strategy.SOURCE_PRIORITY, "a", id="experience before told"),
        pytest.param(GUESSED, memory("a", OLD), Strategy.SOURCE_PRIORITY, "a", id="told before inferred"),
        pytest.param(memory("a", OLD), TOLD, Strategy.SOURCE_PRIORITY, None, id="equal sources"),
        pytest.param(SOLUTION, TOLD, Strategy.MANUAL, None, id="manual never decides"),
        pytest.param(SOLUTION, TOLD, Strategy.MERGE, None, id="merge prefers neither"),
    ],
)
def test_strategies(one, other, strategy, winner) -> None:
    for pair in ((one, other), (other, one)):
        found = strategic_winner(*pair, strategy)
        assert (found.id if found is not None else None) == winner


def test_detection_finds_each_pair_once_and_changes_nothing() -> None:
    """Q-18, Q-20, Q-43: different values conflict; the same value, other things and what is retired do not."""
    memories = [
        memory("a", OLD),
        memory("b", NEW, at=LATER),
        memory("c", NEW),
        memory("d", "User likes tea"),
        memory("e", "User's project uses Python 3.8", validity=DEPRECATED),
    ]
    found = detect_conflicts(memories, at=LATER)
    assert [set(one.memories) for one in found] == [{"a", "b"}, {"a", "c"}]
    assert detect_conflicts(memories, at=LATER, memory=memories[1]) == found[:1]
    assert detect_conflicts(memories, at=LATER, memory=memories[3]) == []
    assert detect_conflicts(memories, at=LATER, memory=memories[4]) == []


def test_detection_goes_through_the_claim_index() -> None:
    """Q-59: of many memories of one thing the newest fifty are compared; a list that grows costs no comparison."""
    ports = [memory(f"m{number:03}", f"The port of the shop is {8000 + number}") for number in range(55)]
    found = detect_conflicts(ports, at=LATER)
    assert len(found) == 50 * 5 + 50 * 49 // 2
    assert len(detect_conflicts(ports[:-1], at=LATER, memory=ports[-1])) == 50


def beaten(loser, winner, at=LATER):
    """Return both after the winner has beaten the loser, and the change that takes it back."""
    change = Supersede(winner_id=winner.id, loser_id=loser.id, at=at, cycle=7, rule="C-47")
    undo = Restore(
        memory_id=loser.id,
        winner_id=winner.id,
        at=at,
        validity=loser.classification.validity,
        lineage=loser.lineage,
        winner_lineage=winner.lineage,
        rule="Q-23",
    )
    return *change.apply(loser, winner), undo


def test_undo_keeps_what_happened_in_between() -> None:
    """T-70, T-09: the winner has beaten another one since, and lost to a third."""
    a, b, other, third = memory("a"), memory("b"), memory("c"), memory("d")
    retired, winner, undo = beaten(a, b)
    _, winner, undo_other = beaten(other, winner)
    winner, _, _ = beaten(winner, third)
    back, left = undo.apply(retired, winner)
    assert back == a
    assert (left.lineage.supersedes, left.lineage.supersedes_ids) == ("c", ())
    assert (left.lineage.superseded_by, left.classification.validity) == ("d", DEPRECATED)
    retired_other = beaten(other, b)[0]
    left = undo_other.apply(retired_other, winner)[1]
    assert (left.lineage.supersedes, left.lineage.supersedes_ids) == ("a", ())


def test_undo_of_something_else_is_refused() -> None:
    """T-70: what is in use, or lost to somebody else, does not come back."""
    a, b, c = memory("a"), memory("b"), memory("c")
    retired, winner, undo = beaten(a, b)
    with pytest.raises(LifecycleError, match="memory a is confirmed; allowed: deprecated"):
        undo.apply(a, winner)
    with pytest.raises(LifecycleError, match="replaced by c; allowed: replaced by b"):
        undo.apply(beaten(a, c)[0], winner)
    assert retired.is_deprecated


def as_before(loser, winner_id: str) -> Restore:
    """Return the change that brings a memory back as confirmed, without pointers."""
    return Restore(
        memory_id=loser.id,
        winner_id=winner_id,
        at=LATER,
        validity=CONFIRMED,
        lineage=Lineage(created_at=EPOCH),
        winner_lineage=Lineage(created_at=EPOCH),
        rule="Q-23",
    )


def plan(action: str, one, other, keep: str | None = None, strategy=None) -> list[tuple[str, str, str]]:
    """Return what a request changes: the kind of each change and both ids."""
    asked = ConflictDecision(action=RequestKind(action), memories=("a", "b"), keep=keep, strategy=strategy)
    found, merged = [], None
    for change in requests.plan(asked, one, other, at=LATER, cycle=1, to_restore=as_before)[1]:
        if isinstance(change, Restore):
            found.append(("restore", change.memory_id, change.winner_id))
        elif isinstance(change, requests.Bring):
            merged = change.archived.id
            found.append(("bring", change.archived.text, ""))
        else:
            winner = "merged" if change.winner_id == merged else change.winner_id
            found.append(("supersede", change.loser_id, winner))
    return found


A, B = memory("a", OLD), memory("b", NEW, at=LATER)
A_LOST, B_WON, _ = beaten(A, B)
A_LOST_TO_C = beaten(A, memory("c"))[0]
MERGED = [("bring", f"{PARTIAL}\n{NEW}", ""), ("supersede", "a", "merged"), ("supersede", "b", "merged")]
PART, PART_LOST = memory("a", PARTIAL), beaten(memory("a", PARTIAL), B)[0]


@pytest.mark.parametrize(
    ("action", "one", "other", "keep", "expected"),
    [
        pytest.param("keep", A, B, "a", [("supersede", "b", "a")], id="keep the older"),
        pytest.param("keep", A, B, "b", [("supersede", "a", "b")], id="keep the newer"),
        pytest.param(
            "keep", A_LOST, B_WON, "a", [("restore", "a", "b"), ("supersede", "b", "a")], id="keep what a rule retired"
        ),
        pytest.param("keep", A_LOST, B_WON, "b", [], id="keep what has won already"),
        pytest.param("keep", A_LOST_TO_C, B, "b", [], id="the other one is retired anyway"),
        pytest.param("keep", A_LOST, None, "a", [("restore", "a", "b")], id="the winner has gone"),
        pytest.param("dismiss", A, B, None, [], id="dismiss an open one"),
        pytest.param("dismiss", A_LOST, B_WON, None, [("restore", "a", "b")], id="dismiss a decided one"),
        pytest.param("undo", A_LOST, B_WON, None, [("restore", "a", "b")], id="undo"),
        pytest.param("undo", A_LOST_TO_C, B, None, [], id="undo nothing"),
        pytest.param("undo", None, B, None, [], id="undo for one that has gone"),
        pytest.param("merge", PART, B, None, MERGED, id="merge an open one"),
        pytest.param("merge", PART_LOST, B_WON, None, [("restore", "a", "b"), *MERGED], id="merge a decided one"),
    ],
)
def test_what_a_request_changes(action, one, other, keep, expected) -> None:
    assert plan(action, one, other, keep) == expected


@pytest.mark.parametrize(
    ("asked", "one", "other", "match"),
    [
        pytest.param({"strategy": "newer-wins"}, A, memory("b", NEW), "newer-wins is open: it prefers", id="at once"),
        pytest.param({"strategy": "source-priority"}, A, B, "it prefers neither; allowed: to keep one", id="equal"),
        pytest.param({"strategy": "higher-confidence"}, A_LOST, B_WON, "it prefers neither", id="equal before"),
        pytest.param({"strategy": "newer-wins"}, A, None, "one of them is gone", id="gone"),
        pytest.param({"strategy": "newer-wins"}, A_LOST_TO_C, memory("b", NEW, at=EPOCH), "replaced by c", id="lost"),
        pytest.param({"action": "merge"}, A, B, "cannot both hold", id="incompatible"),
        pytest.param({"action": "merge"}, A_LOST, B_WON, "cannot both hold", id="incompatible, and decided already"),
        pytest.param({"action": "merge"}, None, B, "gone", id="merge with nothing"),
        pytest.param({"action": "keep", "keep": "a"}, None, B, "memory a is gone", id="keep nothing"),
        pytest.param({"action": "keep", "keep": "a"}, A_LOST_TO_C, B, "replaced by c", id="beaten by a third"),
    ],
)
def test_what_cannot_be_carried_out(asked, one, other, match: str) -> None:
    """Q-23, Q-25: refused with the reason, and the conflict stays open for a person."""
    with pytest.raises(RequestError, match=match):
        plan(**{"action": "decide", "one": one, "other": other, **asked})


@pytest.mark.parametrize(
    ("action", "keep", "verdict"),
    [("keep", "a", "accepted"), ("merge", None, "merged"), ("undo", None, "rejected"), ("dismiss", None, "rejected")],
)
def test_answer_of_a_request(action: str, keep: str | None, verdict: str) -> None:
    """Q-24: by the operator, at the moment of the request; from then on no rule decides."""
    request = ConflictDecision(action=RequestKind(action), memories=("a", "b"), keep=keep)
    found = conflict(A, B)
    assert not requests.is_answered(None, LATER) and not requests.is_answered(found, LATER)
    answer = requests.answer(request, found, LATER)
    assert answer.resolution is not None
    assert (answer.resolution.resolution.value, answer.resolution.winner) == (verdict, keep)
    assert (answer.resolution.resolved_by, answer.resolution.resolved_at) == (Resolver.OPERATOR, LATER)
    assert requests.is_answered(answer, LATER) and answer.is_decided_by_person
    assert answer.id == request.conflict_id
