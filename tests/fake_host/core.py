"""The host's smaller extensions: system prompt, clock, saved chats (contract sections 3 and 8)."""

import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import history, paths, tool_policy

if TYPE_CHECKING:
    from .process import Process


async def open_memory(agent: Any) -> None:
    """Stand for `_10_memory_init`: load the store at the start of a monologue."""
    await agent.process.memory().Memory.get(agent)


def add_system_prompt(agent: Any, system_prompt: list[str]) -> None:
    """Stand for the host's system prompt; the tools are those that some folder of prompts describes."""
    system_prompt.append(agent.read_prompt("agent.system.main.md"))
    folders = paths.search_paths(agent.process.machine, agent, "prompts")
    names = {path.name for folder in folders for path in Path(folder).glob("agent.system.tool.*.md")}
    found = [tool_policy.filter_prompt(agent, name, agent.read_prompt(name)) for name in sorted(names)]
    system_prompt.extend(one for one in found if one)


def add_datetime(agent: Any, loop_data: Any) -> None:
    """Stand for `_60_include_current_datetime`: an extra of the host's own, in every prompt."""
    now = agent.process.machine.clock().strftime("%Y-%m-%d %H:%M:%S")
    loop_data.extras_temporary["current_datetime"] = agent.read_prompt("agent.system.datetime.md", date_time=now)


def save_chat(agent: Any) -> None:
    """Stand for `_90_save_chat`, at the end of every iteration. Keys that begin with "_" are left out."""
    context = agent.context
    agents, current = [], context.agent0
    while current is not None:
        agents.append({"profile": current.config.profile, **_kept(current)})
        current = current.get_data(current.DATA_NAME_SUBORDINATE)
    chat = {
        "id": context.id,
        "created_at": context.created_at.isoformat(),
        "type": context.type.value,
        "data": _public(context.data),
        "agents": agents,
    }
    path = Path(agent.process.machine.root, agent.process.traits.chat_root, context.id, "chat.json")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(chat, default=lambda value: None))


def _kept(agent: Any) -> dict[str, Any]:
    return {"data": _public(agent.data), "history": history.dump(agent.history)}


def _public(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if not key.startswith("_")}


def load_chats(process: "Process") -> None:
    """Bring back the chats that were saved, as the host does when it starts."""
    for path in sorted(Path(process.machine.root, process.traits.chat_root).glob("*/chat.json")):
        chat = json.loads(path.read_text())
        main, *others = chat["agents"]
        context = process.classes.AgentContext(
            process.new_config(main["profile"]),
            id=chat["id"],
            type=process.classes.AgentContextType(chat["type"]),
            data=chat["data"],
            created_at=datetime.fromisoformat(chat["created_at"]),
        )
        agent = context.agent0
        _fill(agent, main)
        for other in others:
            below = process.classes.Agent(agent.number + 1, process.new_config(other["profile"]), context)
            below.set_data(agent.DATA_NAME_SUPERIOR, agent)
            agent.set_data(agent.DATA_NAME_SUBORDINATE, below)
            _fill(below, other)
            agent = below


def _fill(agent: Any, saved: dict[str, Any]) -> None:
    agent.data.update(saved["data"])
    agent.history = history.History()
    history.restore(agent.history, saved["history"])
