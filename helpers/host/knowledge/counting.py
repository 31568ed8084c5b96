"""What is new in the logs, counted into the memory of a run, a batch at a time (M-02 ... M-06, M-11, M-64).

The logs are only read. A batch is what is committed at once: a backlog of any length is stopped and taken up between
two of them. A log that is gone, replaced or unreadable is told once; the others are read.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from ...knowledge.hops import Hop, from_row
from ...knowledge.memory import KnowledgeState
from ...knowledge.partials import Folded, day_number, fold, fold_silent, pack_hops
from ...knowledge.transactions import shuffle_key
from .day_files import DayFiles
from .log_files import GONE, PIECE_BYTES, LogMark, LogPart, Rest, list_logs, mark_of, pieces_of, read_piece, unread_from
from .schedulers import Scheduler, in_order

#: Of logs, how much goes into one box, which one process folds at a time.
_BOX_BYTES = 64_000_000
_MOST_BOXES = 256
#: A batch, and a piece of it, where all cores work at it.
_BATCH_BYTES = 512_000_000
#: The same in a thread that rests, between two pieces too.
_PACED_BATCH_BYTES, _PACED_PIECE_BYTES = 8_000_000, 65_536
#: A chain whose last message lies so far before the latest day with a transaction does not end any more.
_OPEN_DAYS = 7
_EPOCH = date(1970, 1, 1)

Progress = Callable[[str, int, int], None]


@dataclass(slots=True)
class RunCounts:
    """How much was read, and what became of it."""

    logs_read: int = 0
    messages: int = 0
    malformed: int = 0
    transactions: int = 0
    repeated: int = 0
    #: Messages that belong to no chain.
    stray: int = 0
    #: Logs that are gone, replaced or unreadable.
    notices: list[str] = field(default_factory=list)

    def count(self, other: RunCounts) -> None:
        """Add what was read at another time."""
        self.logs_read += other.logs_read
        self.messages += other.messages
        self.malformed += other.malformed
        self.transactions += other.transactions
        self.repeated += other.repeated
        self.stray += other.stray
        self.notices += [one for one in other.notices if one not in self.notices]


@dataclass(slots=True)
class Batch(RunCounts):
    """What was read at once, and what became of it."""

    #: The days whose counts have changed, and are known as a whole.
    days: set[str] = field(default_factory=set)
    #: Whether nothing was left for another batch.
    is_last: bool = True


@dataclass(slots=True)
class _Chosen:
    """The pieces of a batch, the logs that are read from their beginning, and how many bytes wait for the next one."""

    pieces: list[LogPart] = field(default_factory=list)
    renewed: set[str] = field(default_factory=set)
    waiting: int = 0


class LogCounter:
    """Reads the logs of one folder; `rest` is for a thread of a running host, which then does all the work itself."""

    def __init__(
        self,
        logs: Path,
        days: DayFiles,
        *,
        hop_limit: int,
        scheduler: Scheduler,
        rest: Rest | None = None,
        progress: Progress | None = None,
        batch_bytes: int | None = None,
    ) -> None:
        self._logs, self._days, self._hop_limit = logs, days, hop_limit
        self._scheduler, self._rest = scheduler, rest
        self._progress = progress or (lambda what, done, total: None)
        self._batch_bytes = batch_bytes or (_BATCH_BYTES if rest is None else _PACED_BATCH_BYTES)
        self._piece_bytes = PIECE_BYTES if rest is None else _PACED_PIECE_BYTES
        self._pieces_read = 0

    def count(self, memory: KnowledgeState) -> Batch:
        """Count the next batch into `memory`."""
        batch = Batch()
        chosen = self._choose(memory, batch)
        if chosen.pieces:
            folded = self._fold(chosen, memory, batch)
            batch.transactions, batch.repeated, batch.stray = folded.transactions, folded.repeated, folded.stray
        return batch

    def _choose(self, memory: KnowledgeState, batch: Batch) -> _Chosen:
        """Choose what is read next, the oldest logs first."""
        chosen, left = _Chosen(), self._batch_bytes
        listed = list_logs(self._logs)
        _notice_gone(memory, {name.name for name, _ in listed}, batch)
        for name, path in listed:
            known = memory.logs.get(name.name)
            mark = None if known is None else LogMark(*known)
            try:
                start = unread_from(name, path, mark)
                if start is None:
                    continue
                end = path.stat().st_size
                pieces = pieces_of(name, path, start, self._piece_bytes, most_bytes=left) if left > 0 else []
                if end == 0:
                    memory.logs[name.name] = to_row(mark_of(path, 0, 0))
            except OSError as exc:
                batch.notices.append(f"{name.name} cannot be read ({exc.strerror}); the other logs were")
                continue
            taken = pieces[-1].end - start if pieces else 0
            chosen.waiting += max(0, end - start - taken)
            left -= taken
            if not taken and end:
                continue
            if mark is not None and mark.offset and start == 0 and not name.is_prose:
                batch.notices.append(f"{name.name} was replaced or cut; what was counted is not counted again")
            chosen.pieces += pieces
            chosen.renewed |= {name.name} if start == 0 else set()
            batch.logs_read += 1
        batch.is_last = not chosen.waiting
        return chosen

    def _fold(self, chosen: _Chosen, memory: KnowledgeState, batch: Batch) -> Folded:
        """Read the pieces, put their transactions together, and count them."""
        size = sum(piece.end - piece.start for piece in chosen.pieces)
        box_count = min(_MOST_BOXES, 1 + size // _BOX_BYTES)
        carried = [
            hop for hop in map(from_row, (*memory.rejected_rows, *memory.open_rows)) if hop.origin not in chosen.renewed
        ]
        packed = pack_hops(carried, box_count=box_count)
        boxes = {box: [data] for box, data in packed.boxes.items()}
        numbers = packed.days | self._read(chosen, boxes, box_count, memory, batch)
        known, counted = memory.digests(), set(memory.tags)
        for day in sorted(map(_day, numbers)):
            digests = self._days.digests(day)
            if digests is not None:
                known, counted = known | digests, counted | {day}
        folded = Folded()
        folding = functools.partial(fold_box, hop_limit=self._hop_limit, known=known, rest=self._rest)
        listed = sorted(boxes.items())
        for done, one in enumerate(in_order(self._scheduler, folding, listed), start=1):
            folded.merge(one)
            self._progress("transactions counted", done, len(listed))
        self._take(folded, memory, counted, batch)
        return folded

    def _read(
        self, chosen: _Chosen, boxes: dict[int, list[bytes]], box_count: int, memory: KnowledgeState, batch: Batch
    ) -> set[int]:
        """Put the hops of the pieces into boxes; return on which days they were."""
        reading = functools.partial(read_piece, box_count=box_count, rest=self._rest)
        days: set[int] = set()
        ends: dict[str, tuple[LogPart, int]] = {}
        expected = self._pieces_read + len(chosen.pieces) + -(-chosen.waiting // self._piece_bytes)
        for piece, read in zip(chosen.pieces, in_order(self._scheduler, reading, chosen.pieces), strict=True):
            for box, data in read.boxes.items():
                boxes.setdefault(box, []).append(data)
            batch.messages += read.messages
            batch.malformed += read.malformed
            days |= read.days
            ends[piece.name.name] = piece, read.whole_up_to
            self._pieces_read += 1
            self._progress("logs read", self._pieces_read, expected)
        for name, (piece, end) in ends.items():
            memory.logs[name] = to_row(mark_of(Path(piece.path), end, piece.end))
        return days

    def _take(self, folded: Folded, memory: KnowledgeState, counted: set[str], batch: Batch) -> None:
        """Add the counts; of a day that was counted once, and whose counts are gone, a part would be misleading."""
        forgotten: set[str] = set()
        for day in sorted({*folded.days, *(before.day for before, _ in folded.gone_on)} - set(memory.days)):
            tally = self._days.tally(day)
            if tally is not None:
                memory.days[day] = tally
            elif day in counted:
                forgotten.add(day)
        changed = memory.take(folded)
        for day in forgotten:
            memory.days.pop(day, None)
        silent = _give_up_waiting(memory)
        if silent:
            given_up = fold_silent(silent, hop_limit=self._hop_limit)
            memory.take_silent(given_up)
            changed |= set(given_up.days) & set(memory.days)
        batch.days = changed - forgotten


def fold_box(
    box: tuple[int, list[bytes]], *, hop_limit: int, known: frozenset[str], rest: Rest | None = None
) -> Folded:
    """Fold one box; a function of its own, because it runs in other processes and on other machines."""
    number, parts = box
    return fold(number, parts if rest is None else _resting(parts, rest), hop_limit=hop_limit, known=known)


def chains_in(rows: Iterable[list[Any]]) -> int:
    """Return how many chains have not ended, of the messages that wait."""
    return sum(from_row(row).begins for row in rows)


def to_row(mark: LogMark) -> tuple[int, int, str]:
    """Return a mark as `.state.json` holds it."""
    return mark.offset, mark.size, mark.sign


def _resting(parts: Iterable[bytes], rest: Rest) -> Iterator[bytes]:
    for part in parts:
        rest()
        yield part


def _notice_gone(memory: KnowledgeState, there: set[str], batch: Batch) -> None:
    """Tell of logs that are gone, once; where there is none at all, their folder is not there now."""
    for name, row in memory.logs.items() if there else ():
        mark = LogMark(*row)
        if name not in there and not mark.is_gone:
            memory.logs[name] = (mark.offset, GONE, mark.sign)
            batch.notices.append(f"{name} is gone; what was counted of it stays")


def _give_up_waiting(memory: KnowledgeState) -> list[Hop]:
    """Forget the messages of chains that have waited too long, and return them (M-64).

    That goes by the days of the logs, so that it does not matter when it is done.

    Chains of one session are given up together, for what one of them says may belong to another.
    """
    if not memory.days:
        return []
    earliest = (date.fromisoformat(max(memory.days)) - _EPOCH).days - _OPEN_DAYS
    hops = [(row, from_row(row)) for row in memory.open_rows]
    waiting = {shuffle_key(hop) for _, hop in hops if day_number(hop) >= earliest}
    memory.open_rows = [row for row, hop in hops if shuffle_key(hop) in waiting]
    return [hop for _, hop in hops if shuffle_key(hop) not in waiting]


def _day(number: int) -> str:
    return (_EPOCH + timedelta(days=number)).isoformat()
