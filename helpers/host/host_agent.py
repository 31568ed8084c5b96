"""The parts of the host's agent and chat that the pack relies on, in every release (contract, section 8)."""

from __future__ import annotations

from typing import Any, Protocol


class HostContext(Protocol):
    """A chat."""

    id: str
    log: Any

    def get_data(self, key: str) -> Any:
        """Return a value kept on the chat; None for an unknown key."""


class HostAgent(Protocol):
    """One agent of a chat; 0 talks to the user, the others work for it.

    `data` lives as long as the agent; `loop_data` is the host's state of the current turn.
    """

    number: int
    config: Any
    context: HostContext
    data: dict[str, Any]
    history: Any
    loop_data: Any
    #: Attributes that the pack sets for other code.
    _memory_health: Any
    _memory_conflict_log: Any

    def get_data(self, field: str) -> Any:
        """Return an entry of `data`; None without one."""

    def set_data(self, field: str, value: Any) -> None:
        """Set an entry of `data`."""

    def parse_prompt(self, _prompt_file: str, **kwargs: Any) -> Any:
        """Return a prompt of the host or of its user, filled in."""

    def read_prompt(self, file: str, **kwargs: Any) -> str:
        """Return the text of a prompt of the host or of its user."""

    def hist_add_tool_result(self, tool_name: str, tool_result: str) -> Any:
        """Add what a tool has answered to the history."""
