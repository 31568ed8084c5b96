"""Memory folders of any size without embedding anything: vectors and documents go straight into the host's index."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from corpus import DIMENSIONS, Fact, Vectors, agent_message
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from memory_ledger.clock import system_clock
from memory_ledger.host.adoption.adopter import Adopter
from memory_ledger.host.maintenance.run import Job
from memory_ledger.host.turns import Turn, TurnRing
from memory_ledger.ledger.attribution import Speaker, Utterance
from memory_ledger.ledger.classify import NO_CIRCUMSTANCES, classify_memory
from memory_ledger.records import Classification, Lineage, Relevance, Source, Utility, Validity
from memory_ledger.settings import Settings
from memory_ledger.store import files
from memory_ledger.store.co_retrieval import CoRetrievalLog
from memory_ledger.store.database import Database
from memory_ledger.store.deadline import Throttle
from memory_ledger.store.docstore import Store
from memory_ledger.store.embedded import EmbeddedMemory
from memory_ledger.store.tables import write_counters

_SETTINGS = Settings()
_USERS_WORD = Classification(
    validity=Validity.CONFIRMED, relevance=Relevance.ACTIVE, utility=Utility.TACTICAL, source=Source.USER_ASSERTED
)


class GivenVectors(Embeddings):
    """An embedder that takes no time: it returns the vectors that it was given."""

    def __init__(self) -> None:
        self.by_text: dict[str, list[float]] = {}
        self.query: list[float] = [1.0, *[0.0] * (DIMENSIONS - 1)]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return the vector of each text."""
        return [self.by_text[text] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """Return the vector that stands for every query."""
        return self.query


def make_memory(folder: Path, embedder: GivenVectors) -> EmbeddedMemory:
    """Return an empty embedded memory folder whose ids go on counting."""
    counter = itertools.count()
    return EmbeddedMemory(folder, embedder, clock=system_clock, make_id=lambda: f"n{next(counter):09d}")


def fill(db: Any, facts: Sequence[Fact], vectors: Vectors) -> None:
    """Put `facts` into a langchain store at one go, as the host left them before the pack came."""
    ids = [f"m{number:09d}" for number in range(len(facts))]
    add_documents(
        db,
        {
            memory_id: Document(id=memory_id, page_content=fact.text, metadata=fact.metadata(memory_id, number))
            for number, (memory_id, fact) in enumerate(zip(ids, facts, strict=True))
        },
        vectors,
    )


def add_documents(db: Any, documents: dict[str, Any], vectors: Vectors) -> None:
    """Append documents and their vectors to a langchain store."""
    first = len(db.index_to_docstore_id)
    db.index.add(vectors)
    db.docstore._dict.update(documents)
    db.index_to_docstore_id.update(enumerate(documents, first))


def classify_all(store: Store, facts: Sequence[Fact]) -> None:
    """Give every memory of a filled store its status, without looking for contradictions."""
    store.sweep()
    for fact, memory_id in zip(facts, list(store.index.ids), strict=True):
        memory = store.read(memory_id)
        if memory is not None:
            said = (Utterance(Speaker.USER, fact.said), Utterance(Speaker.AGENT, fact.reply))
            store.apply([classify_memory(memory, said, _SETTINGS)])
    _end_first_look(store)


def confirm_all(store: Store) -> None:
    """Let every memory of a filled store be the user's own word, without asking who said what."""
    give_status(store, [_USERS_WORD])


def give_status(store: Store, statuses: Sequence[Classification]) -> None:
    """Let the memories of a filled store have these statuses, one after the other and again."""
    store.sweep()
    for memory_id, status in zip(list(store.index.ids), itertools.cycle(statuses), strict=False):
        memory = store.read(memory_id)
        if memory is not None:
            store.put(replace(memory, classification=status, lineage=Lineage(created_at=memory.created_at)))
    _end_first_look(store)


def _end_first_look(store: Store) -> None:
    store.end_first_look()
    store.note_all_adopted()
    if not store.save():
        store.save_state()


def copy_documents(documents: dict[str, Any]) -> dict[str, Any]:
    """Return documents of their own; what is nested in their metadata is shared, as after an insert of the host."""
    return {
        memory_id: Document(id=memory_id, page_content=one.page_content, metadata=dict(one.metadata))
        for memory_id, one in documents.items()
    }


def copy_status(store: Store, folder: Path) -> None:
    """Let what `store` has classified count as classified in the host's memory folder `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(store.folder / files.KEY_FILE, folder / files.KEY_FILE)
    write_counters(Database(folder), replace(store.state, unsealed_until=None))


def open_store(memory: EmbeddedMemory) -> Store:
    """Return the ledger's store over an embedded memory folder."""
    return Store(memory, folder=memory.folder, clock=system_clock)


def make_adopter(store: Store) -> Adopter:
    """Return an adopter that knows no turn yet."""
    return Adopter(store, TurnRing(_SETTINGS.turn_window))


class _Topic:
    """The host's own list of the messages of a turn."""


def note_turn(ring: TurnRing, fact: Fact) -> None:
    """Enter the turn in which the user said `fact`, with the host's own messages."""
    messages = (
        SimpleNamespace(ai=False, content={"user_message": fact.said}),
        SimpleNamespace(ai=False, content={"tool_name": "code_execution_tool", "tool_result": fact.tool}),
        SimpleNamespace(ai=True, content=agent_message(fact)),
    )
    ring.note(Turn(topic=_Topic(), messages=messages, is_human=True, circumstances=NO_CIRCUMSTANCES), system_clock())


def insert(memory: EmbeddedMemory, fact: Fact, vector: Vectors, number: int) -> str:
    """Insert one memory the way the host does; the vector is there already."""
    embedder: Any = memory.db.embedding_function
    embedder.by_text = {fact.text: vector.tolist()}
    return memory.insert(fact.text, fact.metadata("", number))


def make_job(store: Store, settings: Settings) -> Job:
    """Return the input of a maintenance that does everything, without rests."""
    return Job(
        store=store,
        settings=settings,
        co_retrieval=CoRetrievalLog(store.folder, store.database, store.memory_subdir, store.problems),
        throttle=Throttle(is_wanted=store.is_current, rests=False),
        cycle=store.state.recall_cycle,
        at=system_clock(),
        is_forced=True,
    )
