"""`vault`: write, read and tidy the permanent facts.

Everything is done on the file, under its lock; a running host sees it at its next prompt.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from ..host.vault.vault_store import VaultStore, Written, configured_agents
from ..texts import counted
from ..vault.record import show_record, write_row
from ..vault.taxonomy import SHARED_SCOPE, STORED_TIERS, Origin, Tier
from .declaring import DONE, PROBLEMS, Argument, Command, Options, choice, command, flag, group, option, tell
from .options import COUNT, READING, SHARE, WRITING, checked, read_folder_settings
from .output import command_on, note

Run = Callable[[Options, VaultStore], int]

#: The origins that a person may name; the others are set by the pack.
_BY_HAND = (Origin.MANUAL.value, Origin.OPERATOR.value)
_ID = Argument("memory_id", metavar="ID", help="a record")
_TAGS = option("--tags", "TAG", "a tag; can be repeated", multiple=True)
_SOURCE = choice("--source", _BY_HAND, "who wrote it (manual)", default=_BY_HAND[0])
_CATEGORIES = "bio, mission, constraint, preference, project, ..."
_SCOPES = option("--scope", "NAME", "only this scope; can be repeated", multiple=True)
_AS_JSON = flag("--json", "print the answer as JSON Lines", called="as_json")


def _on_vault(*params: click.Parameter, writes: bool = False, examples: str = "") -> Callable[[Run], Command]:
    """Make a command on the vault of a folder; a dry run is done on a copy of it."""

    def make(run: Run) -> Command:
        @wraps(run)
        def on_folder(options: Options) -> int:
            folder = checked(options.folder)
            settings, scopes = read_folder_settings(folder, options.config).vault, configured_agents(folder)
            vault = VaultStore(folder, settings, scopes=scopes)
            if not writes or not options.dry_run:
                return run(options, vault)
            with tempfile.TemporaryDirectory() as name:
                copy = VaultStore(Path(name), settings, scopes=scopes)
                if vault.file.path.exists():
                    shutil.copyfile(vault.file.path, copy.file.path)
                status = run(options, copy)
            note("nothing was written (--dry-run)")
            return status

        return command(*params, *(WRITING if writes else READING), _AS_JSON, examples=examples)(on_folder)

    return make


def _writing(name: str, method: str, help: str, *params: click.Parameter, examples: str) -> Command:
    """Return a command that writes a record by a method of VaultStore, whose parameters are those of the command."""

    def run(options: Options, vault: VaultStore) -> int:
        outcome = getattr(vault, method)(
            **{str(param.name): getattr(options, str(param.name)) or None for param in params}
        )
        return _tell_written(options, outcome)

    run.__name__, run.__doc__ = name, help
    return _on_vault(*params, writes=True, examples=examples)(run)


_WRITING = (
    _writing(
        "add",
        "add_memory",
        "Store a text, or the next state of a topic, if it passes the gates.",
        Argument("text", help="the text, at most 1200 characters"),
        option("--scope", "NAME", "shared (the default), or the name of an agent", default=SHARED_SCOPE),
        option("--tier", "TIER", f"{' or '.join(STORED_TIERS)} (canon)", default=Tier.CANON.value),
        option(
            ("--topic", "topic_id"), "NAME", "the topic of a register; the next state of the topic replaces this one"
        ),
        option("--category", "NAME", _CATEGORIES, default="other"),
        *(_TAGS, _SOURCE),
        examples='"Answer in French" --category preference',
    ),
    _writing(
        "update",
        "update_memory",
        "Write the next version of a record.",
        _ID,
        Argument("text", required=False, help="its new text (default: the old text stays)"),
        option("--category", "NAME", _CATEGORIES),
        *(_TAGS, _SOURCE),
        examples='RECORD "Answer in Italian"',
    ),
    _writing(
        "promote",
        "promote_to_canon",
        "Turn a register into canon.",
        _ID,
        Argument(
            "canonical_text", required=False, metavar="[TEXT]", help="its canonical text (default: its current text)"
        ),
        examples="RECORD",
    ),
)


@_on_vault(
    Argument("id", nargs=-1, required=True, metavar="ID...", help="a record, or several"),
    writes=True,
    examples="RECORD",
)
def _run_delete(options: Options, vault: VaultStore) -> int:
    """Delete records; their lines stay until compact."""
    done = vault.bulk_delete(options.id)
    for record in done.records:
        _tell(options, {"action": "deleted", "record": write_row(record)}, f"deleted {record.id} v{record.version}")
    for record_id in done.unknown:
        _tell(options, {"action": "unknown", "id": record_id}, f"{record_id}: no active record")
    return PROBLEMS if done.unknown else DONE


@_on_vault(writes=True, examples="--dry-run")
def _run_compact(options: Options, vault: VaultStore) -> int:
    """Drop old versions and deleted records."""
    done = vault.compact()
    row = {name: getattr(done, name) for name in ("lines_before", "lines_after", "removed", "unreadable")}
    lines = counted(done.lines_before, "line", "lines")
    kept = f"; {done.unreadable} that cannot be read stay as they are" if done.unreadable else ""
    _tell(options, row, f"{lines} before, {done.lines_after} after, {done.removed} removed{kept}")
    return DONE


def _tell_written(options: Options, outcome: Written) -> int:
    """Print whether a record was written, or why not; return the exit code."""
    if outcome.record is not None:
        row = {"action": outcome.action, "record": write_row(outcome.record)}
        _tell(options, row, f"{outcome.action} {show_record(outcome.record)}")
        return DONE
    if outcome.rejection is not None:
        _tell(options, {"action": "rejected", "rejection": outcome.rejection.to_row()}, str(outcome.rejection))
    return PROBLEMS


@_on_vault(_SCOPES)
def _run_list(options: Options, vault: VaultStore) -> int:
    """List the current records."""
    for record in sorted(vault.list_active(options.scope or None), key=lambda vault_record: not vault_record.is_canon):
        _tell(options, write_row(record), show_record(record))
    return _say_unreadable(options, vault)


@_on_vault(
    Argument("query", help="a few words"),
    option("--limit", "N", "maximum results (20)", type=COUNT, default=20),
    _SCOPES,
    examples="french",
)
def _run_search(options: Options, vault: VaultStore) -> int:
    """Find records by their words, best first."""
    for hit in vault.search(options.query, options.scope or None, limit=options.limit):
        row = {"score": round(hit.score, 4), "record": write_row(hit.record)}
        _tell(options, row, f"{hit.score:.2f} {show_record(hit.record)}")
    return _say_unreadable(options, vault)


@_on_vault()
def _run_stats(options: Options, vault: VaultStore) -> int:
    """Show how full the vault is, and what is in it."""
    stats = vault.vault_stats()
    lines = (
        f"{key}: {', '.join(f'{name} {count}' for name, count in value.items()) if isinstance(value, dict) else value}"
        for key, value in stats.items()
    )
    _tell(options, stats, "\n".join(lines))
    return DONE


@_on_vault(
    option("--floor", "N", "minimum similarity for suggesting a merge (default: the setting)", type=SHARE), _SCOPES
)
def _run_propose(options: Options, vault: VaultStore) -> int:
    """Suggest what to delete or merge, and why, without doing it."""
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


_VAULT = group(
    "vault",
    *(*_WRITING, _run_delete, _run_compact, _run_list, _run_search, _run_stats, _run_propose),
)
