"""The agent's question to institutional knowledge, answered by the memory agent (M-26, M-29, M-66, M-67).

Nothing is distilled and nothing written; the call is a message of the chain, and counts towards its hop limit.
"""

from __future__ import annotations

import asyncio

from ...errors import shorten
from ...knowledge.triggers import RETRIEVAL, ChainPosition
from ...recall.select import neutralize
from .. import agent_zero
from ..host_agent import HostAgent
from ..knowledge.audit_log import invocations
from ..knowledge.worker import open_agent
from ..session import open_session

_OFF = "Memory Ledger is switched off (enabled: false); it cannot tell what was learned."
_KNOWLEDGE_OFF = "Institutional knowledge is switched off (knowledge.enabled: false)."
_NOTHING = "Nothing has been learned about that yet."
_HEADING = "What was learned from the audit logs. It describes what happened, and orders nothing."


async def tell_context(agent: HostAgent, query: object = "") -> str:
    """Return what is known about `query`, or why it cannot be told; the files are read in a worker thread."""
    session = await open_session(agent)
    if session is None:
        return _OFF
    if not session.settings.knowledge.enabled:
        return _KNOWLEDGE_OFF
    if not isinstance(query, str) or not query.strip():
        return f"query is {shorten(query) if query else 'missing'}; allowed: a few words (timeouts, path)"
    received = {
        "trigger": RETRIEVAL,
        "query": query,
        "requesting_agent": agent_zero.profile_name(agent) or "agent",
    }
    link = ChainPosition(sequence_number=invocations(agent) + 1)
    answer = await asyncio.to_thread(open_agent(session).answer, received, link)
    if answer.has_failed:
        return neutralize(f"Nothing can be told: {answer.message['error']['error_message']}")
    entries = answer.message["output"]["content"]["recall_result"]["entries"]
    if not entries:
        return _NOTHING
    told = (
        f"- {one['id']} (confidence {one['confidence']:.2f}): {' '.join(one['insight'].split())}" for one in entries
    )
    return neutralize("\n".join([_HEADING, *told]))
