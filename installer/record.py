"""The record of an installation: `.install_record.json` in the pack's folder."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, field, replace

from .layout import PACK, Host, InstallError
from .pack import is_aid_name

RECORD = PACK + "/.install_record.json"
_FORMAT = 1
_OURS = re.compile(r"(usr/plugins/memory_ledger|usr/extensions|python/extensions)(/[^/\0]+)+")
# Where a tool and what describes it may be handed over, by the folder of the pack that it stands in.
_AID_PLACES = {"tools": ("usr/tools", "python/tools"), "prompts": ("usr/prompts", "prompts")}
_FOLDERS = ("usr", "usr/plugins", "usr/extensions", "usr/tools", "usr/prompts", PACK)


@dataclass(frozen=True)
class Record:
    """One installation.

    `files` maps each place that the installation wrote to its sha256: uninstalling removes these and no others.
    `found` does the same for a pack that was already in its place (Plugin Hub, git) and is not ours to remove.
    `folders` are those that had to be made, parents first.
    """

    version: str
    layout: str
    installed_at: str
    files: dict[str, str] = field(default_factory=dict)
    found: dict[str, str] = field(default_factory=dict)
    folders: tuple[str, ...] = ()

    @property
    def is_copy(self) -> bool:
        """Whether install.py copied the pack, rather than finding it in its place."""
        return f"{PACK}/plugin.yaml" in self.files

    def is_same(self, other: Record | None) -> bool:
        """Whether both records are equal but for their time."""
        return other is not None and replace(self, installed_at="") == replace(other, installed_at="")

    def encode(self) -> bytes:
        """Return the content of the file."""
        return (json.dumps({"format": _FORMAT, **asdict(self)}, indent=1) + "\n").encode()


def read_record(host: Host) -> Record | None:
    """Return the record of the installation; None without one. Raises InstallError if it cannot be trusted."""
    path = host.path(RECORD)
    if not path.is_file():
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        found_format = data.pop("format")
        record = Record(**{**data, "folders": tuple(data["folders"])})
        places = [*record.files, *record.found, *record.folders]
    except (ValueError, TypeError, KeyError, AttributeError) as exc:
        raise InstallError(f"{path}: not a readable record of an installation ({exc})") from exc
    if found_format != _FORMAT:
        raise InstallError(f"{path}: format is {found_format!r}; allowed: {_FORMAT}")
    for place in places:
        check_place(place)
    return record


def check_place(place: str) -> None:
    """Raise InstallError unless `place` is one that an installation may write; a record can be tampered with."""
    if place in _FOLDERS or _is_aid(place):
        return
    if ".." in place.split("/") or not _OURS.fullmatch(place):
        raise InstallError(
            f"{RECORD}: it names {place!r}; allowed: places in {PACK} and in Agent Zero's extensions folder, and files "
            "of the pack's name in its tools and prompts folders"
        )


def _is_aid(place: str) -> bool:
    folder, _, name = place.rpartition("/")
    return any(folder in folders and is_aid_name(kind, name) for kind, folders in _AID_PLACES.items())
