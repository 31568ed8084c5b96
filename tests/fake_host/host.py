"""FakeHost: one object that plays the host for a test. See the package docstring for a tour."""

import asyncio
import importlib
import json
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from . import config, core, modules, packs, paths, tools
from .embedder import HashingEmbedder
from .generations import GENERATIONS
from .installation import write_host_files
from .langchain import Document
from .loader import class_in_file
from .log import LogItem
from .machine import FixedClock, IndexWrite, Machine
from .monologue import Plan, Prompt, TurnRecord
from .process import HookError, Observed, Process
from .script import Script, UtilityCall
from .turn import plan_steps, play_turn

# Points the host runs from synchronous code (contract section 1, "Sync/async trap").
SYNC_POINTS = ("agent_init",)


class FakeHost:
    """A small model of one generation of Agent Zero in a folder of its own."""

    def __init__(
        self,
        generation: str,
        root: Path,
        *,
        embedder: HashingEmbedder | None = None,
        clock: Callable[[], datetime] | None = None,
        chat_model: str = "fake/chat-model",
    ) -> None:
        traits = GENERATIONS[generation]
        root.mkdir(parents=True, exist_ok=True)
        self.machine = Machine(
            traits, root.resolve(), clock or FixedClock(), embedder or HashingEmbedder(), chat_model=chat_model
        )
        self.observed = Observed()
        self._process: Process | None = None
        self._modules: modules.HostModules | None = None
        self._installed: list[Path] = []
        write_host_files(self.machine)

    # -- life ---------------------------------------------------------------------------------------------

    def __enter__(self) -> "FakeHost":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Begin a host process: its modules become importable, its root is first on the path."""
        process = Process(self.machine, self.observed)
        host_modules = modules.HostModules(process)
        host_modules.start()
        self._process, self._modules = process, host_modules

    def stop(self) -> None:
        """Kill the host process; nothing pending is finished, nothing imported stays."""
        if self._process is not None and self._modules is not None:
            self._process.stop()
            self._modules.stop()
        self._process = self._modules = None

    async def restart(self, *, hard: bool = True, keep_chats: bool = True) -> None:
        """End and begin again. Hard: a new process, saved chats and the index come from disk.

        Soft: the chats are forgotten and the stores are loaded again; modules and their state stay.
        """
        if hard:
            await self.process.kill_tasks()
            self.stop()
            self.start()
            if keep_chats:
                core.load_chats(self.process)
        else:
            self.process.forget_chats()
            self.memory_module.reload()
        await self.memory()

    @property
    def process(self) -> Process:
        """The running process."""
        if self._process is None:
            raise RuntimeError("the host is not running; use `with FakeHost(...) as host` or host.start()")
        return self._process

    @property
    def root(self) -> Path:
        """The folder the host lives in."""
        return self.machine.root

    @property
    def generation(self) -> str:
        """The name of the generation."""
        return self.machine.traits.name

    @property
    def embedder(self) -> HashingEmbedder:
        """The embedding model; see `change_embedder`."""
        return self.machine.embedder

    async def change_embedder(self, embedder: HashingEmbedder) -> None:
        """Choose another model in the settings: the stores are forgotten and loaded again when needed."""
        self.machine.embedder = embedder
        self.memory_module.reload()

    # -- agents -------------------------------------------------------------------------------------------

    @property
    def agent(self) -> Any:
        """Agent 0 of the first chat; the chat is made when it is first needed."""
        context = self.process.classes.AgentContext.first() or self.new_context()
        return context.agent0

    def new_context(self, *, project: str = "", profile: str = "", type: str = "user", id: str = "") -> Any:
        """Open a chat. A project gets its folder, with a memory of its own."""
        if project:
            header = Path(paths.project_meta(self.machine, project, "project.json"))
            header.parent.mkdir(parents=True, exist_ok=True)
            if not header.exists():
                header.write_text(json.dumps({"title": project, "memory": "own"}))
        classes = self.process.classes
        return classes.AgentContext(
            self.process.new_config(profile),
            id=id or None,
            type=classes.AgentContextType(type),
            data={"project": project} if project else {},
        )

    def subordinate(self, *, profile: str = "", superior: Any = None) -> Any:
        """Create the agent below `superior` (by default agent 0) without letting it work."""
        return tools.new_subordinate(superior or self.agent, profile)

    # -- turns --------------------------------------------------------------------------------------------

    async def turn(
        self,
        text: str,
        *,
        reply: str = "Done.",
        fragments: Sequence[str] | str | Exception = (),
        solutions: Sequence[Any] | str | Exception = (),
        tool_calls: Sequence[Any] = (),
        iterations: int = 1,
        query: str | Exception | None = None,
        filter: Sequence[int] | str | Exception | None = None,
        consolidation: dict[str, Any] | None = None,
        agent: Any = None,
        is_instant: bool = False,
        on_model_call: Callable[[Prompt], Any] | None = None,
        **message: Any,
    ) -> TurnRecord:
        """Play one turn of a chat, from the user's message to the end of the process chain.

        `tool_calls` are used one per iteration before the reply; `iterations` fills up with a neutral tool.
        `fragments` ... `consolidation` are what the utility model answers, also later, for this turn's
        memorizing. `on_model_call(prompt)` runs while the main model thinks; `is_instant` lets nothing else run
        meanwhile. More keywords go to the user message (`attachments`, `system_message`).
        Raises HostTurnFailed if the host ends the turn with an error.
        """
        script = Script(fragments, solutions, query, filter, user_text=text)
        if consolidation:
            script.consolidation = consolidation
        plan = Plan(plan_steps(tool_calls, iterations, reply), TurnRecord(), is_instant, on_model_call)
        user_message = self.process.classes.UserMessage(text, **message)
        record = await play_turn(self.process, agent or self.agent, user_message, script, plan)
        if self.machine.finish_at == "turn_end":
            await self.finish_memorizing()
        return record

    async def finish_memorizing(self) -> None:
        """Let every held memorizer run to its end: fragments, then solutions, turn by turn."""
        await asyncio.sleep(0)
        await self.process.finish_jobs()

    async def settle(self) -> None:
        """Wait for what packs left running: tasks of this loop, worker threads, threads of their own."""
        await self.process.settle()

    async def release_recall(self) -> None:
        """Let a held recall search go on, and wait for its end."""
        await self.process.open_recall_gate()

    def fail_recall(self, error: Exception) -> None:
        """Let the next recall search raise `error`; a TimeoutError is what the host's time limit raises."""
        self.machine.recall_error = error

    # -- extensions ---------------------------------------------------------------------------------------

    async def run(self, file: str, *, agent: Any = None, **kwargs: Any) -> None:
        """Run one extension file alone, "point/_55_name" with or without ".py", under the loader's rules."""
        point, _, name = file.removesuffix(".py").rpartition("/")
        agent = agent or self.agent
        folders = paths.search_paths(self.machine, agent, "extensions", point)
        path = next((p for folder in folders if (p := Path(folder, f"{name}.py")).exists()), None)
        if path is None:
            raise FileNotFoundError(f"{file} is in none of {folders}")
        cls = class_in_file(path, self.process.Extension)
        if cls is None:
            raise TypeError(f"{path} holds no extension")
        if point in SYNC_POINTS:
            self.process.loader.run_now(cls, agent, **kwargs)
            return
        loop_data = getattr(agent, "loop_data", None) or self.process.classes.LoopData()
        await self.process.loader.run(cls, agent, **{"loop_data": loop_data, **kwargs})

    async def fire(self, point: str, *, agent: Any = None, **kwargs: Any) -> None:
        """Run a whole extension point, e.g. `job_loop` with agent None."""
        if point in SYNC_POINTS:
            self.process.loader.call_now(point, agent, **kwargs)
        else:
            await self.process.loader.call(point, agent, **kwargs)

    def install(self, pack_root: Path, *, name: str = "memory_ledger", how: str = "link") -> None:
        """Put a pack in: "link" it (fast), or run its "installer"."""
        if how == "installer":
            packs.run_installer(self.machine, pack_root)
        else:
            self._installed += packs.link_pack(self.machine, pack_root.resolve(), name)
        self.notice_changes()

    def uninstall(self) -> None:
        """Take linked packs out again."""
        for path in reversed(self._installed):
            path.unlink()
        self._installed = []
        self.notice_changes()

    def write_extension(self, file: str, text: str, *, folder: str = "") -> Path:
        """Write an extension file where users put them, or below `folder`, and let the host notice it."""
        path = self.root / (folder or self.machine.traits.user_point_root) / f"{file.removesuffix('.py')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        self.notice_changes()
        return path

    def notice_changes(self) -> None:
        """Let B and C notice changed extension files; A needs a restart, as the host does."""
        if self.machine.traits.has_plugins and self._process is not None:
            self._process.loader.forget()

    def purge_plugins(self, *, built_in: bool = False) -> list[str]:
        """Do what the watchdog of B and C does when plugin code changes; return the dropped module names.

        `built_in` drops `plugins` instead of `usr.plugins`: the next import brings a new, empty Memory class.
        """
        self.notice_changes()
        return modules.purge("plugins" if built_in else "usr.plugins")

    async def call_api(self, handler: str, data: dict[str, Any], *, plugin: str = "memory_ledger") -> Any:
        """Call a pack's web handler as the user interface does; the answer has been through plain JSON."""
        folder = f"usr/plugins/{plugin}/api" if self.machine.traits.has_plugins else "python/api"
        base = importlib.import_module(f"{self.machine.traits.helpers}.api").ApiHandler
        cls = class_in_file(self.root / folder / f"{handler}.py", base)
        if cls is None:
            raise TypeError(f"{handler} holds no handler")
        return json.loads(json.dumps(await cls(None, None).process(data, None)))

    # -- settings -----------------------------------------------------------------------------------------

    def configure(self, **settings: Any) -> None:
        """Change memory settings as the user interface does: it always saves all of them."""
        if not self.machine.traits.has_plugins:
            config.change_settings(self.machine, settings)
            return
        current = config.get_plugin_config(self.machine, "_memory", project_name="", agent_profile="")
        self.write_plugin_config("_memory", {**current, **settings})

    def write_plugin_config(
        self, plugin: str, settings: dict[str, Any], *, project: str = "", profile: str = ""
    ) -> Path:
        """Write config.json of a scope exactly as given; keys that are missing stay missing."""
        return config.save_plugin_config(self.machine, plugin, project, profile, settings)

    def write_knowledge(self, name: str, text: str, *, area: str = "") -> Path:
        """Write a file of the user's knowledge folder; it is imported when a store is next loaded."""
        path = Path(paths.knowledge_folder(self.machine, "custom"), area, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    # -- memory -------------------------------------------------------------------------------------------

    @property
    def memory_module(self) -> Any:
        """The host's memory module, as an import finds it now."""
        return self.process.memory()

    async def memory(self, agent: Any = None) -> Any:
        """Open the store of an agent, by default agent 0: an object of the host's Memory."""
        self.process.workers.serve_running_loop()
        return await self.memory_module.Memory.get(agent or self.agent)

    async def insert(self, text: str, *, agent: Any = None, **metadata: Any) -> str:
        """Insert one memory with the host's insert_text; return its id."""
        return await (await self.memory(agent)).insert_text(text, metadata)

    @property
    def docs(self) -> dict[str, Document]:
        """The live documents of agent 0's store by id; empty until the store was opened."""
        return self.docs_of(config.memory_subdir(self.machine, self.agent))

    def docs_of(self, subdir: str) -> dict[str, Document]:
        """The live documents of a store by id."""
        db = self.memory_module.Memory.index.get(subdir)
        return db.get_all_docs() if db is not None else {}

    def memory_folder(self, subdir: str = "default") -> Path:
        """Return the folder of a store on disk."""
        return Path(paths.memory_folder(self.machine, subdir))

    # -- what happened ------------------------------------------------------------------------------------

    @property
    def saves(self) -> list[IndexWrite]:
        """Every full index write so far, with the thread that made it."""
        return self.machine.saves

    @property
    def log(self) -> list[LogItem]:
        """Every log item of every chat."""
        return [item for context in self.process.classes.AgentContext.all() for item in context.log.logs]

    @property
    def warnings(self) -> list[LogItem]:
        """The log items of type warning and error."""
        return [item for item in self.log if item.type in ("warning", "error")]

    @property
    def utility_calls(self) -> list[UtilityCall]:
        """Every request to the utility model."""
        return self.machine.utility.calls

    @property
    def hook_errors(self) -> list[HookError]:
        """Every exception that left an extension, with the point and the file."""
        return self.observed.hook_errors

    @property
    def background_errors(self) -> list[BaseException]:
        """What memorizers died of."""
        return self.observed.background_errors
