"""Nouns: the singular of a plural."""

from __future__ import annotations

from typing import Final

from .tables import read_table

_TABLE: Final[dict[str, str]] = read_table(__file__, "lexicon")["nouns"]
#: Words that only look like a plural, or like a form of a verb.
UNINFLECTED: Final = frozenset(_TABLE["uninflected"].split())
#: Plurals that no ending tells, or not only.
SINGULARS: Final = dict(row.split("=") for row in _TABLE["plurals"].split())


def singular(word: str) -> str:
    """A plural noun without its ending; rough, but the same for the same word."""
    if word in SINGULARS and word.endswith("s"):
        return SINGULARS[word]
    if word in UNINFLECTED:
        return word
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "oes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
