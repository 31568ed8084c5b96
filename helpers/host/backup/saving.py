"""The host's save of its index is whole, or the one before it stays: on the disk first, then moved there (T-64).

The host writes both files in place, and the second one while it pickles: metadata that cannot be pickled, or a full
disk, leaves an empty file. While the pack runs its method is given another folder. What cannot be stored of a memory's
metadata, which one of the host's own tools may have brought, is made plain as the backup has it, and named.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...door import find_fault
from ...errors import Problem, shorten
from ...plain import PLAIN
from ..storage.files import keep_owner_and_mode
from ..storage.leftovers import drop_leftovers, staging
from .rows import to_plain

#: So many levels may stand between a value and where pickling began, and as many calls before that.
_LEVELS_AROUND = 60


def save_whole(save: Callable[[str], None], documents: Mapping[str, Any], folder: Path) -> list[Problem]:
    """Have `save` write into another folder, and move what it wrote into this one; return what had to be cut for it.

    Whatever `save` raises goes on, but for what cutting mends; nothing in the folder has changed then.
    """
    cut: list[Problem] = []
    folder.mkdir(parents=True, exist_ok=True)
    drop_leftovers(folder)
    with staging(folder) as written:
        try:
            save(str(written))
        except (pickle.PicklingError, RecursionError, TypeError, AttributeError, ValueError):
            cut = _cut_to_storable(documents)
            if not cut:
                raise
            save(str(written))
        for path in sorted(written.iterdir()):  # the vectors, then the texts, as the host does
            _put_in_place(path, folder / path.name)
    return cut


def _put_in_place(new: Path, path: Path) -> None:
    with new.open("rb+") as stream:
        if path.exists():
            keep_owner_and_mode(path, stream.fileno())
        os.fsync(stream.fileno())
    new.replace(path)


def _cut_to_storable(documents: Mapping[str, Any]) -> list[Problem]:
    """Make plain what of the metadata cannot be pickled; return what that was. The texts stay whole."""
    cut = []
    for memory_id, document in list(documents.items()):
        for key, value in list(document.metadata.items()):
            if not _is_storable(value):
                document.metadata[key] = to_plain(value)
                where = f"memory {memory_id}: metadata {shorten(key)}"
                fault = find_fault(value, where) or Problem(where=where, found="not storable", allowed=PLAIN)
                cut.append(replace(fault, found=f"{fault.found}, and was cut; the text is whole"))
    return cut


def _is_storable(value: Any) -> bool:
    for _ in range(_LEVELS_AROUND):
        value = [value]
    try:
        pickle.dumps(value)
    except Exception:  # noqa: BLE001 - whatever an unknown object raises when it is pickled
        return False
    return True
