"""What deduplication leaves beside a store: the candidate pairs as lines, and how far it has looked (E-46).

Losing either costs time only: everything is looked at once more.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

import numpy as np
import numpy.typing as npt

from . import files
from .line_store import LineStore

Marks = npt.NDArray[np.uint64]

#: So many of the latest lines are kept when the file is rewritten.
KEPT_LINES = 20_000
#: Pairs beyond these are not noted down to wait; they are found again when all is looked at anew.
_MOST_WAITING = 200_000


def candidate_log(folder: Path) -> LineStore:
    """Return `duplicates.jsonl`: a line per candidate pair, bounded by rewriting the file as it grows."""
    return LineStore(folder / files.DUPLICATES_FILE, is_durable=False, keep=lambda rows: rows[-KEPT_LINES:])


@dataclass(slots=True)
class Progress:
    """Which memories have been compared with each other under `key`, and the pairs that an action waits for."""

    key: str
    seen: Marks = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))
    waiting: list[tuple[str, str, float]] = field(default_factory=list)


def mark_of(memory_id: str, text: str) -> int:
    """Return a number that stands for a memory as it is worded now."""
    return int.from_bytes(blake2b(f"{memory_id}\0{text}".encode(errors="replace"), digest_size=8).digest(), "little")


def read_progress(folder: Path, key: str) -> Progress:
    """Return how far the last run came; from the beginning where it went by other settings, or the file is damaged."""
    found = files.read_object(folder / files.DUPLICATES_STATE_FILE) or {}
    if found.get("key") != key:
        return Progress(key)
    try:
        seen = np.frombuffer(base64.b64decode(found["seen"], validate=True), dtype="<u8").astype(np.uint64)
        waiting = [(str(one), str(other), float(cosine)) for one, other, cosine in found["waiting"]]
    except (KeyError, TypeError, ValueError, binascii.Error):
        return Progress(key)
    return Progress(key, seen, waiting)


def write_progress(folder: Path, progress: Progress) -> None:
    """Note how far a run came, in one step."""
    seen = base64.b64encode(np.sort(progress.seen).astype("<u8").tobytes()).decode("ascii")
    row = {"key": progress.key, "seen": seen, "waiting": progress.waiting[:_MOST_WAITING]}
    files.write_atomically(folder / files.DUPLICATES_STATE_FILE, json.dumps(row) + "\n")
