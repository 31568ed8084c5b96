"""Settings: one default each, bounds, and layers that never lose a valid key."""

import json
import re
from pathlib import Path

import pytest
import yaml
from case_tables import read_case, read_cases
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.quality.kinds import STALENESS_RATES, MemoryType
from memory_ledger.settings import Settings, default_values, list_settings, load_settings, without_defaults
from settings_files import PLUGIN_FILE, SCHEMA_FILE, SPECIFICATION_FILE, main

CASES = read_cases(__file__)

ROOT = Path(__file__).resolve().parents[2]

#: The defaults of the three specifications, in their keys.
SPECIFIED = json.loads(read_case(__file__, "specified_settings.json"))


def test_defaults_are_the_specifications() -> None:
    """C-72, E-17, E-20, E-36, M-23a, Q-15: keys and values exactly as specified, in the packaged file as well."""
    packaged = json.loads((ROOT / SPECIFICATION_FILE).read_text("utf-8"))
    for found in (packaged, default_values()):
        found["distillation"] = {key: found["distillation"][key] for key in SPECIFIED["distillation"]}  # it has more
        assert {key: found[key] for key in SPECIFIED} == SPECIFIED
    first = [key for key, value in SPECIFIED.items() if not isinstance(value, dict)]
    assert list(packaged)[: len(first)] == first


def test_packaged_files_equal_the_settings(tmp_path: Path) -> None:
    """V-09: a default stands in one place: all three files are what `Settings` writes."""
    assert main([str(tmp_path)]) == 0
    for name in (SPECIFICATION_FILE, SCHEMA_FILE, PLUGIN_FILE):
        assert (tmp_path / name).read_text("utf-8") == (ROOT / name).read_text("utf-8")
    assert yaml.safe_load((ROOT / PLUGIN_FILE).read_text("utf-8")) == default_values()
    assert main([]) == 2


def test_no_layer_gives_the_defaults() -> None:
    assert load_settings([]) == (Settings(), [])
    settings, problems = load_settings([("file", {"conflict_top_k": 7})])
    assert settings.conflict_top_k == 7
    assert settings.max_injected_memories == 8
    assert problems == []


def test_higher_layer_wins_key_by_key() -> None:
    """T-16: lowest first; a key that the higher layer lacks keeps its value from below."""
    settings, _ = load_settings([("low", {"conflict_top_k": 7, "enable_purge": True}), ("high", {"conflict_top_k": 9})])
    assert (settings.conflict_top_k, settings.enable_purge) == (9, True)


@pytest.mark.parametrize(("key", "value"), CASES["bad_key_keeps_the_value_from_below_and_is_named_once"])
def test_bad_key_keeps_the_value_from_below_and_is_named_once(key: str, value: object) -> None:
    low = {"max_injected_memories": 5, "load_bearing_keywords": ["sacred"]}
    settings, problems = load_settings([("low", low), ("high", {key: value, "conflict_top_k": 9})])
    assert settings.conflict_top_k == 9
    assert settings.max_injected_memories == 5
    assert settings.load_bearing_keywords == ("sacred",)
    assert len(problems) == 1
    assert problems[0].where == f"high: setting {key}"
    assert problems[0].allowed


@pytest.mark.parametrize("value", [7.5, "many", None, -1, True, [], ["a", 7], {"a": 1}, float("nan"), 10**30, [""]])
def test_what_is_allowed_is_said_in_plain_words(value: object) -> None:
    """C-72: none of what the validating library says of itself, its types or its inputs."""
    for name, _, _ in list_settings():
        group, _, key = name.rpartition(".")
        for one in load_settings([("file", {group: {key: value}} if group else {key: value})])[1]:
            is_plain = re.search(r"input|should|valid|tuple|value error|^allowed|Model|_", one.allowed) is None
            assert is_plain or one.allowed.startswith("'") or one.found == "unknown", name


_ANY_VALUE = st.none() | st.text() | st.integers() | st.floats() | st.lists(st.text())
_INNER_KEYS = sorted(name.partition(".")[2] for name, _, _ in list_settings())


@given(
    st.dictionaries(
        st.sampled_from(sorted(Settings.model_fields)),
        _ANY_VALUE | st.dictionaries(st.sampled_from(_INNER_KEYS), _ANY_VALUE),
    )
)
def test_any_layer_gives_valid_settings(layer: dict[str, object]) -> None:
    settings, _ = load_settings([("layer", layer)])
    assert Settings.model_validate(settings.model_dump()) == settings


def test_a_group_is_applied_key_by_key() -> None:
    """C-72, C-73, E-47: what a layer does not say of a group keeps its value from below; a bad key is named alone."""
    low = {"temporal_decay": {"half_life_hours": 24, "decay_weight": 0.3}}
    high = {"temporal_decay": {"decay_weight": 2, "min_recency_score": 0.2, "speed": 1}}
    settings, problems = load_settings([("low", low), ("high", high)])
    decay = settings.temporal_decay
    assert (decay.half_life_hours, decay.decay_weight, decay.min_recency_score) == (24, 0.3, 0.2)
    assert [one.where for one in problems] == [
        "high: setting temporal_decay.decay_weight",
        "high: setting temporal_decay.speed",
    ]


def test_what_equals_a_default_is_no_decision() -> None:
    """T-16: the host's dialog saves every key; only what differs is the user's, within a group as well."""
    config = default_values()
    assert without_defaults(config) == {}
    config["lexical"] = {**config["lexical"], "weight": 0.7}
    config["conflict_top_k"] = 9
    assert without_defaults(config) == {"lexical": {"weight": 0.7}, "conflict_top_k": 9}


@pytest.mark.parametrize("layer", [7, "text", ["a"], None], ids=str)
def test_layer_that_is_no_object(layer: object) -> None:
    settings, problems = load_settings([("file", layer)])
    assert settings == Settings()
    assert len(problems) == 1


@pytest.mark.parametrize("key", ["stalenessConfig", "staleness_config"])
def test_staleness_of_one_type_can_be_configured(key) -> None:
    """Q-15, T-54: in the specification's keys; a type that is not named keeps its rates."""
    layer = {key: {"fact": {"halfLifeDays": 7, "accessDecayDays": None}}}
    settings, problems = load_settings([("file", layer)])
    rates = settings.staleness_config
    assert not problems
    assert (rates[MemoryType.FACT].half_life_days, rates[MemoryType.FACT].access_decay_days) == (7, None)
    assert {one: rates[one] for one in MemoryType if one is not MemoryType.FACT} == {
        one: STALENESS_RATES[one] for one in MemoryType if one is not MemoryType.FACT
    }


@pytest.mark.parametrize("rates", [{"fact": {"halfLifeDays": 0, "accessDecayDays": 1}}, {"mood": {}}, 3])
def test_a_staleness_that_cannot_be_is_named(rates) -> None:
    settings, problems = load_settings([("file", {"stalenessConfig": rates})])
    assert len(problems) == 1 and "staleness_config" in problems[0].where
    assert settings.staleness_config == STALENESS_RATES
