"""`knowledge`: look at what agents have learned together, distil it, ask it, and decide about its entries."""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from ..clock import system_clock
from ..host.knowledge.addresses import LogFolder, log_folder
from ..host.knowledge.curation import Curator
from ..host.knowledge.memory_agent import Answer, MemoryAgent
from ..host.knowledge.places import KnowledgeFiles, open_files
from ..host.knowledge.service import AgentFile
from ..knowledge.documents import FILES, ROOT, STATE_NAME, Place, entries_in, parse_document, prompt_text
from ..knowledge.messages import RETRIEVAL, SCHEDULED
from ..knowledge.shelving import CurationVerb
from ..knowledge.state import state_from_text
from ..settings import Settings
from ..store.docstore_file import user_folder_of
from ..store.files import CONFIG_FILE
from ..texts import counted, estimate_tokens
from .declaring import DONE, PROBLEMS, Options, find_here, tell
from .options import InputError, read_settings
from .output import ID, Column, progress, say, show_rows

#: The host's folder of memories and of the user's settings file: in `usr`, up to v0.9.7 beside it.
_MEMORY = "memory"


_RECALLED = (
    ID,
    Column("confidence", lambda row: f"{row['confidence']:.2f}", is_whole=True),
    Column("insight", "insight"),
)


@dataclass(frozen=True, slots=True)
class _Folders:
    """The folders that the options name, with their settings and knowledge files."""

    home: Path
    own: Path
    logs: LogFolder
    settings: Settings
    files: KnowledgeFiles


def _open(options: Options) -> _Folders:
    home = (options.home or user_folder_of(find_here("Agent Zero", "--home DIR, its usr folder"))).absolute()
    if not home.is_dir():
        raise InputError(f"{home} is not a folder; allowed: Agent Zero's usr folder")
    own = next((folder for folder in (home / _MEMORY, home.parent / _MEMORY) if folder.is_dir()), home / _MEMORY)
    beside = own / CONFIG_FILE
    settings = read_settings(options.config or (beside if beside.is_file() else None))
    logs = log_folder(settings.knowledge, home) if options.logs is None else LogFolder(str(options.logs.absolute()))
    return _Folders(home, own, logs, settings, open_files(settings.knowledge, home=home))


def _run_status(options: Options) -> None:
    """Show what is known, what waits for you, and what has not been read yet."""
    folders = _open(options)
    texts = {name: text for name in FILES if (text := folders.files.read(name)) is not None}
    shown = "".join(prompt_text(parse_document(text)) for name, text in texts.items() if FILES[name][1] is Place.ACTIVE)
    say(f"{folders.settings.knowledge.knowledge_url}: {ROOT}")
    for place in Place:
        entries = entries_in(texts, place)
        say(f"{place.value}: {counted(len(entries), 'entry', 'entries')}")
        for name, entry in entries:
            say(f"  {entry.id}  {entry.confidence:.2f}  {entry.title}  ({name})", hang=17)
    limit = folders.settings.distillation.token_limit
    say(f"in every prompt: about {estimate_tokens(shown)} of {limit} tokens")
    say(f"logs: {_logs_told(folders)}")
    scheduled_at = AgentFile(folders.own).scheduled_at
    latest = "never" if scheduled_at is None else scheduled_at.isoformat(timespec="seconds")
    say(f"last scheduled distillation: {latest}")


def _logs_told(folders: _Folders) -> str:
    counted = {(log.name, log.size) for log in state_from_text(folders.files.read(STATE_NAME)).logs.values()}
    listed = folders.logs.sizes()
    waiting = [name for name, size in listed.items() if (name.name, size) not in counted]
    return f"{len(listed)}, {len(waiting)} with something to read"


def _run_distil(options: Options) -> int:
    """Read what is new in the logs, and update the knowledge files."""
    folders, now = _open(options), system_clock()
    days = options.days if options.days is not None else folders.settings.distillation.pattern_window_days
    midnight = datetime(now.year, now.month, now.day, tzinfo=UTC)
    start, end = midnight - timedelta(days=days - 1), midnight + timedelta(days=1)
    window = {"start": f"{start:%Y-%m-%dT%H:%M:%SZ}", "end": f"{end:%Y-%m-%dT%H:%M:%SZ}"}
    memory = AgentFile(folders.own)
    with progress("reading the logs") as advance:
        agent = _agent(
            folders,
            memory,
            cluster=folders.settings.knowledge.cluster,
            progress=lambda work, done, total: advance(done, total, work=work),
        )
        answer = agent.answer({"trigger": SCHEDULED, "time_window": window}, dry_run=options.dry_run)
    report = answer.report
    if not options.dry_run and not answer.has_failed:
        memory.keep(answer.message, scheduled_at=now)
    if options.as_json:
        return _print_message(answer)
    if report is None:
        return _failed(answer)
    if not report.has_window:
        tell(_where_logs_are(folders, start.date(), now.date()))
    if options.dry_run:
        _print_diff(report.texts, report.before)
    content = answer.message["output"]["content"]
    for update in content["knowledge_updates"]:
        if update["entries_added"] or update["entries_revised"]:
            say(f"{update['file']}: {update['entries_added']} added, {update['entries_revised']} revised")
    for message in (*report.notices, *report.flags, *report.problems):
        tell(message)
    logs, skipped = counted(report.logs_read, "log", "logs"), report.malformed
    say(f"{logs} read: {counted(report.messages, 'message', 'messages')}, {skipped} malformed")
    outside = f", {counted(report.stray, 'message', 'messages')} outside of any" if report.stray else ""
    ended = counted(report.transactions, "new transaction", "new transactions")
    say(f"{ended}, {report.unfinished} not ended yet{outside}")
    say(answer.message["status"]["message"] + (" (dry run: nothing was written)" if options.dry_run else ""))
    return DONE


def _where_logs_are(folders: _Folders, first: date, today: date) -> str:
    """Return in words the days of the logs, and the option that searches them for patterns."""
    held = sorted({name.day for name in folders.logs.sizes()})
    if not held:
        return f"{folders.logs} holds no log; name another folder with --logs DIR"
    # A day more: where a log was written, its first hours may have been the day before in UTC.
    back = (today - held[0]).days + 2
    span = f"{counted(len(held), 'day', 'days')}, from {held[0]} to {held[-1]}" if len(held) > 1 else str(held[0])
    hint = f"; search them with --days {back}" if held[0] < first else ""
    return f"no transaction ended from {first} to {today}; there are logs of {span}{hint}"


def _run_recall(options: Options) -> int:
    """Show what is known about something, without writing anything."""
    folders = _open(options)
    received = {"trigger": RETRIEVAL, "query": " ".join(options.query), "requesting_agent": "terminal"}
    answer = _agent(folders, AgentFile(folders.own)).answer(received)
    if options.as_json:
        return _print_message(answer)
    if answer.has_failed:
        return _failed(answer)
    show_rows(options, answer.message["output"]["content"]["recall_result"]["entries"], _RECALLED)
    tell(answer.message["status"]["message"])
    return DONE


def _decide(verb: CurationVerb, options: Options) -> None:
    folders = _open(options)
    changed, before = _curator(folders).decide(options.id, verb, dry_run=options.dry_run)
    if options.dry_run:
        _print_diff(changed, before)
    for name in changed:
        say(f"{ROOT}{name}: {options.id} {'would be' if options.dry_run else 'was'} changed by {verb.value}")


_run_approve = partial(_decide, CurationVerb.APPROVE)
_run_reject = partial(_decide, CurationVerb.REJECT)
_run_archive = partial(_decide, CurationVerb.ARCHIVE)


def _run_undo(options: Options) -> None:
    """Reverse the latest decision about an entry, made here or on the page."""
    folders = _open(options)
    decision, (changed, _) = _curator(folders).undo(options.id)
    for name in changed:
        say(f"{ROOT}{name}: {options.id} was changed: {decision} was taken back")


def _curator(folders: _Folders) -> Curator:
    threshold = folders.settings.distillation.confidence_threshold
    return Curator(folders.files, now=system_clock(), threshold=threshold)


def _agent(folders: _Folders, memory: AgentFile, **settings: Any) -> MemoryAgent:
    return MemoryAgent(
        files=folders.files,
        logs=folders.logs,
        options=folders.settings.distillation,
        home=folders.home,
        clock=system_clock,
        number=memory.next_number,
        **settings,
    )


def _print_message(answer: Answer) -> int:
    print(json.dumps(answer.message, ensure_ascii=False, indent=2))
    return PROBLEMS if answer.has_failed else DONE


def _failed(answer: Answer) -> int:
    tell(answer.message["error"]["error_message"])
    return PROBLEMS


def _print_diff(texts: Mapping[str, str], before: Mapping[str, str | None]) -> None:
    for name, text in texts.items():
        old, new = (before.get(name) or "").splitlines(keepends=True), text.splitlines(keepends=True)
        sys.stdout.writelines(difflib.unified_diff(old, new, f"a/{ROOT}{name}", f"b/{ROOT}{name}"))
