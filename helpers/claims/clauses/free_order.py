"""Read one value and the words around it, in whatever order they stand: the same words with another value (C-39, C-43).

"Deleted files stay in the trash for 30 days" is no slot of the table; but it holds one amount of time, and what is
left of the sentence says of what. Two such sentences with the same words and two amounts of one kind contradict each
other. Only what holds still is read: a statement in the present with a verb of `_STILL`, or a finished change.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

from ..grammar.subjects import USER
from ..grammar.topics import KINDS, join_topic, stem
from ..grammar.verb_groups import CHANGE_LEMMAS
from ..language.concepts import CONCEPTS
from ..language.lexicon import (
    ADDITIVE,
    CONJUNCTIONS,
    DEICTIC_DAYS,
    EPHEMERAL,
    FIRST_PERSON,
    INDEFINITE,
    NEUTRAL,
    PAST_WORDS,
    PERIODS,
    PREPOSITIONS,
    PRONOUNS,
)
from ..language.verbs import forms
from ..model import NOW, Claim, Modality, Value, ValueKind
from ..slots.multi_valued import PURPOSE_FAMILIES
from ..values.dates import CALENDAR as _CALENDAR
from ..values.numbers import low_at, singular
from .free_values import AUXILIARY, Found, read_values
from .predicates import Predicate, Tokens

#: Verbs that say how a thing is, and not what happened or what else there may be.
_STILL: Final = frozenset(
    (
        "pin talk happen occur guarantee be have stay remain last take run start begin end close open leave"
        " depart arrive expire time retain keep store save hold delete purge archive cost charge pay earn weigh"
        " measure allow accept permit limit cap restrict retry release wait answer respond reply process handle"
        " poll scrape refresh sync rotate repeat employ consist contain comprise write set configure default need"
        " require manage work lead"
    ).split()
)
#: Verbs by which one thing of a family serves a purpose.
_SERVING_VERBS: Final = frozenset(
    (
        "be write host deploy run encrypt sign hash format manage handle power style test build do track monitor cache"
        " serve bundle lint compile generate publish implement develop code name store"
    ).split()
)
_REGULAR_VERBS: Final = frozenset("go kick wake get eat come air rehearse".split())
#: Slot -> verbs that tell beside such a value what always holds.
_VERBS_BESIDE: Final = {
    **dict.fromkeys(("time", "frequency", "hours"), _REGULAR_VERBS),
    "port": frozenset("listen bind expose serve use".split()),
    "channel": frozenset("go post send announce report share land".split()),
    "count": frozenset(("indent",)),
}
#: An event is on such a day each week; what somebody does on it may be done on others as well.
_EVENT_VERBS: Final = frozenset(("be", "take", "happen", "occur", "hold"))
_EVENT_WORDS: Final = frozenset(("on", "held", "scheduled", "every"))
#: Who "uses X for Y", so that X serves Y; and the families beside `PURPOSE_FAMILIES` of which one member does.
_USERS: Final = frozenset(("we", "i", "user", "team"))
_PURPOSES: Final = frozenset(
    (
        *("hosting", "issue tracker", "dependency manager", "static site generator", "css framework", "web server"),
        *("cdn", "dns", "wiki software", "search engine", "identity provider"),
    )
)
#: What follows one of these only says why or since when.
_REASONS: Final = frozenset(("because", "due", "since", "following", "thanks", "owing"))
_RESULT_MARKS: Final = frozenset("to into in on at under with as".split())
_DROPPED_OWNERS: Final = frozenset(("their", "his", "her", "its"))
_MAX_WORDS: Final = 10
#: What "a trial" does here, each trial does.
_GENERIC: Final = frozenset(("last", "expire", "cost", "need", "require"))
#: How many they have are people.
_TEAMS: Final = frozenset("team squad crew staff".split())
_LIGHT: Final = CHANGE_LEMMAS | frozenset(
    "be have do set configure get become make grow shrink total exactly only there maximum-of up down".split()
)
#: Slot -> readers of the nouns that tell nothing alone beside such a value; of all other slots all nouns.
_TELLING_READERS: Final = {
    "date": ("date",),
    **dict.fromkeys(("time", "hours", "days", "frequency"), ("clock", "date", "number")),
    "duration": ("number",),
}
#: Beside a version these say what may hold of several.
_SEVERAL_VERSIONS: Final = frozenset(
    "compatible available support supported test know release publish deprecate vulnerable affect introduce add include"
    " fix issue work install tag".split()
)
#: Labels of which a memory has several: "Topic: Kafka", "Topic: Redis".
_OPEN_LABELS: Final = frozenset(
    "topic tag keyword note skill stack interest subject technology tech tool source reference link see example".split()
)
#: In a label these say that there may be more: "Supported browser: Chrome".
_OPEN_WORDS: Final = frozenset(
    "supported used known related allowed available possible sample example test common popular dietary programming see"
    " side user optional recommended suggested issue language technology".split()
)


def read_free(at: Predicate) -> list[Claim]:
    """The claims of a clause that says one value of one thing; none of any other."""
    group, frame = at.group, at.frame
    is_change = (group.is_past or group.perfect) and group.lemma in CHANGE_LEMMAS
    is_limit = group.modality is Modality.HYPOTHESIS and _is_limited(at.rest)
    if group.negated or not (group.modality is Modality.FACT or is_limit):
        return []
    if frame.additive or (group.is_past and not is_change):
        return []
    if frame.time is not NOW:
        return []
    if is_limit:
        at = at._replace(frame=frame._replace(modality=Modality.FACT))
    if at.group.lemma == "be" and low_at(at.rest, 0).endswith("ing") and low_at(at.rest, 1)[:1].isalpha():
        return []  # "is learning Spanish" goes on, and says nothing that stands still
    tokens = _without_reason(at.tokens)
    begin = len(at.tokens) - len(at.rest) if at.subject else 0
    if at.subject and at.subject[0] not in at.tokens:  # it stands in the clause before
        tokens, begin = (*at.subject, *tokens), begin + len(at.subject)
    by_slot: dict[str, list[Found]] = {}
    for one in read_values(tokens):
        if one.begin >= begin or not at.group.lemma:
            by_slot.setdefault(one.slot, []).append(one)
    return [
        claim
        for slot, found in by_slot.items()
        for claim in _claims(_Said(at, tokens, slot, found, _beside(slot, by_slot), is_change))
    ]


#: "Can have at most 5", "may send up to 100": what is possible has a limit, and that is a fact.
_LIMITS: Final = frozenset((("at", "most"), ("up", "to"), ("at", "least"), ("a", "maximum"), ("a", "minimum")))


def _is_limited(rest: Tokens) -> bool:
    return any((token.low, low_at(rest, index + 1)) in _LIMITS for index, token in enumerate(rest))


def _is_interval(one: Found, tokens: Tokens) -> bool:
    return one.slot == "duration" and any(token.low in ("interval", "cadence") for token in tokens)


def _slot(one: Found, tokens: Tokens) -> str:
    return "frequency" if _is_interval(one, tokens) else one.slot


def _value(one: Found, tokens: Tokens) -> Value:
    """The value; of an interval how often that is."""
    value = one.parsed.value
    if not _is_interval(one, tokens):
        return value
    unit = "s" if value.norm[0] == "time" else "months"
    return replace(value, kind=ValueKind.FREQUENCY, norm=(unit, value.norm[1]))


class _Said(NamedTuple):
    """The values of one slot in a clause, and what of the clause belongs to them but is no word of their topic."""

    at: Predicate
    tokens: Tokens
    slot: str
    found: list[Found]
    beside: list[Found]
    is_change: bool


_DAY: Final = ("s", 86400.0)


def _beside(slot: str, by_slot: dict[str, list[Found]]) -> list[Found]:
    """How often something happens at a time, if that is daily; and at what time it happens so often."""
    if slot == "weekday":
        return [*by_slot.get("time", ()), *by_slot.get("hours", ())]
    if slot == "time":
        return [one for one in by_slot.get("frequency", ()) if one.parsed.value.norm == _DAY]
    return by_slot.get("time", []) if slot == "frequency" else []


def _claims(said: _Said) -> list[Claim]:
    """The claims of one slot: one value that is said, and those that are ruled out beside it."""
    at, tokens, slot, found, _, is_change = said
    frame = at.frame
    affirmed = [one for one in found if not one.denied]
    if len(affirmed) != 1:
        return []
    verbs = _SERVING_VERBS if affirmed[0].parsed.value.kind is ValueKind.TERM else _STILL
    is_told = slot != "weekday" and at.group.lemma in verbs
    if not is_change and not is_told and not _is_regular(at, slot):
        return []
    if is_change and not _is_result(tokens, affirmed[0].begin):
        return []
    if is_change and slot == "count" and _has_other_number(tokens, found):
        return []
    topic = _topic(said)
    if not topic:
        return []
    return [
        Claim(
            subject=topic,
            slot=_slot(one, tokens),
            value=_value(one, tokens),
            polarity=not one.denied,
            modality=frame.modality,
            time=NOW,
            correction=frame.correction or (len(found) > 1 and not is_change),
            start=at.tokens[0].start,
            end=at.tokens[-1].end,
            change=is_change,
            topic=topic,
            loose=True,
        )
        for one in found
    ]


def _is_regular(at: Predicate, slot: str) -> bool:
    """Whether a verb tells beside this value what always holds, as it does not beside others."""
    if slot == "weekday":
        return at.group.lemma in _EVENT_VERBS and (
            at.group.lemma != "be" or not at.group.rest or low_at(at.rest, 0) in _EVENT_WORDS
        )
    if at.group.lemma in _VERBS_BESIDE.get(slot, ()):
        return True
    is_purposeful = slot in PURPOSE_FAMILIES or slot in _PURPOSES
    if at.group.lemma != "use" or not is_purposeful or at.subject[-1:] == () or at.subject[-1].low not in _USERS:
        return False
    return any(token.low in ("for", "as") and token not in at.subject for token in at.tokens)


def is_bare_plural(tokens: Tokens) -> bool:
    """Whether a subject speaks of a kind of thing ("servers"), and not of some that are known."""
    if not tokens or tokens[0].low in ("the", "my", "our", "all") or any(t.text[0].isupper() for t in tokens[1:]):
        return False
    return singular(tokens[-1].low) != tokens[-1].low and "'" not in "".join(token.low for token in tokens)


def _without_reason(tokens: Tokens) -> Tokens:
    cut = next((i for i, token in enumerate(tokens) if i > 1 and token.low in _REASONS), len(tokens))
    return tokens[:cut]


def _participle(low: str) -> str:
    return stem(low) if "n" in forms().get(low, ("", ""))[1] else ""


def _has_other_number(tokens: Tokens, found: list[Found]) -> bool:
    """Whether a number beside the values says by how much something changed ("by 10 to 20")."""
    inside = {i for one in found for i in range(one.begin, one.parsed.end)}
    return any(token.low.isdecimal() and index not in inside for index, token in enumerate(tokens))


def _is_result(tokens: Tokens, index: int) -> bool:
    """Whether a value is what something was changed to: "to 5", "in Go"."""
    index -= 1
    while index > 0 and tokens[index].low in ("the", "a", "an", "only", "about"):
        index -= 1
    return tokens[index].low in _RESULT_MARKS


def _topic(said: _Said) -> str:
    """The words outside the values, in one form each; empty if they do not say of what the value is said."""
    at, tokens, slot, found, beside, is_change = said
    concepts = CONCEPTS.get(slot, {})
    table_words = at.frame.table.words_for(_TELLING_READERS.get(slot))
    is_kind = is_bare_plural(at.subject) and at.group.lemma in ("have", "contain", "consist", "comprise")
    if is_kind or (slot == "port" and is_bare_plural(at.subject)):
        return ""
    inside = {i for one in (*found, *beside) for i in range(one.begin, one.parsed.end)}
    at_lows = {token.low for token in tokens}
    words: list[str] = [word for phrase in at.frame.scope for word in phrase.split() if word not in at_lows]
    owners: list[str] = []
    said_by_value: list[str] = []
    limited = at.group.modality is Modality.HYPOTHESIS
    verbs = {at.group.lemma, _participle(low_at(at.rest, 0))} if found[0].parsed.value.kind is ValueKind.TERM else set()
    for index, token in enumerate(tokens):
        low = token.low.removesuffix("'s")
        if (
            index in inside
            or low in AUXILIARY
            or low in ("we", "our", "us")
            or low in _DROPPED_OWNERS
            or low in NEUTRAL
            or low in ("all", "the")
        ):
            continue
        if low in FIRST_PERSON or low in ("my", USER):
            (owners if at.frame.me == USER else words).append(at.frame.me)
            continue
        if low in ("people", "members") and index - 1 in inside:
            words += [] if _TEAMS & at_lows else [low]
            continue
        if low in PRONOUNS and low != "there":
            return ""
        is_open = low not in ("a", "an", "each", "every") if limited else low not in ("a", "an") or not index
        if limited and low in ("most", "least"):
            words.append(concepts.get("maximum", "maximum") if low == "most" else "minimum")
            continue
        is_open = is_open and not (low in ("a", "an") and at.group.lemma in _GENERIC)
        if (low in INDEFINITE and is_open) or low in CONJUNCTIONS or low in PAST_WORDS:
            return ""
        if low in DEICTIC_DAYS or low in PERIODS - {"time", "night", "morning"} or low in ADDITIVE:
            if not is_change:
                return ""
            continue
        if slot == "count" and low == "number" and low_at(tokens, index + 1) != "of":
            return ""  # it names something, and counts nothing
        if slot == "time" and low in ("until", "till") and "open" in at_lows:
            words.append("close")
        if low == "up" and low_at(tokens, index + 1) == "to" and not is_change:
            words.append(concepts.get("maximum", "maximum"))
        if low in PREPOSITIONS or not (low[0].isalnum() or low[0] in "#@/~."):
            continue
        is_when = low in _CALENDAR and index > 0 and tokens[index - 1].low in ("in", "on", "since", "last", "this")
        if is_change and (is_when or low in ("back", "out") or low in ("day", "days")):
            continue
        word = stem(low)
        if slot == "time" and word in ("open", "stay") and not at_lows.isdisjoint(("until", "till")):
            continue
        if word in verbs and index >= len(tokens) - len(at.rest) - 1:
            continue
        if slot == "count" and index - 1 in inside and word in KINDS:
            words.append(f"{word}-count")  # what is counted, and not of what kind the owner is
            continue
        said_by_value += [word] if concepts.get(word) == "" else []
        word = concepts.get(word, word)
        if word and word not in _LIGHT and word not in ("instead", "rather", "last"):
            words.append(word)
    words = words or said_by_value
    if slot == "version" and not _SEVERAL_VERSIONS.isdisjoint(words):
        return ""
    if all(word in table_words for word in words):
        words += owners  # "my weight": no weight but the user's
    topic = join_topic(words)
    if not at.group.rest and (set(topic.split()) <= _OPEN_LABELS or not _OPEN_WORDS.isdisjoint(at_lows)):
        return ""
    if topic == "users":
        topic = join_topic((*words, at.group.lemma, *verbs))
    own = [word for word in topic.split() if word != USER and word not in EPHEMERAL and word not in table_words]
    if own == ["maximum"] == topic.split():
        own = []  # "the limit is 5" does not say of what
    rows = at.frame.table.nouns.get(" ".join(word for word in words if word != USER), ())
    is_told = bool(own) or any(row.bare or (row.person and USER in words) for row in rows)
    return topic if is_told and len(words) <= _MAX_WORDS else ""
