"""The closed tables by which two wordings of one statement are told from two statements (T-67): see `wordings.toml`."""

from __future__ import annotations

from typing import Final

from ..language.lexicon import SPELLINGS
from ..language.tables import read_table, word_sets
from ..language.vocabulary import SAME_THINGS

_TABLE: Final = read_table(__file__, "wordings")
#: The words of each class.
CLASSES: Final = word_sets(_TABLE["classes"])


def _one_group_each() -> dict[str, str]:
    """Return each word's one group by its first word; a word that stands in two keeps to the first."""
    found: dict[str, str] = {}
    for group in (*SPELLINGS, *SAME_THINGS, *map(str.split, _TABLE["synonyms"])):
        known = [one for one in group if one not in found]
        found.update(dict.fromkeys(known, group[0]) if group[0] in known else {})
    return found


SYNONYMS: Final = _one_group_each()
#: The words of a phrase -> the words that it stands for.
PHRASES: Final = {
    tuple(phrase.split()): tuple(meant.split())
    for meant, _, phrases in (row.partition("=") for row in _TABLE["phrases"])
    for phrase in phrases.split(",")
}
LONGEST_PHRASE: Final = max(map(len, PHRASES))
BEGIN_PHRASES: Final = frozenset(words[0] for words in PHRASES)
