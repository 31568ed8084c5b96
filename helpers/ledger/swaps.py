"""A memory that says what an older one says but for a value: who said the value says the memory (C-25, C-41, T-03).

People do not repeat what they correct, so nothing of the frame need be theirs: only the new value, in a clause that
tells or orders it, as a change of the old one. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from ..language.modality import Modality
from ..language.wordings import read_patterns
from .denials import is_denied
from .mentions import SOFT, Item
from .misplacements import is_of_the_clock
from .pairing import Sides
from .passages import Passage, parse_passages
from .replaced import Likeness, find_replacement
from .spoken import Spoken
from .statements import MemorySentence

if TYPE_CHECKING:
    from .conversation import Conversation

_SAID: Final = read_patterns("utterances")


class Swap(NamedTuple):
    """Where the person said the new value, the message, and the place and text of the sentence; and the older one."""

    message: int
    place: int
    sentence: str
    is_order: bool
    older: str


def find_swap(
    sentence: MemorySentence, conversation: Conversation, earlier: Sequence[str], likeness: Likeness | None
) -> Swap | None:
    """Return the last place where the person gives `sentence` of a memory as a change of one of the `earlier` ones."""
    rivals = [(one, come) for one in earlier if (come := _find_new(one, sentence.text))]
    for index in reversed(conversation.by_person) if rivals else ():
        heard = conversation.mentions(index)
        near = [(older, come) for older, come in rivals if any(map(heard.has, come))]
        for passage in conversation.passages(index) if near else ():
            if not _tells(passage, sentence):
                continue
            spoken = conversation.spoken(index, passage.sentence, is_order=passage.is_order)
            for older, come in near:
                if any(map(passage.has, come)) and _replaces(older, sentence.text, passage, spoken, likeness):
                    return Swap(index, passage.place, passage.sentence, passage.is_order, older)
    return None


def _find_new(older: str, newer: str) -> list[Item]:
    """Return what of `newer` may be another value than in `older`; nothing where they have nothing in common."""
    sides = Sides.of(older, newer)
    is_alike = any(one.weight >= SOFT for one in sides.kept) and any(one.weight >= SOFT for one in sides.gone)
    return [one for one in sides.come if one.weight >= SOFT] if is_alike else []


def _replaces(older: str, newer: str, passage: Passage, spoken: Spoken, likeness: Likeness | None) -> bool:
    """Whether `passage` gives another value of `older`, and does not deny it."""
    found = find_replacement(older, newer, spoken, likeness)
    return found is not None and all(
        passage.has(one) and not is_denied(one, passage) and not is_of_the_clock(one, passage.text, newer)
        for one in found.come
    )


def _tells(passage: Passage, sentence: MemorySentence) -> bool:
    """Whether a passage tells something, or orders it, that a memory may report."""
    if not sentence.may_be_about(passage.about):
        return False
    if passage.modality is Modality.PLAN:
        is_done = _SAID["done"].search(passage.sentence) is not None
        return passage.is_order or is_done or sentence.accepts_modality(Modality.PLAN)
    modalities = {passage.modality, *(one.modality for one in parse_passages(passage.text))}
    return Modality.QUESTION not in modalities and not modalities.isdisjoint((Modality.FACT, Modality.PAST))
