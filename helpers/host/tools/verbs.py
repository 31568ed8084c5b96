"""The verbs of the agent's tool, with the arguments and the function of each."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from ...errors import shorten
from ...texts import neutralize
from ..host_agent import HostAgent
from ..session import Session, open_session
from ..upkeep import adopt_what_is_new
from .conflicts import tell_conflicts
from .questions import tell_beliefs, tell_context, tell_notes, tell_recall
from .vaulting import use_vault

Arguments = Mapping[str, Any]

_OFF = "Memory Ledger is switched off (enabled: false); nothing was read or changed."
VERBS: Mapping[str, Callable[[Session, Arguments], Awaitable[str]]] = {
    "history": lambda session, arguments: tell_beliefs(
        session, *(arguments.get(name, "") for name in ("query", "time", "memory_id"))
    ),
    "recall": lambda session, arguments: tell_recall(session, arguments.get("query", "")),
    "conflicts": lambda session, _: tell_conflicts(session),
    "settle": lambda session, arguments: tell_conflicts(
        session, arguments.get("conflict") or "missing", arguments.get("keep", "")
    ),
    "vault": lambda session, arguments: use_vault(session, arguments.get("action", ""), arguments),
    "notes": lambda session, arguments: tell_notes(session, arguments.get("query", ""), arguments.get("note_ids", "")),
    "knowledge": lambda session, arguments: tell_context(session, arguments.get("query", "")),
}


async def answer(agent: HostAgent, verb: object, arguments: Arguments) -> str:
    """Return the answer to a verb; an unknown one gets the list of the verbs."""
    handler = VERBS.get(verb) if isinstance(verb, str) else None
    if handler is None:
        return neutralize(f"verb is {shorten(verb) if verb else 'missing'}; allowed: {', '.join(VERBS)}")
    session = await open_session(agent)
    if session is None:
        return _OFF
    await adopt_what_is_new(session)
    return await handler(session, arguments)
