"""One place that keeps knowledge, as an agent's process opens it."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fake_host import FixedClock
from memory_ledger.host.knowledge.opening import OpenKnowledge, open_knowledge
from memory_ledger.setting_groups import Knowledge


class Uptime:
    """What a monotonic clock says; it goes on when it is told to."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


@dataclass
class Place:
    """`open` is one process that begins; `machine` names another machine, with a disk of its own."""

    url: str
    root: Path
    uptime: Uptime = field(default_factory=Uptime)

    def open(self, machine: str = "a", **settings: Any) -> OpenKnowledge:
        values = {"turn_wait_seconds": 20.0, "storage_timeout_seconds": 20.0, "signal_timeout_seconds": 5.0, **settings}
        return open_knowledge(
            Knowledge(knowledge_url=self.url, **values),
            home=self.root / "usr",
            own_folder=self.root / machine,
            clock=FixedClock(),
            monotonic=self.uptime,
        )

    @property
    def folder(self) -> Path:
        """Where the files are if the place is a folder."""
        return self.root / "usr/context/memory"
