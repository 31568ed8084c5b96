"""The noise gate: nothing is injected without evidence, and nothing is a good answer (T-66). Pure.

Relative scores cannot tell the best of nothing from an answer. So one memory must show strong evidence by itself, a
near meaning or most of the message's words; only then the others may come, with weaker evidence or beside one that has
it, and as far as they do not fall far behind the best. What decides is absolute: the similarity, and the share of the
message's words weighted by rarity.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..setting_groups import NoiseGate
from .candidates import Candidate, Scored

NO_EVIDENCE = "no memory has enough to do with the message"
TOO_LITTLE = "too little to do with the message"


def split_by_evidence(
    scored: Sequence[Scored], gate: NoiseGate, threshold: float, *, counts_words: bool
) -> tuple[list[Scored], list[tuple[Scored, str]]]:
    """Return what may enter the prompt, and what may not with the reason, in the order given.

    `threshold` is the least similarity of a memory by itself, on the host's scale, in 0..1; without `counts_words` no
    share of the message's words stands in for it.
    """
    if not gate.enabled:
        return list(scored), []
    if not any(_is_strong(one.candidate, gate, threshold, counts_words) for one in scored):
        return [], [(one, NO_EVIDENCE) for one in scored]
    passing = {one.memory.id for one in scored if _passes(one.candidate, gate, threshold, counts_words)}
    least = gate.least_relevance * max(one.relevance for one in scored)
    kept = [one for one in scored if one.relevance >= least and (one.memory.id in passing or one.lender in passing)]
    kept_ids = _ids(kept)
    return kept, [(one, TOO_LITTLE) for one in scored if one.memory.id not in kept_ids]


def _is_strong(one: Candidate, gate: NoiseGate, threshold: float, counts_words: bool) -> bool:
    is_near = one.similarity >= threshold + gate.strong_margin
    return is_near or (counts_words and one.coverage >= gate.strong_coverage)


def _passes(one: Candidate, gate: NoiseGate, threshold: float, counts_words: bool) -> bool:
    return one.similarity >= threshold or (counts_words and one.coverage >= gate.coverage)


def _ids(scored: Iterable[Scored]) -> frozenset[str]:
    return frozenset(one.memory.id for one in scored)
