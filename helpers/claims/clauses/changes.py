"""Read state changes: "switched from A to B", "the deadline was moved to ...", "renamed", "replaced", "stopped".

A change says what holds now and what held before; both become claims marked `change`. Planned, denied and present
changes ("plans to move", "has not moved", "moves on Mondays") are no change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from ...language.lexicon import PERIODS, THEIR
from ...language.tables import read_classes
from ...language.terms import versioned_names
from ...language.token import Token, low_at
from ...language.verbs import forms
from ..coreference.situations import is_of_one_day
from ..grammar.subjects import Attribute, Subject, parse_attribute, parse_subject
from ..grammar.topics import parse_circumstances
from ..grammar.verb_groups import CHANGE_LEMMAS, DROP_LEMMAS, END_LEMMAS, SWAP_LEMMAS
from ..model import NOW, Claim, Modality, Tense, Value, ValueKind
from ..slots.multi_valued import RELATIONS
from ..slots.rows import CHOICES, Slot
from ..values.numbers import parse_version
from ..values.places import is_known_place
from ..values.readers import parse_value
from .predicates import Predicate, Tail, make_claims, parse_slot_value
from .relations import object_value, parse_items

_WORDS: Final = read_classes(__file__)
_NAME: Final = Slot(name="name", reads=("full name",))
_VERSION_OF: Final = Slot(name="version of {}", reads=("named version",))
_PORT: Final = Slot(name="port", reads=("named port",))
_HOME: Final = Slot(name="lives in", reads=("place",))
_DAY: Final = Slot(name="scheduled date", reads=("date",))
_TIME: Final = Slot(name="time", reads=("clock",))
_WHO: Final = Slot(name="assignee", reads=("person",))
_TOOL_LEMMAS: Final = _WORDS["tool_lemmas"]
#: After these, free text is a tool only if it is a known one: "moved from the old office to the new one".
_OPEN_LEMMAS: Final = (_TOOL_LEMMAS | {"replace"}) - {"move", "change", "go"}
_MOVE_LEMMAS: Final = frozenset(("move", "relocate"))
#: What a person does, and not what happens to who that is.
_ACTING: Final = (_TOOL_LEMMAS | _MOVE_LEMMAS) - {"change"}


class _Parts(NamedTuple):
    """The words of a change: what was changed, from what, to what; empty where it does not say."""

    target: tuple[Token, ...]
    old: tuple[Token, ...]
    new: tuple[Token, ...]


def parse_change(at: Predicate) -> list[Claim]:
    """The claims of a state change; none if the clause is none, or says too little."""
    group = at.group
    is_done = (group.is_past or group.perfect) and not group.negated
    if not is_done or group.modality is not Modality.FACT:
        return []
    if group.lemma in END_LEMMAS:
        return _parse_end(at)
    if group.lemma in DROP_LEMMAS:
        return _parse_drop(at)
    if group.lemma in SWAP_LEMMAS:
        return _recent(at, _parse_swap(at))
    if group.lemma in CHANGE_LEMMAS:
        return _recent(at, _parse_shift(at))
    return []


def _recent(at: Predicate, claims: list[Claim]) -> list[Claim]:
    """A change "last week" or "yesterday" holds now; one in 2015 is dated, and claims nothing about now."""
    lows = [token.low for token in at.tokens]
    is_recent = "yesterday" in lows or any(
        low == "last" and low_at(at.tokens, i + 1) in PERIODS - {"decade", "century"} for i, low in enumerate(lows)
    )
    if "ago" in lows:
        return claims
    return [replace(claim, time=NOW) if _is_new(claim, is_recent=is_recent) else claim for claim in claims]


def _is_new(claim: Claim, *, is_recent: bool) -> bool:
    """Whether a change holds since it was told: "yesterday", "in May" without a year."""
    if claim.time.tense is Tense.DATED:
        return claim.time.date.startswith("day 0.0 ")
    return is_recent and claim.time.tense is Tense.PAST


def _split(rest: Sequence[Token], old_marks: tuple[str, ...], new_marks: tuple[str, ...]) -> _Parts:
    """Cut "TARGET from OLD to NEW" at its prepositions, in either order."""
    marks = [(i, token.low in new_marks) for i, token in enumerate(rest) if token.low in (*old_marks, *new_marks)]
    old: tuple[Token, ...] = ()
    new: tuple[Token, ...] = ()
    seen: set[bool] = set()
    cuts: list[tuple[int, bool]] = []
    for index, is_new in marks:
        if is_new not in seen:
            seen.add(is_new)
            cuts.append((index, is_new))
    for number, (index, is_new) in enumerate(cuts):
        end = cuts[number + 1][0] if number + 1 < len(cuts) else len(rest)
        part = tuple(rest[index + 1 : end])
        old, new = (old, part) if is_new else (part, new)
    return _Parts(tuple(rest[: cuts[0][0]]) if cuts else tuple(rest), old, new)


def _parse_shift(at: Predicate) -> list[Claim]:
    rest = tuple(token for token in at.rest if token.low not in ("back", "over"))
    parts = _split(rest, ("from",), ("to", "into"))
    if not parts.new or any(token.low == "by" for token in parts.target):
        return []
    holder_tokens = at.subject if at.group.passive or not parts.target else _owned(parts.target, at)
    on_new = at._replace(rest=parts.new)
    attribute = parse_attribute(holder_tokens, me=at.frame.me)
    if attribute is not None:
        for row in attribute.rows:
            is_person = not {"person", "name", "full name"}.isdisjoint(row.reads)
            if is_person and holder_tokens is at.subject and at.group.lemma in _ACTING and not at.group.passive:
                continue  # "the user's wife switched to a new car"
            claims = parse_slot_value(on_new, _owner(attribute, at), attribute.slot, row, 0, change=True)
            if claims:
                return claims
    upgraded = _parse_software(at, parts)
    if upgraded:
        return upgraded
    holder = parse_subject(holder_tokens, me=at.frame.me)
    if holder is None:
        return []
    if at.group.lemma == "rename":
        return parse_slot_value(on_new, holder, "name", _NAME, 0, change=True)
    return _parse_entity(at, parts, holder)


def _owner(attribute: Attribute, at: Predicate) -> Subject:
    """Whose attribute was changed: in "the user changed the default shell" it is the user's."""
    subject = parse_subject(at.subject, me=at.frame.me)
    is_own = subject is not None and subject.text == at.frame.me and not at.group.passive
    if attribute.subject.text or not is_own or subject is None:
        return attribute.subject
    return subject if attribute.slot.split()[0] in CHOICES or attribute.rows[0].person else attribute.subject


def _owned(target: tuple[Token, ...], at: Predicate) -> tuple[Token, ...]:
    """In "the user changed their email" the possessive means the subject of the clause."""
    subject = parse_subject(at.subject, me=at.frame.me)
    if target[0].low not in THEIR or subject is None:
        return target
    owner = "my" if subject.text == at.frame.me else f"{subject.text}'s"
    return (target[0]._replace(text=owner, low=owner), *target[1:])


def _parse_software(at: Predicate, parts: _Parts) -> list[Claim]:
    """Read "We upgraded Python from 3.9 to 3.12": the version belongs to the subject, the name to the object."""
    if at.group.passive or len(parts.target) != 1 or parts.target[0].low not in versioned_names():
        return []
    subject = parse_subject(at.subject, me=at.frame.me)
    version = parse_version(parts.new, 0)
    if subject is None or version is None:
        return []
    scope, time = parse_circumstances(parts.new[version.end :])
    slot = f"version of {versioned_names()[parts.target[0].low]}"
    return make_claims(at, subject, slot, [(version.value, True)], Tail(scope=scope, time=time), change=True)


def _parse_entity(at: Predicate, parts: _Parts, holder: Subject) -> list[Claim]:
    """What a thing or person changed to, by the type of the new value."""
    on_new = at._replace(rest=parts.new)
    new = parts.new
    named = parse_value(_VERSION_OF.reads, parts.old, 0) if parts.old else None
    version = parse_version(new, 0)
    if named and version:
        scope, time = parse_circumstances(new[version.end :])
        slot, tail = f"version of {named.name}", Tail(scope=scope, time=time)
        return make_claims(at, holder, slot, [(version.value, True)], tail, change=True)
    for row in (_VERSION_OF, _PORT):
        claims = parse_slot_value(on_new, holder, row.name, row, 0, change=True)
        if claims:
            return claims
    is_person = holder.is_name or holder.text in (at.frame.me, "we")
    if at.group.lemma in _MOVE_LEMMAS and is_person:
        claims = parse_slot_value(on_new, holder, _HOME.name, _HOME, 0, change=True)
        if claims and (at.group.lemma == "relocate" or is_known_place(*map(str, claims[0].value.norm[:2]))):
            return claims
    for row in () if is_of_one_day(at.subject) else (_DAY, _TIME):
        claims = parse_slot_value(on_new, holder, row.name, row, 0, change=True)
        if claims:
            # What was due then is due now.
            due = parse_slot_value(on_new, holder, "deadline", row, 0, change=True) if row is _DAY else []
            return [*claims, *due]
    if at.group.lemma == "reassign" and at.group.passive:
        return [
            claim
            for slot in ("assignee", "owner")
            for claim in parse_slot_value(on_new, holder, slot, _WHO, 0, change=True)
        ]
    return _parse_tools(at, parts, holder) if at.group.lemma in _TOOL_LEMMAS else []


def _parse_tools(at: Predicate, parts: _Parts, holder: Subject) -> list[Claim]:
    """Read "switched from MySQL to Postgres"; without "from" the new value must be a known alternative."""
    new, scope_from = _object(parts.new)
    old, _ = _object(parts.old)
    is_open = old is not None and at.group.lemma in _OPEN_LEMMAS
    if new is None or (new.kind is not ValueKind.TERM and not is_open):
        return []
    scope, time = parse_circumstances(parts.new[scope_from:])
    values = [(new, True)] + ([(old, False)] if old is not None else [])
    return make_claims(at, holder, "uses", values, Tail(scope=scope, time=time), single=False, change=True)


def _object(tokens: tuple[Token, ...]) -> tuple[Value | None, int]:
    """(the one object that the words name, index after it)."""
    items, index = parse_items(tokens)
    if len(items) != 1:
        return None, index
    begin, end = items[0]
    return object_value(tokens[begin:end]), index


def _parse_swap(at: Predicate) -> list[Claim]:
    """Read "replaced A with B", "swapped A for B"; the passive names no owner, so it says nothing of one."""
    parts = _split(at.rest, (), ("with", "by", "for"))
    subject = parse_subject(at.subject, me=at.frame.me)
    if at.group.passive or subject is None or not parts.new:
        return []
    return _parse_tools(at, _Parts((), parts.target, parts.new), subject)


def _parse_end(at: Predicate) -> list[Claim]:
    """Read "stopped drinking coffee": the relation of the verb is denied."""
    lemma, letters = forms().get(low_at(at.rest, 0), ("", ""))
    relation = RELATIONS.get(lemma)
    if "g" not in letters or relation is None or relation.denies:
        return []
    return _deny(at, relation.slot, at.rest[1:])


def _parse_drop(at: Predicate) -> list[Claim]:
    """Read "dropped support for X", "removed X"."""
    if (low_at(at.rest, 0), low_at(at.rest, 1)) == ("support", "for"):
        return _deny(at, "supports", at.rest[2:])
    return _deny(at, "uses", at.rest)


def _deny(at: Predicate, slot: str, rest: tuple[Token, ...]) -> list[Claim]:
    value, index = _object(rest)
    subject = parse_subject(at.subject, me=at.frame.me)
    if value is None or subject is None or at.group.passive:
        return []
    scope, time = parse_circumstances(rest[index:])
    return make_claims(at, subject, slot, [(value, False)], Tail(scope=scope, time=time), single=False, change=True)
