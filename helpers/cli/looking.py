"""`list`: the memories of a folder, narrowed and ordered as on the page; nothing is changed or counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..clock import format_time
from ..records import Source, Utility, Validity
from ..service.arguments import IN_USE, FindMemories, parse_question
from ..service.memories import ID as ID_FIELD
from ..service.memories import find_entries
from ..service.rows import entry_row
from .declaring import DONE, Argument, Options, declare, flag, tell
from .options import COUNT, LISTING, SHARE, read_moment
from .output import ID, Column, first_lines, is_for_person, show_rows
from .saved import open_place

if TYPE_CHECKING:
    from ..store.quality_columns import QualityFilter

#: The options that go by what the quality layer says of a memory.
_OF_QUALITY = ("min_quality", "max_staleness", "min_confidence", "exclude_conflicted")
#: So many a person sees at once, where no other number is asked for.
_MOST_SHOWN = 50


def _run_list(options: Options) -> int:
    filters = {
        "source": options.source,
        "validity": options.status,
        "utility": options.utility,
        "area": options.area,
        "since": options.since and format_time(options.since),
        "until": options.until and format_time(options.until),
    }
    asked = {"query": " ".join(options.words), "filters": filters, "sort": options.sort}
    place = open_place(options)
    found = find_entries(place, parse_question(FindMemories, asked))
    wanted = _wanted_quality(options)
    figures = {} if wanted is None else place.grade(wanted)
    if wanted is not None:
        found = [one for one in found if one[ID_FIELD] in figures]
    most = options.limit or (_MOST_SHOWN if is_for_person(options) else len(found))
    rows = (entry_row(one) | figures.get(one[ID_FIELD], {}) for one in found[:most])
    show_rows(options, rows, _COLUMNS if wanted is None else (*_COLUMNS, _QUALITY))
    if most < len(found) and not options.limit:
        tell(f"{most} of {len(found):,} memories; --limit N shows more")
    elif not found:
        tell("no memory is like that")
    return DONE


def _wanted_quality(options: Options) -> QualityFilter | None:
    """Return how good the memories are to be; None where nobody asks."""
    asked = {name: getattr(options, name) for name in _OF_QUALITY}
    if all(one is None or one is False for one in asked.values()):
        return None
    from ..store.quality_columns import QualityFilter

    return QualityFilter(**asked)


def _standing(row: Any) -> str:
    return ", ".join(
        [row["said_at"][:10], *(row[key] for key in ("source", "validity", "utility", "area") if row[key])]
    )


def _choice(name: str, *allowed: str, help: str) -> click.Option:
    return click.Option([name], type=click.Choice(allowed), help=help)


def _share(name: str, help: str) -> click.Option:
    return click.Option([name], type=SHARE, metavar="N", help=f"{help}, 0 to 1")


_COLUMNS = (ID, Column("memory", lambda row: first_lines(row["text"]), note=_standing))
_QUALITY = Column("quality", lambda row: f"{row['quality']:.2f}", is_whole=True)

COMMANDS = (
    declare(
        "list",
        _run_list,
        Argument("words", nargs=-1, help="only memories that contain all of these"),
        _choice("--status", IN_USE, *(one.value for one in Validity), help="only memories of this validity"),
        _choice("--source", *(one.value for one in Source), help="only memories from this source"),
        _choice("--utility", *(one.value for one in Utility), help="only memories of this utility"),
        click.Option(["--area"], metavar="AREA", help="only memories of this area, such as main or solutions"),
        _share("--min-quality", "only memories of this quality score or a better one"),
        _share("--max-staleness", "only memories that are as stale as this or less"),
        _share("--min-confidence", "only memories of this confidence or more"),
        flag("--exclude-conflicted", "only memories that are in no unresolved conflict"),
        click.Option(["--since"], callback=read_moment, metavar="TIME", help="only what was said then or later"),
        click.Option(["--until"], callback=read_moment, metavar="TIME", help="only what was said then or earlier"),
        click.Option(
            ["--sort"],
            type=click.Choice(("newest", "oldest", "utility", "shown", "quality")),
            default="newest",
            help="which come first (default: the newest); shown: the most often recalled; quality: the best",
        ),
        click.Option(
            ["--limit"],
            type=COUNT,
            metavar="N",
            help=f"maximum results (default: {_MOST_SHOWN} on a terminal, all of them elsewhere)",
        ),
        *LISTING,
        examples=(
            "memory-ledger list staging port",
            "memory-ledger list --status deprecated --since 2026-03-01 --limit 10",
            "memory-ledger list --min-quality 0.7 --exclude-conflicted",
        ),
        only_looks=True,
    ),
)
