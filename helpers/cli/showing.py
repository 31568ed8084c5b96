"""`show`: one memory with its status, where it comes from, what became of it, and how to take the last change back."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ..clock import format_time, system_clock
from ..contents import content_in_words, stated_content
from ..errors import StoreError
from ..host.backup.backup_file import BackupFile
from ..host.backup.replaced import read_replaced
from ..host.backup.rows import id_digest
from ..host.docstore.docstore_file import read_documents
from ..host.page.timeline import find_proof, timeline
from ..host.quality.reading import show_stored
from ..host.storage.conflict_file import ConflictFile
from ..host.storage.database import Database
from ..host.storage.files import JOURNAL_FILE, read_lines_if_any
from ..ledger.happened import WISHES
from ..ledger.history import HistoryIndex, find_beliefs, parse_names, parse_winners
from ..ledger.undoing import Steps, moved_on
from ..quality.conflict_record import Conflict
from ..quality.relationships import find_stated, show_relationship
from ..records import LINEAGE_KEY, QUALITY_KEY, Memory, parse_memory, said_at
from .declaring import DONE, Argument, Options, declare
from .lines import read_folder_settings
from .options import CONFIG, FOLDER, JSON
from .output import is_for_person, say

#: So many characters of an id may be other ones in a slip of the pen.
_MOST_SLIPS = 2
_MOST_NAMED = 5
_NOT_CLASSIFIED = "not classified yet"


@dataclass(frozen=True, slots=True)
class _Shelf:
    """The documents of a folder, of which only those that are asked for are read."""

    folder: Path
    documents: Mapping[str, Any]
    written_at: datetime

    def read(self, memory_id: str) -> Memory | None:
        """Return one memory; None where there is none."""
        document = self.documents.get(memory_id)
        if document is None:
            return None
        return parse_memory(memory_id, document.page_content, document.metadata, inserted_at=self.written_at)[0]

    def winners(self) -> dict[str, str]:
        """Return which memory replaced which: only what may have been replaced is read."""
        retired = (one for one, document in self.documents.items() if _may_be_replaced(document.metadata))
        found = [memory for one in retired if (memory := self.read(one)) is not None]
        found += read_replaced(self.folder, self.read)
        return parse_winners(found, self.documents)


def _may_be_replaced(metadata: Mapping[str, Any]) -> bool:
    lineage = metadata.get(LINEAGE_KEY)
    return lineage is not None and (type(lineage) is not dict or lineage.get("superseded_by", "") is not None)


def _run_show(options: Options) -> int:
    shelf = _Shelf(options.folder, *read_documents(options.folder))
    memory = shelf.read(find_id(options.folder, shelf.documents, options.id))
    assert memory is not None
    row = _to_row(shelf, memory, options)
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


def _to_row(shelf: _Shelf, memory: Memory, options: Options) -> dict[str, Any]:
    folder = shelf.folder
    lines = read_lines_if_any(folder / JOURNAL_FILE)
    journal = [row for row in lines if row.get("memory") == memory.id]
    conflicts = ConflictFile(folder)
    axes, lineage = memory.classification, memory.lineage
    last: dict[str, Any] = next((row for row in reversed(journal) if row.get("action") not in WISHES), {})
    return {
        "id": memory.id,
        "text": memory.text,
        "area": memory.area,
        "said_at": format_time(said_at(memory)),
        "written_at": format_time(memory.created_at),
        "validity": axes and axes.validity.value,
        "relevance": axes and axes.relevance.value,
        "utility": axes and axes.utility.value,
        "source": axes and axes.source.value,
        "tags": [] if axes is None else [*axes.tags],
        "why": [str(one) for one in last.get("reasons", ())] if isinstance(last.get("reasons"), list) else [],
        "rule": last.get("rule"),
        "shown": 0 if lineage is None else lineage.access_count,
        "replaced_by": lineage and lineage.superseded_by,
        "outdated_parts": [] if lineage is None else [one.text for one in lineage.outdated_parts],
        "proof": _read_proof(folder, memory, journal),
        "timeline": _read_timeline(shelf, memory, lines, conflicts),
        "conflicts": [_to_conflict(shelf, memory, one) for one in conflicts.of_memory(memory.id)],
        "undo": _undo_command(shelf, memory, journal),
        **_read_quality(shelf, memory, conflicts, options),
    }


def _read_quality(shelf: _Shelf, memory: Memory, conflicts: ConflictFile, options: Options) -> dict[str, Any]:
    """Return what the quality layer says of a memory, under its own names, and what it is linked to (Q-01 ... Q-04)."""
    settings = read_folder_settings(options.folder, options.config)
    metadata = shelf.documents[memory.id].metadata
    shown = show_stored(memory, metadata, conflicts, settings, system_clock())
    away = [_to_link(shelf, memory, one) for one in shown["relationships"]]
    return {
        "type": shown["type"],
        "content": stated_content(shown["content"], memory.text, memory.content),
        "relationships": [*away, *_read_links_to(shelf, memory.id)],
        "confidence": shown["confidence"],
        "quality": shown["quality"],
    }


def _to_link(shelf: _Shelf, source: Memory, link: Mapping[str, Any], *, leads_here: bool = False) -> dict[str, Any]:
    """Return a link with the text at its other end; only one that was `stated` can be removed."""
    other = source if leads_here else shelf.read(link["target"])
    is_stated = find_stated(source, link["type"], link["target"]) is not None
    return {"source": source.id, **link, "stated": is_stated, "text": other and other.text}


def _read_links_to(shelf: _Shelf, memory_id: str) -> Iterator[dict[str, Any]]:
    """Yield what was stated of other memories as a link to this one."""
    for other_id, document in shelf.documents.items():
        quality = document.metadata.get(QUALITY_KEY)
        if quality and memory_id in str(quality) and (other := shelf.read(other_id)) is not None:
            stated = other.quality.relationships if other.quality is not None else ()
            links = (show_relationship(one) for one in stated if one.target == memory_id)
            yield from (_to_link(shelf, other, one, leads_here=True) for one in links)


def _read_proof(folder: Path, memory: Memory, journal: Iterable[Mapping[str, Any]]) -> str | None:
    """Return the words that show where a memory comes from, as far as they are kept."""

    def spoken() -> tuple[list[Any], list[Any]]:
        from ..host.turns.kept_turns import KeptTurns
        from ..host.turns.turn_ring import TurnRing

        turns = TurnRing(1_000)
        KeptTurns(Database(folder), turns).load()
        return turns.spoken()

    return find_proof(memory, journal, spoken) or None


def _read_timeline(
    shelf: _Shelf, memory: Memory, journal: list[dict[str, Any]], conflicts: ConflictFile
) -> list[dict[str, Any]]:
    archive = HistoryIndex(
        texts=(),
        read=shelf.read,
        winners=shelf.winners(),
        names=parse_names,
    )
    beliefs = find_beliefs(archive, "", memory_id=memory.id)
    return timeline(memory.id, beliefs, journal, conflicts.reason, shelf.read)


def _to_conflict(shelf: _Shelf, memory: Memory, conflict: Conflict) -> dict[str, Any]:
    other = shelf.read(conflict.other(memory.id))
    resolution = conflict.resolution
    return {
        "id": conflict.id,
        "with": conflict.other(memory.id),
        "text": other and other.text,
        "resolved": resolution is not None,
        "winner": resolution and resolution.winner,
    }


def _undo_command(shelf: _Shelf, memory: Memory, journal: Iterable[Mapping[str, Any]]) -> str | None:
    """Return the command that takes the last change back; None where the command `undo` takes none back."""
    step = Steps(journal).latest(memory.id, memory)
    if step is None or str(step.get("winner", memory.id)) not in shelf.documents:
        return None
    if moved_on(memory, step["changed"].get("memories", {}).get(memory.id) or {}):
        return None
    return shlex.join(["memory-ledger", "undo", memory.id, "--folder", str(shelf.folder)])


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
