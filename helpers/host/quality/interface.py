"""The quality interface over a memory folder: one object with the specification's methods.

The methods are async; the specification's own names are aliases. Arguments and results are plain JSON values under the
specification's keys. There is no state here: memories, conflicts and links are those of the store that recall, adoption
and the terminal work with.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from langchain_core.documents import Document
from pydantic.alias_generators import to_camel

from ...contents import CONTENT_KEY
from ...ledger.authority import Actor
from ...ledger.changes import Forget, Qualify
from ...ledger.classify import classify_memory
from ...ledger.lifecycle import is_classified, status_of
from ...quality.chain import ChainReport
from ...quality.conflict_record import Strategy, write_conflict
from ...quality.kinds import text_type
from ...quality.objects import (
    UNSTORED_ID,
    ArchiveOptions,
    ConflictOptions,
    NewObject,
    QualityError,
    RecallRequest,
    RefreshOptions,
    RememberOptions,
    StrictShare,
    ValidationError,
    make_export,
    parse_changes,
    parse_given,
    parse_mapping,
    parse_new,
    parse_options,
    parse_value,
    show_content,
    show_memory,
    with_defaults,
)
from ...quality.relationships import RelationshipType
from ...quality.report import make_report
from ...quality.requests import archive_change, refresh_changes
from ...quality.scores import SourceClass, origin_of
from ...quality.validators import MemoryObject
from ...records import LINEAGE_KEY, Memory, Quality, Relationship, parse_memory
from ...setting_groups import PositiveCount
from ...settings import Settings
from ...store.docstore import Store
from ...store.quality_columns import figures_of
from ..adoption.adopter import Adopter
from ..adoption.linking import Linker
from ..adoption.trust import ORIGIN_KEY, mark_origin
from .chain import ChainKeeper
from .open_store import (
    ask_about,
    decide,
    detect,
    find_archivable,
    find_related,
    find_stale,
    list_newest,
    search,
    suggest,
)
from .reading import Checker

Result = TypeVar("Result")
Given = ParamSpec("Given")

ADOPTED_AT_ONCE = 250
#: The keys of an object that describe the memory itself; with other values it describes another memory.
_STATED_KEYS = ("type", "content", "created", "tags", "confidence", "source", "expires", "relationships")


def _in_thread(
    method: Callable[Concatenate[QualityStore, Given], Result],
) -> Callable[Concatenate[QualityStore, Given], Coroutine[Any, Any, Result]]:
    """Make a blocking method async: it runs in a thread, and a kill after it has returned undoes no change."""

    @wraps(method)
    async def call(self: QualityStore, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        def change() -> Result:
            result = method(self, *args, **kwargs)
            self._keep_changed(self._store)
            return result

        return await asyncio.to_thread(change)

    return call


class QualityStore:
    """The memories of one folder with their quality; `memory` is the host's object, or a stand-in.

    A caller acts for the person who runs the program. `keep` is called after every change.
    """

    def __init__(
        self,
        memory: Any,
        adopter: Adopter,
        settings: Settings,
        keeper: ChainKeeper,
        *,
        keep: Callable[[Store], None] = lambda store: None,
    ) -> None:
        self._memory = memory
        self._adopter = adopter
        self._store = store = adopter.store
        self._settings = settings
        self._keep_changed = keep
        self._keeper = keeper
        self._checker = Checker(store.read_as_found, settings, self._keeper.file, store.clock)
        self._apply = partial(store.apply, by=Actor.PERSON)
        self._linker = Linker(store, self._apply)

    async def remember(self, memory: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> MemoryObject:
        """Store a memory and return it as stored, with suggested links and its conflicts.

        Raises ValidationError for a rejected memory, and QualityError where it cannot be stored.
        """
        checks, new = parse_options(RememberOptions, options, "remember"), parse_new(memory)
        errors = await self._check_new(new, checks)
        lineage = {ORIGIN_KEY: mark_origin(self._store.key, new.text, settles=checks.detect_conflicts)}
        memory_id = str(await self._memory.insert_text(new.text, {**new.metadata, LINEAGE_KEY: lineage}))
        return await self._finish(memory_id, new, errors, detects=checks.detect_conflicts)

    async def recall(self, request: Mapping[str, Any] | None = None) -> list[MemoryObject]:
        """Return the memories that match the request, the best first, or without a query the newest first.

        The filters apply before the search.
        """
        asked = parse_options(RecallRequest, request, "recall")
        await asyncio.to_thread(self._adopt)
        if asked.query is None or not asked.query.strip():
            ids = await asyncio.to_thread(list_newest, self._store, self._settings, asked)
        elif not asked.limit:
            return []
        else:
            ids = await search(self._store, self._settings, asked)
        return await asyncio.to_thread(self._show_all, ids)

    async def update(self, memory_id: str, changes: Mapping[str, Any]) -> MemoryObject:
        """Merge content into that of a memory, and state the other fields; a new text is classified anew."""
        content, stated = parse_changes(changes)
        if content is not None:
            await self._rewrite(memory_id, content)
        return await self._restate(memory_id, stated, is_rewritten=content is not None)

    @_in_thread
    def get(self, memory_id: str) -> MemoryObject | None:
        """Return a memory, None if there is none."""
        return self._find(memory_id)

    @_in_thread
    def forget(self, memory_id: str | Mapping[str, Any], reason: str | None = None) -> bool:
        """Exclude a memory from every recall, on record; return False if it was forgotten before."""
        if isinstance(memory_id, Mapping):
            reason, memory_id = memory_id.get("reason", reason), str(memory_id.get("id"))
        self._read(memory_id)
        return bool(self._apply([Forget(memory_id=memory_id, at=self._store.clock(), reason=reason)]))

    @_in_thread
    def export(self) -> dict[str, Any]:
        """Return an export: a manifest, the signing key, and the memories with their signatures."""
        chain = self._verify_chain()
        with self._store.lock:
            ids = list(self._store.db.get_all_docs())
        identity = self._keeper.file.keys.describe()
        return make_export(self._show_all(ids, chain), identity, self._store.clock())

    @_in_thread
    def verify(self) -> dict[str, Any]:
        """Verify chain and signatures of all memories; the first error names the first break."""
        chain = self._verify_chain()
        return {
            "valid": chain.is_intact,
            "chainIntact": chain.is_intact,
            "signaturesValid": not chain.signature_errors,
            "memoryCount": len(self._store),
            "errors": [*map(str, chain.in_order)],
        }

    @_in_thread
    def detect_conflicts(self, memory: str | Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        """Return the conflicts of all memories, of a stored one, or of an unstored one."""
        self._adopt()
        known = memory.get("id") if isinstance(memory, Mapping) else memory
        subject: Memory | None = None
        if isinstance(known, str) and (isinstance(memory, str) or self._store.read(known) is not None):
            subject = self._read(known)
        elif memory is not None:
            subject = self._unstored(parse_given(memory))
        return [*map(write_conflict, detect(self._adopter, subject))]

    @_in_thread
    def get_conflicts(self, options: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        """Return the recorded conflicts, or the unresolved ones."""
        asked = parse_options(ConflictOptions, options, "getConflicts")
        return [*map(write_conflict, self._store.conflicts.get_conflicts(unresolved=asked.unresolved))]

    @_in_thread
    def resolve_conflict(self, conflict_id: str, strategy: str) -> dict[str, Any]:
        """Resolve a conflict; if the strategy names no winner, it stays open for a person."""
        chosen = parse_value(Strategy, strategy, "strategy")
        conflict = self._store.conflicts.get(conflict_id) or next(
            (conflict for conflict in detect(self._adopter) if conflict.id == conflict_id), None
        )
        if conflict is None:
            place = self._store.folder
            raise QualityError(f"no conflict {conflict_id} in {place}; allowed: one that getConflicts lists")
        return write_conflict(decide(self._adopter, conflict, chosen))

    @_in_thread
    def refresh_memory(self, memory_id: str, options: Mapping[str, Any] | None = None) -> None:
        """Reset the staleness of a memory, and store a given `confidence`.

        With `verified` it is confirmed as well, and its errors are settled.
        """
        asked, memory = parse_options(RefreshOptions, options, "refresh"), self._read(memory_id)
        now = self._store.clock()
        self._apply(refresh_changes(memory, at=now, is_verified=asked.verified, confidence=asked.confidence))

    @_in_thread
    def get_stale(self, threshold: float = 0.5) -> list[MemoryObject]:
        """Return the memories that are at least this stale, the stalest first."""
        least = parse_value(StrictShare, threshold, "threshold")
        self._adopt()
        return self._show_all(find_stale(self._store, self._settings, least))

    @_in_thread
    def archive_stale(self, options: Mapping[str, Any]) -> int:
        """Archive stale and old memories; return how many, with `dryRun` how many it would be."""
        asked = parse_options(ArchiveOptions, options, "archiveStale")
        self._adopt()
        due = find_archivable(self._store, self._settings, asked)
        if asked.dry_run:
            return len(due)
        now, cycle = self._store.clock(), self._store.state.recall_cycle
        return self._apply(archive_change(memory_id, at=now, cycle=cycle) for memory_id in due)

    @_in_thread
    def validate(self, memory: str | Mapping[str, Any]) -> dict[str, Any]:
        """Check a memory and return `valid`, `errors` and `notes`; the errors of a stored memory are recorded.

        A part of a stored memory stands for all of it. With a value that is not the stored one it describes another
        memory, which is not stored.
        """
        given: MemoryObject = {"id": memory} if isinstance(memory, str) else {**parse_mapping(memory, "the memory")}
        memory_id = str(given.get("id"))
        shown = self._show(memory_id) if isinstance(memory, str) else self._find(memory_id) or {}
        if "text" in given:
            given.setdefault("content", {"text": given["text"]})
        fields = with_defaults({**shown, **given})
        if not shown or any(fields[key] != shown[key] for key in _STATED_KEYS):
            subject: Memory | None = None
            with suppress(QualityError):  # the rules report that it has no content
                subject = self._unstored(parse_given({"content": fields.get("content")}))
            errors, notes = self._checker.check(fields, subject), ["not stored"]
        else:
            proof, notes = self._checker.prove(memory_id, self._verify_chain())
            errors = self._checker.check(fields, self._store.read(memory_id), proof)
            self._set_errors(memory_id, errors)
        return {"valid": not errors, "errors": errors, "notes": notes}

    def add_validator(self, validator: object) -> None:
        """Register a custom rule: `name`, `types` and `validate`."""
        self._checker.add(validator)

    @_in_thread
    def add_relationship(self, source_id: str, value: Mapping[str, Any] | Relationship) -> None:
        """Store a link, unless it follows from other metadata."""
        self._linker.link(self._read(source_id), value)

    @_in_thread
    def get_related(self, memory_id: str, kind: str | None = None, *, depth: int = 1) -> list[MemoryObject]:
        """Return the memories linked to a memory, by links of one type or of all, up to `depth` steps away.

        The nearest come first, without those that have gone or are forgotten.
        """
        wanted = None if kind is None else parse_value(RelationshipType, kind, "type")
        steps = parse_value(PositiveCount, depth, "depth")
        self._read(memory_id)
        return self._show_all(find_related(self._store, memory_id, wanted, steps))

    @_in_thread
    def get_quality_report(self) -> dict[str, Any]:
        """Return the report about all memories."""
        self._adopt()
        store, settings = self._store, self._settings
        with store.lock:
            store.refresh_positions()
            figures = figures_of(store.columns, store.index.ids, store.conflicts, settings, store.clock())
        return make_report(figures, settings.quality)

    @_in_thread
    def save(self) -> None:
        """Save the store; a host does so at the end of every turn as well."""
        self._keeper.catch_up()
        if not self._store.save():
            self._store.save_state()

    refresh = refresh_memory

    def _read(self, memory_id: str) -> Memory:
        """Return a memory that has a status; raises QualityError where there is none."""
        memory = self._store.read(memory_id)
        if memory is None:
            raise self._missing(memory_id)
        if not is_classified(memory):
            raise QualityError(f"memory {memory_id} has no status yet; allowed: one that has been classified")
        return memory

    def _verify_chain(self) -> ChainReport:
        self._keeper.catch_up()
        return self._checker.verify_chain()

    def _find(self, memory_id: str, chain: ChainReport | None = None) -> MemoryObject | None:
        """Return a memory as the interface shows it, None if there is none; with the signature in `chain`."""
        memory, document = self._store.read(memory_id), self._store.db.get_all_docs().get(memory_id)
        if memory is None or document is None:
            return None
        signature = chain.lines.get(memory_id, {}).get("signature") if chain is not None else None
        find, now = self._store.conflicts.of_memory, self._store.clock()
        return show_memory(memory, document.metadata, find, self._settings, now, signature)

    def _show(self, memory_id: str) -> MemoryObject:
        """Return a memory as the interface shows it; raises QualityError if there is none."""
        if (shown := self._find(memory_id)) is None:
            raise self._missing(memory_id)
        return shown

    def _missing(self, memory_id: str) -> QualityError:
        return QualityError(f"memory {memory_id} is not in {self._store.folder}; allowed: the id of one that is")

    def _show_all(self, memory_ids: Iterable[str], chain: ChainReport | None = None) -> list[MemoryObject]:
        """Return some memories in their order, without those that have gone."""
        return [shown for memory_id in memory_ids if (shown := self._find(memory_id, chain)) is not None]

    def _adopt(self) -> None:
        """Adopt new memories, one batch at most; a backlog is left to the hooks."""
        if self._store.has_news() or self._adopter.has_work():
            self._adopter.run(self._settings, limit=ADOPTED_AT_ONCE)

    def _adopt_until(self, memory_id: str) -> None:
        """Adopt new memories until a certain memory has its status."""
        while not is_classified(self._store.read(memory_id)):
            if self._adopter.run(self._settings, limit=ADOPTED_AT_ONCE).is_done:
                break

    def _unstored(self, new: NewObject, links: Iterable[Relationship] = ()) -> Memory:
        """Return a new memory as it would be stored."""
        plain, _ = parse_memory(UNSTORED_ID, new.text, new.metadata, inserted_at=self._store.clock())
        quality = Quality(**new.stated, source=new.source.value, relationships=tuple(links))
        change = classify_memory(plain, (), self._settings, trusts_origin=True)
        return replace(change.apply_to(plain), quality=quality)

    @_in_thread
    def _check_new(self, new: NewObject, checks: RememberOptions) -> list[str] | None:
        """Return the errors of a new memory that are to be recorded, None if it is not to be checked.

        Raises ValidationError for a rejected memory, and RelationshipError if a link leads nowhere.
        """
        self._adopt()
        links = [self._linker.read_link(UNSTORED_ID, link)[0] for link in new.relationships]
        if not checks.is_validated and not new.invalid:
            return None
        memory = self._unstored(new, links)
        find, now = self._store.conflicts.of_memory, self._store.clock()
        shown = show_memory(memory, new.metadata, find, self._settings, now) | new.invalid
        errors = self._checker.check(shown, memory)
        if errors and (checks.reject_invalid or not checks.is_validated):
            raise ValidationError(errors)
        return errors

    @_in_thread
    def _finish(self, memory_id: str, new: NewObject, errors: list[str] | None, *, detects: bool) -> MemoryObject:
        """Classify an inserted memory, record its stated fields, and return it."""
        self._adopt_until(memory_id)
        checked = {} if errors is None else {"validation_errors": tuple(errors), "validated_at": self._store.clock()}
        is_plain = new.source in (SourceClass.TOLD, origin_of(self._read(memory_id)))
        origin = {} if is_plain else {"source": new.source.value}
        self._state(memory_id, {**new.stated, **checked, **origin})
        for link in new.relationships:
            self._linker.link(self._read(memory_id), link)
        stored = self._read(memory_id)
        suggestions = suggest(self._store, self._settings, stored)
        if detects:
            ask_about(self._adopter, self._settings, stored, [str(link["target"]) for link in suggestions])
        self._keep_new()
        shown = self._show(memory_id)
        conflicts = [conflict for conflict in self._store.conflicts.of_memory(memory_id) if conflict.resolution is None]
        return shown | {"conflicts": [*map(write_conflict, conflicts)], "suggestions": suggestions}

    @_in_thread
    def _restate(self, memory_id: str, stated: Mapping[str, Any], *, is_rewritten: bool) -> MemoryObject:
        """Record stated fields of a changed memory, adopt and check a rewritten one again, and return it."""
        if is_rewritten:
            self._adopt()
            self._adopt_until(memory_id)
            self._keep_new()
        self._state(memory_id, {**stated, "updated": self._store.clock()})
        if is_rewritten:
            self._set_errors(memory_id, self._checker.check(self._show(memory_id), self._read(memory_id)))
        return self._show(memory_id)

    def _state(self, memory_id: str, stated: Mapping[str, Any]) -> None:
        """Record stated fields of a memory, without a type that its text has anyway."""
        memory, fields = self._read(memory_id), dict(stated)
        if fields.get("type") == text_type(memory.text, is_solution=memory.is_solution).value:
            del fields["type"]
        if fields:
            self._store.apply([Qualify(memory_id=memory_id, stated=fields)])

    def _set_errors(self, memory_id: str, errors: list[str]) -> None:
        """Record the errors of a memory, if they have changed."""
        memory = self._store.read(memory_id)
        known = memory.quality.validation_errors if memory is not None and memory.quality is not None else ()
        if is_classified(memory) and known != tuple(errors):
            self._store.apply([Qualify(memory_id=memory_id, stated={"validation_errors": tuple(errors)})])

    def _keep_new(self) -> None:
        """Keep new and rewritten memories, and chain them afterwards, so that no chained memory can be lost."""
        self._keep_changed(self._store)
        self._keeper.catch_up()

    async def _rewrite(self, memory_id: str, content: object) -> None:
        memory = self._read(memory_id)
        old = dict(self._store.db.get_all_docs()[memory_id].metadata)
        merged = {"text": content} if isinstance(content, str) else parse_mapping(content, "content")
        new = parse_new({"content": {**show_content(memory.text, old), **merged}})
        metadata = {key: value for key, value in old.items() if key != CONTENT_KEY} | new.metadata
        metadata["origin"] = status_of(memory)[0].source.value
        trusted_origin = {ORIGIN_KEY: mark_origin(self._store.key, new.text, settles=True)}
        metadata[LINEAGE_KEY] = {**old.get(LINEAGE_KEY, {}), **trusted_origin}
        await self._memory.update_documents([Document(page_content=new.text, metadata={**metadata, "id": memory_id})])


for _name in [name for name in vars(QualityStore) if "_" in name.strip("_") and not name.startswith("_")]:
    setattr(QualityStore, to_camel(_name), getattr(QualityStore, _name))
