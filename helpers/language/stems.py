"""The forms in which two words are one, of which there are two (T-03, C-39).

`stem` is a word that people know, since it makes the topic of a claim: the lemma of a verb, the singular of a noun.
`root` cuts more off and is never shown: by it a text is searched, and a word that meets another one by mistake only
makes one more candidate. Both read the same tables. Pure.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from .lexicon import ENVIRONMENT_NOUNS, ENVIRONMENTS, SAME_TOPICS, SPELLINGS, singular
from .numerals import NUMBER_WORDS, without_commas
from .tables import read_table, split_members
from .terms import versioned_names
from .verbs import IRREGULAR, forms

_TABLE: Final[dict[str, str]] = read_table(__file__, "vocabulary")["stems"]
#: Word -> the verb of its family; verbs of one meaning have one form: "delivery" and "deliver".
FAMILY: Final[dict[str, str]] = {
    word: verb for verb, *words in split_members(read_table(__file__, "word_families")["families"]) for word in words
}
#: Dimension -> stem -> the word that stands for it beside such a value; empty: the value says as much. "The backend
#: framework is Django" and "the backend is built with Django" differ in words that the value says already.
CONCEPTS: Final[dict[str, dict[str, str]]] = {
    dimension: {stem: "" if word == "nothing" else word for word, stems in rows.items() for stem in stems.split()}
    for dimension, rows in read_table(__file__, "concepts").items()
}
#: Written forms of one noun.
_SAME_WORD: Final = {form: word for word, *written in (*SPELLINGS, *SAME_TOPICS) for form in written}
#: Names of environments that are other words as often.
_VERBS_TOO: Final = frozenset(("live", "stage"))
_ENVIRONMENT_WORDS: Final = frozenset(ENVIRONMENTS.values()) | ENVIRONMENT_NOUNS
#: What is cut off -> what stands in its place, the longer one first.
_SUFFIXES: Final = [(suffix, kept) for suffix, _, kept in (row.partition("=") for row in _TABLE["suffixes"].split())]


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """A word without its ending: the lemma of a known verb, else a rough stem that is the same for its forms."""
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
    low = ENVIRONMENTS.get(low, low) if low not in _VERBS_TOO else low
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
    """What is left of "running" without the letter that its ending doubled."""
    return word[:-1] if word[-1] == word[-2] and word[-1] not in "aeiouls" else word


#: Irregular form -> the root of its verb, of verbs that are no other word as often.
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
