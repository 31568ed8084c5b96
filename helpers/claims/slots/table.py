"""The rows of slots by their wordings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ..values.readers import READERS
from .rows import SLOTS, Slot


@dataclass(frozen=True, eq=False)
class SlotTable:
    """Rows by wording: noun phrase -> rows, verb phrase -> rows."""

    nouns: Mapping[str, tuple[Slot, ...]]
    verbs: Mapping[str, tuple[Slot, ...]]

    @cached_property
    def _words(self) -> dict[str, frozenset[str]]:
        words: dict[str, set[str]] = {}
        for noun, rows in self.nouns.items():
            for reader in ("", *(reader for row in rows for reader in row.reads if isinstance(reader, str))):
                words.setdefault(reader, set()).add(noun.split()[-1])
        return {reader: frozenset(found) for reader, found in words.items()}

    def words_for(self, readers: tuple[str, ...] | None = None) -> frozenset[str]:
        """The last words of the nouns with such values, or of all: alone, none of them says of what a value is said."""
        kinds = [self._words.get(reader, frozenset()) for reader in readers or ("",)]
        return kinds[0] if len(kinds) == 1 else frozenset().union(*kinds)


def build_table(rows: Iterable[Slot]) -> SlotTable:
    """Index the rows by their wordings; an earlier row is tried first.

    Raises ValueError if a row names a reader that does not exist.
    """
    nouns: dict[str, tuple[Slot, ...]] = {}
    verbs: dict[str, tuple[Slot, ...]] = {}
    for row in rows:
        unknown = [reader for reader in row.reads if isinstance(reader, str) and reader not in READERS]
        if unknown:
            raise ValueError(f"slot {row.name!r}: reads is {unknown[0]!r}; allowed: {', '.join(sorted(READERS))}")
        for index, wordings in ((nouns, row.nouns), (verbs, row.verbs)):
            for wording in filter(None, wordings.split("|")):
                index[wording] = (*index.get(wording, ()), row)
    return SlotTable(nouns, verbs)


TABLE: Final = build_table(SLOTS)
