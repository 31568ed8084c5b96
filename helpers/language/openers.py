"""Find what frames a statement in its sentence: "FYI, ...", "As of May, ...", "..., by the way".

The wordings are data: `openers.toml`. A sentence is matched as its words in lower case, with a blank behind each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ..texts import regex
from .lexicon import ARTICLES, CALENDAR, DEICTIC_TIMES, MONTHS, PERIODS, POSSESSIVES, PRONOUNS, SUBJECT_PRONOUNS, THEIR
from .numerals import ORDINAL_ENDINGS
from .tables import read_table
from .token import Token, spelled

#: A closer stands within so many last words of a sentence.
_LONGEST_CLOSER: Final = 14
#: The least words of a sentence.
_SHORTEST: Final = 3
_SIDE: Final = "[-,–—] "
_MARK: Final = "[-,:—–.!] "
_SENTENCE: Final = rf"(?=(?:(?:[^\w ]\S* )*\w\S* ){{{_SHORTEST}}})"
_YEAR: Final = r"(?:19|20)\d{2}"
_DAY: Final = rf"\d{{1,2}}(?:{'|'.join(ORDINAL_ENDINGS)})?"
_DATE: Final = r"(?:\d{4}-\d{2}-\d{2}(?:t[\d:.+z-]{0,30})?|\d{1,2}[./]\d{1,2}[./]\d{4}) "
_CLOCK: Final = r"\d{1,2}:\d{2}(?::\d{2})?(?:am|pm)? "
#: Read on import, so that no hook waits for a file, or misses it after the pack was removed.
_TABLE: Final = read_table(__file__, "openers")
_PHRASES: Final = {
    means: [wording for row in _TABLE["phrase"] if row["means"] == means for wording in row["wordings"]]
    for means in ("correction", "soft", "nothing", "link")
}
_OF_VALUES: Final = [
    wording for row in _TABLE["phrase"] if not row.get("is_whole", True) for wording in row["wordings"]
]


class Opening(NamedTuple):
    """What the first words of a clause say: `end` is the index of the first word after them."""

    end: int = 0
    correction: bool = False
    soft: bool = False


class Stated(NamedTuple):
    """What a sentence states, without what opens or closes it. `corrects`: an opener says that it is a correction."""

    tokens: tuple[Token, ...]
    corrects: bool = False


def _one_of(wordings: Iterable[str]) -> str:
    """Return a pattern for wordings, the longest first; a comma stands for any mark."""
    longest = sorted(wordings, key=lambda wording: -len(wording.split()))
    return f"(?:{'|'.join(re.escape(wording) for wording in longest)}) ".replace(",", "[-,:—–.!]")


#: What may follow an opener without a comma.
_SUBJECT: Final = f"(?={_one_of((*ARTICLES, *POSSESSIVES, *SUBJECT_PRONOUNS, 'user'))})"
#: Not in front of a pronoun, which stands for something in the opener.
_NO_ANAPHOR: Final = f"(?!{_one_of(PRONOUNS | THEIR)})"
_MONTH: Final = _one_of(MONTHS)
_OF_DATE: Final = f"(?:{_MONTH}|{_DATE}|{_CLOCK}|(?:{_DAY}|{_YEAR}) )"
_TIME_WORD: Final = rf"{_one_of(CALENDAR | PERIODS | DEICTIC_TIMES)}|(?:{_DAY}|q[1-4]) "


def _when(*, has_year: bool = False) -> str:
    """Return a pattern for the name of a time: "May", "the 3rd of May", "next week"; with a year it may be over."""
    word = f"(?:{_TIME_WORD}|{_YEAR} )" if has_year else f"(?:{_TIME_WORD})"
    return rf"(?=(?:(?:the|of|\d+) )*(?!\d+ ){word})(?:(?:(?:the|of) )*{word})+"


def _report(row: Mapping[str, Any]) -> str:
    """Return a pattern for who tells it: "User mentioned that ...", "According to the user, ..."."""
    verb, to = _one_of(row["verbs"].split()), f"(?:{_one_of(row['to'])})?" if row["to"] else ""
    report = f"{_one_of(row['who'])}{verb}{to}(?:that|:) {_NO_ANAPHOR}(?=.)"
    return f"(?:{_one_of(row['sources'])}, |{report})" if row["sources"] else report


def _label(row: Mapping[str, Any]) -> str:
    words = rf"(?:{_one_of(row['before'].split())}){{0,2}}{_one_of(row['words'].split())}"
    rest = _NO_ANAPHOR if row["means"] == "correction" else ""
    return rf"(?:\[ {words}\] |\( {words}\) |{words}[-:—–] {_SENTENCE}){rest}"


def _time(row: Mapping[str, Any]) -> str:
    closes = _one_of(row["closes"])
    return f"{_one_of(row['leads'])}{_when(has_year=row['has_year'])}(?:{closes})*(?:, |{_SUBJECT})"


def _date(row: Mapping[str, Any]) -> str:
    """Return a pattern for when a note was made: "2026-05-03:", "[10:42]", "May 3 -"."""
    worded = rf"(?=(?:{_OF_DATE})*{_MONTH})(?=(?:{_MONTH})*\d)"
    whole = rf"(?:(?=(?:{_OF_DATE})*{_DATE})|{worded})(?:{_OF_DATE})+{_one_of(row['closes'])}"
    inner = rf"(?:(?=(?:{_OF_DATE})*(?:{_DATE}|{_CLOCK}))|{worded})(?:{_OF_DATE})+"
    return rf"(?:\[ {inner}\] |\( {inner}\) |{whole})"


def _by_meaning(patterns: Mapping[str, Sequence[str]]) -> re.Pattern[str]:
    """Return one pattern, of which the last group that took part is the meaning."""
    return regex("|".join(f"(?P<{means}>{'|'.join(wordings)})" for means, wordings in patterns.items()), re.IGNORECASE)


_PHRASE: Final = _by_meaning({means: [_one_of(wordings)] for means, wordings in _PHRASES.items()})


def _openers() -> dict[str, list[str]]:
    """Return patterns by meaning of what opens a sentence, closed by a mark or by the subject of what it corrects."""
    correcting = _one_of(wording for wording in _PHRASES["correction"] if wording not in _OF_VALUES)
    nothing = _one_of(_PHRASES["nothing"])
    several = _one_of(wording for wording in _PHRASES["nothing"] if " " in wording)
    link = _one_of(_PHRASES["link"])
    patterns = {
        "correction": [f"{correcting}(?:{_MARK}|(?<={_MARK})|{_SUBJECT}){_NO_ANAPHOR}(?=.)"],
        "soft": [f"{_one_of(_PHRASES['soft'])}(?:{_MARK})?"],
        "nothing": [f"{nothing}{_MARK}", f"{several}{_SUBJECT}"],
        "link": [f"(?:(?<= ){link}(?:{_MARK})?|{link}{_MARK})"],
        "now": [],
    }
    for kind, read in (("report", _report), ("label", _label), ("time", _time), ("date", _date)):
        for row in _TABLE[kind]:
            patterns[row["means"]].append(read(row))
    return patterns


def _closers() -> dict[str, list[str]]:
    """Return patterns by meaning of what closes a sentence, behind a mark: "as of May 3"."""
    phrases, leads = (
        _one_of(wording for row in _TABLE[kind] for wording in row[name])
        for kind, name in (("closer", "wordings"), ("closing_time", "leads"))
    )
    return {
        "nothing": [rf"(?:{_SIDE})*(?:(?<={_SIDE})|(?-i:(?=[A-Z]{{2,}} ))){phrases}$"],
        "now": [rf"(?:{_SIDE})*{leads}{_when()}$"],
    }


_OPENER: Final = _by_meaning(_openers())
_CLOSER: Final = _by_meaning(_closers())


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
