"""Read who fills a slot of what, whatever the order and the voice (C-39, C-41).

"The lead of Atlas is Ann", "Ann heads Atlas", "Ann took over as lead of Atlas from Ben", "leadership of Atlas went from
Ben to Ann" and "Ben is no longer the lead of Atlas" speak of one slot; the noun is one of the table of slots, the verb
one of `slots.frames`.
"""

from __future__ import annotations

from typing import Final

from ...language.lexicon import DEFINITE, DETERMINERS, NEUTRAL, PREPOSITIONS, REASONS
from ...language.tables import read_classes
from ...language.token import low_at
from ...language.verbs import forms
from ..grammar.subjects import Attribute, parse_attribute, parse_subject
from ..grammar.topics import parse_circumstances
from ..model import Claim, Modality, Value, ValueKind
from ..slots.frames import (
    APPOINTING_VERBS,
    BEING_VERBS,
    ENTERING_VERBS,
    FILLING_VERBS,
    FOLLOWING_VERBS,
    HANDING_VERBS,
    LEAVING_VERBS,
    OFFICES,
    PASSING_VERBS,
    SERVING_VERBS,
)
from ..slots.rows import Slot
from ..slots.table import TABLE
from ..values.readers import parse_value
from .ending_phrases import without_when
from .predicates import Predicate, Tail, Tokens, make_claims
from .relations import parse_items

_WORDS: Final = read_classes(__file__)
_NAMED: Final = (ValueKind.NAME, ValueKind.PERSON)
_ENDS: Final = REASONS | _WORDS["ends"] | {","}
_ITS: Final = DEFINITE | {"new"}
#: Somebody does it in the place of somebody else, and for a while.
FOR_A_WHILE: Final = _WORDS["for_a_while"]
_EVENT_VERBS: Final = (
    frozenset(PASSING_VERBS)
    | frozenset(HANDING_VERBS)
    | frozenset(APPOINTING_VERBS)
    | frozenset(LEAVING_VERBS)
    | frozenset(FOLLOWING_VERBS)
    | frozenset(ENTERING_VERBS)
    | {"take"}
)
#: The small words of such a verb: "handed over", "passed on".
_PARTS: Final = PREPOSITIONS | {"off", "back"}


def parse_frame(at: Predicate) -> list[Claim]:
    """The claims of a clause that says who fills a slot, or no longer does; none of any other clause."""
    if not at.subject or not FOR_A_WHILE.isdisjoint([token.low for token in at.tokens]):
        return []
    return _parse_filling(at) or _parse_event(at) or _parse_being(at)


def _parse_filling(at: Predicate) -> list[Claim]:
    """Read "Ann heads the team", "the team is headed by Ann"."""
    slot = FILLING_VERBS.get(at.group.lemma, "")
    row = _row(at, slot)
    if row is not None:
        items, index = parse_items(at.rest)
        if len(items) != 1 or not _is_definite(at.rest[: items[0][1]], slot):
            return []
        value = _whole_value(row, at.subject)
        subject = parse_subject(at.rest[: items[0][1]], me=at.frame.me) if value else None
        if subject is None or value is None:
            return []
        scope, time = parse_circumstances(without_when(at.rest[index:]))
        return make_claims(at, subject, slot, [(value, not at.denied)], Tail(scope=scope, time=time))
    slot = FILLING_VERBS.get(forms().get(low_at(at.rest, 0), ("", ""))[0], "") if at.group.lemma == "be" else ""
    row = _row(at, slot)
    if row is None or low_at(at.rest, 1) != "by":
        return []
    parsed = parse_value(row.reads, at.rest, 2)
    subject = parse_subject(at.subject, me=at.frame.me)
    if parsed is None or subject is None or parsed.value.kind not in _NAMED:
        return []
    if low_at(at.rest, parsed.end) in ("and", "or", ",", "&"):
        return []
    scope, time = parse_circumstances(at.rest[parsed.end :])
    return make_claims(at, subject, slot, [(parsed.value, not at.denied)], Tail(scope=scope, time=time))


def _is_definite(tokens: Tokens, slot: str) -> bool:
    """Whether an object is one known thing: "the team", "Ann's team", and of a project its name alone."""
    first = tokens[0].low
    return first in ("the", "our", "my") or first.endswith("'s") or (slot != "owner" and tokens[0].text[0].isupper())


def _row(at: Predicate, slot: str) -> Slot | None:
    return next(iter(TABLE.nouns.get(slot, ())), None) if slot else None


def _whole_value(row: Slot, tokens: Tokens) -> Value | None:
    """The name that the tokens are, and nothing more than that."""
    parsed = parse_value(row.reads, tokens, 0) if tokens else None
    if parsed is None or parsed.end != len(tokens) or parsed.value.kind not in _NAMED:
        return None
    return parsed.value


def _post(at: Predicate, tokens: Tokens) -> Attribute | None:
    """The slot that "(the) N of X" names."""
    end = next((i for i, token in enumerate(tokens) if token.low in _ENDS), len(tokens))
    named = tuple(token for token in tokens[:end] if token.low not in NEUTRAL and token.low not in ("sole", "only"))
    attribute = parse_attribute(named, me=at.frame.me) if named else None
    if attribute is None and named and named[0].low not in DETERMINERS:  # "stepped down as CTO": as ours
        ours = (named[0]._replace(text="our", low="our"), *named)
        attribute = parse_attribute(ours, me=at.frame.me)
    if attribute is None or attribute.rows[0].name in _WORDS["no_posts"]:
        return None
    return attribute


def _tell(at: Predicate, attribute: Attribute | None, now: Tokens, gone: Tokens, *, change: bool) -> list[Claim]:
    """The claims that `now` fills the slot, and that `gone` does no longer."""
    if attribute is None:
        return []
    for row in attribute.rows:
        told = [(_whole_value(row, now), True), (_whole_value(row, gone), False)]
        values = [(value, polarity) for value, polarity in told if value is not None]
        if values and len(values) == bool(now) + bool(gone):
            return make_claims(at, attribute.subject, attribute.slot, values, Tail(), change=change)
    return []


def _parse_being(at: Predicate) -> list[Claim]:
    """Read "Ann is (no longer) the lead of Atlas", "Ann serves as lead of Atlas"."""
    lemma = at.group.lemma
    if lemma not in SERVING_VERBS and lemma not in BEING_VERBS:
        return []
    rest = without_when(at.rest)
    if lemma in SERVING_VERBS and low_at(rest, 0) == "as":
        rest = rest[1:]
    elif lemma not in BEING_VERBS or low_at(rest, 0) in ("a", "an") or _main_lemma(at, rest) in APPOINTING_VERBS:
        return []
    attribute = _post(at, rest)
    if attribute is None:
        return []
    change = attribute.updated or lemma == "become"
    if at.denied:
        return _tell(at, attribute, (), at.subject, change=at.group.ended) if lemma != "become" else []
    return _tell(at, attribute, at.subject, (), change=change)


def _parse_event(at: Predicate) -> list[Claim]:
    """Read what made somebody fill a slot, or leave it."""
    group = at.group
    is_done = (group.is_past or group.perfect or group.lemma == "be") and not group.negated
    if not is_done or group.modality is not Modality.FACT:
        return []
    if group.lemma != "be" and group.lemma not in _EVENT_VERBS:
        return []
    rest = without_when(at.rest)
    return _parse_passing(at, rest) or _parse_appointed(at, rest) or _parse_entered(at, rest)


def _parse_passing(at: Predicate, rest: Tokens) -> list[Claim]:
    """Read "ownership of X passed from Ann to Ben", "Ann handed the lead of X over to Ben"."""
    lemma = _main_lemma(at, rest)
    to = next((i for i in range(len(rest) - 1, -1, -1) if rest[i].low == "to"), -1)
    if to < 0 or lemma not in PASSING_VERBS | HANDING_VERBS:
        return []
    now = _to_end(rest[to + 1 :])
    office, gone = at.subject, _after(rest[:to], "from")
    if not _is_office(at.subject):
        begin = next((i for i, token in enumerate(rest[:to]) if token.low not in _PARTS), to)
        end = max((i for i in range(begin, to) if rest[i].low not in _PARTS), default=begin) + 1
        office, gone = rest[begin:end], at.subject
    if not _is_office(office):
        return []
    start = int(office[0].low in DETERMINERS)
    noun = OFFICES[office[start].low]
    named = (office[start]._replace(text=noun, low=noun), *office[start + 1 :])
    return _tell(at, _post(at, named), now, gone, change=True)


def _is_office(tokens: Tokens) -> bool:
    start = int(bool(tokens) and tokens[0].low in DETERMINERS)
    return low_at(tokens, start) in OFFICES and low_at(tokens, start + 1) in ("of", "for", "on")


def _main_lemma(at: Predicate, rest: Tokens) -> str:
    """The verb itself, of the passive too: "was handed"."""
    if at.group.lemma != "be":
        return at.group.lemma
    lemma, letters = forms().get(low_at(rest, 0), ("", ""))
    return lemma if "n" in letters else ""


def _to_end(tokens: Tokens) -> Tokens:
    end = next((i for i, token in enumerate(tokens) if token.low in _ENDS), len(tokens))
    return tokens[:end]


def _after(tokens: Tokens, mark: str) -> Tokens:
    index = next((i for i, token in enumerate(tokens) if token.low == mark), -1)
    return _to_end(tokens[index + 1 :]) if index >= 0 else ()


def _parse_appointed(at: Predicate, rest: Tokens) -> list[Claim]:
    """Read "Ann was appointed (as) lead of X", "Acme named Ann its lead"."""
    lemma = _main_lemma(at, rest)
    if lemma not in APPOINTING_VERBS:
        return []
    if at.group.lemma == "be" or at.group.passive:
        begin = int(at.group.lemma == "be")
        begin += low_at(rest, begin) in ("as", "to", "to be")
        return _tell(at, _post(at, rest[begin:]), at.subject, _after(rest, "from"), change=True)
    mark = next((i for i, token in enumerate(rest) if i and token.low in _ITS | {"as"}), 0)
    start = mark + (low_at(rest, mark) == "as")
    while low_at(rest, start) in _ITS:
        start += 1
    end = start + len(_to_end(rest[start:]))
    if not mark or start >= end:
        return []
    last = at.subject[-1]
    owner = (*at.subject[:-1], last._replace(text=f"{last.text}'s", low=f"{last.low}'s"))
    has_owner = any(token.low in ("of", "for") for token in rest[start:end])
    return _tell(
        at, _post(at, rest[start:end] if has_owner else (*owner, *rest[start:end])), rest[:mark], (), change=True
    )


def _parse_entered(at: Predicate, rest: Tokens) -> list[Claim]:
    """Read "Ann took over as lead of X from Ben", "Ann succeeded Ben as lead of X", "Ann stepped down as lead of X"."""
    mark = next((i for i, token in enumerate(rest) if token.low == "as"), -1)
    if mark < 0 or (at.group.lemma == "be"):
        return []
    lemma, before = at.group.lemma, rest[:mark]
    attribute = _post(at, rest[mark + 1 :])
    if lemma in LEAVING_VERBS and (lemma != "step" or low_at(before, 0) in ("down", "back", "aside")):
        return _tell(at, attribute, (), at.subject, change=True)
    gone = _after(rest, "from")
    if lemma in FOLLOWING_VERBS and before:
        return _tell(at, attribute, at.subject, before, change=True)
    if lemma in ENTERING_VERBS and len(before) <= 1:
        return _tell(at, attribute, at.subject, gone, change=True)
    if low_at(before, 0) == "over" and lemma == "take":
        return _tell(at, attribute, at.subject, gone or _after(before, "from"), change=True)
    return []
