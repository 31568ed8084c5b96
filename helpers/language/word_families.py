"""Nouns and adjectives that say what a verb says: "delivery" and "deliver", "departure" and "depart" (C-39, C-43)."""

from __future__ import annotations

from typing import Final

from .tables import read_table

#: Word -> the verb of its family; verbs of one meaning have one form.
FAMILY: Final[dict[str, str]] = {
    word: verb for verb, words in read_table(__file__, "word_families")["families"].items() for word in words.split()
}
