"""The settings as a person chooses them: all of them, in the words of `Settings`; and what is wrong."""

import json
import re
from typing import Any

import pytest
from case_tables import read_cases
from core_tools import json_of
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.setting_form import SECTIONS, find_faults, list_sections, list_values
from memory_ledger.settings import default_values, list_settings, load_settings

CASES = read_cases(__file__)


def _fields() -> list[dict[str, Any]]:
    return [field for section in list_sections() for block in section["blocks"] for field in block["fields"]]


def test_each_setting_has_one_field_with_its_default() -> None:
    """C-72: no setting is forgotten, none stands twice, and each default is that of `Settings`."""
    assert sorted(one["name"] for one in _fields()) == sorted(name for name, _, _ in list_settings())
    defaults = {name: default for name, _, default in list_settings()}
    assert {one["name"]: one["default"] for one in _fields()} == defaults


def test_what_is_sent_to_the_page_is_json() -> None:
    assert json.loads(json.dumps(list_sections())) == list_sections()
    assert [one["title"] for one in list_sections()] == list(SECTIONS)


def test_helps_are_plain_and_come_from_the_settings() -> None:
    """In the words of docs/settings.md, without what only the specification knows; a switch is on or off."""
    described = {name: field.description for name, field, _ in list_settings()}
    for field in _fields():
        assert field["help"] and field["label"] and not re.search(r"`|\b[A-Z]-\d", field["help"])
        assert (
            not {"true", "false"} & {*field["help"].replace(";", " ").split()} or "is true" in described[field["name"]]
        )


@pytest.mark.parametrize(("name", "kind"), CASES["a_value_is_entered_as_what_it_is"])
def test_a_value_is_entered_as_what_it_is(name: str, kind: str) -> None:
    field = next(one for one in _fields() if one["name"] == name)
    assert field["kind"] == kind
    assert field["optional"] == (field["default"] is None)
    assert bool(field["choices"]) == (kind in ("choice", "choices"))


def test_each_fault_is_named_with_the_way_to_it() -> None:
    """C-72: in the words of the chat's log; a group key by key; of a default none."""
    assert find_faults(default_values()) == find_faults({}) == []
    given = {
        "lexical": {"candidates": "x", "loud": 1, "enabled": True},
        "vault": 3,
        "nope": 1,
        "staleness_config": "{fact",
        "conflict_top_k": 9,
    }
    assert [(one["path"], one["say"]) for one in find_faults(given)] == [
        (["lexical", "candidates"], "lexical.candidates is 'x'; allowed: a whole number"),
        (["lexical", "loud"], "lexical.loud is no setting of this version"),
        (["vault"], "vault is 3; allowed: an object"),
        (["nope"], "nope is no setting of this version"),
        (
            ["staleness_config"],
            "staleness_config is not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
        ),
    ]


_JSON = json_of(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8), max_leaves=6)
_KEYS = [name.partition(".")[0] for name, _, _ in list_settings()]


@given(st.dictionaries(st.sampled_from(_KEYS) | st.text(max_size=8), _JSON, max_size=4))
def test_what_has_no_fault_applies_and_what_has_one_does_not(layer: dict[str, Any]) -> None:
    """The page names exactly what the pack would leave out of the same configuration, in a length to be shown."""
    faults = find_faults(layer)
    problems = load_settings([("plugin configuration", layer)])[1]
    assert {tuple(one["path"]) for one in faults} <= {(key,) for key in layer} | {
        (key, inner) for key, value in layer.items() if isinstance(value, dict) for inner in value
    }
    assert bool(faults) <= bool(problems)
    assert all(0 < len(one["say"]) <= 300 for one in faults)


def test_values_of_a_file_are_those_that_apply() -> None:
    layer = {"lexical": {"enabled": True, "candidates": 7}, "conflict_top_k": 9, "nope": 1, "turn_window": "x"}
    assert list_values(layer) == {"conflict_top_k": 9, "lexical.candidates": 7}
    assert list_values({}) == {}
