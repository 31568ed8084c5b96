"""Typed values: how each kind is read and when two of them agree (C-39, C-43, issue 3 section 1)."""

import pytest
from core.case_tables import read_cases
from memory_ledger.claims.model import Value, ValueKind
from memory_ledger.claims.values.agreement import Agreement, compare_values
from memory_ledger.claims.values.readers import READERS, parse_value
from memory_ledger.language.segment import tokenise

CASES = read_cases(__file__)

SAME, COMPATIBLE = Agreement.SAME, Agreement.COMPATIBLE
DIFFERENT, INCOMPARABLE = Agreement.DIFFERENT, Agreement.INCOMPARABLE


def _read(reader, text):
    return parse_value((reader,), tokenise(text), 0)


@pytest.mark.parametrize(("reader", "a", "b", "agreement"), CASES["values_of_one_kind"])
def test_values_of_one_kind(reader, a, b, agreement):
    first, second = _read(reader, a), _read(reader, b)
    assert first is not None
    assert second is not None
    assert compare_values(first.value, second.value) == agreement
    assert compare_values(second.value, first.value) == agreement


@pytest.mark.parametrize(("reader", "text"), CASES["what_is_no_single_value"])
def test_what_is_no_single_value(reader, text):
    """C-42, C-43: ranges, lists, relative dates and words of another type are not read."""
    assert _read(reader, text) is None


def test_every_kind_has_a_rule():
    for kind in ValueKind:
        value = Value(kind, "x", ("x", 1.0, 1.0, 1.0))
        assert compare_values(value, value) is SAME


def test_values_of_two_kinds_are_not_comparable():
    assert compare_values(Value(ValueKind.PORT, "80", (80.0,)), Value(ValueKind.NAME, "x", ("x",))) is INCOMPARABLE


def test_readers_are_safe_past_the_end():
    for reader in READERS:
        assert _read(reader, "") is None
