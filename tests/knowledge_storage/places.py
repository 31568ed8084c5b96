"""One place that keeps knowledge, as an agent's process opens it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fake_host import FixedClock
from memory_ledger.host.knowledge.cache import KnowledgeCache
from memory_ledger.host.knowledge.opening import OpenKnowledge, StoredFiles, open_knowledge
from memory_ledger.setting_groups import Knowledge


class Uptime:
    """What a monotonic clock says; it goes on when it is told to."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


class Files:
    """The files of a place, with what a test asks for beside."""

    def __init__(self, files: StoredFiles) -> None:
        self._files = files
        self.read, self.update, self.place = files.read, files.update, files.place

    def write(self, name: str, text: str) -> None:
        self.update(name, lambda _: text)

    def list(self) -> list[str]:
        return sorted(self.place.versions())


@dataclass
class Opened:
    files: Files
    cache: KnowledgeCache
    governance: Callable[[], Mapping[str, bytes]]


@dataclass
class Place:
    """`open` is one process that begins; `machine` names another machine."""

    url: str
    root: Path
    uptime: Uptime = field(default_factory=Uptime)

    def open(self, machine: str = "a", *, turn_seconds: float = 20.0, **settings: Any) -> Opened:
        values = {"storage_timeout_seconds": 20.0, **settings}
        found: OpenKnowledge = open_knowledge(
            Knowledge(knowledge_url=self.url, **values),
            home=self.root / "usr",
            clock=FixedClock(),
            monotonic=self.uptime,
            turn_seconds=turn_seconds,
        )
        assert isinstance(found.files, StoredFiles)
        return Opened(Files(found.files), found.cache, found.governance)

    @property
    def folder(self) -> Path:
        """Where the files are if the place is a folder."""
        return self.root / "usr/context/memory"
