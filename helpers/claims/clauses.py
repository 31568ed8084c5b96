"""Read one clause: subject, verb group, slot, value (C-39, C-40).

The order of the readers in `_read_predicate` is the grammar: the first that understands the clause answers. What none
of them understands becomes a whole statement, which only its own denial contradicts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from .lexicon import (
    ASK_LEMMAS,
    CONJUNCTIONS,
    DETERMINERS,
    NEUTRAL,
    PAST_WORDS,
    PREPOSITIONS,
    REPORT_LEMMAS,
    THINK_LEMMAS,
)
from .model import NOW, PAST, Claim, ClaimTime, Modality, Value, ValueKind
from .numbers import Parsed, low_at
from .segment import Token, is_finite
from .signals import VerbGroup, read_circumstances, read_verb_group
from .slots import (
    PURPOSE_FAMILIES,
    RELATIONS,
    STATES,
    WEAK_DENIAL,
    Slot,
    SlotTable,
    read_value,
)
from .statements import read_statement
from .subjects import USER, Subject, read_attribute, read_subject
from .terms import terms

Tokens = tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """What a sentence or an outer clause says about the clause: how far it stands behind it, and who "I" is."""

    table: SlotTable
    me: str = USER
    modality: Modality = Modality.FACT
    correction: bool = False
    scope: tuple[str, ...] = ()
    time: ClaimTime = NOW


@dataclass(frozen=True, slots=True)
class Predicate:
    """A clause after its verb group was read; `tokens` is the whole clause, `rest` what follows the verb."""

    tokens: Tokens
    subject: Tokens
    group: VerbGroup
    rest: Tokens
    frame: Frame

    @property
    def denied(self) -> bool:
        return self.group.negated


@dataclass(frozen=True, slots=True)
class Tail:
    """What follows a value. `blocked`: the value is one of a list or opens a range, so it is no single value."""

    blocked: bool = False
    others: tuple[Parsed, ...] = ()
    denied: tuple[Parsed, ...] = ()
    scope: tuple[str, ...] = ()
    time: ClaimTime = NOW


_CONTRAST: Final = (("instead", "of"), ("rather", "than"))
_LIST_MARKS: Final = frozenset((",", "and", "&", "or", "/", "nor", "plus"))
_FILLERS: Final = frozenset(("the", "a", "an", "my", "our", "any"))


def make_claims(
    at: Predicate, subject: Subject, slot: str, values: Sequence[tuple[Value, bool]], tail: Tail, **marks: bool
) -> list[Claim]:
    """One claim for each `(value, polarity)`, with what the clause says about all of them."""
    frame = at.frame
    time = tail.time if frame.time is NOW else frame.time
    if (at.group.is_past and not marks.get("change")) or any(token.low in PAST_WORDS for token in at.subject):
        time = PAST
    if marks.pop("holds", False):
        time = NOW
    return [
        Claim(
            subject=subject.text,
            slot=slot,
            value=value,
            polarity=polarity,
            modality=frame.modality,
            time=time,
            scope=tuple(sorted({*frame.scope, *subject.scope, *tail.scope})),
            correction=frame.correction or (not polarity and bool(tail.denied)) or bool(tail.denied),
            start=at.tokens[0].start,
            end=at.tokens[-1].end,
            single=marks.get("single", True),
            change=marks.get("change", False),
        )
        for value, polarity in values
    ]


def read_tail(reads: Sequence[str], rest: Tokens, first: Parsed) -> Tail:
    """What follows the value that `reads` found in `rest`: contrasts, list items, circumstances."""
    index = first.end
    denied: list[Parsed] = []
    others: list[Parsed] = []
    while index < len(rest):
        low = rest[index].low
        after = index + 1 if low in (",", "and") and low_at(rest, index + 1) == "not" else index
        skip = 1 if rest[after].low == "not" else 2 if (low, low_at(rest, index + 1)) in _CONTRAST else 0
        contrast = read_value(reads, rest, after + skip) if skip else None
        if contrast:
            denied.append(contrast)
            index = contrast.end
            continue
        if low not in _LIST_MARKS:
            break
        if low in ("or", "nor"):
            return Tail(blocked=True)
        index += 2 if low_at(rest, index + 1) in ("and", "or") else 1
        item = read_value((*reads, "version") if first.value.kind is ValueKind.VERSION else reads, rest, index)
        if item and item.name in (first.name, ""):
            return Tail(blocked=True)
        if item:
            others.append(item)
            index = item.end
            continue
        while index < len(rest) and rest[index].low not in PREPOSITIONS:
            index += 1
        break
    scope, time = read_circumstances(rest[index:])
    return Tail(others=tuple(others), denied=tuple(denied), scope=scope, time=time)


def read_slot_value(at: Predicate, subject: Subject, name: str, row: Slot, index: int, **marks: bool) -> list[Claim]:
    """The claims of `row` for the value at `rest[index]`; none if it cannot be read as one value."""
    parsed = read_value(row.reads, at.rest, index)
    if parsed is None:
        return []
    tail = read_tail(row.reads, at.rest, parsed)
    if tail.blocked:
        return []
    if row.past:
        marks["holds"] = True
    claims: list[Claim] = []
    for item in (parsed, *tail.others):
        slot = name.replace("{}", item.name)
        values = [(item.value, not at.denied)]
        values += [(other.value, at.denied) for other in tail.denied]
        claims += make_claims(at, subject, slot, values, tail, **marks)
    return claims


def _read_attribute(at: Predicate) -> list[Claim]:
    """"The API's port is 8443"."""
    if at.group.lemma != "be":
        return []
    attribute = read_attribute(at.subject, at.frame.table, me=at.frame.me)
    if attribute is None:
        return []
    index = 2 if (low_at(at.rest, 0), low_at(at.rest, 1)) == ("set", "to") else 0
    for row in attribute.rows:
        claims = read_slot_value(at, attribute.subject, attribute.slot, row, index, change=attribute.updated)
        if claims:
            return claims
    return []


def _verb_keys(at: Predicate) -> list[tuple[str, int]]:
    """(verb phrase, number of words it takes from `rest`), longest first."""
    words = [token.low for token in at.rest[:3]]
    lemma = at.group.lemma
    return [(" ".join((lemma, *words[:count])), count) for count in range(len(words), -1, -1)]


def _read_verb_slot(at: Predicate) -> list[Claim]:
    """"The API runs on port 8443", "User lives in Denver"."""
    keys = _verb_keys(at)
    if not any(key in at.frame.table.verbs for key, _ in keys):
        return []
    subject = read_subject(at.subject, me=at.frame.me)
    if subject is None:
        return []
    for key, count in keys:
        for row in at.frame.table.verbs.get(key, ()):
            claims = read_slot_value(at, subject, row.name, row, count, change=at.group.ended)
            if claims:
                return claims
    return []


def _read_bare_age(at: Predicate) -> list[Claim]:
    """"Alice is 30": a whole number and nothing else, said of a person's name."""
    if at.group.lemma != "be" or len(at.rest) != 1 or not at.rest[0].low.isdecimal():
        return []
    subject = read_subject(at.subject, me=at.frame.me)
    if subject is None or not (subject.is_name or subject.text == at.frame.me):
        return []
    return read_slot_value(at, subject, "age", Slot(name="age", reads=("age",)), 0)


def _read_state(at: Predicate) -> list[Claim]:
    """"Caching is enabled", "the flag is not on"; a denied state is its opposite."""
    if at.group.lemma not in ("be", *_STATE_LEMMAS) or not at.subject:
        return []
    words = [token.low for token in at.rest[:2]]
    if at.group.lemma != "be":
        words = [_STATE_LEMMAS[at.group.lemma], *words]
    for count in (2, 1):
        state = STATES.get(" ".join(words[:count])) if len(words) >= count else None
        if state is None:
            continue
        subject = read_subject(at.subject, me=at.frame.me)
        if subject is None:
            return []
        used = count if at.group.lemma == "be" else count - 1
        scope, time = read_circumstances(at.rest[used:])
        holds = state[1] is not at.denied
        value = Value(ValueKind.FLAG, " ".join(words[:count]), (float(holds),))
        is_change = at.group.perfect or at.group.ended
        return make_claims(at, subject, state[0], [(value, True)], Tail(scope=scope, time=time), change=is_change)
    return []


#: Participles of verbs that have a state, as `VerbGroup` gives them after "has been".
_STATE_LEMMAS: Final = {
    "enable": "enabled",
    "disable": "disabled",
    "activate": "activated",
    "deactivate": "deactivated",
    "close": "closed",
    "open": "open",
    "turn": "turned",
    "switch": "switched",
}


def read_items(rest: Tokens, index: int = 0) -> tuple[list[tuple[int, int]], int]:
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


def _is_object_word(token: Token, inside: bool) -> bool:
    low = token.low
    if not (low[0].isalnum() or low[0] in "#$@.+/~") or low in CONJUNCTIONS or low in ("not", "instead", "rather"):
        return False
    return low not in PREPOSITIONS or (low == "of" and inside)


def object_value(tokens: Sequence[Token]) -> Value:
    """A named alternative if the whole object is one, else its words."""
    words = tuple(token.low for token in tokens if token.low not in NEUTRAL and token.low not in _FILLERS)
    text = " ".join(token.text for token in tokens)
    term = terms().get(words)
    return Value(ValueKind.TERM, text, term) if term else Value(ValueKind.TEXT, text, words)


def _read_relation(at: Predicate) -> list[Claim]:
    """"The API uses Redis": a multi-valued slot, with one claim for each object."""
    relation, used, verb = next(
        ((RELATIONS[key], count, key) for key, count in _verb_keys(at) if key in RELATIONS), (None, 0, "")
    )
    if relation is None or (at.denied and verb in WEAK_DENIAL):
        return []
    subject = read_subject(at.subject, me=at.frame.me)
    if subject is None:
        return []
    rest = at.rest[used:]
    is_none = low_at(rest, 0) == "no"
    items, index = read_items(rest, int(is_none))
    if not items or low_at(rest, index) in ("or", "nor") or any(end - begin > 6 for begin, end in items):
        return []
    affirms = (not at.denied) is not (relation.denies is not is_none)
    slot, polarity = relation.slot, affirms
    tail, contrasted = _relation_tail(rest, index)
    claims: list[Claim] = []
    for number, (begin, end) in enumerate(items):
        values = [(object_value(rest[begin:end]), polarity)]
        values += [(value, not polarity) for value in contrasted]
        made = make_claims(at, subject, slot, values, tail, single=False, change=at.group.ended)
        start = rest[begin].start if number else at.tokens[0].start
        stop = rest[end - 1].end if len(items) > 1 else at.tokens[-1].end
        claims += [replace(claim, start=start, end=stop, correction=claim.correction or bool(contrasted)) for claim in made]
    if slot == "uses" and len(items) == 1 and polarity:
        claims += _read_purpose(at, subject, claims[0].value, rest[index:])
    return claims


def _relation_tail(rest: Tokens, index: int) -> tuple[Tail, list[Value]]:
    """(circumstances, objects that are ruled out: "instead of MySQL", ", not MySQL")."""
    low = low_at(rest, index)
    after = index + (low in (",", "and", "but") and low_at(rest, index + 1) == "not")
    skip = 1 if low_at(rest, after) == "not" else 2 if (low, low_at(rest, index + 1)) in _CONTRAST else 0
    contrasted: list[Value] = []
    if skip:
        items, index = read_items(rest, after + skip)
        contrasted = [object_value(rest[begin:end]) for begin, end in items]
    scope, time = read_circumstances(rest[index:])
    return Tail(scope=scope, time=time), contrasted


def _read_purpose(at: Predicate, subject: Subject, value: Value, rest: Tokens) -> list[Claim]:
    """"uses Redis for caching": one member of the family serves one purpose."""
    if value.kind is not ValueKind.TERM or value.norm[0] not in PURPOSE_FAMILIES or low_at(rest, 0) != "for":
        return []
    items, index = read_items(rest, 1)
    if len(items) != 1:
        return []
    begin, end = items[0]
    purpose = " ".join(token.low for token in rest[begin:end] if token.low not in DETERMINERS)
    scope, time = read_circumstances(rest[index:])
    return make_claims(at, subject, f"{value.norm[0]} for {purpose}", [(value, True)], Tail(scope=scope, time=time))


def _read_owner(at: Predicate) -> list[Claim]:
    """"Tom owns the billing service" says who its owner is; "Tom owns a car" does not."""
    slot = {"own": "owner", "maintain": "maintainer", "lead": "lead"}.get(at.group.lemma)
    if slot is None or low_at(at.rest, 0) != "the" or at.denied:
        return []
    owner = read_value(("name",), at.subject, 0)
    items, index = read_items(at.rest)
    if owner is None or owner.end != len(at.subject) or len(items) != 1:
        return []
    subject = read_subject(at.rest[: items[0][1]], me=at.frame.me)
    if subject is None:
        return []
    scope, time = read_circumstances(at.rest[index:])
    return make_claims(at, subject, slot, [(owner.value, True)], Tail(scope=scope, time=time))


_READERS: Final[tuple[Callable[[Predicate], list[Claim]], ...]] = (
    _read_attribute,
    _read_owner,
    _read_verb_slot,
    _read_bare_age,
    _read_state,
)


def read_predicate(at: Predicate) -> list[Claim]:
    """The claims of a clause: of the first slot reader that understands it, and of its relation."""
    claims: list[Claim] = []
    for reader in _READERS:
        claims = reader(at)
        if claims:
            break
    claims += _read_relation(at)
    if claims:
        return claims
    return read_statement(at.tokens, at.group, at.frame.modality, at.frame.me, correction=at.frame.correction)


REPORTING: Final = REPORT_LEMMAS | THINK_LEMMAS | ASK_LEMMAS


def reports_speech(group: VerbGroup, rest: Tokens) -> bool:
    """Whether the clause only introduces what somebody said, thinks or asks."""
    if group.lemma not in REPORTING:
        return False
    return any(is_finite(rest, index) for index in range(len(rest)))


def reported_modality(group: VerbGroup, subject: Subject | None, me: str) -> Modality:
    """What is reported is a fact only if the user states it."""
    if group.lemma in ASK_LEMMAS:
        return Modality.QUESTION
    if subject is None or subject.text != me:
        return Modality.QUOTATION
    if group.lemma in THINK_LEMMAS or group.negated:
        return Modality.ESTIMATE
    return Modality.FACT


def read_group(tokens: Tokens) -> VerbGroup | None:
    """The verb group of the first finite verb, or None."""
    for index in range(len(tokens)):
        if is_finite(tokens, index):
            return read_verb_group(tokens, index)
    return None
