"""Read what a claim is about, in one form for every order of the words, and where and when it holds.

"The staging API", "the API in staging" and "API (staging)" are one topic; any word more makes it another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from ...language import lexicon
from ...language.lexicon import DETERMINERS, ENVIRONMENT_NOUNS, ENVIRONMENTS, NEUTRAL, PREPOSITIONS, singular
from ...language.tables import read_classes
from ...language.token import Token
from ...language.verbs import is_verb, lemma_of
from ...language.words import stem
from ..model import NOW, PAST, ClaimTime, Tense
from ..values.dates import parse_date

_WORDS: Final = read_classes(__file__)

KINDS: Final = _WORDS["kinds"]
#: As `KINDS`, but only directly beside a name, where a text may leave them out: "the parser image", "room Curie".
CLASS_NOUNS: Final = KINDS | _WORDS["class_nouns"]
NUMBERED: Final = _WORDS["numbered"]
#: Owners that go without saying.
OUR_OWN: Final = frozenset(("team's", "company's", "project's"))
_NO_NOUNS: Final = DETERMINERS | NEUTRAL | PREPOSITIONS | lexicon.CONJUNCTIONS | lexicon.PRONOUNS | lexicon.PAST_WORDS
_NO_SCOPE: Final = NEUTRAL | {"the", "my", "our"}
_EMPTY: Final = (DETERMINERS | NEUTRAL | PREPOSITIONS | {"whole", "entire", "all"}) - _WORDS["empty"]


def parse_topic(subject: str, scope: Iterable[str] = ()) -> str:
    """Return the words of a subject and its scope, each in one form, in alphabetical order; empty for "the project"."""
    return join_topic(word for phrase in (subject, *scope) for word in phrase.split())


def join_topic(words: Iterable[str]) -> str:
    """Return the topic that words make, in any order."""
    forms_of = {form for word in words if word not in _EMPTY and (form := stem(word))}
    named = {word for word in forms_of if word not in KINDS and word not in ENVIRONMENT_NOUNS}
    numbered = named - NUMBERED
    if numbered and not any(word.isalpha() for word in numbered):
        named = numbered  # "ticket KRN-204", but not "the team-3 ticket backend"
    kept = named or forms_of
    return "" if kept <= _WORDS["this_one"] else " ".join(sorted(kept))


def is_class_noun(tokens: Sequence[Token], index: int) -> bool:
    """Whether a word says what kind of thing the name directly beside it is: "checkout service", "room Curie"."""
    if stem(tokens[index].low.removesuffix("'s")) not in CLASS_NOUNS:
        return False
    after = tokens[index + 1].text if index + 1 < len(tokens) else ""
    if is_modifier(tokens, index):
        return False
    if not index:
        return after[:1].isupper() and not after.isupper()
    before = tokens[index - 1].low
    is_test_case = before in ("test", "use") and tokens[index].low in ("case", "cases")
    if is_test_case or (after[:1].isupper() and before in DETERMINERS):
        return True
    is_word = before[:1].isalnum() and not before.endswith("'s") and not before.isdecimal()
    return is_word and before not in _EMPTY and not is_verb(before)


def is_modifier(tokens: Sequence[Token], index: int) -> bool:
    """Whether a noun stands right behind a word, so that the word says which one: "the team-3 library backend"."""
    if index + 1 >= len(tokens) or tokens[index].low.endswith("'s"):
        return False
    after = tokens[index + 1]
    low = after.low.removesuffix("'s")
    if not (after.text.islower() and low.isalpha()) or low in _NO_NOUNS or low.endswith("ly"):
        return False
    lemma = lemma_of(low)
    if not lemma or stem(low) in CLASS_NOUNS:
        return True
    return low == lemma and singular(tokens[index].low) == tokens[index].low  # of one thing it would say "exports"


def parse_circumstances(tokens: Sequence[Token]) -> tuple[tuple[str, ...], ClaimTime]:
    """Return scope and time of the words of a clause that belong to no slot, phrase by phrase."""
    phrases: list[list[Token]] = [[]]
    for token in tokens:
        if token.low in PREPOSITIONS or not (token.low[0].isalnum() or token.low[0] in "#$@.+/~"):
            phrases.append([])
        phrases[-1].append(token)
    read = [(phrase, _phrase_time(phrase)) for phrase in phrases if phrase and not _is_company(phrase)]
    scope = {_scope_text(phrase) for phrase, time in read if time is None} - {""}
    times = [time for _, time in read if time is not None and time is not NOW]
    return tuple(sorted(scope)), [NOW, *times][-1]


def _is_company(phrase: Sequence[Token]) -> bool:
    """Whether a phrase only says with whom or as what: "with her husband", "as a data engineer"."""
    lows = [token.low for token in phrase]
    if lows[0] in ("behind", "inside") and lows[-1] in _WORDS["fronts"]:
        return True
    if lows[0] == "as":
        return lows[1:2] in (["a"], ["an"], ["the"])
    return lows[0] == "with" and lows[-1] in _WORDS["relatives"]


def _phrase_time(phrase: Sequence[Token]) -> ClaimTime | None:
    """Return the time that a phrase gives, or None if it is about something else."""
    lows = [token.low for token in phrase]
    if lows[0] == "since":
        return NOW
    if lows[0] == "until":
        return PAST if len(lows) > 1 and parse_date(phrase, 1) else None
    if lows[0] in _WORDS["free_prepositions"] or lows[0] == "from" or lows[0][0].isdigit():
        parsed = parse_date(phrase, int(lows[0] in PREPOSITIONS))
        if parsed and parsed.end == len(phrase) and parsed.value.norm[0] == "day":
            return ClaimTime(Tense.DATED, " ".join(str(part) for part in parsed.value.norm))
    is_over = any(low in lexicon.PAST_WORDS or low in lexicon.DEICTIC_DAYS for low in lows)
    is_of_period = any(low in ("last", "this") and following in lexicon.PERIODS for low, following in pairwise(lows))
    return PAST if is_over or is_of_period else None


def _scope_text(phrase: Sequence[Token]) -> str:
    lows = [token.low for token in phrase if token.low not in _NO_SCOPE and token.low[0].isalnum()]
    begin = int(bool(lows) and lows[0] in _WORDS["free_prepositions"])
    words = [ENVIRONMENTS.get(low, low) for low in lows[begin:]]
    if any(word in ENVIRONMENTS.values() for word in words):
        words = [word for word in words if word not in ENVIRONMENT_NOUNS]
    return " ".join(words)
