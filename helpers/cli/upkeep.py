"""Look after a memory folder: maintain, migrate, accept proposals, strip."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..clock import EPOCH, system_clock
from ..host.installation import strip_metadata
from ..inbox import Adopt
from ..ledger.adopt import describe_adoption
from ..records import parse_memory
from ..service.inbox import kept_in_use
from ..store import proposals
from ..store.database import Database
from ..store.docstore_file import is_of_host, read_docstore
from ..store.files import read_key
from ..store.tables import Sealing, find_state
from ..texts import counted
from .declaring import DONE, PROBLEMS, Options, declare, flag, only_one, tell
from .lines import read_folder_settings
from .looking import complete
from .options import DRY_RUN, FOLDER, JSON, WRITING, order
from .output import Column, Row, is_for_person, say, show_rows
from .progress import Advance, progress, watched
from .saved import open_place

if TYPE_CHECKING:
    from ..host.maintenance.run import StageResult


def _run_maintain(options: Options) -> int:
    """Print what each stage did, or would do: how many memories, and which."""
    from ..host.maintenance.at_terminal import maintain_store, try_maintenance

    run = try_maintenance if options.dry_run else maintain_store
    settings = read_folder_settings(options.folder, options.config)
    with progress("reading the memories") as advance:
        advance.begin()
        report = run(options.folder, settings, clock=system_clock, tell=partial(_enter, advance), progress=advance)
    for name, outcome in report.outcomes.items():
        if is_for_person(options):
            _tell_stage(name, outcome)
        else:
            print(json.dumps({"stage": name, "counts": outcome.counts, "ids": outcome.ids}, ensure_ascii=False))
    for name, failure in report.failures.items():
        tell(f"{name} failed: {type(failure).__name__}: {failure}")
    tell("nothing was changed" if options.dry_run else report.summary())
    return PROBLEMS if report.failures else DONE


def _tell_stage(name: str, outcome: StageResult) -> None:
    """Say what a stage did, or would do, and to which memories."""
    found = {what: count for what, count in outcome.counts.items() if count}
    say(f"{name:<12} {', '.join(f'{count:,} {what}' for what, count in found.items()) or 'nothing'}", hang=13)
    for what, ids in outcome.ids.items():
        say(f"{'':12} {what}: {', '.join(ids)}", hang=15)


def _enter(advance: Advance, doing: str) -> None:
    """Say which stage begins."""
    tell(doing)
    advance.begin(doing)


def run_migrate(options: Options) -> int:
    """Say what changes; in a store that stands alone, do it. Agent Zero does it in its own folders, unasked."""
    folder: Path = options.folder
    changes = _describe(folder)
    for memory_id, lines in changes.items():
        for line in lines or ():
            print(f"{memory_id}: {line}")
    count = Counter("as" if lines is None else "upgraded" if lines else "sealed" for lines in changes.values())
    is_waiting = is_of_host(folder)
    if not is_waiting and not options.dry_run and count["as"] < len(changes):
        from ..host.adoption.ingest import open_ingest

        settings, embedder = read_folder_settings(folder, options.config), options.load()
        with (
            progress("upgrading") as advance,
            open_ingest(folder, embedder, settings, clock=system_clock, tell_read=advance),
        ):
            pass
    will = "would be" if options.dry_run else "will be" if is_waiting else "were"
    when = " at Agent Zero's next turn there" if is_waiting and count["as"] < len(changes) else ""
    memories = counted(len(changes), "memory", "memories")
    print(f"{memories}: {count['upgraded']} {will} upgraded, {count['sealed']} only sealed{when}; the rest stay")
    return DONE


def _describe(folder: Path) -> dict[str, list[str] | None]:
    """Return what an adoption changes in each memory, in their order; None where nothing."""
    documents = read_docstore(folder)[1]
    key = read_key(folder)
    sealing = Sealing(find_state(folder), has_key=key is not None, now=system_clock())
    sealing.note_sweep(list(documents), documents)
    found: dict[str, list[str] | None] = {}
    for memory_id, one in watched(documents.items(), "reading the memories", len(documents)):
        memory, _ = parse_memory(memory_id, one.page_content, one.metadata, inserted_at=EPOCH)
        honours = sealing.honours(memory_id)
        found[memory_id] = describe_adoption(memory, one.metadata, key or b"", honours_unsealed=honours)
    return found


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
    declare("maintain", _run_maintain, *WRITING, JSON, examples=("memory-ledger maintain --dry-run",)),
    declare("migrate", run_migrate, *WRITING, examples=("memory-ledger migrate --dry-run",)),
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
