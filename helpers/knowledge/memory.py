"""What the memory agent remembers between two runs: `.state.json` (M-49, M-64, T-58). Pure: its text goes in and out.

How far each log was read, which transactions were counted of late, the counts of the latest days and of all time, and
for each entry which pattern it is about and how its text looked when it was written: whatever differs from that, a
person has changed. Older days stand in files of their own, so that this one does not grow with the transactions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ..errors import MemoryLedgerError
from .confidence import Place
from .decisions import TransactionSummary, corrected, decision_from_row, decision_to_row
from .partials import Folded
from .patterns import (
    Family,
    Key,
    Tally,
    merge_tally,
    most_frequent,
    recount,
    tally_from_json,
    tally_to_json,
    with_told_ids,
)

_VERSION = 3
#: So many latest answers, each of one chat, may be taken back; the last ones.
_MOST_LATEST = 200


class MemoryStateError(MemoryLedgerError):
    """`.state.json` is not what this pack has written."""


@dataclass(slots=True)
class EntryRecord:
    """What is known of an entry beside its text."""

    key: Key | None
    answer: str
    #: Its confidence before it fades.
    base: float
    #: The highest that it ever was: what has not lost any may wait, however low it is (M-68).
    peak: float
    total: int
    place: Place
    digest: str
    #: Where a person has put it, whatever its confidence; none where nobody has.
    chosen: Place | None = None
    is_edited: bool = False
    is_removed: bool = False
    #: Whether it is in its file; where another writer kept it out, its absence means nothing.
    is_filed: bool = False
    #: The answer that newer transactions give, while it is open which one holds (M-61), and how many there were then.
    contested: str = ""
    contested_total: int = 0
    #: The day on which it was last written: what it counts is brought up to date once a day.
    told_on: str = ""


@dataclass(slots=True)
class KnowledgeState:
    """Everything that `.state.json` holds."""

    next_number: int = 1
    logs: dict[str, tuple[int, int, str]] = field(default_factory=dict)
    open_rows: list[list[Any]] = field(default_factory=list)
    #: The messages of chains that were counted as rejected of late, and may go on all the same.
    rejected_rows: list[list[Any]] = field(default_factory=list)
    days: dict[str, Tally] = field(default_factory=dict)
    known: Tally = field(default_factory=dict)
    tags: dict[str, dict[str, str]] = field(default_factory=dict)
    notes: dict[str, EntryRecord] = field(default_factory=dict)
    summaries: dict[str, str] = field(default_factory=dict)
    #: Files that are being written: the digest of what stood there, and the text; a crash leaves them to the next run.
    writing: dict[str, tuple[str, str]] = field(default_factory=dict)
    #: The latest answer in each chat: what the user says next may take it back.
    latest: dict[str, TransactionSummary] = field(default_factory=dict)

    def digests(self) -> frozenset[str]:
        """Return the transactions that were counted (T-58)."""
        return frozenset(digest for tags in self.tags.values() for digest in tags)

    def take(self, folded: Folded) -> set[str]:
        """Count what a run has read, once and for all; return the days whose counts have changed."""
        recounted = self._take_back(folded)
        for before, after in folded.gone_on:
            recounted |= self._recount(before, after)
        for day, tally in folded.days.items():
            told = with_told_ids(tally)
            merge_tally(self.days.setdefault(day, {}), told)
            merge_tally(self.known, told)
        for day, tags in folded.tags.items():
            self.tags.setdefault(day, {}).update(tags)
        self.open_rows = [row for _, rows in sorted(folded.open_rows.items()) for row in rows]
        self.rejected_rows = folded.rejected_rows
        self.days |= {day: most_frequent(self.days[day]) for day in folded.days}
        self.known = most_frequent(self.known)
        latest = sorted((self.latest | folded.latest).items(), key=lambda one: (one[1].at, one[0]))
        self.latest = dict(latest[-_MOST_LATEST:])
        return recounted | (set(folded.days) & set(self.days))

    def _take_back(self, folded: Folded) -> set[str]:
        """Count the answers anew that users have taken back since they were counted."""
        changed = set()
        for session, request in folded.taken_back:
            before = self.latest.get(session)
            if before is None or before.transaction_id != request or before.is_corrected:
                continue
            after = corrected(before)
            changed |= self._recount(before, after)
            self.latest[session] = after
        return changed

    def _recount(self, before: TransactionSummary, after: TransactionSummary) -> set[str]:
        """Count a transaction as something else; return its day if the counts of that are at hand."""
        recount(self.known, before, after)
        if before.day not in self.days:
            return set()
        recount(self.days[before.day], before, after)
        return {before.day}

    def take_silent(self, folded: Folded) -> None:
        """Count chains that fell silent; of a day that is over only into what is known of all time."""
        for day, tally in folded.days.items():
            told = with_told_ids(tally)
            if day in self.days:
                merge_tally(self.days[day], told)
            merge_tally(self.known, told)
        for day, tags in folded.tags.items():
            self.tags.setdefault(day, {}).update(tags)

    def window(self, first: str, last: str) -> Tally:
        """Return the counts of the days from `first` to `last` (M-11)."""
        counted: Tally = {}
        for day, tally in sorted(self.days.items()):
            if first <= day <= last:
                merge_tally(counted, tally)
        return counted

    def entries(self) -> dict[Key, str]:
        """Return the id of the entry about each pattern; there is one at most (T-58)."""
        return {note.key: one for one, note in self.notes.items() if note.key is not None}


def memory_to_text(memory: KnowledgeState) -> str:
    """Return what is written: the same for the same memory."""
    value = {
        "version": _VERSION,
        "next_number": memory.next_number,
        "logs": {name: list(mark) for name, mark in sorted(memory.logs.items())},
        "open": memory.open_rows,
        "rejected": memory.rejected_rows,
        "days": {day: tally_to_json(tally) for day, tally in sorted(memory.days.items())},
        "known": tally_to_json(memory.known),
        "tags": {day: _tags_to_json(tags) for day, tags in sorted(memory.tags.items())},
        "notes": {one: _note_to_json(note) for one, note in sorted(memory.notes.items())},
        "summaries": dict(sorted(memory.summaries.items())),
        "latest": {session: decision_to_row(one) for session, one in sorted(memory.latest.items())},
        "writing": {name: list(one) for name, one in sorted(memory.writing.items())},
    }
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def memory_from_text(text: str | None) -> KnowledgeState:
    """Read it back; an empty one where nothing was written yet.

    Raises `MemoryStateError` where the text is damaged: to begin anew would count everything twice.
    """
    if text is None:
        return KnowledgeState()
    try:
        value = json.loads(text)
        if value["version"] != _VERSION:
            raise MemoryStateError(f".state.json: version is {value['version']!r}; allowed: {_VERSION}")
        return KnowledgeState(
            next_number=int(value["next_number"]),
            logs={name: (int(at), int(size), str(head)) for name, (at, size, head) in value["logs"].items()},
            open_rows=list(value["open"]),
            rejected_rows=list(value["rejected"]),
            days={day: tally_from_json(rows) for day, rows in value["days"].items()},
            known=tally_from_json(value["known"]),
            tags={day: _tags_from_json(tags) for day, tags in value["tags"].items()},
            notes={one: _note_from_json(note) for one, note in value["notes"].items()},
            summaries=dict(value["summaries"]),
            latest={session: decision_from_row(row) for session, row in value["latest"].items()},
            writing={name: (str(before), str(text)) for name, (before, text) in value["writing"].items()},
        )
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as exc:
        raise MemoryStateError(
            f".state.json cannot be read ({type(exc).__name__}); allowed: what this pack wrote. Restore it from a copy,"
            " or delete it: the entries stay, and the logs are counted again"
        ) from exc


def _tags_to_json(tags: Mapping[str, str]) -> dict[str, str]:
    """Return, by outcome, the digests of transactions as one text: there may be hundreds of thousands of them."""
    digests: dict[str, list[str]] = {}
    for digest, tag in sorted(tags.items()):
        digests.setdefault(tag, []).append(digest)
    return {tag: " ".join(listed) for tag, listed in sorted(digests.items())}


def _tags_from_json(value: Mapping[str, str]) -> dict[str, str]:
    return {digest: tag for tag, listed in value.items() for digest in listed.split()}


def _note_to_json(note: EntryRecord) -> dict[str, Any]:
    return {**asdict(note), "key": None if note.key is None else list(note.key)}


def _note_from_json(value: Mapping[str, Any]) -> EntryRecord:
    key, chosen = value["key"], value["chosen"]
    return EntryRecord(
        **{
            **value,
            "key": None if key is None else (Family(key[0]), str(key[1])),
            "place": Place(value["place"]),
            "chosen": None if chosen is None else Place(chosen),
        }
    )
