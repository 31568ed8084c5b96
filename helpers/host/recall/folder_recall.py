"""The state of one memory folder's recall between prompts, and recall at a terminal."""

from __future__ import annotations

import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...clock import Clock, parse_time
from ...errors import StoreError
from ...inbox import rules_left_out
from ...quality.scores import has_expired
from ...recall.eligibility import choose_rules, find_rules, fits_role, memory_domains, states_rule
from ...recall.plan import RecallPlan
from ...recall.selection import Selection
from ...records import Lineage, Memory
from ...setting_groups import StandingRules
from ...store.damage import only_looking
from ...store.docstore import Store
from ...store.embedded import EmbeddedMemory, has_store
from ...store.erase import Trace
from ...store.files import read_key
from .search import Audience, recall

_MOST = 80
_MOST_OF_A_CHAT = 10


class RuleBook:
    """The standing rules of a store, found anew only after a change.

    Every call blocks: it reads the store or the inbox.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: tuple[int, int, list[Memory]] = (-1, 0, [])

    def read(self) -> list[Memory]:
        """Return the standing rules, the newest first."""
        stamp = self._store.version, len(self._store)
        if self._known[:2] != stamp:
            self._known = *stamp, find_rules(self._stating())
        return self._known[2]

    def _stating(self) -> Iterator[Memory]:
        """Yield the user's memories that state a rule."""
        store = self._store
        with store.lock:
            store.refresh_positions()
            ids = [store.index.ids[place] for place in np.flatnonzero(store.rows.so_far.of_user()).tolist()]
        documents = store.db.get_all_docs()
        for memory_id in ids:
            document = documents.get(memory_id)  # its status takes longer to read than its text
            if document is not None and states_rule(document.page_content):
                memory = store.read(memory_id)
                if memory is not None:
                    yield memory

    def left_out(self) -> frozenset[str]:
        """Return the ids of the memories that a person has switched off as rules."""
        return rules_left_out(self._store.requests.look())

    def choose(self, audience: Audience, message: str, limits: StandingRules) -> list[Memory]:
        """Return the rules for a prompt: valid, fit for the role, and not in the prompt already."""
        hidden = self._store.hidden_from(audience.scopes) | self.left_out() | audience.contents.ids
        valid = (memory for memory in self.read() if not has_expired(memory, self._store.clock()))
        visible = [memory for memory in valid if memory.id not in hidden and not audience.contents.holds(memory.text)]
        return choose_rules([memory for memory in visible if _fits(memory.lineage, audience)], message, limits)


def _fits(lineage: Lineage | None, audience: Audience) -> bool:
    """Whether a rule fits the role, even if it is load_bearing."""
    origin = () if lineage is None else (lineage.bst_domain, lineage.created_by_role)
    return not origin or fits_role(memory_domains(*origin, audience.role_domains), audience.allowed)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentRecall:
    """One recall that reached its prompt, with its plan, its audience and the outcome of every candidate.

    `agent` is the number of the agent in its chat, `profile` its profile; `explanation` is the result of `explain`.
    """

    chat: str
    agent: int
    profile: str
    plan: RecallPlan
    audience: Audience
    explanation: Mapping[str, Any]


class RecentRecalls:
    """The last recalls by number, kept in memory, to explain the contents of prompts; thread-safe."""

    def __init__(self) -> None:
        self._known: deque[tuple[int, RecentRecall]] = deque(maxlen=_MOST)
        self._numbers = count(1)
        self._lock = threading.Lock()

    def note(self, recall: RecentRecall) -> None:
        """Keep a recall; the oldest one goes where there are many."""
        with self._lock:
            self._known.append((next(self._numbers), recall))

    def of_chat(self, chat: str) -> dict[int, RecentRecall]:
        """Return the last recalls of a chat by their numbers, the latest first."""
        with self._lock:
            known = ((number, recent) for number, recent in reversed(self._known) if recent.chat == chat)
            return dict(islice(known, _MOST_OF_A_CHAT))

    def forget(self, trace: Trace) -> None:
        """Drop the recalls that an erased memory took part in, or whose query may be about it."""
        with self._lock:
            for number, recent in tuple(self._known):
                if trace.is_in(recent.explanation) or trace.is_talked_of(recent.plan.query):
                    self._known.remove((number, recent))


#: Called with the number of ready memories and their total.
Progress = Callable[[int, int], None]

_EMBEDDED_AT_ONCE = 256


class GivenMemory(NamedTuple):
    """A memory to search among; `metadata` as the host would store it."""

    id: str
    text: str
    metadata: Mapping[str, Any]


class ReadOnlyStore:
    """A store that is open for questions only."""

    def __init__(self, store: Store, embedder: Any, tell: Progress) -> None:
        self._store = store
        self._embedder = embedder
        with store.lock:
            store.refresh_positions()
        documents, opened_at = store.db.get_all_docs(), store.clock()
        dated = {
            memory_id: (document.page_content, parse_time(document.metadata.get("timestamp")) or opened_at)
            for memory_id in store.index.ids
            if (document := documents.get(memory_id)) is not None  # its status takes longer to read than this
        }
        store.lexical.add_all(dated)
        for place, memory_id in enumerate(store.index.ids):
            if memory_id in dated:
                store.rows.so_far.inserted[place] = dated[memory_id][1].timestamp()
        tell(len(store.index.ids), len(store.index.ids))

    def answer(self, plans: Sequence[RecallPlan]) -> Iterator[Selection]:
        """Yield the selection of each plan, in their order; all their variants are embedded at once."""
        texts = [variant.text for plan in plans for variant in plan.variants]
        vectors = np.asarray(self._embedder.embed_documents(texts) if texts else [], dtype=np.float32)
        first = 0
        for plan in plans:
            last = first + len(plan.variants)
            yield recall(self._store, vectors[first:last], plan)
            first = last


def check_reader(folder: Path) -> None:
    """Raise StoreError if there is no store in `folder`, or this pack has never written to it."""
    if not has_store(folder) or read_key(folder) is None:
        raise StoreError(f"{folder} holds no store of this pack; allowed: a folder that `ingest` has made")


@contextmanager
def open_reader(
    folder: Path, embedder: Any, *, clock: Clock, tell: Progress = lambda done, every: None
) -> Iterator[ReadOnlyStore]:
    """Open the store in `folder`; raises StoreError as `check_reader` does."""
    check_reader(folder)
    with _reading(EmbeddedMemory(folder, embedder, clock=clock), clock, embedder, tell) as reader:
        yield reader


@contextmanager
def open_memories(
    memories: Sequence[GivenMemory], embedder: Any, *, clock: Clock, tell: Progress = lambda done, every: None
) -> Iterator[ReadOnlyStore]:
    """Open `memories`, in their order, as a temporary store.

    The status in their metadata holds; `tell` is called after every embedded batch.
    """
    with tempfile.TemporaryDirectory(prefix="memory-ledger-") as name:
        memory = EmbeddedMemory(Path(name), embedder, clock=clock)
        for start in range(0, len(memories), _EMBEDDED_AT_ONCE):
            batch = memories[start : start + _EMBEDDED_AT_ONCE]
            vectors = embedder.embed_documents([given_memory.text for given_memory in batch])
            for given_memory, vector in zip(batch, vectors, strict=True):
                memory.insert(given_memory.text, given_memory.metadata, memory_id=given_memory.id, vector=vector)
            tell(start + len(batch), len(memories))
        with _reading(memory, clock, embedder, lambda done, every: None) as reader:
            yield reader


@contextmanager
def _reading(memory: EmbeddedMemory, clock: Clock, embedder: Any, tell: Progress) -> Iterator[ReadOnlyStore]:
    try:
        with only_looking():
            store = Store(memory, folder=memory.folder, clock=clock)
        yield ReadOnlyStore(store, embedder, tell)
    finally:
        memory.close()
        memory.db.get_all_docs().clear()  # a store refers to itself: a search for garbage costs far more
