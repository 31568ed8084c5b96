"""What enters prompts is cached: one stat call per turn, no turn held, what is away said once (M-52, M-20, T-32)."""

import asyncio
import os
import socket
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from fake_host import FixedClock
from memory_ledger.host.knowledge.backend import KnowledgeAwayError
from memory_ledger.host.knowledge.cache import RETRY_SECONDS, KnowledgeCache, Patience, PromptFiles
from memory_ledger.host.knowledge.folder import FolderBackend
from memory_ledger.host.knowledge.names import SIGNAL_NAME
from memory_ledger.host.knowledge.opening import OpenKnowledge, open_knowledge, without_secrets
from memory_ledger.host.knowledge.signals import FileSignal
from memory_ledger.host.knowledge.stored_files import StoredFiles
from memory_ledger.setting_groups import Knowledge as KnowledgeSettings
from places import Place
from servers import Server, make_bucket, start_redis, start_s3

NAME = "domain_knowledge.md"
FILE_CALLS = {"open", "os.listdir", "os.scandir", "socket.connect", "_thread.start_new_thread", "import"}


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Collect what this process asks of the system, while `stat` is counted as well."""
    seen: list[str] = []
    real = os.stat

    def stat(*args: Any, **kwargs: Any) -> os.stat_result:
        seen.append("stat")
        return real(*args, **kwargs)

    def audit(event: str, details: tuple[object, ...]) -> None:
        is_second = event == "open" and isinstance(details[0], int)  # an open file becomes a stream
        if is_on and event in FILE_CALLS and not is_second:
            seen.append(event)

    is_on = [True]
    monkeypatch.setattr(os, "stat", stat)
    sys.addaudithook(audit)
    yield seen
    is_on.clear()


def texts(snapshot: PromptFiles) -> dict[str, str]:
    return dict(snapshot.texts)


async def test_only_active_files_enter_prompts(place: Place) -> None:
    """M-20, M-58, M-60: neither what is staged or archived, nor summaries, nor the pack's own state."""
    knowledge = place.open()
    others = ("staging/a.md", "archive/a.md", "session_summaries/a.md", ".state.json")
    for name in ("quality_benchmarks.md", NAME, *others):
        knowledge.files.write(name, name)
    snapshot = await knowledge.cache.current()
    assert list(snapshot.texts) == [NAME, "quality_benchmarks.md"]
    assert knowledge.cache.notice is None


async def test_a_turn_costs_one_stat_call_while_nothing_has_changed(tmp_path: Path, calls: list[str]) -> None:
    """M-52: no file is opened, no folder listed, no thread started, nothing imported; and the snapshot is the same."""
    knowledge = Place("file://", tmp_path).open()
    knowledge.files.write(NAME, "text")
    first = await knowledge.cache.current()
    for _ in range(3):
        calls.clear()
        assert await knowledge.cache.current() is first
        assert calls == ["stat"]


async def test_a_file_tells_the_other_processes_of_this_machine(tmp_path: Path) -> None:
    """M-52: what one of them writes is there in the next turn of the others."""
    await check_next_turns(Place("file://", tmp_path), "file")


async def test_redis_tells_the_other_machines(place: Place, redis_url: str) -> None:
    """M-52, T-32: the same, on every storage."""
    await check_next_turns(place, redis_url)


async def check_next_turns(place: Place, signal: str) -> None:
    """A change is there in the next turn; one of nothing that enters prompts keeps the snapshot."""
    writer, reader = place.open("a", cache_signal=signal), place.open("b", cache_signal=signal)
    assert texts(await reader.cache.current()) == {}
    writer.files.write(NAME, "one")
    first = await reader.cache.current()
    assert texts(first) == {NAME: "one"}
    writer.files.write("staging/x.md", "x")
    assert await reader.cache.current() is first
    writer.files.update(NAME, lambda text: f"{text}, two")
    second = await reader.cache.current()
    assert (texts(second), second.generation) == ({NAME: "one, two"}, first.generation + 1)
    writer.files.move(NAME, "archive/x.md")
    assert texts(await reader.cache.current()) == {}


async def test_without_a_signal_a_change_is_found_after_a_while(place: Place) -> None:
    """M-52: what somebody edits by hand, or writes on a machine that cannot tell, is seen after `recheck_seconds`."""
    reader = place.open("b", recheck_seconds=60)
    place.open("a").files.write(NAME, "one")
    first = await reader.cache.current()
    if place.url == "file://":
        (place.folder / NAME).write_text("edited")
    else:
        place.open("a").files.write(NAME, "edited")
    place.uptime.seconds += 59
    assert await reader.cache.current() is first
    place.uptime.seconds += 2
    assert texts(await current_and_settled(reader)) == {NAME: "edited"}


async def test_only_what_has_changed_is_read_again(tmp_path: Path, calls: list[str]) -> None:
    """M-52: of many files one is opened."""
    knowledge = Place("file://", tmp_path).open()
    for number in range(8):
        knowledge.files.write(f"file_{number}.md", "text")
    await knowledge.cache.current()
    Place("file://", tmp_path).open().files.write("file_3.md", "new")
    calls.clear()
    assert (await knowledge.cache.current()).texts["file_3.md"] == "new"
    assert calls.count("open") == 1


async def test_what_is_written_while_the_cache_reads_is_not_missed(tmp_path: Path) -> None:
    """M-52: the mark is taken before the files are read, so that the next turn reads again."""
    place = Place("file://", tmp_path)
    writer, reader = place.open("a").files, place.open("b")
    writer.write(NAME, "old")

    class Interrupted:
        """Files that somebody writes right after they were read."""

        def read(self, name: str) -> str | None:
            text = reader.files.read(name)
            if text == "old":
                writer.write(name, "new")
            return text

        def versions(self) -> Mapping[str, str]:
            return StoredFiles(FolderBackend(tmp_path / "usr"), lambda: None).versions()

    signal = FileSignal(lambda: place.folder / SIGNAL_NAME, FixedClock())
    patience = Patience(turn_seconds=20, recheck_seconds=60)
    cache = KnowledgeCache(Interrupted(), signal, patience, place.uptime, where="here")
    assert texts(await cache.current()) == {NAME: "old"}
    assert texts(await cache.current()) == {NAME: "new"}


async def test_many_event_loops_share_one_reading(tmp_path: Path) -> None:
    """M-52: chats run in loops and threads of their own."""
    knowledge = Place("file://", tmp_path).open()
    knowledge.files.write(NAME, "text")

    def ask(_: int) -> dict[str, str]:
        return texts(asyncio.run(knowledge.cache.current()))

    assert await asyncio.gather(*(asyncio.to_thread(ask, n) for n in range(8))) == [{NAME: "text"}] * 8
    assert knowledge.cache.known().generation == 1


async def test_s3_goes_away_and_comes_back(own_s3: tuple[Server, Place]) -> None:
    """T-32: the agent goes on with what it knows, says so once, asks rarely, and then reads what it missed."""
    server, place = own_s3
    writer, reader = place.open("a"), place.open("b", recheck_seconds=60.0)
    writer.files.write(NAME, "known")
    first = await reader.cache.current()
    assert texts(first) == {NAME: "known"}
    server.stop()
    place.uptime.seconds += 61
    assert await reader.cache.current() is first
    notice = str(reader.cache.notice)
    assert notice.startswith("s3://fleet/agents/context/memory: ")
    assert notice.endswith("The agent continues with the knowledge it has.")
    for _ in range(3):
        place.uptime.seconds += RETRY_SECONDS + 1
        assert await current_and_settled(reader) is first
    assert reader.cache.notice == notice
    again = start_s3("--port", str(server.port))
    try:
        make_bucket()
        writer.files.write(NAME, "missed")
        assert await current_and_settled(reader) is first, "it is not asked in every turn"
        place.uptime.seconds += RETRY_SECONDS + 1
        assert texts(await current_and_settled(reader)) == {NAME: "missed"}
        assert reader.cache.notice is None
        again.stop()
        place.uptime.seconds += 61
        await reader.cache.current()
        assert reader.cache.notice == notice, "it is said again when it goes away again"
    finally:
        again.stop()


async def test_a_start_while_s3_is_away_knows_what_was_known(own_s3: tuple[Server, Place]) -> None:
    """T-32: the last known files are kept on this machine, for this place only; a damaged copy is none."""
    server, place = own_s3
    writer = place.open("a")
    writer.files.write(NAME, "known")
    writer.files.write("staging/x.md", "x")
    assert texts(await current_and_settled(writer)) == {NAME: "known"}
    server.stop()
    again = place.open("a")
    assert texts(await current_and_settled(again)) == {NAME: "known"}
    assert "continues with" in str(again.cache.notice)
    assert texts(await Place(f"{place.url}-other", place.root).open("a").cache.current()) == {}
    [copy] = (place.root / "a").glob("knowledge_copy.json")
    for damage in ('{"where": ', "[]", f'{{"where": "{place.url}", "texts": {{"../x.md": "x", "x.md": 1}}}}'):
        copy.write_text(damage)
        assert texts(place.open("a").cache.known()) == {}


async def test_writing_while_s3_hangs_is_told_in_time(own_s3: tuple[Server, Place]) -> None:
    """T-32: a distillation learns that it is not known to be written; the time-out holds for each request."""
    server, place = own_s3
    files = place.open("a", storage_timeout_seconds=2.0).files
    files.list()
    server.freeze()
    for call in (lambda: files.write(NAME, "x"), lambda: files.update(NAME, lambda _: "x")):
        with pytest.raises(KnowledgeAwayError, match=r"imeout|no answer in 2 s"):
            call()
    server.thaw()
    assert place.open("b").files.update(NAME, lambda text: "new") == "new"


async def test_redis_goes_away_and_comes_back(tmp_path: Path, redis_server: Server, redis_url: str) -> None:
    """T-32: files are read without it, which is said once; then every change is told again."""
    place = Place("file://", tmp_path)
    writer, reader = (place.open(machine, cache_signal=redis_url) for machine in "ab")
    writer.files.write(NAME, "one")
    assert texts(await current_and_settled(reader)) == {NAME: "one"}
    redis_server.stop()
    writer.files.write(NAME, "two")
    await current_and_settled(reader)
    notice = str(reader.cache.notice)
    assert notice.startswith(f"{redis_url}: ConnectionError")
    place.uptime.seconds += RETRY_SECONDS + 1
    assert texts(await current_and_settled(reader)) == {NAME: "two"}
    assert reader.cache.notice == notice
    server = start_redis(tmp_path, redis_server.port)
    try:
        place.uptime.seconds += RETRY_SECONDS + 1
        await current_and_settled(reader)
        writer.files.write(NAME, "three")
        assert texts(await current_and_settled(reader)) == {NAME: "three"}
    finally:
        server.stop()


async def test_a_signal_that_could_not_be_given_is_given_later(
    tmp_path: Path, redis_server: Server, redis_url: str
) -> None:
    """T-32: the writer owes it, and sets it as soon as it looks itself and the server answers."""
    place = Place("file://", tmp_path)
    writer, reader = (place.open(name, cache_signal=redis_url) for name in "ab")
    before = await current_and_settled(reader)
    redis_server.stop()
    writer.files.write(NAME, "one")
    server = start_redis(tmp_path, redis_server.port)
    try:
        assert await current_and_settled(reader) is before
        place.uptime.seconds += RETRY_SECONDS + 1
        await current_and_settled(writer)
        assert texts(await current_and_settled(reader)) == {NAME: "one"}
    finally:
        server.stop()


@pytest.mark.parametrize("what", ["knowledge_url", "cache_signal"])
async def test_no_turn_waits_for_a_server_that_says_nothing(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """M-52: connections are taken and never answered; the event loop is free, and a turn goes on after its patience."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{port}")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
        url = "s3://bucket/x" if what == "knowledge_url" else "file://"
        other = {"cache_signal": f"redis://127.0.0.1:{port}/0"} if what == "cache_signal" else {}
        times = {"turn_wait_seconds": 0.5, "storage_timeout_seconds": 3.0, "signal_timeout_seconds": 3.0}
        Place(url, tmp_path).open(**other, storage_timeout_seconds=0.1).cache.refresh()  # loads the library
        place = Place(url, tmp_path)
        knowledge = place.open(**other, **times)
        steps = await steps_during(knowledge.cache.current)
        assert is_reading(), "the turn waited for the server"
        assert steps > 10, "the event loop was held"
        await asyncio.to_thread(knowledge.cache.refresh)
        assert knowledge.cache.notice is not None
        for _ in range(5):
            await knowledge.cache.current()
            assert not is_reading(), "what is away is not asked in every turn"
        place.uptime.seconds += RETRY_SECONDS + 1
        assert await steps_during(knowledge.cache.current) == 0, "it is not waited for"
        assert is_reading()
        await asyncio.to_thread(knowledge.cache.settle)


def test_a_server_that_lost_its_memory_tells_of_changes_all_the_same(
    tmp_path: Path, redis_server: Server, redis_url: str
) -> None:
    """T-32: a mark never comes back to an old one, as a counter that starts again would."""
    place = Place("file://", tmp_path)
    writer, reader = (place.open(machine, cache_signal=redis_url) for machine in "ab")
    writer.files.write(NAME, "one")
    assert texts(asyncio.run(reader.cache.current())) == {NAME: "one"}
    redis_server.stop()
    server = start_redis(tmp_path, redis_server.port)
    try:
        writer.files.write(NAME, "two")
        assert texts(asyncio.run(reader.cache.current())) == {NAME: "two"}
    finally:
        server.stop()


def test_two_places_on_one_redis_server_do_not_disturb_each_other(
    tmp_path: Path, redis_server: Server, redis_url: str
) -> None:
    """T-32: each `knowledge_url` has a key of its own, and the key does not show it."""
    import redis

    for name in "ab":
        Place(f"{tmp_path}/{name}-secret", tmp_path).open(cache_signal=redis_url).files.write(NAME, name)
    keys = redis.Redis(port=redis_server.port, decode_responses=True).keys("*")
    assert len(keys) == 2
    assert all(key.startswith("memory_ledger:knowledge:") and "secret" not in key for key in keys)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://:secret@host:6379/0", "redis://host:6379/0"),
        ("rediss://me:se@cret@host/0?password=x", "rediss://host/0"),
        ("s3://bucket/folder", "s3://bucket/folder"),
        ("file:///srv/x", "file:///srv/x"),
        ("/srv/x@y", "/srv/x@y"),
    ],
)
def test_no_password_is_shown(url: str, shown: str) -> None:
    """M-57: neither in the log nor in the chat."""
    assert without_secrets(url) == shown


async def current_and_settled(knowledge: OpenKnowledge) -> PromptFiles:
    """A turn, and the reading that it started."""
    await knowledge.cache.current()
    await asyncio.to_thread(knowledge.cache.settle)
    return knowledge.cache.known()


def is_reading() -> bool:
    return any(thread.name == "memory-ledger-knowledge" for thread in threading.enumerate())


async def steps_during(turn: Callable[[], Awaitable[object]]) -> int:
    """Return how often the event loop came to other work while the turn waited."""
    steps, is_over = 0, False

    async def work() -> None:
        nonlocal steps
        while not is_over:
            await asyncio.sleep(0)
            steps += 1

    worker = asyncio.create_task(work())
    await turn()
    is_over = True
    await worker
    return steps


def test_a_signal_that_is_away_is_told_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """M-52, C-74: however often something is written meanwhile."""
    settings = KnowledgeSettings(cache_signal="redis://127.0.0.1:9/0", signal_timeout_seconds=0.2)
    knowledge = open_knowledge(settings, home=tmp_path, own_folder=tmp_path)
    for number in range(5):
        knowledge.files.write("domain_knowledge.md", f"{number}")
    assert [one.levelname for one in caplog.records if one.levelname != "INFO"] == ["WARNING"]
    notice = knowledge.cache.notice
    assert notice is not None and "127.0.0.1:9" in notice
