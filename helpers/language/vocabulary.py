"""The closed word classes by which the author of a memory is found (T-03): `vocabulary.toml`, all lower case."""

from __future__ import annotations

from typing import Final

from . import lexicon
from .tables import read_table

_TABLE: Final = read_table(__file__, "vocabulary")


def _words(name: str, part: str = "words") -> frozenset[str]:
    return frozenset(_TABLE[part][name].split())


def _groups(name: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(group.split()) for group in _TABLE["groups"][name])


def one_of(words: frozenset[str]) -> str:
    """Return the part of a pattern that finds one of `words`."""
    return "|".join(sorted(words))


FRAME_WORDS: Final = _words("frame")
GENERAL_WORDS: Final = _words("general")
SAME_WORDS: Final = _groups("same")
CONTRASTS: Final = _groups("contrasts")
DENIERS: Final = _words("deniers")
NO_DENIAL: Final = _words("no_denial")
REVERSERS: Final = _words("reversers")
NO_OBJECT: Final = _words("no_object") | {""}
PASSIVES: Final = _words("passives")
SETTERS_ASIDE: Final = _words("setters_aside")
CHANGES: Final = _words("changes")
#: Words that change what a clause affirms or denies; "t" is what the tokeniser leaves of "n't".
POLARITY_WORDS: Final = (
    DENIERS
    | REVERSERS
    | SETTERS_ASIDE
    | CHANGES
    | frozenset("t than over instead from prefer prefers preferred".split())
)
MANY_AT_ONCE: Final = _words("many_at_once")
ARRIVALS: Final = _words("arrivals")
SUBJECTS: Final = _words("subjects")
JOINERS: Final = _words("joiners")
OPENERS: Final = _words("openers")
NOUN_ENDINGS: Final = tuple(_TABLE["words"]["noun_endings"].split())
NAME_ENDINGS: Final = _words("name_endings") | {""}
WORD_ENDINGS: Final = NAME_ENDINGS | _words("word_endings")
ENGLISH_WORDS: Final = _words("english", "languages")
FOREIGN_WORDS: Final = _words("foreign", "languages")
_CONTRACTED: Final = frozenset(one for one in lexicon.CONTRACTIONS if one.endswith("n't"))
AUXILIARY_FORMS: Final = lexicon.AUXILIARIES | _CONTRACTED
SUBJECT_WORDS: Final = _words("pronoun")
TASKS: Final = _words("task")
PEOPLE: Final = _words("people")
RESTARTS: Final = _words("restarts")
HUMAN_VERBS: Final = _words("human_verbs")
#: How people say that something has changed, a language a row; and what puts what follows it into a place.
CHANGED: Final = tuple(row for name, row in _TABLE["changed"].items() if name != "swaps")
SWAPS: Final[str] = _TABLE["changed"]["swaps"]
#: Spelling of a unit -> the unit.
UNITS: Final = {spelling: names[0] for names in _groups("units") for spelling in names}
FACTORS: Final = _words("factors")
SYMBOLS: Final = {"$": " usd", "€": " eur", "£": " gbp", "¥": " jpy", "%": " percent ", "°": " "}
#: Words that are names when they are written in capitals, whatever the list of stopwords says.
NAMES_LIKE_STOPWORDS: Final = frozenset(("US", "IT", "WHO", "May", "Will"))
NO_IDENTIFIERS: Final = frozenset(("e.g", "i.e", "and/or", "he/she", "w/o"))
