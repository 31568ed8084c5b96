"""What a claim is about, in one form for all the orders in which it can be said (C-39, C-43).

"The staging API", "the API in staging" and "API (staging)" are the same words, so they are one topic; any word more
makes it another one. Words that only say what kind of thing a name belongs to count as long as nothing else is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ...language.lexicon import (
    CONJUNCTIONS,
    DETERMINERS,
    ENVIRONMENT_NOUNS,
    NEUTRAL,
    PAST_WORDS,
    PREPOSITIONS,
    PRONOUNS,
)
from ...language.nouns import singular
from ...language.stems import stem
from ...language.tables import read_classes
from ...language.token import Token
from ...language.verbs import forms

_WORDS: Final = read_classes(__file__)

KINDS: Final = _WORDS["kinds"]
#: The same directly beside the name, where the other text may leave them out: "the parser image", "room Curie".
CLASS_NOUNS: Final = KINDS | _WORDS["class_nouns"]
NUMBERED: Final = _WORDS["numbered"]
#: Whose it is here anyway.
OUR_OWN: Final = frozenset(("team's", "company's", "project's"))
#: Alone, these are the one thing that everything here is about: "our project", "the repo", "we".
_THIS_ONE: Final = _WORDS["this_one"]
_NO_NOUNS: Final = DETERMINERS | NEUTRAL | PREPOSITIONS | CONJUNCTIONS | PRONOUNS | PAST_WORDS
_EMPTY: Final = (DETERMINERS | NEUTRAL | PREPOSITIONS | {"whole", "entire", "all"}) - _WORDS["empty"]


def parse_topic(subject: str, scope: Iterable[str] = ()) -> str:
    """The words of a subject and its scope, each in one form, in alphabetical order; empty for "the project"."""
    return join_topic(word for phrase in (subject, *scope) for word in phrase.split())


def join_topic(words: Iterable[str]) -> str:
    """The topic that words make, in whatever order they come."""
    forms_of = {form for word in words if word not in _EMPTY and (form := stem(word))}
    named = {word for word in forms_of if word not in KINDS and word not in ENVIRONMENT_NOUNS}
    numbered = named - NUMBERED
    if numbered and not any(word.isalpha() for word in numbered):
        named = numbered  # "ticket KRN-204", but not "the team-3 ticket backend"
    kept = named or forms_of
    return "" if kept <= _THIS_ONE else " ".join(sorted(kept))


def is_class_noun(tokens: Sequence[Token], index: int) -> bool:
    """Whether a word says what kind of thing the name directly beside it is: "checkout service", "room Curie"."""
    if stem(tokens[index].low.removesuffix("'s")) not in CLASS_NOUNS:
        return False
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    if is_modifier(tokens, index):
        return False
    if index and after is not None and after.text[0].isupper() and tokens[index - 1].low in DETERMINERS:
        return True
    if not index:
        return after is not None and after.text[0].isupper() and not after.text.isupper()
    before = tokens[index - 1].low
    if before in ("test", "use") and tokens[index].low in ("case", "cases"):
        return True
    is_word = before[:1].isalnum() and not before.endswith("'s") and not before.isdecimal()
    return is_word and before not in _EMPTY and before not in forms()


def is_modifier(tokens: Sequence[Token], index: int) -> bool:
    """Whether a noun stands right behind a word, so that the word says which one: "the team-3 library backend"."""
    if index + 1 >= len(tokens) or tokens[index].low.endswith("'s"):
        return False
    after = tokens[index + 1]
    low = after.low.removesuffix("'s")
    if not (after.text.islower() and low.isalpha()) or low in _NO_NOUNS or low.endswith("ly"):
        return False
    lemma = forms().get(low, ("", ""))[0]
    if not lemma or stem(low) in CLASS_NOUNS:
        return True
    return low == lemma and singular(tokens[index].low) == tokens[index].low  # of one thing it would say "exports"
