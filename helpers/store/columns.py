"""The status of every memory as arrays over index positions, for recall and health."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ..ledger.lifecycle import Status, touched_cycle
from ..quality.scores import read_row
from ..recall.eligibility import RoleDomains, fits_role, memory_domains, was_replaced
from ..recall.selection import mark_outdated
from ..records import Memory, Relevance, Source, Utility, Validity
from .index import Index
from .quality_columns import Arrays, QualityColumns

Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int64]

_UNKNOWN = 255
_LAST_CYCLE = 2**62  # foreign metadata can name any number
_VALIDITIES = tuple(Validity)
_UTILITIES = tuple(Utility)
_SOURCES = tuple(Source)
#: What is known of a memory without a status.
_FACTS = ("area", "created", "text", "is_unread")
# The areas that the host recalls; memories in another area are never injected (contract, trap 22).
MEMORY_AREA, SOLUTION_AREA, OTHER_AREA = 0, 1, 2
_AREAS = {"main": MEMORY_AREA, "fragments": MEMORY_AREA, "solutions": SOLUTION_AREA}


class Columns(Arrays):
    """One row per index position; `resize` before `set`."""

    kinds: ClassVar = {
        **dict.fromkeys(("validity", "utility", "source"), ("u1", _UNKNOWN)),
        **dict.fromkeys(("is_dormant", "is_recalled", "is_candidate", "is_replaced", "has_pointers"), ("?", 0)),
        **{"domain": ("i4", 0), "touched": ("i8", 0)},
        **{"area": ("u1", 0), "created": ("f8", 0), "text": ("i8", 0), "is_unread": ("?", 0)},
    }

    def __init__(self, count: int = 0) -> None:
        super().__init__(count)
        self._count = count
        self._unread = 0
        self._is_shared: Flags | None = None
        self.quality = QualityColumns(count)
        self._domain_codes: dict[tuple[str | None, str | None], int] = {(None, None): 0}

    def resize(self, count: int) -> None:
        """Make room for `count` rows; new rows are unknown."""
        if count > len(self.validity):
            room = max(count, len(self.validity) * 3 // 2, 64)
            self.grow(room)
            self.quality.grow(room)
        if count != self._count:
            self._count, self._is_shared = count, None

    def rearranged(self, places: Places) -> Columns:
        """Return new columns made of the rows at `places`, shape (n,); unknown where a place is -1.

        These columns stay as they are, for other threads that read them. A row that was unknown is still to be set.
        """
        columns = super().rearranged(places)
        columns._domain_codes, columns.quality = self._domain_codes, self.quality.rearranged(places)
        columns._unread = int(columns.is_unread.sum())
        return columns

    def __len__(self) -> int:
        return self._count

    def is_known(self) -> Flags:
        """Return one flag per row: whether it holds the status of a memory."""
        flags: Flags = self.validity[: self._count] != _UNKNOWN
        return flags

    def forget(self, places: Places) -> None:
        """Mark the rows at `places` as unread: until it is set, such a row is in use, in every area, for every role."""
        self.is_unread[places] = 1
        self._unread = int(self.is_unread[: self._count].sum())
        self._is_shared = None

    def unread(self) -> int:
        """Return how many rows are unread."""
        return self._unread

    def unread_among(self, positions: Iterable[int] | None) -> list[int]:
        """Return the unread ones of `positions`, of all positions if that is None."""
        if not self._unread:
            return []
        if positions is None:
            return np.flatnonzero(self.is_unread[: self._count]).tolist()
        return [position for position in positions if self.is_unread[position]]

    def pass_over(self, position: int) -> None:
        """Mark the row of a memory that has gone as read."""
        if self.is_unread[position]:
            self.is_unread[position], self._is_shared = 0, None
            self._unread -= 1

    def note_time(self, position: int, written_at: datetime) -> None:
        """Note when a memory was written, even if its row is unread: a search looks at neighbours in time."""
        self.created[position] = written_at.timestamp()

    def set(self, position: int, memory: Memory) -> None:
        """Write the row of one memory."""
        self.pass_over(position)
        self.area[position] = _AREAS.get(memory.area, OTHER_AREA)
        self.note_time(position, memory.created_at)
        self.quality.set(position, read_row(memory))
        self._set_text(position, memory)
        axes, lineage = memory.classification, memory.lineage
        row: dict[str, object] = {name: unknown for name, (_, unknown) in self.kinds.items() if name not in _FACTS}
        if axes is not None and lineage is not None:
            domain = (lineage.bst_domain, lineage.created_by_role)
            points = bool(lineage.superseded_by or lineage.supersedes or lineage.supersedes_ids)
            row = {
                "validity": _VALIDITIES.index(axes.validity),
                "utility": _UTILITIES.index(axes.utility),
                "source": _SOURCES.index(axes.source),
                "is_dormant": axes.relevance is Relevance.DORMANT,
                "domain": self._domain_codes.setdefault(domain, len(self._domain_codes)),
                "touched": min(touched_cycle(lineage), _LAST_CYCLE),
                "is_recalled": lineage.access_count > 0,
                "is_candidate": lineage.dormancy_candidate,
                "is_replaced": was_replaced(memory),
                "has_pointers": points or axes.validity is Validity.DEPRECATED,
            }
        self.write(position, row)

    def _set_text(self, position: int, memory: Memory) -> None:
        """Write the hash of a text as a prompt shows it, white space normalized."""
        mark = hash(" ".join(mark_outdated(memory).split()))
        if self.text[position] != mark:
            self.text[position], self._is_shared = mark, None

    def note_access(self, position: int | None, cycle: int) -> None:
        """Note that a memory is in a prompt of recall cycle `cycle`; nothing if it has no row yet."""
        if position is not None and position < self._count:
            self.touched[position] = max(int(self.touched[position]), cycle)
            self.is_recalled[position] = True

    def in_use(self) -> Flags:
        """Return one flag per row: not deprecated."""
        flags: Flags = self.validity[: self._count] != _VALIDITIES.index(Validity.DEPRECATED)
        return flags

    def of_user(self) -> Flags:
        """Return one flag per row: the user's word, or unread."""
        flags: Flags = self.source[: self._count] == _SOURCES.index(Source.USER_ASSERTED)
        flags |= self.is_unread[: self._count]
        return flags

    def with_utility(self, utility: Utility) -> Flags:
        """Return one flag per row: in use, and of that utility class."""
        flags: Flags = self.is_known() & self.in_use() & (self.utility[: self._count] == _UTILITIES.index(utility))
        return flags

    def active(self) -> Flags:
        """Return one flag per row: of known status, in use and not dormant."""
        flags: Flags = self.is_known() & self.in_use() & ~self.is_dormant[: self._count]
        return flags

    def idle(self, cycle: int, cycles: int) -> Flags:
        """Return one flag per row: neither recalled nor written during the `cycles` before `cycle`."""
        flags: Flags = cycle - self.touched[: self._count] >= cycles
        return flags

    def flags(self, name: str) -> Flags:
        """Return the column `is_recalled`, `is_candidate`, `is_dormant` or `has_pointers`, one flag per row."""
        flags: Flags = self._arrays[name][: self._count]
        return flags

    def eligible(
        self, area: int | None, allowed: Collection[str] | None, role_domains: RoleDomains, *, is_past: bool = False
    ) -> Flags:
        """Return one flag per row: in `area`, in use, and fit for a role that handles the domains `allowed`.

        `area` None stands for all areas that the host recalls. With `is_past`, replaced memories take part as well.
        """
        count = self._count
        fits = np.array(
            [fits_role(memory_domains(*key, role_domains), allowed) for key in self._domain_codes], dtype=np.bool_
        )
        seen_by_role = fits[self.domain[:count]] | (self.utility[:count] == _UTILITIES.index(Utility.LOAD_BEARING))
        in_area = self.area[:count] != OTHER_AREA if area is None else self.area[:count] == area
        in_area |= self.is_unread[:count]
        in_question = self.in_use() | self.flags("is_replaced") if is_past else self.in_use()
        flags: Flags = in_area & in_question & ~self.is_dormant[:count] & seen_by_role
        return flags

    def without_copies(self, eligible: Flags) -> Flags:
        """Return `eligible` with one row per text: the load_bearing, confirmed, user's or newest copy."""
        if self._is_shared is None:
            read = np.flatnonzero(~self.is_unread[: self._count])
            _, numbers, counts = np.unique(self.text[read], return_inverse=True, return_counts=True)
            self._is_shared = np.zeros(self._count, dtype=np.bool_)
            self._is_shared[read] = counts[numbers] > 1
        places = np.flatnonzero(eligible & self._is_shared)
        by_weight = (
            -self.created[places],
            self.source[places] != _SOURCES.index(Source.USER_ASSERTED),
            self.validity[places],
            self.utility[places] != _UTILITIES.index(Utility.LOAD_BEARING),
            self.text[places],
        )
        places = places[np.lexsort(by_weight)]
        flags = eligible.copy()
        flags[places[1:][np.diff(self.text[places]) == 0]] = False
        return flags

    def count(self) -> Counter[Status]:
        """Return the number of classified memories by status."""
        arrays = (array[: self._count] for array in (self.validity, self.utility, self.source))
        codes = Counter(zip(*(array.tolist() for array in arrays), strict=False))  # in use elsewhere, it may grow
        return Counter(
            {
                (_VALIDITIES[validity], _UTILITIES[utility], _SOURCES[source]): number
                for (validity, utility, source), number in codes.items()
                if validity != _UNKNOWN
            }
        )


# The most rows that are read at once while somebody waits.
_READ_AT_ONCE = 256


class Rows:
    """Keeps one row per position of the index; `read` returns the memory of an id. Call it with the lock held."""

    def __init__(self, index: Index, read: Callable[[str], Memory | None]) -> None:
        self._index = index
        self._read = read
        #: The columns; an unread row counts as in use, in every area and for every role.
        self.so_far = Columns()

    def refill(self, before: Mapping[str, int], is_as_seen: Callable[[str], bool]) -> None:
        """Move the rows to the new positions of their memories; new memories, and those without a status, are unread.

        `before` maps ids to the former positions; `is_as_seen` says whether the row of a memory is still right.
        """
        places = [before.get(memory_id, -1) if is_as_seen(memory_id) else -1 for memory_id in self._index.ids]
        self.so_far = self.so_far.rearranged(np.array(places, dtype=np.int64))
        self.so_far.forget(np.flatnonzero(~self.so_far.is_known()))
        if self.so_far.unread() <= _READ_AT_ONCE:
            self.read()

    def read(self, positions: Iterable[int] | None = None, *, limit: int | None = None) -> int:
        """Read the unread rows among `positions` (None: all), at most `limit`; return how many were read."""
        waiting = self.so_far.unread_among(positions)[:limit]
        for position in waiting:
            memory = self._read(self._index.ids[position])
            if memory is None:
                self.so_far.pass_over(position)
            else:
                self.so_far.set(position, memory)
        return len(waiting)
