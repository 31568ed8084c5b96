"""A quality store in a folder of the tests."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fake_host import FixedClock, HashingEmbedder
from memory_ledger.host.quality.quality_store import QualityStore, open_quality_store
from memory_ledger.settings import Settings

TIMEZONE = {"type": "fact", "content": {"subject": "Adam", "property": "timezone", "value": "MST"}}


class Bench:
    """One folder, one clock; `open` is a new process."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "store"
        self.clock = FixedClock()
        self.embedder = HashingEmbedder(64)

    @asynccontextmanager
    async def open(self, **settings: Any) -> AsyncIterator[QualityStore]:
        """Open the folder, with settings in the configuration's own keys."""
        made = Settings.model_validate(settings)
        async with open_quality_store(self.folder, self.embedder, made, clock=self.clock) as store:
            yield store


def content(name: str, value: Any, subject: str = "Adam") -> dict[str, Any]:
    """Return structured content."""
    return {"subject": subject, "property": name, "value": value}


def stored(store: QualityStore, memory_id: str) -> dict[str, Any]:
    """Return the metadata of a memory as it lies in the docstore."""
    metadata: dict[str, Any] = store._store.db.get_all_docs()[memory_id].metadata
    return metadata
