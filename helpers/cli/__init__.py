"""The same functions for a person at a terminal; each module declares its commands."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

from ..errors import MemoryLedgerError
from .app import ROOT
from .declaring import DONE, MISUSE, PROBLEMS, tell
from .streams import settled_streams

__all__ = ["DONE", "MISUSE", "PROBLEMS", "main"]


def main(argv: Sequence[str] | None = None, *, load: Callable[[], Any] | None = None) -> int:
    """Run one command; return 0 when done, 1 when some of the input or the store had problems, 2 on misuse.

    `load` returns another embedding model than the host's default one.
    """
    with settled_streams():
        return _run(None if argv is None else list(argv), load)


def _run(argv: list[str] | None, load: Callable[[], Any] | None) -> int:
    try:
        status: int = ROOT.main(argv, "memory-ledger", standalone_mode=False, obj=load)
        sys.stdout.flush()
    except click.ClickException as exc:
        exc.show()
        return exc.exit_code
    except MemoryLedgerError as exc:
        tell(exc)
        return PROBLEMS
    except (KeyboardInterrupt, click.Abort):
        tell("stopped")
        return PROBLEMS
    except BrokenPipeError:
        return PROBLEMS
    except OSError as exc:
        tell(f"{exc.filename or 'the machine'} cannot be used: {exc.strerror}")
        return PROBLEMS
    return status or DONE
