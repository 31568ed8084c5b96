"""One run of distillation: count the logs that have changed, bring the files up to them (M-11, M-17 ... M-23).

The logs are only read. The files are written through `KnowledgeFiles`, after the memory of the run: a crash in between
leaves to the next run what is still to be written (M-64).
"""

from __future__ import annotations

import functools
import hashlib
import importlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from multiprocessing import get_context
from typing import Any, NamedTuple

from ...errors import MemoryLedgerError
from ...knowledge.categories import FILES, STATE_NAME, file_of, summary_name
from ...knowledge.counting import LogCount, count_log, first_message
from ...knowledge.filing import file_knowledge, window_of
from ...knowledge.held import Filing
from ...knowledge.insights import CATEGORY_OF
from ...knowledge.log_names import LogName
from ...knowledge.memory import KnowledgeState, memory_from_text, memory_to_text
from ...knowledge.options import Distillation
from ...knowledge.summaries import render_summary
from ..storage.packages import install_command
from .addresses import KnowledgeAwayError
from .logs import TAIL_BYTES, LogFolder, Rest
from .places import KnowledgeFiles

#: So often another writer may be faster before a run gives up.
_MOST_ROUNDS = 5
#: So long a cluster may be without a worker, which is looked for so often meanwhile.
PATIENCE_SECONDS, _LOOKS = 30.0, 10
#: So many bytes of logs take longer to read than processes to begin.
WORTH_PROCESSES = 64_000_000
_GONE = -1
_DAY = timedelta(days=1)

Progress = Callable[[str, int, int], None]


class DistillationError(MemoryLedgerError):
    """A run cannot be finished."""


class LogTask(NamedTuple):
    """One log to count: plain values, which a worker of a cluster is sent as they are."""

    folder: LogFolder
    name: LogName
    size: int
    before: tuple[tuple[LogName, int], ...]
    is_closed: bool
    hop_limit: int
    taken_back: frozenset[str]


@dataclass(slots=True)
class RunReport:
    """What a run did (M-35, M-36); with `dry_run` what it would have done."""

    logs_read: int = 0
    messages: int = 0
    malformed: int = 0
    transactions: int = 0
    #: Messages that belong to no chain, and chains that have not ended.
    stray: int = 0
    unfinished: int = 0
    #: Logs that are gone, replaced or unreadable.
    notices: list[str] = field(default_factory=list)
    filing: Filing = field(default_factory=Filing)
    #: New texts of all files, the summaries too, by name; and what stood there before.
    texts: dict[str, str] = field(default_factory=dict)
    before: dict[str, str | None] = field(default_factory=dict)
    #: Whether there is any transaction where new patterns are looked for.
    has_window: bool = False


class Distiller:
    """Distils the logs of one place into the knowledge files of one place.

    `rest` is called after each line, for a thread of a running host; it may raise to stop the run, which has then
    changed nothing. With a `cluster`, the address of a Dask scheduler, its workers read the logs.
    """

    def __init__(
        self,
        logs: LogFolder,
        files: KnowledgeFiles,
        options: Distillation,
        *,
        governance_texts: Mapping[str, str] | None = None,
        cluster: str = "",
        progress: Progress | None = None,
        rest: Rest | None = None,
    ) -> None:
        self._logs, self._files, self._options = logs, files, options
        self._governance = dict(governance_texts or {})
        self._cluster, self._rest = cluster, rest
        self._progress = progress or (lambda what, done, total: None)

    def run(self, now: datetime, *, window: tuple[str, str] | None = None, dry_run: bool = False) -> RunReport:
        """Distil what is new; `window` (first day, last day) is where new patterns are looked for (M-11, M-28)."""
        window = window or window_of(now, self._options.pattern_window_days)
        for _ in range(_MOST_ROUNDS):
            state = self._files.read(STATE_NAME)
            memory = memory_from_text(state)
            if not dry_run:
                self._finish_writing(memory)
            report = RunReport()
            changed = self._count(memory, window, report)
            found = {name: text for name in FILES if (text := self._files.read(name)) is not None}
            days = memory.days()
            filing = file_knowledge(
                found, memory, days, window, options=self._options, now=now, governance_texts=self._governance
            )
            report.filing, report.has_window = filing, any(window[0] <= day <= window[1] for day in days)
            report.texts, report.before = dict(filing.texts), {name: found.get(name) for name in filing.texts}
            for day in sorted(changed & set(days)):
                self._summarise(day, render_summary(day, days[day]), memory, report)
            if dry_run or self._commit(state, memory, report):
                return report
        raise DistillationError(f"{STATE_NAME}: other writers were faster {_MOST_ROUNDS} times; try again later")

    def _count(self, memory: KnowledgeState, window: tuple[str, str], report: RunReport) -> set[str]:
        """Count the logs of the window that have changed since they were counted; return the days that have."""
        tasks = self._tasks(memory, window, report)
        counted = self._counted(tasks, report)
        late = {one for log in counted.values() for one in log.taken_back} - memory.taken_back
        if late:  # an answer of the day before was taken back, which is a failure of that day
            latest = max(tasks[first].name.day for first in counted)
            again = self._tasks(memory, window, RunReport(), also=late).items()
            earlier = {first: task for first, task in again if task.name.day >= latest - _DAY}
            tasks |= earlier
            counted |= self._counted(earlier, report)
        for first, one in counted.items():
            before = memory.before(first, one)
            report.transactions += max(0, one.transactions - (0 if before is None else before.transactions))
            report.messages, report.malformed = report.messages + one.messages, report.malformed + one.malformed
            report.stray, report.unfinished = report.stray + one.stray, report.unfinished + one.unfinished
            if before is not None and one.transactions < before.transactions:
                report.notices.append(f"{one.name} was replaced or cut; what was counted of it stays")
        report.logs_read, report.notices = len(counted), [*dict.fromkeys(report.notices)]
        return memory.take(counted)

    def _tasks(
        self, memory: KnowledgeState, window: tuple[str, str], report: RunReport, also: Collection[str] = ()
    ) -> dict[str, LogTask]:
        """Return the logs to count, by their first message; of two copies the larger one."""
        first_day, last_day = (date.fromisoformat(day) for day in window)
        sizes = self._logs.sizes()
        names = [name for name in sizes if first_day - _DAY <= name.day <= last_day + _DAY]
        latest = max((name.day for name in sizes), default=None)
        taken_back = memory.taken_back | frozenset(also)
        firsts: dict[LogName, str] = {}
        for name in names:
            try:
                firsts[name] = first_message(self._logs.lines(name, end=sizes[name]), is_prose=name.is_prose)
            except OSError as exc:
                report.notices.append(_unreadable(name, exc))
        found: dict[str, LogTask] = {}
        for name, first in firsts.items():
            task = LogTask(
                self._logs,
                name,
                sizes[name],
                tuple((one, sizes[one]) for one in _before(name, firsts)),
                name.day != latest,
                self._options.hop_limit,
                taken_back,
            )
            if first and (first not in found or found[first].size < task.size):
                found[first] = task
        self._notice_gone(memory, {task.name.name: first for first, task in found.items()}, sizes, report)
        return {first: task for first, task in found.items() if also or _has_changed(task, memory.logs.get(first))}

    def _notice_gone(
        self, memory: KnowledgeState, firsts: Mapping[str, str], sizes: Mapping[LogName, int], report: RunReport
    ) -> None:
        """Tell of logs that are gone or replaced, once; where there is none at all, their folder is not there now."""
        there = {name.name for name in sizes}
        for first, one in memory.logs.items() if there else ():
            if one.size == _GONE or one.place != self._logs.place or first in firsts.values():
                continue
            if one.name not in there:
                report.notices.append(f"{one.name} is gone; what was counted of it stays")
            elif one.name in firsts:
                report.notices.append(f"{one.name} was replaced or cut; what was counted of it stays")
            else:
                continue
            one.size = _GONE

    def _counted(self, tasks: Mapping[str, LogTask], report: RunReport) -> dict[str, LogCount]:
        counted: dict[str, LogCount] = {}
        for done, (first, found) in enumerate(zip(tasks, self._results(tasks.values()), strict=True), 1):
            if isinstance(found, str):
                report.notices.append(found)
            else:
                found.place = self._logs.place
                counted[first] = found
            self._progress("logs read", done, len(tasks))
        return counted

    def _results(self, tasks: Collection[LogTask]) -> Iterator[LogCount | str]:
        if self._cluster and tasks:
            return count_on_cluster(self._cluster, tasks)
        if self._rest is None and len(tasks) > 1 and sum(task.size for task in tasks) >= WORTH_PROCESSES:
            return _count_in_processes(tasks)
        return (count_task(task, self._rest) for task in tasks)

    def _summarise(self, day: str, text: str, memory: KnowledgeState, report: RunReport) -> None:
        """Write the summary of a day that has changed; one that a person has edited is left alone (M-23)."""
        name = summary_name(day)
        before = self._files.read(name)
        if before is not None and memory.summaries.get(day) != _digest(before):
            return
        memory.summaries[day] = _digest(text)
        if text != before:
            report.texts[name], report.before[name] = text, before

    def _commit(self, state: str | None, memory: KnowledgeState, report: RunReport) -> bool:
        """Write the memory, then the files; False if another run has written its memory meanwhile."""
        memory.writing = {name: (_digest(report.before[name]), text) for name, text in report.texts.items()}
        written = memory_to_text(memory)
        if not self._swap(state, written):
            return False
        if memory.writing:
            self._finish_writing(memory)
            self._swap(written, memory_to_text(memory))
        return True

    def _swap(self, before: str | None, after: str) -> bool:
        is_ours = True

        def merge(found: str | None) -> str | None:
            nonlocal is_ours
            is_ours = found == before
            return after if is_ours and after != before else found

        self._files.update(STATE_NAME, merge)
        return is_ours

    def _finish_writing(self, memory: KnowledgeState) -> None:
        """Write what a run was about to write; a file that somebody else has changed meanwhile stays theirs."""
        for name, (before, text) in memory.writing.items():
            stands = self._files.update(name, functools.partial(_unless_changed, before=before, text=text))
            for note in memory.notes.values() if stands != text else ():
                category = None if note.key is None else CATEGORY_OF.get(note.key[0])
                if category is not None and file_of(category, note.place) == name:
                    note.is_filed = False
        memory.writing = {}


def count_task(task: LogTask, rest: Rest | None = None) -> LogCount | str:
    """Count one log, or say why it cannot be read; a function of its own, because it runs on other machines."""
    folder, name = task.folder, task.name
    before = [
        (one, folder.lines(one, start=0 if one.is_prose else max(0, size - TAIL_BYTES), end=size, rest=rest))
        for one, size in task.before
    ]
    try:
        return count_log(
            name,
            folder.lines(name, end=task.size, rest=rest),
            before,
            hop_limit=task.hop_limit,
            size=task.size,
            is_closed=task.is_closed,
            taken_back=task.taken_back,
        )
    except OSError as exc:
        return _unreadable(name, exc)


def _count_in_processes(tasks: Collection[LogTask]) -> Iterator[LogCount | str]:
    """Yield what the cores of this machine make of logs, in order; not inside of a host, which has other work."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        yield from pool.map(count_task, tasks)


def count_on_cluster(address: str, tasks: Iterable[LogTask]) -> Iterator[LogCount | str]:
    """Yield what the workers of a Dask cluster make of logs, in order.

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
    """Wait for a worker's result; Dask waits for ever for a worker, this does not."""
    looks_without_worker = 0
    while looks_without_worker < _LOOKS:
        try:
            found: LogCount | str = future.result(timeout=PATIENCE_SECONDS / _LOOKS)
            return found
        except TimeoutError:
            if future.done():
                continue
            looks_without_worker = 0 if client.nthreads() else looks_without_worker + 1
    raise TimeoutError(f"no worker for {PATIENCE_SECONDS:g} seconds")


def _has_changed(task: LogTask, before: LogCount | None) -> bool:
    return before is None or before.size != task.size or before.is_closed != task.is_closed


def _before(name: LogName, names: Collection[LogName]) -> list[LogName]:
    """Return the logs that the first chains of one may begin in: the latest with its number, or Markdown of its day."""
    earlier = [one for one in names if one < name and one.is_prose == name.is_prose]
    if name.is_prose:
        return [one for one in earlier if one.day == name.day]
    return [one for one in earlier if one.number == name.number][-1:]


def _unreadable(name: LogName, exc: OSError) -> str:
    return f"{name.name} cannot be read ({exc.strerror or exc}); the other logs were"


def _unless_changed(found: str | None, *, before: str, text: str) -> str | None:
    return text if _digest(found) == before else found


def _digest(text: str | None) -> str:
    if text is None:
        return ""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
