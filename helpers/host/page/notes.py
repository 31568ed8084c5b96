"""The page of the notes: the list, one note, and the notes in prompts; read-only, for notes are edited as files."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import PurePosixPath

from ...clock import format_time
from ...notes.model import NoteError, Skipped
from ...service.arguments import AskInWords, ListNotes, Question, ServiceError, ShowOne
from ...service.rows import Result, hit_row
from ..notes.notes_faiss import NotesFAISS
from ..notes.sources import NoteSource, list_sources, make_block, notes_folder, read_source
from ..session import Folder
from ..tools.questions import search_notes

_MOST_CHARACTERS = 100_000
_MOST_OF_A_TITLE = 300
_NANOSECONDS = 1_000_000_000
_OFF = "The notes are switched off (notes.enabled: false)."
_UNREADABLE = "The folder of the notes, or the list of them in it (index.json), cannot be read."
_GONE = "This note no longer exists."
_TRASHED = "This note is in the trash (trashed: true)."
_NO_INDEX = "No notes are indexed yet; they will be with the next message to the agent."
_OTHER_MODEL = (
    "The notes were indexed with a different embedding model; they will be indexed again with the next message."
)
_AWAY = "The embedding model does not answer."
_INDEXED, _WAITING, _LEFT_OUT = "indexed", "not indexed yet", "left out"


def list_notes(folder: Folder, asked: ListNotes) -> Result:
    """Return one page of the notes by name, with a query those that contain it literally. Blocking: it reads files.

    Of a note that has changed since it was indexed, only the name is compared.
    """
    index = _index_of(folder)
    skipped = _skipped(index)
    rows = [_to_row(folder, source, index, skipped) for source in _sources(folder)]
    wanted = asked.query.strip().casefold()
    matching = [row for row in rows if not wanted or _holds(row, wanted, index)]
    return {
        **asked.paging(len(matching)),
        "rows": asked.cut(matching),
        "place": folder.settings.notes.folder,
        "model": "" if index is None else index.meta.model,
        "built": "" if index is None else index.meta.built_at,
        "at_work": folder.notes.is_at_work(),
    }


def show_note(folder: Folder, asked: ShowOne) -> Result:
    """Return one note with its present text and its indexed pieces. Raises ServiceError where there is none."""
    source = next((note_source for note_source in _sources(folder) if note_source.id == asked.id), None)
    if source is None:
        raise ServiceError(_GONE)
    index = _index_of(folder)
    row = _to_row(folder, source, index, _skipped(index))
    try:
        note = read_source(source)
    except NoteError as exc:
        raise ServiceError(f"This file is not a note: {exc}.") from None
    if note is None:
        raise ServiceError(_TRASHED)
    pieces = index.pieces(source.id) if index is not None and row["state"] == _INDEXED else ()
    return {
        "note": {**row, "title": note.title[:_MOST_OF_A_TITLE]},
        "text": note.text[:_MOST_CHARACTERS],
        "is_cut": len(note.text) > _MOST_CHARACTERS,
        "pieces": [
            {"section": piece.section_path[:_MOST_OF_A_TITLE], "line": piece.start_line, "length": len(piece.text)}
            for piece in pieces
        ],
    }


def preview_notes(folder: Folder, _asked: Question) -> Result:
    """Return the notes in every prompt, and why a note of the settings is missing there."""
    settings = folder.settings.notes
    if not settings.enabled or not settings.always:
        return {"text": "", "problems": [], "most": settings.always_max_chars}
    block = make_block(folder.store.folder, settings)
    return {"text": block.text, "problems": [*map(str, block.problems)], "most": settings.always_max_chars}


def find_pieces(folder: Folder, asked: AskInWords) -> Result:
    """Return the pieces that the agent would get for a question, the nearest first. Blocking: it embeds."""
    index = _index_of(folder)
    if index is None:
        raise ServiceError(_NO_INDEX)
    try:
        hits = search_notes(folder, index, asked.text)
    except Exception as exc:
        raise ServiceError(_AWAY) from exc
    if hits is None:
        raise ServiceError(_OTHER_MODEL)
    return {"rows": [{"id": row.pop("note_id"), **row} for row in map(hit_row, hits)]}


def _index_of(folder: Folder) -> NotesFAISS | None:
    if not folder.settings.notes.enabled:
        raise ServiceError(_OFF)
    return folder.notes.current()


def _sources(folder: Folder) -> list[NoteSource]:
    place = notes_folder(folder.store.folder, folder.settings.notes)
    if not place.is_dir():
        return []
    try:
        return list_sources(place)
    except NoteError:
        raise ServiceError(_UNREADABLE) from None


def _to_row(folder: Folder, source: NoteSource, index: NotesFAISS | None, left_out: Mapping[str, Skipped]) -> Result:
    entry = None if index is None else index.notes.get(source.id)
    is_known = entry is not None and (entry.file, entry.stamp) == (source.file, source.stamp)
    skipped = left_out.get(source.file)
    is_skipped = not is_known and skipped is not None and skipped.stamp == source.stamp
    written, size, _ = source.stamp or (0, 0, 0)
    return {
        "id": source.id,
        "title": (PurePosixPath(source.file).stem if entry is None else entry.title)[:_MOST_OF_A_TITLE],
        "file": source.file,
        "size": size,
        "date": format_time(datetime.fromtimestamp(written / _NANOSECONDS, UTC)) if written else "",
        "state": _INDEXED if is_known else _LEFT_OUT if is_skipped else _WAITING,
        "why": f"{skipped.found}; allowed: {skipped.allowed}" if skipped is not None and is_skipped else "",
        "in_every_prompt": source.id in folder.settings.notes.always,
    }


def _skipped(index: NotesFAISS | None) -> Mapping[str, Skipped]:
    return {} if index is None else {note.file: note for note in index.meta.skipped}


def _holds(row: Result, wanted: str, index: NotesFAISS | None) -> bool:
    """Whether a note contains a text in its name, its title or one of its pieces."""
    if wanted in row["id"].casefold() or wanted in row["title"].casefold():
        return True
    pieces = index.pieces(row["id"]) if index is not None and row["state"] == _INDEXED else ()
    return any(wanted in piece.text.casefold() for piece in pieces)
