"""Which words stand in many texts, as numbers: none is looked up before somebody asks for it (T-66). Pure.

A store that is opened for one question need not enter what else its texts say. What stands between two blanks is read
once, however many texts have it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, datetime
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ..language.keys import chunk_keys, is_spelled_out, spell_out

Numbers = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
#: A text, and when it was written.
Dated = tuple[str, datetime]

# So many texts are split at once, with a mark behind each.
_AT_ONCE = 512
_MARK = "\0"


def parse_terms(text: str, at: datetime | None = None) -> list[str]:
    """Return what `text` can be found by, in order; `at` adds the day, the month and the year of its writing."""
    chunks = spell_out(text).split()
    return [
        key for chunk in (chunks if at is None else [*chunks, *_day_chunks(at.date())]) for key in chunk_keys(chunk)
    ]


@lru_cache(maxsize=4_096)
def _day_chunks(day: date) -> tuple[str, str]:
    """Return how a day is written, which many memories share."""
    return day.isoformat(), str(day.year)


class TextWords:
    """The words of many texts, which are numbered in their order; `lengths` says how many each has, shape (n,)."""

    def __init__(self, texts: Sequence[Dated]) -> None:
        """Read the texts as `parse_terms` does."""
        mark = _MARK
        while any(mark in text for text, _ in texts):
            mark += _MARK
        chunks = _Numbers()
        end = chunks[mark]
        slices = [_split(texts[start : start + _AT_ONCE], mark, chunks) for start in range(0, len(texts), _AT_ONCE)]
        self._codes = np.concatenate([np.zeros(0, dtype=np.int32), *slices])
        self._ends = np.flatnonzero(self._codes == end)
        self._chunk_count = len(chunks)
        self._holders: dict[str, list[int]] = {}
        sizes = np.zeros(len(chunks), dtype=np.int64)
        for chunk, code in chunks.items():
            for key in chunk_keys(chunk):
                self._holders.setdefault(key, []).append(code)
                sizes[code] += 1
        self.lengths: Numbers = np.diff(np.cumsum(sizes[self._codes])[self._ends], prepend=0)

    @property
    def terms(self) -> Collection[str]:
        """All that a text can be found by."""
        return self._holders.keys()

    def find(self, term: str) -> tuple[Numbers, Numbers]:
        """Return the numbers of the texts in which a term stands, in their order, and how often it does in each."""
        weights = np.zeros(self._chunk_count, dtype=np.int64)
        for code in self._holders.get(term, ()):
            weights[code] += 1
        places = np.flatnonzero((weights > 0)[self._codes])
        numbers, first = np.unique(np.searchsorted(self._ends, places), return_index=True)
        return numbers, np.diff(np.cumsum([0, *weights[self._codes[places]]])[[*first, len(places)]])


class _Numbers(dict[str, int]):
    """A number for each word, given when it is first asked for."""

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self)
        return number


def _split(texts: Sequence[Dated], mark: str, chunks: _Numbers) -> Codes:
    """Return the numbers of what stands between blanks in some texts and the days of their writing."""
    behind = f" {mark} "
    is_plain = is_spelled_out(behind.join([text for text, _ in texts]))
    found: list[str] = []
    for text, at in texts:
        found += (text if is_plain else spell_out(text)).split()
        found += _day_chunks(at.date())
        found.append(mark)
    return np.fromiter(map(chunks.__getitem__, found), np.int32, len(found))
