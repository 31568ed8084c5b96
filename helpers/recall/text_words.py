"""Which words stand in many texts, as numbers: none is looked up before somebody asks for it (T-66). Pure.

A store that is opened for one question need not enter what else its texts say. What stands between two blanks is read
once, however many texts have it. Names that people spell in many ways, "LH 1138" or "lh-1138", meet in their aliases.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime
from functools import lru_cache
from itertools import chain, count, filterfalse

import numpy as np
import numpy.typing as npt

from ..language.keys import chunk_keys, is_spelled_out, spell_out
from ..language.stems import normalize_token
from ..language.words import LONGEST_TOKEN, STOPWORDS
from ..patterns import regex

Numbers = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
#: A text, and when it was written.
Dated = tuple[str, datetime]
#: What counts as one word of a query: any of its alternatives; of one with a blank in it all words, in any order.
Group = tuple[str, ...]
#: What an alias begins with, and no word; it does not count as a word of a text.
ALIAS = " "

_AT_ONCE = 512  # texts are split, with a mark behind each
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
        names += [piece for piece in pieces if len(piece) > 2 and {*chain(*map(chunk_keys, _forms(piece)))} - {*keys}]
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


class TextWords:
    """The words of many texts, numbered in their order: all `terms`, and the `lengths` in words, shape (n,)."""

    def __init__(self, texts: Sequence[Dated]) -> None:
        """Read the texts as `parse_terms` does."""
        chunks: defaultdict[str, int] = defaultdict(count().__next__)
        slices = [_split(texts[start : start + _AT_ONCE], chunks) for start in range(0, len(texts), _AT_ONCE)]
        self._codes = np.concatenate([np.zeros(0, dtype=np.int32), *slices])
        self._ends = np.flatnonzero(self._codes == chunks[_MARK])
        self._chunk_count = len(chunks)
        self.terms: dict[str, list[int]] = {}
        sizes = np.zeros(len(chunks), dtype=np.int64)
        for chunk, code in chunks.items():
            for term in _terms(chunk):
                self.terms.setdefault(term, []).append(code)
                sizes[code] += term[0] != ALIAS
        self.lengths: Numbers = np.diff(np.cumsum(sizes[self._codes])[self._ends], prepend=0)

    def find(self, term: str) -> tuple[Numbers, Numbers]:
        """Return the numbers of the texts in which a term stands, in their order, and how often it does in each."""
        weights = np.zeros(self._chunk_count, dtype=np.int64)
        for code in self.terms.get(term, ()):
            weights[code] += 1
        places = np.flatnonzero((weights > 0)[self._codes])
        numbers, first = np.unique(np.searchsorted(self._ends, places), return_index=True)
        return numbers, np.diff(np.cumsum([0, *weights[self._codes[places]]])[[*first, len(places)]])


def _split(texts: Sequence[Dated], chunks: defaultdict[str, int]) -> Codes:
    """Return the numbers of what stands between blanks in some texts and the days of their writing."""
    is_plain = is_spelled_out(f" {_MARK} ".join([text for text, _ in texts]))
    found: list[str] = []
    for text, at in texts:
        found += _NUMBERS.sub(_repeat, (text if is_plain else spell_out(text)).replace(_MARK, " ")).split()
        found += _day_chunks(at.date())
        found.append(_MARK)
    return np.fromiter(map(chunks.__getitem__, found), np.int32, len(found))
