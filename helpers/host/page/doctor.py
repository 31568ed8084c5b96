"""What `install.py doctor` says of the installation, for a person who looks at a page; changes nothing."""

from __future__ import annotations

import importlib.util
import threading
from pathlib import Path
from typing import Any

from .. import agent_zero
from ..session import Folder
from .questions import PageError, Question

_PACK = Path(__file__).resolve().parents[3]
_MODULE = "memory_ledger_install_for_page"
_CANNOT = "The installation cannot be looked at from here; `python3 install.py doctor` in a terminal does it."
#: The worst first.
_LEVELS = ("fail", "warn", "ok")
#: Loading the installer changes the table of modules for a moment.
_loading = threading.Lock()


def read_doctor(_: Folder, __: Question) -> dict[str, Any]:
    """Return every finding, the worst first, without the paths of this machine; blocking, as the index is hashed."""
    root = agent_zero.user_folder().parent
    with _loading:
        installer = _load_installer()
    try:
        findings = installer.diagnose(installer.find_host(root))
    except (installer.InstallError, OSError) as exc:
        raise PageError(_CANNOT) from exc
    rows = [{"level": one.level, "text": _without(root, one.text)} for one in findings]
    return {"findings": sorted(rows, key=lambda row: _LEVELS.index(row["level"]))}


def _without(root: Path, text: str) -> str:
    return text.replace(f"{root}/", "").replace(str(root), "this folder")


def _load_installer() -> Any:
    """Return the package `installer/`, which stands beside the pack's other code and belongs to no package of it."""
    path = _PACK / "install.py"
    spec = importlib.util.spec_from_file_location(_MODULE, path) if path.is_file() else None
    if spec is None or spec.loader is None:
        raise PageError(_CANNOT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.load_installer()
