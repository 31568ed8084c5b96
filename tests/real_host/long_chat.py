"""What is true at the end of `scripts/long_chat.json`, and what one prompt tells of it.

Fifteen of the 25 facts change on the way, one is guessed wrongly by the agent, and some things are said of others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from real_host_runs import Run, Turn

NONE, STALE_ALONE, STALE_MARKED = "none", "stale alone", "stale alone, marked"
CURRENT, CURRENT_MARKED = "current", "current, stale marked"
BOTH_LAST, BOTH_FIRST, BOTH_CONTESTED = "both, newest last", "both, newest first", "both, contested"
HOLDS_CURRENT = (CURRENT, CURRENT_MARKED, BOTH_LAST, BOTH_FIRST, BOTH_CONTESTED)
BOTH_UNMARKED = (BOTH_LAST, BOTH_FIRST)


@dataclass(frozen=True, slots=True)
class Fact:
    """The memories that tell what holds of one matter, those that tell what does not, and the turn that asks for it."""

    question: str | None
    current: tuple[str, ...]
    stale: tuple[str, ...] = ()


_POSTGRES_AND_WOODPECKER = "Lantern is a project that currently runs on Postgres and builds on Woodpecker."

CHANGED = (
    Fact(
        "ask home",
        ("User's family moved and currently lives in Bodø.",),
        ("User lives in Tromsø, next to the bridge.",),
    ),
    Fact(
        "ask database",
        ("Project Lantern now runs on Postgres.", _POSTGRES_AND_WOODPECKER),
        (
            "The project Lantern is a booking system for mountain huts and currently uses MariaDB.",
            "User's project Lantern stores its data in MariaDB by default.",
        ),
    ),
    Fact(
        "ask editor",
        ("User's current editor is Emacs because of org mode.",),
        ("User uses Helix as text editor.",),
    ),
    Fact(
        "ask launch",
        ("The launch of the project Lantern must currently be planned for June 26.",),
        ("The project Lantern should go public on June 12.",),
    ),
    Fact(
        "ask team",
        ("User's team is currently seven people with Yara.",),
        ("The project team currently consists of six people.",),
    ),
    Fact(
        "ask port",
        ("Project Lantern's relay server uses port 7444.",),
        ("The relay server of the project Lantern listens on port 7443.",),
    ),
    Fact(
        "ask doctor",
        ("User's general practitioner is currently Dr. Mbeki.",),
        ("Dr. Aasen is currently the user's general practitioner.",),
    ),
    Fact(
        "ask standup",
        ("The daily standup of the team must begin at 10:15.",),
        ("The team's daily standup always starts at 9:30.",),
    ),
    Fact(
        "ask lead",
        ("Pavel is the current lead of the user's team.",),
        ("Gudrun currently leads the user's team.",),
    ),
    Fact(
        "ask hosting",
        ("The project's hosting budget is currently 550 euros a month.",),
        ("The hosting of the project must cost at most 400 euros per month.",),
    ),
    Fact(
        "ask answers",
        ("User currently prefers long, detailed answers.",),
        ("User prefers short answers.",),
    ),
    Fact(
        "ask running",
        ("User currently runs 3 km in the mornings because of knee trouble.",),
        ("User runs 5 km every morning before breakfast.",),
    ),
    Fact(
        "ask builds",
        ("The project currently uses Woodpecker for its builds.", _POSTGRES_AND_WOODPECKER),
        ("The builds of the project run on Drone.",),
    ),
    Fact(
        "ask oncall",
        ("User's on-call duty is currently on Thursdays.",),
        ("User must be on call on Tuesdays.",),
    ),
    Fact(
        "ask backups",
        ("The project's backup retention should currently be 90 days.",),
        ("The backups of the project must be kept for 30 days.",),
    ),
)

UNCHANGED = (
    Fact("ask sister", ("User's sister Solveig lives in Bergen.",)),
    Fact("ask walnuts", ("User must never eat walnuts because of a severe allergy.",)),
    Fact("ask friday", ("User requires that nobody must ever push to production on Fridays.",)),
    Fact("ask office", ("User's company Nordlys Data is located at the harbour in Tromsø.",)),
    # The agent has guessed otherwise, and its guess was memorized.
    Fact(
        "ask branch",
        ("The default branch of the repository of Lantern is trunk.",),
        ("The repository of Lantern uses main as its default branch.",),
    ),
    Fact(None, ("User's dog Nanuk always sleeps under the desk in the office.",)),
    Fact(None, ("The project Lantern uses the MPL licence.",)),
    Fact(None, ("The test server of the team currently has 16 cores.",)),
    Fact(None, ("Invoices for the project must always go to Ragnhild in accounting.",)),
    Fact(None, ("User currently drives an electric Kangoo.",)),
)

OF_OTHERS = (
    Fact(None, ("User's colleague Jonas uses Vim.",)),
    Fact(None, ("User's team member Gudrun lives in Harstad.",)),
    Fact(None, ("User's uncle currently lives alone in Tromsø.",)),
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
