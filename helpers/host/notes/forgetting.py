"""Take what an erased memory said out of the notes in its folder, and out of their index (T-64)."""

from __future__ import annotations

from pathlib import Path

from ...errors import StoreError
from ..backup.mentions import Trace
from ..storage.files import files_below, hold_folder, write_atomically
from .builder import LOG_FILE
from .notes_faiss import INDEX_FILE, META_FILE, NotesFAISS
from .vector_log import VectorLog


def cut_from_files(folder: Path, trace: Trace) -> int:
    """Cut the passages that say it out of all files below a folder; return out of how many. The rest stays as it is."""
    count = 0
    for path in files_below(folder):
        if not path.is_symlink():
            data = path.read_bytes()
            left = trace.cut_from(data)
            if left != data:
                write_atomically(path, left)
                count += 1
    return count


def forget_index(folder: Path, trace: Trace) -> bool:
    """Drop an index that holds the words of an erased memory, and keep its other vectors for the next one.

    Raises StoreError while a build works there.
    """
    meta = folder / META_FILE
    if not meta.exists() or not trace.is_in_bytes(meta.read_bytes()):
        return False
    with hold_folder(folder) as is_held:
        if not is_held:
            raise StoreError(f"{folder} is being written by another build; allowed: one at a time")
        try:
            index = NotesFAISS.open(folder)
        except StoreError:  # it cannot be used anyway
            pass
        else:
            spoken_of = {one.digest for one in index.meta.chunks if trace.is_in_text(one.text)}
            kept = [(digest, vector) for digest, vector in index.vectors().items() if digest not in spoken_of]
            VectorLog(folder / LOG_FILE, index.meta.model).append(kept, index.meta.dimension)
        for name in (META_FILE, INDEX_FILE):
            (folder / name).unlink(missing_ok=True)
    return True
