# ruff: noqa: PTH113
"""The host's modules, as imports find them while a host is active.

A finder makes each module anew when it is imported, so a purge brings new classes, as in the host. Names of
other generations are blocked, and whatever the test process had under these names is put back afterwards.
Modules of a pack without state (`keep_between_hosts`) are the exception: a new host finds them as the last one left
them, until it purges, or their file says something else.
"""

import importlib
import importlib.machinery
import os
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from . import services
from .sources import SourceLoader

if TYPE_CHECKING:
    from .process import Process

_OWNED = ("agent", "initialize", "models", "python", "helpers", "plugins", "usr")
_active: list["HostModules"] = []
#: Where the finder stands: a test that looks on from before it does so after a restart as well.
_place = {"first": 0}
_keeps: list[Callable[[str], bool]] = []
_kept: dict[str, tuple[bytes, ModuleType]] = {}


def keep_between_hosts(is_stateless: Callable[[str], bool]) -> None:
    """Import the modules that this says once for all hosts; nothing in them may depend on the host or outlive it."""
    _keeps.append(is_stateless)


def _is_owned(name: str) -> bool:
    return name.split(".")[0] in _OWNED


class _ModuleMaker(Loader):
    """Fills a new module with what its maker returns."""

    def __init__(self, make: Callable[[], dict[str, Any]]) -> None:
        self._make = make

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        """Leave the making of the module object to Python."""

    def exec_module(self, module: ModuleType) -> None:
        vars(module).update(self._make())


class _KeptModule(Loader):
    """Hands out a module that an earlier host imported."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        """Leave it as it is."""


class HostModules(MetaPathFinder):
    """The importable names of one host process."""

    def __init__(self, process: "Process") -> None:
        self._root = str(process.machine.root)
        self._makers = services.module_makers(process)
        self._packages = {name.rpartition(".")[0] for name in self._makers} - {""} | {"usr", "usr.plugins"}
        self._packages |= {name.split(".")[0] for name in self._packages}
        self._packages |= {parent for name in self._packages for parent in _parents(name)}
        self._stashed: dict[str, ModuleType] = {}
        self._sources: dict[str, bytes] = {}
        self._is_purged = False

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Answer for the host's names; leave files of packs and of the host to Python."""
        if fullname in self._makers:
            return importlib.machinery.ModuleSpec(fullname, _ModuleMaker(self._makers[fullname]))
        if fullname in self._packages:
            spec = importlib.machinery.ModuleSpec(fullname, _ModuleMaker(dict), is_package=True)
            spec.submodule_search_locations = [self._place(fullname)]
            return spec
        if fullname in _OWNED and importlib.machinery.PathFinder.find_spec(fullname) is not None:
            raise ModuleNotFoundError(f"this generation has no module {fullname!r}", name=fullname)
        return self._find_in_pack(fullname) if fullname.startswith("usr.plugins.") else None

    def _place(self, fullname: str) -> str:
        return f"{self._root}/{fullname.replace('.', '/')}"

    def _find_in_pack(self, fullname: str) -> importlib.machinery.ModuleSpec | None:
        place = self._place(fullname)
        file = next((each for each in (f"{place}.py", f"{place}/__init__.py") if os.path.isfile(each)), None)
        if file is None:
            return None
        loader: Loader = SourceLoader(fullname, file)
        if not self._is_purged and any(keeps(fullname) for keeps in _keeps):
            source = self._sources[fullname] = Path(file).read_bytes()
            of_source, module = _kept.get(fullname, (None, None))
            if module is not None and source == of_source:
                loader = _KeptModule(module)
        spec = importlib.machinery.ModuleSpec(fullname, loader, origin=file, is_package=file.endswith("/__init__.py"))
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(place)
        spec.has_location = True
        return spec

    def start(self) -> None:
        """Take over the names and put the host's root first on the path."""
        if _active:
            raise RuntimeError("another FakeHost is active; leave it first")
        _active.append(self)
        self._stashed = _take_out(_is_owned)
        sys.meta_path.insert(_place["first"], self)
        sys.path.insert(0, self._root)
        importlib.invalidate_caches()
        for name, (_, module) in _kept.items():  # also those that only kept ones refer to
            module.__file__ = f"{self._place(name)}{'/__init__' if hasattr(module, '__path__') else ''}.py"
            if hasattr(module, "__path__"):
                module.__path__ = [self._place(name)]

    def forget_kept(self) -> None:
        """Make every module anew from here on."""
        self._is_purged = True

    def stop(self) -> None:
        """Remove exactly what was added and put back what was there."""
        _active.remove(self)
        _place["first"] = sys.meta_path.index(self)
        sys.meta_path.remove(self)
        sys.path.remove(self._root)
        for name, module in _take_out(_is_owned).items():
            if name in self._sources and not self._is_purged and not getattr(module.__spec__, "_initializing", False):
                _kept[name] = (self._sources[name], module)
        sys.modules.update(self._stashed)
        importlib.invalidate_caches()


def _parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts))]


def _take_out(is_meant: Callable[[str], bool]) -> dict[str, ModuleType]:
    return {name: sys.modules.pop(name) for name in list(sys.modules) if is_meant(name)}


def purge(namespace: str) -> list[str]:
    """Drop a namespace from sys.modules, as the host's watchdog does (contract section 1, "Caching")."""
    for host in _active:
        host.forget_kept()
    dropped = _take_out(lambda name: name == namespace or name.startswith(f"{namespace}."))
    importlib.invalidate_caches()
    return sorted(dropped)
