"""`adopt` and `strip`: what a person decides about a memory folder of Agent Zero."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..clock import system_clock
from ..host.removal.strip import strip_metadata
from ..host.storage import proposals
from ..inbox import Adopt
from ..texts import counted
from .lines import DONE, ask


def add_commands(commands: Any) -> None:
    """Add the two commands to the parser's subcommands."""
    adopt = commands.add_parser(
        "adopt", help="show or accept what would be retired among the memories from before the pack"
    )
    adopt.add_argument("--folder", type=Path, required=True, help="a memory folder, such as usr/memory/default")
    choice = adopt.add_mutually_exclusive_group(required=True)
    choice.add_argument("--report", action="store_true", help="list what would be retired, as JSON Lines")
    choice.add_argument("--accept", action="store_true", help="let the running host retire it at its next turn")
    adopt.add_argument(
        "--except", dest="excluded", nargs="+", default=[], metavar="ID", help="memories to leave in use"
    )
    adopt.add_argument("--dry-run", action="store_true", help="show what would be done, without doing it")
    adopt.set_defaults(run=_run_adopt)

    strip = commands.add_parser("strip", help="remove the ledger's metadata from a store while its host is stopped")
    strip.add_argument("--folder", type=Path, required=True, help="a memory folder, such as usr/memory/default")
    strip.add_argument("--dry-run", action="store_true", help="show what would be done, without doing it")
    strip.add_argument(
        "--pointers-only", action="store_true", help="remove only the links between memories, and keep the rest"
    )
    strip.set_defaults(run=_run_strip)


def _run_adopt(options: argparse.Namespace) -> int:
    if options.report:
        found = proposals.read_proposals(options.folder)
        for one in found:
            row = {key: value for key, value in asdict(one).items() if key != "accepted_at"}
            print(json.dumps(row, ensure_ascii=False))
        print(f"{_memories(len(found))} would be retired; nothing is until you accept it", file=sys.stderr)
        return DONE
    losers = proposals.choose_proposals(options.folder, excluded=options.excluded)
    if options.dry_run:
        print(f"{_memories(len(losers))} would be retired at the host's next turn")
        return DONE
    ask(options.folder, Adopt(memories=tuple(losers), excluded=tuple(options.excluded)), at=system_clock())
    print(f"{_memories(len(losers))} will be retired at the host's next turn")
    return DONE


def _memories(number: int) -> str:
    return counted(number, "memory", "memories")


def _run_strip(options: argparse.Namespace) -> int:
    touched, total = strip_metadata(options.folder, only_pointers=options.pointers_only, is_dry_run=options.dry_run)
    done = "would be" if options.dry_run else "were"
    what = "the links to other memories" if options.pointers_only else "the ledger's metadata"
    print(f"{options.folder}: {what} {done} removed from {touched} of {_memories(total)}")
    return DONE
