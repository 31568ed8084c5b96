"""Leave out who agreed to what a sentence says, and by how much something moved: they change nothing (C-43).

"As agreed, the launch moved to 17 May", "was pushed back by two weeks to 17 May", "is 550 euros, I misread the bill".
"""

from __future__ import annotations

from typing import Final

from ...language.numerals import NUMBER_WORDS
from ...language.tables import read_table, word_sets
from ...language.token import low_at
from ...language.verbs import HAVE_FORMS, forms
from ..clauses.predicates import Tokens
from ..grammar.verb_groups import CHANGE_LEMMAS, DROP_LEMMAS, SWAP_LEMMAS

_WORDS: Final = word_sets(read_table(__file__, "word_classes")["extras"])

_AGREED: Final = _WORDS["agreed"]
_WISHES: Final = _WORDS["wishes"]
_ON_WISH: Final = frozenset(("at", "on", "upon", "per", "by", "following"))
_SPANS: Final = _WORDS["spans"]
_MOVED: Final = frozenset(("back", "forward", "forwards", "up", "down", "out"))
_SLIPS: Final = _WORDS["slips"]
_DONE: Final = CHANGE_LEMMAS | SWAP_LEMMAS | DROP_LEMMAS | {"cancel", "delete", "close", "discontinue", "retire"}
_MARKS: Final = frozenset((",", ";", "-", "–", "—", "."))
_LONGEST: Final = 9


def without_extras(tokens: Tokens) -> Tokens:
    """The sentence without what leaves its point as it is."""
    lows = {token.low for token in tokens}
    if "got" in lows:
        tokens = _without_got(tokens)
    if not lows.isdisjoint(_AGREED):
        tokens = _without_agreed(tokens)
    if not lows.isdisjoint(_WISHES):
        tokens = _without_wish(tokens)
    if not lows.isdisjoint(_SPANS):
        tokens = _without_span(tokens)
    return _without_slip(tokens) if not lows.isdisjoint(_SLIPS) else tokens


def _without_got(tokens: Tokens) -> Tokens:
    """Read "got postponed" like "was postponed"."""
    for index, token in enumerate(tokens[:-1]):
        lemma, letters = forms().get(tokens[index + 1].low, ("", ""))
        if token.low != "got" or "n" not in letters or lemma not in _DONE or low_at(tokens, index - 1) in HAVE_FORMS:
            continue
        return (*tokens[:index], token._replace(text="was", low="was"), *tokens[index + 1 :])
    return tokens


def _without_agreed(tokens: Tokens) -> Tokens:
    """A sentence without "as agreed" at its beginning or its end."""
    for index, token in enumerate(tokens[:-1]):
        if token.low != "as" or tokens[index + 1].low not in _AGREED:
            continue
        comma = next((i for i in range(index + 2, len(tokens)) if tokens[i].low == ","), len(tokens))
        if index == 0:
            return tokens[comma + 1 :] or tokens
        if comma - index <= _LONGEST:
            begin = index - (tokens[index - 1].low == ",")
            return (*tokens[:begin], *tokens[comma:]) if begin else tokens
    return tokens


def _without_wish(tokens: Tokens) -> Tokens:
    """A sentence without "at the customer's request" at its beginning or its end."""
    for index, token in enumerate(tokens):
        if token.low not in _WISHES:
            continue
        begin = next((i for i in range(index - 1, max(index - 5, -1), -1) if tokens[i].low in _ON_WISH), -1)
        end = index + 1
        if low_at(tokens, end) in ("of", "by", "from"):
            end = next((i for i in range(end, len(tokens)) if tokens[i].low == ","), len(tokens))
        if begin == 0 and low_at(tokens, end) == ",":
            return tokens[end + 1 :] or tokens
        if begin > 2 and end == len(tokens):
            return tokens[: begin - (tokens[begin - 1].low == ",")]
    return tokens


def _without_span(tokens: Tokens) -> Tokens:
    """A sentence without by how much something moved, if it says to where: "by two weeks to 17 May"."""
    for index, token in enumerate(tokens):
        start = index + 1
        if token.low != "by" and not (token.low in _MOVED and index > 1):
            continue
        is_amount = low_at(tokens, start) in ("a", "an", "another") or low_at(tokens, start) in NUMBER_WORDS
        if not (is_amount or low_at(tokens, start)[:1].isdigit()):
            continue
        end = next((i + 1 for i in range(start, min(start + 3, len(tokens))) if tokens[i].low in _SPANS), 0)
        to = end + (low_at(tokens, end) == ",")
        if end and low_at(tokens, to) in ("to", "until"):
            kept = index + (token.low != "by")
            return (*tokens[:kept], *tokens[to:])
    return tokens


def _without_slip(tokens: Tokens) -> Tokens:
    """A sentence without how somebody came to be wrong: ", I misread the bill"."""
    for index, token in enumerate(tokens[:-2]):
        if index > 2 and token.low in _MARKS and tokens[index + 1].low == "i" and tokens[index + 2].low in _SLIPS:
            return tokens[:index]
    return tokens
