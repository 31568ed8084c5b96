"""Run the pack's own code over the memories in Agent Zero's Python: the standard library cannot open an index."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from .layout import PACK, Host, InstallError

#: The variable of the environment that names Agent Zero's Python where it cannot be found.
_PYTHON = "A0_PYTHON"
_HOST_PYTHON = Path("/opt/venv-a0/bin/python")
_HOST_FILES = (
    "index.faiss",
    "index.pkl",
    "index.faiss.sha256",
    "embedding.json",
    "knowledge_import.json",
    "behaviour.md",
    ".gitkeep",
)


def strip_command(memory_folder: Path, *, pointers_only: bool) -> list[str]:
    """Return the command that removes the ledger's metadata, or only its pointers, from one memory folder."""
    python = os.environ.get(_PYTHON) or (str(_HOST_PYTHON) if _HOST_PYTHON.is_file() else sys.executable)
    module = PACK.replace("/", ".") + ".helpers.cli"
    what = ["--pointers-only"] if pointers_only else []
    return [python, "-m", module, "strip", *what, "--folder", str(memory_folder)]


def stores(host: Host) -> list[Path]:
    """Return the memory folders with an index."""
    return [host.path(place) for place in host.memory_folders() if (host.path(place) / "index.pkl").is_file()]


def strip(host: Host, say: Callable[[str], None], *, pointers_only: bool = False) -> None:
    """Run the pack's own `strip` over every store. Raises InstallError, naming the store, at the first failure."""
    if host.root is None and stores(host):
        raise InstallError(
            f"{host.usr}: the memories can only be changed by Agent Zero's Python; run this inside the container: "
            f"docker exec CONTAINER /opt/venv-a0/bin/python /a0/{PACK}/install.py uninstall /a0 --strip-metadata"
        )
    process = running(host)
    if process is not None and stores(host):
        raise InstallError(
            f"{host.folder}: Agent Zero runs (process {process}) and would write its own copy of the memories over the "
            "change; stop it first (in a container: supervisorctl stop run_ui)"
        )
    for folder in stores(host):
        command = strip_command(folder, pointers_only=pointers_only)
        try:
            result = subprocess.run(command, cwd=host.root, capture_output=True, text=True, check=False)
        except OSError as exc:
            raise InstallError(f"{folder}: {command[0]} cannot be run: {exc.strerror}") from exc
        if result.returncode:
            last_line = (result.stderr.strip() or result.stdout.strip() or "it said nothing").splitlines()[-1]
            hint = "" if os.environ.get(_PYTHON) else f"; if that is not Agent Zero's Python, name it in {_PYTHON}"
            raise InstallError(f"{folder}: {command[0]} ended with exit code {result.returncode}: {last_line}{hint}")
        say(f"ok    {(result.stdout.strip().splitlines() or [f'{folder}: stripped'])[-1]}")


def running(host: Host) -> int | None:
    """Return the id of the process that runs this Agent Zero; None if it does not run, or outside Linux."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
            at = (folder / "cwd").readlink()
        except OSError:
            continue  # gone, or not ours to look at
        scripts = [at / word for word in words if word.endswith("run_ui.py")]
        if any(script.parent == host.root for script in scripts):
            return int(folder.name)
    return None


def data_files(host: Host) -> list[str]:
    """Return the places of the pack's own data in and beside the memory folders, which stay."""
    folders = host.memory_folders()
    beside = [place for place in host.memory_entries() if place not in folders and not _is_hosts(host.path(place))]
    inside = [f"{folder}/{path.name}" for folder in folders for path in sorted(host.path(folder).iterdir())]
    return [*beside, *(place for place in inside if place.rsplit("/", 1)[1] not in _HOST_FILES)]


def _is_hosts(path: Path) -> bool:
    return path.name in (*_HOST_FILES, "embeddings") or any((path / name).exists() for name in _HOST_FILES)
