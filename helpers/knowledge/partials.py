"""What one part of the logs comes to, and how parts are put together (M-11, M-64).

A part is first read to hops, which are put in boxes by what a transaction has in common; then each box is folded, with
the boxes of the other parts that bear its number. Both steps are pure functions over plain values, so that they run in
this process, in others, or on other machines; what they return is merged in any order.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, timezone
from typing import Any

from .decisions import TransactionSummary, corrected, decide
from .hops import Hop, from_row, parse_hop, to_row, zone_of
from .log_lines import Malformed, Record
from .patterns import Tally, count, merge_tally, recount
from .trail import StepKind
from .transactions import Assembler, Transaction, shuffle_key

_WRITTEN_AT_ONCE = 200
#: A hop is a list to it.
_to_json = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode
#: The tag of a chain that fell silent; every other one's is the first letter of its outcome.
_UNFINISHED = "U"
#: The origin of a message whose chain was counted already: it is there only because the chain may go on.
COUNTED = "counted"


@dataclass(slots=True)
class Read:
    """What a part of a log holds: compressed hops by box, of which `days` since 1970, and how many were malformed."""

    days: set[int] = field(default_factory=set)
    boxes: dict[int, bytes] = field(default_factory=dict)
    messages: int = 0
    malformed: int = 0
    whole_up_to: int = 0


@dataclass(slots=True)
class Folded:
    """What transactions come to: counts by day, the tag of each by its digest, and by box what has not ended (T-58)."""

    days: dict[str, Tally] = field(default_factory=dict)
    tags: dict[str, dict[str, str]] = field(default_factory=dict)
    open_rows: dict[int, list[list[Any]]] = field(default_factory=dict)
    #: The messages of chains that were rejected and may go on; how those that went on were and are to be counted.
    rejected_rows: list[list[Any]] = field(default_factory=list)
    gone_on: list[tuple[TransactionSummary, TransactionSummary]] = field(default_factory=list)
    transactions: int = 0
    repeated: int = 0
    stray: int = 0
    given_up: int = 0
    #: The latest answer in each chat, and the requests that users took back of which the answer stands elsewhere.
    latest: dict[str, TransactionSummary] = field(default_factory=dict)
    taken_back: list[tuple[str, str]] = field(default_factory=list)

    def mark(self, session: str, decision: TransactionSummary) -> None:
        """Take up that the user takes back the answer before, and that this one may be taken back."""
        before = self.latest.get(session)
        if decision.corrects and before is not None and before.transaction_id == decision.corrects:
            recount(self.days[before.day], before, corrected(before))
        elif decision.corrects:
            self.taken_back.append((session, decision.corrects))
        self.latest[session] = decision

    def go_on(self, before: TransactionSummary, after: TransactionSummary, digest: str, *, is_here: bool) -> None:
        """Count a chain that was rejected and went on as what it has become; it may have been counted elsewhere."""
        if is_here:
            recount(self.days[before.day], before, after)
        else:
            self.gone_on.append((before, after))
        self.tags.setdefault(before.day, {})[digest] = after.outcome.value[0]

    def merge(self, other: Folded) -> None:
        """Add what the fold of another box has found."""
        for day, tally in other.days.items():
            merge_tally(self.days.setdefault(day, {}), tally)
        for day, tags in other.tags.items():
            self.tags.setdefault(day, {}).update(tags)
        self.open_rows |= other.open_rows
        self.rejected_rows += other.rejected_rows
        self.gone_on += other.gone_on
        self.transactions += other.transactions
        self.repeated += other.repeated
        self.stray += other.stray
        self.given_up += other.given_up
        self.latest |= other.latest
        self.taken_back += other.taken_back


class _Boxes:
    """Compresses hops as they come, so that a part of any length takes little room."""

    def __init__(self) -> None:
        self._rows: dict[int, list[str]] = {}
        self._streams: dict[int, Any] = {}
        self._packed: dict[int, list[bytes]] = {}

    def add(self, box: int, hop: Hop) -> None:
        rows = self._rows.setdefault(box, [])
        rows.append(_to_json(hop))
        if len(rows) >= _WRITTEN_AT_ONCE:
            self._pack(box)

    def _pack(self, box: int) -> None:
        stream = self._streams.setdefault(box, zlib.compressobj(1))
        data = "".join(f"{row}\n" for row in self._rows[box]).encode("ascii")
        self._packed.setdefault(box, []).append(stream.compress(data))
        self._rows[box] = []

    def finish(self) -> dict[int, bytes]:
        for box in self._rows:
            self._pack(box)
        return {box: b"".join([*self._packed[box], stream.flush()]) for box, stream in sorted(self._streams.items())}


def pack_records(records: Iterable[Record | Malformed], *, origin: str, day: date | None, box_count: int) -> Read:
    """Read a part of a log, and put its hops in boxes."""
    read, boxes = Read(), _Boxes()
    zone: timezone = UTC
    for one in records:
        hop = None
        if isinstance(one, Record):
            zone = zone_of(one) or zone
            hop = parse_hop(one, origin=origin, day=day, zone=zone)
        if hop is None:
            read.malformed += 1
            continue
        read.messages += 1
        read.days.add(day_number(hop))
        boxes.add(box_of(hop, box_count), hop)
    read.boxes = boxes.finish()
    return read


def pack_hops(hops: Iterable[Hop], *, box_count: int) -> Read:
    """Put hops that were read before in boxes."""
    read, boxes = Read(), _Boxes()
    for hop in hops:
        read.days.add(day_number(hop))
        boxes.add(box_of(hop, box_count), hop)
    read.boxes = boxes.finish()
    return read


def day_number(hop: Hop) -> int:
    """Return on which day since 1970 a message was sent (UTC)."""
    return int(hop.at // 86_400)


def box_of(hop: Hop, box_count: int) -> int:
    """Return the box of a hop; all hops of one transaction have the same."""
    return zlib.crc32(shuffle_key(hop).encode("utf-8", "replace")) % box_count


def fold(box: int, parts: Iterable[bytes], *, hop_limit: int, known: Collection[str] = frozenset()) -> Folded:
    """Return what the transactions of one box come to; `parts` in the order of the log.

    A transaction whose digest is `known`, or that stands in the logs twice, is counted as repeated and no more (M-64).
    """
    folded, assembler = Folded(), Assembler()
    seen: set[str] = set()
    here: set[str] = set()
    for part in parts:
        for hop in _unpack(part):
            for done in assembler.add(hop):
                digest = done.digest
                if digest in known or digest in seen:
                    folded.repeated += not done.ended_before and done.hops[0].origin != COUNTED
                    continue
                seen.add(digest)
                decision = decide(done, hop_limit=hop_limit)
                if done.ended_before:
                    is_here = done.before.digest in here
                    folded.go_on(decide(done.before, hop_limit=hop_limit), decision, digest, is_here=is_here)
                    here |= {digest} if is_here else set()
                    continue
                here.add(digest)
                count(folded.days.setdefault(decision.day, {}), decision)
                folded.tags.setdefault(decision.day, {})[digest] = decision.outcome.value[0]
                folded.transactions += 1
                if done.hops[0].content == StepKind.REQUEST:
                    folded.mark(done.hops[0].session, decision)
    open_rows = [to_row(hop) for hop in assembler.open_hops()]
    folded.open_rows = {box: open_rows} if open_rows else {}
    folded.rejected_rows = [to_row(hop._replace(origin=COUNTED)) for hop in assembler.rejected_hops()]
    folded.stray, folded.given_up = assembler.stray, assembler.given_up
    return folded


def fold_silent(hops: Iterable[Hop], *, hop_limit: int) -> Folded:
    """Return what chains come to that fell silent: what they asked for, and how they planned it."""
    folded, assembler = Folded(), Assembler()
    ended = [done for hop in hops for done in assembler.add(hop)]
    for chain in (one for one in assembler.silent() if one not in ended):
        decision = decide(Transaction(chain.hops), hop_limit=hop_limit, is_unfinished=True)
        count(folded.days.setdefault(decision.day, {}), decision)
        folded.tags.setdefault(decision.day, {})[chain.digest] = _UNFINISHED
    return folded


def _unpack(part: bytes) -> Iterator[Hop]:
    """Yield the hops of a box, a piece at a time."""
    stream, rest = zlib.decompressobj(), ""
    for start in range(0, len(part), 65_536):
        lines = (rest + stream.decompress(part[start : start + 65_536]).decode("ascii")).split("\n")
        rest = lines.pop()
        for line in lines:
            yield from_row(json.loads(line))
