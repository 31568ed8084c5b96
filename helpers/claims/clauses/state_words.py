"""The words for the states that a thing is in, and which of them exclude each other (C-40).

The table is closed: two words of one slot with other values exclude each other. It holds the opposites that have words
of their own; those that a prefix makes ("signed", "unsigned") are made from their list.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ...language.tables import read_table

_TABLE: Final = read_table(__file__, "state_words")
#: Words that say more than their state: who is no vegan may be a vegetarian.
STRICTER: Final = frozenset(_TABLE["stricter"].split())
State = tuple[str, str]


def by_words(rows: Mapping[str, Mapping[str, str]]) -> dict[str, tuple[State, ...]]:
    """Return words -> (slot, value) of rows slot -> value -> words."""
    table: dict[str, tuple[State, ...]] = {}
    for slot, values in rows.items():
        for value, written in values.items():
            for words in written.split():
                form = words.replace("_", " ")
                table[form] = (*table.get(form, ()), (slot, value))
    return table


def _prefixed(rows: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The rows of the words that have an opposite by a prefix; with a hyphen, both spellings."""
    return {
        word: {"yes": word, "no": "{0}{1} {0}-{1}".format(prefix.removesuffix("-"), word)}
        for prefix, words in rows.items()
        for word in words.split()
    }


#: Words after "is" or "became" -> (slot, value). Two words of one slot with other values exclude each other.
STATES: Final = by_words({**_TABLE["states"], **_prefixed(_TABLE["prefixed"])})
#: Past forms of verbs that bring about a state -> (slot, value), beside the words of `STATES` that are past forms.
ACTS: Final = {
    **{word: STATES[word] for word in _TABLE["acts"].split()},
    **{word: (*STATES[word], *states) for word, states in by_words(_TABLE["acts_also"]).items()},
    **by_words(_TABLE["acts_instead"]),
}
