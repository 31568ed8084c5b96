"""Carry out what a person asked for at a terminal: memories that come from another folder, or leave for one.

The host itself embeds, inserts and deletes, in its own process (contract, section 4). What comes is vouched for by the
person, so it keeps its status and is sealed anew (C-91, T-69); it leaves its old folder only when the new one is on
disk with it. Every step can be cut short and is taken up again; what was done already is done once.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from ...clock import format_time
from ...errors import Problem, StoreError
from ...ledger.transfer import IMPORT_ACTION, MOVE_ACTION, Archived, is_same_text, keep_pointers, settle_in, taken
from ...quality.conflicts import parse_conflict
from ..backup.backup import deleting_for
from ..docstore.docstore_file import DOCSTORE_FILE, is_of_host, read_docstore
from ..docstore.store import Store
from ..storage import files
from ..storage.transfers import (
    ArchiveReader,
    Departure,
    is_waiting,
    transfers_folder,
    waiting_arrivals,
    waiting_departures,
)
from .line_file import MARK_KEY

_log = logging.getLogger(__name__)

_RULE = "C-91"
_IDS_IN_A_LINE = 100
_HASH_FILE = "index.faiss.sha256"


class TransferDesk:
    """What comes to and leaves one memory folder; while nothing is asked for it costs one stat call."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._place = transfers_folder(store.folder)
        self._stamp: files.FileStamp | None = None
        self._arrivals: list[_Arrival] = []
        self._watched: dict[Path, tuple[Path, files.FileStamp | None]] = {}
        self._came: dict[str, str] = {}

    @property
    def remaining(self) -> int:
        """Return how many memories are still to come."""
        return sum(one.remaining for one in self._arrivals)

    def has_requests(self) -> bool:
        """Whether something was asked for since the last look, is not done yet, or can be done now."""
        if files.file_stamp(self._place) not in (None, self._stamp):
            return True
        return bool(self._arrivals) or any(map(self._is_due, self._watched))

    def _is_due(self, departure: Path) -> bool:
        """Whether what a departure waits for has changed, or it has not been looked at."""
        path, stamp = self._watched.get(departure, (None, None))
        return path is None or files.file_stamp(path) != stamp

    def has_brought(self, *memory_ids: str) -> bool:
        """Whether memories came in this process, all of them with one archive."""
        archives = {self._came.get(one) for one in memory_ids}
        return len(archives) == 1 and None not in archives

    # --- what comes --------------------------------------------------------------------------------------------

    def receive(self, limit: int) -> int:
        """Insert at most `limit` memories of the archives that wait; return how many were inserted."""
        self._look()
        count = 0
        for arrival in list(self._arrivals):
            while count < limit and (came := self._receive_some(arrival, limit - count)):
                self._came.update(dict.fromkeys(came, arrival.name))
                count += len(came)
        return count

    def _receive_some(self, arrival: _Arrival, limit: int) -> list[str]:
        """Insert some of an archive; where the host cannot embed, the archive waits for the next look."""
        try:
            return arrival.receive(limit)
        except Exception as exc:  # noqa: BLE001 - whatever an embedding model raises must not hold up what is new
            _log.warning("%s waits", arrival.path, exc_info=exc)
            self._refuse(str(arrival.path), f"waiting: {type(exc).__name__}: {exc}", "texts that the host can embed")
            self._arrivals.remove(arrival)
            self._stamp = None
            return []

    def _look(self) -> None:
        stamp = files.file_stamp(self._place)
        if stamp in (None, self._stamp):
            return
        self._stamp = stamp
        known = {one.path for one in self._arrivals}
        for path in waiting_arrivals(self._store.folder):
            if path in known:
                continue
            try:
                self._arrivals.append(_Arrival(self._store, path, self._refuse))
            except StoreError as exc:
                self._refuse(str(path), f"not taken in ({exc})", "an archive")
                path.unlink(missing_ok=True)

    def finish(self) -> None:
        """Save what has come as a whole and put it on record; then let go what the other folder holds."""
        done = [one for one in self._arrivals if not one.remaining and one.finish()]
        self._arrivals = [one for one in self._arrivals if one not in done]
        if self._place.exists():
            self._release()

    # --- what leaves -------------------------------------------------------------------------------------------

    def _release(self) -> None:
        departures = waiting_departures(self._store.folder)
        self._watched = {path: watched for path, watched in self._watched.items() if path in departures}
        for path, departure in departures.items():
            if departure is None:
                self._refuse(str(path), "unreadable", "a request of `memory-ledger move`")
                path.unlink(missing_ok=True)
            elif self._is_due(path):
                target = (self._store.folder / departure.target).resolve()
                places = (transfers_folder(target) / departure.arrival, target / DOCSTORE_FILE)
                before = {one: files.file_stamp(one) for one in places}
                awaited = self._awaited(departure, target)
                if awaited is None:
                    path.unlink(missing_ok=True)
                else:
                    self._watched[path] = awaited, before[awaited]

    def _awaited(self, departure: Departure, target: Path) -> Path | None:
        """Remove what `target` holds on disk, word for word; return what has to change first, None when done."""
        if is_waiting(target, departure.arrival):
            return transfers_folder(target) / departure.arrival
        try:
            held = _texts_on_disk(target)
        except StoreError as exc:
            self._refuse(f"the move to {target}", f"not to be verified yet ({exc})", "a store that can be read")
            return target / DOCSTORE_FILE
        store = self._store
        present = {one: memory for one in departure.memories if (memory := store.read(one)) is not None}
        gone = [one for one, memory in present.items() if held.get(one) == memory.text]
        for one in present.keys() - set(gone):
            self._refuse(f"memory {one}", f"not in {target}, or not in these words", "the same memory: it stays here")
        if gone and not self._remove(gone):
            return target / DOCSTORE_FILE
        rows = _in_lines({"action": MOVE_ACTION, "to": str(target), "rule": _RULE}, gone, at=format_time(store.clock()))
        store.record(rows)
        return None

    def _remove(self, gone: list[str]) -> bool:
        """Delete memories through the host and unlink those that stay; False if the host has another index by now."""
        store, leaving = self._store, set(gone)
        for memory_id in store.db.get_all_docs().copy():
            memory = None if memory_id in leaving else store.read(memory_id)
            if memory is None or memory.classification is None or memory.lineage is None:
                continue
            kept, dropped = keep_pointers(memory, lambda one: one not in leaving)
            if dropped:
                store.put(kept)
        with deleting_for(store, MOVE_ACTION):
            store.db.delete(gone)
        store.is_dirty = True
        return store.save()

    def _refuse(self, where: str, found: str, allowed: str) -> None:
        self._store.refuse(Problem(where=where, found=found, allowed=allowed))


class _Arrival:
    """One archive that is being taken in."""

    def __init__(self, store: Store, path: Path, refuse: Callable[[str, str, str], None]) -> None:
        self.path = path
        self.name = path.name
        self._store = store
        self._refuse = refuse
        reader = ArchiveReader(path)
        self.header = reader.header
        self._ids = {one.id for _, one in reader if isinstance(one, Archived)}
        self._lines: Iterator[Any] = iter(reader)
        self.remaining = len(self._ids) + 1  # to finish is work as well
        self._known: set[str] | None = None
        self._conflicts: dict[str, Mapping[str, Any]] = {}
        self._held: dict[str, None] = {}

    def receive(self, limit: int) -> list[str]:
        """Insert the next memories, `limit` at most; return their ids. None left: what remains is to finish."""
        batch: dict[str, Archived] = {}
        for number, one in self._lines:
            if isinstance(one, Problem):
                self._refuse(f"line {number}: {one.where}", one.found, one.allowed)
            elif one.id not in batch and self._takes(number, one):
                batch[one.id] = one
                if len(batch) >= limit:
                    break
        if batch:
            self._insert(list(batch.values()))
        self.remaining = self.remaining - len(batch) if len(batch) >= limit else 0
        return list(batch)

    def _takes(self, number: int, one: Archived) -> bool:
        """Whether a memory is to be inserted: not what is there, and what has another's id is refused."""
        found = self._store.db.get_all_docs().get(one.id)
        if found is not None and not is_same_text(found.page_content, one.text):
            problem = taken(one, found.page_content)
            self._refuse(f"line {number}: {problem.where}", problem.found, problem.allowed)
            return False
        self._held[one.id] = None
        self._conflicts.update({str(row.get("id")): row for row in one.conflicts})
        return found is None

    def _insert(self, batch: list[Archived]) -> None:
        store = self._store
        self._add_history(batch)
        cycles = store.state.recall_cycle - self.header.recall_cycle
        documents = store.db.get_all_docs()
        metadatas = [
            settle_in(
                one,
                key=store.key,
                is_there=lambda memory_id: memory_id in self._ids or memory_id in documents,
                cycles=cycles,
                inserted_at=store.clock(),
            )[0]
            for one in batch
        ]
        for metadata in metadatas:
            if is_of_host(store.folder):
                # Nothing is ever ingested there, and `memory_forget` matches the words of metadata (T-61).
                metadata.pop(MARK_KEY, None)
            metadata["area"] = metadata.get("area") or "main"
            metadata.setdefault("timestamp", format_time(store.clock()))
        store.db.add_texts([one.text for one in batch], metadatas=metadatas, ids=[one.id for one in batch])
        store.is_dirty = True

    def _add_history(self, batch: list[Archived]) -> None:
        """Put the history of memories before what happens to them here; a line that is there stays one."""
        if self._known is None:
            self._known = {_canonical(row) for row in files.read_lines(self._store.folder / files.JOURNAL_FILE)}
        new = {text: row for one in batch for row in one.history if (text := _canonical(row)) not in self._known}
        self._known.update(new)
        self._store.record(new.values())

    def finish(self) -> bool:
        """Take over the conflicts, save, and put on record who came from where; False if it could not be saved."""
        store = self._store
        documents = store.db.get_all_docs()
        conflicts = [one for row in self._conflicts.values() if (one := parse_conflict(row)) is not None]
        store.conflicts.record(
            *(
                one
                for one in conflicts
                if all(memory_id in documents for memory_id in one.memories) and store.conflicts.get(one.id) is None
            )
        )
        if store.is_dirty and not store.save():
            return False
        journal = files.read_lines(store.folder / files.JOURNAL_FILE)
        if not any(row.get("action") == IMPORT_ACTION and row.get("archive") == self.name for row in journal):
            said = f"a person brought it from {self.header.folder}"
            row = {"action": IMPORT_ACTION, "from": self.header.folder, "archive": self.name, "rule": _RULE}
            rows = _in_lines({**row, "reasons": [said]}, list(self._held), at=format_time(store.clock()))
            store.record(rows)
        self.path.unlink(missing_ok=True)
        return True


def _in_lines(row: dict[str, Any], memory_ids: list[str], *, at: str) -> Iterator[dict[str, Any]]:
    """Yield lines of the journal that name so many memories each."""
    rest = iter(memory_ids)
    while some := list(islice(rest, _IDS_IN_A_LINE)):
        yield {"action": row["action"], "at": at, "memories": some, **row}


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
    return {memory_id: one.page_content for memory_id, one in read_docstore(folder)[2].items()}
