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
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from ..claims import Relation, compare_texts
from ..language.lexicon import ABBREVIATIONS, ARTICLES
from ..language.sentences import LETTERS, split_sentences
from ..language.verbs import MODALS
from ..language.vocabulary import DENIERS, one_of
from ..language.words import content_words, shares_half
from ..patterns import regex
from ..texts import normalize_text
from .alignment import say_the_same
from .reading import Word, parse_words
from .terms import Term, parse_terms
from .words import CLASSES

# Longer texts, and texts with code in them, are duplicates only if they are the same.
_LONGEST_REWORDED = 4_000
_CODE = regex(
    r"```|\$[A-Za-z_{(]|`[^`\n]*[\"'][^`\n]*`|^\s*(?:\$|>>>|#!|def |class |import |SELECT |[{}<])|[;{]\s*$",
    re.MULTILINE,
)
_ZERO_WIDTH = regex("[\u200b\u200c\u200d\ufeff]")
_DOTTED = regex(rf"\b({one_of(ABBREVIATIONS)})\.(?=\s|:)", re.IGNORECASE)
_NAME = r"((?:[A-Z][\w'-]+ ?){1,3})(?<! )"
_NAMED = (
    regex(rf"\b(?:[Tt]he )?[Uu]ser(?:, | \()?{_NAME}(?:,|\))"),
    regex(rf"\b{_NAME}(?:, | \()(?:who is |that's )?the user(?:,|\))"),
)
_DIGIT = regex(r"\d")
_SHOWN_WORDS = 4

SAME_TEXT = "the same text"
SAME_WORDING = "the same statement in other words"


class Judgement(NamedTuple):
    """Whether two texts are duplicates, and why or why not in words."""

    is_duplicate: bool
    why: str


@dataclass(frozen=True, slots=True)
class WordedText:
    """A text as it is compared: its words, its terms, and what is `said`, in no order.

    `plain` are the words that it writes in small letters, `capitals` those that it writes with a capital, or opens a
    sentence with.
    """

    words: tuple[Word, ...]
    terms: tuple[Term, ...]
    said: frozenset[tuple[str, bool, str]]
    plain: frozenset[str]
    capitals: frozenset[str]


def same_text(text: str) -> str:
    """Return the form in which two texts are the same: Unicode, white space and invisible marks do not count."""
    return normalize_text(_ZERO_WIDTH.sub("", text))


def judge_texts(one: str, other: str) -> Judgement:
    """Say whether two texts are duplicates."""
    one, other = sorted((one, other))
    if same_text(one) == same_text(other):
        return Judgement(True, SAME_TEXT)
    one, other = _with_user(one, other)
    before, after = parse_text(one), parse_text(other)
    if before is None or after is None:
        return Judgement(False, "divergent: too long, or code, and not the same text")
    apart = {low for _, _, low in before.said ^ after.said}
    plain = (before.plain & after.capitals | after.plain & before.capitals) & apart
    if plain:
        before, after = _read(one, plain), _read(other, plain)
    if len(before.terms) != len(after.terms):
        before, after = _without_owner(before, after), _without_owner(after, before)
    is_aligned = bool(before.terms) and say_the_same(before.terms, after.terms)
    if not is_aligned and not _differ_lightly(before.words, after.words):
        return Judgement(False, f"divergent: {_difference(before.words, after.words)}")
    if is_aligned and [each.low for each in before.words] == [each.low for each in after.words]:
        return Judgement(True, SAME_WORDING)
    found = compare_texts(one, other)
    if found.relation is Relation.CONTRADICTS:
        return Judgement(False, f"divergent: {found.reasons[0] if found.reasons else found.rule}")
    if not is_aligned and found.relation is not Relation.DUPLICATES:
        return Judgement(False, f"divergent: {_difference(before.words, after.words)}")
    return Judgement(True, SAME_WORDING)


def may_be_reworded(one: str, other: str) -> bool:
    """Whether it is worth to judge two texts that are not very near: a quick look at their words and numbers."""
    (words, numbers), (others, other_numbers) = _look(one), _look(other)
    return numbers == other_numbers and shares_half(words, others) and shares_half(others, words)


@lru_cache(maxsize=16_384)
def _look(text: str) -> tuple[frozenset[str], frozenset[str]]:
    words = content_words(text)
    return words, frozenset(word for word in words if _DIGIT.search(word))


def _with_user(*texts: str) -> list[str]:
    """Return the texts with "the user" for the name that one of them tells: "the user, Ann, ..."."""
    for form in _NAMED if any("user" in text or "User" in text for text in texts) else ():
        for found in filter(None, map(form.search, texts)):
            name = regex(rf"\b{re.escape(found[1])}\b")
            texts = tuple(name.sub("the user", text.replace(found[0], "the user")) for text in texts)
    return list(texts)


@lru_cache(maxsize=16_384)
def parse_text(text: str) -> WordedText | None:
    """Read a text once for the others that it is compared with; None of one that only its own copy can equal."""
    plain = unicodedata.normalize("NFC", _ZERO_WIDTH.sub("", text)).strip()
    if len(plain) > _LONGEST_REWORDED or _CODE.search(plain):
        return None
    return _read(plain, frozenset())


def _read(text: str, plain: frozenset[str]) -> WordedText:
    lines = _DOTTED.sub(r"\1", text).splitlines()
    sentences = [parse_words(one, plain) for line in lines for one in split_sentences(line)]
    words = tuple(word for sentence in sentences for word in sentence)
    found = LETTERS.findall(text)
    return WordedText(
        words,
        parse_terms([one for one in sentences if one]),
        frozenset((word.key, word.is_exact, word.low) for word in words),
        frozenset(one for one in found if one.islower()),
        frozenset(one.casefold() for one in found if one[0].isupper() and (one.isupper() or one[1:].islower())),
    )


def _without_owner(reading: WordedText, other: WordedText) -> WordedText:
    """Return the text without "the user's" or "the user has" in front, where the other one has a label: "Size: 31"."""
    terms = reading.terms
    if not terms or terms[0].key != "user" or all(word.key != ":" for word in other.words):
        return reading
    rest = terms[2:] if len(terms) > 1 and terms[1].key == "have" else terms[1:]
    if not rest or any(term.key == "user" for term in other.terms):
        return reading
    return replace(reading, terms=(rest[0]._replace(begins=True, opener=frozenset()), *rest[1:]))


def _differ_lightly(before: Sequence[Word], after: Sequence[Word]) -> bool:
    """Whether two texts differ in words, and only in such as say nothing where both make the same claim."""
    new, old = (Counter(one.key if one.is_exact else one.low for one in words) for words in (after, before))
    return bool(apart := set((new - old) | (old - new))) and apart <= CLASSES["light"]


def _difference(before: Sequence[Word], after: Sequence[Word]) -> str:
    """Say in words what two texts differ in, the gravest first."""
    sides = [[(_kind(one), one) for one in each] for each in (_only(before, after), _only(after, before))]
    gravest = min((kind for side in sides for kind, _ in side), default=-1)
    if gravest < 0:
        return "the order of the words, and so who does what"
    shown = [[one.low for kind, one in side if kind == gravest][:_SHOWN_WORDS] for side in sides]
    return f"{_KINDS[gravest]}: {' / '.join(' '.join(one) or '-' for one in shown)}"


def _only(words: Sequence[Word], others: Sequence[Word]) -> list[Word]:
    left = Counter(one.key for one in words) - Counter(one.key for one in others)
    return [one for one in dict.fromkeys(words) if left[one.key] > 0 and one.key not in _MARKS]


def _kind(word: Word) -> int:
    if any(one.isdecimal() for one in word.key):
        return 0
    if word.key in DENIERS or word.key in CLASSES["scoped"]:
        return 1
    if word.key in MODALS:
        return 2
    return 3 if word.is_exact else 4


_MARKS = ARTICLES | {",", ":", "'s"}
_KINDS = (
    "a number, date, version or identifier",
    "a denial",
    "how binding it is",
    "a name, path or unit",
    "words",
)
