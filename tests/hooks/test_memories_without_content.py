"""Junk of memorizers: kept, marked with its reason, in no prompt, and back for good if a person wants it."""

import json

import pytest
from fake_host import FakeHost
from hook_tools import axes, find, install_late, remember, settle
from memory_ledger import cli
from page_tools import ask

JUNK, FACT = "No relevant information about the user was mentioned.", "User keeps bees in Tarragona."
WHY, QUESTION = "it says only that nothing is known", "Which relevant information about the user was mentioned?"


def run(host: FakeHost, capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert cli.main([*argv, "--folder", str(host.memory_folder())]) == 0
    return capsys.readouterr().out


async def write_anew(host: FakeHost, text: str) -> None:
    """Let the host write a memory again under its id, without what the pack has noted of it."""
    document = find(host, text)
    document.metadata = {key: document.metadata[key] for key in ("id", "area", "timestamp")}
    await (await host.memory()).update_documents([document])
    await settle(host)
    assert "lineage" in find(host, text).metadata


async def test_junk_is_kept_out_until_a_person_wants_it(host: FakeHost, capsys: pytest.CaptureFixture[str]) -> None:
    """C-25, C-48, C-50, T-70: nothing is deleted; `show`, `status` and the page tell why; what came back stays.

    What the user says is no junk: a person may be called as in the example of a prompt.
    """
    await remember(host, "My name is John Doe.", "User's name is John Doe")
    assert axes(find(host, "John Doe"))[0] == "confirmed"
    await remember(host, "What is new?", JUNK, FACT)
    assert JUNK not in (await host.turn(QUESTION)).prompt.memories
    await settle(host)
    junk_id = find(host, JUNK).metadata["id"]
    assert (axes(find(host, JUNK))[0], axes(find(host, FACT))[0]) == ("deprecated", "inferred")
    shown = json.loads(run(host, capsys, "show", junk_id, "--json"))
    assert (shown["why"], shown["rule"], shown["replaced_by"]) == ([WHY], "no content", None)
    assert shown["timeline"][-1]["what"] == f"a rule retired it: {WHY}"
    assert json.loads(run(host, capsys, "status", "--json"))["without_content"] == 1
    if host.machine.traits.has_plugins:
        assert (await ask(host, "overview", "read"))["empty"] == 1
        (row,) = (await ask(host, "memories", "list", filters={"about": "empty", "validity": "in_use"}))["rows"]
        assert row["text"] == JUNK
    run(host, capsys, "undo", junk_id)
    await settle(host)
    assert JUNK in (await host.turn(QUESTION)).prompt.memories
    await write_anew(host, JUNK)
    assert axes(find(host, JUNK))[0] == "inferred"
    assert json.loads(run(host, capsys, "status", "--json"))["without_content"] == 0


async def test_junk_from_before_the_pack_is_proposed(host: FakeHost, capsys: pytest.CaptureFixture[str]) -> None:
    """`design.md`, Storage: nothing of what was there is retired unasked; what a person keeps stays."""
    await install_late(host, JUNK, "code_execution_tool", FACT)
    assert [axes(one)[0] for one in host.docs.values()] == ["inferred"] * 3
    found = [json.loads(line) for line in run(host, capsys, "adopt", "--report", "--json").splitlines()]
    assert {one["loser_text"]: (one["winner"], one["reasons"]) for one in found} == {
        JUNK: ("", [WHY]),
        "code_execution_tool": ("", ["it is the name of a tool, a role or a field"]),
    }
    run(host, capsys, "adopt", "--accept", "--except", find(host, JUNK).metadata["id"])
    await settle(host)
    assert (axes(find(host, JUNK))[0], axes(find(host, "code_execution_tool"))[0]) == ("inferred", "deprecated")
    await write_anew(host, JUNK)
    assert axes(find(host, JUNK))[0] == "inferred"
