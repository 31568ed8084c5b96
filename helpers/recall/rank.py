"""From the results of the searches to the memories of the prompt, and those beside them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from ..clock import HOST_RESOLUTION
from ..ledger.authority import is_users_word
from ..ledger.mentions import SOFT, are_rivals
from ..ledger.pairing import Sides
from ..quality.relationships import neighbours_of
from ..records import Memory, is_only_written, order_of
from ..setting_groups import NoiseGate, TemporalDecay
from ..similar.alignment import may_share_most
from .plan import HOSTS_THRESHOLD, RecallPlan
from .selection import ORDERS, Candidate, LeftOut, Order, Selection, access_order, score_order, select

#: The reasons why a candidate is left out.
NO_EVIDENCE = "no memory has enough to do with the message"
TOO_LITTLE = "too little to do with the message"
ARCHIVED = "archived, and another memory answers better"

#: A memory so likely by itself, or so near the best, needs no share; below this part of the likeliest it is chance.
_BY_ITSELF, _NEAR, _LEAST_LIKELY = 0.9, 0.8, 0.3
_SECONDS_PER_HOUR = 3600.0


def rank(candidates: Sequence[Candidate], plan: RecallPlan, likely: float = 1.0) -> Selection:
    """Return the candidates that enter the prompt, if any of them is `likely` enough, in 0..1.

    Equal input gives equal output, in any order of the candidates.
    """
    scored = [_score(candidate, plan) for candidate in sorted(candidates, key=lambda candidate: candidate.memory.id)]
    gate, threshold = plan.settings.noise_gate, plan.limits.threshold if plan.uses_meaning else 0.0
    kept, refused = split_by_evidence(scored, likely, gate, threshold, uses_words=plan.uses_words)
    if plan.uses_words:
        # An archived memory enters only if no memory in use answers better.
        least = max((candidate.relevance for candidate in kept if not candidate.is_archived), default=0.0)
        kept, outdone = _split(kept, lambda memory: not memory.is_archived or memory.relevance >= least, ARCHIVED)
        refused += outdone
    if plan.is_enhanced:
        by, shown = ORDERS[plan.settings.ranking_mode]
        kept = _boost_related(kept, plan, by)
    else:
        by = shown = access_order
    selection = select(kept, by=by, shown=shown, limit=plan.limits.injected, solution_limit=plan.limits.solutions)
    return replace(
        selection,
        left_out=(*selection.left_out, *sorted(refused, key=lambda pair: by(pair[0]))),
        uses_words=plan.uses_words,
        uses_meaning=plan.uses_meaning,
        likely=likely if plan.uses_words else None,
    )


def split_by_evidence(
    scored: Sequence[Candidate], likely: float, gate: NoiseGate, threshold: float, *, uses_words: bool
) -> tuple[list[Candidate], list[LeftOut]]:
    """Return the candidates that may enter the prompt, and the others with the reason, in the given order.

    `likely` is the probability, in 0..1, that any of them bears on the message. By meaning alone, without `uses_words`,
    the least similarity is the `threshold`, on the host's scale; so it is with a higher threshold than the host's.
    """
    if not gate.enabled:
        return list(scored), []
    passing = {candidate.memory.id for candidate in scored}
    if uses_words:
        passing = _list_answers(scored, gate.least_share) if likely >= gate.least_likely else set()
    if not uses_words or threshold > HOSTS_THRESHOLD:
        passing &= {candidate.memory.id for candidate in scored if candidate.similarity >= threshold}
    return _split(scored, lambda candidate: candidate.memory.id in passing, TOO_LITTLE if passing else NO_EVIDENCE)


def _split(
    scored: Iterable[Candidate], stays: Callable[[Candidate], bool], reason: str
) -> tuple[list[Candidate], list[LeftOut]]:
    given = list(scored)
    kept = [candidate for candidate in given if stays(candidate)]
    return kept, [(candidate, reason) for candidate in given if not stays(candidate)]


def _list_answers(scored: Sequence[Candidate], least_share: float) -> set[str]:
    """Return the ids of the candidates that may answer the message."""
    answers = [candidate for candidate in scored if candidate.likely > 0.0]
    best = max((candidate.share for candidate in answers), default=0.0)
    likely = _LEAST_LIKELY * max((candidate.likely for candidate in answers), default=0.0)
    return {
        candidate.memory.id
        for candidate in answers
        if candidate.share == best
        or candidate.likely >= _BY_ITSELF
        or (candidate.likely >= likely and (candidate.share >= least_share or candidate.kinship >= _NEAR))
    }


def _score(candidate: Candidate, plan: RecallPlan) -> Candidate:
    """Return a candidate with its score: by relevance (by similarity without the search by words) and age."""
    if not plan.is_enhanced:
        return replace(candidate, relevance=candidate.similarity, recency=1.0, score=candidate.similarity)
    decay, weight = plan.settings.temporal_decay, plan.settings.quality.ranking_weight
    relevance = candidate.relevance if plan.uses_words else candidate.similarity
    recency = measure_recency(candidate.memory, plan.now, decay)
    score = blend(relevance, recency, decay) * (1.0 - weight * (1.0 - candidate.quality))
    return replace(candidate, relevance=relevance, recency=recency, score=score)


def measure_recency(memory: Memory, now: datetime, decay: TemporalDecay) -> float:
    """Return 1 for a new or exempt memory, a half after `half_life_hours` without access, at least the floor."""
    axes, lineage = memory.classification, memory.lineage
    if axes is not None and (
        axes.utility in decay.exempt_utilities
        or axes.source in decay.exempt_sources
        or axes.validity in decay.exempt_validities
    ):
        return 1.0
    since = memory.created_at if lineage is None else lineage.last_accessed or lineage.created_at
    hours = max(0.0, (now - since).total_seconds() / _SECONDS_PER_HOUR)
    return max(decay.min_recency_score, math.exp(-math.log(2.0) * hours / decay.half_life_hours))


def blend(relevance: float, recency: float, decay: TemporalDecay) -> float:
    """Return the final score; with the decay switched off, the relevance."""
    if not decay.enabled:
        return relevance
    return (1.0 - decay.decay_weight) * relevance + decay.decay_weight * recency


def _boost_related(scored: list[Candidate], plan: RecallPlan, by: Order) -> list[Candidate]:
    """Raise, once, the score of the memories that a selected one is linked to and the cut would leave out."""
    related = plan.settings.related_memories
    if not related.enabled or related.related_boost == 0.0:
        return scored
    first = select(scored, by=by, shown=by, limit=plan.limits.injected, solution_limit=plan.limits.solutions)
    most, boost = related.max_related_per_memory, related.related_boost
    linked = {linked for chosen in first.chosen for linked in neighbours_of(chosen.memory)[:most]} - set(first.ids)
    raised = [replace(candidate, score=candidate.score + boost, boost=boost) for candidate in scored]
    return [new if new.memory.id in linked else old for old, new in zip(scored, raised, strict=True)]


#: The past has to be half as likely as an answer, and nearly as relevant as the best.
_HALF, _NEARLY = 0.5, 0.8


class Rival(NamedTuple):
    """A memory that contradicts another, or `is_possible`, or that it repeats (`is_origin`)."""

    candidate: Candidate
    is_possible: bool = False
    is_origin: bool = False


def put_beside(selection: Selection, rivals: Mapping[str, Sequence[Rival]], *, limit: int) -> Selection:
    """Return `selection` with the open `rivals` of each memory beside it, older first, each with its date.

    Memories over the `limit` are left out, the last first; of two that contradict each other neither stands alone.
    """
    groups: list[list[Candidate]] = []
    placed: set[str] = set()
    for candidate in selection.memories:
        if candidate.memory.id not in placed:
            others = (rival.candidate for rival in rivals.get(candidate.memory.id, ()))
            group = [candidate, *(other for other in others if other.memory.id not in placed)]
            group.sort(key=lambda member: _standing(member.memory))
            groups.append(group)
            placed.update(member.memory.id for member in group)
    room = limit - len(selection.solutions)
    while sum(map(len, groups)) > max(room, 0) and (lone := [group for group in groups if len(group) == 1]):
        groups.remove(lone[-1])
    memories = tuple(member for group in groups for member in group)
    shown = {candidate.memory.id for group in groups if len(group) > 1 for candidate in group}
    pairs = [(memory_id, rival) for memory_id, others in rivals.items() for rival in others if not rival.is_origin]
    certain, possible = set[str](), set[str]()
    for memory_id, rival in pairs:
        (possible if rival.is_possible else certain).update((memory_id, rival.candidate.memory.id))
    contested = frozenset(shown & (certain | possible))
    return selection.holding(memories, limit, contested=contested, possible=contested - certain)


def find_origins(memories: Iterable[Candidate], candidates: Iterable[Candidate]) -> dict[str, list[Rival]]:
    """Return by id the user's own words of a candidate (the best) for each memory in which only others repeat them.

    A search may rank a claim about the user's word, a forged quote for instance, above the word itself.
    """
    own = sorted((candidate for candidate in candidates if is_users_word(candidate.memory)), key=score_order)
    claims = [candidate.memory for candidate in memories if not is_users_word(candidate.memory)]
    near = ((claim.id, [word for word in own if _is_of_the_very_same(claim, word.memory)]) for claim in claims)
    return {claim_id: [Rival(words[0], is_origin=True)] for claim_id, words in near if words}


def order_by_standing(selection: Selection) -> Selection:
    """Return `selection` with the memories about one thing side by side, where the first stood, the valid one last."""
    groups: list[list[Candidate]] = []
    for candidate in selection.memories:
        near = [group for group in groups if any(_speak_of_one_thing(candidate.memory, old.memory) for old in group)]
        if near:
            near[0].append(candidate)
        else:
            groups.append([candidate])
    for group in groups:
        group.sort(key=lambda member: _standing(member.memory))
    return replace(selection, memories=tuple(member for group in groups for member in group))


def _standing(memory: Memory) -> tuple[bool, datetime, str]:
    """Return the sort key among memories about one thing: others' word before the user's, each by its time."""
    return is_users_word(memory), order_of(memory) + is_only_written(memory) * HOST_RESOLUTION, memory.id


def _is_of_the_very_same(claim: Memory, users: Memory) -> bool:
    """Whether a claim has most words of the user's text, two at least, even if it denies them or has another value."""
    if not may_share_most(users.text, claim.text):
        return False
    sides = Sides.of(users.text, claim.text)
    shared, lacking = (sum(item.weight >= SOFT for item in items) for items in (sides.kept, sides.gone))
    return shared > 1 and 2 * lacking <= shared


def _speak_of_one_thing(memory: Memory, other: Memory) -> bool:
    """Whether two texts share a word, and each has a name or a number in the place of the other's.

    If they share two words, it is enough that they are of one tier, or that only one of them is the user's word.
    """
    sides = Sides.of(memory.text, other.text)
    tiers = {side.classification and side.classification.utility for side in (memory, other)}
    shared = sum(item.weight >= SOFT for item in sides.kept)
    if shared > 1 and (is_users_word(memory) is not is_users_word(other) or len(tiers) == 1):
        return True
    return shared > 0 and any(are_rivals(gone, come) for gone in sides.gone for come in sides.come)


class Past(NamedTuple):
    """A memory that held, the time in words, and the memory that holds now, if it may be shown."""

    candidate: Candidate
    held: str
    present: Candidate | None = None


def keep_meant(asked: Selection, gate: NoiseGate) -> Selection:
    """Return the past memories that are likely meant by themselves, and not far behind the best."""
    if not (asked.uses_words and gate.enabled):
        return asked
    least = _HALF * gate.least_likely
    kept = [memory for memory in asked.memories if memory.likely >= least and memory.relevance >= _NEARLY]
    others = [(memory, TOO_LITTLE) for memory in asked.memories if memory not in kept]
    return replace(asked, memories=tuple(kept), left_out=(*asked.left_out, *others))


def put_past_beside(selection: Selection, pasts: Sequence[Past], *, limit: int) -> Selection:
    """Return `selection` with as many of `pasts` (the best first) as `limit` has room for.

    Each stands before the memory that holds now, the oldest first. The memories that belong to none of them are pushed
    out, the last first, but never one that is at odds with another.
    """
    room, needed, kept = limit - len(selection.solutions), set(selection.contested), list[Past]()
    for item in pasts:
        both = {candidate.memory.id for candidate in (item.candidate, item.present) if candidate is not None}
        if len(needed | both) <= room:
            needed |= both
            kept.append(item)
    others = [candidate.memory.id for candidate in selection.memories if candidate.memory.id not in needed]
    needed.update(others[: max(0, room - len(needed))])
    groups = {candidate.memory.id: [candidate] for candidate in selection.memories if candidate.memory.id in needed}
    for item in sorted(kept, key=lambda item: (order_of(item.candidate.memory), item.candidate.memory.id)):
        last = [item.present] if item.present is not None else []
        group = groups.setdefault((item.present or item.candidate).memory.id, last)
        group.insert(len(group) - len(last), item.candidate)
    memories = [candidate for group in groups.values() for candidate in group]
    past = {item.candidate.memory.id: item.held for item in kept}
    return selection.holding(memories, limit, more=[item.candidate for item in pasts], past=past)
