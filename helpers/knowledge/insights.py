"""What a claim says, in sentences of this file and nobody else's words (M-12 ... M-17, M-46, M-57, T-22). Pure.

The title is made from the subject alone, so that it finds the entry again; insight, action and applicability are made
from counts, codes and names of a fixed form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .categories import Category
from .decisions import AGAIN, DONE, MORE, SKIPPED
from .patterns import ALL, MOST_CALLS, SEVERAL, Family, Key, in_units, middle
from .rates import EntryClaim, failing
from .words import OUT_OF_SCOPE, ChainOutcome

CATEGORY_OF = {
    Family.INTENT: Category.DOMAIN_KNOWLEDGE,
    Family.INPUT: Category.DOMAIN_KNOWLEDGE,
    Family.PLAN: Category.OPERATIONAL_HEURISTIC,
    Family.PROFILE: Category.OPERATIONAL_HEURISTIC,
    Family.LONG: Category.OPERATIONAL_HEURISTIC,
    Family.FAILURE: Category.ERROR_PREVENTION,
    Family.REPEAT: Category.ERROR_PREVENTION,
    Family.REJECTION: Category.ERROR_PREVENTION,
    Family.GAP: Category.ERROR_PREVENTION,
    Family.BENCHMARK: Category.QUALITY_BENCHMARK,
}
#: What to do about an error, by its code; every other one keeps its name.
ON_ERROR = {
    OUT_OF_SCOPE: "Compare a request with the scope before anything else; reject it at {agent}, say why in the"
    " compliance notes, and call no further agent.",
    "INVALID_INPUT": "Check the form of the input before {agent} is called, and ask for what is missing.",
    "PROCESSING_ERROR": "If {agent} fails, return what there is and say what is missing.",
    "TIMEOUT": "Split long work before it reaches {agent}, or give it more time; do not retry it unchanged.",
    "DEPENDENCY_ERROR": "Make sure that everything {agent} needs is there before it is called.",
    "VALIDATION_ERROR": "Check the output of {agent} against its schema before it is handed on.",
    "TOOL_NOT_FOUND": "Call only the tools that the prompt lists; {agent} is none of them.",
    "MISFORMATTED": "Let {agent} answer with one JSON object that names a tool, and nothing around it.",
    "INTERVENTION": "Say what is planned before {agent} is started, and ask where a request leaves a choice.",
    "NO_ANSWER": "Give {agent} smaller steps, and answer with what there is before it is stopped.",
    SKIPPED: "Check what {agent} depends on first: its tasks are often not reached.",
}
_ON_OTHER_ERROR = "Find out at the beginning of a request whether {code} applies, before {agent} is called."
ON_INPUT = {
    ChainOutcome.PARTIAL: "Announce partial results for such input, and say which tasks it is likely to fail.",
    ChainOutcome.FAILURE: "Check such input before planning; it fails more often than other input.",
    ChainOutcome.ESCALATED: "Plan such input in small steps, or begin with the larger model.",
    ChainOutcome.REJECTED: "Check such input against scope and policy before planning.",
}
#: What a gap is called in a sentence, and what to do about it; every other one is a check that failed.
GAPS = {
    "limitations": (
        "named limitations of its result",
        "Read the limitations that {agent} names before its result is used, and hand them on with it.",
    ),
    "low_confidence": (
        "had low confidence in its result",
        "Have a result of {agent} that is not sure checked before it is handed on.",
    ),
}
_CHECK = (
    "found that its check {subject} failed",
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


_Told = tuple[str, str, str]


def title_of(key: Key) -> str:
    """Return the title of the entry about a pattern; empty where there may be none."""
    family, subject = key
    means, code = failing(subject)
    titles = {
        Family.INTENT: f"Requests {_asking(subject)}",
        Family.INPUT: f"Input: {subject}",
        Family.FAILURE: f"{code} of {means}",
        Family.REPEAT: f"Calls of {subject} in vain",
        Family.REJECTION: f"Rejections by {subject}",
        Family.PROFILE: f"Work for {subject}",
        Family.PLAN: f"Plan for requests {_asking(subject)}",
        Family.LONG: f"Long runs: {subject if subject == ALL else f'requests {_asking(subject)}'}",
        Family.GAP: f"Gap {subject}",
        Family.BENCHMARK: f"A good transaction: {subject.replace(' + ', ' and ')}",
    }
    return titles.get(family, "")


def insight_of(claim: EntryClaim) -> Insight:
    """Return what a claim says."""
    family = claim.key[0]
    insight, action, applicability = _TELL[family](claim)
    return Insight(
        category=CATEGORY_OF[family],
        title=title_of(claim.key),
        insight=insight,
        action=action,
        applicability=applicability,
    )


def _about_failure(one: EntryClaim) -> _Told:
    """Say how often it failed with which code, how often everything else did, and what worked then (M-10, M-14)."""
    what, code = failing(one.subject)
    happened = "was not reached" if code == SKIPPED else f"failed with {code}"
    told = f"{what} {happened} in {_share(one)} requests that used it{_since(one)}{_elsewhere(one, 'uses of all else')}"
    advice = ON_ERROR.get(code, _ON_OTHER_ERROR).format(agent=what, code=code)
    if one.remedied and one.answer == AGAIN:
        told += f"; called again, it worked in {one.remedied} of these"
        advice = f"When {what} fails with {code}, call it once more before anything else."
    elif one.remedied:
        told += f"; {one.answer} was tried next and worked in {one.remedied} of these"
        advice = f"When {what} fails with {code}, go on with {one.answer}."
    return f"{told}.", advice, f"{what}, and whoever calls it"


def _about_repeat(one: EntryClaim) -> _Told:
    return (
        f"In {_share(one)} requests that used {one.subject}{_since(one)} it was called again with the same arguments,"
        f" and gave the same result{_elsewhere(one, 'uses of other tools')}.",
        f"Do not call {one.subject} again with the same arguments: change them, or use what it gave.",
        f"Whoever calls {one.subject}",
    )


def _about_rejection(one: EntryClaim) -> _Told:
    """Say how often a request was rejected, and who was called all the same (M-14)."""
    agent, total = one.subject, one.counts.total
    return (
        f"{agent} rejected {_of(one.cases, total)} requests that reached it and have ended{_since(one)};"
        f" {_share(one)} went on to {one.answer} all the same.",
        f"End the chain when {agent} rejects a request, and say why; do not call {one.answer}.",
        f"{agent}, and whoever calls the next agent",
    )


def _about_profile(one: EntryClaim) -> _Told:
    """Say how work of a kind ends that a profile is given, and at which try."""
    profile, _, kind = one.subject.partition(": ")
    end, _, number = one.answer.rpartition(" ")
    work = f"work to {kind}" if kind else "such work"
    rate = f"In {_share(one)} requests in which {profile} was given {work}{_since(one)}"
    applies = f"Agents that hand on {work}"
    tries = "" if number == "1" else f", at {number} tries"
    if end == OUT_OF_SCOPE:
        advice = f"Do not hand {work} to {profile}: do it without one, or choose another profile."
        return f"{rate} it was rejected{tries}.", advice, applies
    if end != DONE:
        return f"{rate} it ended with {end}{tries}.", f"Choose another profile than {profile} for {work}.", applies
    advice = f"Give {profile} at once what its earlier tries lacked, or expect {number} tries."
    return f"{rate} it was done at try {number}.", advice, applies


def _about_intent(one: EntryClaim) -> _Told:
    objectives, goals = (int(part) for part in one.answer.split("/"))
    shape = f"{in_units(objectives, 'objective')} and {in_units(goals, 'goal')}"
    return (
        f"In {_share(one)} requests {_asking(one.subject)}{_since(one)} the request was taken apart into {shape}.",
        f"Begin with {shape}; say why where a request needs more or less.",
        f"Agents that set objectives and goals, for requests {_asking(one.subject)}",
    )


def _about_plan(one: EntryClaim) -> _Told:
    shape = one.answer.removesuffix(f" → {MORE}")
    is_whole = shape == one.answer
    good, ended = one.rest
    others = f", as did {_of(good, ended)} that were planned otherwise" if ended else ""
    number = "all" if one.remedied == one.agreeing else one.remedied
    how = f"; {number} of these succeeded without a gap{others}" if one.remedied else ""
    how = how or "; how these ended is not known"
    return (
        f"In {_share(one)} requests {_asking(one.subject)}{_since(one)} that were planned, the plan"
        f" {'was' if is_whole else 'began with'} {shape}{how}.",
        f"{'Plan such requests as' if is_whole else 'Begin the plan of such requests with'} {shape}; say why where one"
        " needs more or less.",
        f"Agents that plan requests {_asking(one.subject)}",
    )


def _about_long(one: EntryClaim) -> _Told:
    which = "" if one.subject == ALL else f" {_asking(one.subject)}"
    calls = one.counts.numbers.get("calls", {})
    usual = f", usually after {middle(calls)}" if calls else ""
    return (
        f"In {_share(one)} requests{which}{_since(one)} the answer came after more than {MOST_CALLS} calls{usual}"
        f"{_elsewhere(one, 'other requests')}.",
        "Split such a request at its beginning, and answer after each part.",
        f"Agents that answer requests{which}",
    )


def _about_input(one: EntryClaim) -> _Told:
    return (
        f"{_share(one).capitalize()} requests{_since(one)} with {one.subject} did not succeed, most often with"
        f" {one.answer}{_elsewhere(one, 'requests with other input')}.",
        ON_INPUT[ChainOutcome(one.answer)],
        f"Agents that plan, for {one.subject}",
    )


def _about_gap(one: EntryClaim) -> _Told:
    happened, action = GAPS.get(one.subject, _CHECK)
    return (
        f"In {_share(one)} requests that used {one.answer}{_since(one)} it {happened.format(subject=one.subject)}"
        f"{_elsewhere(one, 'uses of other agents')}.",
        action.format(subject=one.subject, agent=one.answer),
        f"{one.answer}, and whoever judges its results",
    )


def _about_good_ones(one: EntryClaim) -> _Told:
    names = {"hops": "hop", "objectives": "objective", "goals": "goal", "tasks": "task"}
    figures = [
        f"{in_units(middle(values), unit)}{_spread(values)}"
        for name, unit in names.items()
        if (values := one.counts.numbers.get(name))
    ]
    took = _lasting(one.counts.numbers.get("seconds", {}))
    listed = figures[0] if len(figures) == 1 else f"{', '.join(figures[:-1])} and {figures[-1]}" if figures else ""
    usual = f" A good one has {listed}{f', and takes about {took}' if took else ''}." if listed else ""
    return (
        f"{_share(one).capitalize()} requests {_asking(one.subject)}{_since(one)} succeeded without a gap.{usual}",
        "Hold a result against these figures, and report what is far from them.",
        f"Agents that judge results, for requests {_asking(one.subject)}",
    )


_TELL: Mapping[Family, Callable[[EntryClaim], _Told]] = {
    Family.INTENT: _about_intent,
    Family.INPUT: _about_input,
    Family.FAILURE: _about_failure,
    Family.REPEAT: _about_repeat,
    Family.REJECTION: _about_rejection,
    Family.PROFILE: _about_profile,
    Family.PLAN: _about_plan,
    Family.LONG: _about_long,
    Family.GAP: _about_gap,
    Family.BENCHMARK: _about_good_ones,
}


def _share(one: EntryClaim) -> str:
    """Return in how many of how many cases it was so."""
    return _of(one.agreeing, one.cases)


def _of(number: int, total: int) -> str:
    return f"all {total}" if number == total else f"{number} of {total}"


def _lasting(seconds: Mapping[int, int]) -> str:
    """Return how long it usually takes, as finely as it is known; empty where that is no time."""
    usual = middle(seconds) if seconds else 0
    if not usual:
        return ""
    return in_units(usual // 60, "minute") if usual >= 600 else in_units(usual, "second")


def _elsewhere(one: EntryClaim, what: str) -> str:
    """Return how often it was so elsewhere: what a rate means, nobody knows without."""
    agreeing, cases = one.rest
    return f", and in {agreeing} of {cases} {what}" if cases else ""


def _since(one: EntryClaim) -> str:
    return f" since {one.counts.first}" if one.counts.first else ""


def _asking(subject: str) -> str:
    """Return what requests ask for, as it follows that word."""
    return f"for {SEVERAL}" if subject == SEVERAL else f"to {subject.replace(' + ', ' and ')}"


def _spread(values: Mapping[int, int]) -> str:
    """Return between which values four fifths lie, unless there is one value only."""
    least, most = middle(values, 0.1), middle(values, 0.9)
    return f" ({least} to {most})" if least < most else ""
