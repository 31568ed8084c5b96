"""Read what a text gives up, and the words that it is about, in whatever way it says so (C-40, C-41).

"Tickets are tracked in Linear instead of Jira", "Jira is gone", "we got rid of Jira", "I said Jira, but ...": what is
given up is Jira. Unlike an ending (`clauses.endings`), which is read from its clause alone, it is known by all words of
the text; `comparison.narrow` tells which statements it speaks against.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from ...language.lexicon import (
    INDEFINITE,
    MEANWHILE,
    NEUTRAL,
    PAST_WORDS,
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
from ..clauses.ending_phrases import may_finish, parse_finished, without_when
from ..clauses.ending_verbs import DROPPING, ENDING, PASSIVES, PHRASAL
from ..clauses.endings import DENYING, ENDING_SLOTS, GIVES_SLOT, SAYS_SLOT, lasts, words_of
from ..clauses.predicates import Frame, Predicate, Tokens
from ..grammar.corrections import is_additive, without_phrases
from ..grammar.verb_groups import CHANGE_LEMMAS, SWAP_LEMMAS, VerbGroup, of_participle
from ..model import Claim, Modality, Value, ValueKind
from .contrasts import (
    COPULAS,
    Given,
    may_be_before,
    may_contrast,
    noun_phrases,
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
_USING: Final = _WORDS["using"]
_PERSONS: Final = SUBJECT_PRONOUNS | {"it"}
_SINCE: Final = SINCE | {"on", "as", "over"}
WHOLLY: Final = _WORDS["wholly"]
_OFFERS: Final = frozenset("with for by".split())
_INTO: Final = frozenset("to into onto".split())


@cache
def _telling() -> frozenset[str]:
    """The words without one of which no change gives anything up."""
    lemmas = DROPPING | _MOVING | _REPLACING | frozenset(PHRASAL) | {"take"}
    verbs = {word for word, (lemma, _) in forms().items() if lemma in lemmas}
    return frozenset(verbs) | _GONE | _WORDS["telling"]


def may_give(lows: Iterable[str]) -> bool:
    """Whether a text may tell of a change; a quick look, before it is read."""
    return not _telling().isdisjoint(lows)


def parse_given(clause: Tokens, group: VerbGroup) -> Given | None:
    """Read a clause whose verb tells that something is given up."""
    if group.negated:
        return _denied(clause, group) if group.ended else None
    group = of_participle(clause, group)
    subject, around = _without_place(clause[: group.subject_end])
    rest = _own(clause[group.rest :])
    given = _parse_done(clause, group, subject, rest)
    return _headed(given._replace(about=(*given.about, *around))) if given else None


def _headed(given: Given) -> Given:
    """What is given up without the words that say where it was: "the timeout of the gateway", "the badge on it"."""
    cut = next((i for i, token in enumerate(given.gone) if i and token.low in PREPOSITIONS), 0)
    gone = given.gone[: cut or len(given.gone)]
    while len(gone) > 1 and (gone[-1].low in WHOLLY or gone[-1].low in NEUTRAL):
        gone = gone[:-1]
    return given._replace(gone=gone, about=(*given.about, *(given.gone[cut:] if cut else ())))


def _without_place(subject: Tokens) -> tuple[Tokens, Tokens]:
    """(subject, words in front of it): "in the dashboard moment.js", "since the move, the shop"."""
    comma = max((i for i, token in enumerate(subject) if token.low == ","), default=-1)
    if comma >= 0:
        return subject[comma + 1 :], () if subject[0].low in _SINCE else subject[:comma]
    if subject and subject[0].low in PREPOSITIONS:
        begin = next((i for i in range(1, len(subject)) if shape(subject[i : i + 1]) != "word"), 0)
        return (subject[begin:], subject[1:begin]) if begin > 1 else (subject, ())
    return subject, ()


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


def _is_left(group: VerbGroup, rest: Tokens) -> bool:
    """Whether a verb needs small words in front of what somebody leaves: "dropped out of", "withdrew from"."""
    mark = next((index + 1 for index, token in enumerate(rest) if token.low in ("from", "of")), 0)
    return tuple(token.low for token in rest[:mark]) in PHRASAL.get(group.lemma, ()) and mark > 0


def _away(group: VerbGroup, subject: Tokens, rest: Tokens) -> Given | None:
    """Read "moved away from A", "S was cut from A", "dropped out of A", with nothing in its place."""
    begin = next((index + 1 for index, token in enumerate(rest) if token.low in ("from", "of")), 0)
    is_left = _is_left(group, rest) or (begin and group.lemma in _MOVING and rest[begin - 1].low == "from")
    if not is_left or not (group.is_past or group.perfect):
        return None
    end = phrase_end(rest, begin)
    return Given(rest[begin:end], (*subject, *rest[end:]))


def _denied(clause: Tokens, group: VerbGroup) -> Given | None:
    """Read "A isn't used for S any more", "S is no longer on A": the one name that the clause gives up."""
    subject, rest = clause[: group.subject_end], clause[group.rest :]
    lemma = group.lemma
    if lemma == "be" and forms().get(low_at(rest, 0), ("", ""))[1].count("n"):
        lemma, rest = forms()[rest[0].low][0], rest[1:]
        if lemma in _USING and subject and shape(subject) != "word":
            begins = shape(subject, begins=True) == "word" and len(subject) > 1
            if not begins and lemma in ("use", "employ", "need"):
                return Given(subject, rest)
    if lemma not in _USING or not subject:
        return None
    named = [run for run in noun_phrases(rest) if shape(run) != "word"]
    if len(named) != 1:
        return None
    spans = {token.start for token in named[0]}
    return Given(named[0], (*subject, *(token for token in rest if token.start not in spans)))


#: What is told to be no longer so beside one of these is so for a while, or in part.
_FOR_A_WHILE: Final = MEANWHILE | _WORDS["for_a_while"]
#: Stands for what a name that is given up is about: that somebody calls a thing so.
RENAMED: Final = "named"
_CLAUSES: Final = ENDING_SLOTS | {SAYS_SLOT}
#: What is told of a thing that was there before is not told of the one that is there now.
_OLD: Final = _WORDS["old"]
_WHY: Final = SINCE - {"since"}
_NOT_TOLD: Final = PAST_WORDS | DENYING | _FOR_A_WHILE
#: Words of a sentence that tells one thing.
_MOST_TOLD: Final = 30


def parse_given_up(sentence: Sentence, me: str) -> list[Claim]:
    """What a sentence gives up; the words of the text, which tell what it is about, are still to come (its topic)."""
    tokens = sentence.tokens
    lows = [token.low for token in tokens]
    if not (may_contrast(lows) or may_give(lows) or may_be_before(lows)):
        return []
    if sentence_modality(sentence) is not Modality.FACT or is_additive(tokens):
        return []
    if not lasts(tokens) or not _FOR_A_WHILE.isdisjoint(lows):
        return []
    claims = []
    for clause, given in _given(tokens):
        gone = words_of(_plain(given.gone), me) if _is_value(given.gone) else None
        if any(token.low in _OLD for token in given.about):
            continue
        about = words_of(without_when(_plain(_told(given.about))), me)
        if not gone or about is None:
            continue
        new = words_of(_plain(given.new), me) or ()
        if set(gone) <= set(new):
            continue  # "the new API replaced the old API": there is one all the same
        if new and not given.corrects:
            claims.append(_come(clause, given, (*new, *about, *((RENAMED,) if given.renamed else ())), tokens))
        value = Value(ValueKind.STATEMENT, text_of(clause), tuple(sorted(set(gone))))
        claims.append(
            Claim(
                subject=" ".join(sorted(set(new) - set(gone))),
                slot=GIVES_SLOT,
                value=value,
                polarity=False,
                scope=(RENAMED,) if given.renamed else tuple(sorted(set(about) - set(gone))),
                correction=given.corrects,
                start=clause[0].start,
                end=clause[-1].end,
                single=_is_exact(given.gone, tokens),
                change=not given.corrects,
                loose=True,
            )
        )
    return claims


def _come(clause: Tokens, given: Given, words: tuple[str, ...], sentence: Tokens) -> Claim:
    """What came instead, as something that is told of what the change is about."""
    first = sentence[0].start
    names = {stem(token.low.removesuffix("'s")) for token in given.new if is_exact(token, first=token.start == first)}
    value = Value(ValueKind.STATEMENT, text_of(clause), tuple(sorted(set(words))))
    start, end = clause[0].start, clause[-1].end
    return Claim("", SAYS_SLOT, value, scope=tuple(sorted(names)), start=start, end=end, single=True, loose=True)


def _given(tokens: Tokens) -> Iterator[tuple[Tokens, Given]]:
    lead = parse_lead(tokens)
    if lead:
        yield tokens, lead
        return
    clauses = _clauses(tokens)
    for number, whole in enumerate(clauses, 1):
        clause, ended = without_phrases(whole)
        clause = clause[parse_opening(clause).end :]
        if not clause or word_modality(clause) is not Modality.FACT:
            continue
        group = parse_group(clause)
        if group is not None and is_reporting(group, clause[group.rest :]) and not _is_of_user(clause, group):
            return
        given = parse_contrast(clause, group)
        if given is None and group is not None and group.modality is Modality.FACT:
            given = parse_given(clause, group._replace(ended=group.ended or (ended and group.negated)))
            given = given or parse_before(clause, group, clauses[number:])
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


def _is_exact(gone: Tokens, sentence: Tokens) -> bool:
    """Whether what is given up is a name, a path, a number of several digits: nothing else is called so."""
    return any(is_exact(token, first=token.start == sentence[0].start) for token in gone)


def is_exact(token: Token, *, first: bool) -> bool:
    """Whether a word is a name or a value that is seldom something else."""
    text = token.text
    if text.isalpha() and (text.islower() or text[1:].islower()):
        return text[0].isupper() and not first
    if any(letter.isupper() for letter in text[1:]) or any(mark in text.strip(".") for mark in "/@_#."):
        return True
    digits = sum(letter.isdigit() for letter in text)
    return digits > 2 or (0 < digits < len(text) and text[0].isalpha()) or (text[0].isupper() and not first)


def parse_told(sentence: Sentence, claims: Sequence[Claim], me: str) -> list[Claim]:
    """What a sentence tells, word by word, of which the grammar reads no clause: a label, a clause without a verb."""
    tokens = sentence.tokens
    if any(claim.slot in _CLAUSES or claim.elliptical for claim in claims) or not 3 <= len(tokens) <= _MOST_TOLD:
        return []
    lows = {token.low for token in tokens}
    if not lows.isdisjoint(_NOT_TOLD) or sentence_modality(sentence) is not Modality.FACT:
        return []
    if tokens[0].low.removesuffix("'s") in INDEFINITE or parse_opening(tokens).correction:
        return []
    if word_modality(tokens) is not Modality.FACT or _is_past(tokens):
        return []
    words = words_of(_plain(tokens), me)
    names = {stem(t.low.removesuffix("'s")) for i, t in enumerate(tokens) if is_exact(t, first=not i)}
    if not words or not names:
        return []
    value = Value(ValueKind.STATEMENT, text_of(tokens), tuple(sorted(set(words))))
    start, end = tokens[0].start, tokens[-1].end
    scope = tuple(sorted(names))
    return [Claim("", SAYS_SLOT, value, scope=scope, start=start, end=end, single=True, loose=True)]


def _is_past(tokens: Tokens) -> bool:
    for clause in split_clauses(tokens):
        group = parse_group(clause.tokens) if clause.tokens else None
        if group is not None and (group.is_past or group.negated or group.modality is not Modality.FACT):
            return True
    return False
