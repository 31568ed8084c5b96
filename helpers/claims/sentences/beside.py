"""Read who somebody is from what stands beside their name: "Ana Silva, the user's dentist, ..." (C-39).

"The user's accountant, Milo, does it" says as well that Milo is the user's accountant, whatever else it says.
"""

from __future__ import annotations

from typing import Final

from ...language.lexicon import ENGLISH, PREPOSITIONS
from ...language.segment import is_finite
from ...language.token import Token
from ...language.verbs import BE_PRESENT, forms
from ..clauses.predicates import Tokens
from ..grammar.subjects import KIN, USER
from ..values.names import end_of_name
from ..values.numbers import low_at

_IS: Final = Token("is", "is", 0, 0)
_MY: Final = frozenset(("my", f"{USER}'s"))
_MAX_NOUN: Final = 3
#: Of these somebody has several.
_MANY: Final = KIN - frozenset("wife husband landlord landlady dentist doctor therapist trainer boss".split())


def beside_names(tokens: Tokens) -> list[Tokens]:
    """The sentences "X's N is NAME" that a sentence of the present says beside what it tells."""
    lows = [token.low for token in tokens]
    if "," not in lows or not any(low in _MY or low.endswith("'s") for low in lows) or not _is_present(tokens):
        return []
    return [told for index in range(len(tokens)) for told in _at(tokens, index)]


def _is_present(tokens: Tokens) -> bool:
    """Whether all verbs of a sentence are in the present."""
    verbs = [i for i in range(len(tokens)) if is_finite(tokens, i)]
    return bool(verbs) and all(
        tokens[i].low in BE_PRESENT or "d" not in forms().get(tokens[i].low, ("", ""))[1] for i in verbs
    )


def _at(tokens: Tokens, comma: int) -> list[Tokens]:
    """What a comma tells between a name and a noun, in either order."""
    if tokens[comma].low != "," or comma == 0:
        return []
    end = next((i for i in range(comma + 1, len(tokens)) if tokens[i].low == ","), len(tokens))
    left, right = tokens[:comma], tokens[comma + 1 : end]
    begin = next((i for i in range(len(left)) if end_of_name(left, i) == len(left) and _is_start(left, i)), -1)
    if begin >= 0 and _is_noun(right):
        return [(*right, _IS, *left[begin:])]
    if right and end_of_name(right, 0) == len(right) and right[0].low not in ENGLISH:
        noun = next((left[i:] for i in range(len(left)) if _is_noun(left[i:])), ())
        return [(*noun, _IS, *right)] if noun else []
    return []


def _is_start(tokens: Tokens, index: int) -> bool:
    before = low_at(tokens, index - 1) if index else ""
    return tokens[index].low not in ENGLISH and (not before or before in PREPOSITIONS)


def _is_noun(tokens: Tokens) -> bool:
    """Whether the words are "the user's dentist", "my piano teacher", "Oskar's class teacher"."""
    begin = int(low_at(tokens, 0) == "the")
    owner, noun = low_at(tokens, begin), tokens[begin + 1 :]
    if owner not in _MY and not (owner.endswith("'s") and tokens[begin].text[0].isupper()):
        return False
    is_plain = all(token.low.isalpha() and token.text[0].islower() for token in noun)
    return 0 < len(noun) <= _MAX_NOUN and is_plain and noun[-1].low not in _MANY
