"""A month of runs: what stands where is settled by the evidence alone (issue 23, M-61, M-64).

Each day has some transactions of one path, and at least one run; a run without anything new changes nothing.
"""

from datetime import timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from knowledge_tools.shelf import NOW, Shelf, handed
from memory_ledger.knowledge.decisions import DONE
from memory_ledger.knowledge.documents import FILES, log_of

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
        self.conflicts = flagged.conflicts


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
