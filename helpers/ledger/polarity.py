"""How far a denial reaches: which words of a clause it affirms and which it denies (T-03). Pure.

"not", "never", "no longer" deny what follows them in the clause, verbs such as "stop" turn it round, "instead of X" and
"switched from X to Y" set X aside and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..language.keys import KeyedToken
from ..language.vocabulary import DENIERS, HUMAN_VERBS, JOINERS, REVERSERS, WORDS
from ..patterns import regex

_NO_SPACES_DENIAL = regex("(?<![少危切])ない|ません|なかった|不(?![同错過过])|没|沒|않|없|못")


class Polarity(NamedTuple):
    """What a clause affirms and denies, and whether it denies something as a whole.

    What stands before a denial ("Redis is not used") is neither affirmed nor denied.
    """

    affirmed: frozenset[str]
    denied: frozenset[str]
    is_negated: bool


def parse_polarity(text: str, tokens: Sequence[KeyedToken], words: frozenset[str]) -> Polarity:
    """Return the polarity of the clause `text` with these `tokens` and `words`."""
    if not text.isascii() and _NO_SPACES_DENIAL.search(text):
        return Polarity(frozenset(), frozenset(), True)
    if not any([token.has_polarity for token in tokens]):
        return Polarity(words, frozenset(), False)
    before: set[str] = set()
    affirmed: set[str] = set()
    denied: set[str] = set()
    target, denies, is_negated, change = before, False, False, ""
    for position, token in enumerate(tokens):
        low, following = token.low, tokens[position + 1].low if position + 1 < len(tokens) else ""
        is_passive = position > 0 and tokens[position - 1].low in WORDS["passives"]
        if low not in REVERSERS:
            target.update(token.keys)
        if low in REVERSERS and (is_passive or (following and following not in WORDS["no_object"])):
            denies, is_negated, change = not denies, is_negated or is_passive, low
        elif (low in DENIERS or _is_contracted_not(tokens, position)) and following not in WORDS["no_denial"]:
            denies, is_negated = True, is_negated or low != "no"
        elif _sets_aside(low, following, change):
            denies = True
        elif denies and _ends(low, following, change, is_open=not is_negated and bool(denied)):
            denies = False
        else:
            change = low if low in WORDS["changes"] or low.startswith("prefer") else change
            continue
        target = denied if denies else affirmed
    if is_negated:
        return Polarity(frozenset(affirmed), frozenset(denied), True)
    return Polarity(frozenset(affirmed | before), frozenset(denied), False)


def _is_contracted_not(tokens: Sequence[KeyedToken], position: int) -> bool:
    """Whether the token is what the tokeniser leaves of "n't"."""
    return tokens[position].low == "t" and position > 0 and tokens[position - 1].low.endswith("n")


def _sets_aside(low: str, following: str, change: str) -> bool:
    """Whether the next words name what does not hold, no longer or not as much."""
    if low == "than":
        return not following[:1].isdigit()
    if low == "over":
        return change.startswith("prefer")
    return (
        low in WORDS["setters_aside"]
        or (low == "instead" and following == "of")
        or (low == "from" and change in WORDS["changes"])
    )


def _ends(low: str, following: str, change: str, *, is_open: bool) -> bool:
    """Whether a denial ends here: at what came in the place of X, at a new verb after "and", at a new subject.

    `is_open` holds where X has been set aside and the rest of the clause goes on without a denial.
    """
    if low in JOINERS:
        return following in WORDS["restarts"] or following in HUMAN_VERBS
    if change in WORDS["changes"] or change.startswith("replac"):
        return low in WORDS["arrivals"]
    return low in WORDS["subjects"] and is_open
