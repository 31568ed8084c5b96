"""What two texts claim about one thing, in numbers: columns for a model that marks what may be at odds (C-40). Pure."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Final

from ..clauses.open_values import OPEN_SLOT
from ..model import Claim, Modality, Relation, Tense
from ..sentences.extract import extract_claims
from ..values.agreement import Agreement
from .compare import compare_claims
from .conflicts import agree, find_pairs

#: What two claims of one slot are to each other.
_KINDS: Final = ("same", "compatible", "denied", "open apart", "single apart", "several apart", "other")


def claim_columns(older: str, newer: str) -> dict[str, float]:
    """Return how many claims of two texts fill one slot of one subject, and with what."""
    sides = {"older": _claims(older), "newer": _claims(newer)}
    before, after = sides.values()
    facts = [[one for one in side if one.modality is Modality.FACT] for side in (before, after)]
    found = Counter(_kind(a, b) for a, b in find_pairs(*facts))
    relation = compare_claims(before, after, older_text=older, newer_text=newer).relation
    columns = {f"claims: {kind}": float(found[kind]) for kind in _KINDS} | {
        "claims: topics": len({one.key[0] for one in before if one.key[0]} & {one.key[0] for one in after}),
        "claims: slots": len({one.slot for one in before} & {one.slot for one in after}),
        "claims: agree": relation in (Relation.REFINES, Relation.DUPLICATES),
    }
    for name, side in sides.items():
        columns |= {
            f"{name}: claims": len(side),
            f"{name}: no facts": sum(one.modality is not Modality.FACT for one in side),
            f"{name}: past claims": sum(one.time.tense is Tense.PAST for one in side),
            f"{name}: marked claims": sum(one.is_marked for one in side),
            f"{name}: scopes": sum(bool(one.scope) for one in side),
        }
    return columns


def _kind(a: Claim, b: Claim) -> str:
    found = agree(a, b)
    if a.polarity is not b.polarity:
        return "denied" if found is Agreement.SAME else "other"
    if found is not Agreement.DIFFERENT:
        return found.value if found is not Agreement.INCOMPARABLE else "other"
    if a.slot.startswith(OPEN_SLOT):
        return "open apart"
    return "single apart" if a.single and b.single else "several apart"


@lru_cache(maxsize=8_192)
def _claims(text: str) -> tuple[Claim, ...]:
    return tuple(extract_claims(text))
