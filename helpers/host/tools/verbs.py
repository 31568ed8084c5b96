"""The verbs of the agent's one tool: what each is asked with, and who answers it (C-51, C-96, M-26, V-04, V-26)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from ...errors import shorten
from ...recall.select import neutralize
from ..host_agent import HostAgent
from .beliefs import tell_beliefs
from .conflicts import tell_conflicts
from .context import tell_context
from .notes import tell_notes
from .quality import link, tell_quality
from .reasons import tell_recall
from .vaulting import use_vault

Given = Mapping[str, Any]


def _settle(agent: HostAgent, given: Given) -> Awaitable[str]:
    return tell_conflicts(agent, given.get("conflict") or "missing", given.get("keep", ""))


VERBS: Mapping[str, Callable[[HostAgent, Given], Awaitable[str]]] = {
    "history": lambda agent, given: tell_beliefs(
        agent, given.get("query", ""), given.get("time", ""), given.get("memory_id", "")
    ),
    "recall": lambda agent, given: tell_recall(agent, given.get("query", "")),
    "quality": tell_quality,
    "link": link,
    "conflicts": lambda agent, _: tell_conflicts(agent),
    "settle": _settle,
    "vault": lambda agent, given: use_vault(agent, given.get("action", ""), given),
    "notes": lambda agent, given: tell_notes(agent, given.get("query", ""), given.get("note_ids", "")),
    "knowledge": lambda agent, given: tell_context(agent, given.get("query", "")),
}


async def answer(agent: HostAgent, verb: object, given: Given) -> str:
    """Return the answer to one verb; one that there is not is answered with those that there are."""
    asked = VERBS.get(verb) if isinstance(verb, str) else None
    if asked is None:
        return neutralize(f"verb is {shorten(verb) if verb else 'missing'}; allowed: {', '.join(VERBS)}")
    return await asked(agent, given)
