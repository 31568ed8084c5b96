"""How two wordings of one sentence differ that say the same: read from `restatements.toml`."""

from __future__ import annotations

from typing import Final

from .lexicon import SPELLINGS
from .tables import read_table, split_members
from .vocabulary import DENIERS, SAME_THINGS

_TABLE: Final = read_table(__file__, "restatements")

#: Other wordings -> what they mean.
PHRASES: Final = {found.strip(): meant.strip() for meant, _, found in (row.partition("=") for row in _TABLE["phrases"])}
ACTIVE: Final = {ways[0]: ways[-1] for ways in split_members(_TABLE["active"])}
FIXES_ORDER: Final = DENIERS | frozenset(_TABLE["words"]["fixes_order"].split())
LIGHT: Final = frozenset(_TABLE["words"]["light"].split())
#: Spelling of a word -> the one that it is compared by.
SPELLING: Final = {word: group[0] for group in (*SPELLINGS, *SAME_THINGS) for word in group}
