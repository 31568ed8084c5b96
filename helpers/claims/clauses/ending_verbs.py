"""The verbs by which something is no more, and the small words that some of them need for it (C-40).

"Drop" says it alone; "take" only in "take X out of Y", "give" in "give up X", "do" in "do away with X".
"""

from __future__ import annotations

from typing import Final

from ...language.lexicon import PREPOSITIONS
from ...language.tables import read_classes, read_table
from ...language.token import low_at
from ..grammar.verb_groups import DROP_LEMMAS, END_LEMMAS, SWAP_LEMMAS
from .predicates import Tokens

_WORDS: Final = read_classes(__file__)
_TABLE: Final = read_table(__file__, "word_classes")["ending_verbs"]


def _phrasal(name: str) -> dict[str, tuple[str, ...]]:
    """Return verb -> the small words that may follow it, for the verbs of a table."""
    return {verb: tuple(told.split("|")) for verbs, told in _TABLE[name].items() for verb in verbs.split()}


_ENDING: Final = _phrasal("phrasal")
_REMOVING: Final = _phrasal("removing")
#: Verb -> the small words that let it say that something is over for whoever speaks.
PHRASAL: Final = _ENDING | _phrasal("leaving")
#: Verb -> the first of the small words by which it ends something.
PARTICLES: Final = {
    verb: frozenset(words.split()[0] for words in (*_ENDING.get(verb, ()), *_REMOVING.get(verb, ())))
    for verb in (*_ENDING, *_REMOVING)
}
#: What follows the small word before what ends: "out of", "rid of", "away with".
_BEFORE_OBJECT: Final = frozenset(("of", "with", "on"))
ENDING: Final = END_LEMMAS | DROP_LEMMAS | _WORDS["ending"] | frozenset(PARTICLES)
TAKING_PLACE: Final = SWAP_LEMMAS | {"supersede", "succeed"}
#: Verbs of which "was" and the participle tell of an ending.
PASSIVES: Final = (ENDING | TAKING_PLACE) - {"leave", "stop", "quit", "cease", "come", "get", "do"}
#: Verbs after which there is no such thing any more.
TOTAL: Final = _WORDS["total"]


def parse_particle(lemma: str, rest: Tokens) -> Tokens | None:
    """What follows a verb without its small word, "took X out of Y" as "X of Y"; None if the small word is missing."""
    for index, token in enumerate(rest):
        if token.low in PARTICLES[lemma]:
            end = index + 1 + (not index and low_at(rest, 1) in _BEFORE_OBJECT)
            return (*rest[:index], *rest[end:])
        if token.low in PREPOSITIONS:
            return None
    return None
