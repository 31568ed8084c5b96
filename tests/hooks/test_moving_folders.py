"""Memories come from and leave for other folders in a running host (C-91, T-61, T-64)."""

import json
from pathlib import Path

import pytest
from fake_host import FakeHost
from hook_tools import NEW, OLD, axes, find, learn_two_versions, settle, use_folder
from memory_ledger import cli


async def know_both(host: FakeHost) -> None:
    """Let one memory replace another, and have the host save."""
    await learn_two_versions(host)
    await settle(host)


async def export_both(host: FakeHost, folder: Path) -> None:
    """Export both into an archive."""
    await know_both(host)
    here, archive = str(host.memory_folder("default")), str(folder / "archive.jsonl")
    assert cli.main(["export", "--folder", here, "--out", archive]) == 0


def texts_of(host: FakeHost, subdir: str) -> set[str]:
    """Return what a memory folder holds."""
    return {document.page_content for document in host.docs_of(subdir).values()}


async def open_folder(host: FakeHost, subdir: str) -> None:
    """Take a turn in another memory folder."""
    use_folder(host, subdir)
    await host.turn("Hello.")
    await settle(host)


async def test_moved_memories_arrive_with_their_status_and_then_leave(host: FakeHost, capsys) -> None:
    """C-91, T-64: a restart finds both folders as they should be; the old one's backup restores nothing of it."""
    await know_both(host)
    here, there = host.memory_folder("default"), host.memory_folder("office")
    before = {document.page_content: axes(document) for document in host.docs_of("default").values()}
    moved = set(host.docs_of("default"))
    assert cli.main(["move", "--folder", str(here), "--to", str(there), "--all"]) == 0
    assert "at Agent Zero's next turn there" in capsys.readouterr().out
    await settle(host)
    assert texts_of(host, "default") == {OLD, NEW}
    await open_folder(host, "office")
    assert {document.page_content: axes(document) for document in host.docs_of("office").values()} == before
    await open_folder(host, "default")
    assert host.docs_of("default") == {}
    await host.restart()
    await open_folder(host, "default")
    await open_folder(host, "office")
    assert texts_of(host, "default") == set()
    assert {document.page_content: axes(document) for document in host.docs_of("office").values()} == before
    record = await host.turn("User's project uses Python")
    assert "3.11" in record.prompt.memories and "3.9" not in record.prompt.memories
    backups = [(folder / "ledger_backup.jsonl").read_text().splitlines() for folder in (here, there)]
    gone, came = ([json.loads(line) for line in lines] for lines in backups)
    assert {(row["deleted"], row["by"]) for row in gone if "deleted" in row} == {(one, "move") for one in moved}
    assert {row["id"] for row in came if "text" in row} == moved
    assert cli.main(["restore", "--folder", str(here)]) == 0
    await open_folder(host, "default")
    assert host.docs_of("default") == {}


async def test_what_the_host_refuses_is_told_in_the_chat(host: FakeHost, tmp_path: Path) -> None:
    """C-74: an id that another text got in between; one warning, and the rest come."""
    await export_both(host, tmp_path)
    old_id = find(host, "3.9").metadata["id"]
    await open_folder(host, "office")
    assert cli.main(["import", "--folder", str(host.memory_folder("office")), str(tmp_path / "archive.jsonl")]) == 0
    memory = await host.memory()
    memory.db.add_texts(["The cat sleeps"], metadatas=[{"id": old_id, "area": "main"}], ids=[old_id])
    host.expected_warnings = 1
    await settle(host)
    await settle(host)
    assert texts_of(host, "office") == {"The cat sleeps", NEW}
    (told,) = [item for item in host.warnings if "cannot be carried out" in item.heading]
    assert "taken by 'The cat sleeps'" in told.content


@pytest.mark.parametrize("verb", ["copy", "move"])
async def test_deleting_what_was_left_behind_reaches_nothing_else(host: FakeHost, verb: str) -> None:
    """T-61: no pointer leads from one folder into the other."""
    await know_both(host)
    winner = find(host, "3.11").metadata["id"]
    here, there = host.memory_folder("default"), host.memory_folder("office")
    assert cli.main([verb, "--folder", str(here), "--to", str(there), "--id", winner]) == 0
    await open_folder(host, "office")
    assert winner in host.docs_of("office")
    assert host.docs_of("office")[winner].metadata["lineage"]["supersedes"] is None
    await open_folder(host, "default")
    (loser,) = [one for one in host.docs_of("default") if one != winner]
    pointer = host.docs_of("default")[loser].metadata["lineage"]["superseded_by"]
    assert pointer == (None if verb == "move" else winner)
