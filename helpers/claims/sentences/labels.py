"""Read "Key: value" and "Thing: one fact, another fact" apart from their verbs and commas (C-39).

"Marital status: married" holds a word that is a verb elsewhere, and "Printer: HP M404, IP 10.0.0.7" says two things of
one. Both are brought into the form that `extract` reads: one label, one value.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from ...language.lexicon import AUXILIARIES, CONJUNCTIONS, PREPOSITIONS
from ...language.tables import read_classes, read_table
from ...language.token import Token, low_at
from ...language.verbs import forms
from ..clauses.predicates import Frame, Tokens
from ..clauses.state_words import STATES
from ..grammar.signals import label_modality
from ..grammar.subjects import Attribute, parse_attribute
from ..model import Modality
from ..slots.rows import TABLE
from ..values.names import end_of_name
from ..values.readers import SCALARS, Reads, parse_value

_WORDS: Final = read_classes(__file__)
_DASHES: Final = frozenset(("-", "–", "—"))
LABEL_MARKS: Final = frozenset((":", "=", "->", "→"))
_MAX_LABEL: Final = 8
#: Nouns that alone say nothing of whose they are.
_ANYBODYS: Final = frozenset(read_table(__file__, "word_classes")["labels"]["anybodys"].split(" | "))
#: These say that there may be more of it: "Supported browser: Chrome".
_ONE_OF_SEVERAL: Final = _WORDS["one_of_several"]
#: What is preferred is somebody's, if nothing else is said.
_PREFERENCES: Final = frozenset(("preferred", "favourite"))
_MY: Final = Token("my", "my", 0, 0)
#: Words of a name that is a whole value.
_MAX_NAME: Final = 4
_IS: Final = Token("is", "is", 0, 0)
_MARK: Final = Token(":", ":", 0, 0)
#: Values that are never the beginning of a sentence.
_TYPED: Final = ("hours", "frequency", "phone", *(reader for reader in SCALARS if reader != "name"))


def plain_label(tokens: Tokens) -> Tokens:
    """Read "Port (staging): 80" like "Port of staging: 80", and "Port - 80" like "Port: 80"."""
    marks = [i for i, token in enumerate(tokens[: _MAX_LABEL + 3]) if token.low in LABEL_MARKS or token.low in _DASHES]
    cut = marks[0] if marks else 0
    if not cut or cut + 1 >= len(tokens):
        return tokens
    label, mark = tokens[:cut], tokens[cut]
    begin = next((i for i, token in enumerate(label) if token.low == "("), 0)
    if begin and label[-1].low == ")" and begin + 1 < len(label) - 1:
        inside = label[begin + 1 : -1]
        if not any(token.low in PREPOSITIONS or token.low in CONJUNCTIONS or token.low == "," for token in inside):
            label = (*label[:begin], label[begin]._replace(text="of", low="of"), *inside)
    if mark.low in _DASHES:
        if cut < 2 or len(tokens) - cut > _MAX_NAME or any(_is_finite_word(token) for token in tokens):
            return tokens
        mark = mark._replace(text=":", low=":")
    return (*label, mark, *tokens[cut + 1 :])


def _is_finite_word(token: Token) -> bool:
    return token.low in AUXILIARIES or _is_verb(token)


def label_end(tokens: Tokens) -> int:
    """The index of the mark after a label; 0 if the tokens do not begin with one."""
    if LABEL_MARKS.isdisjoint([token.low for token in tokens[: _MAX_LABEL + 1]]):
        return 0
    cut = next((i for i, token in enumerate(tokens[: _MAX_LABEL + 1]) if token.low in LABEL_MARKS), 0)
    is_label = cut and cut + 1 < len(tokens)
    return cut if is_label and all(t.low not in AUXILIARIES and t.low != "," for t in tokens[:cut]) else 0


def labelled_attribute(label: Tokens, frame: Frame) -> Attribute | None:
    """The slot that a label names; without an owner it may be the user's."""
    if any(token.low in _ONE_OF_SEVERAL for token in label):
        return None
    found = parse_attribute(label, me=frame.me)
    is_choice = found is not None and not found.subject.text and found.slot.split()[0] in _PREFERENCES
    if found is not None and not is_choice:
        return found
    if len(label) <= 2 and " ".join(token.low for token in label) in _ANYBODYS:
        return found
    return parse_attribute((_MY, *label), me=frame.me) or found


def modality_of_label(label: Tokens) -> Modality | None:
    """What a label says of how far the text stands behind the rest; "deploy target" is no aim, as "target" is."""
    return label_modality(label[-1].low) if len(label) == 1 or label[-1].low != "target" else None


def is_label(tokens: Tokens, frame: Frame) -> bool:
    """Whether a sentence is one label and one value, whatever else its words mean."""
    cut = label_end(tokens)
    if not cut:
        return False
    value = tokens[cut + 1 :]
    attribute = labelled_attribute(tokens[:cut], frame)
    if attribute is not None and any(_is_whole(row.reads, tokens, cut + 1) for row in attribute.rows):
        return True
    if attribute is None and len(value) <= _MAX_NAME and _is_name(value) and modality_of_label(tokens[:cut]) is None:
        return cut > 1
    is_plain = modality_of_label(tokens[:cut]) is None and all(not _is_verb(token) for token in tokens[:cut])
    if is_plain and " ".join(token.low for token in value) in STATES:
        return True
    return is_plain and _is_whole(_TYPED, tokens, cut + 1)


def _is_whole(reads: Reads, tokens: Tokens, begin: int) -> bool:
    parsed = parse_value(reads, tokens, begin)
    return parsed is not None and parsed.end == len(tokens)


def _is_verb(token: Token) -> bool:
    return "s" in forms().get(token.low, ("", ""))[1]


def split_labels(tokens: Tokens, frame: Frame) -> list[Tokens]:
    """The facts of "Thing: one fact, another fact", each with its label; none if this is no such list."""
    cut = label_end(tokens)
    commas = [i for i, token in enumerate(tokens) if i > cut and token.low == ","] if cut else []
    if not commas or any(token.low in AUXILIARIES for token in tokens):
        return []
    label = tokens[:cut]
    if modality_of_label(label) is not None:
        return []
    ends = (cut, *commas, len(tokens))
    items = [tokens[begin + 1 : end] for begin, end in pairwise(ends)]
    if any(not item or _is_code(item) or _is_name(item) for item in items[1:]) or not items[0]:
        return []  # several values of one kind
    if len(label) == 1 and _names_one(items[0]):
        return [_fact(label, items[0], frame), *(_fact((*label, *items[0]), item, frame) for item in items[1:])]
    return [_fact(label, item, frame) for item in items]


def _names_one(item: Tokens) -> bool:
    """Whether the first item says which one of a kind the list is about: "Flight: LH454, seat 12A"."""
    return (
        _is_code(item) or _is_name(item) or (len(item) < _MAX_NAME and parse_value(("frequency",), item, 0) is not None)
    )


def _is_code(item: Tokens) -> bool:
    return all(any(letter.isdigit() for letter in token.low) for token in item)


def _is_name(item: Tokens) -> bool:
    """Whether an item is a name and no more, so that the list names several things of one kind."""
    return end_of_name(item, 0) == len(item)


def _fact(label: Tokens, item: Tokens, frame: Frame) -> Tokens:
    """One item as a sentence: "IP 10.0.0.7" as "LABEL IP: 10.0.0.7", "deployed on X" as "LABEL is deployed on X"."""
    if label_end(item):
        return item
    if "n" in forms().get(item[0].low, ("", ""))[1] and len(item) > 1:
        return (*label, _IS, *item)
    for count in (3, 2, 1):
        noun = " ".join(token.low for token in item[:count])
        if len(item) > count and noun in TABLE.nouns:
            skip = count + (low_at(item, count) in ("of", "at"))
            return (*label, *item[:count], _MARK, *item[skip:])
    return (*label, _MARK, *item)
