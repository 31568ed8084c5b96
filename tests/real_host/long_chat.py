"""What is true at the end of `scripts/long_chat.json`, and what one prompt tells of it.

Fifteen of the 25 facts change on the way, one is guessed wrongly by the agent, and some things are said of others.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from real_host_runs import Run, Turn

NONE, STALE_ALONE, STALE_MARKED = "none", "stale alone", "stale alone, marked"
CURRENT, CURRENT_MARKED = "current", "current, stale marked"
BOTH_LAST, BOTH_FIRST, BOTH_CONTESTED = "both, newest last", "both, newest first", "both, contested"
HOLDS_CURRENT = (CURRENT, CURRENT_MARKED, BOTH_LAST, BOTH_FIRST, BOTH_CONTESTED)
BOTH_UNMARKED = (BOTH_LAST, BOTH_FIRST)


@dataclass(frozen=True, slots=True)
class Fact:
    """The memories that tell what holds of one matter, those that tell what does not, and the turn that asks for it."""

    question: str | None = None
    current: Sequence[str] = ()
    stale: Sequence[str] = ()


CHANGED, UNCHANGED, OF_OTHERS = (
    tuple(Fact(**row) for row in rows)
    for rows in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).values()
)
ASKED = tuple(fact for fact in (*CHANGED, *UNCHANGED) if fact.question is not None)


def told_of(turn: Turn, fact: Fact) -> str:
    """Return what the first prompt of a turn tells of a fact: what holds, what does not, both or none of it."""
    shown = turn.shown()
    current = [at for at, one in enumerate(shown) if one.text in fact.current and not one.outdated]
    stale = [(at, one) for at, one in enumerate(shown) if one.text in fact.stale]
    unmarked = [at for at, one in stale if not one.outdated]
    if not current:
        return STALE_ALONE if unmarked else STALE_MARKED if stale else NONE
    if not unmarked:
        return CURRENT_MARKED if stale else CURRENT
    if all(shown[at].is_contested for at in unmarked):
        return BOTH_CONTESTED
    return BOTH_LAST if max(current) > max(unmarked) else BOTH_FIRST


def told(run: Run) -> dict[str, str]:
    """Return for each question what its prompt tells."""
    return {fact.question: told_of(run[fact.question], fact) for fact in ASKED if fact.question is not None}


def count(answers: Iterable[str], kinds: Iterable[str]) -> int:
    """Return how many of the answers are of these kinds."""
    counted = Counter(answers)
    return sum(counted[one] for one in kinds)


def table(run: Run, bare: Run) -> str:
    """Return what each question's prompt tells, with the pack and without, and the sums."""
    with_pack, without = told(run), told(bare)
    rows = [("question", "with the pack", "bare host"), *((name, with_pack[name], without[name]) for name in with_pack)]
    for heading, kinds in (
        ("holds current", HOLDS_CURRENT),
        ("stale alone", (STALE_ALONE,)),
        ("both, unmarked", BOTH_UNMARKED),
        ("both or stale, marked", (CURRENT_MARKED, BOTH_CONTESTED, STALE_MARKED)),
        ("none", (NONE,)),
    ):
        rows.append((heading, *(str(count(answers.values(), kinds)) for answers in (with_pack, without))))
    return "\n".join(f"{one:22} {two:22} {three}" for one, two, three in rows)


def retired(turn: Turn, facts: Iterable[Fact]) -> list[str]:
    """Return the memories of what holds that are retired, or of which a part is marked as outdated."""
    found = [turn.memory(text) for fact in facts for text in fact.current]
    return [one.text for one in found if one.is_deprecated or one.lineage.get("outdated_parts")]
