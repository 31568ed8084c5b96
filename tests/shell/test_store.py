"""The store: what a sweep reports, how changes are written, and what survives a crash."""

import json
import os
from copy import deepcopy
from pathlib import Path

import pytest
from full_disk import full_disk
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from memory_ledger.ledger.adopt import is_sealed
from memory_ledger.ledger.changes import Confirm, Contest, Supersede
from memory_ledger.store import db as sqlite
from memory_ledger.store import files
from memory_ledger.store.damage import ProblemKind
from memory_ledger.store.database import Database
from memory_ledger.store.db import StateName
from memory_ledger.store.embedded import EmbeddedMemory
from memory_ledger.store.saving import save_whole
from memory_ledger.store.tables import FolderState, read_counters, write_counters


def supersede(box, winner: str, loser: str, *, cycle: int = 0) -> Supersede:
    """Return the change that retires `loser`."""
    return Supersede(winner_id=winner, loser_id=loser, at=box.clock(), cycle=cycle, rule="C-47", reasons=("newer",))


def test_sweep_reads_no_more_than_what_is_new(box, monkeypatch) -> None:
    ids = [box.insert(f"note {number}") for number in range(300)]
    box.store.sweep()
    looked_at = []

    class Watched(dict):
        def get(self, key, default=None):
            looked_at.append(key)
            return super().get(key, default)

    box.store._seen = Watched(box.store._seen)
    new = box.insert("one more")
    assert box.store.sweep().added == (new,)
    assert set(looked_at) <= {new, ids[-1]}


def test_backlog_of_many_is_found_whole(box) -> None:
    box.insert("the first")
    box.store.sweep()
    new = tuple(box.insert(f"note {number}") for number in range(700))
    assert box.store.sweep().added == new


def test_vanished_memory_is_reported_with_its_last_status(box) -> None:
    gone, stays = box.insert("uses Python 3.9"), box.insert("likes tea")
    box.store.sweep()
    box.classify(gone, stays)
    box.delete(gone)
    sweep = box.store.sweep()
    assert sweep.added == ()
    assert [(one.id, one.text, one.classification.source.value) for one in sweep.vanished] == [
        (gone, "uses Python 3.9", "user_asserted")
    ]
    assert box.store.sweep().vanished == ()


class Sweeping(RuleBasedStateMachine):
    """Random work of the host between sweeps."""

    def __init__(self, box) -> None:
        super().__init__()
        self.box = box
        self.reported: dict[str, str] = {}
        self.count = 0

    @rule()
    def insert(self) -> None:
        self.count += 1
        self.box.insert(f"note {self.count}")

    @rule(data=st.data())
    def delete(self, data) -> None:
        if self.box.docs:
            ids = st.lists(st.sampled_from(sorted(self.box.docs)), min_size=1, max_size=3, unique=True)
            self.box.delete(*data.draw(ids))

    @rule(data=st.data())
    def update(self, data) -> None:
        if self.box.docs:
            self.count += 1
            self.box.update(data.draw(st.sampled_from(sorted(self.box.docs))), f"update {self.count}")

    @rule()
    def sweep(self) -> None:
        before = {memory_id: document.page_content for memory_id, document in self.box.docs.items()}
        has_news = self.box.store.has_news()
        sweep = self.box.store.sweep()
        assert has_news == (before != self.reported)
        assert [one for one in before if one in sweep.added] == list(sweep.added)
        assert all(self.reported.get(one) != before[one] for one in sweep.added)
        for one in sweep.vanished:
            assert self.reported.pop(one.id) == one.text
        self.reported |= {one: before[one] for one in sweep.added}
        assert self.reported == before
        assert not self.box.store.has_news()
        assert self.box.store.index.ids == list(self.box.memory.db.index_to_docstore_id.values())
        assert len(self.box.store.columns.in_use()) == len(before) == len(self.box.store)

    @invariant()
    def positions_and_documents_agree(self) -> None:
        assert set(self.box.docs) == set(self.box.memory.db.index_to_docstore_id.values())


def test_reports_of_all_sweeps_equal_the_docstore(new_box) -> None:
    """T-01, T-43: whatever the host inserts, deletes and updates, nothing is missed and nothing comes twice."""
    run_state_machine_as_test(lambda: Sweeping(new_box()), settings=settings(max_examples=15, stateful_step_count=25))


def test_docstore_that_changes_while_it_is_looked_at_is_news(box) -> None:
    """T-48: the host deletes in another thread; the hook's cheap look must not fail."""

    class Changing(dict):
        def items(self):
            class View:
                def __reversed__(self):
                    raise RuntimeError("dictionary changed size during iteration")
                    yield

            return View()

    box.store.sweep()
    box.memory.db.docstore._dict = Changing()
    assert box.store.has_news()


def test_problems_are_told_once(box) -> None:
    memory_id = box.insert("note", quality=7, lineage={"access_count": "many"})
    for _ in range(3):
        box.store.read(memory_id)
    assert [one.where for one in box.store.problems.take(ProblemKind.METADATA)] == [
        f"memory {memory_id}: lineage.access_count",
        f"memory {memory_id}: quality",
    ]
    box.store.read(memory_id)
    assert box.store.problems.take() == []
    for lineage, told in (({}, 0), ({"access_count": "many"}, 1)):
        box.docs[memory_id].metadata["lineage"] = lineage
        box.store.read(memory_id)
        assert len(box.store.problems.take()) == told


def test_put_seals_and_leaves_other_keys_alone(box) -> None:
    """C-30, C-33, T-43, T-48, T-69: fresh dicts under the ledger's keys; whatever else stands there stays."""
    foreign = {"deep": [1, 2]}
    memory_id = box.insert("likes tea", custom=foreign, source_tool="x")
    box.store.sweep()
    before = dict(box.docs[memory_id].metadata)
    box.classify(memory_id)
    metadata = box.docs[memory_id].metadata
    assert metadata["custom"] is foreign
    assert {key: metadata[key] for key in before} == before
    assert set(metadata) - set(before) == {"classification", "lineage", "ledger"}
    assert is_sealed(box.store.key, box.read(memory_id))
    assert json.loads(json.dumps(metadata)) == metadata
    metadata["classification"]["mood"], metadata["lineage"]["batch"] = "warm", [1]  # somebody else's, inside our own
    box.store.put(box.read(memory_id))
    assert (metadata["classification"]["mood"], metadata["lineage"]["batch"]) == ("warm", [1])
    other = box.learn("likes coffee")
    box.classify(other)
    old = metadata["lineage"]
    frozen = deepcopy(old)
    box.store.apply([supersede(box, other, memory_id)])
    assert old == frozen and box.docs[memory_id].metadata["lineage"] is not old  # a parallel reader keeps what it has
    for key in ("classification", "lineage"):
        assert box.docs[memory_id].metadata[key] is not box.docs[other].metadata[key]


def test_put_of_a_vanished_memory_writes_nothing(box) -> None:
    """T-43: the host deletes in parallel; nothing is brought back."""
    memory_id = box.insert("likes tea")
    box.store.sweep()
    box.classify(memory_id)
    memory = box.read(memory_id)
    box.store.is_dirty = False
    box.delete(memory_id)
    assert box.store.put(memory) is False
    assert not box.store.is_dirty
    assert memory_id not in box.docs


def test_each_change_of_status_is_one_journal_line(box) -> None:
    """T-70, C-48, C-49, C-16, C-96: supersede, confirm and contest are journalled, a classification is not."""
    ids = [box.insert(text) for text in ("uses Python 3.9", "uses Python 3.11", "likes tea", "likes no tea")]
    old, new, tea, no_tea = ids
    box.store.sweep()
    box.classify(old, new, no_tea)
    box.classify(tea, validity="inferred", source="agent_inferred")
    assert box.journal() == []
    now = box.clock()
    changes = [
        supersede(box, new, old, cycle=7),
        Confirm(memory_id=tea, at=now, evidence="Yes,\u2028exactly \ud83d"),
        Contest(older_id=tea, newer_id=no_tea, at=now, rule="C-96", reasons=("equal",)),
    ]
    assert box.store.apply(changes) == 3
    rows = list(files.read_lines(box.folder / files.JOURNAL_FILE))
    assert [(row["action"], row["memory"], row["rule"], row["at"]) for row in rows] == [
        ("supersede", old, "C-47", now.isoformat()),
        ("confirm", tea, "C-16", now.isoformat()),
        ("contest", tea, "C-96", now.isoformat()),
    ]
    assert (rows[0]["from"], rows[0]["to"], rows[0]["winner"]) == ("confirmed", "deprecated", new)
    assert (rows[1]["from"], rows[1]["to"]) == ("inferred", "confirmed")
    assert rows[1]["reasons"] == ["Yes,\u2028exactly \ud83d"]
    assert rows[2]["other"] == no_tea
    loser, winner = box.read(old).lineage, box.read(new).lineage
    assert (loser.superseded_by, loser.deprecated_at_cycle, loser.deprecated_reason) == (new, 7, "C-47")
    assert winner.supersedes == old
    assert [box.validity(one) for one in ids] == ["deprecated", "confirmed", "confirmed", "confirmed"]


def test_rest_of_the_changes_goes_on_after_a_misfit(box) -> None:
    ids = [box.insert(f"note {number}") for number in range(4)]
    box.classify(*ids)
    changes = [supersede(box, ids[1], ids[0]), supersede(box, ids[0], ids[2]), supersede(box, ids[1], ids[3])]
    assert box.store.apply(changes) == 2
    assert [box.validity(one) for one in ids] == ["deprecated", "confirmed", "confirmed", "deprecated"]
    assert box.read(ids[1]).lineage.supersedes == ids[3]


def counts(box, *ids: str) -> list[int]:
    """Return the access counts of memories."""
    return [box.read(one).lineage.access_count for one in ids]


def make_saved(box, count: int) -> list[str]:
    """Store, classify and save `count` memories."""
    ids = [box.insert(f"note {number}") for number in range(count)]
    box.store.sweep()
    box.classify(*ids)
    box.store.save()
    return ids


def test_recall_counts_what_entered_the_prompt_and_writes_no_index(box) -> None:
    """C-60, T-05, T-06: one cycle per recall, one access per memory; the status's seal is untouched."""
    first, second = make_saved(box, 2)
    unclassified = box.insert("not looked at yet")
    before = dict(box.docs[first].metadata["lineage"])
    box.clock.advance(minutes=1)
    box.store.count_recall([first, unclassified, "gone"])
    box.store.count_recall([])
    box.store.count_recall([first])
    lineage = box.read(first).lineage
    assert (lineage.access_count, lineage.last_accessed, lineage.last_access_cycle) == (2, box.clock(), 3)
    assert counts(box, second) == [0]
    assert "lineage" not in box.docs[unclassified].metadata
    assert box.store.state.recall_cycle == 3
    assert not box.store.is_dirty
    after = box.docs[first].metadata["lineage"]
    assert {key for key in after if after[key] != before.get(key)} == {
        "access_count",
        "last_accessed",
        "last_access_cycle",
    }


def test_counts_come_back_after_a_crash_however_often(box) -> None:
    first, second = make_saved(box, 2)
    for ids in ([first, second], [first], [first]):
        box.store.count_recall(ids)
    for _ in range(3):
        box.restart()
        assert counts(box, first, second) == [3, 1]
        assert box.store.state.recall_cycle == 3
    assert is_sealed(box.store.key, box.read(first))


def test_replay_never_lowers_a_count(box) -> None:
    """C-60: the host saved later counts by itself; rows from before change nothing, but the cycle they name counts."""
    [first] = make_saved(box, 1)
    for _ in range(4):
        box.store.count_recall([first])
    box.memory.save()
    box.store.database.change(lambda db: db.execute("UPDATE access SET count = 2, cycle = 2"))
    box.restart()
    assert counts(box, first) == [4]
    assert box.store.state.recall_cycle == 2


class CountingMemory(EmbeddedMemory):
    """Counts the writes of the index; the next one fails if it is told so."""

    writes = 0
    error: Exception | None = None

    def _save_db(self) -> None:
        if self.error is not None:
            raise self.error
        self.writes += 1
        super()._save_db()


def test_save_only_after_a_change_of_status(new_box) -> None:
    """T-48: one write for all changes, none without one; reading, sweeping and recalling change no status."""
    box = new_box(memory_class=CountingMemory)
    first, second = box.insert("first"), box.insert("second")
    box.store.sweep()
    assert (box.store.save(), box.memory.writes) == (False, 0)
    box.classify(first, second)
    assert (box.store.save(), box.memory.writes) == (True, 1)
    box.store.count_recall([first])
    box.store.sweep()
    assert (box.store.save(), box.memory.writes) == (False, 1)


@pytest.mark.parametrize("is_hosts", [False, True])
def test_a_save_is_on_the_disk_before_it_takes_the_place_of_another(box, monkeypatch, is_hosts: bool) -> None:
    """T-64: vectors and texts are whole after a power failure as well, in a store that stands alone and in a host's."""

    def stored() -> list[bytes]:
        return [(box.folder / name).read_bytes() for name in ("index.faiss", "index.pkl")]

    box.memory.save()
    before, synced = stored(), list[list[bytes]]()
    box.insert("likes tea")
    monkeypatch.setattr(os, "fsync", lambda _: synced.append(stored()))
    save_whole(box.memory.db.save_local, box.docs, box.folder) if is_hosts else box.memory.save()
    vectors, texts = stored()
    assert vectors != before[0] and texts != before[1]
    assert synced[:2] == [before, before]


def test_save_that_failed_is_tried_again(new_box) -> None:
    """T-48: a full disk costs nothing but the delay."""
    box = new_box(memory_class=CountingMemory)
    [first] = make_saved(box, 1)
    box.store.count_recall([first])
    box.classify(first, utility="load_bearing")
    box.memory.error = OSError(28, "No space left on device")
    with pytest.raises(OSError, match="No space"):
        box.store.save()
    assert box.rows("SELECT memory, count FROM access") == [(first, 1)]
    box.memory.error = None
    assert box.store.save() is True
    box.restart()
    assert box.read(first).classification.utility.value == "load_bearing"


def test_replaced_index_is_never_written(box) -> None:
    """T-48: the host loaded the folder again; the old object must not overwrite what the new one holds."""
    memory_id = box.insert("likes tea")
    box.classify(memory_id)
    EmbeddedMemory.index[box.memory.memory_subdir] = object()
    assert box.store.save() is False
    assert not (box.folder / "index.pkl").exists()
    assert box.store.is_dirty


def test_a_database_that_cannot_be_written_is_told_once(box) -> None:
    memory_id = box.insert("likes tea")
    box.classify(memory_id)
    box.memory.save()
    path = box.folder / files.DATABASE_FILE
    box.restart()
    with full_disk(path):
        for _ in range(3):
            box.store.count_recall([memory_id])
        box.store.is_dirty = True
        assert box.store.save() is True
    assert [one.where for one in box.store.problems.take(ProblemKind.UNUSABLE)] == [str(path)]
    box.restart()
    assert box.read(memory_id).lineage.access_count == 3


def test_no_counter_goes_back(tmp_path: Path) -> None:
    """T-06: not by another host on the folder either, nor by a process that could not read them."""
    database = Database(tmp_path)
    assert read_counters(database) == FolderState()
    write_counters(database, FolderState(recall_cycle=5, loop_count=9, first_seen="2026-03-01T12:00:00+00:00"))
    write_counters(Database(tmp_path), FolderState(recall_cycle=1, loop_count=11, stands_alone=True))
    expected = FolderState(5, 11, "2026-03-01T12:00:00+00:00", stands_alone=True)
    assert read_counters(Database(tmp_path)) == expected


@pytest.mark.parametrize("value", [-1, True, "7", 1.5, None, [3]])
def test_damaged_counter_starts_afresh_and_the_rest_stays(value: object, tmp_path: Path) -> None:
    row = {"recall_cycle": value, "loop_count": 4, "first_seen": 7, "stands_alone": 1}
    Database(tmp_path).change(lambda db: sqlite.write_state(db, StateName.COUNTERS, row))
    assert read_counters(Database(tmp_path)) == FolderState(loop_count=4)


def test_recall_after_a_deletion_that_no_sweep_has_seen(box) -> None:
    """C-50, T-48: positions have moved; what is retired still stays out, and scores belong to their memories."""
    ids = [box.insert(text) for text in ("about cats", "the port is 8080", "the port is 8443", "about dogs")]
    box.store.sweep()
    box.classify(*ids)
    box.store.apply([supersede(box, ids[2], ids[1])])
    box.delete(ids[0])
    selection = box.recall("the port is 8443")
    assert set(selection.ids) == {ids[2], ids[3]}
    assert {one.memory.id for one in selection.memories if one.similarity > 0.99} == {ids[2]}
    assert box.store.sweep().vanished[0].id == ids[0]


# Changes that do not fit: m0001 is retired since m0002, m0003 is in use, m0004 has gone, m0005 is not classified.
MISFITS = {
    "loser gone": lambda box: supersede(box, "m0003", "m0004"),
    "winner gone": lambda box: supersede(box, "m0004", "m0003"),
    "winner deprecated": lambda box: supersede(box, "m0001", "m0003"),
    "loser deprecated": lambda box: supersede(box, "m0003", "m0001"),
    "a cycle": lambda box: supersede(box, "m0001", "m0002"),
    "itself": lambda box: supersede(box, "m0003", "m0003"),
    "not classified": lambda box: supersede(box, "m0005", "m0003"),
    "confirm a confirmed one": lambda box: Confirm(memory_id="m0003", at=box.clock(), evidence="yes"),
    "confirm a deprecated one": lambda box: Confirm(memory_id="m0001", at=box.clock(), evidence="yes"),
    "confirm a vanished one": lambda box: Confirm(memory_id="m0004", at=box.clock(), evidence="yes"),
}


@pytest.mark.parametrize("make", MISFITS.values(), ids=MISFITS)
def test_change_that_no_longer_fits_is_left_out(make, box) -> None:
    """T-09, T-43, C-96: the host deletes in parallel, and a retired memory retires nothing; no trace of the attempt."""
    for number in range(5):
        box.insert(f"note {number}")
    box.store.sweep()
    box.classify("m0001", "m0002", "m0003", "m0004")
    box.store.apply([supersede(box, "m0002", "m0001")])
    box.delete("m0004")
    before = {one: deepcopy(document.metadata) for one, document in box.docs.items()}
    assert box.store.apply([make(box)]) == 0
    assert {one: document.metadata for one, document in box.docs.items()} == before
    assert len(box.journal()) == len(box.store.outcomes.conflict_log) == box.store.outcomes.conflicts_resolved == 1


def test_version_moves_with_every_change_that_health_shows(box) -> None:
    """C-61: published again exactly when something could have changed."""
    first, second = box.insert("first"), box.insert("second")
    box.store.sweep()
    for act in (
        lambda: box.classify(first),
        lambda: box.classify(second),
        lambda: box.store.apply([supersede(box, second, first)]),
        lambda: box.store.apply([Contest(older_id=first, newer_id=second, at=box.clock(), rule="C-96")]),
        lambda: (box.delete(first), box.store.sweep()),
    ):
        before = box.store.version
        act()
        assert box.store.version > before
    before = box.store.version
    box.store.sweep()
    box.store.apply([supersede(box, first, first)])
    assert box.store.version == before


def test_an_access_is_no_recall(box) -> None:
    """C-60, T-06: what a prompt shows later counts in the cycle that has been reached; the cycle stays."""
    [first] = make_saved(box, 1)
    box.store.count_recall(())
    box.store.count_accesses([first])
    lineage = box.read(first).lineage
    assert (lineage.access_count, lineage.last_access_cycle) == (1, 1)
    assert box.store.state.recall_cycle == 1
