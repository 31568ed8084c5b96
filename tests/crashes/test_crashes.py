"""The process is killed wherever something reaches the disk: nothing that the host has acknowledged is lost."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from crashing import LEAST
from fake_host import ALL_GENERATIONS

SCRIPT = Path(__file__).with_name("crashing.py")
SEED = 5
#: Points for a generation of the host; `make test-long` kills at two thousand in all.
COUNTS = [pytest.param(24, id="24"), pytest.param(400, id="400", marks=pytest.mark.long)]
#: How often threads may change places so that a drawn point does not come.
MOST_MISSED = 0.1


@pytest.mark.parametrize("generation", ALL_GENERATIONS)
@pytest.mark.parametrize("count", COUNTS)
def test_a_kill_loses_nothing_that_was_acknowledged(count: int, generation: str, tmp_path: Path) -> None:
    """T-64, E-63, C-91: before, in the middle of and after each write, rename and hash, inside inserts and elsewhere.

    A fresh host has every memory, or the one command that the chat names brings it back; and no pointer leads to
    another memory than the rules decided on.
    """
    tests = SCRIPT.parents[1]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(SCRIPT), generation, str(tmp_path), str(count), str(SEED)],
        env={**os.environ, "PYTHONPATH": str(tests), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    found = json.loads(done.stdout)
    assert found["lost"] == [], json.dumps(found["lost"], indent=1)[:10_000]
    points, ends = found["points"], found["ends"]
    assert len(points) == count == sum(ends.values())
    assert ends.get("not reached", 0) <= MOST_MISSED * count
    assert ends["by itself"] > 0
    assert any(one.startswith(("restore", "repair")) for one in ends), "no kill did any harm: is anything counted?"
    sorts = ["insert", "write ", "rename ", "commit ", ".faiss", ".pkl"]
    sorts += [".sha256"] if any(".sha256" in name for name in found["seen"]) else []
    for one in sorts:
        assert sum(one in name for name, _, _ in points) >= LEAST, one
