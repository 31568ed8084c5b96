"""Every kind of change: what takes it back, and its line in the journal (T-70, C-48, C-69, T-12, Q-55, Q-57)."""

import json
from dataclasses import replace

import pytest
from core_tools import ARCHIVED, CONFIRMED, INFERRED, LATER, NOW, TACTICAL, memory
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.ledger.changes import (
    KINDS,
    Archive,
    Change,
    Classify,
    Confirm,
    Contest,
    FlagDormancy,
    Forget,
    Link,
    Outdate,
    Protect,
    Purge,
    Qualify,
    Reattribute,
    Reinstate,
    Replace,
    Repoint,
    Restore,
    Retirement,
    Revert,
    Rouse,
    Supersede,
    Suspend,
    Unarchive,
    Withdraw,
)
from memory_ledger.ledger.lifecycle import LifecycleError, status_of
from memory_ledger.ledger.undoing import differences
from memory_ledger.records import Lineage, Memory, OutdatedPart, Quality, Relevance, Source, Utility

RULED = {"at": LATER, "rule": "C-47", "reasons": ("older: 3.9", "newer: 3.11")}
SUPERSEDE = Supersede(winner_id="b", loser_id="a", cycle=7, **RULED)
OUTDATE = Outdate(memory_id="a", winner_id="b", parts=("Python 3.9", "Monday"), **RULED)
REINSTATE = Reinstate(memory_id="a", winner_id="b", **RULED)

ids = st.sampled_from(["c", "d", "gone"])
lineages = st.fixed_dictionaries(
    {
        "supersedes": st.none() | ids,
        "supersedes_ids": st.lists(ids, unique=True).map(tuple),
        "superseded_by": st.none() | ids,
        "access_count": st.integers(0, 3),
        "deprecated_reason": st.none() | st.just("C-46"),
        "related_memory_ids": st.lists(ids, unique=True).map(tuple),
        "outdated_parts": st.just(()) | st.just((OutdatedPart(text="Python 3.9", by="c", at=NOW),)),
        "batch": st.none() | st.integers(),
    }
)
memories = st.builds(
    memory,
    st.just("a"),
    validity=st.sampled_from([CONFIRMED, INFERRED]),
    utility=st.sampled_from(Utility),
    relevance=st.sampled_from(Relevance),
    tags=st.just(("python",)),
    lineage=lineages,
)


def written(change: Change, before: list[Memory], after: tuple[Memory, ...]) -> dict:
    """Return the journal's line as it comes back from the disk."""
    return json.loads(json.dumps(change.to_row(before, after)))


@given(memories, memories.map(lambda one: replace(one, id="b")))
def test_what_a_retirement_changed_comes_back_from_its_line(loser: Memory, winner: Memory) -> None:
    """T-70: both memories exactly as they stood, known from nothing but the line; once the winner has gone, one."""
    after = SUPERSEDE.apply(loser, winner)
    found = Retirement.of_row(written(SUPERSEDE, [loser, winner], after))
    undo = replace(restored("b", found.lineage, found.winner_lineage), validity=found.validity)
    assert undo.apply(*after) == (loser, winner)
    assert undo.apply(after[0]) == (loser,)


def stands(**changed: object) -> Memory:
    lineage = {"dormancy_candidate": True, "related_memory_ids": ("c",)}
    return memory("a", **({"utility": TACTICAL, "tags": ("utility:tactical",), "lineage": lineage} | changed))


WITHDRAW = Withdraw(memory_id="a", at=NOW, cycle=9)
AT, NOW_AT, LATER_AT = {"memory_id": "a", "cycle": 9}, {"memory_id": "a", "at": NOW}, {"memory_id": "a", "at": LATER}
ARCHIVE = Archive(**AT, at=NOW, touched_cycle=0)
ARCHIVE_STALE = Archive(**AT, at=NOW, touched_cycle=0, is_stale=True)
SUSPEND, UNARCHIVE = Suspend(**AT, at=NOW), Unarchive(**AT, at=LATER)
TO_AGENT = Reattribute(**NOW_AT, source=Source.AGENT_INFERRED)


def restored(winner_id: str | None, lineage: Lineage, winner_lineage: Lineage) -> Restore:
    return Restore(
        memory_id="a", winner_id=winner_id, validity=CONFIRMED, lineage=lineage, winner_lineage=winner_lineage, **RULED
    )


#: A change, and its counterpart where it has one of its own: whatever it is, what it changed can be written back.
WAYS_BACK = [
    (stands(), WITHDRAW, restored(None, Lineage(created_at=NOW), Lineage(created_at=NOW))),
    (stands(), ARCHIVE_STALE, None),
    (stands(validity=INFERRED), Confirm(**NOW_AT, evidence="Yes"), None),
    (stands(), Protect(**NOW_AT), None),
    (stands(), TO_AGENT, None),
    (stands(), Forget(**NOW_AT), None),
    (stands(), OUTDATE, REINSTATE),
    (stands(), ARCHIVE, UNARCHIVE),
    (stands(), SUSPEND, Rouse(**LATER_AT)),
    (stands(lineage={}), FlagDormancy(**AT, is_candidate=True), FlagDormancy(**AT, is_candidate=False)),
    (stands(), Link(memory_id="a", related_ids=("d", "e")), Link(memory_id="a", related_ids=("c",))),
    (
        replace(stands(), quality=Quality()),
        Qualify(memory_id="a", stated={"confidence": 0.5}),
        Qualify(memory_id="a", stated={"confidence": None}),
    ),
]
#: The memories of a contest stay as they are, and what was deleted comes back from the backup; the others nobody asks
#: for.
NO_WAY_BACK = (Contest, Replace, Classify, Repoint, Purge)


@pytest.mark.parametrize(("one", "change", "back"), WAYS_BACK, ids=[change.action for _, change, _ in WAYS_BACK])
def test_change_and_its_counterpart_leave_the_memory_as_it_was(
    one: Memory, change: Change, back: Change | None
) -> None:
    changed = change.apply_to(one)
    assert changed != one
    assert back is None or back.apply(changed) == (one,)
    fields = json.loads(json.dumps(differences(one, changed)))
    undo, redo = (Revert(memory_id="a", changed=each) for each in (fields, differences(changed, one)))
    assert undo.apply_to(changed) == one and redo.apply_to(one) == changed
    if not isinstance(change, Link):  # that one moves by itself
        with pytest.raises(LifecycleError, match="has changed since"):
            undo.apply_to(one)
    if change.is_step:
        assert written(change, [one], (changed,))["changed"] == {"memories": {"a": fields}}


def test_who_said_a_memory_follows_its_source() -> None:
    told = memory("a", source=Source.AGENT_INFERRED, lineage={"stated_by": "document"})
    change = Reattribute(memory_id="a", at=NOW, source=Source.USER_ASSERTED)
    after = change.apply_to(told)
    assert status_of(after)[1].stated_by is None
    with pytest.raises(LifecycleError):
        change.apply_to(replace(told, is_knowledge=True))
    with pytest.raises(LifecycleError):
        change.apply_to(after)


@given(memories)
def test_marks_of_others_outlast_an_undo(one: Memory) -> None:
    """C-43, T-70: whatever else the memory has, only what this winner outdated holds again."""
    assert REINSTATE.apply_to(OUTDATE.apply_to(one)) == one


@pytest.mark.parametrize(
    ("lineage", "supersedes_ids"),
    [
        ({}, ("a",)),
        ({"supersedes": "c"}, ("c", "a")),
        ({"supersedes": "c", "supersedes_ids": ("d", "c")}, ("d", "c", "a")),
    ],
)
def test_what_replaced_a_deleted_memory_keeps_it_on_record(lineage: dict, supersedes_ids: tuple[str, ...]) -> None:
    """T-43, T-09: beside what it had replaced before, once; it goes when a person wants both to hold."""
    replaced = Replace(memory_id="a", winner_id="b", at=NOW)
    before = memory("b", lineage=lineage)
    (after,) = replaced.apply(before)
    assert status_of(after)[1].supersedes_ids == supersedes_ids
    assert status_of(after)[1].supersedes == status_of(before)[1].supersedes
    with pytest.raises(LifecycleError, match="the one that replaced a, or itself"):
        replaced.apply(after)
    with pytest.raises(LifecycleError):
        replaced.apply(memory("a"))
    brought_back = SUPERSEDE.apply(stands(), after)
    found = Retirement.of_row(written(SUPERSEDE, [stands(), after], brought_back))
    assert found.validity is CONFIRMED
    undo = restored("b", found.lineage, found.winner_lineage)
    loser, winner = undo.apply(*brought_back)
    assert loser == stands() and "a" not in status_of(winner)[1].supersedes_ids
    assert status_of(winner)[1].supersedes == status_of(before)[1].supersedes


def test_every_kind_has_its_way_back_or_is_known_to_have_none() -> None:
    """T-70: a new kind of change has to say which; what undoes one is a kind itself."""
    paired = {type(one) for _, *changes in WAYS_BACK for one in changes if one is not None}
    assert {*paired, Revert, Supersede, *NO_WAY_BACK} == {*KINDS.values()}
    assert all(KINDS[name].action == name for name in KINDS)


_SHARED = ["action", "at", "memory"]
_WHY = ["rule", "reasons"]
_MOVE = ["from", "to", *_WHY]
A, B = stands(), memory("b", lineage={"supersedes": "c"})
RETIRED, WON = SUPERSEDE.apply(A, B)

#: What lines on disk have had since there is a journal: whatever reads one finds these keys.
LINES = [
    (SUPERSEDE, [A, B], [*_SHARED, "winner", *_MOVE, "before"], ("confirmed", "deprecated", "C-47")),
    (SUPERSEDE, [A, memory("b")], [*_SHARED, "winner", *_MOVE], ()),
    (
        restored("b", A.lineage, B.lineage),
        [RETIRED, WON],
        [*_SHARED, "winner", *_MOVE],
        ("deprecated", "confirmed", "C-47"),
    ),
    (Contest(older_id="a", newer_id="b", **RULED), [], [*_SHARED, "other", *_WHY], ()),
    (OUTDATE, [A], [*_SHARED, "winner", "parts", *_WHY], ()),
    (REINSTATE, [OUTDATE.apply_to(A)], [*_SHARED, "winner", *_WHY], ()),
    *(
        (change, [one], [*_SHARED, *_MOVE], moved)
        for change, one, *moved in (
            (Confirm(**NOW_AT, evidence="{Yes}"), stands(validity=INFERRED), "inferred", "confirmed", "C-16"),
            (Forget(**NOW_AT), A, "active", "dormant", "Q-55"),
            (ARCHIVE, A, "tactical", "archived", "C-69"),
            (ARCHIVE_STALE, RETIRED, "tactical", "archived", "Q-28"),
            (UNARCHIVE, stands(utility=ARCHIVED), "archived", "tactical", "C-70"),
            (SUSPEND, A, "active", "dormant", "T-12"),
            (Rouse(**NOW_AT), SUSPEND.apply_to(A), "dormant", "active", "T-12"),
            (WITHDRAW, A, "confirmed", "deprecated", "T-70"),
            (Protect(**NOW_AT), A, "tactical", "load_bearing", "T-70"),
            (TO_AGENT, A, "user_asserted", "agent_inferred", "T-70"),
        )
    ),
    (
        Repoint(memory_id="b", at=NOW, superseded_by=None, supersedes=None),
        [B],
        [*_SHARED, *_WHY, "gone", "winner", "before"],
        (),
    ),
    (Replace(winner_id="b", **NOW_AT), [B], [*_SHARED, "winner", *_WHY], ()),
    *(
        (change, [A], [], ())
        for change in (
            Revert(memory_id="a", changed={}),
            Classify(memory_id="a", classification=A.classification, lineage=A.lineage),
            FlagDormancy(**AT, is_candidate=False),
            Link(memory_id="a", related_ids=()),
            Qualify(memory_id="a", stated={"confidence": 0.5}),
        )
    ),
]


@pytest.mark.parametrize(("change", "before", "keys", "moved"), LINES, ids=[change.action for change, *_ in LINES])
def test_line_of_every_kind(change: Change, before: list[Memory], keys: list[str], moved: tuple[str, ...]) -> None:
    """T-70: old journals stay readable, and so does a new one to an old version; it says what moved, and by what."""
    row = written(change, before, change.apply(*before))
    assert list(row) == [*keys, *(["act", "changed"] if change.is_step else [])]
    if moved:
        assert [row["from"], row["to"], row["rule"]] == [*moved]
    if keys:
        memory_id = next(getattr(change, key) for key in ("memory_id", "loser_id", "older_id") if hasattr(change, key))
        assert row["action"] == change.action and row["memory"] == memory_id
        assert row["reasons"] and all(isinstance(one, str) and one for one in row["reasons"])


def test_line_of_a_purge() -> None:
    row = written(Purge(memory_id="a", at=NOW, cycle=9), [RETIRED], ())
    assert list(row) == [
        *("action", "at", "cycle", "memory", "superseded_by", "deprecated_at", "deprecated_at_cycle", "fingerprint"),
        *("rule", "by"),
    ]
    assert row["deprecated_at_cycle"] == 7 and RETIRED.text not in json.dumps(row)
    assert {change.action for change, *_ in LINES} | {"purge"} == {*KINDS}


def test_reasons_have_the_figures_of_the_memory() -> None:
    """C-69, C-70: in words that a person can check; what somebody said is not a template."""
    idle = stands(lineage={"last_access_cycle": 4})
    archive = Archive(memory_id="a", at=NOW, cycle=9, touched_cycle=4)
    recalled = stands(utility=ARCHIVED, lineage={"archive_access_cycles": (5, 6, 7)})
    assert archive.because(idle)[1] == ["not recalled since cycle 4"]
    assert Unarchive(memory_id="a", at=NOW, cycle=9).because(recalled)[1] == ["recalled 3 times since it was archived"]
    assert Confirm(memory_id="a", at=NOW, evidence="{since}").because(idle)[1] == ["{since}"]


def test_line_that_names_more_than_this_version_knows() -> None:
    """C-30, T-70: what it does know is used; the axes of the memory do not come from a line."""
    row = written(SUPERSEDE, [A, B], (RETIRED, WON)) | {"colour": "blue"}
    row["before"]["winner"]["strength"] = 3
    row["before"]["third"] = 1
    found = Retirement.of_row(row)
    assert (found.validity, found.winner_lineage.supersedes) == (CONFIRMED, "c")
    assert found.validity is CONFIRMED
    undo = restored("b", found.lineage, found.winner_lineage)
    assert undo.apply(RETIRED, WON) == (A, B)
    assert not hasattr(status_of(undo.apply(RETIRED, WON)[1])[1], "strength")
