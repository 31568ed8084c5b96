"""`list`: the memories of a folder, narrowed and ordered as on the page; nothing is changed or counted."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from ..clock import format_time, system_clock
from ..host.docstore.docstore_file import read_documents
from ..host.docstore.entries import CatalogueEntry, Row, read_entries
from ..host.page.narrowing import ID as ID_FIELD
from ..host.page.narrowing import matching, narrow, order
from ..host.page.questions import IN_USE, Filters
from ..records import Source, Utility, Validity
from .declaring import DONE, Argument, Options, declare, flag, tell
from .lines import read_folder_settings
from .options import COUNT, LISTING, SHARE, read_moment
from .output import ID, Column, first_lines, is_for_person, show_rows

#: The options that go by what the quality layer says of a memory.
_OF_QUALITY = ("min_quality", "max_staleness", "min_confidence", "exclude_conflicted")
#: So many a person sees at once, where no other number is asked for.
_MOST_SHOWN = 50


def _run_list(options: Options) -> int:
    filters = Filters(
        source=options.source or "",
        validity=options.status or "",
        utility=options.utility or "",
        area=options.area or "",
        since=options.since and format_time(options.since),
        until=options.until and format_time(options.until),
    )
    documents, written_at = read_documents(options.folder)
    found = narrow(read_entries(documents, written_at), filters)
    figures = _grade(options, documents)
    if figures is not None:
        found = [one for one in found if one[ID_FIELD] in figures]
    for word in options.words:
        found = matching(found, word, frozenset())
    most = options.limit or (_MOST_SHOWN if is_for_person(options) else len(found))
    shown = order(found, options.sort, dict)[:most]
    rows = (_to_row(one) | (figures[one[ID_FIELD]] if figures is not None else {}) for one in shown)
    show_rows(options, rows, _COLUMNS if figures is None else (*_COLUMNS, _QUALITY))
    if len(shown) < len(found) and not options.limit:
        tell(f"{len(shown)} of {len(found):,} memories; --limit N shows more")
    elif not found:
        tell("no memory is like that")
    return DONE


def _grade(options: Options, documents: dict[str, Any]) -> dict[str, dict[str, float]] | None:
    """Return the figures of the memories that are as good as somebody wants; None where nobody asks."""
    asked = {name: getattr(options, name) for name in _OF_QUALITY}
    if all(one is None or one is False for one in asked.values()):
        return None
    from ..host.docstore.quality_columns import QualityFilter
    from ..host.quality.offline import SavedMemories, grade

    wanted = QualityFilter(**asked)
    saved = SavedMemories(options.folder, documents=documents)
    return grade(saved, read_folder_settings(options.folder, options.config), system_clock(), wanted)


def read_folder_entries(folder: Path) -> list[Row]:
    """Return what a list shows of every memory of a folder, in the order in which they were written."""
    documents, written_at = read_documents(folder)
    return read_entries(documents, written_at)


def _to_row(row: Row) -> dict[str, Any]:
    one = CatalogueEntry._make(row)
    return {
        "id": one.id,
        "text": one.text,
        "area": one.area,
        "validity": one.validity or None,
        "source": one.source or None,
        "utility": one.utility or None,
        "relevance": one.relevance or None,
        "said_at": format_time(datetime.fromtimestamp(one.at, UTC)),
        "tags": [*one.tags],
        "shown": one.shown,
    }


def _standing(row: Any) -> str:
    return ", ".join(
        [row["said_at"][:10], *(row[key] for key in ("source", "validity", "utility", "area") if row[key])]
    )


def _choice(name: str, *allowed: str, help: str) -> click.Option:
    return click.Option([name], type=click.Choice(allowed), help=help)


def _share(name: str, help: str) -> click.Option:
    return click.Option([name], type=SHARE, metavar="N", help=f"{help}, 0 to 1")


_COLUMNS = (ID, Column("memory", lambda row: first_lines(row["text"]), note=_standing))

#: With a filter by quality.
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
            type=click.Choice(("newest", "oldest", "utility", "shown")),
            default="newest",
            help="which come first (default: the newest); shown: the most often recalled",
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
