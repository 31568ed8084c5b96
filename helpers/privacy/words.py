"""Words that stand where a secret could stand, and are none (V-39): those of `words.toml`, and what any English has."""

from __future__ import annotations

from typing import Final

from ..language.lexicon import DETERMINERS, ENGLISH, INDEFINITE, NEUTRAL, PREPOSITIONS, PRONOUNS, QUANTIFIERS
from ..language.numerals import NUMBER_WORDS
from ..language.tables import read_table, word_sets
from ..language.units import UNITS as _MEASURES
from ..language.vocabulary import AUXILIARY_FORMS, DENIERS
from ..language.vocabulary import WORDS as _SPOKEN

_TABLE: Final = read_table(__file__, "words")["words"]
WORDS: Final = word_sets(_TABLE)

#: Words that go on with a sentence about passwords.
PROSE: Final = WORDS["prose"].union(
    *(_SPOKEN["stopwords"], _SPOKEN["little"], ENGLISH, NEUTRAL, AUXILIARY_FORMS, DENIERS, NUMBER_WORDS),
    *(DETERMINERS, INDEFINITE, PREPOSITIONS, PRONOUNS, QUANTIFIERS),
)
#: Endings of participles and adjectives, of what is done with a password or how it is.
PROSE_ENDINGS: Final = tuple(_TABLE["prose_endings"].split())
#: What a number counts where it is a rule and no password.
UNITS: Final = WORDS["units"].union(_MEASURES)
