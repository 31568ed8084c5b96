"""The backup: before the host saves, told after a wipe, restored on order (T-64)."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from fake_host import FakeHost
from hook_tools import CLASSIFIER, NEW, OLD, axes, find, remember, rest, settle, wipe
from memory_ledger import cli
from memory_ledger.store import files

#: Of the memory that is erased; the 43.11 seconds of a moment are none.
FIGURE = re.compile(rb"(?<!\d)3\.11(?!\d)")


def backup_lines(host: FakeHost) -> list[dict[str, Any]]:
    """Return the lines of the backup."""
    path = host.memory_folder() / files.BACKUP_FILE
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


async def learn(host: FakeHost, *notes: str) -> None:
    """Two turns, of which the second contradicts the first, and some notes; all saved."""
    await remember(host, "My project uses Python 3.9.", OLD)
    await remember(host, "Actually, my project uses Python 3.11.", NEW)
    for note in notes:
        await host.insert(note)
    await rest(host)


async def carry_out(host: FakeHost) -> None:
    """Play a turn in which the hook finds the order, and wait until it is done."""
    await host.turn("Hello.")
    await host.finish_memorizing()
    await host.settle()


async def test_a_line_is_on_the_disk_before_the_host_saves(host: FakeHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-64: also of what a memorizer inserts in its own thread; one line, after a reload of the pack too."""
    await host.turn("Hello.")
    await host.settle()
    host.purge_plugins()
    await host.turn("Hello again.")
    await host.settle()
    count = len(backup_lines(host))
    fsync, synced = os.fsync, []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(len(host.saves)) or fsync(descriptor))
    before = len(host.saves)
    await host.insert("The cat sleeps on the printer.")
    assert synced[:1] == [before] and len(host.saves) == before + 1
    assert backup_lines(host)[-1]["text"] == "The cat sleeps on the printer." and len(backup_lines(host)) == count + 1
    await host.turn("My dog is called Rex.", fragments=["User's dog is called Rex"])
    await host.finish_memorizing()
    assert "User's dog is called Rex" in {line.get("text") for line in backup_lines(host)}


async def test_what_the_host_deletes_is_on_record(host: FakeHost) -> None:
    """T-64, T-43, contract 5: restoring brings back nothing that was deleted, but for what is named."""
    await learn(host)
    gone, seal = find(host, "3.9").id, find(host, "3.9").metadata["lineage"]["seal"]
    await (await host.memory()).delete_documents_by_ids([gone])
    [line] = [line for line in backup_lines(host) if "deleted" in line]
    assert (line["deleted"], line["by"]) == (gone, "host")
    assert cli.main(["restore", "--folder", str(host.memory_folder())]) == 0
    await carry_out(host)
    assert [document.page_content for document in host.docs.values()] == [NEW]
    assert cli.main(["restore", "--folder", str(host.memory_folder()), "--id", gone]) == 0
    await carry_out(host)
    assert host.docs[gone].page_content == OLD
    assert host.docs[gone].metadata["lineage"]["seal"] == seal


async def test_a_wiped_store_is_told_and_restored_on_order(host: FakeHost, capsys: pytest.CaptureFixture[str]) -> None:
    """T-64, T-69, C-91: one warning with the command; ids, status and pointers come back as they were."""
    await learn(host, *(f"note number {number}" for number in range(12)))
    before = {one: (axes(document), document.metadata["lineage"]) for one, document in host.docs.items()}
    texts = {one: document.page_content for one, document in host.docs.items()}
    await host.settle()
    wipe(host)
    await host.restart()
    await host.turn("Hello.")
    await host.settle()
    [warning] = [item for item in host.warnings if item.heading.startswith("Memory Ledger")]
    host.expected_warnings = 1
    assert "14 can be brought back" in warning.heading and f"\ncd {host.root} && " in warning.content
    assert f"restore --folder {host.memory_folder()}" in warning.content
    assert dict(host.docs) == {}
    await host.turn("Hello again.")
    await host.settle()
    assert cli.main(["restore", "--folder", str(host.memory_folder())]) == 0
    assert "14 memories will be brought back" in capsys.readouterr().err
    await carry_out(host)
    assert {one: document.page_content for one, document in host.docs.items()} == texts
    assert any("14 memories brought back" in item.content for item in host.log)
    await settle(host)
    assert {one: (axes(document), document.metadata["lineage"]) for one, document in host.docs.items()} == before
    await host.restart()
    host.expected_warnings = 0
    await host.turn("Is it still there?")
    assert {one: document.page_content for one, document in host.docs.items()} == texts


async def test_an_erased_memory_is_gone(host: FakeHost) -> None:
    """T-64: from the store, every file, the turns and the log of recalls; it does not come back."""
    await learn(host)
    gone = find(host, "3.11").id
    await host.turn("Which Python does my project use?", reply="It is 3.11; I would stay there for some months.")
    assert cli.main(["erase", "--folder", str(host.memory_folder()), gone]) == 0
    await carry_out(host)
    [item] = [item for item in host.log if "a memory was erased" in item.heading]
    assert "no file of the folder holds it any more" in item.content
    await rest(host)
    assert gone not in host.docs
    folder = host.memory_folder()
    paths = [path for path in [*folder.rglob("*"), *folder.parent.glob("*.json*")] if path.is_file()]
    assert [path.name for path in paths if gone.encode() in path.read_bytes()] == []
    assert '"erased":' in (folder / files.CHAIN_FILE).read_text()
    assert [path.name for path in paths if FIGURE.search(path.read_bytes())] == []
    await host.settle()
    wipe(host)
    await host.restart()
    assert cli.main(["restore", "--folder", str(folder)]) == 0
    await carry_out(host)
    assert [document.page_content for document in host.docs.values()] == [OLD]
    assert "3.11" in str([one.content for topic in host.agent.history.topics for one in topic.messages])
    assert FIGURE.search((folder / files.DATABASE_FILE).read_bytes()) is None


async def test_a_backup_that_cannot_be_written_is_told_once(host: FakeHost) -> None:
    """T-64: the chat goes on, every memory is stored, and one warning says so."""
    await host.turn("Hello.")
    await host.settle()
    path: Path = host.memory_folder() / files.BACKUP_FILE
    path.unlink(missing_ok=True)
    path.mkdir()
    await remember(host, "My project uses Python 3.9.", OLD)
    await remember(host, "My dog is called Rex.", "User's dog is called Rex")
    await host.run(CLASSIFIER)
    await host.settle()
    await host.run(CLASSIFIER)
    assert len(host.docs) == 2
    [warning] = [item for item in host.warnings if item.heading.startswith("Memory Ledger")]
    assert files.BACKUP_FILE in warning.content
    host.expected_warnings = 1
