"""Nouns and adjectives that say what a verb says: "delivery" and "deliver", "departure" and "depart" (C-39, C-43)."""

from __future__ import annotations

from typing import Final

from .tables import read_table, split_members

#: Word -> the verb of its family; verbs of one meaning have one form.
FAMILY: Final[dict[str, str]] = {
    word: verb for verb, *words in split_members(read_table(__file__, "word_families")["families"]) for word in words
}
