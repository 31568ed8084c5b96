"""The search by words: BM25 over the memories that may take part, updated memory by memory."""

from __future__ import annotations

import math
import re
import unicodedata
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from itertools import chain, count, filterfalse
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..language.keys import chunk_keys, is_spelled_out, spell_out
from ..language.words import LONGEST_TOKEN, STOPWORDS, normalize_token
from ..texts import regex

Numbers = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
#: A text, and the time of its writing.
Dated = tuple[str, datetime]
#: A word of a query: any of its alternatives counts; one with a blank in it needs all its words, in any order.
Group = tuple[str, ...]
#: The first character of every alias; an alias does not count as a word of a text.
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


def parse_terms(text: str, moment: datetime | None = None) -> list[str]:
    """Return the terms of `text`, in order; `moment` adds the day, the month and the year of its writing."""
    chunks = _NUMBERS.sub(_repeat, spell_out(text).replace(_MARK, " ")).split()
    chunks += [] if moment is None else _day_chunks(moment.date())
    return [term for chunk in chunks for term in _terms(chunk)]


def parse_query(text: str) -> tuple[Group, ...]:
    """Return the terms of a query: for each word of `text`, in order, its key and its alternatives."""
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
    """Return numbers after a blank and, as one more piece, the name before them with the numbers, each after a mark."""
    before = numbers.string[max(0, numbers.start() - LONGEST_TOKEN) : numbers.start()].rsplit(None, 1)[-1]
    return f"{numbers[0]} {_MARK}{before}{numbers[0].replace(' ', _MARK)}"


@lru_cache(maxsize=32_768)
def _terms(chunk: str) -> tuple[str, ...]:
    """Return the keys of a piece of a text and its aliases: of the whole, and of its significant parts."""
    keys = chunk_keys(chunk) if chunk[0] != _MARK else ()
    if (_PLAIN.fullmatch(chunk) and not _VOWELS.search(chunk)) or len(chunk) > LONGEST_TOKEN:
        return keys
    parts = _PART.findall(chunk)
    if chunk[0] == _MARK:
        _, before, *numbers = chunk.split(_MARK)
        name = [] if before.casefold() in STOPWORDS else [before]
        names = [" ".join(row) for row in (name + numbers, name + numbers[:1], numbers) if len(row) > 1]
    else:
        names = [chunk] if len(parts) > 1 or chunk[0] in "+0" else []
        pieces = [*chunk.split("/"), *parts] if any(map(str.isalpha, parts)) else []
        names += [piece for piece in pieces if len(piece) > 2 and {*chain(*map(chunk_keys, _forms(piece)))} - {*keys}]
    return (*keys, *dict.fromkeys(ALIAS + normalize_token(form) for name in names for form in _forms(name)))


@lru_cache(maxsize=4_096)
def _spellings(name: str) -> tuple[str, ...]:
    """Return the other spellings of a name of a query: aliases, one word, or all its words apart."""
    forms, keys = _forms(name), [chunk_keys(part) for part in _PART.findall(name)]
    whole = [chunk_keys(form) for form in forms if name.find(" ") < 6 or not form.isalpha()]
    words = [key[0] for key in whole if len(key) == 1 and key not in keys[:1]]
    apart = " ".join(chain(*keys)) if name.isalpha() or "_" in name else ""
    return (*(ALIAS + normalize_token(form) for form in forms), *words, *([apart] if " " in apart else []))


def _forms(name: str) -> tuple[str, ...]:
    """Return the forms in which spellings of a name are equal; none for a range, date, time, 5km or two numbers."""
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
    marked = [unicodedata.normalize("NFD", form.translate(_BARE)) for form in (joined, other)]
    return tuple(dict.fromkeys("".join(filterfalse(unicodedata.combining, form)) for form in marked))


@lru_cache(maxsize=4_096)
def _day_chunks(day: date) -> tuple[str, str]:
    """Return the spellings of a day, which many memories share."""
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
        """Return the numbers of the texts with a term, in their order, and its count in each."""
        weights = np.zeros(self._chunk_count, dtype=np.int64)
        for code in self.terms.get(term, ()):
            weights[code] += 1
        places = np.flatnonzero((weights > 0)[self._codes])
        numbers, first = np.unique(np.searchsorted(self._ends, places), return_index=True)
        return numbers, np.diff(np.cumsum([0, *weights[self._codes[places]]])[[*first, len(places)]])


def _split(texts: Sequence[Dated], chunks: defaultdict[str, int]) -> Codes:
    """Return the numbers of the chunks of some texts, and of the days of their writing."""
    is_plain = is_spelled_out(f" {_MARK} ".join([text for text, _ in texts]))
    chunks_in_order: list[str] = []
    for text, moment in texts:
        chunks_in_order += _NUMBERS.sub(_repeat, (text if is_plain else spell_out(text)).replace(_MARK, " ")).split()
        chunks_in_order += _day_chunks(moment.date())
        chunks_in_order.append(_MARK)
    return np.fromiter(map(chunks.__getitem__, chunks_in_order), np.int32, len(chunks_in_order))


Mask = npt.NDArray[np.bool_]
Slots = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]

# Short texts: the count of a word in one says little, and so does its length (tuned on the benchmark's part).
_SATURATION = 0.9
_LENGTH_SHARE = 0.3
# A small store says little about the rarity of a word: as many more texts are assumed.
_UNSEEN = 100
_NONE: Slots = np.zeros(0, dtype=np.int64)
# A posting is a slot and the count of the word in its text, in one number.
_COUNT_BITS = 6
_MOST_COUNTED = (1 << _COUNT_BITS) - 1
# A number, or a term with several spellings, is a name if it is longer than this: 23 is none.
_SHORTEST_NAME = 3
_LONGEST = 0xFFFF  # words of a text count
# Only the rarest words of a longer message are searched, so that a pasted log costs no more than a question.
_MOST_TERMS = 48
# With a smaller share of slots in use the index is packed anew.
_LEAST_USED = 0.5


class Matches(NamedTuple):
    """The matches of m queries at n positions, each array of shape (m, n).

    `scores` is BM25, at least 0; `coverage` the share of the query's words, weighted by rarity, in 0..1; `rarest` the
    rarity of the rarest matching word, 1 where no other memory has it; `named` the same for numbers and for terms with
    several spellings, such as identifiers.
    """

    scores: Scores
    coverage: Scores
    rarest: Scores
    named: Scores

    def best(self, count: int, ids: Sequence[str]) -> list[list[int]]:
        """Return for each query the `count` best matching positions, best first, ties ended by id."""
        return [_best(scores, count, ids) for scores in self.scores]

    def take(self, places: Sequence[int]) -> Matches:
        """Return the matches of some positions, shape (m, k)."""
        return Matches(*(values[:, list(places)] for values in self))


def _best(scores: Scores, count: int, ids: Sequence[str]) -> list[int]:
    places = np.flatnonzero(scores > 0.0)
    if len(places) > count > 0:
        places = places[scores[places] >= np.partition(scores[places], len(places) - count)[len(places) - count]]
    return sorted(places.tolist(), key=lambda place: (-scores[place], ids[place]))[:count]


class LexicalIndex:
    """The words of the memories. Adding costs the words of a memory, a query the postings of its words."""

    def __init__(self) -> None:
        self._ids: list[str] = []  # by slot; "" where a memory was left out
        self._slots: dict[str, int] = {}
        self._lengths = array("H")
        self._postings: dict[str, array[int]] = {}
        self._unasked: TextWords | None = None
        self._places: Mapping[str, int] = {}
        self._located = _NONE

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, memory_id: str) -> bool:
        return memory_id in self._slots

    def add(self, memory_id: str, terms: Iterable[str]) -> None:
        """Enter a memory by its terms; a known one is entered anew."""
        self.remove(memory_id)
        slot, counts = len(self._ids), Counter(terms)
        for term, times in counts.items():
            self._ask(term)
            self._postings.setdefault(term, array("I")).append(slot << _COUNT_BITS | min(times, _MOST_COUNTED))
        self._ids.append(memory_id)
        self._slots[memory_id] = slot
        self._lengths.append(min(sum(times for term, times in counts.items() if term[0] != ALIAS), _LONGEST))

    def add_all(self, memories: Mapping[str, Dated]) -> None:
        """Enter many memories into an empty index, each by its text and its time.

        The postings of a word are made at its first query: that costs a small part of entering all words.
        """
        assert not self._ids, "entered into an index that is not empty"
        self._ids = [*memories]
        self._slots = {memory_id: slot for slot, memory_id in enumerate(memories)}
        self._unasked = TextWords([*memories.values()])
        self._lengths = array("H", np.minimum(self._unasked.lengths, _LONGEST).tolist())

    def remove(self, memory_id: str) -> None:
        """Remove a memory; an unknown one makes no difference."""
        slot = self._slots.pop(memory_id, None)
        if slot is not None:
            self._ids[slot] = ""
            self._located[slot : slot + 1] = -1
            if len(self._slots) < _LEAST_USED * len(self._ids) - 64:
                self._pack()

    def match(self, queries: Sequence[Sequence[Group]], eligible: Mask, places: Mapping[str, int]) -> Matches:
        """Return the matches of each query at each position of `eligible`, shape (n,), in any spelling.

        `places` maps a memory to its position, and is another mapping once any of them has moved; a memory without a
        position matches nothing.
        """
        matches = Matches(*np.zeros((4, len(queries), len(eligible))))
        located = self._locate(places)
        in_use = (located >= 0) & (located < len(eligible))
        in_use[in_use] = eligible[located[in_use]]
        if total := int(in_use.sum()):
            lengths = np.array(self._lengths, dtype=np.float64)
            norm = _SATURATION * (1.0 - _LENGTH_SHARE + _LENGTH_SHARE * lengths / max(lengths[in_use].mean(), 1.0))
            for row, groups in enumerate(queries):
                held, whole = self._rarest(groups, in_use, total)
                whole += sum(rarity * weight for rarity, weight, *_ in held)
                for rarity, weight, is_named, slots, counts in held:
                    cells = row, located[slots]
                    matches.scores[cells] += rarity * weight * counts * (_SATURATION + 1.0) / (counts + norm[slots])
                    matches.coverage[cells] += rarity * weight / whole
                    for best in (matches.rarest, matches.named) if is_named else (matches.rarest,):
                        best[cells] = np.maximum(best[cells], rarity / _rarity(1, total))
        return matches

    def _rarest(
        self, groups: Iterable[Group], in_use: Mask, total: int
    ) -> tuple[list[tuple[float, int, bool, Slots, Scores]], float]:
        """Return (rarity, count in the query, is named, slots, counts) of the rarest held words, rarest first.

        The second value is the weight of the words that no memory holds: they do not displace held ones.
        """
        held, unheard = [], 0
        known = (tuple(term for term in group if len(self._held(term))) for group in groups)
        for group, weight in sorted(Counter(known).items()):
            # Of the alternatives in one text the most frequent counts: it is sorted behind the others.
            packed = np.sort(np.concatenate([_NONE, *map(self._held, group)]))
            packed = packed[(np.diff(packed >> _COUNT_BITS, append=-1) != 0) & in_use[packed >> _COUNT_BITS]]
            if len(packed):
                slots, counts = packed >> _COUNT_BITS, (packed & _MOST_COUNTED).astype(np.float64)
                is_named = any(len(term) > _SHORTEST_NAME and not term.isalpha() for term in group)
                held.append((_rarity(len(packed), total), weight, is_named, slots, counts))
            else:
                unheard += weight
        held.sort(key=lambda entry: -entry[0])
        return held[:_MOST_TERMS], unheard * _rarity(0, total)

    def _held(self, term: str) -> Slots:
        """Return the postings of a word, or of several that stand together."""
        self._ask(term)
        if " " not in term[1:] or term in self._postings:
            return np.array(self._postings.get(term, ()), dtype=np.int64)
        packed = np.sort(np.concatenate([self._held(word) for word in term.split()]))
        first, last = packed[: -term.count(" ")], packed[term.count(" ") :]
        return np.asarray(first[first >> _COUNT_BITS == last >> _COUNT_BITS])

    def _ask(self, term: str) -> None:
        """Make the postings of a word of the memories that `add_all` entered, unless they are made."""
        if self._unasked is not None and term not in self._postings and term in self._unasked.terms:
            slots, counts = self._unasked.find(term)
            packed = slots << _COUNT_BITS | np.minimum(counts, _MOST_COUNTED)
            self._postings[term] = array("I", packed.tolist())

    def _locate(self, places: Mapping[str, int]) -> Slots:
        """Return the position of each slot, -1 without one; known positions are looked up again when any has moved."""
        known = self._located if places is self._places else _NONE
        asked = [places.get(memory_id, -1) for memory_id in self._ids[len(known) :]]
        located = np.concatenate((known, np.array(asked, dtype=np.int64)))
        # A memory without a position may have one at the next call.
        late = (slot for slot, place in enumerate(asked, len(known)) if place < 0 and self._ids[slot])
        self._places, self._located = places, located[: next(late, len(located))]
        return located

    def _pack(self) -> None:
        """Renumber the slots in use, in their order."""
        for term in self._unasked.terms if self._unasked is not None else ():
            self._ask(term)
        self._unasked, self._located = None, _NONE
        is_used = np.array([memory_id != "" for memory_id in self._ids], dtype=bool)
        lost = (np.arange(len(is_used)) + 1 - np.cumsum(is_used)) << _COUNT_BITS
        for term, packed in list(self._postings.items()):
            old = np.array(packed, dtype=np.int64)
            left = (old - lost[old >> _COUNT_BITS])[is_used[old >> _COUNT_BITS]]
            self._postings[term] = array("I", left.tolist())
            if not len(left):
                del self._postings[term]
        self._lengths = array("H", np.array(self._lengths)[is_used].tolist())
        self._ids = [*filter(None, self._ids)]
        self._slots = {memory_id: slot for slot, memory_id in enumerate(self._ids)}


def _rarity(holders: int, total: int) -> float:
    """Return the weight of a word that `holders` of `total` texts hold."""
    return math.log(1.0 + (_UNSEEN + total - holders + 0.5) / (holders + 0.5))
