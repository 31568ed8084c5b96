"""The standard message: all keys, always (M-31 ... M-42, M-63, M-72). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

#: The layers of an agent, as the message format names them.
GOVERNANCE, OPERATIONAL, EXECUTIONAL = "governance", "operational", "executional"
NO_ERROR: Mapping[str, Any] = {
    "has_error": False,
    "error_code": None,
    "error_message": None,
    "retry_count": 0,
    "recoverable": True,
}


def standard_message(
    *,
    message_id: str,
    now: datetime,
    agent: str,
    layer: str,
    source: str,
    received: Mapping[str, Any] | None,
    content_type: str,
    content: Mapping[str, Any] | None,
    following: str | None,
    reason: str,
    status: str,
    told: str,
    session_id: str,
    request_id: str,
    sequence_number: int = 1,
    parent_message_id: str | None = None,
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
        "input": {"source": source, "content": None if received is None else dict(received)},
        "output": {"content": None if content is None else dict(content), "content_type": content_type},
        "next_agent": {"name": following, "reason": reason},
        "status": {"code": status, "message": told},
        "error": dict(error),
        "metadata": {
            "session_id": session_id,
            "request_id": request_id,
            "sequence_number": sequence_number,
            "parent_message_id": parent_message_id,
        },
        "resources": {"source_refs": [], "storage_refs": [], "derived_refs": []},
        "audit": {
            "compliance_notes": compliance_notes,
            "governance_files_consulted": list(consulted),
            "reasoning": reasoning,
        },
    }


def error_of(code: str, told: str, *, recoverable: bool = True, retries: int = 0) -> dict[str, Any]:
    """Return the error of a message that failed (M-39)."""
    return {
        "has_error": True,
        "error_code": code,
        "error_message": told,
        "retry_count": retries,
        "recoverable": recoverable,
    }
