"""What a person asked for at a terminal about conflicts: `ledger_requests.jsonl`, one line a request (T-70).

The terminal appends, the host's next hook does it. Nothing but the host process ever changes the host's store. The last
request about each conflict stays for good, done or not, so that no rule decides it again.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from ...clock import format_time, parse_time
from ...ledger.changes import Restore
from ...quality.requests import PERSON_RULE, RANKING, REASONS, Request, RequestKind
from ...records import Memory
from . import files
from .journal import find_retirement

_log = logging.getLogger(__name__)


def append_request(folder: Path, request: Request) -> None:
    """Put a request where the running host finds it."""
    row: dict[str, Any] = {
        "at": format_time(request.at),
        "action": request.action.value,
        "conflict": request.conflict_id,
        "memories": list(request.memories),
        "keep": request.keep,
    }
    if request.strategy is not None:
        row["strategy"] = request.strategy.value
    files.append_lines(folder / files.REQUESTS_FILE, [row])


def read_requests(folder: Path) -> dict[str, Request]:
    """Return the last request about each conflict; a line that is none is logged and left out."""
    found: dict[str, Request] = {}
    for row in files.read_lines_if_any(folder / files.REQUESTS_FILE):
        request = _to_request(row)
        if request is None:
            _log.warning("%s: %s is no request", folder / files.REQUESTS_FILE, row)
        else:
            found[request.conflict_id] = request
    return found


def rows_to_keep(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the last request about each conflict, for good, and what is no request (yet) to this version."""
    foreign: list[dict[str, Any]] = []
    latest: dict[str, dict[str, Any]] = {}
    for row in rows:
        request = _to_request(row)
        if request is None:
            foreign.append(row)
        else:
            latest[request.conflict_id] = row
    return [*foreign, *latest.values()]


def _to_request(row: dict[str, Any]) -> Request | None:
    at, memories, keep = parse_time(row.get("at")), row.get("memories"), row.get("keep")
    action = next((one for one in RequestKind if one.value == row.get("action")), None)
    if at is None or action is None or not isinstance(memories, list) or len(memories) != 2:
        return None
    one, other = map(str, memories)
    strategy = next((one for one in RANKING if one.value == row.get("strategy")), None)
    if (keep in memories) is not (action is RequestKind.KEEP) or (strategy is None) is (action is RequestKind.DECIDE):
        return None
    return Request(at=at, action=action, memories=(one, other), keep=keep, strategy=strategy)


def to_restore(folder: Path, request: Request, loser: Memory, winner_id: str) -> Restore:
    """Return the change that brings `loser` back as the journal says that it stood."""
    before = find_retirement(files.read_lines(folder / files.JOURNAL_FILE), loser, winner_id)
    return Restore(
        memory_id=loser.id,
        winner_id=winner_id,
        at=request.at,
        validity=before.validity,
        lineage=before.lineage,
        winner_lineage=before.winner_lineage,
        rule=PERSON_RULE,
        reasons=REASONS,
    )
