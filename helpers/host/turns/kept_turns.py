"""What a restart must not forget of the recent turns (T-01)."""

from __future__ import annotations

from typing import Any

from ...store import db as sqlite
from ...store.db import StateName
from ..storage.database import Database
from .turn_ring import TurnRing


class KeptTurns:
    """The ring of turns of a memory folder as its database holds it."""

    def __init__(self, database: Database, turns: TurnRing) -> None:
        self._database = database
        self._turns = turns
        self._kept: dict[str, Any] = {}

    def load(self) -> None:
        """Take up what an earlier run has kept."""
        found = self._database.read(lambda db: sqlite.read_state(db, StateName.TURNS))
        self._turns.restore(found if isinstance(found, dict) else {})

    def save(self) -> None:
        """Keep the ring as it is now, if it has changed."""
        state = self._turns.to_state()
        if state != self._kept:
            self._kept = state
            self._database.change_later(lambda db: sqlite.write_state(db, StateName.TURNS, state), StateName.TURNS)
