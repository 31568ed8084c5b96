"""Vectors and texts that disagree: no turn fails, and one command mends it (T-64)."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fake_host import FakeHost
from hook_tools import remember, rest
from memory_ledger import cli

TEXTS = ("The red fox sleeps under the shed", "The blue whale sings", "The grey owl hunts", "The green frog hides")
QUESTION = "Where does the red fox sleep?"


def lose_place(db: Any) -> None:
    """The last text stands nowhere."""
    db.index.remove_ids(np.array([3]))
    del db.index_to_docstore_id[3]


def lose_vector(db: Any) -> None:
    """The last place has no vector."""
    db.index.remove_ids(np.array([3]))


def lose_text(db: Any) -> None:
    """What the question is about has a vector and no text."""
    del db.docstore._dict[db.index_to_docstore_id[0]]


def gain_vector(db: Any) -> None:
    """A vector like that of the question has no id."""
    db.index.add(db.index.reconstruct(0).reshape(1, -1))


def name_twice(db: Any) -> None:
    """The first id stands at two places."""
    db.index.add(db.index.reconstruct(1).reshape(1, -1))
    db.index_to_docstore_id[4] = db.index_to_docstore_id[0]


DAMAGES = [lose_place, lose_vector, lose_text, gain_vector, name_twice]


async def learn(host: FakeHost) -> Any:
    for text in TEXTS:
        await remember(host, f"{text}.", text)
    await rest(host)
    return (await host.memory()).db


def assert_agreeing(host: FakeHost, db: Any) -> None:
    assert sorted(db.index_to_docstore_id.values()) == sorted(host.docs)
    assert db.index.ntotal == len(host.docs)
    for place, one in db.index_to_docstore_id.items():
        assert np.allclose(db.index.reconstruct(place), host.embedder.vector(host.docs[one].page_content), atol=1e-5)


@pytest.mark.parametrize("damage", DAMAGES)
async def test_no_turn_fails_and_one_command_mends_it(
    host: FakeHost, damage: Callable[[Any], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """T-64: a store that agrees is left alone; a torn one is named first, then mended at the next turn, and kept."""
    db = await learn(host)
    assert cli.main(["repair", "--folder", str(host.memory_folder())]) == 0
    assert capsys.readouterr().out == ""
    await host.turn("Hello.")
    await host.settle()
    assert not [*host.memory_folder().glob("damaged-*")]
    damage(db)
    (await host.memory())._save_db()
    await host.restart()
    db = (await host.memory()).db
    texts = {one: document.page_content for one, document in host.docs.items()}
    record = await host.turn(QUESTION)
    assert (TEXTS[0] in record.prompt.memories) is (TEXTS[0] in texts.values())
    await rest(host)
    folder = host.memory_folder()
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    assert cli.main(["repair", "--folder", str(folder), "--dry-run"]) == 0
    shown = capsys.readouterr()
    rows = [json.loads(line) for line in shown.out.splitlines()]
    assert [one["lacks"] for one in rows] == {lose_text: ["text"], gain_vector: []}.get(damage, ["vector"])
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before
    assert cli.main(["repair", "--folder", str(folder)]) == 0
    assert "at Agent Zero's next turn" in capsys.readouterr().err
    await host.turn("Hello.")
    await host.finish_memorizing()
    await host.settle()
    assert {one: document.page_content for one, document in host.docs.items()} == texts
    assert_agreeing(host, db)
    assert [path.is_dir() for path in folder.glob("damaged-*")] == [True]
    assert cli.main(["repair", "--folder", str(folder), "--dry-run"]) == 0
    told = capsys.readouterr()
    assert told.out == "" and "last repair, " in told.err and "the index as it was is in damaged-" in told.err
    await host.restart()
    assert_agreeing(host, (await host.memory()).db)
    record = await host.turn(QUESTION)
    assert (TEXTS[0] in record.prompt.memories) is (TEXTS[0] in texts.values())
    host.expected_warnings = len([one for one in host.warnings if "vectors do not match" in one.heading])


async def test_a_lost_text_comes_back_from_the_backup(host: FakeHost, capsys: pytest.CaptureFixture[str]) -> None:
    """T-64: its vector alone is no memory; `repair` says what brings it back."""
    db = await learn(host)
    texts = {one: document.page_content for one, document in host.docs.items()}
    lose_text(db)
    (await host.memory())._save_db()
    folder = str(host.memory_folder())
    assert cli.main(["repair", "--folder", folder, "--dry-run"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["in_backup"] and f"`memory-ledger restore --folder {folder}`" in shown.err
    assert cli.main(["restore", "--folder", folder]) == 0
    await host.turn("Hello.")
    await host.finish_memorizing()
    await host.settle()
    assert {one: document.page_content for one, document in host.docs.items()} == texts
    assert_agreeing(host, db)
