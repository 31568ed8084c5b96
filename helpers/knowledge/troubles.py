"""What went wrong on the way of a transaction, what was tried next, and what came of work that was handed on.

Pure (M-10, M-12 ... M-14): names of a fixed form and codes go in and come out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..patterns import regex
from .hops import MEMORY_AGENT, Hop, is_rejection
from .words import OTHER_ERROR, REPEATED_CALL, UNNAMED

#: What worked after a failure: the same, tried again; something else, by its name; or nothing.
AGAIN, NOTHING = "again", ""
#: The end of work that was handed on and done; a task that nobody reached.
DONE, SKIPPED = "done", "SKIPPED"
#: After a rejection: nobody was called any more.
STOPPED = "stopped"
#: How a plan goes on that is too long to be told.
MORE = "others"
#: More capabilities than this are no shape that a sentence could name.
_LONGEST_PLAN = 8
_NUMBER = regex(r"_\d{1,3}\Z")


class FirstFailure(NamedTuple):
    """What failed first, with which code, and what worked then."""

    means: str
    code: str
    then: str


class Delegation(NamedTuple):
    """A profile that was given work of a kind, how often, and how that ended: `done`, or a code."""

    profile: str
    intent: str
    tries: int
    end: str


class Attempt(NamedTuple):
    """One use of a tool, a capability or an agent; `code` is empty where it worked.

    `task` is what it was used for; of an agent by itself it is empty. `is_free` tells a call that no plan foresaw:
    another one may have taken its place.
    """

    means: str
    code: str
    task: str = ""
    is_free: bool = False


def attempts_in(hops: Sequence[Hop], means: Mapping[str, str]) -> list[Attempt]:
    """Return what was used, in order; `means` is what carries each task out, by its name.

    A rejection by an agent is no failure of it, and a call in vain none of the tool; both are told by themselves.
    """
    found: list[Attempt] = []
    planned: set[str] = set()
    for hop in hops:
        planned.update(task.name for task in hop.tasks if task.state == "planned")
        if hop.content in ("task_result", "fault") or not hop.content.startswith("delegation"):
            ends = [task for task in hop.tasks if task.state != "planned"]
            for task in ends:
                name = task.means or means.get(task.name, "")
                failed = task.state == "failed" and (hop.error or OTHER_ERROR)
                code = failed or (SKIPPED if task.state == "skipped" else "")
                if name and name != UNNAMED:
                    code = "" if code == REPEATED_CALL else code
                    found.append(Attempt(name, code, task.name, task.name not in planned))
            if not ends and hop.agent != UNNAMED:
                is_failure = hop.has_error and not is_rejection(hop)
                task_of_it = hop.content if hop.content == "fault" else ""  # no call, and none that is made again
                found.append(Attempt(hop.agent, hop.error if is_failure else "", task_of_it))
    return found


def failures_in(attempts: Sequence[Attempt]) -> tuple[FirstFailure, ...]:
    """Return the first failure of each thing that was used, with what was tried next and worked (M-14)."""
    found: dict[str, FirstFailure] = {}
    for at, one in enumerate(attempts):
        if one.code and one.means not in found:
            later = attempts[at + 1 :]
            found[one.means] = FirstFailure(one.means, one.code, _what_worked(one, later))
    return tuple(sorted(found.values()))


def delegations_in(hops: Sequence[Hop], request: Sequence[str]) -> tuple[Delegation, ...]:
    """Return what was handed to which profile; the kind of work is that of the request where it has none itself."""
    kinds: list[str] = []
    found: dict[tuple[str, str], Delegation] = {}
    for hop in hops:
        if hop.content == "delegation":
            kinds.append(" + ".join(hop.intents) or " + ".join(request))
        elif hop.content == "delegation_result":
            # A refused hop names its caller as the source: nobody had begun with it.
            is_refused = hop.following == hop.source
            kind = " + ".join(request) if is_refused or not kinds else kinds.pop()
            profile = _NUMBER.sub("", hop.agent)
            tries = found[(profile, kind)].tries if (profile, kind) in found else 0
            found[(profile, kind)] = Delegation(profile, kind, tries + 1, hop.error if hop.has_error else DONE)
    return tuple(sorted(found.values()))


def living(hops: Sequence[Hop]) -> Sequence[Hop]:
    """Return a chain up to the rejection that ends it: what comes then is in vain, and says nothing of who does it."""
    return hops[: next((at for at, hop in enumerate(hops, 1) if is_rejection(hop) and hop.is_terminal), len(hops))]


def rejections_in(hops: Sequence[Hop]) -> tuple[tuple[str, str], ...]:
    """Return which agents rejected the request, and who was called all the same (M-14)."""
    found: dict[str, str] = {}
    for at, hop in enumerate(living(hops)):
        if is_rejection(hop) and not hop.is_result and hop.agent not in found:
            nobody = (hop.agent, MEMORY_AGENT, UNNAMED)
            after = next((one.agent for one in hops[at + 1 :] if one.agent not in nobody), STOPPED)
            found[hop.agent] = after
    return tuple(sorted(found.items()))


def plan_in(hops: Sequence[Hop]) -> tuple[str, ...]:
    """Return the capabilities of the latest plan, in its order (M-12); of a long one how it begins."""
    plans = [[task.means for task in hop.tasks if task.state == "planned" and task.means] for hop in hops]
    latest = next((one for one in reversed(plans) if one), [])
    return tuple(latest) if len(latest) <= _LONGEST_PLAN else (*latest[:_LONGEST_PLAN], MORE)


def _what_worked(failed: Attempt, later: Sequence[Attempt]) -> str:
    """Return what was tried next for the same and worked, which is not what would have come next in any case."""
    if any(one.means == failed.means and one.task == failed.task and not one.code for one in later):
        return AGAIN
    following = next((one for one in later if one.means != failed.means), None)
    if following is None or following.code or not (failed.is_free and following.is_free):
        return NOTHING
    return following.means
