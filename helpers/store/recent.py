"""Recent events of this process: the memories in its prompts, and the deletions by its agents."""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from datetime import datetime
from itertools import islice
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

from ..records import LEDGER_KEYS
from .order import wrap_once

_MOST_TURNS = 100


class InjectedRing:
    """The ids of the memories in recent prompts, by turn, over all chats of a folder."""

    def __init__(self) -> None:
        self._turns: list[tuple[Any, dict[str, None]]] = []
        self._lock = threading.Lock()

    def note(self, turn: Any, memory_ids: Iterable[str]) -> None:
        """Remember the memories in a prompt of `turn`, the host's own list of its messages; the oldest turns go."""
        with self._lock:
            shown = next((ids for known, ids in self._turns if known is turn), None)
            if shown is None:
                self._turns.append((turn, shown := {}))
                del self._turns[:-_MOST_TURNS]
            shown.update(dict.fromkeys(memory_ids))

    def recent(self, is_recent: Callable[[Any], bool]) -> list[str]:
        """Return the memories that recent turns have shown, the latest turn first, and forget the other turns."""
        with self._lock:
            self._turns = [(turn, ids) for turn, ids in self._turns if is_recent(turn)]
            return list(dict.fromkeys(memory_id for _, ids in reversed(self._turns) for memory_id in ids))


_DELETING_TOOLS = frozenset({"memory_delete", "memory_forget"})
_MOST_KEPT = 200
_CHOOSERS = ("_find_related_docs_by_ids", "_find_exact_query_docs")


class _ToolUse(NamedTuple):
    """The tool that an agent uses, with weak references to its turn and the turn before: the host's own objects."""

    tool: str
    turns: tuple[weakref.ref[Any], ...]


_in_use: ContextVar[_ToolUse | None] = ContextVar("_memory_ledger_tool", default=None)


def note_tool(agent: Any, tool_name: Any) -> None:
    """Attribute everything that this task does from now on to a tool."""
    turns = agent.history.current, *agent.history.topics[-1:]
    _in_use.set(_ToolUse(str(tool_name), tuple(map(weakref.ref, turns))))


class AgentDeletes:
    """The turns in which memories of one folder were deleted and written; thread-safe."""

    def __init__(self) -> None:
        self._deleted: dict[str, tuple[weakref.ref[Any], datetime]] = {}
        self._written: dict[str, tuple[weakref.ref[Any], ...]] = {}
        self._lock = threading.Lock()

    def note_deleted(self, ids: Iterable[str], moment: datetime) -> None:
        """Remember memories that are being deleted, if an agent's deleting tool does it."""
        use = _in_use.get()
        if use is not None and use.tool in _DELETING_TOOLS:
            with self._lock:
                self._deleted |= dict.fromkeys(ids, (use.turns[0], moment))
                _drop_oldest(self._deleted)

    def note_written(self, ids: Iterable[str]) -> None:
        """Remember the turn in which memories are written; outside of a turn they replace nothing."""
        use = _in_use.get()
        if use is not None:
            with self._lock:
                self._written |= dict.fromkeys(ids, use.turns)
                _drop_oldest(self._written)

    def before(self, memory_id: str) -> list[tuple[str, datetime]]:
        """Return the ids deleted in the turn that wrote a memory, or in the turn before, each with its time."""
        with self._lock:
            turns = self._written.get(memory_id, ())
            return [(memory_id, moment) for memory_id, (turn, moment) in self._deleted.items() if turn in turns]

    def forget(self, ids: Iterable[str]) -> None:
        """Forget deleted memories that are replaced already, or erased."""
        with self._lock:
            for memory_id in ids:
                self._deleted.pop(memory_id, None)


def _drop_oldest(entries: dict[str, Any]) -> None:
    for key in list(islice(entries, max(0, len(entries) - _MOST_KEPT))):
        del entries[key]


def guard_deletes(module: ModuleType) -> None:
    """Keep the host's deletes from following the ledger's own words and pointers; a second call changes nothing.

    From v1.14 on the host deletes, with a memory, every other one whose metadata holds its id, and `memory_forget` also
    every one whose metadata holds the words asked for. Deleting an outdated memory would delete what replaced it. The
    methods that choose those victims see documents without the ledger's keys.
    """
    for name in _CHOOSERS:
        wrap_once(module.Memory, name, _without_ledger)


def _without_ledger(chooser: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(chooser)
    def wrapper(self: Any, *args: Any, **kwargs: Any) -> list[Any]:
        live = dict(self.db.get_all_docs())
        chosen = chooser(_Bare(self, live), *args, **kwargs)
        return [live[document.ledger_id] for document in chosen]

    return wrapper


class _Bare:
    """The host's memory with documents that carry no ledger keys; everything else is the host's own."""

    def __init__(self, memory: Any, live: dict[str, Any]) -> None:
        self._memory = memory
        bare = {
            memory_id: SimpleNamespace(
                ledger_id=memory_id,
                page_content=document.page_content,
                metadata={key: value for key, value in document.metadata.items() if key not in LEDGER_KEYS},
            )
            for memory_id, document in live.items()
        }
        self.db = SimpleNamespace(get_all_docs=lambda: bare)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._memory, name)
