"""The same functions for a person at a terminal; each module adds its commands to the parser."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from .. import __version__
from ..errors import MemoryLedgerError
from ..host.storage.damage import only_looking
from . import (
    backup,
    conflicts,
    decisions,
    duplicates,
    folders,
    history,
    knowledge,
    maintenance,
    migration,
    notes,
    privacy,
    quality,
    recall,
    stores,
    transfers,
    vault,
)
from .lines import DONE, MISUSE, PROBLEMS

__all__ = ["DONE", "MISUSE", "PROBLEMS", "main"]

# In the order in which the help lists their commands.
_GROUPS = (
    conflicts,
    quality,
    decisions,
    duplicates,
    folders,
    maintenance,
    backup,
    history,
    stores,
    transfers,
    migration,
    recall,
    notes,
    knowledge,
    privacy,
    vault,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return 0 when done, 1 when some of the input or the store had problems, 2 on misuse."""
    _settle_streams()
    options = _parser().parse_args(argv)
    try:
        with only_looking() if getattr(options, "dry_run", False) else nullcontext():
            status: int = options.run(options)
    except MemoryLedgerError as exc:
        print(f"memory-ledger: {exc}", file=sys.stderr)
        return PROBLEMS
    except KeyboardInterrupt:
        print("memory-ledger: stopped", file=sys.stderr)
        return PROBLEMS
    except BrokenPipeError:
        return PROBLEMS
    except OSError as exc:
        print(f"memory-ledger: {exc.filename or 'the machine'} cannot be used: {exc.strerror}", file=sys.stderr)
        return PROBLEMS
    return status


def _settle_streams() -> None:
    """Write UTF-8 whatever the locale is, but for a terminal, which may read nothing else; no character stops it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="memory-ledger", description="Show, query and change what Memory Ledger keeps and decides."
    )
    parser.add_argument("--version", action="version", version=f"memory-ledger {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for module in _GROUPS:
        module.add_commands(commands)
    _add_demo(commands)
    return parser


def _add_demo(commands: Any) -> None:
    demo = commands.add_parser("demo", help="replay a scripted conversation and show what the pack does with it")
    demo.add_argument("--folder", type=Path, help="keep the memory folder of the conversation in this new folder")
    demo.set_defaults(run=_run_demo)


def _run_demo(options: argparse.Namespace) -> int:
    from ..demo.command import run_demo

    return DONE if run_demo(sys.stdout, options.folder) else PROBLEMS
