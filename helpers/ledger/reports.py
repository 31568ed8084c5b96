"""One sentence of a memory as a report: what it says, and which of the passages it may report (T-03). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from ..language.wordings import read_patterns
from .clause_contents import parse_clause
from .mentions import HARD, SOFT, Item, Mentions, join, parse_items, parse_mentions
from .passages import Passage, accepts, is_of_it
from .rejected import without_rejected
from .statements import MemorySentence

_SAID: Final = read_patterns("utterances")
DENIAL: Final = _SAID["denial"]


class SentenceReport(NamedTuple):
    """One sentence of a memory, what it says, and the older memories that it may meet.

    `is_variant` where it says what one of them says but for a value: then who asked for that is no matter ("Legal asked
    for 60").
    """

    sentence: MemorySentence
    items: tuple[Item, ...]
    words: Mentions
    earlier: Mentions
    is_variant: bool

    @classmethod
    def of(cls, sentence: MemorySentence, earlier: Sequence[str] = ()) -> SentenceReport:
        known = [parse_mentions(one) for one in earlier]
        kept, denied = parse_mentions(without_rejected(sentence.text)), frozenset[str]()
        if is_negative(sentence.text):
            denied = parse_clause(sentence.text).denied
        return cls(
            sentence,
            tuple(
                one._replace(is_aside=not kept.has(one), is_denied=not one.keys.isdisjoint(denied))
                for one in parse_items(sentence.text)
            ),
            parse_mentions(sentence.text),
            join(known),
            is_variant(sentence, earlier),
        )

    def may_be(self, passage: Passage) -> bool:
        """Whether it may report a passage of the user's, by its modality and by whom that speaks of."""
        return accepts(self.sentence, passage, self.items)

    def passages(self, passages: Iterable[Passage]) -> list[Passage]:
        """Return those of the user's passages that can be what it reports."""
        return [one for one in passages if self._may_report(one)]

    def _may_report(self, passage: Passage) -> bool:
        if self._is_corrected_by(passage):
            return self.may_be(replace(passage, about=""))
        is_its = self.is_variant or is_of_it(passage, self.sentence.text, self.words, self.items)
        return is_its and self.may_be(passage)

    def _is_corrected_by(self, passage: Passage) -> bool:
        """Whether a passage puts a value in the place of what an older memory has: "the Boathouse, not the Inn"."""
        said = parse_items(passage.text) if passage.kept != passage.text else ()
        return any(one.weight >= SOFT and passage.rejects(one) and self.earlier.has(one) for one in said)


def is_variant(sentence: MemorySentence, earlier: Sequence[str]) -> bool:
    """Whether `sentence` says what one of the `earlier` memories says but for a value."""
    items = parse_items(sentence.text)
    known = map(parse_mentions, earlier)
    return any(sum(item.weight for item in items if not one.has(item)) <= 2 * HARD for one in known)


def said_in(items: Iterable[Item], passages: Sequence[Passage]) -> list[Item]:
    return [one for one in items if any(passage.has(one) for passage in passages)]


def is_negative(text: str) -> bool:
    """Whether a word of denial is in a text: "not", but not "not only"."""
    return any(_SAID["no_denial"].match(text, match.end()) is None for match in DENIAL.finditer(text))


@lru_cache(maxsize=512)
def denies(text: str) -> bool:
    return is_negative(text) or _SAID["exception"].search(text) is not None or _SAID["refusal"].search(text) is not None
