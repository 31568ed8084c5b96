"""plugin.yaml and the pack's top level, against what Agent Zero's plugin system and the Plugin Hub expect."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
# The keys of the host's PluginMetadata without `always_enabled`, which is the framework's own.
KEYS = {"name", "title", "description", "version", "settings_sections", "per_project_config", "per_agent_config"}
SECTIONS = {"agent", "external", "mcp", "developer", "backup"}
HOOKS = sorted((ROOT / "extensions/python").glob("*/*.py"))


@pytest.fixture(scope="module")
def manifest():
    return yaml.safe_load((ROOT / "plugin.yaml").read_text(encoding="utf-8"))


def test_the_manifest_has_exactly_the_keys_that_the_host_reads(manifest):
    assert set(manifest) == KEYS


def test_the_manifest_says_what_this_plugin_is(manifest):
    assert manifest["name"] == "memory_ledger"
    assert re.fullmatch(r"[a-z0-9_]+", manifest["name"])
    assert not manifest["name"].startswith("_"), "reserved for built-in plugins"
    assert manifest["title"] == "Memory Ledger"
    assert manifest["settings_sections"] == ["agent"]
    assert set(manifest["settings_sections"]) <= SECTIONS
    assert manifest["per_project_config"] is True
    assert manifest["per_agent_config"] is True


def test_title_and_description_fit_the_plugin_index(manifest):
    """The index refuses a title over 50 characters and a description over 500."""
    assert 0 < len(manifest["title"]) <= 50
    assert 0 < len(manifest["description"]) <= 500


def test_the_version_is_text_and_the_same_everywhere(manifest):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert isinstance(manifest["version"], str)
    assert manifest["version"] == project["version"]
    assert project["name"] == manifest["name"].replace("_", "-")


def test_the_pack_is_a_plugin_as_it_stands():
    """P-01: the top level that a host, the index and install.py need."""
    for name in ("extensions", "helpers", "config", "tests", "install.py", "hooks.py", "plugin.yaml", "pyproject.toml"):
        assert (ROOT / name).exists(), name


def test_the_plugin_hooks_are_the_ones_that_the_host_calls_and_are_not_async():
    """An async plugin hook fails inside the host's running event loop."""
    source = (ROOT / "hooks.py").read_text(encoding="utf-8")
    assert {"install", "uninstall", "pre_update"} <= set(re.findall(r"^def (\w+)\(\)", source, re.MULTILINE))
    assert "async def" not in source
    assert "sys.path" not in source


@pytest.mark.parametrize("path", HOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_hook_files_are_numbered_and_lie_directly_at_their_point(path):
    """P-03: the number orders them, and the host runs every file in the folder."""
    assert re.fullmatch(r"_\d\d_[a-z0-9_]+\.py", path.name)


def test_no_hook_file_has_the_name_of_another_at_its_point():
    assert len({(path.parent.name, path.name) for path in HOOKS}) == len(HOOKS)
