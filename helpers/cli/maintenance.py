"""`maintain`: look after a store now, or see what that would do.

What needs the index is imported when it is needed.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from ..clock import system_clock
from .lines import DONE, PROBLEMS, add_config, read_folder_settings, tell


def add_commands(commands: Any) -> None:
    """Add the command to the parser's subcommands."""
    maintain = commands.add_parser("maintain", help="archive, link, flag and repair the memories of a store now")
    maintain.add_argument("--store", type=Path, required=True, metavar="DIR", help="a store made by ingest")
    maintain.add_argument(
        "--dry-run",
        action="store_true",
        help="show what would be done, without doing it; also works for a memory folder",
    )
    add_config(maintain)
    maintain.set_defaults(run=_run_maintain)


def _run_maintain(options: argparse.Namespace) -> int:
    """Print what each stage did, or would do: how many memories, and which."""
    from ..host.maintenance.at_terminal import maintain_store, try_maintenance

    run = try_maintenance if options.dry_run else maintain_store
    settings = read_folder_settings(options.store, options.config)
    report = run(options.store, settings, clock=system_clock, tell=tell)
    for name, outcome in report.outcomes.items():
        row = {"stage": name, "counts": outcome.counts, "ids": outcome.ids}
        print(json.dumps(row, ensure_ascii=False))
    for name, failure in report.failures.items():
        tell(f"{name} failed: {type(failure).__name__}: {failure}")
    tell("nothing was changed" if options.dry_run else report.summary())
    return PROBLEMS if report.failures else DONE
