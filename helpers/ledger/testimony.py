"""A sentence of a memory beside the message of the user's that seems to say it (T-03). Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..language.keys import keys_of
from ..language.sentences import is_foreign
from ..language.vocabulary import CONTRASTS
from .around import Around
from .mentions import Item
from .passages import Passage
from .reports import SentenceReport, said_in

if TYPE_CHECKING:
    from .conversation import Conversation


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
    def of(
        cls,
        memory: SentenceReport,
        conversation: Conversation,
        index: int,
        reach: int,
    ) -> Testimony:
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
