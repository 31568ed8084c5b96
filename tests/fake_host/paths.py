"""Where this generation looks for extensions, tools, prompts, memory and knowledge (contract sections 1 and 4).

Everything is looked up again at each call, so a file that appears is found as soon as the host's caches allow.
"""

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
    for root in plugin_roots(machine):
        if (root / name / "plugin.yaml").exists():
            return root / name
    return None


def enabled_plugins(machine: "Machine", agent: Any) -> list[Path]:
    """Return the plugins that are switched on for `agent`, by directory name (contract section 2, "Toggle")."""
    found = {path.parent.name for root in plugin_roots(machine) for path in root.glob("*/plugin.yaml")}
    return [
        folder
        for name in sorted(found)
        if (folder := plugin_folder(machine, name)) and _is_enabled(machine, agent, name)
    ]


def _is_enabled(machine: "Machine", agent: Any, name: str) -> bool:
    enabled = True
    for folder in [*plugin_roots(machine)[::-1], *_scoped_roots(machine, agent, "plugins")[::-1]]:
        marker = ".toggle-0" if enabled else ".toggle-1"
        if (folder / name / marker).exists():
            enabled = not enabled
    return enabled


def _scoped_roots(machine: "Machine", agent: Any, *parts: str) -> list[Path]:
    """Folders above `usr/`, highest priority first: project and profile, project, profile."""
    profile = agent.config.profile if agent else ""
    project = project_name(agent)
    roots = []
    if project and profile:
        roots.append(Path(project_meta(machine, project, "agents", profile, *parts)))
    if project:
        roots.append(Path(project_meta(machine, project, *parts)))
    if profile:
        roots.append(machine.root.joinpath("usr/agents", profile, *parts))
        roots.append(machine.root.joinpath("agents", profile, *parts))
    return roots


def search_paths(machine: "Machine", agent: Any, kind: str, *parts: str) -> list[str]:
    """Return the existing places for `kind` ("extensions", "prompts", "tools"), highest priority first."""
    if not machine.traits.searches_user_folders:
        return _search_a1(machine, agent, kind, *parts)
    core = _core_folder(machine, kind)
    below = core if machine.traits.has_plugins else kind
    places = _scoped_roots(machine, agent, below, *parts)
    places.append(machine.root.joinpath("usr", below, *parts))
    if machine.traits.has_plugins:
        places += _plugin_profile_places(machine, agent, below, *parts)
        places += [folder.joinpath(below, *parts) for folder in enabled_plugins(machine, agent)]
    places.append(machine.root.joinpath(core, *parts))
    return [str(place) for place in places if place.exists()]


def _core_folder(machine: "Machine", kind: str) -> str:
    return {"extensions": machine.traits.point_root, "tools": machine.traits.tool_root}.get(kind, kind)


def _plugin_profile_places(machine: "Machine", agent: Any, *parts: str) -> list[Path]:
    profile = agent.config.profile if agent else ""
    folders = enabled_plugins(machine, agent) if profile else []
    return [folder.joinpath("agents", profile, *parts) for folder in folders]


def _search_a1(machine: "Machine", agent: Any, kind: str, *parts: str) -> list[str]:
    """A1 knows the core folder and the profile's folder only."""
    profile = agent.config.profile if agent else ""
    places = [machine.root.joinpath("agents", profile, kind, *parts)] if profile else []
    places.append(machine.root.joinpath(_core_folder(machine, kind), *parts))
    return [str(place) for place in places if place.exists()]
