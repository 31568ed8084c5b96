"""`history` and `believed-at`: what was believed about something, and when (C-51)."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..clock import format_time
from ..host.backup.replaced import read_replaced
from ..host.docstore.docstore_file import read_memories
from ..ledger.history import Belief, archive_of, believed_at, find_beliefs, parse_moment
from .lines import DONE, add_config, read_folder_settings


def add_commands(commands: Any) -> None:
    """Add the two commands to the parser's subcommands."""
    history = commands.add_parser(
        "history", help="list everything that was ever believed about something, as JSON Lines"
    )
    moment = commands.add_parser("believed-at", help="list what was believed about something at a given time")
    moment.add_argument("time", metavar="TIME", help="ISO 8601, such as 2026-03-01 or 2026-03-01T12:00:00+01:00")
    for command, run in ((history, _run_history), (moment, _run_believed_at)):
        command.add_argument("query", nargs="+", metavar="QUERY", help="a few words: python version, staging port")
        command.add_argument(
            "--folder",
            "--store",
            dest="folder",
            type=Path,
            required=True,
            help="a memory folder, such as usr/memory/default",
        )
        add_config(command)
        command.set_defaults(run=run)


def _run_history(options: argparse.Namespace) -> int:
    return _print(_find(options))


def _run_believed_at(options: argparse.Namespace) -> int:
    at = parse_moment(options.time, where="TIME")
    return _print(believed_at(_find(options), at))


def _find(options: argparse.Namespace) -> list[Belief]:
    slots = read_folder_settings(options.folder, options.config).slots
    present = {one.id: one for one in read_memories(options.folder)}
    memories = [*present.values(), *read_replaced(options.folder, present.get)]
    return find_beliefs(archive_of(memories, slots), " ".join(options.query))


def _print(beliefs: Iterable[Belief]) -> int:
    for one in beliefs:
        subject, slot = one.about
        row = {
            "subject": subject,
            "slot": slot,
            "id": one.memory_id,
            "text": one.text,
            "part": one.part,
            "since": format_time(one.since),
            "until": None if one.until is None else format_time(one.until),
            "source": one.source.value,
            "validity": one.validity.value,
            "replaced_by": one.replaced_by,
            "rule": one.rule,
        }
        print(json.dumps(row, ensure_ascii=False))
    return DONE
