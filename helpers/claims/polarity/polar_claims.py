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
from ...language.token import low_at, place_of, text_of
from ..clauses.clause_grammar import parse_group
from ..clauses.endings import lasts
from ..clauses.predicates import Tokens
from ..coreference.situations import passes
from ..grammar.corrections import parse_head
from ..model import Claim, Value, ValueKind
from .plain_words import (
    ACTS,
    BEING,
    DONE_TO,
    EARLIER,
    OPEN,
    STATES,
    STATIVE,
    STRICTER,
    TELLING,
    PlainClause,
    PolarValue,
    State,
    plain_clause,
    topic_of,
)
from .polar_frames import (
    parse_consent,
    parse_need,
    parse_order,
    parse_owning,
    parse_permission,
    parse_presence,
    parse_taste,
    parse_wish,
)

_WORDS: Final = read_classes(__file__)
POLAR: Final = "polar "
#: The slots of states: two texts that agree in one may say the same.
STATE_SLOTS: Final = frozenset(f"{POLAR}{slot}" for states in STATES.values() for slot, _ in states)
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
_OF_PERSON: Final = frozenset(slot.replace("_", " ") for slot in _WORDS["of_person"])
_AFTER_BACK: Final = ("", "at", "from", ",", "and")
#: Whoever is away is so for a while, and that ends all the same.
_ABSENCES: Final = ("absence", "holiday")
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
        group = parse_group(clause)
        is_done = group is not None and (group.is_past or group.perfect)
        plain = plain_clause(clause, me, is_done=is_done) if len(clause) <= _MOST else None
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
        values = [*_states(clause), *parse_presence(clause), *parse_owning(clause)]
    values = [*values, *parse_order(clause)]
    return values if lasts(clause.tokens) else [value for value in values if value.slot in _ABSENCES]


def _states(clause: PlainClause) -> list[PolarValue]:
    """Return the values of the first state that a clause tells of its subject, or of the object of what was done."""
    words, tokens = clause.words, clause.tokens
    for index in range(1, len(words)):
        for end in range(min(index + _LONGEST, len(words)), index, -1):
            phrase = " ".join(words[index:end])
            if index == 1 and phrase in DONE_TO and (words[0] in _DOERS or _is_name(clause, phrase, end)):
                return _state_poles(clause, DONE_TO[phrase], index, end, (tokens[end:],))
            copula = index - 1 - (words[index - 1] == "not")
            start = copula - (copula > 0 and words[copula - 1] == "not")
            is_state = phrase in BEING and copula >= 0 and words[copula] in _WORDS["copulas"]
            if is_state and words[copula] != "was":
                return _state_poles(clause, BEING[phrase], index, end, (tokens[:start], tokens[end:]))
            if phrase in TELLING:
                return _state_poles(clause, TELLING[phrase], index, end, (tokens[:index], tokens[end:]))
            if is_state:
                return _state_poles(clause, BEING[phrase], index, end, (tokens[:start], tokens[end:]))
    return []


def _state_poles(
    clause: PlainClause, states: tuple[State, ...], begin: int, end: int, about: tuple[Tokens, ...]
) -> list[PolarValue]:
    """Return the values of the state at `begin` to `end`, told of `about`: an object, or the words on either side."""
    words = clause.words
    is_object = len(about) == 1
    following = words[end] if end < len(words) else ""
    if words[begin] == "works" and (words[0] in _DOERS or following in _WORDS["working_at"]):
        states = tuple(state for state in states if state[0] != "working")
    if not states or not _is_whole(words, begin, end, is_object=is_object):
        return []
    slots, phrase = {slot for slot, _ in states}, " ".join(words[begin:end])
    # "Does not run asynchronously", "is not on", and words that hold a denial themselves.
    denied = not is_object and words[begin] != "not" and "not" in words[min(len(about[0]), begin - 1) : begin]
    is_by_somebody = following == "by" and words[end + 1 : end + 2] != ("default",)
    if (is_by_somebody and not _AGENT_ASIDE & slots) or (denied and phrase in STRICTER):
        return []
    is_of_person = not _OF_PERSON.isdisjoint(slots)
    if is_of_person and (not EARLIER.isdisjoint(words[end:]) or (phrase == "back" and following not in _AFTER_BACK)):
        return []  # "is divorced from his first wife", "went back to light mode"
    if is_object:
        about = (_to_comma(about[0], is_dated=clause.dated),)
    else:
        is_alone = is_by_somebody or is_of_person or states[0][0] in _OF_SUBJECT or ("course", "open") in states
        is_alone = is_alone or (states[0][0] in _HABITS and following not in PREPOSITIONS)
        is_alone = is_alone or (following == "for" and not _WORDS["works"].isdisjoint(words[end + 1 : end + 2]))
        if following == "with" and not _WORDS["by_means"].isdisjoint(slots):
            about, following = (about[0], about[1][place_of(about[1], ("for",)) :]), ""
        about = (about[0], () if is_alone else _to_comma(about[1], is_dated=clause.dated))
        following = "" if is_alone or is_object else following
    if phrase in TELLING or phrase in DONE_TO or words[begin - 1] in _WORDS["becoming"]:
        about = tuple(_without_clocks(part) for part in about)
    was = "was" in words[begin - 1 : begin + 1] or (denied and words[begin - 2] == "was")
    is_habit = states[0][0] in _HABITS and states[0][1] != "none"
    is_denied = "not" in words[begin - 1 : begin + 1]  # what is not so need not have changed
    is_told = is_habit or is_denied or words[begin - 1] in _WORDS["copulas"]
    changed = was or words[begin - 1] == "became" or not is_told
    is_dated = was and clause.dated and not about[-1]  # "was closed on 3 May"
    return [
        value
        for topic in _topics_of_state(clause, about, following, slots)
        for value in _values_of(topic, states, denied=denied, is_dated=is_dated, changed=changed)
    ]


def _topics_of_state(clause: PlainClause, about: tuple[Tokens, ...], following: str, slots: set[str]) -> list[str]:
    """Return what is in a state: all words together, two persons apart, or one thing and what completes its state."""
    pair = place_of(about[0], ("and",))
    if pair < len(about[0]) and not _OF_PERSON.isdisjoint(slots):
        return [topic_of(clause, about[0][:pair]), topic_of(clause, about[0][pair + 1 :])]
    if following == "with" and not _WORDS["completed"].isdisjoint(slots):
        return [topic_of(clause, sum(about, ()))]  # "A is compatible with B" and "B with A"
    if following in _WORDS["completing"] and len(about) > 1:
        who, what = topic_of(clause, about[0]), topic_of(clause, about[1])
        return [f"{who} > {what}"] if who and what else []
    return [topic_of(clause, *about)]


def _without_clocks(tokens: Tokens) -> Tokens:
    """Return the words of a change without those that say when it happened: "at 16:20", "this morning"."""
    cut = next((i for i in range(1, len(tokens)) if tokens[i].low in PERIODS and tokens[i - 1].low == "this"), 0)
    kept = (*tokens[: cut - 1], *tokens[cut + 1 :]) if cut else tokens
    return tuple(token for token in kept if not (token.low[0].isdigit() and ":" in token.low))


def _is_name(clause: PlainClause, phrase: str, end: int) -> bool:
    """Whether a name is told to have brought about the state of something: "Canada approved the visa"."""
    following = low_at(clause.tokens, end)
    is_act = phrase in ACTS and clause.tokens[0].text[0].isupper()
    return is_act and following.isalpha() and following not in PREPOSITIONS


def _is_whole(words: tuple[str, ...], begin: int, end: int, *, is_object: bool) -> bool:
    """Whether the words from `begin` to `end` are a state that holds now, and not part of another phrase."""
    phrase = " ".join(words[begin:end])
    following = words[end] if end < len(words) else ""
    is_taking = is_object or words[begin] in _WORDS["taking"] or words[end - 1] == "to"
    if not is_taking and following and following not in PREPOSITIONS and following not in _WORDS["after_state"]:
        return False
    if words[begin - 1] == "was" and phrase not in DONE_TO and phrase not in TELLING:
        return False
    return not (words[end - 1] in _PARTICLES and end - begin == 1 and following not in _AFTER_PARTICLE)


def _values_of(
    topic: str, states: tuple[State, ...], *, denied: bool, is_dated: bool, changed: bool
) -> list[PolarValue]:
    values = []
    for slot, value in states:
        if is_dated and slot in STATIVE and not any(letter.isdigit() for letter in topic):
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


def _to_comma(rest: Tokens, *, is_dated: bool) -> Tokens:
    """Return what follows a state, up to a comma, a reason or an event before it."""
    for index, token in enumerate(rest):
        following = low_at(rest, index + 1)
        is_event = token.low in ("after", "following") and (
            is_dated
            or following in DETERMINERS
            or following in ("all", "last")
            or low_at(rest, index + 2).removesuffix("s") in PERIODS
        )
        if token.low in (",", "and", "so", "as", "under") or (token.low, following) == ("with", "no") or is_event:
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
