"""By which words a text is found, and which words a query looks for (T-66). Pure.

Names that people spell in many ways, "LH 1138" or "lh-1138", meet in their aliases.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime
from functools import lru_cache
from itertools import chain, filterfalse

from ..language.keys import chunk_keys, spell_out
from ..language.stems import normalize_token
from ..language.words import LONGEST_TOKEN, STOPWORDS
from ..patterns import regex

#: What counts as one word of a query: any of its alternatives; of one with a blank in it all words, in any order.
Group = tuple[str, ...]
#: What an alias begins with, and no word; it does not count as a word of a text.
ALIAS = " "

_MARK = "\0"
_MOST_PIECES = 6  # of a name with blanks: "+36 1 555 01 47"
_LONG_NUMBER = 7  # digits that are one number however they are grouped, and enough of one that is dialled
_NUMBERS = regex(r" [0-9](?<=[\w)] [0-9])\S*(?:(?<=[\w)]) \(?[0-9]\S*)*")
_NAME = regex(r"\S*[\w)](?: [^\W\d]\S*| \(?\d\S*(?:(?<=[\w)]) \(?\d\S*)*)")
_PLAIN = regex(r"(?:[A-Z]?[a-z]+|[A-Z]+)[.,;:!?]*")
_PART = regex(r"\d+|[A-Z]+(?![a-z])|(?<!\w['’][a-z])(?:[A-Z]|(?<!\w['’])[^\W\d_])[^\W\d_A-Z]*")
_BETWEEN = regex(r"(?<=\d) (?=\d)")
_THOUSANDS = regex(r"\d{1,3}(?:\.\d{3})+")
_VOWELS = regex(r"(?i)(?<=[b-dfhj-npr-tv-z])([aou])e(?=[b-df-hj-np-tv-z])")
_BARE = str.maketrans({"ł": "l", "ø": "o", "æ": "a", "œ": "o", "ð": "d", "đ": "d", "ı": "i", "þ": "th"})
_IN_TWO = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae", "œ": "oe"})


def parse_terms(text: str, at: datetime | None = None) -> list[str]:
    """Return what `text` can be found by, in order; `at` adds the day, the month and the year of its writing."""
    chunks = _NUMBERS.sub(_repeat, spell_out(text).replace(_MARK, " ")).split()
    return [term for chunk in (chunks if at is None else [*chunks, *_day_chunks(at.date())]) for term in _terms(chunk)]


def parse_query(text: str) -> tuple[Group, ...]:
    """Return what to look for: of each word of `text`, in order, the key and what else counts as it."""
    chunks = spell_out(text).split()
    groups = [[[key, *_spellings(chunk)] for key in chunk_keys(chunk)] for chunk in chunks]
    for start in range(len(chunks)):
        for end in range(start + 2, min(start + _MOST_PIECES, len(chunks)) + 1):
            name = " ".join(chunks[start:end])
            if not _NAME.fullmatch(name) or not STOPWORDS.isdisjoint(name.casefold().split()):
                break
            for group in chain(*groups[start:end]):
                group += _spellings(name)
    return tuple(tuple(dict.fromkeys(group)) for group in chain(*groups))


def _repeat(numbers: re.Match[str]) -> str:
    """Return numbers behind a blank and, as one more piece, what stands before them and they, each behind a mark."""
    before = numbers.string[max(0, numbers.start() - LONGEST_TOKEN) : numbers.start()].rsplit(None, 1)[-1]
    return f"{numbers[0]} {_MARK}{before}{numbers[0].replace(' ', _MARK)}"


@lru_cache(maxsize=32_768)
def _terms(chunk: str) -> tuple[str, ...]:
    """Return the keys of a piece of a text and its aliases: of the whole, and of the parts that say more."""
    keys = chunk_keys(chunk) if chunk[0] != _MARK else ()
    if (_PLAIN.fullmatch(chunk) and not _VOWELS.search(chunk)) or len(chunk) > LONGEST_TOKEN:
        return keys
    parts = _PART.findall(chunk)
    if chunk[0] == _MARK:
        _, before, *numbers = chunk.split(_MARK)
        name = [] if before.casefold() in STOPWORDS else [before]
        names = [" ".join(one) for one in (name + numbers, name + numbers[:1], numbers) if len(one) > 1]
    else:
        names = [chunk] if len(parts) > 1 or chunk[0] in "+0" else []
        pieces = [*chunk.split("/"), *parts] if any(map(str.isalpha, parts)) else []
        names += [one for one in pieces if len(one) > 2 and {*chain(*map(chunk_keys, _forms(one)))} - {*keys}]
    return (*keys, *dict.fromkeys(ALIAS + normalize_token(form) for name in names for form in _forms(name)))


@lru_cache(maxsize=4_096)
def _spellings(name: str) -> tuple[str, ...]:
    """Return what else may stand in a text for a name of a query: aliases, one word, or all its words apart."""
    forms, keys = _forms(name), [chunk_keys(part) for part in _PART.findall(name)]
    whole = [chunk_keys(form) for form in forms if name.find(" ") < 6 or not form.isalpha()]
    words = [one[0] for one in whole if len(one) == 1 and one not in keys[:1]]
    apart = " ".join(chain(*keys)) if name.isalpha() or "_" in name else ""
    return (*(ALIAS + normalize_token(form) for form in forms), *words, *([apart] if " " in apart else []))


def _forms(name: str) -> tuple[str, ...]:
    """Return the forms in which spellings of a name are equal; none of a range, a date, a time, 5km or two numbers."""
    joined = _BETWEEN.sub(".", " ".join(_PART.findall(name))).replace(" ", "").casefold()
    bare = joined.replace(".", "")
    if bare.isdecimal() and len(bare) > _LONG_NUMBER and "." not in name and name.lstrip("(")[0] in "+0":
        return tuple(bare[start:] for start in range(len(bare) - _LONG_NUMBER + 1))
    if _THOUSANDS.fullmatch(joined) or ("." not in name and sum(map(str.isdecimal, bare)) >= _LONG_NUMBER):
        joined = bare
    is_apart = bare.isdecimal() and bare != joined and not frozenset(" :/").isdisjoint(name)
    if not joined or is_apart or (name[0].isdecimal() and " " not in name and len(chunk_keys(name)) > 1):
        return ()
    joined = joined.removeprefix("v") if "." in joined else joined
    other = _VOWELS.sub(r"\1", joined) if joined.isascii() and joined[5:].isalpha() else joined.translate(_IN_TWO)
    marked = [unicodedata.normalize("NFD", one.translate(_BARE)) for one in (joined, other)]
    return tuple(dict.fromkeys("".join(filterfalse(unicodedata.combining, one)) for one in marked))


@lru_cache(maxsize=4_096)
def _day_chunks(day: date) -> tuple[str, str]:
    """Return how a day is written, which many memories share."""
    return day.isoformat(), str(day.year)
