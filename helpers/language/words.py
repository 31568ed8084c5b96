"""The words of a text in any language: their stems, and the form in which two words are equal."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Final

from ..texts import regex
from .lexicon import ENVIRONMENT_NOUNS, ENVIRONMENTS, SAME_TOPICS, SPELLINGS, singular, versioned_names
from .numerals import NUMBER_WORDS, without_commas
from .tables import read_table, split_members
from .token import SCANNER, TRAILING
from .verbs import IRREGULAR, forms
from .vocabulary import WORDS

_TABLE: Final[dict[str, str]] = read_table(__file__, "vocabulary")["stems"]
#: Word -> the verb of its family; verbs of one meaning have one form: "delivery" and "deliver".
FAMILY: Final[dict[str, str]] = {
    word: verb for verb, *words in split_members(read_table(__file__, "word_families")["families"]) for word in words
}
#: Dimension -> stem -> the word that stands for it beside such a value; empty if the value says it already: "the
#: backend framework is Django", "the backend is built with Django".
CONCEPTS: Final[dict[str, dict[str, str]]] = {
    dimension: {stem: "" if word == "nothing" else word for word, stems in rows.items() for stem in stems.split()}
    for dimension, rows in read_table(__file__, "concepts").items()
}
#: Written forms of one noun.
_SAME_WORD: Final = {form: word for word, *written in (*SPELLINGS, *SAME_TOPICS) for form in written}
_ENVIRONMENT_WORDS: Final = frozenset(ENVIRONMENTS.values()) | ENVIRONMENT_NOUNS
#: Suffixes with what replaces them, the longer ones first.
_SUFFIXES: Final = [(suffix, kept) for suffix, _, kept in (row.partition("=") for row in _TABLE["suffixes"].split())]
STOPWORDS = WORDS["stopwords"]
_WORD = regex(r"\b\w+\b")
SCRIPT_WITHOUT_SPACES = regex("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
LONGEST_TOKEN = 200
# What a token is written with that is no part of its name: a currency, a percent sign, what ends a sentence.
_EDGES = "$€£%@~_" + TRAILING


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return a word without its ending: the lemma of a known verb, else a rough stem that is the same for its forms."""
    low = _spelling(word)
    if low in _ENVIRONMENT_WORDS:
        return low
    if low in FAMILY:
        return FAMILY[low]
    verb = (forms().get(word) if word.endswith("es") else None) or forms().get(low)
    if verb:
        return FAMILY.get(verb[0], verb[0])
    for ending in ("ing", "ed"):
        if low.endswith(ending) and len(low) > len(ending) + 3 and low.isalpha():
            return _undoubled(low.removesuffix(ending))
    return low


@lru_cache(maxsize=4096)
def _spelling(word: str) -> str:
    low = word.removesuffix("'s").removesuffix("'")
    low = ENVIRONMENTS.get(low, low) if low not in ("live", "stage") else low
    low = _SAME_WORD.get(low, low)
    if low in versioned_names():
        return versioned_names()[low]
    if low == "users":
        return low  # those of a product; "user" is the one who speaks here
    low = singular(low) if low.isalpha() else low
    return _SAME_WORD.get(low, low)


def root(word: str) -> str:
    """Strip an English inflection from a lower-case word; short words stay as they are."""
    if len(word) < 4 or not word.isascii():
        return word
    for suffix, kept in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: -len(suffix)] + kept
            break
    word = _undoubled(word) if len(word) > 3 else word
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def _undoubled(word: str) -> str:
    """Return a stem without the letter that its ending doubled: "runn" of "running" is "run"."""
    return word[:-1] if word[-1] == word[-2] and word[-1] not in "aeiouls" else word


#: Irregular form -> the root of its verb, unless the form is as often another word.
_ROOTS: Final = {
    form: root(lemma) for lemma, *others in IRREGULAR if lemma in _TABLE["verbs"].split() for form in others[:3]
} | {form: word for word, *written in split_members(_TABLE["roots"]) for form in written}


@lru_cache(maxsize=16_384)
def normalize_token(token: str) -> str:
    """Return the form in which two spellings of one token are equal: `Servers` = `server`, `8,443` = `8443`."""
    folded = token.casefold()
    if any(character.isdigit() for character in folded):
        return without_commas(folded)
    if folded in NUMBER_WORDS:
        return str(NUMBER_WORDS[folded])
    return _ROOTS.get(folded) or root(folded)


def extract_keywords(text: str, limit: int = 12) -> list[str]:
    """Return the first `limit` words that carry meaning, lower-cased, in order."""
    words = _WORD.findall(text.lower())
    return [word for word in words if len(word) > 2 and word not in STOPWORDS][:limit]


def split_words(text: str) -> frozenset[str]:
    """Return the plain words of `text`, lower-cased; a script without spaces as overlapping pairs of characters."""
    words = frozenset(_WORD.findall(text.lower()))
    return words if text.isascii() else frozenset(piece for word in words for piece in _pieces(word))


def split_tokens(text: str) -> list[str]:
    """Return the tokens of `text` in order, case kept, with numbers, versions, paths and identifiers whole."""
    tokens = [
        token
        for word in SCANNER.findall(text)
        for part in (word.replace("’", "'").split("'") if "'" in word or "’" in word else (word,))
        if (token := part.strip(_EDGES).lstrip("#+").rstrip("/")) and len(token) <= LONGEST_TOKEN
    ]
    return tokens if text.isascii() else [piece for token in tokens for piece in _pieces(token)]


def _pieces(word: str) -> Iterable[str]:
    """Return the pairs of characters of a script without spaces, or the word in NFC."""
    if SCRIPT_WITHOUT_SPACES.search(word):
        return (word[i : i + 2] for i in range(max(1, len(word) - 1)))
    return (unicodedata.normalize("NFC", word),)


def split_compound(token: str) -> list[str]:
    """Return the words that hyphens join: "two-week", "27-inch"; of "node-2", "GH-77-B" and "twenty-five" the whole."""
    first, *rest = token.split("-")
    is_compound = all(part.isalpha() for part in rest) and (first.isalpha() or first.replace(".", "").isdecimal())
    return [first, *rest] if is_compound and token.casefold() not in NUMBER_WORDS else [token]


def content_words(text: str) -> frozenset[str]:
    """Return the words of `text` that carry meaning, in the form in which two spellings are equal."""
    return frozenset(normalize_token(token) for token in split_tokens(text) if token.casefold() not in STOPWORDS)


def shared_head(first: Sequence[str], second: Sequence[str]) -> int:
    """Return how many words two sequences share at their beginning, or letters two words."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(first), len(second)))


def shares_half(words: Collection[str], others: Collection[str]) -> bool:
    """Whether at least half of `words` are among `others`; none of none are."""
    return bool(words) and 2 * sum(word in others for word in words) >= len(words)
