"""What a person asks for at a terminal about the chain, until the host has done it (Q-31).

Doing it twice does no harm: a break is accepted once, and a key that was just made is replaced by another.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ...clock import format_time, parse_time
from . import files

_log = logging.getLogger(__name__)

ACCEPT, ROTATE = "accept-break", "rotate-key"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainRequest:
    """At `at` somebody wanted the breaks of `lines` accepted (None: all of them), or a new key, and said why."""

    at: datetime
    action: str
    reason: str
    lines: tuple[int, ...] | None = None


def append_chain_request(folder: Path, request: ChainRequest) -> None:
    """Put a request where the running host finds it."""
    row: dict[str, Any] = {
        "at": format_time(request.at),
        "action": request.action,
        "reason": request.reason,
        "lines": None if request.lines is None else list(request.lines),
    }
    files.append_lines(folder / files.CHAIN_REQUESTS_FILE, [row])


def has_chain_requests(folder: Path) -> bool:
    """Whether something is asked for."""
    stamp = files.file_stamp(folder / files.CHAIN_REQUESTS_FILE)
    return stamp is not None and stamp[1] > 0


@contextlib.contextmanager
def hold_chain_requests(folder: Path) -> Iterator[list[ChainRequest]]:
    """Give what is asked for, and empty the file when it has been done."""
    with files.hold_lines(folder / files.CHAIN_REQUESTS_FILE) as held:
        yield [one for one in map(_read, held.rows) if one is not None]
        held.clear()


def _read(row: dict[str, Any]) -> ChainRequest | None:
    at, lines, action, reason = parse_time(row.get("at")), row.get("lines"), row.get("action"), row.get("reason")
    is_list = lines is None or (isinstance(lines, list) and all(type(one) is int for one in lines))
    if at is None or action not in (ACCEPT, ROTATE) or not is_list or not isinstance(reason, str):
        _log.warning("%s: %s is no request", files.CHAIN_REQUESTS_FILE, row)
        return None
    return ChainRequest(at=at, action=str(action), reason=reason, lines=None if lines is None else tuple(lines))
