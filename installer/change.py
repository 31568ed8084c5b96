"""Carry out a plan as a whole, or leave the folder as it was.

New content is first written beside its target under a name that no host reads; then each target is moved
aside and the new file takes its name; a record comes last. A journal says meanwhile what was begun, so that
a later call can undo what a crash cut short.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .layout import PACK, Host, InstallError
from .pack import digest
from .plan import Plan, missing_folders, place_to_keep
from .record import RECORD, check_place

JOURNAL = PACK + "/.install_journal.json"
_NEW, _OLD = ".ledger-new", ".ledger-old"


@dataclass(frozen=True)
class _Step:
    """One file: `new` is the sha256 of what it shall hold (None: it shall go), `existed` whether it was there."""

    place: str
    new: str | None
    existed: bool


def apply(host: Host, plan: Plan) -> None:
    """Write and remove what `plan` says, the record last.

    Raises InstallError, with everything as it was before, if any of it fails or the plan has problems.
    """
    if plan.problems:
        raise InstallError("; ".join(plan.problems))
    if plan.changes_nothing:
        return
    writes = dict(plan.writes)
    removals = list(plan.removals)
    if plan.record is not None:
        writes[RECORD] = plan.record.encode()
    elif plan.old is not None:
        removals.append(RECORD)
    steps = [_Step(place, digest(content), _is_there(host.path(place))) for place, content in writes.items()]
    steps += [_Step(place, None, True) for place in removals]
    folders = missing_folders(host, [*writes, JOURNAL])
    try:
        for folder in folders:
            host.path(folder).mkdir()
        _write_journal(host, "begun", steps, folders)
        _stage(host, writes)
        _exchange(host, steps)
        _write_journal(host, "done", steps, folders)
    except BaseException as exc:
        _roll_back(host, steps, folders)
        if isinstance(exc, OSError):
            raise InstallError(f"{_where(exc, host)}; nothing was changed") from exc
        raise
    _finish(host, steps)
    _sweep(host, plan)
    _remove_empty(host, reversed(folders))


def pending(host: Host) -> list[str]:
    """Say, line by line, what `undo` would do; empty if no earlier change was cut short."""
    journal = _read_journal(host)
    if journal is None:
        return []
    state, steps, _ = journal
    if state == "done":
        return [f"would delete {step.place}{_OLD}" for step in steps if _is_there(_beside(host, step.place, _OLD))]
    return [f"would put {step.place} back as it was" for step in steps]


def undo(host: Host) -> bool:
    """Put the folder back as it was before a change that was cut short; False if there was none."""
    journal = _read_journal(host)
    if journal is None:
        return False
    state, steps, folders = journal
    if state == "done":
        _finish(host, steps)
    else:
        _roll_back(host, steps, folders)
    return True


def _stage(host: Host, writes: dict[str, bytes]) -> None:
    for place, content in writes.items():
        _beside(host, place, _NEW).write_bytes(content)


def _exchange(host: Host, steps: list[_Step]) -> None:
    for step in steps:
        path = host.path(step.place)
        if step.existed:
            path.replace(_beside(host, step.place, _OLD))
        if step.new is not None:
            _beside(host, step.place, _NEW).replace(path)


def _roll_back(host: Host, steps: list[_Step], folders: list[str]) -> None:
    for step in reversed(steps):
        path, old = host.path(step.place), _beside(host, step.place, _OLD)
        if step.existed and old.is_file():
            if path.is_file() and path.read_bytes() != old.read_bytes() and digest(path.read_bytes()) != step.new:
                _keep_aside(host, step.place)
            old.replace(path)
        elif not step.existed and path.is_file() and digest(path.read_bytes()) == step.new:
            path.unlink()
        _drop(_beside(host, step.place, _NEW))
    _drop(host.path(JOURNAL))
    _drop(_beside(host, JOURNAL, _NEW))
    _remove_empty(host, reversed(folders))


def _keep_aside(host: Host, place: str) -> None:
    """Let a file that somebody has changed since it was put there outlive what replaces it."""
    kept = host.path(place_to_keep(host, place))
    kept.parent.mkdir(parents=True)
    host.path(place).replace(kept)


def _finish(host: Host, steps: list[_Step]) -> None:
    for step in steps:
        _drop(_beside(host, step.place, _OLD))
    _drop(host.path(JOURNAL))


def _sweep(host: Host, plan: Plan) -> None:
    """Remove what Python cached of removed modules, and the folders of ours that are empty now."""
    made = set(filter(host.reaches, plan.old.folders)) if plan.old else set()
    folders = set(made) if plan.record is None else set()
    for place in plan.removals:
        path = host.path(place)
        for cached in (path.parent / "__pycache__").glob(path.stem + ".*.pyc"):
            _drop(cached)
        folders.add(place.rsplit("/", 1)[0] + "/__pycache__")
        folders.update(folder for folder in _parents(place) if folder in made or f"{folder}/".startswith(PACK + "/"))
    _remove_empty(host, sorted(folders, key=lambda folder: -folder.count("/")))


def _parents(place: str) -> list[str]:
    parts = place.split("/")
    return ["/".join(parts[:length]) for length in range(1, len(parts))]


def _remove_empty(host: Host, folders: Iterable[str]) -> None:
    for folder in map(host.path, folders):
        if folder.is_dir() and not folder.is_symlink():
            with contextlib.suppress(OSError):  # not empty: it stays
                folder.rmdir()


def _drop(path: Path) -> None:
    if _is_there(path):
        path.unlink()


def _beside(host: Host, place: str, suffix: str) -> Path:
    path = host.path(place)
    return path.with_name(f".{path.name}{suffix}")


def _is_there(path: Path) -> bool:
    return path.is_file() or path.is_symlink()


def _write_journal(host: Host, state: str, steps: list[_Step], folders: list[str]) -> None:
    data = {"state": state, "steps": [[step.place, step.new, step.existed] for step in steps], "folders": folders}
    staged = _beside(host, JOURNAL, _NEW)
    staged.write_text(json.dumps(data), encoding="utf-8")
    staged.replace(host.path(JOURNAL))


def _read_journal(host: Host) -> tuple[str, list[_Step], list[str]] | None:
    path = host.path(JOURNAL)
    if not path.is_file():
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        steps = [_Step(place, new, existed) for place, new, existed in data["steps"]]
        folders = list(data["folders"])
        state = data["state"]
    except (ValueError, TypeError, KeyError) as exc:
        raise InstallError(f"{path}: not a readable journal ({exc}); look at {PACK}, then delete this file") from exc
    for place in [*(step.place for step in steps), *folders]:
        check_place(place)
    return state, steps, folders


def _where(exc: OSError, host: Host) -> str:
    return f"{exc.filename or host.folder}: {exc.strerror or exc}"
