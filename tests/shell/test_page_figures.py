"""What the pages compute from rows and texts: where two texts differ, what may be done."""

from datetime import UTC, datetime

import pytest
from memory_ledger.records import Classification, Lineage, Memory
from memory_ledger.service.arguments import Question, allowed_actions
from memory_ledger.service.rows import differing_spans, stamp_of
from memory_ledger.service.table import ACTS

AT = datetime(2026, 1, 31, 23, 30, tzinfo=UTC)
AXES = {"validity": "inferred", "relevance": "active", "utility": "tactical", "source": "agent_inferred"}


def memory(**changed) -> Memory:
    lineage = {"created_at": AT, **changed.pop("lineage", {})}
    axes = Classification(**{**AXES, **changed.pop("axes", {})})
    return Memory(id="a", text="x", created_at=AT, classification=axes, lineage=Lineage(**lineage), **changed)


@pytest.mark.parametrize(
    ("older", "newer", "expected"),
    [
        ("The port is 8080.", "The port is 8443.", (["8080"], ["8443"])),
        ("The Port is 8080", "the port is 8080", ([], [])),
        ("Ann leads it", "Ann leads it now", ([], ["now"])),
        ("😀 costs 4 euros", "😀 costs 5 euros", (["4"], ["5"])),
        ("", "\ud83d broken", ([], ["\ud83d broken"])),
    ],
)
def test_what_differs_is_marked_where_a_browser_finds_it(older: str, newer: str, expected) -> None:
    """C-96: places in UTF-16 code units, as `slice` counts them."""

    def cut(text: str, spans: list[list[int]]) -> list[str]:
        raw = text.encode("utf-16-le", "surrogatepass")
        return [raw[2 * start : 2 * end].decode("utf-16-le", "surrogatepass") for start, end in spans]

    found = differing_spans(older, newer)
    assert (cut(older, found[0]), cut(newer, found[1])) == expected


@pytest.mark.parametrize(
    ("one", "is_record", "expected"),
    [
        (memory(), False, ["retire", "confirm", "archive", "protect", "correct", "erase"]),
        (
            memory(axes={"validity": "confirmed", "utility": "archived"}),
            False,
            ["retire", "protect", "correct", "erase"],
        ),
        (memory(axes={"utility": "load_bearing"}), False, ["retire", "confirm", "archive", "correct", "erase"]),
        (memory(axes={"validity": "deprecated"}), False, ["restore", "erase"]),
        (memory(is_knowledge=True), False, ["retire", "confirm", "protect", "erase"]),
        (memory(), True, []),
        (Memory(id="a", text="x", created_at=AT), False, ["erase"]),
    ],
)
def test_what_may_be_done_depends_on_how_a_memory_stands(one: Memory, is_record: bool, expected: list[str]) -> None:
    """T-18, T-47: a record of the vault is changed there, a piece of a knowledge file is not archived."""
    assert allowed_actions(one, can_undo=False, is_record=is_record) == expected


def test_a_stamp_changes_with_what_a_person_sees_and_with_nothing_else() -> None:
    """T-70: an access is nothing that a person has to look at again."""
    stamp = stamp_of(memory())
    assert stamp_of(memory(lineage={"access_count": 3, "last_accessed": AT})) == stamp
    others = [
        *(memory(axes={"validity": "confirmed"}), memory(axes={"utility": "archived"})),
        *(memory(axes={"relevance": "dormant"}), memory(lineage={"superseded_by": "b"})),
        Memory(id="a", text="x", created_at=AT),
    ]
    assert len({stamp, *map(stamp_of, others)}) == len(others) + 1


def test_every_act_has_arguments_and_a_way_back_that_exists() -> None:
    """T-70: a name of the table that leads nowhere would be found by a person only."""
    for act in ACTS.values():
        assert issubclass(act.arguments, Question) and (not act.inverse or act.inverse in ACTS), act.name
