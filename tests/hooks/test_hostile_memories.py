"""Whatever a memory's metadata says: no hook fails, and no other memory waits for it."""

import copy

import pytest
from fake_host import FakeHost
from hook_tools import CLASSIFIER, axes, find, settle, use_folder
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from shell.hostile_documents import ROW, Row

BATCH, DRAWN = 100, 10
COUNTS = [pytest.param(BATCH, id="100"), pytest.param(100_000, id="100,000", marks=pytest.mark.long)]
GOOD = "User's garden shed is painted blue"
STANDING = {"validity": "confirmed", "relevance": "active", "utility": "load_bearing", "source": "user_asserted"}
TIME = "2026-01-01T00:00:00+00:00"


async def all_hooks(host: FakeHost) -> None:
    """Play a turn with every hook, one that loads memories, and wait for what they left running."""
    await host.turn(
        "Which colour is my garden shed?", tool_calls=[("memory_load", {"query": "the shed, the port and the python"})]
    )
    await settle(host)
    await host.settle()


def expect_no_failure(host: FakeHost) -> None:
    """Nothing failed and nothing stopped; what could not be read may have been told."""
    said = [(item.heading, item.content) for item in host.log if item.heading.startswith("Memory Ledger")]
    assert not [one for one in said if "failed" in one[0] or "stopped" in one[0]], said
    host.expected_warnings = sum(item.heading.startswith("Memory Ledger") for item in host.warnings)


async def test_a_seal_that_is_not_ascii_stops_nobody(host: FakeHost) -> None:
    """C-74, C-75, C-91: anybody who can save a memory can write one; it is no seal, and the others go on."""
    await host.memory()
    await host.run(CLASSIFIER)
    lineage = {"created_at": TIME, "seal": "n\u00e9"}
    await host.insert("User likes tea", classification=STANDING, lineage=lineage)
    await host.insert(GOOD)
    record = await host.turn("Which colour is my garden shed?")
    await settle(host)
    assert axes(find(host, "likes tea"))[3] == "agent_inferred"
    assert axes(find(host, "shed"))[3] == "agent_inferred"
    assert "shed" in record.prompt.memories
    expect_no_failure(host)


def draw(count: int) -> list[Row]:
    """Return so many generated documents."""
    found: list[Row] = []

    @settings(max_examples=count // DRAWN, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(st.lists(ROW, min_size=DRAWN, max_size=DRAWN))
    def collect(rows: list[Row]) -> None:
        found.extend(rows)

    collect()
    return found


@pytest.mark.parametrize("host", ["C"], indirect=True)
@pytest.mark.parametrize("count", COUNTS)
async def test_nothing_that_metadata_says_stops_a_hook(count: int, host: FakeHost) -> None:
    """C-74, C-75, C-91: every hook over generated metadata, all types at every key; a good memory waits for none."""
    root = host.memory_folder().parent
    root.mkdir(parents=True, exist_ok=True)
    (root / "classification_config.json").write_text('{"maintenance_interval_loops": 1}')
    rows = draw(count)
    for start in range(0, len(rows), BATCH):
        use_folder(host, f"batch{start}")
        memory = await host.memory()
        for row in rows[start : start + BATCH]:
            memory.db.add_texts([row.text], [{**row.foreign, **copy.copy(row.ledger)}])
        await host.insert(GOOD)
        await all_hooks(host)
        assert "classification" in find(host, "shed").metadata
        await all_hooks(host)
        expect_no_failure(host)
