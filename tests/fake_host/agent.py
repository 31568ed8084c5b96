"""Agents, chats and what they hand to extensions (contract sections 3 and 8).

The host's module `agent` is put together here, once per process, so that no state leaks between hosts.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

from . import history, paths, prompts
from .classes import copy_class
from .config import get_settings
from .log import Log
from .monologue import run_monologue
from .script import SYSTEM_PROMPTS

if TYPE_CHECKING:
    from .machine import Machine
    from .process import Process


class AgentContextType(Enum):
    USER = "user"
    TASK = "task"


class InterventionException(Exception):
    """The user wrote while the agent was working."""


class HandledException(Exception):
    """The turn is over; the cause was reported already."""


class RepairableException(Exception):
    """The model is told and may repair it."""


@dataclass
class ModelConfig:
    provider: str
    name: str


@dataclass
class AgentConfig:
    """B and C: models are the business of a plugin."""

    profile: str = "agent0"
    knowledge_subdirs: list[str] = field(default_factory=lambda: ["default", "custom"])


@dataclass
class AgentConfigWithModels(AgentConfig):
    """A: models and the memory folder are here."""

    chat_model: ModelConfig | None = None
    utility_model: ModelConfig | None = None
    embeddings_model: ModelConfig | None = None
    memory_subdir: str = "default"


@dataclass
class UserMessage:
    """What a person (or a superior agent) wrote."""

    message: str
    attachments: list[str] = field(default_factory=list)
    system_message: list[str] = field(default_factory=list)


class LoopData:
    """The state of one monologue. Made anew at every start of it; accepts any keyword."""

    def __init__(self, **kwargs: Any) -> None:
        self.iteration = -1
        self.system: list[str] = []
        self.user_message: history.Message | None = None
        self.history_output: list[history.Output] = []
        self.extras_temporary: OrderedDict[str, Any] = OrderedDict()
        self.extras_persistent: OrderedDict[str, Any] = OrderedDict()
        self.last_response = ""
        self.params_temporary: dict[str, Any] = {}
        self.params_persistent: dict[str, Any] = {}
        self.current_tool: Any = None
        for key, value in kwargs.items():
            setattr(self, key, value)


class TurnTask:
    """Stands for the chat's task; from A2 on some points fire only while it lives."""

    def __init__(self) -> None:
        self.alive = True

    def is_alive(self) -> bool:
        return self.alive


class AgentContext:
    process: ClassVar["Process"]
    _contexts: ClassVar[dict[str, Any]]

    def __init__(
        self,
        config: AgentConfig,
        id: str | None = None,
        name: str | None = None,
        type: AgentContextType = AgentContextType.USER,
        data: dict[str, Any] | None = None,
        created_at: datetime | None = None,
    ) -> None:
        self.created_at = created_at or self.process.machine.clock()
        self.id = id or f"chat{len(self._contexts) + 1}"
        self._contexts[self.id] = self
        self.name = name
        self.config = config
        self.log = Log()
        if self.process.traits.agent_comes_before_chat_data:
            self.agent0 = self.process.classes.Agent(0, config, self)
        self.type = type
        self.data: dict[str, Any] = data or {}
        self.output_data: dict[str, Any] = {}
        self.task: TurnTask | None = None
        if not self.process.traits.agent_comes_before_chat_data:
            self.agent0 = self.process.classes.Agent(0, config, self)

    @staticmethod
    def get(id: str) -> Any:
        return AgentContext._contexts.get(id)

    @staticmethod
    def first() -> Any:
        return next(iter(AgentContext._contexts.values()), None)

    @staticmethod
    def all() -> list[Any]:
        return list(AgentContext._contexts.values())

    def get_data(self, key: str, recursive: bool = True) -> Any:
        """Return chat data; keys that begin with "_" do not survive a restart."""
        return self.data.get(key)

    def set_data(self, key: str, value: Any, recursive: bool = True) -> None:
        self.data[key] = value


class Agent:
    """One agent of a chat. Number 0 talks to the person; others are told what to do by a superior."""

    DATA_NAME_SUPERIOR = "_superior"
    DATA_NAME_SUBORDINATE = "_subordinate"

    process: ClassVar["Process"]

    def __init__(self, number: int, config: AgentConfig, context: Any) -> None:
        self.number = number
        self.agent_name = f"A{number}"
        self.config = config
        self.context = context
        self.history = history.History()
        self.last_user_message: history.Message | None = None
        self.data: dict[str, Any] = {}
        self.process.loader.call_now("agent_init", self)

    def get_data(self, field: str) -> Any:
        """Return agent data; keys that begin with "_" do not survive a restart."""
        return self.data.get(field)

    def set_data(self, field: str, value: Any) -> None:
        self.data[field] = value

    def parse_prompt(self, _prompt_file: str, **kwargs: Any) -> Any:
        """Return a dict for a JSON template, else text."""
        return prompts.parse_prompt(_prompt_file, self._prompt_folders(), kwargs)

    def read_prompt(self, file: str, **kwargs: Any) -> str:
        unfences = self.process.traits.unfences_every_prompt
        return prompts.read_prompt(file, self._prompt_folders(), kwargs, unfences_always=unfences)

    def _prompt_folders(self) -> list[str]:
        """Return where prompts are; a name with a folder in it is found from the host's own folder."""
        return [*paths.search_paths(self.process.machine, self, "prompts"), str(self.process.machine.root)]

    def hist_add_message(self, ai: bool, content: Any) -> history.Message:
        return self.history.add_message(ai, content)

    def hist_add_user_message(self, message: UserMessage) -> history.Message:
        """Open a new topic with a person's message; empty parts are left out."""
        self.history.new_topic()
        parts = {
            "message": message.message,
            "attachments": message.attachments,
            "system_message": message.system_message,
        }
        content = {key: value for key, value in self.parse_prompt("fw.user_message.md", **parts).items() if value}
        self.last_user_message = self.hist_add_message(False, content)
        return self.last_user_message

    def hist_add_ai_response(self, message: str) -> history.Message:
        """Add what the model wrote, raw."""
        self.loop_data.last_response = message
        return self.hist_add_message(True, self.parse_prompt("fw.ai_response.md", message=message))

    def hist_add_warning(self, message: Any) -> history.Message:
        return self.hist_add_message(False, self.parse_prompt("fw.warning.md", message=message))

    def hist_add_tool_result(self, tool_name: str, tool_result: str, **kwargs: Any) -> history.Message:
        return self.hist_add_message(False, {"tool_name": tool_name, "tool_result": tool_result, **kwargs})

    async def call_utility_model(self, system: str, message: str, background: bool = False) -> str:
        """Ask the small model."""
        return self.process.machine.utility.answer(self._utility_kind(system), system, message)

    def _utility_kind(self, system: str) -> str:
        return next((kind for kind, file in SYSTEM_PROMPTS.items() if self.read_prompt(file) == system), "other")

    async def monologue(self) -> str:
        return await run_monologue(self)


def new_config(machine: "Machine", profile: str = "") -> AgentConfig:
    """Return the configuration of a new agent, as the host's `initialize` makes it."""
    settings = get_settings(machine)
    profile = profile or settings["agent_profile"]
    if machine.traits.has_plugins:
        return AgentConfig(profile=profile)
    provider, _, name = machine.chat_model.partition("/")
    return AgentConfigWithModels(
        profile=profile,
        chat_model=ModelConfig(provider, name),
        utility_model=ModelConfig(provider, name),
        embeddings_model=ModelConfig(machine.embedder.provider, machine.embedder.name),
        memory_subdir=settings["agent_memory_subdir"],
    )


def make_agent_classes(process: "Process") -> SimpleNamespace:
    """Return this process's own copies of the classes of the host's module `agent`."""
    has_plugins = process.traits.has_plugins
    return SimpleNamespace(
        Agent=copy_class(Agent, "agent", process=process),
        AgentContext=copy_class(AgentContext, "agent", process=process, _contexts={}),
        LoopData=copy_class(LoopData, "agent"),
        AgentConfig=AgentConfig if has_plugins else AgentConfigWithModels,
        AgentContextType=AgentContextType,
        UserMessage=UserMessage,
        InterventionException=InterventionException,
        HandledException=HandledException,
        RepairableException=RepairableException,
    )
