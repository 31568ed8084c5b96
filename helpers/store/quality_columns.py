"""The inputs of the quality scores as arrays over index positions, for filters, report and health.

The arrays do not depend on the time; staleness and score are computed on request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from ..ledger.lifecycle import QualityHealth
from ..quality.kinds import MemoryType, Rates
from ..quality.report import QualityFigures
from ..quality.scores import (
    SOURCE_RELIABILITY,
    QualityRow,
    SourceClass,
    Stale,
    days_of,
    days_since,
    find_stale,
    find_unfit,
    score_of,
    staleness_of,
)
from ..settings import Settings
from .conflicts import ConflictFile

Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.float64]

_DIGITS = 4
#: How many memories of each kind the report names.
_MOST_NAMED = 3
_NUMBERS = ("confidence", "conflict_risk", "created", "validated", "touched", "expires")
_FLAGS = ("is_superseded", "has_errors", "is_forgotten", "is_known", "is_echo", "is_duplicate", "is_vouched_for")
_TYPES = tuple(MemoryType)
_TYPE_CODES = {memory_type: code for code, memory_type in enumerate(_TYPES)}
_ORIGIN_CODES = {origin: code for code, origin in enumerate(SourceClass)}
_RELIABILITY = np.array([SOURCE_RELIABILITY[origin] for origin in SourceClass])


class Arrays:
    """Arrays of one length, an attribute for each of `kinds`, which says its type and the value of an unknown row."""

    kinds: ClassVar[Mapping[str, tuple[str, int]]]

    def __init__(self, count: int = 0) -> None:
        self._arrays: dict[str, npt.NDArray[Any]] = {
            name: np.full(count, unknown, kind) for name, (kind, unknown) in self.kinds.items()
        }

    def __getattr__(self, name: str) -> npt.NDArray[Any]:
        try:
            array: npt.NDArray[Any] = vars(self)["_arrays"][name]
        except KeyError:
            raise AttributeError(name) from None
        return array

    def grow(self, room: int) -> None:
        """Make room for `room` rows."""
        places = np.arange(room)
        places[len(next(iter(self._arrays.values()))) :] = -1
        self._arrays = self.rearranged(places)._arrays

    def rearranged(self, places: npt.NDArray[np.int64]) -> Self:
        """Return new arrays made of the rows at `places`, shape (n,); unknown where a place is -1."""
        known, arrays = places >= 0, type(self)(len(places))
        for name, array in arrays._arrays.items():
            array[known] = self._arrays[name][places[known]]
        return arrays

    def write(self, position: int, row: Mapping[str, Any]) -> None:
        """Write values of one row."""
        for name, value in row.items():
            self._arrays[name][position] = value


class QualityFilter(NamedTuple):
    """A filter for memories; None and False demand nothing."""

    min_quality: float | None = None
    max_staleness: float | None = None
    exclude_conflicted: bool = False
    min_confidence: float | None = None


class Measured(NamedTuple):
    """Staleness and score of every row, both of shape (n,) and in 0..1."""

    staleness: Numbers
    score: Numbers


class QualityColumns(Arrays):
    """One row per index position."""

    kinds: ClassVar = {
        **dict.fromkeys(("kind", "origin"), ("u1", 0)),
        **dict.fromkeys(_NUMBERS, ("f8", 0)),
        **dict.fromkeys(_FLAGS, ("?", 0)),
    }

    @classmethod
    def of_rows(cls, rows: Iterable[QualityRow]) -> QualityColumns:
        """Return the columns of some rows, in their order."""
        all_rows = list(rows)
        columns = cls(len(all_rows))
        for position, row in enumerate(all_rows):
            columns.set(position, row)
        return columns

    def set(self, position: int, row: QualityRow) -> None:
        """Write the row of one memory."""
        codes = {"kind": _TYPE_CODES[row.kind], "origin": _ORIGIN_CODES[row.origin]}
        self.write(position, row._asdict() | codes)

    def note_access(self, position: int | None, moment: datetime) -> None:
        """Note that a memory was recalled; nothing if it has no row yet."""
        if position is not None and position < len(self.kind):
            self.touched[position] = max(self.touched[position], moment.timestamp())

    def number(self, name: str, count: int) -> Numbers:
        """Return the numbers called `name` of the first `count` rows, shape (count,)."""
        return self._arrays[name][:count]

    def flag(self, name: str, count: int) -> Flags:
        """Return the flags called `name` of the first `count` rows, shape (count,)."""
        return self._arrays[name][:count]

    def measure(self, count: int, now: datetime, rates: Rates) -> Measured:
        """Return staleness and score of the first `count` rows at `now`, as `scores.measure` does for one memory."""
        half_lives, decays = np.array([days_of(rates[memory_type]) for memory_type in _TYPES]).T.copy()
        kind = self.kind[:count]
        touched, validated = self.number("touched", count), self.number("validated", count)
        counted_from = np.maximum(self.number("created", count), validated)
        is_known = self.flag("is_known", count)
        stale = staleness_of(
            age_days=days_since(counted_from, now.timestamp()),
            idle_days=days_since(np.maximum(counted_from, touched), now.timestamp()),
            is_superseded=self.flag("is_superseded", count),
            half_life_days=half_lives[kind],
            access_decay_days=decays[kind],
        )
        confidence = self.number("confidence", count)
        score = score_of(confidence, stale, self.number("conflict_risk", count), _RELIABILITY[self.origin[:count]])
        return Measured(np.where(is_known, stale, 0.0), np.where(is_known, score, confidence))

    def find_stale(self, measured: Measured, stale_from: float) -> Stale:
        """Return which of the measured rows are stale."""
        flags = (
            self.flag(name, len(measured.staleness)) for name in ("is_forgotten", "is_superseded", "is_vouched_for")
        )
        return find_stale(measured.staleness, stale_from, *flags)

    def unfit(self, count: int, now: datetime) -> Flags:
        """Return one flag per row: whether it may enter no prompt at `now`."""
        flags: Flags = find_unfit(
            self.number("expires", count), now, self.flag("has_errors", count), self.flag("is_vouched_for", count)
        )
        return flags

    def passing(self, count: int, wanted: QualityFilter, now: datetime, rates: Rates) -> Flags:
        """Return one flag per row: whether it passes the filter."""
        flags: Flags = ~self.flag("is_forgotten", count)
        if wanted.exclude_conflicted:
            flags &= self.number("conflict_risk", count) == 0.0
        if wanted.min_confidence is not None:
            flags &= self.number("confidence", count) >= wanted.min_confidence
        if wanted.min_quality is not None or wanted.max_staleness is not None:
            measured = self.measure(count, now, rates)
            if wanted.min_quality is not None:
                flags &= measured.score >= wanted.min_quality
            if wanted.max_staleness is not None:
                flags &= measured.staleness <= wanted.max_staleness
        return flags

    def summarize(self, count: int, now: datetime, rates: Rates, *, unresolved_conflicts: int) -> QualityHealth:
        """Return the overall quality of the first `count` memories without the forgotten ones."""
        counted = self.flag("is_known", count) & ~self.flag("is_forgotten", count)
        total = int(counted.sum())
        if not total:
            return QualityHealth(unresolved_conflicts=unresolved_conflicts)
        measured = self.measure(count, now, rates)
        return QualityHealth(
            average_quality=round(float(measured.score[counted].mean()), _DIGITS),
            average_staleness=round(float(measured.staleness[counted].mean()), _DIGITS),
            unresolved_conflicts=unresolved_conflicts,
            validation_error_rate=round(int((counted & self.flag("has_errors", count)).sum()) / total, _DIGITS),
            echoes=int(self.flag("is_echo", count).sum()),
            duplicates=int(self.flag("is_duplicate", count).sum()),
        )

    def with_type(self, count: int, kinds: Iterable[MemoryType]) -> Flags:
        """Return one flag per row: whether it is of one of these types."""
        return np.isin(self.kind[:count], [_TYPE_CODES[kind] for kind in kinds])

    def count_types(self, chosen: Flags) -> Counter[MemoryType]:
        """Return the number of chosen rows by type; `chosen` has shape (n,)."""
        counts = np.bincount(self.kind[: len(chosen)][chosen], minlength=len(_TYPES))
        return Counter({memory_type: int(counts[code]) for code, memory_type in enumerate(_TYPES) if counts[code]})


def figures_of(
    columns: QualityColumns, ids: Sequence[str], conflicts: ConflictFile, settings: Settings, now: datetime
) -> QualityFigures:
    """Return the figures of the report; `ids` are those of the rows. Linear in the number of memories."""
    count = len(ids)
    measured = columns.measure(count, now, settings.staleness_config)
    counted = ~columns.flag("is_forgotten", count)
    stale = columns.find_stale(measured, settings.quality.stale_from)
    faulty = counted & columns.flag("has_errors", count)
    places = np.flatnonzero(stale.stale & ~stale.replaced)
    worst = places[np.argsort(-measured.staleness[places], kind="stable")[:_MOST_NAMED]]
    total = int(counted.sum())
    unresolved = conflicts.get_open()
    possible = [conflict.id for conflict in conflicts.get_conflicts(unresolved=True) if conflict.is_possible]
    return QualityFigures(
        total=total,
        by_type={kind.value: number for kind, number in columns.count_types(counted).items()},
        average_quality=float(measured.score[counted].mean()) if total else 0.0,
        average_staleness=float(measured.staleness[counted].mean()) if total else 0.0,
        unresolved_conflicts=len(unresolved),
        errors=int(faulty.sum()),
        stale=int(stale.stale.sum()),
        replaced=int(stale.replaced.sum()),
        unrecalled=int(stale.unrecalled.sum()),
        stale_ids=[ids[position] for position in worst],
        conflict_ids=[conflict.id for conflict in unresolved[:_MOST_NAMED]],
        possible_conflicts=len(possible),
        possible_ids=possible[:_MOST_NAMED],
        faulty_ids=[ids[position] for position in np.flatnonzero(faulty)[:_MOST_NAMED]],
    )
