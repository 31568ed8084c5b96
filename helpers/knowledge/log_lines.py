"""Audit logs, message by message: one JSON object a line, or one in each fence of a Markdown log (T-34).

What cannot be read is counted and left out (M-06). Pure: lines go in, messages come out, and nothing but the message
that is being read is remembered.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from ..patterns import regex

#: A record of more bytes than this is no message.
LARGEST_RECORD = 4_000_000

#: `YYYYMMDD.log`, `YYYYMMDD-N.log` where several machines write one each, and the original project's `YYYYMMDD-N.md`.
_LOG_NAME = regex(r"(\d{4})(\d{2})(\d{2})(?:-(\d{1,6}))?\.(?:log|jsonl|md)\Z")
_YEARS = range(1990, 2200)
#: The orchestrator's own time of a message in Markdown; the message's is one that a model made up.
_HEADING = regex(rb"## \[(\d{1,2}:\d{2}:\d{2}(?:\s*[ap]m)?)\]", re.IGNORECASE)
_FENCE = b"```"
#: What some editors put before the first line of a file.
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True, order=True)
class LogName:
    """A log file in the order in which logs are read: by day, then by number, then by name."""

    day: date
    number: int
    name: str

    @property
    def is_prose(self) -> bool:
        """Whether it is Markdown, in which lines between the messages are nothing to wonder about."""
        return self.name.endswith(".md")


def parse_log_name(name: str) -> LogName | None:
    """Return what a file name tells; None if it is not that of a log."""
    match = _LOG_NAME.match(name)
    try:
        day = None if match is None else date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return None
    if match is None or day is None or day.year not in _YEARS:
        return None
    return LogName(day=day, number=int(match[4] or 0), name=name)


def log_name_of(day: date, number: int = 0) -> str:
    """Return the name of our own log of a day (T-34); with a number where several machines write one each."""
    return f"{day:%Y%m%d}-{number}.log" if number else f"{day:%Y%m%d}.log"


class Record(NamedTuple):
    """A message as the log has it, and the time of day that the log gives it; empty where it gives none."""

    message: dict[str, Any]
    clock: str = ""


def read_records(lines: Iterable[bytes], *, is_prose: bool) -> Iterator[Record | None]:
    """Yield every message of a file, and None for each place where one should have been and none is (M-06)."""
    unmarked = (line.removeprefix(_BYTE_ORDER_MARK) for line in lines)
    return _in_markdown(unmarked) if is_prose else _in_lines(unmarked)


def _in_lines(lines: Iterator[bytes]) -> Iterator[Record | None]:
    for line in lines:
        if text := line.strip():
            yield _to_record(text)


def _in_markdown(lines: Iterator[bytes]) -> Iterator[Record | None]:
    clock = ""
    for line in lines:
        if (heading := _HEADING.match(line)) is not None:
            clock = heading[1].decode("ascii")
        elif line.strip().startswith(b"```json"):
            yield _to_record(_fenced(lines), clock)
            clock = ""


def _fenced(lines: Iterator[bytes]) -> bytes:
    """Return what stands up to the end of a fence; nothing if it has no end, or is too large."""
    parts: list[bytes] = []
    size = 0
    for line in lines:
        if line.startswith(_FENCE):
            return b"".join(parts) if size <= LARGEST_RECORD else b""
        size += len(line)
        if size <= LARGEST_RECORD:
            parts.append(line)
    return b""


def _to_record(data: bytes, clock: str = "") -> Record | None:
    if len(data) > LARGEST_RECORD:
        return None
    try:
        message = json.loads(data.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        return None
    return Record(message, clock) if isinstance(message, dict) else None
