# ruff: noqa: PTH110, PTH118, PTH208
"""Where this generation looks for extensions, tools, prompts, memory and knowledge (contract sections 1 and 4).

Everything is looked up again at each call, so a file that appears is found as soon as the host's caches allow. Every
turn of every test asks a hundred times: places are texts, which cost a fifth of a `Path`.
"""

import os
from os.path import exists, join
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .machine import Machine

_PROJECTS = "usr/projects"
_META = ".a0proj"


def project_meta(machine: "Machine", name: str, *parts: str) -> str:
    """Return a path below the hidden folder of a project."""
    return str(machine.root.joinpath(_PROJECTS, name, _META, *parts))


def project_name(agent: Any) -> str:
    """Return the project of the agent's chat, or an empty string."""
    return (agent.context.get_data("project") if agent else None) or ""


def memory_folder(machine: "Machine", subdir: str) -> str:
    """Return the folder of a memory subdirectory; "projects/x" lives inside the project."""
    if subdir.startswith("projects/"):
        return project_meta(machine, subdir.removeprefix("projects/"), "memory")
    return str(machine.root / machine.traits.memory_root / subdir)


def knowledge_folder(machine: "Machine", subdir: str, *parts: str) -> str:
    """Return the folder of a knowledge subdirectory; an absolute `subdir` stays itself."""
    known = {"default": machine.traits.default_knowledge_root, "custom": machine.traits.custom_knowledge_root}
    return str(machine.root.joinpath(known.get(subdir, subdir), *parts))


def plugin_roots(machine: "Machine") -> list[Path]:
    """Return the two folders plugins live in, the user's first."""
    return [machine.root / "usr/plugins", machine.root / "plugins"]


def plugin_folder(machine: "Machine", name: str) -> Path | None:
    """Return the folder that counts for the plugin `name`; without plugin.yaml it is none."""
    found = next((root for root in _plugin_roots(machine) if exists(join(root, name, "plugin.yaml"))), None)
    return None if found is None else Path(found, name)


def enabled_plugins(machine: "Machine", agent: Any) -> list[Path]:
    """Return the plugins that are switched on for `agent`, by directory name (contract section 2, "Toggle")."""
    return [Path(one) for one in _enabled_plugins(machine, agent)]


def _plugin_roots(machine: "Machine") -> list[str]:
    return [str(root) for root in plugin_roots(machine)]


def _enabled_plugins(machine: "Machine", agent: Any) -> list[str]:
    roots = _plugin_roots(machine)
    found: dict[str, str] = {}
    for root in roots:
        for name in os.listdir(root) if exists(root) else ():
            if name not in found and exists(join(root, name, "plugin.yaml")):
                found[name] = join(root, name)
    scoped = [*roots[::-1], *_scoped_roots(machine, agent, "plugins")[::-1]]
    return [folder for name, folder in sorted(found.items()) if _is_enabled(scoped, name)]


def _is_enabled(roots: list[str], name: str) -> bool:
    enabled = True
    for root in roots:
        marker = ".toggle-0" if enabled else ".toggle-1"
        if exists(join(root, name, marker)):
            enabled = not enabled
    return enabled


def _scoped_roots(machine: "Machine", agent: Any, *parts: str) -> list[str]:
    """Folders above `usr/`, highest priority first: project and profile, project, profile."""
    profile = agent.config.profile if agent else ""
    project = project_name(agent)
    roots = []
    if project and profile:
        roots.append(project_meta(machine, project, "agents", profile, *parts))
    if project:
        roots.append(project_meta(machine, project, *parts))
    if profile:
        roots.append(join(str(machine.root), "usr/agents", profile, *parts))
        roots.append(join(str(machine.root), "agents", profile, *parts))
    return roots


def search_paths(machine: "Machine", agent: Any, kind: str, *parts: str) -> list[str]:
    """Return the existing places for `kind` ("extensions", "prompts", "tools"), highest priority first."""
    if not machine.traits.searches_user_folders:
        return _search_a1(machine, agent, kind, *parts)
    root, core = str(machine.root), _core_folder(machine, kind)
    below = core if machine.traits.has_plugins else kind
    places = _scoped_roots(machine, agent, below, *parts)
    places.append(join(root, "usr", below, *parts))
    if machine.traits.has_plugins:
        profile = agent.config.profile if agent else ""
        folders = _enabled_plugins(machine, agent)
        places += [join(folder, "agents", profile, below, *parts) for folder in folders if profile]
        places += [join(folder, below, *parts) for folder in folders]
    places.append(join(root, core, *parts))
    return [place for place in places if exists(place)]


def _core_folder(machine: "Machine", kind: str) -> str:
    return {"extensions": machine.traits.point_root, "tools": machine.traits.tool_root}.get(kind, kind)


def _search_a1(machine: "Machine", agent: Any, kind: str, *parts: str) -> list[str]:
    """A1 knows the core folder and the profile's folder only."""
    profile = agent.config.profile if agent else ""
    places = [join(str(machine.root), "agents", profile, kind, *parts)] if profile else []
    places.append(join(str(machine.root), _core_folder(machine, kind), *parts))
    return [place for place in places if exists(place)]
