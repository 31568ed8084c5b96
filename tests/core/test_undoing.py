"""Which step about a memory can be taken back: the latest that still stands and fits what the memory is now (T-70)."""

import pytest
from core_tools import ARCHIVED, CONFIRMED, DEPRECATED, INFERRED, LATER, LOAD_BEARING, memory
from memory_ledger.ledger.changes import Revert
from memory_ledger.ledger.undoing import find_undoable, to_revert
from memory_ledger.records import OutdatedPart, Source

IN_USE = memory("a", validity=CONFIRMED)
RETIRED = memory("a", validity=DEPRECATED)
REPLACED = memory("a", validity=DEPRECATED, lineage={"superseded_by": "b"})
OUTDATED = memory("a", lineage={"outdated_parts": (OutdatedPart(text="x", by="b", at=LATER),)})
PUT_AWAY = memory("a", utility=ARCHIVED)


def line(action: str, **more: str) -> dict[str, str]:
    return {"action": action, "memory": "a", **more}


WITHDRAWN = line("withdraw", **{"from": "confirmed", "to": "deprecated"})
BEATEN = line("supersede", winner="b", **{"from": "confirmed", "to": "deprecated"})
STORED = line("archive", **{"from": "load_bearing", "to": "archived"})
GUARDED = line("protect", **{"from": "archived", "to": "load_bearing"})
SAID_BY_USER = line("reattribute", stated_by="agent", **{"from": "agent_inferred", "to": "user_asserted"})
AGREED = line("confirm", **{"from": "inferred", "to": "confirmed"})


@pytest.mark.parametrize(
    ("journal", "one", "expected"),
    [
        ([], IN_USE, None),
        ([WITHDRAWN], RETIRED, WITHDRAWN),
        ([WITHDRAWN], IN_USE, None),
        ([WITHDRAWN, line("revert", reverted="withdraw")], RETIRED, None),
        ([WITHDRAWN, line("revert", reverted="archive")], RETIRED, WITHDRAWN),
        ([AGREED, WITHDRAWN, line("revert", reverted="withdraw")], IN_USE, AGREED),
        ([AGREED], memory("a", validity=INFERRED), None),
        ([BEATEN], REPLACED, BEATEN),
        ([BEATEN], RETIRED, None),
        ([BEATEN, line("restore", winner="b")], REPLACED, None),
        ([line("partial", winner="b")], OUTDATED, line("partial", winner="b")),
        ([line("partial", winner="c")], OUTDATED, None),
        ([STORED], PUT_AWAY, STORED),
        ([STORED, line("unarchive")], PUT_AWAY, None),
        ([STORED, AGREED], PUT_AWAY, AGREED),
        ([STORED, GUARDED], memory("a", utility=LOAD_BEARING), GUARDED),
        ([STORED, GUARDED, line("revert", reverted="protect")], PUT_AWAY, STORED),
        ([GUARDED], IN_USE, None),
        ([SAID_BY_USER], memory("a", source=Source.USER_ASSERTED), SAID_BY_USER),
        ([SAID_BY_USER], memory("a", source=Source.AGENT_INFERRED), None),
        ([line("classify"), {"memory": "a"}, {"action": 3}], IN_USE, None),
    ],
)
def test_the_latest_step_that_stands_is_found(journal, one, expected) -> None:
    assert find_undoable(journal, one) == expected


def test_a_step_that_moved_one_axis_goes_back_to_where_it_came_from() -> None:
    """T-70: known from the line; what no line can say is not guessed."""
    assert to_revert(STORED, "a", at=LATER) == Revert(
        memory_id="a", at=LATER, reverted="archive", moved="utility", found="archived", value="load_bearing"
    )
    back = to_revert(SAID_BY_USER, "a", at=LATER)
    assert back is not None and (back.moved, back.value, back.stated_by) == ("source", "agent_inferred", "agent")
    assert to_revert({**SAID_BY_USER, "stated_by": "nobody"}, "a", at=LATER).stated_by is None
    assert to_revert({**STORED, "from": "confirmed"}, "a", at=LATER) is None
    assert to_revert(BEATEN, "a", at=LATER) is None
    assert to_revert({}, "a", at=LATER) is None
