"""One sentence of a memory, beside older memories, and which passages of the user's it may report. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Final

from ..language.keys import FRAME_KEYS, keys_of, parse_tokens, words_of
from ..language.modality import Modality, is_request
from ..language.modality import accepts as accepts_modality
from ..language.sentences import LONGEST_TEXT, split_sentences
from ..language.vocabulary import WORDS, read_patterns
from ..language.words import SCRIPT_WITHOUT_SPACES
from .mentions import (
    HARD,
    LIGHT_KEYS,
    Item,
    Mentions,
    in_first_person,
    is_negative,
    join,
    parse_clause,
    parse_items,
    parse_mentions,
    without_rejected,
)
from .passages import Passage, parse_subject
from .spoken_values import SpokenValue

_SAID: Final = read_patterns("utterances")
# A memory of more sentences is a document, not a statement.
_MOST_SENTENCES = 100
_NO_KIND: Final = LIGHT_KEYS | keys_of(WORDS["never_in_place"])


@dataclass(frozen=True, eq=False)
class MemorySentence:
    """One sentence of a memory, the keys of its meaningful `words`, and the texts of older memories of the user's."""

    text: str
    words: frozenset[str]
    known: Sequence[str] = ()

    @cached_property
    def mentions(self) -> Mentions:
        """The mentions of the sentence."""
        return parse_mentions(self.text)

    @cached_property
    def earlier(self) -> Mentions:
        """The mentions of the older memories."""
        return join(map(parse_mentions, self.known))

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """Its items, marked where it sets them aside or denies them."""
        kept = parse_mentions(without_rejected(self.text))
        parts = [part for part in _SAID["parting"].split(self.text) if is_negative(part)]
        denied = frozenset[str]().union(*(parse_clause(part).denied for part in parts))
        return tuple(
            item._replace(is_aside=not kept.has(item), is_denied=not item.keys.isdisjoint(denied))
            for item in parse_items(self.text)
        )

    @cached_property
    def is_variant(self) -> bool:
        """Whether an older memory says the same but for a value: who asked for that ("Legal asked for 60") is open."""
        return any(
            sum(item.weight for item in self.items if not older.has(item)) <= 2 * HARD
            for older in map(parse_mentions, self.known)
        )

    @property
    def numbers(self) -> list[SpokenValue]:
        """The numbers, times and days of the sentence."""
        return [item.number for item in self.items if item.number is not None]

    def accepts_modality(self, modality: Modality) -> bool:
        """Whether this sentence can report a statement of `modality`."""
        return modality is Modality.FACT or accepts_modality(self.text, modality)

    def may_be_about(self, somebody: str) -> bool:
        """Whether it can speak of `somebody`; not if its subject is the user and nobody else is named."""
        subject = _SAID["about_user"].match(self.text)
        if not somebody or subject is None or not keys_of((somebody,)).isdisjoint(self.words):
            return True
        return somebody in WORDS["third_person"] and subject["own"] is not None

    def passages(self, passages: Iterable[Passage]) -> list[Passage]:
        """Return those of the user's passages that the sentence may report."""
        return [passage for passage in passages if self._may_report(passage)]

    def _may_report(self, passage: Passage) -> bool:
        """Whether it names the subject of a passage, and can report it; if that corrects an older memory, of anybody.

        An order that has a value of it, like an offer that is taken up, may be reported as done.
        """
        if self._is_corrected_by(passage):
            passage = replace(passage, about="")
        elif not (self.is_variant or self._is_about_its_subject(passage)):
            return False
        if not self.may_be_about(passage.about):
            return False
        if passage.modality is Modality.PLAN and passage.is_order:
            has_value = any(item.is_hard and passage.has(item) for item in self.items)
            is_order = _SAID["order"].match(passage.text) is not None
            return has_value or is_order or self.accepts_modality(Modality.PLAN)
        if passage.modality is Modality.PLAN and is_request(passage.text):
            return False
        if passage.modality is Modality.PLAN and _SAID["others_wish"].search(passage.text):
            return _SAID["wish_kept"].search(self.text) is not None
        return self.accepts_modality(passage.modality)

    def _is_corrected_by(self, passage: Passage) -> bool:
        """Whether a passage rejects a value that an older memory has: "the Boathouse, not the Inn"."""
        items = parse_items(passage.text) if passage.kept != passage.text else ()
        return any(item.is_weighty and passage.rejects(item) and self.earlier.has(item) for item in items)

    def _is_about_its_subject(self, passage: Passage) -> bool:
        """Whether it names the subject of a passage, if that has one."""
        if not passage.subject:
            return True
        # The noun that it opens with may stand behind a label: "Correction: the staging server listens".
        opening = parse_subject(in_first_person(self.text))[0] if ": " in passage.text else frozenset()
        is_labelled = bool(opening) and all(map(passage.mentions.knows, opening))
        if is_labelled or any(map(self.mentions.knows, passage.subject)):
            return not self._is_qualified_apart(passage)
        return sum(item.is_hard and item.number is not None and passage.has(item) for item in self.items) >= 2

    def _is_qualified_apart(self, passage: Passage) -> bool:
        """Whether the two speak of two things of one kind: "the invoice database", "the booking database"."""
        own = _qualifiers([key for item in self.items for key in item.keys])
        return any(
            key in own and not self.mentions.knows(before) and not passage.mentions.knows(own[key])
            for key, before in _qualifiers(passage.clause.keys).items()
            if key in passage.subject
        )


def _qualifiers(keys: Sequence[str]) -> dict[str, str]:
    """Return for each key the key of the word before it; none in a script without spaces."""
    return {
        key: before
        for before, key in pairwise(keys)
        if before not in _NO_KIND and before.isalpha() and not SCRIPT_WITHOUT_SPACES.search(before)
    }


def parse_memory_text(text: str, known: Sequence[str] = ()) -> list[MemorySentence]:
    """Return the sentences of a memory that have meaningful words; none of a text too long to be read whole."""
    sentences = split_sentences(text)
    if len(text) > LONGEST_TEXT or len(sentences) > _MOST_SENTENCES:
        return []
    read = [words_of(parse_tokens(sentence)) for sentence in sentences]
    words = frozenset[str]().union(*read)
    meaningful = words - FRAME_KEYS
    if not _SAID["english"].search(text):
        meaningful = frozenset(word for word in meaningful if len(word) > 3 or not word.islower())
    meaningful = meaningful if len(meaningful) > 1 else words
    pairs = ((sentence, keys & meaningful) for sentence, keys in zip(sentences, read, strict=True))
    return [MemorySentence(sentence, keys, known) for sentence, keys in pairs if keys]
