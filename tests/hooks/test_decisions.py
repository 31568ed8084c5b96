"""What a person decides at a terminal about a running host's memories."""

from pathlib import Path

from fake_host import FakeHost
from hook_tools import axes, find, remember, settle
from memory_ledger import cli
from memory_ledger.store.conflicts import ConflictFile

OLD = "The staging server listens on port 8080"
NEW = "The staging server listens on port 9090"


async def test_undo_is_carried_out_at_the_next_turn_and_survives_a_restart(host: FakeHost) -> None:
    """T-70: the memory comes back as it stood, is saved, and is not retired again when the note is written anew."""
    await remember(host, f"{OLD}.", OLD)
    before = axes(find(host, OLD))
    await remember(host, f"Correction: the {NEW[4:]}.", NEW)
    await settle(host)
    assert axes(find(host, OLD))[0] == "deprecated"
    loser = find(host, OLD).metadata["id"]
    assert cli.main(["undo", loser, "--folder", str(host.memory_folder())]) == 0
    await host.turn("What is new?")
    assert axes(find(host, OLD)) == before
    await host.restart()
    await host.turn("And now?")
    assert axes(find(host, OLD)) == before
    assert find(host, OLD).metadata["lineage"]["superseded_by"] is None


async def test_decision_that_cannot_be_carried_out_is_told_once(host: FakeHost) -> None:
    """T-43, T-70: a memory that has gone since cannot be kept; the chat's log says so."""
    await remember(host, f"{OLD}.", OLD)
    await remember(host, f"Correction: the {NEW[4:]}.", NEW)
    await settle(host)
    loser, folder = find(host, OLD).metadata["id"], host.memory_folder()
    conflict = next(iter(ConflictFile(folder).get_conflicts()))
    assert cli.main(["resolve", conflict.id, "--keep", loser, "--folder", str(folder)]) == 0
    (await host.memory()).db.delete([loser])
    host.expected_warnings = 1
    for _ in range(2):
        await host.turn("What is new?")
    told = [item for item in host.warnings if "decisions that cannot be carried out" in item.heading]
    assert [f"memory {loser} is gone" in item.content for item in told] == [True]


async def contest(host: FakeHost) -> Path:
    """Let two notes that say nothing be at odds by their metadata; return the folder."""
    await host.turn("Hello.")
    memory = await host.memory()
    for note, value in (("Note 1 about Falcon", 30), ("Note 2 about Falcon", 60)):
        content = {"subject": "Falcon", "property": "wingspan", "value": value}
        origin = {"origin": "external_retrieved"} if value == 60 else {}
        await memory.insert_text(note, {"area": "main", "content": content, **origin})
    await host.turn("What is new?")
    await settle(host)
    return host.memory_folder()


async def test_structured_contents_are_contested_and_decided_by_a_strategy(host: FakeHost) -> None:
    """Q-44, Q-62: found at the next hook in the metadata of two notes that say nothing; both stay until then."""
    folder = await contest(host)
    (conflict,) = ConflictFile(folder).get_conflicts(unresolved=True)
    assert cli.main(["resolve", conflict.id, "--strategy", "source-priority", "--folder", str(folder)]) == 0
    await host.turn("And now?")
    assert axes(find(host, "Note 1 about Falcon"))[0] == "deprecated"
    assert axes(find(host, "Note 2 about Falcon"))[0] == "inferred"
