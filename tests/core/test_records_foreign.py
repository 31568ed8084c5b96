"""Metadata that others have written: read as far as it can be, never an exception, never lost on the way back."""

import json
from typing import Any

import pytest
from core_tools import NOW, json_of
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.records import Lineage, Quality, parse_memory, write_record
from shell.hostile_documents import Counted

AXES = {"validity": "confirmed", "relevance": "active", "utility": "tactical", "source": "user_asserted"}
LINEAGE = {"created_at": "2026-02-19T10:00:00Z"}


def nested(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


plain = json_of(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
unknown = st.dictionaries(st.text(min_size=1, max_size=8).map("other_{}".format), plain, max_size=4)


@given(unknown)
def test_unknown_keys_come_back_as_they_were(extra: dict[str, Any]) -> None:
    """C-30: other packs' keys are kept, in all three records, through JSON."""
    stored = {"classification": {**AXES, **extra}, "lineage": {**LINEAGE, **extra}, "quality": {"score": 0.5, **extra}}
    memory, problems = parse_memory("m", "t", json.loads(json.dumps(stored)), inserted_at=NOW)
    assert problems == []
    for record in (memory.classification, memory.lineage, memory.quality):
        assert record is not None
        written = json.loads(json.dumps(write_record(record)))
        assert {key: written[key] for key in extra} == json.loads(json.dumps(extra))


FOREIGN = [
    pytest.param(b"\xff", id="bytes"),
    pytest.param(object(), id="an object"),
    pytest.param("\ud800", id="half a character"),
    pytest.param({"a": ["\udfff"]}, id="half a character, deeper"),
    pytest.param({"a": {"\udfff": 1}}, id="half a character as a key"),
    pytest.param(nested(200), id="many levels"),
    pytest.param({1, 2}, id="a set"),
]


@pytest.mark.parametrize("value", FOREIGN)
@pytest.mark.parametrize("part", ["classification", "lineage", "quality"])
def test_what_no_file_can_hold_is_left_out_and_named(part: str, value: object) -> None:
    good = {"classification": AXES, "lineage": LINEAGE, "quality": {"score": 0.5}}
    memory, problems = parse_memory("m", "t", {**good, part: {**good[part], "other": value}}, inserted_at=NOW)
    assert len(problems) == 1
    assert problems[0].where.startswith(f"memory m: {part}.")
    record = getattr(memory, part)
    assert record is not None
    assert json.loads(json.dumps(write_record(record))).keys() >= good[part].keys()


def test_a_record_is_no_larger_than_plain_data_may_be() -> None:
    """C-75, T-69: one list under a thousand keys is small in memory and a thousand times as large in a file."""
    shared = list(range(6_000))
    many = {f"key_{number}": shared for number in range(1_000)}
    memory, problems = parse_memory("m", "t", {"lineage": {**many, **LINEAGE, "access_count": 7}}, inserted_at=NOW)
    assert memory.lineage is not None
    assert memory.lineage.access_count == 7, "what is small among it is read"
    assert len(problems) == 999
    written = write_record(memory.lineage)
    assert written["key_0"] == shared
    assert len(json.dumps(written)) < 50_000


def test_what_stands_in_many_places_is_looked_at_once() -> None:
    """C-75, T-69: ten thousand paths lead through a few parts, and a thousand keys to them."""
    value = Counted.in_many_places(18)
    memory, problems = parse_memory(
        "m", "t", {"lineage": {**LINEAGE, **{f"key_{number}": value for number in range(1_000)}}}, inserted_at=NOW
    )
    assert memory.lineage == Lineage.model_validate(LINEAGE)
    assert len(problems) == 1_000
    assert Counted.looks < 100


def test_key_that_is_no_unicode_is_left_out() -> None:
    memory, problems = parse_memory("m", "t", {"lineage": {**LINEAGE, "\ud800": 1}}, inserted_at=NOW)
    assert memory.lineage == Lineage.model_validate(LINEAGE)
    assert len(problems) == 1
    str(problems[0]).encode("utf-8")


def test_the_name_of_a_key_is_told_no_longer_than_its_value() -> None:
    _, problems = parse_memory("m", "t", {"lineage": {**LINEAGE, "k" * 100_000: object()}}, inserted_at=NOW)
    assert len(problems) == 1
    assert len(str(problems[0])) < 500


@pytest.mark.parametrize(
    ("stored", "expected", "bad"),
    [
        pytest.param({"conflict_risk": 0.2}, Quality(conflict_risk=0.2), 0, id="the field's own name"),
        pytest.param(
            {"conflictRisk": 0.2, "conflict_risk": "x"}, Quality(conflict_risk=0.2), 0, id="both: the stored key"
        ),
        pytest.param({"conflict_risk": "x", "score": 0.5}, Quality(score=0.5), 1, id="its own name, bad value"),
        pytest.param({"citedBy": [1], "score": 0.5}, Quality(score=0.5), 1, id="bad element"),
        pytest.param({"score": float("nan")}, Quality(), 1, id="not a number"),
        pytest.param({"validatedAt": "0001-01-01T00:00:00+14:00"}, Quality(), 1, id="outside the calendar"),
    ],
)
def test_quality_as_others_write_it(stored: dict[str, Any], expected: Quality, bad: int) -> None:
    memory, problems = parse_memory("m", "t", {"quality": stored}, inserted_at=NOW)
    assert memory.quality == expected
    assert len(problems) == bad


@pytest.mark.parametrize(
    ("known", "kept"),
    [
        pytest.param(["x", "x"], ("x", "a"), id="ids"),
        pytest.param([{"id": 1}, ["y"], "x"], ("x", "a"), id="other things among them"),
        pytest.param("x", ("a",), id="no list"),
    ],
)
def test_losers_in_a_list_with_others_known(known: object, kept: tuple[str, ...]) -> None:
    memory, _ = parse_memory(
        "m", "t", {"lineage": {**LINEAGE, "supersedes": ["a"], "supersedes_ids": known}}, inserted_at=NOW
    )
    assert memory.lineage is not None
    assert memory.lineage.supersedes_ids == kept


def test_text_that_is_deeper_than_any_reader_goes() -> None:
    memory, problems = parse_memory("m", "t", {"classification": "[" * 100_000}, inserted_at=NOW)
    assert memory.classification is None
    assert len(problems) == 1
    assert len(str(problems[0])) < 300
