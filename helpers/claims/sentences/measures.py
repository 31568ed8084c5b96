"""Leave out by how much something moved: "was pushed back by two weeks to 17 May" says that it is on 17 May (C-43)."""

from __future__ import annotations

from typing import Final

from ...language.lexicon import PARTICLES
from ...language.numerals import NUMBER_WORDS
from ...language.tables import read_classes
from ...language.token import low_at
from ..clauses.predicates import Tokens

_SPANS: Final = read_classes(__file__)["spans"]


def without_span(tokens: Tokens) -> Tokens:
    """A sentence without by how much something moved, if it says to where: "by two weeks to 17 May"."""
    for index, token in enumerate(tokens):
        start = index + 1
        if token.low != "by" and not (token.low in PARTICLES and index > 1):
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
