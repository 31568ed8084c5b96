"""Memories leave a folder by a page: moved into another one, and back; exported for `import` (C-91, T-70)."""

import json
from pathlib import Path
from typing import Any

import pytest
from drawn_acts import IDS
from fake_host import FakeHost
from hook_tools import open_desk, remember, settle, use_folder
from memory_ledger import cli
from memory_ledger.inbox import LinkMemories
from page_tools import CAT, RENT, ask, ask_in_vain, every_page, learn, row, state

pytestmark = every_page


async def two_folders(host: FakeHost) -> None:
    """Two memories in one folder, and one in another, in which the chat is now."""
    await learn(host)
    use_folder(host, "other")
    await remember(host, "Hello.", "User's desk is in Oslo.")


async def texts(host: FakeHost, folder: str) -> list[str]:
    rows = (await ask(host, "memories", "list", folder=folder))["rows"]
    return sorted(one["text"] for one in rows)


async def move(host: FakeHost, memories: list[dict[str, Any]], *, to: str, of: str) -> dict[str, Any]:
    answer: dict[str, Any] = await ask(host, "memories", "move", folder=of, target=to, memories=memories)
    assert (sorted(answer["done"]), answer["refused"]) == (sorted(one["id"] for one in memories), [])
    return answer


async def test_what_moves_back_stands_as_if_it_had_never_left(host: FakeHost) -> None:
    """C-91, T-70: links from and to it, what it replaced, the conflict and the proposal about it are there again.

    Meanwhile it stands in the other folder, with its status.
    """
    desk = await open_desk(host)
    for number, kind in enumerate(("supports", "contradicts", "causes", "derived-from")):
        desk.do(LinkMemories(memories=(IDS[number], IDS[number + 3]), type=kind, by="operator"))
    use_folder(host, "other")
    await remember(host, "Hello.", "User's desk is in Oslo.")

    def standing() -> list[Any]:
        documents, *others = desk.state({*desk.ids})
        return [json.loads(documents), *others]  # whatever order they come back in

    before = standing()
    for going in (desk.ids[:1], desk.ids[3:4], desk.ids[5:], desk.ids):
        rows = (await ask(host, "memories", "list", folder="default", size=100))["rows"]
        shown = [{"id": one["id"], "stamp": one["stamp"]} for one in rows if one["id"] in going]
        moved = await move(host, shown, of="default", to="other")
        assert standing() != before
        there = (await ask(host, "memories", "list", folder="other", size=100))["rows"]
        status = ("id", "text", "source", "validity", "utility")
        assert {tuple(one[key] for key in status) for one in rows if one["id"] in going} <= {
            tuple(one[key] for key in status) for one in there
        }
        await move(host, moved["now"], of="other", to="default")
        assert standing() == before, going


async def show_in(host: FakeHost, folder: str, memory_id: str) -> dict[str, Any]:
    return await ask(host, "memories", "show", folder=folder, id=memory_id)


async def test_what_cannot_move_stays_and_is_told(host: FakeHost) -> None:
    """T-70: what has changed, has gone, or finds its id taken; into the same or no folder nothing moves."""
    await two_folders(host)
    rent, cat = await row(host, RENT), await row(host, CAT)
    other = await host.memory()
    document = host.process.memory().Document
    other.db.add_documents([document(page_content="Another text", metadata={"id": cat["id"]})], ids=[cat["id"]])
    shown = [{"id": rent["id"], "stamp": "0"}, {"id": "gone", "stamp": "0"}, {"id": cat["id"], "stamp": cat["stamp"]}]
    answer = await ask(host, "memories", "move", target="other", memories=shown)
    assert answer["done"] == [] and [one["why"] for one in answer["refused"]] == [
        "it has changed in the meantime",
        "it no longer exists",
        "its id already belongs to a different text there",
    ]
    assert await texts(host, "default") == [CAT, RENT]
    for target in ("default", "../other", "/etc", "none"):
        question = {"action": "move", "target": target, "memories": shown}
        assert "allowed: another memory folder" in await ask_in_vain(host, "memories", question)


async def test_what_is_exported_is_what_import_reads(
    host: FakeHost, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    """C-91: the terminal's own form, by pages; all that was found, or what is named; nothing changes."""
    await two_folders(host)
    before = state(host)
    pages = [await host.call_api("ledger", {"name": "memories.export", "page": one, "size": 1}) for one in (1, 2)]
    assert [(one["total"], one["pages"]) for one in pages] == [(2, 2)] * 2
    whole = "".join(one["lines"] for one in pages)
    rows = [json.loads(one) for one in whole.splitlines()]
    assert rows[0]["format"] == "memory-ledger/1" and rows[0]["memories"] == 2
    assert {one["text"] for one in rows[1:]} == {RENT, CAT}
    assert {one["metadata"]["classification"]["source"] for one in rows[1:]} == {"user_asserted", "agent_inferred"}
    file = tmp_path / "export.jsonl"
    file.write_text(whole, "utf-8")
    target = host.memory_folder().parent / "other"
    assert cli.main(["import", "--folder", str(target), str(file), "--dry-run"]) == 0
    assert "2 memories would be imported" in capsys.readouterr().out
    found = await ask(host, "memories", "export", query="cat")
    assert [json.loads(one)["text"] for one in found["lines"].splitlines()[1:]] == [CAT]
    rent = await row(host, RENT)
    named = await ask(host, "memories", "export", ids=[rent["id"], "gone"])
    assert [json.loads(one)["text"] for one in named["lines"].splitlines()[1:]] == [RENT] and named["total"] == 1
    assert state(host) == before


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("<script>alert(1)</script>\u202e\u0000", []),
        ("a lone half \ud83d of a pair", ["the other folder cannot store it as it is"]),
    ],
)
async def test_whatever_a_memory_says_it_is_carried_or_stays(host: FakeHost, text: str, refused: list[str]) -> None:
    """T-62, C-91: whatever the text and the id are, they move like any other; what is no Unicode stays, and is told."""
    await two_folders(host)
    use_folder(host, "default")
    memory_id = f"'\"><b>{text[:40]}"
    document = host.process.memory().Document
    memory = await host.memory()
    memory.db.add_documents([document(page_content=text, metadata={"id": memory_id, "area": "main"})], ids=[memory_id])
    await settle(host)
    exported = await ask(host, "memories", "export", ids=[memory_id])
    assert [json.loads(one)["text"] for one in exported["lines"].splitlines()[1:]] == [text]
    shown = [{"id": memory_id, "stamp": (await show_in(host, "default", memory_id))["stamp"]}]
    answer = await ask(host, "memories", "move", target="other", memories=shown)
    assert ([one["why"].partition(":")[0] for one in answer["refused"]], answer["waiting"]) == (refused, [])
    assert (text in await texts(host, "other"), text in await texts(host, "default")) == (not refused, bool(refused))


async def test_an_import_is_taken_back_with_what_it_replaced(host: FakeHost) -> None:
    """T-70: what came is retired, and what it took the place of holds again; what was there stays as it was."""
    await learn(host)
    line = json.dumps({"text": RENT.replace("900", "990"), "source": "user"})
    answer = await ask(host, "memories", "import", file="notes.jsonl", text=f"{line}\n")
    assert (answer["came"], (await row(host, RENT))["validity"]) == (1, "deprecated")
    for step in answer["steps"]:
        done = await ask(host, "memories", step["action"], memories=step["memories"])
        assert (len(done["done"]), done["refused"]) == (1, [])
    assert (await row(host, RENT))["validity"] == "confirmed"
    assert (await row(host, "990"))["validity"] == "deprecated"
