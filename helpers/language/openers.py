"""What opens a sentence and changes nothing of what it states: "FYI,", "Quick update:", "As of May," (C-41).

The wordings are data, with examples: `openers.toml`. What is left when an opener is taken away is read like any other
sentence, so no reader after this one needs to know them. A clause inside a sentence may open so too (`parse_opening`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from ..patterns import regex
from .lexicon import ARTICLES, CALENDAR, DEICTIC_TIMES, MONTHS, PERIODS, POSSESSIVES, PRONOUNS, SUBJECT_PRONOUNS, THEIR
from .numerals import ORDINAL_ENDINGS
from .tables import read_table, split_wordings
from .token import Token, low_at

#: Close an opener; a comma stands for them in the table.
_MARKS: Final = frozenset((",", ":", "-", "—", "–", ".", "!"))
_BRACKETS: Final = {"[": "]", "(": ")"}
_DATE: Final = regex(r"\d{4}-\d{2}-\d{2}(?:t[\d:.+z-]{0,30})?|\d{1,2}([./])\d{1,2}\1\d{4}")
_CLOCK: Final = regex(r"\d{1,2}:\d{2}(?::\d{2})?(?:am|pm)?")
_DAY: Final = regex(rf"\d{{1,2}}(?:{'|'.join(ORDINAL_ENDINGS)})?|(?:19|20)\d{{2}}|q[1-4]")
_YEAR: Final = regex(r"(?:19|20)\d{2}")
_TIME_WORDS: Final = CALENDAR | PERIODS | DEICTIC_TIMES | {"the", "of"}
#: What stands for something that was named before: then the rest is read beside its opener.
ANAPHORS: Final = PRONOUNS | THEIR
#: What may follow without a comma.
_SUBJECTS: Final = ARTICLES | POSSESSIVES | SUBJECT_PRONOUNS | {"user"}
_LONGEST_LABEL: Final = 4
_LONGEST_REPORT: Final = 6
#: What follows a label, and is shorter, is its value.
_SHORTEST_SENTENCE: Final = 3


class Opener(NamedTuple):
    """`end` is the index of the first word after it. `means` is one of those in `openers.toml`."""

    means: str
    end: int


class Opening(NamedTuple):
    """What the first words of a clause say: `end` is the index of the first word after them."""

    end: int = 0
    correction: bool = False
    soft: bool = False


class Opened(NamedTuple):
    """What a sentence states, without what opens it. `corrects`: the opener says that this is a correction."""

    tokens: tuple[Token, ...]
    corrects: bool = False


class _Phrase(NamedTuple):
    """`is_whole`: what follows may be a whole sentence."""

    words: tuple[str, ...]
    means: str
    is_whole: bool


class _Label(NamedTuple):
    means: str
    before: frozenset[str]
    words: frozenset[str]


class _Report(NamedTuple):
    means: str
    who: tuple[tuple[str, ...], ...]
    verbs: frozenset[str]
    to: tuple[tuple[str, ...], ...]
    sources: tuple[tuple[str, ...], ...]


class _Time(NamedTuple):
    means: str
    has_year: bool
    leads: tuple[tuple[str, ...], ...]
    closes: frozenset[str]


class _Date(NamedTuple):
    means: str
    closes: frozenset[str]


class _Openers(NamedTuple):
    phrases: dict[str, tuple[_Phrase, ...]]
    reports: tuple[_Report, ...]
    labels: tuple[_Label, ...]
    times: tuple[_Time, ...]
    date: _Date


def _parse_openers() -> _Openers:
    table = read_table(__file__, "openers")
    phrases: dict[str, list[_Phrase]] = {}
    for row in table["phrase"]:
        for wording in row["wordings"]:
            words = tuple(wording.split())
            phrases.setdefault(words[0], []).append(_Phrase(words, row["means"], row.get("is_whole", True)))
    return _Openers(
        {first: tuple(sorted(found, key=lambda one: -len(one.words))) for first, found in phrases.items()},
        tuple(
            _Report(
                row["means"],
                split_wordings(row["who"]),
                frozenset(row["verbs"].split()),
                split_wordings(row["to"]),
                split_wordings(row["sources"]),
            )
            for row in table["report"]
        ),
        tuple(
            _Label(row["means"], frozenset(row["before"].split()), frozenset(row["words"].split()))
            for row in table["label"]
        ),
        tuple(
            _Time(
                row["means"],
                row["has_year"],
                split_wordings(row["leads"]),
                frozenset(row["closes"]),
            )
            for row in table["time"]
        ),
        _Date(table["date"][0]["means"], frozenset(table["date"][0]["closes"])),
    )


#: Read with the code, so that no hook waits for a file, or misses it when the pack is taken away.
_OPENERS: Final = _parse_openers()


@lru_cache(maxsize=1)
def _first_words() -> frozenset[str]:
    """The words with which an opener begins."""
    table = _OPENERS
    reported = (words[0] for row in table.reports for words in (*row.who, *row.sources))
    timed = (words[0] for row in table.times for words in row.leads)
    return frozenset(table.phrases).union(MONTHS, reported, timed, *(row.before | row.words for row in table.labels))


@lru_cache(maxsize=1)
def _correcting() -> re.Pattern[str]:
    """Finds a word that stands in every opener of a correction."""
    table = _OPENERS
    found = (one.words for rows in table.phrases.values() for one in rows if one.means == "correction")
    labels = (row.words for row in table.labels if row.means == "correction")
    words = {max(words, key=len) for words in found}.union(*labels)
    return re.compile(rf"\b(?:{'|'.join(sorted(words))})\b", re.IGNORECASE)


def may_correct(text: str) -> bool:
    """Whether a text holds a word that every correction of some form holds; a quick look, before it is read."""
    return _correcting().search(text) is not None


def parse_opening(tokens: Sequence[Token]) -> Opening:
    """Skip the phrases at the start of a clause."""
    index, correction, soft = 0, False, False
    while index < len(tokens) and (row := _row(tokens, index)):
        correction, soft = correction or row.means == "correction", soft or row.means == "soft"
        index += len(row.words)
    return Opening(index, correction, soft)


def without_opener(tokens: Sequence[Token]) -> Opened:
    """What is left of a sentence; its first word begins where the opener does. An opener alone stays as it is."""
    first = tokens[0].low
    if first not in _first_words() and first not in _BRACKETS and not first[0].isdigit():
        return Opened(tuple(tokens))
    end, meant = _skip(tokens)
    rest = tuple(tokens[end:])
    is_soft = "soft" in meant and "correction" not in meant
    if not end or not any(token.low[0].isalnum() for token in rest[:-1]) or is_soft:
        return Opened(tuple(tokens))
    return Opened((rest[0]._replace(start=tokens[0].start), *rest[1:]), "correction" in meant)


def opens_change(tokens: Sequence[Token]) -> bool:
    """Whether a sentence opens with a time from which on it holds: "As of May, ..."."""
    return "now" in _skip(tokens)[1]


def _skip(tokens: Sequence[Token]) -> tuple[int, set[str]]:
    """(index of the first word that no opener holds, what the openers mean)."""
    end, meant = 0, set[str]()
    while found := _opener(tokens, end):
        meant.add(found.means)
        end = found.end
    return end, meant


def _opener(tokens: Sequence[Token], index: int) -> Opener | None:
    """What opens a sentence as a whole: it is closed by a mark, or by the subject of what it corrects."""
    if index >= len(tokens):
        return None
    row = _row(tokens, index)
    if row is None:
        return _report(tokens, index) or _label(tokens, index) or _time(tokens, index) or _note_date(tokens, index)
    end = index + len(row.words)
    is_marked = end < len(tokens) and tokens[end].low in _MARKS
    is_open = row.means == "soft" or (row.means == "link" and index > 0)
    if row.means == "nothing" and len(row.words) > 1:
        is_open = low_at(tokens, end) in _SUBJECTS
    if row.means == "correction":
        rest = end + is_marked
        is_open = rest < len(tokens) and row.is_whole and tokens[rest].low not in ANAPHORS
        is_open = is_open and (is_marked or row.words[-1] == "," or tokens[end].low in _SUBJECTS)
        is_marked = is_marked and is_open
    return Opener(row.means, end + is_marked) if is_marked or is_open else None


def _row(tokens: Sequence[Token], index: int) -> _Phrase | None:
    for row in _OPENERS.phrases.get(tokens[index].low, ()):
        told = tokens[index : index + len(row.words)]
        if len(told) == len(row.words) and all(_is(one.low, word) for one, word in zip(told, row.words, strict=True)):
            return row
    return None


def _is(low: str, word: str) -> bool:
    return low == word or (word == "," and low in _MARKS)


def _report(tokens: Sequence[Token], index: int) -> Opener | None:
    """Who tells it: "User mentioned that ...", "According to the user, ..."."""
    told = [token.low for token in tokens[index + 1 : index + _LONGEST_REPORT]]
    for row in _OPENERS.reports:
        if row.verbs.isdisjoint(told) and "user" not in told:
            continue
        end = _after(tokens, index, row.sources)
        if end and end < len(tokens) and tokens[end].low == ",":
            return Opener(row.means, end + 1)
        verb = _after(tokens, index, row.who)
        if not verb or verb >= len(tokens) or tokens[verb].low not in row.verbs:
            continue
        end = _after(tokens, verb + 1, row.to) or verb + 1
        is_told = end + 1 < len(tokens) and tokens[end].low in ("that", ":")
        if is_told and tokens[end + 1].low not in ANAPHORS:
            return Opener(row.means, end + 1)
    return None


def _after(tokens: Sequence[Token], index: int, wordings: Sequence[tuple[str, ...]]) -> int:
    """The index behind the wording that stands at `index`; 0 if none does."""
    for words in wordings:
        end = index + len(words)
        if (
            index < len(tokens)
            and tokens[index].low == words[0]
            and tuple(token.low for token in tokens[index:end]) == words
        ):
            return end
    return 0


def _label(tokens: Sequence[Token], index: int) -> Opener | None:
    bracket = _BRACKETS.get(tokens[index].low, "")
    begin = index + bool(bracket)
    closing = (bracket,) if bracket else (":", "-", "—", "–")
    cut = next((i for i in range(begin + 1, min(begin + _LONGEST_LABEL, len(tokens))) if tokens[i].low in closing), 0)
    is_sentence = sum(token.low[0].isalnum() for token in tokens[cut + 1 :]) >= _SHORTEST_SENTENCE
    for row in _OPENERS.labels if cut and (is_sentence or bracket) else ():
        *before, last = (token.low for token in tokens[begin:cut])
        if last in row.words and row.before.issuperset(before):
            return Opener(row.means, cut + 1)
    return None


def _time(tokens: Sequence[Token], index: int) -> Opener | None:
    for row in _OPENERS.times:
        for lead in row.leads:
            begin = index + len(lead)
            if tokens[index].low != lead[0] or tuple(token.low for token in tokens[index:begin]) != lead:
                continue
            end = begin
            while end < len(tokens) and is_time(tokens[end].low):
                end += 1
            if not any(token.low not in ("the", "of") and not token.low.isdecimal() for token in tokens[begin:end]):
                continue
            if not row.has_year and any(is_year(token.low) for token in tokens[begin:end]):
                continue
            while end > begin and tokens[end - 1].low in ("the", "of"):
                end -= 1
            while end < len(tokens) and tokens[end].low in row.closes:
                end += 1
            if end < len(tokens) and (tokens[end].low == "," or tokens[end].low in _SUBJECTS):
                return Opener(row.means, end + (tokens[end].low == ","))
    return None


def is_time(low: str) -> bool:
    """Whether a word may belong to the name of a time: "May", "3rd", "next", "week"."""
    return low in _TIME_WORDS or _DAY.fullmatch(low) is not None


def is_year(low: str) -> bool:
    return _YEAR.fullmatch(low) is not None


def _note_date(tokens: Sequence[Token], index: int) -> Opener | None:
    """When a note was made: "2026-05-03:", "[10:42]", "May 3 -"."""
    closing = _BRACKETS.get(tokens[index].low, "")
    if not closing and not is_date(tokens[index].low):
        return None
    begin = end = index + bool(closing)
    while end < len(tokens) and is_date(tokens[end].low):
        end += 1
    written = [token.low for token in tokens[begin:end]]
    is_whole = any(_DATE.fullmatch(low) or (closing and _CLOCK.fullmatch(low)) for low in written)
    is_worded = any(low in MONTHS for low in written) and any(low[0].isdigit() for low in written)
    if end == len(tokens) or not (is_whole or is_worded):
        return None
    row = _OPENERS.date
    return Opener(row.means, end + 1) if tokens[end].low in ((closing,) if closing else row.closes) else None


def is_date(low: str) -> bool:
    if not low[0].isdigit():
        return low in MONTHS
    return any(form.fullmatch(low) for form in (_DATE, _CLOCK, _DAY))
