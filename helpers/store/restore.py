"""Restore memories that the store has lost from the backup, and give each text its own vector."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..clock import EPOCH
from ..errors import StoreError
from ..inbox import BringBack, Erase, InboxAnswer, InboxRequest, Repair
from ..ledger.changes import Replace, Supersede
from ..ledger.lifecycle import follow_to_head, is_classified, restated
from ..records import Memory, Validity, parse_memory
from ..texts import counted
from .backup import BackupWriter, find_missing, is_shifted
from .backup_file import BackedUp, BackupFile, Contents
from .deadline import Throttle
from .docstore import Store
from .docstore_file import SAVED_FILES, Disagreement, new_folder_aside, place_of
from .erase import Forget, erase
from .order import change_lock, save_lock
from .saving import attached_to
from .versions import Versions, find_versions

#: How many texts are embedded at once.
SLICE = 32
_MOST_NAMED = 20

#: Called with the number of finished memories and their total.
Tell = Callable[[int, int], None]
_Vector = npt.NDArray[np.float32]
_Text = tuple[str, str]


@dataclass(slots=True)
class Repaired:
    """The outcome of a repair: texts embedded anew, the disagreement before, failures by id, the copy of the index."""

    embedded: int = 0
    disagreement: Disagreement = field(default_factory=Disagreement)
    failed: dict[str, str] = field(default_factory=dict)
    copy: str = ""


def repair(backup: BackupWriter, tell: Tell = lambda done, total: None, throttle: Throttle | None = None) -> Repaired:
    """Embed the texts without a vector of their own, or all if vectors belong to other texts; in slices, then save.

    Does nothing if texts and vectors agree. Raises StoreError where the model fails, or makes vectors of another
    length than those of the index, and OSError where the files cannot be copied; nothing has changed then.
    """
    store, db, throttle = backup.store, backup.store.db, throttle or Throttle()
    outcome = Repaired(disagreement=store.disagreement())
    is_mixed = _is_mixed(store)
    if not outcome.disagreement and not is_mixed:
        return outcome
    vectors = {} if is_mixed else _own_vectors(store)
    while True:
        missing = [entry for entry in _texts(db) if entry not in vectors and entry[0] not in outcome.failed]
        for start in range(0, len(missing), SLICE):
            part = missing[start : start + SLICE]
            for entry, vector in zip(part, embed_each(backup, [text for _, text in part]), strict=True):
                if isinstance(vector, Exception):
                    outcome.failed[entry[0]] = f"{type(vector).__name__}: {vector}"
                else:
                    vectors[entry] = vector
                    outcome.embedded += 1
            tell(start + len(part), len(missing))
            throttle.rest()
        if not (outcome.embedded or outcome.disagreement.without_text or outcome.disagreement.without_id):
            return outcome
        with save_lock(backup.memory_class):
            outcome.copy = outcome.copy or _keep_files(store)
            if _put(backup, vectors, outcome.failed):
                break
    store.is_dirty = True
    store.save()
    return outcome


def repair_store(store: Store, throttle: Throttle) -> Repaired | None:
    """Repair an open store; None where it has no backup, and so no host's model."""
    backup: BackupWriter | None = attached_to(store.db)
    return None if backup is None else repair(backup, throttle=throttle)


def _is_mixed(store: Store) -> bool:
    try:
        return is_shifted(store)
    except Exception as exc:
        raise _model_error(exc) from exc


def _model_error(exc: Exception) -> StoreError:
    return StoreError(f"the embedding model fails: {type(exc).__name__}: {exc}")


def _own_vectors(store: Store) -> dict[_Text, _Vector]:
    db = store.db
    with store.lock:
        count = int(db.index.ntotal)
        rows = db.index.reconstruct_n(0, count) if count else np.zeros((0, db.index.d), dtype=np.float32)
        places = place_of(db.index_to_docstore_id, count)
        return {text: rows[place] for text in _texts(db) if (place := places.get(text[0])) is not None}


def _texts(db: Any) -> list[_Text]:
    return [(memory_id, document.page_content) for memory_id, document in dict(db.get_all_docs()).items()]


def _put(backup: BackupWriter, vectors: dict[_Text, _Vector], failed: dict[str, str]) -> bool:
    """Replace all vectors of the index; return False if a new text has come meanwhile."""
    db = backup.store.db
    with change_lock(backup.memory_class):
        texts = [text for text in _texts(db) if text[0] not in failed]
        if not all(text in vectors for text in texts):
            return False
        db.index.reset()
        if texts:
            db.index.add(np.stack([vectors[text] for text in texts]))
        db.index_to_docstore_id = {place: memory_id for place, (memory_id, _) in enumerate(texts)}
        return True


def _keep_files(store: Store) -> str:
    """Copy the host's saved files; return the name of the folder, empty if nothing was saved."""
    saved = [path for name in SAVED_FILES if (path := store.folder / name).exists()]
    if not saved:
        return ""
    target = new_folder_aside(store.folder, store.clock())
    for path in saved:
        shutil.copy2(path, target / path.name)
    return target.name


def embed_each(backup: BackupWriter, texts: Sequence[str]) -> list[_Vector | Exception]:
    """Return, for each text, its vector or the exception of embedding it: a bad text does not stop the others.

    Raises StoreError if none of several can be embedded, or the vectors do not have the length of the index.
    """
    try:
        return list(_embed(backup, texts))
    except StoreError:
        raise
    except Exception as exc:  # whatever the model raises
        if len(texts) == 1:
            return [exc]
        vectors = [vector for text in texts for vector in embed_each(backup, [text])]
        if all(isinstance(vector, Exception) for vector in vectors):
            raise _model_error(exc) from exc
        return vectors


def _embed(backup: BackupWriter, texts: Sequence[str]) -> _Vector:
    db = backup.store.db
    vectors = np.asarray(db.embedding_function.embed_documents(list(texts)), dtype=np.float32)
    if vectors.shape != (len(texts), db.index.d):
        raise StoreError(
            f"{backup.store.folder}: the index holds vectors of {db.index.d} numbers; allowed: {vectors.shape[-1]}, as "
            "the embedding model makes"
        )
    return vectors


def repaired_words(outcome: Repaired) -> str:
    """Return the outcome of a repair in words."""
    orphans = outcome.disagreement.without_text
    return _in_words(
        f"{counted(outcome.embedded, 'text', 'texts')} embedded anew",
        (len(orphans), f"vectors without a text taken out ({_named(orphans)})"),
        (outcome.disagreement.without_id, "vectors without an id taken out"),
        (len(outcome.failed), "not embedded"),
        copy=outcome.copy,
    )


def _in_words(first: str, *counts: tuple[int, str], copy: str) -> str:
    """Return the counts above zero in words, and where the index is as it was."""
    more = [f"{number} {label}" for number, label in counts if number]
    return "; ".join([first, *more, *([f"the index as it was is in {copy}"] if copy else [])])


def _named(words: Sequence[str]) -> str:
    more = f" and {len(words) - _MOST_NAMED} more" if len(words) > _MOST_NAMED else ""
    return f"{', '.join(words[:_MOST_NAMED])}{more}"


ReadMemory = Callable[[str], Memory | None]


def find_heir(contents: Contents, memory_id: str, read: ReadMemory) -> Memory | None:
    """Return the memory that replaces a deleted one now, through all later replacements; None for none."""

    def follow(current_id: str) -> str | None:
        memory = read(current_id) if current_id != memory_id else None
        if memory is None:
            return contents.heir_of(current_id)
        return memory.lineage.superseded_by if memory.is_deprecated and memory.lineage is not None else None

    head = follow_to_head(memory_id, follow)
    return read(head) if head != memory_id else None


def read_replaced(folder: Path, read: ReadMemory) -> Iterator[Memory]:
    """Yield the deleted memories that others replace, from the backup, as retired; `read` reads from the store."""
    file = BackupFile(folder)
    contents = file.read() if file.may_tell_heirs() else None
    if contents is None:
        return
    lost = [memory_id for memory_id in contents.gone(()) if read(memory_id) is None]
    wanted = [memory_id for memory_id in lost if find_heir(contents, memory_id, read) is not None]
    for row in contents.take(wanted):
        memory, _ = parse_memory(row.id, row.text, row.metadata, inserted_at=EPOCH)
        deleted = contents.deleted[row.id]
        if is_classified(memory):
            fate = {
                "superseded_by": deleted.replaced_by,
                "deprecated_at": deleted.at,
                "deprecated_reason": Replace.rule,
            }
            yield restated(memory, fate, validity=Validity.DEPRECATED)


_SAVE_STEP = 2_000


@dataclass(slots=True)
class Restored:
    """The outcome of a restore: ids that came back, were present, or are unknown, and failures by id.

    `replaced` maps memories that came back retired to those that replace them.
    """

    ids: list[str] = field(default_factory=list)
    present: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    replaced: dict[str, str] = field(default_factory=dict)
    rebuilt: int = 0
    copy: str = ""
    unreadable: int = 0
    saved: int = 0


def restore(backup: BackupWriter, ids: Sequence[str], tell: Tell) -> Restored:
    """Bring back `ids`, deleted ones as well, or all missing memories if empty; in slices, saving on the way.

    Raises StoreError where there is no backup, or the vectors do not have the length of the index.
    """
    repaired, throttle = repair(backup, tell), Throttle()
    contents = backup.file.read(throttle)
    if contents is None:
        raise StoreError(f"{backup.file.path} is missing; allowed: a memory folder with a backup")
    present = dict(backup.store.db.get_all_docs())
    outcome = Restored(
        failed=repaired.failed,
        rebuilt=repaired.embedded,
        copy=repaired.copy,
        unreadable=contents.unreadable,
        present=[memory_id for memory_id in ids if memory_id in present],
        unknown=[memory_id for memory_id in ids if memory_id not in present and memory_id not in contents.lines],
    )
    asked = [memory_id for memory_id in dict.fromkeys(ids) if memory_id not in present and memory_id in contents.lines]
    wanted = asked if ids else find_missing(backup.store.folder, contents, present)
    for start in range(0, len(wanted), SLICE):
        rows = list(contents.take(wanted[start : start + SLICE]))
        _insert(backup, rows, outcome)
        _retire_replaced(backup, contents, rows, outcome)
        tell(len(outcome.ids), len(wanted))
        if len(outcome.ids) - outcome.saved >= _SAVE_STEP:
            _save(backup, outcome)
        throttle.rest()
    backup.owe(memory_id for memory_id in outcome.ids if memory_id in contents.deleted)  # they are so no more
    if len(outcome.ids) > outcome.saved:
        _save(backup, outcome)
    return outcome


def _save(backup: BackupWriter, outcome: Restored) -> None:
    """Have the host save, so that an interrupted restore continues from here."""
    backup.store.is_dirty = True
    backup.store.save()
    outcome.saved = len(outcome.ids)


def _insert(backup: BackupWriter, rows: list[BackedUp], outcome: Restored) -> None:
    """Embed and insert one slice; failures go into the outcome."""
    vectors = embed_each(backup, [row.text for row in rows])
    db = backup.store.db
    with change_lock(backup.memory_class), backup.paused():
        present, new = db.get_all_docs(), []
        for row, vector in zip(rows, vectors, strict=True):
            if isinstance(vector, Exception):
                outcome.failed[row.id] = f"{type(vector).__name__}: {vector}"
            elif row.id not in present:
                new.append((row, vector.tolist()))
        if new:
            db.add_embeddings(
                [(row.text, vector) for row, vector in new],
                metadatas=[{**row.metadata, "id": row.id} for row, _ in new],
                ids=[row.id for row, _ in new],
            )
    outcome.ids.extend(row.id for row, _ in new)


def _retire_replaced(backup: BackupWriter, contents: Contents, rows: list[BackedUp], outcome: Restored) -> None:
    """Retire restored memories that the agent had replaced, in favour of the present replacement."""
    store = backup.store
    for row in rows:
        heir = find_heir(contents, row.id, store.read)
        if heir is not None:
            change = Supersede(
                winner_id=heir.id,
                loser_id=row.id,
                at=store.clock(),
                cycle=store.state.recall_cycle,
                rule=Replace.rule,
                reasons=(Replace.wording,),
            )
            outcome.replaced |= {row.id: heir.id} if store.apply([change]) else {}


def restored_words(outcome: Restored) -> str:
    """Return the outcome of a restore in words."""
    brought = counted(len(outcome.ids), "memory", "memories") + " brought back"
    pairs = [f"{memory_id} by {heir}" for memory_id, heir in outcome.replaced.items()]
    return _in_words(
        f"{brought} ({_named(outcome.ids)})" if outcome.ids else brought,
        (len(pairs), f"of them retired, because the agent had replaced it ({_named(pairs)})"),
        (outcome.rebuilt, "vectors made anew, because a crash had left those of another save"),
        (len(outcome.present), "there already"),
        (len(outcome.unknown), "not in the backup"),
        (len(outcome.failed), "not embedded"),
        (outcome.unreadable, "damaged lines of the backup left out"),
        copy=outcome.copy,
    )


#: The requests that may take long, and are carried out in a thread of their own.
KINDS = (BringBack, Erase, Repair)


class OrderHandler:
    """Carries out the orders of one memory folder."""

    def __init__(self, backup: BackupWriter, forget: Forget) -> None:
        self._backup = backup
        self._forget = forget
        self._tell: Tell = lambda done, total: None
        backup.store.requests.handlers |= {BringBack: self._restore, Erase: self._erase, Repair: self._repair}

    def carry_out(self, tell: Tell) -> list[InboxAnswer]:
        """Carry out the waiting orders one after the other; a failed one waits for the next look."""
        self._tell = tell
        self._forget_what_was_erased_elsewhere()
        return self._backup.store.requests.run(*KINDS)

    def is_due(self) -> bool:
        """Whether an order waits; reads no file."""
        return bool(self._backup.elsewhere.texts or self._backup.store.requests.due(*KINDS))

    def _forget_what_was_erased_elsewhere(self) -> None:
        """Erase what this host has kept, in files and in memory, of memories that another host has erased."""
        texts = self._backup.elsewhere.texts
        while erased := dict(texts):
            erase(self._backup, Versions(tuple(erased), tuple(erased.values())), self._forget)
            for memory_id in erased:
                del texts[memory_id]

    def _restore(self, asked: BringBack, _: InboxRequest) -> list[str]:
        outcome = restore(self._backup, asked.memories, self._tell)
        return [restored_words(outcome), *(f"{memory_id}: {reason}" for memory_id, reason in outcome.failed.items())]

    def _repair(self, asked: Repair, _: InboxRequest) -> list[str]:
        outcome = repair(self._backup, self._tell)
        return [repaired_words(outcome), *(f"{memory_id}: {reason}" for memory_id, reason in outcome.failed.items())]

    def _erase(self, asked: Erase, request: InboxRequest) -> list[str]:
        """Erase memories with their versions and copies, whose ids go on record first, in case of a kill."""
        store = self._backup.store
        versions = find_versions(store.folder, dict(store.db.get_all_docs()), asked.memories, asked.also)
        also = tuple(memory_id for memory_id in versions.ids if memory_id not in asked.memories)
        if also != asked.also:
            store.requests.inbox.widen(request, asked.model_copy(update={"also": also}))
        return [erase(self._backup, versions, self._forget).words()]
