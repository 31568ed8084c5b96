"""One lock around everything that changes the host's index (T-48), and the embedded memory it is proved on."""

import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from fake_host import FixedClock, HashingEmbedder
from memory_ledger.store import docstore
from memory_ledger.store.embedded import EmbeddedFaiss, EmbeddedMemory
from memory_ledger.store.order import guard_index, index_lock, save_lock

THREAD_SECONDS = 60


class HostMemory(EmbeddedMemory):
    """Saves through a method of its own, as the host does."""

    def _save_db(self) -> None:
        self._save_db_file()

    def _save_db_file(self) -> None:
        super()._save_db()


GUARDED = (
    (EmbeddedFaiss, "_FAISS__add"),
    (EmbeddedFaiss, "delete"),
    (EmbeddedFaiss, "similarity_search_with_score_by_vector"),
    (HostMemory, "_save_db_file"),
)


@pytest.fixture
def guarded(monkeypatch: pytest.MonkeyPatch) -> type:
    """The host's two classes with their methods wrapped, and unwrapped again after the test."""
    for owner, name in GUARDED:
        monkeypatch.setattr(owner, name, getattr(owner, name))
    guard_index(SimpleNamespace(Memory=HostMemory, MyFaiss=EmbeddedFaiss))
    return HostMemory


@pytest.fixture
def hasty() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def run_together(*works: Callable[[], None]) -> None:
    """Run each of `works` in a thread of its own, all beginning at once; the first failure is raised here."""
    failures: list[BaseException] = []
    start = threading.Barrier(len(works))

    def run(work: Callable[[], None]) -> None:
        try:
            start.wait(THREAD_SECONDS)
            work()
        except BaseException as exc:  # noqa: BLE001 - it is raised again by the test
            failures.append(exc)

    threads = [threading.Thread(target=run, args=(work,), daemon=True) for work in works]
    for one in threads:
        one.start()
    for one in threads:
        one.join(THREAD_SECONDS)
    assert not any(one.is_alive() for one in threads), "a deadlock"
    if failures:
        raise failures[0]


def assert_whole(box, texts: dict[str, str]) -> None:
    """Check that documents, positions and vectors are those of `texts`, no more and no less."""
    db = box.memory.db
    assert {one: document.page_content for one, document in box.docs.items()} == texts
    positions = db.index_to_docstore_id
    assert sorted(positions) == list(range(db.index.ntotal))
    assert sorted(positions.values()) == sorted(texts)
    for position, memory_id in positions.items():
        expected = box.embedder.vector(texts[memory_id])
        assert np.allclose(db.index.reconstruct(position), expected, atol=1e-5)


def test_everything_at_once_loses_nothing(new_box, guarded, hasty) -> None:
    box = new_box(memory_class=guarded)
    box.adopt()
    box.say("My project uses Python 3.11.")
    doomed = [box.insert(f"doomed note {number}") for number in range(30)]
    kept: dict[str, str] = {}
    rounds = 25

    def insert(writer: int) -> None:
        for number in range(rounds):
            text = f"writer {writer} number {number}"
            kept[box.insert(text)] = text

    def delete() -> None:
        for memory_id in doomed:
            box.delete(memory_id)

    def adopt() -> None:
        for _ in range(rounds):
            box.store.has_news()
            box.adopt(limit=7)

    def recall_some() -> None:
        for _ in range(rounds):
            selection = box.recall("writer 1 number 3")
            box.store.count_recall(selection.ids)
            box.store.columns.count()

    def save() -> None:
        for _ in range(rounds):
            box.store.save()
            box.memory.save()
            box.store.save_state()

    run_together(lambda: insert(1), lambda: insert(2), delete, adopt, adopt, recall_some, recall_some, save)
    while box.adopt().remaining:
        pass
    assert_whole(box, kept)
    assert len(kept) == 2 * rounds
    assert all(box.read(one).lineage.seal for one in kept)
    assert box.store.columns.count().total() == len(kept)
    assert box.store.state.recall_cycle == 2 * rounds
    counts = {one: box.read(one).lineage.access_count for one in kept}
    box.store.is_dirty = True
    assert box.store.save() is True
    box.restart()
    assert_whole(box, kept)
    assert {one: box.read(one).lineage.access_count for one in kept} == counts
    assert box.adopt().classified == []


def free_locks(memory_class: type) -> list[str]:
    """Return which of the two locks another thread could take now."""
    free = []

    def look() -> None:
        for name, lock in (("index", index_lock(memory_class)), ("save", save_lock(memory_class))):
            if lock.acquire(blocking=False):
                lock.release()
                free.append(name)

    run_together(look)
    return free


def test_recall_does_not_wait_for_a_save(new_box, monkeypatch) -> None:
    """T-48: it searches and counts while the host writes, and none of its counts is lost by a crash after that."""
    box = new_box(memory_class=HostMemory)
    memory_id = box.insert("likes tea")
    box.classify(memory_id)
    found: list[tuple[str, ...]] = []
    waited: list[bool] = []

    def recall_once() -> None:
        selection = box.recall("likes tea")
        box.store.count_recall(selection.ids)
        found.append(tuple(selection.ids))

    def save_slowly(self: HostMemory) -> None:
        EmbeddedMemory._save_db(self)
        worker = threading.Thread(target=recall_once, daemon=True)
        worker.start()
        worker.join(THREAD_SECONDS / 6)
        waited.append(worker.is_alive())

    monkeypatch.setattr(HostMemory, "_save_db_file", save_slowly)
    recall_once()
    assert box.store.save() is True
    assert (found, waited) == ([(memory_id,), (memory_id,)], [False])
    box.restart()
    assert box.read(memory_id).lineage.access_count == 2
    box.store.is_dirty = True
    monkeypatch.undo()
    assert box.store.save() is True
    assert box.rows("SELECT * FROM access") == []


def test_who_keeps_out_whom(new_box, monkeypatch) -> None:
    """T-48: a save keeps out every change, a change keeps out saves and searches; a search waits for changes only."""
    seen: dict[str, list[str]] = {}

    def watched(name: str, function: Callable[..., object]) -> Callable[..., object]:
        def method(*args: object, **kwargs: object) -> object:
            seen[name] = free_locks(HostMemory)
            return function(*args, **kwargs)

        return method

    for owner, name in GUARDED:
        monkeypatch.setattr(owner, name, watched(name, getattr(owner, name)))
    guard_index(SimpleNamespace(Memory=HostMemory, MyFaiss=EmbeddedFaiss))
    box = new_box(memory_class=HostMemory)
    memory_id = box.insert("likes tea")
    monkeypatch.setattr(docstore, "sealed", watched("put", docstore.sealed))
    box.classify(memory_id)
    box.store.save()
    box.memory.db.similarity_search("likes tea")
    box.delete(memory_id)
    assert seen == {
        "_FAISS__add": [],
        "delete": [],
        "put": [],
        "_save_db_file": ["index"],
        "similarity_search_with_score_by_vector": ["save"],
    }
    assert free_locks(HostMemory) == ["index", "save"]


def test_counts_of_parallel_recalls_add_up(new_box, guarded, hasty) -> None:
    """C-60, T-48: every access is counted, in memory and in the file that a crash leaves."""
    box = new_box(memory_class=guarded)
    memory_id = box.insert("likes tea")
    box.classify(memory_id)
    box.store.save()

    def count() -> None:
        for _ in range(40):
            box.store.count_recall([memory_id])

    run_together(count, count, count)
    assert box.read(memory_id).lineage.access_count == 120
    assert box.rows("SELECT memory, count, number FROM access") == [(memory_id, 120, 120)]
    box.restart()
    assert box.read(memory_id).lineage.access_count == 120


def host_classes() -> SimpleNamespace:
    """Return a host's two classes."""

    class Memory:
        @staticmethod
        def _save_db_file(db: object, subdir: str) -> None:
            """Save."""

    class Faiss:
        def delete(self, ids: list[str]) -> None:
            """Delete some."""

        def similarity_search_with_score_by_vector(self, embedding: list[float]) -> None:
            """Find some."""

    class MyFaiss(Faiss):
        def _FAISS__add(self, texts: list[str], *, ids: list[str]) -> None:
            """Add some."""

    return SimpleNamespace(Memory=Memory, MyFaiss=MyFaiss, Faiss=Faiss)


def test_second_guard_changes_nothing() -> None:
    """T-48: wrapped once per class, in each hook; the base class that others share stays bare."""
    module = host_classes()
    bare = module.Faiss.delete
    guard_index(module)
    before = {**vars(module.Memory)}, {**vars(module.MyFaiss)}
    guard_index(module)
    assert ({**vars(module.Memory)}, {**vars(module.MyFaiss)}) == before
    assert module.Faiss.delete is bare


def test_reloaded_class_is_guarded_anew() -> None:
    """T-61, contract section 1: the host's watchdog makes new classes; each has a lock of its own."""
    first, second = host_classes(), host_classes()
    guard_index(first)
    guard_index(second)
    assert index_lock(first.Memory) is not index_lock(second.Memory)
    assert index_lock(type("Memory", (first.Memory,), {})) is not index_lock(first.Memory)


@pytest.mark.parametrize("get_lock", [index_lock, save_lock])
def test_two_threads_that_ask_first_get_one_lock(get_lock) -> None:
    """T-48: the second one asks while the first is about to store the lock on the class."""
    second_is_done = threading.Event()
    got: list[object] = []

    def ask_second() -> None:
        got.append(get_lock(memory_class))
        second_is_done.set()

    class Slow(type):
        def __setattr__(cls, name: str, value: object) -> None:
            if not threads:
                threads.append(threading.Thread(target=ask_second, daemon=True))
                threads[0].start()
                second_is_done.wait(0.2)
            super().__setattr__(name, value)

    threads: list[threading.Thread] = []
    memory_class = Slow("Memory", (), {})
    got.append(get_lock(memory_class))
    threads[0].join(THREAD_SECONDS)
    assert len(got) == 2
    assert got[0] is got[1]


def test_failing_call_gives_the_lock_back() -> None:
    module = host_classes()

    def fail(self: object, ids: list[str]) -> None:
        raise ValueError("no such id")

    module.MyFaiss.delete = fail
    guard_index(module)
    with pytest.raises(ValueError, match="no such id"):
        module.MyFaiss().delete(["a"])
    assert not index_lock(module.Memory)._is_owned()


def memory_in(folder: Path, numbers: list[int]) -> EmbeddedMemory:
    ids = iter(numbers)
    return EmbeddedMemory(folder, HashingEmbedder(32), clock=FixedClock(), make_id=lambda: f"m{next(ids)}")


def test_embedded_memory_stores_what_the_host_stores(tmp_path: Path) -> None:
    """Contract, section 2: id, area and timestamp, unless given; unit vectors on an inner-product index."""
    memory = memory_in(tmp_path / "a", [1, 2])
    memory.insert("likes tea")
    memory.insert("solved", {"area": "solutions", "timestamp": "2026-01-01 00:00:00", "id": "forged"})
    metadata = [document.metadata for document in memory.db.get_all_docs().values()]
    own = {"area": "main", "id": "m1", "timestamp": "2026-03-01T12:00:00+00:00"}
    assert metadata == [own, {"area": "solutions", "timestamp": "2026-01-01 00:00:00", "id": "m2"}]
    found = memory.db.similarity_search_with_relevance_scores("likes tea", k=1)
    assert found[0][1] == pytest.approx(1.0, abs=1e-6)


def test_embedded_memory_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    """C-01: what was saved, and only that; two folders know nothing of each other."""
    first, other = memory_in(tmp_path / "a", [1, 2, 3]), memory_in(tmp_path / "b", [1])
    first.insert("likes tea")
    other.insert("likes milk")
    first.save()
    first.insert("not saved")
    first.close()
    first.close()
    again = memory_in(tmp_path / "a", [4])
    assert [document.page_content for document in again.db.get_all_docs().values()] == ["likes tea"]
    assert again.insert("likes bread") == "m4"
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == ["index.faiss", "index.pkl"]
    assert EmbeddedMemory.index[str(tmp_path / "a")] is again.db
    again.close()
    other.close()
    assert str(tmp_path / "a") not in EmbeddedMemory.index
