"""Newer hosts have the agent forget what is superseded and save what is so now: both stay one line (T-43, C-51)."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from fake_host import FakeHost
from hook_tools import find, remember, rest, settle, use_folder
from memory_ledger import cli
from memory_ledger.errors import shorten
from memory_ledger.store import files

OLD, NEW, NEWEST = (f"User's project uses Python 3.{number}" for number in (9, 11, 13))
TOLD = f"{NEW} now"

Call = tuple[str, dict[str, Any]]


def replacements(host: FakeHost, subdir: str = "default") -> list[tuple[str, str]]:
    """Return what the journal says was replaced, and by what."""
    path = host.memory_folder(subdir) / files.JOURNAL_FILE
    rows = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    return [(row["memory"], row["winner"]) for row in rows if row["action"] == "replace"]


async def know(host: FakeHost, text: str = OLD) -> str:
    """Let the user say something that is memorized; return its id."""
    await remember(host, f"{text}.", text)
    await settle(host)
    return str(find(host, text).id)


def delete(one: str) -> Call:
    """Return the agent's call that deletes a memory."""
    return "memory_delete", {"ids": one}


def save(text: str = NEW) -> Call:
    """Return the agent's call that saves a memory."""
    return "memory_save", {"text": text}


async def carry_out(host: FakeHost) -> None:
    """Play a turn in which the hook finds what was asked for at a terminal, and wait until it is done."""
    await host.turn("Hello.")
    await host.settle()
    await rest(host)


async def erase(host: FakeHost, one: str) -> None:
    """Have a memory erased before the next turn, and wait until it is."""
    assert cli.main(["erase", "--folder", str(host.memory_folder()), one]) == 0
    await rest(host)
    assert any("a memory was erased" in item.heading for item in host.log)


def told(host: FakeHost, capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str, str | None]]:
    """Return what the command `history` lists: text, validity, and what it was replaced by."""
    capsys.readouterr()
    assert cli.main(["history", "python", "version", "--folder", str(host.memory_folder())]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return [(row["text"], row["validity"], row["replaced_by"]) for row in rows]


async def by_a_person(host: FakeHost, old: str) -> None:
    await (await host.memory()).delete_documents_by_ids([old])
    await host.turn(TOLD, tool_calls=[save()])


async def by_the_memorizer(host: FakeHost, old: str) -> None:
    answer = {"action": "replace", "memories_to_remove": [old], "new_memory_content": NEW}
    await host.turn(TOLD, fragments=[NEW], consolidation=answer)
    await host.finish_memorizing()


async def in_another_chat(host: FakeHost, old: str) -> None:
    await host.turn("Forget it.", tool_calls=[delete(old)])
    await host.turn(TOLD, tool_calls=[save()], agent=host.new_context().agent0)


async def two_turns_later(host: FakeHost, old: str) -> None:
    await host.turn("Forget it.", tool_calls=[delete(old)])
    await host.turn("Hello.")
    await host.turn(TOLD, tool_calls=[save()])


async def in_another_folder(host: FakeHost, old: str) -> None:
    await host.turn("Forget it.", tool_calls=[delete(old)])
    use_folder(host, "other")
    await host.turn(TOLD, tool_calls=[save()])
    await settle(host)
    assert replacements(host, "other") == []
    use_folder(host, "default")


async def after_a_restart(host: FakeHost, old: str) -> None:
    await host.turn("Forget it.", tool_calls=[delete(old)])
    await host.settle()
    await host.restart()
    await host.turn(TOLD, tool_calls=[save()])


async def of_another_subject(host: FakeHost, old: str) -> None:
    await host.turn("Forget it.", tool_calls=[delete(old), save("User's dog is called Rex")])


async def of_no_subject_that_is_read(host: FakeHost, old: str) -> None:
    await host.turn("Forget it.", tool_calls=[delete(old), save("Actually it is 3.11")])


UNLINKED = (
    *(by_a_person, by_the_memorizer, in_another_chat, two_turns_later, in_another_folder),
    *(after_a_restart, of_another_subject, of_no_subject_that_is_read),
)


@pytest.mark.parametrize("happens", UNLINKED, ids=lambda one: one.__name__)
async def test_what_stays_unlinked(host: FakeHost, happens: Callable[[FakeHost, str], Awaitable[None]], capsys) -> None:
    """T-43: whoever else deletes, in another chat, turn, folder or process, or about something else."""
    old = await know(host)
    await happens(host, old)
    await rest(host)
    assert replacements(host) == []
    assert OLD not in [text for text, *_ in told(host, capsys)]


async def test_what_was_retired_before_keeps_its_own_line(host: FakeHost, capsys) -> None:
    """T-43, C-48: another memory has replaced it already; what the agent deletes then is no news."""
    old, new = await know(host), await know(host, NEW)
    await host.turn("Clean up.", tool_calls=[delete(old), save(NEWEST)])
    await settle(host)
    assert replacements(host) == []
    assert OLD not in [text for text, *_ in told(host, capsys)]
    assert new in host.docs


@pytest.mark.parametrize("is_between", [True, False], ids=["before the new one is saved", "after that"])
async def test_of_what_was_erased_nothing_is_kept(host: FakeHost, is_between: bool, capsys) -> None:
    """T-64: it is linked to nothing, and no link keeps it."""
    old, folder = await know(host), host.memory_folder()
    await host.turn("Forget it.", tool_calls=[delete(old)])
    if is_between:
        await erase(host, old)
    await host.turn(TOLD, tool_calls=[save()])
    await rest(host)
    if not is_between:
        assert replacements(host) == [(old, find(host, NEW).id)]
        await erase(host, old)
    assert replacements(host) == [] and not find(host, NEW).metadata["lineage"].get("supersedes_ids")
    assert [text for text, *_ in told(host, capsys)] == [NEW]
    assert [path.name for path in folder.rglob("*") if path.is_file() and b"Python 3.9" in path.read_bytes()] == []


async def in_one_turn(host: FakeHost, old: str) -> None:
    await host.turn(TOLD, tool_calls=[delete(old), save()])


async def by_its_words(host: FakeHost, old: str) -> None:
    await host.turn(TOLD, tool_calls=[("memory_forget", {"query": OLD, "threshold": 0.99}), save()])


async def in_the_next_turn(host: FakeHost, old: str) -> None:
    await host.turn("Forget it.", tool_calls=[delete(old)])
    await host.turn(TOLD, tool_calls=[save()])


async def saved_first(host: FakeHost, old: str) -> None:
    await host.turn(TOLD, tool_calls=[save(), delete(old)])


async def memorized(host: FakeHost, old: str) -> None:
    await host.turn(TOLD, tool_calls=[delete(old)], fragments=[NEW])
    await host.finish_memorizing()


async def after_a_reload_of_the_pack(host: FakeHost, old: str) -> None:
    host.purge_plugins()
    await host.turn("Hello.")
    await host.turn(TOLD, tool_calls=[delete(old), save()])


LINKED = (in_one_turn, by_its_words, in_the_next_turn, saved_first, memorized, after_a_reload_of_the_pack)


@pytest.mark.parametrize("happens", LINKED, ids=lambda one: one.__name__)
async def test_both_are_one_line(host: FakeHost, happens: Callable[[FakeHost, str], Awaitable[None]], capsys) -> None:
    """T-43, C-51: the journal, the new memory and the command say which one was replaced, and by what."""
    old = await know(host)
    await happens(host, old)
    await rest(host)
    new = find(host, NEW)
    assert replacements(host) == [(old, new.id)]
    assert new.metadata["lineage"]["supersedes_ids"] == [old]
    expected = [(OLD, "deprecated", new.id), (NEW, "confirmed", None)]
    assert told(host, capsys) == expected
    await host.restart()
    await host.turn("Hello.")
    assert told(host, capsys) == expected


async def test_what_was_replaced_comes_back_retired(host: FakeHost, capsys) -> None:
    """T-43, T-64, T-70: the newer one does not lose, though nobody vouches for it; undoing lets both hold."""
    old = await know(host)
    await host.turn("Hm.", tool_calls=[delete(old), save()])  # the user has not said it, so by its source it would lose
    await rest(host)
    new, folder = find(host, NEW).id, str(host.memory_folder())
    assert find(host, NEW).metadata["classification"]["source"] == "agent_inferred"
    capsys.readouterr()
    assert cli.main(["restore", "--folder", folder, "--deleted"]) == 0
    assert json.loads(capsys.readouterr().out)["replaced_by"] == new
    assert cli.main(["restore", "--folder", folder, "--id", old]) == 0
    said = capsys.readouterr().err
    assert f"{old} was replaced by {new}, which stays in use: {shorten(NEW)}" in said
    assert f"`memory-ledger undo {old} --folder {folder}`" in said
    await carry_out(host)
    done = f"1 of them retired, because the agent had replaced it ({old} by {new})"
    assert any(done in one.content for one in host.log)
    assert told(host, capsys) == [(OLD, "deprecated", new), (NEW, "inferred", None)]
    assert cli.main(["undo", old, "--folder", folder]) == 0
    await carry_out(host)
    assert told(host, capsys) == [(OLD, "confirmed", None), (NEW, "inferred", None)]
    lineage = find(host, NEW).metadata["lineage"]
    assert (lineage["supersedes"], lineage.get("supersedes_ids", [])) == (None, [])
