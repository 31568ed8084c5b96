"""The files of the notes, and their content.

Unreadable notes are reported and left out.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from unicodedata import category

from ...errors import Problem
from ...notes.chunker import SemanticChunker
from ...notes.formats import decode_text, parse_json_note, parse_listed, parse_markdown
from ...notes.model import Note, NoteError, build_notes_block
from ...setting_groups import Notes
from ...store.files import FileStamp, file_stamp

LIST_FILE = "index.json"
MOST_BYTES = 4 << 20

_MARKDOWN = (".md", ".markdown", ".txt")
_JSON = ".json"
# Control characters, line separators, and the stand-ins of bytes that are no UTF-8.
_NO_NAME = frozenset({"Cc", "Cs", "Zl", "Zp"})


def notes_folder(folder: Path, settings: Notes) -> Path:
    """Return the folder of the notes of a memory folder."""
    return folder / settings.folder


def make_chunker(settings: Notes) -> SemanticChunker:
    """Return the chunker of the settings; a minimum above the maximum is lowered to it."""
    return SemanticChunker(min_chars=min(settings.min_chars, settings.max_chars), max_chars=settings.max_chars)


@dataclass(frozen=True, slots=True)
class NoteSource:
    """The file of one note; the stamp is None if the file cannot be read."""

    id: str
    path: Path
    file: str
    stamp: FileStamp | None


def list_sources(folder: Path) -> list[NoteSource]:
    """Return the files of all notes, sorted by id; raises NoteError where the folder or its list cannot be read.

    Hidden files and folders, and links to folders, are left out. If `index.json` lists the notes, other JSON files in
    its folder are left out. An unreadable folder is returned as a file without a stamp.
    """
    listed = _read_list(folder)
    sources = []
    for file, path, is_readable in _walk(folder):
        suffix = path.suffix.lower()
        if not is_readable:
            sources.append(NoteSource(file, path, file, None))
        elif suffix in _MARKDOWN:
            sources.append(NoteSource(file, path, file, file_stamp(path)))
        elif suffix == _JSON and file != LIST_FILE and (listed is None or "/" in file):
            sources.append(NoteSource(file.removesuffix(path.suffix), path, file, file_stamp(path)))
    for note_id in listed or ():
        path = folder / f"{note_id}{_JSON}"
        sources.append(NoteSource(note_id, path, path.name, file_stamp(path)))
    return _with_names_of_their_own(sources)


def _with_names_of_their_own(sources: list[NoteSource]) -> list[NoteSource]:
    """Return the sources sorted by their ids, made printable and unique: `a.json`, `a.md.json` and `a.md` are three."""
    by_id: dict[str, NoteSource] = {}
    for note_source in sorted(sources, key=lambda source: (source.id, source.file)):
        file = _printable(note_source.file)
        note_id = _printable(note_source.id)
        if note_id in by_id:
            note_id = file
        while note_id in by_id:
            note_id += "~"
        by_id[note_id] = replace(note_source, id=note_id, file=file)
    return sorted(by_id.values(), key=lambda source: source.id)


def _printable(name: str) -> str:
    """Return the name of a file as printable text on one line."""
    return "".join(repr(character)[1:-1] if category(character) in _NO_NAME else character for character in name)


def _read_list(folder: Path) -> tuple[str, ...] | None:
    path = folder / LIST_FILE
    if not os.path.lexists(path):
        return None
    try:
        listed = parse_listed(decode_text(_read_file(path)))
    except NoteError as exc:
        raise NoteError(f"{path} is {exc.found}", exc.allowed) from None
    return tuple(note_id for note_id in listed if Path(note_id).name == note_id)


def _walk(folder: Path) -> Iterator[tuple[str, Path, bool]]:
    """Yield every file, as its name below `folder`, its path and True, and every unreadable folder with False."""
    refused: list[OSError] = []
    for place, folders, names in os.walk(folder, onerror=refused.append):
        folders[:] = [name for name in folders if not name.startswith(".")]
        paths = (Path(place, name) for name in names if not name.startswith("."))
        yield from ((path.relative_to(folder).as_posix(), path, True) for path in paths)
    for error in refused:
        path = Path(error.filename)
        if path == folder:
            raise NoteError(f"{folder} cannot be read ({error.strerror})", "a folder of notes") from error
        yield path.relative_to(folder).as_posix(), path, False


def read_source(source: NoteSource) -> Note | None:
    """Return the note of a file, or None if it is in the trash; raises NoteError if it is no readable note."""
    data = _read_file(source.path)
    read = parse_json_note if source.path.suffix.lower() == _JSON else parse_markdown
    return read(decode_text(data), source.id, _printable(source.path.stem))


def _read_file(path: Path) -> bytes:
    """Return the content of a file; raises NoteError if it is no file, is too large, or cannot be read."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise NoteError("a folder that cannot be read", "a file, or a folder of them")
        if not stat.S_ISREG(status.st_mode):
            raise NoteError("no regular file", "a file")
        if status.st_size > MOST_BYTES:
            raise NoteError(f"{status.st_size} bytes", f"at most {MOST_BYTES}")
        return path.read_bytes()
    except OSError as exc:
        raise NoteError(f"not readable ({exc.strerror})", "a file that can be read") from exc
    except ValueError as exc:  # no file can have such a name
        raise NoteError(f"no name of a file ({exc})", "a name that a file can have") from None


class NotesBlock(NamedTuple):
    """The notes in a prompt; `problems` name notes that are missing or cut."""

    text: str
    problems: tuple[Problem, ...]


def make_block(folder: Path, settings: Notes) -> NotesBlock:
    """Read the notes that `notes.always` names, in its order; blocking."""
    notes, problems = [], []
    for source in _sources(folder, settings):
        try:
            note = read_source(source)
        except NoteError as exc:
            problems.append(Problem(where=f"notes.always: {source.id}", found=exc.found, allowed=exc.allowed))
            continue
        if note is not None:
            notes.append((note.id, note.title, note.text))
    text, left = build_notes_block(notes, settings.always_max_chars)
    if left:
        length = f"{settings.always_max_chars + left} characters"
        allowed = f"{settings.always_max_chars} (notes.always_max_chars)"
        problems.append(Problem(where="notes.always", found=length, allowed=allowed))
    return NotesBlock(text, tuple(problems))


def _sources(folder: Path, settings: Notes) -> list[NoteSource]:
    root = notes_folder(folder, settings)
    sources = []
    for note_id in dict.fromkeys(settings.always):
        path = root / note_id
        is_inside = not PurePosixPath(note_id).is_absolute() and ".." not in PurePosixPath(note_id).parts
        if is_inside and not os.path.isfile(path):  # noqa: PTH113 - a name that no file can have is none, and no error
            path = root / f"{note_id}.json"
        sources.append(NoteSource(note_id, path if is_inside else root / ".outside", note_id, None))
    return sources
