"""Knowledge in a folder: the default, with nothing but the standard library.

A writer replaces a whole file in one step while it holds the folder's lock, so a reader sees the old text or the new
one, and two writers never lose one another's. Nothing is followed out of the folder: a symbolic link is refused.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from ...errors import StoreError, refusal_of
from ..storage import files
from ..storage.damage import set_aside
from .backend import MOST_BYTES, KnowledgeAwayError, Stored
from .names import FOLDER, GOVERNANCE_FOLDER, LOCK_NAME, NameRefusedError, is_name


class FolderBackend:
    """The files under `ROOT/context/memory/`."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def __str__(self) -> str:
        return str(self._root / FOLDER)

    def place(self, name: str) -> Path:
        """Return where `name` lies; NameRefusedError if a link leads anywhere else (M-53)."""
        path = self._root.resolve() / FOLDER / name
        if os.path.realpath(path) != str(path) or path.is_symlink():  # one in a circle is its own real path
            raise NameRefusedError(name, f"no symbolic link on the way to {path}")
        return path

    def own_place(self, name: str) -> Path:
        """Return where a file lies that nobody but the pack needs: a link in its place is set aside, not followed."""
        path = self.place("") / name
        if path.is_symlink():
            set_aside(path, "a link")
        return self.place(name)

    def read(self, name: str) -> Stored | None:
        """Return a file; what is no regular file is none."""
        with self._reported():
            path = self.place(name)
            try:
                return _read(path)
            except PermissionError as exc:
                raise StoreError(refusal_of(exc)) from exc

    def swap(self, name: str, data: bytes, expected: str | None) -> bool:
        """Compare and replace while nobody else writes."""
        with self._writing(name) as path:
            found = _read(path)
            if (None if found is None else found.version) != expected:
                return False
            files.write_atomically(path, data)
        return True

    def put(self, name: str, data: bytes) -> None:
        """Replace without a look at what stands there."""
        with self._writing(name) as path:
            files.write_atomically(path, data)

    def remove(self, name: str) -> None:
        """Take a file away while nobody else writes."""
        with self._writing(name) as path:
            path.unlink(missing_ok=True)

    def versions(self) -> Mapping[str, str]:
        """Return what changes with every writing of each file; links, and what has no allowed name, are left out."""
        with self._reported():
            top = self.place("")
            found: dict[str, str] = {}
            for folder, _, names in os.walk(top):
                for name in names:
                    path = Path(folder, name)
                    relative = path.relative_to(top).as_posix()
                    if is_name(relative) and not path.is_symlink() and path.is_file():
                        found[relative] = str(files.file_stamp(path))
            return found

    def governance(self) -> Mapping[str, bytes]:
        """Return the governance files beside the knowledge."""
        with self._reported():
            found = sorted((self._root / GOVERNANCE_FOLDER).glob("*.md"))
            return {path.name: path.read_bytes() for path in found if path.is_file()}

    @contextlib.contextmanager
    def _writing(self, name: str) -> Iterator[Path]:
        with self._reported():
            path, lock = self.place(name), self.own_place(LOCK_NAME)
            path.parent.mkdir(parents=True, exist_ok=True)
            with files.only_writer(lock):
                _sweep(path)
                yield self.place(name)

    @contextlib.contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except OSError as exc:
            raise KnowledgeAwayError(refusal_of(exc, self)) from exc


def _read(path: Path) -> Stored | None:
    """Return the file at `path`; a pipe or a folder in its place is not waited for."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            data = stream.read(MOST_BYTES + 1)
    finally:
        os.close(descriptor)
    if len(data) > MOST_BYTES:
        raise StoreError(f"{path} is larger than {MOST_BYTES} bytes; allowed: a file for people to read")
    return Stored(data, hashlib.sha256(data).hexdigest())


def _sweep(path: Path) -> None:
    """Take away what a writer left that was killed: whoever holds the lock is the only one."""
    for left in path.parent.glob(f".{path.name}.*.tmp"):
        left.unlink(missing_ok=True)
