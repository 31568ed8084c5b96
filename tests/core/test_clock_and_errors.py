"""Points in time as stored, and what is said of foreign data."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.clock import EPOCH, format_time, parse_time
from memory_ledger.errors import shorten

EAST = timezone(timedelta(hours=2))


moments = st.integers(-60_000_000_000, 250_000_000_000).map(
    lambda seconds: EPOCH.astimezone(EAST) + timedelta(seconds=seconds, microseconds=7)
)


@given(moments)
def test_stored_time_comes_back(moment: datetime) -> None:
    stored = format_time(moment)
    assert stored.endswith("+00:00")
    assert parse_time(stored) == moment
    assert parse_time(moment) == moment


@pytest.mark.parametrize(
    ("value", "zone", "expected"),
    [
        pytest.param(None, None, None, id="nothing"),
        pytest.param(7, None, None, id="a number"),
        pytest.param("yesterday", None, None, id="a word"),
        pytest.param("9999-12-31T23:59:59-14:00", None, None, id="outside the calendar"),
        pytest.param("2026-06-28 13:29:29", EAST, datetime(2026, 6, 28, 11, 29, 29, tzinfo=UTC), id="naive, in a zone"),
        pytest.param(" 2026-06-28T13:29:29Z\n", EAST, datetime(2026, 6, 28, 13, 29, 29, tzinfo=UTC), id="aware"),
    ],
)
def test_time_as_found(value: object, zone: Any, expected: datetime | None) -> None:
    assert parse_time(value, zone=zone) == expected


@given(st.text(max_size=200), st.integers(3, 100))
def test_shortened_value_is_bounded(text: str, limit: int) -> None:
    """A message about foreign data never floods a log, and what is cut shows that it is."""
    short = shorten(text, limit)
    assert len(short) <= limit
    assert short == repr(text) if len(repr(text)) <= limit else short.endswith("...")


def test_value_without_a_text_form() -> None:
    """T-43: data that is nested too deeply to be printed is named all the same."""
    nested: list[Any] = []
    for _ in range(100_000):
        nested = [nested]
    assert shorten(nested) == "[[[[...]]]]"
    while nested:
        nested = nested.pop()
