"""`ledger_turns.json`: what a restart must not forget of the recent turns (T-01)."""

from __future__ import annotations

import json
from pathlib import Path

from ..storage.deadline import in_time
from ..storage.files import TURNS_FILE, read_object, write_atomically
from .turn_ring import TurnRing


class TurnFile:
    """The file beside the store in which a ring of turns is kept; only its owner may read it."""

    def __init__(self, folder: Path, turns: TurnRing) -> None:
        self._path = folder / TURNS_FILE
        self._turns = turns
        self._written = ""

    def load(self) -> None:
        """Take up what an earlier run has kept."""
        self._turns.restore(read_object(self._path) or {})

    def save(self) -> None:
        """Write the file, if the ring has changed; blocking."""
        text = json.dumps(self._turns.to_state(), ensure_ascii=False) + "\n"
        if text != self._written:
            in_time(self._path, lambda _: write_atomically(self._path, text, mode=0o600))
            self._written = text
