"""What a pattern has to say, in sentences of this file and nobody else's words (M-12 ... M-17, M-57, T-22). Pure.

The title is made from the subject alone, so that it finds the entry again; insight, action and applicability are made
from counts, codes and names of a fixed form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .categories import Category
from .patterns import SEVERAL, UNKNOWN, AnswerCounts, Family, Key, middle
from .words import ChainOutcome

SUCCESS = ChainOutcome.SUCCESS.value
GOOD = "good"

CATEGORY_OF = {
    Family.INTENT: Category.DOMAIN_KNOWLEDGE,
    Family.INPUT: Category.DOMAIN_KNOWLEDGE,
    Family.PATH: Category.OPERATIONAL_HEURISTIC,
    Family.ESCALATION: Category.OPERATIONAL_HEURISTIC,
    Family.ERROR: Category.ERROR_PREVENTION,
    Family.TASK: Category.ERROR_PREVENTION,
    Family.GAP: Category.ERROR_PREVENTION,
    Family.BENCHMARK: Category.QUALITY_BENCHMARK,
}
#: What is counted and told in reports, and never becomes a rule of behaviour (M-55).
UNFILED = frozenset({Family.OUTCOME, Family.GOVERNANCE})

_ON_ERROR = {
    "OUT_OF_SCOPE": "Compare a request with the scope before anything else; reject it at {agent}, say why in the"
    " compliance notes, and call no further agent.",
    "INVALID_INPUT": "Check the form of the input before {agent} is called, and ask for what is missing.",
    "PROCESSING_ERROR": "Retry at {agent} once; if it fails again, return what there is and say what is missing.",
    "TIMEOUT": "Split long work before it reaches {agent}, or give it more time; do not retry it unchanged.",
    "DEPENDENCY_ERROR": "Make sure that everything {agent} needs is there before it is called.",
    "VALIDATION_ERROR": "Check the output of {agent} against its schema before it is handed on.",
    "TOOL_NOT_FOUND": "Call only the tools that the prompt lists; {agent} is none of them.",
    "MISFORMATTED": "Let {agent} answer with one JSON object that names a tool, and nothing around it.",
    "REPEATED_CALL": "Do not call {agent} again with the same arguments: change them, or use what it gave.",
    "INTERVENTION": "Say what is planned before {agent} is started, and ask where a request leaves a choice.",
    "NO_ANSWER": "Give {agent} smaller steps, and answer with what there is before it is stopped.",
    "OTHER_ERROR": "Report failures of {agent} with one of the error codes of the message format.",
}
_ON_PATH = {
    ChainOutcome.SUCCESS: "Keep to this path for such requests. Look into one that takes more than {most} hops.",
    ChainOutcome.PARTIAL: "Expect partial results on this path: say what is missing, and retry only what failed.",
    ChainOutcome.FAILURE: "Expect this path to fail: check inputs and dependencies before {first} starts it.",
    ChainOutcome.ESCALATED: (
        "Split such requests, or begin with the larger model: on this path they outgrow their limits."
    ),
    ChainOutcome.REJECTED: "Check scope and policy at {first} before anything else is started on this path.",
}
_AT_FIRST_AGENT = {
    ChainOutcome.SUCCESS: "Let {agent} finish such requests by itself.",
    ChainOutcome.PARTIAL: "Let {agent} say which part it could not do, and hand that part on.",
    ChainOutcome.FAILURE: "Check what {agent} needs before it is started.",
    ChainOutcome.ESCALATED: "Start such requests with the larger model.",
    ChainOutcome.REJECTED: "Let {agent} decide first, and start no other agent on what it rejects.",
}
_ON_INPUT = {
    ChainOutcome.SUCCESS: "Treat such input as well supported.",
    ChainOutcome.PARTIAL: "Announce partial results for such input, and say which tasks it is likely to fail.",
    ChainOutcome.FAILURE: "Check such input before planning; expect it to fail.",
    ChainOutcome.ESCALATED: "Plan such input in small steps, or begin with the larger model.",
    ChainOutcome.REJECTED: "Check such input against scope and policy before planning.",
}
_ON_TASK = {
    "failed": "Check the inputs of {subject} before it is called, and plan what to return without it.",
    "skipped": "Check what {subject} depends on first: its tasks are rarely reached.",
    "complete": "Rely on {subject} for such tasks.",
}
_CAUSES = {
    "hops": ("Chains that exceed the hop limit", "exceeded the hop limit"),
    "model": ("Escalation to a larger model", "were escalated to a larger model"),
}
#: What a gap is called in a sentence, and what to do about it; every other one is a check that failed.
_GAPS = {
    "limitations": (
        "limitations of a result were named",
        "Read the limitations that {agent} names before its result is used, and hand them on with it.",
    ),
    "low_confidence": (
        "the confidence in a result was low",
        "Have a result of {agent} that is not sure checked before it is handed on.",
    ),
}
_CHECK = (
    "the check {subject} failed",
    "Let {agent} make sure of {subject} before it returns a result, or say in the result that it does not hold.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Insight:
    """What an entry says, before it is one."""

    category: Category
    title: str
    insight: str
    action: str
    applicability: str


@dataclass(frozen=True, slots=True)
class _Told:
    title: str
    insight: str
    action: str
    applicability: str


def title_of(key: Key) -> str:
    """Return the title of the entry about a pattern."""
    family, subject = key
    titles = {
        Family.INTENT: f"Requests {_asking(subject)}",
        Family.PATH: f"Path {subject}" if " → " in subject else f"Requests that end at {subject}",
        Family.INPUT: f"Input: {subject}",
        Family.ERROR: f"Error {subject}",
        Family.TASK: f"Tasks of {subject}",
        Family.ESCALATION: _CAUSES.get(subject, ("", ""))[0],
        Family.GAP: f"Gap {subject}",
        Family.BENCHMARK: f"A good transaction: {subject.replace(' + ', ' and ')}",
    }
    return titles.get(family, "")


def insight_of(key: Key, counts: AnswerCounts) -> Insight | None:
    """Return what a pattern says; None where it says nothing that an agent could act on."""
    family, subject = key
    tell = _TELL.get(family)
    if tell is None:
        return None
    told = tell(subject, counts)
    return Insight(
        category=CATEGORY_OF[family],
        title=told.title,
        insight=told.insight,
        action=told.action,
        applicability=told.applicability,
    )


def is_encouraging(key: Key, answer: str) -> bool:
    """Whether an entry that gives this answer recommends to go on so: only then can it be at odds with governance."""
    return answer in (SUCCESS, GOOD, "complete") or key[0] is Family.INTENT


def is_worth_an_entry(key: Key, counts: AnswerCounts) -> bool:
    """Whether a pattern that has no entry yet should get one: what merely works as it should is no news."""
    family, subject = key
    if family in UNFILED:
        return False
    if family is Family.TASK:
        return counts.answer != "complete"
    if family is Family.PATH:  # an agent that answers by itself is no way through the agents
        return " → " in subject or counts.answer != SUCCESS
    return family is not Family.BENCHMARK or counts.answer == GOOD


def _about_intent(subject: str, counts: AnswerCounts) -> _Told:
    objectives, goals = (int(one) for one in counts.answer.split("/"))
    shape = f"{_count(objectives, 'objective')} and {_count(goals, 'goal')}"
    return _Told(
        title_of((Family.INTENT, subject)),
        f"{_share(counts)} such a request was taken apart into {shape}.",
        f"Begin with {shape}; say why where a request needs more or less.",
        f"Agents that set objectives and goals, for requests {_asking(subject)}",
    )


def _about_path(subject: str, counts: AnswerCounts) -> _Told:
    agents = subject.split(" → ")
    hops, seconds = counts.numbers.get("hops", {}), counts.numbers.get("seconds", {})
    outcome = ChainOutcome(counts.answer)
    if len(agents) == 1:
        return _Told(
            title_of((Family.PATH, subject)),
            f"{_share(counts)} that ended at {subject} the outcome was {outcome}.",
            _AT_FIRST_AGENT[outcome].format(agent=subject),
            f"{subject}, and whoever starts it",
        )
    usual = f" It usually takes {_count(middle(hops), 'hop')}{_lasting(seconds)}." if hops else ""
    return _Told(
        title_of((Family.PATH, subject)),
        f"{_share(counts)} on this path the outcome was {outcome}.{usual}",
        _ON_PATH[outcome].format(first=agents[0], most=middle(hops, 0.9) if hops else 0),
        "The agents on the path, and whoever chooses it",
    )


def _about_input(subject: str, counts: AnswerCounts) -> _Told:
    return _Told(
        title_of((Family.INPUT, subject)),
        f"{_share(counts)} with {subject} the outcome was {counts.answer}.",
        _ON_INPUT[ChainOutcome(counts.answer)],
        f"Agents that plan, for {subject}",
    )


def _about_error(subject: str, counts: AnswerCounts) -> _Told:
    agent = counts.answer
    return _Told(
        title_of((Family.ERROR, subject)),
        f"{_share(counts)} with the error {subject} it was raised by {agent}.",
        _ON_ERROR[subject].format(agent=agent),
        f"{agent}, and every agent that hands work to it",
    )


def _about_task(subject: str, counts: AnswerCounts) -> _Told:
    states = {"failed": "at least one task failed", "skipped": "tasks were skipped", "complete": "all tasks succeeded"}
    return _Told(
        title_of((Family.TASK, subject)),
        f"{_share(counts)} that used {subject} {states[counts.answer]}.",
        _ON_TASK[counts.answer].format(subject=subject),
        f"Agents that plan or dispatch tasks of {subject}",
    )


def _about_escalation(subject: str, counts: AnswerCounts) -> _Told:
    _, happened = _CAUSES[subject]
    return _Told(
        title_of((Family.ESCALATION, subject)),
        f"{_share(counts)} that {happened} the path was {counts.answer}.",
        "Group small tasks into one call and stop after a second failure, so that a chain stays within its limit."
        if subject == "hops"
        else "Give such requests to the larger model from the beginning.",
        "Agents that plan and dispatch",
    )


def _about_gap(subject: str, counts: AnswerCounts) -> _Told:
    agent = counts.answer
    happened, action = _GAPS.get(subject, _CHECK)
    return _Told(
        title_of((Family.GAP, subject)),
        f"{_share(counts)} in which {happened.format(subject=subject)} it was reported by {agent}.",
        action.format(subject=subject, agent=agent),
        f"{agent}, and whoever judges its results",
    )


def _about_good_ones(subject: str, counts: AnswerCounts) -> _Told:
    names = {"hops": "hop", "objectives": "objective", "goals": "goal", "tasks": "task"}
    figures = [
        f"{_count(middle(values), unit)}{_spread(values)}"
        for name, unit in names.items()
        if (values := counts.numbers.get(name))
    ]
    lasting = _lasting(counts.numbers.get("seconds", {})).replace(" and about", ", and takes about")
    usual = f" A good one has {_listed(figures)}{lasting}." if figures else ""
    which = subject if subject == UNKNOWN else f"requests {_asking(subject)}"
    ending = "succeeded without a gap" if counts.answer == GOOD else "did not succeed, or left a gap"
    return _Told(
        title_of((Family.BENCHMARK, subject)),
        f"{_share(counts)} the request {ending}.{usual}",
        "Hold a result against these figures, and report what is far from them.",
        f"Agents that judge results, for {which}",
    )


_TELL: Mapping[Family, Callable[[str, AnswerCounts], _Told]] = {
    Family.INTENT: _about_intent,
    Family.PATH: _about_path,
    Family.INPUT: _about_input,
    Family.ERROR: _about_error,
    Family.TASK: _about_task,
    Family.ESCALATION: _about_escalation,
    Family.GAP: _about_gap,
    Family.BENCHMARK: _about_good_ones,
}


def _asking(subject: str) -> str:
    """Return what requests ask for, as it follows that word."""
    return f"for {SEVERAL}" if subject == SEVERAL else f"to {subject.replace(' + ', ' and ')}"


def _spread(values: Mapping[int, int]) -> str:
    """Return between which values four fifths lie, unless there is one value only."""
    least, most = middle(values, 0.1), middle(values, 0.9)
    return f" ({least} to {most})" if least < most else ""


def _share(counts: AnswerCounts) -> str:
    of = counts.answers[counts.answer]
    if of == counts.total:
        return {1: "In the one transaction", 2: "In both transactions"}.get(of, f"In all {of} transactions")
    return f"In {of} of {counts.total} transactions"


def _count(number: int, unit: str) -> str:
    return f"{number} {unit}" + ("" if number == 1 else "s")


def _lasting(seconds: Mapping[int, int]) -> str:
    """Return how long it usually takes, as finely as it is known."""
    usual = middle(seconds) if seconds else 0
    if not usual:
        return ""
    return f" and about {_count(usual // 60, 'minute') if usual >= 600 else _count(usual, 'second')}"


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
