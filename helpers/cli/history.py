"""`history` and `believed-at`: the beliefs about a subject, at all times or at one."""

from __future__ import annotations

from collections.abc import Mapping
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
    with waiting("reading the memories"):
        archive = open_place(options).archive()
    texts = watched(archive.texts, "looking through the memories", len([*archive.texts]))
    beliefs = find_beliefs(replace(archive, texts=texts), " ".join(options.query))
    if (moment := getattr(options, "time", None)) is not None:
        beliefs = believed_at(beliefs, moment)
    retired = retirements(read_lines_if_any(options.folder / JOURNAL_FILE))
    show_rows(options, (_to_row(belief, retired) for belief in beliefs), _COLUMNS)
    return DONE


def _to_row(belief: Belief, retired: Mapping[tuple[str, str], Line]) -> dict[str, object]:
    line = retired.get((belief.memory_id, belief.replaced_by or ""))
    subject, slot = belief.about
    return {
        "subject": subject,
        "slot": slot,
        "id": belief.memory_id,
        "text": belief.text,
        "part": belief.part,
        "since": format_time(belief.since),
        "until": None if belief.until is None else format_time(belief.until),
        "source": belief.source.value,
        "validity": belief.validity.value,
        "replaced_by": belief.replaced_by,
        "rule": belief.rule,
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
        _run_history,
        _TIME,
        _QUERY,
        FOLDER,
        JSON,
        examples=("memory-ledger believed-at 2026-03-01 staging port",),
    ),
)
