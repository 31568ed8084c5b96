"""A memory folder without a host: fixed clock, counted ids, hashed vectors; `restart` is a crash unless it saves."""

import itertools
import json
import weakref
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from command_desk import Desk
from fake_host import FixedClock, HashingEmbedder
from memory_ledger.host.adoption.adopter import Adopter, Adoption
from memory_ledger.host.recall.search import recall
from memory_ledger.host.turns import KeptTurns, Turn, TurnRing
from memory_ledger.ledger.changes import Classify
from memory_ledger.ledger.classify import Circumstances
from memory_ledger.recall.plan import RecallLimits, make_plan
from memory_ledger.recall.selection import Selection
from memory_ledger.records import Classification, Lineage, Memory
from memory_ledger.setting_groups import NoiseGate
from memory_ledger.settings import Settings
from memory_ledger.store import files
from memory_ledger.store.database import Database
from memory_ledger.store.docstore import Store
from memory_ledger.store.embedded import EmbeddedMemory
from whole_home import build_home
from workspace import Workspace

NO_GATE = Settings(noise_gate=NoiseGate(enabled=False))


class Topic:
    """The host's own list of the messages of a turn."""


class Box:
    """One memory folder and what the pack hangs on it; `memory_class` is what stands in for the host's `Memory`."""

    def __init__(self, root: Path, memory_class: Any = EmbeddedMemory) -> None:
        self.folder = root / "default"
        self.clock = FixedClock()
        self.embedder = HashingEmbedder(64)
        self._memory_class = memory_class
        numbers = itertools.count(1)
        self._make_id = lambda: f"m{next(numbers):04d}"
        self.said: list[tuple[Any, ...]] = []
        self.open()

    def open(self) -> None:
        """Load the folder, as a new process does."""
        self.memory = self._memory_class(self.folder, self.embedder, clock=self.clock, make_id=self._make_id)
        self.store = Store(self.memory, folder=self.folder, clock=self.clock)
        self.turns = TurnRing(20, self.store.order)
        self.kept_turns = KeptTurns(self.store.database, self.turns)
        self.kept_turns.load()
        self.adopter = Adopter(self.store, self.turns)

    def restart(self, *, is_saved: bool = False) -> None:
        """End the process and start another one."""
        if is_saved:
            self.memory.save()
            if not self.store.save():
                self.store.save_state()
            self.kept_turns.save()
        self.memory.close()
        self.open()

    def recall(self, query: str, settings: Settings | None = None, **limits: Any) -> Selection:
        """Return what a question brings; unless `settings` are given, however little it has to do with it."""
        given = RecallLimits(**({"threshold": 0.0} | limits))
        plan = make_plan(query, settings or NO_GATE, self.clock(), limits=given)
        vectors = np.asarray([self.embedder.vector(one.text) for one in plan.variants], dtype=np.float32)
        return recall(self.store, vectors, plan)

    @property
    def docs(self) -> dict[str, Any]:
        """The live documents."""
        return self.memory.db.get_all_docs()

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Return what stands in `ledger.db`, as another process finds it."""
        return Database(self.folder).rows(statement)

    def insert(self, text: str, **metadata: Any) -> str:
        """Store a memory as the host does."""
        return self.memory.insert(text, metadata)

    def learn(self, text: str, **metadata: Any) -> str:
        """Store a memory as the host does, and let the pack take it in; return its id."""
        memory_id = self.insert(text, **metadata)
        self.adopt()
        return memory_id

    def delete(self, *memory_ids: str) -> None:
        """Delete memories as the host does."""
        self.memory.db.delete(list(memory_ids))

    def update(self, memory_id: str, text: str, **metadata: Any) -> None:
        """Replace a document under the same id, as the host's update does: deleted, and added at the end."""
        self.delete(memory_id)
        full = {"area": "main", "timestamp": self.clock().isoformat(), **metadata, "id": memory_id}
        self.memory.db.add_texts([text], metadatas=[full], ids=[memory_id])

    def classify(self, *memory_ids: str, **axes: str) -> None:
        """Give memories a status through the store: `user_asserted` and so on, unless `axes` say otherwise."""
        full = {"validity": "confirmed", "relevance": "active", "utility": "tactical", "source": "user_asserted"}
        for memory_id in memory_ids:
            memory = self.read(memory_id)
            change = Classify(
                memory_id=memory_id,
                classification=Classification.model_validate(full | axes),
                lineage=Lineage(created_at=memory.created_at),
            )
            assert self.store.apply([change]) == 1

    def read(self, memory_id: str) -> Memory:
        """Return a memory that must be there."""
        memory = self.store.read(memory_id)
        assert memory is not None
        return memory

    def validity(self, memory_id: str) -> str:
        """Return how far a classified memory holds."""
        axes = self.read(memory_id).classification
        assert axes is not None
        return axes.validity.value

    def say(
        self, user: str, agent: str = "", *, domain: str | None = None, is_human: bool = True, chat: str = "chat"
    ) -> None:
        """Play one turn: what the person wrote, and what the agent answered."""
        messages = [SimpleNamespace(ai=False, content={"user_message": user})]
        if agent:
            messages.append(SimpleNamespace(ai=True, content=agent))
        self.said.append(tuple(messages))
        self.turns.note(Turn(Topic(), self.said[-1], is_human, Circumstances(domain=domain), chat), self.clock())

    def reopen(self, *unseen: str) -> None:
        """Open the chat in a new process, with what the person had said in it while the pack was not there."""
        said = [*self.said, *((SimpleNamespace(ai=False, content={"user_message": text}),) for text in unseen)]
        turns = [Turn(Topic(), messages, True, Circumstances(), "chat") for messages in said]
        self.turns.take_up(turns, self.clock() - timedelta(days=30), self.clock())

    def adopt(self, limit: int = 100, **settings: Any) -> Adoption:
        """Run the adopter once."""
        return self.adopter.run(Settings(**settings), limit=limit)

    def journal(self) -> list[dict[str, Any]]:
        """Return the lines of the journal."""
        return self.lines(files.JOURNAL_FILE)

    def lines(self, name: str) -> list[dict[str, Any]]:
        """Return the lines of a file beside the store."""
        path = self.folder / name
        return [json.loads(line) for line in path.read_text().split("\n") if line] if path.exists() else []


@pytest.fixture(scope="session")
def new_box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Box]]:
    """Make boxes, each in its own folder: for tests that need several, or one for each example."""
    boxes: weakref.WeakSet[Box] = weakref.WeakSet()  # a test of many examples closes its own

    def make(*, is_alone: bool = False, **options: Any) -> Box:
        made = Box(tmp_path_factory.mktemp("host") / ("stores" if is_alone else "memory"), **options)
        boxes.add(made)
        return made

    yield make
    for one in boxes:
        one.memory.close()


@pytest.fixture
def box(new_box: Callable[..., Box]) -> Box:
    """An empty memory folder that the pack has never seen."""
    return new_box()


@pytest.fixture
def known(box: Box) -> Box:
    """A memory folder whose first look is over: what comes now is new."""
    box.adopt()
    return box


@pytest.fixture
def workspace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Workspace:
    """A place at the terminal without a store."""
    return Workspace(tmp_path, capsys)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """The home that every run of the table of commands begins with."""
    home = tmp_path_factory.mktemp("built")
    return home, build_home(home)


@pytest.fixture
def desk(built: tuple[Path, dict[str, str]], tmp_path: Path) -> Desk:
    """A home for each run of a test."""
    return Desk(*built, tmp_path)
