"""A word or a mark of a text, with its place: what every reader reads."""

from __future__ import annotations

from typing import NamedTuple


class Token(NamedTuple):
    """A word or a mark: `low` is what the grammar compares, `text[start:end]` of the memory is `text`."""

    text: str
    low: str
    start: int
    end: int
