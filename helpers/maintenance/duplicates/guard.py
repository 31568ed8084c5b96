"""Whether two texts say the same, in other words at most: the guard of deduplication (T-67, E-78).

Cosine alone cannot tell a duplicate from a correction. So two texts count as one only where every difference between
them is one that the closed tables know to be none; whatever else differs, a number, a version, a date, a path, a name,
a denial, an opposite, who does what, a word that is not known, makes them two. Pure and symmetric.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ...claims import Relation, SlotTable, compare_texts
from ...language.lexicon import ARTICLES
from ...language.sentences import LETTERS, split_sentences
from ...language.verbs import MODALS
from ...language.vocabulary import DENIERS
from ...patterns import regex
from ...texts import normalize_text
from .reading import Word, parse_words
from .shape import arrange
from .words import CLASSES

# Longer texts, and texts with code in them, are duplicates only if they are the same.
_LONGEST_REWORDED = 4_000
_CODE = regex(r"```|^\s*(?:\$|>>>|#!|def |class |import |SELECT |[{}<])|[;{]\s*$", re.MULTILINE)
_ZERO_WIDTH = regex("[\u200b\u200c\u200d\ufeff]")
_FRAME = regex(
    r"(?:(?:please )?(?:note|remember|recall|keep in mind)(?: that)?[:,]? |(?:note|reminder|fact|memory|fyi)[:,] )",
    re.IGNORECASE,
)
_SHOWN_WORDS = 4

SAME_TEXT = "the same text"
SAME_WORDING = "the same statement in other words"


class Judgement(NamedTuple):
    """Whether two texts are duplicates, and why or why not in words."""

    is_duplicate: bool
    why: str


@dataclass(frozen=True, slots=True)
class WordedText:
    """A text as it is compared: each sentence in its one order, and the words of it all.

    `plain` are the words that it writes in small letters, `capitals` those that it writes with a capital, or opens a
    sentence with.
    """

    sentences: tuple[tuple[str, ...], ...]
    words: tuple[Word, ...]
    plain: frozenset[str]
    capitals: frozenset[str]


def same_text(text: str) -> str:
    """Return the form in which two texts are the same: Unicode, white space and invisible marks do not count."""
    return normalize_text(_ZERO_WIDTH.sub("", text))


def judge_texts(one: str, other: str, slots: SlotTable | None = None) -> Judgement:
    """Say whether two texts are duplicates; `slots` is the table that claims are read with, if not the built-in one."""
    one, other = sorted((one, other))
    if same_text(one) == same_text(other):
        return Judgement(True, SAME_TEXT)
    before, after = parse_text(one), parse_text(other)
    if before is None or after is None:
        return Judgement(False, "divergent: too long, or code, and not the same text")
    plain = before.plain & after.capitals | after.plain & before.capitals
    if plain:
        before, after = _read(one, plain), _read(other, plain)
    if before.sentences != after.sentences and _joined(before, after) != _joined(after, before):
        return Judgement(False, f"divergent: {_difference(before.words, after.words)}")
    if not any(before.sentences):
        return Judgement(False, "divergent: nothing to compare")
    if [each.low for each in before.words] == [each.low for each in after.words]:
        return Judgement(True, SAME_WORDING)
    found = compare_texts(one, other, slots)
    if found.relation is Relation.CONTRADICTS:
        return Judgement(False, f"divergent: {found.reasons[0] if found.reasons else found.rule}")
    return Judgement(True, SAME_WORDING)


@lru_cache(maxsize=16_384)
def parse_text(text: str) -> WordedText | None:
    """Read a text once for the others that it is compared with; None of one that only its own copy can equal."""
    plain = unicodedata.normalize("NFC", _ZERO_WIDTH.sub("", text)).strip()
    if len(plain) > _LONGEST_REWORDED or _CODE.search(plain):
        return None
    return _read(plain, frozenset())


def _read(text: str, plain: frozenset[str]) -> WordedText:
    sentences, words = [], []
    for line in text.splitlines():
        for sentence in split_sentences(line):
            read = parse_words(_FRAME.sub("", sentence, count=1) if _FRAME.match(sentence) else sentence, plain)
            words.extend(read)
            arranged = arrange(read)
            if arranged:
                sentences.append(arranged)
    found = LETTERS.findall(text)
    return WordedText(
        tuple(sentences),
        tuple(words),
        frozenset(one for one in found if one.islower()),
        frozenset(one.casefold() for one in found if one[0].isupper() and (one.isupper() or one[1:].islower())),
    )


def _joined(reading: WordedText, other: WordedText) -> tuple[tuple[str, ...], ...]:
    """Return the sentences with two words written as one wherever the `other` text writes one: "front end"."""
    known = {one for sentence in other.sentences for one in sentence if len(one) > 5 and one.isalpha()}
    return tuple(tuple(_join(sentence, known)) for sentence in reading.sentences)


def _join(sentence: Sequence[str], known: set[str]) -> list[str]:
    joined: list[str] = []
    for one in sentence:
        if joined and len(joined[-1]) > 1 and len(one) > 1 and joined[-1] + one in known:
            joined[-1] += one
        else:
            joined.append(one)
    return joined


def _difference(before: Sequence[Word], after: Sequence[Word]) -> str:
    """Say in words what two texts differ in, the gravest first."""
    only_before, only_after = _only(before, after), _only(after, before)
    for kind in _KINDS:
        left, right = ([one for one in only if _kind(one) == kind] for only in (only_before, only_after))
        if left or right:
            return f"{kind}: {_show(left)} / {_show(right)}"
    return "the order of the words, and so who does what"


def _only(words: Sequence[Word], others: Sequence[Word]) -> list[Word]:
    left = Counter(one.key for one in words) - Counter(one.key for one in others)
    return [one for one in dict.fromkeys(words) if left[one.key] > 0 and one.key not in _MARKS]


def _show(words: Sequence[Word]) -> str:
    return " ".join(one.low for one in words[:_SHOWN_WORDS]) or "-"


def _kind(word: Word) -> str:
    if "*" not in word.key and any(one.isdecimal() for one in word.key):  # the key of a unit has its factor
        return _KINDS[0]
    if word.key in DENIERS or word.key in CLASSES["scoped"]:
        return _KINDS[1]
    if word.key in MODALS:
        return _KINDS[2]
    return _KINDS[3] if word.is_exact else _KINDS[4]


_MARKS = ARTICLES | {",", "'s"}
_KINDS = (
    "a number, date, version or identifier",
    "a denial",
    "how binding it is",
    "a name, path or unit",
    "words",
)
