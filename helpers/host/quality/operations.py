"""What the quality store does off the event loop: store, suggest, check, export, verify.

Everything here blocks.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

import numpy as np

from ...clock import format_time
from ...contents import CONTENT_KEY, parse_content
from ...ledger.classify import classify_memory
from ...ledger.lifecycle import is_classified
from ...quality.conflict_record import write_conflict
from ...quality.objects import (
    SOURCE_OF,
    UNSTORED_ID,
    NewObject,
    QualityError,
    draft,
    parse_given,
    parse_mapping,
    with_defaults,
)
from ...quality.relationships import RelationshipType
from ...quality.validators import MemoryObject
from ...records import LINEAGE_KEY, Memory
from ...settings import Settings
from ..adoption.adopter import Adopter
from ..adoption.trusted_origin import ORIGIN_KEY, mark_origin
from ..docstore.store import Store
from .backends import QualityBackend
from .chain_file import ChainFile
from .chain_keeper import ChainKeeper
from .checking import Checker
from .reading import QualityReader
from .signing import KeyRing
from .writing import Writer

ADOPTED_AT_ONCE = 250

Result = TypeVar("Result")
#: What of an object says something about the memory itself: of another one, another memory is asked about.
_STATED_KEYS = ("type", "content", "created", "tags", "confidence", "source", "expires", "relationships")


class Operations:
    """One store with all that the quality layer needs to work on it."""

    def __init__(
        self,
        backend: QualityBackend,
        store: Store,
        adopter: Adopter,
        settings: Settings,
        keeper: ChainKeeper | None = None,
    ) -> None:
        self._backend = backend
        self._store = store
        self._adopter = adopter
        self._settings = settings
        keys = KeyRing(store.folder, settings.quality.signature, store.clock)
        self._keeper = keeper or ChainKeeper(store, ChainFile(store.folder, keys))
        self._reader = QualityReader(store, settings)
        self._writer = Writer(self._reader, adopter.candidates, adopter.transfers.bring)
        self._checker = Checker(store, settings, self._keeper.file)

    def _adopt(self) -> None:
        """Take in what is new; a backlog is left to the hooks, but for what is asked for."""
        if self._store.has_news() or self._adopter.has_work():
            self._adopter.run(self._settings, limit=ADOPTED_AT_ONCE)

    def _check_new(self, new: NewObject) -> list[str]:
        return self._checker.check(draft(new, now=self._store.clock()), self._unstored(new))

    def _check_links(self, new: NewObject) -> None:
        """Refuse a memory whose links lead nowhere before it is stored; raises RelationshipError (Q-52)."""
        for link in (*new.relationships, *map(_derived_from, new.derived_from)):
            self._writer.linker.read_link(UNSTORED_ID, link)

    def _unstored(self, new: NewObject) -> Memory:
        metadata = {CONTENT_KEY: new.content} if new.content is not None else {}
        content = parse_content(new.text, metadata)
        origin = SOURCE_OF[new.source]
        return Memory(id=UNSTORED_ID, text=new.text, created_at=self._store.clock(), content=content, origin=origin)

    def _as_given(self, given: Mapping[str, Any]) -> Memory | None:
        """Return what a memory says that somebody gives; None where it says nothing, which is for the rules to find."""
        try:
            return self._unstored(parse_given({key: given[key] for key in ("content", "text") if key in given}))
        except QualityError:
            return None

    def _detect(self, memory: str | Mapping[str, Any] | None) -> list[dict[str, Any]]:
        """Look for conflicts: of all memories, of one that is stored, or of one that might be (Q-43)."""
        self._adopt()
        known = memory.get("id") if isinstance(memory, Mapping) else memory
        if memory is None:
            found = self._writer.detect()
        elif isinstance(known, str) and (isinstance(memory, str) or self._store.read(known) is not None):
            found = self._writer.detect(self._reader.read(known))
        else:
            unstored = self._unstored(parse_given(parse_mapping(memory, "the memory")))
            change = classify_memory(unstored, (), self._settings, trusts_origin=True)
            found = self._writer.detect(change.apply_to(unstored))
        return [write_conflict(one) for one in found]

    def _metadata_of(self, new: NewObject, *, settles: bool) -> dict[str, Any]:
        content = {} if new.content is None else {CONTENT_KEY: new.content}
        trusted_origin = {ORIGIN_KEY: mark_origin(self._store.key, new.text, settles=settles)}
        return {**content, "origin": SOURCE_OF[new.source].value, LINEAGE_KEY: trusted_origin}

    def _finish(self, memory_id: str, new: NewObject, errors: list[str] | None) -> MemoryObject:
        """Classify what was inserted, put on record what was stated, and return it (Q-40, Q-69)."""
        self._adopt_until(memory_id)
        checked = {} if errors is None else {"validation_errors": tuple(errors), "validated_at": self._store.clock()}
        self._writer.state(memory_id, {**new.stated, **checked}, new.source)
        for source_id in new.derived_from:
            self._writer.link(memory_id, _derived_from(source_id))
        for link in new.relationships:
            self._writer.link(memory_id, link)
        self._keep()
        shown = self._reader.show(memory_id)
        if shown is None:
            raise QualityError(f"memory {memory_id} was deleted while it was stored; allowed: to store it again")
        conflicts = [one for one in self._store.conflicts.of_memory(memory_id) if one.resolution is None]
        return shown | {
            "conflicts": [write_conflict(one) for one in conflicts],
            "suggestions": self._suggest(memory_id),
        }

    def _adopt_until(self, memory_id: str) -> None:
        while not is_classified(self._store.read(memory_id)):
            if self._adopter.run(self._settings, limit=ADOPTED_AT_ONCE).is_done:
                break

    def _suggest(self, memory_id: str) -> list[dict[str, Any]]:
        """Return the links that similar, older memories suggest: to none that it is linked to or contradicts.

        None is made (Q-40, Q-67).
        """
        threshold, top_k = self._settings.quality.relationship_threshold, self._settings.conflict_top_k
        store, found = self._store, []
        linked = {target for _, target in self._reader.graph().neighbours(memory_id)}
        with store.lock:
            store.refresh_positions()
            vector, position = store.index.vector(memory_id), store.index.position(memory_id)
            if vector is None or position is None:
                return []
            eligible = store.columns.in_use() & self._reader.known(len(store.columns))
            eligible[position] = np.False_
            hits = store.index.search(vector, top_k, eligible)
        for other_id, similarity in hits:
            if similarity > threshold and other_id not in linked:
                reason = f"similarity {similarity:.3f} is above {threshold:g}, and this memory is the newer one"
                found.append({"type": RelationshipType.SUPERSEDES.value, "target": other_id, "reason": reason})
        return found

    def _validate(self, memory: str | Mapping[str, Any]) -> dict[str, Any]:
        given = None if isinstance(memory, str) else with_defaults(memory)
        memory_id = memory if isinstance(memory, str) else str(memory.get("id"))
        stored = self._store.read(memory_id)
        if given is None and stored is None:
            raise QualityError(f"memory {memory_id} is not in {self._store.folder}; allowed: the id of one that is")
        if stored is None:
            errors = self._checker.check(given or {}, self._as_given(given or {}))
            return {"valid": not errors, "errors": errors, "notes": ["not stored"]}
        self._keeper.catch_up()
        report = self._checker.verify_chain()
        shown = self._reader.show(memory_id) or {}
        says_other = given is not None and given.get("content") != shown.get("content")
        read = self._as_given(given or {}) if says_other else stored
        errors = self._checker.check(given or shown, read, self._checker.proof(memory_id, report))
        if given is None or all(given.get(key) == shown.get(key) for key in _STATED_KEYS):
            self._writer.set_errors(memory_id, errors)
        return {"valid": not errors, "errors": errors, "notes": [*self._checker.proof(memory_id, report).notes]}

    def _check_again(self, memory_id: str) -> None:
        """Another text has other errors; its line of the chain is new (Q-34)."""
        memory, shown = self._store.read(memory_id), self._reader.show(memory_id)
        if memory is not None and shown is not None:
            self._writer.set_errors(memory_id, self._checker.check(shown, memory))

    def _export(self) -> dict[str, Any]:
        self._keeper.catch_up()
        report = self._checker.verify_chain()
        memories = [shown for one in self._reader.ids() if (shown := self._reader.show(one, report)) is not None]
        text = json.dumps(memories, ensure_ascii=False, sort_keys=True)
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        manifest = {
            "version": "0.1.0",
            "exported": format_time(self._store.clock()),
            "memoryCount": len(memories),
            "sha256": digest,
        }
        return {"manifest": manifest, "identity": self._keeper.file.keys.describe(), "memories": memories}

    def _verify(self) -> dict[str, Any]:
        self._keeper.catch_up()
        report = self._checker.verify_chain()
        return {
            "valid": report.is_intact,
            "chainIntact": report.is_intact,
            "signaturesValid": not report.signature_errors,
            "memoryCount": len(self._store),
            "errors": [str(one) for one in report.in_order],
        }

    def _keeping(self, change: Callable[..., Result], *given: Any, **named: Any) -> Result:
        """Make a change; once it is returned, a kill does not take it back."""
        result = change(*given, **named)
        self._backend.keep(self._store)
        return result

    def _keep(self) -> None:
        """Keep what came or was rewritten, and chain it: what is chained is never gone."""
        self._backend.keep(self._store)
        self._keeper.catch_up()

    def take_over(self, recovered: Collection[str]) -> None:
        """Go on from where a process was killed: `recovered` were changed by it, and not by anybody behind its back."""
        self._keeper.expect(recovered)
        self._store.is_dirty |= bool(recovered)
        self._store.conflicts.settle_gone(self._store.clock())

    def _save(self) -> None:
        self._keeper.catch_up()
        if not self._store.save():
            self._store.save_state()


def _derived_from(source_id: str) -> dict[str, Any]:
    return {"type": RelationshipType.DERIVED_FROM.value, "target": source_id}
