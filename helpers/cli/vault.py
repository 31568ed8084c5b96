"""`vault`: write, read and tidy the permanent facts.

Everything is done on the file, under its lock; a running host sees it at its next prompt.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..host.vault.vault_store import VaultStore, Written, configured_agents
from ..texts import counted
from ..vault.record import show_record, write_row
from .declaring import DONE, PROBLEMS, Options, tell
from .options import checked, read_folder_settings
from .output import command_on, note


@contextmanager
def _open_vault(options: Options) -> Iterator[VaultStore]:
    """Yield the vault of a folder; a dry run is done on a copy of it."""
    folder = checked(options.folder)
    settings, scopes = read_folder_settings(folder, options.config).vault, configured_agents(folder)
    vault = VaultStore(folder, settings, scopes=scopes)
    if not getattr(options, "dry_run", False):
        yield vault
        return
    with tempfile.TemporaryDirectory() as name:
        copy = VaultStore(Path(name), settings, scopes=scopes)
        if vault.file.path.exists():
            shutil.copyfile(vault.file.path, copy.file.path)
        yield copy
    note("nothing was written (--dry-run)")


def _write(options: Options, method: str, *names: str) -> int:
    """Write a record by a method of VaultStore, with the named options; print it, or why it was not written."""
    with _open_vault(options) as vault:
        given = {name: getattr(options, name) for name in names}
        outcome: Written = getattr(vault, method)(
            **{name: None if value == () else value for name, value in given.items()}
        )
        if outcome.record is not None:
            row = {"action": outcome.action, "record": write_row(outcome.record)}
            _tell(options, row, f"{outcome.action} {show_record(outcome.record)}")
        elif outcome.rejection is not None:
            _tell(options, {"action": "rejected", "rejection": outcome.rejection.to_row()}, str(outcome.rejection))
    return PROBLEMS if outcome.record is None else DONE


def _run_add(options: Options) -> int:
    return _write(options, "add_memory", "text", "scope", "category", "tier", "topic_id", "tags", "source")


def _run_update(options: Options) -> int:
    return _write(options, "update_memory", "memory_id", "text", "category", "tags", "source")


def _run_promote(options: Options) -> int:
    return _write(options, "promote_to_canon", "memory_id", "canonical_text")


def _run_delete(options: Options) -> int:
    with _open_vault(options) as vault:
        done = vault.bulk_delete(options.id)
        for record in done.records:
            _tell(options, {"action": "deleted", "record": write_row(record)}, f"deleted {record.id} v{record.version}")
        for record_id in done.unknown:
            _tell(options, {"action": "unknown", "id": record_id}, f"{record_id}: no active record")
        return PROBLEMS if done.unknown else DONE


def _run_compact(options: Options) -> int:
    with _open_vault(options) as vault:
        done = vault.compact()
        row = {name: getattr(done, name) for name in ("lines_before", "lines_after", "removed", "unreadable")}
        lines = counted(done.lines_before, "line", "lines")
        kept = f"; {done.unreadable} that cannot be read stay as they are" if done.unreadable else ""
        _tell(options, row, f"{lines} before, {done.lines_after} after, {done.removed} removed{kept}")
        return DONE


def _run_list(options: Options) -> int:
    with _open_vault(options) as vault:
        for record in sorted(
            vault.list_active(options.scope or None), key=lambda vault_record: not vault_record.is_canon
        ):
            _tell(options, write_row(record), show_record(record))
        return _say_unreadable(options, vault)


def _run_search(options: Options) -> int:
    with _open_vault(options) as vault:
        for hit in vault.search(options.query, options.scope or None, limit=options.limit):
            row = {"score": round(hit.score, 4), "record": write_row(hit.record)}
            _tell(options, row, f"{hit.score:.2f} {show_record(hit.record)}")
        return _say_unreadable(options, vault)


def _run_stats(options: Options) -> int:
    with _open_vault(options) as vault:
        stats = vault.vault_stats()
        counts = {key: value if isinstance(value, dict) else {"": value} for key, value in stats.items()}
        lines = (
            f"{key}: {', '.join(f'{name} {count}'.strip() for name, count in kinds.items())}"
            for key, kinds in counts.items()
        )
        _tell(options, stats, "\n".join(lines))
        return DONE


def _run_propose(options: Options) -> int:
    with _open_vault(options) as vault:
        for deletion in vault.propose_deletions(options.scope or None):
            row = {"propose": "delete", "id": deletion.record.id, "reasons": list(deletion.reasons)}
            _tell(options, row, f"delete {deletion.record.id}? {'; '.join(deletion.reasons)}")
        for pair in vault.find_consolidation_candidates(options.scope or None, options.floor):
            ids, similarity = [pair.record.id, pair.other.id], round(pair.similarity, 4)
            _tell(
                options,
                {"propose": "merge", "ids": ids, "similarity": similarity},
                f"merge {' and '.join(ids)}? similarity {similarity:.2f}",
            )
        return _say_unreadable(options, vault)


def _say_unreadable(options: Options, vault: VaultStore) -> int:
    """Say how many lines of the file cannot be read; return the exit code."""
    count = vault.file.read().unreadable
    if not count:
        return DONE
    restore = command_on(options.folder, "restore --dry-run")
    lines = counted(count, "line cannot be read and is", "lines cannot be read and are")
    tell(f"{vault.file.path}: {lines} left out; {restore} lists what the backup has of them")
    return PROBLEMS


def _tell(options: Options, row: dict[str, Any], line: str) -> None:
    print(json.dumps(row, ensure_ascii=False) if options.as_json else line, flush=True)
