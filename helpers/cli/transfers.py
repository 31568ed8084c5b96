"""Memories come in and go out: ingest, add, export, import, copy, move."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import click

from ..clock import EPOCH, system_clock
from ..errors import Problem, StoreError, shorten
from ..formats.memories import ExportKind, FileKind, FileReading, NewMemory, is_written, name_memories, write_memories
from ..formats.reading import read_memories
from ..formats.rows import SPEAKERS
from ..host.adoption.transfers import FolderArchive, ask_to_carry
from ..inbox import Arrive
from ..ledger.adopt import Archived, ArrivalPlan, Header, plan_arrival
from ..records import parse_memory
from ..store.backup_file import to_plain
from ..store.docstore_file import DOCSTORE_FILE, is_of_host, read_docstore
from ..store.files import write_atomically
from ..store.tables import put_archive, read_archive_file, to_line, to_lines
from ..texts import count_memories, counted
from .declaring import DONE, PROBLEMS, Options, only_one, tell
from .looking import complete
from .options import InputError, put, read_settings, settle
from .output import progress, say, waiting, watched

#: The memories that a dry run shows, and the faults of a file that are named.
_MOST_SHOWN, _MOST_FAULTS = 5, 20


_ARCHIVE = "archive"


def _run_ingest(options: Options) -> int:
    """Store the memories of a file that the store has not yet; what cannot be read is named and left out."""
    reading = _read(options)
    for fault in reading.faults[:_MOST_FAULTS]:
        tell(f"{options.file}{fault.where and f', {fault.where}'}: {fault.words}")
    if more := len(reading.faults[_MOST_FAULTS:]):
        tell(f"{options.file}: ... and {more:,} more like this")
    tell(f"{options.file}: {_describe(reading, is_folder=options.file.is_dir())}")
    status = PROBLEMS if reading.faults else DONE
    if options.dry_run:
        for memory in reading.memories[:_MOST_SHOWN]:
            say(memory.text)
        return status
    if not reading.memories:
        return status
    stored_at = system_clock() if reading.kind.is_state else None
    return _store(options, reading.memories, str(options.file), stored_at=stored_at) or status


def _read(options: Options) -> FileReading:
    name, kind = str(options.file), None if options.kind is None else FileKind(options.kind)
    pieces = 0
    try:
        if options.file.is_dir():
            archive, kind = FolderArchive(options.file), FileKind.LINES
            ids = [memory.id for memory in archive.memories() if not archive.is_import(memory.id)]
            pieces = len(archive) - len(ids)
            lines = "".join(to_line(archive.archived(memory_id).to_row()) for memory_id in ids)
            data = lines.encode("utf-8", "backslashreplace")
        else:
            data = sys.stdin.buffer.read() if name == "-" else options.file.read_bytes()
    except OSError as exc:
        raise InputError(f"{name}: {exc.strerror}; allowed: a file of memories, or - for standard input") from exc
    reading = read_memories(data, name, kind=kind, source=SPEAKERS.get(options.source or ""))
    reading.left_out["pieces of knowledge files"] = pieces
    return reading


def _describe(reading: FileReading, *, is_folder: bool) -> str:
    """Return in words the kind of a file, the number of its memories, and what was left out of it."""
    kind = "a memory folder of Agent Zero" if is_folder else reading.kind.words
    encoding = "" if reading.encoding == "UTF-8" else f" in {reading.encoding}"
    left = ", ".join(f"{kind_of_entry} ({count:,})" for kind_of_entry, count in reading.left_out.items() if count)
    names = ("line", "lines") if reading.kind is FileKind.LINES else ("entry", "entries")
    faults = f"; {counted(len(reading.faults), *names)} could not be read" if reading.faults else ""
    memories = count_memories(len(reading.memories))
    return f"{kind}{encoding}, {memories}{left and f'; left out: {left}'}{faults}"


def _run_add(options: Options) -> int:
    """Store one memory."""
    if not options.text.strip():
        raise click.UsageError("the text says nothing; allowed: a text that says something")
    memory = NewMemory(text=options.text.strip(), source=SPEAKERS[options.source], stated_at=system_clock())
    return _store(options, [memory], "the text")


def _store(options: Options, memories: Sequence[NewMemory], name: str, stored_at: datetime | None = None) -> int:
    from ..host.adoption.ingest import open_ingest

    settings = read_settings(options.config)
    with (
        _stop_requests() as is_stopped,
        open_ingest(options.folder, options.load(), settings, clock=system_clock) as ingest,
    ):
        new, erased_count = ingest.leave_known([*name_memories(memories)])
        if known := len(memories) - len(new) - erased_count:
            tell(f"{name}: {known:,} of {count_memories(len(memories))} stored before")
        if erased_count:
            tell(f"{name}: {count_memories(erased_count)} erased before, and left out")
        with progress(name, len(new)) as advance:
            advance(0)
            count = ingest.run(new, moment=stored_at, should_stop=is_stopped, tell_saved=advance, tell_problem=tell)
    tell(f"{count_memories(count)} stored in {options.folder}")
    if is_stopped():
        tell("stopped before the end; the same command continues from here")
    return PROBLEMS if is_stopped() else DONE


@contextmanager
def _stop_requests() -> Iterator[Callable[[], bool]]:
    """Yield whether Ctrl-C or a plain kill has asked for the end of the work; a second one ends it at once."""
    received: list[int] = []
    before: dict[int, Any] = {}

    def stop(number: int, frame: object) -> None:
        received.append(number)
        signal.signal(number, before[number])

    for number in map(int, (signal.SIGINT, signal.SIGTERM)):
        before[number] = signal.signal(number, stop)
    try:
        yield lambda: bool(received)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


_DOMAIN_TAG = "domain:"


def _run_export(options: Options) -> None:
    folder = options.folder
    with waiting("reading the memories"):
        documents = read_docstore(folder)[1]
        lines = _archived(folder, documents) if options.kind == _ARCHIVE else _written_as(options, documents)
    if options.out is not None or not sys.stdout.isatty():
        lines = watched(lines, "exporting", len(documents))
    if options.out is None:
        for line in lines:
            sys.stdout.write(line)
        return
    _write_out(options.out, "".join(lines))
    tell(f"{folder} is written to {options.out}")


def _write_out(path: Path, text: str) -> None:
    """Write a file that a person has named, whole or not at all; raises InputError."""
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        write_atomically(path, text, mode=0o600)
    except OSError as exc:
        raise InputError(f"{path}: {exc.strerror}; allowed: a file that can be written") from exc


def _written_as(options: Options, documents: Mapping[str, Any]) -> Iterator[str]:
    """Return the text of a file for other programs, in pieces; say how many memories it leaves out."""
    kind = ExportKind(options.kind)
    memories = [
        parse_memory(memory_id, doc.page_content, doc.metadata, inserted_at=EPOCH)[0]
        for memory_id, doc in documents.items()
    ]
    written = [memory for memory in memories if is_written(memory, kind)]
    if left := len(memories) - len(written):
        tell(f"{count_memories(left)} not in use any more left out")
    return write_memories(kind, ((memory, to_plain(documents[memory.id].metadata)) for memory in written))


def _archived(folder: Path, documents: Mapping[str, Any]) -> Iterator[str]:
    """Return the lines of an archive: its header, then a line for each memory."""
    archive = FolderArchive(folder, documents)
    header = to_lines(archive.header(len(archive), exported_at=system_clock()), ())
    return chain([header], (to_line(archive.archived(memory.id).to_row()) for memory in archive.memories()))


def _run_import(options: Options) -> int:
    """Import an archive into a folder; a line that cannot be read is named and left out."""
    reader = read_archive_file(options.file)
    problems: list[Problem] = []
    memories: list[Archived] = []
    for number, item in watched(reader, "reading the file", reader.header.memories):
        if isinstance(item, Problem):
            where = f"{options.file}, line {number}: {item.where}"
            problems.append(Problem(where=where, found=item.found, allowed=item.allowed))
        else:
            memories.append(item)
    present, expected = len(memories) + len(problems), reader.header.memories
    if present < expected and not options.partial:
        held = f"{options.file} holds {present} of {count_memories(expected)}"
        raise InputError(f"{held}; allowed: the whole file, or --partial to import the memories that it contains")
    plan = _plan(options.folder, memories)
    refused: list[object] = [*problems, *plan.refused]
    _show(options, plan, refused, into=options.folder)
    if plan.coming and not options.dry_run:
        name = put_archive(options.folder, to_lines(reader.header, plan.coming))
        put(options.folder, Arrive(archive=name), now=system_clock())
        refused += _carry_out(options, options.folder)
    _sum_up(options, plan, refused, into=options.folder, done="imported")
    return PROBLEMS if refused else DONE


def _plan(target: Path, memories: Iterable[Archived]) -> ArrivalPlan:
    if not target.is_dir() and not target.absolute().parent.is_dir():
        raise StoreError(f"{target}: {target.parent} is not a folder; allowed: a memory folder, or a place for one")
    held = read_docstore(target)[1] if (target / DOCSTORE_FILE).exists() else {}
    return plan_arrival(memories, {memory_id: document.page_content for memory_id, document in held.items()})


def _carry_out(options: Options, folder: Path) -> list[str]:
    """Carry out the requests of a store that stands alone, and return the failures; only a host changes its folder."""
    failed = [] if is_of_host(folder) else settle(options, folder)[1]
    for failure in failed:
        tell(failure)
    return failed


def _transfer(options: Options, *, is_move: bool) -> int:
    """Copy memories; in a move, ask that they leave the old folder once the new one has them on disk."""
    source, target = options.folder, options.target
    only_one({"--id": options.ids, "--all": options.all, "--domain": options.domain})
    if source.resolve() == target.resolve():
        raise StoreError(f"{target} is where the memories are; allowed: another folder")
    with waiting("reading the memories"):
        archive = FolderArchive(source)
        chosen, left = _choose(options, archive)
        if is_move:
            chosen = _without_records(options, archive, chosen, left)
    faults = {memory_id: fault for memory_id in chosen if (fault := archive.fault(memory_id)) is not None}
    left += faults.values()
    chosen = [memory_id for memory_id in chosen if memory_id not in faults]
    plan = _plan(
        target, (archive.archived(memory_id) for memory_id in watched(chosen, "looking at each memory", len(chosen)))
    )
    refused: list[object] = [*left, *plan.refused]
    _show(options, plan, refused, into=target)
    if is_move:
        _show_left_behind(options, archive, {*plan.present, *(archived.id for archived in plan.coming)})
    if (plan.coming or (is_move and plan.present)) and not options.dry_run:
        refused += _request(
            options, archive.header(len(plan.coming), exported_at=system_clock()), plan, is_move=is_move
        )
    _sum_up(options, plan, refused, into=target, done="moved" if is_move else "copied", source=source)
    return PROBLEMS if refused else DONE


_run_copy = partial(_transfer, is_move=False)
_run_move = partial(_transfer, is_move=True)


def _request(options: Options, header: Header, plan: ArrivalPlan, *, is_move: bool) -> list[str]:
    """Put the requests into the inboxes, carry out those of stores that stand alone, and return the failures."""
    source, target = options.folder, options.target
    ask_to_carry(source, target, header, plan, partial(put, now=system_clock()), leaves=is_move)
    refused = _carry_out(options, target) if plan.coming else []
    return [*refused, *(_carry_out(options, source) if is_move else [])]


def _choose(options: Options, archive: FolderArchive) -> tuple[list[str], list[Problem]]:
    """Return the ids of the memories that the options name, in the order of the folder, and the problems."""
    if options.ids:
        known = [memory.id for memory in archive.memories()]
        ids = dict.fromkeys(complete(memory_id, known) for memory_id in options.ids)
        allowed = "the id of a memory there that was not made of a knowledge file"
        bad = [memory_id for memory_id in ids if memory_id not in archive or archive.is_import(memory_id)]
        problems = [
            Problem(where=f"memory {memory_id}", found=f"not in {archive.folder}", allowed=allowed) for memory_id in bad
        ]
        return [memory_id for memory_id in known if memory_id in ids.keys() - {*bad}], problems
    memories = [memory for memory in archive.memories() if options.all or _is_of_domain(memory, options.domain)]
    chosen = [memory.id for memory in memories if not archive.is_import(memory.id)]
    if len(chosen) < len(memories):
        pieces = counted(len(memories) - len(chosen), "piece", "pieces")
        tell(f"{pieces} of knowledge files stay: Agent Zero makes them anew wherever the file is")
    return chosen, []


def _without_records(options: Options, archive: FolderArchive, chosen: list[str], refused: list[Problem]) -> list[str]:
    """Return `chosen` without the vault's records, which its file would bring back; refuse those named by their ids."""
    records = [memory_id for memory_id in chosen if archive.is_record(memory_id)]
    if records and not options.ids:
        tell(f"{counted(len(records), 'record', 'records')} of the vault stay: `vault delete` there takes one away")
    elif records:
        allowed = "`copy`, then `memory-ledger vault delete RECORD` where it is"
        refused += [
            Problem(where=f"memory {memory_id}", found="a record of the vault", allowed=allowed)
            for memory_id in records
        ]
    return [memory_id for memory_id in chosen if memory_id not in records]


def _is_of_domain(memory: Any, domain: str) -> bool:
    if memory.lineage is not None and memory.lineage.bst_domain == domain:
        return True
    return memory.classification is not None and f"{_DOMAIN_TAG}{domain}" in memory.classification.tags


def _show(options: Options, plan: ArrivalPlan, refused: Iterable[object], *, into: Path) -> None:
    """Print the refusals and the links that are left out; in a dry run, also each memory that would come."""
    for refusal in refused:
        tell(refusal)
    will = "would be" if options.dry_run else "is"
    for memory in plan.coming if options.dry_run else ():
        say(f"{memory.id}: {shorten(memory.text)}", hang=4)
    for memory_id, pointers in plan.dropped.items():
        for pointer in pointers:
            say(f"{memory_id}: the link {pointer} {will} left out: it leads out of {into}; the history keeps it")


def _show_left_behind(options: Options, archive: FolderArchive, leaving: set[str]) -> None:
    """Print the links from memories that stay to memories that leave."""
    from ..ledger.adopt import keep_pointers

    will = "would be" if options.dry_run else "will be"
    for memory in archive.memories():
        if memory.id not in leaving:
            for pointer in keep_pointers(memory, lambda memory_id: memory_id not in leaving)[1]:
                say(f"{memory.id}: the link {pointer} {will} left out of {archive.folder}")


def _sum_up(
    options: Options, plan: ArrivalPlan, refused: Sequence[object], *, into: Path, done: str, source: Path | None = None
) -> None:
    count, is_move = len(plan.coming), done == "moved"
    will = "would be" if options.dry_run else "will be" if is_of_host(into) else "was" if count == 1 else "were"
    when = " at Agent Zero's next turn there" if is_of_host(into) else ""
    parts = [f"{count_memories(count)} {will} {done} into {into}{when}"]
    if is_move and source is not None and is_of_host(source):
        parts.append(f"what {into} then holds leaves {source} at Agent Zero's next turn in that")
    if plan.present:
        parts.append(f"{counted(len(plan.present), 'is', 'are')} there already")
    if refused:
        parts.append(f"{len(refused)} refused")
    say("; ".join(parts))
