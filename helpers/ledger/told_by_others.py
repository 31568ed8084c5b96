"""What of a memory others have said, or the user only of something else, or in a quotation (C-26, T-03). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from ..language.keys import FRAME_KEYS
from ..language.wordings import read_patterns
from .bound import is_unbound
from .mentions import LIGHT_KEYS, SOFT, Item, parse_items, parse_mentions
from .passages import Passage, is_of_it
from .reports import SentenceReport, denies
from .speakers import Speaker
from .statements import MemorySentence

if TYPE_CHECKING:
    from .conversation import Conversation

_SAID: Final = read_patterns("utterances")


def find_teller(sentence: MemorySentence, conversation: Conversation) -> Speaker | None:
    """Return who else is known to have said `sentence`: its values, or most of its words, that the user never said.

    None where nobody did, or the user mentioned them too, whatever was meant by it, or took them up: then nobody can
    tell.
    """
    items = parse_items(sentence.text)
    unsaid = [one for one in items if one.weight >= SOFT and not conversation.heard.has(one)]
    hard = [one for one in unsaid if one.is_hard]
    others = conversation.heard_of_others
    if not any(map(others.has, hard)) and (any(one.is_hard for one in items) or not all(map(others.has, unsaid))):
        return None
    for index in reversed(range(len(conversation))):
        if conversation[index].speaker is not Speaker.USER:
            said = parse_mentions(conversation[index].text)
            if any(map(said.has, hard)) or (unsaid and not hard and all(map(said.has, unsaid))):
                return None if conversation.is_taken_up(index) else conversation[index].speaker
    return None


def is_explained(sentence: MemorySentence, conversation: Conversation) -> bool:
    """Whether `sentence` gives a reason that somebody else brought, and the user said nothing of."""
    for reason in _SAID["reason"].split(sentence.text)[1:]:
        items = [one for one in parse_items(reason) if one.weight >= SOFT]
        if any(map(conversation.heard_of_others.has, items)) and not any(map(conversation.heard.has, items)):
            return True
    return False


def is_stray(sentence: MemorySentence, conversation: Conversation, indexes: Iterable[int]) -> bool:
    """Whether the user's words at `indexes` say a part of `sentence` only of something else, or in a quotation."""
    memory = SentenceReport.of(sentence)
    items = tuple(one for one in memory.items if one.weight >= SOFT)
    for index in indexes:
        if conversation.is_agreement(index):
            continue
        passages = conversation.passages(index)
        if any(one.is_other_language for one in passages):
            return False
        holders = {item: [one for one in passages if one.has(item)] for item in items}
        proof = [one for one in passages if any(one in held for held in holders.values())]
        if (
            _is_denied(memory, holders)
            or _is_of_something_else(memory, holders, proof)
            or (not proof and any(map(parse_mentions(conversation[index].text).has, items)))
            or is_unbound(memory, passages)
            or _is_exchanged(memory, proof, conversation)
        ):
            return True
    return False


def _is_denied(memory: SentenceReport, holders: Mapping[Item, Sequence[Passage]]) -> bool:
    """Whether the user's words only deny something that a memory does not; `holders` say what."""
    return not denies(memory.sentence.text) and any(
        held and all(item.keys & one.clause.denied for one in held) for item, held in holders.items()
    )


def _is_of_something_else(
    memory: SentenceReport, holders: Mapping[Item, Sequence[Passage]], proof: Sequence[Passage]
) -> bool:
    """Whether the user says a part only of something else, and another of what the memory speaks of."""
    own = [one for one in proof if one.points or is_of_it(one, memory.sentence.text, memory.words, tuple(holders))]
    is_own = [any(one in own for one in held) for held in holders.values() if held]
    return any(is_own) and not all(is_own)


def _is_exchanged(memory: SentenceReport, proof: Sequence[Passage], conversation: Conversation) -> bool:
    """Whether a word of the memory is only the agent's or a tool's, and the user's words have another beside it."""
    said = frozenset().union(*(one.mentions.words for one in proof)) - FRAME_KEYS - LIGHT_KEYS
    if not memory.sentence.text.isascii() or all(map(memory.words.knows, said)):
        return False
    others, heard = conversation.heard_of_others, conversation.heard
    return any(others.has(one) and not heard.has(one) for one in memory.items)
