"""The verbs by which somebody fills a slot of the table, and the words of its owner that say no more (C-39, C-41)."""

from __future__ import annotations

from typing import Final

from ...language.tables import read_table, word_sets

_TABLE: Final = read_table(__file__, "frames")
FRAME_WORDS: Final = word_sets(_TABLE["words"])
_KINDS_OF: Final = {slot: words for slots, words in word_sets(_TABLE["kinds_of"]).items() for slot in slots.split("|")}


def plain_owner(slot: str, topic: str) -> str:
    """A topic without the words that say no more beside such a slot, if others are left."""
    dropped = _KINDS_OF.get(slot, frozenset())
    return " ".join(word for word in topic.split() if word not in dropped) or topic
