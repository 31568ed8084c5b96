"""The noise gate: nothing is injected without evidence, and nothing is a good answer (T-66). Pure.

One memory must be likely to bear on the message: a relative score cannot tell the best of nothing from an answer. Then
the best enters, and what else has a share of the relevance that counts, is likely by itself, since of two questions in
one message either has its answer, or says nearly the same, since it may be the newer of the two.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..setting_groups import NoiseGate
from .candidates import Scored
from .evidence import HOSTS_THRESHOLD

NO_EVIDENCE = "no memory has enough to do with the message"
TOO_LITTLE = "too little to do with the message"

#: So likely by itself, or so near the best, a memory needs no share; less than this part of the likeliest is chance.
_BY_ITSELF, _NEAR, _LEAST_LIKELY = 0.9, 0.8, 0.3


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
        passing = _list_answers(scored, gate.least_share) if likely >= gate.least_likely else set()
    if not uses_words or threshold > HOSTS_THRESHOLD:
        passing &= {one.memory.id for one in scored if one.candidate.similarity >= threshold}
    reason = TOO_LITTLE if passing else NO_EVIDENCE
    return (
        [one for one in scored if one.memory.id in passing],
        [(one, reason) for one in scored if one.memory.id not in passing],
    )


def _list_answers(scored: Sequence[Scored], least_share: float) -> set[str]:
    """Return the ids of what may be what the message asks for."""
    found = [(one, one.candidate.evidence.likely) for one in scored if one.candidate.evidence.likely > 0.0]
    best, likeliest = max((one.share for one, _ in found), default=0.0), max((each for _, each in found), default=0.0)
    return {
        one.memory.id
        for one, likely in found
        if one.share == best
        or likely >= _BY_ITSELF
        or (likely >= _LEAST_LIKELY * likeliest and (one.share >= least_share or one.candidate.kinship >= _NEAR))
    }
