"""Read what something was changed to: "switched from A to B", "the deadline was moved to ...", "renamed" (C-40, C-41).

A change says what holds now and what held before; both become claims marked `change`. Planned, denied and present
changes ("plans to move", "has not moved", "moves on Mondays") are no change. What is only dropped or replaced is an
ending (see `endings`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

from ...language.lexicon import PERIODS, THEIR
from ...language.tables import read_classes
from ...language.terms import versioned_names
from ...language.token import low_at
from ..coreference.situations import is_of_one_day
from ..grammar.subjects import Attribute, Subject, parse_attribute, parse_subject
from ..grammar.topics import parse_circumstances
from ..grammar.verb_groups import CHANGE_LEMMAS
from ..model import NOW, Claim, Modality, Tense, Value, ValueKind
from ..slots.rows import CHOICES, Slot
from ..values.numbers import parse_version
from ..values.places import is_known_place
from ..values.readers import parse_value
from .predicates import Predicate, Tail, Tokens, make_claims, object_value, parse_items, parse_rows, place_of

_NAME: Final = Slot(name="name", reads=("full name",))
_VERSION_OF: Final = Slot(name="version of {}", reads=("named version",))
_PORT: Final = Slot(name="port", reads=("named port",))
_HOME: Final = Slot(name="lives in", reads=("place",))
_DAY: Final = Slot(name="scheduled date", reads=("date",))
_TIME: Final = Slot(name="time", reads=("clock",))
_WHO: Final = Slot(name="assignee", reads=("person",))
_TOOL_LEMMAS: Final = read_classes(__file__)["tool_lemmas"]
#: After these, free text is a tool only if it is a known one: "moved from the old office to the new one".
_OPEN_LEMMAS: Final = _TOOL_LEMMAS - {"move", "change", "go"}
_MOVE_LEMMAS: Final = frozenset(("move", "relocate"))
#: What a person does, and not what happens to who that is.
_ACTING: Final = (_TOOL_LEMMAS | _MOVE_LEMMAS) - {"change"}
_PERSONAL: Final = frozenset(("person", "name", "full name"))


class _Parts(NamedTuple):
    """The words of a change: what was changed, from what, to what; empty where it does not say."""

    target: Tokens
    old: Tokens
    new: Tokens


def parse_change(at: Predicate) -> list[Claim]:
    """The claims of a state change; none if the clause is none, or says too little."""
    if not at.is_done or at.denied or at.group.modality is not Modality.FACT or at.group.lemma not in CHANGE_LEMMAS:
        return []
    claims = _parse_shift(at)
    lows = [token.low for token in at.tokens]
    if not claims or "ago" in lows:
        return claims
    is_recent = "yesterday" in lows or any(
        low == "last" and low_at(at.tokens, i + 1) in PERIODS - {"decade", "century"} for i, low in enumerate(lows)
    )
    return [replace(claim, time=NOW) if _is_new(claim, is_recent=is_recent) else claim for claim in claims]


def _is_new(claim: Claim, *, is_recent: bool) -> bool:
    """Whether a change holds since it was told: "yesterday", or "in May" without a year, but not in 2015."""
    if claim.time.tense is Tense.DATED:
        return claim.time.date.startswith("day 0.0 ")
    return is_recent and claim.time.tense is Tense.PAST


def _split(rest: Tokens) -> _Parts:
    """Cut "TARGET from OLD to NEW" at its prepositions, in either order."""
    old, new = place_of(rest, ("from",)), place_of(rest, ("to", "into"))
    old_end = new if old < new else len(rest)
    new_end = old if new < old else len(rest)
    return _Parts(rest[: min(old, new)], rest[old + 1 : old_end], rest[new + 1 : new_end])


def _parse_shift(at: Predicate) -> list[Claim]:
    parts = _split(tuple(token for token in at.rest if token.low not in ("back", "over")))
    if not parts.new or any(token.low == "by" for token in parts.target):
        return []
    is_subject = at.group.passive or not parts.target
    holder_tokens = at.subject if is_subject else _owned(parts.target, at)
    on_new = at._replace(rest=parts.new)
    attribute = parse_attribute(holder_tokens, me=at.frame.me)
    if attribute is not None:
        is_acting = is_subject and at.group.lemma in _ACTING and not at.group.passive
        # Not "the user's wife switched to a new car".
        rows = (row for row in attribute.rows if not is_acting or _PERSONAL.isdisjoint(row.reads))
        claims = parse_rows(on_new, _owner(attribute, at), rows, 0, name=attribute.slot, change=True)
        if claims:
            return claims
    # "We upgraded Python from 3.9 to 3.12": the version is ours, the name that of the object.
    software = versioned_names().get(parts.target[0].low, "") if len(parts.target) == 1 and not is_subject else ""
    upgraded = _versioned(at, parse_subject(at.subject, me=at.frame.me), software, parts.new)
    holder = parse_subject(holder_tokens, me=at.frame.me)
    if upgraded or holder is None:
        return upgraded
    if at.group.lemma == "rename":
        return parse_rows(on_new, holder, (_NAME,), 0, change=True)
    return _parse_entity(at, parts, holder)


def _owner(attribute: Attribute, at: Predicate) -> Subject:
    """Whose attribute was changed: in "the user changed the default shell" it is the user's."""
    subject = parse_subject(at.subject, me=at.frame.me)
    is_own = subject is not None and subject.text == at.frame.me and not at.group.passive
    if attribute.subject.text or not is_own or subject is None:
        return attribute.subject
    return subject if attribute.slot.split()[0] in CHOICES or attribute.rows[0].person else attribute.subject


def _owned(target: Tokens, at: Predicate) -> Tokens:
    """In "the user changed their email" the possessive means the subject of the clause."""
    subject = parse_subject(at.subject, me=at.frame.me)
    if target[0].low not in THEIR or subject is None:
        return target
    owner = "my" if subject.text == at.frame.me else f"{subject.text}'s"
    return (target[0]._replace(text=owner, low=owner), *target[1:])


def _versioned(at: Predicate, holder: Subject | None, name: str, new: Tokens) -> list[Claim]:
    """The claim that `holder` has the software `name` in the version that the words begin with."""
    version = parse_version(new, 0)
    if holder is None or not name or version is None:
        return []
    scope, time = parse_circumstances(new[version.end :])
    return make_claims(
        at, holder, f"version of {name}", [(version.value, True)], Tail(scope=scope, time=time), change=True
    )


def _parse_entity(at: Predicate, parts: _Parts, holder: Subject) -> list[Claim]:
    """What a thing or person changed to, by the type of the new value."""
    on_new = at._replace(rest=parts.new)
    named = parse_value(_VERSION_OF.reads, parts.old, 0) if parts.old else None
    claims = _versioned(at, holder, named.name if named else "", parts.new)
    claims = claims or parse_rows(on_new, holder, (_VERSION_OF, _PORT), 0, change=True)
    if not claims and at.group.lemma in _MOVE_LEMMAS and (holder.is_name or holder.text in (at.frame.me, "we")):
        moved = parse_rows(on_new, holder, (_HOME,), 0, change=True)
        is_home = at.group.lemma == "relocate" or (moved and is_known_place(*map(str, moved[0].value.norm[:2])))
        claims = moved if is_home else []
    if not claims and not is_of_one_day(at.subject):
        day = parse_rows(on_new, holder, (_DAY,), 0, change=True)
        # What was due then is due now.
        due = parse_rows(on_new, holder, (_DAY,), 0, name="deadline", change=True) if day else []
        claims = [*day, *due] or parse_rows(on_new, holder, (_TIME,), 0, change=True)
    if claims:
        return claims
    if at.group.lemma == "reassign" and at.group.passive:
        told = (parse_rows(on_new, holder, (_WHO,), 0, name=slot, change=True) for slot in ("assignee", "owner"))
        return [claim for claims in told for claim in claims]
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


def _object(tokens: Tokens) -> tuple[Value | None, int]:
    """(the one object that the words name, index after it)."""
    items, index = parse_items(tokens)
    return (object_value(tokens[items[0][0] : items[0][1]]) if len(items) == 1 else None), index
