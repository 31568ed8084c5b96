"""The process is killed in the midst of what people order: nothing is lost, nothing that was erased is kept (T-64)."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fake_host import ALL_GENERATIONS
from working import PHASES

SCRIPT = Path(__file__).with_name("working.py")
#: Points for a generation of the host, of all phases together; `make test-long` kills at three hundred in all.
COUNTS = [pytest.param(5, id="5"), pytest.param(60, id="60", marks=pytest.mark.long)]


def kill(generation: str, folder: Path, count: int, *phases: str) -> dict[str, Any]:
    """Kill as many processes; return what became of each, when nothing was lost or kept."""
    seed = str(ALL_GENERATIONS.index(generation) * 5)  # each generation begins with another phase
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(SCRIPT), generation, str(folder), str(count), seed, *phases],
        env={**os.environ, "PYTHONPATH": str(SCRIPT.parents[1]), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["lost"] == [], json.dumps(found["lost"], indent=1)[:10_000]
    assert sum(found["ends"].values()) == len(found["points"]) == count
    assert found["ends"].get("not reached", 0) < max(3, count / 4), "threads change places, but not as often as that"
    return found


@pytest.mark.parametrize("generation", ALL_GENERATIONS)
@pytest.mark.parametrize("count", COUNTS)
def test_a_kill_loses_no_record_and_keeps_nothing_erased(count: int, generation: str, tmp_path: Path) -> None:
    """T-64, V-17, V-58: in vault, compact, erase, restore, import, move, maintenance and knowledge alike.

    Every memory and every record that was acknowledged is there, or one `restore` brings it back, once. An erasure is
    undone and its files named, or it waits with all that goes, or no byte is left.
    """
    found = kill(generation, tmp_path, count)
    assert len({phase for phase, _, _ in found["points"]}) == min(count, len(PHASES))


@pytest.mark.long
@pytest.mark.parametrize("generation", ALL_GENERATIONS)
def test_a_kill_of_an_erasure_leaves_it_undone_or_done(generation: str, tmp_path: Path) -> None:
    """T-64: eighty points of the erasures alone, sixteen for each generation."""
    found = kill(generation, tmp_path, 16, "erase")
    assert {phase for phase, _, _ in found["points"]} == {"erase"}
