"""Conflicts found on demand, and decided by a strategy, from a terminal (Q-23, Q-25, Q-43, Q-44, Q-45)."""

import json

import pytest
from conflict_tools import NEW, OLD, contested, decided, rows, run
from memory_ledger.store import files
from memory_ledger.store.damage import ProblemKind


def detected(box, capsys, *argv: str) -> list[dict]:
    """Return what `conflicts --detect` lists."""
    status, out, _ = run(box, capsys, "conflicts", "--detect", *argv)
    assert status == 0
    return [json.loads(line) for line in out.splitlines()]


def unrecorded(box) -> tuple[str, str]:
    """Return two saved memories in use that contradict each other, of which nothing is on record."""
    old = box.insert(OLD)
    box.clock.advance(days=1)
    new = box.learn(NEW)
    box.store.save()
    return old, new


def test_detection_lists_what_is_not_on_record_and_writes_nothing(box, capsys) -> None:
    """Q-43: what was there before the pack, whichever of the two one asks for; no file is written or touched."""
    old, new = unrecorded(box)
    other = box.learn("User likes tea")
    box.store.save()
    before = {path.name: path.read_bytes() for path in box.folder.iterdir()}
    (row,) = detected(box, capsys)
    assert (row["memories"], row["resolution"], row["type"]) == ([old, new], None, "direct")
    assert 'older: "3.9"; newer: "3.11"' in row["description"]
    for one, count in ((old, 1), (new, 1), (other, 0)):
        assert [each["id"] for each in detected(box, capsys, "--memory", one)] == [row["id"]] * count
    assert run(box, capsys, "conflicts")[1] == ""
    assert {path.name: path.read_bytes() for path in box.folder.iterdir()} == before


def test_what_a_person_has_settled_is_shown_as_settled(known, capsys) -> None:
    """Q-43, Q-45: the memories contradict each other still, and the record says what became of it."""
    contested(known)
    (row,) = detected(known, capsys)
    run(known, capsys, "resolve", row["id"], "--dismiss")
    known.adopt()
    (row,) = detected(known, capsys)
    assert row["resolution"]["resolution"] == "rejected"
    assert detected(known, capsys, "--unresolved") == []


def test_conflicts_of_one_memory(known, capsys) -> None:
    """Q-45: of what is on record; a memory that is nowhere is refused by the detection."""
    old, _ = decided(known)
    (row,) = rows(known)
    told = run(known, capsys, "conflicts", "--memory", old)[1]
    assert told.startswith(json.dumps(row, ensure_ascii=False)[:-1] + ', "texts": ')
    assert run(known, capsys, "conflicts", "--memory", "nobody")[1:] == ("", "0 conflicts, 0 unresolved\n")
    status, out, err = run(known, capsys, "conflicts", "--detect", "--memory", "nobody")
    assert (status, out) == (1, "") and "no memory nobody; allowed: " in err


def test_choice_is_made_when_it_is_carried_out(known, capsys) -> None:
    """Q-44: by how both stand then; what prefers neither any more is refused, and the person is told."""
    one, other = contested(known)
    known.classify(one)
    known.store.save()
    run(known, capsys, "resolve", rows(known)[0]["id"], "--strategy", "source-priority")
    known.classify(other)
    assert known.adopt().changes == []
    (problem,) = known.store.problems.take(ProblemKind.DECISIONS)
    assert "source-priority is open: it prefers neither; allowed: to keep one of them" in str(problem)
    assert rows(known)[-1]["resolution"] is None


@pytest.mark.parametrize("strategy", ["newer-wins", "higher-confidence", "source-priority", "merge"])
def test_strategy_that_names_nobody_leaves_it_open(strategy: str, known, capsys) -> None:
    """Q-25: equal in all, and impossible to combine: it falls back to manual; nothing is asked for."""
    contested(known)
    status, out, err = run(known, capsys, "resolve", rows(known)[0]["id"], "--strategy", strategy)
    assert (status, out) == (1, "")
    assert "allowed: to keep one of them, or to dismiss the conflict" in err
    assert not (known.folder / files.INBOX_FILE).exists()


@pytest.mark.parametrize("is_open", [True, False])
def test_manual_changes_nothing(is_open: bool, known, capsys) -> None:
    contested(known) if is_open else decided(known)
    before = {path.name: path.read_bytes() for path in known.folder.iterdir()}
    identifier = rows(known)[0]["id"]
    status, out, _ = run(known, capsys, "resolve", identifier, "--strategy", "manual")
    state = "stays open for a person" if is_open else "stays as it was resolved"
    assert (status, out) == (0, f"{identifier} {state}: no memory changes\n")
    assert {path.name: path.read_bytes() for path in known.folder.iterdir()} == before


def test_strategy_decides_an_open_conflict(known, capsys) -> None:
    """Q-23, Q-24, Q-44: at Agent Zero's next turn; the record names the strategy; no rule decides it again."""
    winner, loser = contested(known)
    known.classify(winner)
    known.store.save()
    identifier = rows(known)[0]["id"]
    status, _, told = run(known, capsys, "resolve", identifier, "--strategy", "coin")
    assert (status, "higher-confidence" in told) == (2, True)
    said = f"{identifier} will be resolved at Agent Zero's next turn: {loser} is replaced by {winner}\n"
    assert run(known, capsys, "resolve", identifier, "--strategy", "higher-confidence")[:2] == (0, said)
    known.adopt()
    assert (known.validity(winner), known.validity(loser)) == ("confirmed", "deprecated")
    resolution = rows(known)[-1]["resolution"]
    assert {key: resolution[key] for key in ("strategy", "winner", "resolution", "resolvedBy")} == {
        "strategy": "higher-confidence", "winner": winner, "resolution": "accepted", "resolvedBy": "operator"
    }  # fmt: skip
    known.restart()
    assert known.adopt().changes == []
    assert known.store.conflicts.is_decided_by_person(winner, loser)
