"""Find what frames a statement in its sentence: "FYI, ...", "As of May, ...", "..., by the way".

The wordings are data: `openers.toml`. A sentence is matched as its words in lower case, with a blank behind each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ..texts import regex
from .lexicon import ARTICLES, CALENDAR, DEICTIC_TIMES, MONTHS, PERIODS, POSSESSIVES, PRONOUNS, SUBJECT_PRONOUNS, THEIR
from .tables import read_table
from .token import Token, spelled

#: A closer stands within so many last words of a sentence.
_LONGEST_CLOSER: Final = 14
#: The least words of a sentence.
_SHORTEST: Final = 3
#: Read on import, so that no hook waits for a file, or misses it after the pack was removed.
_TABLE: Final = read_table(__file__, "openers")
_SHAPES: Final[dict[str, str]] = _TABLE["part"]


class Opening(NamedTuple):
    """The meaning of the first words of a clause; `end` is the index of the first word after them."""

    end: int = 0
    correction: bool = False
    soft: bool = False


class Stated(NamedTuple):
    """The statement of a sentence without its opening and closing words. `corrects`: an opener marks a correction."""

    tokens: tuple[Token, ...]
    corrects: bool = False


def _one_of(wordings: Iterable[str]) -> str:
    """Return a pattern for wordings, the longest first; a comma stands for any mark."""
    longest = sorted(wordings, key=lambda wording: -len(wording.split()))
    return f"(?:{'|'.join(re.escape(wording) for wording in longest)}) ".replace(",", "[-,:—–.!]")


def _wordings(kind: str, **wanted: object) -> list[str]:
    """Return all wordings of the rows of a kind that have the values that are `wanted`."""
    rows = (row for row in _TABLE[kind] if wanted.items() <= row.items())
    return [wording for row in rows for wording in row["wordings"]]


_PHRASES: Final = {means: _wordings("phrase", means=means) for means in ("correction", "soft", "nothing", "link")}
_WORDS: Final[dict[str, Iterable[str]]] = _PHRASES | {
    "corrects": [wording for wording in _PHRASES["correction"] if wording not in _wordings("phrase", is_whole=False)],
    "several": [wording for wording in _PHRASES["nothing"] if " " in wording],
    "closers": _wordings("closer"),
    "leads": [lead for row in _TABLE["closing_time"] for lead in row["leads"]],
    "subject": (*ARTICLES, *POSSESSIVES, *SUBJECT_PRONOUNS, "user"),
    "pronoun": PRONOUNS | THEIR,
    "month": MONTHS,
    "time word": CALENDAR | PERIODS | DEICTIC_TIMES,
}


def _spell_out(shape: str, row: Mapping[str, Any]) -> str:
    """Return the pattern of a shape, with the lists of a row."""

    def part(match: re.Match[str]) -> str:
        name = match[1]
        if name in _SHAPES:
            return f"(?:{_spell_out(_SHAPES[name], row)})"
        words = row.get(name) or _WORDS[name]
        return f"(?:{_one_of(words.split() if isinstance(words, str) else words)})"

    return re.sub("<([a-z ]+)>", part, shape)


def _by_meaning(patterns: Mapping[str, Sequence[str]]) -> re.Pattern[str]:
    """Return one pattern, of which the last group that took part is the meaning."""
    return regex("|".join(f"(?P<{means}>{'|'.join(wordings)})" for means, wordings in patterns.items()), re.IGNORECASE)


_ROWS: Final = [row for kind in ("report", "label", "time", "date") for row in _TABLE[kind]]
_PHRASE: Final = _by_meaning({means: [_one_of(wordings)] for means, wordings in _PHRASES.items()})
_CLOSER: Final = _by_meaning({means: [_spell_out(shape, {})] for means, shape in _TABLE["closes"].items()})
_OPENER: Final = _by_meaning(
    {
        means: [
            _spell_out(shape, {}),
            *(f"(?:{_spell_out(_SHAPES[row['shape']], row)})" for row in _ROWS if row["means"] == means),
        ]
        for means, shape in _TABLE["opens"].items()
    }
)


def parse_opening(tokens: Sequence[Token]) -> Opening:
    """Return what the phrases at the start of a clause say, and where they end."""
    end, meant = _skip(_PHRASE, spelled(tokens))
    return Opening(end, "correction" in meant, "soft" in meant)


def _skip(opener: re.Pattern[str], words: str) -> tuple[int, set[str | None]]:
    """Return how many words open a sentence, and their meanings."""
    begin, meant = 0, set[str | None]()
    while match := opener.match(words, begin):
        meant.add(match.lastgroup)
        begin = match.end()
    return words.count(" ", 0, begin), meant


def opens_change(tokens: Sequence[Token]) -> bool:
    """Whether a sentence opens with a time from which on it holds: "As of May, ..."."""
    return "now" in _skip(_OPENER, spelled(tokens))[1]


def closes_change(tokens: Sequence[Token]) -> bool:
    """Whether a sentence closes with a time from which on it holds: "as of May 3"."""
    closer = _closer(tokens)
    return closer is not None and closer.lastgroup == "now"


def stated(tokens: Sequence[Token]) -> Stated:
    """Return what a sentence states without its frame; the first and last word keep the span of the whole."""
    plain = tuple(tokens)
    end, meant = _skip(_OPENER, spelled(tokens))
    is_soft = "soft" in meant and "correction" not in meant
    is_opened = not is_soft and any(token.low[0].isalnum() for token in tokens[end:-1])
    kept = _without_closer(plain[end:] if is_opened else plain)
    return Stated((kept[0]._replace(start=tokens[0].start), *kept[1:]), is_opened and "correction" in meant)


def _closer(tokens: Sequence[Token]) -> re.Match[str] | None:
    """Return the match of what closes a sentence, among its last words; None if nothing does."""
    return _CLOSER.search("".join([f"{token.text} " for token in tokens[-_LONGEST_CLOSER:]]))


def _without_closer(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    closer = _closer(tokens)
    begin = len(tokens) - closer[0].count(" ") if closer else 0
    if begin < _SHORTEST:
        return tokens
    return (*tokens[: begin - 1], tokens[begin - 1]._replace(end=tokens[-1].end))
