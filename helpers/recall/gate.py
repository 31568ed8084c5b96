"""The noise gate: nothing is injected without evidence, and nothing is a good answer (T-66). Pure.

Relative scores cannot tell the best of nothing from an answer. So one memory must show strong evidence by itself, a
near meaning or most of the message's words; only then the others may come, with weaker evidence or beside one that has
it, and as far as they do not fall far behind the best. What decides is absolute: the similarity, and the share of the
message's words weighted by rarity.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..setting_groups import NoiseGate
from .candidates import Scored

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

    def has(one: Scored, similarity: float, coverage: float) -> bool:
        found = one.candidate
        return found.similarity >= similarity or (counts_words and found.coverage >= coverage)

    if not any(has(one, threshold + gate.strong_margin, gate.strong_coverage) for one in scored):
        return [], [(one, NO_EVIDENCE) for one in scored]
    passing = {one.memory.id for one in scored if has(one, threshold, gate.coverage)}
    least = gate.least_relevance * max(one.relevance for one in scored)
    kept = [one for one in scored if one.relevance >= least and (one.memory.id in passing or one.lender in passing)]
    kept_ids = {one.memory.id for one in kept}
    return kept, [(one, TOO_LITTLE) for one in scored if one.memory.id not in kept_ids]
