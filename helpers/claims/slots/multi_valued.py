"""The table of multi-valued relations: only the denial of the same object contradicts them (C-40, T-46).

Which they are is data: `multi_valued.toml`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ...language.tables import read_table, split_members


@dataclass(frozen=True, slots=True)
class MultiValuedSlot:
    """A multi-valued slot. `denies`: the verb says the opposite of the slot ("hates" for "likes").

    `excludes`: an explicit correction to another member of the same family retires the first ("uses").
    """

    slot: str
    denies: bool = False
    excludes: bool = False


_TABLE: Final = read_table(__file__, "multi_valued")
#: Verb -> the relation that it tells.
RELATIONS: Final[dict[str, MultiValuedSlot]] = {
    verb: MultiValuedSlot(slot, denies=kind == "denying", excludes=kind == "excluding")
    for kind in ("excluding", "relations", "denying")
    for slot, *verbs in split_members(_TABLE[kind])
    for verb in verbs
}
OFTEN_SEVERAL: Final = frozenset(_TABLE["often_several"].split("|"))
MOSTLY_ONE: Final = frozenset(_TABLE["mostly_one"].split("|"))
#: Slots that hold several values.
SEVERAL_VALUED: Final = frozenset(relation.slot for relation in RELATIONS.values())
EXCLUDING: Final = frozenset(relation.slot for relation in RELATIONS.values() if relation.excludes)
COVERED: Final = EXCLUDING | frozenset(_TABLE["covered"].split("|"))
WEAK_DENIAL: Final = frozenset(_TABLE["weak_denial"].split("|"))
PURPOSE_FAMILIES: Final = frozenset(_TABLE["purpose_families"].split("|"))
