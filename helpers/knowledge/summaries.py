"""The summary of a day: how many transactions, how they ended, by which way (M-19, M-23). Pure."""

from __future__ import annotations

from collections.abc import Mapping

from .patterns import ALL, OTHERS, AnswerCounts, Family, Tally, in_units, middle
from .words import ChainOutcome

#: So many of one kind are listed.
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
    seconds, hops = outcomes.numbers.get("seconds", {}), outcomes.numbers.get("hops", {})
    usual = f"\nHalf of them had {in_units(middle(hops), 'hop')} or fewer{_lasting(seconds)}.\n" if hops else ""
    listed = "".join(f"| {one.value} | {outcomes.answers.get(one.value, 0)} |\n" for one in ChainOutcome)
    parts = [
        f"# Session Summary {day}\n\n## Description\nWhat agents did on {day}, counted from the audit logs; for people,"
        f" not part of any prompt.\n\n## Outcomes\n\n{in_units(outcomes.total, 'transaction')} ended on this day.\n"
        f"{usual}\n"
        f"| Outcome | Transactions |\n|---------|--------------|\n{listed}"
    ]
    for family, (title, column) in _TABLES.items():
        of_family = sorted(tally.get(family, {}).items(), key=lambda one: (-one[1].total, one[0]))
        if of_family:
            rows = "".join(_row(family, subject, counts) for subject, counts in of_family[:_MOST_ROWS])
            parts.append(f"## {title}\n\n| {column} | Transactions | Of these |\n|---|---|---|\n{rows}")
    return "\n".join(parts)


def _row(family: Family, subject: str, counts: AnswerCounts) -> str:
    answers = sorted(counts.answers.items(), key=lambda one: (-one[1], one[0]))[:_MOST_ANSWERS]
    told = ", ".join(f"{_answer(family, answer)}: {number}" for answer, number in answers)
    return f"| {_WORDS.get(subject, subject)} | {counts.total} | {told} |\n"


def _answer(family: Family, answer: str) -> str:
    if answer == OTHERS:
        return "others"
    if family is not Family.INTENT:
        return answer.replace("@", " at ").removesuffix(">").replace(">", ", then ")
    objectives, goals = (int(one) for one in answer.split("/"))
    return f"{in_units(objectives, 'objective')} and {in_units(goals, 'goal')}"


def _lasting(seconds: Mapping[int, int]) -> str:
    usual = middle(seconds) if seconds else 0
    return f" and took {in_units(usual, 'second')} or less" if usual else ""
