"""The quality of the memories of a folder, and the links that a person states between them."""

from __future__ import annotations

import json
import runpy
import sys
from datetime import timedelta
from functools import partial
from operator import itemgetter
from pathlib import Path

import click

from ..clock import system_clock
from ..errors import StoreError, shorten
from ..host.quality.reading import FolderReport, SavedMemories, check_saved, find_stale, open_checker, report_folder
from ..inbox import ArchiveStale, Arguments, LinkMemories, Refresh, SignAnew, UnlinkMemories
from ..quality.objects import QualityError, parse_duration
from ..quality.relationships import RelationshipType, find_stated
from ..quality.report import figures_told, unrecalled_told
from ..records import Memory
from ..service.place import MemoryPlace
from ..store.docstore_file import read_docstore
from ..store.files import CHAIN_FILE
from ..store.requests import Inbox
from ..texts import counted
from .deciding import plan_decision
from .declaring import DONE, PROBLEMS, Argument, Options, declare, flag
from .lines import InputError, read_folder_settings
from .looking import find_id
from .options import JSON, LISTING, NEXT_TURN, PATH, READING, SHARE, WRITING, order, when
from .output import ID, TEXT, Column, first_lines, say, show_rows
from .progress import waiting, watched
from .saved import open_place

#: Where a person's own file of rules holds them.
_RULES = "VALIDATORS"
#: The chain is the last that a turn looks after.
_AT_THE_END = "at the end of Agent Zero's next turn"


def _run_quality(options: Options) -> int:
    settings, now = read_folder_settings(options.folder, options.config), system_clock()
    with waiting("reading the memories"):
        found = report_folder(options.folder, settings, now)
    if options.as_json:
        print(json.dumps(found.report, ensure_ascii=False))
    else:
        _print_report(found)
    return DONE


def _print_report(found: FolderReport) -> None:
    for _, name, value in figures_told(found.report):
        print(f"{name}: {value}")
    if found.unrecalled:
        say(unrecalled_told(found.unrecalled))
    for one in found.advice:
        say("")
        say(one.told)
        for step in one.steps:
            say(f'  "{step.about}"' if step.is_quoted else f"  {step.about}:", hang=3)
            print(f"    {step.command}")  # as it is typed, however long


def _run_validate(options: Options) -> int:
    settings = read_folder_settings(options.folder, options.config)
    saved = SavedMemories(options.folder)
    chosen = None if options.id is None else [find_id(options.folder, saved.documents, options.id)]
    each = partial(watched, what="checking", total=len(saved.documents if chosen is None else chosen))
    report, found = check_saved(saved, settings, system_clock, chosen, _read_rules(options.rules), each=each)
    rows = ({"id": one, "text": saved.documents[one].page_content, "errors": errors} for one, errors in found.items())
    show_rows(options, rows, _CHECKED)
    breaks = [one for one in report.in_order if chosen is None or one.memory_id in chosen]
    for one in breaks:
        print(f"memory-ledger: chain, {one}", file=sys.stderr)
    checked = saved.documents if chosen is None else chosen
    chained = sum(one in report.lines for one in checked)
    print(
        f"{counted(len(checked), 'memory', 'memories')} checked, {len(found)} with errors; "
        f"{chained} in the chain of {counted(report.length, 'line', 'lines')}",
        file=sys.stderr,
    )
    return PROBLEMS if found or breaks else DONE


def _read_rules(path: Path | None) -> list[object]:
    """Return the validators that a person's own file defines; raises InputError where it cannot be run."""
    if path is None:
        return []
    try:
        found = runpy.run_path(str(path)).get(_RULES)
    except Exception as exc:
        raise InputError(f"{path} cannot be run: {type(exc).__name__}: {exc}; allowed: a Python file") from exc
    if not isinstance(found, list | tuple):
        raise InputError(f"{path}: {_RULES} is {shorten(found)}; allowed: a list of validators")
    return list(found)


def _run_refresh(options: Options) -> int:
    options.id = find_id(options.folder, read_docstore(options.folder)[1], options.id)
    asked = Refresh(memories=(options.id,), verified=options.verified, confidence=options.confidence)
    return _order(options, asked, f"{options.id} {{}} be refreshed")


def _run_archive(options: Options) -> int:
    now, saved = system_clock(), SavedMemories(options.folder)
    with waiting("reading the memories"):
        found = find_stale(
            saved,
            read_folder_settings(options.folder, options.config),
            now,
            threshold=options.threshold,
            older_than=options.older_than,
            is_forced=options.force,
        )
    text = Column("memory", lambda row: first_lines(saved.documents[row["id"]].page_content))
    show_rows(options, ({"id": one} for one in found), (ID, text))
    memories = counted(len(found), "memory", "memories")
    asked = ArchiveStale(memories=tuple(found))
    return _order(options, asked, f"{memories} {{}} be archived", is_due=bool(found))


def _run_sign(options: Options) -> int:
    settings, saved = read_folder_settings(options.folder, options.config), SavedMemories(options.folder)
    found = open_checker(saved, settings, system_clock).verify_chain().in_order
    show_rows(options, ({"line": one.seq, "memory": one.memory_id, "found": one.reason} for one in found), _BREAKS)
    is_due = bool(found) or not (options.folder / CHAIN_FILE).exists()
    line = f"all memories {{}} be signed anew after {counted(len(found), 'break', 'breaks')} of the chain"
    return _order(options, SignAnew(reason=options.because), line, moment=_AT_THE_END, is_due=is_due)


def _order(options: Options, asked: Arguments, what: str, *, moment: str = NEXT_TURN, is_due: bool = True) -> int:
    """Ask for it, or say that there is nothing to ask for; the ids on standard output are what is piped on."""
    say = partial(print, file=sys.stderr)
    if not is_due:
        say(what.format("would") + when(options.folder, moment))
        return DONE
    return order(options, asked, what, after=when(options.folder, moment), say=say)


def _read_age(ctx: click.Context, option: click.Parameter, text: str) -> timedelta:
    try:
        return parse_duration(text, "it")
    except QualityError as exc:
        raise click.BadParameter(str(exc), ctx, option) from exc


_REASON = click.Option(
    ["--because"], default="a person asked for it", metavar="TEXT", help="the reason, for the journal"
)
_CHECKED = (ID, TEXT, Column("errors", lambda row: "\n".join(row["errors"])))
_BREAKS = tuple(Column(name, itemgetter(name)) for name in ("line", "memory", "found"))
_MEMORY = Argument("id", help="the memory")


#: Where a link comes from that follows from what is stored, and what ends it.
_FOLLOWS = "`undo` ends what follows from a replacement, `resolve` what follows from a conflict"


def _run_link(options: Options) -> int:
    place, source, target = _find_pair(options)
    if source.id == target.id:
        raise StoreError(f"{options.folder}: {source.id} is to be linked to itself; allowed: another memory")
    asked = LinkMemories(
        memories=(source.id, target.id),
        type=RelationshipType(options.type),
        reason=options.because,
        bidirectional=options.both_ways,
    )
    decision = asked.to_decision()
    if decision is not None:  # refused where `resolve --keep` would be
        plan_decision(place, decision, system_clock())
    return order(options, asked, f"the link {_in_words(asked)} {{}} be made")


def _run_unlink(options: Options) -> int:
    _, source, target = _find_pair(options)
    asked = UnlinkMemories(memories=(source.id, target.id), type=RelationshipType(options.type))
    if find_stated(source, asked.type, target.id) is None and not _is_asked(options.folder, asked):
        stated = source.quality.relationships if source.quality is not None else ()
        known = ", ".join(f"{source.id} {one.type} {one.target}" for one in stated) or "none was stated"
        raise StoreError(f"{options.folder}: nobody stated {_in_words(asked)}; allowed: {known} ({_FOLLOWS})")
    return order(options, asked, f"the link {_in_words(asked)} {{}} be removed")


def _find_pair(options: Options) -> tuple[MemoryPlace, Memory, Memory]:
    place = open_place(options)
    ids = [find_id(place.path, place.documents(), asked) for asked in (options.id, options.other)]
    source, target = (memory for memory_id in ids if (memory := place.read(memory_id)) is not None)
    return place, source, target


def _is_asked(folder: Path, asked: UnlinkMemories) -> bool:
    """Whether the link waits to be made."""
    waiting = (one.asked for one in Inbox(folder).read() if one.answer is None)
    links = (one for one in waiting if isinstance(one, LinkMemories))
    return any((link.memories, link.type) == (asked.memories, asked.type) for link in links)


def _in_words(asked: LinkMemories | UnlinkMemories) -> str:
    source, target = asked.memories
    return f"{source} {asked.type.value} {target}"


_TYPES = [one.value for one in RelationshipType]
_ENDS = (
    Argument("id", metavar="MEMORY", help="the memory"),
    Argument("type", metavar="TYPE", type=click.Choice(_TYPES), help=f"what it is to the other: {', '.join(_TYPES)}"),
    Argument("other", metavar="OTHER", help="the other memory"),
)


COMMANDS = (
    declare(
        "quality",
        _run_quality,
        *READING,
        flag("--json", "print the report as one JSON object", called="as_json"),
        examples=("memory-ledger quality", "memory-ledger quality --json"),
    ),
    declare(
        "validate",
        _run_validate,
        Argument("id", required=False, metavar="[MEMORY]", help="this memory only"),
        click.Option(
            ["--rules"], type=PATH, metavar="FILE", help="a Python file with more rules, in a list VALIDATORS"
        ),
        *LISTING,
        examples=("memory-ledger validate", "memory-ledger validate MEMORY --rules rules.py"),
    ),
    declare(
        "refresh",
        _run_refresh,
        _MEMORY,
        flag("--verified", "it was checked: an inferred memory becomes confirmed"),
        click.Option(["--confidence"], type=SHARE, metavar="N", help="its confidence from now on"),
        *WRITING,
        examples=("memory-ledger refresh MEMORY --verified",),
    ),
    declare(
        "archive-stale",
        _run_archive,
        click.Option(["--threshold"], type=SHARE, default=0.8, metavar="N", help="how stale at least (0.8)"),
        click.Option(
            ["--older-than"], callback=_read_age, default="90d", metavar="TIME", help="age, such as 90d or 12w (90d)"
        ),
        flag("--force", "also archive load-bearing memories"),
        *WRITING,
        JSON,
        examples=("memory-ledger archive-stale --older-than 12w --dry-run",),
    ),
    declare(
        "sign-anew",
        _run_sign,
        _REASON,
        *WRITING,
        JSON,
        examples=('memory-ledger sign-anew --because "restored from a backup"',),
    ),
    declare(
        "link",
        _run_link,
        *_ENDS,
        click.Option(["--because"], metavar="TEXT", help="the reason, kept with the link"),
        flag("--both-ways", "the other memory leads back to this one as well"),
        *WRITING,
        examples=('memory-ledger link MEMORY supports OTHER --because "the same invoice"',),
    ),
    declare("unlink", _run_unlink, *_ENDS, *WRITING, examples=("memory-ledger unlink MEMORY supports OTHER",)),
)
