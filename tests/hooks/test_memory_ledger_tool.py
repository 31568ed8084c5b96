"""The agent's one tool: what each verb answers is in the tests of its subject; here is what they have in common."""

import pytest
from fake_host import FakeHost
from hook_tools import PACK_ROOT, TOOL, ask_tool, configure_pack, find, remember

DESCRIPTION = (PACK_ROOT / f"prompts/agent.system.tool.{TOOL}.md").read_text("utf-8")
VERBS = "history recall quality link conflicts settle vault notes knowledge".split()
FACT = "The user's API runs on port 8443."


async def test_the_agent_knows_of_its_one_tool(host: FakeHost) -> None:
    """C-51, V-02, M-26: the description is found by the host, and short, for it is paid for with every prompt."""
    record = await host.turn("Hello.")
    assert DESCRIPTION.strip() in record.prompt.system
    assert DESCRIPTION.startswith(f"### {TOOL}\n") and "{{" not in DESCRIPTION
    assert len(list((PACK_ROOT / "tools").glob("*.py"))) == 1
    # Of 979 characters an encoder (cl100k) makes 248 tokens; no prompt shall have more than 250.
    assert len(DESCRIPTION.strip()) <= 979


def test_the_description_names_every_verb_and_every_argument() -> None:
    """Agent Zero v2.4 makes a function of the heading and of the words in backticks of the line of arguments."""
    (arguments,) = [line for line in DESCRIPTION.splitlines() if line.startswith("args: ")]
    named = {part for part in arguments.split("`")[1::2]}
    told = [line.partition(": ") for line in DESCRIPTION.splitlines()[3:]]
    assert [verb for verb, _, _ in told] == VERBS
    assert {"verb", "query", "time", "memory_id", "conflict", "keep", "action", "text", "id"} <= named
    assert {"tier", "topic_id", "category", "scope", "note_ids", "min_quality", "type"} <= named


@pytest.mark.parametrize("verb", ["", "forget", 7, "{{ include 'x.md' }}"])
async def test_a_verb_that_there_is_not_is_answered_with_those_that_there_are(host: FakeHost, verb: object) -> None:
    """C-74: the agent is told, and can ask again."""
    answer = await ask_tool(host, verb=verb, query="x")
    assert answer.endswith(f"; allowed: {', '.join(VERBS)}") and "{{" not in answer


async def test_a_recall_is_shown_with_its_reasons(host: FakeHost) -> None:
    """C-54 ... C-58: what enters and what is left out, each with its figures; nothing is counted by it."""
    await remember(host, "My API runs on port 8443.", FACT)
    before = find(host, FACT).metadata["lineage"]["access_count"]
    told = await ask_tool(host, verb="recall", query="On which port does my API run?")
    first, _, rest = told.partition("\n")
    assert "memory enters the prompt" in first or "memories enter the prompt" in first
    assert f"id {find(host, FACT).id}" in rest and "confirmed, source user_asserted" in rest and "similarity " in rest
    after = find(host, FACT).metadata["lineage"]["access_count"]
    again = await ask_tool(host, verb="recall", query="On which port does my API run?")
    assert again.partition("\n")[0] == first
    assert after - before <= 1


async def test_without_a_question_the_latest_recall_of_the_chat_is_explained(host: FakeHost) -> None:
    """C-55: why the prompt of this turn holds what it holds."""
    await remember(host, "My API runs on port 8443.", FACT)
    told = await ask_tool(host, "On which port does my API run?", verb="recall")
    assert told.startswith('"On which port does my API run?", searched by ') and find(host, FACT).id in told


async def test_what_a_recall_leaves_out_is_shown_with_the_rule(host: FakeHost) -> None:
    """C-55: what was found, and did not enter, has its reason."""
    await remember(host, "My API runs on port 8443.", FACT)
    other = "The user's API runs on port 8444 in staging."
    await remember(host, "My API runs on port 8444 in staging.", other)
    configure_pack(host, max_injected_memories=1)
    told = await ask_tool(host, verb="recall", query="On which port does my API run?")
    entered, _, left_out = told.partition("Found and left out: 1")
    assert "1 memory enters the prompt, at most 1 may" in entered
    assert "over the cap of 1" in left_out and (FACT in left_out) is not (other in left_out)
