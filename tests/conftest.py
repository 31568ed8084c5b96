"""What holds for every test."""

import os
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Every fake host loads the pack anew: what was compiled for one is kept for the next, whatever the environment says.
sys.dont_write_bytecode = False

# How long an example takes says more about the machine, which others use too, than about the code; the examples are the
# same at every run.
settings.register_profile(
    "shared machine", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("shared machine")
#: How the reason of a skip begins where the server that a test needs is not there (`knowledge_storage/servers.py`).
NOT_STARTED = "could not be started"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Take one process more than there are cores: the tests of a host wait for its threads for much of their time."""
    return (os.cpu_count() or 1) + 1


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
