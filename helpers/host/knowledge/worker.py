"""The triggers of the memory agent in a running host: after a chain, and once a day.

One thread for each folder answers them, and rests between lines, so that chats keep the interpreter however long the
logs are. No failure stops a turn.
"""

from __future__ import annotations

import logging
import threading
from datetime import timedelta
from functools import partial
from typing import Any

from ...knowledge.messages import LOG_FOLDER, POST_CHAIN, SCHEDULED
from ...store.deadline import Throttle
from ...store.files import hold_folder
from ...texts import counted
from ..session import Session
from .addresses import Rest, log_folder
from .audit_log import WRITE_KEY
from .memory_agent import Answer, MemoryAgent
from .service import AgentFile, KnowledgeService

_log = logging.getLogger(__name__)

_SEEN_KEY = "_memory_ledger_knowledge_seen"
#: The thread rests three times as long as it works, since nobody waits for it.
_REST = 3.0
_RETRY = timedelta(hours=1)
_FORM = "%Y-%m-%dT%H:%M:%SZ"


def _work(service: KnowledgeService) -> None:
    """Answer the triggers until none waits; of those that came meanwhile the latest, for it reads the same logs."""
    while True:
        with service.lock:
            answer, service.waiting = service.waiting, None
            if answer is None:
                service.latest = None
                return
        answer()


def _answer_all(session: Session, received: dict[str, Any] | None) -> None:
    """Answer a trigger and the due schedule, unless another process works on the folder."""
    try:
        if (received is None or _answer(session, received)) and is_due(session):
            _answer(session, scheduled(session))
    except Exception as exc:  # noqa: BLE001 - the last stop of a thread; the next chain's end tries again
        if session.folder.store.problems.note(_report, f"{type(exc).__name__}: {exc}"):
            _log.exception("distillation failed; the end of the next chain retries it")


def _answer(session: Session, received: dict[str, Any]) -> bool:
    """Let the memory agent answer; return False if another process works on the folder."""
    service = session.folder.knowledge
    service.own_folder.mkdir(parents=True, exist_ok=True)
    with hold_folder(service.own_folder) as is_held:
        if not is_held:
            return False
        service.memory = AgentFile(service.own_folder)  # a terminal may have distilled meanwhile
        answer = open_agent(session, Throttle(_REST).rest).answer(received)
        scheduled_at = None
        if received["trigger"] == SCHEDULED:  # after a failed run the next is due in an hour
            hours = timedelta(hours=session.settings.distillation.schedule_hours)
            now = service.clock()
            scheduled_at = now - hours + min(_RETRY, hours) if answer.has_failed else now
        service.memory.keep(answer.message, scheduled_at=scheduled_at)
    if answer.report is not None and answer.report.texts:
        service.open(session.settings.knowledge).refresh()  # so that the next prompt need not wait for it
    _report(session, answer)
    return True


def distil_soon(session: Session) -> None:
    """Trigger the memory agent once the log of this turn is written; a subordinate's part triggers nothing."""
    agent = session.agent
    if not session.settings.knowledge.enabled or agent.number:
        return
    writing = agent.data.get(WRITE_KEY)
    if writing is None or agent.data.get(_SEEN_KEY) is writing:
        if is_due(session):
            _start(session, None)
        return
    agent.data[_SEEN_KEY] = writing
    writing.add_done_callback(lambda done: _chain_ended(session, done))


def open_agent(session: Session, rest: Rest | None = None) -> MemoryAgent:
    """Return the memory agent for a session's folder; a run beside chats passes `rest`."""
    service, settings = session.folder.knowledge, session.settings
    return MemoryAgent(
        files=service.open(settings.knowledge).files,
        logs=log_folder(settings.knowledge, service.home),
        options=settings.distillation,
        home=service.home,
        clock=service.clock,
        number=service.memory.next_number,
        cluster=settings.knowledge.cluster,
        rest=rest,
    )


def is_due(session: Session) -> bool:
    """Whether the next scheduled distillation is due."""
    service = session.folder.knowledge
    return service.memory.is_due(service.clock(), session.settings.distillation.schedule_hours)


def scheduled(session: Session) -> dict[str, Any]:
    """Return the trigger of a scheduled distillation over the window that ends now."""
    now = session.folder.knowledge.clock()
    start = now - timedelta(days=session.settings.distillation.pattern_window_days)
    return {"trigger": SCHEDULED, "time_window": {"start": f"{start:{_FORM}}", "end": f"{now:{_FORM}}"}}


def _chain_ended(session: Session, writing: Any) -> None:
    """Trigger the memory agent for a log that was written; a failed write is reported by its writer."""
    if writing.cancelled() or writing.exception() is not None or writing.result() is None:
        return
    transaction, name = writing.result()
    _start(session, {"trigger": POST_CHAIN, "transaction_id": transaction, "log_path": f"{LOG_FOLDER}{name}"})


def _start(session: Session, received: dict[str, Any] | None) -> None:
    """Hand a trigger to the thread of the folder; without one, only the schedule is checked."""
    service = session.folder.knowledge
    with service.lock:
        if received is not None or service.waiting is None:
            service.waiting = partial(_answer_all, session, received)
        if service.latest is None or not service.latest.is_alive():
            service.latest = threading.Thread(target=_work, args=(service,), name="memory-ledger-distil", daemon=True)
            service.latest.start()


def _report(session: Session, answer: Answer) -> None:
    """Write a line to the chat's log if something was learned, contradicts, or failed."""
    log, problems = session.agent.context.log, session.folder.store.problems
    if answer.has_failed:
        message = answer.message["error"]["error_message"]
        if problems.note(_report, message):
            log.log(type="warning", heading="Memory Ledger: nothing was distilled from the audit logs", content=message)
        return
    problems.settle(_report)
    notices = problems.settle("audit logs", answer.report.notices if answer.report is not None else ())
    if notices:
        heading = "Memory Ledger: audit logs cannot be read"
        log.log(type="util", heading=heading, content="\n".join(notices), update_progress="none")
    if answer.report is None or not (answer.report.changes or answer.report.flagged):
        return
    content = answer.message["output"]["content"]
    written = content["statistics"]["knowledge_entries_written"]
    entries = counted(written, "entry", "entries")
    log.log(
        type="util",
        heading=f"Memory Ledger: knowledge updated, {entries} written",
        content="\n".join(f"{update['file']}: {update['summary']}" for update in content["knowledge_updates"]),
        update_progress="none",
    )
