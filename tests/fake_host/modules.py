"""The host's modules, as imports find them while a host is active.

A finder makes each module anew when it is imported, so a purge brings new classes, as in the host. Names of
other generations are blocked, and whatever the test process had under these names is put back afterwards.
Modules of a pack without state (`keep_between_hosts`) are the exception: a new host finds them as the last one left
them, until it purges, or their file says something else.
"""

import importlib
import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from . import services

if TYPE_CHECKING:
    from .process import Process

_OWNED = ("agent", "initialize", "models", "python", "helpers", "plugins", "usr")
_active: list["HostModules"] = []
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
        """Give the module its names."""
        vars(module).update(self._make())


class _KeptModule(Loader):
    """Hands out a module that an earlier host imported, as one that lies in this host's folder."""

    def __init__(self, module: ModuleType, file: Path) -> None:
        self._module = module
        self._file = file

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """Return the module as it is."""
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        """Say where it lies now."""
        module.__file__ = str(self._file)
        if hasattr(module, "__path__"):
            module.__path__ = [str(self._file.parent)]


class HostModules(MetaPathFinder):
    """The importable names of one host process."""

    def __init__(self, process: "Process") -> None:
        self._root = process.machine.root
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
            spec.submodule_search_locations = [str(self._root.joinpath(*fullname.split(".")))]
            return spec
        if fullname in _OWNED and importlib.machinery.PathFinder.find_spec(fullname) is not None:
            raise ModuleNotFoundError(f"this generation has no module {fullname!r}", name=fullname)
        if not self._is_purged and any(keeps(fullname) for keeps in _keeps):
            return self._find_kept(fullname)
        return None

    def _find_kept(self, fullname: str) -> importlib.machinery.ModuleSpec | None:
        place = self._root.joinpath(*fullname.split("."))
        file = next((each for each in (place / "__init__.py", place.with_suffix(".py")) if each.is_file()), None)
        if file is None:
            return None
        source = self._sources[fullname] = file.read_bytes()
        of_source, module = _kept.get(fullname, (None, None))
        if module is None or source != of_source:
            return None
        spec = importlib.machinery.ModuleSpec(fullname, _KeptModule(module, file), origin=str(file))
        spec.submodule_search_locations = [str(file.parent)] if file.name == "__init__.py" else None
        return spec

    def start(self) -> None:
        """Take over the names and put the host's root first on the path."""
        if _active:
            raise RuntimeError("another FakeHost is active; leave it first")
        _active.append(self)
        self._stashed = _take_out(_is_owned)
        sys.meta_path.insert(0, self)
        sys.path.insert(0, str(self._root))
        importlib.invalidate_caches()

    def forget_kept(self) -> None:
        """Make every module anew from here on."""
        self._is_purged = True

    def stop(self) -> None:
        """Remove exactly what was added and put back what was there."""
        _active.remove(self)
        sys.meta_path.remove(self)
        sys.path.remove(str(self._root))
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
