"""What one log comes to: its transactions, counted by day (M-03 ... M-06, M-11, M-64). Pure: lines go in.

A log is counted as a whole, and what it comes to takes the place of what it came to before: however often it is read,
and on whichever machine, it counts once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, timezone

from .decisions import TransactionSummary, corrected, decide
from .hops import Hop, parse_hop, zone_of
from .log_lines import LogParser, Record
from .log_names import LogName
from .patterns import ALL, Family, Key, Tally, count, most_frequent, observe, with_told_ids
from .trail import StepKind
from .transactions import Assembler, Transaction
from .words import told_id

#: So many chats are waited for, whether their next message takes an answer back.
_MOST_CHATS = 10_000
#: So many lines are looked at for the first message of a log.
_FIRST_LINES = 2_000


@dataclass(slots=True)
class LogCount:
    """What a log comes to: `size` bytes of it, `is_closed` where a later one is there and what is open stays so."""

    name: str
    day: str
    size: int = 0
    is_closed: bool = False
    #: Where it stands: two machines may have logs of one name.
    place: str = ""
    days: dict[str, Tally] = field(default_factory=dict)
    transactions: int = 0
    #: Requests that users took back, of which the answer stands in a log before this one.
    taken_back: list[str] = field(default_factory=list)
    messages: int = 0
    malformed: int = 0
    #: Messages that belong to no chain, and chains that have not ended.
    stray: int = 0
    unfinished: int = 0

    @property
    def latest(self) -> frozenset[str]:
        """The latest transactions of each day and outcome."""
        outcomes = (one for tally in self.days.values() if (one := tally.get((Family.OUTCOME, ALL))) is not None)
        return frozenset(name for one in outcomes for samples in one.samples.values() for _, name in samples)


def first_message(lines: Iterable[bytes], *, is_prose: bool) -> str:
    """Return what a log is known by, whatever its name and however much follows: the digest of its first message."""
    parser = LogParser(is_prose)
    for line, _ in zip(lines, range(_FIRST_LINES), strict=False):
        found = parser.feed(line)
        if isinstance(found, Record):
            return hashlib.blake2b(json.dumps(found.message).encode(), digest_size=8).hexdigest()
    return ""


def count_log(
    name: LogName,
    lines: Iterable[bytes],
    before: Iterable[tuple[LogName, Iterable[bytes]]] = (),
    *,
    hop_limit: int,
    size: int = 0,
    is_closed: bool = False,
    taken_back: Collection[str] = (),
) -> LogCount:
    """Return what a log comes to; `before` are the ends of those before it, in which its first chains may begin.

    `taken_back` are the requests whose answer a user has taken back in a later log.
    """
    counted = LogCount(name.name, name.day.isoformat(), size, is_closed)
    counter = _Counter(counted, hop_limit, taken_back)
    assembler = Assembler()
    for earlier in before:
        for hop in hops_in(*earlier, lambda is_message: None):
            for _ in assembler.add(hop):
                pass
    assembler.stray = 0
    for hop in hops_in(name, lines, counter.note):
        for done in assembler.add(hop):
            counter.take(done)
    for done in assembler.finish():
        counter.take(done)
    silent = [one for one in assembler.silent() if one.hops[0].origin == name.name]
    counter.finish(silent)
    counted.stray, counted.unfinished = assembler.stray, len(silent)
    counted.days = {day: with_told_ids(most_frequent(tally)) for day, tally in counted.days.items()}
    return counted


def hops_in(name: LogName, lines: Iterable[bytes], note: Callable[[bool], None]) -> Iterator[Hop]:
    """Yield the messages of a log; `note` is told of each, and of each malformed one with False (M-06)."""
    parser = LogParser(name.is_prose)
    zone: timezone = UTC
    for line in lines:
        found = parser.feed(line)
        if found is None:
            continue
        hop = None
        if isinstance(found, Record):
            zone = zone_of(found) or zone
            hop = parse_hop(found, origin=name.name, day=name.day, zone=zone)
        note(hop is not None)
        if hop is not None:
            yield hop
    if parser.finish() is not None:
        note(False)


class _Counter:
    """Counts the transactions of one log, each once it is known whether its answer was taken back."""

    def __init__(self, counted: LogCount, hop_limit: int, taken_back: Collection[str]) -> None:
        self._counted, self._hop_limit, self._taken_back = counted, hop_limit, taken_back
        #: The latest answer in each chat.
        self._latest: dict[str, TransactionSummary] = {}

    def note(self, is_message: bool) -> None:
        self._counted.messages += is_message
        self._counted.malformed += not is_message

    def take(self, done: Transaction) -> None:
        if done.origin != self._counted.name:
            return  # it ended in the log before
        decision, first = decide(done, hop_limit=self._hop_limit), done.hops[0]
        self._counted.transactions += 1
        if first.content != StepKind.REQUEST:
            self._count(decision, self._told_before(done))
            return
        before = self._latest.pop(first.session, None)
        if before is not None:
            is_back = decision.corrects == before.transaction_id
            self._count(corrected(before) if is_back else before)
        elif decision.corrects:
            self._counted.taken_back.append(told_id(decision.corrects))
        self._latest[first.session] = decision
        if len(self._latest) > _MOST_CHATS:
            self._count(self._latest.pop(next(iter(self._latest))))

    def finish(self, silent: Iterable[Transaction]) -> None:
        """Count what waits; of what fell silent, once another log has begun, what it asked for and how it planned."""
        for decision in self._latest.values():
            self._count(decision)
        for one in silent if self._counted.is_closed else ():
            self._count(self._undecided(one.hops))

    def _undecided(self, hops: tuple[Hop, ...]) -> TransactionSummary:
        return decide(Transaction(hops), hop_limit=self._hop_limit, is_unfinished=True)

    def _told_before(self, done: Transaction) -> Collection[Key]:
        """Return what the log before tells already of a chain that began, and seemed to fall silent there."""
        begun = tuple(hop for hop in done.hops if hop.origin != self._counted.name)
        return {(one.family, one.subject) for one in observe(self._undecided(begun))} if begun else ()

    def _count(self, decision: TransactionSummary, told: Collection[Key] = ()) -> None:
        is_back = bool(self._taken_back) and told_id(decision.transaction_id) in self._taken_back
        decision = corrected(decision) if is_back else decision
        count(self._counted.days.setdefault(decision.day, {}), decision, told)
