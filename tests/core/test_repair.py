"""What stands for a memory that is not there any more."""

import pytest
from core_tools import DEPRECATED, NOW, memory
from memory_ledger.ledger.changes import Repoint, Restore, Supersede
from memory_ledger.maintenance.links import decide_repair, find_heirs
from memory_ledger.records import Memory


def retired(name: str, winner: str | None, **lineage) -> Memory:
    return memory(name, validity=DEPRECATED, lineage={"superseded_by": winner, **lineage})


def repair(one: Memory, *others: Memory) -> Repoint | None:
    everybody = [one, *others]
    heirs = find_heirs((each.id, each.lineage) for each in everybody)
    return decide_repair(one, heirs, {each.id for each in everybody}.__contains__, at=NOW)


@pytest.mark.parametrize(
    ("one", "others"),
    [
        pytest.param(memory("a"), [], id="T-43 no pointers"),
        pytest.param(retired("a", "b"), [memory("b", lineage={"supersedes": "a"})], id="T-43 both are there"),
        pytest.param(memory("b", lineage={"supersedes": "a"}), [retired("a", "b")], id="T-43 both, the other side"),
        pytest.param(retired("a", None), [], id="T-43 nobody knows the winner"),
        pytest.param(memory("x", lineage={"supersedes_ids": ["gone"]}), [], id="T-43 the record of a merge stays"),
        pytest.param(memory("a", lineage={"related_memory_ids": ["gone"]}), [], id="E-71 links wait for the rebuild"),
    ],
)
def test_what_stays_as_it_is(one: Memory, others: list[Memory]) -> None:
    assert repair(one, *others) is None


@pytest.mark.parametrize(
    ("one", "others", "winner", "loser"),
    [
        pytest.param(retired("a", "gone"), [], None, None, id="T-43 winner gone, no heir"),
        pytest.param(
            retired("a", "gone"),
            [memory("merged", lineage={"supersedes_ids": ["gone"]})],
            "merged",
            None,
            id="T-43 the host merged the winner into another one",
        ),
        pytest.param(
            retired("a", "b"), [memory("c", lineage={"supersedes": "b"})], "c", None, id="T-08 the winner was purged"
        ),
        pytest.param(
            retired("a", "b"),
            [memory("d", lineage={"supersedes": "c", "supersedes_ids": ["b", "c"]}), retired("c", "d")],
            "d",
            None,
            id="T-43 to the one that replaced it last",
        ),
        pytest.param(
            retired("a", None), [memory("b", lineage={"supersedes": "a"})], "b", None, id="T-43 the winner is back"
        ),
        pytest.param(memory("b", lineage={"supersedes": "gone"}), [], None, None, id="T-43 loser gone"),
        pytest.param(
            memory("b", lineage={"supersedes": "gone", "supersedes_ids": ["a", "gone"]}),
            [retired("a", "b")],
            None,
            "a",
            id="T-09 an earlier loser is left",
        ),
    ],
)
def test_what_is_repaired(one: Memory, others: list[Memory], winner: str | None, loser: str | None) -> None:
    change = repair(one, *others)
    assert change is not None
    assert (change.superseded_by, change.supersedes) == (winner, loser)
    repaired = change.apply_to(one)
    assert repair(repaired, *others) is None
    assert repaired.classification == one.classification
    before = {one.lineage.supersedes, *one.lineage.supersedes_ids} - {None}
    assert before <= {*repaired.lineage.supersedes_ids, repaired.lineage.supersedes}


def test_ring_of_foreign_pointers_ends() -> None:
    """T-09, T-43: two that claim to have replaced each other, and a third one that names itself."""
    ring = [memory("x", lineage={"supersedes_ids": ["y"]}), memory("y", lineage={"supersedes_ids": ["x"]})]
    own = retired("a", "a2", supersedes_ids=["a", "a2"])
    assert repair(retired("b", "y"), *ring) is None
    assert repair(own) is not None and repair(own).superseded_by is None


def test_undo_after_the_winner_has_gone() -> None:
    """T-43, T-70: a memory that names no winner any more comes back for the one that the journal names."""
    loser, winner = memory("a"), memory("b")
    change = Supersede(winner_id="b", loser_id="a", at=NOW, cycle=1, rule="C-47")
    lost = repair(retired("a", "b")).apply_to(change.apply(loser, winner)[0])
    back = Restore(
        memory_id="a",
        winner_id="b",
        at=NOW,
        validity=loser.classification.validity,
        lineage=loser.lineage,
        winner_lineage=winner.lineage,
        rule="person",
    )
    assert back.apply(lost) == (loser,)
