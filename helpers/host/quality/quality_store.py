"""The quality interface over a memory folder: one object with the specification's methods.

The methods are async; the specification's own names are aliases. Arguments and results are plain JSON values under the
specification's keys. There is no state here: memories, conflicts and links are those of the store that recall, adoption
and the terminal work with.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from functools import partial, wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from langchain_core.documents import Document

from ...clock import Clock, system_clock
from ...contents import CONTENT_KEY
from ...quality.objects import (
    MOST_RECALLED,
    QualityError,
    RecallRequest,
    RememberOptions,
    ValidationError,
    parse_changes,
    parse_new,
    parse_options,
    show_content,
)
from ...quality.validators import MemoryObject
from ...recall.plan import RecallLimits, make_plan, widen
from ...records import LINEAGE_KEY
from ...settings import Settings
from ...store.backup_file import memory_row
from ...store.docstore import Store
from ...store.embedded import EmbeddedMemory, has_store
from ...store.files import only_one
from ...store.order import change_lock
from ...store.query_vectors import remember_queries
from .. import agent_zero
from ..adoption.adopter import Adopter
from ..adoption.trust import ORIGIN_KEY, mark_origin
from ..host_agent import HostAgent
from ..recall.search import Audience, search_ids
from ..session import Session, open_session
from ..turns import TurnRing
from .open_store import list_newest, narrow
from .service import QualityService

Result = TypeVar("Result")
Given = ParamSpec("Given")


def _in_thread(
    method: Callable[Concatenate[QualityService, Given], Result], *, changes: bool = False
) -> Callable[Concatenate[QualityStore, Given], Coroutine[Any, Any, Result]]:
    """Return an async method that calls a method of the service in a thread; a kill undoes none of its `changes`."""

    @wraps(method)
    async def call(self: QualityStore, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        if changes:
            return await self._keeping(method, self._service, *args, **kwargs)
        return await asyncio.to_thread(method, self._service, *args, **kwargs)

    return call


class QualityStore:
    """The memories of one folder with their quality; `memory` is the host's object, or a stand-in."""

    def __init__(self, memory: Any, service: QualityService) -> None:
        self._memory = memory
        self._service = service
        self._store, self._settings = service.store, service.settings

    async def remember(self, memory: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> MemoryObject:
        """Store a memory and return it as stored, with suggested links and its conflicts.

        Raises ValidationError for a rejected memory, and QualityError where it cannot be stored.
        """
        checks, new = parse_options(RememberOptions, options, "remember"), parse_new(memory)
        is_checked = checks.is_validated or bool(new.invalid)
        errors = await asyncio.to_thread(self._service.check_new, new) if is_checked else []
        if errors and (checks.reject_invalid or not checks.is_validated):
            raise ValidationError(errors)
        await asyncio.to_thread(self._service.adopt)
        await asyncio.to_thread(self._service.check_links, new)
        detects = checks.detect_conflicts
        memory_id = str(await self._memory.insert_text(new.text, self._service.metadata_of(new, settles=detects)))
        recorded_errors = errors if checks.is_validated else None
        return await asyncio.to_thread(self._service.finish, memory_id, new, recorded_errors, detects=detects)

    async def recall(self, request: Mapping[str, Any] | None = None) -> list[MemoryObject]:
        """Return the memories that match the request, the best first, or without a query the newest first.

        The filters apply before the search.
        """
        asked = parse_options(RecallRequest, request, "recall")
        await asyncio.to_thread(self._service.adopt)
        if asked.query is None or not asked.query.strip():
            ids = await asyncio.to_thread(list_newest, self._store, self._settings, asked)
        elif not asked.limit:
            return []
        else:
            ids = (await self._search(asked))[asked.offset : asked.offset + asked.limit]
        return await asyncio.to_thread(self._service.show_all, ids)

    async def update(self, memory_id: str, changes: Mapping[str, Any]) -> MemoryObject:
        """Merge content into that of a memory, and state the other fields; a new text is classified anew."""
        content, stated = parse_changes(changes)
        if content is not None:
            await self._rewrite(memory_id, content)
        await self._keeping(self._service.state, memory_id, {**stated, "updated": self._store.clock()})
        if content is not None:
            await self._keeping(self._service.check_again, memory_id)
        if (shown := await self.get(memory_id)) is None:
            raise QualityError(f"memory {memory_id} is gone; allowed: the id of one that is there")
        return shown

    def add_validator(self, validator: object) -> None:
        """Register a custom rule: `name`, `types` and `validate`."""
        self._service.checker.add(validator)

    get = _in_thread(QualityService.show)
    forget = _in_thread(QualityService.forget, changes=True)
    export = _in_thread(QualityService.export)
    verify = _in_thread(QualityService.verify)
    save = _in_thread(QualityService.save)
    detect_conflicts = _in_thread(QualityService.find_conflicts)
    resolve_conflict = _in_thread(QualityService.resolve, changes=True)
    get_conflicts = _in_thread(QualityService.get_conflicts)
    refresh_memory = _in_thread(QualityService.refresh, changes=True)
    get_stale = _in_thread(QualityService.get_stale)
    archive_stale = _in_thread(QualityService.archive_stale, changes=True)
    validate = _in_thread(QualityService.validate, changes=True)
    add_relationship = _in_thread(QualityService.link, changes=True)
    get_related = _in_thread(QualityService.related)
    get_quality_report = _in_thread(QualityService.report)

    async def _keeping(self, change: Callable[..., Result], *arguments: Any, **named: Any) -> Result:
        return await asyncio.to_thread(self._service.keeping, change, *arguments, **named)

    async def _search(self, asked: RecallRequest) -> list[str]:
        # The pages of one answer are cut from one search, or a memory would stand on two of them, and another on none.
        limits = widen(RecallLimits(), math.ceil((asked.limit + asked.offset) / MOST_RECALLED) * MOST_RECALLED)
        plan = make_plan(asked.query or "", self._settings, self._store.clock(), limits=limits)
        vectors = await remember_queries(self._store.db).embed([variant.text for variant in plan.variants])
        audience = Audience(narrow=lambda store: narrow(store, self._settings, asked))
        return await asyncio.to_thread(search_ids, self._store, vectors, plan, audience)

    async def _rewrite(self, memory_id: str, content: object) -> None:
        memory = self._service.read(memory_id)
        old = dict(self._store.db.get_all_docs()[memory_id].metadata)
        before = show_content(memory.text, old)
        new_content = {"text": content} if isinstance(content, str) else content
        if not isinstance(new_content, Mapping):
            raise QualityError(f"content is {content!r}; allowed: an object, or a text")
        new = parse_new({"content": {**before, **new_content}})
        trusted_origin = {ORIGIN_KEY: mark_origin(self._store.key, new.text, settles=True)}
        axes = memory.classification
        metadata = {key: value for key, value in old.items() if key != CONTENT_KEY}
        metadata |= {} if new.content is None else {CONTENT_KEY: new.content}
        metadata |= {} if axes is None else {"origin": axes.source.value}
        metadata[LINEAGE_KEY] = {**old.get(LINEAGE_KEY, {}), **trusted_origin}
        await self._memory.update_documents([Document(page_content=new.text, metadata={**metadata, "id": memory_id})])
        await asyncio.to_thread(self._service.adopt)
        await asyncio.to_thread(self._service.adopt_until, memory_id)
        await asyncio.to_thread(self._service.keep)

    detectConflicts = detect_conflicts
    resolveConflict = resolve_conflict
    getConflicts = get_conflicts
    refresh = refresh_memory
    refreshMemory = refresh_memory
    getStale = get_stale
    archiveStale = archive_stale
    addValidator = add_validator
    addRelationship = add_relationship
    getRelated = get_related
    getQualityReport = get_quality_report


@asynccontextmanager
async def open_quality_store(
    folder: Path, embedder: Any, settings: Settings | None = None, *, clock: Clock = system_clock
) -> Any:
    """Open the memories in `folder` without a host, as their only writer, and save them at the end.

    The changes of methods that have returned survive a kill. Raises StoreError while somebody else has the folder open.
    """
    settings = settings or Settings()
    with only_one(folder):
        memory = EmbeddedMemory(folder, embedder, clock=clock)
        try:
            if not has_store(folder):
                memory.save()
            store = Store(memory, folder=folder, clock=clock, stands_alone=True)
            adopter = Adopter(store, TurnRing(settings.turn_window))
            while not adopter.run(settings, limit=1_000).is_done:
                pass
            service = QualityService(store, adopter, settings, keep=partial(_keep_changed, memory))
            service.take_over(memory.recovered)
            quality = QualityStore(memory, service)
            await quality.save()
            yield quality
            store.is_dirty = True
            await quality.save()
        finally:
            memory.close()


def _keep_changed(memory: EmbeddedMemory, store: Store) -> None:
    """Append the memories changed since the last call to a file of lines, for a save writes the whole index."""
    with change_lock(type(memory)):
        changed, store.rewritten = store.rewritten, set()
        store.refresh_positions()
        documents, find_vector = store.db.get_all_docs(), store.index.vector
        memory.keep(
            (memory_row(memory_id, documents[memory_id].page_content, documents[memory_id].metadata), vector)
            for memory_id in sorted(changed)
            if memory_id in documents and (vector := find_vector(memory_id)) is not None
        )


async def open_agent_quality(agent: HostAgent, *, clock: Clock = system_clock) -> QualityStore | None:
    """Return the quality store of an agent's present folder; None while the pack is switched off.

    It shares everything with the hooks, and the host saves its changes at the end of the turn.
    """
    session = await open_session(agent, clock=clock)
    return None if session is None else open_session_quality(session)


def open_session_quality(session: Session) -> QualityStore:
    """Return the quality store of a session's folder."""
    folder = session.folder
    memory = agent_zero.memory_module().Memory(folder.store.db, folder.store.memory_subdir)
    return QualityStore(memory, QualityService(folder.store, folder.adopter, session.settings, folder.chain))
