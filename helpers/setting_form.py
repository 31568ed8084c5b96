"""The settings in a person's form: in sections, each with its help, its default and its kind; and the faults of values.

Names, helps, defaults and bounds are those of `Settings`; only their grouping stands here. Pure.
"""

from __future__ import annotations

import functools
import json
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from .errors import reason_of
from .language.tables import read_table
from .settings import Settings, list_settings, load_settings, without_defaults
from .texts import regex

_TABLE = read_table(__file__, "setting_form")
_LABELS: Mapping[str, str] = {**_TABLE["first"], **_TABLE["weights"]}
#: The sections of the form. A group stands for all of its settings that no section names by itself.
SECTIONS: Mapping[str, Sequence[str]] = {"Most used": [*_TABLE["first"]], **_TABLE["sections"]}

_LONGEST_SENTENCE = 300
_LAYER = "settings: setting "
# The requirement behind a setting means nothing to a person who sets it.
_REQUIREMENTS = regex(r"\s*\((?:[A-Z]-\d+\w?(?:, )?)+\)")
_WORDS = regex(r"\w+")
_SWITCHED: Mapping[str, str] = {"true": "on", "false": "off"}
# The effect of a value stands after it.
_VALUE = regex(r"(^|; )(true|false)\b")


class FieldKind(StrEnum):
    """The kind of input for a value."""

    SWITCH = "switch"
    NUMBER = "number"
    TEXT = "text"
    CHOICE = "choice"
    CHOICES = "choices"
    LINES = "lines"
    JSON = "json"


_KINDS: Mapping[str, FieldKind] = {
    "boolean": FieldKind.SWITCH,
    "integer": FieldKind.NUMBER,
    "number": FieldKind.NUMBER,
    "string": FieldKind.TEXT,
}


def list_sections() -> list[dict[str, Any]]:
    """Return the sections (title, blocks): a block (title, help, fields) belongs to one group, or to none.

    A field has its dotted name, label, help, default, kind and choices; an `optional` one may be null.
    """
    fields, named = _fields(), {name for names in SECTIONS.values() for name in names}
    sections = []
    for title, names in SECTIONS.items():
        blocks: list[dict[str, Any]] = []
        for name in names:
            group = {key: field for key, field in fields.items() if key.startswith(f"{name}.") and key not in named}
            if name not in fields:
                help_ = Settings.model_fields[name].description
                blocks.append({"title": _in_words(name), "help": _plain(help_ or ""), "fields": [*group.values()]})
            elif blocks and not blocks[-1]["title"]:
                blocks[-1]["fields"].append(fields[name])
            else:
                blocks.append({"title": "", "help": "", "fields": [fields[name]]})
        sections.append({"title": title, "blocks": blocks})
    return sections


def find_faults(configuration: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the values of a configuration that cannot be applied: rows of (path of keys, sentence)."""
    faults = []
    structured = {name for name, field in _fields().items() if field["kind"] == FieldKind.JSON}
    for path, value in _list_chosen(configuration):
        if path[0] in structured and isinstance(value, str) and (fault := _json_fault(value)):
            faults.append({"path": path, "say": f"{path[0]} is not JSON: {fault}"})
            continue
        layer: Any = value
        for key in reversed(path):
            layer = {key: layer}
        for problem in load_settings([("settings", layer)])[1]:
            name = problem.where.removeprefix(_LAYER)
            say = f"{name} is no setting of this version" if problem.found == "unknown" else str(problem)
            faults.append({"path": path, "say": say.removeprefix(_LAYER)[:_LONGEST_SENTENCE]})
    return faults


def list_values(layer: object) -> dict[str, Any]:
    """Return by dotted name the values of a layer that apply and are not the default."""
    settings = load_settings([("", layer)])[0].model_dump(mode="json")
    return {
        ".".join(path): functools.reduce(operator.getitem, path, settings)
        for path, _ in _list_chosen(without_defaults(settings))
    }


def _list_chosen(layer: Mapping[str, Any]) -> Iterator[tuple[list[str], Any]]:
    """Yield the values that are no default, in a group key by key, each with its path."""
    groups = {name.partition(".")[0] for name, _, _ in list_settings() if "." in name}
    for key, value in without_defaults(layer).items():
        if key in groups and isinstance(value, Mapping):
            yield from (([key, inner], inner_value) for inner, inner_value in value.items())
        else:
            yield [key], value


def _json_fault(text: str) -> str:
    """Return why a text is no JSON; empty if it is."""
    try:
        json.loads(text)
    except (ValueError, RecursionError) as exc:
        return reason_of(exc)
    return ""


def _fields() -> dict[str, dict[str, Any]]:
    schema = Settings.model_json_schema()
    return {
        name: _field(name, info.description or "", default, _schema_of(name, schema))
        for name, info, default in list_settings()
    }


def _schema_of(name: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schema of a setting with its references, or those of its items, resolved."""
    part: Mapping[str, Any] = schema

    def resolved(part: Mapping[str, Any]) -> Mapping[str, Any]:
        return schema["$defs"][part["$ref"].rpartition("/")[2]] if "$ref" in part else part

    for key in name.split("."):
        part = resolved(part["properties"][key])
    return {**part, "items": resolved(part["items"])} if "items" in part else part


def _field(name: str, description: str, default: Any, schema: Mapping[str, Any]) -> dict[str, Any]:
    is_optional = "anyOf" in schema
    kind, choices = _kind(schema["anyOf"][0] if is_optional else schema)
    return {
        "name": name,
        "label": _label(name),
        "help": _plain(description, choices, is_optional=is_optional),
        "default": default,
        "kind": kind.value,
        "choices": choices,
        "optional": is_optional,
    }


def _label(name: str) -> str:
    """Return the label of a setting; a switch of a group bears the name of the group."""
    group, _, key = name.rpartition(".")
    return _LABELS.get(name) or _in_words(group if key == "enabled" else key)


def _kind(schema: Mapping[str, Any]) -> tuple[FieldKind, list[str]]:
    """Return the kind of input of a setting, and its choices."""
    items = schema.get("items", {})
    if "enum" in schema:
        return FieldKind.CHOICE, schema["enum"]
    if "enum" in items:
        return FieldKind.CHOICES, items["enum"]
    if items.get("type") == "string":
        return FieldKind.LINES, []
    return _KINDS.get(schema["type"], FieldKind.JSON), []


def _in_words(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _plain(description: str, choices: Iterable[str] = (), *, is_optional: bool = False) -> str:
    """Return a help in the words of the page, where a value is a switch, a choice or an empty field."""
    words = {
        **_SWITCHED,
        **{choice: choice.replace("_", " ") for choice in choices},
        **({"null": "empty"} if is_optional else {}),
    }
    text = _VALUE.sub(r"\1\2:", _REQUIREMENTS.sub("", description)).replace("`", "")
    text = _WORDS.sub(lambda match: words.get(match[0], match[0]), text)
    return text[:1].upper() + text[1:]
