"""Which step about a memory a person can take back, as its lines of the journal tell (T-70). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, get_args

from ..records import Memory, Source, Teller, Utility, Validity
from .changes import (
    KINDS,
    Archive,
    Confirm,
    Outdate,
    Protect,
    Reattribute,
    Revert,
    Supersede,
    Unarchive,
    Withdraw,
)
from .lifecycle import has_outdated, is_classified

_UNDOING = {kind.action: kind.undone_by for kind in KINDS.values() if kind.undone_by}

_AXES = {"utility": Utility, "validity": Validity, "source": Source}

Line = Mapping[str, Any]


def find_undoable(journal: Iterable[Line], memory: Memory) -> Line | None:
    """Return the line of the latest step that still stands and fits `memory`; `journal` are the lines about it."""
    steps: list[Line] = []
    for row in journal:
        action = str(row.get("action"))
        if action in _UNDOING:
            steps.append(row)
        else:
            undone = next((one for one in reversed(steps) if _is_undone_by(one, row)), None)
            steps = [one for one in steps if one is not undone]
    return next((one for one in reversed(steps) if _fits(one, memory)), None)


def to_revert(row: Line, memory_id: str, *, at: datetime) -> Revert | None:
    """Return the change that takes back a step that moved one axis of one memory; None for another step."""
    action = str(row.get("action"))
    if _UNDOING.get(action) != Revert.action:
        return None
    moved, before = KINDS[action].axis, str(row.get("from"))
    if before not in [*_AXES[moved]]:
        return None
    teller = row.get("stated_by")
    return Revert(
        memory_id=memory_id,
        at=at,
        reverted=action,
        moved=moved,
        found=str(row.get("to")),
        value=before,
        stated_by=teller if teller in get_args(Teller) else None,
    )


def _is_undone_by(step: Line, row: Line) -> bool:
    action, undoing = str(step["action"]), str(row.get("action"))
    if action == Archive.action and undoing == Unarchive.action:
        return True
    return _UNDOING[action] == undoing and row.get("reverted") in (None, action)


def _fits(step: Line, memory: Memory) -> bool:
    if not is_classified(memory) or memory.classification is None or memory.lineage is None:
        return False
    axes, winner = memory.classification, memory.lineage.superseded_by
    match step["action"]:
        case Supersede.action:
            return memory.is_deprecated and winner is not None
        case Withdraw.action:
            return memory.is_deprecated and winner is None
        case Outdate.action:
            return not memory.is_deprecated and has_outdated(memory, str(step.get("winner")))
        case Protect.action:
            return axes.utility is Utility.LOAD_BEARING
        case Reattribute.action:
            return axes.source == step.get("to")
        case Archive.action:
            return axes.utility is Utility.ARCHIVED
        case Confirm.action:
            return axes.validity is Validity.CONFIRMED
    return False
