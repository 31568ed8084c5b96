"""Read what a clause says, and what it says no longer holds, as words in any order.

"We replaced Jenkins with Drone for the nightly builds" ends Jenkins, about the nightly builds; `narrow` says what of
an older text that ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from ...language import lexicon
from ...language.tables import read_classes
from ...language.token import Token, low_at, place_of, text_of
from ...language.verbs import is_verb, letters_of
from ...language.words import stem
from ..grammar.subjects import USER
from ..grammar.topics import join_topic
from ..grammar.verb_groups import CHANGE_LEMMAS, NOBODY_AT_ALL
from ..model import Claim, Modality, Value, ValueKind
from .ending_phrases import AUXILIARY_WORDS, own_words, parse_contrast, parse_finished, without_when
from .predicates import Predicate, Tokens, up_to

_WORDS: Final = read_classes(__file__)
SAYS_SLOT: Final = "says"
ENDS_SLOT: Final = "ends"
_NO_WORDS: Final = AUXILIARY_WORDS | lexicon.NEUTRAL | lexicon.THEIR | _WORDS["ours"]
_CONTRACTS: Final = frozenset(("subscribe", "account", "membership"))
_WHY: Final = lexicon.SINCE - {"since"}
#: A subject that begins with one of these names nothing.
_OPEN: Final = lexicon.INDEFINITE - {"all"}
#: Who gives up one of several, or any, may keep others.
_SEVERAL: Final = (lexicon.INDEFINITE - {"one", "a", "an"}) | {"or", "and"}
_SILENT: Final = (
    frozenset(("the", "not"))
    | (lexicon.PREPOSITIONS - _WORDS["telling"])
    | lexicon.CONJUNCTIONS
    | lexicon.INDEFINITE
    | lexicon.PAST_WORDS
    | lexicon.DEICTIC_DAYS
) | (lexicon.PERIODS - {"time"})


def parse_says(clause: Predicate) -> list[Claim]:
    """Return the claim of what an affirmed clause in the present says, word by word; none for another clause."""
    if clause.group.negated or clause.group.is_past or clause.group.modality is not Modality.FACT:
        return []
    if any(token.low in lexicon.PAST_WORDS or token.low in _WORDS["denying"] for token in clause.tokens):
        return []
    read = _active(clause)
    if read is None:
        return []
    value = Value(ValueKind.STATEMENT, text_of(clause.tokens), tuple(sorted(set(read[1]))))
    claim = clause.claim(read[0], SAYS_SLOT, value)
    corrects = claim.correction and not clause.frame.additive
    return [replace(claim, topic=None, scope=tuple(sorted(set(_names(clause.tokens)))), correction=corrects)]


def _names(tokens: Tokens) -> tuple[str, ...]:
    """Return the words by which an ending is found again: names, and whatever holds more than letters."""
    return tuple(
        [
            stem(token.low.removesuffix("'s"))
            for index, token in enumerate(tokens)
            if (index and token.text[0].isupper() and token.low not in lexicon.FIRST_PERSON)
            or (not token.low.isalpha() and any(letter.isalnum() for letter in token.low))
            or (not token.text[1:].islower() and any(letter.isupper() for letter in token.text[1:]))
        ]
    )


def parse_denial(clause: Predicate) -> list[Claim]:
    """Return the claim of what a clause denies: "X no longer V", "X does not V", "there is no X in Y"."""
    group = clause.group
    is_none = group.lemma in ("be", "have") and low_at(clause.rest, 0) == "no"
    if group.is_past or group.modality is not Modality.FACT or not (group.negated or is_none):
        return []
    if not lasts(clause.tokens) or _is_of_old(clause) or any(token.low in _WORDS["partial"] for token in clause.tokens):
        return []
    read = _active(clause._replace(rest=up_to(clause.rest, (",",))))
    if read is None or (read[0] in lexicon.EPHEMERAL and stem(clause.subject[-1].low) == clause.subject[-1].low):
        return []
    return [_ends(clause, *read, (), is_change=group.ended)]


def parse_endings(clause: Predicate) -> list[Claim]:
    """Return the claim of what a finished change or a contrast rules out."""
    if not clause.is_told_now or (not clause.group.passive and _is_of_old(clause)):
        return []
    me = clause.frame.me
    is_for_good = lexicon.PERIODS.isdisjoint([token.low for token in clause.tokens]) and lasts(clause.tokens)
    ending = parse_contrast(clause) if is_for_good and not clause.denied else None
    keep_verbs = ending is None
    if ending is None and lasts(without_when(clause.tokens)):
        ending = parse_finished(clause._replace(rest=own_words(clause.rest)))
        ending = ending and ending._replace(gone=_told(ending.gone), about=_told(ending.about))
    if ending is None or any(token.low in _SEVERAL for token in ending.gone):
        return []
    gone = _without_kind(words_of(ending.gone, me))
    about = words_of(ending.about, me, keep_verbs=keep_verbs or ending.by_other)
    if not gone or about is None:
        return []
    subject = "" if ending.by_other else parse_subject_words(clause.subject, me) or ""
    return [_ends(clause, subject, gone, about, is_change=True)]


def _is_of_old(clause: Predicate) -> bool:
    """Whether a clause is about a former thing: "the old server"."""
    return any(token.low in lexicon.PAST_WORDS for token in clause.subject)


def _told(tokens: Tokens) -> Tokens:
    """Return the words without those that say when, why and how far something ended."""
    kept = without_when(tokens)
    why = (i for i in range(1, len(kept)) if kept[i].low in _WHY and not low_at(kept, i + 1)[:1].isdigit())
    return tuple(token for token in kept[: next(why, len(kept))] if token.low not in _WORDS["wholly"] | {"they"})


def _ends(clause: Predicate, subject: str, words: Sequence[str], about: Sequence[str], *, is_change: bool) -> Claim:
    """Return the claim that `subject` does something no longer, or has never done it; a change has its own topic."""
    value = Value(ValueKind.STATEMENT, text_of(clause.tokens), tuple(sorted(set(words))))
    claim = clause.claim(subject, ENDS_SLOT, value)
    return replace(
        claim,
        topic=" ".join(words) if is_change else None,
        polarity=False,
        scope=tuple(sorted(set(join_topic((*about, *clause.frame.scope)).split()))),
        correction=claim.correction and not clause.frame.additive,
        change=is_change,
    )


def _without_kind(gone: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """Return the words of what ends without its kind: "my Netflix subscription" is Netflix."""
    named = tuple(word for word in gone or () if word not in _CONTRACTS and word != USER)
    return named if named and len(named) < len(gone or ()) and _CONTRACTS & set(gone or ()) else gone


def in_context(claim: Claim, words: Iterable[str]) -> Claim:
    """Return an ending with the words of the text around it, which may say what it is about."""
    return replace(claim, topic=" ".join(sorted({*words, *(claim.topic or "").split()})))


def context_of(tokens: Iterable[Token], me: str) -> set[str]:
    """Return all words of a text that carry meaning."""
    return {word for token in tokens for word in words_of((token,), me) or ()}


def _active(clause: Predicate) -> tuple[str, tuple[str, ...]] | None:
    """Return subject and other words of a clause, a passive turned round: "X is supported by Y" as "Y supports X"."""
    holder, others, lemma = clause.subject, clause.rest, clause.group.lemma
    by = place_of(others, ("by",))
    is_agent = 0 < by < len(others) - 1 and low_at(others, by + 1) not in ("a", "an") and lemma == "be"
    if is_agent and "n" in letters_of(others[0].low):
        holder, others = others[by + 1 :], (*holder, *others[:by])
    verb = (Token(lemma, lemma, 0, 0),) if lemma else ()
    words = words_of((*verb, *others), clause.frame.me)
    if clause.denied and [token.low for token in clause.subject] == [NOBODY_AT_ALL]:
        return (NOBODY_AT_ALL, words) if words else None
    is_there = [token.low for token in holder] == ["there"]
    subject = "" if is_there else parse_subject_words(holder, clause.frame.me)
    return (subject, words) if words and subject is not None else None


def lasts(tokens: Tokens) -> bool:
    """Whether nothing in a clause says that it holds for a while only."""
    lows = [token.low for token in tokens]
    if not lexicon.PASSING.isdisjoint(lows):
        return False
    return "for" not in lows or not any(low == "for" and _is_span(tokens, index + 1) for index, low in enumerate(lows))


def _is_span(tokens: Tokens, index: int) -> bool:
    """Whether "for" is followed by a stretch of time: "for now", "for the night", "for an hour"."""
    low, following = low_at(tokens, index), low_at(tokens, index + 1)
    return low == "now" or (
        (low in lexicon.ARTICLES or low == "this") and (following in lexicon.PERIODS or following in _WORDS["spans"])
    )


def parse_subject_words(tokens: Tokens, me: str) -> str | None:
    """Return the topic that a subject names, or None if only the context tells."""
    words = words_of(tokens, me)
    if words is None or (tokens and tokens[0].low.removesuffix("'s") in _OPEN):
        return None
    return join_topic(words)


def words_of(tokens: Iterable[Token], me: str, *, keep_verbs: bool = True) -> tuple[str, ...] | None:
    """Return the meaningful words, each in one form; None if one of them points at something else in the text."""
    words: list[str] = []
    all_tokens = list(tokens)
    for index, token in enumerate(all_tokens):
        low = token.low.removesuffix("'s")
        if low in ("this", "last") and low_at(all_tokens, index + 1) in lexicon.PERIODS:
            continue
        if low in lexicon.FIRST_PERSON or low == "my":
            words.append(me)
            continue
        word = _meaning_of(low)
        if word is None:
            return None
        if not word or (not keep_verbs and (word in CHANGE_LEMMAS or (is_verb(low) and is_verb(word)))):
            continue
        words.append(word)
    return tuple(words)


@lru_cache(maxsize=4096)
def _meaning_of(low: str) -> str | None:
    """Return the form of a word; empty if it carries no meaning, None if it points at something else in the text."""
    if low in _NO_WORDS:
        return ""
    if low in lexicon.PRONOUNS and low != "there":
        return None
    if low in _SILENT or not (low[0].isalnum() or low[0] in "#@/~.$€£"):
        return ""
    word = stem(low)
    return "" if word in _WORDS["light"] else word
