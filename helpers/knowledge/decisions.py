"""Messages assembled into transactions, and the decision record of each transaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import NamedTuple

from ..texts import regex
from .hops import MEMORY_AGENT, Hop, Task
from .words import OTHER_ERROR, REPEATED_CALL, UNNAMED, ChainOutcome

#: In seconds: a message without a parent continues a chain only so soon after its last message, and any message a
#: rejected chain.
_PATIENCE_SECONDS = 3600.0

_HopKey = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Transaction:
    """A chain from its first message to its end, in order."""

    hops: tuple[Hop, ...]

    @property
    def id(self) -> str:
        """The id under which a person finds it in the log: its own, else its request's, else its session's."""
        first = self.hops[0]
        return first.transaction or first.request or first.session or first.message or "unnamed"


@dataclass(slots=True, eq=False)
class _Chain:
    hops: list[Hop] = field(default_factory=list)
    is_closed: bool = False
    is_rejected: bool = False

    def goes_on_with(self, hop: Hop) -> bool:
        """Whether a hop soon after the rejection of the chain calls an agent; the memory agent does not count."""
        waited = hop.at - self.hops[-1].at
        return self.is_rejected and hop.agent != MEMORY_AGENT and 0 <= waited <= _PATIENCE_SECONDS


class Assembler:
    """Takes messages in the order of the log and yields transactions as they end; a rejected one once it is past.

    `finish` yields the rejected ones that might have gone on.
    """

    def __init__(self) -> None:
        self._chains: list[_Chain] = []
        self._by_key: dict[_HopKey, _Chain] = {}
        #: The number of messages that belong to no chain, or come after its end.
        self.stray = 0

    def add(self, hop: Hop) -> Iterator[Transaction]:
        """Take the next message; yield the transaction that ends with it."""
        # The copies of a message share this key, and two messages with one id do not.
        copy = "copy", hop.session, f"{hop.message or hop.agent}@{hop.at}/{hop.content}/{hop.tasks}"
        chain = self._find(hop, copy)
        if chain is None:
            if not hop.begins and not hop.transaction:
                self.stray += 1
                return
            self._chains.append(chain := _Chain())
        if self._by_key.get(copy) is chain:
            return  # written twice
        names = {"message": hop.message, "request": hop.request, "waiting": hop.following}
        keys = [copy, *((kind, hop.session, name) for kind, name in names.items() if name)]
        keys += [("transaction", "", hop.transaction)] if hop.transaction else []
        self._by_key.update(dict.fromkeys(keys, chain))
        if chain.is_closed and not chain.goes_on_with(hop):
            self.stray += 1
            return
        chain.hops.append(hop)
        if hop.is_terminal and not chain.is_closed:
            chain.is_closed, chain.is_rejected = True, hop.is_rejection
            if not chain.is_rejected:
                yield Transaction(tuple(chain.hops))
                chain.hops = [hop]

    def silent(self) -> Iterator[Transaction]:
        """Yield the chains that have not ended, as far as they went."""
        return (Transaction(tuple(chain.hops)) for chain in self._chains if not chain.is_closed)

    def finish(self) -> Iterator[Transaction]:
        """Yield the rejected chains, with the agents that were called all the same."""
        return (Transaction(tuple(chain.hops)) for chain in self._chains if chain.is_rejected)

    def _find(self, hop: Hop, copy: _HopKey) -> _Chain | None:
        if hop.transaction:
            return self._by_key.get(("transaction", "", hop.transaction))
        if hop.parent and (parent := self._by_key.get(("message", hop.session, hop.parent))) is not None:
            return parent
        if (copied := self._by_key.get(copy)) is not None:
            return copied
        same = self._by_key.get(("request", hop.session, hop.request)) if hop.request else None
        if hop.begins and (same is None or same.is_closed):
            return None  # two users' messages of one request that has not ended are one chain
        return same or self._waiting(hop)

    def _waiting(self, hop: Hop) -> _Chain | None:
        waiting = self._by_key.get(("waiting", hop.session, hop.agent))
        if waiting is None:
            return None
        last = waiting.hops[-1]
        follows = hop.sequence in (0, last.sequence + 1) and 0 <= hop.at - last.at <= _PATIENCE_SECONDS
        return waiting if follows else None


#: The remedy after a failure: the same, called again; something else, by its name; or nothing.
AGAIN, NOTHING = "again", ""
#: The end of delegated work that was done; a task that was not reached.
DONE, SKIPPED = "done", "SKIPPED"
#: The next agent after a rejection where nobody was called any more.
STOPPED = "stopped"
#: The end of a plan that is cut.
MORE = "others"
#: A plan of more capabilities has no shape that a sentence could name.
_LONGEST_PLAN = 8
_NUMBER = regex(r"_\d{1,3}\Z")
#: A path of more agents is cut.
_LONGEST_PATH = 8


class FirstFailure(NamedTuple):
    """The first failure of a tool or an agent, its code, and the remedy that worked."""

    means: str
    code: str
    then: str


class Delegation(NamedTuple):
    """A profile with the kind of its work, the number of tries, and the end: `done`, or a code."""

    profile: str
    intent: str
    tries: int
    end: str


class _Attempt(NamedTuple):
    """A use of a tool, a capability or an agent; `code` is empty where it worked.

    `task` is its purpose, empty for an agent by itself. `is_free` marks a call that no plan foresaw: another one may
    have taken its place.
    """

    means: str
    code: str
    task: str = ""
    is_free: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TransactionSummary:
    """The outcome of a transaction; only codes, counts, names and times."""

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
    #: The place of the failure, and its code; empty without one.
    failed_at: str
    error: str
    #: `model`, `hops`, or empty.
    escalation: str
    #: The agents whose instruction a policy rejected.
    interventions: tuple[str, ...]
    #: The gaps that the agents' own assessment reported, each with its agent.
    gaps: tuple[tuple[str, str], ...]
    #: Everything that was used, the first failures, the calls that were repeated in vain, and the number of calls.
    used: tuple[str, ...] = ()
    failures: tuple[FirstFailure, ...] = ()
    repeats: tuple[str, ...] = ()
    calls: int = 0
    delegations: tuple[Delegation, ...] = ()
    #: The agents that rejected the request, each with the agent that was called after it.
    rejections: tuple[tuple[str, str], ...] = ()
    plan: tuple[str, ...] = ()
    #: The request that the user takes back with this one, and whether this one was taken back.
    corrects: str = ""
    is_corrected: bool = False

    @property
    def is_good(self) -> bool:
        """Whether it succeeded without a reported gap."""
        return self.outcome is ChainOutcome.SUCCESS and not self.gaps


def decide(transaction: Transaction, *, hop_limit: int) -> TransactionSummary:
    """Return the decision record of a transaction."""
    hops = transaction.hops
    last = max(hop.at for hop in hops)
    means = {task.name: task.means for hop in hops for task in hop.tasks if task.means}
    tasks = _ends_of_tasks(hops, means)
    alive = _living(hops)
    own = [hop for hop in hops if hop.content != "delegation"]  # what a superior asks for is not what the user wants
    attempts, intents = _attempts(alive, means), tuple(sorted({intent for hop in own for intent in hop.intents}))
    invocations = sum(not _is_of_tool(hop) for hop in hops)  # what a tool gives back invokes no agent
    escalation = "model" if any(hop.is_escalated for hop in hops) else "hops" if invocations > hop_limit else ""
    failing = next((hop for hop in reversed(alive) if hop.has_error), None)
    return TransactionSummary(
        transaction_id=transaction.id,
        day=datetime.fromtimestamp(last, UTC).date().isoformat(),
        at=last,
        outcome=_outcome(hops, tasks, escalation),
        path=_path(hops),
        hops=len(hops),
        seconds=round(last - min(hop.at for hop in hops)),
        objectives=sum(hop.objectives for hop in hops),
        goals=sum(hop.goals for hop in hops),
        tasks=tasks,
        intents=intents,
        inputs=tuple(sorted({kind for hop in hops for kind in hop.inputs})),
        failed_at=failing.agent if failing is not None else "",
        error=failing.error if failing is not None else "",
        escalation=escalation,
        interventions=tuple(sorted({hop.agent for hop in alive if hop.is_policy})),
        gaps=tuple(sorted({(gap, hop.agent) for hop in hops for gap in hop.gaps})),
        used=tuple(sorted({attempt.means for attempt in attempts})),
        failures=_failures(attempts),
        repeats=tuple(sorted({hop.agent for hop in hops if hop.repeats and hop.agent != UNNAMED})),
        calls=sum(_is_of_tool(hop) for hop in hops),
        delegations=_delegations(hops, intents),
        rejections=_rejections(hops),
        plan=_plan(hops),
        corrects=next((hop.corrects for hop in hops if hop.corrects), ""),
    )


def corrected(decision: TransactionSummary) -> TransactionSummary:
    """Return the record of a transaction whose answer the user has taken back: it was no success."""
    return replace(decision, outcome=ChainOutcome.FAILURE, is_corrected=True)


def _outcome(hops: tuple[Hop, ...], tasks: tuple[Task, ...], escalation: str) -> ChainOutcome:
    """Return the outcome of a chain, the first that applies."""
    if any(hop.is_rejection for hop in hops):
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
    """Whether a hop is the result of a tool, which carries its task out by itself and is no agent."""
    return any(task.means == hop.agent for task in hop.tasks)


def _ends_of_tasks(hops: tuple[Hop, ...], means: Mapping[str, str]) -> tuple[Task, ...]:
    """Return the final end of each task, and the tool or capability that carried it out; a retried task ends once."""
    ends = {task.name: task for hop in hops for task in hop.tasks if task.state != "planned"}
    return tuple(Task(name, means.get(name, ""), end.state) for name, end in sorted(ends.items()))


def _path(hops: tuple[Hop, ...]) -> tuple[str, ...]:
    """Return the agents of a chain in the order of their first hops."""
    path = tuple(dict.fromkeys(hop.agent for hop in hops if hop.agent != UNNAMED and not _is_tool(hop)))
    return path if len(path) <= _LONGEST_PATH else (*path[:_LONGEST_PATH], "others")


def _attempts(hops: Sequence[Hop], means: Mapping[str, str]) -> list[_Attempt]:
    """Return the uses of tools, capabilities and agents, in order; `means` maps a task to what carries it out.

    A rejection is no failure of the agent, and a repeated call none of the tool; both are recorded separately.
    """
    attempts: list[_Attempt] = []
    planned: set[str] = set()
    for hop in hops:
        planned.update(task.name for task in hop.tasks if task.state == "planned")
        if hop.content.startswith("delegation"):
            continue
        ends = [task for task in hop.tasks if task.state != "planned"]
        for task in ends:
            name = task.means or means.get(task.name, "")
            failed = task.state == "failed" and (hop.error or OTHER_ERROR)
            code = failed or (SKIPPED if task.state == "skipped" else "")
            if name and name != UNNAMED:
                code = "" if code == REPEATED_CALL else code
                attempts.append(_Attempt(name, code, task.name, task.name not in planned))
        if not ends and hop.agent != UNNAMED:
            is_failure = hop.has_error and not hop.is_rejection
            task_of_it = hop.content if hop.content == "fault" else ""  # no call, and none that is made again
            attempts.append(_Attempt(hop.agent, hop.error if is_failure else "", task_of_it))
    return attempts


def _failures(attempts: Sequence[_Attempt]) -> tuple[FirstFailure, ...]:
    """Return the first failure of each tool or agent, with the remedy that was tried next and worked."""
    failures: dict[str, FirstFailure] = {}
    for number, attempt in enumerate(attempts, 1):
        if attempt.code and attempt.means not in failures:
            remedy = _what_worked(attempt, attempts[number:])
            failures[attempt.means] = FirstFailure(attempt.means, attempt.code, remedy)
    return tuple(sorted(failures.values()))


def _delegations(hops: Sequence[Hop], request: Sequence[str]) -> tuple[Delegation, ...]:
    """Return the delegations; the kind of work is that of the request where a delegation has none itself."""
    kinds: list[str] = []
    delegations: dict[tuple[str, str], Delegation] = {}
    for hop in hops:
        if hop.content == "delegation":
            kinds.append(" + ".join(hop.intents) or " + ".join(request))
        elif hop.content == "delegation_result":
            # A refused hop names its caller as the source: nobody had begun with it.
            is_refused = hop.following == hop.source
            kind = " + ".join(request) if is_refused or not kinds else kinds.pop()
            profile = _NUMBER.sub("", hop.agent)
            tries = delegations[(profile, kind)].tries if (profile, kind) in delegations else 0
            delegations[(profile, kind)] = Delegation(profile, kind, tries + 1, hop.error if hop.has_error else DONE)
    return tuple(sorted(delegations.values()))


def _living(hops: Sequence[Hop]) -> Sequence[Hop]:
    """Return a chain up to the rejection that ends it; later hops are in vain and say nothing about their agents."""
    return hops[: next((count for count, hop in enumerate(hops, 1) if hop.is_rejection and hop.is_terminal), len(hops))]


def _rejections(hops: Sequence[Hop]) -> tuple[tuple[str, str], ...]:
    """Return the agents that rejected the request, each with the agent that was called all the same."""
    rejections: dict[str, str] = {}
    for position, hop in enumerate(_living(hops)):
        if hop.is_rejection and not hop.is_result and hop.agent not in rejections:
            nobody = (hop.agent, MEMORY_AGENT, UNNAMED)
            after = next((later.agent for later in hops[position + 1 :] if later.agent not in nobody), STOPPED)
            rejections[hop.agent] = after
    return tuple(sorted(rejections.items()))


def _plan(hops: Sequence[Hop]) -> tuple[str, ...]:
    """Return the capabilities of the latest plan, in its order; the beginning of a long one."""
    plans = [[task.means for task in hop.tasks if task.state == "planned" and task.means] for hop in hops]
    latest = next((plan for plan in reversed(plans) if plan), [])
    return tuple(latest) if len(latest) <= _LONGEST_PLAN else (*latest[:_LONGEST_PLAN], MORE)


def _what_worked(failed: _Attempt, later: Sequence[_Attempt]) -> str:
    """Return the remedy that was tried next for the same task and worked, unless it would have come next anyway."""
    if any(attempt.means == failed.means and attempt.task == failed.task and not attempt.code for attempt in later):
        return AGAIN
    following = next((attempt for attempt in later if attempt.means != failed.means), None)
    if following is None or following.code or not (failed.is_free and following.is_free):
        return NOTHING
    return following.means
