"""Plan the changes of an installation or a removal from what is on disk; nothing is written here."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from .layout import PACK, PLUGINS, Host, InstallError
from .pack import AID_FILES, Pack, aid_text, digest, is_shim, plugin_value, shim_text
from .record import RECORD, Record, read_record

_OWNER_FILES = ("config.json", "execute_record.json", ".toggle-0", ".toggle-1")


@dataclass
class Plan:
    """One change of the host's folder, all of it or nothing.

    `writes` maps places to contents, in order; `kept` maps each changed file to the place (also in `writes`)
    where its content stays. `record` is written last; None means that an installed record is removed last.
    `problems` forbid the change; `notes` tell what it leaves alone.
    """

    writes: dict[str, bytes] = field(default_factory=dict)
    removals: list[str] = field(default_factory=list)
    kept: dict[str, str] = field(default_factory=dict)
    record: Record | None = None
    old: Record | None = None
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def changes_nothing(self) -> bool:
        """Whether applying it would leave every byte as it is."""
        same = self.old is None if self.record is None else self.record.is_same(self.old)
        return same and not self.writes and not self.removals


def plan_install(pack: Pack, host: Host) -> Plan:
    """Plan to have `pack` in place, with what this host needs to find its hooks.

    A file that is not ours is never replaced; one of ours that was changed by hand is kept aside.
    """
    plan = Plan()
    plan.old = _read_record_or_note(host, plan)
    in_place = _is_in_place(pack, host)
    if not in_place:
        _look_at_folder(host, plan)
    wanted = {} if in_place else {f"{PACK}/{place}": content for place, content in pack.files.items()}
    wanted.update(_shims(pack, host))
    for place, content in wanted.items():
        _plan_file(host, plan, place, content)
    _plan_leftovers(pack, host, plan, wanted, in_place)
    plan.record = _new_record(pack, host, plan, wanted, in_place)
    return plan


def plan_uninstall(host: Host, *, pack_too: bool = True) -> Plan:
    """Plan to remove exactly what the record names; `pack_too=False` leaves the pack's own folder to the host."""
    plan = Plan()
    plan.old = read_record(host)
    if plan.old is None:
        _plan_orphans(host, plan)
        return plan
    for place, recorded in plan.old.files.items():
        if not pack_too and place.startswith(PACK + "/"):
            continue
        if not host.reaches(place):
            plan.notes.append(f"{place}: outside {host.usr}; if that Agent Zero still exists, delete it there by hand")
            continue
        path = host.path(place)
        if not path.is_file():
            plan.notes.append(f"{place}: was gone already")
            continue
        if digest(path.read_bytes()) != recorded:
            _keep(host, plan, place)
        plan.removals.append(place)
    return plan


def left_behind(host: Host, plan: Plan) -> list[str]:
    """Return the places in the pack's folder that stay when `plan` is carried out: the user's files, and others'."""
    gone = {*plan.removals, RECORD}
    return [place for place in (*_inside(host), *plan.kept.values()) if place not in gone]


def _read_record_or_note(host: Host, plan: Plan) -> Record | None:
    try:
        return read_record(host)
    except InstallError as exc:
        plan.notes.append(f"{exc}; a new record is made")
        return None


def _is_in_place(pack: Pack, host: Host) -> bool:
    target = host.path(PACK)
    return target.is_dir() and target.samefile(pack.folder)


def _look_at_folder(host: Host, plan: Plan) -> None:
    """Refuse to write over a link, a git checkout or another plugin; say so if what is there has no record."""
    target = host.path(PACK)
    if target.is_symlink():
        plan.problems.append(f"{target}: this is a link to {target.resolve()}; update it there, or remove the link")
    elif (target / ".git").exists():
        plan.problems.append(
            f"{target}: this is a git checkout (from the Plugin Hub?); update it in Plugins or with `git pull`, "
            f"or run its own install.py: python3 {target / 'install.py'} install {host.folder}"
        )
    elif (target / "plugin.yaml").is_file():
        name = plugin_value((target / "plugin.yaml").read_bytes(), "name")
        if name != target.name:
            plan.problems.append(f"{target}/plugin.yaml: name is {name!r}; this folder belongs to another plugin")
    if plan.old is None and not all(map(_is_owners, _inside(host))):
        plan.notes.append(f"{PACK}: found without a record (an unfinished installation, or a copy by hand); repaired")


def _shims(pack: Pack, host: Host) -> dict[str, bytes]:
    hooks = {host.shim_place(point, name): shim_text(point, name) for point, name in pack.hooks}
    aids = {host.aid_place(folder, name): aid_text(folder, name) for folder, name in pack.aids}
    return {place: text for place, text in {**hooks, **aids}.items() if place}


def _plan_file(host: Host, plan: Plan, place: str, content: bytes) -> None:
    path = host.path(place)
    blocked = _blocking_file(path.parent)
    if blocked:
        plan.problems.append(f"{blocked}: this is a file; a folder is needed here")
    elif path.is_symlink() or (path.exists() and not path.is_file()):
        plan.problems.append(f"{path}: this is no plain file; a file is to be written here")
    elif not path.exists():
        plan.writes[place] = content
    else:
        present = path.read_bytes()
        if present == content:
            return
        if not _is_ours(plan.old, place, present):
            plan.problems.append(f"{path}: a file of this name is there, is not Memory Ledger's, and is not replaced")
            return
        if digest(present) != _known(plan.old).get(place):
            _keep(host, plan, place)
        plan.writes[place] = content


def _blocking_file(folder: Path) -> Path | None:
    while not folder.is_dir():
        if folder.exists():
            return folder
        folder = folder.parent
    return None


def _is_ours(old: Record | None, place: str, present: bytes) -> bool:
    return place.startswith(PACK + "/") or place in _known(old) or is_shim(present)


def _known(record: Record | None) -> dict[str, str]:
    return {**record.found, **record.files} if record else {}


def _keep(host: Host, plan: Plan, place: str) -> None:
    """Let the changed file at `place` go on existing under kept/, out of the host's way."""
    plan.kept[place] = place_to_keep(host, place)
    plan.writes[plan.kept[place]] = host.path(place).read_bytes()


def place_to_keep(host: Host, place: str) -> str:
    """Return the place under kept/ at which a changed file can stay, in a new folder."""
    number = 1
    while host.path(f"{PACK}/kept/{number}").exists():
        number += 1
    return f"{PACK}/kept/{number}/{place}"


def _plan_leftovers(pack: Pack, host: Host, plan: Plan, wanted: dict[str, bytes], in_place: bool) -> None:
    """Plan the removal of files of an earlier version or layout that this version does not have."""
    for place, recorded in _known(plan.old).items():
        if place in wanted or (in_place and place.startswith(PACK + "/")) or not host.reaches(place):
            continue
        path = host.path(place)
        if not path.is_file():
            continue
        if digest(path.read_bytes()) != recorded:
            _keep(host, plan, place)
        plan.removals.append(place)
    if plan.old is None and not in_place:
        unknown = [place for place in _inside(host) if place not in wanted and not _is_owners(place)]
        plan.notes += [f"{place}: not of this version and in no record; left alone" for place in unknown]


def _new_record(pack: Pack, host: Host, plan: Plan, wanted: dict[str, bytes], in_place: bool) -> Record:
    files = {place: digest(content) for place, content in wanted.items()}
    present = {}
    if in_place and not (plan.old and plan.old.is_copy):
        present = {f"{PACK}/{place}": digest(content) for place, content in pack.files.items()}
    elif in_place and plan.old:
        files.update({place: old for place, old in plan.old.files.items() if place.startswith(PACK + "/")})
    folders = dict.fromkeys([*(plan.old.folders if plan.old else ()), *missing_folders(host, plan.writes)])
    record = Record(pack.version, host.layout, "", files, present, tuple(folders))
    if plan.old is not None and record.is_same(plan.old):
        return plan.old
    return replace(record, installed_at=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))


def missing_folders(host: Host, places: Iterable[str]) -> list[str]:
    """Return the folders that have to be made for `places`, parents first."""
    missing: dict[str, None] = {}
    for place in places:
        parts = place.split("/")[:-1]
        for length in range(1, len(parts) + 1):
            folder = "/".join(parts[:length])
            if not host.path(folder).is_dir():
                missing[folder] = None
    return list(missing)


def _plan_orphans(host: Host, plan: Plan) -> None:
    """Without a record, plan the removal of unchanged files that hand over to the pack; name changed ones."""
    if (host.path(PACK) / "plugin.yaml").is_file():
        plan.problems.append(
            f"{PACK}: there is no record of this installation, so nothing says what may be removed; run `install` "
            "from a download once, which makes one, and then `uninstall`; or delete the folder"
        )
        return
    if host.layout == PLUGINS:
        return
    hooks = [(shim_text, place) for place in host.places(host.hook_place("*", "_*.py"))]
    aids = [
        (aid_text, place)
        for folder, patterns in AID_FILES.items()
        for pattern in patterns
        for place in host.places(host.aid_place(folder, pattern) or "")
    ]
    for text, place in [*hooks, *aids]:
        content = host.path(place).read_bytes()
        if not is_shim(content):
            continue
        folder, file_name = place.split("/")[-2:]
        if content == text(folder, file_name):
            plan.removals.append(place)
        else:
            plan.notes.append(f"{place}: hands over to Memory Ledger, but was changed; delete it by hand")


def _inside(host: Host) -> Iterator[str]:
    """Places of the files in the pack's folder, caches and git data apart."""
    folder = host.path(PACK)
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        parts = path.relative_to(folder).parts
        if path.is_file() and "__pycache__" not in parts and parts[0] != ".git":
            yield f"{PACK}/{'/'.join(parts)}"


def _is_owners(place: str) -> bool:
    inside = place[len(PACK) + 1 :]
    return inside in _OWNER_FILES or inside.startswith("kept/") or place == RECORD
