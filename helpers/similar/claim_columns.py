"""What two texts claim of one thing, in numbers: columns for the model of what may be at odds (C-40). Pure."""

from __future__ import annotations

from collections import Counter
from typing import Final

from ..claims.clauses.open_values import OPEN_SLOT
from ..claims.comparison.conflicts import agree, find_pairs
from ..claims.model import Claim, Modality, Tense
from ..claims.sentences.extract import extract_claims
from ..claims.values.agreement import Agreement

#: What two claims of one slot are to each other; what else they may be is not counted.
_KINDS: Final = ("same", "compatible", "denied", "open apart", "single apart")


def claim_columns(older: str, newer: str) -> dict[str, float]:
    """Return how many claims of two texts fill one slot of one subject, and with what."""
    sides = {"older": extract_claims(older), "newer": extract_claims(newer)}
    before, after = ([one for one in side if one.modality is Modality.FACT] for side in sides.values())
    found = Counter(_kind(a, b) for a, b in find_pairs(before, after))
    topics = [{one.key[0] for one in side} - {""} for side in sides.values()]
    slots = [{one.slot for one in side} for side in sides.values()]
    columns = {f"claims: {kind}": float(found[kind]) for kind in _KINDS} | {
        "claims: topics": len(topics[0] & topics[1]),
        "claims: slots": len(slots[0] & slots[1]),
        "claims: of one topic apart": sum(_are_apart(a, b) for a in before for b in after),
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


def _are_apart(a: Claim, b: Claim) -> bool:
    """Whether two claims of one topic give values of one kind that differ, in whatever slot."""
    if a.key[0] != b.key[0] or not a.key[0] or a.value.kind is not b.value.kind or a.polarity is not b.polarity:
        return False
    return agree(a, b) is Agreement.DIFFERENT


def _kind(a: Claim, b: Claim) -> str:
    found = agree(a, b)
    if a.polarity is not b.polarity:
        return "denied" if found is Agreement.SAME else ""
    if found is not Agreement.DIFFERENT:
        return found.value
    return "open apart" if a.slot.startswith(OPEN_SLOT) else "single apart" if a.single and b.single else ""
