"""The words of a claim and of a day's summary: sentences of this module's tables, and nobody else's words.

The title of an entry is made from the subject alone, so that it finds the entry again; insight, action and
applicability are made from counts, codes and names of a fixed form. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..language.tables import read_table
from .decisions import AGAIN, DONE, MORE, SKIPPED
from .documents import Category, EntryWords
from .patterns import ALL, MOST_CALLS, SEVERAL, AnswerCounts, Family, Key, Tally, in_units, middle
from .rates import EntryClaim, failing
from .words import OUT_OF_SCOPE, ChainOutcome

_TABLE = read_table(__file__, "insights")
#: The wording of each family's entries; the values in braces come from the claim.
_WORDINGS: dict[Family, dict[str, str]] = {Family(family): words for family, words in _TABLE["wordings"].items()}
CATEGORY_OF = {family: Category(words["category"]) for family, words in _WORDINGS.items()}


def title_of(key: Key) -> str:
    """Return the title of the entry about a pattern; empty where there may be none."""
    family, subject = key
    return _WORDINGS[family]["title"].format(**_of_subject(subject)) if family in _WORDINGS else ""


def insight_of(claim: EntryClaim) -> EntryWords:
    """Return the words of a claim."""
    family, (agreeing, cases) = claim.key[0], claim.rest
    wording = _WORDINGS[family]
    is_told = cases and "elsewhere" in wording  # what a rate means, nobody knows without
    elsewhere = f", and in {agreeing} of {cases} {wording['elsewhere']}" if is_told else ""
    share = _of(claim.agreeing, claim.cases)
    values = {
        **_of_subject(claim.subject),
        "answer": claim.answer,
        "share": share,
        "Share": share.capitalize(),
        "since": f" since {claim.counts.first}" if claim.counts.first else "",
        "elsewhere": elsewhere,
    }
    values |= _MORE[family](claim) if family in _MORE else {}
    insight, action, applies = (wording[part].format(**values) for part in ("insight", "action", "applicability"))
    return EntryWords(title=title_of(claim.key), insight=insight, action=action, applicability=applies)


def _of_subject(subject: str) -> dict[str, str]:
    """Return the names of a subject in titles and sentences."""
    kinds, (means, code) = subject.replace(" + ", " and "), failing(subject)
    asking = f"for {SEVERAL}" if subject == SEVERAL else f"to {kinds}"
    which = subject if subject == ALL else f"requests {asking}"
    return {"subject": subject, "kinds": kinds, "means": means, "code": code, "asking": asking, "which": which}


def _about_failure(claim: EntryClaim) -> dict[str, str]:
    """Return the failure, the remedy that worked, and the advice."""
    means, code = failing(claim.subject)
    happened = "was not reached" if code == SKIPPED else f"failed with {code}"
    if claim.remedied and claim.answer == AGAIN:
        remedy = f"; called again, it worked in {claim.remedied} of these"
        advice = f"When {means} fails with {code}, call it once more before anything else."
    elif claim.remedied:
        remedy = f"; {claim.answer} was tried next and worked in {claim.remedied} of these"
        advice = f"When {means} fails with {code}, go on with {claim.answer}."
    else:
        remedy, advice = "", _TABLE["on_error"].get(code, _TABLE["on_error"]["other"]).format(agent=means, code=code)
    return {"happened": happened, "remedy": remedy, "advice": advice}


def _about_profile(claim: EntryClaim) -> dict[str, str]:
    """Return the end of a kind of work that a profile is given, and its number of tries."""
    profile, _, kind = claim.subject.partition(": ")
    end, _, number = claim.answer.rpartition(" ")
    work = f"work to {kind}" if kind else "such work"
    end_in_words = f"was done at try {number}"
    advice = f"Give {profile} at once what its earlier tries lacked, or expect {number} tries."
    if end != DONE:
        tries = "" if number == "1" else f", at {number} tries"
        end_in_words = f"{'was rejected' if end == OUT_OF_SCOPE else f'ended with {end}'}{tries}"
        advice = f"Choose another profile than {profile} for {work}."
    if end == OUT_OF_SCOPE:
        advice = f"Do not hand {work} to {profile}: do it without one, or choose another profile."
    return {"profile": profile, "work": work, "end": end_in_words, "advice": advice}


def _about_plan(claim: EntryClaim) -> dict[str, str]:
    """Return the end of the requests that were planned this way, and of the others."""
    shape = claim.answer.removesuffix(f" → {MORE}")
    is_whole = shape == claim.answer
    good, ended = claim.rest
    others = f", as did {_of(good, ended)} that were planned otherwise" if ended else ""
    number = "all" if claim.remedied == claim.agreeing else claim.remedied
    return {
        "shape": shape,
        "was": "was" if is_whole else "began with",
        "how": f"; {number} of these succeeded without a gap{others}",
        "advice": "Plan such requests as" if is_whole else "Begin the plan of such requests with",
    }


def _about_long(claim: EntryClaim) -> dict[str, str]:
    calls = claim.counts.figures("calls")
    of_kind = "" if claim.subject == ALL else f" {_of_subject(claim.subject)['asking']}"
    return {"of_kind": of_kind, "most": str(MOST_CALLS), "usual": f", usually after {middle(calls)}" if calls else ""}


def _about_gap(claim: EntryClaim) -> dict[str, str]:
    wording = _TABLE["gaps"].get(claim.subject, _TABLE["gaps"]["other"])
    names = {"subject": claim.subject, "agent": claim.answer}
    return {"happened": wording["happened"].format(**names), "advice": wording["action"].format(**names)}


def _about_good_ones(claim: EntryClaim) -> dict[str, str]:
    """Return the figures of a good transaction: the middle of each, and the range of most values."""
    names = {"hops": "hop", "objectives": "objective", "goals": "goal", "tasks": "task"}
    counted = {unit: values for name, unit in names.items() if (values := claim.counts.numbers.get(name))}
    figures = [f"{in_units(middle(values), unit)}{_spread(values)}" for unit, values in counted.items()]
    took = _lasting(claim.counts.figures("seconds"))
    listed = figures[0] if len(figures) == 1 else f"{', '.join(figures[:-1])} and {figures[-1]}" if figures else ""
    return {"usual": f" A good one has {listed}{f', and takes about {took}' if took else ''}." if listed else ""}


_MORE: Mapping[Family, Callable[[EntryClaim], dict[str, str]]] = {
    Family.INTENT: lambda claim: {"shape": _shape(claim.answer)},
    Family.INPUT: lambda claim: {"advice": _TABLE["on_input"][claim.answer]},
    Family.FAILURE: _about_failure,
    Family.REJECTION: lambda claim: {"rejected": _of(claim.cases, claim.counts.total)},
    Family.PROFILE: _about_profile,
    Family.PLAN: _about_plan,
    Family.LONG: _about_long,
    Family.GAP: _about_gap,
    Family.BENCHMARK: _about_good_ones,
}


def _of(number: int, total: int) -> str:
    return f"all {total}" if number == total else f"{number} of {total}"


def _shape(answer: str) -> str:
    """Return the shape of a plan in words."""
    objectives, goals = (int(part) for part in answer.split("/"))
    return f"{in_units(objectives, 'objective')} and {in_units(goals, 'goal')}"


def _lasting(seconds: Mapping[int, int]) -> str:
    """Return the usual duration, as exactly as it is known; empty without one."""
    usual = middle(seconds) if seconds else 0
    if not usual:
        return ""
    return in_units(usual // 60, "minute") if usual >= 600 else in_units(usual, "second")


def _spread(values: Mapping[int, int]) -> str:
    """Return the range of four fifths of the values, unless they are all equal."""
    least, most = middle(values, 0.1), middle(values, 0.9)
    return f" ({least} to {most})" if least < most else ""


#: The number of rows of each kind in a day's summary.
_MOST_ROWS = 10
_MOST_ANSWERS = 3
_TABLES = {
    Family.PATH: ("Agent pathways", "Path"),
    Family.INTENT: ("Requests", "Request"),
    Family.INPUT: ("Inputs", "Input"),
    Family.FAILURE: ("What was used", "Agent, tool or capability"),
    Family.PROFILE: ("Work handed on", "Profile and work"),
    Family.CORRECTION: ("Answers that users took back", "Request"),
    Family.ESCALATION: ("Escalations", "Cause"),
    Family.GAP: ("Reported gaps", "Gap"),
    Family.GOVERNANCE: ("Governance interventions", "Agent"),
}
_WORDS = {"hops": "hop limit", "model": "larger model"}


def render_summary(day: str, tally: Tally) -> str:
    """Return the summary of a day from its counts; the same counts give the same text."""
    outcomes = tally.get(Family.OUTCOME, {}).get(ALL, AnswerCounts())
    seconds, hops = outcomes.figures("seconds"), outcomes.figures("hops")
    took = f" and took {lasting} or less" if (lasting := _lasting(seconds)) else ""
    usual = f"\nHalf of them had {in_units(middle(hops), 'hop')} or fewer{took}.\n" if hops else ""
    listed = "".join(f"| {outcome.value} | {outcomes.answers.get(outcome.value, 0)} |\n" for outcome in ChainOutcome)
    parts = [
        f"# Session Summary {day}\n\n## Description\nWhat agents did on {day}, counted from the audit logs; for people,"
        f" not part of any prompt.\n\n## Outcomes\n\n{in_units(outcomes.total, 'transaction')} ended on this day.\n"
        f"{usual}\n"
        f"| Outcome | Transactions |\n|---------|--------------|\n{listed}"
    ]
    for family, (title, column) in _TABLES.items():
        of_family = sorted(tally.get(family, {}).items(), key=lambda item: (-item[1].total, item[0]))
        if of_family:
            rows = "".join(_row(family, subject, counts) for subject, counts in of_family[:_MOST_ROWS])
            parts.append(f"## {title}\n\n| {column} | Transactions | Of these |\n|---|---|---|\n{rows}")
    return "\n".join(parts)


def _row(family: Family, subject: str, counts: AnswerCounts) -> str:
    answers = sorted(counts.answers.items(), key=lambda item: (-item[1], item[0]))[:_MOST_ANSWERS]
    words = {
        answer: _shape(answer)
        if family is Family.INTENT
        else answer.replace("@", " at ").removesuffix(">").replace(">", ", then ")
        for answer, _ in answers
    }
    listed = ", ".join(f"{words[answer]}: {number}" for answer, number in answers)
    return f"| {_WORDS.get(subject, subject)} | {counts.total} | {listed} |\n"
