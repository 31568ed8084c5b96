"""Where each entry stands: confidence fades, and what is in use keeps within its limit (M-58 ... M-62). Pure."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date

from ..texts import estimate_tokens
from .categories import SHELVES, Category, file_of
from .confidence import Place, decayed, place_of
from .documents import Block, Document, EntryChange, marked, prompt_text
from .entries import confidence_text
from .held import Held, RunReport
from .options import Distillation
from .state import EntryRecord

#: Of the limit, how much is used before anything is archived for it (T-40).
_NEARLY_FULL = 0.9


def shelve(
    held: Mapping[str, Held],
    notes: Mapping[str, EntryRecord],
    left: Mapping[str, list[Block]],
    report: RunReport,
    *,
    options: Distillation,
    today: date,
) -> None:
    """Let confidence fade, and give every entry its place; `left` are the blocks of each file that nobody can read."""
    for name, one in held.items():
        _shelve_one(one, notes[name], report, options, today)
    _keep_within_limit(held.values(), left, int(options.token_limit * _NEARLY_FULL))


def _shelve_one(held: Held, note: EntryRecord, report: RunReport, options: Distillation, today: date) -> None:
    entry = held.entry
    since = max(entry.last_confirmed, entry.edited_on or entry.last_confirmed)
    value = decayed(note.base, since, today, window_days=options.decay_window_days)
    note.peak = value if held.is_new else max(note.peak, value)
    if value != entry.confidence:
        _fade(held, note, value, report, today)
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


def _fade(held: Held, note: EntryRecord, value: float, report: RunReport, today: date) -> None:
    before = held.entry.confidence
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
