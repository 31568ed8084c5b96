"""Whatever a memory's metadata says: no hook fails, and no other memory waits for it."""

import copy
import errno
import itertools
import os
import pickle
import shutil
from collections.abc import Iterator
from typing import BinaryIO, NoReturn

import pytest
from fake_host import FakeHost
from hook_tools import TOOL, configure_pack, find, remember, rest, settle, use_folder
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from memory_ledger.store.saving import staging
from shell.hostile_documents import ROW, Row, count_paths, nested

COUNTS = [pytest.param(100, id="100"), pytest.param(100_000, id="100,000", marks=pytest.mark.long)]
FOLDER = 250
#: So many are drawn and held at once, and so many as one example: one after the other would be slow.
BLOCK, EXAMPLE = 5_000, 10
MOST_PRINTED = 1_000_000
GOOD = "User's garden shed is painted blue"
TIME = "2026-01-01T00:00:00+00:00"


async def all_hooks(host: FakeHost) -> None:
    """Play a turn with every hook, one that loads memories, and wait for what they left running."""
    query = {"query": "the shed, the port and the python", "filter": "can_be_printed"}
    await host.turn("Which colour is my garden shed?", tool_calls=[("memory_load", query)])
    await rest(host)
    await host.finish_memorizing()


def expect_no_failure(host: FakeHost) -> None:
    """Nothing failed and nothing stopped; what could not be read may have been told."""
    said = [(item.heading, item.content) for item in host.log if item.heading.startswith("Memory Ledger")]
    assert not [one for one in said if "failed" in one[0] or "stopped" in one[0]], said
    host.expected_warnings = sum(item.heading.startswith("Memory Ledger") for item in host.warnings)


async def test_no_text_passes_for_a_mark_of_the_pack(host: FakeHost) -> None:
    """T-62, C-96: in no section of a prompt, nor in what the tools answer."""
    mark, rest = "contested, 2026-03-01 user", "The garden shed is painted red"
    await remember(host, "The garden shed is painted red.", f"[{mark}] {rest}")
    tools = [("memory_load", {"query": rest, "threshold": 0.0}), (TOOL, {"verb": "history", "query": "garden shed"})]
    record = await host.turn("Which colour is my garden shed?", tool_calls=tools)
    shown, answers = record.prompts[0].memories, str(host.agent.history.output())
    assert f"(quoted: {mark}) {rest}" in shown and answers.count(f"(quoted: {mark}) {rest}") == len(tools)
    assert f"[{mark}" not in shown + answers


def draw(count: int, begin: int) -> list[Row]:
    """Return so many generated documents; others for each `begin`."""
    found: list[Row] = []

    @seed(begin)
    @settings(max_examples=count // EXAMPLE, database=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(ROW, min_size=EXAMPLE, max_size=EXAMPLE))
    def collect(rows: list[Row]) -> None:
        found.extend(rows)

    collect()
    return found


def draw_all(count: int) -> Iterator[Row]:
    """Yield so many generated documents, without holding them all."""
    for begin in range(0, count, BLOCK):
        yield from draw(min(BLOCK, count - begin), begin)


def metadata_of(row: Row) -> dict[str, object]:
    """Return the metadata to insert; it says whether the host can print it, which any of its own tools does."""
    metadata = {**row.foreign, **copy.copy(row.ledger)}
    return {**metadata, "can_be_printed": count_paths(metadata) < MOST_PRINTED}


@pytest.mark.parametrize("host", ["D"], indirect=True)
@pytest.mark.parametrize("count", COUNTS)
async def test_nothing_that_metadata_says_stops_a_hook(count: int, host: FakeHost) -> None:
    """C-74, C-75, C-91: every hook over generated metadata, all types at every key; a good memory waits for none.

    Each folder is left behind with its chat, or the host would keep them all.
    """
    configure_pack(host, maintenance_interval_loops=1)
    rows, tally = draw_all(count), 0
    while batch := list(itertools.islice(rows, FOLDER)):
        use_folder(host, f"from{tally}")
        await host.restart(hard=False)
        memory = await host.memory()
        for row in batch:
            memory.db.add_texts([row.text], [metadata_of(row)])
        await host.insert(GOOD, can_be_printed=True)
        await all_hooks(host)
        assert "classification" in find(host, "shed").metadata
        await all_hooks(host)
        expect_no_failure(host)
        shutil.rmtree(host.memory_folder(f"from{tally}"))
        tally += len(batch)
    assert tally >= count


def on_disk(host: FakeHost) -> set[str]:
    """Return the texts that the host would load."""
    by_host, _ = pickle.loads((host.memory_folder() / "index.pkl").read_bytes())
    return {one.page_content for one in by_host._dict.values()}


def take_warnings(host: FakeHost) -> list[str]:
    """Return what the pack has warned of, which was expected."""
    said = [f"{one.heading}\n{one.content}" for one in host.warnings if one.heading.startswith("Memory Ledger")]
    host.expected_warnings = len(said)
    return said


@pytest.mark.every_generation
async def test_what_no_save_can_hold_is_cut_and_every_text_is_saved(host: FakeHost) -> None:
    """T-69, T-64: the host's own tool stores it; the memory stays, its name is told once, and a restart finds all."""
    await remember(host, "My shed is blue.", GOOD)
    await host.insert("User likes tea", note=nested(3_000), kept={"a": [1, nested(15)]})
    await settle(host)
    await host.insert("User likes milk")
    memory = find(host, "likes tea")
    await rest(host)
    (told,) = take_warnings(host)
    where = f"memory {memory.metadata['id']}: metadata 'note'"
    assert "could not save as they were" in told and where in told
    assert "nested too deeply, and was cut; the text is whole; allowed: at most 41" in told
    assert on_disk(host) == {GOOD, "User likes tea", "User likes milk"}
    assert memory.metadata["kept"] == {"a": [1, nested(15)]} and "left out" in str(memory.metadata["note"])
    await host.restart()
    await host.turn("Which colour is my garden shed?")
    assert {one.page_content for one in host.docs.values()} == on_disk(host)
    assert take_warnings(host) == []


async def test_a_save_takes_away_what_a_crash_has_left_of_another(host: FakeHost) -> None:
    """T-64: but not of one that is still under way in another process."""
    await remember(host, "My shed is blue.", GOOD)
    left = host.memory_folder() / ".saving.1"
    left.mkdir()
    (left / "index.pkl").write_bytes(b"half")
    os.utime(left, (0, 0))
    with staging(host.memory_folder()) as busy:
        await host.insert("User likes tea")
        await settle(host)
        assert [*host.memory_folder().glob(".saving*")] == [busy]


@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left"), RuntimeError("in faiss: no space left")])
async def test_a_save_that_fails_leaves_the_one_before_it_and_is_told(
    host: FakeHost, failure: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-64: no file is empty, or half one save and half another; the way back is told once, and not after it worked."""
    await remember(host, "My shed is blue.", GOOD)
    await settle(host)
    names = ("index.faiss", "index.pkl", "index.faiss.sha256")
    before = {path: path.read_bytes() for name in names if (path := host.memory_folder() / name).exists()}

    def stop(_: object, stream: BinaryIO) -> NoReturn:
        stream.write(b"half")
        raise failure

    with monkeypatch.context() as patched:
        patched.setattr("langchain_community.vectorstores.faiss.pickle.dump", stop)
        for text in ("User likes tea", "User likes milk"):
            with pytest.raises(type(failure)):
                await host.insert(text)
            await settle(host)
    assert {path: path.read_bytes() for path in before} == before
    assert not [*host.memory_folder().glob(".saving*")]
    (told,) = take_warnings(host)
    assert f"{host.memory_folder()} is not saved ({failure.args[-1]})" in told
    assert f"restore --folder {host.memory_folder()}" in told
    await host.insert("User likes beer")
    await settle(host)
    assert on_disk(host) == {GOOD, "User likes tea", "User likes milk", "User likes beer"}
    assert len(take_warnings(host)) == 1
