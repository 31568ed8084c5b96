"""Whether what the user says hangs on the subject that a memory gives it to (T-03).

"The licence runs out in June, the passport is good for years" has every word of "The passport runs out in June", and
"Oscar broke his wrist" every word of "User broke their wrist": a value counts for what its own clause is about. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ..language.keys import FRAME_KEYS, KeyedToken, parse_tokens, words_of
from ..language.verbs import is_verb
from ..language.vocabulary import WORDS
from ..language.wordings import read_patterns
from .mentions import LIGHT_KEYS, SOFT, Item, parse_mentions
from .passages import AUXILIARIES, BEFORE_SUBJECT, Passage, parse_passages
from .reports import SentenceReport, said_in
from .statements import in_first_person, is_about_user

_SAID = read_patterns("utterances")

_SPEAKER: Final = WORDS["who_speaks"]
_SOMEBODY_ELSE: Final = WORDS["third_person"]


def is_unbound(memory: SentenceReport, passages: Sequence[Passage]) -> bool:
    """Whether what `memory` says is in the `passages` only of another subject than its own."""
    items = [one for one in memory.items if one.weight >= SOFT]
    if is_about_user(memory.sentence.text):
        said = said_in(items, passages)
        strange = [one for one in said if all(_is_of_another(one, two, memory) for two in passages if two.has(one))]
        return sum(one.weight for one in strange) > sum(one.weight for one in said) / 2
    subject = _parse_subject(memory.sentence.text)
    values = [one for one in items if not one.keys & subject]
    pieces = [piece for one in passages for piece in _pieces(one)]
    own = [one for one in pieces if any(map(one.mentions.knows, subject)) and " there" not in one.text]
    held = said_in(values, own)
    strange = [one for one in said_in(values, pieces) if one not in held]
    return bool(own) and any(
        all(_has_rival(one, piece, memory) for piece in pieces if piece.has(one)) for one in strange
    )


def _pieces(passage: Passage) -> Iterator[Passage]:
    for piece in _SAID["joint"].split(passage.text):
        yield from parse_passages(piece)


def _parse_subject(text: str) -> frozenset[str]:
    """Return the keys of what a memory is about: the words before its verb."""
    tokens = parse_tokens(in_first_person(text))
    end = next((at for at, one in enumerate(tokens) if one.low in AUXILIARIES), 0)
    end = end or next((at for at, one in enumerate(tokens) if at and is_verb(one.low)), 0)
    return words_of(tokens[:end]) - FRAME_KEYS - LIGHT_KEYS


def _has_rival(value: Item, piece: Passage, memory: SentenceReport) -> bool:
    """Whether a thing that `memory` does not name stands before `value`."""
    tokens = parse_tokens(piece.text)
    return any(
        token.keys
        and not (token.has_polarity or is_verb(token.low) or token.low in BEFORE_SUBJECT)
        and LIGHT_KEYS.isdisjoint(token.keys)
        and FRAME_KEYS.isdisjoint(token.keys)
        and not any(map(memory.words.knows, token.keys))
        for token in tokens[: _place(value, tokens)]
    )


def _is_of_another(item: Item, passage: Passage, memory: SentenceReport) -> bool:
    """Whether the nearest subject before `item` is somebody whom `memory` does not name, and not who speaks."""
    tokens = parse_tokens(passage.text)
    before = tokens[: _place(item, tokens)]
    nearest = next((one.low for one in reversed(before) if one.low in _SPEAKER | _SOMEBODY_ELSE), "")
    if nearest:
        return nearest in _SOMEBODY_ELSE
    is_clause = bool(passage.subject) and any(is_verb(one.low) for one in tokens)
    return is_clause and not any(map(memory.words.knows, passage.subject))


def _place(item: Item, tokens: Sequence[KeyedToken]) -> int:
    """Return where `item` stands among `tokens`."""
    return next((at for at, one in enumerate(tokens) if parse_mentions(one.low).has(item)), 0)
