"""monologue_end/_57_memory_maintenance on five generations of the host."""

import json
from typing import Any

from fake_host import FakeHost
from hook_tools import remember, settle
from memory_ledger.host.storage import files

MAINTENANCE = "monologue_end/_57_memory_maintenance"


def state(host: FakeHost) -> dict[str, Any]:
    """Return the counters of the folder as they are on disk."""
    return json.loads((host.memory_folder().parent / files.STATE_FILE).read_text())["default"]


def runs(host: FakeHost) -> list[dict[str, Any]]:
    """Return the journal's lines about maintenance runs."""
    return [
        row for row in files.read_lines(host.memory_folder() / files.JOURNAL_FILE) if row["action"] == "maintenance"
    ]


async def test_maintenance_runs_once_after_so_many_loops(host: FakeHost) -> None:
    """C-68, C-92: at the first end of a monologue with 25 loops since the last run; message loops count, not turns."""
    await remember(host, "The port is 8080.", "The port is 8080")
    await settle(host)
    before = state(host)["loop_count"]
    await host.turn("Look at the logs.", iterations=24 - before)
    await host.settle()
    assert state(host)["loop_count"] == 24
    assert runs(host) == []
    for _ in range(3):
        await host.turn("Go on.")
        await host.settle()
    assert [(row["loop"], row["is_whole"]) for row in runs(host)] == [(25, True)]
    assert state(host)["maintained_at_loop"] == 25
