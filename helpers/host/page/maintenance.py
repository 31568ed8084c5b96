"""The page of maintenance: trial runs, the current run, and the results of the last ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ...clock import format_time
from ...service.arguments import Question, ServiceError
from ...service.rows import Result
from ...store.docstore import Store
from ...store.files import JOURNAL_FILE, read_lines_if_any
from ..maintenance import run
from ..maintenance.run import StageReport, StageResult
from ..maintenance.stages import STAGES
from ..maintenance.worker import MaintenanceThread, is_adopting, last_asked, running_in, start_run
from ..session import Folder

_MOST_EXAMPLES = 5
_MOST_CHARACTERS = 300
_MOST_RUNS = 10
#: The hint to a terminal's command in a label.
_COMMAND = r"\s*\(`[^`]*`\)"
#: The titles of the stages, without the stage that only counts.
_STAGES = {
    "archive": "Unused memories",
    "deduplicate": "Duplicates",
    "link": "Links between memories",
    "cluster": "Memories recalled together",
    "dormancy": "Memories that were never recalled",
    "purge": "Permanent deletion of old retired memories",
    "repair": "Links to memories that are gone",
    "index": "Texts and vectors",
    "backup": "Backup",
}


def read_maintenance(folder: Folder, asked: Question) -> Result:
    """Return the current run, and the results of earlier ones; blocking, for it reads the journal."""
    journal = read_lines_if_any(folder.store.folder / JOURNAL_FILE)
    runs = [row for row in journal if row.get("action") == "maintenance"]
    return {**read_state(folder, asked), "runs": [run_row(run) for run in reversed(runs[-_MOST_RUNS:])]}


def read_state(folder: Folder, _: Question) -> Result:
    """Return the state of the current or last run; reads nothing from the disk."""
    asked, running = last_asked(folder), running_in(folder)
    is_asked = asked is not None and asked.ended is None
    return {
        "is_running": running is not None,
        "is_reading": is_adopting(folder),
        "by_itself": running is not None and not is_asked,
        "run": None if asked is None else to_run(asked, folder.store),
        "due_in": max(0, folder.settings.maintenance_interval_loops - run.loops_since_run(folder.store.state)),
    }


def to_run(thread: MaintenanceThread, store: Store) -> Result:
    """Return a run as a page shows it: its progress, and its results in words."""
    report = thread.report

    def example(memory_id: str) -> Result | None:
        memory = store.read(memory_id)
        return None if memory is None else {"id": memory.id, "text": memory.text[:_MOST_CHARACTERS]}

    return {
        "kind": "trial" if thread.is_trial else "real",
        "began": format_time(thread.began),
        "ended": None if thread.ended is None else format_time(thread.ended),
        "doing": thread.doing,
        "begun": thread.begun,
        "of": len(STAGES),
        "failure": thread.failure,
        "is_whole": report is not None and report.is_whole,
        "stages": [] if report is None else stage_rows(report, example),
    }


def stage_rows(report: StageReport, example: Callable[[str], Result | None]) -> list[Result]:
    """Return the results of the stages: figures with a few of the memories, or the failure."""
    rows = [
        {"name": name, "has_failed": stage in report.failures, "counts": _counts(report.outcomes.get(stage), example)}
        for stage, name in _STAGES.items()
    ]
    return [row for row in rows if row["has_failed"] or row["counts"]]


def _counts(outcome: StageResult | None, example: Callable[[str], Result | None]) -> list[Result]:
    if outcome is None:
        return []
    examples = {label: map(example, ids[:_MOST_EXAMPLES]) for label, ids in outcome.ids.items()}
    return [
        {"what": in_words(label), "count": count, "examples": [*filter(None, examples.get(label, ()))]}
        for label, count in outcome.counts.items()
        if count
    ]


def in_words(label: str) -> str:
    """Return the label of a figure without the terminal's command."""
    return re.sub(_COMMAND, "", label)


def run_row(row: Mapping[str, Any]) -> Result:
    """Return a run in the journal as a row."""
    counts = row.get("counts")
    figures = {
        in_words(str(label)): number
        for stage, stage_counts in (counts.items() if isinstance(counts, dict) else ())
        if stage in _STAGES and isinstance(stage_counts, dict)
        for label, number in stage_counts.items()
        if isinstance(number, int) and number
    }
    failed = row.get("failed")
    return {
        "at": str(row.get("at")),
        "seconds": row.get("seconds"),
        "is_whole": row.get("is_whole") is True,
        "what": ", ".join(f"{label}: {number:,}" for label, number in figures.items()) or "nothing to do",
        "failed": [_STAGES.get(str(stage), str(stage)) for stage in (failed if isinstance(failed, dict) else ())],
    }


def begin_run(folder: Folder, kind: str, asked: Question) -> Result:
    """Start a trial or a real run; raises ServiceError while one goes on."""
    start_run(folder, is_trial=kind == "trial")
    return read_state(folder, asked)


def stop_run(folder: Folder, asked: Question) -> Result:
    """Stop the requested run at its next slice; raises ServiceError without one."""
    thread = last_asked(folder)
    if thread is None or thread.ended is not None:
        raise ServiceError("No requested run is in progress.")
    thread.stop.set()
    return read_state(folder, asked)
