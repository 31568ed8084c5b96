"""What of a memory others have said, or the user only of something else, or in a quotation (C-26, T-03). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from ..language.keys import FRAME_KEYS
from ..language.sentences import is_foreign
from ..language.wordings import read_patterns
from .bound import is_unbound
from .mentions import LIGHT_KEYS, SOFT, Item, parse_items, parse_mentions
from .passages import Passage, is_of_it
from .reports import SentenceReport, denies, said_in
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
        if any(is_foreign(one.sentence) for one in passages):
            return False
        if is_unbound(memory, passages) or _is_denied(memory, items, passages):
            return True
        others = [one for one in passages if not one.points and not is_of_it(one, sentence.text, memory.words, items)]
        used = [one for one in passages if one not in others]
        if set(said_in(items, others)) - set(said_in(items, used)) and said_in(items, used):
            return True
        said = parse_mentions(conversation[index].text)
        if any(said.has(one) for one in items) and not said_in(items, passages):
            return True
        if _is_exchanged(memory, [one for one in passages if said_in(items, [one])], conversation):
            return True
    return False


def _is_denied(memory: SentenceReport, items: Sequence[Item], passages: Sequence[Passage]) -> bool:
    """Whether the user's words only deny something that a memory does not."""
    if denies(memory.sentence.text):
        return False
    held = ([one for one in passages if one.has(item)] for item in items)
    return any(
        holders and all(item.keys & one.clause.denied for one in holders)
        for item, holders in zip(items, held, strict=True)
    )


def _is_exchanged(memory: SentenceReport, proof: Sequence[Passage], conversation: Conversation) -> bool:
    """Whether a word of the memory is only the agent's or a tool's, and the user's words have another beside it."""
    said = frozenset().union(*(one.mentions.words for one in proof)) - FRAME_KEYS - LIGHT_KEYS
    if not memory.sentence.text.isascii() or all(map(memory.words.knows, said)):
        return False
    others, heard = conversation.heard_of_others, conversation.heard
    return any(others.has(one) and not heard.has(one) for one in memory.items)
