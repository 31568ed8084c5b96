"""The backup of an open memory folder, kept in step with inserts, deletes and changes of status, and rewritten.

An insert is on the disk before the host saves, a new status at the end of the turn. If the file cannot be written, one
problem is reported, and the missing lines are written as soon as possible. No lock of the store is held meanwhile."""

from __future__ import annotations

import logging
import shlex
import sys
import threading
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import Problem, reason_of
from ..ledger.changes import Replace
from ..setting_groups import Backup as BackupSettings
from ..texts import counted
from .backup_file import BY_AGENT, BackupFile, Contents, deleted_row, erased_row, memory_row
from .damage import ProblemKind
from .deadline import Throttle
from .docstore import Store
from .docstore_file import KnowledgeImports, place_of
from .embedded import NoModel
from .embedding import MOST_SECONDS
from .query_vectors import model_of, remember_queries
from .saving import ErasedElsewhere, attach, attached_to
from .versions import takes_place_of

_log = logging.getLogger(__name__)

#: The default author of a deletion.
BY_HOST = "host"
#: The author of the deletion that follows an insert which the host did not carry out.
NOT_STORED = "not stored"

#: The least cosine of two vectors of one text.
_SAME_VECTOR = 0.99
_FEWEST_LOST = 10
_SLICE = 500
_ALLOWED = "a file that can be written; until then new memories are in Agent Zero's own files only"
_SAVED = "a disk with room, where Agent Zero saves again; until then its files stay as they were saved last"
_TRIES = 5

#: The lines that the file lacks, by memory: None for a memory as it stands, the tombstone for a deleted one.
_Owed = dict[str, dict[str, Any] | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupReport:
    """The result of a rewrite: counts of memories in the store, of missing and of deleted ones that the backup keeps.

    `is_refused`: nothing was written, because the store has lost so much that the backup is the better copy.
    """

    memories: int = 0
    missing: int = 0
    deleted: int = 0
    is_refused: bool = False
    is_written: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """The loss of a store against its backup when it was opened; `is_torn` if its vectors belong to other texts."""

    present: int
    backed_up: int
    missing: int
    is_torn: bool

    @property
    def is_grave(self) -> bool:
        """Whether a person has to be warned."""
        return self.is_torn or is_far_fewer(self.present, self.backed_up)

    def words(self, folder: Path) -> tuple[str, str]:
        """Return the message for a person: a heading, and the command to run."""
        memories = counted(self.present, "memory", "memories")
        heading = f"the store holds {memories}, its backup {self.backed_up}; {self.missing} can be brought back"
        if self.is_torn:
            heading = f"vectors do not match the texts; {heading}"
        if not self.missing:
            return heading, f"This command embeds those texts anew:\n{terminal_command('repair', folder)}"
        command = terminal_command("restore", folder)
        return heading, f"Nothing is restored automatically. This command restores what is missing:\n{command}"


def terminal_command(name: str, folder: Path) -> str:
    """Return the shell command for a memory folder on the machine that runs Agent Zero."""
    package = __package__.removesuffix(".store")
    arguments = [name, "--folder", str(folder)]
    if "." not in package:
        return shlex.join(["memory-ledger", *arguments])
    root = Path(__file__).absolute().parents[package.count(".") + 2]
    return f"cd {shlex.quote(str(root))} && {shlex.join([sys.executable, '-m', f'{package}.cli', *arguments])}"


def is_far_fewer(present: int, backed_up: int) -> bool:
    """Whether a store has lost so many memories that something is wrong with it: half of them, and ten."""
    return 2 * present < backed_up and backed_up - present >= _FEWEST_LOST


class BackupWriter:
    """Writes the backup of one open store; thread-safe. `settings` are the current ones."""

    def __init__(self, store: Store, settings: BackupSettings, *, memory_class: Any) -> None:
        self.store = store
        self.memory_class = memory_class
        self.settings = settings
        self.file = BackupFile(store.folder)
        self._owed: _Owed = {}
        self._lock = threading.Lock()
        #: Held from the reading of documents until their lines are appended, and while some are erased.
        self.appending = threading.Lock()
        #: How often memories were erased; a rewrite that began before the latest erasure is discarded.
        self.erasures = 0
        self._here = threading.local()
        #: Whether the last save of the host has failed.
        self.is_unsaved = False
        self._loss: Loss | None = None
        self.elsewhere = ErasedElsewhere(store, self.file.path, self.paused, memory_class)
        self._is_looked_at = False
        attach(store.db, self)

    def note_insert(
        self,
        ids: Sequence[str],
        texts: Sequence[str],
        metadatas: Sequence[Mapping[str, Any]],
        deleted: Sequence[tuple[str, Any]] = (),
    ) -> None:
        """Append what is about to be inserted, and the tombstones of the `deleted` documents that it replaces."""

        def make_rows() -> Iterator[dict[str, Any]]:
            at = self.store.clock()
            for insert in zip(ids, texts, metadatas, strict=False):
                for old_id, old in deleted:
                    if old_id not in ids and takes_place_of(old, *insert[1:]):
                        yield deleted_row(old_id, at=at, by=BY_HOST, replaced_by=insert[0])
                yield memory_row(*insert)

        self.store.agent_deletes.note_written(ids)
        self._note(ids, make_rows)

    def note_refused(self, ids: Sequence[str]) -> None:
        """Mark an insert that the host did not carry out as deleted."""
        self._note(ids, lambda: [deleted_row(memory_id, at=self.store.clock(), by=NOT_STORED) for memory_id in ids])

    def note_deleted(self, ids: Sequence[str]) -> None:
        """Append a tombstone for each deleted memory, so that no restore brings it back."""
        by = getattr(self._here, "deleting_for", BY_HOST)
        if by == BY_HOST:
            self.store.agent_deletes.note_deleted(ids, self.store.clock())
        self._note(ids, lambda: [deleted_row(memory_id, at=self.store.clock(), by=by) for memory_id in ids])

    def note_replaced(self, change: Replace) -> None:
        """Note which memory replaces one that the agent has deleted."""
        row = deleted_row(change.memory_id, at=change.at, by=BY_AGENT, replaced_by=change.winner_id)
        self._note((), lambda: [row])

    def note_saved(self, cut: Iterable[Problem]) -> None:
        """Report the metadata that had to be cut for a successful save."""
        self.is_unsaved = False
        self.store.problems.settle((str(self.store.folder), self._saved_again))
        for problem in cut:
            self.store.problems.tell(problem, ProblemKind.SAVING)

    def note_unsaved(self, exc: Exception) -> None:
        """Report, once until the next successful save, that the host cannot save, with the command that restores."""
        self.is_unsaved = True
        reason = f"not saved ({reason_of(exc)})"
        problem = Problem(where=str(self.store.folder), found=reason, allowed=self._saved_again)
        self.store.problems.tell(problem, ProblemKind.SAVING)

    @property
    def _saved_again(self) -> str:
        command = terminal_command("restore", self.store.folder)
        return f"{_SAVED}; what is newer is in the backup, and this brings it back after a restart of it:\n{command}"

    def _note(self, ids: Iterable[str], make_rows: Any) -> None:
        """Append the rows of `make_rows`; the end of the turn makes up for a failure."""
        if not self.settings.enabled or getattr(self._here, "is_paused", False):
            return
        owed: _Owed = dict.fromkeys(ids)
        with self._writing(owed):
            rows = list(make_rows())
            owed |= {row["deleted"]: row for row in rows if "deleted" in row}
            self.file.append(rows)

    def owe(self, ids: Iterable[str]) -> None:
        """Write these memories, in their state at that time, at the end of the turn."""
        with self._lock:
            self._owed |= dict.fromkeys(ids)

    def forgive(self, ids: Iterable[str]) -> None:
        """Drop the owed lines of memories that were erased."""
        with self._lock:
            for memory_id in ids:
                self._owed.pop(memory_id, None)

    @contextmanager
    def _writing(self, owed: _Owed) -> Iterator[None]:
        """Report that the backup cannot be written, for as long as that lasts, and owe the given lines."""
        path = str(self.file.path)
        try:
            yield
        except Exception as exc:  # noqa: BLE001 - no insert or delete of the host's fails for its backup
            with self._lock:
                self._owed |= owed
            problem = Problem(where=path, found=f"not written ({reason_of(exc)})", allowed=_ALLOWED)
            if self.store.problems.tell(problem, ProblemKind.BACKUP):
                _log.warning("%s: %s", path, exc, exc_info=not isinstance(exc, OSError))
        else:
            self.store.problems.settle((path, _ALLOWED))

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Record nothing that this thread does inside the block: the backup knows it already."""
        self._here.is_paused = True
        try:
            yield
        finally:
            self._here.is_paused = False

    @contextmanager
    def deleting_for(self, reason: str) -> Iterator[None]:
        """Say on whose behalf this thread deletes."""
        self._here.deleting_for = reason
        try:
            yield
        finally:
            del self._here.deleting_for

    def take_loss(self) -> Loss | None:
        """Return, once, what the store lacked of its backup when it was opened; None if nothing."""
        loss, self._loss = self._loss, None
        return loss

    def end_turn(self) -> None:
        """Bring the backup up to date; blocking. The first call compares it with the store, or makes it."""
        self.elsewhere.drop()
        if not self.settings.enabled:
            return
        with self.store.lock:
            changed, self.store.rewritten = self.store.rewritten, set()
        with self._lock:
            every: _Owed = dict.fromkeys(sorted(changed)) | self._owed
            # What the host is still inserting stays owed: with nothing written, nobody knows that the file can be.
            coming = {key for key, row in self._owed.items() if row is None and key not in self._documents()}
            self._owed = dict.fromkeys(coming)
            owed: _Owed = {key: row for key, row in every.items() if key not in coming}
        if not owed and self._is_looked_at:
            return
        with self._writing(owed):
            if tombstones := [row for row in owed.values() if row is not None]:
                self.file.append(tombstones)  # first: what has been deleted is not missing
            if not self._is_looked_at:
                self._look(owed)
            self._append(list(owed))
            self._is_looked_at = True

    def _look(self, owed: _Owed) -> None:
        """Compare the backup with the store and owe what it lacks: everything, where there is none yet."""
        contents = self.file.read(Throttle()) or Contents()
        present = dict(self._documents())
        owed.update(
            (memory_id, None)
            for memory_id in present
            if memory_id not in contents.lines or memory_id in contents.deleted
        )
        if contents.inode is None:
            return
        loss = Loss(
            present=len(present),
            backed_up=contents.live_count,
            missing=len(find_missing(self.store.folder, contents, present)),
            is_torn=bool(self.store.disagreement()) or self._is_found_shifted(),
        )
        self._loss = loss if loss.missing or loss.is_torn else None

    def _is_found_shifted(self) -> bool:
        """Whether vectors belong to other texts; a host that keeps a hash checks that itself."""
        if (self.store.folder / "index.faiss.sha256").exists():
            return False
        if isinstance(model_of(self.store.db.embedding_function), NoModel):
            return False
        try:
            return remember_queries(self.store.db).ask(partial(is_shifted, self.store), MOST_SECONDS)
        except Exception as exc:  # noqa: BLE001 - whatever the model raises: it is asked again by a restore
            _log.warning("%s: the vectors were not compared with the texts: %s", self.store.folder, exc)
            return False

    def _append(self, ids: list[str]) -> None:
        throttle = Throttle()
        for start in range(0, len(ids), _SLICE):
            with self.appending:
                documents = self._documents()
                batch = [(memory_id, documents.get(memory_id)) for memory_id in ids[start : start + _SLICE]]
                self.file.append(
                    [_row_of(memory_id, document) for memory_id, document in batch if document is not None]
                )
            if len(ids) > _SLICE:
                throttle.rest()

    def write(self, throttle: Throttle | None = None) -> BackupReport:
        """Rewrite the backup, in slices; blocking. A store that has lost much changes nothing. Raises OSError.

        `throttle` rests between two slices; once it is stopped, the backup stays as it is.
        """
        if not self.settings.enabled:
            return BackupReport()
        throttle, erasures = throttle or Throttle(), self.erasures
        contents = self.file.read(throttle)
        present = dict(self._documents())
        if contents is not None and is_far_fewer(len(present), contents.live_count):
            return BackupReport(memories=len(present), is_refused=True)
        missing, deleted, erased = [], [], []
        if contents is not None:
            missing = find_missing(self.store.folder, contents, present)
            gone = contents.gone(present)
            deleted = gone[len(gone) - min(len(gone), self.settings.kept_deleted) :]
            erased = [erased_row(erasure.digest, at=erasure.at) for erasure in contents.erased.values()]
        kept = [memory_id for memory_id in (contents or Contents()).lines if memory_id in {*missing, *deleted}]
        rows = self._rows(present, erased, throttle)
        is_written = self.file.rewrite(rows, kept, contents, holds=lambda: erasures == self.erasures)
        return BackupReport(
            memories=len(present),
            missing=len(missing),
            deleted=len(deleted),
            is_written=is_written,
        )

    def _rows(
        self, present: Mapping[str, Any], erased: Iterable[dict[str, Any]], throttle: Throttle
    ) -> Iterator[dict[str, Any]]:
        yield from erased
        for number, (memory_id, document) in enumerate(present.items(), start=1):
            yield _row_of(memory_id, document)
            if number % _SLICE == 0:
                throttle.rest()

    def _documents(self) -> dict[str, Any]:
        documents: dict[str, Any] = self.store.db.get_all_docs()
        return documents


def find_missing(folder: Path, contents: Contents, present: Container[str]) -> list[str]:
    """Return the ids that the store lacks of the backup; knowledge only while the host lists its file."""
    imports = KnowledgeImports(folder)
    imports.refresh()
    missing = contents.missing(present)
    return [memory_id for memory_id in missing if memory_id not in contents.knowledge or imports.lists(memory_id)]


def write_backup(store: Store, throttle: Throttle | None = None) -> BackupReport:
    """Rewrite the backup of an open store, if it has one; raises OSError."""
    backup: BackupWriter | None = attached_to(store.db)
    return BackupReport() if backup is None else backup.write(throttle)


def deleting_for(store: Store, reason: str) -> AbstractContextManager[None]:
    """Name, in the tombstones, on whose behalf this thread deletes from an open store."""
    backup: BackupWriter | None = attached_to(store.db)
    return nullcontext() if backup is None else backup.deleting_for(reason)


def note_replaced(store: Store, change: Replace) -> None:
    """Note in the backup of an open store, if it has one, which memory replaces a deleted one."""
    backup: BackupWriter | None = attached_to(store.db)
    if backup is not None:
        backup.note_replaced(change)


def is_shifted(store: Store) -> bool:
    """Whether the last vector belongs to another text: a save or an update that was cut off shifts all behind it.

    Embeds one text, whose vector the host's model has cached as a rule.
    """
    with store.lock:
        texts = store.db.get_all_docs()
        places = place_of(store.db.index_to_docstore_id, int(store.db.index.ntotal))
        last, memory_id = max(
            ((place, memory_id) for memory_id, place in places.items() if place is not None and memory_id in texts),
            default=(-1, ""),
        )
        if last < 0:
            return False
        text = texts[memory_id].page_content
        stored = np.asarray(store.db.index.reconstruct(last), dtype=np.float32)
    made = np.asarray(store.db.embedding_function.embed_documents([text])[0], dtype=np.float32)
    lengths = float(np.linalg.norm(stored) * np.linalg.norm(made))
    return made.shape == stored.shape and lengths > 0.0 and float(stored @ made) / lengths < _SAME_VECTOR


def _row_of(memory_id: str, document: Any) -> dict[str, Any]:
    """Return the line of a document, which the host may change at this moment."""
    for _ in range(_TRIES):
        try:
            return memory_row(memory_id, document.page_content, dict(document.metadata))
        except RuntimeError:  # a dictionary changed its size
            continue
    raise RuntimeError(f"memory {memory_id}: its metadata changed {_TRIES} times while it was read")
