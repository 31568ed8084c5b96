"""Which tools an agent may use, by profile and project: what is blocked has no prompt and is not run."""

import json
import re
from typing import Any

from . import config, paths

PLUGIN = "_tool_access"
_ALWAYS = ("response", "vision_load")
_DECLARED = re.compile(r"^\s*-\s+`([\w-]+)`:", re.MULTILINE)
_OFFERED = re.compile(r"^\s*-\s+`([\w-]+)`:\s+args?\b", re.MULTILINE)
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+`?([\w-]+)", re.MULTILINE)


def tool_id(agent: Any, name: str) -> str:
    """Return the name under which the policy knows a tool."""
    machine = agent.process.machine
    for path in paths.search_paths(machine, agent, "tools", f"{name}.py")[:1]:
        for root in paths.plugin_roots(machine):
            if path.startswith(f"{root}/"):
                return f"plugin:{path.removeprefix(f'{root}/').split('/')[0]}:{name}"
    return f"local:{name}"


def is_allowed(agent: Any, name: str) -> bool:
    """Return whether the first custom policy, from the narrowest scope to the widest, lets the agent use a tool."""
    if not agent.process.traits.filters_tools or name in _ALWAYS:
        return True
    places = config.config_places(agent.process.machine, PLUGIN, paths.project_name(agent), agent.config.profile)
    found = [json.loads(place.read_text()) for place in places if place.exists()]
    policy = next((one for one in found if one.get("mode") == "custom"), {"default": "allow"})
    known = tool_id(agent, name)
    if known in policy.get("blocked", ()):
        return False
    return known in policy.get("allowed", ()) or policy.get("default", "allow") == "allow"


def filter_prompt(agent: Any, file: str, prompt: str) -> str:
    """Return a tool prompt without the lines that name what is blocked; nothing where all that it declares is."""
    declared = {_named_by(file), *_HEADING.findall(prompt)[:1], *_DECLARED.findall(prompt)}
    tools = [name for name in declared if tool_id(agent, name) != f"local:{name}" or name == _named_by(file)]
    if not any(is_allowed(agent, name) for name in tools):
        return ""
    blocked = [f"`{name}`" for name in tools if not is_allowed(agent, name)]
    return "".join(line for line in prompt.splitlines(keepends=True) if not any(one in line for one in blocked))


def offered_names(file: str, prompt: str) -> list[str]:
    """Return the tools that a model with calls of its own is offered: grouped ones count by `arg` or `args` alone."""
    return [*dict.fromkeys(_OFFERED.findall(prompt))] or _HEADING.findall(prompt)[:1] or [_named_by(file)]


def _named_by(file: str) -> str:
    return file.removeprefix("agent.system.tool.").removesuffix(".md")
