"""Counters that survive a restart: `state.json` beside the memory folders, one entry per folder (T-06)."""

from __future__ import annotations

import json
import threading
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from ...plain import is_count
from .deadline import in_time
from .files import STATE_FILE, read_object, write_atomically

# One file serves every memory folder of the process, whichever copy of this module writes it.
_write_lock = threading.Lock()


@dataclass(slots=True)
class FolderState:
    """What is counted for one memory folder: recalls and message loops; `first_seen` once the first look is over.

    Memories up to `unsealed_until` are being sealed (T-69). Both moments are ISO 8601. `maintained_at_loop` and
    `linked_at_loop` say how many loops there had been at the last whole maintenance, and rebuild of links (C-92, E-84).
    """

    recall_cycle: int = 0
    loop_count: int = 0
    first_seen: str | None = None
    unsealed_until: str | None = None
    maintained_at_loop: int = 0
    linked_at_loop: int = 0


class StateFile:
    """The counters of all memory folders under one root."""

    def __init__(self, root: Path) -> None:
        self.path = root / STATE_FILE

    def read(self, memory_subdir: str) -> FolderState:
        """Return the counters of one folder; what is missing or not valid starts afresh."""
        return _to_state((read_object(self.path) or {}).get(memory_subdir))

    def write(self, memory_subdir: str, state: FolderState) -> None:
        """Store the counters of one folder and leave those of the others."""

        def change(_: object) -> None:
            everything = read_object(self.path) or {}
            everything[memory_subdir] = {key: value for key, value in asdict(state).items() if value is not None}
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.path, json.dumps(everything, indent=1, sort_keys=True) + "\n")

        with _write_lock:
            in_time(self.path, change)


class OwnState(StateFile):
    """The counters of a store that stands alone: inside it, under a name that holds wherever the folder is moved."""

    _NAME = "store"

    def read(self, memory_subdir: str) -> FolderState:
        """Return the counters of the one store."""
        return super().read(self._NAME)

    def write(self, memory_subdir: str, state: FolderState) -> None:
        """Store them."""
        super().write(self._NAME, state)


class FoundState(StateFile):
    """The counters of one folder wherever they lie, for whoever only looks: nothing is stored."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._folder = folder

    def read(self, memory_subdir: str) -> FolderState:
        """Return the counters of the folder."""
        return find_state(self._folder)

    def write(self, memory_subdir: str, state: FolderState) -> None:
        """Leave them as they are."""


def find_state(folder: Path) -> FolderState:
    """Return the counters of a memory folder on disk: in it, beside it, or with the host's other memory folders.

    A project's folder is `projects/NAME/.a0proj/memory`, and counted as `projects/NAME` (contract, section 4).
    """
    if (folder / STATE_FILE).exists():
        return OwnState(folder).read(str(folder))
    place = folder.absolute()
    if place.name != "memory" or place.parent.name != ".a0proj":
        return StateFile(place.parent).read(place.name)
    project = place.parents[1]
    roots = (project.parents[1] / "memory", project.parents[2] / "memory")  # v0.9.7 keeps memories outside `usr`
    found = (StateFile(one).read(f"projects/{project.name}") for one in roots if (one / STATE_FILE).exists())
    return next(found, FolderState())


def _to_state(value: Any) -> FolderState:
    state = FolderState()
    if not isinstance(value, dict):
        return state
    for field in fields(FolderState):
        found = value.get(field.name)
        if is_count(found) if field.type == "int" else isinstance(found, str):
            setattr(state, field.name, found)
    return state
