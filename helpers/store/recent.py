"""What happened lately in this process: what prompts held, and what an agent has deleted."""

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

from ..host.host_agent import HostAgent
from ..records import LEDGER_KEYS

_MOST_TURNS = 100


class InjectedRing:
    """The ids of the memories that stood in a prompt, by the turn that showed them, over all chats of a folder."""

    def __init__(self) -> None:
        self._turns: list[tuple[Any, dict[str, None]]] = []
        self._lock = threading.Lock()

    def note(self, turn: Any, memory_ids: Iterable[str]) -> None:
        """Remember what a prompt of `turn`, the host's own list of its messages, holds; the oldest turns go."""
        with self._lock:
            shown = next((ids for known, ids in self._turns if known is turn), None)
            if shown is None:
                self._turns.append((turn, shown := {}))
                del self._turns[:-_MOST_TURNS]
            shown.update(dict.fromkeys(memory_ids))

    def recent(self, is_recent: Callable[[Any], bool]) -> list[str]:
        """Return what the turns that are recent have shown, the latest turn first, and forget the others."""
        with self._lock:
            self._turns = [(turn, ids) for turn, ids in self._turns if is_recent(turn)]
            return list(dict.fromkeys(memory_id for _, ids in reversed(self._turns) for memory_id in ids))


_DELETING_TOOLS = frozenset({"memory_delete", "memory_forget"})
_MOST_KEPT = 200
_MARK = "_memory_ledger_guarded"
_CHOOSERS = ("_find_related_docs_by_ids", "_find_exact_query_docs")


class _ToolUse(NamedTuple):
    """The tool that an agent uses, and the turn in which it does, then the one before: the host's own objects.

    They are only referred to: a chat that the host lets go of is kept by nobody.
    """

    tool: str
    turns: tuple[weakref.ref[Any], ...]


_in_use: ContextVar[_ToolUse | None] = ContextVar("_memory_ledger_tool", default=None)


def note_tool(agent: HostAgent, tool_name: Any) -> None:
    """Let whatever this task does from now on be the work of this tool."""
    turns = agent.history.current, *agent.history.topics[-1:]
    _in_use.set(_ToolUse(str(tool_name), tuple(map(weakref.ref, turns))))


class AgentDeletes:
    """What was deleted from one memory folder, in which turn, and what was written in which. Any thread may call."""

    def __init__(self) -> None:
        self._deleted: dict[str, tuple[weakref.ref[Any], datetime]] = {}
        self._written: dict[str, tuple[weakref.ref[Any], ...]] = {}
        self._lock = threading.Lock()

    def note_deleted(self, ids: Iterable[str], at: datetime) -> None:
        """Remember what is deleted here and now, if that is what an agent's tool is for."""
        use = _in_use.get()
        if use is not None and use.tool in _DELETING_TOOLS:
            with self._lock:
                self._deleted |= dict.fromkeys(ids, (use.turns[0], at))
                _drop_oldest(self._deleted)

    def note_written(self, ids: Iterable[str]) -> None:
        """Remember in which turn something is written; what is written outside of any replaces nothing."""
        use = _in_use.get()
        if use is not None:
            with self._lock:
                self._written |= dict.fromkeys(ids, use.turns)
                _drop_oldest(self._written)

    def before(self, memory_id: str) -> list[tuple[str, datetime]]:
        """Return what was deleted, and when, in the turn of the same chat that wrote a memory, or in the one before."""
        with self._lock:
            turns = self._written.get(memory_id, ())
            return [(memory_id, at) for memory_id, (turn, at) in self._deleted.items() if turn in turns]

    def forget(self, ids: Iterable[str]) -> None:
        """Nothing replaces these any more: one thing does already, or they were erased."""
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
        chooser = getattr(module.Memory, name, None)
        if chooser is not None and not getattr(chooser, _MARK, False):
            wrapped = _without_ledger(chooser)
            setattr(wrapped, _MARK, True)
            setattr(module.Memory, name, wrapped)


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
