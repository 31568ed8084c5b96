"""A month of runs, and a week with traps: what stands where is settled by the evidence alone (issue 23, M-61, M-64).

Each day of the month has some transactions of one path, and at least one run; a run without anything new changes
nothing. The week has twelve facts, each of which is said (M-07 ... M-15, M-18, M-58), and six traps, of which none is:
a path that holds its own outcome, a rare path on which everything failed, one noisy agent behind an input, a code that
has changed, a tool that was mended in mid-week, and an agent with two causes of failure.
"""

from datetime import timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from knowledge_tools.shelf import NOW, Shelf, handed, seen, use
from memory_ledger.knowledge.decisions import AGAIN, DONE
from memory_ledger.knowledge.documents import FILES, log_of
from memory_ledger.knowledge.patterns import FINE, GOOD, IN_VAIN, LONG_RUN, WANTING, Family

TITLE = "Work for researcher"
SUCCESS, PARTIAL, FAILURE = DONE, "DEPENDENCY_ERROR", "TIMEOUT"
_DAYS = 30
_MOVES = ("ARCHIVED", "STAGED", "RESTORED")


class Month:
    """A shelf over a month; after every run it is looked at where the entry stands, and what the logs say of it."""

    def __init__(self):
        self.shelf, self.places, self.number = Shelf(), [], 0

    def day(self, day, outcomes, *, runs=1):
        """Distil the transactions of a day, in so many runs, and once more with nothing new."""
        now = NOW + timedelta(days=day)
        size = max(1, -(-len(outcomes) // runs))
        for run in range(runs):
            mine = outcomes[run * size : (run + 1) * size]
            before = self.rows()
            taken = [handed(self.number + at, one, days_ago=-day) for at, one in enumerate(mine)]
            self.number += len(mine)
            flagged = self.shelf.run(*taken, now=now)
            self._look(before, flagged)
        texts = dict(self.shelf.texts)
        assert self.shelf.run(now=now).texts == {}
        assert self.shelf.texts == texts

    def rows(self):
        """Return the rows of all logs of changes that are about an entry."""
        return [(name, row) for name in FILES for row in log_of(self.shelf.texts.get(name, ""))]

    def _look(self, before, flagged):
        holders = [name for name in FILES if TITLE in self.shelf.entries(name)]
        assert len(holders) <= 1
        rows = self.rows()
        for row in before:
            rows.remove(row)
        assert len(rows) <= 1, rows  # one change is one row
        moved = bool(holders) and bool(self.places) and holders[0] != self.places[-1]
        if holders and (moved or not self.places):
            self.places += holders
        assert moved == any(row.action in _MOVES for _, row in rows)
        self.conflicts = flagged.flags


#: Around the bound of the archive for weeks.
_ON_THE_EDGE = [SUCCESS] * 4 + [PARTIAL, SUCCESS, FAILURE] * 12
_EDGE_DAYS = [_ON_THE_EDGE[at : at + 2] for at in range(0, 40, 2)]
_OUTCOMES = st.lists(st.sampled_from([SUCCESS, SUCCESS, SUCCESS, PARTIAL, FAILURE]), max_size=5)


@settings(max_examples=8)
@given(st.lists(_OUTCOMES, min_size=_DAYS, max_size=_DAYS))
@example(_EDGE_DAYS)
def test_a_run_with_nothing_new_changes_nothing_and_a_change_is_one_row(days):
    """M-64, issue 23: on every day of a month, whatever happened before; an entry stands in one file."""
    month = Month()
    for day, outcomes in enumerate(days):
        month.day(day, outcomes)


@settings(max_examples=8)
@given(st.lists(_OUTCOMES, min_size=_DAYS, max_size=_DAYS), st.integers(1, 4))
@example([_ON_THE_EDGE], 20)
def test_what_has_left_for_the_archive_comes_back_only_when_it_is_sure(days, runs):
    """Issue 23: it never goes from the archive to staging, so that it does not move between the two run after run."""
    month = Month()
    for day, outcomes in enumerate(days):
        month.day(day, outcomes, runs=runs)
    pairs = list(zip(month.places, month.places[1:], strict=False))
    assert not [pair for pair in pairs if pair[0].startswith("archive/") and pair[1].startswith("staging/")]


@pytest.mark.parametrize("of_ten", [0, 4, 6, 8, 10])
@pytest.mark.parametrize("runs", [1, 5])
def test_a_steady_rate_settles(of_ten, runs):
    """Issue 23: with so many successes of ten an entry moves twice a month at most, however often one runs."""
    month = Month()
    for day in range(_DAYS):
        month.day(day, [SUCCESS if at < of_ten else PARTIAL for at in (0, 7, 3, 9, 5, 1, 8, 2, 6, 4)], runs=runs)
    assert len(month.places) <= 3, month.places


@pytest.mark.parametrize("days", range(1, 8))
def test_what_flips_within_a_week_is_flagged(days):
    """M-61, issue 23: twelve successes, so many days later twenty failures: it is flagged, and says what it said."""
    month = Month()
    month.day(0, [SUCCESS] * 12)
    (holder,) = month.places
    said = month.shelf.entries(holder)[TITLE].insight
    month.day(days, [FAILURE] * 20)
    assert len(month.conflicts) == 1
    assert "says done 3, recent transactions say TIMEOUT 3" in month.conflicts[0]
    assert (month.places, month.shelf.entries(holder)[TITLE].insight) == ([holder], said)


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

    def add(self, count, *observations, day=None):
        """Add so many requests with these observations, on all days or on one."""
        for at in range(count):
            self.number += 1
            when = NOW - timedelta(days=1 + (at % 6 if day is None else day), seconds=self.number)
            record = seen(self.number, *use("agent0"), *observations)
            self.made.append(record._replace(at=when.timestamp()))


def play() -> Week:
    """Return the week."""
    week = Week()
    week.add(7, *use(search_engine=f"TIMEOUT>{AGAIN}"))
    week.add(3, *use(search_engine="TIMEOUT>"))
    week.add(30, *use("search_engine"))
    week.add(30, *use(action_agent="RESTRICTED_SOURCE>"))
    week.add(10, *use("action_agent"))
    week.add(12, *use("shell", browser="DEPENDENCY_ERROR>shell"))
    week.add(28, *use("browser", "shell"))
    week.add(14, *use(writer_agent="VALIDATION_ERROR>"))
    week.add(26, *use("writer_agent"))
    week.add(15, *use("memory_load"), (Family.REPEAT, "memory_load", IN_VAIN))
    week.add(15, *use("memory_load"), (Family.REPEAT, "memory_load", FINE))
    week.add(40, *use("other_tool"), (Family.REPEAT, "other_tool", FINE))
    week.add(11, (Family.FAILURE, "scope_agent", FINE), (Family.REJECTION, "scope_agent", "plan_agent"))
    week.add(12, (Family.PROFILE, "researcher: compare data", f"{DONE} 3"))
    week.add(11, (Family.PROFILE, "coder: run server", "OUT_OF_SCOPE 1"))
    week.add(12, (Family.LONG, "create video", LONG_RUN, (("calls", 30),)))
    week.add(30, (Family.LONG, "find code", FINE))
    week.add(12, (Family.INTENT, "create chart", "1/4"), (Family.BENCHMARK, "create chart", WANTING))
    sizes = (("hops", 3), ("seconds", 20), ("objectives", 1), ("goals", 1))
    plan = (Family.PLAN, "extract data", f"CAP-ACQ-001 → CAP-DAT-001>{GOOD}")
    week.add(12, (Family.INTENT, "extract data", "1/1"), plan, (Family.BENCHMARK, "extract data", GOOD, sizes))
    # Survivorship: whoever reaches the last agent has succeeded.
    week.add(20, *use("first_agent", "last_agent"), (Family.PATH, "first_agent → last_agent", "SUCCESS"))
    week.add(15, *use("first_agent"), (Family.PATH, "first_agent", "PARTIAL"))
    # A rare path: three requests, all of which failed.
    week.add(3, *use(rare_agent="PROCESSING_ERROR>"), (Family.PATH, "rare_agent → last_agent", "FAILURE"))
    # One noisy agent, which some input always goes to.
    video = (Family.INPUT, "video from youtube")
    week.add(15, *use(**{NOISY: "PROCESSING_ERROR>"}), (*video, f"FAILURE@{NOISY}"))
    week.add(15, *use(NOISY), (*video, "SUCCESS"))
    week.add(40, *use("quiet_agent"), (Family.INPUT, "text from upload", "SUCCESS"))
    # A code that was renamed in mid-week, and a tool that was mended.
    for day in (5, 4):
        week.add(10, *use(renaming_agent="OLD_NAME>"), day=day)
        week.add(10, *use(**{TURNED: "TIMEOUT>"}), day=day)
    for day in (2, 1, 0):
        week.add(7, *use(renaming_agent="NEW_NAME>"), day=day)
        week.add(10, *use(TURNED), day=day)
    # Two causes: for one of them trying again helps, for the other one nothing does.
    week.add(12, *use(double_agent=f"OUT_OF_MEMORY>{AGAIN}"))
    week.add(12, *use(double_agent="NO_LICENCE>"))
    week.add(20, *use("double_agent"))
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
