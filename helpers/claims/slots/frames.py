"""The verbs, nouns and phrases by which somebody comes to fill a slot, has it or loses it, in all voices (C-39, C-41).

The nouns themselves ("lead", "owner") are those of the table of slots; here stands what says the same without them.
The words are data: `frames.toml` says beside them what each is for.
"""

from __future__ import annotations

from typing import Final

from ...language.tables import read_table, split_members, word_sets

_TABLE: Final = read_table(__file__, "frames")
FRAME_WORDS: Final = word_sets(_TABLE["words"])
#: Verb that fills a slot, or noun for what has somebody who fills it -> the slot.
FILLING_VERBS, OFFICES = (
    {word: slot for slot, *words in split_members(_TABLE["words"][rows]) for word in words}
    for rows in ("filling_verbs", "offices")
)
_KINDS_OF: Final = {slot: words for slots, words in word_sets(_TABLE["kinds_of"]).items() for slot in slots.split("|")}


def plain_owner(slot: str, topic: str) -> str:
    """A topic without the words that say no more beside such a slot, if others are left."""
    dropped = _KINDS_OF.get(slot, frozenset())
    return " ".join(word for word in topic.split() if word not in dropped) or topic
