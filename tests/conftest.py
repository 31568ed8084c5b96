"""What holds for every test."""

import sys
from typing import Any

# Every fake host loads the pack anew: what was compiled for one is kept for the next, whatever the environment says.
sys.dont_write_bytecode = False

#: How the reason of a skip begins where the server that a test needs is not there (`knowledge_storage/servers.py`).
NOT_STARTED = "could not be started"


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say plainly what could not be started, and how many tests that left out."""
    counts: dict[str, int] = {}
    for report in terminalreporter.stats.get("skipped", []):
        reason = str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)
        if NOT_STARTED in reason:
            reason = reason.removeprefix("Skipped: ")
            counts[reason] = counts.get(reason, 0) + 1
    for reason, count in sorted(counts.items()):
        terminalreporter.write_line(f"{count} tests were NOT run: {reason}", red=True)
