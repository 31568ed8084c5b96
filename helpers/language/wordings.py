"""Patterns of wordings, which are data with examples: a table has rows with a name and what they find.

In a pattern a blank is white space, a break of lines is nothing, and "{class}" stands for any word of a class; patterns
of one name are tried together, and the case of letters is no matter.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final

from ..patterns import regex
from .lexicon import CONDITIONS, FORMERLY, NEARLY, QUESTION_OPENERS, SPOKEN
from .tables import read_table
from .vocabulary import AUXILIARY_FORMS, DENIERS, HUMAN_VERBS, PEOPLE, SUBJECT_WORDS, one_of

_CLASSES: Final = {
    "advice": one_of(SPOKEN["recommendation"]),
    "auxiliary": one_of(AUXILIARY_FORMS),
    "condition": one_of(CONDITIONS),
    "denier": one_of(DENIERS),
    "formerly": one_of(FORMERLY),
    "guess": one_of(SPOKEN["estimate"]),
    "human verb": one_of(HUMAN_VERBS),
    "nearly": one_of(NEARLY),
    "person": one_of(PEOPLE),
    "question word": one_of(QUESTION_OPENERS),
    "pronoun": one_of(SUBJECT_WORDS),
    "supposing": one_of(SPOKEN["hypothesis"]),
    "unsure": one_of(SPOKEN["unsure"]),
    "wish": one_of(SPOKEN["plan"]),
}


@cache
def read_patterns(table: str) -> dict[str, re.Pattern[str]]:
    """Return the patterns of a table by their names."""
    found: dict[str, list[str]] = {}
    for name, finds in spell_out(read_table(__file__, table)):
        found.setdefault(name, []).append(finds)
    return {name: regex("|".join(rows), re.IGNORECASE) for name, rows in found.items()}


def spell_out(table: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the name and the pattern of each row of a table."""
    parts = _CLASSES | {name: _plain(part) for name, part in table.get("part", {}).items()}

    def fill(match: re.Match[str]) -> str:
        return f"(?:{parts[match[1]]})"

    rows = ((row["name"], re.sub(r"\{([a-z ]+)\}", fill, _plain(row["finds"]))) for row in table["pattern"])
    return [(name, finds.replace(" ", r"\s+")) for name, finds in rows]


def _plain(finds: str) -> str:
    return re.sub(r"(?:^|\n) {4}|\n", "", finds)
