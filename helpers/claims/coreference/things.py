"""Decide whether two clauses that seem to be about one thing name two things, two persons or other times.

Each contradiction is held to what the subjects say word by word: "the app branch" is not "the train branch", "her
office" is not "my office", and "the heating in summer" is not all heating.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from itertools import groupby, islice, pairwise, product, takewhile
from typing import Final, NamedTuple

from ...language import lexicon
from ...language.numerals import NUMBER_WORDS
from ...language.segment import is_finite
from ...language.tables import read_classes
from ...language.token import Token, low_at
from ...language.words import stem
from ..grammar.subjects import EMPTY_ADJECTIVES, KIN, OURS, PEOPLE, USER
from ..grammar.topics import CLASS_NOUNS, KINDS, OUR_OWN
from ..values.names import PLACE_NOUNS
from .situations import sentence_tokens, tells_when

#: An opening of at most so many words names nobody: "Correction:", "Since Monday,".
_OPENING_WORDS: Final = 2
_WORDS: Final = read_classes(__file__)
#: Words in front of a noun that do not say which one it is.
_EMPTY: Final = _WORDS["empty"] | EMPTY_ADJECTIVES | lexicon.PAST_WORDS | lexicon.ENVIRONMENTS.keys()
#: Nouns whose "of" names the thing itself: "the city of Oslo".
_SAME_AS: Final = PLACE_NOUNS | _WORDS["same_as"]
_EXCEPT: Final = frozenset(("but", "except"))
_SOME: Final = lexicon.QUANTITIES | {"other", "another"}
#: Not "most": of most things one or the other is true.
_PARTLY: Final = lexicon.QUANTITIES - {"most"}
#: Nouns of what somebody or something has, and is not.
_OWNED: Final = CLASS_NOUNS - _WORDS["owned"]
_THEIRS: Final = lexicon.POSSESSIVES - {"my", "our"}
_SOMEBODYS: Final = frozenset("his her your".split())
_TIMES: Final = frozenset(
    map(stem, (lexicon.PERIODS - {"time"}) | lexicon.CALENDAR | {"weekday", "workday", "weekend"})
)
#: Words of one family share so many first letters: "India", "Indian".
_ROOT: Final = 5
#: Words after an opening that names nobody.
_AFTER_OPENER: Final = lexicon.PREPOSITIONS | {":", ","}
_OURS: Final = lexicon.FIRST_PERSON | OURS | {USER, "user's"}
_USERS: Final = frozenset((USER, "user's", "i", "my"))
_NO_NAMES: Final = (
    lexicon.DETERMINERS | lexicon.PREPOSITIONS | lexicon.CONJUNCTIONS | lexicon.PRONOUNS | lexicon.INDEFINITE
)
GRAMMAR: Final = _NO_NAMES | lexicon.NEUTRAL | lexicon.FIRST_PERSON | {"not"}
_LONGEST: Final = 6


class Run(NamedTuple):
    """Words that stand side by side and name one thing; the last one is its head. `is_led`: by "the" or "my"."""

    words: tuple[str, ...]
    tokens: tuple[Token, ...]
    is_led: bool
    before_of: bool

    @property
    def head(self) -> str:
        return self.words[-1]

    @property
    def is_name(self) -> bool:
        last = self.tokens[-1]
        if self.is_led and last.text.isupper() and last.text.isalpha():
            return False
        is_bare = len(self.words) == 1 and not self.is_led and lexicon.singular(last.low) == last.low
        return is_bare or not last.low.isalpha() or (not last.text.islower() and self.head not in CLASS_NOUNS)


class ClauseInText(NamedTuple):
    """A clause of a text: its words, those before its verb and what they name, its sentences and their words."""

    tokens: tuple[Token, ...]
    subject: tuple[Token, ...]
    runs: tuple[Run, ...]
    sentence: tuple[Token, ...]
    known: frozenset[str]
    is_first: bool

    @property
    def topics(self) -> tuple[Run, ...]:
        """The first words of the sentence of the clause."""
        return tuple(_runs(self.sentence[: _end_of_subject(self.sentence)]))

    @property
    def objects(self) -> tuple[Run, ...]:
        """The objects behind the verb, with an article: "moved the weekend standup"."""
        rest = self.tokens[len(self.subject) :]
        begins = (index for index in range(1, len(rest) - 1) if rest[index].low == "the")
        return tuple(
            run
            for index in begins
            if rest[index - 1].low not in lexicon.PREPOSITIONS - {"over", "of", "in"}
            for run in islice(_runs(rest[index:]), 1)
        )

    @property
    def aims(self) -> tuple[Run, ...]:
        """The aims of an action: "pays for the northern queue"."""
        return tuple(
            run
            for index in range(len(self.subject), len(self.tokens) - 1)
            if self.tokens[index].low == "for" and self.tokens[index + 1].low in lexicon.DETERMINERS
            for run in islice(_runs(self.tokens[index + 1 :]), 1)
        )


@lru_cache(maxsize=256)
def parse_which(text: str, span: tuple[int, int]) -> ClauseInText:
    """Return the clause in a span of a text."""
    sentence = sentence_tokens(text, span)
    tokens = tuple(token for token in sentence if span[0] <= token.start < span[1])
    end = _end_of_subject(tokens) or _behind_name(tokens)
    known = frozenset(form_of(token) for token in sentence)
    is_first = len(text[: span[0]].split()) <= _OPENING_WORDS
    return ClauseInText(tokens, tokens[:end], tuple(_runs(tokens[:end])), sentence, known, is_first)


def _end_of_subject(tokens: Sequence[Token]) -> int:
    return next((index for index in range(1, len(tokens)) if is_finite(tokens, index)), 0)


def _behind_name(tokens: Sequence[Token]) -> int:
    """Return 1 if an unknown verb follows a bare name ("Pernilla learns Korean"), else 0."""
    is_told = len(tokens) > 1 and tokens[0].low not in GRAMMAR and tokens[0].text[0].isupper()
    return int(is_told and tokens[1].text.islower() and tokens[1].low.endswith("s") and "'" not in tokens[1].low)


def form_of(token: Token) -> str:
    """Return the form in which a word is compared."""
    return stem(token.low.removesuffix("'s").lstrip("#@"))


def _runs(subject: Sequence[Token]) -> Iterator[Run]:
    begin = 0
    for names_thing, group in groupby(subject, _names_thing):
        tokens = tuple(group)
        end = begin + len(tokens)
        if names_thing:
            is_led = begin > 0 and subject[begin - 1].low in lexicon.DETERMINERS
            yield Run(tuple(map(form_of, tokens)), tokens, is_led, low_at(subject, end) == "of")
        begin = end


def _names_thing(token: Token) -> bool:
    return token.low not in GRAMMAR and (token.low[0].isalnum() or token.low[0] in "#@/~.")


def are_two_things(older: ClauseInText, newer: ClauseInText, value_words: Set[str]) -> bool:
    """Whether two clauses are about two things, or one about some times only; the values say `value_words` already."""
    sides = ((older, newer), (newer, older))
    return (
        any(mark(older) != mark(newer) for mark in (_unresolved, _editions, _exceptions))
        or any(map(_is_of_some, (older, newer)))
        or any(are_apart(older, newer, value_words) for are_apart in _APART)
        or any(is_other(clause, other, value_words) for is_other in _GUARDS for clause, other in sides)
        or _acts_another(older, newer, value_words, is_newer=False)
        or _acts_another(newer, older, value_words, is_newer=True)
    )


def _telling(run: Run, known: Set[str]) -> bool:
    """Whether words in front of a noun say which one it is, and are in no form `known` to the other clause."""
    starts = {word[:_ROOT] for word in known}
    return any(
        (word not in _EMPTY or token.low == "user")
        and not (word in known or word[0].isdigit() or word.endswith("ly") or token.low in OUR_OWN)
        and not (len(word) >= _ROOT and word[:_ROOT] in starts)
        for word, token in zip(run.words[:-1], run.tokens, strict=False)
    )


def _is_apart(clause: ClauseInText, other: ClauseInText, value_words: Set[str]) -> bool:
    """Whether a noun of one clause names another thing than one of the other, though they share a word."""
    facing = [*product(clause.runs, other.runs), *product(clause.aims, other.aims)]
    done = ((run, done) for run, done in product(clause.runs, other.objects) if run.head == done.head)
    apart = (*facing, *((run, done) for run, done in done if run.words[0] not in _EMPTY))
    return any(_are_apart(*pair, clause, other, value_words) for pair in apart) or any(
        _adds(*pair, clause, value_words) for pair in facing
    )


def _are_apart(run: Run, other: Run, older: ClauseInText, newer: ClauseInText, value_words: Set[str]) -> bool:
    """Whether one noun has other words in front, or the same words are in front of two nouns."""
    if run.is_name or other.is_name:
        return False
    if run.head == other.head:
        return run.head not in value_words and (_telling(run, newer.known) or _telling(other, older.known))
    heads = {run.head, other.head}
    is_shared = bool({*run.words[:-1]} & {*other.words[:-1]} - _EMPTY)
    if heads & value_words and not heads - value_words <= CLASS_NOUNS - KINDS:
        return False
    are_known = run.head in newer.known or other.head in older.known
    return is_shared and not (heads <= value_words or heads <= KINDS or are_known)


def _adds(run: Run, other: Run, clause: ClauseInText, value_words: Set[str]) -> bool:
    """Whether `other` names something that the thing of `run` has: "Kestrel's backend", "the shop channel"."""
    if other.is_name or run.head not in other.words[:-1] or run.head in _EMPTY:
        return False
    if other.head in value_words or other.head in clause.known:
        return False
    owner = other.tokens[other.words.index(run.head)]
    is_noun = run.is_led and owner.text.islower() and owner.low.isalpha()
    if owner.low.endswith("'s"):
        return other.head in _OWNED
    return other.head in _WORDS["held"] or (is_noun and other.head in _OWNED - KINDS)


def _is_part(clause: ClauseInText, other: ClauseInText, value_words: Set[str]) -> bool:
    """Whether a clause speaks of a part of what the other one speaks of: "the backend of Kestrel", "half of it"."""
    heads = {run.head: run.is_led for run in other.runs}
    is_measured = any(word[0].isdigit() for word in value_words)
    for run, whole in pairwise(clause.runs):
        between = clause.subject[clause.subject.index(run.tokens[-1]) + 1 : clause.subject.index(whole.tokens[0])]
        are_things = run.is_led and whole.is_led and between[0].low in ("in", "of") and len(between) == 2
        is_thing_in = is_measured and heads.get(whole.head, False) and are_things  # not "the temperature in Oslo"
        is_part = whole.head in heads and ((run.before_of and run.head in _OWNED) or is_thing_in)
        if is_part and not {run.head, *run.words[:1]} & (other.known | value_words | _SAME_AS):
            return True
    return False


def _are_of_two(older: ClauseInText, newer: ClauseInText, value_words: Set[str]) -> bool:
    """Whether one noun belongs to two things: "the list of companies", "the list of persons"."""
    first, second = (
        {run.head: whole for run, whole in pairwise(clause.topics) if run.before_of} for clause in (older, newer)
    )
    return any(
        all(whole.head.isalpha() and whole.head not in value_words for whole in wholes)
        and newer.known.isdisjoint(wholes[0].words)
        and older.known.isdisjoint(wholes[1].words)
        for wholes in ((first[head], second[head]) for head in first.keys() & second)
    )


def _unresolved(clause: ClauseInText) -> set[str]:
    """Return the pronouns that only another text can resolve: "her office" where nobody is named before."""
    owners: set[str] = set()
    for index, token in enumerate(clause.tokens if clause.is_first else ()):
        is_name = token.text[0].isupper() and token.low.removesuffix("'s") not in GRAMMAR
        is_name = is_name and (index > 0 or low_at(clause.tokens, 1) not in _AFTER_OPENER)
        if token.text.isupper() or token.low in lexicon.CALENDAR or (token.low == ":" and index == 1):
            continue
        if is_name or token.low in (":", "user", "user's") or token.low in lexicon.FIRST_PERSON:
            break
        if token.low in (_THEIRS if index < len(clause.subject) else _SOMEBODYS):
            owners.add(token.low)
    return owners


def _editions(clause: ClauseInText) -> set[str]:
    """Return the words that tell a product from its sister: "Lyra Max" is not Lyra."""
    return {
        token.low
        for before, token in pairwise(clause.subject)
        if token.low in _WORDS["editions"]
        and token.text[0].isupper()
        and before.text[0].isupper()
        and before.low not in GRAMMAR
    }


def _exceptions(clause: ClauseInText) -> set[str]:
    """Return the words by which a clause excepts some of the things that it names: "few of", "all but"."""
    lows = {token.low for token in clause.subject}
    return (lows & _EXCEPT if "not" not in lows else set()) | {token.low for token in clause.subject[:1]} & _SOME


def _is_of_some(clause: ClauseInText) -> bool:
    """Whether a clause speaks of some of several things, not of the same as another: "two of the lights"."""
    first, second = low_at(clause.tokens, 0), low_at(clause.tokens, 1)
    return first in _PARTLY or (second == "of" and (first in NUMBER_WORDS or first.isdecimal()))


def _are_set_apart(older: ClauseInText, newer: ClauseInText, value_words: Set[str]) -> bool:
    """Whether one word stands behind two prepositions: "the train to Rome", "the train from Rome"."""
    first, second = _placed(older), _placed(newer)
    shared = (first.keys() & second.keys()) - value_words
    return any(first[word] != second[word] and {first[word], second[word]} <= _WORDS["turns"] for word in shared)


def _placed(clause: ClauseInText) -> dict[str, str]:
    subject = clause.subject or clause.tokens
    nouns = (
        (token.low, [word for word in subject[i + 1 :] if word.low not in lexicon.DETERMINERS])
        for i, token in enumerate(subject)
    )
    return {form_of(after[0]): low for low, after in nouns if low in lexicon.PREPOSITIONS and after}


def _are_turned(older: ClauseInText, newer: ClauseInText, value_words: Set[str]) -> bool:
    """Whether the same owners stand in another order: "my sister's husband's" and "my husband's sister's"."""
    orders = [[form_of(token) for token in clause.tokens if token.low.endswith("'s")] for clause in (older, newer)]
    return len(orders[0]) > 1 and orders[0] != orders[1] and sorted(orders[0]) == sorted(orders[1])


def _is_scoped(clause: ClauseInText, other: ClauseInText, value_words: Set[str]) -> bool:
    """Whether a phrase in a subject says where or when, and the other sentence does not."""
    subject = clause.subject
    if len(subject) > 1 and subject[-1].low in _WORDS["where"] and subject[-1].low not in other.known:
        return True
    for index, token in enumerate(subject[1:], 1):
        if token.low not in lexicon.PREPOSITIONS or token.text[0].isupper():
            continue
        phrase = takewhile(lambda word: word.low not in lexicon.PREPOSITIONS, subject[index + 1 :])
        words = {form_of(word) for word in phrase if word.low not in GRAMMAR and word.low[0].isalnum()}
        is_telling = token.low in _WORDS["scoping"] or words <= _TIMES
        if words and is_telling and words.isdisjoint(other.known):
            return True
    return False


def _is_of_another(clause: ClauseInText, other: ClauseInText, value_words: Set[str]) -> bool:
    """Whether only one clause names the owner of what both speak of: "my sister's dentist", "my dentist"."""
    for index, token in enumerate(clause.tokens[:-1]):
        owner = token.low.removesuffix("'s")
        is_somebody = owner in KIN or (token.text[0].isupper() and owner not in _NO_NAMES and owner != USER)
        if owner == token.low or not is_somebody or {owner, stem(owner)} & (other.known | value_words):
            continue
        held = [form_of(word) for word in clause.tokens[index + 1 : index + 3] if word.low not in _NO_NAMES]
        if held and held[0] in other.known:
            return True
    return False


def _is_with_another(clause: ClauseInText, other: ClauseInText, value_words: Set[str]) -> bool:
    """Whether one clause is about the user with somebody, and the other about the user with somebody else."""
    partners = _names(clause.subject) if any(token.low == "and" for token in clause.subject) else set()
    is_alone = bool(partners) and partners.isdisjoint(other.known | value_words)
    return is_alone and bool(_names(other.tokens) - clause.known)


def _names(tokens: Sequence[Token]) -> set[str]:
    return {
        form_of(token)
        for token in tokens
        if token.text[0].isupper() and token.low not in _NO_NAMES and token.low.removesuffix("'s") not in _USERS
    }


def _acts_another(clause: ClauseInText, other: ClauseInText, value_words: Set[str], *, is_newer: bool) -> bool:
    """Whether a clause says of somebody else what the other one says of the user."""
    if not clause.subject or not any(token.low in _USERS for token in other.subject[:2]):
        return False
    first = clause.subject[0].low
    if first in KIN or any(token.low in _OURS for token in clause.sentence):
        return False
    if first in ("he", "she"):
        return clause.is_first
    if {form_of(token) for token in clause.subject} & (value_words | other.known):
        return False
    is_name = len(clause.subject) == 1 and clause.subject[0].text[0].isupper() and first not in _NO_NAMES
    return (is_name and not is_newer) or not (KIN | PEOPLE).isdisjoint(token.low for token in clause.subject)


def _holds_at_times(clause: ClauseInText, other: ClauseInText, value_words: Set[str]) -> bool:
    """Whether a sentence begins with when, where or for whom it holds, and the other one does not say so."""
    comma = next((index for index, token in enumerate(clause.sentence[:_LONGEST]) if token.low == ","), 0)
    phrase = clause.sentence[:comma]
    words = {form_of(token) for token in phrase if token.low not in _NO_NAMES}
    if not words or not words.isdisjoint(other.known):
        return False
    return tells_when(phrase) if len(phrase) > 1 else phrase[0].low in _WORDS["where"]


#: The checks of one clause against the other: things, persons and times that only one of them has.
_GUARDS: Final = (_is_scoped, _is_apart, _is_part, _is_of_another, _is_with_another, _holds_at_times)
_APART: Final = (_are_set_apart, _are_of_two, _are_turned)
