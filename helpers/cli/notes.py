"""`notes`: index the notes of a memory folder, search them, and show the state of the index."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..clock import system_clock
from ..errors import MemoryLedgerError
from ..service.rows import hit_row
from ..setting_groups import Notes
from ..texts import counted
from .declaring import DONE, PROBLEMS, Options, tell
from .options import read_folder_settings
from .output import Column, progress, show_object, show_rows, waiting

if TYPE_CHECKING:
    from ..host.notes.builder import NotesModel

_MOST_NAMED = 20


_COLUMNS = (
    Column("note", "title", "bold"),
    Column("section", "section"),
    Column("line", "line", "dim"),
    Column("text", "text"),
)


def _settings(options: Options) -> Notes:
    settings = read_folder_settings(options.folder, options.config).notes
    if options.notes is None:
        return settings
    return settings.model_copy(update={"folder": str(options.notes.absolute())})


def _run_index(options: Options) -> int:
    """Embed what is new or changed; can be interrupted and resumed."""
    from ..host.notes.builder import build_index
    from ..host.notes.notes_faiss import INDEX_FOLDER
    from ..host.notes.sources import make_chunker, notes_folder

    settings = _settings(options)
    folder = notes_folder(options.folder, settings)
    try:
        with progress("embedding") as advance:
            report = build_index(
                folder,
                options.folder / INDEX_FOLDER,
                _model(options, settings),
                make_chunker(settings),
                system_clock,
                tell=advance,
            )
    except KeyboardInterrupt:
        tell("stopped; what was embedded is kept, and the next run continues from there")
        return PROBLEMS
    for problem in report.problems[:_MOST_NAMED]:
        tell(f"left out: {problem}")
    if len(report.problems) > _MOST_NAMED:
        tell(f"left out: {len(report.problems) - _MOST_NAMED} more; `notes status` names them all")
    done = "indexed" if report.is_changed else "unchanged"
    pieces = counted(report.pieces, "piece", "pieces")
    print(f"{counted(report.notes, 'note', 'notes')} {done}: {pieces}, {report.embedded} embedded now")
    return PROBLEMS if report.problems else DONE


def _model(options: Options, settings: Notes) -> NotesModel:
    """Return the model of the notes, which shows that it loads; the default model is that of every command."""
    from ..host.notes.builder import model_at_terminal, named_model
    from ..store.embedding import HUB_NAME

    model = model_at_terminal(options.folder, settings)

    def load() -> Any:
        with waiting("loading the embedding model"):
            return model.load()

    return replace(model, load=options.load if model.name == named_model(HUB_NAME).name else load)


def _run_search(options: Options) -> None:
    """Find the pieces of notes closest to a question."""
    settings = _settings(options)
    index = _open(options)
    model = _model(options, settings)
    if model.name != index.meta.model:
        raise MemoryLedgerError(
            f"{options.folder}: indexed with {index.meta.model}, asked with {model.name}; allowed: one model; "
            "`memory-ledger notes index` makes it so"
        )
    unknown = [memory_id for memory_id in options.note_ids or () if memory_id not in index.notes]
    if unknown:
        raise MemoryLedgerError(f"no note {unknown[0]}; allowed: an id that `memory-ledger notes status` names")
    (vector,) = model.load().embed_documents([options.query])
    hits = index.search(vector, limit=options.limit or settings.max_results, note_ids=options.note_ids or None)
    show_rows(options, map(hit_row, hits), _COLUMNS)


def _run_status(options: Options) -> None:
    """Show which notes are indexed, with which model, and what has changed since."""
    from ..host.notes.builder import compare_notes
    from ..host.notes.sources import make_chunker, notes_folder

    settings = _settings(options)
    index = _open(options)
    compared = compare_notes(notes_folder(options.folder, settings), index, make_chunker(settings))
    status: dict[str, Any] = {
        "model": index.meta.model,
        "dimension": index.meta.dimension,
        "built_at": index.meta.built_at,
        "pieces": len(index),
        **compared,
        "notes": {note_id: note.title for note_id, note in index.notes.items()},
        "left_out": [
            {"file": skipped.file, "found": skipped.found, "allowed": skipped.allowed} for skipped in index.meta.skipped
        ],
    }
    scalars = (name for name, value in status.items() if not isinstance(value, dict | list))
    show_object(options, status, (*(Column(name.replace("_", " "), name) for name in scalars), *_LISTED))


_LISTED = (
    Column("notes", lambda status: "\n".join(f"{note_id}  {title}" for note_id, title in status["notes"].items())),
    Column(
        "left out", lambda status: "\n".join(map("{file}: {found}; allowed: {allowed}".format_map, status["left_out"]))
    ),
)


def _open(options: Options) -> Any:
    from ..host.notes.notes_faiss import INDEX_FOLDER, NotesFAISS

    return NotesFAISS.open(options.folder / INDEX_FOLDER)
