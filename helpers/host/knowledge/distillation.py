"""One run of distillation: read what is new in the logs, count it, bring the files up to it (M-11, M-17 ... M-23).

The logs are only read. The files are written through `KnowledgeFiles`, after the memory of the run: a crash in between
leaves to the next run what is still to be written, and no transaction is counted twice (M-64).
"""

from __future__ import annotations

import copy
import functools
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from ...errors import MemoryLedgerError
from ...knowledge.categories import FILES, STATE_NAME, file_of, summary_name
from ...knowledge.files_protocol import KnowledgeFiles
from ...knowledge.filing import file_knowledge, window_of
from ...knowledge.held import Filing
from ...knowledge.insights import CATEGORY_OF
from ...knowledge.memory import KnowledgeState, memory_from_text, memory_to_text
from ...knowledge.options import Distillation
from ...knowledge.patterns import Tally
from ...knowledge.summaries import render_summary
from .counting import Batch, LogCounter, Progress, RunCounts, chains_in
from .day_files import DayFiles, days_that_are_over, tally_name, tally_to_text
from .log_files import Rest
from .schedulers import Here, Scheduler
from .trial_files import TrialFiles

#: So often another writer may be faster before a run gives up.
_MOST_ROUNDS = 5


class DistillationError(MemoryLedgerError):
    """A run cannot be finished."""


@dataclass(slots=True)
class RunReport(RunCounts):
    """What a run did (M-35, M-36); with `dry_run` what it would have done."""

    filing: Filing = field(default_factory=Filing)
    #: New texts of all files, the summaries too, by name; and what stood there before.
    texts: dict[str, str] = field(default_factory=dict)
    before: dict[str, str | None] = field(default_factory=dict)
    #: Chains that have not ended.
    unfinished: int = 0
    #: Whether there is any transaction where new patterns are looked for.
    has_window: bool = False

    def add(self, batch: Batch, texts: Mapping[str, str], before: Mapping[str, str | None]) -> None:
        """Add what was done at once."""
        self.count(batch)
        self.texts |= texts
        self.before = {**before, **self.before}


class Distiller:
    """Distils the logs of one folder into the knowledge files of one place.

    `rest` is called between small pieces of work, for a thread of a running host; it may raise to stop the run, which
    the next one then takes up where the last batch was committed. It cannot go to other processes or machines: with it
    there is no `scheduler`.
    """

    def __init__(
        self,
        logs: Path,
        files: KnowledgeFiles,
        options: Distillation,
        *,
        governance_texts: Mapping[str, str] | None = None,
        scheduler: Scheduler | None = None,
        progress: Progress | None = None,
        rest: Rest | None = None,
        batch_bytes: int | None = None,
    ) -> None:
        self._logs, self._files, self._options = logs, files, options
        self._governance = dict(governance_texts or {})
        self._scheduler: Scheduler = scheduler or Here()
        self._progress, self._rest, self._batch_bytes = progress, rest, batch_bytes

    def run(self, now: datetime, *, window: tuple[str, str] | None = None, dry_run: bool = False) -> RunReport:
        """Distil what is new; `window` (first day, last day) is where new patterns are looked for (M-11, M-28)."""
        if dry_run:
            trial = copy.copy(self)
            trial._files = TrialFiles(self._files)
            return trial.run(now, window=window)
        window = window or window_of(now, self._options.pattern_window_days)
        report, lost = RunReport(), 0
        counter = LogCounter(
            self._logs,
            DayFiles(self._files),
            hop_limit=self._options.hop_limit,
            scheduler=self._scheduler,
            rest=self._rest,
            progress=self._progress,
            batch_bytes=self._batch_bytes,
        )
        while lost < _MOST_ROUNDS:
            is_ours, is_last = self._step(counter, report, now, window)
            if is_ours and is_last:
                return report
            lost = 0 if is_ours else lost + 1
        raise DistillationError(f"{STATE_NAME}: other writers were faster {_MOST_ROUNDS} times; try again later")

    def _step(
        self, counter: LogCounter, report: RunReport, now: datetime, window: tuple[str, str]
    ) -> tuple[bool, bool]:
        """Count a batch, and file after the last one; return whether it was committed, and was the last."""
        state = self._files.read(STATE_NAME)
        memory = memory_from_text(state)
        self._finish_writing(memory)
        batch = counter.count(memory)
        texts: dict[str, str] = {}
        before: dict[str, str | None] = {}
        filing = Filing()
        window_tally: Tally = {}
        if batch.is_last:
            found = {name: text for name in FILES if (text := self._files.read(name)) is not None}
            window_tally = DayFiles(self._files).window(memory, *window)
            filing = file_knowledge(
                found, memory, window_tally, options=self._options, now=now, governance_texts=self._governance
            )
            texts |= filing.texts
            before |= {name: found.get(name) for name in texts}
        self._summarise(memory, batch.days, texts, before)
        if self._rest is not None:
            self._rest()
        if not self._commit(state, memory, texts, before):
            return False, batch.is_last
        report.add(batch, texts, before)
        report.filing, report.unfinished = filing, chains_in(memory.open_rows)
        report.has_window = bool(window_tally)
        return True, batch.is_last

    def _summarise(
        self, memory: KnowledgeState, days: set[str], texts: dict[str, str], befores: dict[str, str | None]
    ) -> None:
        """Write the summary of each day that has changed; one that a person has edited is left alone (M-23)."""
        for day in sorted(days):
            name, text = summary_name(day), render_summary(day, memory.days[day])
            before = self._files.read(name)
            if before is not None and memory.summaries.get(day) != _digest(before):
                continue
            memory.summaries[day] = _digest(text)
            if text != before:
                texts[name], befores[name] = text, before

    def _commit(
        self, state: str | None, memory: KnowledgeState, texts: Mapping[str, str], before: Mapping[str, str | None]
    ) -> bool:
        """Write the memory, then the files; False if another run has written its memory meanwhile."""
        memory.writing = {name: (_digest(before[name]), text) for name, text in texts.items()}
        over = days_that_are_over(memory)
        for day in over:
            name = tally_name(day)
            memory.writing[name] = (_digest(self._files.read(name)), tally_to_text(memory.days.pop(day)))
        written = memory_to_text(memory)
        if not self._swap(state, written):
            return False
        self._finish_writing(memory)
        days = DayFiles(self._files)
        days.keep_digests(memory)
        if over:
            days.forget(max(memory.days))
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
                if note.key is not None and file_of(CATEGORY_OF[note.key[0]], note.place) == name:
                    note.is_filed = False
        memory.writing = {}


def _unless_changed(found: str | None, *, before: str, text: str) -> str | None:
    return text if _digest(found) == before else found


def _digest(text: str | None) -> str:
    if text is None:
        return ""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
