"""Carry out what a person decides about an entry, beside agents that may write at the same time (M-21)."""

from __future__ import annotations

from datetime import datetime

from ...errors import StoreError
from ...knowledge.categories import FILES, STATE_NAME
from ...knowledge.curation import CurationError, CurationVerb, note_decision, plan_decision
from ...knowledge.files_protocol import KnowledgeFiles
from ...knowledge.memory import memory_from_text, memory_to_text


def decide_entry(
    files: KnowledgeFiles, entry_id: str, decision: CurationVerb, *, now: datetime, threshold: float, dry_run: bool
) -> tuple[dict[str, str], dict[str, str | None]]:
    """Carry out a decision; return the new texts of the files it changes, and what stood there before."""
    texts = {name: text for name in FILES if (text := files.read(name)) is not None}
    changed = plan_decision(texts, entry_id, decision, now=now, threshold=threshold)
    if entry_id not in memory_from_text(files.read(STATE_NAME)).notes:
        raise CurationError(f"{entry_id} was written by hand, and no run has seen it yet; distil first")
    before = {name: texts.get(name) for name in changed}
    if not dry_run:
        for name, text in changed.items():
            _replace(files, name, before[name], text)
        files.update(STATE_NAME, lambda found: _noted(found, entry_id, decision))
    return changed, before


def _replace(files: KnowledgeFiles, name: str, before: str | None, text: str) -> None:
    stands = files.update(name, lambda found: text if found == before else found)
    if stands != text:
        raise StoreError(f"{name} was changed by somebody else in the meantime; run the command again")


def _noted(found: str | None, entry_id: str, decision: CurationVerb) -> str | None:
    memory = memory_from_text(found)
    note_decision(memory, entry_id, decision)
    return memory_to_text(memory)
