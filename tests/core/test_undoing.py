"""Which step about a memory can be taken back: the latest that stands, and what keeps it from that (T-70)."""

import pytest
from core_tools import CONFIRMED, DEPRECATED, LATER, LOAD_BEARING, memory
from memory_ledger.ledger.changes import Protect
from memory_ledger.ledger.undoing import Steps, differences, moved_on
from memory_ledger.records import OutdatedPart

IN_USE = memory("a", validity=CONFIRMED)
RETIRED = memory("a", validity=DEPRECATED)
REPLACED = memory("a", validity=DEPRECATED, lineage={"superseded_by": "b"})
OUTDATED = memory("a", lineage={"outdated_parts": (OutdatedPart(text="x", by="b", at=LATER),)})
GUARDED = Protect(memory_id="a", at=LATER).apply_to(IN_USE)


def line(action: str, **more: object) -> dict[str, object]:
    return {"action": action, "memory": "a", **more}


def step(act: str, *, undoes: str = "", **more: object) -> dict[str, object]:
    changed = {"memories": {"a": differences(IN_USE, GUARDED)}}
    return line("undo" if undoes else "act", act=act, changed=changed, **({"undoes": undoes} if undoes else {}), **more)


DONE, UNDONE, REDONE = step("1", kind="protect"), step("2", undoes="1"), step("3", undoes="2")
BEATEN, PARTED, WITHDRAWN = line("supersede", winner="b"), line("partial", winner="b"), line("withdraw")
STORED = step("0") | {"action": "archive"}


@pytest.mark.parametrize(
    ("journal", "one", "expected"),
    [
        ([], IN_USE, None),
        ([DONE], GUARDED, DONE),
        ([DONE, {**DONE, "memory": "b", "act": "4"}], GUARDED, DONE),
        ([DONE, UNDONE], IN_USE, None),
        ([STORED, DONE, UNDONE], IN_USE, STORED),
        ([DONE, UNDONE, REDONE], GUARDED, DONE),
        ([DONE, UNDONE, REDONE, step("4", undoes="3")], IN_USE, None),
        ([DONE, BEATEN], REPLACED, BEATEN),
        ([DONE, BEATEN, line("restore", winner="b")], GUARDED, DONE),
        ([BEATEN], memory("a", validity=DEPRECATED, lineage={"superseded_by": "c"}), None),
        ([PARTED], OUTDATED, PARTED),
        ([line("partial", winner="c")], OUTDATED, None),
        ([WITHDRAWN], RETIRED, WITHDRAWN),
        ([WITHDRAWN], IN_USE, None),
        ([line("classify"), {"memory": "a"}, {"action": 3}, line("archive")], IN_USE, None),
    ],
)
def test_the_latest_step_that_stands_is_found(journal, one, expected) -> None:
    found = Steps(journal).latest("a", one)
    assert (found and {key: found[key] for key in expected}) == expected


def test_an_act_is_found_by_its_name_its_kind_and_its_conflict() -> None:
    """T-70: one that a crash has repeated holds what it changed both times."""
    again = step("1", kind="protect") | {"changed": {"conflicts": {"c": [None, {}]}}}
    steps = Steps([DONE, again, step("1", kind="protect") | {"memory": "b"}])
    assert [one["memory"] for one in steps.of_act("1")] == ["a", "b"]
    (found,) = steps.of_act("1", ("a",))
    assert found["changed"] == {**DONE["changed"], **again["changed"]}
    assert steps.latest("c") == found and steps.latest("a", kind="retire") is None
    assert Steps([DONE, UNDONE]).latest_undo("a") == UNDONE and Steps([DONE]).latest_undo("a") is None
    assert Steps([DONE, UNDONE]).undone_by(DONE) == "2"


def test_what_has_moved_on_is_named_and_what_only_counts_holds_up_nothing() -> None:
    """T-70: a recall in between, or another risk, is no change of what was done."""
    fields = differences(IN_USE, GUARDED)
    recalled = memory("a", validity=CONFIRMED, utility=LOAD_BEARING, tags=GUARDED.classification.tags,
                      lineage={"access_count": 3, "last_access_cycle": 2})  # fmt: skip
    assert moved_on(recalled, fields) == ""
    assert moved_on(IN_USE, fields) == "its utility has changed since"
    assert moved_on(GUARDED, {"quality": {"": [True, None]}}) == ""
    assert moved_on(GUARDED, {"quality": {"": [None, True]}}) == "its quality has changed since"
