#!/usr/bin/env python3
"""Put Memory Ledger into an Agent Zero folder, check it there, or take it out again.

    python3 install.py [install|uninstall|status|doctor] AGENT_ZERO_FOLDER [--dry-run] [--strip-metadata]

Standard library only; the work is done by the modules in `installer/`, found by their place beside
this file, because Agent Zero loads `hooks.py` (and that this file) outside any package. This file
keeps to a syntax that every Python 3 reads, so that an old one gets a sentence and no traceback.
"""

import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

OLDEST_PYTHON = (3, 9)
_HERE = Path(__file__).resolve().parent
_PACKAGE = "memory_ledger_installer"


def load_installer() -> ModuleType:
    """Return the package `installer/` that lies beside this file, freshly read.

    Nothing of it stays in `sys.modules`: after an update the next call must see the new files.
    """
    _forget()
    folder = _HERE / "installer"
    spec = importlib.util.spec_from_file_location(
        _PACKAGE, str(folder / "__init__.py"), submodule_search_locations=[str(folder)]
    )
    if spec is None or spec.loader is None:
        raise ImportError("cannot load " + str(folder))
    module = importlib.util.module_from_spec(spec)
    sys.modules[_PACKAGE] = module
    try:
        spec.loader.exec_module(module)
    finally:
        _forget()
    return module


def _forget() -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == _PACKAGE]:
        del sys.modules[name]


def plan(folder: "str | Path", source: "str | Path" = _HERE) -> object:
    """Return what an installation from `source` into `folder` would write and remove; changes nothing."""
    installer = load_installer()
    host = installer.find_host(Path(folder))
    return installer.plan_install(installer.read_pack(Path(source)), host)


def apply(folder: "str | Path", planned: object) -> None:
    """Carry out what `plan()` returned: all of it, the record last, or nothing."""
    installer = load_installer()
    installer.apply(installer.find_host(Path(folder)), planned)


def main(argv: "Sequence[str] | None" = None, say: "Callable[[str], None]" = print) -> int:
    """Run one verb; 0 done, 1 problems found, 2 misuse. `say` gets each line of the report."""
    if sys.version_info < OLDEST_PYTHON:
        found = ".".join(str(part) for part in sys.version_info[:3])
        say("install.py: this is Python " + found + "; it needs 3.9 or newer (inside Agent Zero's container:")
        say("/opt/venv-a0/bin/python). Nothing was changed.")
        return 2
    try:
        code: int = load_installer().run(argv, source=_HERE, say=say)
    except BrokenPipeError:  # the reader of the report has gone (`| head`); Python must not complain at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


if __name__ == "__main__":
    sys.exit(main())
