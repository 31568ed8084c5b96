"""Read what is possible, or demanded, as the limit that it states: "may be up to 5 MB", "must be at least 8" (C-39)."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from ...language.lexicon import CALENDAR
from ...language.nouns import singular
from ...language.segment import PLURAL_PRONOUNS
from ...language.tables import read_classes, read_table, split_wordings
from ...language.token import Token, low_at
from ...language.verbs import forms
from ..clauses.predicates import Tokens
from ..grammar.subjects import USER
from ..values.dates import parse_frequency
from ..values.numbers import parse_number

_WORDS: Final = read_classes(__file__)
_BOUND_WORDS: Final = _WORDS["bound_words"]
#: Words after which a number is a limit.
_BOUNDS: Final = frozenset(split_wordings(read_table(__file__, "word_classes")["limits"]["bounds"].split("|")))
_POSSIBLE: Final = _WORDS["possible"]
_NEEDED: Final = _WORDS["needed"]
_MODALS: Final = _POSSIBLE | _NEEDED


def without_limiting_modal(tokens: Tokens) -> Tokens:
    """The sentence with its modal in the indicative, if it states a limit or a deadline; else as it is."""
    tokens = _scheduled(tokens)
    if _MODALS.isdisjoint([token.low for token in tokens]):
        return tokens
    index = next((i for i, token in enumerate(tokens) if token.low in _MODALS and i), 0)
    if index and low_at(tokens, index + 1) == "not":
        return _with_bound(tokens, index)
    if not index or not any(
        tells(tokens, index) for tells in (_is_limited, _tells_where, _tells_budget, _is_duty, _tells_date)
    ):
        return tokens
    start = index + 1
    is_to = tokens[index].low in _NEEDED and tokens[index].low != "must"
    if is_to and low_at(tokens, start) != "to":
        return tokens
    start += is_to
    verb = tokens[start] if start < len(tokens) else None
    if verb is None or "b" not in forms().get(verb.low, ("", ""))[1]:
        return tokens
    return (*tokens[:index], _indicative(verb, tokens[index - 1].low), *tokens[start + 1 :])


_SIBILANTS: Final = ("s", "x", "z", "ch", "sh", "o")


def _indicative(verb: Token, subject: str) -> Token:
    """The verb in the present, as it stands beside what the modal stands beside."""
    word = {"be": "is", "have": "has"}.get(verb.low, verb.low)
    if word == verb.low and subject not in PLURAL_PRONOUNS and singular(subject) == subject:
        word += "es" if word.endswith(_SIBILANTS) else "s"
    return verb._replace(text=word, low=word)


def _is_limited(tokens: Tokens, index: int) -> bool:
    """Whether what follows the modal is bounded by a number, or by a day."""
    if tokens[index].low == "will" or (tokens[index - 1].low in SPEAKERS and not _has_deadline(tokens, index)):
        return False
    is_bounded = any(one.low in _BOUND_WORDS or (one.low, other.low) in _BOUNDS for one, other in pairwise(tokens))
    return is_bounded or _has_deadline(tokens, index)


_BEYOND: Final = _WORDS["beyond"]


def _with_bound(tokens: Tokens, index: int) -> Tokens:
    """Read "cannot be larger than 5 MB", "must not exceed 5 MB" like "is at most 5 MB"."""
    after = index + 2
    if low_at(tokens, after) == "exceed":
        end = after + 1
    elif low_at(tokens, after) == "be" and low_at(tokens, after + 1) in _BEYOND and low_at(tokens, after + 2) == "than":
        end = after + 3
    else:
        return tokens
    bound = (tokens[index]._replace(text=word, low=word) for word in ("is", "at", "most"))
    return (*tokens[:index], *bound, *tokens[end:])


#: What everybody can do with a thing says where it is.
_REACHING: Final = _WORDS["reaching"]


def _tells_where(tokens: Tokens, index: int) -> bool:
    """Whether it is told where something is: "can be reached at", "may be found under"."""
    is_passive = tokens[index].low in ("can", "may") and low_at(tokens, index + 1) == "be"
    return is_passive and low_at(tokens, index + 2) in _REACHING and low_at(tokens, index + 3) != "by"


def _is_duty(tokens: Tokens, index: int) -> bool:
    """Whether an amount or a frequency is demanded of a thing: "must run at 40 Hz", "has to be kept for ten years"."""
    if tokens[index].low in _POSSIBLE or tokens[index - 1].low in SPEAKERS:
        return False
    return any(parse_frequency(tokens, at) or _is_amount(tokens, at) for at in range(index + 2, len(tokens)))


def _is_amount(tokens: Tokens, at: int) -> bool:
    parsed = parse_number(tokens, at)
    return parsed is not None and bool(parsed.value.norm[0])


#: What takes place at a time that is told is a date, and no intention.
_TAKING_PLACE: Final = _WORDS["taking_place"]
SPEAKERS: Final = frozenset(("i", "you", "we", USER))


def _tells_date(tokens: Tokens, index: int) -> bool:
    """Whether it is told when something will take place: "the shop will open on 1 June"."""
    if tokens[index].low != "will" or low_at(tokens, index + 1) not in _TAKING_PLACE:
        return False
    return tokens[index - 1].low not in SPEAKERS and _has_date(tokens, index + 2)


def _has_date(tokens: Tokens, begin: int) -> bool:
    """Whether a day of a month follows."""
    return any(token.low in CALENDAR and token.low[-3:] != "day" for token in tokens[begin:]) and any(
        token.low[0].isdigit() for token in tokens[begin:]
    )


def _scheduled(tokens: Tokens) -> Tokens:
    """Read "is planned for 4 May" like "is scheduled for 4 May"."""
    for index in range(2, len(tokens) - 2):
        if tokens[index].low == "planned" and tokens[index + 1].low in ("for", "on") and _has_date(tokens, index + 1):
            word = tokens[index]._replace(text="scheduled", low="scheduled")
            return (*tokens[:index], word, *tokens[index + 1 :])
    return tokens


def _tells_budget(tokens: Tokens, index: int) -> bool:
    """Whether it is told how much there is to spend: "we can spend 500 euros on chairs"."""
    return tokens[index].low in ("can", "may") and low_at(tokens, index + 1) == "spend"


def _has_deadline(tokens: Tokens, index: int) -> bool:
    if tokens[index].low in _POSSIBLE:
        return False
    for i in range(index, len(tokens) - 1):
        if tokens[i].low == "by" and any(low_at(tokens, j) in CALENDAR for j in range(i + 1, i + 4)):
            return True
    return False
