"""The installer, which stands beside the pack's other code and belongs to no package of it: not every copy has it."""

from __future__ import annotations

import importlib.util
import threading
from pathlib import Path
from typing import Any

_PACK = Path(__file__).resolve().parents[2]
_MODULE = "memory_ledger_installer"
#: Loading the installer changes the table of modules for a moment.
_loading = threading.Lock()


def load_installer() -> Any | None:
    """Return the package `installer/`; None where it does not stand beside the code, as in a wheel."""
    path = _PACK / "install.py"
    spec = importlib.util.spec_from_file_location(_MODULE, path) if (_PACK / "installer").is_dir() else None
    if spec is None or spec.loader is None or not path.is_file():
        return None
    with _loading:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.load_installer()
