"""The memory agent: the runs of distillation, and a complete standard message for each trigger."""

from __future__ import annotations

import hashlib
import importlib
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from ...clock import Clock
from ...errors import MemoryLedgerError, shorten
from ...knowledge import messages, words
from ...knowledge.answers import Call, answer_distilled, answer_found, answer_refused, find_entries
from ...knowledge.documents import FILES, STATE_NAME, file_of, summary_name
from ...knowledge.filing import Filing, window_of
from ...knowledge.hops import LogName
from ...knowledge.insights import CATEGORY_OF, render_summary
from ...knowledge.messages import ChainPosition
from ...knowledge.shelving import RunReport
from ...knowledge.state import KnowledgeState, LogCount, count_log, first_message, state_from_text, state_to_text
from ...setting_groups import Distillation
from ...store.embedding import install_command
from .addresses import GOVERNANCE_FOLDER, KnowledgeAwayError, LogFolder, Rest
from .places import KnowledgeFiles, replace_text

#: How often another writer may be faster before a run gives up.
_MOST_ROUNDS = 5
#: How long a cluster may be without a worker, and how often that is checked meanwhile.
PATIENCE_SECONDS, _LOOKS = 30.0, 10
_DAY = timedelta(days=1)

Progress = Callable[[str, int, int], None]


class DistillationError(MemoryLedgerError):
    """A run cannot be finished."""


class LogTask(NamedTuple):
    """One log to count, in plain values that can be sent to the worker of a cluster."""

    folder: LogFolder
    name: LogName
    size: int
    hop_limit: int


@dataclass(frozen=True, kw_only=True)
class Distiller:
    """Distils the logs of one place into the knowledge files of one place, under the governance of both and of `home`.

    `rest` is called after each line, for a thread of a running host; it may raise to stop the run, which has then
    changed nothing. With a `cluster`, the address of a Dask scheduler, its workers read the logs.
    """

    logs: LogFolder
    files: KnowledgeFiles
    options: Distillation
    home: Path
    cluster: str = ""
    progress: Progress | None = None
    rest: Rest | None = None

    def run(self, now: datetime, *, window: tuple[str, str] | None = None, dry_run: bool = False) -> RunReport:
        """Distil the new logs; patterns are looked for in `window` (first day, last day). Raises DistillationError."""
        window = window or window_of(now, self.options.pattern_window_days)
        for _ in range(_MOST_ROUNDS):
            stored = self.files.read(STATE_NAME)
            state = state_from_text(stored)
            if not dry_run:
                self._finish_writing(state)
            governance = read_governance(self.home, self.files.governance())
            report = RunReport(days=window, consulted=tuple(governance))
            changed = self._count(state, report)
            texts = {name: text for name in FILES if (text := self.files.read(name)) is not None}
            days = state.days()
            Filing(texts, state, days, report, options=self.options, now=now, governance=governance).run()
            report.before = {name: texts.get(name) for name in report.texts}
            report.has_window = any(window[0] <= day <= window[1] for day in days)
            for day in sorted(changed & set(days)):
                self._summarise(day, render_summary(day, days[day]), state, report)
            if dry_run or self._commit(stored, state, report):
                return report
        raise DistillationError(f"{STATE_NAME}: other writers were faster {_MOST_ROUNDS} times; try again later")

    def _count(self, state: KnowledgeState, report: RunReport) -> set[str]:
        """Count the logs of the window that have changed since the last count; return the changed days."""
        tasks = self._tasks(state, report)
        here = (count_task(task, self.rest) for task in tasks.values())
        results = count_on_cluster(self.cluster, tasks.values()) if self.cluster and tasks else here
        counted: dict[str, LogCount] = {}
        for done, (first, result) in enumerate(zip(tasks, results, strict=True), 1):
            if self.progress is not None:
                self.progress("logs read", done, len(tasks))
            if isinstance(result, str):
                report.notices.append(result)
                continue
            counted[first], before = result, state.logs.get(first)
            report.transactions += max(0, result.transactions - (0 if before is None else before.transactions))
            for figure in ("messages", "malformed", "stray", "unfinished"):
                setattr(report, figure, getattr(report, figure) + getattr(result, figure))
        report.logs_read = len(counted)
        return state.take(counted)

    def _tasks(self, state: KnowledgeState, report: RunReport) -> dict[str, LogTask]:
        """Return the changed logs by their first message, the larger one of two copies."""
        first_day, last_day = (date.fromisoformat(day) for day in report.days)
        tasks: dict[str, LogTask] = {}
        for name, size in self.logs.sizes().items():
            if not first_day - _DAY <= name.day <= last_day + _DAY:
                continue
            try:
                first = first_message(self.logs.lines(name, end=size), is_prose=name.is_prose)
            except OSError as exc:
                report.notices.append(_unreadable(name, exc))
                continue
            if first and (first not in tasks or tasks[first].size < size):
                tasks[first] = LogTask(self.logs, name, size, self.options.hop_limit)
        known = {first: log.size for first, log in state.logs.items()}
        return {first: task for first, task in tasks.items() if known.get(first) != task.size}

    def _summarise(self, day: str, text: str, state: KnowledgeState, report: RunReport) -> None:
        """Write the summary of a changed day, unless a person has edited it."""
        name = summary_name(day)
        before = self.files.read(name)
        if before is not None and state.summaries.get(day) != _digest(before):
            return
        state.summaries[day] = _digest(text)
        if text != before:
            report.texts[name], report.before[name] = text, before

    def _commit(self, stored: str | None, state: KnowledgeState, report: RunReport) -> bool:
        """Write the state, then the files; return False if another run has written its state meanwhile."""
        state.writing = {name: (_digest(report.before[name]), text) for name, text in report.texts.items()}
        written = state_to_text(state)
        if not replace_text(self.files, STATE_NAME, stored, written):
            return False
        if state.writing:
            self._finish_writing(state)
            replace_text(self.files, STATE_NAME, written, state_to_text(state))
        return True

    def _finish_writing(self, state: KnowledgeState) -> None:
        """Write the files that a run was about to write, without those that somebody else has changed."""
        for name, (before, text) in state.writing.items():
            stored = self.files.read(name)
            is_written = _digest(stored) == before and replace_text(self.files, name, stored, text)
            for note in state.notes.values() if not is_written and stored != text else ():
                category = None if note.key is None else CATEGORY_OF.get(note.key[0])
                note.is_filed &= category is None or file_of(category, note.place) != name
        state.writing = {}


def read_governance(home: Path, beside: Mapping[str, bytes]) -> dict[str, str]:
    """Return the texts of the governance files by their paths from the root.

    The files `beside` the knowledge hold for the fleet, those in `home` for this machine; different texts of one name
    are joined.
    """
    here = [(path.name, path.read_bytes()) for path in (home / GOVERNANCE_FOLDER).glob("*.md") if path.is_file()]
    texts: dict[str, dict[str, None]] = {}
    for name, data in [*beside.items(), *here]:
        texts.setdefault(name, {})[data.decode("utf-8", "replace")] = None
    return {f"{GOVERNANCE_FOLDER}/{name}": "\n\n".join(texts[name]) for name in sorted(texts)}


def count_task(task: LogTask, rest: Rest | None = None) -> LogCount | str:
    """Count one log, or return why it cannot be read; a module-level function, because it runs on other machines."""
    lines = task.folder.lines(task.name, end=task.size, rest=rest)
    try:
        return count_log(task.name, lines, hop_limit=task.hop_limit, size=task.size)
    except OSError as exc:
        return _unreadable(task.name, exc)


def count_on_cluster(address: str, tasks: Iterable[LogTask]) -> Iterator[LogCount | str]:
    """Yield the counts of logs by the workers of a Dask cluster, in order.

    Raises KnowledgeAwayError where Dask is missing, no scheduler answers, or it has no worker for a while.
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError as exc:
        raise KnowledgeAwayError(f"knowledge.cluster needs Dask; `{install_command('distributed')}` brings it") from exc
    try:
        with distributed.Client(address, timeout=10) as client:
            for future in client.map(count_task, [*tasks], pure=False):
                yield _result_of(future, client)
    except (OSError, TimeoutError) as exc:
        raise KnowledgeAwayError(f"no Dask scheduler with a worker answers at {address}: {exc}") from exc


def _result_of(future: Any, client: Any) -> LogCount | str:
    """Return a worker's result; raises TimeoutError without a worker, for which Dask would wait for ever."""
    looks_without_worker = 0
    while looks_without_worker < _LOOKS:
        try:
            result: LogCount | str = future.result(timeout=PATIENCE_SECONDS / _LOOKS)
            return result
        except TimeoutError:
            if future.done():
                continue
            looks_without_worker = 0 if client.nthreads() else looks_without_worker + 1
    raise TimeoutError(f"no worker for {PATIENCE_SECONDS:g} seconds")


def _unreadable(name: LogName, exc: OSError) -> str:
    return f"{name.name} cannot be read ({exc.strerror or exc}); the other logs were"


def _digest(text: str | None) -> str:
    if text is None:
        return ""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answering message, and the report of the run over the logs, if there was one."""

    message: dict[str, Any]
    report: RunReport | None = None

    @property
    def has_failed(self) -> bool:
        """Whether the message reports an error."""
        return bool(self.message["error"]["has_error"])


@dataclass(frozen=True, kw_only=True)
class MemoryAgent(Distiller):
    """Answers triggers for the knowledge of one place; `number` numbers the messages of a day."""

    clock: Clock
    number: Callable[[datetime], int]

    def answer(self, received: object, link: ChainPosition | None = None, *, dry_run: bool = False) -> Answer:
        """Return the answer to a trigger, or to a message that hands over to this agent.

        Raises nothing.
        """
        now = self.clock().astimezone(UTC)
        handed = (
            messages.parse_handover(received) if isinstance(received, Mapping) and "trigger" not in received else None
        )
        if handed is not None:
            received, link = handed
        call = Call(received=received, link=link or ChainPosition(), now=now, number=self.number(now))
        number, limit = call.link.sequence_number, self.options.hop_limit
        if number > limit:
            reason = f"message {number} of a chain; the circuit breaker allows {limit}"
            return Answer(answer_refused(call, words.PROCESSING_ERROR, reason, recoverable=False))
        try:
            return self._carry_out(call, dry_run=dry_run)
        except messages.TriggerError as exc:
            return Answer(answer_refused(call, words.INVALID_INPUT, str(exc)))
        except KnowledgeAwayError as exc:
            return Answer(answer_refused(call, words.DEPENDENCY_ERROR, str(exc)))
        except Exception as exc:  # noqa: BLE001 - a message is the answer, whatever happened
            if not isinstance(exc, MemoryLedgerError):
                _log.exception("the memory agent failed")
            reason = f"{type(exc).__name__}: {shorten(str(exc), 300)}"
            return Answer(answer_refused(call, words.PROCESSING_ERROR, reason))

    def _carry_out(self, call: Call, *, dry_run: bool) -> Answer:
        trigger = messages.parse_trigger(call.received)
        if isinstance(trigger, messages.Retrieval):
            texts = {name: text for name in FILES if (text := self.files.read(name)) is not None}
            return Answer(answer_found(call, trigger.query, find_entries(texts, trigger.query)))
        if isinstance(trigger, messages.PostChain):
            log = trigger.log_path.rpartition("/")[2]
            if log not in {name.name for name in self.logs.sizes()}:
                raise KnowledgeAwayError(f"{trigger.log_path} is missing; allowed: an audit log")
        window = trigger.days if isinstance(trigger, messages.Scheduled) else None
        report = self.run(call.now, window=window, dry_run=dry_run)
        return Answer(answer_distilled(call, report), report)
