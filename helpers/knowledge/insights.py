"""What a pattern has to say, in sentences of this file and nobody else's words (M-12 ... M-17, M-57, T-22). Pure.

The title is made from the subject alone, so that it finds the entry again; insight, action and applicability are made
from counts, codes and names of a fixed form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from .advice import CHECK, GAPS, ON_ERROR, ON_INPUT, ON_PATH
from .categories import Category
from .patterns import (
    ALL,
    FINE,
    MOST_CALLS,
    OTHERS,
    SEVERAL,
    UNKNOWN,
    AnswerCounts,
    Family,
    Key,
    middle,
)
from .troubles import AGAIN, DONE, MORE, NOTHING, SKIPPED, STOPPED
from .words import OUT_OF_SCOPE, ChainOutcome

SUCCESS = ChainOutcome.SUCCESS.value
GOOD = "good"

CATEGORY_OF = {
    Family.INTENT: Category.DOMAIN_KNOWLEDGE,
    Family.INPUT: Category.DOMAIN_KNOWLEDGE,
    Family.PATH: Category.OPERATIONAL_HEURISTIC,
    Family.PLAN: Category.OPERATIONAL_HEURISTIC,
    Family.PROFILE: Category.OPERATIONAL_HEURISTIC,
    Family.LONG: Category.OPERATIONAL_HEURISTIC,
    Family.ESCALATION: Category.OPERATIONAL_HEURISTIC,
    Family.FAILURE: Category.ERROR_PREVENTION,
    Family.REPEAT: Category.ERROR_PREVENTION,
    Family.REJECTION: Category.ERROR_PREVENTION,
    Family.ERROR: Category.ERROR_PREVENTION,
    Family.TASK: Category.ERROR_PREVENTION,
    Family.GAP: Category.ERROR_PREVENTION,
    Family.BENCHMARK: Category.QUALITY_BENCHMARK,
}
#: What is counted and told in reports, and never becomes a rule of behaviour (M-55): totals, and what is told elsewhere
#: over all requests; an error by what failed, an escalation by its path.
UNFILED = frozenset(
    (Family.OUTCOME, Family.GOVERNANCE, Family.CORRECTION, Family.ERROR, Family.TASK, Family.ESCALATION)
)
#: Families in which most of what is counted went as it should, and the rest is told.
_BESIDE_FINE = frozenset((Family.FAILURE, Family.REJECTION))
#: Fewer cases than this, or no majority of them, are no reason to advise anything.
FEWEST_CASES = 10


class EntryClaim(NamedTuple):
    """What an entry claims: this answer, in so many of so many cases."""

    answer: str
    agreeing: int
    cases: int

    @property
    def is_ripe(self) -> bool:
        """Whether the cases are enough, and of one mind, for advice."""
        return self.cases >= FEWEST_CASES and 2 * self.agreeing > self.cases


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
        Family.FAILURE: f"Failures of {subject}",
        Family.REPEAT: f"Calls of {subject} in vain",
        Family.REJECTION: f"Rejections by {subject}",
        Family.PROFILE: f"Work for {subject}",
        Family.PLAN: f"Plan for requests {_asking(subject)}",
        Family.LONG: f"Long runs: {subject if subject == ALL else f'requests {_asking(subject)}'}",
        Family.GAP: f"Gap {subject}",
        Family.BENCHMARK: f"A good transaction: {subject.replace(' + ', ' and ')}",
    }
    return titles.get(family, "")


def claim_of(key: Key, counts: AnswerCounts) -> EntryClaim:
    """Return what there is to claim: the most frequent answer, or the most frequent of those that need one."""
    told = [one for one in counts.answers if one not in (FINE, OTHERS)]
    answer = counts.most_frequent_of(told) if key[0] in _BESIDE_FINE and told else counts.answer
    others = counts.answers.get(FINE, 0) if key[0] in _BESIDE_FINE and told else 0
    return EntryClaim(answer, counts.answers[answer], counts.total - others)


def insight_of(key: Key, counts: AnswerCounts, requests: int = 0) -> Insight | None:
    """Return what a pattern says, of so many requests in all; None where it says nothing that an agent could act on."""
    family, subject = key
    tell = _TELL.get(family)
    claim = claim_of(key, counts)
    if tell is None or claim.answer == FINE:
        return None
    told = tell(_Pattern(subject, counts, claim, requests))
    return Insight(
        category=CATEGORY_OF[family],
        title=title_of(key),
        insight=told.insight,
        action=told.action,
        applicability=told.applicability,
    )


def is_encouraging(key: Key, answer: str) -> bool:
    """Whether an entry that gives this answer recommends to go on so: only then can it be at odds with governance."""
    return answer in (SUCCESS, GOOD) or key[0] in (Family.INTENT, Family.PLAN)


def is_worth_an_entry(key: Key, counts: AnswerCounts) -> bool:
    """Whether a pattern that has no entry yet should get one: what merely works as it should is no news.

    Neither is what says nothing but itself: how requests ended that ended there; nor what holds for requests that have
    nothing in common but that they ask for much.
    """
    family, subject = key
    claim = claim_of(key, counts)
    if family in UNFILED or (subject == SEVERAL and family is not Family.LONG):
        return False
    is_most = 2 * claim.agreeing > counts.total
    if family is Family.FAILURE:
        return claim.answer != FINE and (is_most or _then(claim.answer) != NOTHING)
    if family is Family.REJECTION:
        return claim.answer not in (FINE, STOPPED)
    if family is Family.PROFILE:
        return claim.answer != f"{DONE} 1"
    if family in (Family.REPEAT, Family.LONG):
        return claim.answer != FINE and is_most
    if family is Family.PATH:
        return " → " in subject and claim.answer in (SUCCESS, ChainOutcome.PARTIAL, ChainOutcome.ESCALATED)
    return family is not Family.BENCHMARK or (claim.answer == GOOD and subject != UNKNOWN)


class _Pattern(NamedTuple):
    subject: str
    counts: AnswerCounts
    claim: EntryClaim
    requests: int

    @property
    def since(self) -> str:
        return f" since {self.counts.first}" if self.counts.first else ""

    @property
    def share(self) -> str:
        """In how many of how many cases it was so."""
        return f"In {_of(self.claim.agreeing, self.claim.cases)}"


def _about_intent(one: _Pattern) -> _Told:
    objectives, goals = (int(part) for part in one.claim.answer.split("/"))
    shape = f"{_count(objectives, 'objective')} and {_count(goals, 'goal')}"
    return _Told(
        f"{one.share} requests {_asking(one.subject)}{one.since} the request was taken apart into {shape}.",
        f"Begin with {shape}; say why where a request needs more or less.",
        f"Agents that set objectives and goals, for requests {_asking(one.subject)}",
    )


def _about_path(one: _Pattern) -> _Told:
    agents, outcome = one.subject.split(" → "), ChainOutcome(one.claim.answer)
    hops, seconds = one.counts.numbers.get("hops", {}), one.counts.numbers.get("seconds", {})
    usual = f" It usually takes {_count(middle(hops), 'hop')}{_lasting(seconds)}." if hops else ""
    return _Told(
        f"{one.share} requests{one.since} on this path the outcome was {outcome}.{usual}",
        ON_PATH[outcome].format(first=agents[0], most=middle(hops, 0.9) if hops else 0),
        "The agents on the path, and whoever chooses it",
    )


def _about_input(one: _Pattern) -> _Told:
    return _Told(
        f"{one.share} requests{one.since} with {one.subject} the outcome was {one.claim.answer}.",
        ON_INPUT[ChainOutcome(one.claim.answer)],
        f"Agents that plan, for {one.subject}",
    )


def _about_failure(one: _Pattern) -> _Told:
    """Say how often of all requests it failed, with which code, and what was tried next and worked (M-10, M-14)."""
    what, claim = one.subject, one.claim
    code, then = _code(claim.answer), _then(claim.answer)
    of_code = sum(number for answer, number in one.counts.answers.items() if _code(answer) == code)
    happened = "was not reached" if code == SKIPPED else "failed"
    how_often = f"{what} {happened} in {_of(claim.cases, one.counts.total)} requests that used it{one.since}"
    which = "" if code == SKIPPED else f", with {code} in {of_code}"
    worked = {NOTHING: "", AGAIN: f"; called again, it worked in {claim.agreeing} of these"}.get(
        then, f"; {then} was tried next and worked in {claim.agreeing} of these"
    )
    advice = ON_ERROR[code].format(agent=what)
    if then == AGAIN:
        advice = f"When {what} fails with {code}, call it once more before anything else."
    elif then != NOTHING:
        advice = f"When {what} fails with {code}, go on with {then}."
    return _Told(f"{how_often}{which}{worked}.", advice, f"{what}, and whoever calls it")


def _about_repeat(one: _Pattern) -> _Told:
    return _Told(
        f"{one.share} requests that used {one.subject}{one.since} it was called again with the same arguments, and"
        " gave the same result.",
        ON_ERROR["REPEATED_CALL"].format(agent=one.subject),
        f"Whoever calls {one.subject}",
    )


def _about_rejection(one: _Pattern) -> _Told:
    """Say how often a request was rejected, and who was called all the same (M-14)."""
    agent, claim = one.subject, one.claim
    reached = f"requests that reached it and have ended{one.since}"
    asked = f"{agent} rejected {_of(claim.cases, one.counts.total)} {reached}"
    if claim.answer == STOPPED:
        ended = f"{asked}; {_of(claim.agreeing, claim.cases)} ended there."
        return _Told(ended, f"Go on so: call no agent after {agent} has rejected a request.", f"{agent}")
    return _Told(
        f"{asked}; {_of(claim.agreeing, claim.cases)} went on to {claim.answer} all the same.",
        f"End the chain when {agent} rejects a request, and say why; do not call {claim.answer}.",
        f"{agent}, and whoever calls the next agent",
    )


def _about_profile(one: _Pattern) -> _Told:
    """Say how work of a kind ends that a profile is given, and at which try."""
    profile, _, kind = one.subject.partition(": ")
    end, _, number = one.claim.answer.rpartition(" ")
    work = f"work to {kind}" if kind else "such work"
    rate = f"{one.share} requests in which {profile} was given {work}{one.since}"
    applies = f"Agents that hand on {work}"
    tries = "" if number == "1" else f", at {number} tries"
    if end == OUT_OF_SCOPE:
        return _Told(
            f"{rate} it was rejected{tries}.",
            f"Do not hand {work} to {profile}: do it without one, or choose another profile.",
            applies,
        )
    if end != DONE:
        return _Told(
            f"{rate} it ended with {end}{tries}.", f"Choose another profile than {profile} for {work}.", applies
        )
    return _Told(
        f"{rate} it was done at try {number}.",
        f"Give {profile} at once what its earlier tries lacked, or expect {number} tries."
        if number != "1"
        else f"Give {work} to {profile}.",
        applies,
    )


def _about_plan(one: _Pattern) -> _Told:
    shape = one.claim.answer.removesuffix(f" → {MORE}")
    is_whole = shape == one.claim.answer
    return _Told(
        f"{one.share} requests {_asking(one.subject)}{one.since} that were planned, and succeeded or are not known to"
        f" have ended, the plan {'was' if is_whole else 'began with'} {shape}.",
        f"{'Plan such requests as' if is_whole else 'Begin the plan of such requests with'} {shape}; say why where one"
        " needs more or less.",
        f"Agents that plan requests {_asking(one.subject)}",
    )


def _about_long(one: _Pattern) -> _Told:
    which = "" if one.subject == ALL else f" {_asking(one.subject)}"
    calls = one.counts.numbers.get("calls", {})
    usual = f", usually after {middle(calls)}" if calls else ""
    return _Told(
        f"{one.share} requests{which}{one.since} the answer came after more than {MOST_CALLS} calls{usual}.",
        "Split such a request at its beginning, and answer after each part.",
        f"Agents that answer requests{which}",
    )


def _about_gap(one: _Pattern) -> _Told:
    agent = one.claim.answer
    happened, action = GAPS.get(one.subject, CHECK)
    of_all = f"{one.counts.total} of {one.requests} requests" if one.requests else f"{one.counts.total} requests"
    by = _of(one.claim.agreeing, one.claim.cases)
    first = f", first on {one.counts.first}" if one.counts.first else ""  # the requests are those of all time
    return _Told(
        f"In {of_all} {happened.format(subject=one.subject)}{first}; {agent} reported it in {by}.",
        action.format(subject=one.subject, agent=agent),
        f"{agent}, and whoever judges its results",
    )


def _about_good_ones(one: _Pattern) -> _Told:
    names = {"hops": "hop", "objectives": "objective", "goals": "goal", "tasks": "task"}
    figures = [
        f"{_count(middle(values), unit)}{_spread(values)}"
        for name, unit in names.items()
        if (values := one.counts.numbers.get(name))
    ]
    lasting = _lasting(one.counts.numbers.get("seconds", {})).replace(" and about", ", and takes about")
    usual = f" A good one has {_listed(figures)}{lasting}." if figures else ""
    which = one.subject if one.subject == UNKNOWN else f"requests {_asking(one.subject)}"
    ending = "succeeded without a gap" if one.claim.answer == GOOD else "did not succeed, or left a gap"
    return _Told(
        f"{one.share} {which}{one.since} the request {ending}.{usual}",
        "Hold a result against these figures, and report what is far from them.",
        f"Agents that judge results, for {which}",
    )


_TELL: Mapping[Family, Callable[[_Pattern], _Told]] = {
    Family.INTENT: _about_intent,
    Family.PATH: _about_path,
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


def _code(answer: str) -> str:
    """Return the code of a failure, of which the answer also tells what worked then."""
    return answer.partition(">")[0]


def _then(answer: str) -> str:
    return answer.partition(">")[2]


def _asking(subject: str) -> str:
    """Return what requests ask for, as it follows that word."""
    return f"for {SEVERAL}" if subject == SEVERAL else f"to {subject.replace(' + ', ' and ')}"


def _spread(values: Mapping[int, int]) -> str:
    """Return between which values four fifths lie, unless there is one value only."""
    least, most = middle(values, 0.1), middle(values, 0.9)
    return f" ({least} to {most})" if least < most else ""


def _of(number: int, total: int) -> str:
    return f"all {total}" if number == total else f"{number} of {total}"


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
