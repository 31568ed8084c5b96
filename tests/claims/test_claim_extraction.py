"""Text to claims: subject, slot, value, polarity, modality, time, scope (C-39, C-40, T-46, T-49)."""

import pytest
from core.case_tables import read_cases
from memory_ledger.claims import Modality, extract_claims, is_question

CASES = read_cases(__file__)


def _strict(text):
    """The claims that the grammar of subject, slot and value reads; what is read from the words alone is apart."""
    return [claim for claim in extract_claims(text) if not claim.loose]


def _first(text):
    return _strict(text)[0]


def _keys(text):
    return [(claim.subject, claim.slot, claim.value.text) for claim in _strict(text)]


@pytest.mark.parametrize("text", CASES["what_cannot_be_read_makes_no_claim"])
def test_what_cannot_be_read_makes_no_claim(text):
    """C-42: German, Japanese, Arabic, fragments, and subjects that only the context resolves."""
    assert extract_claims(text) == ()


@pytest.mark.parametrize(("texts", "key"), CASES["one_key_for_all_wordings"])
def test_one_key_for_all_wordings(texts, key):
    assert {_first(text).key for text in texts} == {key}


@pytest.mark.parametrize(("text", "keys"), CASES["claims_of_a_text"])
def test_claims_of_a_text(text, keys):
    assert tuple(_keys(text)) == keys or (not keys and _first(text).slot == "states")


@pytest.mark.parametrize(("text", "modality"), CASES["modality"])
def test_modality(text, modality):
    assert {claim.modality for claim in extract_claims(text)} <= {modality}
    assert extract_claims(text) or modality != Modality.FACT


@pytest.mark.parametrize(("field", "rows"), [(name, CASES[name]) for name in ("time", "polarity", "scope")])
def test_what_the_first_claim_holds(field, rows):
    read = [(text, getattr(_first(text), field), expected) for text, expected in rows]
    assert [row for row in read if row[1] != row[2] and getattr(row[1], "tense", None) != row[2]] == []


@pytest.mark.parametrize(("text", "correction"), CASES["correction"])
def test_correction(text, correction):
    assert {claim.correction for claim in _strict(text)} == {correction}


@pytest.mark.parametrize(("text", "kind", "slot"), CASES["elliptical_corrections_carry_a_type"])
def test_elliptical_corrections_carry_a_type(text, kind, slot):
    (claim,) = extract_claims(text)
    assert (claim.elliptical, claim.correction, claim.value.kind, claim.slot) == (True, True, kind, slot)


@pytest.mark.parametrize("text", CASES["what_only_looks_like_an_elliptical_correction"])
def test_what_only_looks_like_an_elliptical_correction(text):
    assert not any(claim.elliptical for claim in extract_claims(text))


def test_spans_point_into_the_text():
    """A claim can be shown where it stands; items of a list have their own spans."""
    text = "FYI: the app uses Python 3.9, Django 4.2 and Node 20. I live in Rome."
    assert [text[claim.start : claim.end] for claim in _strict(text)] == [
        "FYI: the app uses Python 3.9",
        "Django 4.2",
        "Node 20",
        "I live in Rome",
    ]


@pytest.mark.parametrize(("text", "expected"), CASES["is_question"])
def test_is_question(text, expected):
    assert is_question(text) is expected


@pytest.mark.parametrize("text", CASES["changes_that_say_too_little"])
def test_changes_that_say_too_little(text):
    assert all(claim.slot == "states" or claim.slot == "uses" for claim in _strict(text))
    assert not any(claim.change and claim.polarity for claim in _strict(text))


@pytest.mark.parametrize("text", CASES["what_fits_no_slot_is_at_most_a_statement"])
def test_what_fits_no_slot_is_at_most_a_statement(text):
    assert all(claim.slot in ("states", "owns") for claim in _strict(text))
