"""The notes on the page: which there are, what each says, what a prompt shows; the page changes none of them."""

from typing import Any

import pytest
from fake_host import FakeHost, HashingEmbedder
from hook_tools import configure_pack, rest
from page_tools import ask, ask_in_vain, every_page, state
from test_notes_in_a_host import HERON, index, write

pytestmark = every_page

TEA = "# Office\n\n### Tea\n\nThe kettle stands in the kitchen.\n"


async def listed(host: FakeHost, **question: Any) -> dict[str, str]:
    """Return how the notes of a list stand, by id."""
    answer = await host.call_api("ledger", {"name": "notes.list", **question})
    return {one["id"]: one["state"] for one in answer["rows"]}


async def test_notes_are_listed_and_found(host: FakeHost) -> None:
    """V-05, V-11: by name, title and what they say; what is new, changed or no note says so."""
    await host.memory()
    assert await listed(host) == {}
    write(host, "heron.md", HERON)
    write(host, "ops/office.md", TEA)
    write(host, "empty.md", "")
    assert set((await listed(host)).values()) == {"not indexed yet"}
    await index(host)
    found = await ask(host, "notes", "list")
    assert await listed(host) == {"empty.md": "left out", "heron.md": "indexed", "ops/office.md": "indexed"}
    assert [one["title"] for one in found["rows"]] == ["empty", "Heron", "Office"]
    assert found["rows"][0]["why"] and found["model"] and found["built"] and not found["at_work"]
    assert (
        list(await listed(host, query="KETTLE stands")) == list(await listed(host, query="office")) == ["ops/office.md"]
    )
    assert await listed(host, query="captain of the heron") == {}
    assert list(await listed(host, page=2, size=2)) == ["ops/office.md"]
    write(host, "heron.md", f"{HERON}\nAnd on Mondays.\n")
    assert (await listed(host))["heron.md"] == "not indexed yet"
    (host.memory_folder() / "user_notes" / "heron.md").unlink()
    assert "heron.md" not in await listed(host)


async def test_one_note_is_read_as_its_file_is_now(host: FakeHost) -> None:
    """V-04: the text, and the pieces that the agent finds; of a long one the beginning."""
    write(host, "heron.md", HERON)
    await index(host)
    found = await ask(host, "notes", "show", id="heron.md")
    assert (found["note"]["title"], found["text"], found["is_cut"]) == ("Heron", HERON, False)
    assert [(one["section"], one["line"]) for one in found["pieces"]] == [("Heron > Deploy", 1)]
    write(host, "long.md", "# Long\n\n" + "w " * 60_000)
    found = await ask(host, "notes", "show", id="long.md")
    assert len(found["text"]) == 100_000 and found["is_cut"] and found["pieces"] == []
    write(host, "bin.md", "---\ntrashed: true\n---\nGone.\n")
    assert "in the trash" in await ask_in_vain(host, "notes", {"action": "show", "id": "bin.md"})
    write(host, "empty.md", "")
    assert "is not a note" in await ask_in_vain(host, "notes", {"action": "show", "id": "empty.md"})


async def test_a_question_gets_the_pieces_that_the_agent_would_get(
    host: FakeHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """V-11: the nearest first; without an index, with another model or none that answers, a sentence."""
    question = {"action": "search", "text": "Where does the kettle stand?"}
    await host.memory()
    assert "No notes are indexed yet" in await ask_in_vain(host, "notes", question)
    write(host, "heron.md", HERON)
    write(host, "office.md", TEA)
    await index(host)
    found = (await ask(host, "notes", "search", text="Where does the kettle stand?"))["rows"]
    assert [one["id"] for one in found] == ["office.md", "heron.md"]
    assert (found[0]["section"], found[0]["line"]) == ("Office > Tea", 1)
    assert "kettle stands" in found[0]["text"] and found[0]["similarity"] > found[1]["similarity"]
    assert host.embedder.calls[-1].texts == ("Where does the kettle stand?",)

    configure_pack(host, notes={"embedding_model": "all-mpnet-base-v2"})
    await host.turn("Hello again.")
    assert "a different embedding model" in await ask_in_vain(host, "notes", question)
    configure_pack(host)
    await host.turn("Hello once more.")

    def fail(self: Any, text: Any) -> Any:
        raise ConnectionError("nobody there")

    for name in ("embed_query", "embed_documents"):
        monkeypatch.setattr(HashingEmbedder, name, fail)
    asked = {**question, "text": "Who decides about deploys?"}
    assert await ask_in_vain(host, "notes", asked) == "The embedding model does not answer."


async def test_the_preview_is_what_every_prompt_says(host: FakeHost) -> None:
    """V-50: the notes that the settings name, and why one of them is not there."""
    configure_pack(host, notes={"always": ["heron.md", "missing.md"]})
    write(host, "heron.md", HERON)
    prompt = (await host.turn("Hello.")).prompt.system
    host.expected_warnings = 1  # the chat is told of the missing one
    found = await ask(host, "notes", "preview")
    assert "Deploys run on Fridays" in found["text"] and found["text"] in prompt
    assert len(found["problems"]) == 1 and found["problems"][0].startswith("notes.always: missing.md is not readable")
    assert (await ask(host, "notes", "list"))["rows"][0]["in_every_prompt"] is True


async def test_a_note_is_never_outside_of_its_folder(host: FakeHost) -> None:
    """C-72: no path leads out of the folder, none by a link to a folder either; reading changes nothing."""
    write(host, "heron.md", HERON)
    await index(host)
    secret = host.root / "secret.md"
    secret.write_text("# Outside\n")
    folder = host.memory_folder()
    (folder / "user_notes" / "link").symlink_to(host.root)
    await rest(host)
    before, files = state(host), {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for note_id in ("../../../../secret.md", str(secret), "link/secret.md", "user_notes/heron.md", "heron", "."):
        assert "no longer exists" in await ask_in_vain(host, "notes", {"action": "show", "id": note_id}), note_id
    await listed(host)
    assert state(host) == before
    assert files == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
