"""The conversation of the demo, read from `script.json`.

Every sentence is invented. The notes are what the host's memorizers would write: in the third person, a turn or two
late, and now and then from a question or a guess as if it were a fact.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class MemorizerNote(_Part):
    """A note of the host's memorizer about an exchange; it reaches the store `turns_later` exchanges later."""

    text: str
    area: str = "fragments"
    turns_later: int = 1


class Exchange(_Part):
    """A message of the person and the agent's answer, with what a tool gave before it."""

    title: str
    at: datetime
    chat: str
    says: str
    answers: str
    tool: str = ""
    tool_result: str = ""
    notes: tuple[MemorizerNote, ...] = ()
    role: str | None = None
    #: The domain of the task, as a belief-state tracker would name it.
    domain: str | None = None


class Restart(_Part):
    """The process ends and another one begins; a crash saves nothing first."""

    at: datetime
    cause: str
    is_crash: bool = False


class Script(_Part):
    """A conversation in order; the roles with the domains that each handles."""

    person: str
    roles: dict[str, frozenset[str]]
    scenes: tuple[Exchange | Restart, ...]


@cache
def read_script() -> Script:
    """Return the conversation of the demo."""
    return Script.model_validate_json(Path(__file__).with_suffix(".json").read_bytes())
