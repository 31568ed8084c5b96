"""One run of the host: its classes, caches, chats and threads. A hard restart makes a new one."""

import asyncio
import contextlib
import importlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from . import recall
from .agent import AgentConfig, make_agent_classes, new_config
from .background import BackgroundLoop, Gate, Workers, join
from .classes import copy_class
from .loader import Extension, Loader, file_name_of
from .machine import Machine
from .memorize import Job
from .monologue import Plan
from .tools import Tool


@dataclass(frozen=True, slots=True)
class HookError:
    """An exception that left an extension."""

    point: str
    file: str
    error: BaseException


@dataclass
class Observed:
    """What tests look at afterwards; survives restarts."""

    hook_errors: list[HookError] = field(default_factory=list)
    background_errors: list[BaseException] = field(default_factory=list)


class Process:
    """The state of one host process."""

    def __init__(self, machine: Machine, observed: Observed) -> None:
        self.machine = machine
        self.traits = machine.traits
        self.observed = observed
        self.Extension = copy_class(Extension, f"{machine.traits.helpers}.extension")
        self.classes = make_agent_classes(self)
        self.Tool = copy_class(Tool, f"{machine.traits.helpers}.tool")
        self.loader = Loader(self)
        self.background = BackgroundLoop()
        self.workers = Workers()
        self.jobs: list[Job] = []
        self.plans: dict[Any, Plan] = {}
        self.recall_gate = Gate()
        self.recall_tasks: list[asyncio.Task[Any]] = []

    def new_config(self, profile: str = "") -> AgentConfig:
        return new_config(self.machine, profile)

    def memory(self) -> Any:
        """Return the host's memory module as an import finds it now; a purge brings a new one."""
        return importlib.import_module(self.traits.memory_module)

    @contextlib.contextmanager
    def blaming(self, point: str, cls: type) -> Iterator[None]:
        """Record which extension an exception came from; it goes on."""
        try:
            yield
        except Exception as error:
            self.observed.hook_errors.append(HookError(point, file_name_of(cls), error))
            raise

    async def let_recall_end(self) -> None:
        """Time passes: every recall that is not held on purpose ends, the host's and a pack's in its place."""
        await asyncio.sleep(0)
        replaced = [task for agent in self.plans if (task := agent.get_data(recall.TASK)) is not None]
        running = {task for task in [*self.recall_tasks, *replaced] if not task.done()}
        held = asyncio.ensure_future(self.recall_gate.reached.wait())
        while running and not held.done():
            await asyncio.wait({*running, held}, return_when=asyncio.FIRST_COMPLETED)
            running = {task for task in running if not task.done()}
        held.cancel()

    async def open_recall_gate(self) -> None:
        self.recall_gate.open()
        self.recall_gate = Gate()
        await self.let_recall_end()

    async def finish_jobs(self) -> None:
        """Let held memorizing go on, one after the other, and wait for its end."""
        for job in list(self.jobs):
            self.jobs.remove(job)
            if (error := await job.finish()) is not None:
                self.observed.background_errors.append(error)

    async def settle(self) -> None:
        """Wait for everything packs began, on this loop and on threads; what is held on purpose stays held."""
        while True:
            others = [] if self.recall_gate.reached.is_set() else self._other_tasks()
            waiting = [*others, *(asyncio.wrap_future(future) for future in list(self.workers.pending))]
            waiting += [asyncio.ensure_future(asyncio.to_thread(join, t)) for t in self.workers.threads_of_packs()]
            if not waiting:
                return
            await asyncio.wait(waiting)

    async def kill_tasks(self) -> None:
        """Cancel what still runs on this loop, as the end of a process does."""
        tasks = [*self._other_tasks(), *(job.running for job in self.jobs if isinstance(job.running, asyncio.Task))]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def forget_chats(self) -> None:
        """Keep no chat, nor what was planned for it; recalls that run go on."""
        self.classes.AgentContext._contexts.clear()
        self.plans.clear()
        self.recall_tasks[:] = [task for task in self.recall_tasks if not task.done()]

    def _other_tasks(self) -> list["asyncio.Task[Any]"]:
        mine = {asyncio.current_task(), *self.workers.tasks_before, *(job.running for job in self.jobs)}
        return [task for task in asyncio.all_tasks() if task not in mine]

    def stop(self) -> None:
        """End the process without finishing anything, as a kill does."""
        for job in self.jobs:
            job.cancel()
        self.jobs.clear()
        for task in self.recall_tasks:
            if not task.done() and not task.get_loop().is_closed():
                task.cancel()
        self.background.stop()
        self.workers.stop()
