"""The host's agent loop, its background loop and two web threads at work while every hook runs: nothing is lost.

A web thread has a loop of its own, as the handlers of the dashboard have. Each of the four deletes and updates only
what it inserted itself, so what must be there in the end is known. Maintenance takes part: it is due after every turn.
"""

import asyncio
import itertools
import json
import random
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future
from typing import Any

import numpy as np
import pytest
from fake_host import FakeHost
from fake_host.langchain import Document
from hook_tools import configure_pack, settle

#: The turns of the talk that the others work beside.
TURNS = [pytest.param(3, id="short"), pytest.param(30, id="long", marks=pytest.mark.long)]
LEAST_STEPS = 10
LONGEST = 600.0
TOPICS = ("the port of {} is {}", "{} runs version {} of the tool", "note {} of {}", "user likes {} more than {}")


@pytest.fixture(autouse=True)
def hasty() -> Iterator[None]:
    """Let threads change places often."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


class Worker:
    """One of the host's places of work: inserts, updates, deletes and searches, and knows what has to be there."""

    def __init__(self, name: str, host: FakeHost) -> None:
        self.name = name
        self.kept: dict[str, str] = {}
        self.deleted: set[str] = set()
        self.done = dict.fromkeys(("insert", "update", "delete", "search", "list"), 0)
        self._host = host
        self._random = random.Random(name)
        self._numbers = itertools.count()

    async def work(self, over: threading.Event) -> None:
        """Go on until the talk is over, and for some steps however soon that is; whatever raises ends the test."""
        memory = await self._host.memory_module.Memory.get_by_subdir("default")
        while not over.is_set() or sum(self.done.values()) < LEAST_STEPS:
            await self._step(memory)

    async def _step(self, memory: Any) -> None:
        choice = self._random.choices(tuple(self.done), weights=(5, 2, 2, 3, 1))[0]
        await getattr(self, f"_{choice}")(memory)
        self.done[choice] += 1
        await asyncio.sleep(0)

    def _text(self) -> str:
        number = next(self._numbers)
        return self._random.choice(TOPICS).format(f"{self.name}-{number % 20}", number)

    def _one_of_mine(self) -> str | None:
        return self._random.choice(list(self.kept)) if self.kept else None

    async def _insert(self, memory: Any) -> None:
        text = self._text()
        self.kept[await memory.insert_text(text, {"area": self._random.choice(("main", "fragments"))})] = text

    async def _update(self, memory: Any) -> None:
        """As the dashboard does: the whole metadata comes back from the browser."""
        memory_id = self._one_of_mine()
        if memory_id is None:
            return
        live = memory.db.get_by_ids(memory_id)[0]
        metadata, text = json.loads(json.dumps(live.metadata, default=float)), self._text()
        await memory.update_documents([Document(page_content=text, metadata=metadata)])
        self.kept[memory_id] = text

    async def _delete(self, memory: Any) -> None:
        memory_id = self._one_of_mine()
        if memory_id is not None:
            gone = await memory.delete_documents_by_ids([memory_id])
            assert [one.metadata["id"] for one in gone] == [memory_id]
            del self.kept[memory_id]
            self.deleted.add(memory_id)

    async def _search(self, memory: Any) -> None:
        found = await memory.search_similarity_threshold(self._text(), limit=5, threshold=0.4, filter="area=='main'")
        assert len(found) <= 5

    async def _list(self, memory: Any) -> None:
        shown = [document.metadata for document in list(memory.db.get_all_docs().values())]
        json.dumps(shown, default=float)  # up to v2.4 the host leaves numbers of numpy's in it


class Talker(Worker):
    """The agent's loop: turns with every hook, and memories that come at their end."""

    facts: tuple[str, ...] = ()

    async def talk(self, turns: int, over: threading.Event) -> None:
        """Say something in each of so many turns; then it is over, whatever came of it."""
        memory = await self._host.memory_module.Memory.get_by_subdir("default")
        try:
            for _ in range(turns):
                await self._step(memory)
        finally:
            over.set()

    async def _step(self, memory: Any) -> None:
        number = len(self.facts)
        fact = f"User's project number {number} uses Python 3.{number}"
        await self._host.turn(f"My project number {number} uses Python 3.{number}.", fragments=[fact])
        self.facts = (*self.facts, fact)
        for _ in range(3):
            await super()._step(memory)


def in_a_web_thread(worker: Worker, over: threading.Event) -> "Future[None]":
    """Let a thread with a loop of its own work."""
    future: Future[None] = Future()

    def run() -> None:
        try:
            asyncio.run(worker.work(over))
        except BaseException as exc:  # noqa: BLE001 - the test raises it again
            future.set_exception(exc)
        else:
            future.set_result(None)

    threading.Thread(target=run, name=f"web-{worker.name}", daemon=True).start()
    return future


@pytest.fixture
async def busy(host: FakeHost) -> AsyncIterator[FakeHost]:
    """A host whose memories come at the end of each turn, and are looked after in every one."""
    configure_pack(host, maintenance_interval_loops=1)
    host.machine.finish_at = "turn_end"
    await host.turn("Hello.")
    yield host


def assert_whole(host: FakeHost, texts: dict[str, str]) -> None:
    """Check documents, positions and vectors: one of each for every memory, and those of its own text."""
    db = host.memory_module.Memory.index["default"]
    documents = {one: document.page_content for one, document in db.get_all_docs().items()}
    assert db.index.ntotal == len(documents) == len(db.index_to_docstore_id)
    assert sorted(db.index_to_docstore_id) == list(range(len(documents)))
    assert set(db.index_to_docstore_id.values()) == set(documents)
    assert {one: documents.get(one) for one in texts} == texts
    for position, memory_id in db.index_to_docstore_id.items():
        assert np.allclose(db.index.reconstruct(position), host.embedder.vector(documents[memory_id]), atol=1e-5)


def status_of(host: FakeHost) -> dict[str, Any]:
    return {one: document.metadata["classification"] for one, document in host.docs.items()}


@pytest.mark.parametrize("turns", TURNS)
async def test_four_threads_and_every_hook_lose_nothing(turns: int, busy: FakeHost) -> None:
    """T-48, E-63: inserts, updates, deletes and searches on four threads, with adoption, recall and maintenance."""
    over, talker = threading.Event(), Talker("chat", busy)
    background, *web = (Worker(name, busy) for name in ("background", "web1", "web2"))
    others = [busy.process.background.submit(background.work(over)), *(in_a_web_thread(one, over) for one in web)]
    await talker.talk(turns, over)
    await asyncio.wait_for(asyncio.gather(*map(asyncio.wrap_future, others)), LONGEST)
    await busy.finish_memorizing()
    for _ in range(3):
        await settle(busy)
        await busy.settle()

    workers = (talker, background, *web)
    texts = {one: text for worker in workers for one, text in worker.kept.items()}
    assert_whole(busy, texts)
    assert not {one for worker in workers for one in worker.deleted} & set(busy.docs)
    assert busy.background_errors == []
    said = [one.page_content for one in busy.docs.values() if one.page_content.startswith("User's project number")]
    assert sorted(said) == sorted(talker.facts)
    before = status_of(busy)
    assert len(before) == len(busy.docs)

    (await busy.memory())._save_db()
    await busy.restart()
    assert_whole(busy, texts)
    assert status_of(busy) == before
