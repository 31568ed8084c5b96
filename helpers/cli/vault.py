"""`vault`: write, read and tidy the permanent facts.

Everything is done on the file, under its lock; a running host sees it at its next prompt.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ..host.vault.vault_store import VaultStore, Written, configured_agents
from ..texts import counted
from ..vault.record import show_record, write_row
from ..vault.taxonomy import SHARED_SCOPE, STORED_TIERS, Origin, Tier
from .declaring import DONE, PROBLEMS, Argument, Command, Options, choice, declare, flag, group, only_one, option, tell
from .lines import InputError, open_input, read_folder_settings, read_row
from .options import COUNT, READING, SHARE, WRITING, checked
from .output import command_on, note

Run = Callable[[Options, VaultStore], int]

#: The origins that a person may name; the others are set by the pack.
_BY_HAND = (Origin.MANUAL.value, Origin.OPERATOR.value)


def _run(options: Options, run: Run) -> int:
    """Run an action on the vault of the folder, in a dry run on a copy of it; return the exit code."""
    folder = checked(options.folder)
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
    note("nothing was written (--dry-run)")
    return status


def _run_add(options: Options, vault: VaultStore) -> int:
    only_one({"TEXT": options.text, "--file": options.file})
    if options.file is not None:
        return _add_lines(options, vault)
    done = vault.add_memory(
        options.text,
        options.scope,
        options.category,
        tier=options.tier,
        topic_id=options.topic,
        tags=list(options.tags) or None,
        source=options.source,
    )
    return _tell_written(options, done)


def _add_lines(options: Options, vault: VaultStore) -> int:
    """Store each line of a file by itself; one that is refused is named."""
    defaults = {"scope": options.scope, "category": options.category, "source": options.source}
    items: dict[int, dict[str, Any]] = {}
    broken: dict[int, str] = {}
    with open_input(options.file) as stream:
        for number, line in enumerate(stream, 1):
            try:
                if line.strip():
                    items[number] = _by_hand({**defaults, **read_row(line)})
            except InputError as exc:
                broken[number] = str(exc)
    written = dict(zip(items, vault.bulk_add(items.values()), strict=True))
    for number in sorted({*items, *broken}):
        if number in written:
            _tell_written(options, written[number], line=number)
        else:
            row = {"action": "rejected", "line": number, "error": broken[number]}
            _tell(options, row, f"line {number}: {broken[number]}")
    return PROBLEMS if broken or any(outcome.record is None for outcome in written.values()) else DONE


def _by_hand(item: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a record, their source one that a person may name."""
    source = item.get("source")
    return item if source is None or source in _BY_HAND else {**item, "source": _BY_HAND[0]}


def _run_update(options: Options, vault: VaultStore) -> int:
    done = vault.update_memory(
        options.id, text=options.text, category=options.category, tags=list(options.tags) or None, source=options.source
    )
    return _tell_written(options, done)


def _run_promote(options: Options, vault: VaultStore) -> int:
    return _tell_written(options, vault.promote_to_canon(options.id, options.text))


def _run_delete(options: Options, vault: VaultStore) -> int:
    done = vault.bulk_delete(options.id)
    for record in done.records:
        _tell(options, {"action": "deleted", "record": write_row(record)}, f"deleted {record.id} v{record.version}")
    for record_id in done.unknown:
        _tell(options, {"action": "unknown", "id": record_id}, f"{record_id}: no active record")
    return PROBLEMS if done.unknown else DONE


def _run_compact(options: Options, vault: VaultStore) -> int:
    done = vault.compact()
    row = {name: getattr(done, name) for name in ("lines_before", "lines_after", "removed", "unreadable")}
    lines = counted(done.lines_before, "line", "lines")
    kept = f"; {done.unreadable} that cannot be read stay as they are" if done.unreadable else ""
    _tell(options, row, f"{lines} before, {done.lines_after} after, {done.removed} removed{kept}")
    return DONE


def _tell_written(options: Options, outcome: Written, *, line: int = 0) -> int:
    """Print whether a record was written, or why the `line` of a file was refused; return the exit code."""
    if outcome.record is not None:
        _tell(
            options,
            {"action": outcome.action, "record": write_row(outcome.record)},
            f"{outcome.action} {show_record(outcome.record)}",
        )
    elif outcome.rejection is not None:
        where, words = ({"line": line}, f"line {line}: ") if line else ({}, "")
        _tell(
            options,
            {"action": "rejected", **where, "rejection": outcome.rejection.to_row()},
            f"{words}{outcome.rejection}",
        )
    return DONE if outcome.record is not None else PROBLEMS


def _run_list(options: Options, vault: VaultStore) -> int:
    for record in sorted(vault.list_active(options.scope or None), key=lambda vault_record: not vault_record.is_canon):
        _tell(options, write_row(record), show_record(record))
    return _say_unreadable(options, vault)


def _run_search(options: Options, vault: VaultStore) -> int:
    for hit in vault.search(options.query, options.scope or None, limit=options.limit):
        row = {"score": round(hit.score, 4), "record": write_row(hit.record)}
        _tell(options, row, f"{hit.score:.2f} {show_record(hit.record)}")
    return _say_unreadable(options, vault)


def _run_stats(options: Options, vault: VaultStore) -> int:
    stats = vault.vault_stats()
    lines = (
        f"{key}: {', '.join(f'{name} {count}' for name, count in value.items()) if isinstance(value, dict) else value}"
        for key, value in stats.items()
    )
    _tell(options, stats, "\n".join(lines))
    return DONE


def _run_propose(options: Options, vault: VaultStore) -> int:
    for deletion in vault.propose_deletions(options.scope or None):
        row = {"propose": "delete", "id": deletion.record.id, "reasons": list(deletion.reasons)}
        _tell(options, row, f"delete {deletion.record.id}? {'; '.join(deletion.reasons)}")
    for pair in vault.find_consolidation_candidates(options.scope or None, options.floor):
        ids, similarity = [pair.one.id, pair.other.id], round(pair.similarity, 4)
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


def _action(name: str, run: Run, *params: click.Parameter, help: str, examples: tuple[str, ...]) -> Command:
    return declare(name, lambda options: _run(options, run), *params, help=help, examples=examples)


_TEXT = Argument("text", required=False, help="the text, at most 1200 characters")
_ID = Argument("id", help="a record")
_TAGS = option("--tags", "TAG", "a tag; can be repeated", multiple=True)
_SOURCE = choice("--source", _BY_HAND, "who wrote it (manual)", default=_BY_HAND[0])
_CATEGORIES = "bio, mission, constraint, preference, project, ..."
_CATEGORY = option("--category", "NAME", _CATEGORIES)
_SCOPES = option("--scope", "NAME", "only this scope; can be repeated", multiple=True)
_AS_JSON = flag("--json", "print the answer as JSON Lines", called="as_json")
_READS = (*READING, _AS_JSON)
_WRITES = (*WRITING, _AS_JSON)

COMMANDS = (
    group(
        "vault",
        _action(
            "add",
            _run_add,
            _TEXT,
            option("--file", "FILE", "JSON Lines with several texts, each judged on its own; - is standard input"),
            option("--scope", "NAME", "shared (the default), or the name of an agent", default=SHARED_SCOPE),
            option("--tier", "TIER", f"{' or '.join(STORED_TIERS)} (canon)", default=Tier.CANON.value),
            option("--topic", "NAME", "the topic of a register; the next state of the topic replaces this one"),
            option("--category", "NAME", _CATEGORIES, default="other"),
            _TAGS,
            _SOURCE,
            *_WRITES,
            help="store a text, or the next state of a topic, if it passes the gates",
            examples=('memory-ledger vault add "Answer in French" --category preference',),
        ),
        _action(
            "update",
            _run_update,
            _ID,
            Argument("text", required=False, help="its new text (default: the old text stays)"),
            _CATEGORY,
            _TAGS,
            _SOURCE,
            *_WRITES,
            help="write the next version of a record",
            examples=('memory-ledger vault update RECORD "Answer in Italian"',),
        ),
        _action(
            "delete",
            _run_delete,
            Argument("id", nargs=-1, required=True, metavar="ID...", help="a record, or several"),
            *_WRITES,
            help="delete records; their lines stay until compact",
            examples=("memory-ledger vault delete RECORD",),
        ),
        _action(
            "promote",
            _run_promote,
            _ID,
            Argument("text", required=False, help="its canonical text (default: its current text)"),
            *_WRITES,
            help="turn a register into canon",
            examples=("memory-ledger vault promote RECORD",),
        ),
        _action(
            "compact",
            _run_compact,
            *_WRITES,
            help="drop old versions and deleted records",
            examples=("memory-ledger vault compact --dry-run",),
        ),
        _action(
            "list", _run_list, _SCOPES, *_READS, help="list the current records", examples=("memory-ledger vault list",)
        ),
        _action(
            "search",
            _run_search,
            Argument("query", help="a few words"),
            option("--limit", "N", "maximum results (20)", type=COUNT, default=20),
            _SCOPES,
            *_READS,
            help="find records by their words, best first",
            examples=("memory-ledger vault search french",),
        ),
        _action(
            "stats",
            _run_stats,
            *_READS,
            help="show how full the vault is, and what is in it",
            examples=("memory-ledger vault stats",),
        ),
        _action(
            "propose",
            _run_propose,
            option("--floor", "N", "minimum similarity for suggesting a merge (default: the setting)", type=SHARE),
            _SCOPES,
            *_READS,
            help="suggest what to delete or merge, and why, without doing it",
            examples=("memory-ledger vault propose",),
        ),
    ),
)
