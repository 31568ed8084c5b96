"""Audit logs made up for the benchmark of distillation: messages of agents that work on many requests at the same time.

The same seed gives the same bytes. A message has a median of 2 KB, its free text is made of nonsense words; beside
every twentieth stands a malformed line: torn, not JSON, or no message.
"""

from __future__ import annotations

import json
import random
from collections import deque
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

_WORDS = [
    f"{a}{b}{c}" for a in ("ba", "do", "ke", "mi", "su") for b in ("ra", "lo", "ne", "ti") for c in ("n", "s", "lt")
]
_AGENTS = ("objective_agent", "goal_agent", "planning_agent", "dispatch_agent", "action_agent", "output_agent")
_OBJECTIVES = ("Transcribe the audio", "Summarise the document", "Detect objects in the video", "Extract the metadata")
_PLATFORMS = ("youtube", "instagram", "vimeo", "upload")
_ERRORS = ("OUT_OF_SCOPE", "TIMEOUT", "DEPENDENCY_ERROR")
_OPEN_AT_ONCE = 200
_PART_MALFORMED = 0.05
_DAYS = 7
_SESSIONS = 500
#: How much free text a message has beside its structure: log-normal about this many characters.
_MEDIAN_TEXT, _SPREAD = 900, 0.7


def write_logs(folder: Path, messages: int, *, last_day: datetime, seed: int = 1) -> int:
    """Write so many well-formed messages, and the malformed lines between them; return how many bytes that is."""
    draw = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    first = last_day.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=UTC) - timedelta(days=_DAYS - 1)
    written = 0
    for at in range(_DAYS):
        day = first + timedelta(days=at)
        share = messages * (at + 1) // _DAYS - messages * at // _DAYS
        with (folder / f"{day:%Y%m%d}.log").open("wb") as stream:
            for line in _lines(draw, day, share):
                stream.write(line)
            written += stream.tell()
    return written


def _lines(draw: random.Random, day: datetime, messages: int) -> Iterator[bytes]:
    """Yield the lines of a day: at any moment two hundred chains go on, each of which has its turn by chance."""
    text = " ".join(draw.choice(_WORDS) for _ in range(4_000))
    going: deque[Iterator[dict[str, Any]]] = deque()
    begun = 0
    for count in range(messages):
        at = day + timedelta(seconds=86_000 * count / messages)
        message = None
        while message is None:
            if (len(going) < _OPEN_AT_ONCE and messages - count > len(going) * len(_AGENTS)) or not going:
                going.append(_chain(draw, f"{day:%Y%m%d}_{begun}"))
                begun += 1
            going.rotate(draw.randrange(len(going)))
            message = next(going[0], None)
            if message is None:
                going.popleft()
        message["timestamp"] = {"executed_at": at.isoformat(), "timezone": "UTC"}
        length = int(_MEDIAN_TEXT * draw.lognormvariate(0, _SPREAD))
        start = draw.randrange(len(text) // 2)
        message["input"]["content"] = text[start : start + length]
        message["audit"]["reasoning"] = text[start // 2 : start // 2 + length // 3] or "none"
        yield json.dumps(message).encode() + b"\n"
        if draw.random() < _PART_MALFORMED:
            yield draw.choice(
                (b"rubbish\n", b'{"torn": "', b'["no", "message"]\n', json.dumps(message).encode()[:-40] + b"\n")
            )
            yield b"\n"


def _chain(draw: random.Random, number: str) -> Iterator[dict[str, Any]]:
    """Yield the messages of one request, from the user to its end."""
    request, session = f"req_{number}", f"sess_{draw.randrange(_SESSIONS)}"
    fails_at = draw.choice([None] * 8 + [0, 2])
    kind = draw.randrange(len(_OBJECTIVES))
    last = fails_at if fails_at is not None else len(_AGENTS) - 1
    parent = None
    for at in range(last + 1):
        is_failing = at == fails_at
        message = {
            "message_id": f"msg-{request}-{at}",
            "agent": {"name": _AGENTS[at], "type": "operational"},
            "input": {"source": "user" if at == 0 else _AGENTS[at - 1]},
            "output": _output(at, kind),
            "next_agent": {"name": None if at == last else _AGENTS[at + 1], "reason": "next"},
            "status": {"code": "failed" if is_failing else "success", "message": "done"},
            "error": {
                "has_error": is_failing,
                "error_code": _ERRORS[kind % 3] if is_failing else None,
                "error_message": None,
                "retry_count": 0,
                "recoverable": not is_failing,
            },
            "metadata": {
                "session_id": session,
                "request_id": request,
                "sequence_number": at + 1,
                "parent_message_id": parent,
            },
            "resources": {
                "source_refs": [{"ref_id": "src_1", "platform": _PLATFORMS[kind], "media_type": "video"}],
                "storage_refs": [],
                "derived_refs": [],
            },
            "audit": {
                "compliance_notes": "No conflicts detected.",
                "governance_files_consulted": ["context/governance/audit.md"],
            },
        }
        parent = message["message_id"]
        yield message


def _output(at: int, kind: int) -> dict[str, Any]:
    if at == 0:
        return {"content_type": "objectives", "content": [_OBJECTIVES[kind]]}
    if at == 1:
        goals = {"objective_1": {"objective": _OBJECTIVES[kind], "goals": ["a"] * (kind + 1)}}
        return {"content_type": "goals", "content": goals}
    if at == 2:
        return {"content_type": "plan", "content": {"tasks": {"task_1": {"capability_ids": [f"CAP-ACQ-00{kind}"]}}}}
    return {"content_type": "result", "content": None}
