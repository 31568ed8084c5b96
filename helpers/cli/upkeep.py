"""Look after a memory folder: maintain, migrate, accept proposals, strip."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

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
from ..texts import count_memories
from .declaring import DONE, PROBLEMS, Options, declare, flag, only_one, option, tell
from .lines import read_folder_settings
from .looking import complete
from .options import DRY_RUN, FOLDER, JSON, WRITING, order
from .output import Column, Row, is_for_person, note, say, show_rows, write_json
from .progress import progress, watched
from .saved import open_place

if TYPE_CHECKING:
    from ..host.maintenance.run import StageResult


def _run_maintain(options: Options) -> int:
    """Print the changes of each stage: the number of memories, and their ids."""
    from ..host.maintenance.at_terminal import maintain_store, try_maintenance

    run = try_maintenance if options.dry_run else maintain_store
    settings = read_folder_settings(options.folder, options.config)
    with progress("reading the memories") as advance:

        def enter(stage: str) -> None:
            tell(stage)
            advance.begin(stage)

        advance.begin()
        report = run(options.folder, settings, clock=system_clock, tell=enter, progress=advance)
    for name, outcome in report.outcomes.items():
        if is_for_person(options):
            _say_stage(name, outcome)
        else:
            write_json({"stage": name, "counts": outcome.counts, "ids": outcome.ids})
    for name, failure in report.failures.items():
        tell(f"{name} failed: {type(failure).__name__}: {failure}")
    tell("nothing was changed" if options.dry_run else report.summary())
    return PROBLEMS if report.failures else DONE


def _say_stage(name: str, outcome: StageResult) -> None:
    """Print the changes of a stage for a person."""
    counts = {action: count for action, count in outcome.counts.items() if count}
    say(f"{name:<12} {', '.join(f'{count:,} {action}' for action, count in counts.items()) or 'nothing'}", hang=13)
    for action, ids in outcome.ids.items():
        say(f"{'':12} {action}: {', '.join(ids)}", hang=15)


def run_migrate(options: Options) -> None:
    """Print what an upgrade changes; carry it out in a store that stands alone. Agent Zero upgrades its own folders."""
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
    memories = count_memories(len(changes))
    print(f"{memories}: {count['upgraded']} {will} upgraded, {count['sealed']} only sealed{when}; the rest stay")


def _describe(folder: Path) -> dict[str, list[str] | None]:
    """Return by id the changes of each memory in words, in the order of the store; None where nothing changes."""
    documents = read_docstore(folder)[1]
    key = read_key(folder)
    sealing = Sealing(find_state(folder), has_key=key is not None, now=system_clock())
    sealing.note_sweep(list(documents), documents)
    changes: dict[str, list[str] | None] = {}
    for memory_id, document in watched(documents.items(), "reading the memories", len(documents)):
        memory, _ = parse_memory(memory_id, document.page_content, document.metadata, inserted_at=EPOCH)
        honours = sealing.honours(memory_id)
        changes[memory_id] = describe_adoption(memory, document.metadata, key or b"", honours_unsealed=honours)
    return changes


def _run_adopt(options: Options) -> int:
    only_one({"--report": options.report, "--accept": options.accept})
    proposed = proposals.read_proposals(Database(options.folder))
    excluded = [complete(prefix, (proposal.loser for proposal in proposed)) for prefix in options.excluded]
    chosen = proposals.choose_proposals(Database(options.folder), excluded=excluded)
    kept = kept_in_use(open_place(options)).union(excluded)
    losers = [loser for loser in chosen if loser not in kept]
    if options.report:
        shown = [proposal for proposal in proposed if proposal.loser not in kept]
        rows = ({key: value for key, value in asdict(proposal).items() if key != "accepted_at"} for proposal in shown)
        show_rows(options, rows, _COLUMNS)
        note(f"{count_memories(len(shown))} would be retired; nothing is until you accept it")
        return DONE
    asked = Adopt(memories=tuple(losers), excluded=tuple(sorted(kept)))
    return order(options, asked, f"{count_memories(len(losers))} {{}} be retired")


def _run_strip(options: Options) -> None:
    touched, total = strip_metadata(options.folder, only_pointers=options.pointers_only, is_dry_run=options.dry_run)
    removed, verb = (
        ("the links to other memories", "were") if options.pointers_only else ("the ledger's metadata", "was")
    )
    done = "would be" if options.dry_run else verb
    print(f"{options.folder}: {removed} {done} removed from {touched} of {count_memories(total)}")


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
        option(("--except", "excluded"), "ID", "a memory to leave in use", multiple=True),
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
