"""Of what somebody or something may have several: one more value contradicts nothing (C-40, T-46).

Which they are is data: `multi_valued.toml`.
"""

from __future__ import annotations

from typing import Final

from ...language.tables import read_table, split_members

_TABLE: Final = read_table(__file__, "multi_valued")
#: Verbs of which several objects go on side by side, and so tell no slot; those of `USING` one thing may be alone with.
USING, _RELATIONS = (frozenset(verb for (verb,) in split_members(_TABLE[name])) for name in ("using", "relations"))
RELATIONS: Final = USING | _RELATIONS
#: Slots of which one often has two, and those of which most have one and some have two.
OFTEN_SEVERAL: Final = frozenset(_TABLE["often_several"].split("|"))
MOSTLY_ONE: Final = frozenset(_TABLE["mostly_one"].split("|"))
#: Families of which one member serves one purpose: "uses Redis for caching".
PURPOSE_FAMILIES: Final = frozenset(_TABLE["purpose_families"].split("|"))
