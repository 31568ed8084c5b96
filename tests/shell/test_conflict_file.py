"""Conflicts beside a store: recorded when the rules decide, decided by a person, undone (Q-22, Q-45, Q-70, T-70)."""

import json

import pytest
from conflict_tools import NEW, OLD, PARTIAL, accept, ask, contested, decided, rows, run, statuses
from memory_ledger.ledger.adopt import is_sealed
from memory_ledger.ledger.changes import Confirm, Contest, Supersede
from memory_ledger.quality.conflict_record import (
    ConflictVerdict,
    RequestKind,
    Resolver,
    Strategy,
    resolve,
    write_conflict,
)
from memory_ledger.quality.conflicts import open_conflict
from memory_ledger.store import files
from memory_ledger.store.conflicts import ConflictFile
from memory_ledger.store.damage import ProblemKind
from memory_ledger.store.lines import LineStore
from memory_ledger.store.requests import Inbox
from remembering import know


def undo(box, capsys, about: str) -> None:
    """Take a retirement back at the terminal, and let the host do it."""
    assert run(box, capsys, "undo", about)[0] == 0
    box.adopt()


def test_decided_contradiction_is_a_resolved_conflict(known) -> None:
    """T-46, Q-22: the same event writes a conflict, resolved at once, by the strategy that decided."""
    old, new = decided(known)
    (row,) = rows(known)
    assert (row["type"], row["memories"], row["severity"]) == ("direct", [old, new], "medium")
    assert 'older: "3.9"; newer: "3.11"' in row["description"]
    assert row["resolution"] == {
        "conflictId": row["id"],
        "strategy": "newer-wins",
        "winner": new,
        "resolution": "accepted",
        "resolvedAt": row["detected"],
        "resolvedBy": "automatic",
    }
    assert known.read(new).quality is None


def test_what_no_rule_decides_stays_open(known) -> None:
    """C-96, Q-22: both stay, one conflict is open, and both memories are in doubt; comparing again adds nothing."""
    old, new = contested(known)
    (row,) = rows(known)
    assert (row["type"], row["resolution"], sorted(row["memories"])) == ("direct", None, [old, new])
    assert row["severity"] == "medium"
    assert [(one["action"], {one["memory"], one["other"]}) for one in known.journal()] == [("contest", {old, new})]
    assert [known.read(one).quality.conflict_risk for one in (old, new)] == [0.45, 0.45]
    for one in (old, new):
        known.update(one, known.read(one).text)
    known.adopt()
    assert len(rows(known)) == 1
    assert [one.id for one in known.store.conflicts.get_conflicts(unresolved=True)] == [row["id"]]


def test_risk_counts_every_open_conflict(known) -> None:
    """T-28: 1 - product of (1 - w) over the open ones; a memory that is retired settles what it was part of."""
    ids = [known.insert(f"User's project uses Python 3.{minor}") for minor in (9, 10, 11)]
    known.adopt()
    assert len(rows(known)) == 3
    assert [known.read(one).quality.conflict_risk for one in ids] == [round(1 - 0.55**2, 4)] * 3
    known.store.apply([Supersede(winner_id=ids[1], loser_id=ids[0], at=known.clock(), cycle=0, rule="C-47")])
    assert [known.read(one).quality.conflict_risk for one in ids] == [0.0, 0.45, 0.45]
    (left,) = known.store.conflicts.get_conflicts(unresolved=True)
    assert sorted(left.memories) == ids[1:]


def test_what_was_settled_with_a_loser_is_open_again_when_it_returns(known, capsys) -> None:
    """T-70: exactly as it stood, conflicts included; what it had won stays won."""
    first = know(known, "User's project uses Python 3.7", days=1)
    ids = [known.insert(f"User's project uses Python 3.{minor}") for minor in (9, 10)]
    third = know(known, "User likes tea")
    before = {one.id: one for one in known.store.conflicts.get_conflicts()}
    doubts = [known.read(one).quality for one in ids]
    known.store.apply([Supersede(winner_id=third, loser_id=ids[0], at=known.clock(), cycle=0, rule="E-39")])
    assert known.store.conflicts.of_pair(*ids).resolution.winner == ids[1]
    known.store.save()
    undo(known, capsys, ids[0])
    after = {one.id: one for one in known.store.conflicts.get_conflicts()}
    assert {key: after[key] for key in before} == before
    assert [known.read(one).quality for one in ids] == doubts
    assert known.validity(first) == "deprecated"


def test_conflicts_are_reread_identically(known) -> None:
    """Q-70: by another process; a torn and a foreign line cost nothing else."""
    contested(known)
    decided(known)
    before = known.store.conflicts.get_conflicts()
    with (known.folder / files.CONFLICTS_FILE).open("a") as stream:
        stream.write('{"id": 7}\n{"id": "conflict_to')
    assert ConflictFile(known.folder).get_conflicts() == before
    known.restart()
    assert known.store.conflicts.get_conflicts() == before
    text = "User's office uses Python 3."
    known.insert(f"{text}9"), known.insert(f"{text}11")
    known.adopt()
    reread = ConflictFile(known.folder).get_conflicts()
    assert len(reread) == len(before) + 1 and reread[: len(before)] == before


def test_lost_file_loses_no_decision(known, capsys) -> None:
    """T-70: what a person asked for stands in a file of its own; the next process puts it on record again."""
    old, new = decided(known)
    undo(known, capsys, old)
    (known.folder / files.CONFLICTS_FILE).unlink()
    known.restart()
    known.adopt()
    known.update(old, OLD)
    assert known.adopt().changes == []
    assert (known.validity(old), known.validity(new)) == ("inferred", "inferred")


def test_contest_of_what_has_gone_is_no_conflict(known) -> None:
    first = know(known, OLD)
    known.store.apply([Contest(older_id=first, newer_id="gone", at=known.clock(), rule="C-96")])
    assert rows(known) == []


def test_undo_brings_the_loser_back_exactly_as_it_stood(known, capsys) -> None:
    """T-70: axes and pointers of both; journalled; saved; the person's decision is on record."""
    first = know(known, "User's project uses Python 3.7", days=1)
    old = know(known, OLD)
    known.store.apply([Confirm(memory_id=old, at=known.clock(), evidence="yes")])
    known.store.count_recall([old])
    known.clock.advance(days=1)
    new = know(known, "The user's lunch is at noon")
    before = statuses(known, first, old, new)
    known.store.apply([Supersede(winner_id=new, loser_id=old, at=known.clock(), cycle=3, rule="C-47", reasons=("x",))])
    known.store.save()
    known.restart()
    known.adopt()
    assert known.validity(old) == "deprecated"
    known.clock.advance(days=1)
    assert run(known, capsys, "undo", old)[0] == 0
    (change,) = known.adopt().changes
    assert (change.memory_id, change.winner_id) == (old, new)
    assert statuses(known, first, old, new) == before
    assert all(is_sealed(known.store.key, known.read(one)) for one in (old, new))
    assert known.store.columns.in_use().tolist() == [False, True, True]
    row = known.journal()[-1]
    assert (row["action"], row["memory"], row["from"], row["to"]) == ("restore", old, "deprecated", "confirmed")
    resolution = rows(known)[-1]["resolution"]
    assert (resolution["resolution"], resolution["resolvedBy"]) == ("rejected", "operator")
    known.restart()
    assert statuses(known, first, old, new) == before


def test_first_look_that_is_taken_again_overturns_nothing(known, capsys) -> None:
    """A person's decision stands when the counters are lost and the pack meets the store as if for the first time."""
    old, new = decided(known)
    undo(known, capsys, old)
    known.store.save()
    known.store.database.change(lambda db: db.execute("DELETE FROM state WHERE name = 'counters'"))
    known.restart()
    assert known.store.is_first_look
    assert known.adopt(retire_existing=True).changes == []
    assert (known.validity(old), known.validity(new)) == ("inferred", "inferred")


@pytest.mark.parametrize("by", ["conflict", "memory"])
def test_rules_leave_alone_what_a_person_has_undone(by: str, known, capsys) -> None:
    """A person's decision is never overturned by a rule: either memory is compared anew, also after a restart."""
    old, new = decided(known)
    undo(known, capsys, rows(known)[0]["id"] if by == "conflict" else old)
    for is_restarted in (False, True):
        if is_restarted:
            known.restart(is_saved=True)
        for one in (old, new):
            known.update(one, known.read(one).text)
            adoption = known.adopt()
            assert [each.memory_id for each in adoption.classified] == [one]
            assert adoption.changes == []
    assert (known.validity(old), known.validity(new)) == ("inferred", "inferred")


def test_another_pair_is_still_decided(known, capsys) -> None:
    old, new = decided(known)
    undo(known, capsys, old)
    known.clock.advance(days=1)
    third = know(known, "User's project uses Python 3.13")
    assert {known.read(one).lineage.superseded_by for one in (old, new)} == {third}


def test_undo_without_a_journal(known, capsys) -> None:
    """T-70: bounded by rotation; the memory comes back all the same, as its source begins."""
    known.say("My project uses Python 3.9.")
    known.say("Actually, my project uses Python 3.11.")
    old, new = decided(known)
    for name in (files.JOURNAL_FILE, files.CONFLICTS_FILE):
        (known.folder / name).unlink()
    known.restart()
    known.adopt()
    undo(known, capsys, old)
    assert (known.validity(old), known.validity(new)) == ("confirmed", "confirmed")
    assert known.read(old).lineage.superseded_by is None
    assert known.read(new).lineage.supersedes is None
    assert known.store.conflicts.is_decided_by_person(old, new)


def test_undo_when_the_winner_has_gone(known, capsys) -> None:
    old, new = decided(known)
    known.delete(new)
    known.memory.save()
    undo(known, capsys, old)
    assert known.validity(old) == "inferred"


def test_accepted_report_does_not_undo_an_undo(box, capsys) -> None:
    """A person's later decision stands, also when the next process reads the accepted report of the first look."""
    old = box.insert(OLD)
    box.clock.advance(days=1)
    box.insert(NEW)
    box.adopt()
    accept(box, at=box.clock())
    box.adopt()
    box.store.save()
    assert rows(box)[-1]["resolution"]["resolvedBy"] == "operator"
    undo(box, capsys, old)
    for _ in range(2):
        box.restart(is_saved=True)
        assert box.adopt().changes == []
        assert box.validity(old) == "inferred"


def test_the_later_of_two_decisions_counts(box) -> None:
    """T-70: a person dismisses what the first look proposes, thinks again and accepts it."""
    pair = box.insert(OLD, timestamp="2020-01-01T00:00:00+00:00"), know(box, NEW)
    ask(box, action=RequestKind.DISMISS, memories=pair)
    box.adopt()
    box.clock.advance(days=1)
    accept(box, at=box.clock())
    box.adopt()
    assert box.validity(pair[0]) == "deprecated"


def test_kept_memory_holds(known, capsys) -> None:
    """Q-24, Q-45: an open conflict is decided; the other one is retired and no doubt is left."""
    old, new = contested(known)
    conflict_id = rows(known)[0]["id"]
    status, out, _ = run(known, capsys, "resolve", conflict_id, "--keep", old)
    said = f"{conflict_id} will be resolved at Agent Zero's next turn: {new} is replaced by {old}\n"
    assert (status, out) == (0, said)
    assert known.adopter.has_work()
    assert [type(one).__name__ for one in known.adopt().changes] == ["Supersede"]
    assert not known.adopter.has_work()
    assert (known.validity(old), known.validity(new)) == ("inferred", "deprecated")
    resolution = rows(known)[-1]["resolution"]
    assert (resolution["strategy"], resolution["winner"], resolution["resolvedBy"]) == ("manual", old, "operator")
    assert known.read(old).quality.conflict_risk == 0.0
    assert known.store.conflicts.get_conflicts(unresolved=True) == []


def test_dismissed_conflict_changes_no_memory(known, capsys) -> None:
    pair = contested(known)
    before = statuses(known, *pair)
    run(known, capsys, "resolve", rows(known)[0]["id"], "--dismiss")
    assert known.adopt().changes == []
    assert statuses(known, *pair) == before
    assert rows(known)[-1]["resolution"]["resolution"] == "rejected"
    known.store.apply([Contest(older_id=pair[0], newer_id=pair[1], at=known.clock(), rule="C-96")])
    assert known.store.conflicts.get_conflicts(unresolved=True) == []


def test_merge_of_what_can_be_combined(known, capsys) -> None:
    """Issue 23, Q-23: one memory says what both say, and both stay on record; what no longer holds is marked in it.

    An undo of either brings both back, as they stood, and retires what took their place.
    """
    old = know(known, PARTIAL, days=1)
    new = know(known, NEW)
    known.store.save()
    (row,) = rows(known)
    assert (row["memories"], row["resolution"]) == ([old, new], None) and row["description"].startswith("partial: ")
    status, out, _ = run(known, capsys, "resolve", row["id"], "--merge")
    assert status == 0 and "says what both say" in out
    before = {*known.memory.db.get_all_docs()}
    assert [type(one).__name__ for one in known.adopt().changes] == ["Supersede", "Supersede"]
    assert rows(known)[-1]["resolution"]["resolution"] == "merged"
    assert "winner" not in rows(known)[-1]["resolution"]
    [made] = {*known.memory.db.get_all_docs()} - before
    merged = known.read(made)
    assert merged.text == f"{PARTIAL}\n{NEW}"
    assert [known.read(one).lineage.superseded_by for one in (old, new)] == [made, made]
    assert {*merged.lineage.supersedes_ids, merged.lineage.supersedes} == {old, new}
    assert [one.by for one in merged.lineage.outdated_parts] == [new]
    assert known.adopt().changes == [] and len(known.memory.db.get_all_docs()) == 3
    undo(known, capsys, old)
    assert [known.read(one).is_deprecated for one in (old, new, made)] == [False, False, True]
    assert rows(known)[-1]["resolution"] is None


@pytest.mark.parametrize("by", ["conflict", "memory"])
@pytest.mark.parametrize("how", ["--dismiss", "--keep"])
def test_a_decision_is_taken_back_at_the_terminal(how: str, by: str, known, capsys) -> None:
    """T-70: the conflict is open again and both are as they stood; a second undo finds nothing to do."""
    old, new = contested(known)
    known.store.save()
    before, conflict_id = [known.read(one) for one in (old, new)], rows(known)[0]["id"]
    run(known, capsys, "resolve", conflict_id, *([how, old] if how == "--keep" else [how]))
    known.adopt()
    assert rows(known)[-1]["resolution"] is not None
    about = conflict_id if by == "conflict" else {"--keep": new, "--dismiss": old}[how]
    undo(known, capsys, about)
    assert [known.read(one) for one in (old, new)] == before and rows(known)[-1]["resolution"] is None
    assert run(known, capsys, "undo", about)[0] == 1


def test_merge_of_incompatible_values_falls_back_to_manual(known, capsys) -> None:
    """Q-25: nothing is changed or asked for, the conflict stays open, and the answer says what is possible."""
    contested(known)
    conflict_id = rows(known)[0]["id"]
    status, out, err = run(known, capsys, "resolve", conflict_id, "--merge")
    assert (status, out) == (1, "")
    assert "cannot both hold" in err and "allowed: to keep one of them" in err
    assert not known.adopter.has_work()
    assert len(rows(known)) == 1


def test_crash_before_the_save_repeats_a_request(known, capsys, monkeypatch) -> None:
    """T-70, C-74: nothing is on record before the host has saved it, and what is new is adopted meanwhile."""
    old, _ = decided(known)
    run(known, capsys, "undo", old)
    monkeypatch.setattr(known.memory, "_save_db", crash)
    for _ in range(2):
        known.adopt()
    assert rows(known)[-1]["resolution"]["resolvedBy"] == "automatic"
    known.restart()
    assert known.validity(old) == "deprecated"
    known.adopt()
    assert known.validity(old) == "inferred"
    assert rows(known)[-1]["resolution"]["resolvedBy"] == "operator"


def test_crash_before_the_save_repeats_an_undo_of_a_decision(known, capsys, monkeypatch) -> None:
    """T-70, C-74: the decision is the last word no more, and the memories do not show it yet."""
    old, new = contested(known)
    known.store.save()
    before, conflict_id = [known.read(one) for one in (old, new)], rows(known)[0]["id"]
    run(known, capsys, "resolve", conflict_id, "--keep", old)
    known.adopt()
    known.store.save()
    with monkeypatch.context() as patched:
        patched.setattr(known.memory, "_save_db", crash)
        undo(known, capsys, conflict_id)
    known.restart()
    assert known.validity(new) == "deprecated"
    known.adopt()
    assert [known.read(one) for one in (old, new)] == before and rows(known)[-1]["resolution"] is None


def crash() -> None:
    raise OSError("the disk is full")


def test_index_that_the_host_has_replaced_leaves_requests_open(known, capsys) -> None:
    """T-48: what is changed in an object that the host no longer uses would be lost."""
    old, _ = decided(known)
    run(known, capsys, "undo", old)
    type(known.memory).index.pop(known.memory.memory_subdir)
    known.adopt()
    assert known.adopter.has_work()
    assert rows(known)[-1]["resolution"]["resolvedBy"] == "automatic"


def test_request_that_no_longer_fits_is_reported_once(known, capsys) -> None:
    """T-43: the host deleted the memory meanwhile; the person is told, and nothing is changed."""
    old, new = contested(known)
    run(known, capsys, "resolve", rows(known)[0]["id"], "--keep", old)
    known.delete(old)
    assert known.adopt().changes == []
    (problem,) = known.store.problems.take(ProblemKind.DECISIONS)
    assert str(problem).startswith(f"memory {old} is gone; allowed: ")
    assert known.store.problems.take(ProblemKind.DECISIONS) == []
    assert not known.adopter.has_work()
    assert known.validity(new) == "inferred"


FOREIGN = [
    {},
    {"action": ["undo"], "memories": ["a", "b"]},
    {"action": "undo", "memories": ["a"]},
    {"action": "undo", "memories": ["a", "b"], "keep": "a"},
    {"action": "keep", "memories": ["a", "b"], "keep": "c"},
    {"action": "keep", "memories": ["a", "b"], "keep": None},
    {"action": "decide", "memories": ["a", "b"], "keep": None},
    {"action": "decide", "memories": ["a", "b"], "keep": None, "strategy": "manual"},
    {"action": "undo", "memories": ["a", "b"], "keep": None, "strategy": "newer-wins"},
]


@pytest.mark.parametrize("arguments", FOREIGN)
def test_line_that_is_no_request_is_left_out(arguments: dict, known) -> None:
    """A file that anybody can write to: what is not understood does nothing and stays; the rest goes on."""
    old, new = contested(known)
    row = {"id": "x", "kind": "decision", "at": "2026-01-01T00:00:00Z", "arguments": arguments}
    LineStore(known.folder / files.INBOX_FILE).append([row])
    ask(known, action=RequestKind.KEEP, memories=(old, new), keep=new)
    known.adopt()
    assert known.validity(old) == "deprecated"
    [request] = Inbox(known.folder).read()
    assert request.answer is not None and request.asked is not None
    assert row in known.lines(files.INBOX_FILE)


def test_what_a_person_decided_is_not_opened_again_by_an_undo(known, capsys) -> None:
    """T-70: what a rule had settled because a memory was gone is open again; a person's decision stays."""
    old, _ = decided(known)
    others = [known.insert(text) for text in ("User likes tea", "User likes rye bread")]
    known.adopt()
    book = known.store.conflicts
    for other, by in zip(others, (Resolver.OPERATOR, Resolver.AUTOMATIC), strict=True):
        found = open_conflict(known.read(old), known.read(other), at=known.clock(), reasons=())
        verdict = ConflictVerdict.ACCEPTED
        book.record(resolve(found, Strategy.MANUAL, verdict, winner=other, at=known.clock(), by=by))
    undo(known, capsys, old)
    assert known.validity(old) == "inferred"
    assert [book.of_pair(old, one).resolution is None for one in others] == [False, True]


def test_conflicts_are_listed_as_json_lines(known, capsys) -> None:
    contested(known)
    decided(known, days=3)
    wanted = [write_conflict(one) for one in known.store.conflicts.get_conflicts()]
    status, out, err = run(known, capsys, "conflicts")
    assert status == 0
    found = [json.loads(line) for line in out.splitlines()]
    assert [dict([*one.items()][: len(keys)]) for one, keys in zip(found, wanted, strict=True)] == wanted
    unresolved = [one["id"] for one in wanted if one["resolution"] is None]
    assert err == f"{len(wanted)} conflicts, {len(unresolved)} unresolved\n"
    _, out, err = run(known, capsys, "conflicts", "--unresolved")
    assert [json.loads(line)["id"] for line in out.splitlines()] == unresolved


@pytest.mark.parametrize("command", ["undo", "dismiss", "keep"])
def test_dry_run_does_nothing(command: str, known, capsys) -> None:
    old, new = decided(known)
    conflict_id = rows(known)[0]["id"]
    before = {path.name: path.read_bytes() for path in known.folder.iterdir()}
    options = {"dismiss": ("--dismiss",), "keep": ("--keep", old)}
    argv = ("undo", old) if command == "undo" else ("resolve", conflict_id, *options[command])
    status, out, _ = run(known, capsys, *argv, "--dry-run")
    assert status == 0
    swap = f"; {new} is replaced by {old}" if command == "keep" else ""
    assert out == (f"{conflict_id} would be resolved at Agent Zero's next turn: {old} comes back into use{swap}\n")
    assert {path.name: path.read_bytes() for path in known.folder.iterdir()} == before


@pytest.mark.parametrize(
    ("argv", "match"),
    [
        (["undo", "nobody"], "nothing was changed in nobody; allowed: "),
        (["undo", "NEW"], "nothing was changed in m000"),
        (["resolve", "conflict_0", "--dismiss"], "no conflict conflict_0; allowed: "),
        (["resolve", "CONFLICT", "--keep", "nobody"], "no memory nobody in it; allowed: m0001, m0002"),
    ],
)
def test_what_does_not_fit_is_refused(argv: list[str], match: str, known, capsys) -> None:
    _, new = decided(known)
    names = {"NEW": new, "CONFLICT": rows(known)[0]["id"]}
    status, out, err = run(known, capsys, *(names.get(one, one) for one in argv))
    assert (status, out) == (1, "")
    assert match in err
    assert not (known.folder / files.INBOX_FILE).exists()
