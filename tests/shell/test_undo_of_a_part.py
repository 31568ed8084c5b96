"""A part of a memory that is retired can be brought back, and stays so, whatever comes (C-43, T-70)."""

import pytest
from conflict_tools import rows, run
from memory_ledger.ledger.adopt import is_sealed
from memory_ledger.ledger.changes import Outdate
from memory_ledger.store import files

BOTH = "The shop is in Bergen. The port of the shop is 8080."
PORT = "The port of the shop is 8443"


def outdated(box) -> tuple[str, str]:
    """Let a newer memory outdate a part of an older one; return both. Both are saved."""
    both = box.learn(BOTH)
    box.clock.advance(days=1)
    port = box.learn(PORT)
    assert parts(box, both) == ["The port of the shop is 8080"]
    box.store.save()
    return both, port


def parts(box, memory_id: str) -> list[str]:
    """Return what of a memory is retired."""
    return [one.text for one in box.read(memory_id).lineage.outdated_parts]


def stated(memory) -> tuple:
    """Return what an undo has to bring back: the axes and the lineage but for the seal."""
    return memory.classification, memory.lineage.model_copy(update={"seal": None})


@pytest.mark.parametrize("by", ["memory", "conflict"])
def test_undo_takes_back_the_mark(by: str, known, capsys) -> None:
    """T-70: the older memory is exactly as it stood; journalled, sealed, saved; the conflict is decided."""
    first = known.learn(BOTH)
    before = stated(known.read(first))
    known.clock.advance(days=1)
    port = known.learn(PORT)
    known.store.save()
    (row,) = rows(known)
    status, out, _ = run(known, capsys, "undo", row["id"] if by == "conflict" else first)
    said = f"{row['id']} will be resolved at Agent Zero's next turn: all of {first} holds again\n"
    assert (status, out) == (0, said)
    assert parts(known, first) != []
    assert [type(one).__name__ for one in known.adopt().changes] == ["Reinstate"]
    assert stated(known.read(first)) == before
    assert is_sealed(known.store.key, known.read(first))
    last = known.journal()[-1]
    assert (last["action"], last["memory"], last["winner"], last["rule"]) == ("reinstate", first, port, "Q-23")
    resolution = rows(known)[-1]["resolution"]
    assert (resolution["resolution"], resolution["resolvedBy"], "winner" in resolution) == (
        "rejected",
        "operator",
        False,
    )
    assert known.read(first).quality.conflict_risk == known.read(port).quality.conflict_risk == 0.0
    known.restart()
    assert stated(known.read(first)) == before
    status, _, err = run(known, capsys, "undo", first)
    assert status == 1 and "nothing was changed" in err


@pytest.mark.parametrize(
    "lost", [(), (files.CONFLICTS_FILE,), (files.JOURNAL_FILE, files.CONFLICTS_FILE), (files.INBOX_FILE,)]
)
def test_no_rule_marks_it_again(lost: tuple[str, ...], known, capsys) -> None:
    """T-70: at the next adoption of either, after a restart, at a first look, and without the record of conflicts."""
    both, port = outdated(known)
    run(known, capsys, "undo", both)
    known.adopt()
    for has_first_look in (False, False, True):
        for one in (both, port):
            known.update(one, known.read(one).text)
            adoption = known.adopt(retire_existing=True)
            assert [each.memory_id for each in adoption.classified] == [one]
            assert (adoption.changes, parts(known, both)) == ([], [])
        for name in lost:
            (known.folder / name).unlink(missing_ok=True)
        if has_first_look:
            known.store.database.change(lambda db: db.execute("DELETE FROM state WHERE name = 'counters'"))
        known.restart(is_saved=not has_first_look)
        if lost:
            # What is rewritten before the first turn of a process meets rules that have no record to look at.
            known.update(port, PORT)
        assert known.adopt(retire_existing=True).changes == []
        assert parts(known, both) == []


def test_a_request_holds_before_it_is_carried_out(known, capsys) -> None:
    """T-70: what a person has asked for is not decided by a rule meanwhile, in whatever order a turn does things."""
    both, port = outdated(known)
    run(known, capsys, "undo", both)
    known.update(both, BOTH)
    known.update(port, PORT)
    assert known.adopt().changes == []
    assert (parts(known, both), known.validity(both)) == ([], "inferred")
    assert [row["action"] for row in known.journal()] == ["partial", "act"]


def test_what_holds_again_is_compared_again(known, capsys) -> None:
    """T-70, C-37: the person spoke of two memories; what a third says of the part is judged by the rules."""
    both, _ = outdated(known)
    run(known, capsys, "undo", both)
    known.adopt()
    for number in range(10):
        known.insert(f"The shop sells bread number {number}")
    known.adopt()
    known.clock.advance(days=1)
    third = known.insert("The port of the shop is 9000")
    known.adopt(conflict_top_k=1)
    assert [one.by for one in known.read(both).lineage.outdated_parts] == [third]


def test_the_marks_of_others_stay(known, capsys) -> None:
    both, port = outdated(known)
    town = known.learn("User likes tea")
    change = Outdate(
        memory_id=both, winner_id=town, parts=("The shop is in Bergen",), at=known.clock(), rule="C-47", reasons=()
    )
    assert known.store.apply([change]) == 1
    known.store.save()
    for left in (["The port of the shop is 8080"], []):
        assert run(known, capsys, "undo", both)[0] == 0
        known.adopt()
        assert parts(known, both) == left
    assert [row["winner"] for row in known.journal() if row["action"] == "reinstate"] == [town, port]


def test_undo_takes_back_all_that_one_memory_did(known, capsys) -> None:
    """T-70: what lost a part to a memory, and then everything, is in use again as it was; with one more it is whole."""
    both, port = outdated(known)
    run(known, capsys, "resolve", rows(known)[0]["id"], "--keep", port)
    known.adopt()
    assert known.validity(both) == "deprecated"
    known.clock.advance(days=1)
    status, out, _ = run(known, capsys, "undo", both)
    assert (status, out) == (0, f"{both} will come back into use at Agent Zero's next turn\n")
    known.adopt()
    assert (known.validity(both), len(parts(known, both))) == ("inferred", 1)
    assert known.read(port).lineage.supersedes is None and rows(known)[-1]["resolution"] is None
    known.store.save()
    run(known, capsys, "undo", both)
    known.adopt()
    assert (known.validity(both), parts(known, both)) == ("inferred", [])


@pytest.mark.parametrize(
    ("options", "retired", "marks"),
    [
        pytest.param("--dismiss", (), 0, id="no contradiction: all of both holds"),
        pytest.param("--keep {both}", ("port",), 0, id="what had lost in part wins as a whole"),
        pytest.param("--keep {port}", ("both",), 1, id="the mark stays"),
        pytest.param("--merge", ("both", "port"), 1, id="the rest holds beside the newer one, in one memory"),
    ],
)
def test_what_a_person_decides_of_a_part(options: str, retired: tuple[str, ...], marks: int, known, capsys) -> None:
    """Q-23, Q-24, Q-25: of a memory that has lost a part."""
    ids = dict(zip(("both", "port"), outdated(known), strict=True))
    assert run(known, capsys, "resolve", rows(known)[0]["id"], *options.format_map(ids).split())[0] == 0
    known.adopt()
    assert [name for name, one in ids.items() if known.read(one).is_deprecated] == [*retired]
    made = {known.read(one).lineage.superseded_by for one in ids.values()} if options == "--merge" else {ids["both"]}
    assert [len(parts(known, one)) for one in made] == [marks]
