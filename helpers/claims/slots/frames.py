"""The verbs, nouns and phrases by which somebody comes to fill a slot, has it or loses it, in all voices (C-39, C-41).

The nouns themselves ("lead", "owner") are those of the table of slots; here stands what says the same without them.
The words are data: `frames.toml` says beside them what each is for.
"""

from __future__ import annotations

from typing import Final

from ...language.tables import read_table, split_members, word_sets

_TABLE: Final = read_table(__file__, "frames")
_WORDS: Final = word_sets(_TABLE["words"])


def _by_word(rows: str) -> dict[str, str]:
    return {word: slot for slot, *words in split_members(rows) for word in words}


FILLING_VERBS: Final = _by_word(_TABLE["words"]["filling_verbs"])
OFFICES: Final = _by_word(_TABLE["words"]["offices"])
PASSING_VERBS: Final = _WORDS["passing_verbs"]
HANDING_VERBS: Final = _WORDS["handing_verbs"]
BEING_VERBS: Final = _WORDS["being_verbs"]
SERVING_VERBS: Final = _WORDS["serving_verbs"]
APPOINTING_VERBS: Final = _WORDS["appointing_verbs"]
ENTERING_VERBS: Final = _WORDS["entering_verbs"]
LEAVING_VERBS: Final = _WORDS["leaving_verbs"]
FOLLOWING_VERBS: Final = _WORDS["following_verbs"]
KINDS_OF: Final[dict[str, frozenset[str]]] = {
    slot: words for slots, words in word_sets(_TABLE["kinds_of"]).items() for slot in slots.split("|")
}


def plain_owner(slot: str, topic: str) -> str:
    """A topic without the words that say no more beside such a slot, if others are left."""
    dropped = KINDS_OF.get(slot)
    if dropped is None:
        return topic
    kept = [word for word in topic.split() if word not in dropped]
    return " ".join(kept) or topic
