"""The packaged settings files, written from `Settings` so that a default stands in one place only.

    python generators/settings_files.py FOLDER

writes `config/classification_config.json`, `config/faiss_schema.json` and `default_config.yaml` into FOLDER.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from generating import write_files
from memory_ledger.notes.model import NotesMeta
from memory_ledger.setting_groups import Notes, Vault
from memory_ledger.settings import Settings, default_values, list_settings
from pydantic import BaseModel

SPECIFICATION_FILE = "config/classification_config.json"
SCHEMA_FILE = "config/faiss_schema.json"
PLUGIN_FILE = "default_config.yaml"

# The keys of the classification specification, in its order (C-72); the rest follows as it stands in `Settings`.
_SPECIFIED = (
    "load_bearing_keywords",
    "archival_threshold_cycles",
    "deprecation_retention_cycles",
    "max_injected_memories",
    "maintenance_interval_loops",
    "conflict_top_k",
    "enable_purge",
)


def render_specification_file() -> str:
    """Return the defaults as JSON in the specification's own shape."""
    values = default_values()
    ordered = {key: values[key] for key in (*_SPECIFIED, *values)}
    return json.dumps(ordered, indent=2, ensure_ascii=False) + "\n"


def render_plugin_file() -> str:
    """Return the defaults as YAML with a comment above each key; a JSON value is a YAML value."""
    lines = ["# Memory Ledger: every setting with its default. Written from helpers/settings.py."]
    group = ""
    for path, field, value in list_settings():
        key, _, name = path.partition(".")
        if name and key != group:
            lines += [f"# {Settings.model_fields[key].description}", f"{key}:"]
            group = key
        indent = "  " if name else ""
        lines.append(f"{indent}# {field.description}")
        lines.append(f"{indent}{name or key}: {json.dumps(value, ensure_ascii=False)}")
    return "\n".join(lines) + "\n"


def render_schema() -> str:
    """Return the JSON Schema of what configures the vector systems of vault and notes, and of a built index (V-09)."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Memory Ledger: the FAISS indexes over the vault and the notes",
        "description": "`vault` and `notes` are groups of settings, `notes_meta` is the file beside an index.",
        "type": "object",
        "properties": {"vault": _inlined(Vault), "notes": _inlined(Notes), "notes_meta": _inlined(NotesMeta)},
        "additionalProperties": False,
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _inlined(model: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a model with every part at its place."""
    schema = model.model_json_schema(mode="serialization")
    parts = schema.pop("$defs", {})

    def inline(value: Any) -> Any:
        if isinstance(value, dict):
            part = parts[value["$ref"].rpartition("/")[2]] if "$ref" in value else {}
            merged = {**part, **{key: one for key, one in value.items() if key != "$ref"}}
            return {key: inline(one) for key, one in merged.items()}
        return [inline(one) for one in value] if isinstance(value, list) else value

    inlined: dict[str, Any] = inline(schema)
    return inlined


def main(argv: Sequence[str]) -> int:
    """Write the files into the folder named by `argv`; 0 when done, 2 on misuse."""
    return write_files(
        argv,
        __doc__,
        lambda _: {
            SPECIFICATION_FILE: render_specification_file(),
            SCHEMA_FILE: render_schema(),
            PLUGIN_FILE: render_plugin_file(),
        },
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
