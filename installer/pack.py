"""The files of the pack, and those that hand over to them on a host without plugins."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from .layout import NAME, PACK, InstallError

# What a host needs, and what people read of it. Tests, benchmarks and whatever else lies in a checkout stay behind;
# config.json and .toggle-* are the user's and are never part of the pack.
_FILES = (
    "plugin.yaml",
    "default_config.yaml",
    "hooks.py",
    "execute.py",
    "install.py",
    "LICENSE",
    "README.md",
    "CHANGELOG.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
)
_FOLDERS = (
    "agent", "api", "commands", "config", "docs", "extensions", "helpers", "installer", "prompts", "tools", "webui",
)  # fmt: skip
_NEEDED = ("plugin.yaml", "hooks.py", "install.py", "helpers/__init__.py", "installer/__init__.py")
# Also what earlier versions of the pack brought, so that their records can be read and their files be removed.
_TOOLS = (NAME, NAME + "_*", "vault")
AID_FILES = {
    "tools": tuple(name + ".py" for name in _TOOLS),
    "prompts": tuple("agent.system.tool." + name + ".md" for name in _TOOLS),
}
HOOK_NAME = re.compile(r"_\d\d_\w+\.py")
_HOOK = re.compile(r"extensions/python/([a-z_]+)/(" + HOOK_NAME.pattern + ")")

_SHIM = '''"""{point}: hands over to Memory Ledger. Written by its install.py, which also removes it; do not edit."""

import importlib
import inspect
import logging

from python.helpers.extension import Extension

_HOOK = "{module}"


class MemoryLedgerShim(Extension):
    async def execute(self, **kwargs):
        try:
            module = importlib.import_module(_HOOK)
            classes = [value for value in vars(module).values() if inspect.isclass(value)]
            hooks = [cls for cls in classes if issubclass(cls, Extension) and cls.__module__ == _HOOK]
            if len(hooks) != 1:
                raise LookupError(str(len(hooks)) + " Extension classes in " + str(module.__file__) + "; allowed: 1")
            result = hooks[0](agent=self.agent).execute(**kwargs)
            return await result if inspect.isawaitable(result) else result
        except Exception as exc:
            if type(exc).__name__ == "InterventionException":
                raise
            self._report_once(exc)

    def _report_once(self, exc):
        reason = type(exc).__name__ + ": " + str(exc)
        try:
            reported = self.agent.get_data("_memory_ledger_reported") or []
            if reason in reported:
                return
            self.agent.set_data("_memory_ledger_reported", [*reported, reason])
            logging.getLogger("memory_ledger").error("%s: %s", _HOOK, reason)
            self.agent.context.log.log(
                type="warning",
                heading="Memory Ledger does not work at {point}; no memory was changed",
                content=reason + ". Its install.py can look into it: install.py doctor AGENT_ZERO_FOLDER",
            )
        except Exception:
            logging.getLogger("memory_ledger").exception("%s: %s", _HOOK, reason)
'''

_TOOL_SHIM = '''"""Hands over to Memory Ledger. Written by its install.py, which also removes it; do not edit."""

from usr.plugins.memory_ledger.tools.{module} import *
'''
_PROMPT_SHIM = """{{{{ include "{place}" }}}}
"""
_SHIM_MARKS = (
    b"MemoryLedgerShim(Extension)",
    b"from usr.plugins.memory_ledger.tools.",
    b'include "usr/plugins/memory_ledger/',
)


@dataclass(frozen=True)
class Pack:
    """The files of one copy of the pack; `files` maps a place inside it to the content."""

    folder: Path
    version: str
    files: dict[str, bytes]

    @property
    def hooks(self) -> list[tuple[str, str]]:
        """(point, file name) of every hook file."""
        return [(match[1], match[2]) for match in map(_HOOK.fullmatch, sorted(self.files)) if match]

    @property
    def aids(self) -> list[tuple[str, str]]:
        """(folder, file name) of every tool and of every prompt that describes one."""
        parts = [place.split("/") for place in sorted(self.files)]
        aids = [(part[0], part[1]) for part in parts if len(part) == 2]
        return [aid for aid in aids if is_aid_name(*aid)]


def is_aid_name(folder: str, file_name: str) -> bool:
    """Whether a file of this name, in this folder of the pack, is a tool of the pack or describes one."""
    return any(fnmatchcase(file_name, names) for names in AID_FILES.get(folder, ()))


def read_pack(folder: Path) -> Pack:
    """Read the copy of the pack in `folder`. Raises InstallError if a part without which nothing works is missing."""
    paths = [folder / name for name in _FILES]
    for name in _FOLDERS:
        paths += sorted((folder / name).rglob("*"))
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in paths
        if path.is_file() and not _is_by_product(path.relative_to(folder))
    }
    missing = [name for name in _NEEDED if name not in files]
    if missing:
        raise InstallError(f"{folder}: this copy of Memory Ledger is incomplete; missing: {', '.join(missing)}")
    name = plugin_value(files["plugin.yaml"], "name")
    if name != NAME:
        raise InstallError(f"{folder}/plugin.yaml: name is {name!r}; allowed: {NAME!r}")
    return Pack(folder, plugin_value(files["plugin.yaml"], "version"), files)


def _is_by_product(path: Path) -> bool:
    return "__pycache__" in path.parts or path.suffix == ".pyc" or any(part.startswith(".") for part in path.parts)


def plugin_value(plugin_yaml: bytes, key: str) -> str:
    """Return the value of a plain key of our plugin.yaml; empty without one."""
    match = re.search(rf"^{key}:[ \t]*(.*?)[ \t]*$", plugin_yaml.decode("utf-8", "replace"), re.MULTILINE)
    return match[1].strip("\"'") if match else ""


def shim_text(point: str, file_name: str) -> bytes:
    """Return the file for a host without plugins that hands over to `extensions/python/<point>/<file_name>`.

    It holds one Extension subclass, imports nothing of the pack before it runs, and lets no failure of the
    pack reach the host's loop, where it would end the user's turn.
    """
    module = f"{PACK.replace('/', '.')}.extensions.python.{point}.{file_name[:-3]}"
    return _SHIM.format(point=point, module=module).encode()


def aid_text(folder: str, file_name: str) -> bytes:
    """Return the file for a host without plugins that hands over to a file in `tools/` or `prompts/`.

    The host takes a tool's class from whatever a file imports, and finds an included prompt by its path.
    """
    if folder == "tools":
        return _TOOL_SHIM.format(module=file_name[:-3]).encode()
    return _PROMPT_SHIM.format(place=f"{PACK}/{folder}/{file_name}").encode()


def is_shim(content: bytes) -> bool:
    """Whether a file outside the pack's folder hands over to the pack, of whatever version."""
    return any(mark in content for mark in _SHIM_MARKS)


def digest(content: bytes) -> str:
    """Return the sha256 that the record keeps of a file."""
    return hashlib.sha256(content).hexdigest()
