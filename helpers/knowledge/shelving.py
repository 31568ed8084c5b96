"""What a run has in its hands, and where each entry stands after it (M-58 ... M-62). Pure.

Confidence fades, and what is in use keeps within its limit; what there is to tell of it goes into the report.
"""

from __future__ import annotations

import bisect
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from ..texts import estimate_tokens
from .categories import SHELVES, Category, Place, decayed, file_of, place_of
from .documents import Block, Document, Entry, EntryChange, confidence_text, marked, prompt_text
from .options import Distillation
from .state import EntryRecord

#: Of the limit, how much is used before anything is archived for it (T-40).
_NEARLY_FULL = 0.9
#: The file that governance concerns are told under: what is known to go wrong.
ERRORS = file_of(Category.ERROR_PREVENTION, Place.ACTIVE)


@dataclass(slots=True)
class FileReport:
    """What was done to one file (M-35)."""

    added: list[str] = field(default_factory=list)
    revised: list[str] = field(default_factory=list)
    changes: list[EntryChange] = field(default_factory=list)


@dataclass(slots=True)
class RunReport:
    """What a run did (M-35, M-36); of a dry run what it would have done."""

    logs_read: int = 0
    messages: int = 0
    malformed: int = 0
    transactions: int = 0
    #: Messages that belong to no chain, and chains that have not ended.
    stray: int = 0
    unfinished: int = 0
    #: Logs that cannot be read.
    notices: list[str] = field(default_factory=list)
    #: The first and the last day of the window in which new patterns are looked for, and whether anything ended in it.
    days: tuple[str, str] = ("", "")
    has_window: bool = False
    #: The governance files that were there to be read (M-54).
    consulted: tuple[str, ...] = ()
    #: New texts of all files by name, the summaries too, and what stood there before.
    texts: dict[str, str] = field(default_factory=dict)
    before: dict[str, str | None] = field(default_factory=dict)
    #: What was done to which file, and what is flagged there: conflicts (M-61) and governance concerns (M-55).
    reports: dict[str, FileReport] = field(default_factory=dict)
    flagged: dict[str, list[str]] = field(default_factory=dict)
    conflicts: list[str] = field(default_factory=list)
    concerns: list[str] = field(default_factory=list)
    #: What could not be read or may not be written.
    problems: list[str] = field(default_factory=list)
    patterns: int = 0

    def tell(self, name: str, change: EntryChange) -> None:
        """Note a change of an entry for the log of the file with this name (M-47)."""
        report = self.reports.setdefault(name, FileReport())
        report.changes.append(change)
        if change.action == "ADDED":
            report.added.append(change.entry_id)
        elif change.action == "REVISED":
            report.revised.append(change.entry_id)

    def flag_conflict(self, name: str, told: str) -> None:
        """Note that transactions contradict an entry of this file (M-61, M-70)."""
        self.conflicts.append(told)
        self.flagged.setdefault(name, []).append(told)

    def flag_concern(self, told: str) -> None:
        """Note what is at odds with governance (M-55, M-70)."""
        self.concerns.append(f"Governance concern: {told}")
        self.flagged.setdefault(ERRORS, []).append(self.concerns[-1])


@dataclass(slots=True)
class Held:
    """An entry on its way through a run: what is known of it, where it was found, and where it will stand."""

    block: Block
    entry: Entry
    note: EntryRecord
    found_in: str
    place: Place
    is_new: bool = False
    #: The text that was found.
    original: str = ""
    #: The governance file that forbids what the entry recommends; empty if none does (M-55).
    forbidden_by: str = ""
    #: Whether what it rests on is enough for advice; what a person wrote always is.
    is_ripe: bool = True


def shelve(
    held: Collection[Held],
    left: Mapping[str, list[Block]],
    report: RunReport,
    *,
    options: Distillation,
    today: date,
) -> None:
    """Let confidence fade, and give every entry its place; `left` are the blocks of each file that nobody can read."""
    for one in held:
        _shelve_one(one, report, options, today)
    _keep_within_limit(held, left, int(options.token_limit * _NEARLY_FULL))


def _shelve_one(held: Held, report: RunReport, options: Distillation, today: date) -> None:
    entry, note = held.entry, held.note
    since = max(entry.last_confirmed, entry.edited_on or entry.last_confirmed)
    value = decayed(note.base, since, today, window_days=options.decay_window_days)
    note.peak = value if held.is_new else max(note.peak, value)
    if value != entry.confidence:
        _fade(held, value, report, today)
    held.place = place_of(
        value,
        threshold=options.confidence_threshold,
        archive_below=options.archive_below,
        is_new=held.is_new or (value >= note.peak and note.peak < options.archive_below),
    )
    if held.place is Place.STAGING and note.place is Place.ARCHIVE and not held.is_new:
        held.place = Place.ARCHIVE  # what left comes back when it is sure again, and not from run to run
    if held.place is Place.ACTIVE and not held.is_ripe:
        held.place = Place.STAGING
    if held.forbidden_by:
        held.place = Place.ARCHIVE
    elif note.chosen is Place.ARCHIVE or (note.chosen is not None and held.place is not Place.ARCHIVE):
        held.place = note.chosen


def _fade(held: Held, value: float, report: RunReport, today: date) -> None:
    before, note = held.entry.confidence, held.note
    held.entry = replace(held.entry, confidence=value)
    if note.is_edited:
        held.block = marked(held.block, {"Confidence": confidence_text(value, held.entry.transactions)})
    else:
        held.block = Block("", None)
    if not held.is_new and f"{before:.2f}" != f"{value:.2f}" and value < note.base:
        told = f"Not confirmed since {held.entry.last_confirmed}; confidence from {before:.2f} to {value:.2f}"
        report.tell(held.found_in, EntryChange(today.isoformat(), "REVISED", held.entry.id, told))


def _keep_within_limit(entries: Iterable[Held], left: Mapping[str, list[Block]], limit: int) -> None:
    """Archive the least sure of the entries in use, and of those the one that was confirmed first (T-40)."""
    active = [held for held in entries if held.place is Place.ACTIVE]
    active.sort(key=lambda held: (held.entry.confidence, held.entry.last_confirmed, -held.entry.number))
    most = bisect.bisect_right(
        range(1, len(active) + 1), limit, key=lambda count: _tokens(active[len(active) - count :], left)
    )
    for held in active[: len(active) - most]:
        held.place = Place.ARCHIVE


def _tokens(active: Iterable[Held], left: Mapping[str, list[Block]]) -> int:
    blocks: dict[Category, list[Block]] = {category: [] for category in Category}
    for held in active:
        blocks[held.entry.category].append(Block("", held.entry))
    return estimate_tokens(
        "".join(
            prompt_text(
                Document(f"# {SHELVES[category].title}\n", (*of_it, *left.get(file_of(category, Place.ACTIVE), ())), "")
            )
            for category, of_it in blocks.items()
        )
    )
