"""The status and the quality of every memory as arrays over index positions, for recall, filters, report and health.

No column depends on the time; what does is computed on request (`quality_columns`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

import numpy as np
import numpy.typing as npt

from ..ledger.lifecycle import Status, touched_cycle
from ..quality.kinds import MemoryType
from ..quality.scores import SourceClass, read_row
from ..recall.eligibility import RoleDomains, fits_role, memory_domains, was_replaced
from ..recall.selection import mark_outdated
from ..records import Memory, Relevance, Source, Utility, Validity
from .index import Index

Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int64]

_UNKNOWN = 255
_LAST_CYCLE = 2**62  # foreign metadata can name any number
_VALIDITIES = tuple(Validity)
_UTILITIES = tuple(Utility)
_SOURCES = tuple(Source)
_TYPE_CODES = {memory_type: code for code, memory_type in enumerate(MemoryType)}
_ORIGIN_CODES = {origin: code for code, origin in enumerate(SourceClass)}
# The areas that the host recalls; memories in another area are never injected (contract, trap 22).
MEMORY_AREA, SOLUTION_AREA, OTHER_AREA = 0, 1, 2
_AREAS = {"main": MEMORY_AREA, "fragments": MEMORY_AREA, "solutions": SOLUTION_AREA}

#: The columns of the status; a memory without one has these values.
_STATUS_KINDS: dict[str, tuple[str, int]] = {
    **dict.fromkeys(("validity", "utility", "source"), ("u1", _UNKNOWN)),
    **dict.fromkeys(("is_dormant", "is_recalled", "is_candidate", "is_replaced", "has_pointers"), ("?", 0)),
    **{"domain": ("i4", 0), "touched_cycle": ("i8", 0)},
}
_NO_STATUS = {name: unknown for name, (_, unknown) in _STATUS_KINDS.items()}
_QUALITY_FLAGS = (
    "is_superseded", "has_errors", "is_forgotten", "is_known", "is_echo", "is_duplicate", "is_vouched_for",
)  # fmt: skip
#: The type of every column, and its value in an unread row.
_KINDS: dict[str, tuple[str, int]] = {
    **_STATUS_KINDS,
    **{"area": ("u1", 0), "inserted": ("f8", 0), "text": ("i8", 0), "is_unread": ("?", 1)},
    **dict.fromkeys(("kind", "origin"), ("u1", 0)),
    **dict.fromkeys(("confidence", "conflict_risk", "created", "validated", "touched", "expires"), ("f8", 0)),
    **dict.fromkeys(_QUALITY_FLAGS, ("?", 0)),
}


class Columns:
    """One row per index position; each column is an attribute, an array of shape (n,).

    Until it is set, a row is unread: such a memory counts as in use, in every area and for every role.
    """

    def __init__(self, count: int = 0) -> None:
        self._arrays: dict[str, npt.NDArray[Any]] = {
            name: np.full(count, unknown, kind) for name, (kind, unknown) in _KINDS.items()
        }
        self._domain_codes: dict[tuple[str | None, str | None], int] = {(None, None): 0}

    @classmethod
    def of_memories(cls, memories: Collection[Memory]) -> Columns:
        """Return the columns of some memories, in their order."""
        columns = cls(len(memories))
        for position, memory in enumerate(memories):
            columns.set(position, memory)
        return columns

    def __getattr__(self, name: str) -> npt.NDArray[Any]:
        try:
            array: npt.NDArray[Any] = vars(self)["_arrays"][name]
        except KeyError:
            raise AttributeError(name) from None
        return array

    def __len__(self) -> int:
        return len(self.validity)

    def rearranged(self, places: Places) -> Columns:
        """Return new columns made of the rows at `places`, shape (n,); unread where a place is -1.

        These columns stay as they are, for other threads that read them.
        """
        columns, is_there = Columns(len(places)), places >= 0
        columns._domain_codes = self._domain_codes
        for name, array in columns._arrays.items():
            array[is_there] = self._arrays[name][places[is_there]]
        return columns

    def set(self, position: int, memory: Memory) -> None:
        """Write the row of one memory."""
        quality = read_row(memory)
        row: dict[str, object] = {
            **_NO_STATUS,
            **quality._asdict(),
            "kind": _TYPE_CODES[quality.kind],
            "origin": _ORIGIN_CODES[quality.origin],
            "area": _AREAS.get(memory.area, OTHER_AREA),
            "inserted": memory.created_at.timestamp(),
            "text": hash(" ".join(mark_outdated(memory).split())),
            "is_unread": False,
        }
        axes, lineage = memory.classification, memory.lineage
        if axes is not None and lineage is not None:
            domain = (lineage.bst_domain, lineage.created_by_role)
            points = bool(lineage.superseded_by or lineage.supersedes or lineage.supersedes_ids)
            row |= {
                "validity": _VALIDITIES.index(axes.validity),
                "utility": _UTILITIES.index(axes.utility),
                "source": _SOURCES.index(axes.source),
                "is_dormant": axes.relevance is Relevance.DORMANT,
                "domain": self._domain_codes.setdefault(domain, len(self._domain_codes)),
                "touched_cycle": min(touched_cycle(lineage), _LAST_CYCLE),
                "is_recalled": lineage.access_count > 0,
                "is_candidate": lineage.dormancy_candidate,
                "is_replaced": was_replaced(memory),
                "has_pointers": points or axes.validity is Validity.DEPRECATED,
            }
        for name, value in row.items():
            self._arrays[name][position] = value

    def note_access(self, position: int | None, cycle: int, moment: datetime) -> None:
        """Note that a memory is in a prompt of recall cycle `cycle`; nothing if it has no row yet."""
        if position is not None and position < len(self):
            self.touched_cycle[position] = max(int(self.touched_cycle[position]), cycle)
            self.touched[position] = max(float(self.touched[position]), moment.timestamp())
            self.is_recalled[position] = True

    def in_use(self) -> Flags:
        """Return one flag per row: not deprecated."""
        return np.asarray(self.validity != _VALIDITIES.index(Validity.DEPRECATED))

    def of_user(self) -> Flags:
        """Return one flag per row: the user's word, or unread."""
        return np.asarray((self.source == _SOURCES.index(Source.USER_ASSERTED)) | self.is_unread)

    def with_utility(self, utility: Utility) -> Flags:
        """Return one flag per row: in use, and of that utility class."""
        return np.asarray(self.is_known & self.in_use() & (self.utility == _UTILITIES.index(utility)))

    def active(self) -> Flags:
        """Return one flag per row: of known status, in use and not dormant."""
        return np.asarray(self.is_known & self.in_use() & ~self.is_dormant)

    def idle(self, cycle: int, cycles: int) -> Flags:
        """Return one flag per row: neither recalled nor written during the `cycles` before `cycle`."""
        return np.asarray(cycle - self.touched_cycle >= cycles)

    def with_type(self, kinds: Iterable[MemoryType]) -> Flags:
        """Return one flag per row: whether it is of one of these types."""
        return np.isin(self.kind, [_TYPE_CODES[kind] for kind in kinds])

    def eligible(
        self, area: int | None, allowed: Collection[str] | None, role_domains: RoleDomains, *, is_past: bool = False
    ) -> Flags:
        """Return one flag per row: in `area`, in use, and fit for a role that handles the domains `allowed`.

        `area` None stands for all areas that the host recalls. With `is_past`, replaced memories take part as well.
        """
        fits = np.array(
            [fits_role(memory_domains(*key, role_domains), allowed) for key in self._domain_codes], dtype=np.bool_
        )
        seen_by_role = fits[self.domain] | (self.utility == _UTILITIES.index(Utility.LOAD_BEARING))
        in_area = (self.area != OTHER_AREA if area is None else self.area == area) | self.is_unread
        in_question = self.in_use() | self.is_replaced if is_past else self.in_use()
        return np.asarray(in_area & in_question & ~self.is_dormant & seen_by_role)

    def without_copies(self, eligible: Flags) -> Flags:
        """Return `eligible` with one row per text: the load_bearing, confirmed, user's or newest copy."""
        places = np.flatnonzero(eligible & ~self.is_unread)
        _, numbers, counts = np.unique(self.text[places], return_inverse=True, return_counts=True)
        places = places[counts[numbers] > 1]
        by_weight = (
            -self.inserted[places],
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
        codes = Counter(zip(self.validity.tolist(), self.utility.tolist(), self.source.tolist(), strict=True))
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
        #: The columns, in which some rows may be unread.
        self.so_far = Columns()

    def extend(self) -> None:
        """Add a row for each memory at the end of the index."""
        places = np.arange(len(self._index))
        places[len(self.so_far) :] = -1
        self._rearrange(places)

    def refill(self, before: Mapping[str, int], is_as_seen: Callable[[str], bool]) -> None:
        """Move the rows to the new positions of their memories; those of new memories are unread.

        `before` maps ids to the former positions; `is_as_seen` says whether the row of a memory is still right.
        """
        places = [before.get(memory_id, -1) if is_as_seen(memory_id) else -1 for memory_id in self._index.ids]
        self._rearrange(np.array(places, dtype=np.int64))

    def _rearrange(self, places: Places) -> None:
        self.so_far = self.so_far.rearranged(places)
        if self.unread() <= _READ_AT_ONCE:
            self.read()

    def unread(self) -> int:
        """Return how many rows are unread."""
        return int(self.so_far.is_unread.sum())

    def read(self, positions: Iterable[int] | None = None, *, limit: int | None = None) -> int:
        """Read the unread rows among `positions` (None: all), at most `limit`; return how many were read."""
        is_unread = self.so_far.is_unread
        chosen = np.flatnonzero(is_unread).tolist() if positions is None else positions
        waiting = [position for position in chosen if is_unread[position]][:limit]
        for position in waiting:
            memory = self._read(self._index.ids[position])
            if memory is None:  # it has just gone
                is_unread[position] = False
            else:
                self.so_far.set(position, memory)
        return len(waiting)
