"""The host's modules, as imports find them while a host is active.

A finder makes each module anew when it is imported, so a purge brings new classes, as in the host. Names of
other generations are blocked, and whatever the test process had under these names is put back afterwards.
"""

import importlib
import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from types import ModuleType
from typing import TYPE_CHECKING, Any

from . import services

if TYPE_CHECKING:
    from .process import Process

_OWNED = ("agent", "initialize", "models", "python", "helpers", "plugins", "usr")
_active: list["HostModules"] = []


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


class HostModules(MetaPathFinder):
    """The importable names of one host process."""

    def __init__(self, process: "Process") -> None:
        self._root = process.machine.root
        self._makers = services.module_makers(process)
        self._packages = {name.rpartition(".")[0] for name in self._makers} - {""} | {"usr", "usr.plugins"}
        self._packages |= {name.split(".")[0] for name in self._packages}
        self._packages |= {parent for name in self._packages for parent in _parents(name)}
        self._stashed: dict[str, ModuleType] = {}

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
        return None

    def start(self) -> None:
        """Take over the names and put the host's root first on the path."""
        if _active:
            raise RuntimeError("another FakeHost is active; leave it first")
        _active.append(self)
        self._stashed = _take_out(_is_owned)
        sys.meta_path.insert(0, self)
        sys.path.insert(0, str(self._root))
        importlib.invalidate_caches()

    def stop(self) -> None:
        """Remove exactly what was added and put back what was there."""
        _active.remove(self)
        sys.meta_path.remove(self)
        sys.path.remove(str(self._root))
        _take_out(_is_owned)
        sys.modules.update(self._stashed)
        importlib.invalidate_caches()


def _parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts))]


def _take_out(is_meant: Callable[[str], bool]) -> dict[str, ModuleType]:
    return {name: sys.modules.pop(name) for name in list(sys.modules) if is_meant(name)}


def purge(namespace: str) -> list[str]:
    """Drop a namespace from sys.modules, as the host's watchdog does (contract section 1, "Caching")."""
    dropped = _take_out(lambda name: name == namespace or name.startswith(f"{namespace}."))
    importlib.invalidate_caches()
    return sorted(dropped)
