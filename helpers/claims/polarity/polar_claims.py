"""Read the state of a thing, and what is allowed, needed or wanted, in any order of the words.

"Interns may deploy to production" and "deploying to production is forbidden for interns" leave the same words.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from ...language.lexicon import (
    DETERMINERS,
    EPHEMERAL,
    ESTIMATE_WORDS,
    HYPOTHESIS_WORDS,
    PARTICLES,
    PERIODS,
    PLAN_WORDS,
    PREPOSITIONS,
    RECOMMENDATION_WORDS,
    TIME_OPENERS,
)
from ...language.modality import is_inverted
from ...language.openers import parse_opening
from ...language.segment import Sentence, split_clauses
from ...language.tables import read_classes
from ...language.token import low_at, text_of
from ..clauses.ending_phrases import without_when
from ..clauses.endings import lasts
from ..clauses.predicates import Tokens
from ..clauses.states import STATIVE, STRICTER
from ..coreference.situations import passes
from ..grammar.corrections import parse_head
from ..model import Claim, Value, ValueKind
from .plain_words import BEING, DONE_TO, OPEN, TELLING, PlainClause, PolarValue, plain_clause, topic_of
from .polar_frames import (
    parse_consent,
    parse_need,
    parse_order,
    parse_permission,
    parse_presence,
    parse_taste,
    parse_wish,
)

_WORDS: Final = read_classes(__file__)
POLAR: Final = "polar "
_DOERS: Final = frozenset(("we", "i", "user"))
#: The most words of a state.
_LONGEST: Final = max(len(phrase.split()) for phrase in (*BEING, *DONE_TO, *TELLING))
_MOST: Final = 28
#: Words beside which nothing is a fact; a wish may have "want" and "must".
_UNSURE: Final = ((HYPOTHESIS_WORDS | PLAN_WORDS | RECOMMENDATION_WORDS | ESTIMATE_WORDS) - _WORDS["unsure"]) | {
    "reportedly"
}
#: Words that are states only if nothing follows them: "is on", but not "is on the roof".
_PARTICLES: Final = PARTICLES | {"through", "here", "live"}
_AFTER_PARTICLE: Final = _WORDS["after_particle"] | {"", ","}
#: Slots that are about their subject alone.
_OF_SUBJECT: Final = frozenset(
    ("pregnancy", "stay in hospital", "life", "household", "working life", "whereabouts", "filling")
)
#: Slots of habits, which need no time or place: "eats turkey at Thanksgiving" is none.
_HABITS: Final = frozenset(("eating of meat", "smoking", "alcohol"))
#: Slot -> nouns that say nothing beside such a state.
_SAYS_NOTHING: Final = {
    **dict.fromkeys(("openness", "public", "source", "open"), frozenset(("source", "code"))),
    "way of working": frozenset(("work",)),
    "living together": _WORDS["says_nothing"],
}
#: Nouns of which there is always another one.
_ONE_OF_MANY: Final = (EPHEMERAL - {"issue", "ticket", "bug"}) | _WORDS["one_of_many"]
_AGENT_ASIDE: Final = frozenset(("blocked", "solution", "resolved", "decision", "course", "filling"))


def parse_polar_claims(sentence: Sentence, me: str) -> list[Claim]:
    """Return the polar claims of a sentence; none for a question, a quotation or a condition."""
    tokens = sentence.tokens
    lows = {token.low for token in tokens}
    if sentence.asks or sentence.quoted or is_inverted([token.low for token in tokens]) or "according" in lows:
        return []
    if not _UNSURE.isdisjoint(lows) or (
        tokens[0].low in TIME_OPENERS and not tokens[-1 if len(tokens) < 2 else 1].low.endswith("ing")
    ):
        return []
    if "not" in lows and any(a.low == "not" and b.low == "that" for a, b in pairwise(tokens)):
        return []
    opening = parse_opening(tokens)
    corrects = opening.correction or parse_head(tokens) is not None
    is_passing = passes(tokens)
    claims: list[Claim] = []
    for clause in (clause.tokens for clause in split_clauses(tokens[opening.end :]) if not clause.relative):
        plain = plain_clause(clause, me) if len(clause) <= _MOST else None
        values = _polar_values(plain, is_passing=is_passing) if plain is not None and plain.words else []
        claims += [_claim(plain, polar, clause, corrects) for polar in values if plain is not None and polar.topic]
    return claims


def _polar_values(clause: PlainClause, *, is_passing: bool) -> list[PolarValue]:
    is_until = is_passing and clause.words[0] in ("not", "nothing") and "until" in clause.words
    consent = parse_consent(clause) if is_until or not is_passing else []
    if consent or is_passing:
        return consent
    is_open = not OPEN.isdisjoint(clause.words) and parse_order(clause) == []
    if is_open or (clause.words[0] not in _DOERS and not _WORDS["reporters"].isdisjoint(clause.words)):
        return []
    for frame in (parse_wish, parse_taste, parse_need, parse_permission):
        values = frame(clause)
        if values:
            break
    else:
        values = [*_states(clause), *parse_presence(clause)]
    values = [*values, *parse_order(clause)]
    return values if values and lasts(clause.tokens) else []


def _states(clause: PlainClause) -> list[PolarValue]:
    """Return the values of the first state that a clause tells of its subject, or of the object of what was done."""
    words, tokens = clause.words, clause.tokens
    for index in range(1, len(words)):
        for end in range(min(index + _LONGEST, len(words)), index, -1):
            phrase = " ".join(words[index:end])
            start = index - 1 - (words[index - 1] == "not")
            if index == 1 and words[0] in _DOERS and phrase in DONE_TO:
                return _state_poles(clause, DONE_TO[phrase], index, end, (tokens[end:],))
            if phrase in TELLING:
                return _state_poles(clause, TELLING[phrase], index, end, (tokens[:index], tokens[end:]))
            if phrase in BEING and start >= 0 and words[start] in _WORDS["copulas"]:
                return _state_poles(clause, BEING[phrase], index, end, (tokens[:start], tokens[end:]))
    return []


def _state_poles(
    clause: PlainClause, states: tuple[tuple[str, str], ...], begin: int, end: int, about: tuple[Tokens, ...]
) -> list[PolarValue]:
    """Return the values of the state at `begin` to `end`, told of `about`: an object, or the words on either side."""
    words = clause.words
    is_object = len(about) == 1
    following = words[end] if end < len(words) else ""
    if words[begin] == "works" and (words[0] in _DOERS or following in _WORDS["working_at"]):
        states = tuple(state for state in states if state[0] != "working")
    if not states or not _is_whole(words, begin, end, is_object=is_object):
        return []
    slots = {slot for slot, _ in states}
    denied = not is_object and words[begin - 1] == "not" and words[begin] != "not"
    phrase = " ".join(words[begin:end])
    if (following == "by" and not _AGENT_ASIDE & slots) or (denied and phrase in STRICTER):
        return []
    if not is_object:
        is_alone = following == "by" or states[0][0] in _OF_SUBJECT or ("course", "open") in states
        is_alone = is_alone or (states[0][0] in _HABITS and following not in PREPOSITIONS)
        is_alone = is_alone or (following == "for" and not _WORDS["works"].isdisjoint(words[end + 1 : end + 2]))
        about = (about[0], () if is_alone else _to_comma(about[1]))
        following = "" if is_alone else following
    if phrase in TELLING or phrase in DONE_TO:
        about = tuple(without_when(part) for part in about)
    topic = topic_of(clause, *about)
    if following in _WORDS["completing"] and not is_object:
        who, topic = topic_of(clause, about[0]), topic_of(clause, about[1])
        topic = f"{who} > {topic}" if who and topic else ""
    was = words[begin - 1] == "was" or (denied and words[begin - 2] == "was")
    is_habit = states[0][0] in _HABITS and states[0][1] != "none"
    is_denied = "not" in words[begin - 1 : begin + 1]  # what is not so need not have changed
    is_told = is_habit or is_denied or words[begin - 1] in _WORDS["copulas"]
    changed = was or words[begin - 1] == "became" or not is_told
    return [] if topic in EPHEMERAL else _values_of(topic, states, denied=denied, was=was, changed=changed)


def _is_whole(words: tuple[str, ...], begin: int, end: int, *, is_object: bool) -> bool:
    """Whether the words from `begin` to `end` are a state that holds now, and not part of another phrase."""
    phrase = " ".join(words[begin:end])
    following = words[end] if end < len(words) else ""
    is_taking = is_object or words[begin] in _WORDS["taking"] or words[end - 1] == "to"
    if not is_taking and following and following not in PREPOSITIONS and following not in (",", "again", "and", ":"):
        return False
    if words[begin - 1] == "was" and phrase not in DONE_TO and phrase not in TELLING:
        return False
    return not (words[end - 1] in _PARTICLES and end - begin == 1 and following not in _AFTER_PARTICLE)


def _values_of(
    topic: str, states: tuple[tuple[str, str], ...], *, denied: bool, was: bool, changed: bool
) -> list[PolarValue]:
    values = []
    for slot, value in states:
        if was and slot in STATIVE:
            continue
        if slot == "solution" and _WORDS["issues"].isdisjoint(topic.split()) and not any(c.isdigit() for c in topic):
            continue
        if slot in ("course", "progress") and not _ONE_OF_MANY.isdisjoint(topic.split()):
            continue
        topic = " ".join(word for word in topic.split() if word not in _SAYS_NOTHING.get(slot, ()))
        values.append(PolarValue(slot, value, topic, denied=denied, change=changed))
    if ("life", "no") in states and topic in _WORDS["pets"]:
        values.append(PolarValue("presence", "no", topic, change=True))
    return [] if topic in EPHEMERAL else values


def _to_comma(rest: Tokens) -> Tokens:
    """Return what follows a state, up to a comma, a reason or an event before it."""
    for index, token in enumerate(rest):
        following = low_at(rest, index + 1)
        is_event = token.low in ("after", "following") and (
            following in DETERMINERS or following == "all" or low_at(rest, index + 2).removesuffix("s") in PERIODS
        )
        if token.low in (",", "and", "so", "as") or (token.low, following) == ("with", "no") or is_event:
            return rest[:index]
    return rest


def _claim(clause: PlainClause, polar: PolarValue, tokens: Tokens, corrects: bool) -> Claim:
    value, polarity = polar.settled()
    written = [token for token in clause.tokens if token.end]
    start, end = polar.span or (min(token.start for token in written), max(token.end for token in written))
    end = next((token.end for token in tokens if token.low == "now" and token.start >= end), end)
    return Claim(
        subject=polar.topic,
        slot=POLAR + polar.slot,
        value=Value(ValueKind.FLAG, text_of(clause.tokens), (value,)),
        polarity=polarity,
        correction=corrects,
        start=start,
        end=end,
        change=polar.change or clause.ended,
        topic=polar.topic,
        loose=True,
    )
