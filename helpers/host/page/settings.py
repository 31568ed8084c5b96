"""The settings page: the fields of the form, and the faults of a configuration."""

from __future__ import annotations

from typing import Any

from ...service.arguments import CheckSettings, Question
from ...setting_form import find_faults, list_sections, list_values
from ...store.files import CONFIG_FILE, read_settings_file
from .. import agent_zero


def read_settings(_: Question) -> dict[str, Any]:
    """Return all fields in their sections, and the values in the user's file, which fill the gaps of the dialog."""
    file_values = read_settings_file(agent_zero.memories_root() / CONFIG_FILE, [])
    return {"sections": list_sections(), "file": CONFIG_FILE, "in_file": list_values(file_values or {})}


def check_settings(asked: CheckSettings) -> dict[str, Any]:
    """Return the faults of a configuration: rows of (path, say)."""
    return {"faults": find_faults(asked.settings)}
