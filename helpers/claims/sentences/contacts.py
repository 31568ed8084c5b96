"""Read how to reach somebody or something as where it is: "write to Ann at ann@example.org" (C-39)."""

from __future__ import annotations

from typing import Final

from ...language.lexicon import DETERMINERS
from ..clauses.predicates import Tokens
from ..values.names import read_address, read_email, read_phone, read_url
from ..values.numbers import low_at

#: What one does to reach; of the others one may do several.
_REACHING: Final = frozenset("write mail email call phone ring contact reach connect dial message ping".split())
_MARKS: Final = frozenset(("at", "on", "under", "via", "to", "through"))
#: Words between the verb and whom it reaches.
_LINKS: Final = frozenset(("to", "with", "up"))
_SPEAKERS: Final = frozenset(("please", "you"))


def without_reaching(tokens: Tokens) -> Tokens:
    """The sentence with "is at" for the verb, if it tells where one reaches whom; else as it is."""
    begin = next((i for i, token in enumerate(tokens[:4]) if token.low not in _SPEAKERS), 0)
    if low_at(tokens, begin) in ("to", "for"):
        return _without_aim(tokens, begin)
    if low_at(tokens, begin) not in _REACHING:
        return tokens
    begin += 1
    while low_at(tokens, begin) in _LINKS:
        begin += 1
    mark = _mark_before_value(tokens, begin + 1)
    return _located(tokens, begin, mark, mark) if mark else tokens


def _without_aim(tokens: Tokens, begin: int) -> Tokens:
    """Read "to reach the parser, connect to port 7411" the same way."""
    comma = next((i for i, token in enumerate(tokens) if token.low == ","), 0)
    start = begin + 1
    if (
        not comma
        or low_at(tokens, start) not in _REACHING
        or low_at(tokens, comma + 1) not in _REACHING | {"use", "go"}
    ):
        return tokens
    while low_at(tokens, start + 1) in _LINKS:
        start += 1
    mark = _mark_before_value(tokens, comma + 2)
    begin = comma + 1 if low_at(tokens, comma + 1) == "use" else mark
    return _located(tokens, start + 1, comma, begin) if begin and start + 1 < comma else tokens


def _located(tokens: Tokens, begin: int, end: int, mark: int) -> Tokens:
    verb = tokens[mark]._replace(text="is", low="is")
    at = tokens[mark]._replace(text="at", low="at")
    return (*tokens[begin:end], verb, at, *tokens[mark + 1 :])


def _mark_before_value(tokens: Tokens, begin: int) -> int:
    """Where the preposition in front of an address stands; 0 if there is none."""
    for index in range(begin, len(tokens) - 1):
        start = index + 1 + (low_at(tokens, index + 1) in DETERMINERS)
        if tokens[index].low in _MARKS and _is_address(tokens, start):
            return index
    return 0


def _is_address(tokens: Tokens, index: int) -> bool:
    if low_at(tokens, index) in ("port", "extension"):
        return low_at(tokens, index + 1)[:1].isdigit()
    return any(read(tokens, index) is not None for read in (read_email, read_phone, read_url, read_address))
