"""The parts of a written conversation. Records only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorizerNote:
    """A note of the host's memorizer about an exchange; it reaches the store `turns_later` exchanges later."""

    text: str
    area: str = "fragments"
    turns_later: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """A role that an organization gives to the agent, and the domains that it handles."""

    id: str
    domains: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """The output of a tool before the agent answered."""

    tool: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A message of the person and the agent's answer; `at` is when the message was sent (aware, UTC).

    `domain` is the domain of the task, as a belief-state tracker would name it.
    """

    title: str
    at: datetime
    chat: str
    says: str
    answers: str
    tool_result: ToolResult | None = None
    notes: tuple[MemorizerNote, ...] = ()
    role: Role | None = None
    domain: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Restart:
    """The process ends and another one begins; a crash saves nothing first."""

    at: datetime
    cause: str
    is_crash: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """A conversation in order; `person` is the displayed name of whoever talks to the agent."""

    person: str
    roles: tuple[Role, ...]
    scenes: tuple[Exchange | Restart, ...]
