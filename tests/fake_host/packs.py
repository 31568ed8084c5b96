"""Putting a pack where a generation finds it (contract section 1, "Portable layout")."""

import subprocess
import sys
from pathlib import Path

from .machine import Machine


def link_pack(machine: Machine, pack_root: Path, name: str) -> list[Path]:
    """Link a pack in; return the links made.

    The pack itself is always at usr/plugins/<name>. A1 and A2 know no plugins: there every hook file, tool, prompt
    and handler gets a link of its own in the folder that generation searches.
    """
    links = [_link(machine.root / "usr/plugins" / name, pack_root)]
    if machine.traits.has_plugins:
        return links
    for file in sorted(pack_root.glob("extensions/python/*/*.py")):
        links.append(_link(machine.root / machine.traits.user_point_root / file.parent.name / file.name, file))
    folders = {
        "tools/*.py": machine.traits.user_tool_root,
        "prompts/*.md": machine.traits.user_prompt_root,
        "api/*.py": "python/api",
    }
    for pattern, folder in folders.items():
        links += [_link(machine.root / folder / file.name, file) for file in sorted(pack_root.glob(pattern))]
    return links


def run_installer(machine: Machine, pack_root: Path) -> None:
    """Run the pack's own install.py; CalledProcessError if it fails."""
    command = [sys.executable, str(pack_root / "install.py"), str(machine.root)]
    subprocess.run(command, capture_output=True, text=True, check=True)


def _link(place: Path, target: Path) -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(target)
    return place
