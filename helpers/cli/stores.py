"""`ingest` and `add`: anybody's own data in a store of its own, without Agent Zero."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

import click

from ..clock import system_clock
from ..formats.memories import STATES, FileKind, FileReading, NewMemory, name_memories
from ..formats.reading import read_memories
from ..formats.rows import SPEAKERS
from ..host.adoption.transfers import FolderArchive
from ..store.tables import to_line
from ..texts import counted
from .declaring import DONE, PROBLEMS, Argument, Options, declare, tell
from .lines import InputError, read_settings
from .options import DRY_RUN, FILTER_CONFIG, PATH, folder_option
from .output import say
from .progress import progress

_SHOWN: Final = 5
#: So many faults of a file are told each.
_TOLD: Final = 20
#: Whose word something may be said to be.
_SPEAKERS: Final = ("user", "agent")


def run_ingest(options: Options) -> int:
    """Store what a file says and the store has not; what cannot be read is named, and the rest goes on."""
    reading = _read(options)
    for fault in reading.faults[:_TOLD]:
        tell(f"{options.file}{fault.where and f', {fault.where}'}: {fault.words}")
    if more := len(reading.faults[_TOLD:]):
        tell(f"{options.file}: ... and {more:,} more like this")
    tell(f"{options.file}: {_describe(reading, is_folder=options.file.is_dir())}")
    status = PROBLEMS if reading.faults else DONE
    if options.dry_run:
        for memory in reading.memories[:_SHOWN]:
            say(memory.text)
        return status
    if not reading.memories:
        return status
    at = system_clock() if reading.kind in STATES else None
    return _store(options, reading.memories, str(options.file), at=at) or status


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
    """Return what a file was taken for, how many memories it has, and what of it was left out."""
    kind = "a memory folder of Agent Zero" if is_folder else reading.kind.words
    encoding = "" if reading.encoding == "UTF-8" else f" in {reading.encoding}"
    left = ", ".join(f"{what} ({count:,})" for what, count in reading.left_out.items() if count)
    names = ("line", "lines") if reading.kind is FileKind.LINES else ("entry", "entries")
    faults = f"; {counted(len(reading.faults), *names)} could not be read" if reading.faults else ""
    memories = counted(len(reading.memories), "memory", "memories")
    return f"{kind}{encoding}, {memories}{left and f'; left out: {left}'}{faults}"


def run_add(options: Options) -> int:
    """Store one memory."""
    if not options.text.strip():
        raise click.UsageError("the text says nothing; allowed: a text that says something")
    memory = NewMemory(text=options.text.strip(), source=SPEAKERS[options.source], stated_at=system_clock())
    return _store(options, [memory], "the text")


def _store(options: Options, memories: Sequence[NewMemory], name: str, at: datetime | None = None) -> int:
    from ..host.adoption.ingest import open_ingest

    settings = read_settings(options.config)
    with (
        _stop_requests() as is_stopped,
        open_ingest(options.folder, options.load(), settings, clock=system_clock) as ingest,
    ):
        new, erased_count = ingest.leave_known([*name_memories(memories)])
        if known := len(memories) - len(new) - erased_count:
            tell(f"{name}: {known:,} of {counted(len(memories), 'memory', 'memories')} stored before")
        if erased_count:
            tell(f"{name}: {counted(erased_count, 'memory', 'memories')} erased before, and left out")
        line = "{}: {} of {} memories stored".format
        with progress(name, len(new), line=line) as advance:
            advance.begin()
            count = ingest.run(new, at=at, should_stop=is_stopped, tell_saved=advance, tell_problem=tell)
    tell(f"{counted(count, 'memory', 'memories')} stored in {options.folder}")
    if is_stopped():
        tell("stopped before the end; the same command continues from here")
    return PROBLEMS if is_stopped() else DONE


@contextmanager
def _stop_requests() -> Iterator[Callable[[], bool]]:
    """Hear of Ctrl-C and of a plain kill, so that the work can end in order; a second one ends it at once."""
    heard: list[int] = []
    before: dict[int, Any] = {}

    def stop(number: int, frame: object) -> None:
        heard.append(number)
        signal.signal(number, before[number])

    for one in (signal.SIGINT, signal.SIGTERM):
        before[one] = signal.signal(one, stop)
    try:
        yield lambda: bool(heard)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


_FILE = Argument("file", type=PATH, help="a file of memories, or a memory folder of Agent Zero; - is standard input")
_TEXT = Argument("text", help="what is to be remembered")
_STORE = folder_option(help="the store; created if it is missing")

COMMANDS = (
    declare(
        "ingest",
        run_ingest,
        _FILE,
        _STORE,
        click.Option(
            ["--as", "kind"],
            type=click.Choice([one.value for one in FileKind]),
            help="what the file is (default: found by its content)",
        ),
        click.Option(["--source"], type=click.Choice(_SPEAKERS), help="whose word it is, where the file does not say"),
        DRY_RUN,
        FILTER_CONFIG,
        examples=(
            "memory-ledger ingest memories.jsonl --folder my-store",
            "memory-ledger ingest conversations.json --dry-run --folder my-store",
        ),
    ),
    declare(
        "add",
        run_add,
        _TEXT,
        _STORE,
        click.Option(["--source"], type=click.Choice(_SPEAKERS), default="user", help="whose word it is"),
        FILTER_CONFIG,
        examples=('memory-ledger add "The wiki runs on Gollum" --folder my-store',),
    ),
)
