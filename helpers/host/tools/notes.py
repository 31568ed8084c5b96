"""The agent's question to the person's notes (V-04, V-11): answered from the index as it is, nothing is changed."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np

from ...errors import shorten
from ...ledger.history import QuestionError
from ...notes.answer import list_notes, tell_hits
from ...texts import counted
from ..docstore.asking import MOST_SECONDS
from ..docstore.query_vectors import remember_queries
from ..notes.builder import NotesModel, model_of_host
from ..notes.notes_faiss import NotesFAISS
from ..notes.sources import notes_folder
from ..session import Session

_NOTES_OFF = "The notes are switched off (notes.enabled: false)."
_FIRST = "The notes are being indexed for the first time; ask again later."
_AT_WORK = "\n\nThe notes are being indexed at this moment; ask again later for what is new."
_MOST_IDS = 20
#: So long the agent waits for notes that were written a moment ago.
_WAITED_SECONDS = 2.0


async def tell_notes(session: Session, query: object = "", note_ids: object = "") -> str:
    """Return what the notes of the memory folder, as they are now, say about `query`; without one, which there are."""
    if not session.settings.notes.enabled:
        return _NOTES_OFF
    notes = session.folder.notes
    notes.look_again()
    look_after_notes(session)
    if notes.thread is not None:
        await asyncio.to_thread(notes.thread.join, _WAITED_SECONDS)
    index = await asyncio.to_thread(notes.current)
    if index is None and notes.is_at_work():
        return _FIRST
    if index is None:
        where = notes_folder(notes.folder, session.settings.notes)
        return f"There are no notes yet; Markdown files in {where} become some."
    try:
        asked = _read_query(query)
        wanted = _read_ids(note_ids, index)
        titles = {note_id: note.title for note_id, note in index.notes.items()}
        answer = await _search(session, index, asked, wanted) if asked else list_notes(titles)
    except QuestionError as exc:
        return str(exc)
    return f"{answer}{_AT_WORK if notes.is_at_work() else ''}"


def look_after_notes(session: Session) -> None:
    """Let a thread index what has changed among the notes, if it is time to look."""
    store, settings = session.folder.store, session.settings.notes
    session.folder.notes.look_after(
        settings,
        lambda: model_of_host(store.folder, settings, store.db),
        lambda heading: session.agent.context.log.log(type="util", heading=heading, update_progress="none"),
        store.is_current,
    )


def _read_query(query: object) -> str:
    if not isinstance(query, str):
        raise QuestionError(f"query is {shorten(query)}; allowed: text")
    return query.strip()


def _read_ids(note_ids: object, index: NotesFAISS) -> list[str] | None:
    """Return the notes that are asked, as a list or as text with commas; None for all of them."""
    found = note_ids.split(",") if isinstance(note_ids, str) else note_ids
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise QuestionError(f"note_ids is {shorten(note_ids)}; allowed: ids of notes, separated by commas")
    wanted = [one.strip() for one in found if one.strip()]
    unknown = [one for one in wanted if one not in index.notes]
    if unknown:
        known = ", ".join(list(index.notes)[:_MOST_IDS])
        more = (
            "" if len(index.notes) <= _MOST_IDS else f" and {len(index.notes) - _MOST_IDS} more (ask without a query)"
        )
        raise QuestionError(f"note_ids names {shorten(', '.join(unknown))}; allowed: {known}{more}")
    return wanted or None


async def _search(session: Session, index: NotesFAISS, asked: str, wanted: list[str] | None) -> str:
    store, settings = session.folder.store, session.settings.notes
    model = model_of_host(store.folder, settings, store.db)
    if model.name != index.meta.model or model.dimension not in (None, index.meta.dimension):
        session.folder.notes.look_again()
        look_after_notes(session)
        notes = counted(len(index.notes), "note", "notes")
        return f"{notes} cannot be searched now: the embedding model has changed, and they are being indexed again."
    vector = await _embed(session, model, asked)
    hits = await asyncio.to_thread(index.search, vector, limit=settings.max_results, note_ids=wanted)
    return tell_hits(asked, hits)


async def _embed(session: Session, model: NotesModel, asked: str) -> Any:
    if session.settings.notes.embedding_model is None:
        return (await remember_queries(session.folder.store.db).embed([asked], seconds=MOST_SECONDS))[0]
    loaded = await asyncio.to_thread(session.folder.notes.loaded, model)
    return np.asarray(await asyncio.to_thread(loaded.embed_documents, [asked]))[0]
