"""What the host's modules offer to extensions: one maker per module name.

Only what a memory pack can reasonably need is here; anything else is an ImportError, not a silent stub.
"""

import asyncio
import json
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from . import agent as agents
from . import config, consolidation, history, log, memory, paths, tools
from .embedder import LiteLLMEmbeddingWrapper
from .langchain import Document

if TYPE_CHECKING:
    from .process import Process

Maker = Callable[[], dict[str, Any]]


def module_makers(process: "Process") -> dict[str, Maker]:
    """Return the maker of every module of this generation, by name."""
    helpers: dict[str, Callable[[Process], dict[str, Any]]] = {
        "api": _api,
        "defer": _defer,
        "dirty_json": _dirty_json,
        "errors": _errors,
        "extension": _extension,
        "files": _files,
        "git": lambda process: {"get_version": lambda: process.traits.release},
        "guids": lambda process: {"generate_id": process.machine.new_id},
        "history": _history,
        "localization": _localization,
        "log": _log,
        "print_style": _print_style,
        "projects": _projects,
        "settings": _settings,
        "tokens": lambda process: {"approximate_tokens": process.machine.count_tokens},
        "tool": lambda process: {"Tool": process.Tool, "Response": tools.Response},
    }
    if process.traits.searches_user_folders:
        helpers["subagents"] = _subagents
    if process.traits.has_plugins:
        helpers["plugins"] = _plugins
    named = {f"{process.traits.helpers}.{name}": make for name, make in helpers.items()}
    named |= {"agent": _agent, "initialize": _initialize, "models": _models}
    named |= {process.traits.memory_module: _memory, process.traits.consolidation_module: _consolidation}
    if process.traits.has_plugins:
        named["plugins._model_config.helpers.model_config"] = _model_config
    return {name: _bound(make, process) for name, make in named.items()}


def _bound(make: Callable[["Process"], dict[str, Any]], process: "Process") -> Maker:
    return lambda: make(process)


def _agent(process: "Process") -> dict[str, Any]:
    names = dict(vars(process.classes))
    names.pop("RepairableException")
    return names


def _initialize(process: "Process") -> dict[str, Any]:
    def initialize_agent(override_settings: dict[str, Any] | None = None) -> Any:
        return process.new_config((override_settings or {}).get("agent_profile", ""))

    return {"initialize_agent": initialize_agent}


def _models(process: "Process") -> dict[str, Any]:
    return {
        "ModelConfig": agents.ModelConfig,
        "LiteLLMEmbeddingWrapper": LiteLLMEmbeddingWrapper,
        "get_embedding_model": lambda *_, **__: LiteLLMEmbeddingWrapper(process.machine.embedder),
    }


def _model_config(process: "Process") -> dict[str, Any]:
    machine = process.machine

    def chat(agent: Any = None) -> dict[str, Any]:
        provider, _, name = machine.chat_model.partition("/")
        chosen = (agent.context.get_data("chat_model_override") if agent else None) or {}
        return {"provider": provider, "name": name, "ctx_length": 128000, **chosen.get("chat", {})}

    def embedding(agent: Any = None) -> agents.ModelConfig:
        return agents.ModelConfig(machine.embedder.provider, machine.embedder.name)

    return {"get_chat_model_config": chat, "get_embedding_model_config_object": embedding}


def _extension(process: "Process") -> dict[str, Any]:
    async def call_async(extension_point: str, agent: Any = None, **kwargs: Any) -> None:
        await process.loader.call(extension_point, agent, **kwargs)

    def call_sync(extension_point: str, agent: Any = None, **kwargs: Any) -> None:
        process.loader.call_now(extension_point, agent, **kwargs)

    if not process.traits.has_plugins:
        return {"Extension": process.Extension, "call_extensions": call_async}
    runners = {"call_extensions_async": call_async, "call_extensions_sync": call_sync}
    return {"Extension": process.Extension, **runners}


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

    def find_plugin_dir(plugin_name: str) -> str | None:
        folder = paths.plugin_folder(machine, plugin_name)
        return str(folder) if folder else None

    return {
        "get_plugin_config": get_plugin_config,
        "get_default_plugin_config": lambda name: config.get_default_plugin_config(machine, name),
        "save_plugin_config": lambda *args, **kwargs: config.save_plugin_config(machine, *args, **kwargs),
        "find_plugin_dir": find_plugin_dir,
        "determine_plugin_asset_path": lambda plugin_name, project_name, agent_profile, *subpaths: str(
            config.plugin_place(machine, plugin_name, project_name, agent_profile).joinpath(*subpaths)
        ),
        "get_enabled_plugins": lambda agent: [path.name for path in paths.enabled_plugins(machine, agent)],
    }


def _subagents(process: "Process") -> dict[str, Any]:
    def get_paths(agent: Any, *subpaths: str, default_root: str = "") -> list[str]:
        kind, *parts = subpaths
        return paths.search_paths(process.machine, agent, kind.split("/")[0], *parts)

    return {"get_paths": get_paths}


def _projects(process: "Process") -> dict[str, Any]:
    machine = process.machine
    names = {
        "CONTEXT_DATA_KEY_PROJECT": "project",
        "get_context_project_name": lambda context: context.get_data("project"),
        "get_projects_parent_folder": lambda: str(machine.root / "usr/projects"),
        "get_project_folder": lambda name: str(machine.root / "usr/projects" / name),
        process.traits.project_meta_name: lambda name, *parts: paths.project_meta(machine, name, *parts),
    }
    return names


def _files(process: "Process") -> dict[str, Any]:
    root = process.machine.root

    def write_file(relative_path: str, content: str, encoding: str = "utf-8") -> None:
        path = root / relative_path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding)

    return {
        "get_abs_path": lambda *parts: str(root.joinpath(*parts)),
        "get_base_dir": lambda: str(root),
        "exists": lambda *parts: root.joinpath(*parts).exists(),
        "read_file": lambda relative_path, encoding="utf-8": (root / relative_path).read_text(encoding),
        "write_file": write_file,
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
        "abs_knowledge_dir": lambda subdir, *parts: paths.knowledge_folder(machine, subdir, *parts),
        "get_agent_memory_subdir": lambda agent: config.memory_subdir(machine, agent),
        "get_context_memory_subdir": lambda context: config.memory_subdir(machine, context.get_agent()),
        "get_existing_memory_subdirs": existing_subdirs,
    }


def _consolidation(process: "Process") -> dict[str, Any]:
    return {
        "MemoryConsolidator": consolidation.MemoryConsolidator,
        "create_memory_consolidator": consolidation.create_memory_consolidator,
    }


def _log(process: "Process") -> dict[str, Any]:
    if process.traits.log_has_temp:
        return {"Log": log.LogWithTemp, "LogItem": log.LogItemWithTemp}
    return {"Log": log.Log, "LogItem": log.LogItem}


def _history(process: "Process") -> dict[str, Any]:
    names = (history.Record, history.Message, history.Topic, history.Bulk, history.History)
    return {**{cls.__name__: cls for cls in names}, "output_text": history.output_text}


def _errors(process: "Process") -> dict[str, Any]:
    names = {"format_error": lambda error, **_: "".join(traceback.format_exception(error)), "error_text": str}
    kinds = ["RepairableException"]
    if process.traits.has_plugins:
        kinds += ["InterventionException", "HandledException"]
    return {**names, **{kind: getattr(process.classes, kind) for kind in kinds}}


def _print_style(process: "Process") -> dict[str, Any]:
    class PrintStyle:
        """Collects what the host would print."""

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            pass

        @staticmethod
        def error(*args: Any) -> None:
            process.observed.printed.append(" ".join(map(str, args)))

        print = stream = standard = warning = info = hint = debug = success = error

    return {"PrintStyle": PrintStyle}


def _dirty_json(process: "Process") -> dict[str, Any]:
    def try_parse(text: str) -> Any:
        try:
            return json.loads(text)
        except ValueError:
            return None

    stringify = {"stringify": lambda value, **kwargs: json.dumps(value, ensure_ascii=False, **kwargs)}
    return {
        **stringify,
        "parse": json.loads,
        "try_parse": try_parse,
        "DirtyJson": SimpleNamespace(parse_string=json.loads),
    }


def _localization(process: "Process") -> dict[str, Any]:
    clock = process.machine.clock
    single = SimpleNamespace(
        now=clock,
        now_iso=lambda sep="T", timespec="auto": clock().isoformat(sep=sep, timespec=timespec),
        get_timezone=lambda: str(clock().tzinfo),
    )
    return {"Localization": SimpleNamespace(get=lambda: single)}


def _defer(process: "Process") -> dict[str, Any]:
    class DeferredTask:
        """A coroutine on the host's background loop."""

        def __init__(self, thread_name: str = "Background") -> None:
            self._future: Future[Any] | None = None

        def start_task(self, func: Callable[..., Any], *args: Any, **kwargs: Any) -> "DeferredTask":
            self._future = process.background.submit(func(*args, **kwargs))
            return self

        def is_alive(self) -> bool:
            return self._future is not None and not self._future.done()

        async def result(self, timeout: float | None = None) -> Any:
            if self._future is None:
                raise RuntimeError("Task hasn't been started")
            return await asyncio.wait_for(asyncio.wrap_future(self._future), timeout)

        def kill(self, terminate_thread: bool = False) -> None:
            if self._future is not None:
                self._future.cancel()

    return {"DeferredTask": DeferredTask, "THREAD_BACKGROUND": "Background"}


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
