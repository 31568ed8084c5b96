"""Every file of `docs/files.md`, in 25 kinds of damage, at a start and under a running host: the chat goes on (C-75).

What was readable is kept; what was not is set aside under another name, and named once.
"""

import asyncio
import os
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fake_host import FakeHost, RunningClock
from hook_tools import PACK_ROOT, axes, learn_two_versions, rest

DEEP = b"[" * 100_000
SETTINGS = Path("usr/memory/classification_config.json")
#: No turn waits longer for a file.
MOST_SECONDS = 2.0

# How each file is written, and so what becomes of one that cannot be read: an object is set aside as a whole, of lines
# the others are read; some are the user's or other programs' as well, and stay where they are.
OBJECT, LINES, OTHER = "object", "lines", "other"
BESIDE_THE_STORE = {
    "ledger.db": OBJECT,
    "ledger.jsonl": LINES,
    "conflicts.jsonl": LINES,
    "ledger_inbox.jsonl": LINES,
    "ledger_purged.jsonl": OTHER,
    "ledger_backup.jsonl": LINES,
    "vault.jsonl": LINES,
    "vault_backup.jsonl": OTHER,
    "chain.jsonl": LINES,
    "chain_head.json": OBJECT,
    "ledger_signing.json": OBJECT,
    "ledger_secrets.jsonl": OTHER,
    "ledger_accesses.jsonl": OTHER,
    "ledger_turns.json": OTHER,
    "ledger_unsaved.jsonl": OTHER,
    "ledger_seal.key": OTHER,
    "ledger_proposals.json": OTHER,
    "duplicates.jsonl": OTHER,
    "duplicates_state.json": OTHER,
    "ledger_transfers/arrive-00.jsonl": OTHER,
    "faiss/notes_index.faiss": OTHER,
    "faiss/notes_meta.json": OTHER,
}
BESIDE_THE_FOLDERS = {
    "state.json": OTHER,
    "co_retrieval_log.json": OTHER,
    "classification_config.json": OTHER,
    "knowledge_agent.json": OBJECT,
}
ELSEWHERE = {
    "usr/system/logs/20260101.log": OTHER,
    "usr/context/memory/.state.json": OTHER,
    "usr/context/memory/cache_refresh.json": OTHER,
    "usr/context/memory/.knowledge.lock": OTHER,
}


def content(data: bytes) -> Callable[[Path], None]:
    return lambda path: void(path.write_bytes(data))


def changed(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    return lambda path: void(path.write_bytes(change(path.read_bytes() if path.is_file() else b'{"half": 1}\n')))


def instead(make: Callable[[Path], Any]) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        path.unlink(missing_ok=True)
        make(path)

    return damage


def void(_: object) -> None:
    """Return nothing."""


def full_folder(path: Path) -> None:
    path.mkdir()
    (path / "inside").write_text("kept")


DAMAGES: dict[str, Callable[[Path], None]] = {
    "gone": instead(lambda _: None),
    "empty": content(b""),
    "white space": content(b" \n\n\t"),
    "cut": changed(lambda data: data[: len(data) // 2]),
    "last byte gone": changed(lambda data: data[:-1]),
    "zeroed": changed(lambda data: b"\0" * len(data)),
    "garbage": content(b"\0\xff\xfe{[" * 100),
    "UTF-16": changed(lambda data: data.decode("utf-8", "replace").encode("utf-16")),
    "byte order mark": changed(lambda data: b"\xef\xbb\xbf" + data),
    "latin-1": content(b'{"caf\xe9": 1}\n'),
    "deep list": content(DEEP),
    "deep object": content(b'{"a":' * 100_000),
    "deep inside": content(b'{"recall_cycle": ' + DEEP + b"]" * 100_000 + b"}"),
    "number of 5,000 digits": content(b'{"recall_cycle": ' + b"9" * 5_000 + b"}"),
    "huge numbers": changed(lambda data: re.sub(rb"\b\d+\b", b"9" * 40, data)),
    "no numbers": changed(lambda data: re.sub(rb": ?\d+", b": NaN", data)),
    "a list": content(b"[1, 2]\n"),
    "a text": content(b'"text"\n'),
    "null": content(b"null\n"),
    "other types": changed(lambda data: re.sub(rb': ?("[^"]*"|\d+|\[|\{)', b': null, "x": \\1', data)),
    "a folder": instead(full_folder),
    "a link to nothing": instead(lambda path: path.symlink_to(path.parent / "nowhere" / "at all")),
    "a link in a circle": instead(lambda path: path.symlink_to(path.name)),
    "a pipe": instead(lambda path: os.mkfifo(path)),
    "no rights": lambda path: path.chmod(0) if path.is_file() else None,
}
NOT_A_FILE = frozenset(("a folder", "a link to nothing", "a link in a circle", "a pipe"))
NO_OBJECT = NOT_A_FILE - {"a link to nothing"} | {
    "white space", "cut", "zeroed", "garbage", "UTF-16", "latin-1", "deep list", "deep object", "deep inside",
    "number of 5,000 digits", "a list", "a text",
}  # fmt: skip


def paths_of(root: Path) -> dict[Path, str]:
    folder = root / "usr/memory/default"
    return {
        **{folder / name: kind for name, kind in BESIDE_THE_STORE.items()},
        **{folder.parent / name: kind for name, kind in BESIDE_THE_FOLDERS.items()},
        **{root / name: kind for name, kind in ELSEWHERE.items()},
    }


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A host's folder in which every file has been written that a few turns write."""
    root = tmp_path_factory.mktemp("prepared") / "a0"

    async def fill() -> None:
        with start(root) as host:
            host.install(PACK_ROOT)
            (root / SETTINGS).parent.mkdir(parents=True, exist_ok=True)
            (root / SETTINGS).write_text('{"maintenance_interval_loops": 1}')
            await learn_two_versions(host)
            await use(host)
            host.uninstall()

    asyncio.run(fill())
    return root


def start(root: Path) -> FakeHost:
    return FakeHost("C", root, clock=RunningClock())


async def use(host: FakeHost) -> str:
    """Play a turn with every hook, let all that it started end, and return what the prompt held of memories."""
    began = time.perf_counter()
    cpu = time.process_time()
    record = await asyncio.wait_for(host.turn("Which Python does my project use?"), 60)
    # Other work on the machine is no waiting of ours.
    waited = time.perf_counter() - began - (time.process_time() - cpu)
    assert waited < MOST_SECONDS + os.getloadavg()[0], f"the turn waited for {waited:.1f} s"
    await rest(host)
    return record.prompt.memories


def status_of(host: FakeHost) -> dict[str, Any]:
    return {one: (document.page_content, axes(document)) for one, document in host.docs.items()}


def look_at(path: Path) -> object:
    """Return what stands at a place, as far as it can be compared."""
    if path.is_symlink():
        return "a link"
    if path.is_fifo():
        return "a pipe"
    if path.is_dir():
        return "a folder"
    return path.read_bytes() if path.exists() else None


def expect_told(host: FakeHost, root: Path, damaged: dict[Path, tuple[str, object]], *, is_running: bool) -> None:
    """No hook failed; what could not be used is kept beside its place, and was named once."""
    ours = [item for item in host.warnings if item.heading.startswith("Memory Ledger")]
    assert not host.hook_errors
    assert not [one.heading for one in ours if "failed" in one.heading], [(one.heading, one.content) for one in ours]
    lines = [line for one in ours for line in one.content.split("\n")]
    assert len(set(lines)) == len(lines), lines
    for path, (kind, before) in damaged.items():
        is_whole = paths_of(root)[path] == OBJECT
        kept = [look_at(one) for one in path.parent.glob(f"{path.name}.damaged*")]
        if (is_whole and kind in NO_OBJECT and not is_running) or (kind in NOT_A_FILE and kept):
            assert before in kept, (path.name, kind)
            assert sum(line.startswith(f"{path} is") for line in lines) == 1, (path.name, kind, lines)
        assert len(kept) <= 1, (path.name, kind)


async def play(root: Path, chosen: dict[Path, str], *, is_running: bool) -> None:
    """Damage files, at a start or after one, and play turns."""
    with start(root) as host:
        host.install(PACK_ROOT)
        if is_running:
            await use(host)
        damaged: dict[Path, tuple[str, object]] = {}
        for path, kind in chosen.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            DAMAGES[kind](path)
            damaged[path] = (kind, look_at(path))
        for _ in range(2):
            shown = await use(host)
        assert "3.11" in shown and "3.9" not in shown
        expect_told(host, root, damaged, is_running=is_running)
        host.uninstall()


def copy_of(prepared: Path, place: Path) -> Path:
    root = place / "a0"
    shutil.copytree(prepared, root, symlinks=True)
    return root


def all_damaged(root: Path, number: int) -> dict[Path, str]:
    """Return another damage for each file but the settings; over all numbers, every damage for every file."""
    kinds = list(DAMAGES)
    chosen = {path: kinds[(number + place) % len(kinds)] for place, path in enumerate(paths_of(root))}
    del chosen[root / SETTINGS]
    return chosen


def some(numbers: range, most: int) -> list[Any]:
    """Return what to play: as many, evenly spread; the others are left to `make test-long`."""
    step = -(-len(numbers) // most)
    return [pytest.param(one, marks=() if place % step == 0 else pytest.mark.long)
            for place, one in enumerate(numbers)]  # fmt: skip


def test_every_file_that_is_documented_is_in_the_table() -> None:
    """design.md (Storage): what `docs/files.md` lists is damaged here, but for Agent Zero's own and what is no data."""
    text = (PACK_ROOT / "docs/files.md").read_text()
    rows = re.findall(r"^\| (.+?) \|", text, re.MULTILINE)
    named = {Path(name).name for row in rows for name in re.findall(r"`([^`]+\.(?:jsonl?|key|faiss|part))`", row)}
    known = {path.name for path in paths_of(Path())} | {".install_record.json", ".install_journal.json"}
    assert named - known == set()


@pytest.mark.parametrize("number", some(range(len(DAMAGES)), 5))
async def test_a_start_with_every_file_damaged(number: int, prepared: Path, tmp_path: Path) -> None:
    """C-73, C-74, C-75, C-91, E-48, T-64: starts in each of which every file is damaged, another way each time."""
    await play(copy_of(prepared, tmp_path), all_damaged(tmp_path / "a0", number), is_running=False)


@pytest.mark.parametrize("number", some(range(0, len(DAMAGES), 5), 2))
async def test_every_file_damaged_under_a_running_host(number: int, prepared: Path, tmp_path: Path) -> None:
    """C-74, C-75: what a process knows it goes on with, and writes again."""
    await play(copy_of(prepared, tmp_path), all_damaged(tmp_path / "a0", number), is_running=True)


async def test_damaged_settings_under_a_running_host(prepared: Path, tmp_path: Path) -> None:
    """C-73: they are the user's: left where they are, and named once for each version."""
    root = copy_of(prepared, tmp_path)
    path = root / SETTINGS
    with start(root) as host:
        host.install(PACK_ROOT)
        for damage in DAMAGES.values():
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
            path.write_text('{"maintenance_interval_loops": 1}')
            damage(path)
            before = look_at(path)
            assert "3.11" in await use(host)
            assert look_at(path) == before
        ours = [item for item in host.warnings if item.heading.startswith("Memory Ledger")]
        assert not [one.heading for one in ours if "failed" in one.heading]
        assert len(ours) <= len(DAMAGES)
        host.uninstall()


@pytest.mark.long
@pytest.mark.parametrize("is_running", [False, True], ids=["at a start", "under a host"])
@pytest.mark.parametrize("kind", DAMAGES)
@pytest.mark.parametrize("place", range(len(paths_of(Path()))), ids=[path.name for path in paths_of(Path())])
async def test_one_file_in_one_damage(place: int, kind: str, is_running: bool, prepared: Path, tmp_path: Path) -> None:
    """C-73 ... C-75, C-91, T-64: the whole product, one at a time."""
    root = copy_of(prepared, tmp_path)
    await play(root, {list(paths_of(root))[place]: kind}, is_running=is_running)
