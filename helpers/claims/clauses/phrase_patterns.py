"""The clauses of `slots.phrases` as patterns over the lemmas of a clause, found by the words that they need (C-39)."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from ...language.tables import read_classes, read_table
from ...language.terms import jobs
from ...language.verbs import forms
from ...language.vocabulary import one_of
from ..slots.phrases import PHRASED, Phrased
from ..values.marks import Choice

_TABLE: Final = read_table(__file__, "word_classes")["phrase_patterns"]
_WORDS: Final = read_classes(__file__)
_SCHOOLS: Final[list[str]] = _TABLE["schools"].split()
_COMPANIES: Final = tuple(_TABLE["companies"].split())
_JOBS: Final = tuple(word for word in jobs() if word not in ("student", "head"))
_ANY: Final = r"(?:\S+ )"
_ADJECTIVE: Final = rf"(?:(?!(?:{one_of(_WORDS['no_adjectives'])}) )\S+ )"
_HOLES: Final = {"S": rf"(?P<S>{_ANY}{{1,7}}?)", "V": rf"(?P<V>{_ANY}{{1,12}}?)", "W": rf"(?P<W>{_ANY}{{1,3}}?)"}
#: What may follow a clause, if nothing is left open.
_TAIL: Final = rf"(?P<T>(?:{one_of(_WORDS['opening_tails'])}) {_ANY}*)?$"


class PhrasePattern(NamedTuple):
    number: int
    row: Phrased
    written: str
    is_change: bool
    is_loose: bool
    needs: tuple[frozenset[str], ...]


@cache
def phrase_patterns() -> tuple[PhrasePattern, ...]:
    told = ((row, written) for row in PHRASED for written in row.clauses)
    return tuple(_clause(number, row, written) for number, (row, written) in enumerate(told))


def _clause(number: int, row: Phrased, written: str) -> PhrasePattern:
    parts = written.removeprefix("!").split()
    needs = [_first_words(part) for part in parts if part[0].islower() and part not in ("'s", "their")]
    needs.sort(key=lambda words: min(map(len, words)), reverse=True)  # the short words stand in most clauses
    return PhrasePattern(
        number, row, written, written.startswith("!"), "[~] V" in written, tuple(map(frozenset, needs))
    )


@cache
def compiled(number: int) -> re.Pattern[str]:
    """The pattern of a clause, made when it is first needed."""
    clause = phrase_patterns()[number]
    parts = clause.written.removeprefix("!").split()
    is_known = any(isinstance(reader, Choice) for reader in clause.row.reads)
    is_open = parts[-1] == "SCHOOL" or (parts[-1] == "V" and not is_known)
    return re.compile("".join(_pattern(part, clause.row) for part in parts) + ("$" if is_open else _TAIL))


@cache
def by_word(is_change: bool) -> dict[str, tuple[int, ...]]:
    """The numbers of the clauses that tell of a change, or of what is so, by one word that each of them needs."""
    table: dict[str, tuple[int, ...]] = {}
    for clause in phrase_patterns():
        for word in _key(clause.written.removeprefix("!").split(), clause.row) if clause.is_change is is_change else ():
            table[word] = (*table.get(word, ()), clause.number)
    return table


def _key(parts: list[str], row: Phrased) -> tuple[str, ...]:
    """The alternatives of the part that tells most: one that is not "be", "have" or a preposition."""
    told = [part for part in parts if part not in _HOLES and part != "~" and not part.startswith("[") and len(part) > 1]
    told = [part for part in told if part not in ("'s", "their")]
    if "SCHOOL" in told:
        return tuple(_SCHOOLS)
    if "COMPANY" in told:
        return _COMPANIES
    if "JOB" in told:
        return _JOBS
    if "P" in parts:
        return tuple(dict.fromkeys(way[-1] for way in ways(row.nouns)))
    longest = max(told, key=lambda part: (part.split("/")[0] not in ("be", "have"), min(map(len, part.split("/")))))
    return _first_words(longest)


def _pattern(part: str, row: Phrased) -> str:
    choices = [reader for reader in row.reads if isinstance(reader, Choice)]
    if part == "V" and choices:
        members = sorted((" ".join(way) for reader in choices for way, _ in reader.names), key=len, reverse=True)
        return rf"(?P<V>(?:{'|'.join(map(re.escape, members))}) )"
    if part in _HOLES:
        return _HOLES[part]
    if part == "~":
        return rf"{_ANY}{{1,4}}?"
    if part == "[~]":
        return rf"{_ANY}{{0,4}}?"
    if part == "[ADJ]":
        return rf"{_ADJECTIVE}{{0,2}}?"
    if part == "P" or part == "[P]":
        words = "|".join(re.escape(" ".join(way)) for way in ways(row.nouns))
        return rf"(?P<P>{_ADJECTIVE}?(?:{words})) " if part == "P" else rf"(?:(?:{words}) )?"
    if part == "SCHOOL":
        return rf"(?P<V>(?=.*\b(?:{'|'.join(_SCHOOLS)})\b){_ANY}{{1,8}}?)"
    if part == "COMPANY":
        return rf"(?P<V>{_ANY}{{1,3}}?(?:{'|'.join(_COMPANIES)}) )"
    if part == "JOB":
        return rf"{_ANY}{{0,4}}?(?:{'|'.join(_JOBS)}) "
    if part.startswith("["):
        return rf"(?:{_pattern(part[1:-1], row)})?"
    if part == "their":
        return r"(?:their |(?:i|we|user) 's )"
    return f"(?:{'|'.join(re.escape(word.replace('_', ' ')) for word in _alternatives(part))}) "


def _first_words(part: str) -> tuple[str, ...]:
    return tuple(word.partition("_")[0] for word in _alternatives(part))


@cache
def ways(nouns: str) -> dict[tuple[str, ...], str]:
    """The words by which the nouns of a row are told, as they are and by their lemmas, and the noun they tell."""
    told: dict[tuple[str, ...], str] = {}
    for noun in nouns.split():
        first, *others = (tuple(way.split("_")) for way in noun.split("="))
        for way in (first, *others):
            told[way] = " ".join(first)
            told[tuple(forms().get(word, (word, ""))[0] for word in way)] = " ".join(first)
    return told


def _alternatives(part: str) -> tuple[str, ...]:
    """The words of a part, and their lemmas, in which they stand after the verb."""
    words = part.split("/")
    return tuple(dict.fromkeys((*words, *(forms().get(word, (word, ""))[0] for word in words))))
