"""What a refresh changes in a memory, and what is stale enough to be archived (Q-27, Q-28, Q-65, T-27). Pure."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from ..ledger.changes import Archive, Change, Confirm, Qualify
from ..ledger.lifecycle import is_classified, status_of
from ..records import Memory, Utility, Validity

#: Stands for the words that confirmed a memory, where somebody did without any.
VERIFIED = "somebody verified it (Q-65)"


def refresh_changes(memory: Memory, *, at: datetime, is_verified: bool, confidence: float | None) -> list[Change]:
    """Return what a refresh at `at` changes in a classified memory; what was verified is confirmed as well.

    Errors that rules had found are settled then, until it is validated again.
    """
    stated: dict[str, Any] = {"validated_at": at}
    if confidence is not None:
        stated["confidence"] = confidence
    if is_verified and memory.quality is not None and memory.quality.validation_errors:
        stated["validation_errors"] = ()
    changes: list[Change] = [Qualify(memory_id=memory.id, stated=stated)]
    if is_verified and status_of(memory)[0].validity is Validity.INFERRED:
        changes.append(Confirm(memory_id=memory.id, at=at, evidence=VERIFIED))
    return changes


def may_archive(memory: Memory | None, *, older_than: timedelta, now: datetime, is_forced: bool) -> bool:
    """Whether a stale memory is old enough, and not archived yet; what is load-bearing goes only by force (T-27).

    A piece of a knowledge file never does (T-47).
    """
    if not is_classified(memory) or memory.is_knowledge:
        return False
    axes, lineage = status_of(memory)
    if axes.utility is Utility.ARCHIVED or (axes.utility is Utility.LOAD_BEARING and not is_forced):
        return False
    return now - lineage.created_at > older_than


def archive_change(memory_id: str, *, at: datetime, cycle: int) -> Archive:
    """Return the change that archives a memory as stale (Q-28, T-54)."""
    return Archive(memory_id=memory_id, at=at, cycle=cycle, touched_cycle=0, is_stale=True)
