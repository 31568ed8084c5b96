"""The vault of one memory folder: every write passes the gate, under the file's lock.

It needs no host. A rejected text is a result, not an exception; VaultError is raised for an invalid id.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ...clock import Clock, system_clock
from ...errors import MemoryLedgerError, shorten
from ...ledger.authority import Act, Actor
from ...setting_groups import Vault
from ...store.vault_file import VaultFile
from ...vault import reading
from ...vault.gate import Draft, Rejection, Rules, check_draft, check_place, check_rewrite, find_owner, find_upsert
from ...vault.reading import build_memory_text, build_snapshot, find_fitting, parse_scopes
from ...vault.record import VaultContents, VaultRecord, writer_of
from ...vault.taxonomy import ID_LENGTH, SHARED_SCOPE, Origin, Tier

Scopes = str | Collection[str] | None
Action = Literal["added", "updated", "promoted", "reverted", "rejected"]
_PROFILES = "agents"
#: `usr/projects/<name>/.a0proj/memory` is the deepest memory folder below Agent Zero's own.
_MOST_LEVELS = 6


def configured_agents(folder: Path) -> frozenset[str]:
    """Return the profiles in the `agents` folders above a memory folder: Agent Zero's, the user's, a project's."""
    names: set[str] = set()
    for above in list(folder.absolute().parents)[:_MOST_LEVELS]:
        try:
            with os.scandir(above / _PROFILES) as entries:
                names |= {entry.name for entry in entries if entry.is_dir() and entry.name[0] not in "._"}
        except OSError:  # most folders have none
            continue
    return frozenset(names)


class VaultError(MemoryLedgerError):
    """A named record is missing, or cannot be changed as requested."""


class UnknownRecord(VaultError):
    """No active record has the named id."""


class NotYours(VaultError):
    """An actor wants to change a record of somebody else."""

    def __init__(self, record_id: str, message: str) -> None:
        self.record_id = record_id
        super().__init__(message)


class VaultChanged(VaultError):
    """A record has changed since it was shown."""


class Written(NamedTuple):
    """The result of a write: the record as stored, or the rejection."""

    action: Action
    record: VaultRecord | None = None
    rejection: Rejection | None = None

    def __bool__(self) -> bool:
        return self.record is not None


class DeletionResult(NamedTuple):
    """The tombstones that a deletion wrote, and the ids that name no active record."""

    records: tuple[VaultRecord, ...]
    unknown: tuple[str, ...]


class Compacted(NamedTuple):
    """The number of lines before and after; `unreadable` ones are kept as they are."""

    lines_before: int
    lines_after: int
    unreadable: int = 0

    @property
    def removed(self) -> int:
        """The number of removed lines."""
        return self.lines_before - self.lines_after


class VaultStore:
    """The records of one vault: create, read, update, delete, search and curate; `scopes` are valid beside `shared`.

    Several stores may share one open `file`. The `source` of a write names the writer: an agent may not change a record
    that a person has entered, and one with the user's words only by newer words; else NotYours is raised.
    """

    def __init__(
        self,
        folder: Path,
        settings: Vault | None = None,
        *,
        scopes: Iterable[str] = (),
        clock: Clock = system_clock,
        make_id: Callable[[], str] = lambda: secrets.token_hex(ID_LENGTH // 2),
        file: VaultFile | None = None,
    ) -> None:
        self.file = file or VaultFile(folder)
        self.settings = settings or Vault()
        self._given_scopes = tuple(scopes)
        self._clock = clock
        self._make_id = make_id

    @property
    def scopes(self) -> frozenset[str]:
        """The scopes that may be written to."""
        return frozenset((SHARED_SCOPE, *self.settings.agents, *self._given_scopes))

    @property
    def _rules(self) -> Rules:
        return Rules(self.scopes, self.settings.journal_signals, self.settings.max_active)

    def add_memory(
        self,
        text: str,
        scope: str,
        category: str,
        *,
        tier: str = Tier.CANON,
        topic_id: str | None = None,
        tags: Collection[str] | None = None,
        source: str | None = None,
    ) -> Written:
        """Store a text, or update the register of its topic, if the gate permits."""
        draft = Draft(text=text, scope=scope, category=category, tier=tier, topic_id=topic_id, tags=tags, source=source)
        return self._write_all([draft])[0]

    def bulk_add(self, items: Iterable[Mapping[str, Any]]) -> list[Written]:
        """Store several texts one after the other; a rejected one does not stop the others."""
        return self._write_all([_read_draft(item) for item in items])

    def update_by_topic(
        self,
        topic_id: str,
        scope: str,
        text: str,
        *,
        category: str | None = None,
        tags: Collection[str] | None = None,
        source: str | None = None,
    ) -> Written:
        """Update the register of a topic, or create it; omitted fields stay as they are."""
        known = self.file.read().find_topic(topic_id, scope) if isinstance(topic_id, str) else None
        category = category or ("other" if known is None else known.category)
        topic = topic_id if topic_id is not None else ""
        return self.add_memory(text, scope, category, tier=Tier.REGISTER, topic_id=topic, tags=tags, source=source)

    def update_memory(
        self,
        memory_id: str,
        *,
        text: str | None = None,
        category: str | None = None,
        tags: Collection[str] | None = None,
        source: str | None = None,
        version: int | None = None,
    ) -> Written:
        """Write the next version of a record; omitted fields stay. Raises VaultError without such a record.

        This and the following methods raise VaultChanged if `version` is given and is not that of the record.
        """
        changed = {"text": text, "category": category, "tags": tags, "source": source}
        return self._rewrite("updated", self._find(self.file.read(), memory_id), version, **changed)

    def promote_to_canon(
        self,
        memory_id: str,
        canonical_text: str | None = None,
        *,
        source: str = Origin.PROMOTION,
        version: int | None = None,
    ) -> Written:
        """Make a register canon, under its id, in these words or its own. Raises VaultError for any other record."""
        known = self._find(self.file.read(), memory_id)
        if known.is_canon:
            raise VaultError(f"{memory_id} is canon already; allowed: the id of a register")
        return self._rewrite("promoted", known, version, text=canonical_text, tier=Tier.CANON, source=source)

    def revert_memory(self, memory_id: str, to: int, *, version: int | None = None) -> Written:
        """Write version `to` of a record as the next one, which undoes an update, a promotion or a deletion.

        It passes the gate again. Raises VaultError where the file has no such version.
        """
        versions = (record for record in self.file.versions(memory_id) if record.is_active)
        earlier = next((record for record in versions if record.version == to), None)
        if earlier is None:
            raise VaultError(f"{shorten(memory_id)} has no version {to}; allowed: one that `vault.jsonl` still holds")
        return self._rewrite("reverted", earlier, version, tags=earlier.tags, source=earlier.source)

    def delete_memory(self, memory_id: str, *, version: int | None = None, by: Actor = Actor.PERSON) -> VaultRecord:
        """Write a tombstone and return it. Raises VaultError without such a record."""
        done = self.bulk_delete([memory_id], version=version, by=by)
        return done.records[0] if done.records else self._find(self.file.read(), memory_id)

    def bulk_delete(
        self, memory_ids: Iterable[str], *, version: int | None = None, by: Actor = Actor.PERSON
    ) -> DeletionResult:
        """Write a tombstone for each of these records that is active, all in one pass."""
        wanted = list(dict.fromkeys(memory_ids))
        if not self.file.path.exists():
            return DeletionResult((), tuple(wanted))
        with self.file.held() as held:
            active = [record for record in map(held.contents.find, wanted) if record is not None]
            for record in active:
                _check_authority(_of_version(record, version), by, Act.DELETE)
            now, ids = self._clock(), {record.id for record in active}
            records = tuple(replace(record, version=record.version + 1, deleted_at=now) for record in active)
            if records:
                held.append(records)
        return DeletionResult(records, tuple(memory_id for memory_id in wanted if memory_id not in ids))

    def compact(self) -> Compacted:
        """Rewrite the file with the active records alone."""
        if not self.file.path.exists():
            return Compacted(0, 0)
        with self.file.held() as held:
            before, unreadable = held.contents.raw_lines, held.contents.unreadable
            after = len(held.contents.active) + unreadable
            held.compact()
        return Compacted(before, after, unreadable)

    def get(self, memory_id: str) -> VaultRecord | None:
        """Return an active record; None where there is none."""
        return self.file.read().find(memory_id)

    def list_active(self, scopes: Scopes = None) -> list[VaultRecord]:
        """Return the active records of one scope or several (None: all), in the order in which they came."""
        return self.file.read().in_scopes(_scopes(scopes))

    def search(self, query: str, scopes: Scopes = None, *, limit: int = 20) -> list[reading.SearchHit]:
        """Return the records that share a word with the query, the best first."""
        return reading.search(self.file.read(), query, _scopes(scopes), limit=limit)

    def find_fitting(
        self, scopes: str | Collection[str], query: str | None, similarities: Mapping[str, float]
    ) -> list[VaultRecord]:
        """Return at most `max_items` records for a query, with a cosine first; none if the vault is off."""
        limit = self.settings.max_items if self.settings.enabled else 0
        return find_fitting(self.file.read(), parse_scopes(scopes), query, similarities, limit)

    def find_consolidation_candidates(
        self, scope: Scopes = None, floor: float | None = None
    ) -> list[reading.SimilarPair]:
        """Return pairs of similar active records for a person to look at."""
        floor = self.settings.consolidation_floor if floor is None else floor
        return reading.find_consolidation_candidates(self.file.read(), _scopes(scope), floor)

    def propose_deletions(self, scope: Scopes = None) -> list[reading.DeletionProposal]:
        """Return records that might be deleted, with reasons."""
        signals = self.settings.journal_signals
        return reading.propose_deletions(self.file.read(), _scopes(scope), signals, now=self._clock())

    def build_snapshot(self, scope: Scopes = None) -> str:
        """Return compact Markdown of all canon, and of the registers that have a topic."""
        return build_snapshot(self.list_active(scope), self.settings.snapshot_tokens).text

    def vault_stats(self) -> dict[str, Any]:
        """Return the figures of the vault."""
        return reading.vault_stats(self.file.read(), self.settings.max_active)

    def _write_all(self, drafts: list[Draft]) -> list[Written]:
        """Judge and write the drafts one after the other; checks of a draft alone need no lock."""
        refused = [check_draft(draft, self._rules) for draft in drafts]
        if None not in refused:
            return [Written("rejected", rejection=rejection) for rejection in refused]
        with self.file.held() as held:
            return [
                Written("rejected", rejection=rejection) if rejection is not None else self._place(held, draft)
                for draft, rejection in zip(drafts, refused, strict=True)
            ]

    def _place(self, held: VaultFile, draft: Draft) -> Written:
        """Carry out steps 6 to 8 of the gate, and write the draft."""
        known = find_upsert(draft, held.contents)
        if known is not None:
            _check_authority(known, writer_of(draft.source), Act.CHANGE)
            return self._append(held, known, draft, "updated")
        rejection = check_place(draft, held.contents, self._rules)
        if rejection is not None:
            return Written("rejected", rejection=rejection)
        while (record_id := self._make_id()) in held.contents:
            pass
        new = VaultRecord(
            id=record_id,
            text="",
            scope=draft.scope,
            category="",
            created_at=self._clock(),
            topic_id=draft.topic_id,
            version=0,
        )
        return self._append(held, new, draft, "added")

    def _rewrite(self, action: Action, base: VaultRecord, version: int | None, **changed: Any) -> Written:
        """Write the next version of a record, made of `base` and what is `changed`, if the gate permits."""
        stays = {name: getattr(base, name) for name in ("text", "scope", "category", "tier", "topic_id")}
        draft = Draft(**stays | {name: value for name, value in changed.items() if value is not None})
        rules = replace(self._rules, scopes=self.scopes | {draft.scope})
        if (rejection := check_draft(draft, rules)) is not None:
            return Written("rejected", rejection=rejection)
        with self.file.held() as held:
            deleted = held.contents.get(base.id) if action == "reverted" else None
            known = _of_version(deleted or self._find(held.contents, base.id), version)
            by = Actor.PERSON if action == "reverted" else writer_of(draft.source)
            _check_authority(known, by, Act.CHANGE)
            if (rejection := check_rewrite(draft, known, held.contents, rules)) is not None:
                return Written("rejected", rejection=rejection)
            return self._append(held, known, draft, action)

    def _append(self, held: VaultFile, known: VaultRecord, draft: Draft, action: Action) -> Written:
        """Write the next version of a record, which is new with version 1."""
        record = replace(
            known,
            text=draft.text.strip(),
            category=draft.category,
            tier=Tier(draft.tier),
            tags=known.tags if draft.tags is None else tuple(draft.tags),
            source=known.source if draft.source is None else Origin(draft.source),
            updated_at=self._clock() if known.version else None,
            deleted_at=None,
            version=known.version + 1,
        )
        held.append([record])
        return Written(action, record)

    def _find(self, contents: VaultContents, memory_id: str) -> VaultRecord:
        record = contents.find(memory_id)
        if record is None:
            place, allowed = self.file.path, "the id of one that `vault list` shows"
            raise UnknownRecord(f"{place}: no active record {shorten(memory_id)}; allowed: {allowed}")
        return record


def build_snapshot_block(vault: VaultStore, scopes: str | Collection[str]) -> str:
    """Return the text that always stands in the prompt; empty without records, or if the vault is off."""
    return vault.build_snapshot(scopes) if vault.settings.enabled else ""


def build_memory_block(
    vault: VaultStore,
    scopes: str | Collection[str],
    query: str | None = None,
    *,
    similarities: Mapping[str, float] = {},
) -> str:
    """Return the records that fit a query, by tier, canon first; without a query, the latest ones."""
    return build_memory_text(vault.find_fitting(scopes, query, similarities))


def _check_authority(record: VaultRecord, actor: Actor, act: Act) -> None:
    reason = find_owner(record, actor, act)
    if reason is not None:
        raise NotYours(record.id, reason)


def _of_version(record: VaultRecord, version: int | None) -> VaultRecord:
    """Return a record, if it is of the given version; raises VaultChanged if it is not."""
    if version not in (None, record.version):
        raise VaultChanged(f"{record.id} is of version {record.version}; allowed: {version}, which was changed")
    return record


def _read_draft(item: object) -> Draft:
    """Return one item of a bulk write as a draft; the gate names missing fields."""
    given = item if isinstance(item, Mapping) else {}
    fields = {name: given[name] for name in Draft.__dataclass_fields__ if name in given}
    return Draft(**{"text": None, "scope": None, "category": None, **fields})


def _scopes(scopes: Scopes) -> tuple[str, ...] | None:
    return None if scopes is None else parse_scopes(scopes)
