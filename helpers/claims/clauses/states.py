"""Read the state that a thing is in: "caching is enabled", "the PR was merged", "we turned logging off" (C-40).

Two words of one row of `state_words` with other values exclude each other, whatever the rest of the sentence looks
like, as long as it speaks of the same thing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...language.lexicon import (
    ARTICLES,
    CALENDAR,
    DEFINITE,
    EPHEMERAL,
    NEUTRAL,
    PERIODS,
    POSSESSIVES,
    PREPOSITIONS,
    REASONS,
    SUBJECT_PRONOUNS,
)
from ...language.segment import tokenise
from ...language.tables import read_classes
from ...language.terms import jobs
from ...language.token import Token, low_at
from ..grammar.subjects import USER
from ..grammar.topics import join_topic
from ..model import Claim, Modality, Tense, Value, ValueKind
from ..values.readers import parse_value
from .ending_phrases import POSTS, WHEN, without_when
from .endings import lasts, words_of
from .habits import parse_habit
from .predicates import Predicate, Tokens
from .state_words import ACTS, STATES, STRICTER, State

_WORDS: Final = read_classes(__file__)

#: Ranks in one job.
_LEVELS: Final = _WORDS["levels"]
_MAX_TITLE: Final = 4
_BECOMING: Final = _WORDS["becoming"]
#: What follows one of these only says why, as what, or under what terms.
_ASIDE: Final = REASONS | {"as", "so", "under"}
_AFTERMATH: Final = DEFINITE | {"last", "all"}
_FILLERS: Final = _WORDS["fillers"]
_STATE_SPANS: Final = {
    False: ((0, 3), (0, 2), (0, 1)),
    True: ((0, 3), (1, 4), (1, 3), (1, 2), (0, 2), (0, 1)),
}
_FIRST_WORDS: Final = frozenset(phrase.split()[0] for phrase in (*STATES, *ACTS))
_KINDS_OF_ABSENCE: Final = {
    "leave": frozenset(("leave", "sabbatical", "furlough")),
    "vacation": frozenset(("vacation", "holiday", "holidays")),
}
#: States of a person, whatever else the clause says of them.
_OF_PERSON: Final = frozenset(("absence", "marital status", "married"))
_AFTER_PERSON: Final = _WORDS["after_person"] | {",", "and"}
#: States in which a thing is for a while, so that the past says nothing of now.
STATIVE: Final = _WORDS["stative"]
#: These are states only where nothing goes on with them: "is on", but not "is on the roof".
_PARTICLES: Final = _WORDS["particles"]
#: "Turned on", "rolled back": what is done with a thing, and no state.
_DOING: Final = (_PARTICLES - {"up"}) | {"back"}
_COMPLETED: Final = _WORDS["completed"]
_BY_MEANS: Final = _WORDS["by_means"]
_TURNING: Final = frozenset(("turn", "switch"))
_STATUS_WORDS: Final = frozenset(("status", "state"))
#: Words that tell one thing from the one that took its place.
_EARLIER: Final = _WORDS["earlier"]
_OURS: Final = (SUBJECT_PRONOUNS - {"you", "he", "she"}) | {USER, "everyone", "someone"}
_OPPOSITE: Final = {"yes": "no", "no": "yes", "on": "off", "off": "on"}


def parse_states(at: Predicate) -> list[Claim]:
    """The one state that a clause puts something in; none if it says none, or not for good."""
    group = at.group
    tokens = without_when(at.tokens) if group.is_past else at.tokens
    if group.modality is not Modality.FACT or at.frame.additive or not (lasts(tokens) or _is_absence(at.rest)):
        return []
    return _shown(at) or _levelled(at) or _wed(at) or _copular(at) or _turned(at) or _made(at) or _acted(at)


def _shown(at: Predicate) -> list[Claim]:
    """Read a state that a habit shows."""
    found = parse_habit(at)
    return [] if found is None else [replace(one, loose=True) for one in state_claims(*found, is_change=False)]


def _levelled(at: Predicate) -> list[Claim]:
    """Read "Ann is a junior designer", "Ann was promoted to senior designer"."""
    group, rest = at.group, at.rest
    if _LEVELS.isdisjoint([token.low for token in rest]):
        return []
    is_promoted = low_at(rest, 0) in ("promoted", "to") and group.is_past
    if group.negated or not at.subject or not (is_promoted or (group.lemma == "be" and not group.is_past)):
        return []
    words = [token.low for token in rest if token.low not in ARTICLES | NEUTRAL | {"promoted", "to"}]
    if not words or words[0] not in _LEVELS:
        return []
    end = next((i for i, word in enumerate(words) if word in jobs()), -1)
    if not 1 <= end <= _MAX_TITLE:
        return []
    title = tuple(token for token in rest if token.low in words[1 : end + 1])
    state = (("level", words[0]),)
    # "Ann's title is senior designer": Ann is one.
    holder = at.subject[:-1] if len(at.subject) > 1 and at.subject[-1].low in POSTS else at.subject
    return state_claims(at, state, words[0], (*holder, *title), is_change=is_promoted)


def _wed(at: Predicate) -> list[Claim]:
    """Read "Ann married Bob in June": Ann is married."""
    group = at.group
    if group.lemma != "marry" or group.passive or group.negated or not (group.is_past or group.perfect):
        return []
    is_spouse = bool(at.rest) and (at.rest[0].text[0].isupper() or at.rest[0].low in POSSESSIVES)
    return (
        state_claims(at, STATES["married"], "married", at.subject, is_change=True) if is_spouse and at.subject else []
    )


def _is_absence(rest: Tokens) -> bool:
    """Whether somebody is away, which never lasts, and ends all the same."""
    return low_at(rest, 0) == "on" and low_at(rest, 1) in _WORDS["absences"]


def _copular(at: Predicate) -> list[Claim]:
    """Read "X is on", "X has become optional", "X was merged"."""
    if at.group.lemma not in _BECOMING or not at.subject:
        return []
    for begin, end in _STATE_SPANS[low_at(at.rest, 0) in _FILLERS]:
        if low_at(at.rest, begin) not in _FIRST_WORDS:
            continue
        words = " ".join(token.low for token in at.rest[begin:end])
        state = ACTS.get(words) or STATES.get(words)
        if state is None or len(at.rest) < end:
            continue
        following = low_at(at.rest, end)
        is_default = following == "by" and low_at(at.rest, end + 1) == "default"
        if words in _PARTICLES and following and following not in ("in", "for", "again"):
            return []
        if following == "with" and not _COMPLETED.issuperset(slot for slot, _ in state):
            if at.group.negated or _BY_MEANS.isdisjoint(slot for slot, _ in state):
                return []
            at = at._replace(rest=at.rest[:end])
        if following == "by" and not is_default:
            return []
        is_act = words in ACTS or words.partition(" ")[2] in _DOING
        if at.group.is_past and not at.group.perfect and not (is_act or at.group.lemma in ("become", "get", "go")):
            return []
        rest = without_aside(without_when(at.rest[end:]) if at.group.is_past else at.rest[end:], at)
        is_one = any(letter.isdigit() for token in at.subject for letter in token.low)
        if (
            state[0][0] in STATIVE
            and not is_one
            and at.group.is_past
            and not at.group.perfect
            and at.rest[end:]
            and not rest
        ):
            return []  # "was closed on 3 May": on that day
        if state[0][0] in _OF_PERSON:
            if words == "back" and low_at(rest, 0) == "to" and low_at(rest, 1) != "work":
                return []  # "went back to light mode"
            if any(token.low in ("first", "second", "former") for token in rest):
                return []  # "is divorced from his first wife"
            if low_at(rest, 0) and low_at(rest, 0) not in _AFTER_PERSON:
                return []
            rest = ()
        holders = _each(at.subject) if state[0][0] in ("marital status", "married") else [at.subject]
        if state[0][0] == "absence":
            holders = [(*at.subject, *tokenise(kind)) for kind in _absences(words, at.rest[end:])]
        change = at.group.is_past
        return [c for one in holders for c in state_claims(at, state, words, (*one, *rest), is_change=change)]
    return []


def _absences(words: str, rest: Tokens) -> list[str]:
    """The kinds of absence that a clause speaks of: "back from vacation" ends no parental leave, "back" ends all."""
    told = {*words.split(), *(token.low for token in rest)}
    return [kind for kind, names in _KINDS_OF_ABSENCE.items() if names & told] or list(_KINDS_OF_ABSENCE)


def _each(subject: Tokens) -> list[Tokens]:
    """Both of "the user and Tom"."""
    cut = next((i for i, token in enumerate(subject) if token.low == "and"), 0)
    return [subject[:cut], subject[cut + 1 :]] if cut else [subject]


def without_aside(rest: Tokens, at: Predicate) -> Tokens:
    """What follows a state, without what only says why it is so, and without another clause."""
    for index, token in enumerate(rest):
        following = low_at(rest, index + 1)
        is_after = token.low == "after" and (following == "all" or (at.group.is_past and following in _AFTERMATH))
        is_other = token.low in (",", "and") and not any(
            one.low in CALENDAR or one.low in PERIODS or one.low in PREPOSITIONS for one in rest[index:]
        )
        if token.low in _ASIDE or is_after or is_other or (token.low == "," and index == 0):
            return rest[:index]
    return rest


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
    return state_claims(at, (("enabled", at.rest[index].low),), at.rest[index].low, about, is_change=at.group.is_past)


def _made(at: Predicate) -> list[Claim]:
    """Read "we made X public", "they keep X private"."""
    if at.group.lemma not in ("make", "keep", "set") or at.group.negated or len(at.rest) < 2:
        return []
    state = STATES.get(at.rest[-1].low)
    if state is None or (at.group.lemma != "keep" and not (at.group.is_past or at.group.perfect)):
        return []
    return state_claims(at, state, at.rest[-1].low, (*_actor(at), *at.rest[:-1]), is_change=at.group.lemma != "keep")


def _acted(at: Predicate) -> list[Claim]:
    """Read "we disabled X": the object is in the state now."""
    word = at.tokens[len(at.tokens) - len(at.rest) - 1].low if len(at.rest) < len(at.tokens) else ""
    state = ACTS.get(word)
    if state is None or not (at.group.is_past or at.group.perfect) or at.group.lemma == "be":
        return []
    if at.group.negated and not at.group.perfect:
        return []
    rest = at.rest[1:] if low_at(at.rest, 0) in ("down", "off", "up") else at.rest
    rest = without_aside(without_when(rest), at)
    about = (*at.subject, *rest) if at.group.passive else (*_actor(at, rest), *rest)
    return state_claims(at, state, word, about, is_change=True) if about else []


def _actor(at: Predicate, rest: Tokens = ()) -> Tokens:
    """Who did it, unless it is one of us, or it was done to a thing that all know by its name."""
    is_known = any(token.text[0].isupper() or any(letter.isdigit() for letter in token.low) for token in rest)
    is_ours = bool(at.subject) and at.subject[0].low in _OURS
    return () if is_ours or is_known else at.subject


def _with_clocks(tokens: Tokens) -> Tokens:
    """Tokens in which each time of day is written in one form: "6 pm" is 18:00."""
    told: list[Token] = []
    index = 0
    while index < len(tokens):
        parsed = parse_value(("clock",), tokens, index) if tokens[index].low[0].isdigit() else None
        if parsed is None:
            told.append(tokens[index])
            index += 1
            continue
        clock = f"{parsed.value.norm[0]:g}:"
        told.append(tokens[index]._replace(text=clock, low=clock))
        index = parsed.end
    return tuple(told)


def state_claims(
    at: Predicate, states: tuple[State, ...], words: str, about: Tokens, *, is_change: bool
) -> list[Claim]:
    about = (*about, *tokenise(" ".join(at.frame.scope)))
    told = (
        token
        for token, before in zip(_with_clocks(about), ("", *(one.low for one in about)), strict=False)
        if not (is_change and token.low[0].isdigit() and ":" in token.low)
        and not (is_change and token.low in CALENDAR and before in WHEN | {"last", "this"})
    )
    topic_words = words_of(told, at.frame.me)
    if topic_words is None or at.frame.time.tense is not Tense.NOW:
        return []
    own = [word for word in topic_words if word not in _STATUS_WORDS and word != USER]
    own += [token.low for token in about if token.low in _EARLIER]
    own = own or [word for word in topic_words if word == USER]
    topic = join_topic(own)
    if not own or (len(own) == 1 and own[0] in EPHEMERAL):
        return []
    if at.group.negated and words in STRICTER:
        return []
    claims = []
    for slot, said in states:
        value, polarity = said, True
        if at.group.negated:
            is_flipped = said in _OPPOSITE
            value, polarity = _OPPOSITE[said] if is_flipped else said, is_flipped
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
