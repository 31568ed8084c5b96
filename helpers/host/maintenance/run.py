"""When maintenance is due, and one run of it: stages in their order, in slices; one that fails stops no other."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from time import perf_counter
from typing import Any, TypeVar

import numpy as np

from ...clock import format_time
from ...records import Memory
from ...settings import Settings
from ...store.co_retrieval import CoRetrievalLog
from ...store.columns import Columns, Flags
from ...store.deadline import Stopped, Throttle
from ...store.docstore import Store
from ...store.tables import FolderState


def is_due(state: FolderState, settings: Settings) -> bool:
    """Whether `maintenance_interval_loops` have gone by since the last whole run."""
    return loops_since_run(state) >= settings.maintenance_interval_loops


def loops_since_run(state: FolderState) -> int:
    """Return how many message loops have gone by since the last whole run."""
    return _loops_since(state.maintained_at_loop, state)


def are_links_due(state: FolderState, settings: Settings) -> bool:
    """Whether this run is the first one at or after `rebuild_interval_cycles`."""
    return _loops_since(state.linked_at_loop, state) >= settings.related_memories.rebuild_interval_cycles


def _loops_since(then: int, state: FolderState) -> int:
    """Return the loops since `then`; a smaller count was lost and has begun anew."""
    return state.loop_count - then if state.loop_count >= then else state.loop_count


_READ_AT_ONCE = 16

_Result = TypeVar("_Result")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """The input of every stage. `is_forced`: a person asked for the run, so everything is due.

    `progress` is called with the progress of a long stage: done, and total.
    """

    store: Store
    settings: Settings
    co_retrieval: CoRetrievalLog
    throttle: Throttle
    cycle: int
    at: datetime
    is_forced: bool = False
    progress: Callable[[int, int], None] = lambda done, every: None

    def find(self, wanted: Callable[[Columns], Flags]) -> list[str]:
        """Return the ids of the memories whose rows are `wanted` now."""
        with self.store.lock:
            self.store.refresh_positions()
            places = np.flatnonzero(wanted(self.store.columns)).tolist()
            return [self.store.index.ids[place] for place in places]

    def read_each(self, wanted: Callable[[Columns], Flags]) -> Iterator[Memory]:
        """Yield the memories whose rows are `wanted` now, each read when its turn comes."""
        ids = self.find(wanted)
        for number, memory_id in enumerate(ids):
            memory = self.store.read(memory_id)
            if memory is not None:
                yield memory
            if number % _READ_AT_ONCE == 0:
                self.progress(number, len(ids))
                self.throttle.rest()


@dataclass(frozen=True, slots=True)
class StageResult:
    """The result of a stage: figures by label, and the ids of the memories behind them, as far as they are named."""

    counts: dict[str, int] = field(default_factory=dict)
    ids: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of a run; `doing` describes it in the chat's log."""

    name: str
    doing: str
    run: Callable[[Job], StageResult]


@dataclass(slots=True)
class StageReport:
    """The results of a run by stage; `is_whole` if it came to its end."""

    outcomes: dict[str, StageResult] = field(default_factory=dict)
    failures: dict[str, Exception] = field(default_factory=dict)
    is_whole: bool = False
    seconds: float = 0.0

    def attempt(self, name: str, act: Callable[[], _Result]) -> _Result | None:
        """Return the result of `act`; a failure is noted under `name`, and None returned. Raises Stopped."""
        try:
            return act()
        except Stopped:
            raise
        except Exception as exc:  # noqa: BLE001 - reported with the run; the rest goes on
            _log.exception("maintenance: %s failed", name)
            self.failures[name] = exc
            return None

    def summary(self) -> str:
        """Return the figures of all stages in words."""
        parts = [
            f"{number} {label}"
            for result in self.outcomes.values()
            for label, number in result.counts.items()
            if number
        ]
        return ", ".join(parts) or "nothing to do"


def run_stages(job: Job, stages: Sequence[Stage], tell: Callable[[str], None] = lambda doing: None) -> StageReport:
    """Run `stages` in their order, write one line about it to the journal, and return the report."""
    report, began, began_at_loop = StageReport(), perf_counter(), job.store.state.loop_count
    try:
        for stage in stages:
            job.throttle.rest()
            tell(stage.doing)
            outcome = report.attempt(stage.name, partial(stage.run, job))
            if outcome is not None:
                report.outcomes[stage.name] = outcome
        report.is_whole = True
    except Stopped:
        _log.info("maintenance of %s was stopped; the next run continues it", job.store.folder)
    report.seconds = perf_counter() - began
    if report.is_whole:
        job.store.state.maintained_at_loop = began_at_loop
    job.store.fold_accesses()
    report.attempt("record", lambda: job.store.record([_to_row(job, report)]))
    return report


def _to_row(job: Job, report: StageReport) -> dict[str, Any]:
    """Return the journal's line about a run."""
    return {
        "action": "maintenance",
        "at": format_time(job.at),
        "cycle": job.cycle,
        "loop": job.store.state.loop_count,
        "seconds": round(report.seconds, 3),
        "is_whole": report.is_whole,
        "counts": {name: dict(result.counts) for name, result in report.outcomes.items() if result.counts},
        **(
            {"failed": {name: f"{type(failure).__name__}: {failure}" for name, failure in report.failures.items()}}
            if report.failures
            else {}
        ),
    }
