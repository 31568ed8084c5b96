"""A word or a mark of a text, with its place: what every reader reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Token(NamedTuple):
    """A word or a mark: `low` is what the grammar compares, `text[start:end]` of the memory is `text`."""

    text: str
    low: str
    start: int
    end: int


def low_at(tokens: Sequence[Token], index: int) -> str:
    """The lower-case word at `index`, or an empty string past the end."""
    return tokens[index].low if index < len(tokens) else ""


def text_of(tokens: Sequence[Token]) -> str:
    """The words as they are written, with a blank between two."""
    return " ".join([token.text for token in tokens])
