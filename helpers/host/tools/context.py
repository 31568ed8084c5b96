"""The agent's question to institutional knowledge, answered by the memory agent (M-26, M-29, M-66, M-67).

What the prompt has already is named, and not said again; what waits for more evidence is told with what it rests on.
Nothing is distilled and nothing written; the call is a message of the chain, and counts towards its hop limit.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

from ...errors import shorten
from ...knowledge.categories import FILES, Place
from ...knowledge.documents import Entry
from ...knowledge.hops import MEMORY_AGENT
from ...knowledge.retrieval import find_entries
from ...knowledge.standard_message import ChainPosition
from ...knowledge.triggers import RETRIEVAL, parse_handover
from ...marks import neutralize
from ...texts import counted
from .. import agent_zero
from ..host_agent import HostAgent
from ..knowledge.audit_log import invocations, note_retrieval
from ..knowledge.places import KnowledgeFiles
from ..knowledge.worker import open_agent
from ..session import Session, open_session

_KNOWLEDGE_OFF = "Institutional knowledge is switched off (knowledge.enabled: false)."
_NOTHING = "Nothing has been learned about that yet."
_HEADING = "What was learned from the audit logs, beside what the prompt says. It describes what happened."
_IN_PROMPT = "In the prompt already: "
#: An output that is longer hands over to nobody.
_LONGEST_MESSAGE = 100_000
#: So many transactions are named as evidence.
_MOST_SOURCES = 3


async def tell_context(session: Session, query: object = "") -> str:
    """Return what is known about `query`, or why it cannot be told; the files are read in a worker thread."""
    if not session.settings.knowledge.enabled:
        return _KNOWLEDGE_OFF
    if not isinstance(query, str) or not query.strip():
        return f"query is {shorten(query) if query else 'missing'}; allowed: a few words (timeouts, path)"
    received = {
        "trigger": RETRIEVAL,
        "query": query,
        "requesting_agent": agent_zero.profile_name(session.agent) or "agent",
    }
    link = ChainPosition(sequence_number=invocations(session.agent) + 1)
    answer = await asyncio.to_thread(open_agent(session).answer, received, link)
    if answer.has_failed:
        return neutralize(f"Nothing can be told: {answer.message['error']['error_message']}")
    opened = session.folder.knowledge.open(session.settings.knowledge)
    texts = await asyncio.to_thread(_texts, opened.files)
    shown = "".join(opened.texts.values())
    active = find_entries(texts, query)
    known = [one.entry.id for one in active if f"**ID:** {one.entry.id}\n" in shown]
    told = [_told(one.entry, "in use") for one in active if one.entry.id not in known]
    told += [_told(one.entry, "waits for more evidence") for one in find_entries(texts, query, place=Place.STAGING)]
    lines = [*([_HEADING, *told] if told else []), *([_IN_PROMPT + ", ".join(known)] if known else [])]
    return neutralize("\n".join(lines or [_NOTHING]))


async def answer_handover(agent: HostAgent, response: Any) -> None:
    """Answer an output that hands over to the memory agent, in its place (M-26); the agent goes on with what it gets.

    It is left as it is where knowledge is off, and where the circuit breaker ends the chain (M-67).
    """
    text = getattr(response, "message", None)
    if not isinstance(text, str) or len(text) > _LONGEST_MESSAGE or f'"{MEMORY_AGENT}"' not in text:
        return
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return
    handed = parse_handover(message) if isinstance(message, dict) else None
    session = None if handed is None else await open_session(agent)
    if handed is None or session is None or not session.settings.knowledge.enabled:
        return
    received, link = handed
    received["requesting_agent"] = received["requesting_agent"] or agent_zero.profile_name(agent) or "agent"
    link = replace(link, sequence_number=max(link.sequence_number, invocations(agent) + 1))
    answer = await asyncio.to_thread(open_agent(session).answer, received, link)
    if link.sequence_number > session.settings.distillation.hop_limit:
        return
    response.message = neutralize(json.dumps(answer.message, ensure_ascii=False, indent=1))
    note_retrieval(agent, len(response.message))
    if getattr(response, "break_loop", False):
        response.break_loop = False
        agent.hist_add_tool_result(MEMORY_AGENT, response.message)


def _texts(files: KnowledgeFiles) -> dict[str, str]:
    """Return the files of what is in use, and of what waits."""
    wanted = [name for name, (_, place) in FILES.items() if place is not Place.ARCHIVE]
    return {name: text for name in wanted if (text := files.read(name)) is not None}


def _told(entry: Entry, stands: str) -> str:
    """Return an entry with what to do, and what it rests on."""
    rests = f"{counted(entry.transactions, 'transaction', 'transactions')} from {entry.first_observed}"
    sources = ", ".join(entry.sources[:_MOST_SOURCES])
    return " ".join(
        f"- {entry.id} ({stands}; confidence {entry.confidence:.2f}, {rests} to {entry.last_confirmed}):"
        f" {entry.insight} Action: {entry.action} For: {entry.applicability}. Evidence: {sources}".split()
    )
