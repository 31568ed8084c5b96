"""What the output of a message tells of objectives, goals, tasks and gaps: names, codes, counts (M-07, M-12, M-15).

Models put these in many shapes; what is in none of them tells nothing. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .words import TASK_ENDS, UNNAMED, capabilities_in, plain_name

_MOST_TASKS = 200
_MOST_GAPS = 50


class Task(NamedTuple):
    """What became of one task: what carried it out, and how it ended (`planned` in a plan)."""

    name: str
    means: str
    state: str


def inner(message: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return the object that stands under a key; an empty one where there is none."""
    found = message.get(key)
    return found if isinstance(found, dict) else {}


def said(value: object) -> str:
    """Return a text; nothing where something else stands."""
    return value if isinstance(value, str) else ""


def objectives_in(content: object, kind: str) -> list[str]:
    """Return the texts of objectives, of which only verb and thing go further (M-07)."""
    if kind != "objectives":
        return []
    found = list(content.values()) if isinstance(content, dict) else content if isinstance(content, list) else [content]
    texts = [one.get("objective") if isinstance(one, dict) else one for one in found]
    return [one for one in texts if isinstance(one, str)]


def goals_in(content: object, kind: str) -> int:
    """Return how many goals the objectives were taken apart into (M-07)."""
    if kind != "goals" or not isinstance(content, dict):
        return len(content) if kind == "goals" and isinstance(content, list) else 0
    lists = [one.get("goals") for one in content.values() if isinstance(one, dict)]
    return sum(len(one) for one in lists if isinstance(one, list))


def task_result_in(message: Mapping[str, Any], output: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the result of a task, whether it is wrapped in a message or stands by itself."""
    content = output.get("content")
    found = content.get("task_result") if isinstance(content, dict) else None
    found = message if found is None and "task_id" in message else found
    return found if isinstance(found, dict) else None


def tasks_in(message: Mapping[str, Any], content: object, result: Mapping[str, Any] | None) -> tuple[Task, ...]:
    """Return what a message says of tasks: those of a plan, the end of one, or the ends of all."""
    if result is not None:
        state = TASK_ENDS.get(said(result.get("status")).lower(), "")
        name = plain_name(result.get("task_id"))
        return (Task(name, _means(result), state),) if state else ()
    states = message.get("task_states")
    if isinstance(states, dict):
        ends = {
            plain_name(name): TASK_ENDS.get(said(one.get("status")).lower(), "")
            for name, one in list(states.items())[:_MOST_TASKS]
            if isinstance(one, dict)
        }
        return tuple(Task(name, "", state) for name, state in sorted(ends.items()) if state)
    planned = _planned(content)
    return tuple(
        Task(plain_name(name), "+".join(capabilities_in(one.get("capability_ids"))), "planned")
        for name, one in list(planned.items())[:_MOST_TASKS]
        if isinstance(one, dict)
    )


def _planned(content: object) -> Mapping[str, Any]:
    """Return the tasks of a plan, wherever in it they are listed."""
    for _ in range(3):
        if not isinstance(content, dict):
            break
        tasks = content.get("tasks")
        if isinstance(tasks, list):
            return {f"task_{at}": one for at, one in enumerate(tasks, 1)}
        if isinstance(tasks, dict):
            return tasks
        content = content.get("workflow") or content.get("plan")
    return {}


def _means(result: Mapping[str, Any]) -> str:
    """Return what carried a task out: its capabilities, or else the tool that was called."""
    named = "+".join(capabilities_in(result.get("capability_ids_executed")))
    tool = result.get("tool_name")
    return named or (plain_name(tool) if tool else "")


def gaps_in(result: Mapping[str, Any] | None) -> tuple[str, ...]:
    """Return what a task's own assessment finds wanting (M-12, M-15)."""
    if result is None:
        return ()
    checks, assessed = inner(result, "quality_checks"), inner(result, "confidence_assessment")
    found = {plain_name(name) for name, value in checks.items() if value is False}
    if assessed.get("limitations"):
        found.add("limitations")
    if assessed.get("overall_confidence") == "low":
        found.add("low_confidence")
    return tuple(sorted(found - {UNNAMED})[:_MOST_GAPS])
