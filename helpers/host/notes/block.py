"""The notes that stand in every prompt, read from their files: they need no index, and hold as they are now (V-50)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ...errors import Problem
from ...notes.answer import build_notes_block
from ...notes.model import NoteError
from ...setting_groups import Notes
from ..storage.files import FileStamp, file_stamp
from .service import notes_folder
from .sources import NoteSource, read_source


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
        found = f"{settings.always_max_chars + left} characters"
        allowed = f"{settings.always_max_chars} (notes.always_max_chars)"
        problems.append(Problem(where="notes.always", found=found, allowed=allowed))
    return NotesBlock(text, (str(folder), settings), stamps, tuple(problems))


def _sources(folder: Path, settings: Notes) -> list[NoteSource]:
    root = notes_folder(folder, settings)
    found = []
    for note_id in dict.fromkeys(settings.always):
        path = root / note_id
        is_inside = not PurePosixPath(note_id).is_absolute() and ".." not in PurePosixPath(note_id).parts
        if is_inside and not os.path.isfile(path):  # noqa: PTH113 - a name that no file can have is none, and no error
            path = root / f"{note_id}.json"
        found.append(NoteSource(note_id, path if is_inside else root / ".outside", note_id, None))
    return found


def _stamps(sources: list[NoteSource]) -> tuple[FileStamp | None, ...]:
    return tuple(file_stamp(one.path) for one in sources)
