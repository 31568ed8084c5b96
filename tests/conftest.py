"""What holds for every test."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from fake_host import ALL_GENERATIONS
from hypothesis import HealthCheck, settings
from terminal import open_terminal

# Every fake host loads the pack anew: what was compiled for one is kept for the next, whatever the environment says.
sys.dont_write_bytecode = False

# How long an example takes says more about the machine, which others use too, than about the code; the examples are the
# same at every run.
settings.register_profile(
    "shared machine", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("shared machine")
#: Where temporary folders lie in memory, and the room that all tests together may need there.
IN_MEMORY, MOST_BYTES = "/dev/shm", 4 << 30
#: How the reason of a skip begins where the server that a test needs is not there (`knowledge_storage/servers.py`).
NOT_STARTED = "could not be started"


@pytest.hookimpl(tryfirst=True)
def pytest_configure() -> None:
    """Keep temporary folders in memory, if there is room: a commit to a database takes a disk many milliseconds."""
    if os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free > MOST_BYTES:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", IN_MEMORY)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave four generations of the host to `make test-long`, where a test is not marked with `every_generation`.

    Each plays on the newest one and on one of the others, drawn by its name: so each generation meets a fifth of them.
    What plays on another one than the newest is marked with `older`, for whoever can do without (`.ci/run`).
    """
    *others, newest = ALL_GENERATIONS
    for item in items:
        params = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        generation = next((params[name] for name in ("host", "generation") if name in params), newest)
        if generation != newest:
            item.add_marker(pytest.mark.older)
        name = item.nodeid.partition("[")[0]
        is_played = generation in (newest, others[crc32(name.encode()) % len(others)])
        if not is_played and not item.get_closest_marker("every_generation"):
            item.add_marker(pytest.mark.long)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Take one process more than there are cores: the tests of a host wait for its threads for much of their time."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture(scope="session")
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder for the `PATH` whose `memory-ledger` has its libraries loaded already."""
    with open_terminal(tmp_path_factory.mktemp("terminal")) as folder:
        yield folder


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
