"""The claims that counts allow, tested against the rest and against chance. Pure.

A rate is claimed only where it is higher than elsewhere by more than chance, among all rates that were tested together
(Fisher's exact test, Bonferroni's correction); a habit only where it is the habit of most. No claim uses its own
outcome: the path of a request depends on how it went, so paths stand in summaries and are never recommended.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

from .decisions import DONE, NOTHING, STOPPED
from .documents import confidence
from .patterns import FINE, GOOD, IN_VAIN, LONG_RUN, SEVERAL, UNKNOWN, AnswerCounts, Family, Key, Tally
from .words import ChainOutcome

#: Fewer cases, or a higher probability of chance, are no reason for advice.
FEWEST_CASES, MOST_CHANCE = 10, 0.05
#: A rate that is more probable by chance is not worth waiting for.
_WAITS = 0.5
#: A rate that has fallen, with a lower probability of chance than this, holds no more.
_TURNED = 0.01
_DONE_AT_ONCE = f"{DONE} 1"


@dataclass(frozen=True, slots=True)
class EntryClaim:
    """These answers, in so many of so many cases; `rest` is their number elsewhere, of how many.

    `chance` is the probability of so many by chance alone, `tests` the number of such claims that were tested.
    """

    key: Key
    #: The answer of the claim; and the answers that agree with it, as they were counted.
    answer: str
    answers: tuple[str, ...]
    counts: AnswerCounts
    cases: int
    rest: tuple[int, int] = (0, 0)
    #: The number of agreeing cases in which the remedy worked.
    remedied: int = 0
    is_rate: bool = True
    chance: float = 1.0
    tests: int = 1
    has_turned: bool = False

    @property
    def subject(self) -> str:
        """The subject of the pattern."""
        return self.key[1]

    @property
    def agreeing(self) -> int:
        """The number of agreeing cases."""
        return self.counts.number_of(*self.answers)

    @property
    def transactions(self) -> int:
        """The number of transactions that it is based on."""
        return self.agreeing if self.is_rate else self.cases

    @property
    def sureness(self) -> float:
        """The confidence before it fades: by the agreeing cases, and for a habit by the others too."""
        return confidence(1.0 if self.is_rate else self.agreeing / self.cases, self.transactions)

    @property
    def is_worth(self) -> bool:
        """Whether it may wait for more evidence."""
        return not self.has_turned and (not self.is_rate or self.chance <= _WAITS)

    @property
    def is_ripe(self) -> bool:
        """Whether it is advice: enough cases, and more than chance among all that was tested."""
        is_enough = self.transactions >= FEWEST_CASES
        return is_enough and not self.has_turned and self.chance * self.tests <= MOST_CHANCE

    @property
    def samples(self) -> list[tuple[float, str]]:
        """The latest transactions that agree, by time and id."""
        samples = chain.from_iterable(self.counts.samples.get(answer, ()) for answer in self.answers)
        return sorted(samples, reverse=True)


def claims_in(days: Mapping[str, Tally], total: Tally) -> dict[Key, EntryClaim]:
    """Return the claims of some days, whose counts add up to `total`; each pattern once."""
    claims: list[EntryClaim] = []
    noisy: set[str] = set()
    for family, make in _MAKERS.items():
        tested = [_tested(claim) for claim in make(total, noisy) if claim.agreeing]
        if family is Family.FAILURE:
            tested = _without_told(tested)
            noisy = {claim.subject.partition(" ")[0] for claim in tested if claim.is_ripe}
        claims += [_over_time(replace(claim, tests=len(tested)), days) for claim in tested]
    return {claim.key: claim for claim in claims}


def chance_of(agreeing: int, cases: int, rest_agreeing: int, rest_cases: int) -> float:
    """Return the probability of so many agreeing cases or more at the rate elsewhere (Fisher, one-sided).

    Without an elsewhere it is the probability at even odds.
    """
    if not rest_cases:
        return sum(math.exp(_log_choose(cases, count) - cases * math.log(2)) for count in range(agreeing, cases + 1))
    drawn, everything = agreeing + rest_agreeing, cases + rest_cases
    whole = _log_choose(everything, drawn)
    total = 0.0
    for count in range(agreeing, min(cases, drawn) + 1):
        if drawn - count <= rest_cases:
            term = math.exp(_log_choose(cases, count) + _log_choose(rest_cases, drawn - count) - whole)
            total += term
            if term < total * 1e-12:
                break  # they only become smaller
    return min(1.0, total)


def _log_choose(count: int, chosen: int) -> float:
    return math.lgamma(count + 1) - math.lgamma(chosen + 1) - math.lgamma(count - chosen + 1)


def _tested(claim: EntryClaim) -> EntryClaim:
    rest = claim.rest if claim.is_rate else (0, 0)
    return replace(claim, chance=chance_of(claim.agreeing, claim.cases, *rest))


def _without_told(claims: Iterable[EntryClaim]) -> list[EntryClaim]:
    """Return the claims, each rate tested anew against the others of its code without those that stand out.

    A noisy part must not hide the others: it is no measure of the usual.
    """
    left, done = [*claims], []
    while left:
        best = min(left, key=lambda claim: (claim.chance, claim.key))
        left.remove(best)
        done.append(best)
        for position, claim in enumerate(left):
            if best.chance <= MOST_CHANCE and failing(claim.subject)[1] == failing(best.subject)[1]:
                rest = (claim.rest[0] - best.agreeing, claim.rest[1] - best.cases)
                left[position] = _tested(replace(claim, rest=rest))
    return done


def _over_time(claim: EntryClaim, days: Mapping[str, Tally]) -> EntryClaim:
    """Return a claim with `has_turned` set if its rate has fallen since: it holds no longer."""
    family = claim.key[0]
    subject = failing(claim.subject)[0] if family is Family.FAILURE else claim.subject
    if not claim.is_rate or family in (Family.GAP, Family.INPUT):
        return claim
    series = [tally[family][subject] for tally in days.values() if subject in tally.get(family, {})]
    agreeing, seen, cases = 0, 0, sum(counts.total for counts in series)
    for counts in reversed(series):
        if 2 * seen >= cases:
            break
        agreeing, seen = agreeing + counts.number_of(*claim.answers), seen + counts.total
    before, of = claim.agreeing - agreeing, claim.cases - seen
    is_split = before >= 0 and of > 0 and seen > 0
    return replace(claim, has_turned=is_split and chance_of(before, of, agreeing, seen) <= _TURNED)


#: Makes the claims of a family, given the parts that fail by themselves.
_Maker = Callable[[Tally, Collection[str]], Iterator["EntryClaim"]]


def _of_family(tally: Tally, family: Family) -> list[tuple[str, AnswerCounts]]:
    return sorted(tally.get(family, {}).items())


def _failures(tally: Tally, _: Collection[str]) -> Iterator[EntryClaim]:
    """Yield the rate of each failure code of each tool or agent, and the remedy that worked."""
    listed = _of_family(tally, Family.FAILURE)
    uses = sum(counts.total for _, counts in listed)
    by_code: Counter[str] = Counter()
    for _, counts in listed:
        for answer, number in counts.answers.items():
            by_code[answer.partition(">")[0]] += number
    for means, counts in listed:
        for code in sorted({answer.partition(">")[0] for answer in counts.answers} - {FINE}):
            answers = tuple(answer for answer in counts.answers if answer.partition(">")[0] == code)
            agreeing, best = counts.number_of(*answers), counts.most_frequent_of(answers)
            remedy = best.partition(">")[2]
            is_most = remedy != NOTHING and 2 * counts.answers[best] > agreeing
            yield EntryClaim(
                key=(Family.FAILURE, f"{means} {code}"),
                answer=remedy if is_most else "nothing",
                answers=answers,
                counts=counts,
                cases=counts.total,
                rest=(by_code[code] - agreeing, uses - counts.total),
                remedied=counts.answers[best] if is_most else 0,
            )


def _rates(family: Family, wanted: str) -> _Maker:
    """Return a function that yields the rate of the `wanted` answer for each subject, and elsewhere."""

    def make(tally: Tally, _: Collection[str]) -> Iterator[EntryClaim]:
        listed = _of_family(tally, family)
        agreeing = sum(counts.number_of(wanted) for _, counts in listed)
        cases = sum(counts.total for _, counts in listed)
        for subject, counts in listed:
            rest = (agreeing - counts.number_of(wanted), cases - counts.total)
            yield EntryClaim((family, subject), wanted, (wanted,), counts, counts.total, rest)

    return make


def _most_but(fine: str, counts: AnswerCounts) -> str:
    """Return the most frequent answer beside `fine`; empty without one."""
    answers = {*counts.answers} - {fine}
    return counts.most_frequent_of(answers) if answers else ""


def _habits(family: Family, leaves_out: Callable[[str, str], bool]) -> _Maker:
    """Return a function that yields the most frequent answer of each subject, beside those that went well."""

    def make(tally: Tally, _: Collection[str]) -> Iterator[EntryClaim]:
        for subject, counts in _of_family(tally, family):
            answer = _most_but(FINE, counts)
            if answer and not leaves_out(subject, answer):
                cases = counts.total - counts.number_of(FINE)
                yield EntryClaim((family, subject), answer, (answer,), counts, cases, is_rate=False)

    return make


def _plans(tally: Tally, _: Collection[str]) -> Iterator[EntryClaim]:
    """Yield the usual plan for a kind of request, however it ended, unless it does worse than the others."""
    for subject, counts in _of_family(tally, Family.PLAN):
        plans: Counter[str] = Counter()
        for answer, number in counts.answers.items():
            plans[answer.partition(">")[0]] += number
        best = min(plans, key=lambda plan: (-plans[plan], plan))
        answers = tuple(answer for answer in counts.answers if answer.partition(">")[0] == best)
        cases, good = plans[best], counts.number_of(f"{best}>{GOOD}")
        others = plans.total() - cases
        others_good = sum(counts.answers[answer] for answer in counts.answers if answer.endswith(f">{GOOD}")) - good
        is_worse = others > 0 and chance_of(cases - good, cases, others - others_good, others) <= MOST_CHANCE
        if subject != SEVERAL and cases and 2 * good >= cases and not is_worse:
            yield EntryClaim(
                key=(Family.PLAN, subject),
                answer=best,
                answers=answers,
                counts=counts,
                cases=counts.total,
                rest=(others_good, others),
                remedied=good,
                is_rate=False,
            )


def _gaps(tally: Tally, _: Collection[str]) -> Iterator[EntryClaim]:
    """Yield the rate of each gap that an agent's own assessment reports, of all its uses."""
    uses = {subject: counts.total for subject, counts in _of_family(tally, Family.FAILURE)}
    for subject, counts in _of_family(tally, Family.GAP):
        agent = counts.answer
        cases, elsewhere = max(uses.get(agent, 0), counts.answers[agent]), counts.total - counts.answers[agent]
        rest = elsewhere, max(sum(uses.values()) - cases, elsewhere)
        yield EntryClaim((Family.GAP, subject), agent, (agent,), counts, cases, rest)


def _inputs(tally: Tally, noisy: Collection[str]) -> Iterator[EntryClaim]:
    """Yield the rate of failed requests with some input, without those that failed at a noisy part."""
    rates: dict[str, AnswerCounts] = {}
    for subject, counts in _of_family(tally, Family.INPUT):
        kept = {answer: count for answer, count in counts.answers.items() if answer.partition("@")[2] not in noisy}
        rates[subject] = replace(counts, answers=Counter(kept))
    bad = {subject: counts.total - counts.number_of(ChainOutcome.SUCCESS) for subject, counts in rates.items()}
    everything = sum(counts.total for counts in rates.values())
    for subject, counts in rates.items():
        if bad[subject]:
            yield EntryClaim(
                key=(Family.INPUT, subject),
                answer=_most_but(ChainOutcome.SUCCESS, counts).partition("@")[0],
                answers=tuple(answer for answer in counts.answers if answer != ChainOutcome.SUCCESS),
                counts=counts,
                cases=counts.total,
                rest=(sum(bad.values()) - bad[subject], everything - counts.total),
            )


#: The functions that make the claims of each family. Failures come first: the noisy parts are known then.
_MAKERS: Mapping[Family, _Maker] = {
    Family.FAILURE: _failures,
    Family.REPEAT: _rates(Family.REPEAT, IN_VAIN),
    Family.LONG: _rates(Family.LONG, LONG_RUN),
    Family.GAP: _gaps,
    Family.INPUT: _inputs,
    Family.PROFILE: _habits(Family.PROFILE, lambda subject, answer: answer == _DONE_AT_ONCE),
    Family.REJECTION: _habits(Family.REJECTION, lambda subject, answer: answer == STOPPED),
    Family.INTENT: _habits(Family.INTENT, lambda subject, answer: subject == SEVERAL),
    Family.PLAN: _plans,
    Family.BENCHMARK: _habits(
        Family.BENCHMARK, lambda subject, answer: answer != GOOD or subject in (SEVERAL, UNKNOWN)
    ),
}


def is_encouraging(key: Key, answer: str) -> bool:
    """Whether an entry recommends to go on this way: only then governance can forbid it."""
    is_handed_on = key[0] is Family.PROFILE and answer.startswith(DONE)
    return is_handed_on or key[0] in (Family.INTENT, Family.PLAN, Family.BENCHMARK)


def failing(subject: str) -> tuple[str, str]:
    """Return the part that failed and the code, of the subject of a failure."""
    means, _, code = subject.partition(" ")
    return means, code
