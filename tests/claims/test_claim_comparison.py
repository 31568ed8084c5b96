"""What a comparison says beside its relation: rule, reasons, partial, who corrects whom (C-39 ... C-43)."""

from datetime import UTC, datetime, timedelta

import pytest
from memory_ledger.claims import (
    MAX_CHARACTERS,
    Modality,
    Relation,
    compare_claims,
    compare_texts,
    extract_claims,
)
from memory_ledger.ledger.resolve import Outcome, Party, decide
from memory_ledger.records import Source, Utility, Validity


@pytest.mark.parametrize(
    ("older", "newer", "corrects"),
    [
        pytest.param("The API uses REST", "The API does not use REST", None, id="C-40 a denial corrects nobody"),
        pytest.param("The API uses REST", "Actually the API uses GraphQL", "newer", id="C-41 correction"),
        pytest.param("Actually the API uses GraphQL", "The API uses REST", "older", id="C-41 stored before"),
        pytest.param("Actually the API uses GraphQL", "Actually the API uses REST", None, id="C-41 both correct"),
        pytest.param("I live in Boston", "I moved to Denver", "newer", id="C-41 change"),
        pytest.param("I moved to Denver", "I live in Boston", "older", id="C-41 change stored before"),
        pytest.param("I moved to Denver", "Actually, I live in Boston", "newer", id="C-41 a correction beats a change"),
    ],
)
def test_a_correction_names_its_side(older, newer, corrects):
    comparison = compare_texts(older, newer)
    assert comparison.relation is Relation.CONTRADICTS
    assert comparison.corrects == corrects


@pytest.mark.parametrize(
    ("older", "newer", "partial", "newer_partial"),
    [
        pytest.param("My name is Alice", "My name is Bea", False, False, id="C-43 nothing else"),
        pytest.param(
            "FYI: the user said that the API runs on port 80", "The API's port is 81", False, False, id="C-43 frame"
        ),
        pytest.param("My name is Al and I live in Rome", "I live in Oslo", True, False, id="C-43 another claim"),
        pytest.param(
            "When booking planes, always pick an aisle seat for the user.",
            "User prefers window seats on planes.",
            False,
            False,
            id="C-43 read the other way round",
        ),
        pytest.param("I live in Oslo", "My name is Al and I live in Rome", False, True, id="C-43 another newer claim"),
        pytest.param("I live in Rome. Bitte immer Deutsch!", "I live in Oslo", True, False, id="C-43 unread words"),
        pytest.param("The app uses Python 3.9 and Django 4.2", "The app uses Python 3.12", True, False, id="C-43 list"),
        pytest.param(
            "The key is stored in /a/b and rotates every day", "The key is stored in /c/d", True, False, id="C-43 cut"
        ),
        pytest.param("I live in Rome. " + "x" * MAX_CHARACTERS, "I live in Oslo", True, False, id="C-43 past the cap"),
    ],
)
def test_partial_when_something_else_still_holds(older, newer, partial, newer_partial):
    comparison = compare_texts(older, newer)
    assert comparison.relation is Relation.CONTRADICTS
    assert (comparison.partial, comparison.newer_partial) == (partial, newer_partial)


def test_an_elliptical_correction_says_so():
    """C-41: it fits one claim of this text; whether it fits other memories too, the caller must see."""
    assert compare_texts("The API runs on port 8080", "Actually it's 8443").elliptical
    assert not compare_texts("The API runs on port 8080", "Actually the API runs on port 8443").elliptical


@pytest.mark.parametrize(
    ("older", "newer", "left"),
    [
        ("User prefers short answers in Dutch.", "User prefers answers in English.", "in Dutch"),
        ("User prefers short answers in Dutch.", "User prefers long answers.", "short"),
    ],
)
def test_of_two_wishes_the_one_that_changed_goes(older, newer, left):
    """C-43: short answers are wished for in every language."""
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
    """C-41, C-43: what was said long before it may be anything."""
    older, newer = "The audit is on June 3.", "No, it's May 3."
    parties = [
        Party(Source.USER_ASSERTED, Validity.CONFIRMED, Utility.TACTICAL, datetime(2026, 5, 1, tzinfo=UTC) + after)
        for after in (timedelta(0), timedelta(minutes=minutes))
    ]
    decision = decide(*parties, extract_claims(older), extract_claims(newer), older_text=older, newer_text=newer)
    assert decision.outcome is outcome


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        pytest.param(
            "Actually it's 8443", "The API runs on port 8080", id="C-43 an old ellipsis corrects no newer text"
        ),
        pytest.param("The API ran on port 8080", "Actually it's 8443", id="C-43 past"),
        pytest.param("The API does not run on port 8080", "Actually it's 8443", id="C-43 denied"),
        pytest.param("The owner of the repo is Bob", "I meant Alice", id="C-43 a name only corrects a name"),
        pytest.param("The project uses Django 4.2", "Actually it's Python 3.11", id="C-43 another software"),
        pytest.param("User works as a designer", "Actually it's 8443", id="C-43 another type"),
        pytest.param("Caching is enabled", "Actually it's 8443", id="C-43 a flag"),
        pytest.param("The project uses tea", "Actually, it's not coffee", id="C-43 denied ellipsis"),
    ],
)
def test_an_elliptical_correction_of_something_else(older, newer):
    assert compare_texts(older, newer).relation is Relation.COEXISTS


def test_an_elliptical_correction_rereads_its_value_as_the_type_it_corrects():
    """C-41."""
    assert compare_texts("User works as a designer", "I meant a lawyer").relation is Relation.COEXISTS
    assert compare_texts("The batch size is 32", "Actually it's 64").rule == "correction"
    assert compare_texts("My name is Alice", "I meant Bea").rule == "correction"


def test_a_slot_that_a_text_fills_twice_is_a_list_there():
    """C-43."""
    older = "The API runs on port 8080. The API runs on port 8443."
    assert compare_texts(older, "The API runs on port 9000").relation is Relation.COEXISTS


def test_a_text_that_affirms_what_it_denies_contradicts_nothing():
    """C-43."""
    newer = "The API uses Redis. The API does not use Redis."
    assert compare_texts("The API uses Redis", newer).relation is Relation.COEXISTS


def test_two_denials_agree():
    """C-43."""
    assert compare_texts("The API does not use Redis", "The API doesn't use Redis").relation is Relation.DUPLICATES


def test_claims_alone_can_be_compared():
    """C-39: without the texts, words outside the claims are not seen."""
    older, newer = extract_claims("I live in Rome. Guten Tag!"), extract_claims("I live in Oslo")
    comparison = compare_claims(older, newer)
    assert comparison.relation is Relation.CONTRADICTS
    assert not comparison.partial


@pytest.mark.parametrize(("older", "newer"), [("", ""), ("x" * 9000, "x" * 9000), ("Hallo Welt", "Hallo, Welt!")])
def test_the_same_text_is_a_duplicate(older, newer):
    assert compare_texts(older, newer).relation is Relation.DUPLICATES


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        pytest.param("I live in Rome", "I live in Rome. I like tea.", id="C-43 the newer says more"),
        pytest.param("I live in Rome. I like tea.", "I live in Rome", id="C-43 the older says more"),
        pytest.param("I live in Rome. Guten Tag!", "I live in Rome", id="C-43 unread words"),
        pytest.param("I live in Rome. I like tea.", "I live in Rome. I like coffee.", id="C-43 half the same"),
    ],
)
def test_a_text_that_says_more_is_no_duplicate(older, newer):
    assert compare_texts(older, newer).relation is Relation.COEXISTS


def test_only_facts_are_compared():
    """C-43: every other modality coexists with its own denial."""
    for claim in extract_claims("The API might not use Redis. Does the API use Redis? The API will use Redis."):
        assert claim.modality is not Modality.FACT
    assert compare_texts("The API will use Redis", "The API will not use Redis").relation is Relation.COEXISTS


@pytest.mark.parametrize(
    ("text", "says_more"),
    [
        ("The disk is encrypted", "The disk is encrypted with LUKS"),
        ("The project is licensed under MIT", "The project is licensed under Apache-2.0 in staging"),
    ],
)
def test_who_names_more_than_a_state_is_no_duplicate(text: str, says_more: str) -> None:
    """C-42: a state that both texts tell covers not what only one of them names."""
    assert compare_texts(text, says_more).relation is Relation.COEXISTS
    assert compare_texts(says_more, text).relation is Relation.COEXISTS
