"""Audit logs, line by line: one JSON message a line, and the three forms of the original project (T-34).

Whatever a file holds, it is read in one pass: a line that begins with `{"` is a message; `[TIMESTAMP: ...]` begins a
block of bracketed fields that ends with `---`; `## [time]` begins an entry whose message stands in a fenced JSON block.
What cannot be read is counted and left out (M-06). Pure: lines go in, records come out, and nothing but the record
that is being read is remembered.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from ..patterns import regex

#: A record of more bytes than this is no message.
LARGEST_RECORD = 4_000_000

_HEADING = regex(rb"## \[(\d{1,2}:\d{2}:\d{2})\s*([ap]m)?\]\s*(.*)", re.IGNORECASE)
_NAMED = regex(rb"\*\*(Agent|Session|Request|Event):\*\*\s*(.*)")
_BRACKETED = regex(rb"\[([A-Z_ ]+)(?::([^\]]*))?\](?::?(.*))?")
#: The fields of a block that are read; what the user said is not even looked at (T-59).
_FIELDS = frozenset(
    {
        *("TIMESTAMP", "AGENT", "INPUT SOURCE", "OUTPUT TYPE", "STATUS", "RESOURCES"),
        *("COMPLIANCE NOTES", "GOVERNANCE FILES", "MESSAGE_ID", "SESSION_ID"),
    }
)
_STORED = regex(r"\b(store_\d+|derived_\d+):([a-z_]+)")
_STARTS = (b'{"', b"[TIMESTAMP:", b"## [")
_FENCE = b"```"
#: What some editors put before the first line of a file.
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


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


@dataclass(frozen=True, slots=True)
class Malformed:
    """Something that stood where a message should, and is none."""

    reason: str


def starts_record(line: bytes) -> bool:
    """Whether a record can begin with this line: where a file may be cut in two."""
    return line.startswith(_STARTS)


@dataclass(slots=True)
class LogParser:
    """Reads one file; `is_prose` is for Markdown, in which lines between the messages are nothing to wonder about."""

    is_prose: bool
    _heading: Heading = field(default_factory=Heading)
    _fenced: list[bytes] | None = None
    _fenced_bytes: int = 0
    _block: dict[str, str] | None = None

    @property
    def is_between(self) -> bool:
        """Whether what was read so far is whole: no record has begun that has not ended."""
        return self._fenced is None and self._block is None

    def feed(self, line: bytes) -> Record | Malformed | None:
        """Read the next line; return the record that ends with it, if one does."""
        line = line.removeprefix(_BYTE_ORDER_MARK)
        if self._fenced is not None:
            return self._in_fence(line)
        if self._block is not None:
            return self._in_block(line)
        if line.startswith(b"{") and not self.is_prose:
            return self._to_record(line)
        text = line.strip()
        if not text or text == b"---":
            return None
        if text.startswith(b"[TIMESTAMP:"):
            self._block = {}
            return self._in_block(line)
        if text.startswith(b"```json"):
            self._fenced, self._fenced_bytes = [], 0
            return None
        if text.startswith(b'{"'):
            return self._to_record(text)
        return self._outside(text)

    def finish(self) -> Malformed | None:
        """End the file; a record that had begun was torn."""
        whole = self.is_between
        self._fenced = self._block = None
        return None if whole else Malformed("a record without an end")

    def _outside(self, text: bytes) -> Malformed | None:
        found = _HEADING.match(text)
        if found is not None:
            clock = b" ".join(part for part in found.groups()[:2] if part)
            title = _text(found[3])
            self._heading = Heading(clock=_text(clock), agent="" if " " in title else title)
            return None
        named = _NAMED.match(text)
        if named is not None:
            setattr(self._heading, _text(named[1]).lower(), _text(named[2]))
            return None
        return None if self.is_prose or text.startswith(b"#") else Malformed("a line that is no message")

    def _in_fence(self, line: bytes) -> Record | Malformed | None:
        lines = self._fenced if self._fenced is not None else []
        self._fenced_bytes += len(line)
        if not line.startswith(_FENCE):
            if self._fenced_bytes <= LARGEST_RECORD:
                lines.append(line)
            return None
        self._fenced = None
        if self._fenced_bytes > LARGEST_RECORD:
            return Malformed("a record that is too large")
        return self._to_record(b"".join(lines))

    def _in_block(self, line: bytes) -> Record | Malformed | None:
        block = self._block if self._block is not None else {}
        text = line.strip()
        if text == b"---":
            self._block = None
            return _from_block(block)
        found = _BRACKETED.match(text)
        if found is not None:
            name = _text(found[1]).strip()
            if name == "TIMESTAMP" and block:
                self._block = {"TIMESTAMP": _text(found[2] or b"")}
                return Malformed("a block without an end")
            if name == "STATUS":
                block["STATUS"] = _text(found[2] or b"")
            elif name in _FIELDS:
                block[name] = _text(found[2] or found[3] or b"")
        return None

    def _to_record(self, data: bytes) -> Record | Malformed:
        heading = self._heading
        if self.is_prose:
            self._heading = Heading()
        if len(data) > LARGEST_RECORD:
            return Malformed("a record that is too large")
        try:
            message = json.loads(data.decode("utf-8", "surrogatepass") if data.startswith(b'{"') else data)
        except (ValueError, RecursionError):
            return Malformed("not JSON")
        return Record(message, heading) if isinstance(message, dict) else Malformed("no JSON object")


def _from_block(block: dict[str, str]) -> Record | Malformed:
    """Return the message that a block of bracketed fields tells of, in the standard shape."""
    if not block.get("AGENT") or not block.get("STATUS"):
        return Malformed("a block without agent or status")
    code = block["STATUS"].strip()
    stored = _STORED.findall(block.get("RESOURCES", ""))
    message: dict[str, Any] = {
        "message_id": block.get("MESSAGE_ID") or None,
        "agent": {"name": block["AGENT"]},
        "input": {"source": block.get("INPUT SOURCE", "")},
        "output": {"content_type": block.get("OUTPUT TYPE", "")},
        "status": {"code": code},
        "error": {"has_error": code == "failed"},
        "metadata": {"session_id": block.get("SESSION_ID", "")},
        "resources": {
            "storage_refs": [{"status": status} for ref, status in stored if ref.startswith("store")],
            "derived_refs": [{"status": status} for ref, status in stored if ref.startswith("derived")],
        },
        "audit": {
            "compliance_notes": block.get("COMPLIANCE NOTES", ""),
            "governance_files_consulted": [one.strip() for one in block.get("GOVERNANCE FILES", "").split(",")],
        },
    }
    return Record(message, Heading(clock=block.get("TIMESTAMP", "")))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").strip()
