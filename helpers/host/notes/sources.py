"""The files of the notes: which there are, and what each holds.

What is no readable note is named and left out; the others go on.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
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
# Control characters, line separators, and what stands for bytes that are no UTF-8.
_NO_NAME = frozenset({"Cc", "Cs", "Zl", "Zp"})


def notes_folder(folder: Path, settings: Notes) -> Path:
    """Return where the notes of a memory folder are."""
    return folder / settings.folder


def make_chunker(settings: Notes) -> SemanticChunker:
    """Return what cuts notes as the settings say; a minimum above the maximum is the maximum."""
    return SemanticChunker(min_chars=min(settings.min_chars, settings.max_chars), max_chars=settings.max_chars)


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
    files that it lists are notes. A folder that cannot be read comes as a file without a stamp.
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
    """Return the sources sorted by id, each with an id that can be written; of two with one id one has its file's.

    `a.json` and `a.md.json` beside `a.md` are three notes.
    """
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
    """Return a name of a file on one line, as text that can be written anywhere."""
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
    """Yield every file with its name below `folder`, and every folder that cannot be read, which the last part says."""
    waiting = [("", folder)]
    while waiting:
        prefix, place = waiting.pop()
        try:
            with os.scandir(place) as entries:
                shown = [entry for entry in entries if not entry.name.startswith(".")]
        except OSError as exc:
            if not prefix:
                raise NoteError(f"{folder} cannot be read ({exc.strerror})", "a folder of notes") from exc
            yield prefix.rstrip("/"), place, False
            continue
        for entry in shown:
            path = Path(entry.path)
            if entry.is_dir(follow_symlinks=False):
                waiting.append((f"{prefix}{entry.name}/", path))
            elif not os.path.isdir(path):  # noqa: PTH112 - a link that leads round in a circle is none, and no error
                yield f"{prefix}{entry.name}", path, True


def read_source(source: NoteSource) -> Note | None:
    """Return the note of a file, or None where it is in the trash; raises NoteError for what is no readable note."""
    data = _read_file(source.path)
    read = parse_json_note if source.path.suffix.lower() == _JSON else parse_markdown
    return read(decode_text(data), source.id, _printable(source.path.stem))


def _read_file(path: Path) -> bytes:
    """Return what a file holds; raises NoteError for what is none, is too large, or cannot be read."""
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


# --- the notes of every prompt: they need no index, and hold as they are now ----------------------------------


@dataclass(frozen=True, slots=True)
class NotesBlock:
    """What goes into the prompt, and what it was made of; `problems` are notes that cannot be shown, or not whole."""

    text: str
    key: tuple[str, Notes]
    stamps: tuple[FileStamp | None, ...]
    problems: tuple[Problem, ...]


def is_fresh(block: NotesBlock, folder: Path, settings: Notes) -> bool:
    """Whether a block still says what its notes say; one stat call for each of them."""
    return block.key == (str(folder), settings) and block.stamps == _stamps(_sources(folder, settings))


def make_block(folder: Path, settings: Notes) -> NotesBlock:
    """Read the notes that `notes.always` names, in its order; blocking."""
    sources = _sources(folder, settings)
    stamps = _stamps(sources)
    notes, problems = [], []
    for source in sources:
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
    return NotesBlock(text, (str(folder), settings), stamps, tuple(problems))


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


def _stamps(sources: list[NoteSource]) -> tuple[FileStamp | None, ...]:
    return tuple(file_stamp(source.path) for source in sources)
