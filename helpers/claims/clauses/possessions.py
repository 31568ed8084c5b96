"""Read a slot off the object of a verb: "the API has port 8443", "Ann got a new phone number: ..." (C-39).

The object names the slot as an attribute does, and its value follows it; what an identifier "is" is a setting.
"""

from __future__ import annotations

from typing import Final

from ...language.token import low_at
from ..grammar.subjects import USER, Subject, read_subject
from ..model import Claim, Modality
from ..values.readers import read_value
from .predicates import Predicate, Tail, Tokens, make_claims, read_slot_value

_HAVING: Final = frozenset("have get receive".split())
_BEFORE_VALUE: Final = frozenset((":", "of", "=", ","))
_ASSIGNING: Final = frozenset(("be", "equal", "point"))


def read_holding(at: Predicate) -> list[Claim]:
    """Read "X has port 8443", "X has a new URL: ...", "my new extension is ..." said with "have" or "get"."""
    group = at.group
    is_got = group.lemma in ("get", "receive") and (group.is_past or group.perfect)
    if group.lemma not in _HAVING or group.negated or not (group.lemma == "have" or is_got):
        return []
    begin = int(low_at(at.rest, 0) in ("a", "an", "the"))
    is_new = low_at(at.rest, begin) == "new"
    begin += is_new
    subject = read_subject(at.subject, me=at.frame.me)
    if subject is None or subject.is_kind:
        return []
    for count in (3, 2, 1):
        noun = " ".join(token.low for token in at.rest[begin : begin + count])
        rows = at.frame.table.nouns.get(noun, ())
        if not rows or begin + count >= len(at.rest):
            continue
        value = begin + count
        while low_at(at.rest, value) in _BEFORE_VALUE:
            value += 1
        for row in rows:
            owner = subject if row.person or subject.text != USER else Subject("", subject.scope)
            is_counted = row.reads == ("number",) and value == begin + count
            claims = [] if is_counted else read_slot_value(at, owner, _slot(row.name, noun), row, value, change=is_new)
            if claims:
                return claims
    return []


def _slot(name: str, noun: str) -> str:
    return name.replace("*", noun)


def read_setting(at: Predicate) -> list[Claim]:
    """Read "NODE_ENV is production" like "NODE_ENV is set to production"."""
    if at.group.lemma not in _ASSIGNING or at.group.negated or not _is_identifier(at.subject):
        return []
    index = int(at.group.lemma == "point" and low_at(at.rest, 0) == "to")
    if at.group.lemma == "point" and not index:
        return []
    subject = read_subject(at.subject, me=at.frame.me)
    if subject is None:
        return []
    for row in at.frame.table.verbs.get("be set to", ()):
        claims = read_slot_value(at, subject, row.name, row, index)
        if claims:
            return claims
    return []


def _is_identifier(tokens: Tokens) -> bool:
    return bool(tokens) and "_" in tokens[-1].text and tokens[-1].text[0].isalpha()


def read_age_change(at: Predicate) -> list[Claim]:
    """Read "User turned 35 yesterday": an age does not go back."""
    group = at.group
    if group.lemma != "turn" or not (group.is_past or group.perfect) or group.modality is not Modality.FACT:
        return []
    subject = read_subject(at.subject, me=at.frame.me)
    parsed = read_value(("age",), at.rest, 0)
    if subject is None or parsed is None or group.negated or not _is_recent(at.rest[parsed.end :]):
        return []
    return make_claims(at, subject, "age", [(parsed.value, True)], Tail(), holds=True, change=True)


def _is_recent(tokens: Tokens) -> bool:
    lows = [token.low for token in tokens]
    return not lows or lows[0] in ("yesterday", "today") or lows[0] in ("last", "this") or lows[0] == "on"


READERS_OF_OBJECTS: Final = (read_setting, read_holding, read_age_change)
