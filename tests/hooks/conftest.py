"""A host of each generation with the pack in it; a hook that reported a failure fails the test."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_host import ALL_GENERATIONS, FakeHost, RunningClock, keep_between_hosts
from hook_tools import PACK_ROOT

HELPERS = "usr.plugins.memory_ledger.helpers."
# A machine that others use too may take seconds for a file, also after a reload; what comes of that has its own tests.
os.environ["MEMORY_LEDGER_FILE_SECONDS"] = "60"
#: What is asked here depends on the host's own recall, memorizers, tools or saves: it is played on a second generation.
OF_THE_HOST = {
    f"test_{name}.py"
    for name in (
        "audit_log backup_in_chat chat_model deletion_guard erased_for_good host_rewrites "
        "memory_access_counter memory_classifier memory_enhancement memory_relevance_filter model_away "
        "moving_folders recall_after_the_host replaced_by_the_agent shared_query_vectors unknown_host"
    ).split()
}

# The core has no state (`test_architecture.py`), and is most of what a new host would import.
_SHELL = tuple(f"{HELPERS}{room}" for room in ("host", "store", "cli", "service", "page"))
_PURE = f"{HELPERS}service.arguments"
keep_between_hosts(lambda name: name.startswith(HELPERS) and (name == _PURE or not name.startswith(_SHELL)))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Play what is the pack's own on the newest generation alone; `make test-long` plays everything on all of them."""
    for item in items:
        is_here = item.path.parent == Path(__file__).parent and item.path.name not in OF_THE_HOST
        if is_here and item.get_closest_marker("older") and not item.get_closest_marker("every_generation"):
            item.add_marker(pytest.mark.long)


@pytest.fixture(params=ALL_GENERATIONS)
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FakeHost]:
    """A running host with the pack installed; no hook may have failed when the test is over."""
    with FakeHost(request.param, tmp_path / "a0", clock=RunningClock()) as running:
        running.install(PACK_ROOT)
        running.configure(memory_recall_query_prep=False, memory_recall_post_filter=False)
        yield running
        ours = [item for item in running.warnings if item.heading.startswith("Memory Ledger")]
        expected = getattr(running, "expected_warnings", 0)
        assert len(ours) == expected, [(item.heading, item.content) for item in ours]
        assert running.hook_errors == []
