"""How two wordings of one sentence differ that say the same: read from `restatements.toml`."""

from __future__ import annotations

from typing import Final

from .lexicon import SPELLINGS
from .tables import read_table
from .vocabulary import DENIERS, SAME_WORDS

_TABLE: Final = read_table(__file__, "restatements")
_SYNONYMS: Final = frozenset(_TABLE["words"]["synonyms"].split())

PHRASES: Final[dict[str, str]] = _TABLE["phrases"]
ACTIVE: Final[dict[str, str]] = _TABLE["active"]
FIXES_ORDER: Final = DENIERS | frozenset(_TABLE["words"]["fixes_order"].split())
LIGHT: Final = frozenset(_TABLE["words"]["light"].split())
#: Spelling of a word -> the one that it is compared by.
SPELLING: Final = {
    word: group[0]
    for group in (*SPELLINGS, *(group for group in SAME_WORDS if group[0] in _SYNONYMS))
    for word in group
}
