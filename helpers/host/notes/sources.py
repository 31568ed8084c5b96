"""The files of the notes: which there are, and what each holds (V-05, V-11).

What is no readable note is named and left out; the others go on.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ...notes.formats import decode_text, read_json_note, read_listed, read_markdown
from ...notes.model import Note, NoteError
from ..storage.files import FileStamp

LIST_FILE = "index.json"
MOST_BYTES = 4 << 20

_MARKDOWN = (".md", ".markdown", ".txt")
_JSON = ".json"


@dataclass(frozen=True, slots=True)
class NoteSource:
    """The file of one note; without a stamp it could not be looked at."""

    id: str
    path: Path
    file: str
    stamp: FileStamp | None


def list_sources(folder: Path) -> list[NoteSource]:
    """Return the files of all notes, sorted by id; raises NoteError where the folder or its list cannot be read.

    Hidden files and folders are left alone, and so are links to folders. Where `index.json` lists the notes, only JSON
    files that it lists are notes.
    """
    listed = _read_list(folder)
    found = []
    for file, path in _walk(folder, ""):
        suffix = path.suffix.lower()
        if suffix in _MARKDOWN:
            found.append(NoteSource(file, path, file, _stamp(path)))
        elif suffix == _JSON and file != LIST_FILE and (listed is None or "/" in file):
            found.append(NoteSource(file.removesuffix(path.suffix), path, file, _stamp(path)))
    for note_id in listed or ():
        path = folder / f"{note_id}{_JSON}"
        found.append(NoteSource(note_id, path, path.name, _stamp(path)))
    return sorted(found, key=lambda one: one.id)


def _read_list(folder: Path) -> tuple[str, ...] | None:
    path = folder / LIST_FILE
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as exc:
        raise NoteError(f"{path} cannot be read ({exc.strerror})", "a list of notes") from exc
    try:
        listed = read_listed(decode_text(data))
    except NoteError as exc:
        raise NoteError(f"{path} is {exc.found}", exc.allowed) from None
    return tuple(one for one in listed if Path(one).name == one)


def _walk(folder: Path, prefix: str) -> Iterator[tuple[str, Path]]:
    try:
        with os.scandir(folder) as entries:
            ordered = sorted(entries, key=lambda one: one.name)
    except OSError as exc:
        if not prefix:
            raise NoteError(f"{folder} cannot be read ({exc.strerror})", "a folder of notes") from exc
        return
    for entry in ordered:
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(Path(entry.path), f"{prefix}{entry.name}/")
        elif not entry.is_dir():
            yield f"{prefix}{entry.name}", Path(entry.path)


def _stamp(path: Path) -> FileStamp | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def read_source(source: NoteSource) -> Note | None:
    """Return the note of a file, or None where it is in the trash; raises NoteError for what is no readable note."""
    try:
        status = source.path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise NoteError("no regular file", "a file")
        if status.st_size > MOST_BYTES:
            raise NoteError(f"{status.st_size} bytes", f"at most {MOST_BYTES}")
        data = source.path.read_bytes()
    except OSError as exc:
        raise NoteError(f"not readable ({exc.strerror})", "a file that can be read") from exc
    read = read_json_note if source.path.suffix.lower() == _JSON else read_markdown
    return read(decode_text(data), source.id, source.path.stem)
