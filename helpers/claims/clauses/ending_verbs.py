"""The verbs by which something is no more, and the small words that some of them need for it (C-40).

"Drop" says it alone; "take" only in "take X out of Y", "give" in "give up X", "do" in "do away with X".
"""

from __future__ import annotations

from typing import Final

from ...language.lexicon import PREPOSITIONS
from ...language.tables import expand_wordings, read_classes, read_table
from ...language.token import low_at
from ..grammar.verb_groups import DROP_LEMMAS, END_LEMMAS, SWAP_LEMMAS
from .predicates import Tokens

_WORDS: Final = read_classes(__file__)
_TABLE: Final = read_table(__file__, "word_classes")["ending_verbs"]
_Particles = dict[str, tuple[tuple[str, ...], ...]]


def _phrasal(name: str) -> _Particles:
    """Return verb -> the small words of which some may follow it, the longest first."""
    found: _Particles = {}
    for verb, *particles in sorted(expand_wordings(_TABLE[name]), key=lambda words: (-len(words), words)):
        found[verb] = (*found.get(verb, ()), tuple(particles))
    return found


_ENDING: Final = _phrasal("phrasal")
_REMOVING: Final = _phrasal("removing")
#: Verb -> the small words that let it say that something is over for whoever speaks.
PHRASAL: Final = _ENDING | _phrasal("leaving")
#: Verb -> the first of the small words by which it ends something.
PARTICLES: Final = {
    verb: frozenset(words[0] for words in (*_ENDING.get(verb, ()), *_REMOVING.get(verb, ())) if words)
    for verb in (*_ENDING, *_REMOVING)
}
#: What follows the small word before what ends: "out of", "rid of", "away with".
_BEFORE_OBJECT: Final = frozenset(("of", "with", "on"))
#: Verbs that say alone that their object is no more.
DROPPING: Final = DROP_LEMMAS | _WORDS["ending"]
ENDING: Final = END_LEMMAS | DROPPING | {"leave"} | frozenset(PARTICLES)
TAKING_PLACE: Final = SWAP_LEMMAS | {"supersede", "succeed"}
#: Verbs of which "was" and the participle tell of an ending.
PASSIVES: Final = (ENDING | TAKING_PLACE) - _WORDS["only_active"]


def parse_particle(lemma: str, rest: Tokens) -> Tokens | None:
    """What follows a verb without its small word, "took X out of Y" as "X of Y"; None if the small word is missing."""
    for index, token in enumerate(rest):
        if token.low in PARTICLES[lemma]:
            end = index + 1 + (not index and low_at(rest, 1) in _BEFORE_OBJECT)
            return (*rest[:index], *rest[end:])
        if token.low in PREPOSITIONS:
            return None
    return None
