"""The common work of several hooks: remember the turn, adopt new memories, publish health, save."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from typing import Any

from ..ledger.classify import Circumstances
from ..ledger.lifecycle import summarize_status
from ..settings import Settings
from ..store.catalogue import read_rows
from ..store.deadline import Throttle
from ..store.quality_columns import summarize
from ..texts import counted
from . import agent_zero
from .adoption.adopter import Adoption
from .chat_log import log_failure
from .host_agent import HostAgent
from .session import Folder, Session
from .turns import chat_of, current_turn, earlier_turns
from .view import current_view, refresh_view

_log = logging.getLogger(__name__)

# How many new memories are adopted while a hook waits; a larger backlog (the first look) is left to a thread.
_ADOPT_AT_ONCE = 64
_ADOPT_SLICE = 50
_MOST_NAMED = 20
_SAVE_KEY = "_memory_ledger_save"
_PUBLISHED_KEY = "_memory_ledger_published"


def note_turn(session: Session) -> None:
    """Remember the messages of this turn, and, in a chat new to this process, of the turns before."""
    _note_turn(session.folder, session.agent, session.settings.turn_window, session.circumstances)


def _note_turn(folder: Folder, agent: HostAgent, window: int, circumstances: Circumstances) -> None:
    chat, now = chat_of(agent), folder.store.clock()
    if chat not in folder.seen_chats:
        folder.seen_chats.add(chat)
        turns, began_at = earlier_turns(agent, window)
        folder.turns.take_up(turns, began_at, now)
    turn = current_turn(agent, circumstances)
    if turn is not None:
        folder.turns.note(turn, now)


def begin_first_look(folder: Folder) -> None:
    """Adopt memories older than the pack in a thread, with the turns of the open chats as evidence."""
    for agent in agent_zero.open_agents():
        if current_view(agent).memory_subdir == folder.store.memory_subdir and chat_of(agent) not in folder.seen_chats:
            now = Circumstances(role_id=folder.roles.read_role_id(agent), domain=folder.roles.read_domain(agent))
            _note_turn(folder, agent, folder.settings.turn_window, now)
    _read_all(folder, folder.settings, lambda _: None)


async def adopt_what_is_new(session: Session) -> None:
    """Adopt new memories off the event loop; a large backlog goes on in a thread that nobody waits for."""
    folder, settings = session.folder, session.settings
    await _carry_out_orders(session)
    if folder.background is not None and folder.background.is_alive():
        return
    if not folder.store.has_news() and not folder.adopter.has_work():
        return
    result = await asyncio.to_thread(folder.adopter.run, settings, limit=_ADOPT_AT_ONCE)
    if not result.is_done:
        _adopt_in_background(session, result.remaining)


def _adopt_in_background(session: Session, remaining: int) -> None:
    memories = counted(remaining, "memory", "memories")
    heading = f"Memory Ledger: {memories} to classify"
    item = session.agent.context.log.log(type="util", heading=heading, update_progress="none")

    def show(result: Adoption | Exception) -> None:
        if isinstance(result, Exception):
            content = f"{type(result).__name__}: {result}"
            item.update(heading="Memory Ledger: classification stopped", content=content)
            return
        if result.is_done:
            publish_health(session)
            report_secrets(session)
        comparing = f", {result.unreviewed} to compare" if result.unreviewed and not result.remaining else ""
        progress = memories if result.is_done else f"{remaining - result.remaining} of {memories}"
        item.update(heading=f"Memory Ledger: {progress} classified{comparing}")

    _read_all(session.folder, session.settings, show)


def _read_all(folder: Folder, settings: Settings, show: Callable[[Adoption | Exception], object]) -> None:
    """Adopt all waiting memories in a thread; `show` gets the result of each slice, or the exception at its end."""
    args, name = (folder, settings, show), "memory-ledger-adopt"
    folder.background = threading.Thread(target=_adopt_all, args=args, name=name, daemon=True)
    folder.background.start()


def _adopt_all(folder: Folder, settings: Settings, show: Callable[[Adoption | Exception], object]) -> None:
    """Adopt slice by slice until nothing waits, leaving the interpreter to the chat in between; then save."""
    throttle = Throttle()
    try:
        read_rows(folder.store, rest_share=1.0)
        throttle.begin()
        while folder.adopter.enter_words(limit=_ADOPT_SLICE):
            throttle.rest()
        while not (result := folder.adopter.run(settings, limit=_ADOPT_SLICE)).is_done:
            show(result)
            throttle.rest()
        show(result)
        folder.end_turn()
    except Exception as exc:  # noqa: BLE001 - the last stop of a thread; the next hook takes up what is left
        _log.exception("adoption in the background failed")
        show(exc)


async def _carry_out_orders(session: Session) -> None:
    """Read new requests of a terminal, and carry out the orders in a thread that nobody waits for."""
    folder, requests = session.folder, session.folder.store.requests
    before = folder.carrying_out
    is_at_work = before is not None and before.is_alive()  # what it does and answers meanwhile is not due
    if requests.is_changed():
        await asyncio.to_thread(requests.look)
    if not is_at_work and folder.carrying_out is before and folder.orders.is_due():
        item = session.agent.context.log.log(
            type="util", heading="Memory Ledger: doing what was ordered at the terminal", update_progress="none"
        )
        folder.carrying_out = threading.Thread(
            target=_carry_out, args=(session, item), name="memory-ledger-orders", daemon=True
        )
        folder.carrying_out.start()


def _carry_out(session: Session, item: Any) -> None:
    folder = session.folder

    def tell(done: int, total: int) -> None:
        item.update(heading=f"Memory Ledger: {done} of {counted(total, 'memory', 'memories')} done")

    try:
        outcomes = folder.orders.carry_out(tell)
        folder.end_turn()
        words = [outcome.words for outcome in outcomes]
        problems = [problem for outcome in outcomes for problem in outcome.problems]
        item.update(
            heading=f"Memory Ledger: {'; '.join(words) or 'nothing was done'}",  # the host cuts a long one
            content="\n".join([*words, *problems[:20]]),
        )
    except Exception as exc:  # noqa: BLE001 - the last stop of a thread; the next hook goes on with what is left
        _log.exception("an order was not carried out")
        item.update(heading="Memory Ledger: an order was not carried out", content=f"{type(exc).__name__}: {exc}")


async def show_health(session: Session) -> None:
    """Publish health off the event loop, if it has changed and all memories are read."""
    folder = session.folder
    if folder.background is not None and folder.background.is_alive() and folder.store.rows.unread():
        return
    if _health_version(session) != session.agent.data.get(_PUBLISHED_KEY):
        await asyncio.to_thread(publish_health, session)


def _health_version(session: Session) -> tuple[object, ...]:
    store = session.folder.store
    return store.memory_subdir, id(store), store.version


def publish_health(session: Session) -> None:
    """Set health and the last conflicts on the agent, for a dispatcher, if they have changed."""
    store, agent = session.folder.store, session.agent
    version = _health_version(session)
    if agent.data.get(_PUBLISHED_KEY) == version:
        return
    columns, now = store.columns, store.clock()
    unresolved = len(store.conflicts.get_open())
    with store.lock:  # rows may move
        counts = columns.count()
        quality = summarize(columns, now, session.settings.staleness_config, unresolved_conflicts=unresolved)
    health = summarize_status(
        counts,
        conflicts_resolved=store.outcomes.conflicts_resolved,
        echoes_retired=store.outcomes.echoes_retired,
        at=now,
        quality=quality,
        secrets=dict(session.folder.adopter.secrets.found) if session.settings.secret_warnings else None,
    )
    agent._memory_health = health
    agent._memory_conflict_log = list(store.outcomes.conflict_log)
    agent.set_data("_memory_health", health)
    agent.data[_PUBLISHED_KEY] = version


def report_secrets(session: Session) -> None:
    """Warn of possible secrets in new memories, with ids and kinds."""
    folder = session.folder
    news = folder.adopter.secrets.take_news()
    if news:
        kinds = ", ".join(sorted({kind for kinds_of_memory in news.values() for kind in kinds_of_memory}))
        named = ", ".join(list(news)[:_MOST_NAMED]) + (", ..." if len(news) > _MOST_NAMED else "")
        path = folder.store.folder
        advice = f"`memory-ledger scan --folder {path}` says where, `memory-ledger erase ID --folder {path}` erases one"
        session.agent.context.log.log(
            type="warning",
            heading=f"Memory Ledger: {counted(len(news), 'memory', 'memories')} may hold a secret ({kinds})",
            content=f"{named}\n{advice}",
        )


def save_soon(session: Session) -> None:
    """End the turn of a folder in a worker thread, which also reads the host's configuration for the next turn."""
    try:
        future = asyncio.get_running_loop().run_in_executor(None, _end_turn, session)
    except RuntimeError:  # the loop has no threads any more: there will be no other turn, so this one can wait
        _end_turn(session)
        return
    future.add_done_callback(log_failure(_log, "saving failed; the end of the next turn tries again"))
    session.agent.data[_SAVE_KEY] = future


def _end_turn(session: Session) -> None:
    session.folder.end_turn()
    report_loss(session)
    refresh_view(session.agent)


def report_loss(session: Session) -> None:
    """Report once what the store lacked of its backup when it was opened, with the command that restores it."""
    loss = session.folder.backup.take_loss()
    if loss is not None:
        heading, content = loss.words(session.folder.store.folder)
        session.agent.context.log.log(
            type="warning" if loss.is_grave else "util",
            heading=f"Memory Ledger: {heading}",
            content=content,
            update_progress="none",
        )
