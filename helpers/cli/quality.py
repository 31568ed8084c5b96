"""The quality of the memories of a folder, and the links that a person states between them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from ..clock import system_clock
from ..errors import StoreError
from ..host.quality.reading import FolderReport, check_saved, find_stale, open_checker, report_folder
from ..inbox import ArchiveStale, LinkMemories, Refresh, SignAnew, UnlinkMemories
from ..quality.relationships import RelationshipType, find_stated
from ..quality.report import figures_in_words, unrecalled_in_words
from ..records import Memory
from ..service.place import MemoryPlace
from ..store.docstore_file import read_docstore
from ..store.files import CHAIN_FILE
from ..texts import count_memories, counted
from .deciding import plan_decision
from .declaring import DONE, PROBLEMS, Options
from .looking import find_id
from .options import order, waiting_requests, when
from .output import ID, TEXT, Column, first_lines, note, say, show_rows, waiting, watched, write_json
from .saved import open_place

#: A turn looks after the chain last.
_AT_THE_END = "at the end of Agent Zero's next turn"


def _run_quality(options: Options) -> None:
    with waiting("reading the memories"):
        quality = report_folder(open_place(options))
    if options.as_json:
        write_json(quality.report)
    else:
        _print_report(quality)


def _print_report(quality: FolderReport) -> None:
    for _, name, value in figures_in_words(quality.report):
        print(f"{name}: {value}")
    if quality.unrecalled:
        say(unrecalled_in_words(quality.unrecalled))
    for advice in quality.advice:
        say("")
        say(advice.problem)
        for step in advice.steps:
            say(f"  {step.about}", hang=3)
            print(f"    {step.command}")  # as it is typed, however long


def _run_validate(options: Options) -> int:
    place = open_place(options)
    documents = place.documents()
    chosen = None if options.id is None else [find_id(options.folder, documents, options.id)]
    checked = [*documents] if chosen is None else chosen
    watch = partial(watched, work="checking", total=len(checked))
    report, errors_by_id = check_saved(place, checked, each=watch)
    rows = (
        {"id": memory_id, "text": documents[memory_id].page_content, "errors": errors}
        for memory_id, errors in errors_by_id.items()
    )
    show_rows(options, rows, _CHECKED)
    breaks = [break_ for break_ in report.in_order if chosen is None or break_.memory_id in chosen]
    for break_ in breaks:
        note(f"memory-ledger: chain, {break_}")
    chained = sum(memory_id in report.lines for memory_id in checked)
    note(
        f"{count_memories(len(checked))} checked, {len(errors_by_id)} with errors; "
        f"{chained} in the chain of {counted(report.length, 'line', 'lines')}"
    )
    return PROBLEMS if errors_by_id or breaks else DONE


def _run_refresh(options: Options) -> int:
    options.id = find_id(options.folder, read_docstore(options.folder)[1], options.id)
    asked = Refresh(memories=(options.id,), verified=options.verified, confidence=options.confidence)
    return order(options, asked, f"{options.id} {{}} be refreshed", say=note)


def _run_archive_stale(options: Options) -> int:
    place = open_place(options)
    with waiting("reading the memories"):
        stale_ids = find_stale(
            place, threshold=options.threshold, older_than=options.older_than, is_forced=options.force
        )
    text = Column("memory", lambda row: first_lines(place.documents()[row["id"]].page_content))
    show_rows(options, ({"id": memory_id} for memory_id in stale_ids), (ID, text))
    memories = count_memories(len(stale_ids))
    asked = ArchiveStale(memories=tuple(stale_ids))
    return order(options, asked, f"{memories} {{}} be archived", say=note, is_due=bool(stale_ids))


def _run_sign_anew(options: Options) -> int:
    place = open_place(options)
    place.documents()  # a folder without memories has no chain
    breaks = open_checker(place).verify_chain().in_order
    rows = ({"line": break_.seq, "memory": break_.memory_id, "found": break_.reason} for break_ in breaks)
    show_rows(options, rows, _BREAKS)
    is_due = bool(breaks) or not (options.folder / CHAIN_FILE).exists()
    line = f"all memories {{}} be signed anew after {counted(len(breaks), 'break', 'breaks')} of the chain"
    after = when(options.folder, _AT_THE_END)
    return order(options, SignAnew(reason=options.because), line, after=after, say=note, is_due=is_due)


_CHECKED = (ID, TEXT, Column("errors", lambda row: "\n".join(row["errors"])))
_BREAKS = tuple(Column(name, name) for name in ("line", "memory", "found"))


#: The end of a link that nobody stated.
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
        known = (
            ", ".join(f"{source.id} {relationship.type} {relationship.target}" for relationship in stated)
            or "none was stated"
        )
        raise StoreError(f"{options.folder}: nobody stated {_in_words(asked)}; allowed: {known} ({_FOLLOWS})")
    return order(options, asked, f"the link {_in_words(asked)} {{}} be removed")


def _find_pair(options: Options) -> tuple[MemoryPlace, Memory, Memory]:
    place = open_place(options)
    ids = [find_id(place.path, place.documents(), asked) for asked in (options.id, options.other)]
    source, target = (memory for memory_id in ids if (memory := place.read(memory_id)) is not None)
    return place, source, target


def _is_asked(folder: Path, asked: UnlinkMemories) -> bool:
    """Whether the link waits to be made."""
    waiting = (request.asked for request in waiting_requests(folder))
    links = (arguments for arguments in waiting if isinstance(arguments, LinkMemories))
    return any((link.memories, link.type) == (asked.memories, asked.type) for link in links)


def _in_words(asked: LinkMemories | UnlinkMemories) -> str:
    source, target = asked.memories
    return f"{source} {asked.type.value} {target}"
