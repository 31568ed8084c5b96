"""What `install.py doctor` says of the installation, for a person who looks at a page; changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .. import agent_zero
from ..installation import load_installer
from ..session import Folder
from .questions import PageError, Question

_CANNOT = "The installation cannot be checked from here; use `python3 install.py doctor` in a terminal."
#: The worst first.
_LEVELS = ("fail", "warn", "ok")


def read_doctor(_: Folder, __: Question) -> dict[str, Any]:
    """Return every finding, the worst first, without the paths of this machine; blocking, as the index is hashed."""
    root = agent_zero.user_folder().parent
    installer = load_installer()
    if installer is None:
        raise PageError(_CANNOT)
    try:
        findings = installer.diagnose(installer.find_host(root))
    except (installer.InstallError, OSError) as exc:
        raise PageError(_CANNOT) from exc
    rows = [{"level": one.level, "text": _without(root, one.text)} for one in findings]
    return {"findings": sorted(rows, key=lambda row: _LEVELS.index(row["level"]))}


def _without(root: Path, text: str) -> str:
    return text.replace(f"{root}/", "").replace(str(root), "this folder")
