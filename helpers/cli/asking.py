"""`ask`: what would be recalled for one question, with dates, sources and why; nothing is changed or counted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from ..clock import system_clock
from ..recall.plan import RecallLimits, make_plan, widen
from ..recall.selection import Candidate, Selection
from ..service.rows import entry_row
from ..store.catalogue import to_entry
from ..texts import counted
from .declaring import DONE, Argument, Options, declare, flag, tell
from .lines import read_folder_settings
from .options import COUNT, LISTING
from .output import ID, Column, Row, show_rows
from .progress import progress

_DIGITS = 6
RECALLED = "recalled"


def _run_ask(options: Options) -> int:
    from ..host.recall.folder_recall import check_reader, open_reader

    check_reader(options.folder)  # before anybody waits for the model
    settings = read_folder_settings(options.folder, options.config)
    limits = RecallLimits(injected=settings.max_injected_memories)
    if options.limit:
        limits = widen(limits, options.limit)
    plan = make_plan(" ".join(options.question), settings, system_clock(), limits=limits)
    embedder = options.load()
    with (
        progress("reading the memories") as advance,
        open_reader(options.folder, embedder, clock=system_clock, tell=advance) as reader,
    ):
        (selection,) = reader.answer([plan])
    show_rows(options, _to_rows(selection, options), _COLUMNS)
    if not selection.chosen:
        others = counted(len(selection.left_out), "memory was", "memories were")
        tell(f"nothing would be recalled; {others} found and left out" + ("" if options.all else " (--all shows them)"))
    return DONE


def _to_rows(selection: Selection, options: Options) -> Iterator[dict[str, Any]]:
    """Yield what was recalled, the best first; then, where it is asked for, what was held back."""
    outcome = {"outcome": RECALLED} if options.all else {}
    for one in selection.by_score:
        yield {**_to_row(one, selection), **outcome}
    if options.all:
        for one, reason in selection.left_out:
            yield {**_to_row(one, selection), "outcome": reason}


def _to_row(one: Candidate, selection: Selection) -> dict[str, Any]:
    return {**entry_row(to_entry(one.memory)), "score": round(one.score, _DIGITS), "why": _explain(one, selection)}


def _explain(one: Candidate, selection: Selection) -> str:
    """Return in words which evidence a memory was found by."""
    reasons = []
    if selection.uses_meaning:
        reasons.append(f"meaning {one.similarity:.0%} alike")
    if selection.uses_words and one.coverage:
        reasons.append(f"holds {one.coverage:.0%} of the question's words")
    if one.lender is not None:
        reasons.append(f"written beside {one.lender}")
    if one.boost:
        reasons.append("linked to another one that was found")
    if one.memory.id in selection.contested:
        reasons.append("at odds with another memory")
    if one.memory.id in selection.past:
        reasons.append(f"held from {selection.past[one.memory.id]}")
    return ", ".join(reasons)


def _in_words(row: Row) -> str:
    standing = ", ".join(filter(None, (row["said_at"][:10], row["source"], row["validity"])))
    outcome = f"\n{row['outcome']}" if "outcome" in row else ""
    return f"{standing}: {row['why']}{outcome}"


_COLUMNS = (ID, Column("memory", lambda row: row["text"], note=_in_words))
_QUESTION = Argument("question", nargs=-1, required=True, help="what would be asked in the chat")

COMMANDS = (
    declare(
        "ask",
        _run_ask,
        _QUESTION,
        click.Option(["-k", "--limit"], type=COUNT, metavar="N", help="maximum results, of any area"),
        flag("--all", "also list what was found and left out, with the reason"),
        *LISTING,
        examples=('memory-ledger ask "which database does billing use?"', 'memory-ledger ask "staging port" --all'),
        only_looks=True,
    ),
)
