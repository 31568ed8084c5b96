"""The layout of an Agent Zero folder: its generation, and where that reads hooks and keeps memories.

The layout is read from the files in the folder, never from a version number. A place is written relative to the Agent
Zero folder, with `/`, whichever folder was given; `Host.path` turns it into a real path.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

NAME = "memory_ledger"
PACK = "usr/plugins/" + NAME
A1, A2, PLUGINS = "A1", "A2", "plugins"
TITLES = {A1: "layout A1 (v0.9.7)", A2: "layout A2 (v0.9.8)", PLUGINS: "layout plugins (v0.9.9 and later)"}

#: Releases that the pack was run on as a whole, and the newest of which single files were, on the last of these.
TRIED = ("v0.9.7", "v0.9.8.2", "v1.7", "v2.4", "v2.6")
TRIED_IN_PART = "v2.13"
# What the first release after the last one of these has, where no git data tell which it is.
_NEWER_MARK = "helpers/tool_policy.py"

_PLUGINS_MARK = "plugins/_memory/helpers/memory.py"
_PYTHON_MARK = "python/helpers/memory.py"
_USR_NAMES = (
    "agents",
    "chats",
    "knowledge",
    "memory",
    "projects",
    "secrets.env",
    "settings.json",
    "skills",
    "uploads",
    "workdir",
)
_CORE_NAMES = ("agent.py", "run_ui.py", "python", "helpers")

# Where each kind looks for the hook files of one point: the first that has a file name wins, and of patterns in
# one line the one whose folder name sorts first (contract, section 1).
_HOOK_FOLDERS = {
    A1: (
        ("agents/*/extensions/{point}",),
        ("python/extensions/{point}",),
    ),
    A2: (
        ("usr/projects/*/.a0proj/agents/*/extensions/{point}",),
        ("usr/projects/*/.a0proj/extensions/{point}",),
        ("usr/agents/*/extensions/{point}",),
        ("agents/*/extensions/{point}",),
        ("usr/extensions/{point}",),
        ("python/extensions/{point}",),
    ),
    PLUGINS: (
        ("usr/projects/*/.a0proj/agents/*/extensions/python/{point}",),
        ("usr/projects/*/.a0proj/extensions/python/{point}",),
        ("usr/agents/*/extensions/python/{point}",),
        ("usr/plugins/*/agents/*/extensions/python/{point}", "plugins/*/agents/*/extensions/python/{point}"),
        ("agents/*/extensions/python/{point}",),
        ("usr/extensions/python/{point}",),
        ("usr/plugins/*/extensions/python/{point}", "plugins/*/extensions/python/{point}"),
        ("extensions/python/{point}",),
    ),
}
# Where a host without plugins needs a file that hands over to one of the pack's, by the pack's own folder for these.
_SHIM_FOLDERS = {
    A1: {"extensions": "python/extensions/{point}", "tools": "python/tools", "prompts": "prompts"},
    A2: {"extensions": "usr/extensions/{point}", "tools": "usr/tools", "prompts": "usr/prompts"},
}
_MEMORY_FOLDERS = {A1: "memory/*", A2: "usr/memory/*", PLUGINS: "usr/memory/*"}


class InstallError(Exception):
    """A command cannot go on; the message is for the person who gave it."""


@dataclass(frozen=True)
class Host:
    """One Agent Zero; `root` is None where only the content of its `usr` folder was given."""

    layout: str
    root: Path | None
    usr: Path

    @property
    def folder(self) -> Path:
        """The folder to name to the user: the given one."""
        return self.root or self.usr

    def path(self, place: str) -> Path:
        """Return the path of a place. Raises InstallError for one outside `usr` that was not given."""
        if place == "usr" or place.startswith("usr/"):
            return self.usr / place[4:]
        if self.root is None:
            raise InstallError(f"{place}: outside {self.usr}, which holds the usr folder only")
        return self.root / place

    def reaches(self, place: str) -> bool:
        """Whether `path` can tell where `place` is."""
        return self.root is not None or place.split("/")[0] == "usr"

    def places(self, pattern: str) -> Iterator[str]:
        """Yield, in order, the existing places that match a pattern of `/`-separated globs."""
        inside_usr = pattern.startswith("usr/")
        if self.root is None and not inside_usr:
            return
        base = self.usr if inside_usr else self.folder
        prefix = "usr/" if inside_usr else ""
        for path in sorted(base.glob(pattern[4:] if inside_usr else pattern)):
            yield prefix + path.relative_to(base).as_posix()

    def shim_place(self, point: str, file_name: str) -> str | None:
        """Return the place of the file that hands over to a hook of the pack; None if this host needs none."""
        folders = _SHIM_FOLDERS.get(self.layout)
        return f"{folders['extensions'].format(point=point)}/{file_name}" if folders else None

    def aid_place(self, folder: str, file_name: str) -> str | None:
        """Return the place of the file that hands over to a tool or a prompt; None if this host needs none."""
        folders = _SHIM_FOLDERS.get(self.layout)
        return f"{folders[folder]}/{file_name}" if folders else None

    def hook_place(self, point: str, file_name: str) -> str:
        """Return the place of the file through which this host runs a hook of the pack."""
        return self.shim_place(point, file_name) or f"{PACK}/extensions/python/{point}/{file_name}"

    def same_named(self, point: str, file_name: str) -> list[str]:
        """Return the places that this host takes for one hook, ours among them; it runs the first that exists."""
        ours, places = self.hook_place(point, file_name), []
        for patterns in _HOOK_FOLDERS[self.layout]:
            wanted = [f"{pattern.format(point=point)}/{file_name}" for pattern in patterns]
            same = {place for pattern in wanted for place in self.places(pattern)}
            same.update(ours for pattern in wanted if PurePosixPath(ours).match(pattern) and ours[0] == pattern[0])
            places += sorted(same, key=lambda place: place[4:] if place.startswith("usr/") else place)
        return places

    def memory_entries(self) -> list[str]:
        """Return the places of everything in the folder of the memory folders."""
        return list(self.places(_MEMORY_FOLDERS[self.layout]))

    def memory_folders(self) -> list[str]:
        """Return the places of the folders that hold an index, a part of one, or a backup."""
        places = [*self.memory_entries(), *self.places("usr/projects/*/.a0proj/memory")]
        return [place for place in places if any(self.path(place).glob("index.*")) or self.backup(place)]

    def backup(self, memory_folder: str) -> Path | None:
        """Return the path of the pack's backup of a memory folder; None without one."""
        path = self.path(memory_folder) / "ledger_backup.jsonl"
        return path if path.is_file() else None

    def version(self) -> str:
        """Return the release by the git data, as Agent Zero itself does; a reason in words where that fails."""
        if self.root is None or not (self.root / ".git").exists():
            return "unknown (no git data in the folder)"
        command = ["git", "-C", str(self.root), "describe", "--tags", "--always"]
        try:
            result = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
        except (OSError, subprocess.SubprocessError):
            return "unknown (git could not tell)"
        return result.stdout.strip() or "unknown (git could not tell)"

    def release(self) -> str:
        """Return the release, and whether the pack was tried on it, in words."""
        version = self.version()
        numbers = _numbers(version)
        if version in TRIED:
            return f"{version}, tried"
        if not numbers and self.root is not None and (self.root / _NEWER_MARK).is_file():
            numbers = _numbers(TRIED_IN_PART)
        tried = f"{'not tried itself; ' if numbers else ''}tried were {', '.join(TRIED)}"
        if numbers > _numbers(TRIED_IN_PART):
            tried = f"newer than any that was tried; the newest were {TRIED[-1]} and parts of {TRIED_IN_PART}"
        elif numbers > _numbers(TRIED[-1]):
            tried = f"tried in part: files of releases up to {TRIED_IN_PART} on {TRIED[-1]}"
        return f"{version}, {tried}"


def _numbers(version: str) -> tuple[int, ...]:
    """Return the numbers of a version tag such as "v2.4-3-gabc": (2, 4); empty for any other text."""
    tag = re.match(r"v(\d+(?:\.\d+)*)", version)
    return tuple(map(int, tag[1].split("."))) if tag else ()


def find_host(folder: Path) -> Host:
    """Return the Agent Zero in `folder`. Raises InstallError with the folder to give instead."""
    folder = folder.expanduser().resolve()
    if not folder.exists():
        raise InstallError(f"{folder}: there is no such folder")
    if not folder.is_dir():
        raise InstallError(f"{folder}: this is a file; give the folder that Agent Zero runs from")
    for root in (folder, folder.parent) if folder.name == "usr" else (folder,):
        layout = _core_layout(root)
        if layout:
            return Host(layout, root, root / "usr")
    for usr in (folder, folder / "usr"):
        if _is_usr_with_plugins(usr):
            return Host(PLUGINS, None, usr)
    raise InstallError(_not_agent_zero(folder))


def _core_layout(root: Path) -> str | None:
    """Return the layout of the program in `root`, None without one; a newer one may keep an older one's files."""
    if (root / _PLUGINS_MARK).is_file():
        return PLUGINS
    extension = root / "python/helpers/extension.py"
    if not (root / _PYTHON_MARK).is_file() or not extension.is_file():
        return None
    reads_usr = "get_paths" in extension.read_text(encoding="utf-8", errors="replace")
    return A2 if reads_usr else A1


def _is_usr_with_plugins(usr: Path) -> bool:
    """Whether `usr` is what a container of v0.9.9 or later has mounted as /a0/usr.

    Those releases make `plugins/` there at their first start, v0.9.8 does not; hooks that an earlier
    installation put into `extensions/` for v0.9.8 speak against it.
    """
    return (
        (usr / "plugins").is_dir()
        and _count(usr, _USR_NAMES) >= 2
        and not _count(usr, _CORE_NAMES)
        and not any((usr / "extensions").glob("*/_*.py"))
    )


def _count(folder: Path, names: tuple[str, ...]) -> int:
    return sum((folder / name).exists() for name in names)


def _not_agent_zero(folder: Path) -> str:
    inside = (
        "run it inside the container instead: copy the pack to a folder that the container sees, then "
        "`docker exec CONTAINER python3 /a0/usr/FOLDER/install.py /a0`"
    )
    if any(_count(usr, _USR_NAMES) >= 2 for usr in (folder, folder / "usr")):
        return (
            f"{folder}: this looks like the usr folder of an Agent Zero in a container, but not clearly of v0.9.9 or "
            f"later (no plugins folder); an older one keeps its hooks elsewhere. Start Agent Zero once, or {inside}"
        )
    return (
        f"{folder}: no Agent Zero here: neither {_PLUGINS_MARK} nor {_PYTHON_MARK} was found. Give the folder that "
        f"holds agent.py and run_ui.py (in a container: /a0), or the folder mounted as /a0/usr; or {inside}"
    )


def counted(number: int, noun: str) -> str:
    """A number with its noun; the installer stands alone and shares no code with the pack."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
