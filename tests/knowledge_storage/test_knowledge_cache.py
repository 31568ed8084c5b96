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
from memory_ledger.host.knowledge.addresses import KnowledgeAwayError, without_secrets
from memory_ledger.host.knowledge.service import RETRY_SECONDS
from places import Opened, Place
from servers import Server, make_bucket, start_s3

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


async def test_only_active_files_enter_prompts(place: Place) -> None:
    """M-20, M-58, M-60: neither what is staged or archived, nor summaries, nor the pack's own state."""
    knowledge = place.open()
    others = ("staging/a.md", "archive/a.md", "session_summaries/a.md", ".state.json")
    for name in ("quality_benchmarks.md", NAME, *others):
        knowledge.files.write(name, name)
    snapshot = await knowledge.cache.current()
    assert list(snapshot) == [NAME, "quality_benchmarks.md"]
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


async def test_what_is_written_is_there_in_the_next_turn_of_the_others(tmp_path: Path) -> None:
    """M-52: also in other processes; one of nothing that enters prompts keeps the snapshot."""
    place = Place("file://", tmp_path)
    writer, reader = place.open("a"), place.open("b")
    assert await reader.cache.current() == {}
    writer.files.write(NAME, "one")
    first = await reader.cache.current()
    assert first == {NAME: "one"}
    writer.files.write("staging/x.md", "x")
    assert await reader.cache.current() is first
    writer.files.update(NAME, lambda text: f"{text}, two")
    second = await reader.cache.current()
    assert second == {NAME: "one, two"}


async def test_who_writes_reads_it_in_the_next_turn(place: Place) -> None:
    """M-52: wherever it is kept, each writing makes the writer's own copy old."""
    knowledge = place.open()
    for number in range(3):
        knowledge.files.write(NAME, str(number))
        assert await knowledge.cache.current() == {NAME: str(number)}


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
    assert await current_and_settled(reader) == {NAME: "edited"}


async def test_what_is_written_while_the_cache_reads_is_not_missed(tmp_path: Path) -> None:
    """M-52: the next turn reads again."""
    place = Place("file://", tmp_path)
    writer, reader = place.open("a").files, place.open("b")
    writer.write(NAME, "old")
    read = reader.cache.files.read

    def interrupted(name: str) -> str | None:
        """Somebody writes right after it was read."""
        text = read(name)
        if text == "old":
            writer.write(name, "new")
        return text

    reader.cache.files.read = interrupted  # type: ignore[method-assign]
    assert await reader.cache.current() == {NAME: "old"}
    assert await reader.cache.current() == {NAME: "new"}


async def test_many_event_loops_share_one_reading(tmp_path: Path) -> None:
    """M-52: chats run in loops and threads of their own."""
    knowledge = Place("file://", tmp_path).open()
    knowledge.files.write(NAME, "text")

    def ask(_: int) -> dict[str, str]:
        return dict(asyncio.run(knowledge.cache.current()))

    assert await asyncio.gather(*(asyncio.to_thread(ask, n) for n in range(8))) == [{NAME: "text"}] * 8


async def test_s3_goes_away_and_comes_back(own_s3: tuple[Server, Place]) -> None:
    """T-32: the agent goes on with what it knows, says so once, asks rarely, and then reads what it missed."""
    server, place = own_s3
    writer, reader = place.open("a"), place.open("b", recheck_seconds=60.0)
    writer.files.write(NAME, "known")
    first = await reader.cache.current()
    assert first == {NAME: "known"}
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
        assert await current_and_settled(reader) == {NAME: "missed"}
        assert reader.cache.notice is None
        again.stop()
        place.uptime.seconds += 61
        await reader.cache.current()
        assert reader.cache.notice == notice, "it is said again when it goes away again"
    finally:
        again.stop()


async def test_writing_while_s3_hangs_is_told_in_time(own_s3: tuple[Server, Place]) -> None:
    """T-32: a distillation learns that it is not known to be written; the time-out holds for each request."""
    server, place = own_s3
    files = place.open("a", storage_timeout_seconds=1.0).files
    files.list()
    server.freeze()
    for call in (lambda: files.write(NAME, "x"), lambda: files.update(NAME, lambda _: "x")):
        with pytest.raises(KnowledgeAwayError, match=r"imeout|no answer in 1 s"):
            call()
    server.thaw()
    assert place.open("b").files.update(NAME, lambda text: "new") == "new"


async def test_no_turn_waits_for_a_server_that_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """M-52: connections are taken and never answered; the event loop is free, and a turn goes on after its patience."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{port}")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
        place = Place("s3://bucket/x", tmp_path)
        place.open(storage_timeout_seconds=0.1).cache.refresh()  # loads the library
        knowledge = place.open(turn_seconds=0.3, storage_timeout_seconds=1.5)
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


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("ftp://:secret@host:21/0", "ftp://host:21/0"),
        ("ftp://me:se@cret@host/0?password=x", "ftp://host/0"),
        ("s3://bucket/folder", "s3://bucket/folder"),
        ("file:///srv/x", "file:///srv/x"),
        ("/srv/x@y", "/srv/x@y"),
    ],
)
def test_no_password_is_shown(url: str, shown: str) -> None:
    """M-57: neither in the log nor in the chat."""
    assert without_secrets(url) == shown


async def current_and_settled(knowledge: Opened) -> Mapping[str, str]:
    """A turn, and the reading that it started."""
    await knowledge.cache.current()
    await asyncio.to_thread(knowledge.cache.settle)
    return knowledge.cache.texts


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
