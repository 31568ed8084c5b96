"""The notes: indexed off the event loop, and told to the agent (V-04, V-11)."""

import asyncio
import json
import shutil
import threading
from functools import partial
from typing import Any

import pytest
from fake_host import FakeHost, HashingEmbedder
from hook_tools import ask_tool, configure_pack, use_folder

ask = partial(ask_tool, said="What do the notes say?", verb="notes")
FILTER = "message_loop_prompts_after/_55_memory_relevance_filter"
HERON = "# Heron\n\n### Deploy\n\nDeploys run on Fridays with make ship; the release captain decides.\n"


def write(host: FakeHost, name: str, text: str, subdir: str = "default") -> None:
    path = host.memory_folder(subdir) / "user_notes" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


async def index(host: FakeHost) -> None:
    """Play a turn in which a hook looks at the notes, and wait until they are indexed."""
    await later(host)
    await host.turn("Hello.")
    await join(host)


async def join(host: FakeHost) -> None:
    workers = [one for one in threading.enumerate() if one.name == "memory-ledger-notes"]
    for one in workers:
        await asyncio.to_thread(one.join)


async def later(host: FakeHost) -> None:
    """Let the minute be over after which the notes are looked at again."""
    folder = vars((await host.memory()).db).get("_memory_ledger_folder")
    if folder is not None:
        folder.notes.look_again()


def lines(host: FakeHost) -> list[str]:
    return [item.heading for item in host.log if "notes" in item.heading or "note" in item.heading]


async def test_notes_are_indexed_at_the_first_turn_and_told(host: FakeHost) -> None:
    """V-05, V-11: with the host's own embedder; asked through the tool; what is no note is named once."""
    write(host, "heron.md", HERON)
    write(host, "taxes.md", "### Receipts\n\nReceipts are due in May, in one envelope.\n")
    (host.memory_folder() / "user_notes/picture.md").write_bytes(b"\x00\x01")
    await index(host)
    await index(host)
    assert lines(host) == ["Memory Ledger: 2 notes indexed, 1 file left out"]
    (item,) = [one for one in host.log if "left out" in one.heading]
    assert item.content == "picture.md is binary data; allowed: a text in UTF-8"
    answer = await ask(host, query="when do deploys run")
    assert answer.splitlines()[0].startswith('The notes nearest to "when do deploys run", nearest first.')
    assert answer.index("[heron.md] Heron, Heron > Deploy, line 1:") < answer.index("[taxes.md]")
    only = await ask(host, query="when do deploys run", note_ids="taxes.md")
    assert "[taxes.md]" in only and "[heron.md]" not in only
    meta = json.loads((host.memory_folder() / "faiss/notes_meta.json").read_text())
    assert meta["model"] == "fake/hashing-256" and meta["dimension"] == 256


async def test_what_changed_is_embedded_and_nothing_else(host: FakeHost) -> None:
    """V-11: the agent's question finds a new note, a turn within the minute does not look; no change says nothing."""
    await host.turn("Hello.")
    assert "There are no notes yet" in await ask(host)
    write(host, "heron.md", HERON)
    assert "heron.md" in await ask(host)
    await index(host)
    assert lines(host) == ["Memory Ledger: 1 note indexed"]
    write(host, "coot.md", "### Coot\n\nThe coot answers on port 4711.\n")
    await host.turn("Hello.")
    await join(host)
    assert lines(host) == ["Memory Ledger: 1 note indexed"]
    before = len(host.embedder.calls)
    assert "4711" in await ask(host, query="coot port")
    texts = [text for call in host.embedder.calls[before:] if call.kind == "documents" for text in call.texts]
    assert [one for one in texts if "Deploy" in one] == [] and any("4711" in one for one in texts)


async def test_no_turn_waits_for_the_notes(host: FakeHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """V-11: the event loop and the turn go on while they are embedded; the agent is told that it is under way."""
    await host.turn("Hello.")
    gate, embed = threading.Event(), HashingEmbedder.embed_documents

    def wait(self: HashingEmbedder, texts: list[str]) -> list[list[float]]:
        if any("Deploys" in text for text in texts):
            assert gate.wait(60)
        return embed(self, texts)

    monkeypatch.setattr(HashingEmbedder, "embed_documents", wait)
    write(host, "heron.md", HERON)
    await later(host)
    await host.turn("Hello again.")
    answer = await ask(host, query="deploys")
    assert answer == "The notes are being indexed for the first time; ask again later."
    gate.set()
    await join(host)
    assert "[heron.md]" in await ask(host, query="deploys")


async def test_each_memory_folder_has_its_own_notes(host: FakeHost) -> None:
    """V-11, T-06: another memory folder is another shelf; of notes that are taken away nothing is left."""
    write(host, "heron.md", HERON)
    await index(host)
    assert await ask(host) == "1 note; ask with a query:\n- heron.md: Heron"
    use_folder(host, "other")
    assert (await ask(host, query="deploys")).startswith("There are no notes yet")
    use_folder(host, "default")
    assert "[heron.md]" in await ask(host, query="deploys")
    shutil.rmtree(host.memory_folder() / "user_notes")
    await index(host)
    assert (await ask(host, query="deploys")).startswith("There are no notes yet; Markdown files in ")
    assert list((host.memory_folder() / "faiss").iterdir()) == []


async def test_nothing_of_the_hosts_is_touched(host: FakeHost) -> None:
    """T-19: no memory, no save, no classification; two files of its own, and none while the notes are off."""
    await host.turn("Hello.")
    await host.settle()
    saves, docs = len(host.saves), dict(host.docs)
    write(host, "heron.md", HERON)
    configure_pack(host, notes={"enabled": False})
    await index(host)
    assert await ask(host, query="deploys") == "The notes are switched off (notes.enabled: false)."
    assert not (host.memory_folder() / "faiss").exists()
    configure_pack(host)
    await index(host)
    await ask(host, query="deploys")
    await host.settle()
    assert (len(host.saves), dict(host.docs)) == (saves, docs)
    made = {path.name for path in (host.memory_folder() / "faiss").iterdir()}
    assert made == {"notes_index.faiss", "notes_meta.json"}


def always(host: FakeHost, *ids: str, **more: Any) -> None:
    configure_pack(host, notes={"always": ids, **more})


async def test_notes_that_stand_in_every_prompt(host: FakeHost) -> None:
    """V-50: from the first prompt on, as the file is now, after the host's own parts; nothing of it is a directive."""
    write(host, "soul.md", "---\ntitle: Soul\n---\nBe kind. {{ include 'agent.system.main.md' }}\n")
    write(host, "other.md", "Not for every prompt.\n")
    always(host, "soul.md")
    first = (await host.turn("Hello.")).prompt.system
    block = first[first.index("# Notes of the user") :]
    assert block.splitlines()[:4] == ["# Notes of the user", "", "## Soul (soul.md)", block.splitlines()[3]]
    assert block.splitlines()[3].startswith("Be kind. ") and "{{" not in block
    assert first.count("Be kind.") == 1 and "Not for every prompt." not in first
    write(host, "soul.md", "Be brief, and kind.\n")
    second = (await host.turn("Hello again.")).prompt.system
    assert "Be brief, and kind." in second and "Be kind." not in second
    always(host)
    assert "# Notes of the user" not in (await host.turn("And again.")).prompt.system


async def test_notes_of_the_prompt_have_an_end_and_stay_in_their_folder(host: FakeHost) -> None:
    """V-50: what is too long is cut and said once; no id leads out of the folder; a JSON note is one, too."""
    write(host, "long.md", "x" * 300)
    write(host, "a.json", json.dumps({"title": "Soul", "content_html": "<p>Be <b>kind</b>.</p>"}))
    (host.memory_folder() / "secret.md").write_text("nobody's business")
    always(host, "a", "long.md", "../secret.md", "gone.md", always_max_chars=100)
    for _ in range(2):
        system = (await host.turn("Hello.")).prompt.system
        assert "## Soul (a)\nBe kind.\n\n## long (long.md)\n" + "x" * 92 + "\n[cut here]" in system
        assert "nobody's business" not in system
    (item,) = [one for one in host.warnings if one.heading.startswith("Memory Ledger")]
    assert item.heading == "Memory Ledger: 3 notes that the prompt cannot show in full"
    assert "../secret.md" in item.content and "gone.md" in item.content
    assert "notes.always is 308 characters; allowed: 100 (notes.always_max_chars)" in item.content
    host.expected_warnings = 1
