"""The options that several commands share, and requests to a running host."""

from __future__ import annotations

import getpass
import math
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import click

from ..clock import parse_time, system_clock
from ..errors import StoreError
from ..inbox import AnswerOutcome, Arguments
from ..store.docstore_file import is_of_host
from ..store.requests import Inbox
from .declaring import DONE, PROBLEMS, Options, flag, tell
from .lines import read_folder_settings
from .output import say
from .progress import progress

FOLDER_VARIABLE: Final = "MEMORY_LEDGER_FOLDER"
#: Where Agent Zero keeps its memories, from v0.9.8 and before it.
_OF_AGENT_ZERO: Final = (Path("usr/memory/default"), Path("memory/default"))
#: What shows that a folder is a store itself.
_OF_STORE: Final = ("index.pkl", "index.faiss")

PATH: Final = click.Path(path_type=Path)


class _Share(click.FloatRange):
    """A number from 0 to 1; what is no number passes for one elsewhere."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = super().convert(value, param, ctx)
        if math.isnan(found):
            self.fail(f"{value} is not in the range {self._describe_range()}.", param, ctx)
        return found


SHARE: Final = _Share(0, 1)
#: How many of something; and how many days, a century at most.
COUNT: Final = click.IntRange(min=1, max=1_000_000)
DAYS: Final = click.IntRange(min=1, max=36_525)


def folder_option(*names: str, is_found: bool = True, help: str = "") -> click.Option:
    """Return the option for the folder that a command is about: the one that is named, or the nearest one from here."""
    return click.Option(
        [*(names or ("--folder", "--store")), "folder"],
        type=PATH,
        metavar="DIR",
        envvar=FOLDER_VARIABLE,
        help=help or "the memory folder or store (default: the one of Agent Zero that this folder lies in)",
        callback=_or_nearest if is_found else None,
    )


def _or_nearest(ctx: click.Context, option: click.Parameter, given: Path | None) -> Path | None:
    return nearest_folder() if given is None and not ctx.resilient_parsing else given


def nearest_folder() -> Path:
    """Return the memory folder that the working folder lies in; raises UsageError where there is none."""
    found = find_folder(Path.cwd())
    if found is None:
        raise click.UsageError(
            f"no memory folder is in {Path.cwd()} or above it; allowed: --folder DIR, {FOLDER_VARIABLE}=DIR, or a "
            "working folder inside of Agent Zero's"
        )
    return found


def read_moment(ctx: click.Context, option: click.Parameter, text: str | None) -> datetime | None:
    """Return the time that an option names; raises BadParameter."""
    found = None if text is None else parse_time(text)
    if text is not None and found is None:
        raise click.BadParameter(f"{text!r} is not an ISO 8601 time", ctx, option)
    return found


def find_home() -> Path:
    """Return the nearest folder of the user's of Agent Zero, which its memory folders lie in."""
    from ..store.docstore_file import user_folder_of

    found = find_folder(Path.cwd())
    if found is None:
        raise click.UsageError(f"no Agent Zero is in {Path.cwd()} or above it; allowed: --home DIR, its usr folder")
    return user_folder_of(found)


def find_folder(place: Path) -> Path | None:
    """Return the memory folder that `place` lies in: itself, or Agent Zero's default one; relative where it is below.

    None where there is none.
    """
    for parent in _and_parents(place):
        if any((parent / name).exists() for name in _OF_STORE):
            return parent
        for below in _OF_AGENT_ZERO:
            if (parent / below).is_dir():
                return below if parent == place else parent / below
    return None


def _and_parents(place: Path) -> Iterator[Path]:
    yield place
    yield from place.parents


def checked(folder: Path) -> Path:
    if not folder.is_dir():
        raise StoreError(f"{folder} is not a folder; allowed: a memory folder, such as usr/memory/default")
    return folder


FOLDER: Final = folder_option()
CONFIG: Final = click.Option(
    ["--config"], type=PATH, metavar="FILE", help="the settings to apply (default: the file beside the memory folder)"
)
DRY_RUN: Final = flag("--dry-run", "show what would be done, without doing it")
JSON: Final = flag("--json", "print JSON Lines; the default where the output is not a terminal", called="as_json")
#: What a command has that reads a memory folder.
READING: Final = (FOLDER, CONFIG)
#: What a command has that lists something.
LISTING: Final = (FOLDER, CONFIG, JSON)
#: What a command has that changes something.
WRITING: Final = (FOLDER, CONFIG, DRY_RUN)
#: The settings of a command that is about no folder of a host.
FILTER_CONFIG: Final = click.Option(["--config"], type=PATH, metavar="FILE", help="a settings file to apply")


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
