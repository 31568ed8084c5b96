"""`scan`: where a text, or a memory of a store, holds what nobody should store; never what it is (V-39, V-56, T-22)."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from ..host.docstore.docstore_file import read_docstore
from ..privacy import Finding, Level, scan
from ..texts import counted
from .lines import DONE, MISUSE, InputError, answer_lines, tell


def add_commands(commands: Any) -> None:
    """Add the command to the parser's subcommands."""
    command = commands.add_parser("scan", help="find passwords, keys, card numbers and the like in texts or in a store")
    command.add_argument("file", nargs="?", metavar="FILE", help="JSON Lines; - is standard input (the default)")
    command.add_argument(
        "--level",
        choices=[one.value for one in Level],
        default=Level.SECRETS.value,
        help="strict also finds e-mail addresses, phone numbers, names, users' folders and query strings of URLs",
    )
    command.add_argument("--store", type=Path, metavar="DIR", help="list the memories of a store or a memory folder")
    command.set_defaults(run=_run_scan)


def _run_scan(options: argparse.Namespace) -> int:
    level = Level(options.level)
    if options.store is None:
        return answer_lines(options.file or "-", lambda row: _answer(row, level))
    if options.file is not None:
        tell("scan takes FILE or --store DIR; allowed: one of them")
        return MISUSE
    return _scan_store(options.store, level)


def _answer(row: dict[str, Any], level: Level) -> dict[str, Any]:
    text = row.get("text")
    if not isinstance(text, str):  # what it is instead may itself be a secret
        found = type(text).__name__ if "text" in row else "missing"
        raise InputError(f"text is {found}; allowed: a text")
    findings = scan(text, level)
    answer = {"findings": _write(findings), "action": "reject" if findings else "allow"}
    return {"id": row["id"], **answer} if "id" in row else answer


def _write(findings: tuple[Finding, ...]) -> list[dict[str, Any]]:
    return [{"type": one.type, "start": one.start, "end": one.end} for one in findings]


def _scan_store(folder: Path, level: Level) -> int:
    documents = read_docstore(folder)[2]
    found = 0
    for memory_id, document in documents.items():
        findings = scan(document.page_content, level)
        if findings:
            found += 1
            print(json.dumps({"id": memory_id, "findings": _write(findings)}, ensure_ascii=False), flush=True)
    print(f"{counted(len(documents), 'memory', 'memories')}, {found} with findings", file=sys.stderr)
    if found:
        print(f"memory-ledger erase {folder} ID makes one gone for good", file=sys.stderr)
    return DONE
