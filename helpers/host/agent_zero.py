"""The interface to the surrounding Agent Zero, of any release; no other module imports from the host.

v0.9.x keeps its code under `python`; from v0.9.9 on the memory is a built-in plugin (contract, sections 1 and 7).
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from ..errors import HostError, Problem
from ..texts import estimate_tokens
from .host_agent import HostAgent

PLUGIN_NAME = "memory_ledger"

_MEMORY_PLUGIN = "_memory"
_MODEL_PLUGIN = "_model_config"
_MODEL_MODULE = "plugins._model_config.helpers.model_config"
_MODEL_CHOICE = "chat_model_override"
_PLUGIN_CONFIG = "config.json"
_TOKEN_MODULES = ("helpers.tokens", "python.helpers.tokens")
_MEMORY_MODULES = ("plugins._memory.helpers.memory", "python.helpers.memory")
_PLUGINS_MODULE = "helpers.plugins"
_GIT_MODULES = ("helpers.git", "python.helpers.git")
_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class _Part(NamedTuple):
    """An optional function of the host: its module or class, and its parameters (None: any).

    `otherwise` describes the consequence of its absence.
    """

    place: str
    parameters: tuple[str, ...] | None
    otherwise: str


_PARTS = {
    "get_plugin_config": _Part(
        _PLUGINS_MODULE, ("plugin_name", "agent"), "the settings of the plugin page do not apply, the others do"
    ),
    "determine_plugin_asset_path": _Part(
        _PLUGINS_MODULE,
        ("plugin_name", "project_name", "agent_profile"),
        "a setting that is changed applies once the project, the profile or the chat changes",
    ),
    "get_chat_model_config": _Part(_MODEL_MODULE, ("agent",), "what is kept for a model does not apply"),
    "get_existing_memory_subdirs": _Part("", (), "the page has the default folder only"),
    "_FAISS__add": _Part(
        "MyFaiss", ("texts", "embeddings", "metadatas", "ids"), "a new memory is in the backup once its turn is over"
    ),
    "delete": _Part("MyFaiss", ("ids",), "the backup has what was deleted until the turn is over"),
    "adelete": _Part("MyFaiss", ("ids",), "what replaces a memory has no link to it"),
    "save_local": _Part("MyFaiss", ("folder_path", "index_name"), "a save that is cut short is not noticed"),
    "similarity_search_with_score_by_vector": _Part("MyFaiss", None, "its searches wait for no delete"),
    "_save_db_file": _Part("Memory", None, "its saves wait for nothing that the pack writes"),
}


def memory_module() -> ModuleType:
    """Return the host's module with the class `Memory`; raises HostError outside an Agent Zero process."""
    loaded = (sys.modules[name] for name in _MEMORY_MODULES if name in sys.modules)
    module = next(loaded, None) or _module(*_MEMORY_MODULES)
    if module is None:
        raise HostError(f"no memory module in this process; looked for {' and '.join(_MEMORY_MODULES)}")
    return module


def _module(*names: str) -> ModuleType | None:
    """Return the first of these modules that there is."""
    for name in names:
        with suppress(ModuleNotFoundError):
            return importlib.import_module(name)
    return None


def release() -> str:
    """Return the name of the host's release, by its git data; for messages only."""
    try:
        return f"Agent Zero {_module(*_GIT_MODULES).get_version()}"  # type: ignore[union-attr]
    except Exception:  # noqa: BLE001 - whatever a release without git data raises
        return "this Agent Zero"


def find_part(owner: object, name: str) -> Callable[..., Any] | None:
    """Return a function of `_PARTS` from its owner; None if it is missing, or takes other parameters."""
    function, parameters = getattr(owner, name, None), _PARTS[name].parameters
    if not callable(function) or parameters is None:
        return function
    takes = inspect.signature(function).parameters.values()
    names = {take.name for take in takes}
    needed = {take.name for take in takes if take.default is take.empty and take.kind not in _VARIADIC}
    return function if names.issuperset(parameters) and needed <= {"self", *parameters} else None


def lost_parts() -> Iterator[Problem]:
    """Yield a problem for each of `_PARTS` that this release lacks; features that need it are off."""
    for name, part in _PARTS.items():
        owner = _owner(part.place)
        if owner is not None and find_part(owner, name) is None:
            yield Problem(where=f"`{name}` of {release()}", found="not as the pack knows it", allowed=part.otherwise)


def _owner(place: str) -> Any:
    """Return the module or class of a place; None if this release has no such place."""
    if place in (_PLUGINS_MODULE, _MODEL_MODULE):
        return _module(place) if has_plugins() else None
    return getattr(memory_module(), place, None) if place else memory_module()


def count_tokens(text: str) -> int:
    """Return the host's count of the tokens of `text`, or an estimate if it has no counter."""
    count = getattr(_module(*_TOKEN_MODULES), "approximate_tokens", estimate_tokens)
    return int(count(text))


def has_plugins() -> bool:
    """Whether this host has a plugin system (v0.9.9 and later)."""
    return memory_module().__name__.startswith("plugins.")


def memory_folder(memory_subdir: str) -> Path:
    """Return the folder that holds the index of `memory_subdir`."""
    return Path(memory_module().abs_db_dir(memory_subdir))


def memories_root() -> Path:
    """Return the folder that holds the memory folders: `usr/memory`, in v0.9.7 `memory`."""
    return memory_folder("default").parent


def memory_folders() -> list[str]:
    """Return the names of the memory folders that hold an index, those of projects as `projects/NAME`."""
    list_names = find_part(memory_module(), "get_existing_memory_subdirs") or (lambda: ["default"])
    names = (str(name) for name in list_names())
    return [name for name in names if name == "default" or (memory_folder(name) / "index.faiss").is_file()]


def roles_folder() -> Path:
    """Return the folder of an Organization Kernel's role profiles, which need not exist."""
    return user_folder() / "organizations" / "roles"


def model_profiles_folder() -> Path:
    """Return the folder of the profiles of models, which need not exist."""
    return user_folder() / "model_profiles"


def profile_folder(agent: HostAgent) -> Path | None:
    """Return the user's folder for the profile of `agent`, which need not exist; None without a profile."""
    name = profile_name(agent)
    return user_folder() / "agents" / name if name else None


def user_folder() -> Path:
    """Return the user's folder `usr`, also if the memory is not in it (v0.9.7)."""
    root = memories_root()
    return root.parent if root.parent.name == "usr" else root.parent / "usr"


@dataclass(frozen=True, slots=True)
class ChatModel:
    """A model as the host names it: `openrouter` and `anthropic/claude-sonnet-4.6`, say."""

    provider: str
    name: str


def chat_model(agent: HostAgent) -> ChatModel | None:
    """Return the model that `agent` answers with; None where the host does not say.

    Up to v0.9.8 it is part of the agent's configuration; later a built-in plugin knows it by project, profile and chat.
    That plugin reads its files at every call.
    """
    if has_plugins():
        ask = find_part(_module(_MODEL_MODULE), "get_chat_model_config")
        config = ask(agent) if ask is not None else None
        named = config if isinstance(config, Mapping) else {}
        provider, name = named.get("provider"), named.get("name")
    else:
        model = getattr(agent.config, "chat_model", None)
        provider, name = getattr(model, "provider", None), getattr(model, "name", None)
    if not isinstance(name, str) or not name.strip():
        return None
    return ChatModel(provider if isinstance(provider, str) else "", name)


def chat_model_choice(agent: HostAgent) -> str:
    """Return a text that changes with the choice of a model for `agent` that no file shows; reads no file."""
    return repr(agent.context.get_data(_MODEL_CHOICE) if has_plugins() else chat_model(agent))


def memory_settings(agent: HostAgent) -> Mapping[str, Any]:
    """Return the host's own memory settings; an empty mapping where its plugin is off."""
    if has_plugins():
        return _plugin_config(_MEMORY_PLUGIN, agent)
    return dict(importlib.import_module("python.helpers.settings").get_settings())


def pack_config(agent: HostAgent | None) -> Mapping[str, Any] | object:
    """Return this pack's configuration of the host's plugin system for an agent, or for all; empty without plugins."""
    return _plugin_config(PLUGIN_NAME, agent) if has_plugins() else {}


def _plugin_config(name: str, agent: HostAgent | None) -> Mapping[str, Any]:
    """Return one plugin's configuration, empty if absent; the host merges no defaults."""
    read = find_part(_module(_PLUGINS_MODULE), "get_plugin_config")
    return (read(name, agent) if read is not None else None) or {}


def settings_files(agent: HostAgent) -> tuple[Path, ...]:
    """Return the files that the host's settings dialogs write for `agent`, whether or not they exist.

    v0.9.8 and earlier have one for all settings; later each plugin has one for each scope.
    """
    if not has_plugins():
        return (Path(importlib.import_module("python.helpers.settings").SETTINGS_FILE),)
    place = find_part(_module(_PLUGINS_MODULE), "determine_plugin_asset_path")
    if place is None:
        return ()
    projects, profiles = dict.fromkeys(("", project_name(agent))), dict.fromkeys(("", profile_name(agent)))
    return tuple(
        Path(place(plugin, project, profile, _PLUGIN_CONFIG))
        for plugin in (_MEMORY_PLUGIN, _MODEL_PLUGIN, PLUGIN_NAME)
        for project in projects
        for profile in profiles
    )


def project_name(agent: HostAgent) -> str:
    """Return the project that the chat of `agent` works in; empty without one."""
    return str(agent.context.get_data("project") or "")


def open_agents() -> list[HostAgent]:
    """Return the first agent of each chat that this process holds."""
    return [context.agent0 for context in importlib.import_module("agent").AgentContext.all()]


def profile_name(agent: HostAgent) -> str:
    """Return the profile of `agent`; empty without one."""
    return str(getattr(agent.config, "profile", "") or "")


def chat_memory_subdir(agent: HostAgent) -> str:
    """Return the memory folder of the chat (up to v0.9.8); empty if the settings alone decide."""
    return "" if has_plugins() else memory_subdir(agent)


def memory_subdir(agent: HostAgent) -> str:
    """Return the name of the memory folder of `agent`, which a switch of project or profile changes in mid-chat."""
    return str(memory_module().get_agent_memory_subdir(agent))
