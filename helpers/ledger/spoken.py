"""How the user said something, and whether the words make it a change of what was said before (C-41, T-03). Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from ..claims import is_correction
from ..language.modality import Modality
from ..language.sentences import is_foreign
from ..language.vocabulary import CHANGED, SWAPS
from ..language.wordings import read_patterns
from ..patterns import regex
from .mentions import SOFT, Item
from .passages import parse_passages

_SAID: Final = read_patterns("utterances")


def _one_of(words: str) -> str:
    """Return a pattern for `words`, written as in `vocabulary`."""
    return "|".join(rf"\b{_with_endings(one)}\b" for one in words.split())


def _with_endings(word: str) -> str:
    plain = re.escape(word).replace("_", r"\s+").replace(re.escape("~"), r"\w*")
    return plain.replace(r"\*", rf"{word[-2]}?(?:e|es|ed|d|ing|s)?") if word.endswith("*") else plain


_CHANGED: Final = regex(_one_of(CHANGED) + r"|\bnot\s+\w+\s+but\b", re.IGNORECASE)
#: What was said last is looked at again for each memory that it may be about.
_LATEST: Final = 512
#: A word that puts what follows it into a place, and at most two words after it.
_SWAPPED: Final = regex(rf"(?:{_one_of(SWAPS)})[^\w.!?]+(?:\w+[^\w.!?]+){{0,2}}$", re.IGNORECASE)


@lru_cache(maxsize=_LATEST)
def is_change(text: str) -> bool:
    """Whether a word of change is in a text: "switched", "now", "no longer"."""
    return _CHANGED.search(text) is not None


@dataclass(frozen=True, slots=True)
class Spoken:
    """How the user said something: the sentence, the user's own messages before it in the chat, oldest first, and the
    whole message, where it says more; `is_order` where the user orders it, or takes up what was offered; `replaces` is
    the older memory of which it is known to give another value.
    """

    sentence: str
    before: tuple[str, ...] = ()
    message: str = ""
    is_order: bool = False
    replaces: str = ""

    def narrowed(self, items: Sequence[Item]) -> Spoken:
        """Return it without the sentences beside it that mention none of `items`, or correct something themselves."""
        weighty = [one for one in items if one.weight >= SOFT]
        near = [one for one in parse_passages(self.message) if any(map(one.has, weighty))]
        kept = dict.fromkeys(one.sentence for one in near if not is_correction(one.sentence))
        return replace(self, message=" ".join(kept))

    @property
    def everything(self) -> str:
        """What the user told up to then."""
        return " ".join((self.told, *self.before))

    @property
    def told(self) -> str:
        """What the message tells: the sentence, and what else is asserted beside it."""
        return _told(self.sentence, self.message)

    @property
    def heard(self) -> str:
        """What the message mentions, whatever is meant by it."""
        return f"{self.sentence} {self.message}"

    @property
    def has_change(self) -> bool:
        """Whether a word of change is in what it tells."""
        return is_change(self.told)

    @property
    def is_change(self) -> bool:
        """Whether the user says it as a change or correction, or of what was spoken of before."""
        return self.has_change or (
            self.sentence.isascii()
            and not is_foreign(self.sentence)
            and any(one.points for one in parse_passages(self.sentence))
        )

    def is_addition(self, items: Sequence[Item] = ()) -> bool:
        """Whether the user says `items`, or all of it, as one more: "also", "as well", "another"."""
        passages = parse_passages(self.sentence) if items else ()
        holders = [one.text for one in passages if any(map(one.has, items))]
        return any(_SAID["in_addition"].search(one) for one in holders or [self.sentence])

    def puts_in_place(self, item: Item) -> bool:
        """Whether a value stands right after a word that puts it into a place: "switched to soy"."""
        place = re.search(rf"\b{re.escape(item.text)}", self.told, re.IGNORECASE)
        return place is not None and _SWAPPED.search(self.told[: place.start()]) is not None


@lru_cache(maxsize=_LATEST)
def _told(sentence: str, message: str) -> str:
    beside = (one.sentence for one in parse_passages(message) if one.modality is Modality.FACT)
    return " ".join(dict.fromkeys((sentence, *beside)))
