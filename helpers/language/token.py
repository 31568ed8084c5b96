"""Tokens: the words and marks of a text with their places; `SCANNER` alone says where a word ends."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import Final, NamedTuple

from ..texts import regex

#: A path, a number with its separators, a word with inner joints or an address (its one group), or a mark. What repeats
#: is bounded, or separated by characters that it cannot hold: a text is read in time linear in its length.
SCANNER: Final = regex(
    r"""((?:~|\.{1,2})?(?:/[\w@.+%-]{1,80}){1,24}/?
    | [A-Za-z]:\\[^\s"'<>|]{1,200}
    | [$€£]?\d{1,3}(?:,\d{3})+(?:\.\d+)?\w*(?:-[^\W\d]\w*)* | [$€£]?\d+,\d\d?(?![\w,])
    | [$€£\#@+.]?\w+(?:[-'’./:&@+]\w+)*(?:://[^\s<>"')\]}]{1,400}|[+\#%]{0,2}))
    | \n | [<>=!~]= | -> | → | [^\w\s]""",
    re.VERBOSE,
)
#: Marks at the end of a word that end a sentence instead.
TRAILING: Final = ".,;:!?"


class Token(NamedTuple):
    """A word or a mark: `low` is what the grammar compares, `text[start:end]` of the memory is `text`."""

    text: str
    low: str
    start: int
    end: int


def low_at(tokens: Sequence[Token], index: int) -> str:
    """Return the lower-case word at `index`, or an empty string past the end."""
    return tokens[index].low if index < len(tokens) else ""


def place_of(tokens: Sequence[Token], words: Container[str], begin: int = 0) -> int:
    """Return the index of the first of `words` from `begin` on; the number of tokens if none is there."""
    return next((i for i in range(begin, len(tokens)) if tokens[i].low in words), len(tokens))


def text_of(tokens: Sequence[Token]) -> str:
    """Return the words as they are written, with a blank between two."""
    return " ".join([token.text for token in tokens])


def spelled(tokens: Sequence[Token]) -> str:
    """Return the words in lower case with a blank behind each, for patterns of words: blanks count words."""
    return "".join([f"{token.low} " for token in tokens])
