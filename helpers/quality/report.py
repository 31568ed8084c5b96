"""The quality report: figures over all memories, and advice about them. Pure.

A program reads findings with ids; a person reads the texts of memories, and commands that run as printed.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..setting_groups import QualityLayer
from ..texts import counted

_DIGITS = 4
_MOST_NAMED = 3
_LONGEST_TEXT = 160
_DECIDE = "Decide with `memory-ledger resolve ID --keep MEMORY`."


@dataclass(frozen=True, slots=True, kw_only=True)
class QualityFigures:
    """The figures of a report; `stale`, `conflicts` and `faulty` name the worst ids, the others are numbers.

    `scores.find_stale` decides what is `stale`, `replaced` and `unrecalled`.
    """

    total: int
    by_type: Mapping[str, int]
    average_quality: float
    average_staleness: float
    unresolved_conflicts: int
    errors: int
    stale: int
    replaced: int = 0
    unrecalled: int = 0
    possible_conflicts: int = 0
    stale_ids: Sequence[str] = ()
    conflict_ids: Sequence[str] = ()
    possible_ids: Sequence[str] = ()
    faulty_ids: Sequence[str] = ()


class Step(NamedTuple):
    """A step of an advice: its subject, and the command to run."""

    about: str
    command: str


class Advice(NamedTuple):
    """A problem, and the steps that mend it."""

    problem: str
    steps: Sequence[Step]


class QualityFinding(NamedTuple):
    """A problem, how often it occurs, the ids of the first memories or conflicts, and the commands that mend it.

    `each` is the command for one of them, with {id} and perhaps {memory}.
    """

    problem: str
    remedy: str
    total: int = 0
    ids: Sequence[str] = ()
    before: Sequence[Step] = ()
    each: str = ""
    after: Sequence[Step] = ()


_ARCHIVE = Step("What is old enough to be archived:", "archive-stale --dry-run")
_DISMISS = "resolve {id} --dismiss"


def make_report(figures: QualityFigures, layer: QualityLayer) -> dict[str, Any]:
    """Return the report under the specification's keys; every figure of an empty store is 0."""
    return {
        "totalMemories": figures.total,
        "byType": dict(figures.by_type),
        "averageQuality": round(figures.average_quality, _DIGITS),
        "averageStaleness": round(figures.average_staleness, _DIGITS),
        "unresolvedConflicts": figures.unresolved_conflicts,
        "validationErrorRate": round(figures.errors / figures.total, _DIGITS) if figures.total else 0.0,
        "recommendations": [_to_text(finding) for finding in find_wanting(figures, layer)],
    }


def find_wanting(figures: QualityFigures, layer: QualityLayer) -> Iterator[QualityFinding]:
    """Yield the findings that somebody can mend, gravest first."""
    if figures.errors:
        yield QualityFinding(
            f"{percent(figures.errors / figures.total)} of the memories have validation errors",
            "See `memory-ledger validate`; what is right after all: `memory-ledger refresh ID --verified`.",
            figures.errors,
            figures.faulty_ids,
            before=(Step("What is wrong with each of them:", "validate"),),
            each="refresh {id} --verified",
        )
    conflicts = counted(figures.unresolved_conflicts, "conflict is", "conflicts are")
    pairs = counted(figures.possible_conflicts, "pair of memories", "pairs of memories")
    for problem, count, ids in (
        (f"{conflicts} unresolved", figures.unresolved_conflicts, figures.conflict_ids),
        (f"{pairs} may contradict each other, but no rule is sure", figures.possible_conflicts, figures.possible_ids),
    ):
        if count:
            yield QualityFinding(problem, _DECIDE, count, ids, each="resolve {id} --keep {memory}")
    if figures.total and figures.stale / figures.total > layer.stale_share:
        replaced = counted(figures.replaced, "because another one replaced it", "because others replaced them")
        yield QualityFinding(
            f"{percent(figures.stale / figures.total)} of the memories are stale"
            + (f", {replaced}" * bool(figures.replaced)),
            "What still holds: `memory-ledger refresh ID`; the rest: `memory-ledger archive-stale --dry-run`.",
            figures.stale,
            figures.stale_ids,
            each="refresh {id}",
            after=(_ARCHIVE,),
        )
    if figures.total > layer.large_store:
        yield QualityFinding(
            f"{figures.total} memories are more than {layer.large_store}: every search looks at all of them",
            "Archive what is stale with `memory-ledger archive-stale`, or keep projects in memory folders of their "
            "own.",
            after=(_ARCHIVE,),
        )


def _to_text(finding: QualityFinding) -> str:
    """Return a finding with its ids, for programs."""
    named = ", ".join(finding.ids[:_MOST_NAMED])
    more = finding.total - len(finding.ids[:_MOST_NAMED])
    named += f" and {more} more" if more > 0 and named else ""
    return f"{finding.problem} ({named}). {finding.remedy}" if named else f"{finding.problem}. {finding.remedy}"


def advise(
    finding: QualityFinding, *, folder: str, texts: Mapping[str, str], pairs: Mapping[str, tuple[str, str]]
) -> Advice:
    """Return a finding for a person; `texts` maps an id to its text, `pairs` a conflict's id to its memories."""
    steps = [*finding.before]
    for found_id in finding.ids:
        for memory_id in pairs.get(found_id, (found_id,)):
            command = finding.each.format(id=shlex.quote(found_id), memory=shlex.quote(memory_id))
            steps.append(Step(_quote(memory_id, texts), command))
        if found_id in pairs:
            steps.append(Step("Both are right:", _DISMISS.format(id=shlex.quote(found_id))))
    placed = [
        Step(step.about, shlex.join(("memory-ledger", *shlex.split(step.command), "--folder", folder)))
        for step in [*steps, *finding.after]
    ]
    shown = f" The first {len(finding.ids)}:" if finding.total > len(finding.ids) > 0 else ""
    return Advice(f"{finding.problem}.{shown}", placed)


def _quote(memory_id: str, texts: Mapping[str, str]) -> str:
    text = texts.get(memory_id)
    if text is None:
        return f"Memory {memory_id}, which is gone:"
    words = " ".join(text.split())
    return f'"{words}"' if len(words) <= _LONGEST_TEXT else f'"{words[: _LONGEST_TEXT - 1]}…"'


def percent(share: float) -> str:
    """Return a share of 0..1 in per cent."""
    return f"{share:.1%}".replace(".0%", "%")


def figures_in_words(report: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return the key, the name and the value of each figure, as a person reads them."""
    return [
        ("totalMemories", "Memories", f"{report['totalMemories']:,}"),
        *((f"byType.{kind}", f"of type {kind}", f"{count:,}") for kind, count in report["byType"].items()),
        ("averageQuality", "Average quality", percent(report["averageQuality"])),
        ("averageStaleness", "Average staleness", percent(report["averageStaleness"])),
        ("unresolvedConflicts", "Unresolved conflicts", f"{report['unresolvedConflicts']:,}"),
        ("validationErrorRate", "With validation errors", percent(report["validationErrorRate"])),
    ]


def unrecalled_in_words(count: int) -> str:
    """Return a sentence about old memories that are not recalled but still hold."""
    memories, pronouns = f"{count:,} old memories have", "them, so they do"
    if count == 1:
        memories, pronouns = "1 old memory has", "it, so it does"
    return f"{memories} not been recalled for a while; you said or confirmed {pronouns} not count as stale."
