"""Counts of one piece of work: what is none first, then the newer count replaces the older one (issue 45, C-43)."""

import pytest
from memory_ledger.claims import Relation
from memory_ledger.similar.changes import compare_memory_texts

APART = [
    ("Chapter 3 of 12 is read.", "Chapter 4 of 12 is read."),
    ("Step 2/5 done", "Step 3/5 done"),
    ("The import has done 12 of 40 files.", "The import has done 25 of 60 files."),
    ("The import has done 12 of 40 files.", "The export has done 25 of 40 files."),
    ("The import of May has done 12 of 40 files.", "The import of June has done 25 of 40 files."),
    ("User has read 3 of 12 books.", "User's son has read 4 of 12 books."),
    ("2026-05-02: 12 of 40 files copied", "2026-05-03: 25 of 40 files copied"),
    ("12 of 40 files are copied, 3 of 40 failed.", "25 of 40 files are copied, 4 of 40 failed."),
    ("The bus runs 24/7.", "The bus runs 20/7."),
    ("Logs are in /var/1/2.", "Logs are in /var/2/2."),
    ("12 of 40", "25 of 40"),
    ("We did 12, of 40 things", "We did 13, of 40 things"),
    ("The café got 4,5 of 5 stars.", "The café got 4,6 of 5 stars."),
]
PROGRESS = [
    ("The import has done 12 of 40 files", "The import has done 25 of 40 files"),
    ("The import has done 12 of 40 files.", "The import has now done 25/40 files."),
    ("Invoices: 1,200 of 4,000 sent", "Invoices: 3000 out of 4000 sent"),
    ("5 of 9 labels are reviewed", "9 of 9 labels are reviewed"),
]


@pytest.mark.parametrize(("older", "newer"), APART)
def test_another_work_part_or_day_is_no_progress(older: str, newer: str) -> None:
    for pair in ((older, newer), (newer, older)):
        assert compare_memory_texts(*pair).rule != "progress"


@pytest.mark.parametrize(("older", "newer"), PROGRESS)
def test_a_newer_count_of_the_same_work_replaces_the_older_one(older: str, newer: str) -> None:
    found = compare_memory_texts(older, newer)
    assert (found.relation, found.rule, found.partial) == (Relation.CONTRADICTS, "progress", False)
    assert found.reasons[0].startswith("the count was ")
