"""The process is killed wherever something reaches the disk: nothing acknowledged is lost, nothing erased is kept."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from crashing import SORTS, least_of
from fake_host import ALL_GENERATIONS
from working import PHASES

FOLDER = Path(__file__).parent
NEWEST = ALL_GENERATIONS[-1]
#: How often threads may change places so that a drawn point does not come.
MOST_MISSED = 0.15


def on_each(few: int, many: int) -> list[Any]:
    """Return what to play: a few kills on the newest generation, and in `make test-long` many on each of them."""
    long = [pytest.param(one, many, id=f"{one}-{many}", marks=pytest.mark.long) for one in ALL_GENERATIONS]
    return [pytest.param(NEWEST, few, id=f"{NEWEST}-{few}"), *long]


def kill(script: str, *arguments: object) -> dict[str, Any]:
    """Kill as many processes as a script is told; return what became of them, when nothing was lost or kept."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(FOLDER / script), *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(FOLDER.parent), *sys.path)), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["lost"] == [], json.dumps(found["lost"], indent=1)[:10_000]
    return found


@pytest.mark.parametrize(("generation", "count"), on_each(9, 400))
def test_a_kill_loses_nothing_that_was_acknowledged(generation: str, count: int, tmp_path: Path) -> None:
    """T-64, E-63, C-91: before, in the middle of and after each write, rename and hash, inside inserts and elsewhere.

    A fresh host has every memory, or the one command that the chat names brings it back; and no pointer leads to
    another memory than the rules decided on.
    """
    found = kill("crashing.py", generation, tmp_path, count, 5)
    points, ends = found["points"], found["ends"]
    assert len(points) == count == sum(ends.values())
    assert ends.get("not reached", 0) <= MOST_MISSED * count
    assert ends["by itself"] > 0
    assert any(one.startswith(("restore", "repair")) for one in ends), "no kill did any harm: is anything counted?"
    for sort in SORTS:
        is_there = any(sort in name for name in found["seen"])
        assert sum(sort in name for name, _, _ in points) >= least_of(sort, count) * is_there, sort


@pytest.mark.parametrize(("generation", "count"), on_each(5, 60))
def test_a_kill_loses_no_record_and_keeps_nothing_erased(generation: str, count: int, tmp_path: Path) -> None:
    """T-64, V-17, V-58: in vault, compact, erase, restore, import, move, maintenance and knowledge alike.

    Every memory and every record that was acknowledged is there, or one `restore` brings it back, once. An erasure is
    undone and its files named, or it waits with all that goes, or no byte is left.
    """
    found = kill("working.py", generation, tmp_path, count, 0)  # the first five are the graver ones
    assert sum(found["ends"].values()) == len(found["points"]) == count
    assert found["ends"].get("not reached", 0) < max(3, count / 4), "threads change places, but not as often as that"
    assert len({phase for phase, _, _ in found["points"]}) == min(count, len(PHASES))


@pytest.mark.long
@pytest.mark.parametrize("generation", ALL_GENERATIONS)
def test_a_kill_of_an_erasure_leaves_it_undone_or_done(generation: str, tmp_path: Path) -> None:
    """T-64: eighty points of the erasures alone, sixteen for each generation."""
    found = kill("working.py", generation, tmp_path, 16, ALL_GENERATIONS.index(generation), "erase")
    assert {phase for phase, _, _ in found["points"]} == {"erase"}


@pytest.mark.parametrize("count", [pytest.param(10, id="10"), pytest.param(10_000, id="all", marks=pytest.mark.long)])
def test_a_kill_of_the_one_writer_loses_nothing_that_was_returned(count: int, tmp_path: Path) -> None:
    """Issue 23, quality 1, Q-55: whoever opens the store next is let in, and has all that a method had returned.

    A killed writer holds no lock; texts and vectors of two saves do not mix; the chain verifies; no conflict is open
    about a memory that never was kept. Opening it again finds the same.
    """
    found = kill("storing.py", tmp_path, count, 5)
    assert found["ends"]["by itself"] >= 0.8 * len(found["points"]) >= 0.8 * min(count, 30)
    for name in ("index.faiss", "index.pkl", "saved", "ledger_unsaved.jsonl", "chain.jsonl", "conflicts.jsonl"):
        assert any(one.endswith(f" {name}") for one in found["seen"]), f"no kill is counted at {name}"
