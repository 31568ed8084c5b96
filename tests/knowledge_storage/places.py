"""One place that keeps knowledge, as an agent's process opens it."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fake_host import FixedClock
from memory_ledger.host.knowledge.places import KnowledgeFiles, open_files
from memory_ledger.host.knowledge.service import KnowledgeCache
from memory_ledger.setting_groups import Knowledge


class Uptime:
    """What a monotonic clock says; it goes on when it is told to."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


class Files:
    """The files of a place, with what a test asks for beside."""

    def __init__(self, files: KnowledgeFiles) -> None:
        self.read, self.update, self.governance = files.read, files.update, files.governance
        self.names = files.names

    def write(self, name: str, text: str) -> None:
        self.update(name, lambda _: text)

    def list(self) -> list[str]:
        return sorted(self.names())


@dataclass
class Opened:
    files: Files
    cache: KnowledgeCache


@dataclass
class Place:
    """`open` is one process that begins; `machine` names another machine."""

    url: str
    root: Path
    uptime: Uptime = field(default_factory=Uptime)

    def open(self, machine: str = "a", *, turn_seconds: float = 20.0, **settings: Any) -> Opened:
        values = Knowledge(knowledge_url=self.url, **{"storage_timeout_seconds": 20.0, **settings})
        files = open_files(values, home=self.root / "usr", clock=FixedClock())
        how = {"recheck_seconds": values.recheck_seconds, "turn_seconds": turn_seconds}
        return Opened(Files(files), KnowledgeCache(files, monotonic=self.uptime, **how))

    @property
    def folder(self) -> Path:
        """Where the files are if the place is a folder."""
        return self.root / "usr/context/memory"
