"""What a writer that died left behind: the new file of a replacement, and the folder that a save went into (T-64).

Writers hold the locks of these as long as they live, so that what nobody holds is left over.
"""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import os
import re
from collections.abc import Iterator
from pathlib import Path

from ...patterns import regex
from .deadline import in_time
from .files import STAGING, is_at, lock, try_lock

# What `files.replacing` names a file until it is in place, and `staging` the folder of a save.
_LEFTOVER = regex(rf"\..+\.\d+\.\d+\.tmp|{re.escape(STAGING)}(\.\d+)+")
_NUMBERS = itertools.count(1)


@contextlib.contextmanager
def staging(folder: Path) -> Iterator[Path]:
    """Give an empty folder in `folder` to save into, held until it is deleted: one that nobody holds is left over."""
    with contextlib.ExitStack() as held:
        path = next(filter(None, (_make_staging(folder, held) for _ in itertools.count())))
        try:
            yield path
        finally:
            _delete(path)


def _make_staging(folder: Path, held: contextlib.ExitStack) -> Path | None:
    """Make a folder to save into and hold it; None if its name is taken, or it was dropped before it was held."""
    path = folder / f"{STAGING}.{os.getpid()}.{next(_NUMBERS)}"
    with contextlib.suppress(FileExistsError, FileNotFoundError):
        path.mkdir()
        if _hold(path, held) and path.is_dir():
            return path
    return None


def _hold(path: Path, held: contextlib.ExitStack) -> bool:
    """Lock a folder; True also where the disk gives no answer, which it gives to nobody who might drop the folder."""
    try:
        descriptor = in_time(path, lambda _: os.open(path, os.O_RDONLY), undo=os.close, is_reading=True)
    except TimeoutError:
        return True
    held.callback(os.close, descriptor)
    return try_lock(descriptor)


def drop_leftovers(folder: Path) -> int:
    """Delete the new files in a folder, and the folders of saves, whose writers have died; return how many."""
    count = 0
    for path in leftovers(folder):
        _delete(path)
        count += 1
    return count


def _delete(path: Path) -> None:
    """Delete a file, or a folder of files, as far as the system lets."""
    with contextlib.suppress(OSError):
        if path.is_dir():
            for one in path.iterdir():
                one.unlink()
            path.rmdir()
        else:
            path.unlink()


def leftovers(folder: Path) -> Iterator[Path]:
    """Yield the new files in a folder, and the folders of saves, whose writers have died.

    Each is held meanwhile, so that nobody takes it for his own. Without locks on the file system there is no telling.
    """
    for path in filter(lambda path: _LEFTOVER.fullmatch(path.name), folder.glob(".*")):
        with contextlib.suppress(OSError), contextlib.ExitStack() as held:  # gone, held by its writer, or out of reach
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
            held.callback(os.close, descriptor)
            if lock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB) and is_at(path, descriptor):
                yield path
