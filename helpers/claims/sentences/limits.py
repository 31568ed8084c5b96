"""Read what is possible, or demanded, as the limit that it states: "may be up to 5 MB", "must be at least 8" (C-39)."""

from __future__ import annotations

from typing import Final

from ..clauses.predicates import Tokens
from ..language.segment import Token
from ..language.verbs import forms
from ..values.dates import CALENDAR
from ..values.numbers import low_at

_MODALS: Final = frozenset(("can", "could", "may", "must", "has", "have", "needs", "need"))
#: Words after which a number is a limit.
_BOUNDS: Final = frozenset(
    (("at", "most"), ("at", "least"), ("up", "to"), ("no", "more"), ("no", "longer"), ("not", "exceed"))
)
_BOUND_WORDS: Final = frozenset(("maximum", "minimum", "max", "min"))


def without_limiting_modal(tokens: Tokens) -> Tokens:
    """The sentence with its modal in the indicative, if it states a limit or a deadline; else as it is."""
    index = next((i for i, token in enumerate(tokens) if token.low in _MODALS and i), 0)
    if not index or not _is_limited(tokens, index):
        return tokens
    start = index + 1
    is_to = tokens[index].low in ("has", "have", "needs", "need")
    if is_to and low_at(tokens, start) != "to":
        return tokens
    start += is_to
    verb = tokens[start] if start < len(tokens) else None
    if verb is None or "b" not in forms().get(verb.low, ("", ""))[1]:
        return tokens
    return (*tokens[:index], _indicative(verb), *tokens[start + 1 :])


def _indicative(verb: Token) -> Token:
    word = {"be": "is", "have": "has"}.get(verb.low, verb.low)
    return verb._replace(text=word, low=word)


def _is_limited(tokens: Tokens, index: int) -> bool:
    """Whether what follows the modal is bounded by a number, or by a day."""
    if tokens[index - 1].low in ("i", "you", "we", "user") and not _has_deadline(tokens, index):
        return False
    for i in range(len(tokens) - 1):
        if tokens[i].low in _BOUND_WORDS or (tokens[i].low, tokens[i + 1].low) in _BOUNDS:
            return True
    return _has_deadline(tokens, index)


def _has_deadline(tokens: Tokens, index: int) -> bool:
    if tokens[index].low in ("can", "could", "may"):
        return False
    for i in range(index, len(tokens) - 1):
        if tokens[i].low == "by" and any(low_at(tokens, j) in CALENDAR for j in range(i + 1, i + 4)):
            return True
    return False
