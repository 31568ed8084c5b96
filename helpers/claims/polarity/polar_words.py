"""The words of states, permissions, duties and wishes, in whatever order they are told (C-40)."""

from __future__ import annotations

from typing import Final

from ...language.stems import stem
from ...language.tables import read_table, split_members, word_sets
from ..clauses.state_words import ACTS, STATES, by_words

_TABLE: Final = read_table(__file__, "polar_words")
_WORDS: Final = word_sets(_TABLE["words"])

#: Verbs that tell a state without "is": what happened, or what goes on.
TELLING: Final = by_words(_TABLE["telling"])
#: Words after "is" -> (slot, value).
BEING: Final = {
    **STATES,
    **{
        words: tuple({**dict(STATES.get(words, ())), **dict(states)}.items())
        for words, states in by_words(_TABLE["being"]).items()
    },
}
#: Past forms after "we" or "the user" -> the state of their object.
DONE_TO: Final = {**{word: BEING.get(word, states) for word, states in ACTS.items()}, **by_words(_TABLE["done_to"])}
#: The lesser of two values -> the other one, which it denies.
GREATER: Final = {lesser: other for lesser, other in split_members(_TABLE["words"]["greater"])}
EARLIER: Final = _WORDS["earlier"]
#: Words of a topic with one meaning.
SYNONYMS: Final = {
    stem(form): stem(word) for word, *forms in split_members(_TABLE["words"]["synonyms"]) for form in forms
}
EMPTY: Final = _WORDS["empty"]
UNIVERSAL: Final = _WORDS["universal"]
OPEN: Final = _WORDS["open"]
