"""The co-retrieval log on disk: written at a turn's end, damaged, changed by people, shared."""

import json
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from full_disk import full_disk
from memory_ledger.maintenance.co_retrieval import CoRetrievalEntry
from memory_ledger.setting_groups import CoRetrieval
from memory_ledger.store import files
from memory_ledger.store.co_retrieval import CoRetrievalLog
from memory_ledger.store.damage import WRITABLE
from told import Told

NOW = datetime(2026, 2, 20, 5, 0, tzinfo=UTC)
SETTINGS = CoRetrieval()
OFF = CoRetrieval(enabled=False)


class Root:
    """One root of memory folders, and what the log said about its files."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.path = root / files.CO_RETRIEVAL_FILE
        self.problems = Told()
        self.told = self.problems.heard
        self.log = self.open()

    def open(self, memory_subdir: str = "default") -> CoRetrievalLog:
        """Return the log as a new process opens it."""
        return CoRetrievalLog(self.root, memory_subdir, self.problems)

    def recall(self, *cycles: int, ids: tuple[str, ...] = ("a", "b"), settings: CoRetrieval = SETTINGS) -> None:
        """Play one turn with a recall for each cycle."""
        for cycle in cycles:
            self.log.append(entry(cycle, ids), settings)
            self.log.write_owed()

    def value(self) -> dict[str, Any]:
        return json.loads(self.path.read_text("utf-8"))

    def stored(self) -> list[int]:
        return [row["cycle"] for row in self.value()["entries"]]

    def known(self) -> list[int]:
        """Return the cycles of all entries, as a new process reads them."""
        return [one.cycle for one in self.open().read(SETTINGS).entries]

    def names(self) -> set[str]:
        return {path.name for path in self.root.iterdir()}


def entry(cycle: int, ids: tuple[str, ...] = ("a", "b")) -> CoRetrievalEntry:
    return CoRetrievalEntry(at=NOW + timedelta(minutes=cycle), memory_ids=ids, cycle=cycle, query_domain="codegen")


@pytest.fixture
def root(tmp_path: Path) -> Root:
    return Root(tmp_path / "usr" / "memory")


def test_first_recall_makes_the_log(root: Root) -> None:
    """E-48, E-64, E-65: in the specified form, at once; a new log takes its size from the settings."""
    root.recall(42, ids=("abc", "def"), settings=CoRetrieval(max_entries=7))
    assert root.value() == {
        "max_entries": 7,
        "entries": [
            {"timestamp": "2026-02-20T05:42:00Z", "query_domain": "codegen", "memory_ids": ["abc", "def"], "cycle": 42}
        ],
        "cluster_candidates": [],
    }
    assert root.told == []


def test_each_recall_is_one_entry(root: Root) -> None:
    """E-30, E-64, E-85: also without memories; the oldest go, and the file is whole."""
    for cycle in range(1, 601):
        root.log.append(entry(cycle, ("a", "b", "c")[: cycle % 4]), SETTINGS)
        if cycle % 50 == 0:
            assert [one.cycle for one in root.log.read(SETTINGS).entries][-50:] == list(range(cycle - 49, cycle + 1))
            root.log.write_owed()
            assert root.known() == list(range(max(1, cycle - 499), cycle + 1))
    assert root.names() == {files.CO_RETRIEVAL_FILE}


def test_clusters_are_named_in_the_log(root: Root) -> None:
    """E-31, E-67: after more than five recalls of both; only the list of candidates changes."""
    root.recall(*range(1, 6))
    root.log.promote_clusters(SETTINGS)
    assert root.value()["cluster_candidates"] == []
    root.recall(6)
    before = root.value()
    root.log.promote_clusters(SETTINGS)
    (found,) = root.value()["cluster_candidates"]
    assert found == {
        "memory_ids": ["a", "b"],
        "co_retrieval_count": 6,
        "first_seen": "2026-02-20T05:01:00Z",
        "last_seen": "2026-02-20T05:06:00Z",
    }
    assert root.stored() == [1, 2, 3, 4, 5, 6]
    assert root.value()["max_entries"] == before["max_entries"]
    root.log.promote_clusters(CoRetrieval(cluster_threshold=6))
    assert root.value()["cluster_candidates"] == []


def test_who_reads_or_is_switched_off_writes_nothing(root: Root) -> None:
    """E-48, E-83 (as for the other stages): no file appears, none changes; what is there can be read."""
    assert root.log.read(CoRetrieval(max_entries=9)).max_entries == 9
    root.recall(1, settings=OFF)
    root.log.write_owed()
    root.log.promote_clusters(OFF)
    assert not root.root.exists()
    root.recall(*range(1, 9))
    before = {name: (root.root / name).read_bytes() for name in root.names()}
    root.recall(9, settings=OFF)
    root.log.write_owed()
    root.log.promote_clusters(OFF)
    assert root.known() == list(range(1, 9)) and len(root.log.read(OFF).entries) == 8
    assert {name: (root.root / name).read_bytes() for name in root.names()} == before


def test_folders_share_the_log_and_lose_nothing_to_each_other(root: Root) -> None:
    """E-27, E-66: a busy folder evicts its own entries only; each names its own clusters."""
    settings = CoRetrieval(max_entries=8)
    other = root.open("projects/x")
    root.recall(*range(1, 8), settings=settings)
    for cycle in range(101, 121):
        other.append(entry(cycle, ("a", "c")), settings)
    other.write_owed()
    other.promote_clusters(settings)
    assert [row["memory_ids"] for row in root.value()["cluster_candidates"]] == [["a", "c"]]
    root.log.promote_clusters(settings)
    assert root.stored() == [*range(1, 8), *range(113, 121)]
    assert {row.get("memory_subdir", "-") for row in root.value()["entries"] if row["cycle"] > 100} == {"projects/x"}
    assert [(row.get("memory_subdir"), row["memory_ids"]) for row in root.value()["cluster_candidates"]] == [
        ("projects/x", ["a", "c"]),
        (None, ["a", "b"]),
    ]


def test_what_is_owed_is_forgotten_too(root: Root) -> None:
    """T-64, C-74: a recall that could not be written before does not bring the memory back."""
    root.recall(1)
    with full_disk(root.path):
        root.recall(2)
    assert root.log.forget("a", SETTINGS) == 2
    root.recall(3, ids=("b",))
    assert root.known() == [1, 2, 3]
    assert b'"a"' not in root.path.read_bytes()


@pytest.mark.parametrize(
    "data", [b"{", b"[1]", b"7", b"\xff\xfe{", b"[" * 100_000, b'{"entries": 7}', b'{"entries": [{}]}']
)
def test_damaged_log_is_set_aside_and_made_anew(data: bytes, root: Root) -> None:
    """E-48: never deleted in silence; what was still to go into it does, and it is told under which name it is kept."""
    root.recall(*range(1, 9))
    root.path.write_bytes(data)
    root.recall(9)
    assert root.stored() == [9]
    assert (root.root / "co_retrieval_log.json.damaged").read_bytes() == data
    (problem,) = root.told
    assert str(root.path) in problem.where
    assert problem.allowed.endswith("is kept as co_retrieval_log.json.damaged")


def test_what_somebody_wrote_by_hand_stays(root: Root) -> None:
    """E-48, E-85: their size, their layout's byte order mark; times in any zone are the same moments."""
    root.root.mkdir(parents=True)
    row = {"timestamp": "2026-02-20T06:00:00+01:00", "query_domain": None, "memory_ids": [], "cycle": 1}
    value = {"entries": [row], "max_entries": 2}
    root.path.write_text(json.dumps(value, indent=4), "utf-8-sig")
    root.recall(2)
    root.log.write_owed()
    assert root.told == []
    assert root.value()["entries"][0] == {**row, "timestamp": "2026-02-20T05:00:00Z"}
    root.recall(3)
    root.log.write_owed()
    assert root.stored() == [2, 3]


def test_halves_of_surrogate_pairs_do_no_harm(root: Root) -> None:
    """E-30: a domain is any text; the digest is that of the bytes on disk."""
    for cycle in (1, 2, 3, 4):
        root.log.append(CoRetrievalEntry(at=NOW, memory_ids=("\ud800",), cycle=cycle, query_domain="\udfff"), SETTINGS)
    root.log.write_owed()
    assert [(row["memory_ids"], row["query_domain"]) for row in root.value()["entries"]] == [(["\ud800"], "\udfff")] * 4


def test_file_that_cannot_be_used_is_told_and_raises_nothing(root: Root) -> None:
    """E-48: where, what was found, what is allowed; what waits is in the log once it can be."""
    with full_disk(root.path):
        root.recall(1, 2)
        root.log.promote_clusters(SETTINGS)
    assert all("No space left on device" in one.found for one in root.told)
    assert {one.allowed for one in root.told} == {WRITABLE}
    root.recall(3)
    assert root.known() == [1, 2, 3]


WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from memory_ledger.store.co_retrieval import CoRetrievalLog
from memory_ledger.store.damage import ProblemLog
from memory_ledger.maintenance.co_retrieval import CoRetrievalEntry
from memory_ledger.setting_groups import CoRetrieval

problems = ProblemLog()
log, first = CoRetrievalLog(Path(sys.argv[1]), "default", problems), int(sys.argv[2])
at = datetime(2026, 2, 20, tzinfo=UTC)
for cycle in range(first, first + 80):
    log.append(CoRetrievalEntry(at=at, memory_ids=("a", "b"), cycle=cycle), CoRetrieval(max_entries=2000))
    if cycle % 10 == 0:
        log.promote_clusters(CoRetrieval(max_entries=2000))
log.write_owed()
sys.exit("\\n".join(map(str, problems.take())) or 0)
"""


def test_processes_and_threads_lose_nothing_to_each_other(root: Root) -> None:
    """E-30, E-64: each entry is there once, in the order in which its writer wrote it."""
    processes = [subprocess.Popen([sys.executable, "-c", WRITER, str(root.root), str(first)]) for first in (1000, 2000)]
    settings = CoRetrieval(max_entries=2000)

    def write(first: int) -> None:
        log = root.open()
        for cycle in range(first, first + 80):
            log.append(entry(cycle), settings)
            if cycle % 7 == 0:
                log.write_owed()
        log.write_owed()

    threads = [threading.Thread(target=write, args=(first,)) for first in (3000, 4000)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert [process.wait() for process in processes] == [0, 0]
    assert root.told == []
    root.log.write_owed()
    stored = root.stored()
    for first in (1000, 2000, 3000, 4000):
        assert [cycle for cycle in stored if first <= cycle < first + 1000] == list(range(first, first + 80))
    assert len(stored) == 320
