"""C-40, C-41, C-43: a text tells another value of one thing as a change, or a newer count of one piece of work."""

import pytest
from case_tables import read_cases
from memory_ledger.claims import Relation
from memory_ledger.similar.changes import compare_memory_texts

CASES = read_cases(__file__)


@pytest.mark.parametrize(("older", "newer"), CASES["settled"])
def test_a_change_told_in_the_same_words_is_settled(older: str, newer: str) -> None:
    found = compare_memory_texts(older, newer)
    assert (found.relation, found.is_open) == (Relation.CONTRADICTS, False)
    assert found.corrects in (None, "newer")
    # What is told first as a change may be over by what is said later, but does not come after it.
    assert compare_memory_texts(newer, older).corrects != "newer"


@pytest.mark.parametrize(("older", "newer"), [row[1:] for row in CASES["kept"]], ids=[row[0] for row in CASES["kept"]])
def test_both_stay(older: str, newer: str) -> None:
    found = compare_memory_texts(older, newer)
    assert found.relation is not Relation.CONTRADICTS or found.is_open


@pytest.mark.parametrize(("older", "newer"), CASES["apart"])
def test_another_work_part_or_day_is_no_progress(older: str, newer: str) -> None:
    for pair in ((older, newer), (newer, older)):
        assert compare_memory_texts(*pair).rule != "progress"


@pytest.mark.parametrize(("older", "newer"), CASES["progress"])
def test_a_newer_count_of_the_same_work_replaces_the_older_one(older: str, newer: str) -> None:
    found = compare_memory_texts(older, newer)
    assert (found.relation, found.rule, found.partial) == (Relation.CONTRADICTS, "progress", False)
    assert found.reasons[0].startswith("the count was ")
