"""Decide whether one text ends all that another one says: the same subject, relation and scope.

Whoever moves no longer lives there, and may work there still. So every word of the older clause must be the value that
goes, stand in the newer text, or say the relation that ends; and all that narrows the change must be in the older one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from ...language.lexicon import CALENDAR, DEICTIC_TIMES, PERIODS, PREPOSITIONS
from ...language.segment import tokens_of
from ...language.tables import read_classes, read_table, split_wordings
from ...language.token import Token
from ...language.verbs import is_verb
from ...language.words import shared_head, stem
from ..clauses.clause_grammar import parse_group
from ..clauses.ending_phrases import DROPPING
from ..clauses.endings import ENDS_SLOT, SAYS_SLOT, context_of
from ..coreference.situations import RECURRING, SEASONS
from ..grammar.subjects import KIN, USER
from ..grammar.topics import KINDS
from ..grammar.verb_groups import NOBODY_AT_ALL
from ..model import Claim, Tense
from ..slots.rows import SLOTS

_WORDS: Final = read_classes(__file__)
_Words = set[str]
_TABLE: Final = read_table(__file__, "word_classes")["narrow"]
_RELATIONS: Final = [(frozenset(row["changes"].split()), frozenset(row["words"].split())) for row in _TABLE["relation"]]
_SYNONYMS: Final = [frozenset(words) for words in split_wordings(_TABLE["synonyms"])]
_OF_RELATIONS: Final = frozenset[str]().union(*(words for _, words in _RELATIONS), *_SYNONYMS)
#: Verbs that end any use of a thing, and the verbs of use that they end.
_GIVING_UP, _IN_USE = _RELATIONS[1]
OWNERS: Final = frozenset(("user", "we"))
_FIRST: Final = frozenset(("i", "our", "my"))
_DEICTIC: Final = DEICTIC_TIMES | {"since", "a", "in"}
_HABITS: Final = _RELATIONS[-2][1] | {"drink", "eat", "smoke"}
#: Times of a habit, which end with it.
_TIMES: Final = frozenset(stem(day) for day in CALENDAR) | PERIODS | _WORDS["times"]
_SHORTEST_ROOT: Final = 4
_SUFFIXES: Final = _WORDS["suffixes"] | {""}
_OTHERS: Final = frozenset(("other", "another"))
_WHO_AND_WHERE: Final = frozenset(("person", "name", "place", "country"))

#: What stands before the name of somebody who is addressed.
_BEFORE_ADDRESS: Final = _WORDS["greetings"] | frozenset(",:!")
_DAYS: Final = CALENDAR | (RECURRING - SEASONS)


class Facing(NamedTuple):
    """An ending beside what it may end.

    `gone` and `words` are the words of what goes and of the older clause, `clause` those of the ending in their order;
    `tokens` are those of the older clause, and `places` where it tells what goes.
    """

    end: Claim
    saying: Claim
    gone: frozenset[str]
    words: frozenset[str]
    clause: Sequence[str]
    tokens: Sequence[Token]
    places: Sequence[int]


def ends(end: Claim, saying: Claim) -> bool:
    """Whether `end` rules out `saying`: all that it says ends, in every respect in which it is said."""
    both = face(end, saying)
    return both is not None and not _left_over(both)


def face(end: Claim, saying: Claim) -> Facing | None:
    """Lay an ending beside what is said of the same thing; None if another thing ends, or ends for another subject."""
    if saying.slot != SAYS_SLOT or end.slot != ENDS_SLOT or saying.time.tense is Tense.PAST:
        return None
    tokens = tokens_of(saying.value.text)
    gone, words = _gone(end), _words(saying)
    if not gone <= words or not (words - gone).isdisjoint(DROPPING):
        return None  # "rotation is disabled", and who disabled it
    places = [index for index, token in enumerate(tokens) if _stem(token) in gone]
    if not places or _is_addressed(tokens, places):
        return None
    both = Facing(end, saying, gone, words, [_stem(token) for token in tokens_of(end.value.text)], tokens, places)
    return None if _is_other_value(both) or _is_another_one(both) or _is_narrower(both) else both


def _is_addressed(tokens: Sequence[Token], places: Sequence[int]) -> bool:
    """Whether a clause only calls somebody by name, or has a name among others: "Thanks, Melanie"."""
    lows = [token.low for token in tokens]
    return all(
        (index == 0 or lows[index - 1] in _BEFORE_ADDRESS) and (index + 1 == len(lows) or not lows[index + 1].isalnum())
        for index in places
    )


def ended_words(end: Claim) -> frozenset[str]:
    """Return what a clause must have to be ended (see `told_words`): the words of what ends, and roots of the rest."""
    return _gone(end) | _roots(_about(end) - _slot_nouns())


def told_words(saying: Claim) -> frozenset[str]:
    """Return all words of what a clause says, with its subject, and the roots of these words."""
    return _words(saying) | _roots(_words(saying))


def _roots(words: Iterable[str]) -> frozenset[str]:
    """Return the first letters of the parts of words: forms of one word (see `_is_told`) share them."""
    parts = {part for word in words for part in word.split("-")} - PREPOSITIONS
    return frozenset(f"{part[:_SHORTEST_ROOT]}-" for part in parts if part)


def _words(saying: Claim) -> frozenset[str]:
    return _content(saying.value.text).union(map(str, saying.value.norm), saying.subject.split())


@lru_cache(maxsize=4_096)
def _content(text: str) -> frozenset[str]:
    """Return all words that a clause says beside its topic, with its verb and how often it is so."""
    tokens = tokens_of(text)
    group = parse_group(tokens)
    verb = {group.lemma} if group is not None and group.lemma not in ("", "be", "have") else set()
    times = {_stem(now) for before, now in pairwise(tokens) if now.low in PERIODS and before.low not in _DEICTIC}
    return frozenset(verb | times | context_of(tokens, USER))


def _gone(end: Claim) -> frozenset[str]:
    """Return the words of what ends."""
    return frozenset(map(str, end.value.norm))


def _about(end: Claim) -> frozenset[str]:
    """Return the words of what something is ended for: the older clause must have all of them."""
    return frozenset((*end.scope, *end.subject.split())) - OWNERS - {NOBODY_AT_ALL}


def _stem(token: Token) -> str:
    return stem(token.low.removesuffix("'s"))


def _is_other_value(both: Facing) -> bool:
    """Whether the value is part of a longer name ("Azure DevOps"), or is no value here ("from Azure")."""
    first, last = min(both.places), max(both.places)
    if first and both.tokens[first - 1].low in _WORDS["elsewhere"]:
        return True
    following = both.tokens[last + 1] if last + 1 < len(both.tokens) else None
    return following is not None and (following.text[0].isupper() or following.low in PERIODS)


def _is_another_one(both: Facing) -> bool:
    """Whether the ending is about another subject, or another one of two, or its replacement is already there."""
    end, subject, clause = both.end, both.saying.subject, both.clause
    is_denial = not end.change and not end.correction
    if is_denial and end.subject not in (subject, NOBODY_AT_ALL):
        return True
    after = end.value.text.rpartition(" to ")[2] if " to " in end.value.text else ""
    new = set(map(_stem, tokens_of(after))) - KINDS - both.gone
    if new and new <= both.words:
        return True
    is_one_of_two = any(b in both.gone and a in _WORDS["one_of_two"] for a, b in pairwise(clause))
    return is_one_of_two or not _OTHERS.isdisjoint(clause)


def _left_over(both: Facing) -> _Words:
    """Return the words of the older clause that the ending does not account for."""
    end, clause = both.end, both.clause
    known = {*clause, *(end.topic or "").split(), *end.scope, *end.subject.split()}
    own = both.gone | _named_with(both) | _closed_by(both)
    if both.words & _HABITS & (own | set(clause)):
        own |= _TIMES
    if not set(both.saying.subject.split()) <= OWNERS:
        own |= KINDS  # "the billing service", and "billing"
    if not OWNERS.isdisjoint(known) or not _FIRST.isdisjoint(clause):
        own |= OWNERS
    if end.subject == NOBODY_AT_ALL:
        own |= set(both.saying.subject.split())
    is_use = _GIVING_UP.isdisjoint(clause)
    # A relation must be told by the clause of the ending itself.
    of_clause = {word for word in both.words - own if word in _OF_RELATIONS or (is_use and is_verb(word))}
    return {word for word in both.words - own if not _is_told(word, clause if word in of_clause else known)}


def _named_with(both: Facing) -> _Words:
    """Return the words of a name in front of the value, which is its end: "a 2014 Skoda Octavia"."""
    before = takewhile(_is_exact, reversed(both.tokens[1 : min(both.places)]))
    return set(map(_stem, before))


def _is_exact(token: Token) -> bool:
    """Whether a word is a name or a value that is seldom something else."""
    text = token.text
    if text.isalpha() and (text.islower() or text[1:].islower()):
        return text[0].isupper()
    digits = sum(letter.isdigit() for letter in text)
    return digits > 2 or (0 < digits < len(text) and text[0].isalpha()) or text[0].isupper()


def _closed_by(both: Facing) -> _Words:
    """Return the words of the relations that the clause of the ending brings to an end."""
    own = set(both.clause)
    closed = [words for changes, words in _RELATIONS if not own.isdisjoint(changes)]
    if "move" in own and both.tokens[min(both.places) - 1].low == "on":
        closed.append(_IN_USE)
    if both.tokens[min(both.places) - 1].low in ("in", "to") and set(both.saying.subject.split()) <= OWNERS:
        closed = [words for words in closed if words is _RELATIONS[0][1]]  # who gave up a town may train there
    return set().union(*closed, *(words for words in _SYNONYMS if not own.isdisjoint(words)))


def _is_narrower(both: Facing) -> bool:
    """Whether something ended only in a respect that the older text does not mention."""
    lows = [token.low for token in tokens_of(both.end.value.text)]
    times = {stem(low) for before, low in pairwise(lows) if low in PERIODS and before not in _DEICTIC}
    return any(not _is_told(word, both.words) for word in (_about(both.end) - _slot_nouns()) | times)


@lru_cache(maxsize=1)
def _slot_nouns() -> frozenset[str]:
    """Return the nouns of slots, which say no more than the value beside them."""
    rows = (row for row in SLOTS if not row.person and _WHO_AND_WHERE.isdisjoint(map(str, row.reads)))
    return frozenset(stem(noun.split()[-1]) for row in rows for noun in row.nouns.split("|") if noun)


def _is_told(word: str, others: Iterable[str]) -> bool:
    """Whether a word is among others in any form: "classified" beside "classifies", "on-call" beside "call"."""
    known = set(others)
    if word in known:
        return True
    if "-" in word.strip("-"):
        return all(part in known or part in PREPOSITIONS or not part for part in word.split("-"))
    sizes = ((other, shared_head(word, other)) for other in known if len(word) > _SHORTEST_ROOT and word.isalpha())
    return any(size >= _SHORTEST_ROOT and {word[size:], other[size:]} <= _SUFFIXES for other, size in sizes)


def may_end(end: Claim, saying: Claim) -> bool:
    """Whether `end` is a change that may have ended what `saying` says, though that says more.

    Not what somebody else does, what a relative does whom the other text does not name, what goes on in a place that
    only somebody has left, and not on one day only: "was closed last Sunday".
    """
    both = face(end, saying) if end.change else None
    if both is None:
        return False
    subject, clause = set(saying.subject.split()), both.clause
    own = subject - OWNERS
    is_of_other = bool(subject) and subject.isdisjoint((*OWNERS, *clause)) and clause[0] in (USER, "i")
    is_of_relative = USER in subject and bool(own & KIN) and own.isdisjoint((*clause, *end.subject.split()))
    is_place = any(both.tokens[place - 1].low in ("in", "of") for place in both.places if place)
    is_left_behind = is_place and clause[0] in OWNERS and not _WORDS["leaving"].isdisjoint(clause)
    is_one_occasion = any(
        (before == "last" and low in _DAYS) or (before == "on" and low[0].isdigit())
        for before, low in pairwise(token.low for token in tokens_of(end.value.text))
    )
    return not (is_of_other or is_of_relative or is_left_behind or is_one_occasion)


def may_change(change: Claim, saying: Claim) -> bool:
    """Whether a change names its subject in fewer words than a claim of the same slot, which may be of another one."""
    own, others = subject_words(change), subject_words(saying)
    is_at_once = change.time == saying.time and saying.time.tense is not Tense.PAST
    return is_at_once and bool(own) and own <= others and not (others - own) & KIN


def subject_words(claim: Claim) -> frozenset[str]:
    """Return the words of the subject of a claim, without those that only say whose it is."""
    return frozenset(claim.key[0].split()) - OWNERS
