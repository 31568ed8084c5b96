"""The present settings and memory folder of an agent, looked up for each hook.

An agent's folder, profile or project can change in mid-chat. The state of a folder is an attribute of the host's own
index object, and lives exactly as long as that.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ..clock import Clock, system_clock
from ..ledger.classify import Circumstances
from ..settings import Settings
from ..store.backup import BackupWriter
from ..store.catalogue import Catalogue
from ..store.co_retrieval import CoRetrievalLog
from ..store.damage import ProblemKind, unwritable
from ..store.docstore import Store
from ..store.erase import Trace
from ..store.files import CHAIN_FILE, CO_RETRIEVAL_FILE
from ..store.order import guard_index, index_lock
from ..store.query_vectors import remember_queries
from ..store.recent import guard_deletes
from ..store.restore import OrderHandler
from ..store.saving import record_changes
from ..store.vault_file import VaultFile
from ..vault.reading import scopes_of
from . import agent_zero
from .adoption.adopter import Adopter
from .chat_log import chat_problems, report_problems
from .host_agent import HostAgent
from .knowledge.service import KnowledgeService
from .notes.service import NotesService
from .profiles import ModelProfiles, ProfileLimits, RoleBook
from .quality.chain import ChainKeeper
from .recall.folder_recall import RecentRecalls, RuleBook
from .turns import KeptTurns, TurnRing
from .vault.folder_vault import FAISSMemory
from .view import View, common_settings, current_view

_log = logging.getLogger(__name__)

_FOLDER_KEY = "_memory_ledger_folder"
# How many memories are chained at the end of one turn; the rest of a large store waits.
_CHAINED_AT_ONCE = 1_000

#: Held while a folder is loaded for a person, so that the next one finds it loaded.
_opening = threading.Lock()

#: The last turns by memory folder, as they are kept: a store that is loaded anew has them before they are written.
_last_turns: dict[Path, dict[str, Any]] = {}


class Folder:
    """One memory folder in this process, with its store and everything that works on it."""

    def __init__(self, memory: Any, settings: Settings, clock: Clock, before: Any = None) -> None:
        """Open the folder of `memory`; `before` is what hung there until the pack was loaded anew, if it was."""
        self.store = Store(memory, folder=agent_zero.memory_folder(memory.memory_subdir), clock=clock)
        self.turns = TurnRing(settings.turn_window, self.store.order)
        self._kept_turns = KeptTurns(self.store.database, self.turns)
        self._kept_turns.load(_last_turns.get(self.store.folder) if before is None else before.turns.to_state())
        self.adopter = Adopter(self.store, self.turns)
        self.roles = RoleBook(agent_zero.roles_folder())
        self.names = self.store.names.book
        self.co_retrieval = CoRetrievalLog(
            agent_zero.memories_root(), self.store.database, memory.memory_subdir, self.store.problems
        )
        self.catalogue = Catalogue(self.store)
        self.settings = settings
        self.profiles = ModelProfiles(agent_zero.model_profiles_folder(), self.store.problems)
        self.backup = BackupWriter(self.store, settings.backup, memory_class=type(memory))
        self.orders = OrderHandler(self.backup, self.forget)
        self.chain = ChainKeeper(self.store, settings.quality.signature)
        self.notes = NotesService(self.store.folder, clock, self.store.problems)
        self.vault = FAISSMemory(self.store, VaultFile(self.store.folder), type(memory))
        self.knowledge = KnowledgeService(agent_zero.user_folder(), agent_zero.memories_root(), clock)
        self.recent = RecentRecalls()
        self.rules = RuleBook(self.store)
        self.seen_chats: set[str] = set()
        self.background: threading.Thread | None = None
        self.carrying_out: threading.Thread | None = None
        self._save_lock = threading.Lock()

    def forget(self, trace: Trace) -> dict[str, int]:
        """Remove an erased memory from recent turns and recalls, the chain and the notes; return how much, by place."""
        self.recent.forget(trace)
        forgotten = self.turns.forget(trace.is_talked_of)
        with self._save_lock:
            self._keep_turns()
            self.store.database.settle()
        return {
            "recent turns": forgotten,
            CO_RETRIEVAL_FILE: self.co_retrieval.forget(trace.ids, self.settings.co_retrieval),
            CHAIN_FILE: sum(map(self.chain.erase, trace.ids)),
            "notes": self.notes.forget(trace, self.settings.notes),
        }

    def end_turn(self) -> None:
        """Write the changes of a turn: the backup, the index if a status changed, counters, and last turns; blocking.

        The backup comes first, so that it has each new status before the host's own files.
        """
        self._keep_turns()
        with self._save_lock:
            chain = partial(self.chain.catch_up, limit=_CHAINED_AT_ONCE)
            recalls = partial(self.co_retrieval.end_turn, self.settings.co_retrieval)
            writers: tuple[Callable[[], object], ...] = (
                self.backup.end_turn,
                self._save_store,
                self.store.write_owed,
                chain,
                recalls,
            )
            for number, write in enumerate(writers):
                unwritten = []
                try:
                    write()
                except OSError as exc:  # a full disk, say: the others are tried all the same, and this one next time
                    unwritten = [unwritable(Path(exc.filename2 or exc.filename or self.store.folder), exc)]
                self.store.problems.update((Folder.end_turn, number), unwritten)

    def _save_store(self) -> None:
        try:
            if not self.store.save():
                self.store.save_state()
        except Exception as exc:
            if not self.backup.is_unsaved:
                raise
            _log.warning("%s is not saved: %s", self.store.folder, exc)  # which the chat is told

    def _keep_turns(self) -> None:
        _last_turns[self.store.folder] = self._kept_turns.save()


@dataclass(frozen=True, slots=True)
class Session:
    """The present settings and folder of one agent, which sees the vault's records of `vault_scopes`."""

    agent: HostAgent
    settings: Settings
    memory_settings: Mapping[str, Any]
    folder: Folder
    circumstances: Circumstances
    allowed_domains: frozenset[str] | None
    profile: ProfileLimits
    vault_scopes: tuple[str, ...]


async def open_session(agent: HostAgent, *, clock: Clock = system_clock) -> Session | None:
    """Return the session of `agent`; None while the pack is switched off (`enabled: false`)."""
    view = current_view(agent)
    _report_settings(agent, view)
    if not view.settings.enabled:
        return None
    module = _guarded_module()
    db = module.Memory.index.get(view.memory_subdir)
    memory = await module.Memory.get(agent) if db is None else module.Memory(db, view.memory_subdir)
    folder = _folder_of(memory, view.settings, clock)
    vault = view.settings.vault
    return Session(
        agent=agent,
        settings=view.settings,
        memory_settings=view.memory_settings,
        folder=folder,
        circumstances=Circumstances(role_id=folder.roles.read_role_id(agent), domain=folder.roles.read_domain(agent)),
        allowed_domains=folder.roles.allowed_domains(agent, view.settings.profile_domains),
        profile=folder.profiles.limits(view.chat_model),
        vault_scopes=scopes_of(vault.scopes, agent_zero.profile_name(agent)) if vault.enabled else (),
    )


def open_folder(memory_subdir: str, *, clock: Clock = system_clock) -> Folder | None:
    """Return a memory folder for a person without an agent; None while the pack is switched off. Blocking.

    Its settings are those of the last agent that used it, else those for all. An unused folder is loaded as for a chat,
    which asks the embedding model.
    """
    settings = common_settings()
    if not settings.enabled:
        return None
    with _opening:
        module = _guarded_module()
        db = module.Memory.index.get(memory_subdir)
        folder = None if db is None else db.__dict__.get(_FOLDER_KEY)
        if type(folder) is Folder:
            return folder
        if db is None:
            asyncio.run(module.Memory.get_by_subdir(memory_subdir))
            db = module.Memory.index[memory_subdir]
        return _folder_of(module.Memory(db, memory_subdir), settings, clock)


def _guarded_module() -> Any:
    module = agent_zero.memory_module()
    guard_index(module)
    record_changes(module, agent_zero.find_part)
    guard_deletes(module)
    return module


def _folder_of(memory: Any, settings: Settings, clock: Clock) -> Folder:
    with index_lock(type(memory)):
        remember_queries(memory.db)
        folder = memory.db.__dict__.get(_FOLDER_KEY)
        if type(folder) is not Folder:
            folder = Folder(memory, settings, clock, folder)
            memory.db.__dict__[_FOLDER_KEY] = folder
    folder.settings, folder.backup.settings = settings, settings.backup
    return folder


def _report_settings(agent: HostAgent, view: View) -> None:
    """Report settings that do not apply, and missing parts of the host, once for as long as that lasts."""
    problems = chat_problems(agent)
    problems.update(_report_settings, view.problems, ProblemKind.SETTINGS)
    problems.update(agent_zero.lost_parts, view.lost, ProblemKind.HOST)
    report_problems(agent, problems)
