"""Messages and logs for the tests of institutional knowledge, in the standard form and in that of the original."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from memory_ledger.clock import system_clock
from memory_ledger.knowledge.decisions import TransactionSummary
from memory_ledger.knowledge.hops import Hop, Record, parse_hop, read_records
from memory_ledger.knowledge.patterns import Tally, count

START = datetime(2026, 2, 26, 12, 0, tzinfo=UTC)
#: What no knowledge file may ever hold: a user's words, an address, a key.
PRIVATE = (
    "call Anna Kowalska at +48 601 234 567 about https://shop.example/cart?token=abc123",
    "anna@example.org",
    "AKIAIOSFODNN7EXAMPLE",
)


def message(
    agent: str = "objective_agent",
    *,
    number: int = 1,
    request: str = "req-1",
    session: str = "sess-1",
    following: str | None = None,
    content_type: str = "objectives",
    content: Any = None,
    status: str = "success",
    error: str | None = None,
    source: str = "user",
    notes: str = "No governance conflicts detected.",
    reasoning: str = PRIVATE[0],
    files: Iterable[str] = ("context/governance/audit.md",),
    refs: Iterable[dict[str, Any]] = (),
    retries: int = 0,
    seconds: float = 0.0,
    **metadata: Any,
) -> dict[str, Any]:
    """Return one whole standard message; free text in it is private."""
    at = START + timedelta(seconds=seconds or number)
    return {
        "message_id": f"msg-{request}-{number}",
        "timestamp": {"executed_at": at.isoformat(), "timezone": "UTC"},
        "agent": {"name": agent, "type": "governance"},
        "input": {"source": source if number == 1 else "agent", "content": PRIVATE[0]},
        "output": {"content": content, "content_type": content_type},
        "next_agent": {"name": following, "reason": "next"},
        "status": {"code": status, "message": PRIVATE[1]},
        "error": {
            "has_error": error is not None,
            "error_code": error,
            "error_message": PRIVATE[2] if error else None,
            "retry_count": retries,
            "recoverable": False,
        },
        "metadata": {
            "session_id": session,
            "request_id": request,
            "sequence_number": number,
            "parent_message_id": None if number == 1 else f"msg-{request}-{number - 1}",
            **metadata,
        },
        "resources": {"source_refs": list(refs), "storage_refs": [], "derived_refs": []},
        "audit": {"compliance_notes": notes, "governance_files_consulted": list(files), "reasoning": reasoning},
    }


def chain(request: str, *, seconds: float = 0.0, end: dict[str, Any] | None = None) -> list[dict[str, Any]]:
    """Return an objective, its goals and its plan, which succeed unless `end` says otherwise of the last."""
    objectives = ["Obtain video content from src_1 and store as store_1", "Transcribe the audio of store_1"]
    goals = {"objective_1": {"objective": objectives[0], "goals": ["a", "b"]}, "objective_2": {"goals": ["c"]}}
    tasks = {"task_1": {"capability_ids": ["CAP-ACQ-001"]}, "task_2": {"capability_ids": ["CAP-AUD-001"]}}
    refs = [{"ref_id": "src_1", "url": PRIVATE[0], "platform": "youtube", "media_type": "video"}]
    first = message(following="goal_agent", content=objectives, request=request, refs=refs, seconds=seconds + 1)
    second = message(
        "goal_agent",
        number=2,
        request=request,
        following="planning_agent",
        content_type="goals",
        content=goals,
        seconds=seconds + 3,
    )
    last: dict[str, Any] = {"following": None, "content_type": "plan", "content": {"workflow": {"tasks": tasks}}}
    third = message("planning_agent", number=3, request=request, seconds=seconds + 8, **{**last, **(end or {})})
    return [first, second, third]


def lines(messages: Iterable[dict[str, Any]]) -> list[bytes]:
    """Return messages as our own log has them: one a line."""
    return [json.dumps(one).encode() + b"\n" for one in messages]


def tally_of(decisions: Iterable[TransactionSummary]) -> Tally:
    """Return the counts of transactions."""
    tally: Tally = {}
    for decision in decisions:
        count(tally, decision.observations, at=decision.at, name=decision.transaction_id)
    return tally


def records(log: Iterable[bytes], *, is_prose: bool = False) -> list[Record]:
    """Return the records of a log in which everything is well formed."""
    found = list(read_records(log, is_prose=is_prose))
    assert None not in found
    return [one for one in found if one is not None]


def hop(one: dict[str, Any]) -> Hop:
    """Return the hop of a message."""
    found = parse_hop(Record(one))
    assert found is not None
    return found


def hops(messages: Iterable[dict[str, Any]]) -> list[Hop]:
    """Return the hops of messages."""
    return [hop(one) for one in messages]


def daily_log(messages: Iterable[dict[str, Any]]) -> str:
    """Return messages as the original's Markdown log of a session has them."""
    entries = [
        f"\n\n## [{_clock(one)}] Execution Log\n**Agent:** {one['agent']['name']}\n**User Query:** {PRIVATE[0]}\n"
        f"**Output:**\n```json\n{json.dumps(one, indent=2)}\n```\n---\n"
        for one in messages
    ]
    return "# Daily Agent Logs\n" + "".join(entries)


def _clock(message: dict[str, Any]) -> str:
    return f"{datetime.fromisoformat(message['timestamp']['executed_at']):%I:%M:%S %p}".lower()


def write_todays_log(home: Path, count: int, *, first: int = 0) -> None:
    """Append so many chains, that ended just now, to the log of the day in Agent Zero's `usr`."""
    today = system_clock()
    folder = home / "system" / "logs"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{today:%Y%m%d}.log").open("ab") as stream:
        for at in range(first, first + count):
            messages = chain(f"req-{at}")
            for one in messages:
                one["timestamp"]["executed_at"] = today.isoformat()
            stream.writelines(lines(messages))
