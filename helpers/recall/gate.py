"""The noise gate: nothing is injected without evidence, and nothing is a good answer (T-66). Pure.

One memory must be likely to bear on the message: a relative score cannot tell the best of nothing from an answer. Then
the best enters, and what else has a share of the relevance that counts, or is likely by itself: of two questions in one
message either has its answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..setting_groups import NoiseGate
from .candidates import Scored
from .evidence import HOSTS_THRESHOLD

NO_EVIDENCE = "no memory has enough to do with the message"
TOO_LITTLE = "too little to do with the message"

#: What is so likely by itself needs no share.
_BY_ITSELF = 0.9


def split_by_evidence(
    scored: Sequence[Scored], likely: float, gate: NoiseGate, threshold: float, *, uses_words: bool
) -> tuple[list[Scored], list[tuple[Scored, str]]]:
    """Return what may enter the prompt, and what may not with the reason, in the order given.

    `likely` is how likely any of them bears on the message, in 0..1. By meaning alone, without `uses_words`, the least
    similarity is the `threshold`, on the host's scale (E-80); so it is where somebody asks for a nearer meaning than
    the host does by itself (E-04).
    """
    if not gate.enabled:
        return list(scored), []
    passing = {one.memory.id for one in scored}
    if uses_words:
        least = min(gate.least_share, max((one.share for one in scored), default=0.0))
        passing = {
            one.memory.id
            for one in scored
            if likely >= gate.least_likely and (one.share >= least or one.candidate.evidence.likely >= _BY_ITSELF)
        }
    if not uses_words or threshold > HOSTS_THRESHOLD:
        passing &= {one.memory.id for one in scored if one.candidate.similarity >= threshold}
    reason = TOO_LITTLE if passing else NO_EVIDENCE
    return (
        [one for one in scored if one.memory.id in passing],
        [(one, reason) for one in scored if one.memory.id not in passing],
    )
