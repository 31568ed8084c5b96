"""Values of one list, and of free text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ...language.lexicon import ARTICLES, CONJUNCTIONS, DETERMINERS, INDEFINITE, PREPOSITIONS, PRONOUNS
from ...language.tables import split_members
from ...language.token import Token, low_at, text_of
from ..model import Value, ValueKind
from .numbers import Parsed

_MAX_WORDS: Final = 6
_NO_START: Final = PRONOUNS | INDEFINITE | DETERMINERS
_ENDS: Final = PREPOSITIONS | CONJUNCTIONS | {"not", "instead", "rather"}


@dataclass(frozen=True, slots=True)
class Choice:
    """A reader of one of `members`, each given as its words; `family` tells two lists apart.

    `names`: what a member is called that is written in several ways.
    """

    family: str
    members: tuple[tuple[str, ...], ...]
    names: tuple[tuple[tuple[str, ...], str], ...] = ()

    def __call__(self, tokens: Sequence[Token], index: int) -> Parsed | None:
        """The longest member at `index`; norm: (family, member)."""
        found: tuple[str, ...] = ()
        for words in self.members:
            if len(words) > len(found) and all(low_at(tokens, index + i) == word for i, word in enumerate(words)):
                found = words
        if not found:
            return None
        end = index + len(found)
        text = text_of(tokens[index:end])
        name = dict(self.names).get(found) or " ".join(found)
        return Parsed(Value(ValueKind.TERM, text, (self.family, name)), end)


def choice(family: str, members: str) -> Choice:
    """The reader of a list of members; `a=b` writes one in several ways, `_` stands for a space."""
    names = tuple((tuple(way.split()), ways[0]) for ways in split_members(members) for way in ways)
    return Choice(family, tuple(way for way, _ in names), names)


def parse_phrase(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Words up to the next preposition, conjunction or mark; norm: the words without an article."""
    index += low_at(tokens, index) in ARTICLES
    if low_at(tokens, index) in _NO_START:
        return None
    end = index
    while end < len(tokens) and tokens[end].low not in _ENDS and tokens[end].low[0].isalnum():
        end += 1
    if not index < end <= index + _MAX_WORDS:
        return None
    words = tuple(token.low for token in tokens[index:end])
    return Parsed.of(ValueKind.PHRASE, tokens, index, end, words)
