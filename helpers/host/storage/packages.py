"""How to install what is missing: for the Python that misses it, which needs no name of a plugin or of a folder."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

_NAME = "memory-ledger"
#: The folders of uv's cache in which `uvx` makes what is gone after the run.
_OF_UVX = ("archive-v", "environments-v")


def install_command(*names: str) -> str:
    """Return what to type so that this Python has the packages of PyPI with these names; under `uvx`, the next one."""
    prefix = Path(sys.prefix)
    return choose_command(names, sys.executable, prefix, has_pip=find_spec("pip") is not None, origin=_find_origin())


def choose_command(names: Sequence[str], python: str, prefix: Path, *, has_pip: bool, origin: str) -> str:
    """Return what installs packages for a Python: `uvx` and `uv` make environments that have no pip."""
    if has_pip:
        return shlex.join([python, "-m", "pip", "install", *names])
    if any(part.startswith(_OF_UVX) for part in prefix.parts):
        return shlex.join(["uvx", *(word for name in names for word in ("--with", name)), "--from", origin, _NAME])
    if _is_of_uv(prefix):
        return shlex.join(["uv", "pip", "install", "--python", python, *names])
    return shlex.join(["pip", "--python", python, "install", *names])


def _is_of_uv(prefix: Path) -> bool:
    made = prefix / "pyvenv.cfg"
    return made.is_file() and any(line.startswith("uv =") for line in made.read_text("utf-8").splitlines())


def _find_origin() -> str:
    """Return where this package was installed from: a wheel or a folder (PEP 610), or by its name."""
    try:
        found = distribution(_NAME).read_text("direct_url.json")
    except PackageNotFoundError:
        found = None
    return _NAME if found is None else str(json.loads(found)["url"])
