"""The earlier versions and the copies of a memory.

The host updates, merges and replaces a memory by deleting it and storing another text under another id. It names the
old memory in metadata that later changes overwrite, so the backup notes it as well. A memory in use is never an earlier
version of another memory: a model may have written the metadata that names it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..foreign import show_pointers
from ..language.words import content_words, shares_half
from ..ledger.copies import DUPLICATE_RULES, ECHO_RULE
from ..records import LINEAGE_KEY
from ..texts import normalize_text
from ..vault.record import write_row
from . import files
from .backup_file import BackedUp, BackupFile, Deleted
from .vault_file import VaultFile

_COPY_RULES = DUPLICATE_RULES | {ECHO_RULE}
_ACTION_KEY = "consolidation_action"
_REPLACED_KEYS = ("updated_from", "consolidated_from", "replaced_memories")
_LOSER_KEYS = ("supersedes", "supersedes_ids")


def takes_place_of(old: Any, text: str, metadata: Mapping[str, Any]) -> bool:
    """Whether a new text replaces a deleted document: it has all of its metadata, or shares half of its words."""
    if _ACTION_KEY in metadata and old.metadata.keys() <= metadata.keys():
        return True
    before, after = content_words(old.page_content), content_words(text)
    return shares_half(before, after) and shares_half(after, before)


@dataclass(frozen=True, slots=True)
class Versions:
    """The ids of a memory, its earlier versions and its copies, and all texts that they have or had."""

    ids: tuple[str, ...]
    texts: tuple[str, ...]


def find_versions(
    folder: Path, documents: Mapping[str, Any], memory_ids: Iterable[str], also: Iterable[str] = ()
) -> Versions:
    """Return the versions and copies of some memories of a folder, by its store, backup and vault.

    `also` are ids found by an earlier call.
    """
    known = _RecordedTexts(folder, documents)
    roots = tuple(dict.fromkeys(memory_ids))
    found_ids = dict.fromkeys((*roots, *also))
    waiting = list(found_ids)
    for memory_id in waiting:  # which grows
        new = [
            related_id
            for related_id in known.related(memory_id, is_root=memory_id in roots)
            if related_id not in found_ids
        ]
        found_ids |= dict.fromkeys(new)
        waiting += new
    return Versions(
        tuple(found_ids), tuple(sorted({text for memory_id in found_ids for text in known.texts[memory_id]}))
    )


class _RecordedTexts:
    """The recorded texts of a folder, and which memories replaced or repeat which."""

    def __init__(self, folder: Path, documents: Mapping[str, Any]) -> None:
        self.texts: defaultdict[str, set[str]] = defaultdict(set)
        self._earlier: defaultdict[str, set[str]] = defaultdict(set)
        self._copies: defaultdict[str, set[str]] = defaultdict(set)
        self._saying: defaultdict[str, set[str]] = defaultdict(set)
        self._deleted: set[str] = set()
        vault = VaultFile(folder)
        self._now = {memory_id: document.page_content for memory_id, document in documents.items()}
        self._now |= {record.id: record.text for record in vault.read().active}
        for memory_id, document in documents.items():
            self._enter(memory_id, document.page_content, document.metadata)
        for row in (*files.read_lines_if_any(vault.path), *map(write_row, vault.kept().latest)):
            if isinstance(row.get("id"), str) and isinstance(row.get("text"), str):
                self._enter(row["id"], row["text"], {})
        for line in BackupFile(folder).lines():
            if isinstance(line, BackedUp):
                self._deleted.discard(line.id)
                self._enter(line.id, line.text, line.metadata)
            elif isinstance(line, Deleted):
                self._deleted.add(line.id)
                if line.replaced_by is not None:
                    self._earlier[line.replaced_by].add(line.id)

    def _enter(self, memory_id: str, text: str, metadata: Mapping[str, Any]) -> None:
        self.texts[memory_id].add(text)
        if self._now.get(memory_id, text) == text:
            self._saying[normalize_text(text)].add(memory_id)
        lineage = metadata.get(LINEAGE_KEY)
        lineage = show_pointers(lineage) if isinstance(lineage, dict) else {}
        if lineage.get("deprecated_reason") in _COPY_RULES and isinstance(lineage.get("superseded_by"), str):
            self._copies[lineage["superseded_by"]].add(memory_id)
        named = [metadata.get(key) for key in _REPLACED_KEYS] + [lineage.get(key) for key in _LOSER_KEYS]
        for names in named:
            parts = names if isinstance(names, list) else [names]
            self._earlier[memory_id].update(part for part in parts if isinstance(part, str))

    def _is_gone(self, memory_id: str) -> bool:
        """Whether somebody has deleted a memory; a memory lost in a crash may be restored."""
        return memory_id not in self._now and (memory_id in self._deleted or memory_id not in self.texts)

    def related(self, memory_id: str, *, is_root: bool) -> Iterator[str]:
        """Yield the deleted predecessors of a memory, its copies, and the memories with the same text.

        A memory in use with the text of an earlier version only is another memory.
        """
        yield from sorted(earlier_id for earlier_id in self._earlier[memory_id] if self._is_gone(earlier_id))
        yield from sorted(self._copies[memory_id])
        now = self._now.get(memory_id)
        for text in sorted(self.texts[memory_id] if now is None else {now}):
            sayers = self._saying[normalize_text(text)]
            yield from sorted(sayer for sayer in sayers if is_root or now is not None or sayer not in self._now)
