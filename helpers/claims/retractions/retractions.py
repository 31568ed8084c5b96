"""Read what a text gives up, and the words that it is about, in whatever way it says so (C-40, C-41).

"Tickets are tracked in Linear instead of Jira", "Jira is gone", "we got rid of Jira", "I said Jira, but ...": what is
given up is Jira. Unlike an ending (`clauses.endings`), which is read from its clause alone, it is known by all words of
the text; `comparison.narrow` tells which statements it speaks against.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from ...language.lexicon import (
    INDEFINITE,
    MEANWHILE,
    NEUTRAL,
    PREPOSITIONS,
    PRONOUNS,
    QUANTIFIERS,
    RELATIVES,
    SINCE,
    SUBJECT_PRONOUNS,
)
from ...language.modality import sentence_modality, word_modality
from ...language.numerals import NUMBER_WORDS
from ...language.openers import parse_opening
from ...language.segment import Sentence, split_clauses
from ...language.stems import stem
from ...language.tables import read_classes
from ...language.token import Token, low_at, text_of
from ...language.verbs import forms
from ..clauses.clause_grammar import is_reporting, parse_group
from ..clauses.ending_phrases import DROPPING, ENDING, PASSIVES, PHRASAL, may_finish, parse_finished, without_when
from ..clauses.endings import GIVES_SLOT, SAYS_SLOT, lasts, words_of
from ..clauses.predicates import Frame, Predicate, Tokens
from ..grammar.corrections import is_additive, without_phrases
from ..grammar.verb_groups import CHANGE_LEMMAS, SWAP_LEMMAS, VerbGroup, of_participle
from ..model import Claim, Modality, Value, ValueKind
from .contrasts import (
    COPULAS,
    TELLING,
    Given,
    parse_before,
    parse_contrast,
    parse_lead,
    phrase_end,
    shape,
    starts,
)

_WORDS: Final = read_classes(__file__)

_MOVING: Final = CHANGE_LEMMAS | _WORDS["moving"]
_REPLACING: Final = SWAP_LEMMAS | _WORDS["replacing"]
_GONE: Final = _WORDS["gone"]
_PERSONS: Final = SUBJECT_PRONOUNS | {"it"}
WHOLLY: Final = _WORDS["wholly"]
_OFFERS: Final = frozenset("with for by".split())
_INTO: Final = frozenset("to into onto".split())


@cache
def _telling() -> frozenset[str]:
    """The words without one of which nothing is given up: a quick look, before a sentence is read."""
    lemmas = DROPPING | _MOVING | _REPLACING | frozenset(PHRASAL) | {"take"}
    verbs = {word for word, (lemma, _) in forms().items() if lemma in lemmas}
    return TELLING | verbs | _GONE


def parse_given(clause: Tokens, group: VerbGroup) -> Given | None:
    """Read a clause whose verb tells that something is given up."""
    group = of_participle(clause, group)
    given = (
        None if group.negated else _parse_done(clause, group, clause[: group.subject_end], _own(clause[group.rest :]))
    )
    if given is None:
        return None
    cut = next((i for i, token in enumerate(given.gone) if i and token.low in PREPOSITIONS), len(given.gone))
    gone = given.gone[:cut]  # "the timeout of the gateway", "the badge on it"
    while len(gone) > 1 and (gone[-1].low in WHOLLY or gone[-1].low in NEUTRAL):
        gone = gone[:-1]
    return given._replace(gone=gone, about=(*given.about, *given.gone[cut:]))


def _own(rest: Tokens) -> Tokens:
    """What belongs to the verb, without a second one: "left Acme and work for Initech now"."""
    for index, token in enumerate(rest[:-1]):
        if token.low not in ("and", ",", "so", "then"):
            continue
        following = rest[index + 1]
        letters = forms().get(following.low, ("", ""))[1]
        if following.low in _PERSONS or (letters and following.text[0].islower()) or following.low in COPULAS:
            return rest[:index]
    return rest


def _parse_done(clause: Tokens, group: VerbGroup, subject: Tokens, rest: Tokens) -> Given | None:
    """What a change that is done ends, and what it puts in its place."""
    lemma = group.lemma
    if group.passive and lemma in ENDING - PASSIVES:
        return None
    if lemma == "take" and starts(rest, 0, ("the", "place", "of")):
        lemma, rest = "replace", rest[3:]
    aside: Tokens = ()
    purpose = next((index for index, token in enumerate(rest) if token.low == "for"), 0)
    if lemma in _REPLACING and purpose and shape(rest[:purpose]) != shape(rest[purpose + 1 :]):
        rest, aside = rest[:purpose], rest[purpose:]
    lemma = "replace" if lemma in _REPLACING else "move" if lemma in _MOVING - DROPPING else lemma
    at = Predicate(clause, subject, group._replace(lemma=lemma), rest, Frame())
    ending = parse_finished(at) if may_finish(at) and not _is_left(group, rest) else None
    if ending is None:
        return _away(group, subject, rest)
    new = subject if ending.by_other else _new(rest, lemma)
    is_name = group.lemma in ("rename", "rebrand") and all(token.low != "from" for token in rest)
    return Given(ending.gone, (*ending.about, *aside), new, renamed=is_name)


def _new(rest: Tokens, lemma: str) -> Tokens:
    """What comes instead: "replaced A with B", "moved from A to B"."""
    marks = {"replace": _OFFERS, "move": _INTO}.get(lemma, frozenset())
    start = next((index + 1 for index, token in enumerate(rest) if token.low in marks), len(rest))
    return rest[start : phrase_end(rest, start)]


def _away(group: VerbGroup, subject: Tokens, rest: Tokens) -> Given | None:
    """Read "moved away from A", "S was cut from A", with nothing in its place."""
    begin = next((index + 1 for index, token in enumerate(rest) if token.low == "from"), 0)
    is_left = _is_left(group, rest) or (begin and group.lemma in _MOVING)
    if not is_left or not (group.is_past or group.perfect):
        return None
    begin = begin or [token.low for token in rest].index("of") + 1
    end = phrase_end(rest, begin)
    return Given(rest[begin:end], (*subject, *rest[end:]))


def _is_left(group: VerbGroup, rest: Tokens) -> bool:
    """Whether a verb has the small words behind which it tells what somebody leaves: "dropped out of"."""
    small = [words for words in PHRASAL.get(group.lemma, ()) if words and words[-1] in ("from", "of")]
    return any(starts(rest, 0, words) for words in small)


#: What is told to be no longer so beside one of these is so for a while, or in part.
_FOR_A_WHILE: Final = MEANWHILE | _WORDS["for_a_while"]
#: Stands for what a name that is given up is about: that somebody calls a thing so.
RENAMED: Final = "named"
#: What is told of a thing that was there before is not told of the one that is there now.
_OLD: Final = _WORDS["old"]
_WHY: Final = SINCE - {"since"}


def parse_given_up(sentence: Sentence, me: str) -> list[Claim]:
    """What a sentence gives up; the words of the text, which tell what it is about, are still to come (its topic)."""
    tokens = sentence.tokens
    lows = [token.low for token in tokens]
    if _telling().isdisjoint(lows) or not _FOR_A_WHILE.isdisjoint(lows) or is_additive(tokens):
        return []
    if not lasts(tokens) or sentence_modality(sentence) is not Modality.FACT:
        return []
    claims = []
    for clause, given in _given(tokens):
        gone = words_of(_plain(given.gone), me) if _is_value(given.gone) else None
        about = words_of(without_when(_plain(_told(given.about))), me)
        if not gone or about is None or any(token.low in _OLD for token in given.about):
            continue
        new = words_of(_plain(given.new), me) or ()
        if set(gone) <= set(new):
            continue  # "the new API replaced the old API": there is one all the same
        begin, renamed = tokens[0].start, (RENAMED,) if given.renamed else ()
        if new:
            claims.append(_says(clause, (*new, *about, *renamed), given.new, begin))
        claim = Claim(
            subject=" ".join(sorted(set(new) - set(gone))),
            slot=GIVES_SLOT,
            value=_statement(clause, gone),
            polarity=False,
            scope=renamed or tuple(sorted(set(about) - set(gone))),
            single=any(is_exact(token, first=token.start == begin) for token in given.gone),
            change=True,
            loose=True,
        )
        claims.append(replace(claim, start=clause[0].start, end=clause[-1].end))
    return claims


def _says(tokens: Tokens, words: Sequence[str], named: Tokens, begin: int) -> Claim:
    """What is told word by word, and known by what may be a name; `begin` is where the sentence begins."""
    names = {stem(token.low.removesuffix("'s")) for token in named if is_exact(token, first=token.start == begin)}
    claim = Claim("", SAYS_SLOT, _statement(tokens, words), scope=tuple(sorted(names)), single=True, loose=True)
    return replace(claim, start=tokens[0].start, end=tokens[-1].end)


def _statement(tokens: Tokens, words: Sequence[str]) -> Value:
    return Value(ValueKind.STATEMENT, text_of(tokens), tuple(sorted(set(words))))


def _given(tokens: Tokens) -> Iterator[tuple[Tokens, Given]]:
    lead = parse_lead(tokens)
    if lead:
        yield tokens, lead
        return
    clauses = _clauses(tokens)
    for number, whole in enumerate(clauses, 1):
        clause = without_phrases(whole)[0]
        clause = clause[parse_opening(clause).end :]
        if not clause or word_modality(clause) is not Modality.FACT:
            continue
        group = parse_group(clause)
        if group is not None and is_reporting(group, clause[group.rest :]) and not _is_of_user(clause, group):
            return
        given = parse_contrast(clause, group)
        if given is None and group is not None and group.modality is Modality.FACT:
            given = parse_given(clause, group) or parse_before(clause, group, clauses[number:])
        if given:
            yield clause, given


def _clauses(tokens: Tokens) -> list[Tokens]:
    """The clauses of a sentence; "it is X, not Y, where S" is one."""
    if tokens[0].low in ("it", "that") and any(token.low in RELATIVES for token in tokens):
        return [tokens]
    return [clause.tokens for clause in split_clauses(tokens) if clause.tokens]


def _is_of_user(clause: Tokens, group: VerbGroup) -> bool:
    return group.subject_end == 1 and clause[0].low in ("i", "we", "user")


def _told(tokens: Tokens) -> Tokens:
    """The words that say what something is about, without why and how far it was given up."""
    kept: list[Token] = []
    for index, token in enumerate(tokens):
        following = low_at(tokens, index + 1)
        if index and token.low in _WHY and not following[:1].isdigit() and following not in NUMBER_WORDS:
            break
        if token.low in PRONOUNS or token.low in WHOLLY or (token.low, following) == ("for", "good"):
            continue
        if token.low == "good" and index and tokens[index - 1].low == "for":
            continue
        kept.append(token)
    return tuple(kept)


def _plain(tokens: Tokens) -> Tokens:
    """Words without the mark of whose they are."""
    return tuple(
        token._replace(low=token.low.removesuffix("'s").removesuffix("'")) if "'" in token.low else token
        for token in tokens
    )


def _is_value(tokens: Tokens) -> bool:
    """Whether what is given up is one thing that has a name of its own here."""
    if not tokens or len(tokens) > 5:
        return False
    lows = [token.low for token in tokens]
    is_open = any(low in PRONOUNS or low in QUANTIFIERS or low in ("and", "or", "nor") for low in lows)
    return not is_open and lows[0] not in INDEFINITE - {"a", "an", "one"}


def is_exact(token: Token, *, first: bool) -> bool:
    """Whether a word is a name or a value that is seldom something else."""
    text = token.text
    if text.isalpha() and (text.islower() or text[1:].islower()):
        return text[0].isupper() and not first
    if any(letter.isupper() for letter in text[1:]) or any(mark in text.strip(".") for mark in "/@_#."):
        return True
    digits = sum(letter.isdigit() for letter in text)
    return digits > 2 or (0 < digits < len(text) and text[0].isalpha()) or (text[0].isupper() and not first)
