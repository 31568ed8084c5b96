"""What a person asks for at a terminal: put where the host finds it, or done at once where none runs (T-64, T-70)."""

from __future__ import annotations

import getpass
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from ..clock import system_clock
from ..inbox import AnswerOutcome, Arguments
from ..store.docstore_file import is_of_host
from ..store.requests import Inbox
from .declaring import DONE, PROBLEMS, Options, tell
from .lines import read_folder_settings
from .output import say
from .progress import progress

#: When a host does what it was asked for.
NEXT_TURN = "at Agent Zero's next turn"


def when(folder: Path, moment: str = NEXT_TURN) -> str:
    """Return when what is asked for is done, in words, with a blank before them; empty where that is at once."""
    return f" {moment}" if is_of_host(folder) else ""


def put(folder: Path, asked: Arguments, *, at: datetime) -> None:
    """Put a request where the running host of a folder finds it, in the name of whoever sits at the terminal."""
    try:
        by = getpass.getuser()
    except (OSError, KeyError):  # a container may run as somebody who has no name
        by = None
    Inbox(folder).append(asked, at=at, by=by)


def order(
    options: Options,
    asked: Arguments,
    what: str,
    *,
    at: datetime | None = None,
    after: str | None = None,
    say: Callable[[str], object] = say,
) -> int:
    """Ask for something, or in a dry run say what it would be; `what` has `{}` in the place of "would" or "will".

    What comes `after` that is when it is done, unless it is given. Where no host runs it is done at once, and what
    became of it is said.
    """
    after = when(options.folder) if after is None else after
    if options.dry_run:
        say(what.format("would") + after)
        return DONE
    put(options.folder, asked, at=at or system_clock())
    if is_of_host(options.folder):
        say(what.format("will") + after)
        return DONE
    return carry_out(options, say=say)


def carry_out(options: Options, *, say: Callable[[str], object] = say) -> int:
    """Do what waits in a store that no host runs on, and say what became of it; PROBLEMS where something did not."""
    done, failed = settle(options, options.folder)
    for words in (*done, *failed):
        say(words)
    return PROBLEMS if failed else DONE


def settle(options: Options, folder: Path) -> tuple[list[str], list[str]]:
    """Do what waits in a store that no host runs on; return what was done, in words, and what was not."""
    from ..host.alone import carry_out as do

    settings = read_folder_settings(folder, getattr(options, "config", None))
    done, failed = list[str](), list[str]()
    with progress(f"writing into {folder.name}") as advance:
        answered = do(folder, settings, load=options.load, clock=system_clock, tell=tell, advance=advance)
    for one in answered:
        if one.answer is None:
            failed.append(f"`{one.kind}` could not be done and waits: the next command on this store tries it again")
            continue
        (failed if one.answer.outcome is AnswerOutcome.REFUSED else done).append(one.answer.words)
        failed += one.answer.problems
    return done, failed
