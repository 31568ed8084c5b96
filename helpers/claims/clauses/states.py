"""Read the state that a thing is in: "caching is enabled", "the PR was merged", "we turned logging off" (C-40).

The table is closed: two words of one row with other values exclude each other, whatever the rest of the sentence looks
like, as long as it speaks of the same thing.
"""

from __future__ import annotations

from typing import Final

from ..grammar.subjects import USER
from ..grammar.topics import join_topic
from ..language.lexicon import EPHEMERAL
from ..language.terms import jobs
from ..model import Claim, Modality, Tense, Value, ValueKind
from ..values.dates import CALENDAR
from ..values.numbers import low_at
from .ending_phrases import without_when
from .endings import lasts, words_of
from .predicates import Predicate, Tokens

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
            "on": "enabled re-enabled reenabled on turned_on switched_on activated active",
            "off": "disabled off turned_off switched_off deactivated inactive",
        },
        "allowed": {
            "yes": "allowed permitted",
            "no": "forbidden prohibited banned disallowed",
        },
        "required": {"yes": "required mandatory compulsory obligatory", "no": "optional voluntary"},
        "public": {
            "yes": "public publicly_accessible publicly_available open-source open_source",
            "no": "private closed-source closed_source",
        },
        "open": {"yes": "open open_again reopened re-opened", "no": "closed shut shut_down"},
        "up": {
            "yes": "online up up_again back_up back_online running_again reachable in_service back_in_service",
            "no": "offline down unreachable out_of_service",
        },
        "active": {"yes": "active", "no": "inactive archived discontinued"},
        "locked": {"yes": "locked", "no": "unlocked"},
        "available": {"yes": "available", "no": "unavailable sold_out out_of_stock"},
        "passing": {
            "yes": "passing green fixed working_again repaired working",
            "no": "failing red broken out_of_order",
        },
        "encrypted": {"yes": "encrypted", "no": "unencrypted"},
        "cached": {"yes": "cached", "no": "uncached"},
        "valid": {"yes": "valid still_valid", "no": "expired invalid"},
        "live": {"yes": "live", "no": "rolled_back taken_down"},
        "armed": {"yes": "armed", "no": "disarmed"},
        "stable": {
            "yes": "stable production-ready generally_available ga",
            "no": "experimental unstable in_beta in_alpha",
        },
        "marital status": {
            "single": "single unmarried",
            "engaged": "engaged",
            "married": "married",
            "divorced": "divorced",
            "widowed": "widowed",
        },
        "place of work": {
            "home": "remote remotely fully_remote from_home",
            "office": "on_site on-site onsite from_the_office in_the_office",
        },
        "absence": {
            "away": (
                "on_leave on_parental_leave on_maternity_leave on_paternity_leave on_sick_leave on_sabbatical"
                " on_vacation on_holiday on_furlough"
            ),
            "here": "back back_at_work back_in_the_office",
        },
        "resolved": {"yes": "resolved fixed solved", "no": "unresolved unfixed ongoing unsolved"},
        "paid": {"yes": "paid settled", "no": "unpaid outstanding overdue"},
        "blocked": {"yes": "blocked", "no": "unblocked"},
        "protected": {"yes": "protected", "no": "unprotected"},
        "review": {
            "pending": (
                "pending under_review in_review awaiting_approval awaiting_review waiting_for_review"
                " waiting_for_approval a_draft draft being_examined"
            ),
            "approved": "approved accepted granted",
            "rejected": "rejected denied declined turned_down",
        },
        "progress": {
            "open": "not_started todo to_do pending",
            "ongoing": "ongoing in_progress underway under_way",
            "done": "done completed complete finished",
            "cancelled": "cancelled canceled abandoned called_off",
            "paused": "paused on_hold",
        },
        "mode": {"manual": "manual manually by_hand", "automatic": "automatic automated automatically"},
        "employment": {"full": "full-time full_time", "part": "part-time part_time"},
        "timing": {"yes": "synchronous synchronously", "no": "asynchronous asynchronously"},
        "sale": {"open": "for_sale on_sale up_for_sale", "sold": "sold"},
        "vacancy": {"yes": "vacant unfilled unoccupied", "no": "filled taken occupied"},
        "consent": {"in": "opt-in", "out": "opt-out"},
    }
)
#: Past forms of verbs that bring about a state -> (slot, value), beside the words of `STATES` that are past forms.
_ACTS: Final = {
    word: STATES[word]
    for word in (
        "re-enabled reenabled re-opened"
        " enabled disabled activated deactivated closed reopened locked unlocked archived resolved fixed solved paid"
        " approved rejected granted denied declined completed finished cancelled canceled abandoned paused blocked"
        " unblocked banned prohibited repaired filled sold encrypted expired armed disarmed automated"
    ).split()
} | {
    **{word: (("progress", "cancelled"), ("active", "no")) for word in ("cancelled", "canceled")},
    **{word: (*STATES[word], ("open", "no")) for word in ("resolved", "solved")},
    "merged": (("open", "no"), ("review", "approved")),
    "shipped": (("progress", "done"),),
    "resumed": (("progress", "ongoing"),),
}
_ABSENCES: Final = frozenset("leave vacation holiday sabbatical parental maternity paternity sick furlough".split())
#: Ranks in one job.
_LEVELS: Final = frozenset(("junior", "senior", "staff", "principal", "associate"))
_MAX_TITLE: Final = 4
_CAUSES: Final = frozenset(("since", "because", "due", "thanks", "following"))
_BECOMING: Final = frozenset("be become stay remain get go work run".split())
#: What comes between the verb and the state, and the words that may be the state: with and without such a word.
_FILLERS: Final = frozenset(("a", "an", "fully", "back", "still"))
_STATE_SPANS: Final = {
    False: ((0, 3), (0, 2), (0, 1)),
    True: ((0, 3), (1, 4), (1, 3), (1, 2), (0, 2), (0, 1)),
}
#: States of a person, whatever else the clause says of them.
_OF_PERSON: Final = frozenset(("absence", "marital status"))
_AFTER_PERSON: Final = frozenset(("from", "at", "after", "since", "to", "until", "this", "on", ",", "and"))
#: States in which a thing is for a while, so that the past says nothing of now.
_STATIVE: Final = frozenset(("open", "locked", "up", "blocked", "enabled", "passing", "armed", "available"))
#: These are states only where nothing goes on with them: "is on", but not "is on the roof".
_PARTICLES: Final = frozenset("on off up down done green red".split())
_AFTER_PARTICLE: Final = frozenset("in for at again since".split())
_TURNING: Final = frozenset(("turn", "switch"))
_STATUS_WORDS: Final = frozenset(("status", "state"))
#: "Ann's title is senior designer": Ann is one.
_OFFICES: Final = frozenset(("title", "job", "role", "position", "rank", "level"))
_OPPOSITE: Final = {"yes": "no", "no": "yes", "on": "off", "off": "on"}


def read_states(at: Predicate) -> list[Claim]:
    """The one state that a clause puts something in; none if it says none, or not for good."""
    group = at.group
    tokens = without_when(at.tokens) if group.is_past else at.tokens
    if group.modality is not Modality.FACT or at.frame.additive or not (lasts(tokens) or _is_absence(at.rest)):
        return []
    return _levelled(at) or _wed(at) or _copular(at) or _turned(at) or _made(at) or _acted(at)


def _levelled(at: Predicate) -> list[Claim]:
    """Read "Ann is a junior designer", "Ann was promoted to senior designer"."""
    group, rest = at.group, at.rest
    is_promoted = low_at(rest, 0) in ("promoted", "to") and group.is_past
    if group.negated or not at.subject or not (is_promoted or (group.lemma == "be" and not group.is_past)):
        return []
    words = [token.low for token in rest if token.low not in ("promoted", "to", "a", "an", "the", "now", "still")]
    end = next((i for i, word in enumerate(words) if word in jobs()), -1)
    if not words or words[0] not in _LEVELS or not 1 <= end <= _MAX_TITLE:
        return []
    title = tuple(token for token in rest if token.low in words[1 : end + 1])
    state = (("level", words[0]),)
    holder = at.subject[:-1] if len(at.subject) > 1 and at.subject[-1].low in _OFFICES else at.subject
    return _claims(at, state, words[0], (*holder, *title), is_change=is_promoted)


def _wed(at: Predicate) -> list[Claim]:
    """Read "Ann married Bob in June": Ann is married."""
    group = at.group
    if group.lemma != "marry" or group.passive or group.negated or not (group.is_past or group.perfect):
        return []
    is_spouse = bool(at.rest) and (at.rest[0].text[0].isupper() or at.rest[0].low in ("his", "her", "their", "my"))
    return _claims(at, STATES["married"], "married", at.subject, is_change=True) if is_spouse and at.subject else []


def _is_absence(rest: Tokens) -> bool:
    """Whether somebody is away, which never lasts, and ends all the same."""
    return low_at(rest, 0) == "on" and low_at(rest, 1) in _ABSENCES


def _copular(at: Predicate) -> list[Claim]:
    """Read "X is on", "X has become optional", "X was merged"."""
    if at.group.lemma not in _BECOMING or not at.subject:
        return []
    for begin, end in _STATE_SPANS[low_at(at.rest, 0) in _FILLERS]:
        words = " ".join(token.low for token in at.rest[begin:end])
        state = _ACTS.get(words) or STATES.get(words)
        if state is None or len(at.rest) < end:
            continue
        following = low_at(at.rest, end)
        is_default = following == "by" and low_at(at.rest, end + 1) == "default"
        if (words in _PARTICLES and following and following not in _AFTER_PARTICLE) or following == "with":
            return []
        if following == "by" and not is_default:
            return []
        is_act = words in _ACTS or words.startswith(("turned ", "switched ", "shut ", "rolled ", "taken "))
        if at.group.is_past and not at.group.perfect and not (is_act or at.group.lemma in ("become", "get", "go")):
            return []
        rest = _without_cause(without_when(at.rest[end:]) if at.group.is_past else at.rest[end:])
        is_one = any(letter.isdigit() for token in at.subject for letter in token.low)
        if (
            state[0][0] in _STATIVE
            and not is_one
            and at.group.is_past
            and not at.group.perfect
            and at.rest[end:]
            and not rest
        ):
            return []  # "was closed on 3 May": on that day
        if state[0][0] in _OF_PERSON:
            if low_at(rest, 0) and low_at(rest, 0) not in _AFTER_PERSON:
                return []
            rest = ()
        holders = _each(at.subject) if state[0][0] == "marital status" else [at.subject]
        change = at.group.is_past
        return [c for one in holders for c in _claims(at, state, words, (*one, *rest), is_change=change)]
    return []


def _each(subject: Tokens) -> list[Tokens]:
    """Both of "the user and Tom"."""
    cut = next((i for i, token in enumerate(subject) if token.low == "and"), 0)
    return [subject[:cut], subject[cut + 1 :]] if cut else [subject]


def _without_cause(rest: Tokens) -> Tokens:
    cut = next((i for i, token in enumerate(rest) if token.low in _CAUSES), len(rest))
    return rest[:cut]


def _turned(at: Predicate) -> list[Claim]:
    """Read "we turned X on", "X was switched off"."""
    is_done = at.group.is_past or at.group.perfect or at.group.passive
    if at.group.lemma not in _TURNING or not is_done or at.group.negated:
        return []
    index = next((i for i, token in enumerate(at.rest) if token.low in ("on", "off")), -1)
    is_particle = index >= 0 and not (index and low_at(at.rest, index + 1) == "the")
    if not is_particle:
        return []
    rest = tuple(token for i, token in enumerate(at.rest) if i != index and token.low != "back")
    about = (*at.subject, *rest) if at.group.passive else (*_actor(at), *rest)
    return _claims(at, (("enabled", at.rest[index].low),), at.rest[index].low, about, is_change=at.group.is_past)


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
    rest = at.rest[1:] if low_at(at.rest, 0) in ("down", "off", "up") else at.rest
    about = (*at.subject, *rest) if at.group.passive else (*_actor(at), *rest)
    return _claims(at, state, word, about, is_change=True) if about else []


def _actor(at: Predicate) -> Tokens:
    """Who did it, unless it is one of us."""
    return () if at.subject and at.subject[0].low in ("we", "i", "user") else at.subject


def _claims(at: Predicate, states: tuple[State, ...], words: str, about: Tokens, *, is_change: bool) -> list[Claim]:
    told = (
        token
        for token, before in zip(about, ("", *(one.low for one in about)), strict=False)
        if not (token.low[0].isdigit() and ":" in token.low)
        and not (is_change and token.low in CALENDAR and before in ("in", "on", "since", "last", "this"))
    )
    topic_words = words_of(told, at.frame.me)
    if topic_words is None or at.frame.time.tense is not Tense.NOW:
        return []
    own = [word for word in topic_words if word not in _STATUS_WORDS and word != USER]
    own = own or [word for word in topic_words if word == USER]
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
