"""The place of each entry after a run, and after a person's decision."""

from __future__ import annotations

import bisect
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from itertools import chain

from ..errors import MemoryLedgerError
from ..setting_groups import Distillation
from ..texts import estimate_tokens
from .documents import (
    SHELVES,
    Category,
    Document,
    Entry,
    EntryChange,
    Place,
    by_confidence,
    confidence_text,
    decayed,
    file_of,
    marked,
    place_of,
    prompt_text,
    rendered,
)
from .state import EntryRecord

#: The share of the limit that is used before entries are archived for it.
_NEARLY_FULL = 0.9
#: The file under which governance concerns are flagged.
ERRORS = file_of(Category.ERROR_PREVENTION, Place.ACTIVE)
#: The actions of a run that revise an entry, or move it.
MOVED = {Place.ACTIVE: "RESTORED", Place.STAGING: "STAGED", Place.ARCHIVE: "ARCHIVED"}
_REVISIONS = frozenset(("REVISED", *MOVED.values()))
_CONCERN = "Governance concern: "


@dataclass(slots=True)
class RunReport:
    """The result of a run; of a dry run, the changes that it would make."""

    logs_read: int = 0
    messages: int = 0
    malformed: int = 0
    transactions: int = 0
    #: The numbers of messages that belong to no chain, and of chains that have not ended.
    stray: int = 0
    unfinished: int = 0
    #: The logs that cannot be read.
    notices: list[str] = field(default_factory=list)
    #: The first and the last day of the window for new patterns, and whether any transaction ended in it.
    days: tuple[str, str] = ("", "")
    has_window: bool = False
    #: The governance files that were read.
    consulted: tuple[str, ...] = ()
    #: The new texts of all files by name, also the summaries, and the former texts.
    texts: dict[str, str] = field(default_factory=dict)
    before: dict[str, str | None] = field(default_factory=dict)
    #: The changes of each file that is written, and the flags (conflicts and governance concerns) of each file.
    changes: dict[str, list[EntryChange]] = field(default_factory=dict)
    flagged: dict[str, list[str]] = field(default_factory=dict)
    #: Files that cannot be read or may not be written.
    problems: list[str] = field(default_factory=list)
    patterns: int = 0

    @property
    def flags(self) -> list[str]:
        """The contradictions of transactions to entries, then those to governance."""
        return sorted(chain.from_iterable(self.flagged.values()), key=lambda sentence: sentence.startswith(_CONCERN))

    def written(self, name: str | None = None) -> tuple[int, int]:
        """Return the numbers of entries that were added, and that were revised or moved, in a file or in all."""
        changes = self.changes.get(name, []) if name is not None else chain.from_iterable(self.changes.values())
        actions = [change.action for change in changes]
        return actions.count("ADDED"), sum(action in _REVISIONS for action in actions)

    def tell(self, name: str, change: EntryChange) -> None:
        """Record a change of an entry in the log of the file with this name."""
        self.changes.setdefault(name, []).append(change)

    def flag(self, name: str, sentence: str) -> None:
        """Flag that transactions contradict an entry of this file."""
        self.flagged.setdefault(name, []).append(sentence)

    def flag_concern(self, sentence: str) -> None:
        """Flag a contradiction to governance."""
        self.flag(ERRORS, _CONCERN + sentence)


@dataclass(slots=True)
class Held:
    """An entry during a run: its record, the file that it was read from (empty for a new one), and its new place."""

    entry: Entry
    note: EntryRecord
    found_in: str
    place: Place
    #: The text that was read.
    original: str = ""
    #: The governance file that forbids what the entry recommends; empty if none does.
    forbidden_by: str = ""
    #: Whether its evidence is enough for advice; an entry of a person always is.
    is_ripe: bool = True

    @property
    def is_new(self) -> bool:
        """Whether no file has it yet."""
        return not self.found_in


def shelve(held: Collection[Held], report: RunReport, *, options: Distillation, today: date) -> None:
    """Let confidence fade, and give every entry its place."""
    for entry in held:
        _fade(entry, report, options, today)
        entry.place = _place_for(entry, options)
    # Over nine tenths of the limit the least sure leave; of equally sure ones, the one that was confirmed first.
    active = sorted((entry.entry for entry in held if entry.place is Place.ACTIVE), key=by_confidence)
    limit = int(options.token_limit * _NEARLY_FULL)
    most = bisect.bisect_right(range(1, len(active) + 1), limit, key=lambda count: _tokens(active[:count]))
    leaving = {entry.id for entry in active[most:]}
    for entry in held:
        entry.place = Place.ARCHIVE if entry.entry.id in leaving else entry.place


def _fade(held: Held, report: RunReport, options: Distillation, today: date) -> None:
    """Lower the confidence of an entry that was not confirmed for a while."""
    entry, note = held.entry, held.note
    since = max(entry.last_confirmed, entry.edited_on or entry.last_confirmed)
    value = decayed(note.base, since, today, window_days=options.decay_window_days)
    note.peak = value if held.is_new else max(note.peak, value)
    if value == entry.confidence:
        return
    if note.is_edited:
        held.entry = marked(entry, {"Confidence": confidence_text(value, entry.transactions)})
    else:
        held.entry = rendered(replace(entry, confidence=value))
    if not held.is_new and f"{entry.confidence:.2f}" != f"{value:.2f}" and value < note.base:
        sentence = f"Not confirmed since {entry.last_confirmed}; confidence from {entry.confidence:.2f} to {value:.2f}"
        report.tell(held.found_in, EntryChange(today.isoformat(), "REVISED", entry.id, sentence))


def _place_for(held: Held, options: Distillation) -> Place:
    """Return the place of an entry: by governance, by a person's choice, else by its confidence and evidence."""
    note, value = held.note, held.entry.confidence
    place = place_of(
        value,
        threshold=options.confidence_threshold,
        archive_below=options.archive_below,
        is_new=held.is_new or (value >= note.peak and note.peak < options.archive_below),
    )
    if place is Place.STAGING and note.place is Place.ARCHIVE and not held.is_new:
        place = Place.ARCHIVE  # what left comes back when it is sure again, and not from run to run
    if place is Place.ACTIVE and not held.is_ripe:
        place = Place.STAGING
    if held.forbidden_by:
        return Place.ARCHIVE
    is_chosen = note.chosen is Place.ARCHIVE or (note.chosen is not None and place is not Place.ARCHIVE)
    return note.chosen if is_chosen and note.chosen is not None else place


def _tokens(active: Collection[Entry]) -> int:
    texts = {category: tuple(entry.text for entry in active if entry.category is category) for category in Category}
    documents = (Document(f"# {SHELVES[category].title}\n", blocks, "") for category, blocks in texts.items())
    return estimate_tokens("".join(map(prompt_text, documents)))


#: The decision of an edit, beside the verbs of the terminal.
EDIT = "edit"


class CurationVerb(StrEnum):
    """A decision of a person; the value is the verb of the command."""

    APPROVE = "approve"
    REJECT = "reject"
    ARCHIVE = "archive"


class CurationError(MemoryLedgerError):
    """There is no such entry, or nothing to decide about it."""
