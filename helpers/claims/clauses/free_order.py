"""Read one value and the words around it in any order: "deleted files stay in the trash for 30 days".

The same words with another value of the kind contradict it. Only what holds still is read, or a finished change.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Final

from ...language.lexicon import ARTICLES, FIRST_PERSON, PREPOSITIONS, PRONOUNS, REASONS, singular
from ...language.tables import read_classes, read_table
from ...language.token import low_at
from ...language.verbs import is_verb
from ...language.words import stem
from ..grammar.verb_groups import CHANGE_LEMMAS
from ..model import NOW, Claim, Modality, ValueKind
from ..slots.rows import PURPOSE_FAMILIES
from .free_topic import SlotValues, is_limited, parse_topic_of
from .free_values import FoundValue, is_purpose, is_served, parse_values
from .predicates import Predicate, Tokens

_TABLE: Final = read_table(__file__, "word_classes")["free_order"]
_WORDS: Final = read_classes(__file__)

#: The number of words of "up to".
_OPENING: Final = 2
#: Slots of addresses: a thing is at one, but may use many.
_ADDRESSES: Final = _WORDS["addresses"]
#: Slot -> verbs that state beside such a value what always holds.
_VERBS_BESIDE: Final = {
    **dict.fromkeys(("time", "frequency", "hours"), _WORDS["regular_verbs"]),
    "port": _WORDS["port_verbs"],
    "channel": _WORDS["channel_verbs"],
    "count": frozenset(("indent",)),
}
#: Subjects of "uses X for Y"; and families beside `PURPOSE_FAMILIES` of which one member serves a purpose.
_USERS: Final = FIRST_PERSON | {"we", "user", "team"}
_PURPOSES: Final = frozenset(family.strip() for family in _TABLE["purposes"].split("|"))
_BEFORE_RESULT: Final = ARTICLES | {"only", "about"}


def parse_free(clause: Predicate) -> list[Claim]:
    """Return the claims of a clause that gives one value of one thing; none for any other clause."""
    group, frame = clause.group, clause.frame
    is_change = clause.is_done and group.lemma in CHANGE_LEMMAS
    is_limit = group.modality is Modality.HYPOTHESIS and is_limited(clause.rest)
    if group.negated or not (group.modality is Modality.FACT or is_limit):
        return []
    if frame.additive or frame.time is not NOW or (group.is_past and not is_change):
        return []
    if group.lemma == "be" and low_at(clause.rest, 0).endswith("ing") and low_at(clause.rest, 1)[:1].isalpha():
        return []  # "is learning Spanish" goes on, and says nothing that stands still
    if is_limit:
        clause = clause._replace(frame=frame._replace(modality=Modality.FACT))
    tokens = _without_reason(clause.tokens, is_change=is_change)
    verb_end = len(clause.tokens) - len(clause.rest)
    if clause.subject and clause.subject[0] not in clause.tokens:  # it stands in the clause before
        tokens, verb_end = (*clause.subject, *tokens), verb_end + len(clause.subject)
    begin = verb_end if clause.subject else 0
    by_slot: dict[str, list[FoundValue]] = {}
    for value in parse_values(tokens):
        is_read = value.begin >= begin or not clause.group.lemma or _opens(value, clause, tokens)
        if is_read and not (value.slot == "phone" and _is_other_number(clause.subject)):
            is_denied = value.denied and group.lemma not in _WORDS["sourcing"]
            by_slot.setdefault(value.slot, []).append(value._replace(denied=is_denied))
    return [
        claim
        for slot, values in by_slot.items()
        for claim in _claims(
            SlotValues(clause, tokens, slot, values, _beside(slot, by_slot, is_change=is_change), is_change, verb_end)
        )
    ]


def _is_other_number(subject: Tokens) -> bool:
    """Whether a clause is about a number that is not called ("my customer number")."""
    before = next((word.low for word, noun in pairwise(subject) if noun.low == "number"), "")
    return before.isalpha() and before not in _WORDS["called"]


def _opens(value: FoundValue, clause: Predicate, tokens: Tokens) -> bool:
    """Whether a clause begins with an amount ("up to 8 can sit here"), or is about a tool ("Linear is our tracker")."""
    if is_purpose(value.slot):
        return not value.begin and value.parsed.end == len(clause.subject)
    return value.slot in _WORDS["holding"] and (not value.begin or (value.begin == _OPENING and tokens[0].low == "up"))


def _with_interval(duration: FoundValue, tokens: Tokens) -> FoundValue:
    """Return a value, as a frequency if it is a stretch of time that is told as an interval."""
    if duration.slot != "duration" or all(token.low not in ("interval", "cadence") for token in tokens):
        return duration
    dimension, amount = duration.parsed.value.norm[:2]
    norm = ("s" if dimension == "time" else "months", amount)
    interval = replace(duration.parsed.value, kind=ValueKind.FREQUENCY, norm=norm)
    return duration._replace(slot="frequency", parsed=duration.parsed._replace(value=interval))


def _beside(slot: str, by_slot: dict[str, list[FoundValue]], *, is_change: bool) -> list[FoundValue]:
    """Return values that may stand beside those of a slot: daily beside a time, a time beside a frequency or a day."""
    if is_change and slot not in ("date", "time", "frequency", "weekday"):
        return by_slot.get("date", [])
    if slot == "weekday":
        return [*by_slot.get("time", ()), *by_slot.get("hours", ())]
    if slot == "date":
        return by_slot.get("time", [])
    if slot == "time":
        return [value for value in by_slot.get("frequency", ()) if value.parsed.value.norm == ("s", 86400.0)]
    return by_slot.get("time", []) if slot == "frequency" else []


def _claims(slot_values: SlotValues) -> list[Claim]:
    """Return the claims of one slot: the one value that is stated, and those that are ruled out beside it."""
    clause, tokens, slot, values, _, is_change, _ = slot_values
    affirmed = [value for value in values if not value.denied]
    is_stated = _is_result if is_change else _is_lasting
    if len(affirmed) != 1 or not is_stated(slot_values, affirmed[0]):
        return []
    if slot in _WORDS["measures"] and _is_of_kinds(tokens, affirmed[0].parsed.end):
        return []
    topic = parse_topic_of(slot_values)
    if topic is None:
        return []
    is_contrast = len(values) > 1 and not is_change
    return [
        replace(
            clause.claim(topic.name, value.slot, value.parsed.value),
            polarity=not value.denied,
            light=topic.light,
            firm=topic.firm,
            single=True,
            correction=clause.frame.correction or (is_contrast and not is_purpose(slot)),
            change=is_change or (is_contrast and is_purpose(slot)),
        )
        for value in (_with_interval(value, tokens) for value in values)
    ]


def _is_lasting(slot_values: SlotValues, value: FoundValue) -> bool:
    """Whether the verb of a clause states what always holds, beside any value or beside such a value."""
    clause, slot = slot_values.clause, slot_values.slot
    if is_purpose(slot):
        return is_served(clause._replace(tokens=slot_values.tokens), slot, value.begin)
    is_term = value.parsed.value.kind is ValueKind.TERM
    is_told = slot != "weekday" and clause.group.lemma in _WORDS["serving_verbs" if is_term else "still"]
    return (is_told or _is_regular(clause, slot)) and (slot not in _ADDRESSES or _is_place(slot_values, value.begin))


def _is_of_kinds(tokens: Tokens, end: int) -> bool:
    """Whether a measure only says which things: "ships 5 kg parcels"."""
    low = low_at(tokens, end)
    return low.isalpha() and singular(low) != low and not is_verb(low) and low not in PREPOSITIONS


def _is_place(slot_values: SlotValues, begin: int) -> bool:
    """Whether an address is where a thing is, and not what it has or does something with: "has db-01"."""
    clause, tokens = slot_values.clause, slot_values.tokens
    before = low_at(tokens, begin - 1) if begin else ""
    if before in PREPOSITIONS:
        return clause.group.lemma != "read" or low_at(clause.rest, 0) not in PREPOSITIONS
    if slot_values.slot != "host":
        return clause.group.lemma in ("be", "")
    return clause.group.lemma in ("be", "") and any(stem(token.low) in _WORDS["machines"] for token in tokens)


def _is_regular(clause: Predicate, slot: str) -> bool:
    """Whether a verb states what always holds only beside a value of this slot."""
    if slot == "weekday":
        return clause.group.lemma in _WORDS["event_verbs"] and (
            clause.group.lemma != "be" or not clause.group.rest or low_at(clause.rest, 0) in _WORDS["event_words"]
        )
    if clause.group.lemma in _VERBS_BESIDE.get(slot, ()):
        return True
    if slot == "date" and clause.group.lemma == "go":
        return low_at(clause.rest, 0) in ("live", "online")
    if slot == "path" and clause.group.lemma == "read":
        return any(token.low == "from" for token in clause.rest)
    if slot in _ADDRESSES:
        return clause.group.lemma in _WORDS["placed"]
    if slot == "frequency" or (slot in _WORDS["holding"] and clause.group.lemma not in _WORDS["multiple"]):
        return True
    is_purposeful = slot in PURPOSE_FAMILIES or slot in _PURPOSES
    is_user = bool(clause.subject) and clause.subject[-1].low in _USERS
    if clause.group.lemma != "use" or not is_purposeful or not is_user:
        return False
    return any(token.low in ("for", "as") and token not in clause.subject for token in clause.tokens)


def _without_reason(tokens: Tokens, *, is_change: bool) -> Tokens:
    """Return a clause without the end that says why, what for, or after what it is so."""
    for index in range(2, len(tokens)):
        low = tokens[index].low
        following = low_at(tokens, index + 1)
        if (low in REASONS and (low != "due" or following == "to")) or (low == "to" and following in _WORDS["aims"]):
            return tokens[:index]
        if low == "before" and following in PRONOUNS:
            return tokens[:index]
        if low == "after" and is_change and not following[:1].isdigit():
            return tokens[:index]
    return tokens


def _is_result(slot_values: SlotValues, value: FoundValue) -> bool:
    """Whether a value is what something was changed to ("to 5", "in Go"), and not by how much ("by 10 to 20")."""
    tokens, index = slot_values.tokens, value.begin - 1
    while index > 0 and tokens[index].low in _BEFORE_RESULT:
        index -= 1
    return tokens[index].low in _WORDS["result_marks"]
