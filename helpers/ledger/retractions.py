"""What the user takes back later, and what the user only ever names as what does not hold (C-41, T-03). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from ..language.modality import Modality
from ..language.wordings import read_patterns
from .mentions import SOFT, Item, parse_items, parse_mentions
from .passages import Passage
from .reports import SentenceReport
from .testimony import Testimony, are_rivals

if TYPE_CHECKING:
    from .conversation import Conversation

_SAID: Final = read_patterns("utterances")
_TELLING: Final = frozenset((Modality.FACT, Modality.PLAN))
#: So few words say nothing but a value.
_SHORT: Final = 4


class Retraction(NamedTuple):
    """Where the user rejects a value, or takes back what was said: the message, and its sentence."""

    message: int
    said: str


def find_retraction(testimony: Testimony) -> Retraction | None:
    """Return the later message of the chat that takes it back, or rejects a value of it: "no wait", "not Tuesday"."""
    conversation, index = testimony.conversation, testimony.index
    weighty = [one for one in testimony.own if one.weight >= SOFT and not one.is_aside]
    chat, is_next = conversation[index].chat, True
    for at in (one for one in conversation.by_person if one > index and conversation[one].chat == chat):
        text, passages = conversation[at].text, conversation.passages(at)
        heard = parse_mentions(text)
        rejecting = next((one for one in passages if any(map(one.rejects, weighty))), None)
        if rejecting is not None and not any(
            one.has(two) for two in weighty if rejecting.rejects(two) for one in passages
        ):
            return Retraction(at, rejecting.said)
        if _SAID["retraction"].search(text) and (is_next or any(map(heard.has, weighty))):
            return Retraction(at, text)
        if is_next and not conversation.answers_question(at) and _gives_another(weighty, text, passages):
            return Retraction(at, text)
        is_next = False
    return None


def find_rejection(memory: SentenceReport, conversation: Conversation) -> Retraction | None:
    """Return the user's last message that names a value of `memory` only as what does not hold; None if it is said."""
    items = [one for one in memory.items if one.weight >= SOFT and not one.is_aside]
    for index in reversed(conversation.by_person):
        passages = conversation.passages(index)
        rejecting = next((one for one in passages if any(map(one.rejects, items))), None)
        if rejecting is None:
            continue
        rejected = [one for one in items if rejecting.rejects(one)]
        if any(one.has(two) for one in passages for two in rejected):
            return None
        is_of_it = any(one.has(two) for one in passages for two in items if two not in rejected)
        if is_of_it or any(one.points for one in passages):
            return Retraction(index, rejecting.said)
    return None


def _gives_another(items: Sequence[Item], text: str, passages: Sequence[Passage]) -> bool:
    """Whether a message only gives another number of the kind: "hmm, go 18"; a whole sentence is a word of its own."""
    heard = parse_mentions(text)
    if any(heard.has(one) for one in items if one.number is None):
        return False
    numbers = [one for one in items if one.is_hard and one.number is not None and not heard.has(one)]
    return any(
        are_rivals(one, other) and other.is_hard and other.text[-1:].isdigit()
        for passage in passages
        if passage.is_order or (passage.modality in _TELLING and len(passage.text.split()) <= _SHORT)
        for other in parse_items(passage.text)
        for one in numbers
    )
