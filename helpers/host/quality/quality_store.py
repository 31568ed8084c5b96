"""The quality interface over a memory folder: one object with the specification's methods (Q-43 ... Q-55, Q-69, T-54).

Methods are async and have the names of the field; the specification's own names stand beside them. Objects go in and
come out as plain JSON values under the specification's keys. Nothing is kept here: memories, conflicts and links are
those of the store that recall, adoption and the terminal work with.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from langchain_core.documents import Document

from ...clock import Clock, system_clock
from ...contents import CONTENT_KEY
from ...quality.conflict_record import Strategy, write_conflict
from ...quality.objects import (
    MOST_RECALLED,
    ArchiveOptions,
    ConflictOptions,
    QualityError,
    RecallRequest,
    RefreshOptions,
    RememberOptions,
    StrictShare,
    ValidationError,
    parse_changes,
    parse_new,
    parse_options,
    parse_value,
    show_content,
)
from ...quality.relationships import RelationshipType
from ...quality.report import make_report
from ...quality.validators import MemoryObject
from ...recall.plan import RecallLimits, make_plan, widen
from ...records import LINEAGE_KEY, Relationship
from ...setting_groups import PositiveCount
from ...settings import Settings
from .. import agent_zero
from ..adoption.adopter import Adopter
from ..adoption.trusted_origin import ORIGIN_KEY, mark_origin
from ..backup.rows import memory_row
from ..docstore.embedded import EmbeddedMemory, has_store
from ..docstore.locks import change_lock
from ..docstore.query_vectors import remember_queries
from ..docstore.store import Store
from ..host_agent import HostAgent
from ..recall.search import Audience, search_ids
from ..session import Session, open_session
from ..storage.files import only_one
from ..turns.turn_ring import TurnRing
from .service import QualityService

Result = TypeVar("Result")
#: From so stale on `get_stale` lists a memory, unless somebody says otherwise (T-29).
STALE_FROM = 0.5


class QualityStore:
    """The memories of one folder, with what the quality layer knows; `memory` is the host's, or stands for it."""

    def __init__(self, memory: Any, service: QualityService) -> None:
        self._memory = memory
        self._service = service
        self._store, self._settings = service.store, service.settings

    # --- the operations of the base protocol (Q-55) --------------------------------------------------------------

    async def remember(self, memory: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> MemoryObject:
        """Store a memory and return it as stored, with the links that are suggested and the conflicts that it has.

        Raises ValidationError where it is to be rejected, and QualityError where it cannot be stored (Q-18, Q-34 ...
        Q-36, Q-40, Q-41, Q-67, Q-69).
        """
        how, new = parse_options(RememberOptions, options, "remember"), parse_new(memory)
        is_checked = how.is_validated or bool(new.invalid)
        errors = await asyncio.to_thread(self._service.check_new, new) if is_checked else []
        if errors and (how.reject_invalid or not how.is_validated):
            raise ValidationError(errors)
        await asyncio.to_thread(self._service.adopt)
        await asyncio.to_thread(self._service.check_links, new)
        detects = how.detect_conflicts
        memory_id = str(await self._memory.insert_text(new.text, self._service.metadata_of(new, settles=detects)))
        found = errors if how.is_validated else None
        return await asyncio.to_thread(self._service.finish, memory_id, new, found, detects=detects)

    async def recall(self, request: Mapping[str, Any] | None = None) -> list[MemoryObject]:
        """Return what fits the request, best first; without a query the newest first (Q-26, Q-51).

        Who may take part is decided before anything is searched.
        """
        asked = parse_options(RecallRequest, request, "recall")
        await asyncio.to_thread(self._service.adopt)
        if asked.query is None or not asked.query.strip():
            found = await asyncio.to_thread(self._service.list_newest, asked)
        elif not asked.limit:
            return []
        else:
            found = (await self._search(asked))[asked.offset : asked.offset + asked.limit]
        return await asyncio.to_thread(self._service.show_all, found)

    async def get(self, memory_id: str) -> MemoryObject | None:
        """Return a memory, forgotten or not; None where there is none."""
        return await asyncio.to_thread(self._service.show, memory_id)

    async def forget(self, memory_id: str | Mapping[str, Any], reason: str | None = None) -> bool:
        """Take a memory out of every recall; it stays on record. False where it was forgotten before."""
        if isinstance(memory_id, Mapping):
            reason, memory_id = memory_id.get("reason", reason), str(memory_id.get("id"))
        return await self._keeping(self._service.forget, memory_id, reason)

    async def update(self, memory_id: str, changes: Mapping[str, Any]) -> MemoryObject:
        """Merge content into that of a memory, and state what else is given; another text is classified anew."""
        content, stated = parse_changes(changes)
        if content is not None:
            await self._rewrite(memory_id, content)
        await self._keeping(self._service.state, memory_id, {**stated, "updated": self._store.clock()})
        if content is not None:
            await self._keeping(self._service.check_again, memory_id)
        if (shown := await self.get(memory_id)) is None:
            raise QualityError(f"memory {memory_id} is gone; allowed: the id of one that is there")
        return shown

    async def export(self) -> dict[str, Any]:
        """Return everything: a manifest, the key that signs, the memories with their signatures."""
        return await asyncio.to_thread(self._service.export)

    async def verify(self) -> dict[str, Any]:
        """Verify chain and signatures of all memories; the first error names the first break (Q-31)."""
        return await asyncio.to_thread(self._service.verify)

    async def save(self) -> None:
        """Write what is not on the disk yet; in a host that happens at the end of every turn as well."""
        await asyncio.to_thread(self._service.save)

    # --- conflicts -----------------------------------------------------------------------------------------------

    async def detect_conflicts(self, memory: str | Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        """Return what contradicts what, or what contradicts one memory, stored or not; nothing is changed (Q-43)."""
        return await asyncio.to_thread(self._service.find_conflicts, memory)

    async def resolve_conflict(self, conflict_id: str, strategy: str) -> dict[str, Any]:
        """Resolve a conflict; where the strategy names no winner it stays open for a person (Q-23, Q-25, Q-44)."""
        chosen = parse_value(Strategy, strategy, "strategy")
        return write_conflict(await self._keeping(self._service.resolve, conflict_id, chosen))

    async def get_conflicts(self, options: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        """Return the conflicts on record, or those that are open (Q-45)."""
        asked = parse_options(ConflictOptions, options, "getConflicts")
        found = self._store.conflicts.get_conflicts(unresolved=asked.unresolved)
        return [write_conflict(one) for one in found]

    # --- staleness -----------------------------------------------------------------------------------------------

    async def refresh_memory(self, memory_id: str, options: Mapping[str, Any] | None = None) -> None:
        """Reset the staleness of a memory; with `verified` it is confirmed, with `confidence` that is stored (Q-27)."""
        asked = parse_options(RefreshOptions, options, "refresh")
        await self._keeping(self._service.refresh, memory_id, is_verified=asked.verified, confidence=asked.confidence)

    async def get_stale(self, threshold: float = STALE_FROM) -> list[MemoryObject]:
        """Return what is at least so stale, the stalest first (Q-47, T-29)."""
        await asyncio.to_thread(self._service.adopt)
        found = await asyncio.to_thread(self._service.stale, parse_value(StrictShare, threshold, "threshold"))
        return await asyncio.to_thread(self._service.show_all, found)

    async def archive_stale(self, options: Mapping[str, Any]) -> int:
        """Archive what is so stale and so old; return how many, and with `dryRun` how many it would be (Q-28)."""
        asked = parse_options(ArchiveOptions, options, "archiveStale")
        await asyncio.to_thread(self._service.adopt)
        found = await asyncio.to_thread(
            self._service.find_archivable,
            threshold=asked.threshold,
            older_than=asked.older_than,
            is_forced=asked.force,
        )
        return len(found) if asked.dry_run else await self._keeping(self._service.archive, found)

    # --- validation ----------------------------------------------------------------------------------------------

    async def validate(self, memory: str | Mapping[str, Any]) -> dict[str, Any]:
        """Check a memory, stored or not, and return `valid`, `errors` and `notes`; what is stored keeps its errors."""
        return await self._keeping(self._service.validate, memory)

    def add_validator(self, validator: object) -> None:
        """Register a custom rule: `name`, `types` and `validate` (Q-33, Q-50)."""
        self._service.checker.add(validator)

    # --- links ---------------------------------------------------------------------------------------------------

    async def add_relationship(self, source_id: str, relationship: Mapping[str, Any] | Relationship) -> None:
        """State a link from one memory to another (Q-52)."""
        await self._keeping(self._service.link, source_id, relationship)

    async def get_related(self, memory_id: str, kind: str | None = None, *, depth: int = 1) -> list[MemoryObject]:
        """Return what a memory is linked to, by links of one type or of all, so many steps away (Q-42, Q-53)."""
        wanted = None if kind is None else parse_value(RelationshipType, kind, "type")
        steps = parse_value(PositiveCount, depth, "depth")
        return await asyncio.to_thread(self._service.related, memory_id, wanted, steps)

    # --- the report ----------------------------------------------------------------------------------------------

    async def get_quality_report(self) -> dict[str, Any]:
        """Return the report over all memories (Q-54, Q-56)."""
        await asyncio.to_thread(self._service.adopt)
        figures = await asyncio.to_thread(self._service.figures)
        return make_report(figures, self._settings.quality)

    async def _keeping(self, change: Callable[..., Result], *given: Any, **named: Any) -> Result:
        return await asyncio.to_thread(self._service.keeping, change, *given, **named)

    # --- in several steps ----------------------------------------------------------------------------------------

    async def _search(self, asked: RecallRequest) -> list[str]:
        # The pages of one answer are cut from one search, or a memory would stand on two of them, and another on none.
        limits = widen(RecallLimits(), math.ceil((asked.limit + asked.offset) / MOST_RECALLED) * MOST_RECALLED)
        plan = make_plan(asked.query or "", self._settings, self._store.clock(), limits=limits)
        vectors = await remember_queries(self._store.db).embed([one.text for one in plan.variants])
        audience = Audience(narrow=lambda store: self._service.narrow(asked))
        return await asyncio.to_thread(search_ids, self._store, vectors, plan, audience)

    async def _rewrite(self, memory_id: str, content: object) -> None:
        memory = self._service.read(memory_id)
        old = dict(self._store.db.get_all_docs()[memory_id].metadata)
        before = show_content(memory.text, old)
        given = {"text": content} if isinstance(content, str) else content
        if not isinstance(given, Mapping):
            raise QualityError(f"content is {content!r}; allowed: an object, or a text")
        new = parse_new({"content": {**before, **given}})
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

    # --- the specification's own names (T-54) ---------------------------------------------------------------------

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
    """Open the memories in `folder` without a host, as their only writer; what was changed is saved at the end.

    What a method has returned is there again after a kill. Raises StoreError while somebody else has it open: whoever
    saves last would wipe what the other has stored.
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
    """Write what was changed since the last time into a file of lines: a save writes the whole index."""
    with change_lock(type(memory)):
        changed, store.rewritten = store.rewritten, set()
        store.refresh_positions()
        documents, find_vector = store.db.get_all_docs(), store.index.vector
        memory.keep(
            (memory_row(one, documents[one].page_content, documents[one].metadata), vector)
            for one in sorted(changed)
            if one in documents and (vector := find_vector(one)) is not None
        )


async def open_agent_quality(agent: HostAgent, *, clock: Clock = system_clock) -> QualityStore | None:
    """Return the quality store of an agent's folder, as it is now; None while the pack is switched off.

    It shares everything with the hooks, and the host saves what it changes at the end of the turn.
    """
    session = await open_session(agent, clock=clock)
    return None if session is None else open_session_quality(session)


def open_session_quality(session: Session) -> QualityStore:
    """Return the quality store of the folder that a session is about."""
    folder = session.folder
    memory = agent_zero.memory_module().Memory(folder.store.db, folder.store.memory_subdir)
    return QualityStore(memory, QualityService(folder.store, folder.adopter, session.settings, folder.chain))
