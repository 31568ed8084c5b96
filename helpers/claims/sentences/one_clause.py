"""Read one clause of a sentence: openings, circumstances, who says it, then its verb (C-39)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...language.lexicon import DEFINITE, NEUTRAL, PREPOSITIONS, SINCE
from ...language.modality import word_modality
from ...language.openers import parse_opening
from ...language.tables import read_classes
from ...language.token import Token, low_at
from ..clauses.changes import parse_change
from ..clauses.clause_grammar import is_reporting, parse_group, parse_predicate, reported_modality, reports_speech
from ..clauses.endings import parse_endings
from ..clauses.free_order import parse_free
from ..clauses.phrased import parse_phrased
from ..clauses.predicates import Frame, Predicate, Tokens
from ..clauses.states import parse_states
from ..grammar.circumstances import parse_circumstances
from ..grammar.no_subject import parse_no_subject
from ..grammar.signals import is_additive, without_phrases
from ..grammar.subjects import USER, parse_subject
from ..grammar.verb_groups import VerbGroup
from ..model import Claim, Modality
from .elliptic import parse_elliptic
from .fragments import parse_fragment

_WORDS: Final = read_classes(__file__)
#: Verbs that only a person does: a note without subject ("Prefers dark mode") is about the user.
_PERSONAL: Final = _WORDS["personal"]
#: A circumstance may stand in front of the subject without a comma, if one of these begins the subject.
_INTRO_WORDS: Final = _WORDS["intro_words"]
_SUBJECT_STARTS: Final = DEFINITE | {"i", "we"}
#: Between who reports something and what.
_AFTER_REPORT: Final = _WORDS["after_report"] | frozenset(":,")
_ON_WHOSE_WORD: Final = _WORDS["on_whose_word"]
_NOTE_SUBJECT: Final = (Token("User", USER, 0, 0),)


def parse_clause_claims(
    tokens: Tokens, frame: Frame, inherited: Tokens, *, is_label: bool = False
) -> tuple[list[Claim], Tokens, Frame]:
    """(claims, subject for a clause that has none, frame for the clauses that follow)."""
    whole = tokens
    tokens, ended = without_phrases(tokens)
    opening = parse_opening(tokens)
    tokens = tokens[opening.end :]
    correction = frame.correction or opening.correction
    if tokens and tokens[-1].low == "actually":
        tokens, correction = _trimmed(tokens[:-1]), True
    if not tokens:
        return [], inherited, frame._replace(correction=correction)
    modality = word_modality(tokens) if frame.modality is Modality.FACT else frame.modality
    inner = frame._replace(modality=modality, correction=correction, additive=is_additive(whole))
    group = None if is_label else parse_group(tokens)
    elliptic = parse_elliptic(tokens, group, inner, correction or opening.soft)
    if elliptic is not None:
        return elliptic, inherited, frame
    if group is None:
        return _spanned(parse_fragment(tokens, inner), whole), inherited, frame
    if group.modality is not Modality.FACT and inner.modality is Modality.FACT:
        inner = inner._replace(modality=group.modality)
    told, group = parse_no_subject(tokens, group)
    if told is not tokens:
        tokens, inherited = told, ()
    at, subject = _predicate(tokens, group, inner, inherited, ended)
    if reports_speech(group, at.rest):
        return _parse_reported(at, inner, frame)
    if is_reporting(group, at.rest) and reported_modality(group, parse_subject(subject, me=frame.me), frame.me) is not (
        Modality.FACT
    ):
        frame = frame._replace(modality=Modality.QUOTATION)
    changed = parse_change(at)
    return (
        _spanned(
            [*changed, *parse_free(at), *parse_endings(at), *parse_states(at), *parse_phrased(at)]
            if changed
            else parse_predicate(at),
            whole,
        ),
        subject,
        frame,
    )


def _spanned(claims: list[Claim], whole: Tokens) -> list[Claim]:
    """The words that only open a clause belong to its first claims."""
    first = min([claim.start for claim in claims], default=0)
    start = whole[0].start
    if first == start:
        return claims
    return [replace(claim, start=start) if claim.start == first else claim for claim in claims]


def _trimmed(tokens: Tokens) -> Tokens:
    return tokens[:-1] if tokens and tokens[-1].low == "," else tokens


def _predicate(
    tokens: Tokens, group: VerbGroup, frame: Frame, inherited: Tokens, ended: bool
) -> tuple[Predicate, Tokens]:
    """Split a clause at its verb; words before the last comma in front of the subject are circumstances."""
    subject = tokens[: group.subject_end]
    comma = max((i for i, token in enumerate(subject) if token.low == ","), default=-1)
    intro, subject = subject[: max(comma, 0)], subject[comma + 1 :]
    if not subject:
        is_personal = group.lemma in _PERSONAL or (group.lemma == "work" and low_at(tokens, 1) in ("at", "for", "as"))
        subject = inherited or (_NOTE_SUBJECT if is_personal and not intro else ())
    start = group.rest
    while start < len(tokens) and (tokens[start].low in NEUTRAL or tokens[start].low == "always"):
        start += 1
    if ended:
        is_none = group.lemma in ("be", "have") and low_at(tokens, start) == "no"
        group = group._replace(ended=group.negated or is_none)
    subject, intro = _leading_circumstance(subject, intro)
    if intro:
        frame = _with_intro(intro, frame)
    return Predicate(tokens, subject, group, tokens[start:], frame), subject


def _leading_circumstance(subject: Tokens, intro: Tokens) -> tuple[Tokens, Tokens]:
    """Cut "in staging the API runs ..." in front of the article of the subject."""
    if not intro and subject and subject[0].low in _INTRO_WORDS:
        for index in range(1, len(subject)):
            if subject[index].low in _SUBJECT_STARTS and subject[index - 1].low not in PREPOSITIONS:
                return subject[index:], subject[:index]
    return subject, intro


def _with_intro(intro: Tokens, frame: Frame) -> Frame:
    is_dated = any(token.low[0].isdigit() for token in intro)
    if (intro[0].low in SINCE or intro[0].low == "to") and not is_dated:
        return frame  # it only says since when, or what for
    if intro[-1].low in _ON_WHOSE_WORD:
        return frame  # it only says who brought it about
    scope, time = parse_circumstances(intro)
    return frame._replace(scope=tuple(sorted({*frame.scope, *scope})), time=time)


def _parse_reported(at: Predicate, inner: Frame, frame: Frame) -> tuple[list[Claim], Tokens, Frame]:
    """Read "Bob said ...": what follows counts as far as the speaker does."""
    modality = reported_modality(at.group, parse_subject(at.subject, me=frame.me), frame.me)
    if inner.modality is not Modality.FACT:
        modality = inner.modality
    rest = at.rest
    while rest and rest[0].low in _AFTER_REPORT:
        if rest[0].low == "the" and parse_group(rest) is not None:
            break
        rest = rest[1:]
    if modality is Modality.FACT:
        rest = _in_first_person(rest)
    outer = frame if modality is Modality.FACT else frame._replace(modality=modality)
    corrects = inner.correction or at.group.lemma == "correct"
    claims, subject, _ = parse_clause_claims(rest, inner._replace(modality=modality, correction=corrects), ())
    return [replace(c, start=at.tokens[0].start) if c.start == rest[0].start else c for c in claims], subject, outer


def _in_first_person(tokens: Tokens) -> Tokens:
    """In "the user said they live in Denver", they is the user."""
    swapped = {"they": "i", "their": "my"}.get(tokens[0].low) if tokens else None
    return (tokens[0]._replace(low=swapped), *tokens[1:]) if swapped else tokens
