"""Audit logs, record by record: one JSON message a line, and the three forms of the original project (T-34).

Whatever a file holds, it is read in one pass: a line that begins with `{"` is a message; `[TIMESTAMP: ...]` begins a
block of bracketed fields that ends with `---`; `## [time]` begins an entry whose message stands in a fenced JSON block.
What cannot be read is counted and left out (M-06). Pure: lines go in, records come out, and nothing but the record
that is being read is remembered.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import Any

from ..patterns import regex

#: A record of more bytes than this is no message.
LARGEST_RECORD = 4_000_000

#: `YYYYMMDD.log`, and what the original project also wrote: `YYYYMMDD-N.md` and `DDMMYYYY-N.md`.
_LOG_NAME = regex(r"(\d{8})(?:-(\d{1,6}))?\.(log|jsonl|md)\Z")
_YEARS = range(1990, 2200)
_HEADING = regex(rb"## \[(\d{1,2}:\d{2}:\d{2}(?:\s*[ap]m)?)\]\s*(.*)", re.IGNORECASE)
_NAMED = regex(rb"\*\*(Agent|Session|Request|Event):\*\*\s*(.*)")
_BRACKETED = regex(rb"\[([A-Z_ ]+)(?::([^\]]*))?\](?::?(.*))?")
#: The fields of a block that are read; what the user said is not even looked at (T-59).
_FIELDS = frozenset(
    {
        *("TIMESTAMP", "AGENT", "INPUT SOURCE", "OUTPUT TYPE", "STATUS"),
        *("COMPLIANCE NOTES", "GOVERNANCE FILES", "MESSAGE_ID", "SESSION_ID"),
    }
)
_BLOCK, _FENCE, _RULE = b"[TIMESTAMP:", b"```", b"---"
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
    found = _LOG_NAME.match(name)
    if found is None:
        return None
    digits = found[1]
    day = _day(digits[:4], digits[4:6], digits[6:]) or _day(digits[4:], digits[2:4], digits[:2])
    return None if day is None else LogName(day=day, number=int(found[2] or 0), name=name)


def log_name_of(day: date, number: int = 0) -> str:
    """Return the name of our own log of a day (T-34); with a number where several machines write one each."""
    return f"{day:%Y%m%d}-{number}.log" if number else f"{day:%Y%m%d}.log"


@dataclass(slots=True)
class Heading:
    """What an entry says about its message before it begins; empty where it says nothing."""

    clock: str = ""
    agent: str = ""
    session: str = ""
    request: str = ""
    event: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """One message, or a piece of one, with the heading that it stood under."""

    message: dict[str, Any]
    heading: Heading


def read_records(lines: Iterable[bytes], *, is_prose: bool) -> Iterator[Record | None]:
    """Yield every record of a file, and None for each place where one should have been and none is (M-06)."""
    heading = Heading()
    rest = (line.removeprefix(_BYTE_ORDER_MARK) for line in lines)
    for line in rest:
        text = line.strip()
        if (line.startswith(b"{") and not is_prose) or text.startswith(b'{"'):
            yield _to_record(text, heading)
            heading = Heading()
        elif text.startswith(b"```json"):
            yield _to_record(_fenced(rest), heading)
            heading = Heading()
        elif text.startswith(_BLOCK):
            yield from _read_block(text, rest)
        elif (titled := _HEADING.match(text)) is not None:
            title = _text(titled[2])
            heading = Heading(clock=_text(titled[1]), agent="" if " " in title else title)
        elif (named := _NAMED.match(text)) is not None:
            setattr(heading, _text(named[1]).lower(), _text(named[2]))
        elif text and text != _RULE and not is_prose and not text.startswith(b"#"):
            yield None


def _fenced(rest: Iterator[bytes]) -> bytes | None:
    """Return what stands up to the end of a fence; None if it has none, or is too large."""
    parts: list[bytes] = []
    size = 0
    for line in rest:
        if line.startswith(_FENCE):
            return b"".join(parts) if size <= LARGEST_RECORD else None
        size += len(line)
        if size <= LARGEST_RECORD:
            parts.append(line)
    return None


def _to_record(data: bytes | None, heading: Heading) -> Record | None:
    if data is None or len(data) > LARGEST_RECORD:
        return None
    try:
        message = json.loads(data.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        return None
    return Record(message, heading) if isinstance(message, dict) else None


def _read_block(first: bytes, rest: Iterator[bytes]) -> Iterator[Record | None]:
    """Yield the message of a block; None for one that another one interrupts, or the end of the file."""
    block: dict[str, str] = {}
    for line in chain((first,), rest):
        text = line.strip()
        if text == _RULE:
            yield _from_block(block)
            return
        found = _BRACKETED.match(text)
        name = "" if found is None else _text(found[1])
        if name == "TIMESTAMP" and block:
            yield None
            block = {}
        if found is not None and name in _FIELDS:
            block[name] = _text(found[2] or (b"" if name == "STATUS" else found[3]) or b"")
    yield None


def _from_block(block: dict[str, str]) -> Record | None:
    """Return the message that a block of bracketed fields tells of, in the standard shape."""
    if not block.get("AGENT") or not block.get("STATUS"):
        return None
    message: dict[str, Any] = {
        "message_id": block.get("MESSAGE_ID") or None,
        "agent": {"name": block["AGENT"]},
        "input": {"source": block.get("INPUT SOURCE", "")},
        "output": {"content_type": block.get("OUTPUT TYPE", "")},
        "status": {"code": block["STATUS"]},
        "error": {"has_error": block["STATUS"] == "failed"},
        "metadata": {"session_id": block.get("SESSION_ID", "")},
        "audit": {
            "compliance_notes": block.get("COMPLIANCE NOTES", ""),
            "governance_files_consulted": [one.strip() for one in block.get("GOVERNANCE FILES", "").split(",")],
        },
    }
    return Record(message, Heading(clock=block.get("TIMESTAMP", "")))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").strip()


def _day(year: str, month: str, day: str) -> date | None:
    try:
        found = date(int(year), int(month), int(day))
    except ValueError:
        return None
    return found if found.year in _YEARS else None
