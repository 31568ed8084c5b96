"""`show`: one memory with its status, where it comes from, what became of it, and how to take the last change back."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..clock import format_time
from ..contents import content_in_words
from ..errors import StoreError
from ..service.arguments import ShowMemory
from ..service.detail import show_memory
from ..store.backup_file import BackupFile, id_digest
from .declaring import DONE, Argument, Options, declare
from .options import CONFIG, FOLDER, JSON
from .output import is_for_person, say
from .saved import open_place

#: So many characters of an id may be other ones in a slip of the pen.
_MOST_SLIPS = 2
_MOST_NAMED = 5
_NOT_CLASSIFIED = "not classified yet"


def _run_show(options: Options) -> int:
    place = open_place(options)
    memory_id = find_id(options.folder, place.documents(), options.id)
    found = show_memory(place, ShowMemory(id=memory_id))
    command = shlex.join(["memory-ledger", "undo", memory_id, "--folder", str(options.folder)])
    row = {**found, "undo": command if "undo" in found["can"] else None}
    if is_for_person(options):
        _tell(row)
    else:
        sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
    return DONE


def complete(asked: str, known: Iterable[str]) -> str:
    """Return the id that `asked` is, or the only one of the `known` that begins so; else `asked`, as it is."""
    found = {one for one in known if one.startswith(asked)}
    return asked if asked in found or len(found) != 1 else found.pop()


def find_id(folder: Path, known: Mapping[str, Any], asked: str) -> str:
    """Return the one id that `asked` is, or begins; raises StoreError, which says what is near it or became of it."""
    if (named := complete(asked, known)) in known:
        return named
    if found := [one for one in known if one.startswith(asked)]:
        raise StoreError(f"{folder}: {asked} begins {len(found):,} ids; allowed: one of them, {_name_some(found)}")
    fate = _find_fate(folder, asked)
    near = [one for one in known if _slips(one, asked) <= _MOST_SLIPS]
    meant = f"; did you mean {_name_some(near)}?" if near else "; allowed: an id that `memory-ledger list` shows"
    raise StoreError(f"{folder}: no memory {asked}{fate or meant}")


def _name_some(ids: Sequence[str]) -> str:
    return ", ".join(ids[:_MOST_NAMED]) + (", ..." if len(ids) > _MOST_NAMED else "")


def _slips(one: str, other: str) -> int:
    """Return how many characters of two ids of one length differ; more than a slip where the lengths do."""
    if len(one) != len(other):
        return _MOST_SLIPS + 1
    return sum(a != b for a, b in zip(one, other, strict=True))


def _find_fate(folder: Path, memory_id: str) -> str:
    """Return what the backup knows of a memory that is not in the store; empty where that is nothing."""
    contents = BackupFile(folder).read()
    if contents is None:
        return ""
    if id_digest(memory_id) in contents.erased:
        return " any more: it was erased"
    deleted = contents.deleted.get(memory_id)
    if deleted is not None:
        heir = f", and {deleted.replaced_by} replaced it" if deleted.replaced_by else ""
        return f" any more: it was deleted at {format_time(deleted.at)}{heir}"
    return ", but the backup has it: `memory-ledger restore` brings it back" if memory_id in contents.places else ""


def _figures_in_words(row: Mapping[str, Any]) -> str:
    quality = row["quality"]
    checked = f", validated {quality['validatedAt']}" if quality["validatedAt"] else ""
    figures = {"staleness": quality["staleness"], "confidence": row["confidence"], "risk": quality["conflictRisk"]}
    return f"{quality['score']:.2f} ({', '.join(f'{name} {one:.2f}' for name, one in figures.items())}){checked}"


def _tell(row: Mapping[str, Any]) -> None:
    """Print what a person reads, a thing on each line."""
    for line in row["text"].splitlines():
        say(line, "bold")
    print()
    axes = [row[name] for name in ("validity", "relevance", "utility", "source")]
    standing = ", ".join(axes) if row["validity"] else _NOT_CLASSIFIED
    because = "; ".join(row["why"]) + (f" (rule {row['rule']})" if row["rule"] else "")
    lines = {
        "id": row["id"],
        "area": row["area"],
        "status": standing,
        "because": because.strip(),
        "said": f"{row['said_at']}, recalled {row['shown']} times since",
        "tags": ", ".join(row["tags"]),
        "replaced by": row["replaced_by"],
        "outdated": "; ".join(row["outdated_parts"]),
        "type": row["type"],
        "quality": _figures_in_words(row),
        "content": row["content"] and content_in_words(row["content"]),
        "errors": "; ".join(row["quality"]["validationErrors"]),
        "proof": row["proof"] and f'"{row["proof"]}"',
    }
    for name, value in lines.items():
        if value:
            say(f"{name:<12} {value}", hang=13)
    if row["undo"]:
        print(f"{'undo':<12} {row['undo']}")  # as it is typed, however long
    if row["relationships"]:
        print("\nLinks")
    for one in row["relationships"]:
        is_away = one["source"] == row["id"]
        way = f"{one['type']} {one['target']}" if is_away else f"{one['source']} {one['type']} it"
        because = f" ({one['reason']})" if one["stated"] and one["reason"] else ""
        say(f"  {way}: {one['text'] or 'not in the store any more'}{because}", hang=4)
    if row["timeline"]:
        print("\nTimeline")
    for one in row["timeline"]:
        about = f" [{one['id']}]" if one["id"] != row["id"] else ""
        say(f"  {one['date'][:16].replace('T', ' ')}  {one['what']}{about}", hang=20)
        if one["text"]:
            say(f"{'':20}{one['text']}", hang=20)
    if row["conflicts"]:
        print("\nConflicts")
    for one in row["conflicts"]:
        outcome = f"resolved, {one['winner'] or 'both'} kept" if one["resolved"] else "unresolved"
        say(f"  {one['id']}  {outcome}")
        say(f"    with {one['with']}: {one['text'] or 'not in the store any more'}", hang=4)


COMMANDS = (
    declare(
        "show",
        _run_show,
        Argument("id", help="the id of a memory, or its unique beginning"),
        FOLDER,
        CONFIG,
        JSON,
        examples=("memory-ledger show b2XjW9rQe5", "memory-ledger show b2Xj --json"),
        only_looks=True,
    ),
)
