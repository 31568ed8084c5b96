"""Read the state that a thing is in: "caching is enabled", "the PR was merged", "we turned logging off" (C-40).

The table is closed: two words of one row with other values exclude each other, whatever the rest of the sentence looks
like, as long as it speaks of the same thing.
"""

from __future__ import annotations

from typing import Final

from .dates import CALENDAR
from .endings import lasts, words_of
from .lexicon import EPHEMERAL
from .model import Claim, Modality, Tense, Value, ValueKind
from .numbers import low_at
from .predicates import Predicate, Tokens
from .subjects import USER
from .topics import join_topic

State = tuple[str, str]


def _table(rows: dict[str, dict[str, str]]) -> dict[str, tuple[State, ...]]:
    table: dict[str, tuple[State, ...]] = {}
    for slot, values in rows.items():
        for value, written in values.items():
            for words in written.split():
                form = words.replace("_", " ").strip()
                table[form] = (*table.get(form, ()), (slot, value))
    return table


#: Words after "is" or "became" -> (slot, value). Two words of one slot with other values exclude each other.
STATES: Final = _table(
    {
        "enabled": {
            "on": "enabled on turned_on switched_on activated",
            "off": "disabled off turned_off switched_off deactivated",
        },
        "allowed": {
            "yes": "allowed permitted",
            "no": "forbidden prohibited banned disallowed",
        },
        "required": {"yes": "required mandatory compulsory obligatory", "no": "optional voluntary"},
        "public": {"yes": "public", "no": "private"},
        "open": {"yes": "open open_again reopened", "no": "closed shut shut_down"},
        "up": {
            "yes": "online up up_again back_up back_online running_again reachable",
            "no": "offline down unreachable",
        },
        "active": {"yes": "active", "no": "inactive archived discontinued"},
        "locked": {"yes": "locked", "no": "unlocked"},
        "available": {"yes": "available", "no": "unavailable sold_out out_of_stock"},
        "passing": {"yes": "passing green", "no": "failing red broken"},
        "resolved": {"yes": "resolved fixed solved", "no": "unresolved unfixed ongoing unsolved"},
        "paid": {"yes": "paid settled", "no": "unpaid outstanding overdue"},
        "blocked": {"yes": "blocked", "no": "unblocked"},
        "protected": {"yes": "protected", "no": "unprotected"},
        "review": {
            "pending": "pending under_review in_review awaiting_approval",
            "approved": "approved accepted granted",
            "rejected": "rejected denied declined turned_down",
        },
        "progress": {
            "open": "not_started todo to_do pending",
            "ongoing": "in_progress underway under_way",
            "done": "done completed complete finished",
            "cancelled": "cancelled canceled abandoned",
            "paused": "paused on_hold",
        },
        "mode": {"manual": "manual manually", "automatic": "automatic automated automatically"},
        "employment": {"full": "full-time full_time", "part": "part-time part_time"},
        "timing": {"yes": "synchronous synchronously", "no": "asynchronous asynchronously"},
        "consent": {"in": "opt-in", "out": "opt-out"},
    }
)
#: Past forms of verbs that bring about a state -> (slot, value), beside the words of `STATES` that are past forms.
_ACTS: Final = {
    word: STATES[word]
    for word in (
        "enabled disabled activated deactivated closed reopened locked unlocked archived resolved fixed solved paid"
        " approved rejected granted denied declined completed finished cancelled canceled abandoned paused blocked"
        " unblocked banned prohibited"
    ).split()
} | {
    **{word: (("progress", "cancelled"), ("active", "no")) for word in ("cancelled", "canceled")},
    "merged": (("open", "no"),),
    "shipped": (("progress", "done"),),
    "resumed": (("progress", "ongoing"),),
}
_BECOMING: Final = frozenset("be become stay remain get go work run".split())
#: These are states only where nothing goes on with them: "is on", but not "is on the roof".
_PARTICLES: Final = frozenset("on off up down done green red".split())
_AFTER_PARTICLE: Final = frozenset("in for at again since".split())
_TURNING: Final = frozenset(("turn", "switch"))
_STATUS_WORDS: Final = frozenset(("status", "state"))
_OPPOSITE: Final = {"yes": "no", "no": "yes", "on": "off", "off": "on"}


def read_states(at: Predicate) -> list[Claim]:
    """The one state that a clause puts something in; none if it says none, or not for good."""
    group = at.group
    if group.modality is not Modality.FACT or at.frame.additive or not lasts(at.tokens):
        return []
    return _copular(at) or _turned(at) or _made(at) or _acted(at)


def _copular(at: Predicate) -> list[Claim]:
    """Read "X is on", "X has become optional", "X was merged"."""
    if at.group.lemma not in _BECOMING or not at.subject:
        return []
    begin = int(low_at(at.rest, 0) in ("a", "an", "fully", "back"))
    for count in (3, 2, 1):
        end = begin + count
        words = " ".join(token.low for token in at.rest[begin:end])
        state = STATES.get(words) or _ACTS.get(words)
        if state is None or len(at.rest) < end:
            continue
        following = low_at(at.rest, end)
        if (words in _PARTICLES and following and following not in _AFTER_PARTICLE) or following in ("by", "with"):
            return []
        is_act = words in _ACTS or words.startswith(("turned ", "switched ", "shut "))
        if at.group.is_past and not at.group.perfect and not (is_act or at.group.lemma in ("become", "get", "go")):
            return []
        return _claims(at, state, words, (*at.subject, *at.rest[end:]), is_change=at.group.is_past)
    return []


def _turned(at: Predicate) -> list[Claim]:
    """Read "we turned X on", "X was switched off"."""
    if at.group.lemma not in _TURNING or not (at.group.is_past or at.group.perfect) or at.group.negated:
        return []
    index = next((i for i, token in enumerate(at.rest) if token.low in ("on", "off")), -1)
    is_particle = index >= 0 and not (index and low_at(at.rest, index + 1) == "the")
    if not is_particle:
        return []
    rest = tuple(token for i, token in enumerate(at.rest) if i != index and token.low != "back")
    about = (*at.subject, *rest) if at.group.passive else (*_actor(at), *rest)
    return _claims(at, (("enabled", at.rest[index].low),), at.rest[index].low, about, is_change=True)


def _made(at: Predicate) -> list[Claim]:
    """Read "we made X public", "they keep X private"."""
    if at.group.lemma not in ("make", "keep", "set") or at.group.negated or len(at.rest) < 2:
        return []
    state = STATES.get(at.rest[-1].low)
    if state is None or (at.group.lemma != "keep" and not (at.group.is_past or at.group.perfect)):
        return []
    return _claims(at, state, at.rest[-1].low, (*_actor(at), *at.rest[:-1]), is_change=at.group.lemma != "keep")


def _acted(at: Predicate) -> list[Claim]:
    """Read "we disabled X": the object is in the state now."""
    word = at.tokens[len(at.tokens) - len(at.rest) - 1].low if len(at.rest) < len(at.tokens) else ""
    state = _ACTS.get(word)
    if state is None or not (at.group.is_past or at.group.perfect) or at.group.lemma == "be":
        return []
    if at.group.negated and not at.group.perfect:
        return []
    about = (*at.subject, *at.rest) if at.group.passive else (*_actor(at), *at.rest)
    return _claims(at, state, word, about, is_change=True) if about else []


def _actor(at: Predicate) -> Tokens:
    """Who did it, unless it is one of us."""
    return () if at.subject and at.subject[0].low in ("we", "i", "user") else at.subject


def _claims(at: Predicate, states: tuple[State, ...], words: str, about: Tokens, *, is_change: bool) -> list[Claim]:
    told = (
        token
        for token in about
        if not (token.low[0].isdigit() and ":" in token.low) and not (is_change and token.low in CALENDAR)
    )
    topic_words = words_of(told, at.frame.me)
    if topic_words is None or at.frame.time.tense is not Tense.NOW:
        return []
    own = [word for word in topic_words if word not in _STATUS_WORDS and word != USER] or list(topic_words)
    topic = join_topic([*own, *at.frame.scope])
    if not own or (len(own) == 1 and own[0] in EPHEMERAL):
        return []
    claims = []
    for slot, said in states:
        value, polarity = said, True
        if at.group.negated:
            value, polarity = _OPPOSITE.get(said, said), said in _OPPOSITE
        claims.append(
            Claim(
                subject=topic,
                slot=slot,
                value=Value(ValueKind.FLAG, words, (value,)),
                polarity=polarity,
                modality=at.frame.modality,
                correction=at.frame.correction and not at.frame.additive,
                start=at.tokens[0].start,
                end=at.tokens[-1].end,
                change=is_change or at.group.ended or at.group.perfect,
                topic=topic,
            )
        )
    return claims
