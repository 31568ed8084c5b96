"""The quality layer over one store: statements, links, conflicts, checks and exports.

Blocking; call it off the event loop.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, TypeVar

import numpy as np

from ...clock import format_time
from ...contents import CONTENT_KEY, parse_content
from ...errors import RequestError
from ...inbox import ConflictDecision
from ...ledger.authority import Actor
from ...ledger.changes import Forget, Qualify
from ...ledger.classify import classify_memory
from ...ledger.lifecycle import is_classified
from ...maintenance.duplicates import PairOutcome, Surroundings, decide_pair
from ...quality.chain import ChainReport
from ...quality.conflict_record import (
    RANKING,
    Conflict,
    ConflictVerdict,
    RequestKind,
    Resolver,
    Strategy,
    resolve,
    write_conflict,
)
from ...quality.conflicts import detect_conflicts, open_conflict, stated_list
from ...quality.kinds import text_type
from ...quality.objects import (
    SOURCE_OF,
    UNSTORED_ID,
    ArchiveOptions,
    ConflictOptions,
    NewObject,
    QualityError,
    RefreshOptions,
    StrictShare,
    draft,
    parse_given,
    parse_mapping,
    parse_options,
    parse_value,
    with_defaults,
)
from ...quality.relationships import RelationshipType, all_relationships
from ...quality.report import make_report
from ...quality.requests import Bring, archive_change, may_archive, refresh_changes
from ...quality.scores import SourceClass, origin_of
from ...quality.validators import MemoryObject
from ...records import LINEAGE_KEY, Memory, Relationship
from ...setting_groups import PositiveCount
from ...settings import Settings
from ...store.docstore import Store
from ...store.quality_columns import counted, figures_of
from ...vault.taxonomy import SHARED_SCOPE
from ..adoption.adopter import Adopter
from ..adoption.linking import Linker, judge_decision
from ..adoption.trust import ORIGIN_KEY, mark_origin
from .chain import ChainKeeper
from .open_store import find_stale, make_graph, show_memory
from .reading import Checker

ADOPTED_AT_ONCE = 250

#: The default threshold of `get_stale`.
STALE_FROM = 0.5

Result = TypeVar("Result")
#: The keys of an object that describe the memory itself; with other values it describes another memory.
_STATED_KEYS = ("type", "content", "created", "tags", "confidence", "source", "expires", "relationships")


class QualityService:
    """The quality layer of one store; `keep` is called after changes, so that a kill loses nothing."""

    def __init__(
        self,
        store: Store,
        adopter: Adopter,
        settings: Settings,
        keeper: ChainKeeper | None = None,
        *,
        keep: Callable[[Store], None] = lambda store: None,
    ) -> None:
        self.store = store
        self.settings = settings
        self._adopter = adopter
        self._keep_changed = keep
        self._keeper = keeper or ChainKeeper(store, settings.quality.signature)
        self.checker = Checker(store.read_as_found, settings, self._keeper.file, store.clock)
        #: A caller of the interface acts for the person who runs it.
        self._apply = partial(store.apply, by=Actor.PERSON)
        self._linker = Linker(store, self._apply)

    def read(self, memory_id: str) -> Memory:
        """Return a memory that has a status; raises QualityError where there is none."""
        memory = self.store.read(memory_id)
        if memory is None:
            raise QualityError(f"memory {memory_id} is not in {self.store.folder}; allowed: the id of one that is")
        if not is_classified(memory):
            raise QualityError(f"memory {memory_id} has no status yet; allowed: one that has been classified")
        return memory

    def show(self, memory_id: str, report: ChainReport | None = None) -> MemoryObject | None:
        """Return a memory as the interface shows it, None if there is none; with the signature in `report`."""
        return show_memory(self.store, self.settings, memory_id, report)

    def show_all(self, memory_ids: Sequence[str], report: ChainReport | None = None) -> list[MemoryObject]:
        """Return some memories in their order, without those that have gone."""
        return [shown for memory_id in memory_ids if (shown := self.show(memory_id, report)) is not None]

    def ids(self) -> list[str]:
        """Return the ids of all memories, in the order of insertion."""
        with self.store.lock:
            return list(self.store.db.get_all_docs())

    def related(self, memory_id: str, kind: str | None = None, *, depth: int = 1) -> list[MemoryObject]:
        """Return the memories linked to a memory, by links of one type or of all, up to `depth` steps away.

        The nearest come first, without those that have gone or are forgotten.
        """
        wanted = None if kind is None else parse_value(RelationshipType, kind, "type")
        steps = parse_value(PositiveCount, depth, "depth")
        self.read(memory_id)

        def exists(other_id: str) -> bool:
            return (other := self.store.read(other_id)) is not None and not other.is_forgotten

        return self.show_all(make_graph(self.store).traverse(memory_id, exists, kind=wanted, depth=steps))

    def state(self, memory_id: str, stated: Mapping[str, Any], source: SourceClass | None = None) -> None:
        """Record stated fields of a memory, without those that follow from its text and its status."""
        memory = self.read(memory_id)
        new_facts = dict(stated)
        if new_facts.get("type") == text_type(memory.text, is_solution=memory.is_solution).value:
            del new_facts["type"]
        if source is not None and source is not SourceClass.TOLD and origin_of(memory) is not source:
            new_facts["source"] = source.value
        if new_facts:
            self.store.apply([Qualify(memory_id=memory_id, stated=new_facts)])

    def set_errors(self, memory_id: str, errors: list[str]) -> None:
        """Record the errors of a memory, if they have changed."""
        memory = self.store.read(memory_id)
        if not is_classified(memory):
            return
        known = memory.quality.validation_errors if memory.quality is not None else ()
        if known != tuple(errors):
            self.store.apply([Qualify(memory_id=memory_id, stated={"validation_errors": tuple(errors)})])

    def refresh(self, memory_id: str, options: Mapping[str, Any] | None = None) -> None:
        """Reset the staleness of a memory, and store a given `confidence`.

        With `verified` it is confirmed as well, and its errors are settled.
        """
        asked, memory, now = parse_options(RefreshOptions, options, "refresh"), self.read(memory_id), self.store.clock()
        self._apply(refresh_changes(memory, at=now, is_verified=asked.verified, confidence=asked.confidence))

    def get_stale(self, threshold: float = STALE_FROM) -> list[MemoryObject]:
        """Return the memories that are at least this stale, the stalest first."""
        least = parse_value(StrictShare, threshold, "threshold")
        self.adopt()
        return self.show_all(find_stale(self.store, self.settings, least))

    def archive_stale(self, options: Mapping[str, Any]) -> int:
        """Archive stale and old memories; return how many, with `dryRun` how many it would be."""
        asked = parse_options(ArchiveOptions, options, "archiveStale")
        self.adopt()
        now, cycle = self.store.clock(), self.store.state.recall_cycle
        allows = partial(may_archive, older_than=asked.older_than, now=now, is_forced=asked.force)
        due = [
            memory_id
            for memory_id in find_stale(self.store, self.settings, asked.threshold)
            if allows(self.store.read(memory_id))
        ]
        if asked.dry_run:
            return len(due)
        return self._apply(archive_change(memory_id, at=now, cycle=cycle) for memory_id in due)

    def forget(self, memory_id: str | Mapping[str, Any], reason: str | None = None) -> bool:
        """Exclude a memory from every recall, on record; return False if it was forgotten before."""
        if isinstance(memory_id, Mapping):
            reason, memory_id = memory_id.get("reason", reason), str(memory_id.get("id"))
        self.read(memory_id)
        return bool(self._apply([Forget(memory_id=memory_id, at=self.store.clock(), reason=reason)]))

    def link(self, source_id: str, value: Mapping[str, Any] | Relationship) -> None:
        """Store a link, unless it follows from other metadata."""
        self._linker.link(self.read(source_id), value)

    def detect(self, memory: Memory | None = None) -> list[Conflict]:
        """Return the conflicts among the memories in use, or of one memory, in the recorded state if there is one."""
        compared: Iterable[Memory] = self._all_compared() if memory is None else self._adopter.candidates(memory)
        if memory is not None and (stated := stated_list(memory)) is not None:
            compared = chain(
                compared, (other for other in self._all_compared() if (stated_list(other) or ("",))[0] == stated[0])
            )
        contradictions = detect_conflicts(compared, at=self.store.clock(), memory=memory)
        return [self.store.conflicts.get(conflict.id) or conflict for conflict in contradictions]

    def _all_compared(self) -> Iterator[Memory]:
        scopes = self.store.mirrored  # one agent's record of the vault is nobody else's conflict
        visible_ids = (memory_id for memory_id in self.ids() if scopes.get(memory_id, SHARED_SCOPE) == SHARED_SCOPE)
        return (memory for memory_id in visible_ids if (memory := self.store.read(memory_id)) is not None)

    def get_conflicts(self, options: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        """Return the recorded conflicts, or the unresolved ones."""
        asked = parse_options(ConflictOptions, options, "getConflicts")
        return [*map(write_conflict, self.store.conflicts.get_conflicts(unresolved=asked.unresolved))]

    def resolve(self, conflict_id: str, strategy: str) -> dict[str, Any]:
        """Resolve a conflict; if the strategy names no winner, it stays open for a person."""
        return write_conflict(self._resolve(conflict_id, parse_value(Strategy, strategy, "strategy")))

    def _resolve(self, conflict_id: str, strategy: Strategy) -> Conflict:
        conflict = self.store.conflicts.get(conflict_id) or next(
            (conflict for conflict in self.detect() if conflict.id == conflict_id), None
        )
        if conflict is None:
            place = self.store.folder
            raise QualityError(f"no conflict {conflict_id} in {place}; allowed: one that getConflicts lists")
        if strategy is Strategy.MANUAL or conflict.is_decided_by_person:
            return self._record_open(conflict)
        moment = self.store.clock()
        action = RequestKind.MERGE if strategy is Strategy.MERGE else RequestKind.DECIDE
        ranking = strategy if strategy in RANKING else None
        asked = ConflictDecision(action=action, memories=conflict.memories, strategy=ranking)
        try:
            _, chosen, changes = judge_decision(self.store, asked, moment)
            for change in changes:
                if isinstance(change, Bring):
                    self._adopter.transfers.bring(change.archived)
        except RequestError:
            return self._record_open(conflict)
        self._apply(change for change in changes if not isinstance(change, Bring))
        verdict = ConflictVerdict.MERGED if action is RequestKind.MERGE else ConflictVerdict.ACCEPTED
        answer = resolve(conflict, strategy, verdict, winner=chosen.keep, at=moment, by=Resolver.AGENT)
        self.store.conflicts.record(answer)
        return answer

    def propose_merges(self, memory_id: str) -> None:
        """Record possible conflicts of a new memory with other lists of the same property, for a person."""
        memory = self.read(memory_id)
        if stated_list(memory) is not None:
            possible = (conflict for conflict in self.detect(memory) if conflict.is_possible)
            self.store.conflicts.record(*(conflict for conflict in possible if conflict.resolution is None))

    def _record_open(self, conflict: Conflict) -> Conflict:
        """Record a conflict for a person, without a change of memories."""
        if self.store.conflicts.get(conflict.id) is None:
            self.store.conflicts.record(conflict)
        return conflict

    def adopt(self) -> None:
        """Adopt new memories, one batch at most; a backlog is left to the hooks."""
        if self.store.has_news() or self._adopter.has_work():
            self._adopter.run(self.settings, limit=ADOPTED_AT_ONCE)

    def check_new(self, new: NewObject) -> list[str]:
        """Return the errors of a memory that is not stored yet."""
        return self.checker.check(draft(new, now=self.store.clock()), self._unstored(new))

    def check_links(self, new: NewObject) -> None:
        """Raise RelationshipError if a link of a memory that is not stored yet leads nowhere."""
        for link in new.relationships:
            self._linker.read_link(UNSTORED_ID, link)

    def _unstored(self, new: NewObject) -> Memory:
        metadata = {CONTENT_KEY: new.content} if new.content is not None else {}
        content = parse_content(new.text, metadata)
        origin = SOURCE_OF[new.source]
        return Memory(id=UNSTORED_ID, text=new.text, created_at=self.store.clock(), content=content, origin=origin)

    def _as_given(self, fields: Mapping[str, Any]) -> Memory | None:
        """Return an object as an unstored memory; None if it has no content, which the rules report."""
        try:
            return self._unstored(parse_given({key: fields[key] for key in ("content", "text") if key in fields}))
        except QualityError:
            return None

    def find_conflicts(self, memory: str | Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        """Return the conflicts of all memories, of a stored one, or of an unstored one."""
        self.adopt()
        known = memory.get("id") if isinstance(memory, Mapping) else memory
        if memory is None:
            conflicts = self.detect()
        elif isinstance(known, str) and (isinstance(memory, str) or self.store.read(known) is not None):
            conflicts = self.detect(self.read(known))
        else:
            unstored = self._unstored(parse_given(parse_mapping(memory, "the memory")))
            change = classify_memory(unstored, (), self.settings, trusts_origin=True)
            conflicts = self.detect(change.apply_to(unstored))
        return [write_conflict(conflict) for conflict in conflicts]

    def metadata_of(self, new: NewObject, *, settles: bool) -> dict[str, Any]:
        """Return the metadata for the insert of a new memory."""
        content = {} if new.content is None else {CONTENT_KEY: new.content}
        trusted_origin = {ORIGIN_KEY: mark_origin(self.store.key, new.text, settles=settles)}
        return {**content, "origin": SOURCE_OF[new.source].value, LINEAGE_KEY: trusted_origin}

    def finish(self, memory_id: str, new: NewObject, errors: list[str] | None, *, detects: bool = True) -> MemoryObject:
        """Classify an inserted memory, record its stated fields, and return it."""
        self.adopt_until(memory_id)
        checked = {} if errors is None else {"validation_errors": tuple(errors), "validated_at": self.store.clock()}
        self.state(memory_id, {**new.stated, **checked}, new.source)
        for link in new.relationships:
            self.link(memory_id, link)
        if detects:
            self.propose_merges(memory_id)
        self.keep()
        shown = self.show(memory_id)
        if shown is None:
            raise QualityError(f"memory {memory_id} was deleted while it was stored; allowed: to store it again")
        conflicts = [conflict for conflict in self.store.conflicts.of_memory(memory_id) if conflict.resolution is None]
        suggestions = self._suggest(memory_id)
        if detects:
            self._ask_about(memory_id, suggestions)
        return shown | {"conflicts": [write_conflict(conflict) for conflict in conflicts], "suggestions": suggestions}

    def adopt_until(self, memory_id: str) -> None:
        """Adopt new memories until a certain memory has its status."""
        while not is_classified(self.store.read(memory_id)):
            if self._adopter.run(self.settings, limit=ADOPTED_AT_ONCE).is_done:
                break

    def _suggest(self, memory_id: str) -> list[dict[str, Any]]:
        """Return suggested links to similar, older memories that a memory has no link to."""
        threshold, top_k = self.settings.quality.relationship_threshold, self.settings.conflict_top_k
        store, suggestions = self.store, []
        links = all_relationships(self.read(memory_id), store.conflicts.of_memory(memory_id))
        linked = {link.target for link in links}
        with store.lock:
            store.refresh_positions()
            vector, position = store.index.vector(memory_id), store.index.position(memory_id)
            if vector is None or position is None:
                return []
            eligible = store.columns.in_use() & counted(store.columns)
            eligible[position] = np.False_
            hits = store.index.search(vector, top_k, eligible)
        for other_id, similarity in hits:
            if similarity > threshold and other_id not in linked:
                reason = f"similarity {similarity:.3f} is above {threshold:g}, and this memory is the newer one"
                suggestions.append({"type": RelationshipType.SUPERSEDES.value, "target": other_id, "reason": reason})
        return suggestions

    def _ask_about(self, memory_id: str, suggestions: Iterable[Mapping[str, Any]]) -> None:
        """Record possible conflicts with near duplicates that no rule decides about, for a person."""
        new, moment, rates = self.read(memory_id), self.store.clock(), self.settings.staleness_config
        around = Surroundings(at=moment, cycle=self.store.state.recall_cycle)
        targets = (suggestion["target"] for suggestion in suggestions)
        for older in (self.read(target) for target in targets if target not in self.store.mirrored):
            decision = decide_pair(older, new, self.settings.deduplication, around)
            if decision.outcome in (PairOutcome.REVIEW, PairOutcome.KEPT):
                self._record_open(
                    open_conflict(older, new, at=moment, reasons=(decision.why,), rates=rates, is_possible=True)
                )

    def validate(self, memory: str | Mapping[str, Any]) -> dict[str, Any]:
        """Check a memory and return `valid`, `errors` and `notes`; the errors of a stored memory are recorded."""
        memory_id = memory if isinstance(memory, str) else str(memory.get("id"))
        shown = self.show(memory_id)
        if isinstance(memory, str) and shown is None:
            raise QualityError(f"memory {memory_id} is not in {self.store.folder}; allowed: the id of one that is")
        fields = shown or {} if isinstance(memory, str) else with_defaults(memory)
        if shown is None or any(fields.get(key) != shown.get(key) for key in _STATED_KEYS):
            errors = self.checker.check(fields, self._as_given(fields))
            return {"valid": not errors, "errors": errors, "notes": ["not stored"]}
        self._keeper.catch_up()
        proof, notes = self.checker.prove(memory_id, self.checker.verify_chain())
        errors = self.checker.check(fields, self.store.read(memory_id), proof)
        self.set_errors(memory_id, errors)
        return {"valid": not errors, "errors": errors, "notes": notes}

    def check_again(self, memory_id: str) -> None:
        """Check a memory again after a change of its text."""
        memory, shown = self.store.read(memory_id), self.show(memory_id)
        if memory is not None and shown is not None:
            self.set_errors(memory_id, self.checker.check(shown, memory))

    def report(self) -> dict[str, Any]:
        """Return the report about all memories."""
        self.adopt()
        with self.store.lock:
            self.store.refresh_positions()
            columns, ids = self.store.columns, self.store.index.ids
            figures = figures_of(columns, ids, self.store.conflicts, self.settings, self.store.clock())
        return make_report(figures, self.settings.quality)

    def export(self) -> dict[str, Any]:
        """Return an export: a manifest, the signing key, and the memories with their signatures."""
        self._keeper.catch_up()
        memories = self.show_all(self.ids(), self.checker.verify_chain())
        text = json.dumps(memories, ensure_ascii=False, sort_keys=True)
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        manifest = {
            "version": "0.1.0",
            "exported": format_time(self.store.clock()),
            "memoryCount": len(memories),
            "sha256": digest,
        }
        return {"manifest": manifest, "identity": self._keeper.file.keys.describe(), "memories": memories}

    def verify(self) -> dict[str, Any]:
        """Verify chain and signatures of all memories; the first error names the first break."""
        self._keeper.catch_up()
        report = self.checker.verify_chain()
        return {
            "valid": report.is_intact,
            "chainIntact": report.is_intact,
            "signaturesValid": not report.signature_errors,
            "memoryCount": len(self.store),
            "errors": [str(chain_break) for chain_break in report.in_order],
        }

    def keeping(self, change: Callable[..., Result], *arguments: Any, **named: Any) -> Result:
        """Make a change, and keep it before the result is returned, so that a kill does not undo it."""
        result = change(*arguments, **named)
        self._keep_changed(self.store)
        return result

    def keep(self) -> None:
        """Keep new and rewritten memories, and chain them afterwards, so that no chained memory can be lost."""
        self._keep_changed(self.store)
        self._keeper.catch_up()

    def take_over(self, recovered: Collection[str]) -> None:
        """Continue after a kill: the `recovered` memories were changed by this pack."""
        self._keeper.expect(recovered)
        self.store.is_dirty |= bool(recovered)
        self.store.conflicts.settle_gone(self.store.clock())

    def save(self) -> None:
        """Save the store; a host does so at the end of every turn as well."""
        self._keeper.catch_up()
        if not self.store.save():
            self.store.save_state()
