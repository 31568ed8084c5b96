"""`vault`: what must hold, as a person writes, reads and tidies it (V-02, V-30 ... V-54).

Everything is done on the file, under its lock; a running host sees it at its next prompt.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ..errors import StoreError
from ..host.vault.scopes import configured_agents
from ..host.vault.vault_store import VaultStore, Written
from ..texts import counted
from ..vault.record import show_record, write_row
from ..vault.taxonomy import SHARED_SCOPE, STORED_TIERS, Origin, Tier
from .lines import DONE, PROBLEMS, InputError, add_folder, open_input, read_folder_settings, read_row

Run = Callable[[argparse.Namespace, VaultStore], int]

#: Who writes at a terminal; the other origins are not a person's to claim (V-26).
_BY_HAND = (Origin.MANUAL.value, Origin.OPERATOR.value)


def add_commands(commands: Any) -> None:
    """Add the command with its nine actions to the parser's subcommands."""
    vault = commands.add_parser("vault", help="the small curated store of permanent facts")
    actions = vault.add_subparsers(required=True, metavar="ACTION")

    add = actions.add_parser("add", help="store a text, or the next state of a topic, if it passes the gates")
    add.add_argument("text", nargs="?", metavar="TEXT", help="the text, at most 1200 characters")
    add.add_argument(
        "--file", metavar="FILE", help="JSON Lines with several texts, each judged on its own; - is standard input"
    )
    add.add_argument("--scope", default=SHARED_SCOPE, help="shared (the default), or the name of an agent")
    add.add_argument("--tier", default=Tier.CANON.value, help=f"{' or '.join(STORED_TIERS)} (canon)")
    add.add_argument(
        "--topic", metavar="NAME", help="the topic of a register; the next state of the topic replaces this one"
    )
    _add_fields(add, category="other")
    _finish(add, _run_add, is_writing=True)

    update = actions.add_parser("update", help="write the next version of a record")
    update.add_argument("id", metavar="ID")
    update.add_argument("text", nargs="?", metavar="TEXT", help="its new text (default: the old text stays)")
    _add_fields(update, category=None)
    _finish(update, _run_update, is_writing=True)

    delete = actions.add_parser("delete", help="delete records; their lines stay until compact")
    delete.add_argument("id", nargs="+", metavar="ID")
    _finish(delete, _run_delete, is_writing=True)

    promote = actions.add_parser("promote", help="turn a register into canon")
    promote.add_argument("id", metavar="ID")
    promote.add_argument("text", nargs="?", metavar="TEXT", help="its canonical text (default: its current text)")
    _finish(promote, _run_promote, is_writing=True)

    compact = actions.add_parser("compact", help="drop old versions and deleted records")
    _finish(compact, _run_compact, is_writing=True)

    listing = actions.add_parser("list", help="list the current records")
    _add_scopes(listing)
    _finish(listing, _run_list)

    search = actions.add_parser("search", help="find records by their words, best first")
    search.add_argument("query", metavar="QUERY")
    search.add_argument("--limit", type=int, default=20, metavar="N", help="maximum number of records (20)")
    _add_scopes(search)
    _finish(search, _run_search)

    stats = actions.add_parser("stats", help="show how full the vault is, and of what")
    _finish(stats, _run_stats)

    propose = actions.add_parser("propose", help="suggest what to delete or merge, and why, without doing it")
    propose.add_argument(
        "--floor", type=float, metavar="N", help="minimum similarity for suggesting a merge (default: the setting)"
    )
    _add_scopes(propose)
    _finish(propose, _run_propose)


def _add_fields(command: argparse.ArgumentParser, *, category: str | None) -> None:
    command.add_argument("--category", default=category, help="bio, mission, constraint, preference, project, ...")
    command.add_argument("--tags", nargs="+", metavar="TAG")
    command.add_argument("--source", choices=_BY_HAND, default=_BY_HAND[0], help="who wrote it (manual)")


def _add_scopes(command: argparse.ArgumentParser) -> None:
    command.add_argument("--scope", nargs="+", metavar="NAME", help="only these scopes (default: all)")


def _finish(command: argparse.ArgumentParser, run: Run, *, is_writing: bool = False) -> None:
    add_folder(command)
    command.add_argument("--json", action="store_true", help="print the answer as JSON Lines")
    if is_writing:
        command.add_argument("--dry-run", action="store_true", help="show what would be done, without doing it")
    command.set_defaults(run=lambda options: _run(options, run))


def _run(options: argparse.Namespace, run: Run) -> int:
    """Open the vault of the folder, for a dry run a copy of it, and let the action have it."""
    folder: Path = options.folder
    if not folder.is_dir():
        raise StoreError(f"{folder} is not a folder; allowed: a memory folder, such as usr/memory/default")
    settings = read_folder_settings(folder, options.config).vault
    scopes = configured_agents(folder)
    vault = VaultStore(folder, settings, scopes=scopes)
    if not getattr(options, "dry_run", False):
        return run(options, vault)
    with tempfile.TemporaryDirectory() as name:
        copy = VaultStore(Path(name), settings, scopes=scopes)
        if vault.file.path.exists():
            shutil.copyfile(vault.file.path, copy.file.path)
        status = run(options, copy)
    print("nothing was written (--dry-run)", file=sys.stderr)
    return status


# --- writing ---------------------------------------------------------------------------------------------------------


def _run_add(options: argparse.Namespace, vault: VaultStore) -> int:
    if (options.text is None) == (options.file is None):
        raise InputError("vault add takes TEXT or --file FILE; allowed: one of them")
    if options.file is not None:
        given = {"scope": options.scope, "category": options.category, "source": options.source}
        return _tell_written(options, vault.bulk_add([{**given, **one} for one in _read_items(options.file)]))
    done = vault.add_memory(
        options.text,
        options.scope,
        options.category,
        tier=options.tier,
        topic_id=options.topic,
        tags=options.tags,
        source=options.source,
    )
    return _tell_written(options, [done])


def _read_items(file: str) -> list[dict[str, Any]]:
    items = []
    with open_input(file) as stream:
        for line in stream:
            if line.strip():
                try:
                    items.append(read_row(line))
                except InputError:  # the gate names what a line lacks that is no object
                    items.append({})
    for one in items:
        if one.get("source") is not None and one["source"] not in _BY_HAND:
            one["source"] = _BY_HAND[0]
    return items


def _run_update(options: argparse.Namespace, vault: VaultStore) -> int:
    done = vault.update_memory(
        options.id, text=options.text, category=options.category, tags=options.tags, source=options.source
    )
    return _tell_written(options, [done])


def _run_promote(options: argparse.Namespace, vault: VaultStore) -> int:
    return _tell_written(options, [vault.promote_to_canon(options.id, options.text)])


def _run_delete(options: argparse.Namespace, vault: VaultStore) -> int:
    done = vault.bulk_delete(options.id)
    for record in done.records:
        _tell(options, {"action": "deleted", "record": write_row(record)}, f"deleted {record.id} v{record.version}")
    for one in done.unknown:
        _tell(options, {"action": "unknown", "id": one}, f"{one}: no active record")
    return PROBLEMS if done.unknown else DONE


def _run_compact(options: argparse.Namespace, vault: VaultStore) -> int:
    done = vault.compact()
    row = {name: getattr(done, name) for name in ("lines_before", "lines_after", "removed", "unreadable")}
    lines = counted(done.lines_before, "line", "lines")
    kept = f"; {done.unreadable} that cannot be read stay as they are" if done.unreadable else ""
    _tell(options, row, f"{lines} before, {done.lines_after} after, {done.removed} removed{kept}")
    return DONE


def _tell_written(options: argparse.Namespace, done: Iterable[Written]) -> int:
    status = DONE
    for one in done:
        if one.record is not None:
            _tell(
                options,
                {"action": one.action, "record": write_row(one.record)},
                f"{one.action} {show_record(one.record)}",
            )
        elif one.rejection is not None:
            status = PROBLEMS
            _tell(options, {"action": "rejected", "rejection": one.rejection.to_row()}, str(one.rejection))
    return status


# --- reading ---------------------------------------------------------------------------------------------------------


def _run_list(options: argparse.Namespace, vault: VaultStore) -> int:
    for record in sorted(vault.list_active(options.scope), key=lambda one: not one.is_canon):
        _tell(options, write_row(record), show_record(record))
    return DONE


def _run_search(options: argparse.Namespace, vault: VaultStore) -> int:
    for one in vault.search(options.query, options.scope, limit=options.limit):
        row = {"score": round(one.score, 4), "record": write_row(one.record)}
        _tell(options, row, f"{one.score:.2f} {show_record(one.record)}")
    return DONE


def _run_stats(options: argparse.Namespace, vault: VaultStore) -> int:
    stats = vault.vault_stats()
    lines = (
        f"{key}: {', '.join(f'{name} {count}' for name, count in one.items()) if isinstance(one, dict) else one}"
        for key, one in stats.items()
    )
    _tell(options, stats, "\n".join(lines))
    return DONE


def _run_propose(options: argparse.Namespace, vault: VaultStore) -> int:
    for one in vault.propose_deletions(options.scope):
        row = {"propose": "delete", "id": one.record.id, "reasons": list(one.reasons)}
        _tell(options, row, f"delete {one.record.id}? {'; '.join(one.reasons)}")
    for pair in vault.find_consolidation_candidates(options.scope, options.floor):
        ids, much = [pair.one.id, pair.other.id], round(pair.similarity, 4)
        _tell(
            options,
            {"propose": "merge", "ids": ids, "similarity": much},
            f"merge {' and '.join(ids)}? similarity {much:.2f}",
        )
    return DONE


def _tell(options: argparse.Namespace, row: dict[str, Any], line: str) -> None:
    print(json.dumps(row, ensure_ascii=False) if options.json else line, flush=True)
