"""Read numbers that are names (extensions, account numbers, handles) and street addresses from tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...language.lexicon import PREPOSITIONS
from ...language.token import Token, low_at
from ..model import Value, ValueKind
from .names import WORDS, without_accents
from .numbers import Parsed, is_range

_MAX_GROUPS: Final = 6
_MAX_STREET: Final = 5


def parse_code(tokens: Sequence[Token], index: int) -> Parsed | None:
    """A number that names a thing ("4471", "DE-2231", "12 34 56"); norm: its letters and digits."""
    words: list[str] = []
    end = index
    while end < len(tokens) and len(words) < _MAX_GROUPS and any(c.isdigit() for c in tokens[end].low):
        words.append("".join(c for c in tokens[end].low if c.isalnum()))
        end += 1
    if (
        not words
        or is_range(tokens, end)
        or (low_at(tokens, end).isalpha() and low_at(tokens, end) not in PREPOSITIONS)
    ):
        return None
    return Parsed.of(ValueKind.CODE, tokens, index, end, ("".join(words),))


def parse_handle(tokens: Sequence[Token], index: int) -> Parsed | None:
    """One word by which somebody or something is called ("kirti-codes", "@ana", "#support"); norm: its letters."""
    token = tokens[index] if index < len(tokens) else None
    if token is None or (index + 1 < len(tokens) and tokens[index + 1].low.isalpha()):
        return None
    word = token.low.lstrip("@#")
    is_name = any(not c.isalpha() for c in token.low) or token.text[0].isupper()
    if not is_name or not word or not word[0].isalnum() or "/" in word:
        return None
    return Parsed(Value(ValueKind.CODE, token.text, (word,)), index + 1)


def parse_street(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Read "14 Elm Street, Graz", "Lindengasse 14"; norm: (house number, words of the street)."""
    end = index
    number, words = "", []
    while end < len(tokens) and end - index < _MAX_STREET and tokens[end].low != ",":
        low = tokens[end].low
        if low[0].isdigit() and not number:
            number = low
        elif tokens[end].text[0].isupper():
            words.append(without_accents(low))
        else:
            break
        end += 1
    named = [word for word in words if word not in WORDS["streets"]] or words
    if not number or not named or sum(c.isdigit() for c in number) > _MAX_STREET:
        return None
    while end < len(tokens) and (
        tokens[end].low == "," or tokens[end].text[0].isupper() or tokens[end].low[0].isdigit()
    ):
        end += 1
    return Parsed.of(ValueKind.STREET, tokens, index, end, (number, *named))
