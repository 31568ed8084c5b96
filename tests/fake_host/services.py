"""What the host's modules offer to extensions: one maker per module name.

Only what a memory pack can reasonably need is here; anything else is an ImportError, not a silent stub.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import config, memory, paths, tools
from .langchain import Document

if TYPE_CHECKING:
    from .process import Process

Maker = Callable[[], dict[str, Any]]


def module_makers(process: "Process") -> dict[str, Maker]:
    """Return the maker of every module of this generation, by name."""
    helpers: dict[str, Callable[[Process], dict[str, Any]]] = {
        "api": _api,
        "extension": lambda process: {"Extension": process.Extension},
        "git": lambda process: {"get_version": lambda: process.traits.release},
        "settings": _settings,
        "tokens": lambda process: {"approximate_tokens": process.machine.count_tokens},
        "tool": lambda process: {"Tool": process.Tool, "Response": tools.Response},
    }
    if process.traits.has_plugins:
        helpers["plugins"] = _plugins
    named = {f"{process.traits.helpers}.{name}": make for name, make in helpers.items()}
    named |= {"agent": lambda process: vars(process.classes), process.traits.memory_module: _memory}
    if process.traits.has_plugins:
        named["plugins._model_config.helpers.model_config"] = _model_config
    return {name: _bound(make, process) for name, make in named.items()}


def _bound(make: Callable[["Process"], dict[str, Any]], process: "Process") -> Maker:
    return lambda: make(process)


def _model_config(process: "Process") -> dict[str, Any]:
    machine = process.machine

    def chat(agent: Any = None) -> dict[str, Any]:
        provider, _, name = machine.chat_model.partition("/")
        chosen = (agent.context.get_data("chat_model_override") if agent else None) or {}
        return {"provider": provider, "name": name, "ctx_length": 128000, **chosen.get("chat", {})}

    return {"get_chat_model_config": chat}


def _settings(process: "Process") -> dict[str, Any]:
    machine = process.machine
    return {"get_settings": lambda: config.get_settings(machine), "SETTINGS_FILE": str(config.settings_file(machine))}


def _plugins(process: "Process") -> dict[str, Any]:
    machine = process.machine

    def get_plugin_config(
        plugin_name: str,
        agent: Any = None,
        project_name: str | None = None,
        agent_profile: str | None = None,
        **caller: str,  # of the newest: who asks
    ) -> Any:
        return config.get_plugin_config(machine, plugin_name, agent, project_name, agent_profile)

    return {
        "get_plugin_config": get_plugin_config,
        "determine_plugin_asset_path": lambda plugin_name, project_name, agent_profile, *subpaths: str(
            config.plugin_place(machine, plugin_name, project_name, agent_profile).joinpath(*subpaths)
        ),
    }


def _memory(process: "Process") -> dict[str, Any]:
    machine = process.machine
    memory_class, store_class = memory.make_memory_classes(process)

    def reload() -> None:
        memory_class.index = {}

    def existing_subdirs() -> list[str]:
        found = sorted(p.name for p in (machine.root / machine.traits.memory_root).glob("*") if p.is_dir())
        projects = sorted((machine.root / "usr/projects").glob("*/.a0proj/memory/index.faiss"))
        found += [f"projects/{path.parents[2].name}" for path in projects]
        return found if "default" in found else ["default", *found]

    return {
        "Memory": memory_class,
        "MyFaiss": store_class,
        "Document": Document,
        "reload": reload,
        "abs_db_dir": lambda subdir: paths.memory_folder(machine, subdir),
        "get_agent_memory_subdir": lambda agent: config.memory_subdir(machine, agent),
        "get_existing_memory_subdirs": existing_subdirs,
    }


def _api(process: "Process") -> dict[str, Any]:
    class ApiHandler:
        """Base of the web handlers; FakeHost.call_api plays the server."""

        def __init__(self, app: Any, thread_lock: Any) -> None:
            self.app = app
            self.thread_lock = thread_lock

        requires_auth = classmethod(lambda cls: True)
        requires_csrf = classmethod(lambda cls: cls.requires_auth())

        async def process(self, input: dict[str, Any], request: Any) -> Any:
            raise NotImplementedError

    return {"ApiHandler": ApiHandler, "Input": dict, "Output": dict, "Request": object, "Response": object}
