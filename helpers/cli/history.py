"""`history` and `believed-at`: what was believed about something, and when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..clock import format_time
from ..ledger.authority import Line, retirements, tell
from ..ledger.history import Belief, believed_at, find_beliefs
from ..recall.selection import SOURCE_WORDS
from ..records import Source
from ..store.files import JOURNAL_FILE, read_lines_if_any
from .declaring import DONE, Argument, Options, declare
from .options import FOLDER, JSON, read_moment
from .output import Column, show_rows
from .progress import waiting, watched
from .saved import open_place


def _run_history(options: Options) -> int:
    return _print(options, _find(options))


def _run_believed_at(options: Options) -> int:
    return _print(options, believed_at(_find(options), options.time))


def _find(options: Options) -> list[Belief]:
    with waiting("reading the memories"):
        archive = open_place(options).archive()
    texts = watched(archive.texts, "looking through the memories", len([*archive.texts]))
    return find_beliefs(replace(archive, texts=texts), " ".join(options.query))


def _print(options: Options, beliefs: Iterable[Belief]) -> int:
    retired = retirements(read_lines_if_any(options.folder / JOURNAL_FILE))
    show_rows(options, (_to_row(belief, retired) for belief in beliefs), _COLUMNS)
    return DONE


def _to_row(one: Belief, retired: Mapping[tuple[str, str], Line]) -> dict[str, object]:
    line = retired.get((one.memory_id, one.replaced_by or ""))
    subject, slot = one.about
    return {
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
        "what": None if line is None else tell(line),
    }


_QUERY = Argument("query", nargs=-1, required=True, help="a few words: python version, staging port")
_TIME = Argument("time", callback=read_moment, help="ISO 8601, such as 2026-03-01 or 2026-03-01T12:00:00+01:00")
_COLUMNS = (
    Column("since", lambda row: row["since"][:10], "dim", is_whole=True),
    Column("until", lambda row: (row["until"] or "now")[:10], "dim", is_whole=True),
    Column("what was believed", lambda row: row["part"] or row["text"]),
    Column("said by", lambda row: SOURCE_WORDS[Source(row["source"])]),
    Column("rule", lambda row: row["rule"], "dim"),
    Column("what happened", lambda row: row["what"], "dim"),
)

COMMANDS = (
    declare("history", _run_history, _QUERY, FOLDER, JSON, examples=("memory-ledger history python version",)),
    declare(
        "believed-at",
        _run_believed_at,
        _TIME,
        _QUERY,
        FOLDER,
        JSON,
        examples=("memory-ledger believed-at 2026-03-01 staging port",),
    ),
)
