"""The counts and the memory of the memory agent between two runs: `.state.json`.

The counts of each log are kept by its first message, so that a log that is read again, renamed or copied counts once;
the record of each entry holds its pattern and the digest of its text, which shows a person's edits. A log is counted as
a whole, and its new counts replace the former ones. Pure.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Final

from pydantic import TypeAdapter

from ..errors import MemoryLedgerError
from .decisions import Assembler, decide
from .documents import Place
from .hops import Hop, LogName, parse_hop, read_records
from .patterns import Key, Tally, count, merge_tally, worth_keeping

_VERSION = 5
#: The number of days after which the counts of a log are dropped.
COUNTED_DAYS = 62
#: The number of lines that are searched for the first message of a log.
_FIRST_LINES = 2_000


class MemoryStateError(MemoryLedgerError):
    """`.state.json` is not what this pack has written."""


@dataclass(slots=True)
class LogCount:
    """The counts of a log of `size` bytes."""

    name: str
    day: str
    size: int = 0
    days: dict[str, Tally] = field(default_factory=dict)
    transactions: int = 0
    messages: int = 0
    malformed: int = 0
    #: The numbers of messages that belong to no chain, and of chains that have not ended.
    stray: int = 0
    unfinished: int = 0


def first_message(lines: Iterable[bytes], *, is_prose: bool) -> str:
    """Return the identity of a log, whatever its name and its length: the digest of its first message."""
    looked_at = (line for line, _ in zip(lines, range(_FIRST_LINES), strict=False))
    first = next((record for record in read_records(looked_at, is_prose=is_prose) if record is not None), None)
    return "" if first is None else hashlib.blake2b(json.dumps(first.message).encode(), digest_size=8).hexdigest()


def count_log(name: LogName, lines: Iterable[bytes], *, hop_limit: int, size: int = 0) -> LogCount:
    """Return the counts of a log; an answer that the user takes back in the same log was no success."""
    counted = LogCount(name.name, name.day.isoformat(), size)

    def read() -> Iterator[Hop]:
        for record in read_records(lines, is_prose=name.is_prose):
            hop = None if record is None else parse_hop(record, day=name.day)
            if hop is None:
                counted.malformed += 1
            else:
                counted.messages += 1
                yield hop

    assembler = Assembler(read())
    ended = assembler.ended
    counted.transactions, counted.stray, counted.unfinished = len(ended), assembler.stray, len(assembler.unfinished)
    taken_back = {transaction.corrects for transaction in ended} - {""}
    for transaction in ended:
        done = decide(transaction, hop_limit=hop_limit, is_corrected=transaction.id in taken_back)
        count(counted.days.setdefault(done.day, {}), done.observations, at=done.at, name=done.transaction_id)
    counted.days = {day: worth_keeping(tally) for day, tally in counted.days.items()}
    return counted


@dataclass(slots=True)
class EntryRecord:
    """The record of an entry beside its text."""

    key: Key | None
    answer: str
    #: Its confidence before it fades.
    base: float
    #: The highest that it ever was: an entry that has not lost any may wait, however low it is.
    peak: float
    total: int
    place: Place
    digest: str
    #: The place that a person has chosen, whatever its confidence; None without a choice.
    chosen: Place | None = None
    is_edited: bool = False
    is_removed: bool = False
    #: Whether it is in its file; where another writer kept it out, its absence means nothing.
    is_filed: bool = False
    #: The answer of newer transactions while it is open which one holds, and their number then.
    contested: str = ""
    contested_total: int = 0
    #: The day of its last update: its counts are updated once a day.
    told_on: str = ""
    #: The state before the latest decision of a person about it.
    undo: EntryUndo | None = None


@dataclass(frozen=True, slots=True)
class EntryUndo:
    """A person's decision about an entry, and its former state: in `file`, with `text` and `record`.

    `left` is the place since then, or the digest of an edited text; empty where the entry is gone.
    """

    at: str
    what: str
    title: str
    file: str
    text: str
    left: str
    record: EntryRecord


@dataclass(slots=True)
class KnowledgeState:
    """The content of `.state.json`."""

    version: int = _VERSION
    next_number: int = 1
    logs: dict[str, LogCount] = field(default_factory=dict)
    notes: dict[str, EntryRecord] = field(default_factory=dict)
    summaries: dict[str, str] = field(default_factory=dict)
    #: The files that the next run writes after a crash: the digest of the former text, and the new text.
    writing: dict[str, tuple[str, str]] = field(default_factory=dict)

    def take(self, counted: Mapping[str, LogCount]) -> set[str]:
        """Replace the counts of these logs; return the days whose counts have changed.

        A log that has lost lines keeps its counts: what happened has happened.
        """
        changed: set[str] = set()
        for first, new in counted.items():
            before = self.logs.get(first)
            if before is not None and new.transactions < before.transactions:
                new = replace(before, name=new.name, size=new.size)
            if before is None or before.days != new.days:
                changed |= {*new.days, *(before.days if before is not None else ())}
            self.logs[first] = new
        latest = max((log.day for log in self.logs.values()), default="")
        if latest:
            oldest = (date.fromisoformat(latest) - timedelta(days=COUNTED_DAYS)).isoformat()
            self.logs = {first: log for first, log in self.logs.items() if log.day >= oldest}
        return changed

    def days(self) -> dict[str, Tally]:
        """Return the counts of each day, in order."""
        days: dict[str, Tally] = {}
        for log in self.logs.values():
            for day, tally in log.days.items():
                merge_tally(days.setdefault(day, {}), tally)
        return dict(sorted(days.items()))

    def entries(self) -> dict[Key, str]:
        """Return the id of the entry about each pattern; there is one at most."""
        return {note.key: entry_id for entry_id, note in self.notes.items() if note.key is not None}


# Built with the module: later, in a thread, its names may be gone with the host that loaded it.
_ADAPTER: Final = TypeAdapter(KnowledgeState)


def state_to_text(state: KnowledgeState) -> str:
    """Return the text of a state: the same for the same state."""
    value = _ADAPTER.dump_python(state, mode="json")
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"


def state_from_text(text: str | None) -> KnowledgeState:
    """Return the state of a text; an empty one for no text.

    Raises `MemoryStateError` where the text is damaged: to begin anew would lose people's decisions.
    """
    if text is None:
        return KnowledgeState()
    try:
        value = {"version": 0, **json.loads(text)}
        state = _ADAPTER.validate_python(value)
        for log in state.logs.values():
            date.fromisoformat(log.day)
    except (ValueError, TypeError, RecursionError) as exc:
        state, why = KnowledgeState(version=0), type(exc).__name__
    else:
        why = f"version is {state.version}"
    if state.version != _VERSION:
        raise MemoryStateError(
            f".state.json cannot be read ({why}); allowed: what this pack wrote, version {_VERSION}. Restore it from a"
            " copy, or delete it: the entries stay, and the logs are counted again"
        )
    return state
