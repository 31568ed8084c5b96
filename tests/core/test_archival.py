"""What long disuse leads to, one memory at a time."""

from dataclasses import replace
from datetime import timedelta

import pytest
from case_tables import read_cases
from core_tools import ARCHIVED, CONFIRMED, DEPRECATED, LATER, LOAD_BEARING, NOW, TACTICAL, memory
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.ledger import lifecycle
from memory_ledger.ledger.changes import (
    Archive,
    FlagDormancy,
    Forget,
    Purge,
    Restore,
    Rouse,
    Supersede,
    Suspend,
    Unarchive,
)
from memory_ledger.ledger.lifecycle import LifecycleError
from memory_ledger.maintenance.archival import decide_archival, decide_dormancy, decide_purge, decide_relevance
from memory_ledger.quality.requests import archive_change, may_archive
from memory_ledger.records import Relevance, Utility, Validity
from memory_ledger.settings import Settings

CASES = read_cases(__file__)

SETTINGS = Settings()
SLEEPY = Settings(auto_dormant=True)
PURGING = Settings(enable_purge=True)


def idle(cycles: int, *, now: int = 200, is_knowledge: bool = False, **status):
    """Return a memory that has not been recalled for so many cycles before cycle `now`."""
    lineage = {"classified_at_cycle": now - cycles, **status.pop("lineage", {})}
    return replace(memory(lineage=lineage, **status), is_knowledge=is_knowledge)


def archival(one, settings=SETTINGS, *, cycle=200):
    return decide_archival(one, settings, cycle=cycle, at=NOW)


@pytest.mark.parametrize(("cycles", "status"), CASES["what_is_not_archived"])
def test_what_is_not_archived(cycles, status) -> None:
    assert archival(idle(cycles, **status)) is None


@pytest.mark.parametrize(("cycles", "status"), CASES["what_is_archived"])
def test_what_is_archived(cycles, status) -> None:
    one = idle(cycles, **status)
    change = archival(one)
    assert isinstance(change, Archive)
    archived = change.apply_to(one)
    assert archived.classification.utility is ARCHIVED
    assert archived.lineage.archived_at_cycle == 200
    assert archived.lineage.access_count == one.lineage.access_count
    assert archival(archived) is None


def test_archiving_keeps_the_tags_in_step() -> None:
    one = idle(50, tags=("utility:tactical", "port"))
    assert archival(one).apply_to(one).classification.tags == ("utility:archived", "port")


def test_threshold_is_a_setting() -> None:
    few = Settings(archival_threshold_cycles=10)
    assert archival(idle(9), few) is None
    assert isinstance(archival(idle(10), few), Archive)


def test_memory_recalled_between_decision_and_change_stays() -> None:
    one = idle(50)
    change = archival(one)
    with pytest.raises(LifecycleError, match="touched in cycle 200"):
        change.apply_to(lifecycle.access(one, at=NOW, cycle=200))


def test_a_piece_of_a_knowledge_file_is_not_archived_as_stale() -> None:
    piece = replace(idle(150), is_knowledge=True)
    assert not may_archive(piece, older_than=timedelta(0), now=LATER, is_forced=True)
    with pytest.raises(LifecycleError, match="piece of a knowledge file"):
        archive_change(piece.id, at=NOW, cycle=200).apply_to(piece)


def archived(*accesses: int, **lineage):
    """Return a memory that was archived in cycle 100 and recalled in `accesses` since."""
    one = memory(utility=ARCHIVED, lineage={"archived_at_cycle": 100, "access_count": 7, **lineage})
    for cycle in accesses:
        one = lifecycle.access(one, at=NOW, cycle=cycle)
    return one


@pytest.mark.parametrize(("accesses", "is_back"), CASES["what_comes_back"])
def test_what_comes_back(accesses, is_back) -> None:
    change = archival(archived(*accesses), cycle=max(accesses, default=100) + 5)
    assert isinstance(change, Unarchive) is is_back


def test_return_keeps_the_count_and_the_tags() -> None:
    """C-70: the access count goes on; it is tactical and not archived again at once."""
    one = archived(180, 181, 182)
    back = archival(one).apply_to(one)
    assert (back.classification.utility, back.lineage.access_count) == (TACTICAL, 10)
    assert back.lineage.archived_at_cycle is None and back.lineage.archive_access_cycles == ()
    assert archival(back) is None


def test_memory_idle_again_does_not_come_back() -> None:
    """C-69, C-70: accesses of long ago, seen late, would be followed by its next archiving."""
    assert archival(archived(110, 111, 112), cycle=162) is None
    assert isinstance(archival(archived(110, 111, 112), cycle=161), Unarchive)


def test_window_and_number_are_settings() -> None:
    """C-70: `unarchive_min_accesses`, `unarchive_window_cycles`; null is the archival threshold."""
    one = archived(185, 190, 195)
    assert isinstance(archival(one, Settings(unarchive_window_cycles=10)), Unarchive)
    assert archival(one, Settings(unarchive_window_cycles=9)) is None
    assert archival(one, Settings(unarchive_min_accesses=4)) is None
    assert isinstance(archival(archived(190), Settings(unarchive_min_accesses=1)), Unarchive)
    assert archival(one, Settings(archival_threshold_cycles=9)) is None


@pytest.mark.parametrize(("cycles", "status", "expected"), CASES["candidates_for_dormancy"])
def test_candidates_for_dormancy(cycles, status, expected) -> None:
    one = idle(cycles, **status)
    change = decide_dormancy(one, SETTINGS, cycle=200)
    assert (change.is_candidate if change else "unchanged") == expected
    if change is not None:
        flagged = change.apply_to(one)
        assert flagged.classification == one.classification  # T-12: the relevance stays
        assert flagged.lineage.dormancy_candidate is expected
        assert flagged.lineage.dormancy_flagged_at_cycle == (200 if expected else None)
        assert decide_dormancy(flagged, SETTINGS, cycle=200) is None


def test_memory_recalled_meanwhile_is_no_candidate() -> None:
    """E-26, T-48: a recall in another thread wins."""
    one = idle(60)
    change = decide_dormancy(one, SETTINGS, cycle=200)
    with pytest.raises(LifecycleError, match="recalled meanwhile"):
        change.apply_to(lifecycle.access(one, at=NOW, cycle=200))


def candidate(**status):
    return memory(lineage={"dormancy_candidate": True}, **status)


def relevance(one, settings):
    return decide_relevance(one, settings, cycle=200, at=NOW)


@pytest.mark.parametrize(
    "one",
    [
        pytest.param(memory(), id="T-12 no candidate"),
        pytest.param(candidate(utility=LOAD_BEARING), id="T-12 load_bearing never"),
        pytest.param(candidate(validity=DEPRECATED), id="T-12 retired"),
    ],
)
def test_what_never_sleeps(one) -> None:
    assert relevance(one, SLEEPY) is None


def test_sleep_is_a_setting_that_can_be_taken_back() -> None:
    """T-12: `auto_dormant` is off; what it put to sleep wakes when it is off again, or no candidate any more."""
    assert Settings().auto_dormant is False
    assert relevance(candidate(), SETTINGS) is None
    change = relevance(candidate(), SLEEPY)
    assert isinstance(change, Suspend)
    asleep = change.apply_to(candidate())
    assert asleep.classification.relevance is Relevance.DORMANT
    assert relevance(asleep, SLEEPY) is None
    for one, settings in ((asleep, SETTINGS), (unflag().apply_to(asleep), SLEEPY)):
        change = relevance(one, settings)
        assert isinstance(change, Rouse)
        awake = change.apply_to(one)
        assert awake.classification.relevance is Relevance.ACTIVE
        assert awake.lineage.dormant_since_cycle is None


def unflag() -> FlagDormancy:
    return FlagDormancy(memory_id="m1", is_candidate=False, cycle=200)


def test_what_somebody_else_made_dormant_is_not_woken() -> None:
    explicit = candidate(relevance=Relevance.DORMANT)
    assert relevance(explicit, SETTINGS) is None
    with pytest.raises(LifecycleError, match="dormant by maintenance"):
        Rouse(memory_id="m1", at=NOW).apply_to(explicit)


def test_what_somebody_wants_forgotten_is_not_woken() -> None:
    asleep = Suspend(memory_id="m1", at=NOW, cycle=200).apply_to(candidate())
    assert Rouse(memory_id="m1", at=NOW).apply_to(asleep).classification.relevance is Relevance.ACTIVE
    forgotten = Forget(memory_id="m1", at=NOW).apply_to(asleep)
    with pytest.raises(LifecycleError, match="dormant by maintenance"):
        Rouse(memory_id="m1", at=NOW).apply_to(forgotten)


@pytest.mark.parametrize(("cycles", "status", "settings", "is_purged"), CASES["what_is_purged"])
def test_what_is_purged(cycles, status, settings, is_purged) -> None:
    """C-71, T-08: of what was retired so many cycles ago, if that is known; `settings` are over those that purge."""
    lineage = {"deprecated_at_cycle": 200 - cycles} if cycles else {}
    given = {"validity": DEPRECATED, "is_knowledge": False} | status
    one = replace(memory(lineage=lineage, validity=given["validity"]), is_knowledge=given["is_knowledge"])
    settings = Settings(**{"enable_purge": True} | settings)
    change = decide_purge(one, settings, cycle=200, at=NOW)
    assert isinstance(change, Purge) is is_purged


def test_the_time_since_it_was_retired_begins_anew() -> None:
    """C-71, T-70: what came back into use and went out again is kept for the whole retention from then on."""
    first = Supersede(winner_id="w", loser_id="m1", at=NOW, cycle=10, rule="C-47", reasons=())
    loser, winner = first.apply(memory("m1"), memory("w"))
    back = Restore(memory_id="m1", winner_id="w", at=NOW, validity=CONFIRMED, lineage=memory("m1").lineage,
                   winner_lineage=memory("w").lineage, rule="T-70", reasons=())  # fmt: skip
    loser, winner = back.apply(loser, winner)
    assert (loser.lineage.deprecated_at_cycle, loser.lineage.deprecated_at) == (None, None)
    loser, _ = replace(first, cycle=150).apply(loser, winner)
    assert decide_purge(loser, PURGING, cycle=250, at=NOW) is None
    assert isinstance(decide_purge(loser, PURGING, cycle=251, at=NOW), Purge)


cycles = st.integers(0, 300)
LINEAGES = st.fixed_dictionaries(
    {
        "classified_at_cycle": cycles,
        "access_count": st.integers(0, 3),
        "last_access_cycle": st.none() | cycles,
        "archive_access_cycles": st.lists(cycles, max_size=5),
        "dormancy_candidate": st.booleans(),
        "dormant_since_cycle": st.none() | cycles,
    }
)


@given(st.sampled_from(Utility), st.sampled_from(Validity), st.sampled_from(Relevance), LINEAGES, cycles, st.booleans())
def test_decisions_can_be_carried_out_and_are_not_made_twice(
    utility, validity, relevance, lineage, now, is_sleepy
) -> None:
    """C-69, C-70, E-26, T-12: what is decided fits the memory, touches no load_bearing one, and is final."""
    settings = SLEEPY if is_sleepy else SETTINGS
    one = memory(utility=utility, validity=validity, relevance=relevance, lineage=lineage)
    decide = (
        lambda one: decide_archival(one, settings, cycle=now, at=LATER),
        lambda one: decide_dormancy(one, settings, cycle=now),
        lambda one: decide_relevance(one, settings, cycle=now, at=LATER),
    )
    for rule in decide:
        change = rule(one)
        if change is None:
            continue
        assert not one.is_deprecated
        assert utility is not LOAD_BEARING or isinstance(change, Rouse) or change.is_candidate is False
        one = change.apply_to(one)
        assert rule(one) is None
