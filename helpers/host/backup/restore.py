"""Bring back what the backup holds and the store has lost, inside the host's own process (T-64).

Ids, texts and metadata are those of the backup, so status, pointers and seals hold as they are. The host's own model
makes the vectors, whichever that is now. What is there already is left alone: whoever restores twice restores once.
What the agent had replaced comes back retired: nobody who restores it makes the newer word lose (T-43).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from ...errors import StoreError
from ...ledger.changes import Replace, Supersede
from ...texts import counted
from ..docstore.locks import change_lock
from ..storage.throttle import Throttle
from .backup import BackupWriter
from .backup_file import Contents
from .repair import SLICE, Tell, embed_each, repair
from .replaced import find_heir
from .rows import BackedUp

_SAVE_STEP = 2_000
_MOST_NAMED = 20


@dataclass(slots=True)
class Restored:
    """Which memories came back; which were there already, unknown or erased; what could not be embedded, and why.

    `replaced` are those that came back retired, each with the memory that stands for it.
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
    """Bring back `ids`, deleted ones as well, or everything that is missing; in slices, saving on the way.

    Raises StoreError where there is no backup, or vectors of another length than the host's index holds.
    """
    repaired = repair(backup, tell)
    done = Restored(failed=repaired.failed, rebuilt=repaired.embedded, copy=repaired.copy)
    tried: set[str] = set()
    while True:
        contents = backup.file.read(Throttle())
        if contents is None:
            raise StoreError(f"{backup.file.path} is missing; allowed: a memory folder with a backup")
        done.unreadable = contents.unreadable
        present = dict(backup.store.db.get_all_docs())
        wanted = backup.wanted(contents, present)
        if ids:
            done.present = [memory_id for memory_id in ids if memory_id in present and memory_id not in done.ids]
            done.unknown = [one for one in ids if one not in present and one not in contents.places]
            wanted = [one for one in dict.fromkeys(ids) if one not in present and one in contents.places]
        wanted = [one for one in wanted if one not in tried]
        found = list(_slices(backup.file.take(contents, wanted)))
        if not found:  # a line that has moved meanwhile is found at the next look
            break
        total = len(done.ids) + len(wanted)
        throttle = Throttle()
        for rows in found:
            tried.update(row.id for row in rows)
            _insert(backup, rows, done)
            _retire_replaced(backup, contents, rows, done)
            tell(len(done.ids), total)
            if len(done.ids) - done.saved >= _SAVE_STEP:
                _save(backup, done)
            throttle.rest()
        backup.owe(one for one in done.ids if one in contents.deleted)  # it is none that was deleted any more
    if len(done.ids) > done.saved:
        _save(backup, done)
    return done


def _slices(rows: Iterator[BackedUp]) -> Iterator[list[BackedUp]]:
    found: list[BackedUp] = []
    for row in rows:
        found.append(row)
        if len(found) == SLICE:
            yield found
            found = []
    if found:
        yield found


def _save(backup: BackupWriter, done: Restored) -> None:
    """Have the host write its files: a process that ends now goes on from here."""
    backup.store.is_dirty = True
    backup.store.save()
    done.saved = len(done.ids)


def _insert(backup: BackupWriter, rows: list[BackedUp], done: Restored) -> None:
    """Embed and insert one slice; what cannot be embedded is named."""
    vectors = embed_each(backup, [row.text for row in rows])
    db = backup.store.db
    with change_lock(backup.memory_class), backup.paused():
        present, new = db.get_all_docs(), []
        for one, vector in zip(rows, vectors, strict=True):
            if isinstance(vector, Exception):
                done.failed[one.id] = f"{type(vector).__name__}: {vector}"
            elif one.id not in present:
                new.append((one, vector.tolist()))
        if new:
            db.add_embeddings(
                [(one.text, vector) for one, vector in new],
                metadatas=[{**one.metadata, "id": one.id} for one, _ in new],
                ids=[one.id for one, _ in new],
            )
    done.ids.extend(one.id for one, _ in new)


def _retire_replaced(backup: BackupWriter, contents: Contents, rows: list[BackedUp], done: Restored) -> None:
    """Retire what the agent had replaced in favour of what stands for it now, as a person can undo."""
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
            done.replaced |= {row.id: heir.id} if store.apply([change]) else {}


def restored_words(done: Restored) -> str:
    """Return what was done, in words."""
    parts = [f"{counted(len(done.ids), 'memory', 'memories')} brought back"]
    if done.ids:
        more = f" and {len(done.ids) - _MOST_NAMED} more" if len(done.ids) > _MOST_NAMED else ""
        parts[0] += f" ({', '.join(done.ids[:_MOST_NAMED])}{more})"
    if done.replaced:
        pairs = ", ".join(f"{one} by {heir}" for one, heir in islice(done.replaced.items(), _MOST_NAMED))
        parts.append(f"{len(done.replaced)} of them retired, because the agent had replaced it ({pairs})")
    for number, what in (
        (done.rebuilt, "vectors made anew, because a crash had left those of another save"),
        (len(done.present), "there already"),
        (len(done.unknown), "not in the backup"),
        (len(done.failed), "not embedded"),
        (done.unreadable, "damaged lines of the backup left out"),
    ):
        if number:
            parts.append(f"{number} {what}")
    return "; ".join([*parts, *([f"the index as it was is in {done.copy}"] if done.copy else [])])
