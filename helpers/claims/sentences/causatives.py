"""Turn a finished change round to what holds since: "Ann lowered the limit to 5" is "the limit is 5" (C-41)."""

from __future__ import annotations

from typing import Final

from ...language.lexicon import ARTICLES, CALENDAR, DEFINITE, DETERMINERS, PARTICLES, PREPOSITIONS, THEIR
from ...language.tables import read_classes
from ...language.token import low_at
from ...language.verbs import forms
from ..clauses.predicates import Tokens
from ..grammar.subjects import KIN
from ..grammar.verb_groups import SWAP_LEMMAS, VerbGroup
from ..model import Modality

_WORDS: Final = read_classes(__file__)
#: Verbs that give a thing another value, and those that give it another place or time.
_SETTING: Final = _WORDS["setting"]
_PLACING: Final = _WORDS["placing"]
#: What a thing does by itself, if its value is another one.
MOVING: Final = _WORDS["moving"]
#: Verbs that give somebody something else as this or that.
CHOOSING: Final = _WORDS["choosing"]
#: Words of "her new internet provider".
_MAX_ROLE: Final = 5
#: "Was postponed until June": what follows is the new date.
DEFERRING: Final = _WORDS["deferring"]
_LED: Final = DEFINITE | ARTICLES
CHANGING: Final = _SETTING | _PLACING | SWAP_LEMMAS


def parse_results(tokens: Tokens, group: VerbGroup | None) -> list[Tokens]:
    """What holds since a change, as one plain sentence; two if what the user changed may be the user's own."""
    group = _as_passive(tokens, group)
    result = _parse_made(tokens, group) or _parse_chosen(tokens, group) or _parse_result(tokens, group)
    if not result:
        return []
    subject = tokens[: group.subject_end] if group else ()
    if result[0].low == "the" and subject and subject[-1].low == "user":
        return [result, (*_whose(subject), *result[1:])]
    return [result]


def _as_passive(tokens: Tokens, group: VerbGroup | None) -> VerbGroup | None:
    """The group of "was resized" is that of its participle."""
    if group is None or group.lemma != "be" or not group.is_past or group.rest >= len(tokens):
        return group
    lemma, letters = forms().get(tokens[group.rest].low, ("", ""))
    if lemma not in CHANGING or "n" not in letters:
        return group
    return group._replace(lemma=lemma, rest=group.rest + 1, passive=True, perfect=True)


def _parse_made(tokens: Tokens, group: VerbGroup | None) -> Tokens:
    """Read "Ann made Kagi the default search engine" like "the default search engine is Kagi"."""
    if group is None or group.lemma != "make" or group.negated or not (group.is_past or group.perfect):
        return ()
    rest = tokens[group.rest :]
    cut = next((i for i, token in enumerate(rest[:4]) if token.low in DEFINITE), 0)
    if not cut or cut + 1 >= len(rest) or group.modality is not Modality.FACT:
        return ()
    return (*_owned(rest[cut:], tokens[: group.subject_end]), rest[cut]._replace(text="is", low="is"), *rest[:cut])


def _parse_chosen(tokens: Tokens, group: VerbGroup | None) -> Tokens:
    """Read "Ann switched to Telekom as her internet provider" like "Ann's internet provider is Telekom"."""
    if group is None or group.negated or not (group.is_past or group.perfect) or group.modality is not Modality.FACT:
        return ()
    subject, rest = tokens[: group.subject_end], tokens[group.rest :]
    start = next((i for i, token in enumerate(rest) if token.low == "to"), -1) + 1
    as_at = next((i for i, token in enumerate(rest[start:], start) if token.low == "as"), -1)
    if group.lemma not in CHOOSING or (group.lemma in ("switch", "change", "move") and not start) or not subject:
        return ()
    value, role = rest[start:as_at], rest[as_at + 1 :]
    if as_at <= start or not 1 <= len(role) <= _MAX_ROLE or not value[0].text[0].isupper():
        return ()
    noun = role[1:] if role[0].low in _LED else role
    is_new = bool(noun) and noun[0].low == "new"
    the = role[0]._replace(text="the", low="the")
    holder = (*((the,) if subject[-1].low == "user" else _whose(subject)), *noun[is_new:]) if noun else ()
    return (*holder, role[0]._replace(text="is", low="is"), *value) if holder else ()


def _parse_result(tokens: Tokens, group: VerbGroup | None) -> Tokens:
    """The plain sentence of what holds since a change; empty if the clause tells of none, or says too little."""
    if group is None or group.negated or group.modality is not Modality.FACT or group.lemma not in CHANGING:
        return ()
    if not (group.is_past or group.perfect) or not _is_told(tokens, group):
        return ()
    subject, rest = tokens[: group.subject_end], tokens[group.rest :]
    marks = ("with", "by", "for") if group.lemma in SWAP_LEMMAS else ("to",)
    marks = ("to", "until", "till") if group.lemma in DEFERRING else marks
    if subject and subject[-1].low in KIN and not group.passive and low_at(rest, 0) in (*marks, "from"):
        return ()  # what somebody's wife switched to is not who she is
    to = next((i for i, token in enumerate(rest) if token.low in marks), -1)
    if to < 0 or to + 1 >= len(rest) or not subject or subject[0].low in PREPOSITIONS:
        return ()
    start = next((i for i, token in enumerate(rest[:to]) if token.low == "from"), to)
    held = tuple(token for token in rest[:start] if token.low not in PARTICLES)
    if any(token.low in (",", ":", "that") for token in (*held, *subject)):
        return ()
    holder = _owned(held, subject) if held and not group.passive else () if held else subject
    value = _value(rest[to + 1 :])
    return (*holder, *_link(group, value), *value) if holder and value else ()


def _is_told(tokens: Tokens, group: VerbGroup) -> bool:
    """Whether a thing rose or fell by itself: "the rent went up to 980", but not "Ann went up to the roof"."""
    if group.lemma not in MOVING or group.passive:
        return True
    rest, subject = tokens[group.rest :], tokens[: group.subject_end]
    is_thing = bool(subject) and subject[-1].text[0].islower() and subject[-1].low != "user"
    to = next((i for i, token in enumerate(rest[:8]) if token.low == "to"), -1)
    is_amount = 0 <= to < len(rest) - 1 and (rest[to + 1].low[0].isdigit() or rest[to + 1].low[0] in "$€£")
    return is_thing and is_amount and (group.lemma != "go" or low_at(rest, 0) in ("up", "down"))


def _owned(held: Tokens, subject: Tokens) -> Tokens:
    """The object of a change, with its owner: "User changed their bank" and "User changed banks" are of the user."""
    first = held[0]
    if first.low in THEIR:
        return (*_whose(subject), *held[1:])
    if first.low in DETERMINERS or "'" in first.low or first.text[0].isupper() or not first.low.isalpha():
        return held
    return (*_whose(subject), *held) if subject[-1].low == "user" else held


def _whose(subject: Tokens) -> Tokens:
    last = subject[-1]
    if last.low in ("i", "we"):
        word = "my" if last.low == "i" else "our"
        return (last._replace(text=word, low=word),)
    return (*subject[:-1], last._replace(text=f"{last.text}'s", low=f"{last.low}'s"))


def _value(tokens: Tokens) -> Tokens:
    """The new value and its circumstances, without who brought it about."""
    cut = next((i for i, token in enumerate(tokens) if i and token.low in ("by", "because", "so", ",")), len(tokens))
    return tokens[:cut]


def _is_day(value: Tokens) -> bool:
    return any(token.low in CALENDAR for token in value[1:3])


def _link(group: VerbGroup, value: Tokens) -> Tokens:
    """The copula, and the preposition that a place or a time takes; a colon in front of a mere word."""
    low = value[0].low
    if group.lemma in ("extend", "shorten") and (low in CALENDAR or (low[0].isdigit() and _is_day(value))):
        words = ["ends", "on" if low[0].isdigit() else "in"]
        return tuple(value[0]._replace(text=word, low=word) for word in words)
    words = [":" if len(value) == 1 and low.isalpha() and group.lemma not in _PLACING else "is"]
    if group.lemma in _PLACING and low not in PREPOSITIONS:
        is_clock = low[0].isdigit() and (":" in low or low.endswith(("am", "pm")))
        is_address = any(mark in low for mark in "/@") or "." in low.strip(".")
        if is_clock or is_address:
            words.append("at")
        elif low in CALENDAR or low[0].isdigit():
            words.append("on")
        else:
            words.append("in")
    return tuple(value[0]._replace(text=word, low=word) for word in words)
