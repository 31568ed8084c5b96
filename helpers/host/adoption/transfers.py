"""Memories that come from another folder, or leave for another one."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from ...clock import EPOCH, format_time
from ...door import find_fault
from ...errors import Problem, RequestError, StoreError
from ...formats.memories import MARK_KEY
from ...inbox import Arguments, Arrive, InboxRequest, Leave
from ...ledger.adopt import (
    IMPORT_ACTION,
    MOVE_ACTION,
    Archived,
    ArrivalPlan,
    Header,
    IsThere,
    is_same_text,
    keep_pointers,
    latest_cycle,
    pointers_of,
    settle_in,
    taken,
)
from ...ledger.authority import Actor
from ...ledger.undoing import Steps
from ...quality.conflict_record import parse_conflict, write_conflict
from ...records import LINEAGE_KEY, Memory, parse_memory
from ...store import files
from ...store.backup import deleting_for
from ...store.backup_file import to_plain
from ...store.conflicts import ConflictFile
from ...store.database import Database
from ...store.docstore import Store
from ...store.docstore_file import DOCSTORE_FILE, KnowledgeImports, is_of_host, read_docstore
from ...store.files import JOURNAL_FILE, read_lines
from ...store.requests import Awaited
from ...store.tables import AccessBook, archive_name, drop_archive, has_archive, put_archive, read_archive, to_lines
from ...store.vault_file import VaultFile
from ...texts import counted

#: Appends a request to the inbox of a memory folder.
Ask = Callable[[Path, Arguments], None]
_SIDES = ("memory", "winner", "other")


class FolderArchive:
    """The memories of one folder for an export; raises StoreError where no store can be read.

    A host passes its live `documents`.
    """

    def __init__(self, folder: Path, documents: Mapping[str, Any] | None = None) -> None:
        self.folder = folder
        self._documents = read_docstore(folder)[1] if documents is None else documents
        self._imports = KnowledgeImports(folder)
        self._imports.refresh()
        self._accesses = {access.memory_id: access for access in AccessBook(Database(folder)).read()}
        self._conflicts = ConflictFile(folder)
        self._vault = VaultFile(folder).read()
        self._history: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for row in read_lines(folder / JOURNAL_FILE):
            for memory_id in _named_in(row):
                self._history[memory_id].append(row)

    def __len__(self) -> int:
        return len(self._documents)

    def __contains__(self, memory_id: object) -> bool:
        return memory_id in self._documents

    def memories(self) -> Iterator[Memory]:
        """Yield the memories in the order in which they were written."""
        for memory_id, document in self._documents.items():
            yield parse_memory(memory_id, document.page_content, document.metadata, inserted_at=EPOCH)[0]

    def is_import(self, memory_id: str) -> bool:
        """Whether the host imported a memory from a knowledge file, as it will in the other folder."""
        return self._imports.lists(memory_id)

    def is_record(self, memory_id: str) -> bool:
        """Whether a memory mirrors a record of the vault, which would bring it back."""
        return self._vault.find(memory_id) is not None

    def fault(self, memory_id: str) -> Problem | None:
        """Return why no folder takes a memory in; None if it may be moved."""
        document = self._documents[memory_id]
        return find_fault({"text": document.page_content, "metadata": document.metadata}, f"memory {memory_id}")

    def header(self, count: int, *, exported_at: datetime) -> Header:
        """Return the header of an archive of `count` memories."""
        cycles = [latest_cycle(list(self.memories())), *(access.cycle for access in self._accesses.values())]
        return Header(folder=str(self.folder), exported_at=exported_at, memories=count, recall_cycle=max(cycles))

    def archived(self, memory_id: str) -> Archived:
        """Return a memory with its history and its conflicts."""
        document = self._documents[memory_id]
        metadata = to_plain(document.metadata)
        access, lineage = self._accesses.get(memory_id), metadata.get(LINEAGE_KEY)
        if access is not None and isinstance(lineage, dict):
            counted = {"last_accessed": format_time(access.at), "last_access_cycle": access.cycle}
            metadata[LINEAGE_KEY] = {**lineage, "access_count": access.count, **counted}
        return Archived(
            id=memory_id,
            text=document.page_content,
            metadata=metadata,
            history=tuple(self._history.get(memory_id, ())),
            conflicts=tuple(write_conflict(conflict) for conflict in self._conflicts.of_memory(memory_id)),
        )


def _named_in(row: Mapping[str, Any]) -> list[str]:
    """Return the ids of the memories that a line of the journal is about; none for an import or a move."""
    if row.get("action") in (IMPORT_ACTION, MOVE_ACTION):
        return []
    return list(dict.fromkeys(str(row[side]) for side in _SIDES if row.get(side)))


def ask_to_carry(source: Path, target: Path, header: Header, plan: ArrivalPlan, ask: Ask, *, leaves: bool) -> None:
    """Request the arrival of planned memories in `target`, and, if it `leaves`, their removal from `source`.

    The arrival is requested first, so that no memory leaves before it has arrived.
    """
    lines = to_lines(header, plan.coming)
    if plan.coming:
        ask(target, Arrive(archive=put_archive(target, lines)))
    if leaves:
        memories = (*plan.present, *(archived.id for archived in plan.coming))
        place = os.path.relpath(target.resolve(), source.resolve())
        ask(source, Leave(target=place, archive=archive_name(lines), memories=memories))


_log = logging.getLogger(__name__)

_RULE = "C-91"
_IDS_IN_A_LINE = 100
_HASH_FILE = "index.faiss.sha256"


#: The requests that are carried out at the end of every run.
KINDS = (Arrive, Leave)


class TransferHandler:
    """Takes memories into one folder, in slices, and out of it; an arrival is answered as a whole."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._arrivals: dict[str, _Arrival] = {}
        self._came: dict[str, str] = {}
        store.requests.handlers |= {Arrive: self._finish, Leave: self._release}

    @property
    def remaining(self) -> int:
        """The number of memories that are still to come."""
        return sum(arrival.remaining for arrival in self._arrivals.values())

    def has_brought(self, *memory_ids: str) -> bool:
        """Whether all these memories came in this process with one archive."""
        archives = {self._came.get(memory_id) for memory_id in memory_ids}
        return len(archives) == 1 and None not in archives

    def receive(self, limit: int) -> None:
        """Insert at most `limit` memories of the archives that wait."""
        self._store.requests.look()
        for request in self._store.requests.due(Arrive):
            with contextlib.suppress(StoreError, OSError):  # an invalid archive is refused at the end of the run
                arrival = self._arrivals.pop(request.id, None) or _Arrival(self._store, request.asked)
                limit -= self._receive_some(request, arrival, max(limit, 0))

    def _receive_some(self, request: InboxRequest, arrival: _Arrival, limit: int) -> int:
        """Insert some memories of an archive and return how many; after a failure the next run tries again."""
        try:
            came = arrival.receive(limit)
        except Exception as exc:  # noqa: BLE001 - whatever an embedding model raises must not hold up what is new
            _log.warning("%s waits", arrival.place, exc_info=exc)
            fault, allowed = f"waiting: {type(exc).__name__}: {exc}", "texts that can be embedded"
            self._store.refuse(Problem(where=arrival.place, found=fault, allowed=allowed))
            return 0
        self._arrivals[request.id] = arrival
        self._came.update(dict.fromkeys(came, arrival.name))
        return len(came)

    def _finish(self, asked: Arrive, request: InboxRequest) -> list[str] | Awaited:
        """Save a complete arrival, and put it on record."""
        arrival, database = self._arrivals.get(request.id), self._store.database
        if arrival is None and not has_archive(database, asked.archive):
            return ["it was done before"]
        if arrival is None:
            try:
                read_archive(database, asked.archive)
            except StoreError as exc:
                drop_archive(database, asked.archive)
                raise RequestError(asked.archive, str(exc), "an archive") from exc
        if arrival is None or arrival.remaining or not arrival.finish(request):
            return Awaited()
        del self._arrivals[request.id]
        return [f"{counted(len(arrival.held), 'memory', 'memories')} taken in"]

    def bring(self, archived: Archived) -> None:
        """Insert a memory that was made here, once; raises RequestError where the host cannot embed it."""
        documents = self._store.db.get_all_docs()
        if archived.id in documents:
            return
        try:
            _insert(self._store, [archived], is_there=documents.__contains__, cycles=0)
        except Exception as exc:
            fault = f"impossible: {type(exc).__name__}: {exc}"
            raise RequestError(f"memory {archived.id}", fault, "a text that the host can embed") from exc
        self._came[archived.id] = archived.id

    def _release(self, asked: Leave, request: InboxRequest) -> list[str] | Awaited:
        """Remove the memories that the other folder holds on disk word for word, or wait for its files."""
        store, target = self._store, (self._store.folder / asked.target).resolve()
        target_database = Database(target)
        arrival, saved = Awaited(target_database.path), Awaited(target / DOCSTORE_FILE)
        if has_archive(target_database, asked.archive):
            return arrival
        try:
            held = _texts_on_disk(target)
        except StoreError as exc:
            fault, allowed = f"not to be verified yet ({exc})", "a store that can be read"
            store.refuse(Problem(where=f"the move to {target}", found=fault, allowed=allowed))
            return saved
        present = {memory_id: memory for memory_id in asked.memories if (memory := store.read(memory_id)) is not None}
        leaving = [memory_id for memory_id, memory in present.items() if held.get(memory_id) == memory.text]
        for memory_id in present.keys() - set(leaving):
            fault, allowed = f"not in {target}, or not in these words", "the same memory: it stays here"
            store.refuse(Problem(where=f"memory {memory_id}", found=fault, allowed=allowed))
        if leaving:
            self._unlink(leaving, request, held)
            with deleting_for(store, MOVE_ACTION):
                store.db.delete(leaving)
            store.is_dirty = True
        if store.is_dirty and not store.save():  # memories removed by an earlier try may still be on disk
            return saved
        rows = _in_lines(
            {"action": MOVE_ACTION, "to": str(target), "rule": _RULE}, leaving, moment=format_time(store.clock())
        )
        store.record(rows)
        return [f"{counted(len(leaving), 'memory', 'memories')} left for {target}"]

    def _unlink(self, leaving: list[str], request: InboxRequest, held: Container[str]) -> None:
        """Cut the pointers between leaving and staying memories, in one step for each leaving memory."""
        store, going, pointing = self._store, set(leaving), defaultdict[str, set[str]](set)
        for memory_id in store.db.get_all_docs().copy():
            memory = store.read(memory_id) if memory_id not in going else None
            for leaving_id in set() if memory is None else going & pointers_of(memory):
                pointing[leaving_id].add(memory_id)
        for leaving_id in leaving:
            with store.acts.step(request, leaving_id, by=Actor.PERSON, action=MOVE_ACTION):
                self._cut(leaving_id, lambda to: to in going or to in held)
                for other_id in sorted(pointing[leaving_id]):
                    self._cut(other_id, leaving_id.__ne__)

    def _cut(self, memory_id: str, is_there: IsThere) -> None:
        memory = self._store.read(memory_id)
        if memory is None or memory.classification is None or memory.lineage is None:
            return
        kept, dropped = keep_pointers(memory, is_there)
        if dropped:
            self._store.put(kept)


class _Arrival:
    """An archive that is being taken in: its memories, without those whose id belongs to another text."""

    def __init__(self, store: Store, asked: Any) -> None:
        self.name = asked.archive
        self.held: dict[str, Archived] = {}
        self._store = store
        reader = read_archive(store.database, self.name)
        self.place, self._header = reader.place, reader.header
        documents = store.db.get_all_docs()
        for number, entry in reader:
            if isinstance(entry, Problem):
                store.refuse(replace(entry, where=f"line {number}: {entry.where}"))
                continue
            document, known = documents.get(entry.id), self.held.get(entry.id)
            text = known.text if known is not None else entry.text if document is None else document.page_content
            if is_same_text(text, entry.text):
                self.held.setdefault(entry.id, entry)
            else:
                store.refuse(taken(entry, text))
        self._waiting = [archived for archived in self.held.values() if archived.id not in documents]
        self._known = {_canonical(row) for row in files.read_lines(store.folder / files.JOURNAL_FILE)}

    def receive(self, limit: int) -> list[str]:
        """Insert the next memories, `limit` at most, with their history, and return their ids."""
        store, documents = self._store, self._store.db.get_all_docs()
        batch = [archived for archived in self._waiting[:limit] if archived.id not in documents]
        if batch:
            rows = {_canonical(row): row for archived in batch for row in archived.history}
            store.record([row for text, row in rows.items() if text not in self._known])
            self._known.update(rows)
            cycles = store.state.recall_cycle - self._header.recall_cycle
            _insert(store, batch, is_there={*self.held, *documents}.__contains__, cycles=cycles)
        del self._waiting[:limit]
        return [archived.id for archived in batch]

    @property
    def remaining(self) -> int:
        """The number of memories that are still to come."""
        return len(self._waiting)

    def finish(self, request: InboxRequest) -> bool:
        """Take over the conflicts, save, and journal the arrival; return False if the store could not be saved."""
        store = self._store
        documents = store.db.get_all_docs()
        rows = {str(row.get("id")): row for archived in self.held.values() for row in archived.conflicts}
        conflicts = [conflict for row in rows.values() if (conflict := parse_conflict(row)) is not None]
        store.conflicts.record(
            *(
                conflict
                for conflict in conflicts
                if all(memory_id in documents for memory_id in conflict.memories)
                and store.conflicts.get(conflict.id) is None
            )
        )
        journal = list(files.read_lines(store.folder / files.JOURNAL_FILE))
        self._link_again(Steps(journal), request)
        if store.is_dirty and not store.save():
            return False
        if not any(row.get("action") == IMPORT_ACTION and row.get("archive") == self.name for row in journal):
            origin = f"a person brought it from {self._header.folder}"
            row = {"action": IMPORT_ACTION, "from": self._header.folder, "archive": self.name, "rule": _RULE}
            store.record(_in_lines({**row, "reasons": [origin]}, list(self.held), moment=format_time(store.clock())))
        drop_archive(store.database, self.name)
        return True

    def _link_again(self, steps: Steps, request: InboxRequest) -> None:
        """Restore the pointers of memories that come back, where nothing has changed since they left."""
        acts, cycle = self._store.acts, self._store.state.recall_cycle
        for step in [step for step in steps.standing(Leave.kind) if step["memory"] in self.held]:
            if not acts.find_obstacle(step):
                acts.take_back(step, request, by=Actor.PERSON, cycle=cycle, changed={})


def _insert(store: Store, batch: list[Archived], *, is_there: IsThere, cycles: int) -> None:
    """Insert memories through the host, sealed anew; `cycles` is how many more recalls this folder has counted."""
    metadatas = [
        settle_in(archived, key=store.key, is_there=is_there, cycles=cycles, inserted_at=store.clock())[0]
        for archived in batch
    ]
    has_host = is_of_host(store.folder)
    for metadata in metadatas:
        if has_host:
            # Nothing is ever ingested there, and `memory_forget` matches the words of metadata.
            metadata.pop(MARK_KEY, None)
        metadata["area"] = metadata.get("area") or "main"
        metadata.setdefault("timestamp", format_time(store.clock()))
    store.db.add_texts([archived.text for archived in batch], metadatas=metadatas, ids=[memory.id for memory in batch])
    store.is_dirty = True


def _in_lines(row: dict[str, Any], memory_ids: list[str], *, moment: str) -> Iterator[dict[str, Any]]:
    """Yield copies of a journal row that name up to a hundred memories each."""
    remaining = iter(memory_ids)
    while some := list(islice(remaining, _IDS_IN_A_LINE)):
        yield {"action": row["action"], "at": moment, "memories": some, **row}


def _canonical(row: Mapping[str, Any]) -> str:
    return json.dumps(row, sort_keys=True, default=str)


def _texts_on_disk(folder: Path) -> dict[str, str]:
    """Return the texts that the store in `folder` holds on disk; raises StoreError if the host could not load it."""
    hash_file = folder / _HASH_FILE
    try:
        if hash_file.exists():
            digest = hashlib.sha256((folder / "index.faiss").read_bytes()).hexdigest()
            if hash_file.read_text("ascii").strip() != digest:
                raise StoreError(f"{hash_file} is not that of index.faiss; allowed: a store saved as a whole")
    except OSError as exc:
        raise StoreError(f"{folder}: {exc.strerror}; allowed: a store saved as a whole") from exc
    return {memory_id: document.page_content for memory_id, document in read_docstore(folder)[1].items()}
