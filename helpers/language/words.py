"""The words of a text in any language, and the form in which two of them are equal (T-03, T-66).

`token.SCANNER` says where a word ends. Here marks and places fall away, "Casey's" is a name and an "s", and a script
without spaces is cut as well, for those who look for what texts have in common. Pure, and linear in the length of the
text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable

from ..texts import regex
from .numerals import NUMBER_WORDS
from .stems import normalize_token
from .token import SCANNER, TRAILING
from .vocabulary import WORDS

STOPWORDS = WORDS["stopwords"]

_WORD = regex(r"\b\w+\b")
SCRIPT_WITHOUT_SPACES = regex("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
LONGEST_TOKEN = 200
# What a token is written with that is no part of its name: a currency, a percent sign, what ends a sentence.
_EDGES = "$€£%@~_" + TRAILING


def extract_keywords(text: str, limit: int = 12) -> list[str]:
    """Return the first `limit` words that carry meaning, lower-cased, in order (E-15)."""
    words = _WORD.findall(text.lower())
    return [word for word in words if len(word) > 2 and word not in STOPWORDS][:limit]


def split_words(text: str) -> frozenset[str]:
    """Return the plain words of `text`, lower-cased, numbers among them: no stopword is left out, no ending cut.

    A script that is written without spaces is split into overlapping pairs of characters.
    """
    found = frozenset(_WORD.findall(text.lower()))
    return found if text.isascii() else frozenset(piece for word in found for piece in _pieces(word))


def split_tokens(text: str) -> list[str]:
    """Return the tokens of `text` in order, case kept, with numbers, versions, paths and identifiers whole.

    A script that is written without spaces is split into overlapping pairs of characters.
    """
    found = [
        token
        for word in SCANNER.findall(text)
        for part in (word.replace("’", "'").split("'") if "'" in word or "’" in word else (word,))
        if (token := part.strip(_EDGES).lstrip("#+").rstrip("/")) and len(token) <= LONGEST_TOKEN
    ]
    return found if text.isascii() else [piece for token in found for piece in _pieces(token)]


def _pieces(word: str) -> Iterable[str]:
    """Return the pairs of characters of a script without spaces, or the word in NFC."""
    if SCRIPT_WITHOUT_SPACES.search(word):
        return (word[i : i + 2] for i in range(max(1, len(word) - 1)))
    return (unicodedata.normalize("NFC", word),)


def split_compound(token: str) -> list[str]:
    """Return the words that hyphens join: "two-week", "27-inch"; of "node-2", "GH-77-B" and "twenty-five" the whole."""
    first, *rest = token.split("-")
    is_compound = all(one.isalpha() for one in rest) and (first.isalpha() or first.replace(".", "").isdecimal())
    return [first, *rest] if is_compound and token.casefold() not in NUMBER_WORDS else [token]


def content_words(text: str) -> frozenset[str]:
    """Return the words of `text` that carry meaning, in the form in which two spellings are equal."""
    return frozenset(normalize_token(token) for token in split_tokens(text) if token.casefold() not in STOPWORDS)


def shares_half(words: Collection[str], others: Collection[str]) -> bool:
    """Whether at least half of `words` are among `others`; none of none are."""
    return bool(words) and 2 * sum(word in others for word in words) >= len(words)
