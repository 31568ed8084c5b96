"""The word classes and wordings by which texts are read: data with examples, all lower case."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final

from ..texts import regex
from . import lexicon
from .lexicon import CONDITIONS, NEARLY, SPOKEN
from .numerals import MONTH_NAMES, UNITS, WEEKDAY_NAMES
from .tables import read_table, split_members, word_sets

_TABLE: Final = read_table(__file__, "vocabulary")
WORDS: Final = word_sets(_TABLE["words"])
#: Groups of wordings of one thing, the first of which stands for all.
SAME_THINGS: Final = split_members(_TABLE["same_things"])
#: Words of grammar by which a language is recognised.
LANGUAGES: Final = word_sets(_TABLE["languages"])
_OF_UNITS: Final = [[word for word, name in UNITS.items() if name == unit] for unit in WORDS["same_units"]]
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
#: Pairs of opposite prepositions before a value.
OPPOSITE_PREPOSITIONS: Final = _TABLE["groups"]["opposite"]
TASKS: Final = WORDS["task"]
PEOPLE: Final = WORDS["people"]
TITLES: Final = WORDS["titles"]
HUMAN_VERBS: Final = WORDS["human_verbs"]
#: Words of change; and words that put what follows them in the place of something else.
CHANGED: Final[str] = _TABLE["words"]["changed"]
SWAPS: Final[str] = _TABLE["words"]["swaps"]
#: Stopwords that are names if they are written in capitals.
NAMES_LIKE_STOPWORDS: Final = WORDS["names_like_stopwords"]
NO_IDENTIFIERS: Final = frozenset(("e.g", "i.e", "and/or", "he/she", "w/o"))


def _groups(name: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(group.split()) for group in _TABLE["groups"][name])


def one_of(words: frozenset[str]) -> str:
    """Return the part of a pattern that finds one of `words`."""
    return "|".join(sorted(words))


SAME_WORDS: Final = (*_groups("same"), *lexicon.SPELLINGS, *SAME_THINGS, *_OF_UNITS)
#: Groups of words of one meaning before a value; the last group are the other words that may stand there.
BEFORE_VALUES: Final = tuple(map(frozenset, _groups("before_values")))
#: Groups of words that exclude each other; without "may", which is mostly a verb.
CONTRASTS: Final = (*_groups("contrasts"), WEEKDAY_NAMES, tuple(name for name in MONTH_NAMES if name != "may"))
TIMES_OF_DAY: Final = next(group for group in CONTRASTS if "noon" in group)
_CLASSES: Final = {
    "advice": one_of(SPOKEN["recommendation"]),
    "auxiliary": one_of(AUXILIARY_FORMS),
    "condition": one_of(CONDITIONS),
    "denier": one_of(DENIERS),
    "guess": one_of(SPOKEN["estimate"]),
    "human verb": one_of(HUMAN_VERBS),
    "nearly": one_of(NEARLY),
    "person": one_of(PEOPLE),
    "question word": one_of(QUESTION_OPENERS),
    "pronoun": one_of(SUBJECT_WORDS),
    "supposing": one_of(SPOKEN["hypothesis"]),
    "task": one_of(TASKS),
    "unsure": one_of(SPOKEN["unsure"]),
    "wish": one_of(SPOKEN["plan"]),
}


@cache
def read_patterns(table: str, module: str = __file__) -> dict[str, re.Pattern[str]]:
    """Return the patterns of a table that lies beside a module, by their names."""
    return {name: regex(finds, re.IGNORECASE) for name, finds in spell_out(read_table(module, table)).items()}


def spell_out(table: dict[str, Any]) -> dict[str, str]:
    """Return the pattern of each row of a table by its name."""
    parts = _CLASSES | {name: _plain(part) for name, part in table.get("part", {}).items()}

    def fill(finds: str) -> str:
        return re.sub(r"\{([a-z ]+)\}", lambda match: f"(?:{fill(parts[match[1]])})", finds)

    rows = {name: fill(_plain(row["finds"])) for name, row in table["pattern"].items()}
    return {name: finds.replace(" ", table.get("blank", r"\s+")) for name, finds in rows.items()}


def _plain(finds: str) -> str:
    return re.sub(r"(?:^|\n) {4}|\n", "", finds)
