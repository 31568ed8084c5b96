"""The closed word classes by which the author of a memory is found (T-03): `vocabulary.toml`, all lower case."""

from __future__ import annotations

from typing import Final

from . import lexicon
from .numerals import MONTH_NAMES, WEEKDAY_NAMES
from .tables import read_table, split_members, word_sets
from .units import UNITS

_TABLE: Final = read_table(__file__, "vocabulary")
WORDS: Final = word_sets(_TABLE["words"])
#: One thing in several words, the first of which stands for all.
SAME_THINGS: Final = split_members(_TABLE["same_things"])
#: Words of grammar by which a language is told.
LANGUAGES: Final = word_sets(_TABLE["languages"])


def _groups(name: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(group.split()) for group in _TABLE["groups"][name])


def one_of(words: frozenset[str]) -> str:
    """Return the part of a pattern that finds one of `words`."""
    return "|".join(sorted(words))


_OF_UNITS: Final = [[one for one, name in UNITS.items() if name == unit] for unit in WORDS["same_units"]]
SAME_WORDS: Final = (*_groups("same"), *lexicon.SPELLINGS, *SAME_THINGS, *_OF_UNITS)
#: Words before a value that say the same, and at the end what may stand there besides.
BEFORE_VALUES: Final = tuple(map(frozenset, _groups("before_values")))
#: Who says one of these instead of another says something else; "may" is mostly a verb.
CONTRASTS: Final = (*_groups("contrasts"), WEEKDAY_NAMES, tuple(name for name in MONTH_NAMES if name != "may"))
TIMES_OF_DAY: Final = next(group for group in CONTRASTS if "noon" in group)
DENIERS: Final = WORDS["deniers"]
REVERSERS: Final = WORDS["reversers"]
#: Words that change what a clause affirms or denies.
POLARITY_WORDS: Final = DENIERS | REVERSERS | WORDS["setters_aside"] | WORDS["changes"] | WORDS["comparing"]
RESTARTS: Final = WORDS["restarts"]
JOINERS: Final = WORDS["joiners"]
NAME_ENDINGS: Final = WORDS["name_endings"] | {""}
QUESTION_OPENERS: Final = WORDS["question_openers"]
_CONTRACTED: Final = frozenset(contraction for contraction in lexicon.CONTRACTIONS if contraction.endswith("n't"))
AUXILIARY_FORMS: Final = lexicon.AUXILIARIES | _CONTRACTED
SUBJECT_WORDS: Final = WORDS["pronoun"]
#: Two words before a value of which one says the opposite of the other.
OPPOSITE_PREPOSITIONS: Final = _TABLE["groups"]["opposite"]
TASKS: Final = WORDS["task"]
PEOPLE: Final = WORDS["people"]
TITLES: Final = WORDS["titles"]
HUMAN_VERBS: Final = WORDS["human_verbs"]
#: How people say that something has changed; and what puts what follows it into a place.
CHANGED: Final[str] = _TABLE["words"]["changed"]
SWAPS: Final[str] = _TABLE["words"]["swaps"]
#: Words that are names when they are written in capitals, whatever the list of stopwords says.
NAMES_LIKE_STOPWORDS: Final = WORDS["names_like_stopwords"]
NO_IDENTIFIERS: Final = frozenset(("e.g", "i.e", "and/or", "he/she", "w/o"))
