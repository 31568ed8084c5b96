"""Settings: one global dictionary in A, plugin configuration without merging in B and C (contract sections 2, 7)."""

import copy
import functools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from . import paths

if TYPE_CHECKING:
    from .machine import Machine

_CONFIG = "config.json"


def memory_defaults(machine: "Machine") -> dict[str, Any]:
    """Return the `memory_*` settings of this generation as shipped."""
    return {
        "memory_recall_enabled": True,
        "memory_recall_delayed": False,
        "memory_recall_interval": 3,
        "memory_recall_history_len": 10000,
        "memory_recall_memories_max_search": 12,
        "memory_recall_solutions_max_search": 8,
        "memory_recall_memories_max_result": 5,
        "memory_recall_solutions_max_result": 3,
        "memory_recall_similarity_threshold": 0.7,
        "memory_recall_query_prep": False,
        "memory_recall_post_filter": False,
        "memory_memorize_enabled": True,
        "memory_memorize_consolidation": True,
        "memory_memorize_replace_threshold": 0.9,
        "agent_memory_subdir": "default",
    }


def shipped_plugin_config(machine: "Machine") -> dict[str, Any]:
    """Return what B and C ship as `_memory/default_config.yaml`."""
    return {"project_memory_isolation": True, **memory_defaults(machine)}


def get_settings(machine: "Machine") -> dict[str, Any]:
    """Return the global settings; in A they hold the memory settings too."""
    settings: dict[str, Any] = {"agent_profile": "agent0", "agent_knowledge_subdir": "custom"}
    if not machine.traits.has_plugins:
        provider, name = machine.embedder.provider, machine.embedder.name
        settings |= {**memory_defaults(machine), "embed_model_provider": provider, "embed_model_name": name}
    return {**settings, **machine.settings}


def memory_settings(machine: "Machine", agent: Any) -> dict[str, Any] | None:
    """Return the settings the host's own memory extensions read."""
    if machine.traits.has_plugins:
        return get_plugin_config(machine, "_memory", agent)
    return get_settings(machine)


def memory_subdir(machine: "Machine", agent: Any) -> str:
    """Return the memory subdirectory of an agent: per chat in A, per profile and project in B and C."""
    project = paths.project_name(agent)
    if not machine.traits.has_plugins:
        owns = project and _project_header(machine, project).get("memory", "own") == "own"
        return f"projects/{project}" if owns else agent.context.config.memory_subdir or "default"
    config = get_plugin_config(machine, "_memory", agent)
    if not config:
        return "default"
    if project and config.get("project_memory_isolation", True):
        return f"projects/{project}"
    return config.get("agent_memory_subdir", "") or "default"


def _project_header(machine: "Machine", name: str) -> dict[str, Any]:
    return json.loads(Path(paths.project_meta(machine, name, "project.json")).read_text())


def settings_file(machine: "Machine") -> Path:
    return machine.root / ("usr" if machine.traits.searches_user_folders else "tmp") / "settings.json"


def change_settings(machine: "Machine", changes: dict[str, Any]) -> None:
    machine.settings |= changes
    path = settings_file(machine)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(machine.settings))


def config_path(machine: "Machine", plugin: str, project: str = "", profile: str = "") -> Path:
    """Return where the configuration of a plugin is saved for a scope."""
    return plugin_place(machine, plugin, project, profile) / _CONFIG


def plugin_place(machine: "Machine", plugin: str, project: str, profile: str) -> Path:
    """Return the folder of what is saved for a plugin and a scope."""
    base = Path(paths.project_meta(machine, project)) if project else machine.root / "usr"
    if profile:
        base = base / "agents" / profile
    return base / "plugins" / plugin


def config_places(machine: "Machine", plugin: str, project: str, profile: str) -> list[Path]:
    """Return where a plugin may be configured for a scope, the narrowest place first."""
    places = []
    if project and profile:
        places.append(config_path(machine, plugin, project, profile))
    if project:
        places.append(config_path(machine, plugin, project))
    if profile:
        below = Path("agents", profile, "plugins", plugin, _CONFIG)
        shipped = [folder / below for folder in paths.enabled_plugins(machine, None)]
        places += [config_path(machine, plugin, "", profile), *shipped, machine.root / below]
    return [*places, *(root / plugin / _CONFIG for root in paths.plugin_roots(machine))]


def get_plugin_config(
    machine: "Machine",
    plugin_name: str,
    agent: Any = None,
    project_name: str | None = None,
    agent_profile: str | None = None,
) -> Any:
    """Return the first configuration file found, whole; the defaults only if there is none. Never merged."""
    project = paths.project_name(agent) if project_name is None else project_name
    profile = (agent.config.profile if agent else "") if agent_profile is None else agent_profile
    found = next((p for p in config_places(machine, plugin_name, project, profile) if p.exists()), None)
    return json.loads(found.read_text()) if found is not None else get_default_plugin_config(machine, plugin_name)


def get_default_plugin_config(machine: "Machine", plugin_name: str) -> Any:
    """Return default_config.yaml, or None if the plugin or the file is missing."""
    folder = paths.plugin_folder(machine, plugin_name)
    if folder is None or not (folder / "default_config.yaml").exists():
        return None
    return copy.deepcopy(_parse((folder / "default_config.yaml").read_text()))


@functools.cache
def _parse(text: str) -> Any:
    """Return what a YAML text says; the parser takes a tenth of a second for the pack's defaults."""
    return yaml.safe_load(text)


def save_plugin_config(
    machine: "Machine", plugin_name: str, project_name: str, agent_profile: str, settings: dict[str, Any]
) -> Path:
    """Write config.json of a scope exactly as given."""
    path = config_path(machine, plugin_name, project_name, agent_profile)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(settings))
    return path
