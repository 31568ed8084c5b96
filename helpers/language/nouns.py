"""Nouns: the singular of a plural."""

from __future__ import annotations


def singular(word: str) -> str:
    """A plural noun without its ending; rough, but the same for the same word."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "tches", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
