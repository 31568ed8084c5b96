"""One clause: its words, which it affirms, denies and sets aside; and the spellings of one name (T-03). Pure.

"not", "never", "no longer" deny what follows them in the clause, verbs such as "stop" turn it round, "instead of X" and
"switched from X to Y" set X aside and nothing else: a value that stands only there is evidence against who says that it
holds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from ..language.keys import FRAME_KEYS, KeyedToken, is_same_word, keys_of, parse_date, parse_tokens, words_of
from ..language.vocabulary import CONTRASTS, DENIERS, HUMAN_VERBS, JOINERS, NAME_ENDINGS, REVERSERS, WORDS
from ..language.wordings import read_patterns
from ..patterns import regex

_SAID: Final = read_patterns("utterances")
_ASIDES: Final = tuple(read_patterns("rejected").values())
_YEAR: Final = regex(r"\b(?:19|20)\d\d\b")
_NUMBER: Final = regex(r"\d[\w.,:]*")
_NUMBER_FOLLOWS: Final = regex(r"\s*(?:to|into|auf|a|by|with)\s+v?\d")
_NO_SPACES_DENIAL: Final = regex("(?<![少危切])ない|ません|なかった|不(?![同错過过])|没|沒|않|없|못")


class ClauseContents(NamedTuple):
    """The words of a clause as a set and in order, and which of them it affirms and denies.

    It is elliptical where it denies of its subject what was said just before: "the oral isn't".
    """

    words: frozenset[str]
    keys: tuple[str, ...]
    affirmed: frozenset[str]
    denied: frozenset[str]
    is_negated: bool
    is_elliptical: bool = False

    @property
    def order(self) -> tuple[str, ...]:
        """The words in order, without those that a summary supplies."""
        return tuple([key for key in self.keys if key not in FRAME_KEYS])


@lru_cache(maxsize=2_048)
def parse_clause(text: str) -> ClauseContents:
    """Read `text`, in which apostrophes are plain."""
    tokens = parse_tokens(text)
    keys = tuple([key for token in tokens for key in token.keys])
    is_elliptical = _SAID["ends_denied"].search(text) is not None
    return ClauseContents(frozenset(keys), keys, *_parse_polarity(text, tokens), is_elliptical)


def _parse_polarity(text: str, tokens: Sequence[KeyedToken]) -> tuple[frozenset[str], frozenset[str], bool]:
    """Return what the clause `text` of these `tokens` affirms and denies, and whether it denies something as a whole.

    What stands before a denial ("Redis is not used") is neither affirmed nor denied.
    """
    if not text.isascii() and _NO_SPACES_DENIAL.search(text):
        return frozenset(), frozenset(), True
    if not any([token.has_polarity for token in tokens]):
        return words_of(tokens), frozenset(), False
    before: set[str] = set()
    affirmed: set[str] = set()
    denied: set[str] = set()
    target, denies, is_negated, change = before, False, False, ""
    for position, token in enumerate(tokens):
        low, following = token.low, tokens[position + 1].low if position + 1 < len(tokens) else ""
        is_passive = position > 0 and tokens[position - 1].low in WORDS["passives"]
        if low not in REVERSERS:
            target.update(token.keys)
        if low in REVERSERS and (is_passive or (following and following not in WORDS["no_object"])):
            denies, is_negated, change = not denies, is_negated or is_passive, low
        elif (low in DENIERS or _is_contracted_not(tokens, position)) and following not in WORDS["no_denial"]:
            denies, is_negated = True, is_negated or low != "no"
        elif _sets_aside(low, following, change):
            denies = True
        elif denies and _ends(low, following, change, is_open=not is_negated and bool(denied)):
            denies = False
        else:
            change = low if low in WORDS["changes"] or low.startswith("prefer") else change
            continue
        target = denied if denies else affirmed
    return frozenset(affirmed if is_negated else affirmed | before), frozenset(denied), is_negated


def _is_contracted_not(tokens: Sequence[KeyedToken], position: int) -> bool:
    """Whether the token is what the tokeniser leaves of "n't"."""
    return tokens[position].low == "t" and position > 0 and tokens[position - 1].low.endswith("n")


def _sets_aside(low: str, following: str, change: str) -> bool:
    """Whether the next words name what does not hold, no longer or not as much."""
    if low == "than":
        return not following[:1].isdigit()
    if low == "over":
        return change.startswith("prefer")
    return (
        low in WORDS["setters_aside"]
        or (low == "instead" and following == "of")
        or (low == "from" and change in WORDS["changes"])
    )


def _ends(low: str, following: str, change: str, *, is_open: bool) -> bool:
    """Whether a denial ends here: at what came in the place of X, at a new verb after "and", at a new subject.

    `is_open` holds where X has been set aside and the rest of the clause goes on without a denial.
    """
    if low in JOINERS:
        return following in WORDS["restarts"] or following in HUMAN_VERBS
    if change in WORDS["changes"] or change.startswith("replac"):
        return low in WORDS["arrivals"]
    return low in WORDS["subjects"] and is_open


def has_name(name: str, words: frozenset[str], forms: frozenset[str]) -> bool:
    """Whether `name` stands in a text with these `words` and spellings `forms`, in the same or another spelling."""
    if name in forms or not (name.isascii() and name.isalpha()):
        return name in forms
    return is_same_word(name, words) or any([one.startswith(name[:4]) and _is_inflection(name, one) for one in forms])


def has_date(name: str, text: str) -> bool:
    """Whether the ISO date `name` stands in `text`, with its year or without: "3 June", "June 3rd"."""
    year, month, day = parse_date(name) or ("", "", "")
    number, short = rf"\b0?{day}(?:st|nd|rd|th)?", rf"{month[:3]}\w*"
    found = re.search(rf"{number} (?:of )?{short}|{short} {number}\b|{re.escape(name)}", text, re.IGNORECASE)
    return found is not None and set(_YEAR.findall(text)) <= {year}


def are_forms(one: str, other: str) -> bool:
    """Whether two keys look like forms of one word: "wohnt" and "wohne", "mag" and "magazi", "일한다" and "일해요"."""
    head = _shared_head(one, other)
    if not one.isascii():
        return head > 0
    shorter, longer = sorted((len(one), len(other)))
    return (head >= 3 and head == shorter) or (head >= 4 and longer - head <= 2)


def _is_inflection(one: str, other: str) -> bool:
    head = _shared_head(one, other)
    return head >= 4 and one[head:] in NAME_ENDINGS and other[head:] in NAME_ENDINGS


def _shared_head(one: str, other: str) -> int:
    """Return how many characters two words have in common at their beginning."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


@lru_cache(maxsize=2_048)
def find_rejected(sentence: str) -> tuple[tuple[int, int], ...]:
    """Return where `sentence` names what does not hold: spans of characters, in order; they may overlap."""
    found = (span for pattern in _ASIDES for match in pattern.finditer(sentence) for span in _spans(match))
    return tuple(sorted({span for span in found if span[0] < span[1]}))


def _spans(match: re.Match[str]) -> list[tuple[int, int]]:
    """Return what is set aside; only the numbers where a bare number follows: "from Debian 11 to 12"."""
    begin, end = match.span("value")
    if not _NUMBER_FOLLOWS.match(match.string, end) or not _NUMBER.search(match["value"]):
        return [(begin, end)]
    return [(begin + one.start(), begin + one.end()) for one in _NUMBER.finditer(match["value"])]


def without_rejected(sentence: str) -> str:
    """Return `sentence` with blanks in the place of what it sets aside."""
    for begin, end in find_rejected(sentence):
        sentence = f"{sentence[:begin]}{' ' * (end - begin)}{sentence[end:]}"
    return sentence


def is_negative(text: str) -> bool:
    """Whether a word of denial is in a text: "not", but not "not only"."""
    return any(_SAID["no_denial"].match(text, match.end()) is None for match in _SAID["denial"].finditer(text))


@lru_cache(maxsize=512)
def denies(text: str) -> bool:
    return is_negative(text) or _SAID["exception"].search(text) is not None or _SAID["refusal"].search(text) is not None


def _contrasts() -> dict[str, frozenset[str]]:
    """Return for each word of a contrast the others of its group."""
    contrary: dict[str, frozenset[str]] = {}
    for keys in (keys_of(group) for group in CONTRASTS):
        for key in keys:
            contrary[key] = contrary.get(key, frozenset()) | (keys - {key})
    return contrary


CONTRARY: Final = _contrasts()


def are_contrary(words: frozenset[str], others: frozenset[str]) -> bool:
    """Whether one of `words` has another of its kind on the other side: "staging", "production"."""
    return any(word in CONTRARY and not others.isdisjoint(CONTRARY[word]) for word in words - others)
