"""What became of a transaction, and by which way: one decision record each (M-12 ... M-16, T-35). Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from .hops import Hop
from .outputs import Task
from .transactions import Transaction
from .troubles import (
    Delegation,
    FirstFailure,
    attempts_in,
    delegations_in,
    failures_in,
    living,
    plan_in,
    rejections_in,
)
from .words import UNNAMED, ChainOutcome

#: More agents than this are not told one by one.
_LONGEST_PATH = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class TransactionSummary:
    """How one transaction went; only codes, counts, names and times (T-22)."""

    transaction_id: str
    day: str
    at: float
    outcome: ChainOutcome
    path: tuple[str, ...]
    hops: int
    seconds: int
    objectives: int
    goals: int
    tasks: tuple[Task, ...]
    intents: tuple[str, ...]
    inputs: tuple[str, ...]
    #: Where it failed, and with which code; empty where it did not.
    failed_at: str
    error: str
    #: `model`, `hops`, or nothing (M-13).
    escalation: str
    #: The agents whose instruction a policy rejected (M-14).
    interventions: tuple[str, ...]
    #: What the agents' own assessment found wanting, and who said so (M-15).
    gaps: tuple[tuple[str, str], ...]
    #: Everything that was used, what of it failed first, what was called again in vain, and how many calls there were.
    used: tuple[str, ...] = ()
    failures: tuple[FirstFailure, ...] = ()
    repeats: tuple[str, ...] = ()
    calls: int = 0
    delegations: tuple[Delegation, ...] = ()
    #: The agents that rejected the request, and who was called after each.
    rejections: tuple[tuple[str, str], ...] = ()
    plan: tuple[str, ...] = ()
    #: The request that the user takes back with this one, and whether that has happened to this one.
    corrects: str = ""
    is_corrected: bool = False
    #: Whether it fell silent: nobody knows how it ended, only what it was about.
    is_unfinished: bool = False

    @property
    def is_good(self) -> bool:
        """Whether it succeeded, and no gap was reported (M-12)."""
        return self.outcome is ChainOutcome.SUCCESS and not self.gaps


def decide(transaction: Transaction, *, hop_limit: int, is_unfinished: bool = False) -> TransactionSummary:
    """Return the decision record of a transaction; of one that fell silent the end is not known."""
    hops = transaction.hops
    last = max(hop.at for hop in hops)
    means, tasks = _means_of_tasks(hops), _ends_of_tasks(hops)
    alive = living(hops)
    attempts, intents = attempts_in(alive, means), tuple(sorted({one for hop in hops for one in _own_intents(hop)}))
    invocations = sum(not _is_of_tool(hop) for hop in hops)  # what a tool gives back invokes no agent
    escalation = "model" if any(hop.is_escalated for hop in hops) else "hops" if invocations > hop_limit else ""
    failing = next((hop for hop in reversed(alive) if hop.has_error), None)
    return TransactionSummary(
        transaction_id=transaction.id,
        day=datetime.fromtimestamp(last, UTC).date().isoformat(),
        at=last,
        outcome=outcome_of(hops, tasks, escalation),
        path=_path(hops),
        hops=len(hops),
        seconds=round(last - min(hop.at for hop in hops)),
        objectives=sum(hop.objectives for hop in hops),
        goals=sum(hop.goals for hop in hops),
        tasks=tasks,
        intents=intents,
        inputs=tuple(sorted({one for hop in hops for one in hop.inputs})),
        failed_at=failing.agent if failing is not None else "",
        error=failing.error if failing is not None else "",
        escalation=escalation,
        interventions=tuple(sorted({hop.agent for hop in alive if hop.is_policy})),
        gaps=tuple(sorted({(gap, hop.agent) for hop in hops for gap in hop.gaps})),
        used=tuple(sorted({one.means for one in attempts})),
        failures=failures_in(attempts),
        repeats=tuple(sorted({hop.agent for hop in hops if hop.repeats and hop.agent != UNNAMED})),
        calls=sum(_is_of_tool(hop) for hop in hops),
        delegations=delegations_in(hops, intents),
        rejections=rejections_in(hops),
        plan=plan_in(hops),
        corrects=next((hop.corrects for hop in hops if hop.corrects), ""),
        is_unfinished=is_unfinished,
    )


def corrected(decision: TransactionSummary) -> TransactionSummary:
    """Return the record of a transaction whose answer the user has taken back: it was no success."""
    return replace(decision, outcome=ChainOutcome.FAILURE, is_corrected=True)


def outcome_of(hops: tuple[Hop, ...], tasks: tuple[Task, ...], escalation: str) -> ChainOutcome:
    """Return the outcome of a chain, the first that applies (M-16, T-35)."""
    if any(hop.error == "OUT_OF_SCOPE" or hop.is_policy for hop in hops):
        return ChainOutcome.REJECTED
    if escalation:
        return ChainOutcome.ESCALATED
    if hops[-1].status == "failed" or hops[-1].has_error:
        return ChainOutcome.FAILURE
    if any(hop.status == "partial" for hop in hops) or any(task.state != "complete" for task in tasks):
        return ChainOutcome.PARTIAL
    return ChainOutcome.SUCCESS


def _is_of_tool(hop: Hop) -> bool:
    return hop.content in ("task_result", "fault")


def _is_tool(hop: Hop) -> bool:
    """Whether a hop is what a tool gave back: it carries its task out by itself, and is no agent."""
    return any(task.means == hop.agent for task in hop.tasks)


def _own_intents(hop: Hop) -> tuple[str, ...]:
    """Return what a hop asks for; what a superior asks of a subordinate is not what the user wants."""
    return () if hop.content == "delegation" else hop.intents


def _means_of_tasks(hops: tuple[Hop, ...]) -> dict[str, str]:
    """Return what carries each task out."""
    return {task.name: task.means for hop in hops for task in hop.tasks if task.means}


def _ends_of_tasks(hops: tuple[Hop, ...]) -> tuple[Task, ...]:
    """Return how each task ended at last, with what carried it out; a task that is tried again ends once."""
    means = _means_of_tasks(hops)
    ends = {task.name: task for hop in hops for task in hop.tasks if task.state != "planned"}
    return tuple(Task(name, means.get(name, ""), end.state) for name, end in sorted(ends.items()))


def _path(hops: tuple[Hop, ...]) -> tuple[str, ...]:
    """Return the agents of a chain in the order in which they came in first (M-08)."""
    path = tuple(dict.fromkeys(hop.agent for hop in hops if hop.agent != UNNAMED and not _is_tool(hop)))
    return path if len(path) <= _LONGEST_PATH else (*path[:_LONGEST_PATH], "others")
