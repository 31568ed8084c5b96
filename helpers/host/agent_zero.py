"""What the surrounding Agent Zero offers, whichever release it is; nothing else imports from the host.

v0.9.x keeps its code under `python`; from v0.9.9 on the memory is a built-in plugin (contract, sections 1 and 7).
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from ..errors import HostError

PLUGIN_NAME = "memory_ledger"

_MEMORY_PLUGIN = "_memory"
_PLUGIN_CONFIG = "config.json"
_MEMORY_MODULES = ("plugins._memory.helpers.memory", "python.helpers.memory")


def memory_module() -> ModuleType:
    """Return the host's module with the class `Memory`; raises HostError outside an Agent Zero process."""
    for name in _MEMORY_MODULES:
        if name in sys.modules:
            return sys.modules[name]
    for name in _MEMORY_MODULES:
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError:
            continue
    raise HostError(f"no memory module in this process; looked for {' and '.join(_MEMORY_MODULES)}")


def has_plugins() -> bool:
    """Whether this host has a plugin system (v0.9.9 and later)."""
    return memory_module().__name__.startswith("plugins.")


def memory_folder(memory_subdir: str) -> Path:
    """Return the folder that holds the index of `memory_subdir`."""
    return Path(memory_module().abs_db_dir(memory_subdir))


def memories_root() -> Path:
    """Return the folder that holds the memory folders: `usr/memory`, in v0.9.7 `memory`."""
    return memory_folder("default").parent


def roles_folder() -> Path:
    """Return where an Organization Kernel keeps its role profiles, whether or not there is one (C-52)."""
    root = memories_root()
    usr = root.parent if root.parent.name == "usr" else root.parent / "usr"
    return usr / "organizations" / "roles"


def memory_settings(agent: Any) -> Mapping[str, Any]:
    """Return the host's own memory settings; an empty mapping where its plugin is off."""
    if has_plugins():
        return _plugin_config(_MEMORY_PLUGIN, agent)
    return dict(importlib.import_module("python.helpers.settings").get_settings())


def pack_config(agent: Any) -> Mapping[str, Any] | object:
    """Return what the host's plugin configuration says about this pack; empty where it has no plugins."""
    return _plugin_config(PLUGIN_NAME, agent) if has_plugins() else {}


def _plugin_config(name: str, agent: Any) -> Mapping[str, Any]:
    """Return one plugin's configuration as found: the host merges no defaults, and gives None for an absent one."""
    return importlib.import_module("helpers.plugins").get_plugin_config(name, agent) or {}


def settings_files(agent: Any) -> tuple[Path, ...]:
    """Return the files that the host's settings dialogs write for `agent`, whether or not they exist.

    v0.9.8 and earlier have one for all settings; later each plugin has one for each scope.
    """
    if not has_plugins():
        return (Path(importlib.import_module("python.helpers.settings").SETTINGS_FILE),)
    place = importlib.import_module("helpers.plugins").determine_plugin_asset_path
    projects, profiles = dict.fromkeys(("", project_name(agent))), dict.fromkeys(("", profile_name(agent)))
    return tuple(
        Path(place(plugin, project, profile, _PLUGIN_CONFIG))
        for plugin in (_MEMORY_PLUGIN, PLUGIN_NAME)
        for project in projects
        for profile in profiles
    )


def project_name(agent: Any) -> str:
    """Return the project that the chat of `agent` works in; empty without one."""
    return str(agent.context.get_data("project") or "")


def profile_name(agent: Any) -> str:
    """Return the profile of `agent`; empty without one."""
    return str(getattr(agent.config, "profile", "") or "")


def chat_memory_subdir(agent: Any) -> str:
    """Return the memory folder where it hangs on the chat (up to v0.9.8); empty where the settings alone decide."""
    return "" if has_plugins() else memory_subdir(agent)


def memory_subdir(agent: Any) -> str:
    """Return which memory folder `agent` uses now; a project or profile switch changes it in mid-chat."""
    return str(memory_module().get_agent_memory_subdir(agent))
