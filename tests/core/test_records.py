"""Records: the specification's exact keys in, the same keys out, and garbage never raises."""

import enum
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from case_tables import read_cases
from core_tools import NOW, axes, json_of
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.foreign import hide_pointers
from memory_ledger.records import Lineage, Quality, Relevance, Source, Utility, Validity, parse_memory, write_record

CASES = read_cases(__file__)

AXES = {"validity": "confirmed", "relevance": "active", "utility": "tactical", "source": "user_asserted"}
LINEAGE = {
    "created_at": "2026-02-19T10:00:00Z",
    "created_by_role": None,
    "supersedes": None,
    "superseded_by": "m2",
    "access_count": 3,
    "last_accessed": "2026-02-20T10:00:00Z",
}

moments = st.integers(0, 3_000_000_000).map(lambda seconds: datetime.fromtimestamp(seconds, tz=UTC))
names = st.text(min_size=1, max_size=12)
json_values = json_of(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20), max_leaves=12)


class Area(enum.Enum):
    """What v0.9.7 stores: the member itself."""

    MAIN = "main"


def test_payload_has_exactly_the_specified_keys() -> None:
    """C-30, C-31, E-35: the keys of the specifications, in their order, and nothing else where nothing else is set."""
    assert write_record(axes()) == AXES
    lineage = Lineage.model_validate({"created_at": "2026-02-19T10:00:00Z"})
    assert write_record(lineage) == {
        "created_at": "2026-02-19T10:00:00Z",
        "created_by_role": None,
        "supersedes": None,
        "superseded_by": None,
        "access_count": 0,
        "last_accessed": None,
        "related_memory_ids": [],
    }
    assert list(write_record(lineage)) == [*LINEAGE, "related_memory_ids"]
    assert write_record(lineage.model_copy(update={"related_memory_ids": ("a",)}))["related_memory_ids"] == ["a"]


def test_axis_values() -> None:
    """C-11, C-17, C-20, C-24, C-27: the stored strings, and no other."""
    assert {*Validity} == {"confirmed", "inferred", "deprecated"}
    assert {*Relevance} == {"active", "dormant"}
    assert {*Utility} == {"load_bearing", "tactical", "archived"}
    assert {*Source} == {"user_asserted", "agent_inferred", "bookshelf_document", "external_retrieved"}


@given(
    st.builds(
        Lineage,
        created_at=moments,
        created_by_role=st.none() | names,
        supersedes=st.none() | names.filter(lambda name: not name.startswith("m:")),
        superseded_by=st.none() | names.filter(lambda name: not name.startswith("m:")),
        access_count=st.integers(0, 10**6),
        last_accessed=st.none() | moments,
        seal=st.none() | names,
    )
)
def test_lineage_round_trip(record: Lineage) -> None:
    stored = json.loads(json.dumps(write_record(record)))
    memory, problems = parse_memory("m", "t", {"lineage": stored}, inserted_at=NOW)
    assert problems == []
    assert memory.lineage == record


@given(json_values, json_values, json_values)
def test_garbage_never_raises(classification: Any, lineage: Any, quality: Any) -> None:
    """C-75, T-43: whatever stands in the metadata, reading gives a memory and names what could not be read."""
    metadata = {"classification": classification, "lineage": lineage, "quality": quality, "area": lineage}
    memory, _ = parse_memory("m", "t", metadata, inserted_at=NOW)
    assert memory.created_at == NOW
    assert memory.classification is None or set(AXES) <= write_record(memory.classification).keys()


@pytest.mark.parametrize(("value", "where"), CASES["invalid_axes_are_absent_and_named"])
def test_invalid_axes_are_absent_and_named(value: object, where: str) -> None:
    """C-32, C-75: all four axes, or none; the problem says where, what was found, what is allowed."""
    memory, problems = parse_memory("m7", "t", {"classification": value}, inserted_at=NOW)
    assert memory.classification is None
    assert len(problems) == 1
    assert str(problems[0]).startswith(f"memory m7: {where} is ")
    assert "allowed: " in str(problems[0])


def test_json_text_is_read_like_an_object() -> None:
    metadata = {"classification": json.dumps(AXES), "lineage": json.dumps(LINEAGE)}
    memory, problems = parse_memory("m", "t", metadata, inserted_at=NOW)
    assert problems == []
    assert memory.classification == axes()
    assert memory.lineage is not None and memory.lineage.access_count == 3


@pytest.mark.parametrize(
    ("key", "value", "default"),
    [
        pytest.param("access_count", -1, 0, id="negative count"),
        pytest.param("access_count", 2**70, 0, id="count that no database holds"),
        pytest.param("access_count", "many", 0, id="count in words"),
        pytest.param("last_accessed", "yesterday", None, id="no time"),
        pytest.param("superseded_by", 7, None, id="pointer is a number"),
        pytest.param("created_at", "soon", NOW, id="creation time"),
    ],
)
def test_invalid_lineage_field_takes_its_default_alone(key: str, value: object, default: object) -> None:
    memory, problems = parse_memory("m", "t", {"lineage": {**LINEAGE, key: value}}, inserted_at=NOW)
    assert len(problems) == 1
    assert memory.lineage is not None
    assert getattr(memory.lineage, key) == default
    assert memory.lineage.created_by_role is None


@pytest.mark.parametrize(
    ("axis", "spelled", "meant"),
    [
        ("utility", "load-bearing", Utility.LOAD_BEARING),
        ("utility", " Load Bearing ", Utility.LOAD_BEARING),
        ("validity", "CONFIRMED", Validity.CONFIRMED),
        ("source", "User_Asserted", Source.USER_ASSERTED),
        ("source", "agent-inferred", Source.AGENT_INFERRED),
        ("validity", enum.Enum("Theirs", {"A": "Deprecated"}).A, Validity.DEPRECATED),
    ],
)
def test_axes_in_other_spellings(axis: str, spelled: object, meant: object) -> None:
    """Q-06: read as what they mean, and written back as the specification has them."""
    stored = {**AXES, axis: spelled, "their_key": ["kept"]}
    memory, problems = parse_memory("m", "t", {"classification": stored}, inserted_at=NOW)
    assert problems == [] and memory.classification is not None
    assert write_record(memory.classification) == {**AXES, axis: meant, "their_key": ["kept"]}


@pytest.mark.parametrize("spelled", ["confirmed!", "con firmed", "", "bearing_load", "load_bearing_", 1, None, True])
def test_what_means_no_axis_is_none(spelled: object) -> None:
    stored = {**AXES, "utility": spelled}
    found = parse_memory("m", "t", {"classification": stored}, inserted_at=NOW)[0].classification
    assert found is None or (spelled, found.utility) == ("load_bearing_", Utility.LOAD_BEARING)


@pytest.mark.parametrize(("stored", "expected"), CASES["lineage_in_other_shapes"])
def test_lineage_in_other_shapes(stored: dict[str, Any], expected: dict[str, Any]) -> None:
    """Q-06, C-31, T-09, T-61: as other writers of these keys leave them; a time without an offset is this machine's."""
    memory, problems = parse_memory("m", "t", {"lineage": {**LINEAGE, **stored}}, inserted_at=NOW)
    assert problems == [] and memory.lineage is not None
    for name, value in expected.items():
        found = getattr(memory.lineage, name)
        found = [*found] if isinstance(found, tuple) else found
        assert found == (
            datetime.fromisoformat(value).astimezone(UTC) if isinstance(value, str) and "T" in value else value
        )
    again, _ = parse_memory("m", "t", {"lineage": write_record(memory.lineage)}, inserted_at=NOW)
    assert again.lineage == memory.lineage


def test_hidden_pointers_are_no_ids_to_the_host_and_come_back() -> None:
    """T-61: nothing that is left behind by an uninstall holds another memory's id as a value."""
    part = {"text": "a", "by": "m5", "at": "2026-01-01T00:00:00+00:00"}
    lineage = {**LINEAGE, "supersedes": "m3", "supersedes_ids": ["m3", "m4"], "outdated_parts": [part]}
    hidden = hide_pointers(lineage)
    assert hidden["outdated_parts"][0]["by"] != "m5"
    assert not {"m2", "m3", "m4"} & {hidden["supersedes"], hidden["superseded_by"], *hidden["supersedes_ids"]}
    assert hide_pointers(hidden) == hidden
    memory, _ = parse_memory("m", "t", {"lineage": hidden}, inserted_at=NOW)
    assert memory.lineage is not None
    assert (memory.lineage.supersedes, memory.lineage.superseded_by) == ("m3", "m2")
    assert [one.by for one in memory.lineage.outdated_parts] == ["m5"]


def test_hidden_pointers_of_quality_come_back() -> None:
    """T-61, Q-39, Q-63: stated relationships and citations hold ids too."""
    quality = {"score": 0.5, "citedBy": ["m2"], "relationships": [{"type": "supports", "target": "m3"}, 7]}
    hidden = hide_pointers(quality)
    assert hidden["citedBy"] != ["m2"]
    assert hidden["relationships"][0]["target"] != "m3"
    assert hidden["relationships"][1] == 7
    assert hide_pointers(hidden) == hidden
    assert quality["citedBy"] == ["m2"]
    hidden["relationships"].pop()
    for stored in (hidden, {("cited_by" if key == "citedBy" else key): one for key, one in hidden.items()}):
        memory, problems = parse_memory("m", "t", {"quality": stored}, inserted_at=NOW)
        assert problems == []
        assert memory.quality is not None
        assert (memory.quality.cited_by, memory.quality.relationships[0].target) == (("m2",), "m3")


@pytest.mark.parametrize(
    ("timestamp", "expected"),
    [
        pytest.param("2026-06-28T13:29:29+02:00", datetime(2026, 6, 28, 11, 29, 29, tzinfo=UTC), id="v1.16 and later"),
        pytest.param(datetime(2026, 6, 28, 11, tzinfo=UTC), datetime(2026, 6, 28, 11, tzinfo=UTC), id="a datetime"),
        pytest.param("soon", NOW, id="unreadable"),
        pytest.param(None, NOW, id="missing"),
        pytest.param("0001-01-01T00:00:00+14:00", NOW, id="outside the calendar"),
    ],
)
def test_host_timestamp(timestamp: object, expected: datetime) -> None:
    memory, _ = parse_memory("m", "t", {"timestamp": timestamp}, inserted_at=NOW)
    assert memory.created_at == expected


def test_naive_host_timestamp_is_this_machines_local_time() -> None:
    """Contract, section 4: up to v1.15 the host writes naive server time."""
    memory, _ = parse_memory("m", "t", {"timestamp": "2026-06-28 13:29:29"}, inserted_at=NOW)
    assert memory.created_at == datetime(2026, 6, 28, 13, 29, 29).astimezone(UTC)


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        pytest.param({"area": Area.MAIN}, ("main", False, False), id="enum member of v0.9.7"),
        pytest.param({"area": "solutions"}, ("solutions", True, False), id="solution"),
        pytest.param({}, ("main", False, False), id="no area"),
        pytest.param({"area": 7}, ("main", False, False), id="area is a number"),
        pytest.param({"knowledge_source": True}, ("main", False, True), id="T-47 knowledge"),
        pytest.param({"source_path": "/a0/knowledge/x.md"}, ("main", False, True), id="T-47 by its path"),
    ],
)
def test_host_metadata(metadata: dict[str, Any], expected: tuple[str, bool, bool]) -> None:
    memory, _ = parse_memory("m", "t", metadata, inserted_at=NOW)
    assert (memory.area, memory.is_solution, memory.is_knowledge) == expected


@pytest.mark.parametrize(
    ("origin", "expected"),
    [("user_asserted", Source.USER_ASSERTED), ("bookshelf_document", None), ("me", None), (7, None), (None, None)],
)
def test_explicit_origin(origin: object, expected: Source | None) -> None:
    assert parse_memory("m", "t", {"origin": origin}, inserted_at=NOW)[0].origin is expected


def test_quality_uses_the_specifications_camel_case_keys() -> None:
    """Q-02, T-54: stored keys exactly as specified; every field is optional on read."""
    stored = {"score": 0.9, "staleness": 0.1, "conflictRisk": 0.2, "validationErrors": ["a: b"], "citedBy": ["m2"]}
    record = Quality.model_validate(stored)
    assert write_record(record) == stored
    assert write_record(Quality()) == {}
