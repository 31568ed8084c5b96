"""The one writer of a quality store is killed wherever something reaches the disk: nothing it has returned is lost."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("storing.py")
#: Points where it is killed; the long run takes every one that there is.
COUNTS = [pytest.param(30, id="30"), pytest.param(10_000, id="all", marks=pytest.mark.long)]


@pytest.mark.parametrize("count", COUNTS)
def test_a_kill_loses_nothing_that_was_returned(count: int, tmp_path: Path) -> None:
    """Issue 23, quality 1, Q-55: whoever opens the store next is let in, and has all that a method had returned.

    A killed writer holds no lock; texts and vectors of two saves do not mix; the chain verifies; no conflict is open
    about a memory that never was kept. Opening it again finds the same.
    """
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(SCRIPT), str(tmp_path), str(count), "5"],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, (SCRIPT.parents[1], *sys.path))),
            "OMP_NUM_THREADS": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    found = json.loads(done.stdout)
    assert found["lost"] == [], json.dumps(found["lost"], indent=1)[:10_000]
    assert found["killed"] >= 0.8 * len(found["points"]) >= 0.8 * min(count, 30)
    for name in ("index.faiss", "index.pkl", "saved", "ledger_unsaved.jsonl", "chain.jsonl", "conflicts.jsonl"):
        assert any(one.endswith(f" {name}") for one in found["seen"]), f"no kill is counted at {name}"
