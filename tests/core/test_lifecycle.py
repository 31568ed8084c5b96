"""Status: how it moves, who wins, and what shows that the pack wrote it."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
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
from memory_ledger.claims import extract_claims
from memory_ledger.ledger import lifecycle, resolve
from memory_ledger.ledger.adopt import Carried, is_sealed, judge_metadata, sealed
from memory_ledger.ledger.changes import Confirm, Supersede
from memory_ledger.ledger.lifecycle import summarize_status
from memory_ledger.ledger.resolve import Decision, Outcome, Party, decide, name_winner
from memory_ledger.records import Memory, Relevance, Source, Utility, Validity, write_record

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
    """C-14, C-48, T-09: so no chain of winners can close into a ring."""
    loser, winner = retire(memory("a"), memory("b"))
    for pair in ((winner, loser), (loser, memory("c")), (winner, winner)):
        with pytest.raises(lifecycle.LifecycleError, match="allowed"):
            retire(*pair)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12))
def test_winners_never_form_a_ring(pairs: list[tuple[int, int]]) -> None:
    """T-09: from every memory the pointers lead to one that is in use."""
    memories = {str(number): memory(str(number)) for number in range(6)}
    for a, b in pairs:
        try:
            retired, kept = retire(memories[str(a)], memories[str(b)])
        except lifecycle.LifecycleError:
            continue
        memories |= {retired.id: retired, kept.id: kept}

    def winner(memory_id: str) -> str | None:
        lineage = memories[memory_id].lineage
        return lineage.superseded_by if lineage is not None else None

    for memory_id in memories:
        assert not memories[lifecycle.follow_to_head(memory_id, winner)].is_deprecated


def test_ring_in_foreign_metadata_ends() -> None:
    """T-09, T-43: a pointer back into the chain is not followed for ever."""
    assert lifecycle.follow_to_head("a", {"a": "b", "b": "a"}.get) == "b"


def test_validation_confirms_an_inferred_memory_only() -> None:
    """C-16."""
    change = Confirm(memory_id="m1", at=NOW, evidence="Yes, exactly.")
    confirmed = change.apply_to(memory(validity=INFERRED, source=AGENT))
    assert confirmed.classification == axes(CONFIRMED, source=AGENT)
    for validity in (CONFIRMED, DEPRECATED):
        with pytest.raises(lifecycle.LifecycleError):
            change.apply_to(memory(validity=validity))


def test_access_counts_one() -> None:
    """C-60, E-24: count, time and cycle; the axes stay."""
    seen = lifecycle.access(memory(), at=LATER, cycle=9)
    assert seen.lineage is not None
    assert (seen.lineage.access_count, seen.lineage.last_accessed, seen.lineage.last_access_cycle) == (1, LATER, 9)
    assert seen.classification == memory().classification


def test_utility_moves_with_its_tag() -> None:
    """C-20, E-82."""
    moved = lifecycle.with_utility(memory(tags=("utility:tactical", "python")), ARCHIVED)
    assert moved.classification is not None
    assert (moved.classification.utility, moved.classification.tags) == (ARCHIVED, ("utility:archived", "python"))


def party(
    source: Source = USER,
    validity: Validity = CONFIRMED,
    utility: Utility = TACTICAL,
    later: bool = False,
    told: bool = False,
) -> Party:
    return Party(source, validity, utility, LATER if later else NOW, is_told_by_others=told)


@pytest.mark.parametrize(
    ("older", "newer", "corrects", "expected"),
    [
        pytest.param(
            party(), party(AGENT, INFERRED, LOAD_BEARING, True), None, (None, "C-44"), id="C-44 nobody is known"
        ),
        pytest.param(
            party(),
            party(AGENT, INFERRED, LOAD_BEARING, True, told=True),
            None,
            ("older", "C-44"),
            id="C-44 user older",
        ),
        pytest.param(party(), party(AGENT, told=False), None, (None, "C-44"), id="C-44 at one time"),
        pytest.param(party(AGENT, later=False), party(later=True), None, ("newer", "C-44"), id="C-44 user newer"),
        pytest.param(
            party(), party(AGENT, later=True, told=True), "newer", ("older", "C-44"), id="C-41 not against the user"
        ),
        pytest.param(
            party(utility=LOAD_BEARING), party(later=True), "newer", ("newer", "C-41"), id="C-41 a correction"
        ),
        pytest.param(
            party(), party(later=True), "older", ("newer", "C-47"), id="C-41 what came later is not corrected"
        ),
        pytest.param(
            party(AGENT, CONFIRMED), party(AGENT, INFERRED, later=True), None, ("older", "C-45"), id="C-45 confirmed"
        ),
        pytest.param(
            party(utility=LOAD_BEARING), party(later=True), None, ("newer", "C-47"), id="C-96 the user's latest word"
        ),
        pytest.param(
            party(AGENT, INFERRED, LOAD_BEARING),
            party(AGENT, INFERRED, later=True),
            None,
            ("older", "C-46"),
            id="C-46 load_bearing",
        ),
        pytest.param(party(utility=ARCHIVED), party(), None, ("newer", "C-46"), id="C-46 archived"),
        pytest.param(party(), party(later=True), None, ("newer", "C-47"), id="C-47 C-96 two of the user's"),
        pytest.param(
            party(AGENT, INFERRED),
            party(AGENT, INFERRED, later=True, told=True),
            None,
            (None, "C-96"),
            id="C-96 the older one may be the user's",
        ),
        pytest.param(
            party(AGENT, INFERRED, told=True),
            party(AGENT, INFERRED, later=True, told=True),
            None,
            ("newer", "C-47"),
            id="C-47 both by others",
        ),
        pytest.param(party(), party(), None, (None, "C-96"), id="C-96 all equal"),
        pytest.param(
            party(AGENT, INFERRED), party(EXTERNAL, INFERRED, later=True), None, (None, "C-96"), id="C-96 no order"
        ),
        pytest.param(
            party(AGENT, INFERRED), party(EXTERNAL, CONFIRMED), None, ("newer", "C-45"), id="C-96 ordered by rule 2"
        ),
    ],
)
def test_priorities(older: Party, newer: Party, corrects: str | None, expected: tuple[str | None, str]) -> None:
    """C-41, C-44, C-45, C-46, C-47, C-96."""
    winner, rule, reason = name_winner(older, newer, corrects=corrects)  # type: ignore[arg-type]
    assert (winner, rule) == expected
    assert reason


parties = st.builds(
    Party,
    st.sampled_from(Source),
    st.sampled_from([CONFIRMED, INFERRED]),
    st.sampled_from(Utility),
    st.sampled_from([NOW, LATER]),
    is_told_by_others=st.booleans(),
)


@given(parties, parties)
def test_winner_does_not_depend_on_which_side_is_asked_first(a: Party, b: Party) -> None:
    """C-44 ... C-47: the same memory wins."""
    swap = {"older": "newer", "newer": "older", None: None}
    assert swap[name_winner(a, b)[0]] == name_winner(b, a)[0]


@given(st.sampled_from(Utility), st.sampled_from(Utility), st.sampled_from([CONFIRMED, INFERRED]))
def test_two_user_memories_of_different_time_never_stay_open(a: Utility, b: Utility, validity: Validity) -> None:
    """C-96."""
    assert name_winner(party(utility=a), party(validity=validity, utility=b, later=True))[0] is not None


def test_every_value_has_a_rank() -> None:
    """C-45, C-46: a table covers its axis."""
    assert set(resolve._VALIDITY_RANK) == set(Validity)
    assert set(resolve._UTILITY_RANK) == set(Utility)


def judge(older: str, newer: str, a: Party | None = None, b: Party | None = None) -> Decision:
    return decide(
        a or party(),
        b or party(later=True),
        extract_claims(older),
        extract_claims(newer),
        older_text=older,
        newer_text=newer,
    )


@pytest.mark.parametrize(
    ("older", "newer", "outcome", "winner"),
    [
        pytest.param("User likes tea", "User likes coffee", Outcome.COEXIST, None, id="C-43 set-valued"),
        pytest.param("The API uses REST", "The moon is far", Outcome.COEXIST, None, id="C-42 no heuristic"),
        pytest.param("Python 3.11 is used", "Python 3.11 is used", Outcome.DUPLICATE, None, id="C-43 same value"),
        pytest.param("project uses Python 3.9", "project uses Python 3.11", Outcome.SUPERSEDE, "newer", id="C-39 C-79"),
        pytest.param(
            "Project uses Redis", "Project does not use Redis", Outcome.SUPERSEDE, "newer", id="C-40 negation"
        ),
        pytest.param("Project does not use Redis", "Project uses Redis", Outcome.SUPERSEDE, "newer", id="C-40 back"),
        pytest.param("the API uses REST", "actually the API uses GraphQL", Outcome.SUPERSEDE, "newer", id="C-41 C-80"),
    ],
)
def test_outcomes(older: str, newer: str, outcome: Outcome, winner: str | None) -> None:
    """C-38 ... C-43, T-46: without a model; the default is to coexist."""
    decision = judge(older, newer)
    assert (decision.outcome, decision.winner) == (outcome, winner)
    assert decision.is_contradiction is (outcome is Outcome.SUPERSEDE)


def test_memory_that_says_more_is_not_retired_whole() -> None:
    """C-43: only one of its claims is outdated."""
    older = "Project uses Python 3.9. The office is in Berlin next to the river."
    assert judge(older, "project uses Python 3.11").outcome is Outcome.PARTIAL


def test_deprecated_memory_contradicts_nothing() -> None:
    """C-50."""
    retired = party(validity=DEPRECATED)
    assert judge("project uses Python 3.9", "project uses Python 3.11", retired).outcome is Outcome.COEXIST


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
    """T-69: id, text and the four axes."""
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
    """C-75, C-91, T-43, T-69."""
    assert judge_metadata(found, KEY, honours_unsealed=honours) is expected


def test_health_has_every_figure() -> None:
    """C-61, C-63, C-64, C-64a, T-68: zero counts included; a further source is added once there is one."""
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
