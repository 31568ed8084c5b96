"""`scan`: where a text, or a memory of a store, holds what nobody should store; never what it is (V-39, V-56, T-22)."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import click

from ..formats.rows import text_key
from ..privacy import Finding, Level, scan
from ..store.docstore_file import read_docstore
from ..texts import counted
from .declaring import DONE, Argument, Options, declare, drop_default_folder, only_one
from .lines import InputError, answer_lines, answer_words, is_text
from .options import JSON, folder_option
from .output import ID, Column, show_rows
from .progress import watched


def _run_scan(options: Options) -> int:
    level = Level(options.level)
    drop_default_folder(options, options.file)
    only_one({"FILE": options.file, "--folder": options.folder}, is_required=False)
    if options.folder is not None:
        return _scan_store(options, level)
    answer, file = partial(_answer, level=level), options.file or "-"
    return answer_words({"text": file}, answer) if is_text(file) else answer_lines(file, answer)


def _answer(row: dict[str, Any], level: Level) -> dict[str, Any]:
    text = row.get(text_key(row))
    if not isinstance(text, str):  # what it is instead may itself be a secret
        found = type(text).__name__ if "text" in row else "missing"
        raise InputError(f"text is {found}; allowed: a text")
    findings = scan(text, level)
    answer = {"findings": _write(findings), "action": "reject" if findings else "allow"}
    return {"id": row["id"], **answer} if "id" in row else answer


def _write(findings: tuple[Finding, ...]) -> list[dict[str, Any]]:
    return [{"type": finding.type, "start": finding.start, "end": finding.end} for finding in findings]


def _scan_store(options: Options, level: Level) -> int:
    folder, documents = options.folder, read_docstore(options.folder)[1]
    rows = list(_find_all(watched(documents.items(), "scanning", len(documents)), level))
    show_rows(options, rows, (ID, Column("found", _in_words)))
    print(f"{counted(len(documents), 'memory', 'memories')}, {len(rows)} with findings", file=sys.stderr)
    if rows:
        print(f"`memory-ledger erase ID --folder {folder}` permanently deletes one", file=sys.stderr)
    return DONE


def _find_all(documents: Iterable[tuple[str, Any]], level: Level) -> Iterator[dict[str, Any]]:
    for memory_id, document in documents:
        if findings := scan(document.page_content, level):
            yield {"id": memory_id, "findings": _write(findings)}


def _in_words(row: Mapping[str, Any]) -> str:
    """Return what was found, and where; never what it says."""
    return "\n".join(f"{one['type']} (characters {one['start']} to {one['end']})" for one in row["findings"])


_LEVEL = click.Option(
    ["--level"],
    type=click.Choice([one.value for one in Level]),
    default=Level.SECRETS.value,
    help="strict also finds e-mail addresses, phone numbers, names, users' folders and query strings of URLs",
)

COMMANDS = (
    declare(
        "scan",
        _run_scan,
        Argument(
            "file",
            required=False,
            help='JSON Lines of {"text": ..., "id": ...}, - is standard input (the default); or a text',
        ),
        _LEVEL,
        JSON,
        folder_option(is_found=False, help="list the memories of a store or a memory folder instead"),
        examples=("memory-ledger scan --folder usr/memory/default --level strict", "memory-ledger scan < texts.jsonl"),
    ),
)
