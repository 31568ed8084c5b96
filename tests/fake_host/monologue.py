"""One monologue: iterations of prompt, model and tool, with the host's error handling (contract sections 1 and 3)."""

import copy
import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import tools
from .tools import ToolCall

if TYPE_CHECKING:
    from .process import Process


_MAX_ITERATIONS = 60


@dataclass
class Prompt:
    """One prompt as it was sent to the main model."""

    iteration: int
    agent_number: int
    system: str
    history: list[dict[str, Any]]
    extras: dict[str, Any]
    extras_text: str

    @property
    def memories(self) -> str:
        return self.extras.get("memories", "")

    @property
    def solutions(self) -> str:
        return self.extras.get("solutions", "")


@dataclass
class TurnRecord:
    """What a turn did: its prompts, and its answer or its error."""

    prompts: list[Prompt] = field(default_factory=list)
    response: str | None = None
    error: BaseException | None = None

    @property
    def prompt(self) -> Prompt:
        return self.prompts[-1]


class HostTurnFailed(Exception):
    """The turn ended with an error, as the user would see it; `record` holds what happened until then."""

    def __init__(self, record: TurnRecord) -> None:
        super().__init__(f"the turn failed: {type(record.error).__name__}: {record.error}")
        self.record = record


@dataclass
class Plan:
    """What the main model of one agent will do: one tool call per iteration; the last one repeats."""

    steps: list[ToolCall]
    record: TurnRecord
    is_instant: bool = False  # the model answers before anything in the background gets a chance
    on_model_call: Callable[[Prompt], Any] | None = None

    def next_step(self) -> ToolCall:
        return self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]


async def run_monologue(agent: Any) -> str:
    """Work until the response tool is used. A new LoopData comes with every start, also after an error."""
    run = _Run(agent)
    while True:
        try:
            agent.loop_data = run.process.classes.LoopData(user_message=agent.last_user_message)
            await run.fire("monologue_start")
            while True:
                answer = await run.iterate()
                if answer:
                    return answer
        except run.process.classes.InterventionException:
            run.retries = 0
        except Exception as error:  # noqa: BLE001 - the host has one handler for everything
            run.handle(error)
        finally:
            if run.fires_at_end():
                await run.fire("monologue_end")


class _Run:
    """The state of one monologue."""

    def __init__(self, agent: Any) -> None:
        self.agent = agent
        self.process: Process = agent.process
        self.plan = self.process.plans[agent]
        self.retries = 0

    async def fire(self, point: str, **kwargs: Any) -> None:
        await self.process.loader.call(point, self.agent, loop_data=self.agent.loop_data, **kwargs)

    def fires_at_end(self) -> bool:
        """A1 always runs the end points; later only while the chat's task lives."""
        task = self.agent.context.task
        return not self.process.traits.ends_with_its_task or bool(task and task.is_alive())

    async def iterate(self) -> str | None:
        """Play one iteration; return the answer if the agent gave one."""
        classes = self.process.classes
        loop_data = self.agent.loop_data
        loop_data.iteration += 1
        loop_data.params_temporary = {}
        if loop_data.iteration >= _MAX_ITERATIONS:
            raise RuntimeError(f"the turn found no end in {_MAX_ITERATIONS} iterations")
        await self.fire("message_loop_start")
        try:
            answer = await self._think_and_act()
            self.retries = 0
            return answer
        except classes.InterventionException:
            self.retries = 0
        except classes.RepairableException as error:
            self.agent.hist_add_warning(str(error))
            self.agent.context.log.log(type="warning", content=str(error))
        except Exception as error:  # noqa: BLE001 - the host has one handler for everything
            self.handle(error)
        finally:
            if self.fires_at_end():
                await self.fire("message_loop_end")
        return None

    async def _think_and_act(self) -> str | None:
        prompt = await prepare_prompt(self.agent)
        self.plan.record.prompts.append(prompt)
        await self.fire("before_main_llm_call")
        step = await self._call_main_model(prompt)
        said = self._complete(step.as_model_output())
        if said or not self.process.traits.shortens_calls:
            self.agent.hist_add_ai_response(said)
            self._ask_for_a_call(step)
        if not step.name:
            return None
        return await tools.use_tool(self.agent, step)

    def _complete(self, output: str) -> str:
        """D: what the model has said is rewritten before anybody reads it, a call to its shortest form."""
        if not self.process.traits.shortens_calls or not output:
            return output
        said = json.loads(output) if output.startswith("{") else {"thoughts": [output]}
        return json.dumps(said, ensure_ascii=False, separators=(",", ":"))

    def _ask_for_a_call(self, step: ToolCall) -> None:
        """Tell a model that it has called nothing; D has other words for one that has spoken plainly."""
        is_repaired = self.process.traits.shortens_calls and step.result is not None
        if not step.name:
            file = "fw.msg_thoughts_fallback.md" if is_repaired else "fw.msg_misformat.md"
            self.agent.hist_add_warning(self.agent.read_prompt(file))

    async def _call_main_model(self, prompt: Prompt) -> ToolCall:
        if not self.plan.is_instant:  # a real model takes seconds
            await self.process.let_recall_end()
        if self.plan.on_model_call is not None:
            result = self.plan.on_model_call(prompt)
            if inspect.isawaitable(result):
                await result
        return self.plan.next_step()

    def handle(self, error: Exception) -> None:
        """Try again as often as this generation does, then end the turn."""
        if isinstance(error, self.process.classes.HandledException):
            raise error
        if self.retries >= self.process.traits.retries_after_error:
            report_critical(self.agent, error)
        self.retries += 1
        text = f"{type(error).__name__}: {error}"
        self.agent.context.log.log(type="warning", heading="Critical error, trying again", content=text)
        self.agent.hist_add_warning(self.agent.read_prompt("fw.msg_critical_error.md", error_message=text))


def report_critical(agent: Any, error: Exception) -> None:
    """Log an error for the user and end the turn."""
    agent.context.log.log(type="error", heading="Error", content=f"{type(error).__name__}: {error}")
    raise agent.process.classes.HandledException(error) from error


async def prepare_prompt(agent: Any) -> Prompt:
    """Run the prompt points and put the prompt together; temporary extras are gone afterwards."""
    call, loop_data = agent.process.loader.call, agent.loop_data
    await call("message_loop_prompts_before", agent, loop_data=loop_data)
    system: list[str] = []
    await call("system_prompt", agent, system_prompt=system, loop_data=loop_data)
    loop_data.system = system
    loop_data.history_output = agent.history.output()
    await call("message_loop_prompts_after", agent, loop_data=loop_data)
    extras = {**loop_data.extras_persistent, **loop_data.extras_temporary}
    prompt = Prompt(
        iteration=loop_data.iteration,
        agent_number=agent.number,
        system="\n\n".join(loop_data.system),
        history=copy.deepcopy(loop_data.history_output),
        extras=copy.deepcopy(extras),
        extras_text=agent.read_prompt("agent.context.extras.md", extras=json.dumps(extras, ensure_ascii=False)),
    )
    loop_data.extras_temporary.clear()
    return prompt
