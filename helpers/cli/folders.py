"""`adopt` and `strip`: what a person decides about a memory folder of Agent Zero."""

from __future__ import annotations

import sys
from dataclasses import asdict

import click

from ..host.installation import strip_metadata
from ..inbox import Adopt
from ..service.inbox import kept_in_use
from ..store import proposals
from ..store.database import Database
from ..texts import counted
from .declaring import DONE, Options, declare, flag, only_one
from .options import DRY_RUN, FOLDER, JSON
from .orders import order
from .output import Column, Row, show_rows
from .saved import open_place
from .showing import complete


def _run_adopt(options: Options) -> int:
    only_one({"--report": options.report, "--accept": options.accept})
    proposed = proposals.read_proposals(Database(options.folder))
    excluded = [complete(one, (each.loser for each in proposed)) for one in options.excluded]
    chosen = proposals.choose_proposals(Database(options.folder), excluded=excluded)
    kept = kept_in_use(open_place(options)).union(excluded)
    losers = [one for one in chosen if one not in kept]
    if options.report:
        found = [proposal for proposal in proposed if proposal.loser not in kept]
        rows = ({key: value for key, value in asdict(proposal).items() if key != "accepted_at"} for proposal in found)
        show_rows(options, rows, _COLUMNS)
        print(f"{_memories(len(found))} would be retired; nothing is until you accept it", file=sys.stderr)
        return DONE
    asked = Adopt(memories=tuple(losers), excluded=tuple(sorted(kept)))
    return order(options, asked, f"{_memories(len(losers))} {{}} be retired")


def _memories(number: int) -> str:
    return counted(number, "memory", "memories")


def _run_strip(options: Options) -> int:
    touched, total = strip_metadata(options.folder, only_pointers=options.pointers_only, is_dry_run=options.dry_run)
    what, verb = ("the links to other memories", "were") if options.pointers_only else ("the ledger's metadata", "was")
    done = "would be" if options.dry_run else verb
    print(f"{options.folder}: {what} {done} removed from {touched} of {_memories(total)}")
    return DONE


def _reasons(row: Row) -> str:
    because = f"because of: {row['winner_text']}\n" if row["winner"] else ""
    return f"{because}why: {'; '.join(row['reasons'])}"


_COLUMNS = (
    Column("id", lambda row: row["loser"], "bold", is_whole=True),
    Column("would be retired", lambda row: row["loser_text"], note=_reasons),
)

COMMANDS = (
    declare(
        "adopt",
        _run_adopt,
        flag("--report", "list what would be retired"),
        flag("--accept", "retire it at Agent Zero's next turn, or at once where no Agent Zero runs"),
        click.Option(["--except", "excluded"], multiple=True, metavar="ID", help="a memory to leave in use"),
        FOLDER,
        JSON,
        DRY_RUN,
        examples=("memory-ledger adopt --report", "memory-ledger adopt --accept --except MEMORY"),
    ),
    declare(
        "strip",
        _run_strip,
        flag("--pointers-only", "remove only the links between memories, and keep the rest"),
        FOLDER,
        DRY_RUN,
        examples=("memory-ledger strip --dry-run",),
    ),
)
