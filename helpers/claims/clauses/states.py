"""Read the state that a thing is in: "caching is enabled", "the PR was merged", "we turned logging off".

Two words of one row of `state_words` with other values exclude each other, said of the same thing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from ...language.lexicon import CALENDAR, DEFINITE, EPHEMERAL, PERIODS, PREPOSITIONS, REASONS, SUBJECT_PRONOUNS
from ...language.segment import tokenise
from ...language.tables import read_classes, read_table
from ...language.token import Token, low_at, place_of
from ..grammar.subjects import USER
from ..grammar.topics import join_topic
from ..model import Claim, Modality, Tense, Value, ValueKind
from ..values.readers import parse_value
from .ending_phrases import WHEN, without_when
from .endings import lasts, words_of
from .predicates import Predicate, Tokens

_TABLE: Final = read_table(__file__, "state_words")
#: Words stricter than their state, so that their denial says nothing: who is no vegan may be a vegetarian.
STRICTER: Final = frozenset(_TABLE["stricter"].split())
State = tuple[str, str]
#: Words that open a reason, a role or a term.
_ASIDE: Final = REASONS | {"as", "so", "under"}
_AFTERMATH: Final = DEFINITE | {"last", "all"}
_STATE_SPANS: Final = {
    False: ((0, 3), (0, 2), (0, 1)),
    True: ((0, 3), (1, 4), (1, 3), (1, 2), (0, 2), (0, 1)),
}
_KINDS_OF_ABSENCE: Final = {
    "leave": frozenset(("leave", "sabbatical", "furlough")),
    "vacation": frozenset(("vacation", "holiday", "holidays")),
}
_OURS: Final = (SUBJECT_PRONOUNS - {"you", "he", "she"}) | {USER, "everyone", "someone"}
_OPPOSITE: Final = {"yes": "no", "no": "yes", "on": "off", "off": "on"}
_WORDS: Final = read_classes(__file__)
_AFTER_PERSON: Final = _WORDS["after_person"] | {"", ",", "and"}
#: Slots of passing states: their past says nothing of now.
STATIVE: Final = _WORDS["stative"]
#: Particles of verbs that act on a thing: "turned on", "rolled back".
_DOING: Final = (_WORDS["particles"] - {"up"}) | {"back"}


def by_words(rows: Mapping[str, Mapping[str, str]]) -> dict[str, tuple[State, ...]]:
    """Return words -> (slot, value) of rows slot -> value -> words."""
    table: dict[str, tuple[State, ...]] = {}
    for slot, values in rows.items():
        for value, written in values.items():
            for words in written.split():
                form = words.replace("_", " ")
                table[form] = (*table.get(form, ()), (slot, value))
    return table


def _prefixed(rows: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return the rows of the words that have an opposite by a prefix; with a hyphen, both spellings."""
    return {
        word: {"yes": word, "no": "{0}{1} {0}-{1}".format(prefix.removesuffix("-"), word)}
        for prefix, words in rows.items()
        for word in words.split()
    }


#: Words after "is" or "became" -> (slot, value). Two words of one slot with other values exclude each other.
STATES: Final = by_words({**_TABLE["states"], **_prefixed(_TABLE["prefixed"])})
#: Past forms of verbs that bring about a state -> (slot, value), beside the words of `STATES` that are past forms.
ACTS: Final = {
    **{word: STATES[word] for word in _TABLE["acts"].split()},
    **{word: (*STATES[word], *states) for word, states in by_words(_TABLE["acts_also"]).items()},
    **by_words(_TABLE["acts_instead"]),
}


def parse_states(clause: Predicate) -> list[Claim]:
    """Return the claims of the state that a clause puts something in; none if there is none, or only for a while."""
    tokens = without_when(clause.tokens) if clause.group.is_past else clause.tokens
    # Whoever is away is so for a while, and that ends all the same.
    is_absence = low_at(clause.rest, 0) == "on" and low_at(clause.rest, 1) in _WORDS["absences"]
    if clause.group.modality is not Modality.FACT or clause.frame.additive or not (is_absence or lasts(tokens)):
        return []
    return _copular(clause) or _acted(clause)


def _copular(clause: Predicate) -> list[Claim]:
    """Read "X is on", "X has become optional", "X was merged"."""
    if clause.group.lemma not in _WORDS["becoming"] or not clause.subject:
        return []
    for begin, end in _STATE_SPANS[low_at(clause.rest, 0) in _WORDS["fillers"]]:
        if len(clause.rest) < end:
            continue
        words = " ".join(token.low for token in clause.rest[begin:end])
        states = ACTS.get(words) or STATES.get(words)
        if states is not None:
            return _been(clause, states, words, end)
    return []


def _been(clause: Predicate, states: tuple[State, ...], words: str, end: int) -> list[Claim]:
    """Return the claims of the state whose words end at `end`; none if the clause says more of its subject."""
    slots, following = {slot for slot, _ in states}, low_at(clause.rest, end)
    is_event = clause.group.is_past and not clause.group.perfect
    if words in _WORDS["particles"] and following not in ("", "in", "for", "again"):
        return []
    if following == "by" and low_at(clause.rest, end + 1) != "default":
        return []
    if following == "with" and not slots <= _WORDS["completed"]:
        if clause.group.negated or _WORDS["by_means"].isdisjoint(slots):
            return []
        clause = clause._replace(rest=clause.rest[:end])
    is_act = words in ACTS or words.partition(" ")[2] in _DOING or clause.group.lemma in ("become", "get", "go")
    if is_event and not is_act:
        return []
    rest = without_aside(without_when(clause.rest[end:]) if clause.group.is_past else clause.rest[end:], clause)
    is_numbered = any(letter.isdigit() for token in clause.subject for letter in token.low)
    if is_event and states[0][0] in STATIVE and not is_numbered and clause.rest[end:] and not rest:
        return []  # "was closed on 3 May": on that day
    holders = [clause.subject]
    if states[0][0] in ("absence", "marital status", "married"):
        if not _is_of_person(words, rest):
            return []
        cut = place_of(clause.subject, ("and",))
        is_pair = 0 < cut < len(clause.subject) and states[0][0] != "absence"
        holders, rest = [clause.subject[:cut], clause.subject[cut + 1 :]] if is_pair else [clause.subject], ()
    if states[0][0] == "absence":
        holders = [(*clause.subject, *tokenise(kind)) for kind in _absences(words, clause.rest[end:])]
    claims: list[Claim] = []
    for holder in holders:
        claims += _state_claims(clause, states, words, (*holder, *rest), is_change=clause.group.is_past)
    return claims


def _is_of_person(words: str, rest: Tokens) -> bool:
    """Whether a state of a person is complete: not "went back to light mode", "is divorced from his first wife"."""
    if words == "back" and low_at(rest, 0) == "to" and low_at(rest, 1) != "work":
        return False
    is_one_of_several = any(token.low in ("first", "second", "former") for token in rest)
    return not is_one_of_several and low_at(rest, 0) in _AFTER_PERSON


def _absences(words: str, rest: Tokens) -> list[str]:
    """Return the kinds of absence that a clause means: all, unless it names one ("back from vacation")."""
    named = {*words.split(), *(token.low for token in rest)}
    return [kind for kind, names in _KINDS_OF_ABSENCE.items() if names & named] or list(_KINDS_OF_ABSENCE)


def without_aside(rest: Tokens, clause: Predicate) -> Tokens:
    """Return what follows a state, up to a reason or another clause."""
    for index, token in enumerate(rest):
        following = low_at(rest, index + 1)
        is_after = token.low == "after" and (following == "all" or (clause.group.is_past and following in _AFTERMATH))
        is_other = token.low in (",", "and") and not any(
            other.low in CALENDAR or other.low in PERIODS or other.low in PREPOSITIONS for other in rest[index:]
        )
        if token.low in _ASIDE or is_after or is_other or (token.low == "," and index == 0):
            return rest[:index]
    return rest


def _acted(clause: Predicate) -> list[Claim]:
    """Read "we disabled X": the object is in the state now."""
    word = clause.tokens[len(clause.tokens) - len(clause.rest) - 1].low if len(clause.rest) < len(clause.tokens) else ""
    states = ACTS.get(word)
    group, is_held_back = clause.group, clause.denied and not clause.group.perfect
    if states is None or not clause.is_done or group.lemma == "be" or is_held_back:
        return []
    rest = clause.rest[1:] if low_at(clause.rest, 0) in ("down", "off", "up") else clause.rest
    rest = without_aside(without_when(rest), clause)
    about = (*(clause.subject if clause.group.passive else _actor(clause, rest)), *rest)
    return _state_claims(clause, states, word, about, is_change=True) if about else []


def _actor(clause: Predicate, rest: Tokens = ()) -> Tokens:
    """Return who did it; empty if it is one of us, or if the thing has a name of its own."""
    is_known = any(token.text[0].isupper() or any(letter.isdigit() for letter in token.low) for token in rest)
    is_ours = bool(clause.subject) and clause.subject[0].low in _OURS
    return () if is_ours or is_known else clause.subject


def _with_clocks(tokens: Tokens) -> Tokens:
    """Return tokens in which each time of day is written in one form: "6 pm" is 18:00."""
    clocked: list[Token] = []
    index = 0
    while index < len(tokens):
        token, end = tokens[index], index + 1
        parsed = parse_value(("clock",), tokens, index) if token.low[0].isdigit() else None
        if parsed is not None:
            clock = f"{parsed.value.norm[0]:g}:"
            token, end = token._replace(text=clock, low=clock), parsed.end
        clocked.append(token)
        index = end
    return tuple(clocked)


def _state_claims(
    clause: Predicate, states: tuple[State, ...], words: str, about: Tokens, *, is_change: bool
) -> list[Claim]:
    """Return the claims that `about` is in the states; a change is told without the words that say when it happened."""
    about = (*about, *tokenise(" ".join(clause.frame.scope)))
    kept = (
        token
        for token, before in zip(_with_clocks(about), ("", *(word.low for word in about)), strict=False)
        if not (is_change and token.low[0].isdigit() and ":" in token.low)
        and not (is_change and token.low in CALENDAR and before in WHEN | {"last", "this"})
    )
    topic_words = words_of(kept, clause.frame.me)
    if topic_words is None or clause.frame.time.tense is not Tense.NOW or (clause.denied and words in STRICTER):
        return []
    own = [word for word in topic_words if word not in ("status", "state", USER)]
    own += [token.low for token in about if token.low in _WORDS["earlier"]]
    own = own or [word for word in topic_words if word == USER]
    topic = join_topic(own)
    if not own or (len(own) == 1 and own[0] in EPHEMERAL):
        return []
    is_changed = is_change or clause.group.ended or clause.group.perfect
    claims = []
    for slot, state in states:
        is_flipped = clause.denied and state in _OPPOSITE
        value = Value(ValueKind.FLAG, words, (_OPPOSITE[state] if is_flipped else state,))
        claim = replace(clause.claim(topic, slot, value), loose=False, single=True, change=is_changed)
        claims.append(replace(claim, polarity=is_flipped or not clause.denied))
    return claims
