"""The store: ledger metadata in the host's own documents, read and written in place.

A change assigns a freshly built dict to one top-level key of the live document, so a parallel save or search sees the
old object or the new one. Nothing is embedded or moved here; the host's own save writes it all to disk."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from ..clock import Clock, format_time
from ..ledger import lifecycle
from ..ledger.adopt import is_sealed, sealed
from ..ledger.authority import Actor
from ..ledger.changes import Change, Purge, Row
from ..recall.lexical import LexicalIndex
from ..records import LINEAGE_KEY, QUALITY_KEY, Memory, claims_knowledge, parse_memory, write_record
from . import damage, files
from . import db as sqlite
from .acts import ActBook, Outcomes, apply_change
from .columns import Columns, Rows
from .conflicts import ConflictBook
from .damage import ProblemKind, ProblemLog, unwritable
from .database import Database
from .docstore_file import Disagreement, KnowledgeImports, find_disagreement
from .index import Index
from .journal import Journal
from .kept_names import KeptNames
from .order import TimeOrder, change_lock, index_lock, save_lock
from .recent import AgentDeletes, InjectedRing
from .requests import InboxHandler
from .tables import Access, AccessBook, FolderState, Sealing, read_counters, write_counters, write_counters_later

_log = logging.getLogger(__name__)

AnyChange = TypeVar("AnyChange", bound=Change)


@dataclass(frozen=True, slots=True)
class Sweep:
    """The memories that appeared in the docstore since the last look, oldest first, and those that vanished."""

    added: tuple[str, ...]
    vanished: tuple[Memory, ...]


class Store:
    """The memories of one memory folder; thread-safe. `lock` guards the searches of the whole process."""

    def __init__(self, memory: Any, *, folder: Path, clock: Clock, stands_alone: bool = False) -> None:
        self.db = memory.db
        self.memory_subdir = str(memory.memory_subdir)
        self.folder = folder
        self.clock = clock
        self.lock = index_lock(type(memory))
        self._memory = memory
        self.problems = ProblemLog()
        self.database = Database(folder, self.problems)
        self.state: FolderState = read_counters(self.database)
        self.state.stands_alone |= stands_alone
        self.is_first_look = self.state.first_seen is None
        self.refuse = partial(self.problems.tell, kind=ProblemKind.DECISIONS)
        self.requests = InboxHandler(folder, clock=clock, refuse=self.refuse)
        self.key, self._sealing = self._open_key()
        self.names = KeptNames(self.database)
        self.index = Index(self.db)
        self.rows = Rows(self.index, self.read)
        self.lexical = LexicalIndex()
        self.outcomes = Outcomes()
        self._journal = Journal(folder, self.problems)
        self.acts = ActBook(self, self._journal)
        self.conflicts = ConflictBook(folder, self.read, self.put, self.problems, self.acts.note_conflict)
        self.is_dirty = False
        self.rewritten: set[str] = set()
        self.version = 0
        self._seen: dict[str, Any] = {}
        self.order = TimeOrder(self._documents().values())
        self.injected = InjectedRing()
        self.agent_deletes = AgentDeletes()
        #: The scopes of the memories that are records of the vault; only the vault retires them.
        self.mirrored: Mapping[str, str] = {}
        self._imports = KnowledgeImports(folder)
        self._accesses = AccessBook(self.database)
        self._waiting: dict[str, datetime] = {}
        self._replay_accesses()

    def _open_key(self) -> tuple[bytes, Sealing]:
        """Return the seal key and the state of the sealing, which is on disk before a new key is.

        If nothing can be written, the key holds in this process, and the next one seals everything anew.
        """
        stored = files.read_key(self.folder)
        sealing = Sealing(self.state, has_key=stored is not None, now=self.clock())
        key = stored or files.new_key()
        try:
            if sealing.is_new and not damage.only_looks.get():
                write_counters(self.database, self.state)
            files.write_key(self.folder, key)
        except OSError as exc:
            self.problems.tell(unwritable(Path(exc.filename2 or exc.filename or self.folder), exc))
        return key, sealing

    def _documents(self) -> dict[str, Any]:
        documents: dict[str, Any] = self.db.get_all_docs()
        return documents

    def __len__(self) -> int:
        return len(self._documents())

    def __contains__(self, memory_id: str) -> bool:
        return memory_id in self._documents()

    def read(self, memory_id: str) -> Memory | None:
        """Return a memory, without a status until it is adopted; None if the host has deleted it."""
        memory = self.read_as_found(memory_id)
        return None if memory is None else self._as_believed(memory)

    def find_head(self, memory_id: str) -> str:
        """Return the id at the end of the chain of memories that replaced a memory; its own if none did."""

        def winner(current_id: str) -> str | None:
            memory = self.read(current_id)
            return None if memory is None or memory.lineage is None else memory.lineage.superseded_by

        return lifecycle.follow_to_head(memory_id, winner)

    def read_as_found(self, memory_id: str) -> Memory | None:
        """Return a memory with the status that its metadata claims; for adoption only."""
        document = self._documents().get(memory_id)
        return None if document is None else self._decode(memory_id, document)

    def _as_believed(self, memory: Memory) -> Memory:
        if is_sealed(self.key, memory) or self.honours_unsealed(memory.id):
            return memory
        return _without_status(memory)

    def _decode(self, memory_id: str, document: Any) -> Memory:
        memory, problems = parse_memory(memory_id, document.page_content, document.metadata, inserted_at=self.clock())
        self.problems.update((memory_id, ProblemKind.METADATA), problems, ProblemKind.METADATA)
        is_forged = memory.is_knowledge and not self._is_import(memory_id)
        return replace(memory, is_knowledge=False) if is_forged else memory

    def _is_import(self, memory_id: str) -> bool:
        """Whether the claim of a memory to be imported knowledge is true, or older than the pack."""
        return self._imports.lists(memory_id) or (self.is_first_look and self.honours_unsealed(memory_id))

    def has_news(self) -> bool:
        """Whether a sweep may find anything, by the size and the last document of the docstore."""
        documents = self._documents()
        if self._waiting or len(documents) != len(self._seen):
            return True
        try:
            last = next(reversed(documents.items()), None)
        except RuntimeError:  # another thread deletes at this moment
            return True
        return last is not None and self._seen.get(last[0]) is not last[1]

    def sweep(self) -> Sweep:
        """Return the changes since the last sweep: O(new), and O(all) only after the host deleted something.

        A document of a knowledge import in progress waits until the host has listed it, or is overdue. The host's
        docstore keeps insertion order, and an updated document comes back at its end.
        """
        with self.lock:
            self._imports.refresh()  # before the documents: a list that is older than they are leaves them waiting
            self.refresh_positions()
            documents = self._documents()
            added = self._unseen(documents)
            vanished: list[Memory] = []
            if len(self._seen) + sum(memory_id not in self._seen for memory_id in added) != len(documents):
                vanished_ids = [memory_id for memory_id in self._seen if memory_id not in documents]
                vanished = [
                    self._as_believed(self._decode(memory_id, self._seen.pop(memory_id))) for memory_id in vanished_ids
                ]
            for memory_id in added:
                self._seen[memory_id] = documents[memory_id]
            self._sealing.note_sweep(added, documents)
            first_seen = {memory_id: self.clock() for memory_id in added} | self._waiting
            present = {memory_id: since for memory_id, since in first_seen.items() if memory_id in documents}
            self._waiting = {
                memory_id: since for memory_id, since in present.items() if self._must_wait(memory_id, since=since)
            }
            return Sweep(tuple(memory_id for memory_id in present if memory_id not in self._waiting), tuple(vanished))

    def _must_wait(self, memory_id: str, *, since: datetime) -> bool:
        """Whether it is still open if the host imported a memory, which this pack has not judged before."""
        document = self._documents()[memory_id]
        if not claims_knowledge(document.metadata) or self._is_import(memory_id):
            return False
        if is_sealed(self.key, self._decode(memory_id, document)):
            return False
        return self._imports.may_come(document.metadata, waited=self.clock() - since)

    def refresh_positions(self) -> None:
        """Follow the host's inserts and deletes; call it with the lock held, before any search.

        A memory that is not adopted yet takes part in recall, in its area, without the status that it came with.
        """
        before = self.index.positions
        if self.index.refresh():
            documents = self._documents()
            # Of these the last sweep saw this very document; the host may write another one under the same id.
            self.rows.refill(
                before, lambda memory_id: memory_id in documents and self._seen.get(memory_id) is documents[memory_id]
            )
            self.version += 1
        elif len(self.index) > len(self.rows.so_far):
            self.rows.extend()

    def _unseen(self, documents: dict[str, Any]) -> list[str]:
        """Return the ids at the end of the docstore that were not there at the last look, oldest first."""
        added: list[str] = []
        for memory_id, document in reversed(documents.items()):
            if self._seen.get(memory_id) is document:
                break
            added.append(memory_id)
        return added[::-1]

    @property
    def columns(self) -> Columns:
        """The status of every memory; unread rows are read first."""
        if self.rows.unread():
            with self.lock:
                self.rows.read()
        return self.rows.so_far

    def disagreement(self) -> Disagreement:
        """Return how vectors and texts disagree; the lock is held for as long as a copy takes."""
        with self.lock:
            positions, documents = dict(self.db.index_to_docstore_id), dict(self._documents())
            vectors = int(self.db.index.ntotal)
        return find_disagreement(positions, documents, vectors)

    def honours_unsealed(self, memory_id: str) -> bool:
        """Whether a memory keeps a valid status without a seal, because it is older than the pack or its key."""
        return self._sealing.honours(memory_id)

    def end_first_look(self) -> None:
        """End the first look: from now on new memories are compared with the others."""
        self.is_first_look = False
        self.state.first_seen = format_time(self.clock())

    def note_all_adopted(self) -> None:
        """Note that everything that the sweeps have brought is sealed, which the next save makes last."""
        self._sealing.finish()

    def _changing(self) -> AbstractContextManager[None]:
        """Hold off the host's save, which must not meet growing metadata, and every search."""
        return change_lock(type(self._memory))

    def hidden_from(self, scopes: Collection[str] | None) -> frozenset[str]:
        """Return the ids of the vault's records outside of these scopes; none if `scopes` is None."""
        if scopes is None:
            return frozenset()
        return frozenset(record_id for record_id, scope in self.mirrored.items() if scope not in scopes)

    def put(self, memory: Memory) -> bool:
        """Seal the status of `memory` and write it into its document; False if the host has deleted it."""
        axes, lineage = lifecycle.status_of(memory)
        with self._changing():
            document = self._documents().get(memory.id)
            if document is None:
                return False
            self.acts.note(memory.id)
            lineage = sealed(self.key, memory.id, memory.text, axes, lineage)
            document.metadata.update(lifecycle.to_metadata(axes, lineage, memory.quality))
            if memory.quality is None and isinstance(document.metadata.get(QUALITY_KEY), dict):
                del document.metadata[QUALITY_KEY]
            position = self.index.position(memory.id)
            if position is not None:
                self.rows.so_far.set(position, replace(memory, lineage=lineage))
            self.is_dirty = True
            self.rewritten.add(memory.id)
            self.version += 1
        return True

    def apply(self, changes: Iterable[Change], *, by: Actor = Actor.RULE) -> int:
        """Carry out `changes`, journal every change of status, and return how many took effect."""
        return len(self.apply_each(changes, by=by))

    def apply_each(self, changes: Iterable[AnyChange], *, by: Actor = Actor.RULE) -> list[AnyChange]:
        """Carry out `changes` under one lock, journal every change of status, and return those that took effect.

        A change is left out if its memory has gone or changed since the decision, for the host deletes in parallel, or
        if `by` lacks the authority.
        """
        applied: list[AnyChange] = []
        rows: list[Row] = []
        with self._changing():
            for change in changes:
                try:
                    row = apply_change(self, change, by)
                except lifecycle.LifecycleError as exc:
                    _log.info("left out: %s", exc)
                    continue
                if row is not None:
                    applied.append(change)
                    rows.append(row)
            self.acts.write(filter(None, rows))
            self.version += bool(applied)
        return applied

    def purge(self, changes: Iterable[Purge]) -> list[str]:
        """Delete memories that have been retired for too long, journal each, and return the ids.

        A memory that is back in use stays.
        """
        with self._changing():
            candidates = ((change, self.read(change.memory_id)) for change in changes)
            purged = [(change, memory) for change, memory in candidates if memory is not None and memory.is_deprecated]
            if purged:
                rows = [change.to_row([memory]) for change, memory in purged]
                lines = [(str(row["memory"]), sqlite.to_json(row)) for row in rows]
                statement = "INSERT OR IGNORE INTO purged (memory, line) VALUES (?, ?)"
                self.database.change(lambda db: db.executemany(statement, lines))
                self._journal.append(rows)
                self.db.delete([memory.id for _, memory in purged])
                self.is_dirty = True
        return [memory.id for _, memory in purged]

    def count_recall(self, memory_ids: Sequence[str]) -> None:
        """Count one recall of the folder, and one access of each memory that it put into the prompt."""
        with self.lock:
            self.state.recall_cycle += 1
            self.count_accesses(memory_ids)

    def count_accesses(self, memory_ids: Sequence[str]) -> None:
        """Count one access, in the present recall cycle, of each memory that a prompt holds."""
        now = self.clock()
        counted: list[Access] = []
        with self.lock:
            cycle = self.state.recall_cycle
            for memory_id in memory_ids:
                memory = self.read(memory_id)
                if not lifecycle.is_classified(memory) or memory.is_deprecated:
                    continue  # a memory of the past in a prompt stays retired
                _, lineage = lifecycle.status_of(lifecycle.access(memory, at=now, cycle=cycle))
                self._documents()[memory_id].metadata[LINEAGE_KEY] = write_record(lineage)
                position = self.index.position(memory_id)
                self.rows.so_far.note_access(position, cycle, now)
                counted.append(
                    Access(
                        memory_id=memory_id,
                        count=lineage.access_count,
                        at=now,
                        cycle=cycle,
                        archive_cycles=lineage.archive_access_cycles,
                    )
                )
            self._accesses.note(counted)

    def _replay_accesses(self) -> None:
        """Restore the access counts that the host had not saved."""
        for access in self._accesses.read():
            self.state.recall_cycle = max(self.state.recall_cycle, access.cycle)
            memory = self.read_as_found(access.memory_id)
            if memory is None or memory.lineage is None or access.count <= memory.lineage.access_count:
                continue
            lineage = memory.lineage.model_copy(
                update={
                    "access_count": access.count,
                    "last_accessed": access.at,
                    "last_access_cycle": access.cycle,
                    "archive_access_cycles": access.archive_cycles,
                }
            )
            self._documents()[access.memory_id].metadata[LINEAGE_KEY] = write_record(lineage)

    def is_current(self) -> bool:
        """Whether the host still uses this index object; it may have loaded the folder again."""
        return type(self._memory).index.get(self.memory_subdir) is self.db

    def fold_accesses(self) -> None:
        """Mark the store as dirty if only the database holds some access counts."""
        self.is_dirty = self.is_dirty or self._accesses.last() > 0

    def save(self) -> bool:
        """Have the host write its index, if the store is dirty and current; return whether it did. Blocking."""
        with save_lock(type(self._memory)):
            if not self.is_dirty or not self.is_current():
                return False
            last = self._accesses.last()
            self._memory._save_db()
            self.is_dirty = False
            self.conflicts.release()
            with self.lock:
                self._accesses.clear(last)
        self.save_state()
        return True

    def record(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Append lines to the journal that are no changes of status, such as a maintenance run or an import."""
        self._journal.append(dict(row) for row in rows)

    def write_owed(self) -> None:
        """Write the lines that could not be written before."""
        self._journal.append()
        self.conflicts.write_owed()
        self.database.settle()

    def save_state(self) -> None:
        """Write the counters of this folder, how far it is sealed, and the names that were read in its texts."""
        self.names.keep()
        write_counters_later(self.database, self._sealing.to_state(is_saved=not self.is_dirty))


def _without_status(memory: Memory) -> Memory:
    return replace(memory, classification=None, lineage=None, quality=None)
