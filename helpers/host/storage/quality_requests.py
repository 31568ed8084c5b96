"""What a person asks for at a terminal about the quality of memories, until the host has done it (Q-27, Q-28)."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ...clock import format_time, parse_time
from . import files

_log = logging.getLogger(__name__)

REFRESH, ARCHIVE = "refresh", "archive"
#: Where a line lists what it is about.
MEMORIES_KEY = "memories"


@dataclass(frozen=True, slots=True, kw_only=True)
class QualityRequest:
    """At `at` somebody wanted `memories` refreshed or archived."""

    at: datetime
    action: str
    memories: tuple[str, ...]
    is_verified: bool = False
    confidence: float | None = None


def append_quality_request(folder: Path, request: QualityRequest) -> None:
    """Put a request where the running host finds it."""
    row: dict[str, Any] = {
        "at": format_time(request.at),
        "action": request.action,
        MEMORIES_KEY: list(request.memories),
        "verified": request.is_verified,
        "confidence": request.confidence,
    }
    files.append_lines(folder / files.QUALITY_REQUESTS_FILE, [row])


def read_quality_request(row: dict[str, Any]) -> QualityRequest | None:
    """Return the request that a line stands for; one that is none is logged and left out."""
    at, memories, confidence = parse_time(row.get("at")), row.get(MEMORIES_KEY), row.get("confidence")
    is_share = confidence is None or (isinstance(confidence, int | float) and 0.0 <= confidence <= 1.0)
    if at is None or row.get("action") not in (REFRESH, ARCHIVE) or not isinstance(memories, list) or not is_share:
        _log.warning("%s: %s is no request", files.QUALITY_REQUESTS_FILE, row)
        return None
    return QualityRequest(
        at=at,
        action=str(row["action"]),
        memories=tuple(map(str, memories)),
        is_verified=row.get("verified") is True,
        confidence=confidence,
    )
