"""The hash chain over the immutable core of every memory, and what breaks it (Q-31, T-30). Pure.

Each line names the one before it by its digest and is signed as it stands, so no line can be changed, moved or left out
unseen. A memory is chained once; another line takes its place where the host rewrote it, and one without a hash where
the host deleted it. Scores, links and standing are no part of the core: they change as they please.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

from ..records import Memory

#: What the first line names as the one before it.
GENESIS = "sha256:" + "0" * 64

_LINE_KEYS = frozenset(("seq", "id", "prev", "at"))
_CORE_KEYS = frozenset(("hash", "created_at", "type", "source"))
_OTHER_KEYS = frozenset(("tombstone", "unsigned", "signature"))

Line = dict[str, Any]
#: Signs the bytes of a line; says what is wrong with a signature, or None.
Sign = Callable[[bytes], Mapping[str, str]]
CheckSignature = Callable[[bytes, Mapping[str, Any]], str | None]


class Core(NamedTuple):
    """What of a memory never changes while it stays the same memory (T-30); the time as ISO 8601."""

    id: str
    text: str
    created_at: str
    type: str
    source: str


class Break(NamedTuple):
    """Where the chain does not hold: the line, the memory that it is about, and why."""

    seq: int
    memory_id: str | None
    reason: str

    def __str__(self) -> str:
        about = f" (memory {self.memory_id})" if self.memory_id is not None else ""
        return f"line {self.seq}{about}: {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """How far the chain had been written: its last line's number and digest."""

    count: int
    digest: str


@dataclass(slots=True)
class ChainReport:
    """What a verification found; `lines` holds, of each memory that is chained, the line that counts."""

    length: int = 0
    breaks: list[Break] = field(default_factory=list)
    signature_errors: dict[str, str] = field(default_factory=dict)
    lines: dict[str, Line] = field(default_factory=dict)

    @property
    def is_intact(self) -> bool:
        """Whether every line, signature and memory is what it was."""
        return not self.breaks

    @property
    def first_break(self) -> Break | None:
        """The break with the lowest number."""
        return min(self.breaks, default=None, key=lambda one: one.seq)

    def error_of(self, memory_id: str) -> str | None:
        """Return why the chain does not hold for a memory, or None."""
        return next((str(one) for one in self.breaks if one.memory_id == memory_id), None)


# --- writing ---------------------------------------------------------------------------------------------------------


def canonical(value: Mapping[str, Any]) -> bytes:
    """Return `value` as the one JSON text that stands for it."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace")


def digest(data: bytes) -> str:
    """Return the digest under which something is named."""
    return f"sha256:{sha256(data).hexdigest()}"


def core_hash(core: Core) -> str:
    """Return the digest of the immutable core (T-30)."""
    return digest(canonical(core._asdict()))


def core_of(memory: Memory, kind: str) -> Core | None:
    """Return the core of a classified memory of type `kind`; None where it has no standing yet."""
    if memory.classification is None or memory.lineage is None:
        return None
    created_at = memory.lineage.created_at.isoformat()
    return Core(memory.id, memory.text, created_at, kind, memory.classification.source.value)


def make_lines(
    head: Head, cores: Iterable[Core], gone: Iterable[str], *, at: str, sign: Sign, is_signed: bool = True
) -> tuple[list[bytes], Head]:
    """Return the lines that follow `head`, and the new head: one for each core, then a tombstone for each of `gone`.

    Not `is_signed`: nobody vouches for what those memories said before; the line itself is protected all the same.
    """
    lines: list[bytes] = []
    for body in (*map(_describe, cores), *({"id": one, "tombstone": True} for one in gone)):
        line = {**body, "seq": head.count + 1, "prev": head.digest, "at": at}
        if not is_signed and "tombstone" not in body:
            line["unsigned"] = True
        line["signature"] = dict(sign(canonical(line)))
        lines.append(canonical(line))
        head = Head(count=head.count + 1, digest=digest(lines[-1]))
    return lines, head


def _describe(core: Core) -> Line:
    return {
        "id": core.id,
        "hash": core_hash(core),
        "created_at": core.created_at,
        "type": core.type,
        "source": core.source,
    }


# --- verifying -------------------------------------------------------------------------------------------------------


def verify(data: bytes, head: Head | None, read: Callable[[str], Core | None], *, check: CheckSignature) -> ChainReport:
    """Return what a chain file and the memories are worth; takes as long as reading both once (T-30).

    `read` gives the core of a memory as it stands now, None where there is none; `head` is how far the file reached.
    """
    report = ChainReport()
    previous = GENESIS
    raw = data.split(b"\n")
    for seq, one in enumerate(raw[:-1] if raw[-1] == b"" else raw, 1):
        report.length = seq
        line = _read_line(one)
        follows_break = bool(report.breaks) and report.breaks[-1].seq == seq - 1
        reason = _fault(line, one, seq, previous, follows_break=follows_break)
        named = line.get("id") if line is not None else None
        if reason is not None:
            report.breaks.append(Break(seq, named if isinstance(named, str) else None, reason))
        if head is not None and seq == head.count and digest(one) != head.digest:
            report.breaks.append(Break(seq, named if isinstance(named, str) else None, "is not what was written last"))
        if line is not None and reason is None:
            _enter(report, line, check)
        previous = digest(one)
    if head is not None and report.length < head.count:
        report.breaks.append(Break(report.length + 1, None, f"is missing; there were {head.count} lines"))
    _compare(report, read)
    return report


def _read_line(data: bytes) -> Line | None:
    try:
        line = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return line if isinstance(line, dict) else None


def _fault(line: Line | None, data: bytes, seq: int, previous: str, *, follows_break: bool) -> str | None:
    """Return what is wrong with a line, by itself and after the one before it; that one is blamed once only."""
    if line is None:
        return "is no JSON object"
    core = _CORE_KEYS if "tombstone" not in line else frozenset()
    if not (_LINE_KEYS | core) <= line.keys() <= (_LINE_KEYS | core | _OTHER_KEYS) or "signature" not in line:
        return "does not have the keys of a line"
    if canonical(line) != data:
        return "is not written as it was"
    if line["prev"] != previous and not follows_break:
        return "does not follow the line before it: one of the two was changed"
    return None if line["seq"] == seq else f"has the number {line['seq']!r}"


def _enter(report: ChainReport, line: Line, check: CheckSignature) -> None:
    body = {key: value for key, value in line.items() if key != "signature"}
    signature, memory_id = line["signature"], str(line["id"])
    fault = check(canonical(body), signature) if isinstance(signature, dict) else "is no object"
    if fault is not None:
        report.breaks.append(Break(line["seq"], memory_id, f"the signature {fault}"))
        report.signature_errors[memory_id] = f"the signature of line {line['seq']} {fault}"
    else:
        report.signature_errors.pop(memory_id, None)
    if "tombstone" in line:
        report.lines.pop(memory_id, None)
    else:
        report.lines[memory_id] = line


def _compare(report: ChainReport, read: Callable[[str], Core | None]) -> None:
    """Hold every memory that is there against its line."""
    for memory_id, line in report.lines.items():
        core = read(memory_id)
        if core is None:
            continue  # the host deleted it; the tombstone comes with the next lines
        if core_hash(core._replace(type=line["type"])) == line["hash"]:
            continue
        stated = core._replace(type=line["type"], created_at=line["created_at"], source=line["source"])
        changed = [name for name in ("created_at", "source") if getattr(core, name) != line[name]]
        what = ["text"] if core_hash(stated) != line["hash"] else []
        report.breaks.append(Break(line["seq"], memory_id, f"{' and '.join([*what, *changed])} changed since"))


def unchained(report: ChainReport, memory_ids: Sequence[str]) -> list[str]:
    """Return which memories no line speaks of, in their order."""
    return [one for one in memory_ids if one not in report.lines]
