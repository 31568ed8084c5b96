"""Whose word it is where values are rejected, politely passed over, or said by nobody (T-03)."""

import json
from pathlib import Path
from typing import Any

import pytest
from fake_host import FakeHost
from fake_host.tools import ToolCall
from hook_tools import CLASSIFIER, axes, find, remember

SMALL_TALK = "Name three kinds of apples."
_CASES = Path(__file__).resolve().parents[1] / "data/spoken/rejected_words.jsonl"
CASES = [json.loads(line) for line in _CASES.read_text("utf-8").splitlines()]


def source_of(host: FakeHost, text: str) -> str:
    """Return whose word a memory is."""
    return axes(find(host, text))[3]


def is_retired(host: FakeHost, text: str) -> bool:
    """Whether a memory is out of use."""
    return axes(find(host, text))[0] == "deprecated"


async def prompt_lines(host: FakeHost, question: str) -> list[str]:
    """Return the memories of the next prompt, in order."""
    record = await host.turn(question, reply="Let me see.")
    lines = record.prompts[0].extras.get("memories", "").splitlines()
    return [line for line in lines if line and not line.startswith(("#", "-"))]


async def test_what_the_user_rejects_is_not_written_back(host: FakeHost) -> None:
    """C-41, C-44: "52 is too young"; the memorizer writes 52 again, in other words."""
    await remember(host, "Marta lives in Velsen, she is 52 and widowed.", "Marta lives in Velsen, is 52 and widowed")
    await remember(host, "Change of plan: Marta is 58. 52 is too young.", "Marta is 58 years old")
    await remember(host, SMALL_TALK, "Marta is a widow of 52 who lives in Velsen")
    assert source_of(host, "widow of 52") == "agent_inferred"
    lines = await prompt_lines(host, "How old is Marta of Velsen?")
    plain = [line for line in lines if "52" in line and "[outdated: 52" not in line]
    assert not plain or max(map(lines.index, plain)) < next(at for at, line in enumerate(lines) if "58" in line)


async def test_a_value_that_nobody_said_is_not_the_users(host: FakeHost) -> None:
    """C-26, T-03: the frame is the user's, the name is not."""
    save = ToolCall("memory_save", {"text": "The deploy server is called vulture"})
    await host.turn("The deploy server is called eagle.", reply="Noted.", tool_calls=[save], fragments=[])
    await host.finish_memorizing()
    await host.run(CLASSIFIER)
    assert source_of(host, "vulture") != "user_asserted"
    await remember(host, SMALL_TALK, "The deploy server is called eagle")
    assert source_of(host, "eagle") == "user_asserted"


@pytest.mark.parametrize("case", CASES)
async def test_whose_word_holds_after_a_conversation(host: FakeHost, case: dict[str, Any]) -> None:
    """C-16, C-25, C-41 ... C-47, T-67: each case says what it is about."""
    for turn in case["turns"]:
        if isinstance(turn, list):
            await remember(host, *turn)
        else:
            await host.turn(turn["said"], reply=turn["reply"], fragments=[])
    found = {
        text: source_of(host, text) == "user_asserted" for name in ("users", "others") for text in case.get(name, ())
    }
    assert found == {text: name == "users" for name in ("users", "others") for text in case.get(name, ())}
    retired = {text: is_retired(host, text) for name in ("kept", "retired") for text in case.get(name, ())}
    assert retired == {text: name == "retired" for name in ("kept", "retired") for text in case.get(name, ())}
    assert not any(find(host, text).metadata["lineage"].get("outdated_parts") for text in case.get("whole", ()))
    lines = await prompt_lines(host, case["question"]) if "question" in case else [""]
    assert case.get("last", "") in lines[-1] and case.get("shown", "") in "\n".join(lines)
    gone = case.get("gone", "nothing")
    assert [line for line in lines if gone in line and f"[outdated: {gone}]" not in line] == []
