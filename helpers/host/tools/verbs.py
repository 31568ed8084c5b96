"""The verbs of the agent's one tool: what each is asked with, and who answers it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from ...errors import shorten
from ...texts import neutralize
from ..host_agent import HostAgent
from ..session import Session, open_session
from ..upkeep import adopt_what_is_new
from .conflicts import link, tell_conflicts, tell_quality
from .questions import tell_beliefs, tell_context, tell_notes, tell_recall
from .vaulting import use_vault

Given = Mapping[str, Any]

_OFF = "Memory Ledger is switched off (enabled: false); nothing was read or changed."
VERBS: Mapping[str, Callable[[Session, Given], Awaitable[str]]] = {
    "history": lambda session, given: tell_beliefs(
        session, *(given.get(one, "") for one in ("query", "time", "memory_id"))
    ),
    "recall": lambda session, given: tell_recall(session, given.get("query", "")),
    "quality": tell_quality,
    "link": link,
    "conflicts": lambda session, _: tell_conflicts(session),
    "settle": lambda session, given: tell_conflicts(session, given.get("conflict") or "missing", given.get("keep", "")),
    "vault": lambda session, given: use_vault(session, given.get("action", ""), given),
    "notes": lambda session, given: tell_notes(session, given.get("query", ""), given.get("note_ids", "")),
    "knowledge": lambda session, given: tell_context(session, given.get("query", "")),
}


async def answer(agent: HostAgent, verb: object, given: Given) -> str:
    """Return the answer to one verb; one that there is not is answered with those that there are."""
    asked = VERBS.get(verb) if isinstance(verb, str) else None
    if asked is None:
        return neutralize(f"verb is {shorten(verb) if verb else 'missing'}; allowed: {', '.join(VERBS)}")
    session = await open_session(agent)
    if session is None:
        return _OFF
    await adopt_what_is_new(session)
    return await asked(session, given)
