"""The decision about two near memories: which of two duplicates is retired, and when neither is.

The winner is, in this order: both the user's word and confirmed, confirmed, the user's word, the newer memory. A pair
that the guard keeps apart is a contradiction or nothing. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from ..ledger.changes import Contest, Outdate, Supersede
from ..ledger.copies import BOTH_INFERRED, NEWER, ONE_CONFIRMED, ONE_USERS
from ..ledger.lifecycle import is_classified, status_of
from ..ledger.resolve import Party, decide_memories
from ..ledger.settle import to_change
from ..records import Memory, Source, Utility, Validity
from ..setting_groups import Deduplication
from ..similar.copies import SAME_TEXT, adds_nothing, covers, judge_pair

#: Nearly all texts that say the same in other words are nearer than this.
REWORDED_COSINE = 0.75

_REASONS = {
    BOTH_INFERRED: "the agent inferred both, and the newer one stays",
    ONE_USERS: "the user's word stays",
    ONE_CONFIRMED: "what is confirmed stays",
    NEWER: "both stand alike, and the newer one stays",
}
_FULLER = "the fuller one stays"


class PairOutcome(StrEnum):
    """The outcome for a candidate pair."""

    RETIRE = "retire"
    PROPOSE = "proposed"
    RESOLVE = "resolve"
    REVIEW = "review"
    DIVERGENT = "divergent"
    KEPT = "kept"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairDecision:
    """The decision about two memories, its reason in words, and the change that carries it out, if any."""

    outcome: PairOutcome
    why: str
    change: Supersede | Outdate | Contest | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The record about a pair, and the moment; `since_look` is the time of the pack's first look at the store.

    With `since_look`, older memories are not retired by a rule but proposed to a person. `is_decided`: by a person.
    `may_contradict` tells quickly whether the claims of two memories are worth a comparison.
    """

    at: datetime
    cycle: int
    is_decided: bool = False
    has_open_conflict: bool = False
    since_look: datetime | None = None
    may_contradict: Callable[[Memory, Memory], bool] = lambda memory, other: True


def decide_pair(
    memory: Memory,
    other: Memory,
    rules: Deduplication,
    around: Surroundings,
    *,
    stood_for: Iterable[Memory] = (),
) -> PairDecision:
    """Return the decision about two memories that are nearer than the threshold, or the same text.

    Symmetric in both. `stood_for` are the memories that were retired as duplicates of either before: the winner has to
    say what they said as well.
    """
    skipped = _why_skipped(memory, other, around)
    if skipped:
        return PairDecision(outcome=PairOutcome.SKIPPED, why=skipped)
    if rules.divergence_guard:
        why = _why_apart(memory, other)
        if why:
            return _resolve(memory, other, around, why)
    is_copy = judge_pair(memory.text, other.text).why == SAME_TEXT
    if _is_users(memory) and _is_users(other) and not is_copy:
        return PairDecision(outcome=PairOutcome.REVIEW, why="E-41: the user said both; a person has to look")
    loser, winner = sorted((memory, other), key=precedence)
    is_fuller = rules.divergence_guard and not covers(winner.text, loser.text).is_copy
    if is_fuller and _rank(loser) != _rank(winner):
        return PairDecision(outcome=PairOutcome.KEPT, why="the memory that would go says more than the one that stays")
    if is_fuller:
        loser, winner = winner, loser
    is_older = Party.of(winner).at < Party.of(loser).at
    if rules.divergence_guard and is_older and not adds_nothing(loser.text, winner.text):
        return PairDecision(outcome=PairOutcome.KEPT, why="the newer one has words of its own, which may tell a change")
    rule = _rule(loser, winner)
    if rule == BOTH_INFERRED and not rules.auto_deprecate_agent_inferred:
        return PairDecision(outcome=PairOutcome.KEPT, why="E-39: auto_deprecate_agent_inferred is false")
    if loser.is_knowledge:
        return PairDecision(outcome=PairOutcome.KEPT, why="T-47: a piece of a knowledge file stays in use")
    if status_of(loser)[0].utility is Utility.LOAD_BEARING:
        return PairDecision(outcome=PairOutcome.KEPT, why="E-44: a load_bearing memory stays in use")
    if rules.divergence_guard and not all(covers(winner.text, former.text).is_copy for former in stood_for):
        return PairDecision(outcome=PairOutcome.KEPT, why="it stands for another memory, which says something else")
    why = _FULLER if is_fuller else _REASONS[rule]
    reasons = ("it says everything that the other says" if is_fuller else "they say the same", why)
    change = Supersede(
        winner_id=winner.id, loser_id=loser.id, at=around.at, cycle=around.cycle, rule=rule, reasons=reasons
    )
    was_there = around.since_look is not None and loser.created_at < around.since_look
    outcome = PairOutcome.PROPOSE if was_there else PairOutcome.RETIRE
    return PairDecision(outcome=outcome, why=f"{rule}: {why}", change=change)


def least_cosine(rules: Deduplication) -> float:
    """Return the cosine above which two memories are compared: with the guard, that of a text in other words."""
    return min(rules.similarity_threshold, REWORDED_COSINE) if rules.divergence_guard else rules.similarity_threshold


def precedence(memory: Memory) -> tuple[bool, bool, datetime, str]:
    """Sort key: of classified memories the larger stays; the id makes the order total."""
    return (*_rank(memory), Party.of(memory).at, memory.id)


def readers_of(memory: Memory) -> tuple[Hashable, ...]:
    """Return a key that two copies of a text must share to replace each other: their readers and their kind."""
    lineage = status_of(memory)[1]
    as_what = (memory.is_solution, memory.is_knowledge, memory.content, bool(lineage.outdated_parts))
    return (lineage.bst_domain, lineage.created_by_role, *as_what)


def _why_skipped(memory: Memory, other: Memory, around: Surroundings) -> str:
    if not is_classified(memory) or not is_classified(other):
        return "one of them is not classified yet"
    if memory.is_deprecated or other.is_deprecated:
        return "one of them is already retired"
    if around.is_decided:
        return "a person has decided what becomes of them"
    return "an open conflict is between them" if around.has_open_conflict else ""


def _why_apart(memory: Memory, other: Memory) -> str:
    """Return why two memories are not the same; empty where one of them can replace both."""
    judgement = judge_pair(memory.text, other.text)
    if not judgement.is_copy:
        return judgement.why
    past, now = status_of(memory)[1], status_of(other)[1]
    if past.outdated_parts or now.outdated_parts:
        return "divergent: a part of what one of them says is outdated"
    if (past.bst_domain, past.created_by_role) != (now.bst_domain, now.created_by_role):
        return "divergent: they are seen by different roles or domains"
    if memory.is_solution is not other.is_solution:
        return "divergent: one is a solution, and is recalled as one"
    if memory.is_knowledge or other.is_knowledge:
        return "divergent: one is a piece of a knowledge file"
    return "" if memory.content == other.content else "divergent: their structured contents differ"


def _resolve(memory: Memory, other: Memory, around: Surroundings, why: str) -> PairDecision:
    """Let the resolver decide about two memories that are near, and not the same, as about any others."""
    if other.id < memory.id:  # at one moment the second counts as the newer: it has to be the same one in either order
        memory, other = other, memory
    if not around.may_contradict(memory, other):
        return PairDecision(outcome=PairOutcome.DIVERGENT, why=why)
    older, newer, decision = decide_memories(memory, other)
    if not decision.is_contradiction or decision.is_elliptical:
        return PairDecision(outcome=PairOutcome.DIVERGENT, why=why)
    change = to_change(older, newer, decision, at=around.at, cycle=around.cycle)
    loser = None if isinstance(change, Contest) else older if decision.winner == "newer" else newer
    if loser is not None and around.since_look is not None and loser.created_at < around.since_look:
        return PairDecision(outcome=PairOutcome.DIVERGENT, why=f"{why}; it was there before the pack, which asks first")
    return PairDecision(
        outcome=PairOutcome.RESOLVE, why=f"{why}; {decision.rule}: {decision.reasons[-1]}", change=change
    )


def _rank(memory: Memory) -> tuple[bool, bool]:
    return _is_confirmed(memory), _is_users(memory)


def _is_users(memory: Memory) -> bool:
    return status_of(memory)[0].source is Source.USER_ASSERTED


def _is_confirmed(memory: Memory) -> bool:
    return status_of(memory)[0].validity is Validity.CONFIRMED


def _rule(loser: Memory, winner: Memory) -> str:
    if _is_confirmed(loser) is not _is_confirmed(winner):
        return ONE_CONFIRMED
    if _is_users(loser) is not _is_users(winner):
        return ONE_USERS
    sources = {status_of(loser)[0].source, status_of(winner)[0].source}
    return BOTH_INFERRED if sources == {Source.AGENT_INFERRED} else NEWER
