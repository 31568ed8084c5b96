"""Read one value and the words around it, in whatever order they stand: the same words with another value (C-39, C-43).

"Deleted files stay in the trash for 30 days" is no slot of the table; but it holds one amount of time, and what is
left of the sentence says of what. Two such sentences with the same words and two amounts of one kind contradict each
other. Only what holds still is read: a statement in the present with a verb of `_STILL`, or a finished change.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from .dates import CALENDAR as _CALENDAR
from .dates import read_clock, read_date, read_frequency
from .lexicon import (
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
from .model import NOW, Claim, ClaimTime, Modality, ValueKind
from .names import read_address, read_email, read_host, read_path, read_phone, read_term, read_timezone, read_url
from .numbers import Parsed, low_at, read_money, read_number, singular
from .predicates import Predicate, Tokens
from .subjects import USER
from .terms import SERVING
from .topics import join_topic, stem
from .verb_groups import CHANGE_LEMMAS
from .verbs import BE_PAST, BE_PRESENT, DO_FORMS, HAVE_FORMS

#: Verbs that say how a thing is, and not what happened or what else there may be.
_STILL: Final = frozenset(
    (
        "be have stay remain last take run start begin end close open leave depart arrive expire time retain keep store"
        " save hold delete purge archive cost charge pay earn weigh measure allow accept permit limit cap restrict"
        " retry release wait answer respond reply process handle poll scrape refresh sync rotate repeat employ consist"
        " contain comprise guarantee write set configure default need require manage work lead"
    ).split()
)
#: Verbs by which one thing of a family serves a purpose.
_SERVING_VERBS: Final = frozenset(
    (
        "be write host deploy run encrypt sign hash format manage handle power style test build do track monitor cache"
        " serve bundle lint compile generate publish implement develop code name store"
    ).split()
)
_OLD_MARKS: Final = frozenset(("from", "not", "than", "of"))
_BEFORE_VALUE: Final = frozenset("the a an at on in to for of by with up down back only".split())
#: What follows one of these only says why or since when.
_REASONS: Final = frozenset(("because", "due", "since", "following", "thanks", "owing"))
_COUNT_MARKS: Final = frozenset(
    ("", ":", "=", "with", "of", "to", "from", "not", "than", "most", "least", "only", "into")
)
_RESULT_MARKS: Final = frozenset("to into in on at under with as".split())
_DROPPED_OWNERS: Final = frozenset(("their", "his", "her", "its"))
_AUXILIARY: Final = BE_PAST | BE_PRESENT | HAVE_FORMS | DO_FORMS | {"be", "been", "being", "can", "may"}
_MAX_WORDS: Final = 10
_LIGHT: Final = CHANGE_LEMMAS | frozenset(
    "be have do set configure get become make grow shrink total exactly only there maximum-of up down back".split()
)
#: Dimension -> stem -> the word that stands for it beside such a value; empty: the value says as much.
_CONCEPTS: Final[dict[str, dict[str, str]]] = {
    "duration": {
        **dict.fromkeys("keep retain retention store save".split(), "retention"),
        **dict.fromkeys("expire expiry ttl lifetime valid validity".split(), "lifetime"),
        **dict.fromkeys(("timeout", "time", "out"), "timeout"),
        **dict.fromkeys("last duration take long length period work".split(), ""),
    },
    "size": {
        **dict.fromkeys(("limit", "maximum", "quota", "cap"), "limit"),
        **dict.fromkeys(("ram", "memory"), "memory"),
        **dict.fromkeys(("storage", "drive", "disk"), "disk"),
        **dict.fromkeys(("size", "big", "large", "bigger", "larger", "capacity"), ""),
    },
    "price": {
        **dict.fromkeys(("price", "cost", "charge", "fee"), "price"),
        **dict.fromkeys(("salary", "earn", "wage"), "salary"),
        "pay": "",
    },
    "rate": {
        **dict.fromkeys("limit throttle cap quota allow accept permit maximum".split(), "limit"),
        **dict.fromkeys(("rate", "send"), ""),
    },
    "date": {
        **dict.fromkeys("start begin run kick off place take happen occur hold schedule date day".split(), ""),
        "due": "deadline",
    },
    "time": {
        **dict.fromkeys("start begin run kick off place take happen occur hold schedule time daily".split(), ""),
        "depart": "leave",
    },
    "count": dict.fromkeys(("run", "employ", "size"), ""),
    "frequency": {**dict.fromkeys("run happen occur take place interval go out".split(), "")},
}


class _Found(NamedTuple):
    """A value at `begin` of the clause, its slot, and whether the words before it rule it out."""

    begin: int
    parsed: Parsed
    slot: str
    denied: bool


def read_free(at: Predicate) -> list[Claim]:
    """The claims of a clause that says one value of one thing; none of any other."""
    group, frame = at.group, at.frame
    is_change = (group.is_past or group.perfect) and group.lemma in CHANGE_LEMMAS
    if group.negated or group.modality is not Modality.FACT or frame.additive or (group.is_past and not is_change):
        return []
    if frame.time is not NOW:
        return []
    tokens = _without_reason(at.tokens)
    begin = len(at.tokens) - len(at.rest) if at.subject else 0
    by_slot: dict[str, list[_Found]] = {}
    for one in _values(tokens):
        if one.begin >= begin or not at.group.lemma:
            by_slot.setdefault(one.slot, []).append(one)
    return [claim for slot, found in by_slot.items() for claim in _claims(at, tokens, slot, found, is_change=is_change)]


def _claims(at: Predicate, tokens: Tokens, slot: str, found: list[_Found], *, is_change: bool) -> list[Claim]:
    """The claims of one slot: one value that is said, and those that are ruled out beside it."""
    frame = at.frame
    affirmed = [one for one in found if not one.denied]
    if len(affirmed) != 1:
        return []
    verbs = _SERVING_VERBS if affirmed[0].parsed.value.kind is ValueKind.TERM else _STILL
    if not is_change and at.group.lemma not in verbs:
        return []
    if is_change and not _is_result(tokens, affirmed[0].begin):
        return []
    if is_change and slot == "count" and _has_other_number(tokens, found):
        return []
    topic = _topic(tokens, found, slot, at, is_change=is_change)
    if not topic:
        return []
    return [
        Claim(
            subject=topic,
            slot=slot,
            value=one.parsed.value,
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


def is_bare_plural(tokens: Tokens) -> bool:
    """Whether a subject speaks of a kind of thing ("servers"), and not of some that are known."""
    if not tokens or tokens[0].low in ("the", "my", "our", "all") or any(t.text[0].isupper() for t in tokens[1:]):
        return False
    return singular(tokens[-1].low) != tokens[-1].low and "'" not in "".join(token.low for token in tokens)


def _without_reason(tokens: Tokens) -> Tokens:
    cut = next((i for i, token in enumerate(tokens) if i > 1 and token.low in _REASONS), len(tokens))
    return tokens[:cut]


def _values(tokens: Tokens) -> Iterator[_Found]:
    index = 0
    while index < len(tokens):
        read = _value_at(tokens, index)
        if read is None:
            index += 1
            continue
        parsed, slot = read
        yield _Found(index, parsed, slot, _is_denied(tokens, index))
        index = parsed.end


def _value_at(tokens: Tokens, index: int) -> tuple[Parsed, str] | None:
    """The value that begins at `index`, with the slot that its type gives."""
    low = tokens[index].low
    if "@" in low[1:]:
        return _typed(read_email(tokens, index), "e-mail")
    if low.startswith("http"):
        return _typed(read_url(tokens, index), "url")
    frequency = read_frequency(tokens, index)
    if frequency:
        return frequency, "frequency"
    if low[0].isdigit() or low[0] in "$€£+" or low in ("noon", "midnight"):
        phone = read_phone(tokens, index)
        if phone and phone.end > index + 1:
            return phone, "phone"
        return (
            _typed(read_money(tokens, index), "price")
            or _typed(read_clock(tokens, index), "time")
            or _dated(tokens, index)
            or _number(tokens, index)
            or _host(tokens, index)
        )
    if low[0] in "/~." or "/" in low:
        address = read_address(tokens, index)
        if address:
            return address, "url"
        return _typed(read_path(tokens, index), "path") or _term(tokens, index) or _zone(tokens, index)
    if "." in low or "-" in low:
        address = read_address(tokens, index)
        if address:
            return address, "url"
        return _typed(read_path(tokens, index), "path") or _host(tokens, index) or _term(tokens, index)
    return _dated(tokens, index) or _number(tokens, index) or _zone(tokens, index) or _term(tokens, index)


def _host(tokens: Tokens, index: int) -> tuple[Parsed, str] | None:
    """A machine, but not a word with a number that goes on with a name ("the team-3 parser")."""
    parsed = read_host(tokens, index)
    return (parsed, "host") if parsed and not _is_noun(low_at(tokens, parsed.end)) else None


def _typed(parsed: Parsed | None, slot: str) -> tuple[Parsed, str] | None:
    return (parsed, slot) if parsed else None


def _dated(tokens: Tokens, index: int) -> tuple[Parsed, str] | None:
    if tokens[index].low in PREPOSITIONS:
        return None
    parsed = read_date(tokens, index)
    is_day = parsed is not None and parsed.value.norm[0] == "day" and 0.0 not in parsed.value.norm[2:]
    return (parsed, "date") if parsed and is_day else None


def _zone(tokens: Tokens, index: int) -> tuple[Parsed, str] | None:
    return _typed(read_timezone(tokens, index), "timezone") if tokens[index].low != "the" else None


def _term(tokens: Tokens, index: int) -> tuple[Parsed, str] | None:
    parsed = read_term(tokens, index, SERVING)
    if parsed is None or _is_noun(low_at(tokens, parsed.end)):
        return None  # "a Greek organisation" is not in Greek
    return parsed, str(parsed.value.norm[0])


def _is_noun(low: str) -> bool:
    """Whether the word after a value goes on with its noun phrase."""
    ends = PREPOSITIONS | NEUTRAL | CONJUNCTIONS | ADDITIVE | _AUXILIARY | {"not", "instead", "rather", "any", "these"}
    return low[:1].isalpha() and low not in ends


_SLOT_OF: Final = {"time": "duration", "months": "duration", "data": "size", "percent": "percentage"}


def _number(tokens: Tokens, index: int) -> tuple[Parsed, str] | None:
    """A number with its unit, or one that counts what follows; one that follows a noun is a name ("room 204")."""
    parsed = read_number(tokens, index)
    if parsed is None:
        return None
    dimension = str(parsed.value.norm[0])
    if dimension:
        return parsed, _SLOT_OF.get(dimension, "rate" if "/" in dimension else dimension)
    before, after = low_at(tokens, index - 1) if index else "", low_at(tokens, parsed.end)
    if after == "of" or not _is_counted(before):
        return None
    if not after.isalpha() or after in _AUXILIARY or after in PREPOSITIONS or after in NEUTRAL:
        is_last = not before or before in _AUXILIARY or before in _BEFORE_VALUE or before in (":", "=", "not", "than")
        return (parsed, "count") if is_last else None
    return parsed, "count"


def _is_counted(before: str) -> bool:
    """Whether what stands before a number says that a thing has so many: "has 5", "runs with 5", but not "near 5"."""
    return before in _COUNT_MARKS or before in _AUXILIARY or stem(before) in _STILL


def _is_denied(tokens: Tokens, index: int) -> bool:
    """Whether the words in front rule the value out: "from 5", "not 5", "instead of 5", "rather than 5"."""
    index -= 1
    while index >= 0 and tokens[index].low in _BEFORE_VALUE - {"of"}:
        index -= 1
    if index < 0:
        return False
    low, before = tokens[index].low, tokens[index - 1].low if index else ""
    return low in ("from", "not") or (low, before) in (("of", "instead"), ("than", "rather"))


def _has_other_number(tokens: Tokens, found: list[_Found]) -> bool:
    """Whether a number beside the values says by how much something changed ("by 10 to 20")."""
    inside = {i for one in found for i in range(one.begin, one.parsed.end)}
    return any(token.low.isdecimal() and index not in inside for index, token in enumerate(tokens))


def _is_result(tokens: Tokens, index: int) -> bool:
    """Whether a value is what something was changed to: "to 5", "in Go"."""
    index -= 1
    while index > 0 and tokens[index].low in ("the", "a", "an", "only", "about"):
        index -= 1
    return tokens[index].low in _RESULT_MARKS


def _topic(tokens: Tokens, found: list[_Found], slot: str, at: Predicate, *, is_change: bool) -> str:
    """The words outside the values, in one form each; empty if they do not say of what the value is said."""
    concepts = _CONCEPTS.get(slot, {})
    table_words = at.frame.table.words
    is_kind = is_bare_plural(at.subject) and at.group.lemma in ("have", "contain", "consist", "comprise")
    if is_kind:
        return ""
    inside = {i for one in found for i in range(one.begin, one.parsed.end)}
    words: list[str] = list(at.frame.scope)
    verbs = {at.group.lemma, stem(low_at(at.rest, 0))} if found[0].parsed.value.kind is ValueKind.TERM else set()
    for index, token in enumerate(tokens):
        low = token.low.removesuffix("'s")
        if (
            index in inside
            or low in _AUXILIARY
            or low in ("we", "our", "us")
            or low in _DROPPED_OWNERS
            or low in NEUTRAL
            or low == "all"
        ):
            continue
        if low in FIRST_PERSON or low == "my":
            words.append(at.frame.me)
            continue
        if low == "people" and index - 1 in inside:
            words.append(low)
            continue
        if low in PRONOUNS and low != "there":
            return ""
        if (low in INDEFINITE and (low not in ("a", "an") or not index)) or low in CONJUNCTIONS or low in PAST_WORDS:
            return ""
        if low in DEICTIC_DAYS or low in PERIODS - {"time", "night", "morning"} or low in ADDITIVE:
            if not is_change:
                return ""
            continue
        if low == "up" and low_at(tokens, index + 1) == "to" and not is_change:
            words.append("maximum")
        if low in PREPOSITIONS or not (low[0].isalnum() or low[0] in "#@/~."):
            continue
        if is_change and (low in _CALENDAR or low in ("day", "days")):
            continue
        word = stem(low)
        if word in verbs and index >= len(tokens) - len(at.rest) - 1:
            continue
        word = concepts.get(word, word)
        if word and word not in _LIGHT and word not in ("instead", "rather", "last"):
            words.append(word)
    topic = join_topic(words)
    own = [word for word in topic.split() if word != USER and word not in EPHEMERAL and word not in table_words]
    rows = at.frame.table.nouns.get(" ".join(word for word in words if word != USER), ())
    is_told = bool(own) or any(row.bare or (row.person and USER in words) for row in rows)
    return topic if is_told and len(words) <= _MAX_WORDS else ""


__all__ = ["ClaimTime", "read_free"]
