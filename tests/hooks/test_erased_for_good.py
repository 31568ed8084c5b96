"""After `erase` no byte of what a memory said is in any file, whatever became of it before (T-43, T-64)."""

from collections.abc import Awaitable, Callable

import pytest
from fake_host import ALL_GENERATIONS, FakeHost
from hook_tools import find, install_late, remember, settle
from memory_ledger import cli
from test_notes_in_a_host import index as index_notes
from test_notes_in_a_host import write as write_note

FIRST, SECOND, THIRD = (f"User's budget for the Falcon is {number} EUR a month" for number in (1734, 2865, 3976))
OTHER = "User waters the fern on Sundays"

#: Prepares a store; returns the memory to be erased, and what nobody may find afterwards.
Prepare = Callable[[FakeHost], Awaitable[tuple[str, list[str]]]]


async def rewrite(host: FakeHost, action: str, *texts: str) -> tuple[str, list[str]]:
    """Let the host put each text into the place of the one before; two of them before the pack sees either."""
    await remember(host, "Hello.", texts[0])
    for text in texts[1:]:
        old = next((one for one, found in host.docs.items() if found.page_content in texts), "")
        decision = {
            "action": action,
            "memories_to_remove": [old],
            "memories_to_update": [{"id": old, "new_content": text}],
            "new_memory_content": "" if action == "update" else text,
        }
        await host.turn("Go on.", fragments=[text], consolidation=decision)
        await host.finish_memorizing()
    await settle(host)
    return find(host, texts[-1]).id, list(texts)


#: What the host's memorizer may decide; without its model it lets go what is nearly the same.
REWRITES = {"update": (FIRST, SECOND, THIRD), "merge": (FIRST, SECOND, THIRD), "replace": (FIRST, SECOND)}
REWRITES |= {"skip": (FIRST, SECOND)}


def rewritten(action: str) -> Prepare:
    async def prepare(host: FakeHost) -> tuple[str, list[str]]:
        if action == "skip":
            host.configure(memory_memorize_consolidation=False, memory_memorize_replace_threshold=0.8)
        return await rewrite(host, action, *REWRITES[action])

    prepare.__name__ = action
    return prepare


async def superseded(host: FakeHost) -> tuple[str, list[str]]:
    await remember(host, "The budget of Falcon is 10000 EUR.", "The budget of Falcon is 10000 EUR")
    await remember(host, "Actually, the budget of Falcon is 12000 EUR.", "The budget of Falcon is 12000 EUR")
    gone = find(host, "10000")
    assert gone.metadata["classification"]["validity"] == "deprecated"
    return gone.id, ["The budget of Falcon is 10000 EUR"]


async def echoed(host: FakeHost) -> tuple[str, list[str]]:
    host.configure(memory_memorize_consolidation=False, memory_memorize_replace_threshold=0)
    fact, echo = "The user's project uses Python 3.11", "User's project uses Python 3.11."
    await remember(host, "Have a look around.", fact)
    await remember(host, "Which Python does the user's project uses?", echo, reply="The usual one.")
    assert find(host, echo).metadata["lineage"]["superseded_by"] == find(host, fact).id
    return find(host, fact).id, [fact, echo]


async def said_twice(host: FakeHost) -> tuple[str, list[str]]:
    await host.insert(FIRST)
    await host.insert(FIRST)
    await settle(host)
    return next(one for one in host.docs if host.docs[one].page_content == FIRST), [FIRST]


async def in_the_vault(host: FakeHost) -> tuple[str, list[str]]:
    await host.turn("Hello.")
    folder = str(host.memory_folder())
    assert cli.main(["vault", "add", FIRST, "--folder", folder]) == 0
    await host.turn("Go on.")
    gone = find(host, FIRST).id
    assert cli.main(["vault", "update", gone, SECOND, "--folder", folder]) == 0
    await host.turn("Go on.")
    return gone, [FIRST, SECOND]


async def said_in_the_vault(host: FakeHost) -> tuple[str, list[str]]:
    """A record says the same, and said something else before."""
    record, texts = await in_the_vault(host)
    await host.insert(SECOND)
    await settle(host)
    return next(one for one in host.docs if host.docs[one].page_content == SECOND and one != record), texts


async def in_a_note(host: FakeHost) -> tuple[str, list[str]]:
    await remember(host, "Hello.", FIRST)
    write_note(host, "money.md", f"# Money\n\n### Falcon\n\nAs of May: {FIRST}. The owl costs nothing.\n")
    write_note(host, "owl.json", f'{{"title": "Owl", "content": "Beside it: {FIRST}"}}')
    write_note(host, "fern.md", f"# Fern\n\n### Water\n\n{OTHER}.\n")
    await index_notes(host)
    assert FIRST in (host.memory_folder() / "faiss/notes_meta.json").read_text()
    return find(host, FIRST).id, [FIRST]


async def in_a_conflict(host: FakeHost) -> tuple[str, list[str]]:
    await host.turn("Hello.")
    memory = await host.memory()
    for note, value in ((FIRST, 30), (SECOND, 60)):
        content = {"subject": "Falcon", "property": "wingspan", "value": value, "why": note}
        await memory.insert_text(note, {"area": "main", "content": content})
    await host.turn("What is new?")
    await settle(host)
    assert find(host, FIRST).id in (host.memory_folder() / "conflicts.jsonl").read_text()
    return find(host, FIRST).id, [FIRST]


async def in_a_proposal(host: FakeHost) -> tuple[str, list[str]]:
    await install_late(host, "User's project uses Python 3.9", "User's project uses Python 3.11")
    assert b"Python 3.9" in (host.memory_folder() / "ledger.db").read_bytes()
    return find(host, "3.9").id, ["User's project uses Python 3.9"]


OF_OURS: list[Prepare] = [
    superseded, echoed, said_twice, in_the_vault, said_in_the_vault, in_a_note, in_a_conflict, in_a_proposal,
]  # fmt: skip
CASES = [(rewritten(action), generation) for action in REWRITES for generation in ALL_GENERATIONS]
CASES += [(one, ALL_GENERATIONS[-1]) for one in OF_OURS]


def files_that_say(host: FakeHost, texts: list[str]) -> list[str]:
    """Return every file of the memory folder, and beside it, that holds one of the texts, whatever it is for."""
    root = host.memory_folder().parent
    paths = [path for path in root.rglob("*") if path.is_file()]
    assert len(paths) > 5
    return [f"{path.relative_to(root)}: {text}" for path in sorted(paths) for text in texts
            if text.encode() in path.read_bytes()]  # fmt: skip


@pytest.mark.parametrize(
    ("prepare", "host"), CASES, indirect=["host"], ids=[f"{one.__name__}-{generation}" for one, generation in CASES]
)
async def test_no_byte_of_it_is_left(prepare: Prepare, host: FakeHost, capsys: pytest.CaptureFixture[str]) -> None:
    """T-43, T-64: not of what it says, of what it said before, nor of what only repeats it; nothing brings it back."""
    await host.insert(OTHER)
    gone, texts = await prepare(host)
    await host.settle()
    folder = host.memory_folder()
    assert files_that_say(host, texts)
    capsys.readouterr()
    assert cli.main(["erase", "--folder", str(folder), gone]) == 0
    assert "ledger_backup.jsonl" in capsys.readouterr().err
    await host.turn("Hello.")
    await host.settle()
    [item] = [item for item in host.log if "erased (" in item.heading]
    assert "no file of the folder holds it any more" in item.content
    assert "not ours to erase" in item.content
    assert files_that_say(host, texts) == []
    await host.turn("Hello again.")
    await host.settle()
    assert files_that_say(host, texts) == []
    assert find(host, OTHER)
    assert cli.main(["restore", "--folder", str(folder), "--deleted"]) == 0
    shown = capsys.readouterr()
    assert not [text for text in texts if text in shown.out]
