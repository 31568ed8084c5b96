"""Read what a clause says no longer holds, and what a clause says at all, as words in any order (C-40, C-41).

"We replaced Jenkins with Drone for the nightly builds" ends "Jenkins", about the nightly builds; whatever says Jenkins
of them is contradicted, in whatever words. An ending counts only if the older text speaks of everything that the
newer one speaks of (`narrow.ends`), so a narrower or another matter is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from ...language.lexicon import (
    ARTICLES,
    CONJUNCTIONS,
    DEICTIC_DAYS,
    EPHEMERAL,
    FIRST_PERSON,
    INDEFINITE,
    NEUTRAL,
    PASSING,
    PAST_WORDS,
    PERIODS,
    PREPOSITIONS,
    PRONOUNS,
    THEIR,
)
from ...language.stems import stem
from ...language.tables import read_classes
from ...language.token import Token, low_at, text_of
from ...language.verbs import forms
from ..grammar.subjects import USER
from ..grammar.topics import join_topic
from ..grammar.verb_groups import CHANGE_LEMMAS, NOBODY_AT_ALL
from ..model import Claim, Modality, Tense, Value, ValueKind
from .ending_phrases import AUXILIARY_WORDS, may_finish, parse_contrast, parse_finished, without_when
from .predicates import Predicate, Tokens

_WORDS: Final = read_classes(__file__)
SAYS_SLOT: Final = "says"
ENDS_SLOT: Final = "ends"
#: What a text gives up, known by all of its words (see `retractions`).
GIVES_SLOT: Final = "gives up"
#: What says that something no longer holds.
ENDING_SLOTS: Final = frozenset((ENDS_SLOT, GIVES_SLOT))
_NO_WORDS: Final = AUXILIARY_WORDS | NEUTRAL | THEIR | _WORDS["ours"]
_LIGHT: Final = _WORDS["light"]
DENYING: Final = _WORDS["denying"]
_CONTRACTS: Final = frozenset(("subscribe", "account", "membership"))
_MOVING: Final = frozenset(("move", "relocate", "go"))
#: A denial with one of these leaves some of it true.
_PARTIAL: Final = _WORDS["partial"]
#: A subject that begins with one of these names nothing.
_OPEN: Final = INDEFINITE - {"all"}
#: Like `PERIODS`: "for a while".
_SPANS: Final = _WORDS["spans"]
#: Prepositions that reverse what a denial says.
_TELLING: Final = _WORDS["telling"]


def parse_says(at: Predicate) -> list[Claim]:
    """What an affirmed clause in the present says: its subject, and its other words in one form each."""
    group = at.group
    if group.negated or group.is_past or group.modality is not Modality.FACT:
        return []
    lows = {token.low for token in at.tokens}
    if not lows.isdisjoint(PAST_WORDS) or not lows.isdisjoint(DENYING):
        return []
    read = _active(at)
    if read is None:
        return []
    subject, words = read
    return [_claim(at, SAYS_SLOT, subject, words, _names(at.tokens), polarity=True, change=False)]


def _names(tokens: Tokens) -> tuple[str, ...]:
    """The words by which an ending is found again: names, and whatever holds more than letters."""
    return tuple(
        [
            stem(token.low.removesuffix("'s"))
            for index, token in enumerate(tokens)
            if (index and token.text[0].isupper() and token.low not in FIRST_PERSON)
            or (not token.low.isalpha() and any(letter.isalnum() for letter in token.low))
            or (not token.text[1:].islower() and any(letter.isupper() for letter in token.text[1:]))
        ]
    )


def parse_denial(at: Predicate) -> list[Claim]:
    """What a denied clause denies: "X no longer V", "X does not V", "there is no X in Y"."""
    group = at.group
    is_none = group.lemma in ("be", "have") and low_at(at.rest, 0) == "no" and not group.negated
    if group.is_past or group.modality is not Modality.FACT or not (group.negated or is_none):
        return []
    if not lasts(at.tokens) or any(token.low in _PARTIAL for token in at.tokens):
        return []
    comma = next((i for i, token in enumerate(at.rest) if token.low == ","), len(at.rest))
    read = _active(at._replace(rest=at.rest[:comma]))
    if read is None or (read[0] in EPHEMERAL and stem(at.subject[-1].low) == at.subject[-1].low):
        return []
    subject, words = read
    claim = _claim(at, ENDS_SLOT, subject, words, (), polarity=False, change=group.ended)
    return [replace(claim, topic=" ".join(words)) if group.ended else claim]


def parse_endings(at: Predicate) -> list[Claim]:
    """What a finished change or a contrast rules out, with what it is about."""
    if at.group.modality is not Modality.FACT or at.frame.additive or at.frame.time.tense is not Tense.NOW:
        return []
    ending = parse_contrast(at) if _lasts_all_day(at.tokens) and not at.group.negated else None
    if ending is None and may_finish(at):
        plain = without_when(at.tokens)
        ending = parse_finished(at) if lasts(plain) else None
        ending = ending and ending._replace(gone=without_when(ending.gone), about=without_when(ending.about))
        keep_verbs = True
    else:
        keep_verbs = False
    if ending is None:
        return []
    gone = _without_kind(words_of(ending.gone, at.frame.me))
    about = words_of(ending.about, at.frame.me, keep_verbs=keep_verbs or ending.by_other)
    subject = "" if ending.by_other else parse_subject_words(at.subject, at.frame.me)
    if not subject and not about and at.group.lemma in _MOVING:
        subject = "we"  # they moved, and nothing else did
    if (
        not gone
        or about is None
        or any(token.low in ("or", "and") for token in ending.gone)
        or any(token.low in INDEFINITE - {"one", "a", "an"} for token in ending.gone)
    ):
        return []
    return [
        replace(
            _claim(at, ENDS_SLOT, subject or "", gone, about, polarity=False, change=True),
            topic=" ".join(gone),
        )
    ]


def _without_kind(gone: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """What ends, by its name: "my Netflix subscription" is Netflix."""
    named = tuple(word for word in gone or () if word not in _CONTRACTS and word != USER)
    return named if named and len(named) < len(gone or ()) and _CONTRACTS & set(gone or ()) else gone


def _lasts_all_day(tokens: Tokens) -> bool:
    return PERIODS.isdisjoint([token.low for token in tokens]) and lasts(tokens)


def in_context(claim: Claim, words: Iterable[str]) -> Claim:
    """An ending with all the words of the text around it, by which it may be known what it is about."""
    return replace(claim, topic=" ".join(sorted({*words, *(claim.topic or "").split()})))


def context_of(tokens: Iterable[Token], me: str) -> set[str]:
    """The words of a text that carry meaning, whatever they belong to."""
    return {word for token in tokens for word in words_of((token,), me) or ()}


def _claim(
    at: Predicate,
    slot: str,
    subject: str,
    words: Sequence[str],
    about: Sequence[str],
    *,
    polarity: bool,
    change: bool,
) -> Claim:
    text = text_of(at.tokens)
    return Claim(
        subject=subject,
        slot=slot,
        value=Value(ValueKind.STATEMENT, text, tuple(sorted(set(words)))),
        polarity=polarity,
        modality=at.frame.modality,
        time=at.frame.time,
        scope=tuple(sorted(set(about)))
        if slot == SAYS_SLOT
        else tuple(sorted({*join_topic((*about, *at.frame.scope)).split()})),
        correction=at.frame.correction and not at.frame.additive,
        start=at.tokens[0].start,
        end=at.tokens[-1].end,
        single=False,
        change=change,
        loose=True,
    )


def _active(at: Predicate) -> tuple[str, tuple[str, ...]] | None:
    """(subject, other words) of a clause, the passive turned round: "X is supported by Y" as "Y supports X"."""
    holder, others = at.subject, at.rest
    by = next((i for i, token in enumerate(others) if token.low == "by"), 0)
    is_known = by and low_at(others, by + 1) not in ("a", "an")
    if is_known and at.group.lemma == "be" and "n" in forms().get(others[0].low, ("", ""))[1] and by + 1 < len(others):
        holder, others = others[by + 1 :], (*holder, *others[:by])
    words = words_of((*_verb(at), *others), at.frame.me)
    is_there = [token.low for token in holder] == ["there"]
    is_nobody = [token.low for token in at.subject] == [NOBODY_AT_ALL] and at.group.negated
    subject = NOBODY_AT_ALL if is_nobody else "" if is_there else parse_subject_words(holder, at.frame.me)
    return (subject, words) if words and subject is not None else None


def _verb(at: Predicate) -> Tokens:
    return (Token(at.group.lemma, at.group.lemma, 0, 0),) if at.group.lemma else ()


def lasts(tokens: Tokens) -> bool:
    """Whether nothing in a clause says that it holds for a while only."""
    lows = [token.low for token in tokens]
    if not PASSING.isdisjoint(lows):
        return False
    return "for" not in lows or not any(low == "for" and _is_span(tokens, index + 1) for index, low in enumerate(lows))


def _is_span(tokens: Tokens, index: int) -> bool:
    """Whether "for" is followed by a stretch of time: "for now", "for the night", "for an hour"."""
    low, following = low_at(tokens, index), low_at(tokens, index + 1)
    return low == "now" or ((low in ARTICLES or low == "this") and (following in PERIODS or following in _SPANS))


def parse_subject_words(tokens: Tokens, me: str) -> str | None:
    """The topic that a subject names, or None if only the context tells."""
    words = words_of(tokens, me)
    if words is None or (tokens and tokens[0].low.removesuffix("'s") in _OPEN):
        return None
    return join_topic(words)


def words_of(tokens: Iterable[Token], me: str, *, keep_verbs: bool = True) -> tuple[str, ...] | None:
    """The words that carry meaning, each in one form; None if one of them points at something else in the text."""
    words: list[str] = []
    told = list(tokens)
    for index, token in enumerate(told):
        low = token.low.removesuffix("'s")
        if low in ("this", "last") and low_at(told, index + 1) in PERIODS:
            continue
        if low in FIRST_PERSON or low == "my":
            words.append(me)
            continue
        word = _meaning_of(low)
        if word is None:
            return None
        if not word or (not keep_verbs and (word in CHANGE_LEMMAS or (low in forms() and word in forms()))):
            continue
        words.append(word)
    return tuple(words)


_SILENT: Final = (
    frozenset(("the", "not")) | (PREPOSITIONS - _TELLING) | CONJUNCTIONS | INDEFINITE | PAST_WORDS | DEICTIC_DAYS
) | (PERIODS - {"time"})


@lru_cache(maxsize=4096)
def _meaning_of(low: str) -> str | None:
    """The one form of a word; empty if it carries no meaning, None if it points at something else in the text."""
    if low in _NO_WORDS:
        return ""
    if low in PRONOUNS and low != "there":
        return None
    if low in _SILENT or not (low[0].isalnum() or low[0] in "#@/~.$€£"):
        return ""
    word = stem(low)
    return "" if word in _LIGHT else word
