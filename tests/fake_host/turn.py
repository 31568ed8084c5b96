"""One turn of a chat, from the user's message to the end of the process chain (contract section 3)."""

from collections.abc import Sequence
from typing import Any

from .agent import TurnTask
from .monologue import HostTurnFailed, Plan, TurnRecord
from .process import Process
from .script import Script, current_script
from .tools import ToolCall, as_tool_call


def plan_steps(tool_calls: Sequence[Any], iterations: int, reply: str) -> list[ToolCall]:
    """Return one model step per iteration: the tool calls, neutral ones to fill up, then the reply."""
    steps = [as_tool_call(call) for call in tool_calls]
    for number in range(len(steps) + 1, iterations):
        steps.append(ToolCall("look_around", {"step": number}, f"step {number} done"))
    return [*steps, ToolCall("response", {"text": reply})]


async def play_turn(process: Process, agent: Any, message: Any, script: Script, plan: Plan) -> TurnRecord:
    """Play a turn and return its record; raise HostTurnFailed if the host ends it with an error."""
    record = plan.record
    process.plans[agent] = plan
    agent.context.task = task = TurnTask()
    token = current_script.set(script)
    try:
        agent.hist_add_user_message(message)
        record.response = await agent.monologue()
    except Exception as error:  # noqa: BLE001 - whatever it is, it ended the turn
        record.error = error.args[0] if _is_wrapped(process, error) else error
        raise HostTurnFailed(record) from record.error
    finally:
        task.alive = False
        await process.let_recall_end()
        current_script.reset(token)
    return record


def _is_wrapped(process: Process, error: Exception) -> bool:
    return isinstance(error, process.classes.HandledException) and bool(error.args)
