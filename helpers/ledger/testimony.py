"""A sentence of a memory beside the message of the user's that seems to say it (T-03). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple

from ..language.keys import keys_of
from ..language.sentences import is_foreign
from ..language.vocabulary import CONTRASTS
from ..language.wordings import read_patterns
from .clause_contents import parse_clause, without_rejected
from .conversation import Around, Conversation
from .mentions import HARD, SOFT, Item, MemorySentence, Mentions, join, parse_items, parse_mentions
from .passages import Passage, accepts, is_of_it

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
        kept, items = parse_mentions(without_rejected(sentence.text)), parse_items(sentence.text)
        parts = [one for one in _SAID["parting"].split(sentence.text) if is_negative(one)]
        denied = frozenset[str]().union(*(parse_clause(one).denied for one in parts))
        return cls(
            sentence,
            tuple(one._replace(is_aside=not kept.has(one), is_denied=not one.keys.isdisjoint(denied)) for one in items),
            parse_mentions(sentence.text),
            join(known),
            any(sum(item.weight for item in items if not one.has(item)) <= 2 * HARD for one in known),
        )

    def passages(self, passages: Iterable[Passage]) -> list[Passage]:
        """Return those of the user's passages that can be what it reports."""
        return [one for one in passages if self._may_report(one)]

    def _may_report(self, passage: Passage) -> bool:
        if self._is_corrected_by(passage):
            return accepts(self.sentence, replace(passage, about=""), self.items)
        is_its = self.is_variant or is_of_it(passage, self.sentence.text, self.words, self.items)
        return is_its and accepts(self.sentence, passage, self.items)

    def _is_corrected_by(self, passage: Passage) -> bool:
        """Whether a passage puts a value in the place of what an older memory has: "the Boathouse, not the Inn"."""
        said = parse_items(passage.text) if passage.kept != passage.text else ()
        return any(one.weight >= SOFT and passage.rejects(one) and self.earlier.has(one) for one in said)


def said_in(items: Iterable[Item], passages: Sequence[Passage]) -> list[Item]:
    return [one for one in items if any(passage.has(one) for passage in passages)]


def is_negative(text: str) -> bool:
    """Whether a word of denial is in a text: "not", but not "not only"."""
    return any(_SAID["no_denial"].match(text, match.end()) is None for match in DENIAL.finditer(text))


@lru_cache(maxsize=512)
def denies(text: str) -> bool:
    return is_negative(text) or _SAID["exception"].search(text) is not None or _SAID["refusal"].search(text) is not None


@dataclass(frozen=True, eq=False)
class Testimony:
    """A sentence of a memory beside the message of the user's, at `index`, that seems to say it.

    `heard` is all that the message says, `proof` what of it the memory may report, `own` what of the memory is there.
    """

    memory: SentenceReport
    conversation: Conversation
    index: int
    heard: tuple[Passage, ...]
    proof: tuple[Passage, ...]
    own: tuple[Item, ...]
    around: Around

    @classmethod
    def of(cls, memory: SentenceReport, conversation: Conversation, index: int, reach: int) -> Testimony:
        """Read `memory` beside the message at `index` and `reach` utterances before it."""
        heard = conversation.passages(index)
        used = memory.passages(heard)
        own = tuple(said_in(memory.items, used))
        held = tuple(one for one in used if said_in(own, [one]))
        return cls(memory, conversation, index, heard, held, own, conversation.around(index, reach))

    @property
    def text(self) -> str:
        """The sentence of the memory."""
        return self.memory.sentence.text

    @property
    def is_foreign(self) -> bool:
        """Whether the user speaks another language in what proves it."""
        is_proof_foreign = not self.proof or any(one.is_other_language for one in self.proof)
        return is_proof_foreign and is_foreign(self.conversation[self.index].text)


def are_rivals(one: Item, other: Item) -> bool:
    """Whether two may be two values of one thing: numbers of a kind, or names."""
    if one.number is not None and other.number is not None:
        return one.number.is_rival(other.number)
    return bool(one.name and other.name)


def _contrasts() -> dict[str, frozenset[str]]:
    """Return for each word of a contrast the others of its group."""
    contrary: dict[str, frozenset[str]] = {}
    for keys in (keys_of(group) for group in CONTRASTS):
        for key in keys:
            contrary[key] = contrary.get(key, frozenset()) | (keys - {key})
    return contrary


CONTRARY: Final = _contrasts()


def are_contrary(words: frozenset[str], others: frozenset[str]) -> bool:
    """Whether one of `words` has another of its kind on the other side: "staging", "production"."""
    return any(word in CONTRARY and not others.isdisjoint(CONTRARY[word]) for word in words - others)
