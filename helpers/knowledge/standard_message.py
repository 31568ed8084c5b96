"""The standard message: all keys, always (M-31 ... M-42, M-63, M-72). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

#: The layers of an agent, as the message format names them.
OPERATIONAL, EXECUTIONAL = "operational", "executional"
NO_ERROR: Mapping[str, Any] = {
    "has_error": False,
    "error_code": None,
    "error_message": None,
    "retry_count": 0,
    "recoverable": True,
}


@dataclass(frozen=True, slots=True)
class ChainPosition:
    """Where in a chain a message stands (M-40, M-67); by itself it is the first."""

    sequence_number: int = 1
    parent_message_id: str | None = None
    session_id: str | None = None
    request_id: str | None = None
    source: str = "orchestration_layer"


def standard_message(
    *,
    message_id: str,
    now: datetime,
    agent: str,
    layer: str,
    link: ChainPosition,
    received: Mapping[str, Any] | None,
    content_type: str,
    content: Mapping[str, Any],
    following: str | None,
    reason: str,
    status: str,
    told: str,
    error: Mapping[str, Any] = NO_ERROR,
    compliance_notes: str,
    reasoning: str,
    consulted: Iterable[str],
) -> dict[str, Any]:
    """Return a whole standard message; `now` is aware and written in UTC."""
    return {
        "message_id": message_id,
        "timestamp": {"executed_at": now.astimezone(UTC).isoformat().replace("+00:00", "Z"), "timezone": "UTC"},
        "agent": {"name": agent, "type": layer},
        "input": {"source": link.source, "content": None if received is None else dict(received)},
        "output": {"content": dict(content), "content_type": content_type},
        "next_agent": {"name": following, "reason": reason},
        "status": {"code": status, "message": told},
        "error": dict(error),
        "metadata": {
            "session_id": link.session_id,
            "request_id": link.request_id,
            "sequence_number": link.sequence_number,
            "parent_message_id": link.parent_message_id,
        },
        "resources": {"source_refs": [], "storage_refs": [], "derived_refs": []},
        "audit": {
            "compliance_notes": compliance_notes,
            "governance_files_consulted": list(consulted),
            "reasoning": reasoning,
        },
    }


def error_of(code: str, told: str, *, recoverable: bool = True) -> dict[str, Any]:
    """Return the error of a message that failed (M-39)."""
    return {**NO_ERROR, "has_error": True, "error_code": code, "error_message": told, "recoverable": recoverable}
