"""What the memory agent remembers between two runs: `.state.json` (M-49, M-64, T-58). Pure: its text goes in and out.

What each log came to, by its first message, so that one that is read again, renamed or copied counts once; and for each
entry which pattern it is about and how its text looked when it was written: what differs, a person has changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import date, timedelta
from typing import Any

from ..errors import MemoryLedgerError
from .confidence import Place
from .counting import LogCount
from .patterns import Family, Key, Tally, merge_tally, tally_from_json, tally_to_json

#: The version before counted transactions one by one; of it, what people have decided is kept.
_VERSION, _VERSION_BEFORE = 4, 3
#: The counts of a log are kept so many days after the latest one.
COUNTED_DAYS = 62
_COUNTED = ("name", "day", "size", "is_closed", "place", "transactions", "taken_back")


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
    logs: dict[str, LogCount] = field(default_factory=dict)
    notes: dict[str, EntryRecord] = field(default_factory=dict)
    summaries: dict[str, str] = field(default_factory=dict)
    #: Files that are being written: the digest of what stood there, and the text; a crash leaves them to the next run.
    writing: dict[str, tuple[str, str]] = field(default_factory=dict)

    def take(self, counted: Mapping[str, LogCount]) -> set[str]:
        """Put what logs come to in the place of what they came to before; return the days whose counts have changed.

        A log that has lost lines counts as before: what happened has happened.
        """
        changed: set[str] = set()
        for first, new in counted.items():
            before = self.before(first, new)
            self.logs = {one: log for one, log in self.logs.items() if log is not before}
            if before is not None and new.transactions < before.transactions:
                before.name, before.size, before.is_closed = new.name, new.size, new.is_closed
                self.logs[first] = before
                continue
            if before is None or before.days != new.days:
                changed |= {*new.days, *(before.days if before is not None else ())}
            self.logs[first] = new
        latest = max((one.day for one in self.logs.values()), default="")
        if latest:
            oldest = (date.fromisoformat(latest) - timedelta(days=COUNTED_DAYS)).isoformat()
            self.logs = {first: one for first, one in self.logs.items() if one.day >= oldest}
        return changed

    def before(self, first: str, new: LogCount) -> LogCount | None:
        """Return what a log came to before, also where its beginning was cut: what it ended with is the same then."""
        if first in self.logs:
            return self.logs[first]
        of_name = [one for one in self.logs.values() if (one.name, one.place) == (new.name, new.place)]
        return next((one for one in of_name if one.latest & new.latest), None)

    @property
    def taken_back(self) -> frozenset[str]:
        """The requests whose answers users took back in a later log."""
        return frozenset(request for one in self.logs.values() for request in one.taken_back)

    def days(self) -> dict[str, Tally]:
        """Return the counts of each day, in order."""
        found: dict[str, Tally] = {}
        for one in self.logs.values():
            for day, tally in one.days.items():
                merge_tally(found.setdefault(day, {}), tally)
        return dict(sorted(found.items()))

    def entries(self) -> dict[Key, str]:
        """Return the id of the entry about each pattern; there is one at most (T-58)."""
        return {note.key: one for one, note in self.notes.items() if note.key is not None}


def total_of(days: Iterable[Tally]) -> Tally:
    """Return the counts of several days."""
    total: Tally = {}
    for one in days:
        merge_tally(total, one)
    return total


def memory_to_text(memory: KnowledgeState) -> str:
    """Return what is written: the same for the same memory."""
    value = {
        "version": _VERSION,
        "next_number": memory.next_number,
        "logs": {first: _log_to_json(one) for first, one in sorted(memory.logs.items())},
        "notes": {one: _note_to_json(note) for one, note in sorted(memory.notes.items())},
        "summaries": dict(sorted(memory.summaries.items())),
        "writing": {name: list(one) for name, one in sorted(memory.writing.items())},
    }
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def memory_from_text(text: str | None) -> KnowledgeState:
    """Read it back; an empty one where nothing was written yet.

    Raises `MemoryStateError` where the text is damaged: to begin anew would forget what people have decided.
    """
    if text is None:
        return KnowledgeState()
    try:
        value = json.loads(text)
        if value["version"] not in (_VERSION, _VERSION_BEFORE):
            raise MemoryStateError(f".state.json: version is {value['version']!r}; allowed: {_VERSION}")
        memory = KnowledgeState(
            next_number=int(value["next_number"]),
            notes={one: _note_from_json(note) for one, note in value["notes"].items()},
            summaries=dict(value["summaries"]),
            writing={name: (str(before), str(text)) for name, (before, text) in value["writing"].items()},
        )
        if value["version"] == _VERSION_BEFORE:
            _retire_unchosen(memory)
        else:
            memory.logs = {first: _log_from_json(row) for first, row in value["logs"].items()}
        return memory
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as exc:
        raise MemoryStateError(
            f".state.json cannot be read ({type(exc).__name__}); allowed: what this pack wrote. Restore it from a copy,"
            " or delete it: the entries stay, and the logs are counted again"
        ) from exc


def _retire_unchosen(memory: KnowledgeState) -> None:
    """Let go of what the version before said by itself: it held no rate against others, and is distilled anew."""
    for note in memory.notes.values():
        if not note.is_edited and note.chosen is None and not note.is_removed:
            note.key, note.base = None, 0.0


def _log_to_json(one: LogCount) -> dict[str, Any]:
    plain = {name: getattr(one, name) for name in _COUNTED}
    return {**plain, "days": {day: tally_to_json(tally) for day, tally in sorted(one.days.items())}}


def _log_from_json(row: Mapping[str, Any]) -> LogCount:
    days = {day: tally_from_json(rows) for day, rows in row["days"].items()}
    found = LogCount(**{name: row[name] for name in _COUNTED}, days=days)
    date.fromisoformat(found.day)
    return found


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
