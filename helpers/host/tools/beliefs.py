"""The agent's question about the past, answered from the memory folder that it uses now (C-51).

Nothing is embedded, no model is asked, and no access is counted: only what a recall puts into a prompt is one (C-60).
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from datetime import datetime

import numpy as np

from ...errors import shorten
from ...ledger.authority import retirements, tell
from ...ledger.changes import Replace
from ...ledger.history import HistoryIndex, NameBook, QuestionError, find_beliefs, parse_moment, parse_winners
from ...ledger.render_history import render_history
from ...recall.eligibility import suppression
from ..backup.replaced import read_replaced
from ..docstore.store import Store
from ..recall.recall_task import audience_of
from ..recall.search import EVERYBODY, Audience
from ..session import Session
from ..storage.files import JOURNAL_FILE, read_lines_if_any

_UNFINISHED = "\n\nThis memory is still being read for the first time; ask again later for more."


async def tell_beliefs(session: Session, query: object = "", time: object = "", memory_id: object = "") -> str:
    """Return what the memory in use holds and held about `query`, or at `time`, or in the line of `memory_id`.

    The search runs in a worker thread. What was asked in a form that cannot be answered gets an answer too.
    """
    try:
        asked, wanted_id = _read_text("query", query), _read_text("memory_id", memory_id)
        at = parse_moment(time, where="time") if time else None
        if not asked and not wanted_id:
            raise QuestionError("query is missing; allowed: a few words (python version, staging port), or a memory_id")
    except QuestionError as exc:
        return str(exc)
    folder = session.folder
    answer = await asyncio.to_thread(look_up, folder.store, folder.names, asked, at, wanted_id, audience_of(session))
    is_unfinished = folder.background is not None and folder.background.is_alive()
    return f"{answer}{_UNFINISHED}" if is_unfinished else answer


def _read_text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise QuestionError(f"{name} is {shorten(value)}; allowed: text")
    return value.strip()


def look_up(
    store: Store,
    names: NameBook,
    asked: str,
    at: datetime | None = None,
    memory_id: str = "",
    audience: Audience = EVERYBODY,
) -> str:
    """Return what one store holds and held about what is asked; takes as long as reading all of its texts.

    What `audience` sees in no recall is called dormant (C-95), and of the vault's records those of other scopes are
    left out (V-52, V-62).
    """
    archive = open_archive(store, names, audience.scopes)
    retired = retirements(read_lines_if_any(store.folder / JOURNAL_FILE))

    def read_act(loser: str, winner: str) -> str | None:
        why, line = read_reason(store, loser, winner), retired.get((loser, winner))
        return why if line is None else tell(line, why)

    def read_suppression(one: str) -> str | None:
        memory = archive.read(one)
        return None if memory is None else suppression(memory, audience.allowed, audience.role_domains)

    return render_history(
        find_beliefs(archive, asked, memory_id=memory_id),
        f"memory {memory_id}" if memory_id else asked,
        at=at,
        read_text=lambda one: None if (memory := archive.read(one)) is None else memory.text,
        read_reason=read_act,
        read_suppression=read_suppression,
    )


def open_archive(store: Store, names: NameBook, scopes: Collection[str] | None = None) -> HistoryIndex:
    """Return all that a store holds and held; of the vault's records those in `scopes` (None: all)."""
    with store.lock:
        store.refresh_positions()
        documents = dict(store.db.get_all_docs())
        retired = [store.index.ids[one] for one in np.flatnonzero(~store.columns.in_use()).tolist()]
    replaced = {one.id: one for one in read_replaced(store.folder, store.read)}
    texts = {one: memory.text for one, memory in replaced.items()}
    texts |= {one: document.page_content for one, document in documents.items()}
    names.forget_others(texts)
    for one in store.hidden_from(scopes):
        texts.pop(one, None)
    decoded = (store.read(one) for one in retired)
    return HistoryIndex(
        texts=list(texts.items()),
        read=lambda one: (replaced.get(one) or store.read(one)) if one in texts else None,
        winners=parse_winners([*(one for one in decoded if one is not None), *replaced.values()], texts),
        names=names.names,
    )


def read_reason(store: Store, loser: str, winner: str) -> str | None:
    """Return why `winner` replaced `loser`, as it is on record."""
    reason = store.conflicts.reason(loser, winner)
    # What is shown, and gone, was replaced so.
    return Replace.wording if reason is None and loser not in store else reason
