"""The verb `quality`: the agent sees how good a memory is, and what is linked to it."""

import json
import re
from datetime import UTC, datetime
from typing import Any

from fake_host import FakeHost
from hook_tools import ask_tool, find, remember, role, settle
from memory_ledger.inbox import LinkMemories
from memory_ledger.quality.conflict_record import Resolver
from memory_ledger.quality.relationships import RelationshipType
from memory_ledger.store.requests import Inbox

PORT, HOST_NAME = "The user's API runs on port 8443.", "The user's API runs on the server heron."
BOXES = "The compose file lists seven boxes"
GUESS = "The user may like green tea."


async def learn(host: FakeHost) -> tuple[Any, Any]:
    """Two memories of the user's words."""
    await remember(host, "My API runs on port 8443.", PORT)
    await remember(host, "My API runs on the server heron.", HOST_NAME)
    return find(host, "8443"), find(host, "heron")


async def test_one_memory_is_told_with_figures_content_and_errors(host: FakeHost) -> None:
    """Q-02, Q-49, Q-62: its scores as `memory-ledger show` has them, and what the rules find."""
    await learn(host)
    stated = {"subject": "Adam", "property": "shoe size", "value": 43}
    await remember(host, "Note this.", json.dumps(stated))
    one = find(host, "shoe size")
    told = await ask_tool(host, verb="quality", memory_id=one.metadata["id"])
    assert re.search(r"fact, inferred, source agent_inferred; quality 0\.\d\d, staleness 0\.00, confidence 0\.60", told)
    assert 'content: "subject adam, property shoe size, value 43"' in told and "error" not in told
    one.metadata["quality"] = {**one.metadata.get("quality", {}), "expires": "2001-01-01T00:00:00+00:00"}
    told = await ask_tool(host, verb="quality", memory_id=one.metadata["id"])
    assert 'error: "temporal-consistency: expires is 2001-01-01T00:00:00+00:00' in told


async def test_a_question_brings_what_is_good_enough(host: FakeHost) -> None:
    """Q-51: a number in quotes is one; what is none is named with what is allowed."""
    await learn(host)
    question = {"verb": "quality", "query": "On which port and server does my API run?"}
    every = await ask_tool(host, **question)
    assert PORT in every and HOST_NAME in every
    assert PORT in await ask_tool(host, **question, min_quality="0.5")
    assert await ask_tool(host, **question, min_quality=0.99) == "No memory is like that."
    assert "min_quality is 7; allowed: at most 1" in await ask_tool(host, **question, min_quality=7)
    assert "query is missing; allowed: a few words, or a memory_id" in await ask_tool(host, verb="quality")


def link(host: FakeHost, source: str, kind: RelationshipType, target: str) -> None:
    """Ask for a link, as the terminal does."""
    asked = LinkMemories(memories=(source, target), type=kind)
    Inbox(host.memory_folder()).append(asked, at=datetime(2026, 3, 1, tzinfo=UTC), by="rosa")


async def test_a_link_is_told(host: FakeHost) -> None:
    """Q-38, Q-68: the link that a person has stated, with the text at its other end."""
    port, server = (document.metadata["id"] for document in await learn(host))
    link(host, port, RelationshipType.SUPPORTS, server)
    await settle(host)
    assert f'supports "{HOST_NAME}" (id {server})' in await ask_tool(host, verb="quality", memory_id=port)


async def test_a_link_that_waits_is_judged_again_when_it_is_made(host: FakeHost) -> None:
    """C-44: what the user has said since it was asked for holds."""
    await learn(host)
    await remember(host, "Well.", GUESS)
    pair = find(host, GUESS).metadata["id"], find(host, "8443").metadata["id"]
    asked = LinkMemories(memories=pair, type=RelationshipType.SUPERSEDES, by=Resolver.AGENT)
    inbox = Inbox(host.memory_folder())
    inbox.append(asked, at=datetime(2026, 3, 1, tzinfo=UTC), by="agent")
    await settle(host)
    host.expected_warnings = 1  # the chat is told
    [request] = inbox.read()
    assert request.answer is not None and "speak of one thing" in request.answer.words
    assert find(host, "8443").metadata["classification"]["validity"] == "confirmed"


async def test_what_another_role_does_not_see_is_not_told(host: FakeHost) -> None:
    """C-56, C-95: neither by its id, nor by a question, nor as the other end of a link."""
    host.agent._org_active_role = role("codegen_specialist", "codegen")
    host.agent._bst_store = {"domain": "codegen"}
    await remember(host, "The compose file lists seven boxes.", BOXES)
    host.agent._org_active_role, host.agent._bst_store = None, {}
    await remember(host, "I like green tea.", "The user likes green tea.")
    boxes, tea = (find(host, text).metadata["id"] for text in ("seven", "green tea"))
    link(host, tea, RelationshipType.RELATED_TO, boxes)
    await settle(host)
    assert f'related-to "{BOXES}"' in await ask_tool(host, verb="quality", memory_id=tea)
    assert BOXES in await ask_tool(host, verb="quality", query="How many boxes does the compose file list?")
    host.agent._org_active_role = role("cook", "kitchen")
    told = await ask_tool(host, verb="quality", memory_id=tea)
    assert "green tea" in told and "seven" not in told and boxes not in told
    assert "seven" not in await ask_tool(host, verb="quality", query="How many boxes does the compose file list?")
    told = await ask_tool(host, verb="quality", memory_id=boxes)
    assert told.startswith("memory_id is ") and "seven" not in told
