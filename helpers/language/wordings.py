"""Patterns of wordings, which are data with examples: a table has rows with a name and what they find.

In a pattern a blank is white space, or what a table says in `blank`; a break of lines is nothing, "{class}" stands for
any word of a class or a part of the table, and the case of letters is no matter.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final

from ..texts import regex
from .lexicon import CONDITIONS, NEARLY, SPOKEN
from .tables import read_table
from .vocabulary import AUXILIARY_FORMS, DENIERS, HUMAN_VERBS, PEOPLE, QUESTION_OPENERS, SUBJECT_WORDS, TASKS, one_of

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
