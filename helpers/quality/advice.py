"""What the report finds wanting, for a person: the texts of memories, and commands that run as printed. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .report import FindingKind, QualityFinding

_PROGRAM = "memory-ledger"
_LONGEST_TEXT = 160


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do: what it is about, and the command that does it."""

    about: str
    command: str
    #: Whether `about` is what a memory says.
    is_quoted: bool = False


@dataclass(frozen=True, slots=True)
class Advice:
    """What is wrong, and the steps that mend it."""

    told: str
    steps: Sequence[Step]


def advise(
    finding: QualityFinding, *, folder: str, texts: Mapping[str, str], pairs: Mapping[str, tuple[str, str]]
) -> Advice:
    """Return a finding for a person; `texts` has what memories say, `pairs` the memories of conflicts, by id."""
    steps = tuple(_steps(finding, texts, pairs))
    placed = [Step(one.about, " ".join((_PROGRAM, one.command, _options(folder))), one.is_quoted) for one in steps]
    shown = f" The first {len(finding.ids)}:" if finding.count > len(finding.ids) > 0 else ""
    return Advice(finding.told.replace(".0%", "%") + "." + shown, tuple(placed))


def percent(share: float) -> str:
    """Return a share of 0..1 in per cent."""
    return f"{share:.1%}".replace(".0%", "%")


def figures_told(report: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return the key, the name and the value of each figure, as a person reads them."""
    return [
        ("totalMemories", "Memories", f"{report['totalMemories']:,}"),
        *((f"byType.{kind}", f"of type {kind}", f"{count:,}") for kind, count in report["byType"].items()),
        ("averageQuality", "Average quality", percent(report["averageQuality"])),
        ("averageStaleness", "Average staleness", percent(report["averageStaleness"])),
        ("unresolvedConflicts", "Unresolved conflicts", f"{report['unresolvedConflicts']:,}"),
        ("validationErrorRate", "With validation errors", percent(report["validationErrorRate"])),
    ]


def unrecalled_told(count: int) -> str:
    """Return what is to be said of memories that are old and not recalled, and no less true for it."""
    if count == 1:
        return (
            "1 old memory has not been recalled for a while; you said or confirmed it, so it does not count as stale."
        )
    return (
        f"{count:,} old memories have not been recalled for a while; you said or confirmed them, so they do not count "
        "as stale."
    )


def _options(folder: str) -> str:
    return f"--folder {shlex.quote(folder)}"


def _steps(finding: QualityFinding, texts: Mapping[str, str], pairs: Mapping[str, tuple[str, str]]) -> Iterator[Step]:
    if finding.kind is FindingKind.ERRORS:
        yield Step("What is wrong with each of them", "validate")
        for one in finding.ids:
            yield _about(one, texts, f"refresh {shlex.quote(one)} --verified")
    elif finding.kind in (FindingKind.CONFLICTS, FindingKind.POSSIBLE):
        for one in finding.ids:
            resolve = f"resolve {shlex.quote(one)}"
            for memory_id in pairs[one]:
                yield _about(memory_id, texts, f"{resolve} --keep {shlex.quote(memory_id)}")
            yield Step("Both are right", f"{resolve} --dismiss")
    elif finding.kind is FindingKind.STALE:
        for one in finding.ids:
            yield _about(one, texts, f"refresh {shlex.quote(one)}")
    if finding.kind in (FindingKind.STALE, FindingKind.LARGE):
        yield Step("What is old enough to be archived", "archive-stale --dry-run")


def _about(memory_id: str, texts: Mapping[str, str], command: str) -> Step:
    text = texts.get(memory_id)
    if text is None:
        return Step(f"Memory {memory_id}, which is gone", command)
    words = " ".join(text.split())
    return Step(words if len(words) <= _LONGEST_TEXT else words[: _LONGEST_TEXT - 1] + "…", command, is_quoted=True)
