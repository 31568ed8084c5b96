"""What became of a transaction, and by which way: one decision record each (M-12 ... M-16, T-35). Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from .hops import Hop
from .outputs import Task
from .transactions import Transaction
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

    @property
    def is_good(self) -> bool:
        """Whether it succeeded, and no gap was reported (M-12)."""
        return self.outcome is ChainOutcome.SUCCESS and not self.gaps


def decide(transaction: Transaction, *, hop_limit: int) -> TransactionSummary:
    """Return the decision record of a transaction."""
    hops = transaction.hops
    last = max(hop.at for hop in hops)
    tasks = _ends_of_tasks(hops)
    invocations = sum(not _is_of_tool(hop) for hop in hops)  # what a tool gives back invokes no agent
    escalation = "model" if any(hop.is_escalated for hop in hops) else "hops" if invocations > hop_limit else ""
    failing = next((hop for hop in reversed(hops) if hop.has_error), None)
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
        intents=tuple(sorted({one for hop in hops for one in hop.intents})),
        inputs=tuple(sorted({one for hop in hops for one in hop.inputs})),
        failed_at=failing.agent if failing is not None else "",
        error=failing.error if failing is not None else "",
        escalation=escalation,
        interventions=tuple(sorted({hop.agent for hop in hops if hop.is_policy})),
        gaps=tuple(sorted({(gap, hop.agent) for hop in hops for gap in hop.gaps})),
    )


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


def _ends_of_tasks(hops: tuple[Hop, ...]) -> tuple[Task, ...]:
    """Return how each task ended at last, with what carried it out; a task that is tried again ends once."""
    means: dict[str, str] = {}
    ends: dict[str, Task] = {}
    for hop in hops:
        for task in hop.tasks:
            if task.means:
                means[task.name] = task.means
            if task.state != "planned":
                ends[task.name] = task
    return tuple(Task(name, means.get(name, ""), end.state) for name, end in sorted(ends.items()))


def _path(hops: tuple[Hop, ...]) -> tuple[str, ...]:
    """Return the agents of a chain in the order in which they came in first (M-08)."""
    path = tuple(dict.fromkeys(hop.agent for hop in hops if hop.agent != UNNAMED))
    return path if len(path) <= _LONGEST_PATH else (*path[:_LONGEST_PATH], "others")
