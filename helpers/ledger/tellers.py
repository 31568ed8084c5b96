"""Who else is known to have said what a memory says (C-26, C-44). Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .mentions import SOFT, parse_items, parse_mentions
from .speakers import Speaker
from .statements import MemorySentence

if TYPE_CHECKING:
    from .conversation import Conversation


def find_teller(sentence: MemorySentence, conversation: Conversation) -> Speaker | None:
    """Return who else is known to have said `sentence`: its values, or most of its words, that the user never said.

    None where nobody did, or the user mentioned them too, whatever was meant by it: then nobody can tell.
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
                return conversation[index].speaker
    return None
