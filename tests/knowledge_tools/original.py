"""A log in the three forms of the original project, and a count of its raw messages that shares no code with the pack.

The log is made up here, with the structure that the original's public logs have: request ids that change from hop to
hop, parents that a model made up, times with the wrong zone, chains that fell silent, references such as `store_1`, a
dispatcher that says again and again how all tasks stand, and requests that are rejected and handed on all the same.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SESSION = "sess-20260226-1000"
OBJECTIVES = [
    "Obtain video content from src_1 and store as store_1",
    "Transcribe the audio of store_1 with the speakers of derived_2",
]
GOALS = {"objective_1": {"goals": ["Download src_1", "Verify store_1"]}, "objective_2": {"goals": ["Read derived_2"]}}
TASKS = {"task_1": {"capability_ids": ["CAP-ACQ-001"]}, "task_2": {"capability_ids": ["CAP-AUD-001"]}}


def _message(agent: str, number: int, day: str, clock: str, **more: Any) -> dict[str, Any]:
    """Return a standard message; its own time has the right digits and a zone that is wrong by eight hours."""
    stamp = f"{day}-{clock.replace(':', '')}"
    error = more.get("error")
    return {
        "message_id": f"msg-{agent}-{stamp}",
        "timestamp": {"executed_at": f"{day}T{more.get('own_clock', clock)}+08:00", "timezone": "Asia/Singapore"},
        "agent": {"name": agent, "type": "governance"},
        "input": {"source": "user" if number == 1 else "agent", "content": "what the user said"},
        "output": {"content": more.get("content"), "content_type": more["kind"]},
        "next_agent": {"name": more.get("following"), "reason": "next"},
        "status": {"code": "failed" if error else "success", "message": "told"},
        "error": {"has_error": error is not None, "error_code": error, "retry_count": 0},
        "metadata": {
            "session_id": SESSION,
            "request_id": f"req-{stamp}",
            "sequence_number": number,
            "parent_message_id": more.get("parent"),
        },
        "resources": {"source_refs": more.get("refs", [])},
        "audit": {"compliance_notes": "none", "governance_files_consulted": [], "reasoning": "told"},
    }


def _request(day: str, hour: int, minute: int, *, plans: bool, own_hour: int | None = None) -> list[dict[str, Any]]:
    """Return a request that is taken apart and, if it is, planned; the planner names a parent that does not exist."""
    clocks = [f"{hour:02d}:{minute:02d}:{second:02d}" for second in (5, 18, 40)]
    own = [f"{hour if own_hour is None else own_hour:02d}{clock[2:]}" for clock in clocks]
    refs = [{"ref_id": "src_1", "platform": "youtube", "media_type": "video"}]
    more = {"kind": "objectives", "content": OBJECTIVES, "following": "goal_agent", "refs": refs, "own_clock": own[0]}
    first = _message("objective_agent", 1, day, clocks[0], **more)
    more = {"kind": "goals", "content": GOALS, "following": "planning_agent", "own_clock": own[1]}
    second = _message("goal_agent", 2, day, clocks[1], parent=first["message_id"], **more)
    if not plans:
        return [first, second]
    more = {"kind": "plan", "content": {"workflow": {"tasks": TASKS}}, "following": "dispatch_agent"}
    return [
        first,
        second,
        _message("planning_agent", 3, day, clocks[2], parent="msg-made-up", own_clock=own[2], **more),
    ]


def _execution_log(messages: list[dict[str, Any]]) -> str:
    entries = []
    for one in messages:
        hour, rest = one["message_id"][-6:-4], f"{one['message_id'][-4:-2]}:{one['message_id'][-2:]}"
        clock = f"{(int(hour) - 1) % 12 + 1}:{rest} {'am' if int(hour) < 12 else 'pm'}"
        entries.append(
            f"\n## [{clock}] Execution Log\n**Agent:** {one['agent']['name']}\n**User Query:** said\n**Output:**\n"
            f"```json\n{json.dumps(one, indent=2)}\n```\n---\n"
        )
    return "# Daily Agent Logs\n" + "".join(entries)


def _event(agent: str, clock: str, name: str, body: Mapping[str, Any]) -> str:
    return (
        f"\n## [{clock}] {agent}\n\n**Session:** {SESSION}\n**Request:** req-1\n**Event:** {name}\n\n"
        f"```json\n{json.dumps(body)}\n```\n---\n"
    )


def _standing(first: str, second: str, *, is_over: bool) -> dict[str, Any]:
    body = {"metadata": {"session_id": SESSION}, "output": {"content": {"workflow_result": {"status": "partial"}}}}
    return {
        "task_states": {"task_1": {"status": first}, "task_2": {"status": second}},
        "dispatches": [{"targetAgent": "memory_agent" if is_over else "action_agent", "body": body}],
        "complete": is_over,
    }


def _workflow(first: list[dict[str, Any]]) -> str:
    """Return a request whose second task fails twice, and is told of by the dispatcher after each."""
    steps = [
        ("dispatch_agent", "task_dispatched", _standing("in_progress", "pending", is_over=False)),
        ("action_agent", "task_completed", {"task_id": "task_1", "status": "complete"}),
        ("dispatch_agent", "task_dispatched", _standing("complete", "in_progress", is_over=False)),
        ("action_agent", "task_failed", {"task_id": "task_2", "status": "failed"}),
        ("dispatch_agent", "task_dispatched", _standing("complete", "in_progress", is_over=False)),
        ("action_agent", "task_failed", {"task_id": "task_2", "status": "failed"}),
        ("dispatch_agent", "workflow_completed", _standing("complete", "failed", is_over=True)),
    ]
    told = "".join(_event(agent, f"2:29:{10 + at} pm", name, body) for at, (agent, name, body) in enumerate(steps))
    return _execution_log(first) + told


def _rejections(count: int, gone_on: int) -> list[dict[str, Any]]:
    """Return so many requests that are rejected; of them so many are handed on, the last but one with another error."""
    found = []
    for at in range(count):
        more = {"kind": "error", "error": "OUT_OF_SCOPE"}
        first = _message("objective_agent", 1, "2026-02-26", f"14:{40 + at}:03", **more)
        found.append(first)
        if at >= count - gone_on:
            more["error"] = "DEPENDENCY_ERROR" if at == count - 2 else "OUT_OF_SCOPE"
            clock = f"14:{40 + at}:15"
            found.append(_message("goal_agent", 2, "2026-02-26", clock, parent=first["message_id"], **more))
    return found


def _blocks(count: int) -> str:
    """Return so many requests as blocks of bracketed fields, which say neither who follows nor which request it is."""
    fields = "[INPUT]: said\n[OUTPUT TYPE: {kind}]\n[STATUS: success] told\n[RESOURCES]: source_refs=\n"
    ids = "[COMPLIANCE NOTES]: none\n[GOVERNANCE FILES]: none\n[MESSAGE_ID: {id}]\n[SESSION_ID: sess-2]\n---\n"
    hops = [("objective_agent", "user", "objectives"), ("goal_agent", "objective_agent", "goals")]
    told = ""
    for at in range(count):
        for second, (agent, source, kind) in enumerate(hops):
            head = f"[TIMESTAMP: 10:{at:02d}:0{second}]\n[AGENT: {agent}]\n[INPUT SOURCE: {source}]\n"
            told += head + fields.format(kind=kind) + ids.format(id=f"msg-{agent}-{at}")
    return told


def write_original(folder: Path, *, rejected: int = 10, gone_on: int = 8) -> None:
    """Write the log, a file for each form and day."""
    folder.mkdir(parents=True, exist_ok=True)
    mislabelled = [one for at in range(6) for one in _request("2026-02-20", 12, 10 + at, plans=False, own_hour=4)]
    silent = [one for at in range(5) for one in _request("2026-02-24", 14, 10 + at, plans=True)]
    texts = {
        "20260220-1.md": _execution_log(mislabelled),
        "20260224-1.md": _execution_log(silent),
        "20260225.log": _blocks(4),
        "26022026-1.md": _workflow(_request("2026-02-26", 14, 28, plans=True)),
        "26022026-2.md": _execution_log(_rejections(rejected, gone_on)),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


@dataclass
class RawRequest:
    """What a user asked once: the messages as they stand in the file, with the day in its name."""

    day: str
    messages: list[dict[str, Any]] = field(default_factory=list)

    @property
    def alive(self) -> list[dict[str, Any]]:
        """The messages up to the one that ends it; what comes then was called in vain."""
        ends = (at for at, one in enumerate(self.messages, 1) if _ends(one))
        return self.messages[: next(ends, len(self.messages))]

    @property
    def has_ended(self) -> bool:
        """Whether one of its messages says that nobody follows, or that it failed."""
        return any(map(_ends, self.messages))

    def agents(self, *, alive: bool = False) -> list[str]:
        """Return who sent its messages, each once."""
        return list(dict.fromkeys(_agent(one) for one in (self.alive if alive else self.messages)))

    def errors(self) -> list[str | None]:
        """Return the error code of each message up to the end."""
        return [(one.get("error") or {}).get("error_code") for one in self.alive]


def _agent(one: Mapping[str, Any]) -> str:
    return (one.get("agent") or {}).get("name") or one["heading"]


def _ends(one: Mapping[str, Any]) -> bool:
    if one.get("complete") or one.get("is_last"):
        return True
    has_failed = (one.get("error") or {}).get("has_error") and (one.get("status") or {}).get("code") == "failed"
    return bool(has_failed) or ("next_agent" in one and one["next_agent"]["name"] in (None, "memory_agent"))


def _messages_in(path: Path) -> Iterator[dict[str, Any]]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        before = 0
        for found in re.finditer(r"```json\n(.*?)\n```", text, re.DOTALL):
            heading = re.findall(r"^## \[[^\]]*\] (\w+)|^\*\*Agent:\*\* (\w+)", text[before : found.start()], re.M)
            before = found.end()
            yield {"heading": "".join(heading[-1]), **json.loads(found[1])}
        return
    for block in text.split("\n---\n")[:-1]:
        fields = dict(re.findall(r"^\[(AGENT|INPUT SOURCE): (.*)\]$", block, re.M))
        yield {"heading": fields["AGENT"], "input": {"source": fields["INPUT SOURCE"]}}


def raw_requests(folder: Path) -> list[RawRequest]:
    """Return what users asked: in these logs a request begins with the user, and goes on until the next one begins."""
    found: list[RawRequest] = []
    for path in sorted(folder.iterdir()):
        digits = re.match(r"\d{8}", path.name)
        if digits is None:
            continue
        number = digits[0] if digits[0].startswith("20") else f"{digits[0][4:]}{digits[0][2:4]}{digits[0][:2]}"
        day = f"{number[:4]}-{number[4:6]}-{number[6:]}"
        of_file: list[RawRequest] = []
        for one in _messages_in(path):
            if (one.get("input") or {}).get("source") == "user":
                of_file.append(RawRequest(day))
            of_file[-1].messages.append(one)
        for one, following in zip(of_file, [*of_file[1:], None], strict=True):
            # A block of bracketed fields does not say who follows: there a request ends where the next one begins.
            if path.suffix == ".log" and following is not None:
                one.messages[-1]["is_last"] = True
        found += of_file
    return found
