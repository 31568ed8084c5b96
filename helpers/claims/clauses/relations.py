"""Read multi-valued relations: "the API uses Redis", "user does not like coffee" (C-40, T-46).

Objects are compared by name only; one claim for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...language.lexicon import ADDITIVE, ARTICLES, CONJUNCTIONS, DEICTIC_DAYS, DETERMINERS, NEUTRAL, PREPOSITIONS
from ...language.terms import terms
from ...language.token import Token, low_at, text_of
from ..grammar.subjects import Subject, parse_subject
from ..grammar.topics import parse_circumstances
from ..model import Claim, Value, ValueKind
from ..slots.multi_valued import PURPOSE_FAMILIES, RELATIONS, WEAK_DENIAL
from ..slots.table import TABLE
from ..values.readers import parse_value
from .predicates import CONTRASTS, Predicate, Tail, Tokens, make_claims, verb_keys

_FILLERS: Final = ARTICLES | {"my", "our", "any"}


def parse_items(rest: Tokens, index: int = 0) -> tuple[list[tuple[int, int]], int]:
    """(spans of the objects of a verb, index after them): "Redis, Kafka and a proxy"."""
    items: list[tuple[int, int]] = []
    while True:
        while low_at(rest, index) in _FILLERS:
            index += 1
        begin = index
        while index < len(rest) and _is_object_word(rest[index], index > begin):
            index += 1
        if index == begin:
            return items, begin
        items.append((begin, index))
        if low_at(rest, index) not in (",", "and", "&") or low_at(rest, index + 1) == "not":
            return items, index
        index += 2 if low_at(rest, index + 1) == "and" else 1


_OBJECT_ENDS: Final = frozenset(("not", "instead", "rather")) | DEICTIC_DAYS | ADDITIVE


def _is_object_word(token: Token, inside: bool) -> bool:
    low = token.low
    if not (low[0].isalnum() or low[0] in "#$@.+/~") or low in CONJUNCTIONS or low in _OBJECT_ENDS:
        return False
    return low not in PREPOSITIONS or (low == "of" and inside)


def object_value(tokens: Sequence[Token]) -> Value:
    """A named alternative if the whole object is one, else its words."""
    words = tuple(token.low for token in tokens if token.low not in NEUTRAL and token.low not in _FILLERS)
    text = text_of(tokens)
    term = terms().get(words)
    return Value(ValueKind.TERM, text, term) if term else Value(ValueKind.TEXT, text, words)


def parse_relation(at: Predicate) -> list[Claim]:
    """Read "The API uses Redis": a multi-valued slot, with one claim for each object."""
    relation, used, verb = next(
        ((RELATIONS[key], count, key) for key, count in verb_keys(at) if key in RELATIONS), (None, 0, "")
    )
    if relation is None or (at.denied and verb in WEAK_DENIAL):
        return []
    subject = parse_subject(at.subject, me=at.frame.me)
    if subject is None:
        return []
    rest = at.rest[used:]
    is_none = low_at(rest, 0) == "no"
    items, index = parse_items(rest, int(is_none))
    if not items or low_at(rest, index) in ("or", "nor") or any(end - begin > 6 for begin, end in items):
        return []
    affirms = (not at.denied) is not (relation.denies is not is_none)
    slot, polarity = relation.slot, affirms
    tail, contrasted = _relation_tail(rest, index)
    if contrasted and at.denied:
        return []
    claims: list[Claim] = []
    for number, (begin, end) in enumerate(items):
        values = [(object_value(rest[begin:end]), polarity), *((value, not polarity) for value in contrasted)]
        start = rest[begin].start if number else at.tokens[0].start
        stop = rest[end - 1].end if len(items) > 1 else at.tokens[-1].end
        span, ended = (start, stop), at.group.ended
        claims += make_claims(at, subject, slot, values, tail, span=span, single=False, change=ended)
    if slot == "uses" and len(items) == 1 and polarity and low_at(rest, index) == "as":
        claims += _parse_role(at, subject, rest, items[0][0], index + 1)
    if slot == "uses" and len(items) == 1 and polarity:
        claims += _parse_purpose(at, subject, claims[0].value, rest[index:])
    return claims


def _parse_role(at: Predicate, subject: Subject, rest: Tokens, begin: int, index: int) -> list[Claim]:
    """Read "uses MySQL as its database" like "its database is MySQL"."""
    while low_at(rest, index) in DETERMINERS:
        index += 1
    for length in (3, 2, 1):
        noun = " ".join(token.low for token in rest[index : index + length])
        for row in TABLE.nouns.get(noun, ()):
            parsed = parse_value(row.reads, rest, begin)
            if parsed:
                scope, time = parse_circumstances(rest[index + length :])
                slot = row.name.replace("*", noun)
                return make_claims(at, subject, slot, [(parsed.value, True)], Tail(scope=scope, time=time))
    return []


def _relation_tail(rest: Tokens, index: int) -> tuple[Tail, list[Value]]:
    """(circumstances, objects that are ruled out: "instead of MySQL", ", not MySQL")."""
    low = low_at(rest, index)
    after = index + (low in (",", "and", "but") and low_at(rest, index + 1) == "not")
    skip = 1 if low_at(rest, after) == "not" else 2 if (low, low_at(rest, index + 1)) in CONTRASTS else 0
    contrasted: list[Value] = []
    if skip:
        items, index = parse_items(rest, after + skip)
        contrasted = [object_value(rest[begin:end]) for begin, end in items]
    scope, time = parse_circumstances(rest[index:])
    return Tail(corrects=bool(contrasted), scope=scope, time=time), contrasted


def _parse_purpose(at: Predicate, subject: Subject, value: Value, rest: Tokens) -> list[Claim]:
    """Read "uses Redis for caching": one member of the family serves one purpose."""
    if value.kind is not ValueKind.TERM or value.norm[0] not in PURPOSE_FAMILIES or low_at(rest, 0) != "for":
        return []
    items, index = parse_items(rest, 1)
    if len(items) != 1:
        return []
    begin, end = items[0]
    purpose = " ".join(token.low for token in rest[begin:end] if token.low not in DETERMINERS)
    scope, time = parse_circumstances(rest[index:])
    return make_claims(at, subject, f"{value.norm[0]} for {purpose}", [(value, True)], Tail(scope=scope, time=time))
