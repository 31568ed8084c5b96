"""Give each text of an open store the one vector that is its own, inside the host's own process (T-64, contract 4).

No text is changed or taken away. A vector without a text goes; the host's files stay beside the store as they were.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ...errors import StoreError
from ...texts import counted
from ..docstore.consistency import Disagreement, disagreement_of, place_of
from ..docstore.docstore_file import SAVED_FILES, new_folder_aside
from ..docstore.locks import change_lock, save_lock
from ..docstore.store import Store
from ..storage.throttle import Throttle
from .backup import BackupWriter, is_shifted
from .recorder import attached_to

#: So many texts are embedded at once.
SLICE = 32
_MOST_NAMED = 20

#: Told how many memories are done, and of how many.
Tell = Callable[[int, int], None]
_Vector = npt.NDArray[np.float32]
_Text = tuple[str, str]


@dataclass(slots=True)
class Repaired:
    """How many texts were embedded anew, what had to go, why a text could not be embedded, and the copy beside it."""

    embedded: int = 0
    found: Disagreement = field(default_factory=Disagreement)
    failed: dict[str, str] = field(default_factory=dict)
    copy: str = ""


def repair(backup: BackupWriter, tell: Tell = lambda done, total: None, throttle: Throttle | None = None) -> Repaired:
    """Embed what has no vector of its own, all of it where vectors stand with other texts; in slices, then save.

    Where all agree nothing happens. Raises StoreError where the model fails, or makes vectors of another length than
    the index holds, and OSError where the files cannot be copied; nothing has changed then.
    """
    store, db, throttle = backup.store, backup.store.db, throttle or Throttle()
    done = Repaired(found=disagreement_of(store))
    is_mixed = _is_mixed(store)
    if not done.found and not is_mixed:
        return done
    vectors = {} if is_mixed else _own_vectors(store)
    while True:
        missing = [one for one in _texts(db) if one not in vectors and one[0] not in done.failed]
        for start in range(0, len(missing), SLICE):
            part = missing[start : start + SLICE]
            for one, vector in zip(part, embed_each(backup, [text for _, text in part]), strict=True):
                if isinstance(vector, Exception):
                    done.failed[one[0]] = f"{type(vector).__name__}: {vector}"
                else:
                    vectors[one] = vector
                    done.embedded += 1
            tell(start + len(part), len(missing))
            throttle.rest()
        if not (done.embedded or done.found.without_text or done.found.without_id):
            return done
        with save_lock(backup.memory_class):
            done.copy = done.copy or _keep_files(store)
            if _put(backup, vectors, done.failed):
                break
    store.is_dirty = True
    store.save()
    return done


def repair_store(store: Store, throttle: Throttle) -> Repaired | None:
    """Repair an open store, as maintenance does; None where there is no host whose model could be asked."""
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
    return [(one, document.page_content) for one, document in dict(db.get_all_docs()).items()]


def _put(backup: BackupWriter, vectors: dict[_Text, _Vector], failed: dict[str, str]) -> bool:
    """Put the vectors in the place of those that are there; False where a text has come meanwhile."""
    db = backup.store.db
    with change_lock(backup.memory_class):
        texts = [text for text in _texts(db) if text[0] not in failed]
        if not all(text in vectors for text in texts):
            return False
        db.index.reset()
        if texts:
            db.index.add(np.stack([vectors[text] for text in texts]))
        db.index_to_docstore_id = {place: one for place, (one, _) in enumerate(texts)}
        return True


def _keep_files(store: Store) -> str:
    """Copy the host's files as they were saved last; return the name of the folder, empty where nothing was saved."""
    saved = [path for name in SAVED_FILES if (path := store.folder / name).exists()]
    if not saved:
        return ""
    target = new_folder_aside(store.folder, store.clock())
    for path in saved:
        shutil.copy2(path, target / path.name)
    return target.name


def embed_each(backup: BackupWriter, texts: Sequence[str]) -> list[_Vector | Exception]:
    """Return the vector of each text, or why it has none: one bad text stops no other.

    Raises StoreError where none of several can be embedded, or the length is not that of the index.
    """
    try:
        return list(_embed(backup, texts))
    except StoreError:
        raise
    except Exception as exc:  # whatever the model raises
        if len(texts) == 1:
            return [exc]
        found = [vector for text in texts for vector in embed_each(backup, [text])]
        if all(isinstance(one, Exception) for one in found):
            raise _model_error(exc) from exc
        return found


def _embed(backup: BackupWriter, texts: Sequence[str]) -> _Vector:
    db = backup.store.db
    vectors = np.asarray(db.embedding_function.embed_documents(list(texts)), dtype=np.float32)
    if vectors.shape != (len(texts), db.index.d):
        raise StoreError(
            f"{backup.store.folder}: the index holds vectors of {db.index.d} numbers; allowed: {vectors.shape[-1]}, as "
            "the embedding model makes"
        )
    return vectors


def repaired_words(done: Repaired) -> str:
    """Return what was done, in words."""
    gone = done.found.without_text
    parts = [f"{counted(done.embedded, 'text', 'texts')} embedded anew"]
    if gone:
        more = f" and {len(gone) - _MOST_NAMED} more" if len(gone) > _MOST_NAMED else ""
        parts.append(f"{len(gone)} vectors without a text taken out ({', '.join(gone[:_MOST_NAMED])}{more})")
    if done.found.without_id:
        parts.append(f"{done.found.without_id} vectors without an id taken out")
    if done.failed:
        parts.append(f"{len(done.failed)} not embedded")
    return "; ".join([*parts, *([f"the index as it was is in {done.copy}"] if done.copy else [])])
