"""The command `memory-ledger`: the same functions at a terminal; each module declares its commands."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from ..errors import MemoryLedgerError, refusal_of
from .app import ROOT
from .declaring import DONE, MISUSE, PROBLEMS, tell
from .output import settled_streams

#: More objects than a store of 100,000 memories has: the usual collections take longer than reading it.
_OBJECTS_PER_COLLECTION = 2_000_000

__all__ = ["DONE", "MISUSE", "PROBLEMS", "main"]


def main(argv: Sequence[str] | None = None, *, load: Callable[[], Any] | None = None) -> int:
    """Run one command; return 0 when done, 1 when some of the input or the store had problems, 2 on misuse.

    `load` returns another embedding model than the host's default one.
    """
    with settled_streams():
        return _run(None if argv is None else list(argv), load)


def _run(argv: list[str] | None, load: Callable[[], Any] | None) -> int:
    try:
        with _rare_collection():
            status: int | None = ROOT.main(argv, "memory-ledger", standalone_mode=False, obj=load)
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
        tell(refusal_of(exc))
        return PROBLEMS
    return status or DONE


@contextmanager
def _rare_collection() -> Iterator[None]:
    """Collect garbage rarely: a command makes many objects and keeps them until its end, which comes soon."""
    usual = gc.get_threshold()
    gc.set_threshold(_OBJECTS_PER_COLLECTION, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)
