"""Messages assembled into transactions, and the decision record of each transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..texts import regex
from .hops import MEMORY_AGENT, Hop
from .patterns import (
    ALL,
    FINE,
    GOOD,
    IN_VAIN,
    LONG_RUN,
    MOST_CALLS,
    SEVERAL,
    UNKNOWN,
    WANTING,
    Family,
    Observation,
    day_of,
    roughly,
)
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

    @property
    def corrects(self) -> str:
        """The request that the user takes back with this one; empty without one."""
        return next((hop.corrects for hop in self.hops if hop.corrects), "")


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
    """The chains of messages that are given in the order of the log."""

    def __init__(self, hops: Iterable[Hop]) -> None:
        self._chains: list[_Chain] = []
        self._by_key: dict[_HopKey, _Chain] = {}
        #: The number of messages that belong to no chain, or come after its end.
        self.stray = 0
        for hop in hops:
            self._add(hop)

    @property
    def ended(self) -> list[Transaction]:
        """The chains that have ended; rejected ones with the agents that were called all the same."""
        return [Transaction(tuple(chain.hops)) for chain in self._chains if chain.is_closed]

    @property
    def unfinished(self) -> list[Transaction]:
        """The chains that have not ended, as far as they went."""
        return [Transaction(tuple(chain.hops)) for chain in self._chains if not chain.is_closed]

    def _add(self, hop: Hop) -> None:
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
#: A request with more intents has no name.
_MOST_INTENTS = 3
_LARGEST_COUNT = 99


class _Attempt(NamedTuple):
    """A use of a tool, a capability or an agent; `code` is empty where it worked.

    `task` is its purpose, empty for an agent by itself. `is_free` marks a call that no plan foresaw: another one may
    have taken its place.
    """

    means: str
    code: str
    task: str = ""
    is_free: bool = False


class TransactionSummary(NamedTuple):
    """The end of a transaction, and what was observed on the way; only codes, counts, names and times."""

    transaction_id: str
    at: float
    outcome: ChainOutcome
    path: tuple[str, ...] = ()
    hops: int = 0
    seconds: int = 0
    #: The place of the failure, and its code; empty without one.
    failed_at: str = ""
    error: str = ""
    observations: tuple[Observation, ...] = ()

    @property
    def day(self) -> str:
        """The day on which it ended."""
        return day_of(self.at)


def decide(transaction: Transaction, *, hop_limit: int, is_corrected: bool = False) -> TransactionSummary:
    """Return the decision record of a transaction; one whose answer the user has taken back was no success."""
    hops = transaction.hops
    ends = {task.name: task.state for hop in hops for task in hop.tasks if task.state != "planned"}
    invocations = sum(not _is_of_tool(hop) for hop in hops)  # what a tool gives back invokes no agent
    escalation = "model" if any(hop.is_escalated for hop in hops) else "hops" if invocations > hop_limit else ""
    failing = next((hop for hop in reversed(_living(hops)) if hop.has_error), None)
    last = max(hop.at for hop in hops)
    summary = TransactionSummary(
        transaction_id=transaction.id,
        at=last,
        outcome=ChainOutcome.FAILURE if is_corrected else _outcome(hops, ends.values(), escalation),
        path=_path(hops),
        hops=len(hops),
        seconds=round(last - min(hop.at for hop in hops)),
        failed_at="" if failing is None else failing.agent,
        error="" if failing is None else failing.error,
    )
    own = [hop for hop in hops if hop.content != "delegation"]  # what a superior asks for is not what the user wants
    intents = sorted({intent for hop in own for intent in hop.intents})
    intent = SEVERAL if len(intents) > _MOST_INTENTS else " + ".join(intents)
    observations = [
        *_observe_end(hops, summary),
        *(_observe_request(hops, summary, intent, len(ends)) if intent else ()),
        *_observe_means(hops, ends),
        *_observe_delegations(hops, " + ".join(intents)),
    ]
    if escalation:
        observations.append(Observation(Family.ESCALATION, escalation, " → ".join(summary.path) or UNNAMED))
    if is_corrected:
        observations.append(Observation(Family.CORRECTION, intent or UNKNOWN, "taken back"))
    if calls := sum(_is_of_tool(hop) for hop in hops):
        is_long = calls > MOST_CALLS
        numbers = (("calls", min(calls, _LARGEST_COUNT)),) if is_long else ()
        observations.append(Observation(Family.LONG, intent or ALL, LONG_RUN if is_long else FINE, numbers))
    return summary._replace(observations=tuple(observations))


def _observe_end(hops: Sequence[Hop], summary: TransactionSummary) -> Iterator[Observation]:
    """Yield the end, the path to it, and everything that it is counted for: inputs, gaps, interventions."""
    outcome, shape = summary.outcome.value, _shape(summary)
    yield Observation(Family.OUTCOME, ALL, outcome, shape)
    if summary.path and not any(hop.content == "delegation_result" for hop in hops):  # delegations are told of below
        yield Observation(Family.PATH, " → ".join(summary.path), outcome, shape)
    for kind in sorted({kind for hop in hops for kind in hop.inputs}):
        answer = f"{outcome}@{summary.failed_at}" if summary.failed_at else outcome
        yield Observation(Family.INPUT, kind, answer)
    for gap, agent in sorted({(gap, hop.agent) for hop in hops for gap in hop.gaps}):
        yield Observation(Family.GAP, gap, agent)
    for agent in sorted({hop.agent for hop in _living(hops) if hop.is_policy}):
        yield Observation(Family.GOVERNANCE, agent, outcome)


def _observe_request(
    hops: Sequence[Hop], summary: TransactionSummary, intent: str, tasks: int
) -> Iterator[Observation]:
    """Yield how a kind of request was taken apart and planned, and whether it succeeded without a gap."""
    is_good = summary.outcome is ChainOutcome.SUCCESS and not any(hop.gaps for hop in hops)
    objectives, goals = sum(hop.objectives for hop in hops), sum(hop.goals for hop in hops)
    if goals:
        yield Observation(Family.INTENT, intent, f"{objectives}/{goals}")
    if plan := _plan(hops):
        yield Observation(Family.PLAN, intent, f"{' → '.join(plan)}>{GOOD if is_good else WANTING}")
    if objectives + goals:
        sizes = {"objectives": objectives, "goals": goals, "tasks": tasks}
        figures = (*_shape(summary), *((name, min(size, _LARGEST_COUNT)) for name, size in sizes.items() if size))
        yield Observation(Family.BENCHMARK, intent, GOOD if is_good else WANTING, figures if is_good else ())


def _observe_means(hops: Sequence[Hop], ends: Collection[str]) -> Iterator[Observation]:
    """Yield the failure and the rejection, if any, of everything that was used, and the calls in vain."""
    means = {task.name: task.means for hop in hops for task in hop.tasks if task.means}
    attempts, rejections = _attempts(_living(hops), means), _rejections(hops)
    failures: dict[str, str] = {}
    for number, attempt in enumerate(attempts, 1):
        if attempt.code and attempt.means not in failures:
            failures[attempt.means] = f"{attempt.code}>{_what_worked(attempt, attempts[number:])}"
    for name in sorted({attempt.means for attempt in attempts}):
        yield Observation(Family.FAILURE, name, failures.get(name, FINE))
        if "-" not in name:  # a capability is no agent
            yield Observation(Family.REJECTION, name, rejections.get(name, FINE))
    in_vain = {hop.agent for hop in hops if hop.repeats and hop.agent != UNNAMED}
    for tool in sorted({*in_vain, *(means[task] for task in ends if task in means)}):
        yield Observation(Family.REPEAT, tool, IN_VAIN if tool in in_vain else FINE)


def _observe_delegations(hops: Sequence[Hop], request: str) -> Iterator[Observation]:
    """Yield the ends of delegated work; its kind is that of the request where a delegation has none itself."""
    kinds: list[str] = []
    ends: dict[str, tuple[str, int]] = {}
    for hop in hops:
        if hop.content == "delegation":
            kinds.append(" + ".join(hop.intents) or request)
        elif hop.content == "delegation_result":
            # A refused hop names its caller as the source: nobody had begun with it.
            kind = request if hop.following == hop.source or not kinds else kinds.pop()
            profile = _NUMBER.sub("", hop.agent)
            subject = f"{profile}: {kind}" if kind else profile
            _, tries = ends.get(subject, ("", 0))
            ends[subject] = hop.error if hop.has_error else DONE, tries + 1
    for subject, (end, tries) in sorted(ends.items()):
        yield Observation(Family.PROFILE, subject, f"{end} {min(tries, _LARGEST_COUNT)}")


def _shape(summary: TransactionSummary) -> tuple[tuple[str, int], ...]:
    return ("hops", min(summary.hops, _LARGEST_COUNT)), ("seconds", roughly(summary.seconds))


def _outcome(hops: Sequence[Hop], ends: Iterable[str], escalation: str) -> ChainOutcome:
    """Return the outcome of a chain, the first that applies."""
    if any(hop.is_rejection for hop in hops):
        return ChainOutcome.REJECTED
    if escalation:
        return ChainOutcome.ESCALATED
    if hops[-1].status == "failed" or hops[-1].has_error:
        return ChainOutcome.FAILURE
    if any(hop.status == "partial" for hop in hops) or any(end != "complete" for end in ends):
        return ChainOutcome.PARTIAL
    return ChainOutcome.SUCCESS


def _is_of_tool(hop: Hop) -> bool:
    return hop.content in ("task_result", "fault")


def _is_tool(hop: Hop) -> bool:
    """Whether a hop is the result of a tool, which carries its task out by itself and is no agent."""
    return any(task.means == hop.agent for task in hop.tasks)


def _path(hops: Sequence[Hop]) -> tuple[str, ...]:
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


def _living(hops: Sequence[Hop]) -> Sequence[Hop]:
    """Return a chain up to the rejection that ends it; later hops are in vain and say nothing about their agents."""
    return hops[: next((count for count, hop in enumerate(hops, 1) if hop.is_rejection and hop.is_terminal), len(hops))]


def _rejections(hops: Sequence[Hop]) -> dict[str, str]:
    """Return the agents that rejected the request, each with the agent that was called all the same."""
    rejections: dict[str, str] = {}
    for position, hop in enumerate(_living(hops)):
        if hop.is_rejection and not hop.is_result and hop.agent not in rejections:
            nobody = (hop.agent, MEMORY_AGENT, UNNAMED)
            after = next((later.agent for later in hops[position + 1 :] if later.agent not in nobody), STOPPED)
            rejections[hop.agent] = after
    return rejections


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
