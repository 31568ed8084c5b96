"""Tools: how the model's request becomes a call, and the base classes (contract section 2, "Tools")."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import paths, tool_policy
from .loader import class_in_file


@dataclass
class ToolCall:
    """One request of the main model. `result` answers for a tool that has no file; of no tool, it is plain text."""

    name: str
    args: dict[str, Any] = field(default_factory=dict)
    result: str | None = None

    def as_model_output(self) -> str:
        """Return the raw text the model writes; this is what the history keeps."""
        if not self.name and self.result is not None:
            return self.result
        request = {"thoughts": ["scripted"], "tool_name": self.name, "tool_args": self.args}
        return json.dumps(request, ensure_ascii=False)


def as_tool_call(value: ToolCall | dict[str, Any] | tuple[Any, ...]) -> ToolCall:
    """Accept a ToolCall, its fields as a dict, or (name, args, result)."""
    if isinstance(value, ToolCall):
        return value
    return ToolCall(**value) if isinstance(value, dict) else ToolCall(*value)


@dataclass
class Response:
    message: str
    break_loop: bool
    additional: dict[str, Any] | None = None


class Tool:
    """Base of every tool; the host copies it at each start."""

    def __init__(
        self,
        agent: Any,
        name: str,
        method: str | None,
        args: dict[str, Any],
        message: str,
        loop_data: Any,
        **kwargs: Any,
    ) -> None:
        self.agent = agent
        self.name = name
        self.method = method
        self.args = args
        self.message = message
        self.loop_data = loop_data
        self.progress = ""

    async def execute(self, **kwargs: Any) -> Response:
        raise NotImplementedError

    async def before_execution(self, **kwargs: Any) -> None:
        heading = f"{self.agent.agent_name}: Using tool '{self.name}'"
        self.log = self.agent.context.log.log(type="tool", heading=heading, content="", kvps=self.args)

    async def after_execution(self, response: Response, **kwargs: Any) -> None:
        text = response.message.strip()
        self.agent.hist_add_tool_result(self.name, text, **(response.additional or {}))
        self.log.update(content=text)


class ResponseTool(Tool):
    """The tool that ends the monologue; it leaves no tool result."""

    async def execute(self, **kwargs: Any) -> Response:
        return Response(self.args["text"], break_loop=True)

    async def before_execution(self, **kwargs: Any) -> None:
        """Show nothing: the answer is shown otherwise."""

    async def after_execution(self, response: Response, **kwargs: Any) -> None:
        """Add nothing to the history."""


class ScriptedTool(Tool):
    """A tool that exists only in the script of a test."""

    result = ""

    async def execute(self, **kwargs: Any) -> Response:
        return Response(self.result, break_loop=False)


class SubordinateTool(ScriptedTool):
    """`call_subordinate`: a whole monologue of another agent inside this tool call."""

    async def execute(self, message: str = "", reset: str = "", **kwargs: Any) -> Response:
        """Let the subordinate work; the superior wrote its "user message"."""
        process = self.agent.process
        keys = process.classes.Agent
        if self.agent.get_data(keys.DATA_NAME_SUBORDINATE) is None or str(reset).lower() == "true":
            new_subordinate(self.agent, kwargs.get("profile", ""))
        subordinate = self.agent.get_data(keys.DATA_NAME_SUBORDINATE)
        plan = process.plans[self.agent]
        answer = ToolCall("response", {"text": self.result or "Done."})
        process.plans[subordinate] = type(plan)([answer], plan.record, plan.is_instant, plan.on_model_call)
        subordinate.hist_add_user_message(process.classes.UserMessage(message))
        return Response(await subordinate.monologue(), break_loop=False)


def new_subordinate(superior: Any, profile: str = "") -> Any:
    """Create the agent below `superior`, in the same chat or one below it; without a profile it has the default one."""
    classes, chat = superior.process.classes, superior.context
    config = superior.process.new_config(profile)
    subordinate = classes.Agent(superior.number + 1, config, chat)
    if superior.process.traits.gives_subordinates_a_chat:
        subordinate.context = classes.AgentContext(config, data={"project": chat.get_data("project")})
        subordinate.context.agent0 = subordinate
        subordinate.context.output_data["parent_context_id"] = chat.id
    subordinate.set_data(classes.Agent.DATA_NAME_SUPERIOR, superior)
    superior.set_data(classes.Agent.DATA_NAME_SUBORDINATE, subordinate)
    return subordinate


def _find_tool(agent: Any, call: ToolCall) -> Any:
    """Return the tool; a file that cannot be imported is passed over in silence."""
    parts = (agent, call.name, None, call.args, call.as_model_output(), agent.loop_data)
    for path in paths.search_paths(agent.process.machine, agent, "tools", f"{call.name}.py"):
        try:
            found = class_in_file(Path(path), agent.process.Tool)
        except Exception:  # noqa: BLE001, S112 - the host swallows it and goes on
            continue
        if found is not None:
            return found(*parts)
    known = {"response": ResponseTool, "call_subordinate": SubordinateTool}
    tool = known.get(call.name, ScriptedTool)(*parts)
    if isinstance(tool, ScriptedTool):
        tool.result = f"Tool {call.name} not found" if call.result is None else call.result
    return tool


async def use_tool(agent: Any, call: ToolCall) -> str | None:
    """Run a tool between its two points; return the answer if it ends the monologue."""
    fire = agent.process.loader.call
    if not tool_policy.is_allowed(agent, call.name):
        raise agent.process.classes.RepairableException(f'Tool "{call.name}" is blocked for this profile.')
    tool = _find_tool(agent, call)
    agent.loop_data.current_tool = tool
    try:
        await tool.before_execution(**call.args)
        await fire("tool_execute_before", agent, tool_args=call.args or {}, tool_name=call.name)
        response = await tool.execute(**call.args)
        await fire("tool_execute_after", agent, response=response, tool_name=call.name)
        await tool.after_execution(response)
        return response.message if response.break_loop else None
    finally:
        agent.loop_data.current_tool = None
