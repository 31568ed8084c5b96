"""Check an installation, and report what works, what deserves a look and what is broken; changes nothing."""

from __future__ import annotations

import ast
import contextlib
import hashlib
import json
import re
import sqlite3
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .change import pending
from .layout import A1, PACK, PLUGINS, TITLES, Host, InstallError, counted
from .pack import AID_FILES, HOOK_NAME, aid_text, digest, plugin_value, shim_text
from .record import Record, read_record

OK, WARN, FAIL = "ok", "warn", "fail"
CHANGED = "changed since the installation"
_HOUR_SECONDS = 3600
_RESTORE = "`memory-ledger restore` brings the memories back from the backup"
_BACKUP_BEHIND_HOURS = 7 * 24
_FEWEST_LOST = 10
_INDEX_HEAD = struct.Struct("<4siq")  # kind, length of a vector, number of vectors
_CLASSIFICATION_CONFIG = {A1: "memory/classification_config.json"}
_SETTINGS_FILES = {A1: "tmp/settings.json", "A2": "usr/settings.json"}
_MEMORY_CONFIG = ("usr/plugins/_memory/config.json", "plugins/_memory/default_config.yaml")
_HOST_DEFAULTS = {
    "memory_memorize_replace_threshold": 0.9,
    "memory_memorize_consolidation": True,
    "memory_recall_enabled": True,
}


@dataclass(frozen=True)
class Finding:
    """One line of a report."""

    level: str
    text: str

    def __str__(self) -> str:
        return f"{self.level:<5} {self.text}"


def status(host: Host) -> list[Finding]:
    """Return the installed version, and whether each of its files is still as installed."""
    return [*_state(host), *_shims(host)]


def diagnose(host: Host) -> list[Finding]:
    """Return all findings about an installation, and about the Agent Zero around it."""
    if not host.path(f"{PACK}/plugin.yaml").is_file():
        return [*_state(host), *_stores(host), *host_settings(host)]
    return [
        *_state(host),
        *_hooks(host),
        *_shims(host),
        *collisions(host, _installed_hooks(host)),
        *_switches(host),
        *_stores(host),
        *host_settings(host),
    ]


def _state(host: Host) -> Iterator[Finding]:
    yield Finding(OK, f"Agent Zero: {host.folder}, {TITLES[host.layout]}; release {host.release()}")
    if pending(host):
        yield Finding(FAIL, f"{PACK}: an earlier change was cut short; run `install` again, it undoes that first")
    try:
        record = read_record(host)
    except InstallError as exc:
        yield Finding(FAIL, f"{exc}; run `install` again")
        return
    if record is None:
        there = (host.path(PACK) / "plugin.yaml").is_file()
        state = "there, but without a record of its installation" if there else "not installed"
        yield Finding(FAIL, f"Memory Ledger: {state}; run `install`")
        return
    yield from _version(host, record)
    yield from _files(host, record)


def _version(host: Host, record: Record) -> Iterator[Finding]:
    how = "copied by install.py" if record.is_copy else "put there by the Plugin Hub, git or a link"
    plugin_yaml = host.path(f"{PACK}/plugin.yaml")
    present = plugin_value(plugin_yaml.read_bytes(), "version") if plugin_yaml.is_file() else "missing"
    yield Finding(OK, f"Memory Ledger: {record.version}, {how}, recorded {record.installed_at}")
    if present != record.version:
        yield Finding(WARN, f"{PACK}/plugin.yaml: version {present}, but {record.version} on record; run `install`")
    if record.layout != host.layout:
        layout = TITLES.get(record.layout, repr(record.layout))
        yield Finding(FAIL, f"installed for {layout}, but this is {TITLES[host.layout]}; run `install`")


def _files(host: Host, record: Record) -> Iterator[Finding]:
    same, changed, missing = 0, [], []
    for place, recorded in {**record.found, **record.files}.items():
        path = host.path(place) if host.reaches(place) else None
        if path is None or not path.is_file():
            missing.append(place)
        elif digest(path.read_bytes()) != recorded:
            changed.append(place)
        else:
            same += 1
    level = OK if not missing else FAIL
    yield Finding(level, f"files: {same} as installed, {len(changed)} changed, {len(missing)} missing")
    for place in changed:
        yield Finding(WARN, f"{place}: {CHANGED}")
    for place in missing:
        yield Finding(FAIL, f"{place}: missing; run `install`")


def _installed_hooks(host: Host) -> list[tuple[str, str]]:
    places = [place.split("/") for place in host.places(PACK + "/extensions/python/*/_*.py")]
    return [(parts[-2], parts[-1]) for parts in places if HOOK_NAME.fullmatch(parts[-1])]


def _installed_aids(host: Host) -> list[tuple[str, str]]:
    patterns = [f"{PACK}/{folder}/{name}" for folder, names in AID_FILES.items() for name in names]
    places = [place for pattern in patterns for place in host.places(pattern)]
    return [(place.split("/")[-2], place.split("/")[-1]) for place in places]


def _hooks(host: Host) -> Iterator[Finding]:
    hooks = [f"{PACK}/extensions/python/{point}/{file_name}" for point, file_name in _installed_hooks(host)]
    if not hooks:
        yield Finding(FAIL, f"{PACK}/extensions/python: no hook file; nothing of the pack will run")
        return
    faults = [Finding(FAIL, f"{place}: {fault}") for place in hooks for fault in _faults(host, place)]
    yield from faults
    if not faults:
        yield Finding(
            OK, f"hooks: {counted(len(hooks), 'file')}, each with one Extension class that Agent Zero can load"
        )


def _faults(host: Host, place: str) -> Iterator[str]:
    """Yield the faults that keep Agent Zero from running a hook file.

    An import that fails there disables all hooks of its point.
    """
    try:
        tree = ast.parse(host.path(place).read_bytes(), place)
    except SyntaxError as exc:
        yield f"not Python: {exc.msg}, line {exc.lineno}"
        return
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and _is_extension(node)]
    if len(classes) != 1:
        yield f"{len(classes)} Extension classes; allowed: 1"
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from _import_faults(host, node)


def _is_extension(node: ast.ClassDef) -> bool:
    return any(getattr(base, "id", getattr(base, "attr", "")) == "Extension" for base in node.bases)


def _import_faults(host: Host, node: ast.ImportFrom) -> Iterator[str]:
    if node.level:
        yield f"relative import in line {node.lineno}; Agent Zero loads hook files outside any package"
        return
    for alias in node.names:
        if alias.name != "Extension" and alias.name.endswith("Extension"):
            yield f"imports {alias.name}, which Agent Zero may run in place of the hook's own class"
    module = node.module or ""
    if module.startswith(PACK.replace("/", ".") + "."):
        path = host.path(module.replace(".", "/"))
        if not path.is_dir() and not path.with_name(path.name + ".py").is_file():
            yield f"imports {module}, which is not there"


def _shims(host: Host) -> Iterator[Finding]:
    """Check that a host without plugins has a file that hands over to each hook, tool and prompt of the pack."""
    if host.layout == PLUGINS:
        return
    hooks = {host.hook_place(*hook): shim_text(*hook) for hook in _installed_hooks(host)}
    aids = {str(host.aid_place(*aid)): aid_text(*aid) for aid in _installed_aids(host)}
    right = 0
    for place, text in {**hooks, **aids}.items():
        path = host.path(place)
        if not path.is_file():
            lost = "this hook does not run" if place in hooks else "the agent has not got it"
            yield Finding(FAIL, f"{place}: missing, so {lost}; run `install`")
        elif path.read_bytes() != text:
            yield Finding(FAIL, f"{place}: does not hand over to Memory Ledger as installed; run `install`")
        else:
            right += 1
    count = len(hooks) + len(aids)
    yield Finding(OK if right == count else FAIL, f"shims: {right} of {count} files hand over to Memory Ledger")


def collisions(host: Host, hooks: list[tuple[str, str]]) -> Iterator[Finding]:
    """Yield the files with the name of one of our hooks at its point: the host runs only one of them (T-71)."""
    for point, file_name in hooks:
        ours, ranked = host.hook_place(point, file_name), host.same_named(point, file_name)
        for place in ranked:
            if place != ours:
                loser = max(place, ours, key=ranked.index)
                text = f"same name and hook point as {ours}; Agent Zero runs only one of them, and not {loser}"
                yield Finding(WARN, f"{place}: {text}")


def _switches(host: Host) -> Iterator[Finding]:
    if host.layout == PLUGINS and host.path(f"{PACK}/.toggle-0").exists():
        yield Finding(WARN, f"{PACK}/.toggle-0: the plugin is switched off in Agent Zero's Plugins page; no hook runs")
    user_file = _CLASSIFICATION_CONFIG.get(host.layout, "usr/memory/classification_config.json")
    for place in (f"{PACK}/config.json", user_file):
        if host.reaches(place) and host.path(place).is_file():
            data = _read_json(host.path(place))
            if data is None:
                yield Finding(FAIL, f"{place}: not a JSON object, so none of its settings apply")
            elif data.get("enabled") is False:
                yield Finding(WARN, f"{place}: enabled is false; the pack is switched off")
            else:
                yield Finding(OK, f"{place}: {counted(len(data), 'setting')}")


def _stores(host: Host) -> Iterator[Finding]:
    folders = host.memory_folders()
    if not folders:
        yield Finding(OK, "stores: none yet; Agent Zero makes one at its first chat")
    for place in folders:
        yield _store(host.path(place), place)
        yield _backup(host, place)
        yield from _secrets(host, place)


def _secrets(host: Host, place: str) -> Iterator[Finding]:
    """Yield the number and the kinds of the memories that may hold a password or a key (T-22)."""
    address = f"{(host.path(place) / 'ledger.db').absolute().as_uri()}?mode=ro"
    try:
        with contextlib.closing(sqlite3.connect(address, uri=True)) as db:
            kinds_of_each = [json.loads(kinds) for (kinds,) in db.execute("SELECT kinds FROM secret")]
    except (sqlite3.Error, ValueError):
        return  # there is none, or the pack will set it aside
    if kinds_of_each:
        kinds = ", ".join(sorted({str(kind) for kinds in kinds_of_each for kind in kinds}))
        text = f"{place}: {_memories(len(kinds_of_each))} may hold a secret ({kinds})"
        command = f"memory-ledger scan --folder {host.path(place)}"
        yield Finding(WARN, f"{text}; `{command}` lists them, `erase` permanently deletes one")


def _memories(number: int) -> str:
    return f"{number} {'memory' if number == 1 else 'memories'}"


def _store(folder: Path, place: str) -> Finding:
    index, documents = folder / "index.faiss", folder / "index.pkl"
    there = [path.name for path in (index, documents) if path.is_file()]
    if len(there) == 1:
        lacking = ({index.name, documents.name} - set(there)).pop()
        return Finding(FAIL, f"{place}: {there[0]} without {lacking}, so Agent Zero cannot load it; {_RESTORE}")
    if not there:
        return Finding(FAIL, f"{place}: a backup, but no store; {_RESTORE}")
    try:
        present, size = _sha256(index), len(documents.read_bytes())
    except OSError as exc:
        return Finding(FAIL, f"{exc.filename}: {exc.strerror}")
    if not size:
        return Finding(FAIL, f"{place}/index.pkl: empty; {_RESTORE}")
    recorded = folder / "index.faiss.sha256"
    if recorded.is_file() and recorded.read_text(encoding="utf-8", errors="replace").strip() != present:
        return Finding(
            FAIL,
            f"{place}/index.faiss: does not match index.faiss.sha256; Agent Zero v1.8 and later would replace the "
            f"store with an empty one at its next start; {_RESTORE} then, and a copy of the folder is never wrong",
        )
    return Finding(OK, f"{place}: store readable, {size} bytes of memories")


def _sha256(path: Path) -> str:
    sums = hashlib.sha256()
    with path.open("rb") as stream:
        for block in iter(lambda: stream.read(1 << 20), b""):
            sums.update(block)
    return sums.hexdigest()


def _backup(host: Host, place: str) -> Finding:
    backup, documents = host.backup(place), host.path(place) / "index.pkl"
    if backup is None:
        return Finding(WARN, f"{place}: no backup yet; copy the folder while Agent Zero is stopped")
    if not documents.is_file():
        return Finding(OK, f"{place}: backup of {backup.stat().st_size} bytes")
    present, backed_up = _vector_count(host.path(place) / "index.faiss"), _backed_up_count(backup)
    if present is not None and 2 * present < backed_up and backed_up - present >= _FEWEST_LOST:
        return Finding(FAIL, f"{place}: {present} memories, but {backed_up} in the backup; {_RESTORE}")
    behind_hours = max(0.0, documents.stat().st_mtime - backup.stat().st_mtime) / _HOUR_SECONDS
    level = WARN if behind_hours > _BACKUP_BEHIND_HOURS else OK
    return Finding(level, f"{place}: backup is {counted(round(behind_hours), 'hour')} behind the store")


def _vector_count(index: Path) -> int | None:
    """Return the number of vectors in an index of Agent Zero's kind, by its first bytes; None for another kind."""
    if not index.is_file():
        return None
    with index.open("rb") as stream:
        head = stream.read(_INDEX_HEAD.size)
    if len(head) < _INDEX_HEAD.size or head[:4] != b"IxFI":
        return None
    return int(_INDEX_HEAD.unpack(head)[2])


def _backed_up_count(backup: Path) -> int:
    """Return the number of memories in a backup, without deleted ones; damaged lines are left out."""
    live = set()
    with backup.open("rb") as stream:
        for line in stream:
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(row, dict) and isinstance(row.get("deleted"), str):
                live.discard(row["deleted"])
            elif isinstance(row, dict) and isinstance(row.get("id"), str):
                live.add(row["id"])
    return len(live)


def host_settings(host: Host) -> list[Finding]:
    """Return the host's own settings that delete or hide memories; advice, never forced (T-43)."""
    values, place = _host_values(host)
    findings = []
    threshold = values["memory_memorize_replace_threshold"]
    if isinstance(threshold, (int, float)) and threshold > 0:
        text = f"memory_memorize_replace_threshold is {threshold}: similar memories are deleted; 0 lets the pack decide"
        findings.append(Finding(WARN, f"{place}: {text}"))
    if values["memory_memorize_consolidation"]:
        text = "memory_memorize_consolidation is on: a model merges and replaces memories; off lets the pack decide"
        findings.append(Finding(WARN, f"{place}: {text}"))
    if not values["memory_recall_enabled"]:
        findings.append(Finding(WARN, f"{place}: memory_recall_enabled is off: no memory reaches the prompt"))
    return findings or [Finding(OK, f"{place}: no setting of Agent Zero works against the pack")]


def _host_values(host: Host) -> tuple[dict[str, object], str]:
    if host.layout != PLUGINS:
        place = _SETTINGS_FILES[host.layout]
        data = _read_json(host.path(place)) or {}
        return {**_HOST_DEFAULTS, **{key: data[key] for key in _HOST_DEFAULTS if key in data}}, place
    own, packaged = _MEMORY_CONFIG
    if host.path(own).is_file():
        data = _read_json(host.path(own)) or {}
        return {**_HOST_DEFAULTS, **{key: data[key] for key in _HOST_DEFAULTS if key in data}}, own
    if host.reaches(packaged) and host.path(packaged).is_file():
        return {**_HOST_DEFAULTS, **_plain_yaml(host.path(packaged))}, packaged
    return dict(_HOST_DEFAULTS), "Agent Zero's defaults"


def _read_json(path: Path) -> dict[str, object] | None:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return data if isinstance(data, dict) else None


def _plain_yaml(path: Path) -> dict[str, object]:
    """Return those of `_HOST_DEFAULTS` in a flat YAML file: true, false and numbers."""
    values: dict[str, object] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        match = re.match(r"(\w+):\s*(\S+)", line)
        if match and match[1] in _HOST_DEFAULTS:
            values[match[1]] = _plain_value(match[2])
    return values


def _plain_value(text: str) -> object:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        return float(text)
    except ValueError:
        return text
