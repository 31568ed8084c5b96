"""What of a memory nobody said, or only others: a name, a number, an ending, a reason (C-26, T-03). Pure."""

from __future__ import annotations

import re
from typing import Final

from ..language.verbs import is_verb
from ..language.wordings import read_patterns
from .mentions import SOFT
from .passages import TIME_KEYS
from .statements import NAME_KEYS
from .testimony import Testimony

_SAID: Final = read_patterns("utterances")


def is_only_others(testimony: Testimony) -> str:
    """A name, a number, or a thing beside them is only in what the agent or a tool said."""
    around, conversation = testimony.around, testimony.conversation
    if not testimony.text.isascii():
        return ""
    for item in testimony.memory.items:
        if item.weight < SOFT or conversation.heard.has(item) or testimony.memory.earlier.has(item):
            continue
        if around.corrected.has(item) or around.asked.has(item):
            continue
        is_picked = any(_SAID["picking"].search(one.sentence) for one in testimony.proof)
        is_asked = around.questions.has(item) and (is_picked or not item.is_hard)
        if conversation.heard_of_others.has(item) and not is_asked and not is_verb(item.text):
            return f"only others said {item.text}"
    return ""


def is_never_called(testimony: Testimony) -> str:
    """The name that the memory gives is nobody's: "is called vulture"."""
    if _SAID["own_name"].search(testimony.text):
        is_told = any(not one.mentions.words.isdisjoint(NAME_KEYS) for one in testimony.proof)
        return "" if is_told or testimony.is_foreign or testimony.memory.is_variant else "the user told no name"
    name = _SAID["naming"].search(testimony.text)
    if name is None or testimony.is_foreign:
        return ""
    item = next((one for one in testimony.memory.items if name["name"].casefold().startswith(one.text)), None)
    is_unsaid = item is not None and item not in testimony.own and not testimony.conversation.heard.has(item)
    return f"the user never said {name['name']}" if is_unsaid else ""


def is_uncounted(testimony: Testimony) -> str:
    """A number in words is nobody's: a summary may count, but a made-up number looks the same."""
    if testimony.is_foreign or testimony.memory.is_variant:
        return ""
    for item in testimony.memory.items:
        if item.number is None or item.is_hard or testimony.conversation.heard.has(item):
            continue
        if not (testimony.memory.earlier.has(item) or testimony.around.asked.has(item)):
            return f"the user never said {item.text}"
    return ""


def is_embroidered(testimony: Testimony) -> str:
    """All but the end of the memory is the user's, and the end is nobody's: "passed it at the first attempt"."""
    ending = _SAID["ending"].search(testimony.text)
    if ending is None or testimony.is_foreign:
        return ""
    end = [
        one
        for one in testimony.memory.items
        if one.text in re.findall(r"[\w-]+", ending[0].casefold()) and one.weight >= SOFT
    ]
    rest = [one for one in testimony.memory.items if one not in end and one.weight >= SOFT and not is_verb(one.text)]
    heard = testimony.conversation.heard
    if len(rest) < 2 or not end or any(one.number is not None or one.keys & TIME_KEYS for one in end):
        return ""
    if any(heard.has(one) or testimony.memory.earlier.has(one) for one in end) or not all(map(heard.has, rest)):
        return ""
    return f"the user never said {end[0].text}"
