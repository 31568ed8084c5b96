"""A week of logs with twelve facts and six traps: each fact is said, no trap is (M-07 ... M-15, M-18, M-58).

The traps: a path that holds its own outcome, a rare path on which everything failed, one noisy agent behind an input, a
code that has changed, a tool that was mended in mid-week, and an agent with two causes of failure.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from knowledge_tools.shelf import NOW, Shelf, failed
from memory_ledger.knowledge.decisions import AGAIN, Delegation, FirstFailure
from memory_ledger.knowledge.documents import FILES
from memory_ledger.knowledge.hops import Task
from memory_ledger.knowledge.words import ChainOutcome

FACTS = {
    "TIMEOUT of search_engine": "in 10 of 40 requests that used it",
    "RESTRICTED_SOURCE of action_agent": "in 30 of 40 requests that used it",
    "DEPENDENCY_ERROR of browser": "shell was tried next and worked in 12 of these",
    "VALIDATION_ERROR of writer_agent": "in 14 of 40 requests that used it",
    "Calls of memory_load in vain": "In 15 of 30 requests that used memory_load",
    "Rejections by scope_agent": "all 11 went on to plan_agent",
    "Work for researcher: compare data": "In all 12 requests",
    "Work for coder: run server": "In all 11 requests",
    "Long runs: requests to create video": "In all 12 requests to create video",
    "Requests to create chart": "1 objective and 4 goals",
    "Plan for requests to extract data": "all of these succeeded",
    "A good transaction: extract data": "All 12 requests to extract data",
}  # fmt: skip
NOISY, TURNED = "noisy_agent", "mended_tool"


class Week:
    """Transactions of a week, one after the other."""

    def __init__(self) -> None:
        self.made, self.number = [], 0

    def add(self, count, *, used, day=None, **values):
        """Add so many requests that used some parts, on all days or on one."""
        for at in range(count):
            self.number += 1
            when = NOW - timedelta(days=1 + (at % 6 if day is None else day), seconds=self.number)
            one = replace(failed(self.number, error=""), used=tuple(sorted((*used, "agent0"))), **values)
            self.made.append(replace(one, at=when.timestamp(), day=when.astimezone(UTC).date().isoformat()))

    def fail(self, count, part, code, *, then="", used=(), ended=ChainOutcome.FAILURE, **values):
        """Add so many requests in which a part failed."""
        values |= {"failures": (FirstFailure(part, code, then),), "outcome": ended}
        if ended is ChainOutcome.FAILURE:
            values |= {"failed_at": part, "error": code}
        self.add(count, used=(part, *used), **values)


def play() -> Week:
    """Return the week."""
    week, good = Week(), ChainOutcome.SUCCESS
    week.fail(7, "search_engine", "TIMEOUT", then=AGAIN, ended=good)
    week.fail(3, "search_engine", "TIMEOUT")
    week.add(30, used=("search_engine",))
    week.fail(30, "action_agent", "RESTRICTED_SOURCE")
    week.add(10, used=("action_agent",))
    week.fail(12, "browser", "DEPENDENCY_ERROR", then="shell", used=("shell",), ended=good)
    week.add(28, used=("browser", "shell"))
    week.fail(14, "writer_agent", "VALIDATION_ERROR")
    week.add(26, used=("writer_agent",))
    vain = {"tasks": (Task("task_1", "memory_load", "complete"),), "used": ("memory_load",)}
    week.add(15, **{**vain, "repeats": ("memory_load",)})
    week.add(15, **vain)
    week.add(40, used=("other_tool",), tasks=(Task("task_1", "other_tool", "complete"),))
    week.add(11, used=("scope_agent",), rejections=(("scope_agent", "plan_agent"),), outcome=ChainOutcome.REJECTED)
    week.add(12, used=(), delegations=(Delegation("researcher", "compare data", 3, "done"),))
    week.add(11, used=(), delegations=(Delegation("coder", "run server", 1, "OUT_OF_SCOPE"),))
    week.add(12, used=(), intents=("create video",), calls=30)
    week.add(30, used=(), intents=("find code",), calls=4)
    week.add(12, used=(), intents=("create chart",), goals=4, objectives=1, outcome=ChainOutcome.PARTIAL)
    week.add(12, used=(), intents=("extract data",), goals=1, objectives=1, plan=("CAP-ACQ-001", "CAP-DAT-001"))
    # Survivorship: whoever reaches the last agent has succeeded.
    week.add(20, used=("first_agent", "last_agent"), path=("first_agent", "last_agent"))
    week.add(15, used=("first_agent",), path=("first_agent",), outcome=ChainOutcome.PARTIAL)
    # A rare path: three requests, all of which failed.
    week.fail(3, "rare_agent", "PROCESSING_ERROR", path=("rare_agent", "last_agent"))
    # One noisy agent, which some input always goes to.
    week.fail(15, NOISY, "PROCESSING_ERROR", inputs=("video from youtube",))
    week.add(15, used=(NOISY,), inputs=("video from youtube",))
    week.add(40, used=("quiet_agent",), inputs=("text from upload",))
    # A code that was renamed in mid-week, and a tool that was mended.
    for day in (5, 4):
        week.fail(10, "renaming_agent", "OLD_NAME", day=day)
        week.fail(10, TURNED, "TIMEOUT", day=day)
    for day in (2, 1, 0):
        week.fail(7, "renaming_agent", "NEW_NAME", day=day)
        week.add(10, used=(TURNED,), day=day)
    # Two causes: for one of them trying again helps, for the other one nothing does.
    week.fail(12, "double_agent", "OUT_OF_MEMORY", then=AGAIN, ended=good)
    week.fail(12, "double_agent", "NO_LICENCE")
    week.add(20, used=("double_agent",))
    return week


def test_twelve_facts_are_said_and_no_trap():
    """M-18, M-55, M-58: in the files that enter prompts; what is about a trap is its own rate, never what seemed so."""
    shelf = Shelf(token_limit=10_000)
    shelf.run(*play().made)
    said = {title: one for name in FILES if "/" not in name for title, one in shelf.entries(name).items()}
    assert {title: told in said[title].insight for title, told in FACTS.items()} == dict.fromkeys(FACTS, True)
    more = {title: one for title, one in said.items() if title not in FACTS}
    text = "\n".join(f"{one.title}: {one.insight} {one.action}" for one in more.values())
    assert "last_agent" not in text and "Path" not in text, "survivorship"
    assert "rare_agent" not in text, "a rare path"
    assert "youtube" not in text and f"PROCESSING_ERROR of {NOISY}" in said, "one noisy agent"
    assert "OLD_NAME" not in text and "NEW_NAME of renaming_agent" in said, "a code that has changed"
    assert TURNED not in text, "a flip"
    both = [said[f"{code} of double_agent"] for code in ("OUT_OF_MEMORY", "NO_LICENCE")]
    assert all("in 12 of 44 requests" in one.insight for one in both), "two causes"
    assert ["call it once more" in one.action for one in both] == [True, False]
    known = {f"PROCESSING_ERROR of {NOISY}", "NEW_NAME of renaming_agent", "Requests to extract data"}
    assert set(more) == known | {one.title for one in both}


def test_the_week_is_the_same_in_any_order():
    forth, back = Shelf(token_limit=10_000), Shelf(token_limit=10_000)
    forth.run(*play().made)
    back.run(*reversed(play().made))
    assert forth.texts == back.texts
    assert datetime(2026, 2, 20, tzinfo=UTC) < NOW
