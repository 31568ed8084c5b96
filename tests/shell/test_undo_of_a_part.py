"""A part of a memory that is retired can be brought back, and stays so, whatever comes (C-43, T-70)."""

import json

import pytest
from conflict_tools import rows, run
from memory_ledger.ledger.adopt import is_sealed
from memory_ledger.ledger.changes import Outdate
from memory_ledger.store import files

BOTH = "The shop is in Bergen. The port of the shop is 8080."
PORT = "The port of the shop is 8443"


def outdated(box) -> tuple[str, str]:
    """Let a newer memory outdate a part of an older one; return both. Both are saved."""
    both = box.insert(BOTH)
    box.adopt()
    box.clock.advance(days=1)
    port = box.insert(PORT)
    box.adopt()
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
    first = known.insert(BOTH)
    known.adopt()
    before = stated(known.read(first))
    known.clock.advance(days=1)
    port = known.insert(PORT)
    known.adopt()
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


def test_dismissed_conflict_takes_back_the_mark(known, capsys) -> None:
    """Q-24: it is no contradiction: all of both holds."""
    both, _ = outdated(known)
    run(known, capsys, "resolve", rows(known)[0]["id"], "--dismiss")
    known.adopt()
    assert parts(known, both) == []


@pytest.mark.parametrize("kept", ["older", "newer"])
def test_the_kept_one_holds_as_a_whole(kept: str, known, capsys) -> None:
    """Q-24: the one that had lost in part wins as a whole; where the other one is kept, the mark stays."""
    both, port = outdated(known)
    winner, loser = (both, port) if kept == "older" else (port, both)
    assert run(known, capsys, "resolve", rows(known)[0]["id"], "--keep", winner)[0] == 0
    known.adopt()
    assert [known.validity(one) for one in (winner, loser)] == ["inferred", "deprecated"]
    assert len(parts(known, both)) == (0 if kept == "older" else 1)


def test_merge_keeps_the_mark(known, capsys) -> None:
    """Q-23, Q-25: the part is retired, the rest holds beside the newer one, in one memory."""
    both, port = outdated(known)
    assert run(known, capsys, "resolve", rows(known)[0]["id"], "--merge")[0] == 0
    known.adopt()
    made = known.read(both).lineage.superseded_by
    assert made == known.read(port).lineage.superseded_by and len(parts(known, made)) == 1


def test_the_marks_of_others_stay(known, capsys) -> None:
    both, port = outdated(known)
    town = known.insert("User likes tea")
    known.adopt()
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


def test_dry_run_of_an_undo(known, capsys) -> None:
    both, _ = outdated(known)
    status, out, _ = run(known, capsys, "undo", both, "--dry-run")
    assert (status, out.split(": ")[1]) == (0, f"all of {both} holds again\n")
    assert not (known.folder / files.INBOX_FILE).exists()
    assert json.loads((known.folder / files.CONFLICTS_FILE).read_text().splitlines()[-1])["resolution"] is None
