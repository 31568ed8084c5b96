"""Read what has not been done so far, and what was done: "has not signed it" and "signed it" (C-40, C-41)."""

from __future__ import annotations

from typing import Final

from ...language.lexicon import EPHEMERAL, INDEFINITE, PREPOSITIONS
from ...language.verbs import forms
from ..grammar.subjects import USER
from ..grammar.topics import stem
from ..model import Claim, Modality, Tense, Value, ValueKind
from .ending_phrases import without_when
from .endings import words_of
from .predicates import Predicate, Tokens

DOES_SLOT: Final = "has done"
_MIN_WORDS: Final = 2


def read_doing(at: Predicate) -> list[Claim]:
    """The claims of a finished deed, or of one that is still to come; none of any other clause."""
    group, frame = at.group, at.frame
    if group.modality is not Modality.FACT or frame.additive or frame.time.tense is not Tense.NOW:
        return []
    if not (group.negated or group.is_past or group.perfect) or (at.subject and at.subject[0].low in INDEFINITE):
        return []
    if any(token.low == "not" for token in at.rest):
        return []
    verb, rest = _verb(at)
    if not verb or not (_is_open(at) if group.negated else group.is_past or group.perfect):
        return []
    plain = tuple(token for token in without_when(rest) if token.low not in ("yet", "!"))
    cut = next((i for i, token in enumerate(plain) if i and token.low in PREPOSITIONS), len(plain))
    phrases = (plain,) if group.negated or cut == len(plain) else (plain, plain[:cut])
    found = (_claim(at, verb, phrase) for phrase in phrases)
    return [claim for claim in found if claim is not None]


def _verb(at: Predicate) -> tuple[str, Tokens]:
    """(stem of the main verb, what follows it): the participle after "be" is the verb."""
    if at.group.lemma != "be":
        return stem(at.group.lemma), at.rest
    first = at.rest[0] if at.rest else None
    if first is None or not ("n" in forms().get(first.low, ("", ""))[1] or first.low.endswith("ed")):
        return "", ()
    return stem(first.low), at.rest[1:]


def _is_open(at: Predicate) -> bool:
    """Whether a denial says "so far": "has not signed", "has not been signed"."""
    begin, end = at.group.subject_end, len(at.tokens) - len(at.rest)
    lows = [token.low for token in at.tokens[begin:end]]
    denial = next((i for i, low in enumerate(lows) if low in ("not", "never", "no")), 0)
    return not {"has", "have"}.isdisjoint(lows[:denial]) or at.tokens[-1].low == "yet"


def _agent(at: Predicate) -> Tokens:
    return () if at.subject and at.subject[0].low in ("we", "i", USER) and len(at.subject) == 1 else at.subject


def _claim(at: Predicate, verb: str, about: Tokens) -> Claim | None:
    is_passive = at.group.passive or at.group.lemma == "be"
    agent = () if is_passive else words_of(_agent(at), at.frame.me)
    words = words_of((*at.subject, *about) if is_passive else about, at.frame.me)
    if agent is None or words is None:
        return None
    told = {verb, *words, *agent}
    if len(told) < _MIN_WORDS or told - {verb} <= EPHEMERAL:
        return None
    topic = f"{' '.join(sorted(agent))} > {' '.join(sorted({verb, *words, *at.frame.scope}))}"
    return Claim(
        subject=topic,
        slot=DOES_SLOT,
        value=Value(ValueKind.FLAG, " ".join(token.text for token in at.tokens), (1.0,)),
        polarity=not at.group.negated,
        modality=at.frame.modality,
        time=at.frame.time,
        correction=at.frame.correction,
        start=at.tokens[0].start,
        end=at.tokens[-1].end,
        single=False,
        change=not at.group.negated,
        topic=topic,
        loose=True,
    )
