"""What closes a sentence and changes nothing of what it states: ", by the way", "(source: user)", "as of May 3" (C-41).

The wordings are data, with examples: `openers.toml`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from .openers import is_date, is_time, is_year
from .tables import read_table, split_wordings
from .token import Token

#: "As of", and the words of a time.
_LONGEST_TIME: Final = 6
_LONGEST_REMARK: Final = 8
_MARKS: Final = frozenset((",", "-", "–", "—"))
#: So many words are a sentence.
_SHORTEST: Final = 3


class _Closers(NamedTuple):
    phrases: tuple[tuple[str, ...], ...]
    leads: tuple[tuple[str, ...], ...]
    remarks: frozenset[str]
    last_words: frozenset[str]


def _parse_closers() -> _Closers:
    table = read_table(__file__, "openers")
    phrases = split_wordings(one for row in table["closer"] for one in row["wordings"])
    leads = split_wordings(one for row in table["closing_time"] for one in row["leads"])
    remarks = frozenset(word for row in table["remark"] for word in row["words"].split())
    return _Closers(phrases, leads, remarks, frozenset(words[-1] for words in phrases))


_CLOSERS: Final = _parse_closers()


def without_closer(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """What is left of a sentence; its last word ends where the closer does."""
    last = tokens[-1].low
    if last == ")":
        begin = _remark(tokens)
    elif last in _CLOSERS.last_words:
        begin = _phrase(tokens)
    else:
        begin = _time(tokens) if is_time(last) else 0
    while begin and tokens[begin - 1].low in _MARKS:
        begin -= 1
    if begin < _SHORTEST:
        return tokens
    return (*tokens[: begin - 1], tokens[begin - 1]._replace(end=tokens[-1].end))


def closes_change(tokens: Sequence[Token]) -> bool:
    """Whether a sentence closes with a time from which on it holds: "as of May 3"."""
    return bool(tokens) and is_time(tokens[-1].low) and _time(tokens) > 0


def _phrase(tokens: Sequence[Token]) -> int:
    lows = tuple(token.low for token in tokens)
    begin = next((len(lows) - len(words) for words in _CLOSERS.phrases if lows[-len(words) :] == words), 0)
    return begin if lows[begin - 1] in _MARKS or tokens[begin].text.isupper() else 0


def _time(tokens: Sequence[Token]) -> int:
    """Where the time at the end of a sentence begins, with what leads it; 0 if there is none."""
    lows = tuple(token.low for token in tokens)
    for begin in range(max(len(lows) - _LONGEST_TIME, 1), len(lows)):
        for lead in _CLOSERS.leads:
            named = lows[begin + len(lead) :]
            if lows[begin : begin + len(lead)] == lead and named and all(map(is_time, named)):
                return 0 if any(map(is_year, named)) else begin
    return 0


def _remark(tokens: Sequence[Token]) -> int:
    begin = next((i for i in range(len(tokens) - 2, 0, -1) if tokens[i].low == "("), 0)
    told = [token.low for token in tokens[begin + 1 : -1] if token.low not in (":", ",", "-")]
    if not begin or not 0 < len(told) <= _LONGEST_REMARK or _CLOSERS.remarks.isdisjoint(told):
        return 0
    return begin if all(low in _CLOSERS.remarks or is_date(low) for low in told) and not told[-1].isdecimal() else 0
