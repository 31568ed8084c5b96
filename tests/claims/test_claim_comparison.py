"""What a comparison says beside its relation: rule, reasons, partial, who corrects whom (C-39 ... C-43)."""

from datetime import UTC, datetime, timedelta

import pytest
from core.case_tables import read_cases
from memory_ledger.claims import MAX_CHARACTERS, Relation, compare_texts, extract_claims
from memory_ledger.ledger.resolve import Outcome, Party, decide
from memory_ledger.records import Source, Utility, Validity

CASES = read_cases(__file__)


@pytest.mark.parametrize(("older", "newer", "corrects"), CASES["a_correction_names_its_side"])
def test_a_correction_names_its_side(older, newer, corrects):
    comparison = compare_texts(older, newer)
    assert comparison.relation is Relation.CONTRADICTS
    assert (comparison.corrects or "") == corrects


@pytest.mark.parametrize(("older", "newer", "partial", "newer_partial"), CASES["partial"])
def test_partial_when_something_else_still_holds(older, newer, partial, newer_partial):
    comparison = compare_texts(older, newer)
    assert comparison.relation is Relation.CONTRADICTS
    assert (comparison.partial, comparison.newer_partial) == (partial, newer_partial)


def test_what_stands_past_the_cap_still_holds():
    assert compare_texts("I live in Rome. " + "x" * MAX_CHARACTERS, "I live in Oslo").partial


def test_an_elliptical_correction_says_so():
    """C-41: it fits one claim of this text; whether it fits other memories too, the caller must see."""
    assert compare_texts("The API runs on port 8080", "Actually it's 8443").elliptical
    assert not compare_texts("The API runs on port 8080", "Actually the API runs on port 8443").elliptical


@pytest.mark.parametrize(("older", "newer", "left"), CASES["of_two_wishes_the_one_that_changed_goes"])
def test_of_two_wishes_the_one_that_changed_goes(older, newer, left):
    comparison = compare_texts(older, newer)
    assert comparison.partial
    assert [older[start:end] for start, end in comparison.older_spans] == [left]


@pytest.mark.parametrize("newer", ["The pump runs at 50 Hz now.", "it runs at 50 Hz now", "Actually, it is 50 Hz."])
def test_a_change_corrects_what_it_changes(newer):
    """C-41: what is so now is no second opinion about what was so before."""
    assert compare_texts("The pump always runs at 40 Hz.", newer).corrects == "newer"
    assert compare_texts("The pump always runs at 40 Hz.", "The pump runs at 50 Hz.").corrects is None


@pytest.mark.parametrize(("minutes", "outcome"), [(5, Outcome.SUPERSEDE), (500, Outcome.COEXIST)])
def test_a_correction_without_a_subject_speaks_of_what_it_answers(minutes, outcome):
    older, newer = "The audit is on June 3.", "No, it's May 3."
    parties = [
        Party(Source.USER_ASSERTED, Validity.CONFIRMED, Utility.TACTICAL, datetime(2026, 5, 1, tzinfo=UTC) + after)
        for after in (timedelta(0), timedelta(minutes=minutes))
    ]
    decision = decide(*parties, extract_claims(older), extract_claims(newer), older_text=older, newer_text=newer)
    assert decision.outcome is outcome


@pytest.mark.parametrize(("older", "newer"), CASES["both_stay"])
def test_both_stay(older, newer):
    assert compare_texts(older, newer).relation is Relation.COEXISTS


def test_an_elliptical_correction_rereads_its_value_as_the_type_it_corrects():
    assert compare_texts("The batch size is 32", "Actually it's 64").rule == "correction"
    assert compare_texts("My name is Alice", "I meant Bea").rule == "correction"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("", ""),
        ("x" * 9000, "x" * 9000),
        ("Hallo Welt", "Hallo, Welt!"),
        ("The API does not use Redis", "The API doesn't use Redis"),
    ],
)
def test_the_same_text_is_a_duplicate(older, newer):
    assert compare_texts(older, newer).relation is Relation.DUPLICATES
