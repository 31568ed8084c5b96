"""The noise gate: nothing is injected without evidence, and nothing is a good answer (T-66). Pure.

One memory must be likely to bear on one of the message's sentences, by itself: a relative score cannot tell the best of
nothing from an answer. Then the others may come that are about as relevant, or about as likely.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..setting_groups import NoiseGate
from .candidates import Scored
from .evidence import HOSTS_THRESHOLD

NO_EVIDENCE = "no memory has enough to do with the message"
TOO_LITTLE = "too little to do with the message"

#: What is this share as likely as the best, or more, comes with it; so does what is so many times as likely as must be.
_AS_LIKELY, _BY_ITSELF = 0.5, 2.0


def split_by_evidence(
    scored: Sequence[Scored], gate: NoiseGate, threshold: float, *, uses_words: bool
) -> tuple[list[Scored], list[tuple[Scored, str]]]:
    """Return what may enter the prompt, and what may not with the reason, in the order given.

    By meaning alone, without `uses_words`, the least similarity is the `threshold`, on the host's scale (E-80); so it
    is where somebody asks for a nearer meaning than the host does by itself (E-04).
    """
    if not gate.enabled:
        return list(scored), []
    near = {one.memory.id for one in scored if one.candidate.similarity >= threshold}
    likely = max((one.candidate.evidence.likely for one in scored), default=0.0)
    passing: set[str] = set()
    if likely >= gate.least_likely and scored:
        least = gate.least_relevance * max(one.relevance for one in scored)
        enough = min(_AS_LIKELY * likely, _BY_ITSELF * gate.least_likely)
        passing = {one.memory.id for one in scored if one.relevance >= least or one.candidate.evidence.likely >= enough}
    if not uses_words:
        passing = near
    elif threshold > HOSTS_THRESHOLD:
        passing &= near
    reason = TOO_LITTLE if passing else NO_EVIDENCE
    return (
        [one for one in scored if one.memory.id in passing],
        [(one, reason) for one in scored if one.memory.id not in passing],
    )
