"""`ingest`: anybody's own data in a store of its own, without Agent Zero."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC
from pathlib import Path
from typing import Any

from ..clock import parse_time, system_clock
from ..host.adoption.line_file import LineFile, LineMark, NewMemory
from ..records import Source
from ..texts import counted
from .declaring import DONE, PROBLEMS, Argument, Options, declare, tell
from .lines import InputError, read_field, read_row, read_settings
from .options import FILTER_CONFIG, PATH, folder_option
from .progress import progress

_SOURCES = [one for one in Source if one is not Source.BOOKSHELF_DOCUMENT]  # reserved, never assigned (C-27)


def run_ingest(options: Options) -> int:
    """Store the lines of a file that are not stored yet; what cannot be read is named, and the rest goes on."""
    from ..host.adoption.ingest import open_ingest

    settings = read_settings(options.config)
    file = _read_file(options.file)
    problems: list[str] = []
    with (
        _stop_requests() as is_stopped,
        open_ingest(options.folder, options.load(), settings, clock=system_clock) as ingest,
    ):
        known = ingest.stored_count(file)
        if known:
            tell(f"{options.file}: {known} of {counted(len(file), 'line', 'lines')} stored before")
        with progress(str(options.file), len(file), line=_to_line) as advance:
            advance.begin()
            count = ingest.run(
                _new_memories(file, options.file, known, problems),
                should_stop=is_stopped,
                tell_saved=advance,
                tell_problem=tell,
            )
    tell(f"{counted(count, 'memory', 'memories')} stored in {options.folder}")
    if is_stopped():
        tell("stopped before the end; the same command continues from here")
    elif problems:
        tell(f"{counted(len(problems), 'line', 'lines')} could not be read")
    return PROBLEMS if problems or is_stopped() else DONE


def _to_line(file: str, line: int, every: int) -> str:
    return f"{file}: {line} of {counted(every, 'line', 'lines')} stored"


def _read_file(path: Path) -> LineFile:
    try:
        return LineFile(path)
    except OSError as exc:
        raise InputError(f"{path}: {exc.strerror}; allowed: a JSON Lines file") from exc


def _new_memories(file: LineFile, path: Path, known: int, problems: list[str]) -> Iterator[tuple[LineMark, NewMemory]]:
    """Yield what the lines after the `known` ones say; those before are read as well, so that a problem stays one."""
    for mark, line in file:
        if not line.strip():
            continue
        try:
            memory = _read_memory(line, mark.number)
        except InputError as exc:
            problems.append(f"{path}, line {mark.number}: {exc}")
            tell(problems[-1])
            continue
        if mark.number > known:
            yield mark, memory


def _read_memory(line: bytes, number: int) -> NewMemory:
    row = read_row(line.decode("utf-8", "surrogateescape"), number)
    text, metadata = read_field(row, "text", str), read_field(row, "metadata", dict, {})
    if not text.strip():
        raise InputError(f"text is {text!r}; allowed: a text that says something")
    source = row.get("source")
    timestamp = row.get("timestamp", metadata.get("timestamp"))
    stated_at = parse_time(timestamp, zone=UTC)
    if timestamp is not None and stated_at is None:
        raise InputError(f"timestamp is {timestamp!r}; allowed: ISO 8601")
    return NewMemory(
        text=text, source=None if source is None else _read_source(source), stated_at=stated_at, metadata=metadata
    )


def _read_source(value: object) -> Source:
    if value not in _SOURCES:
        raise InputError(f"source is {value!r}; allowed: {', '.join(_SOURCES)}")
    return Source(str(value))


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


_FILE = Argument("file", type=PATH, help="JSON Lines: text, source, timestamp, metadata")
_STORE = folder_option(help="the store; created if it is missing")

COMMANDS = (
    declare(
        "ingest",
        run_ingest,
        _FILE,
        _STORE,
        FILTER_CONFIG,
        examples=("memory-ledger ingest memories.jsonl --folder my-store",),
    ),
)
