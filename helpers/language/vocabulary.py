"""The closed word classes by which the author of a memory is found (T-03): `vocabulary.toml`, all lower case."""

from __future__ import annotations

from typing import Final

from . import lexicon
from .tables import read_table, word_sets

_TABLE: Final = read_table(__file__, "vocabulary")
_WORDS: Final = word_sets(_TABLE["words"])
_LANGUAGES: Final = word_sets(_TABLE["languages"])


def _groups(name: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(group.split()) for group in _TABLE["groups"][name])


def one_of(words: frozenset[str]) -> str:
    """Return the part of a pattern that finds one of `words`."""
    return "|".join(sorted(words))


FRAME_WORDS: Final = _WORDS["frame"]
GENERAL_WORDS: Final = _WORDS["general"]
SAME_WORDS: Final = (*_groups("same"), *lexicon.SPELLINGS)
CONTRASTS: Final = _groups("contrasts")
DENIERS: Final = _WORDS["deniers"]
NO_DENIAL: Final = _WORDS["no_denial"]
REVERSERS: Final = _WORDS["reversers"]
NO_OBJECT: Final = _WORDS["no_object"] | {""}
PASSIVES: Final = _WORDS["passives"]
SETTERS_ASIDE: Final = _WORDS["setters_aside"]
CHANGES: Final = _WORDS["changes"]
#: Words that change what a clause affirms or denies; "t" is what the tokeniser leaves of "n't".
POLARITY_WORDS: Final = (
    DENIERS
    | REVERSERS
    | SETTERS_ASIDE
    | CHANGES
    | frozenset("t than over instead from prefer prefers preferred".split())
)
MANY_AT_ONCE: Final = _WORDS["many_at_once"]
ARRIVALS: Final = _WORDS["arrivals"]
SUBJECTS: Final = _WORDS["subjects"]
JOINERS: Final = _WORDS["joiners"]
OPENERS: Final = _WORDS["openers"]
NOUN_ENDINGS: Final = tuple(_TABLE["words"]["noun_endings"].split())
NAME_ENDINGS: Final = _WORDS["name_endings"] | {""}
WORD_ENDINGS: Final = NAME_ENDINGS | _WORDS["word_endings"]
ENGLISH_WORDS: Final = _LANGUAGES["english"]
FOREIGN_WORDS: Final = _LANGUAGES["foreign"]
_CONTRACTED: Final = frozenset(one for one in lexicon.CONTRACTIONS if one.endswith("n't"))
AUXILIARY_FORMS: Final = lexicon.AUXILIARIES | _CONTRACTED
SUBJECT_WORDS: Final = _WORDS["pronoun"]
TASKS: Final = _WORDS["task"]
PEOPLE: Final = _WORDS["people"]
RESTARTS: Final = _WORDS["restarts"]
HUMAN_VERBS: Final = _WORDS["human_verbs"]
#: How people say that something has changed, a language a row; and what puts what follows it into a place.
CHANGED: Final = tuple(row for name, row in _TABLE["changed"].items() if name != "swaps")
SWAPS: Final[str] = _TABLE["changed"]["swaps"]
#: Words that are names when they are written in capitals, whatever the list of stopwords says.
NAMES_LIKE_STOPWORDS: Final = frozenset(("US", "IT", "WHO", "May", "Will"))
NO_IDENTIFIERS: Final = frozenset(("e.g", "i.e", "and/or", "he/she", "w/o"))
