"""How the host finds and runs extension files (contract section 1).

A file is executed by path and never enters sys.modules. One class is taken from it: the last by name that
derives from Extension, imported ones included. Files are told apart by the *class's* module name.
"""

import importlib.util
import inspect
from collections.abc import Awaitable, Coroutine
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from . import paths
from .sources import SourceLoader

if TYPE_CHECKING:
    from .process import Process


class Extension:
    """What every extension derives from; the host makes its own copy of this class at each start."""

    def __init__(self, agent: Any, **kwargs: Any) -> None:
        self.agent = agent
        self.kwargs = kwargs

    def execute(self, **kwargs: Any) -> Any:
        """Do the work; overridden by extensions."""


def load_module(path: Path) -> ModuleType:
    """Execute a file as a module that has its bare file name and belongs to no package."""
    spec = importlib.util.spec_from_file_location(path.stem, path, loader=SourceLoader(path.stem, str(path)))
    if spec is None or spec.loader is None:
        raise ImportError(f"no module can be loaded from {path}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def class_in_file(path: Path, base: type) -> type | None:
    """Return the class the host takes from a file, or None."""
    members = inspect.getmembers(load_module(path), inspect.isclass)
    for _name, member in reversed(members):
        if issubclass(member, base) and member is not base:
            return member
    return None


def classes_in_folder(folder: Path, base: type) -> list[type]:
    """Return the classes of a folder in file order; an import error of any file propagates."""
    found = [class_in_file(path, base) for path in sorted(folder.glob("*.py"))]
    return [cls for cls in found if cls is not None]


def file_name_of(cls: type) -> str:
    """Return the name the host sorts and overrides by: the last part of the class's module."""
    return cls.__module__.split(".")[-1]


def run_nested(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine to its end inside a running loop, as A does at its synchronous points.

    The host nests event loops for this. The model steps the coroutine by hand: anything that really waits
    for the outer loop is refused, because in the host its order would be undefined.
    """
    try:
        while True:
            if coroutine.send(None) is not None:
                coroutine.close()
                raise RuntimeError("an extension of a synchronous point waits for the event loop")
    except StopIteration as stop:
        return stop.value


class Loader:
    """The extension runner of one host process, with its caches."""

    def __init__(self, process: "Process") -> None:
        self._process = process
        self._traits = process.machine.traits
        self._folders: dict[str, list[type]] = {}
        self._points: dict[tuple[str, str, str], list[type]] = {}

    def forget(self) -> None:
        """Drop the caches, as the watchdogs of B and C do when an extension file changes."""
        self._folders.clear()
        self._points.clear()

    async def call(self, point: str, agent: Any, **kwargs: Any) -> None:
        """Run an asynchronous point. A awaits whatever `execute` returns; B and C only awaitables."""
        self._process.workers.serve_running_loop()
        for cls in self.classes(point, agent):
            with self._process.blaming(point, cls):
                await self.run(cls, agent, **kwargs)

    async def run(self, cls: type, agent: Any, **kwargs: Any) -> None:
        result = cls(agent=agent).execute(**kwargs)
        if self._traits.always_awaits or isinstance(result, Awaitable):
            await result

    def call_now(self, point: str, agent: Any, **kwargs: Any) -> None:
        """Run a point from synchronous code: A nests its loop, B and C refuse awaitables."""
        for cls in self.classes(point, agent):
            with self._process.blaming(point, cls):
                self.run_now(cls, agent, **kwargs)

    def run_now(self, cls: type, agent: Any, **kwargs: Any) -> None:
        if self._traits.always_awaits:

            async def awaited() -> None:
                await cls(agent=agent).execute(**kwargs)

            run_nested(awaited())
            return
        result = cls(agent=agent).execute(**kwargs)
        if isinstance(result, Awaitable):
            if inspect.iscoroutine(result):
                result.close()
            raise ValueError(f"Extension {cls.__name__} returned awaitable in sync mode")

    def classes(self, point: str, agent: Any) -> list[type]:
        if not self._traits.searches_user_folders:
            return self._classes_a1(point, agent)
        profile = (agent.config.profile if agent else "") or "none"
        key = (profile, paths.project_name(agent) or "none", point)
        if self._traits.has_plugins and key in self._points:
            return self._points[key]
        first: dict[str, type] = {}
        for path in self._search(point, agent):
            for cls in self._folder(path):
                first.setdefault(file_name_of(cls), cls)
        classes = sorted(first.values(), key=file_name_of)
        if self._traits.has_plugins:
            self._points[key] = classes
        return classes

    def _classes_a1(self, point: str, agent: Any) -> list[type]:
        """A1: the profile's file replaces the core's; sorted only if the profile has any."""
        core = str(self._process.machine.root / self._traits.point_root / point)
        places = self._search(point, agent)
        classes = self._folder(core) if core in places else []
        own = [cls for path in places if path != core for cls in self._folder(path)]
        if not own:
            return classes
        unique = {file_name_of(cls): cls for cls in [*classes, *own]}
        return sorted(unique.values(), key=file_name_of)

    def _search(self, point: str, agent: Any) -> list[str]:
        return paths.search_paths(self._process.machine, agent, "extensions", point)

    def _folder(self, path: str) -> list[type]:
        if path not in self._folders:
            self._folders[path] = classes_in_folder(Path(path), self._process.Extension)
        return self._folders[path]
