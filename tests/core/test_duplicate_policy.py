"""Which of two duplicates is retired (E-39 ... E-44, T-23), and what is left alone."""

from dataclasses import replace
from datetime import timedelta

import pytest
from case_tables import read_cases
from core_tools import AGENT, CONFIRMED, DEPRECATED, EXTERNAL, INFERRED, LATER, LOAD_BEARING, NOW, USER, memory
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.contents import Content
from memory_ledger.ledger.changes import Contest, Supersede
from memory_ledger.ledger.copies import DUPLICATE_RULES
from memory_ledger.maintenance.duplicates import PairOutcome, Surroundings, decide_pair, readers_of
from memory_ledger.setting_groups import Deduplication

CASES = read_cases(__file__)

TEXT, REWORDED = "The user lives in Berlin.", "User lives in Berlin"
USERS = {"source": USER, "validity": CONFIRMED}
INFERRED_BY_AGENT = {"source": AGENT, "validity": INFERRED}


def old(text=TEXT, name="old", at=NOW, **status):
    return memory(name, text, at=at, **(INFERRED_BY_AGENT | status))


def new(text=REWORDED, **status):
    return old(text, "new", LATER, **status)


def decide(one, other, *, rules=None, stood_for=(), **around):
    surroundings = Surroundings(at=LATER, cycle=7, **around)
    return decide_pair(one, other, rules or Deduplication(), surroundings, stood_for=stood_for)


@pytest.mark.parametrize(("older", "newer", "outcome"), CASES["what_is_left_alone"])
def test_what_is_left_alone(older, newer, outcome):
    pair = old(**older), new(**newer)
    for one, other in (pair, pair[::-1]):
        found = decide(one, other)
        assert (found.outcome, found.change) == (PairOutcome(outcome), None)
        assert found.why


@pytest.mark.parametrize(("older", "newer", "winner", "rule"), CASES["who_stays"])
def test_who_stays(older, newer, winner, rule):
    """E-39 ... E-43, T-23: one of two duplicates is retired, and the reasons are named."""
    pair = old(**older), new(**newer)
    for one, other in (pair, pair[::-1]):
        change = decide(one, other).change
        assert isinstance(change, Supersede)
        assert (change.winner_id, change.rule, change.cycle, change.at) == (winner, rule, 7, LATER)
        assert {change.winner_id, change.loser_id} == {"old", "new"}
        assert len(change.reasons) == 2


BRIEF = "Fuse 7 is the workshop."
FULL = 'Fuse number 7 belongs to the workshop circuit (labelled wrongly "garage" on the board).'


def test_the_fuller_one_stays():
    """E-39: no detail is lost, so the older one stays where it says more, unless the user said the other."""
    assert decide(old(FULL), new(BRIEF)).change.winner_id == "old"
    assert decide(old(BRIEF), new(FULL)).change.winner_id == "new"
    assert decide(old(FULL), new(BRIEF, **USERS)).outcome is PairOutcome.KEPT
    assert decide(old(BRIEF), new(FULL, **USERS)).change.winner_id == "new"


ROTA = 'Scheduling tool "Rota" has three roles: admin, planner, reader. Planners cannot delete shifts.'
ROTA_CHANGED = "In Rota planners may delete shifts up to a day ahead; roles remain admin, planner, reader."
BREWER = "User is head brewer at Mossgate, where the core range is a pale ale, a stout and a wheat beer"
BREWER_CHANGED = "Mossgate's core range under User as head brewer currently consists of pale ale, stout and a pilsner"


@pytest.mark.parametrize(("older", "newer"), [(ROTA, ROTA_CHANGED), (BREWER, BREWER_CHANGED)])
@pytest.mark.parametrize("status", [{}, USERS, {"validity": CONFIRMED}])
def test_no_older_memory_outlives_a_newer_one_that_may_tell_a_change(older, newer, status):
    """E-39, E-40, T-67: words of its own may tell what has changed; both stay then, whoever said the older one."""
    one, other = old(older, **status), new(newer)
    for pair in ((one, other), (other, one)):
        change = decide(*pair).change
        assert not isinstance(change, Supersede) or change.winner_id == "new"


def test_both_of_the_agents_stay_where_that_is_switched_off():
    """E-39: only if `auto_deprecate_agent_inferred`; what is confirmed still stays before what is not (E-42)."""
    rules = Deduplication(auto_deprecate_agent_inferred=False)
    assert decide(old(), new(), rules=rules).outcome is PairOutcome.KEPT
    assert decide(old(validity=CONFIRMED), new(), rules=rules).change.rule == "E-42"


def test_what_a_person_has_decided_stands():
    assert decide(old(), new(), is_decided=True).outcome is PairOutcome.SKIPPED
    assert decide(old(), new(), has_open_conflict=True).outcome is PairOutcome.SKIPPED


def test_without_the_guard_the_specification_holds_to_the_letter():
    """E-78: `divergence_guard: false` gives E-39 ... E-42 for whatever is near enough."""
    rules = Deduplication(divergence_guard=False)
    found = decide(old("It is on port 80."), new("It is on port 81."), rules=rules)
    assert found.outcome is PairOutcome.RETIRE and found.change.loser_id == "old"
    assert decide(old(**USERS), new("no", **USERS), rules=rules).outcome is PairOutcome.REVIEW
    assert decide(old(utility=LOAD_BEARING), new("no"), rules=rules).outcome is PairOutcome.KEPT


@pytest.mark.parametrize("guard", [True, False])
def test_a_piece_of_a_knowledge_file_is_never_the_loser(guard):
    """T-47: also where E-39 ... E-42 hold to the letter; it still stands for what the agent made of it (E-42)."""
    rules = Deduplication(divergence_guard=guard)
    piece = {"source": EXTERNAL, "validity": CONFIRMED}
    for other in (new(**USERS), new(**piece), replace(new(**piece), is_knowledge=True)):
        assert decide(replace(old(**piece), is_knowledge=True), other, rules=rules).change is None
    kept = decide(replace(old(**piece), is_knowledge=True), new(), rules=Deduplication(divergence_guard=False))
    assert (kept.change.winner_id, kept.change.rule) == ("old", "E-42")


def test_a_contradiction_goes_to_the_resolver():
    """T-67: under the rules of contradiction (C-44, C-47, C-96), not under those of duplicates."""
    ports = old("The API listens on port 8080."), new("The API listens on port 8081.")
    found = decide(*ports)
    assert found.outcome is PairOutcome.RESOLVE
    assert (found.change.loser_id, found.change.rule) == ("old", "C-47")
    users = decide(old("The API listens on port 8080.", **USERS), ports[1])
    assert isinstance(users.change, Contest)  # nobody is known to have said the newer one
    mixed = decide(old("The API listens on port 8080.", source=EXTERNAL), ports[1])
    assert isinstance(mixed.change, Contest)


def test_what_was_there_before_the_pack_is_not_retired_by_a_contradiction():
    """design.md: the first look asks; maintenance does not go round it."""
    ports = old("The API listens on port 8080."), new("The API listens on port 8081.")
    assert decide(*ports, since_look=LATER).outcome is PairOutcome.DIVERGENT
    assert decide(*ports, since_look=NOW).outcome is PairOutcome.RESOLVE


def test_a_duplicate_that_was_there_before_the_pack_is_proposed_to_a_person():
    """design.md: nothing of what was there before is retired until a person accepts it; the change is the same."""
    asked, done = decide(old(), new(), since_look=LATER), decide(old(), new(), since_look=NOW)
    assert (asked.outcome, done.outcome) == (PairOutcome.PROPOSE, PairOutcome.RETIRE)
    assert asked.change == done.change


def test_a_chain_loses_nothing():
    """E-39: who stands for another memory goes only in favour of one that says what that one said."""
    other = memory("gone", "The user lives in Berlin with Ann.", validity=DEPRECATED, source=AGENT)
    assert decide(old(), new(), stood_for=[other]).outcome is PairOutcome.KEPT
    same = memory("gone", "the user lives in Berlin", validity=DEPRECATED, source=AGENT)
    assert decide(old(), new(), stood_for=[same]).outcome is PairOutcome.RETIRE


@pytest.mark.parametrize(
    "other",
    [
        new(TEXT, lineage={"created_by_role": "coder"}),
        new(TEXT, lineage={"bst_domain": "code"}),
        new(TEXT, lineage={"outdated_parts": [{"text": "x", "by": "y", "at": NOW}]}),
        new(TEXT, area="solutions"),
        replace(new(TEXT), is_knowledge=True),
        replace(new(TEXT), content=Content(subject="user", property="home", value="Berlin")),
    ],
)
def test_copies_for_other_readers_do_not_stand_for_each_other(other):
    """T-67: what is not the same for its readers is divergent, and not compared with the one that stays."""
    assert decide(old(), other).outcome is PairOutcome.DIVERGENT
    assert readers_of(old()) != readers_of(other)


MEMORIES = st.builds(
    lambda source, validity, utility, days, text: {
        "source": source,
        "validity": validity,
        "utility": utility,
        "at": NOW + timedelta(days=days),
        "text": text,
    },
    st.sampled_from([USER, AGENT, EXTERNAL]),
    st.sampled_from([CONFIRMED, INFERRED, DEPRECATED]),
    st.sampled_from([LOAD_BEARING, "tactical"]),
    st.integers(0, 3),
    st.sampled_from([TEXT, REWORDED, "User lives in Bern"]),
)


@given(MEMORIES, MEMORIES, st.booleans())
def test_the_decision_does_not_depend_on_the_order(one, other, guard):
    """E-43: symmetric, total, and neither the user's confirmed word nor a load_bearing memory is ever the loser."""
    first, second = (memory(name, row["text"], **{k: v for k, v in row.items() if k != "text"})
                     for name, row in (("a", one), ("b", other)))  # fmt: skip
    rules = Deduplication(divergence_guard=guard)
    found = decide(first, second, rules=rules)
    assert found == decide(second, first, rules=rules)
    if found.outcome is PairOutcome.RETIRE:
        loser = {"a": first, "b": second}[found.change.loser_id]
        assert found.change.rule in DUPLICATE_RULES
        assert loser.classification.utility is not LOAD_BEARING
        if (loser.classification.source, loser.classification.validity) == (USER, CONFIRMED):
            assert one["text"] == other["text"] and one["source"] == other["source"] == USER
