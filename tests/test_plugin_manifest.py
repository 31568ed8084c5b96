"""plugin.yaml and the pack's top level, against what Agent Zero's plugin system and the Plugin Hub expect."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import runpy
import struct
import tomllib
import zlib
from pathlib import Path

import memory_ledger
import numpy as np
import pytest
import yaml
from documents import tracked
from rows import every_row
from thumbnail import SIZE, THUMBNAIL_FILE, draw, main

ROOT = Path(__file__).resolve().parents[1]
# The keys of the host's PluginMetadata without `always_enabled`, which is the framework's own.
KEYS = {"name", "title", "description", "version", "settings_sections", "per_project_config", "per_agent_config"}
SECTIONS = {"agent", "external", "mcp", "developer", "backup"}


@pytest.fixture(scope="module")
def manifest():
    return yaml.safe_load((ROOT / "plugin.yaml").read_text(encoding="utf-8"))


def test_the_manifest_says_what_this_plugin_is(manifest):
    """Manifest: the keys and types that a host reads; a page of settings without a section would never be offered.

    The index refuses a title over 50 characters and a description over 500.
    """
    assert set(manifest) == KEYS
    assert 0 < len(manifest["title"]) <= 50 and 0 < len(manifest["description"]) <= 500
    for key in ("name", "title", "description", "version"):
        assert isinstance(manifest[key], str) and manifest[key].strip() == manifest[key]
    assert manifest["name"] == "memory_ledger"
    assert re.fullmatch(r"[a-z0-9_]+", manifest["name"])
    assert not manifest["name"].startswith("_"), "reserved for built-in plugins"
    assert manifest["title"] == "Memory Ledger"
    assert manifest["settings_sections"] == ["agent"] and "agent" in SECTIONS
    assert (ROOT / "webui/config.html").is_file()
    assert manifest["per_project_config"] is True
    assert manifest["per_agent_config"] is True


def test_the_version_is_text_and_the_same_everywhere(manifest):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert isinstance(manifest["version"], str)
    assert manifest["version"] == memory_ledger.__version__ == importlib.metadata.version("memory-ledger")
    assert project["name"] == manifest["name"].replace("_", "-")


def test_the_plugin_hooks_are_the_ones_that_the_host_calls_and_are_not_async():
    """An async plugin hook fails inside the host's running event loop."""
    source = (ROOT / "hooks.py").read_text(encoding="utf-8")
    assert {"install", "uninstall", "pre_update"} <= set(re.findall(r"^def (\w+)\(\)", source, re.MULTILINE))
    assert "async def" not in source
    assert "sys.path" not in source


# --- what the plugin validator of a host, a model with a list, looks at: each point, in its order ---------------------

#: What lies at the root: what a host reads of a plugin, what this project needs, and how people get it.
OF_A_PLUGIN = {
    "plugin.yaml", "default_config.yaml", "hooks.py", "execute.py", "README.md", "LICENSE",
    "api", "commands", "extensions", "helpers", "prompts", "tools", "webui",
}  # fmt: skip
OF_THE_PROJECT = {
    "agent", "install.py", "installer", "config", "docs", "tests", "benchmarks", "generators", "Makefile",
    "pyproject.toml", "MANIFEST.in", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md",
}  # fmt: skip
RUN_BY_A_HOST = ("api", "commands", "extensions", "helpers", "tools")
MODULES = sorted(path for folder in RUN_BY_A_HOST for path in (ROOT / folder).rglob("*.py"))
WEB_FILES = sorted((*(ROOT / "webui").iterdir(), *(ROOT / "extensions/webui").rglob("*.html")))
#: What reaches other machines. Where a person has set a URL of s3 or redis, libraries for these are imported by name.
REACHING = {"requests", "httpx", "aiohttp", "http", "urllib3", "smtplib", "ftplib", "websockets", "telnetlib"}
UNPACKING = {"zipfile", "tarfile", "shutil.unpack_archive"}
#: Asks whether the model that it needs may be fetched, as the host's own library would.
FETCHING = {"helpers/store/embedding.py"}
#: The store is the host's, in the host's own format.
DOCSTORE = ROOT / "helpers/store/docstore_file.py"
KEY = re.compile(
    r"\b(?:sk-\w{20,}|gh[ps]_\w{30,}|AKIA[A-Z0-9]{16}|xox[bp]-[\w-]{20,})|-----BEGIN [A-Z ]*PRIVATE KEY-----\s+\w"
)
MOST_THUMBNAIL_BYTES = 20 * 1024


def _tree(path):
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def _imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _calls(tree):
    return {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}


def test_nothing_unknown_lies_at_the_root():
    """Structure: what a host reads, and what a project needs; no file by accident."""
    assert {name.split("/")[0] for name in tracked() if not name.startswith(".")} <= OF_A_PLUGIN | OF_THE_PROJECT
    assert all((ROOT / one).exists() for one in OF_A_PLUGIN)


@pytest.mark.parametrize(("folder", "base", "method"), [("api", "ApiHandler", "process"), ("tools", "Tool", "execute")])
def test_what_a_host_takes_by_its_base_class_has_one(folder, base, method):
    """Structure, API handlers, Tools: one class in each file, with the asynchronous method that the host calls."""
    files = sorted((ROOT / folder).iterdir())
    assert files
    for path in files:
        if path.name == "__pycache__":
            continue
        (found,) = [node for node in _tree(path).body if isinstance(node, ast.ClassDef)]
        assert [ast.unparse(one) for one in found.bases] == [base], path.name
        assert [one.name for one in found.body if isinstance(one, ast.AsyncFunctionDef)] == [method], path.name


def test_extensions_lie_where_a_host_looks():
    """Structure, Python extensions: `python/<point>/` and `webui/<point>/`; the flattened form is retired."""
    for path in sorted((ROOT / "extensions").rglob("*")):
        if path.is_dir() or "__pycache__" in path.parts:
            continue
        kind, point, name = path.relative_to(ROOT / "extensions").parts
        assert (kind, path.suffix) in {("python", ".py"), ("webui", ".html")}, path
        assert not re.search(r"_(?:start|end)$", point) or point in {"monologue_start", "monologue_end"}, path
        assert name


def test_the_slash_command_opens_the_page():
    """Issue 47: in the form that `_commands` of v2.4 and v2.6 reads; the page is there, and so is the script."""
    row = yaml.safe_load((ROOT / "commands/memory.command.yaml").read_text(encoding="utf-8"))
    (effect,) = runpy.run_path(str(ROOT / "commands" / row["script_path"]))["run"]({})["effects"]
    page = ROOT / effect["path"].removeprefix("/plugins/memory_ledger/")
    assert (row["name"], row["type"], effect["type"], page.is_file()) == ("memory", "script", "open_modal", True)


def test_the_script_for_a_person_is_a_script():
    """Structure, execute.py pattern: `main()`, and its status as the script's."""
    source = (ROOT / "execute.py").read_text(encoding="utf-8")
    assert re.search(r"^def main\(", source, re.MULTILINE)
    assert source.endswith('\nif __name__ == "__main__":\n    sys.exit(main())\n')
    assert not {"sys.path", "subprocess", "os.system"} & _calls(ast.parse(source))


def test_the_licence_is_one_that_people_know():
    """LICENSE: needed by the index, at the root."""
    assert "MIT License" in (ROOT / "LICENSE").read_text(encoding="utf-8").splitlines()[0] or (
        "Apache License" in (ROOT / "LICENSE").read_text(encoding="utf-8")
    )


@every_row((path,) for path in WEB_FILES)
def test_pages_wait_for_their_store_and_stores_are_made_the_hosts_way(path):
    """Store gate, store definition. Notifications: a host shows them as HTML, so what may hold a memory's words is
    said on the page instead, as its own dashboard does."""
    if path.match("webui/*.html") and path.stem in ("main", "memory", "write", "config"):  # the others lie within these
        gates = re.findall(r'<template x-if="([^"]*)">', path.read_text(encoding="utf-8"))
        assert "$store.memoryLedger" in gates[0]
    if path.suffix in (".html", ".js"):
        source = path.read_text(encoding="utf-8")
        assert "alpine:init" not in source and "Alpine.store(" not in source and "Alpine.data(" not in source
        assert "createStore(" not in source or 'import { createStore } from "/js/AlpineStore.js";' in source
        assert "toast" not in source.lower()


@every_row((path,) for path in MODULES)
def test_nothing_is_run_unpacked_or_called_for(path):
    """Code and security: no text becomes code or a command, no archive is unpacked, no other machine is called."""
    tree = _tree(path)
    names = {*_imported(tree)}
    assert not names & {"helpers.context", "subprocess", "marshal"}
    assert not {name.split(".")[0] for name in names} & (REACHING | UNPACKING)
    assert "urllib.request" not in names or path.relative_to(ROOT).as_posix() in FETCHING
    assert not _calls(tree) & {"eval", "exec", "compile", "__import__", "os.system", "os.popen"}
    assert "pickle.loads" not in _calls(tree) or path == DOCSTORE


def test_nothing_is_installed_when_the_plugin_comes():
    """Hooks runtime: what the pack needs is what a host has."""
    source = (ROOT / "hooks.py").read_text(encoding="utf-8")
    assert not re.search(r"\bpip\b|subprocess|requirements", source)


def test_no_key_lies_in_what_a_host_runs():
    """Security: nothing that looks like somebody's key."""
    for path in [*MODULES, *(one for one in WEB_FILES if one.suffix != ".png"), ROOT / "hooks.py", ROOT / "execute.py"]:
        assert not KEY.search(path.read_text(encoding="utf-8")), path


def test_the_picture_is_what_index_and_card_want(tmp_path):
    """The index: square, at most 20 KB; and it is the one that its generator draws."""
    content = (ROOT / THUMBNAIL_FILE).read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n" and len(content) <= MOST_THUMBNAIL_BYTES
    width, height = struct.unpack(">II", content[16:24])
    assert width == height == SIZE
    drawn = zlib.decompress(content[41 : 41 + struct.unpack(">I", content[33:37])[0]])
    rows = np.frombuffer(drawn, dtype=np.uint8).reshape(height, 1 + 4 * width)[:, 1:].reshape(height, width, 4)
    assert np.abs(rows.astype(int) - draw().astype(int)).max() <= 1
    (tmp_path / "webui").mkdir()
    assert (main([str(tmp_path)]), main([])) == (0, 2)
    assert (tmp_path / THUMBNAIL_FILE).read_bytes()[:8] == content[:8]
