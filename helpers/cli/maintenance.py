"""`maintain`: look after a store now, or see what that would do.

What needs the index is imported when it is needed.
"""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

from ..clock import system_clock
from .declaring import DONE, PROBLEMS, Options, declare, tell
from .lines import read_folder_settings
from .options import JSON, WRITING
from .output import is_for_person, say
from .progress import Advance, progress

if TYPE_CHECKING:
    from ..host.maintenance.run import StageResult


def _run_maintain(options: Options) -> int:
    """Print what each stage did, or would do: how many memories, and which."""
    from ..host.maintenance.at_terminal import maintain_store, try_maintenance

    run = try_maintenance if options.dry_run else maintain_store
    settings = read_folder_settings(options.folder, options.config)
    with progress("reading the memories") as advance:
        advance.begin()
        report = run(options.folder, settings, clock=system_clock, tell=partial(_enter, advance), progress=advance)
    for name, outcome in report.outcomes.items():
        if is_for_person(options):
            _tell_stage(name, outcome)
        else:
            print(json.dumps({"stage": name, "counts": outcome.counts, "ids": outcome.ids}, ensure_ascii=False))
    for name, failure in report.failures.items():
        tell(f"{name} failed: {type(failure).__name__}: {failure}")
    tell("nothing was changed" if options.dry_run else report.summary())
    return PROBLEMS if report.failures else DONE


def _tell_stage(name: str, outcome: StageResult) -> None:
    """Say what a stage did, or would do, and to which memories."""
    found = {what: count for what, count in outcome.counts.items() if count}
    say(f"{name:<12} {', '.join(f'{count:,} {what}' for what, count in found.items()) or 'nothing'}", hang=13)
    for what, ids in outcome.ids.items():
        say(f"{'':12} {what}: {', '.join(ids)}", hang=15)


def _enter(advance: Advance, doing: str) -> None:
    """Say which stage begins."""
    tell(doing)
    advance.begin(doing)


COMMANDS = (declare("maintain", _run_maintain, *WRITING, JSON, examples=("memory-ledger maintain --dry-run",)),)
