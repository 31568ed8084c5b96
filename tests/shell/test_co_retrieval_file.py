"""The co-retrieval log: rows in the database, and the file made of them, which folders share and people change."""

import json
import sqlite3
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from full_disk import full_disk
from hypothesis import HealthCheck, given
from hypothesis import settings as draw_settings
from hypothesis import strategies as st
from memory_ledger.setting_groups import CoRetrieval
from memory_ledger.store import files
from memory_ledger.store.co_retrieval import CoRetrievalLog
from memory_ledger.store.damage import WRITABLE
from memory_ledger.store.database import Database
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
        """Return the log of a folder as a new process opens it."""
        folder = self.root / memory_subdir
        folder.mkdir(parents=True, exist_ok=True)
        return CoRetrievalLog(self.root, Database(folder, self.problems), memory_subdir, self.problems)

    def recall(
        self, *cycles: int, ids: tuple[str, ...] = ("a", "b"), settings: CoRetrieval = SETTINGS, log: Any = None
    ) -> None:
        """Play a recall for each cycle, one a minute."""
        for cycle in cycles:
            moment = NOW + timedelta(minutes=cycle)
            (log or self.log).append(ids, settings, at=moment, cycle=cycle, query_domain="codegen")

    def value(self, settings: CoRetrieval = SETTINGS) -> dict[str, Any]:
        """Return the file, as maintenance makes it now."""
        self.open().export(settings)
        return json.loads(self.path.read_text("utf-8"))

    def cycles(self, settings: CoRetrieval = SETTINGS) -> list[int]:
        return [row["cycle"] for row in self.value(settings)["entries"]]

    def pairs(self, settings: CoRetrieval = SETTINGS) -> dict[str, int]:
        """Return the candidates as "ab": count."""
        found = self.value(settings)["cluster_candidates"]
        return {"".join(row["memory_ids"]): row["co_retrieval_count"] for row in found}


@pytest.fixture
def root(tmp_path: Path) -> Root:
    return Root(tmp_path / "usr" / "memory")


def test_file_has_the_specified_form(root: Root) -> None:
    """E-27, E-28, E-48, E-64, E-65: key for key, whole seconds in UTC; a new log takes its size from the settings."""
    moment = datetime.fromisoformat("2026-02-20T07:00:00.987+02:00")
    root.log.append(("def", "abc"), SETTINGS, at=moment, cycle=42, query_domain=None)
    value = root.value(CoRetrieval(max_entries=7))
    assert value == {
        "max_entries": 7,
        "entries": [
            {"timestamp": "2026-02-20T05:00:00Z", "query_domain": None, "memory_ids": ["def", "abc"], "cycle": 42}
        ],
        "cluster_candidates": [],
    }
    assert list(value["entries"][0]) == ["timestamp", "query_domain", "memory_ids", "cycle"]
    assert root.told == []


def test_each_recall_is_one_entry(root: Root) -> None:
    """E-30, E-64, E-66, E-85: also without memories, and twice in a turn; the oldest go."""
    settings = CoRetrieval(max_entries=20)
    for cycle in range(1, 31):
        root.recall(cycle, ids=("a", "b", "c")[: cycle % 4], settings=settings)
    assert [row["cycle"] for row in root.value(settings)["entries"]] == [*range(11, 31)]
    assert [len(row["memory_ids"]) for row in root.value(settings)["entries"]] == [cycle % 4 for cycle in range(11, 31)]
    for microsecond in (1, 2):
        moment = NOW.replace(microsecond=microsecond)
        root.log.append((), settings, at=moment, cycle=31, query_domain=None)
    assert root.cycles(settings) == [*range(13, 31), 31, 31]


def test_clusters_are_named_in_the_log(root: Root) -> None:
    """E-29, E-31, E-32, E-67: after more than five recalls of both, and no longer than these; the entries stay."""
    root.recall(*range(1, 6))
    assert root.pairs() == {}
    root.recall(6)
    entries = root.value()["entries"]
    (found,) = root.value()["cluster_candidates"]
    assert found == {
        "memory_ids": ["a", "b"],
        "co_retrieval_count": 6,
        "first_seen": "2026-02-20T05:01:00Z",
        "last_seen": "2026-02-20T05:06:00Z",
    }
    assert root.value()["entries"] == entries and len(entries) == 6
    assert root.pairs(CoRetrieval(cluster_threshold=6)) == {}


RECALLS = st.lists(st.lists(st.sampled_from("abcdef"), max_size=5, unique=True).map(tuple), max_size=20)


@draw_settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(recalls=RECALLS, threshold=st.integers(1, 6))
def test_counts_are_those_of_a_naive_recount(tmp_path_factory: Any, recalls: list[Any], threshold: int) -> None:
    """E-31, E-67, T-07: every pair above the threshold, and no other; the most frequent first, then by id."""
    root = Root(tmp_path_factory.mktemp("drawn") / "memory")
    for cycle, ids in enumerate(recalls):
        root.recall(cycle, ids=ids)
    naive = Counter("".join(pair) for ids in recalls for pair in combinations(sorted(ids), 2))
    expected = sorted((-count, pair) for pair, count in naive.items() if count > threshold)
    found = root.pairs(CoRetrieval(cluster_threshold=threshold))
    assert [(-count, pair) for pair, count in found.items()] == expected


def test_who_is_switched_off_writes_nothing(root: Root) -> None:
    """E-48, E-83 (as for the other stages): a switched off log notes no recall."""
    root.recall(1, settings=OFF)
    assert [*root.root.iterdir()] == [root.root / "default"] and not [*(root.root / "default").iterdir()]
    root.recall(2)
    root.recall(3, settings=OFF)
    assert root.cycles() == [2]


def test_folders_share_the_file_and_lose_nothing_to_each_other(root: Root) -> None:
    """E-27, E-66: a busy folder evicts its own entries only; each names its own clusters."""
    settings = CoRetrieval(max_entries=8)
    other = root.open("projects/x")
    root.recall(*range(1, 8), settings=settings)
    root.recall(*range(101, 121), ids=("a", "c"), settings=settings, log=other)
    other.export(settings)
    value = root.value(settings)
    assert sorted(row["cycle"] for row in value["entries"]) == [*range(1, 8), *range(113, 121)]
    assert {row.get("memory_subdir", "-") for row in value["entries"] if row["cycle"] > 100} == {"projects/x"}
    assert [(row.get("memory_subdir"), row["memory_ids"]) for row in value["cluster_candidates"]] == [
        ("projects/x", ["a", "c"]),
        (None, ["a", "b"]),
    ]


def test_an_erased_memory_is_nowhere(root: Root) -> None:
    """T-64, C-74: what waited does not bring it back, nor does the file, nor what another folder wrote into it."""
    other = root.open("elsewhere")
    root.recall(1, ids=("a", "c"), log=other)
    root.recall(2, log=other, ids=("c",))
    other.export(SETTINGS)
    root.recall(*range(1, 7), ids=("a", "b", "c"))
    assert len(root.pairs()) == 3
    with full_disk(root.root / "default"):
        root.recall(7)
    assert root.log.forget(["a", "z"], OFF) == 7
    assert b'"a"' not in root.path.read_bytes()
    root.recall(8, ids=("b",))
    assert sorted(root.cycles()) == [1, 2, 2, 3, 4, 5, 6, 7, 8] and root.pairs() == {"bc": 6}
    with sqlite3.connect(root.root / "default" / files.DATABASE_FILE) as db:
        assert db.execute("SELECT * FROM recalled WHERE memory = 'a'").fetchall() == []


def test_forgetting_makes_no_file(root: Root) -> None:
    root.recall(1)
    assert root.log.forget(["a"], SETTINGS) == 1 and not root.path.exists()


ROW = {"timestamp": "2026-02-20T06:00:00+01:00", "query_domain": None, "memory_ids": ["a", "b"], "cycle": 1}


def test_the_file_of_an_earlier_version_is_read_once(root: Root) -> None:
    """E-48, E-85: its own folder's rows, its size; times in any zone are the same moments; what is no row is left."""
    rows = [ROW, {**ROW, "cycle": 2, "memory_subdir": "elsewhere"}, {**ROW, "cycle": -1}, {**ROW, "memory_ids": 7}, 7]
    late = {**ROW, "timestamp": "0001-01-01T00:00:00+14:00"}
    value = {"entries": [*rows, late], "max_entries": 2, "cluster_candidates": {}}
    root.path.write_text(json.dumps(value, indent=4), "utf-8-sig")
    root.recall(3)
    root.path.unlink()
    assert [(row["cycle"], row["timestamp"]) for row in root.value()["entries"]] == [
        (1, "2026-02-20T05:00:00Z"),
        (3, "2026-02-20T05:03:00Z"),
    ]
    assert root.told == []


def test_the_size_in_the_file_holds(root: Root) -> None:
    """E-85: somebody may change it; the pack's settings are for a new file."""
    root.recall(*range(1, 9))
    root.path.write_text(json.dumps({**root.value(), "max_entries": 3}))
    assert root.value()["max_entries"] == 3 and root.cycles() == [6, 7, 8]
    root.recall(9)
    assert root.cycles() == [7, 8, 9]


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[1]", b"7", b"\xff\xfe{", b"[" * 100_000, b'{"entries": 7, "max_entries": 0}', b'{"entries": [{}]}'],
)
def test_a_damaged_file_is_made_anew(data: bytes, root: Root) -> None:
    """E-48: it only repeats what the database holds."""
    root.recall(*range(1, 9))
    root.path.write_bytes(data)
    root.recall(9)
    value = root.value()
    assert [row["cycle"] for row in value["entries"] if "cycle" in row] == [*range(1, 10)]
    assert value["max_entries"] == 500 and root.told == []


def test_a_new_database_has_the_recalls_of_the_file(root: Root) -> None:
    root.recall(1, 2)
    root.value()
    (root.root / "default" / files.DATABASE_FILE).unlink()
    root.recall(3)
    assert root.cycles() == [1, 2, 3]


def test_halves_of_surrogate_pairs_do_no_harm(root: Root) -> None:
    """E-30: a domain is any text."""
    root.log.append(("\ud800",), SETTINGS, at=NOW, cycle=1, query_domain="\udfff")
    (row,) = root.value()["entries"]
    assert (row["memory_ids"], row["query_domain"]) == (["\\ud800"], "\\udfff")
    assert root.log.forget(["\ud800"], SETTINGS) == 1


def test_what_cannot_be_used_is_told_and_raises_nothing(root: Root) -> None:
    """E-48: where, what was found, what is allowed; what waits is in the log once it can be."""
    with full_disk(root.root):
        root.recall(1, 2)
        root.log.export(SETTINGS)
    assert {one.allowed for one in root.told} == {WRITABLE}
    assert str(root.path) in {one.where for one in root.told}
    root.recall(3)
    assert root.cycles() == [1, 2, 3]


WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from memory_ledger.setting_groups import CoRetrieval
from memory_ledger.store.co_retrieval import CoRetrievalLog
from memory_ledger.store.damage import ProblemLog
from memory_ledger.store.database import Database

problems, (root, folder, first) = ProblemLog(), sys.argv[1:]
log = CoRetrievalLog(Path(root), Database(Path(root, folder), problems), folder, problems)
at = datetime(2026, 2, 20, tzinfo=UTC)
for cycle in range(int(first), int(first) + 40):
    log.append(("a", "b"), CoRetrieval(), at=at, cycle=cycle, query_domain=None)
    if cycle % 10 == 9:
        log.export(CoRetrieval())
sys.exit("\\n".join(map(str, problems.take())) or 0)
"""


def test_processes_lose_nothing_to_each_other(root: Root) -> None:
    """E-30, E-64: each entry is there once, in the order in which its writer wrote it."""
    root.open("elsewhere")
    writers = [("default", 1000), ("default", 2000), ("elsewhere", 3000)]
    command = [sys.executable, "-c", WRITER, str(root.root)]
    processes = [subprocess.Popen([*command, folder, str(first)]) for folder, first in writers]
    assert [process.wait() for process in processes] == [0, 0, 0]
    cycles = root.cycles()
    for _, first in writers:
        assert [cycle for cycle in cycles if first <= cycle < first + 1000] == [*range(first, first + 40)]
    assert len(cycles) == 120
