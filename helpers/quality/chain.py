"""The hash chain over the immutable core of every memory, and its verification. Pure.

Each line names the one before it by its digest and is signed as it stands, so no line can be changed, moved or left out
unseen. A memory is chained once; another line replaces it where the host rewrote the memory, and a line without a hash
where the host deleted it. Scores, links and status are no part of the core: they may change.

The digest of a core is keyed, so that a chain alone reveals nothing about a guessed text. Of an erased memory only the
digest of its line remains, which nobody can compute again: the line held a salt. A break is reported until a person
agrees to a new chain over the present memories.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple, Protocol

from ..errors import shorten
from ..records import Memory
from .kinds import memory_type

#: The predecessor of the first line.
GENESIS = "sha256:" + "0" * 64

Line = dict[str, Any]


class Keys(Protocol):
    """The signature of a line, and the digest of a core."""

    def sign(self, data: bytes) -> Mapping[str, str]:
        """Return the signature of `data`."""

    def check(self, data: bytes, signature: Mapping[str, Any]) -> str | None:
        """Return what is wrong with a signature; None if nothing."""

    def digest(self, data: bytes) -> str | None:
        """Return the keyed digest of `data`; None without a key."""

    def salt(self) -> str:
        """Return a random text."""


class Core(NamedTuple):
    """The part of a memory that never changes; the time as ISO 8601.

    `content` is the JSON text of its structured content, None without one.
    """

    id: str
    text: str
    created_at: str
    type: str
    source: str
    content: str | None = None


class Break(NamedTuple):
    """A break of the chain: the line, the memory that it is about, and the reason."""

    seq: int
    memory_id: str | None
    reason: str

    def __str__(self) -> str:
        about = f" (memory {self.memory_id})" if self.memory_id is not None else ""
        return f"line {self.seq}{about}: {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainHead:
    """The end of the chain: the number and the digest of its last line."""

    count: int
    digest: str


@dataclass(slots=True)
class ChainReport:
    """The result of a verification; `lines` holds the valid line of each chained memory."""

    length: int = 0
    breaks: list[Break] = field(default_factory=list)
    signature_errors: dict[str, str] = field(default_factory=dict)
    lines: dict[str, Line] = field(default_factory=dict)

    @property
    def is_intact(self) -> bool:
        """Whether every line, signature and memory is unchanged."""
        return not self.breaks

    @property
    def in_order(self) -> list[Break]:
        """The breaks in the order of their lines."""
        return sorted(self.breaks, key=lambda break_: break_.seq)

    def error_of(self, memory_id: str) -> str | None:
        """Return why the chain is broken at a memory; None if it is not."""
        return next((str(break_) for break_ in self.breaks if break_.memory_id == memory_id), None)


def canonical(value: Mapping[str, Any]) -> bytes:
    """Return the canonical JSON text of `value`."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace")


def digest(data: bytes) -> str:
    """Return the digest that the next line names."""
    return f"sha256:{sha256(data).hexdigest()}"


def stated_in(line: Mapping[str, Any]) -> str | None:
    """Return the digest of the core in a line; None without one."""
    digest = line.get("hash")
    return digest if isinstance(digest, str) else None


def digest_of(core: Core, keys: Keys) -> str | None:
    """Return the keyed digest of a core; None without a key."""
    return keys.digest(canonical(core._asdict()))


def core_of(memory: Memory | None) -> Core | None:
    """Return the core of a classified memory; None without one, or without a status."""
    if memory is None or memory.classification is None or memory.lineage is None:
        return None
    created_at, source = memory.lineage.created_at.isoformat(), memory.classification.source.value
    return Core(memory.id, memory.text, created_at, memory_type(memory).value, source, memory.content_text)


def describe(core: Core, keys: Keys, *, is_signed: bool = True) -> Line:
    """Return the body of the line about a memory.

    Without `is_signed`, its earlier text is not vouched for; the line itself is protected all the same.
    """
    line = {
        "id": core.id,
        "hash": digest_of(core, keys),
        "salt": keys.salt(),
        "created_at": core.created_at,
        "type": core.type,
        "source": core.source,
    }
    return line if is_signed else {**line, "unsigned": True}


def bury(memory_id: str) -> Line:
    """Return the body of the line about a memory that is gone."""
    return {"id": memory_id, "tombstone": True}


def make_lines(head: ChainHead, bodies: Iterable[Line], *, at: str, keys: Keys) -> tuple[list[bytes], ChainHead]:
    """Return the lines that follow `head`, one for each of `bodies`, and the new head."""
    lines: list[bytes] = []
    for body in bodies:
        lines.append(_signed({**body, "seq": head.count + 1, "prev": head.digest, "at": at}, keys))
        head = ChainHead(count=head.count + 1, digest=digest(lines[-1]))
    return lines, head


def _signed(line: Line, keys: Keys) -> bytes:
    return canonical({**line, "signature": dict(keys.sign(canonical(line)))})


def erase_from(lines: Sequence[bytes], memory_id: str, *, at: str, keys: Keys) -> tuple[list[bytes], int]:
    """Return lines without the name and the digests of a memory, and the number of lines that were changed.

    Each of these keeps its place, and the digest that the next line names.
    """
    kept, count = [], 0
    for data in lines:
        line = parse_chain_line(data)
        if line is None or line.get("id") != memory_id:
            kept.append(data)
            continue
        gone = {"seq": line.get("seq"), "prev": line.get("prev"), "at": at, "erased": digest(data)}
        kept.append(_signed(gone, keys))
        count += 1
    return kept, count


def split(data: bytes) -> list[bytes]:
    """Return the lines of a chain, also one after the last line end."""
    lines = data.split(b"\n")
    return lines[:-1] if lines[-1] == b"" else lines


def parse_chain_line(data: bytes) -> Line | None:
    """Return the object of a line; None if it is no JSON object."""
    try:
        line = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return line if isinstance(line, dict) else None


def end_of(lines: Sequence[bytes]) -> ChainHead:
    """Return the number and the digest of the last line."""
    if not lines:
        return ChainHead(count=0, digest=GENESIS)
    line = parse_chain_line(lines[-1]) or {}
    number = line.get("seq")
    return ChainHead(count=number if type(number) is int else len(lines), digest=_name_of(line, lines[-1]))


def _name_of(line: Line | None, data: bytes) -> str:
    """Return the digest under which the next line names this one."""
    erased = line.get("erased") if line is not None else None
    return erased if isinstance(erased, str) else digest(data)


def verify(data: bytes, head: ChainHead | None, read: Callable[[str], Core | None], *, keys: Keys) -> ChainReport:
    """Return the report over a chain file and the memories; reads both once.

    `read` returns the present core of a memory, None if it is missing; `head` is the recorded end of the file.
    """
    report = ChainReport()
    before = ChainHead(count=0, digest=GENESIS)
    for seq, entry in enumerate(split(data), 1):
        report.length = seq
        line = parse_chain_line(entry)
        follows_break = bool(report.breaks) and report.breaks[-1].seq == seq - 1
        reason = _fault(line, entry, before, follows_break=follows_break)
        named = line.get("id") if line is not None else None
        memory_id = named if isinstance(named, str) else None
        after = end_of([entry]) if line is not None else ChainHead(count=before.count + 1, digest=digest(entry))
        if reason is not None:
            report.breaks.append(Break(seq, memory_id, reason))
        if head is not None and after.count == head.count and after.digest != head.digest:
            report.breaks.append(Break(seq, memory_id, "is not what was written last"))
        if line is not None and reason is None:
            _enter(report, seq, line, keys.check)
        before = after
    if head is not None and before.count < head.count:
        report.breaks.append(Break(report.length + 1, None, f"is missing; there were {head.count} lines"))
    _compare(report, read, keys)
    return report


def _fault(line: Line | None, data: bytes, before: ChainHead, *, follows_break: bool) -> str | None:
    """Return the fault of a line, by itself or after the line before it, whose own fault is reported only once."""
    if line is None:
        return "is no JSON object"
    if canonical(line) != data:
        return "is not written as it was"
    if line.get("prev") != before.digest and not follows_break:
        return "does not follow the line before it: one of the two was changed"
    seq = line.get("seq")
    return None if type(seq) is int and seq == before.count + 1 else f"has the number {shorten(seq)}"


def _enter(report: ChainReport, seq: int, line: Line, check: Callable[[bytes, Mapping[str, Any]], str | None]) -> None:
    """Enter a line into the report."""
    body = {key: value for key, value in line.items() if key != "signature"}
    signature, named = line.get("signature"), line.get("id")
    memory_id = named if isinstance(named, str) else None
    fault = check(canonical(body), signature) if isinstance(signature, dict) else "is no object"
    if fault is not None:
        report.breaks.append(Break(seq, memory_id, f"the signature {fault}"))
    if memory_id is None:
        return
    if fault is not None:
        report.signature_errors[memory_id] = f"the signature of line {seq} {fault}"
    else:
        report.signature_errors.pop(memory_id, None)
    if "tombstone" in line:
        report.lines.pop(memory_id, None)
    else:
        report.lines[memory_id] = {**line, "seq": seq}


def _compare(report: ChainReport, read: Callable[[str], Core | None], keys: Keys) -> None:
    """Compare every present memory with its line."""
    for memory_id, line in report.lines.items():
        core = read(memory_id)
        stated = stated_in(line)
        if core is None or stated is None or memory_id in report.signature_errors:
            continue  # the host deleted it, and the tombstone comes next; or its line says nothing that holds
        if digest_of(core._replace(type=line["type"]), keys) == stated:
            continue
        as_stated = core._replace(type=line["type"], created_at=line["created_at"], source=line["source"])
        changed = [name for name in ("created_at", "source") if getattr(core, name) != line[name]]
        parts = [] if digest_of(as_stated, keys) == stated else ["text or content"]
        report.breaks.append(Break(line["seq"], memory_id, f"{' and '.join([*parts, *changed])} changed since"))
