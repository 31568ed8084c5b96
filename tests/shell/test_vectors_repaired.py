"""Vectors and texts that disagree are mended in the host, and only there; nothing of a person's is lost (T-64)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from memory_ledger import cli
from memory_ledger.errors import StoreError
from memory_ledger.host.maintenance.run import StageReport, run_stages
from memory_ledger.host.maintenance.stages import STAGES
from memory_ledger.setting_groups import Backup
from memory_ledger.settings import Settings
from memory_ledger.store.backup import BackupWriter
from memory_ledger.store.docstore_file import Disagreement, find_disagreement
from memory_ledger.store.embedded import EmbeddedMemory
from memory_ledger.store.restore import Repaired, repair, repaired_words
from test_maintenance import make_job

TEXTS = ("the red fox", "the blue whale", "the grey owl", "the green frog")

# What came apart: where which id stands, whose texts there are, how many vectors; and what that is.
CASES = [
    pytest.param({}, [], 0, ((), (), 0), id="must not change: nothing"),
    pytest.param({0: "a", 1: "b"}, ["a", "b"], 2, ((), (), 0), id="must not change: all agrees"),
    pytest.param({1: "b", 0: "a"}, ["b", "a"], 2, ((), (), 0), id="must not change: in another order"),
    pytest.param({0: "a"}, ["a", "b"], 1, (("b",), (), 0), id="a text that stands nowhere"),
    pytest.param({0: "a", 1: "b"}, ["a", "b"], 1, (("b",), (), 0), id="a place without a vector"),
    pytest.param({0: "a", 1: "b"}, ["a"], 2, ((), ("b",), 0), id="a vector without a text"),
    pytest.param({0: "a"}, ["a"], 2, ((), (), 1), id="a vector without an id"),
    pytest.param({0: "a", 1: "b", 2: "a"}, ["a", "b"], 3, (("a",), (), 0), id="an id at two places"),
    pytest.param({0: "a", 1: "b"}, ["a", "c"], 2, (("c",), ("b",), 0), id="the same counts, other ids"),
]


@pytest.mark.parametrize(("positions", "texts", "vectors", "found"), CASES)
def test_what_disagrees(positions: dict[int, str], texts: list[str], vectors: int, found: tuple[Any, ...]) -> None:
    """T-64, contract 4: counts alone do not tell."""
    assert find_disagreement(positions, texts, vectors) == Disagreement(*found)


def lose_place(db: Any) -> None:
    db.index.remove_ids(np.array([3]))
    del db.index_to_docstore_id[3]


def lose_vector(db: Any) -> None:
    db.index.remove_ids(np.array([3]))


def lose_text(db: Any) -> None:
    del db.docstore._dict[db.index_to_docstore_id[1]]


def gain_vector(db: Any) -> None:
    db.index.add(np.ones((2, db.index.d), dtype=np.float32))


def name_twice(db: Any) -> None:
    db.index.add(db.index.reconstruct(1).reshape(1, -1))
    db.index_to_docstore_id[4] = db.index_to_docstore_id[0]


def shift(db: Any) -> None:
    ids = [*db.index_to_docstore_id.values()]
    db.index_to_docstore_id = dict(enumerate([*ids[1:], ids[0]]))


def delete_and_crash(db: Any) -> None:
    """The vectors of a save after a delete, the texts of the one before."""
    db.index.remove_ids(np.array([0]))


WAYS = [
    pytest.param(lose_place, 1, id="place"),
    pytest.param(lose_vector, 1, id="vector"),
    pytest.param(lose_text, 0, id="text"),
    pytest.param(gain_vector, 0, id="surplus"),
    pytest.param(name_twice, 1, id="twice"),
    pytest.param(shift, 4, id="shifted"),
    pytest.param(delete_and_crash, 4, id="mixed"),
]


@pytest.fixture
def full(known: Any) -> Any:
    """A folder with four memories, a backup hung on it, saved."""
    for text in TEXTS:
        known.insert(text)
    known.backup = BackupWriter(known.store, Backup(), memory_class=EmbeddedMemory)
    known.adopt()
    known.memory.save()
    return known


def assert_agreeing(box: Any) -> None:
    """Assert that each text has the one vector that is its own."""
    db = box.memory.db
    assert sorted(db.index_to_docstore_id.values()) == sorted(box.docs)
    assert db.index.ntotal == len(box.docs)
    for place, one in db.index_to_docstore_id.items():
        expected = box.embedder.vector(box.docs[one].page_content)
        assert np.allclose(db.index.reconstruct(place), expected, atol=1e-5)


def aside(box: Any) -> list[Path]:
    return sorted(box.folder.glob("damaged-*"))


def test_a_store_that_agrees_is_left_alone(full: Any) -> None:
    """T-64, must not change: no copy, no save; the model is asked for one text."""
    before, asked = (full.folder / "index.faiss").stat(), len(full.embedder.calls)
    assert repair(full.backup) == Repaired()
    assert aside(full) == [] and (full.folder / "index.faiss").stat() == before
    assert len(full.embedder.calls) == asked + 1


@pytest.mark.parametrize(("damage", "embedded"), WAYS)
def test_each_text_gets_its_vector(full: Any, damage: Callable[[Any], None], embedded: int) -> None:
    """T-64: as little as possible is embedded anew, no text changes, the next save says so; twice is once."""
    texts = dict(full.docs)
    before = {name: (full.folder / name).read_bytes() for name in ("index.faiss", "index.pkl")}
    damage(full.memory.db)
    kept = {one: document for one, document in texts.items() if one in full.docs}
    done = repair(full.backup)
    assert done.embedded == embedded
    assert dict(full.docs) == kept
    assert_agreeing(full)
    [folder] = aside(full)
    assert done.copy == folder.name in repaired_words(done)
    assert {one.name: one.read_bytes() for one in folder.iterdir()} == before  # the way back
    assert repair(full.backup) == Repaired()
    full.restart()
    assert_agreeing(full)
    full.adopt()
    assert set(full.recall("the green frog").ids) == set(full.docs)


def test_a_model_that_is_away_changes_nothing(full: Any) -> None:
    shift(full.memory.db)
    before, embed = dict(full.memory.db.index_to_docstore_id), full.embedder.embed_documents
    for answers in (0, 1):  # not at all; when it was asked whether the vectors fit, and no more
        left = iter([embed] * answers)
        full.embedder.embed_documents = lambda texts, left=left: next(left, lambda _: 1 / 0)(texts)
        with pytest.raises(StoreError, match="the embedding model fails: ZeroDivisionError"):
            repair(full.backup)
    assert full.memory.db.index_to_docstore_id == before and aside(full) == []
    full.embedder.embed_documents = embed
    assert repair(full.backup).embedded == 4
    assert_agreeing(full)


def test_one_bad_text_stops_no_other_and_no_copy_is_made_for_it_again(full: Any) -> None:
    lose_place(full.memory.db)
    lost = full.insert("the odd one")
    del full.memory.db.index_to_docstore_id[3]
    full.memory.db.index.remove_ids(np.array([3]))
    embed = full.embedder.embed_documents
    full.embedder.embed_documents = lambda texts: 1 / 0 if "the odd one" in texts else embed(texts)
    done = repair(full.backup)
    assert (done.embedded, list(done.failed)) == (1, [lost])
    assert "1 not embedded" in repaired_words(done) and full.docs[lost].page_content == "the odd one"
    assert list(repair(full.backup).failed) == [lost]
    assert len(aside(full)) == 1


def test_what_comes_meanwhile_is_kept(full: Any) -> None:
    """T-64: the host goes on inserting while texts are embedded."""
    shift(full.memory.db)
    embed, late = full.embedder.embed_documents, []

    def embed_and_insert(texts: list[str]) -> Any:
        if len(texts) > 1 and not late:
            late.append("")
            late.append(full.insert("the late bird"))
        return embed(texts)

    full.embedder.embed_documents = embed_and_insert
    assert repair(full.backup).embedded == 5
    assert late[1] in full.docs
    assert_agreeing(full)


def test_a_new_process_says_which_command_mends_it(full: Any) -> None:
    full.backup.end_turn()
    lose_place(full.memory.db)
    full.restart(is_saved=True)
    backup = BackupWriter(full.store, Backup(), memory_class=EmbeddedMemory)
    backup.end_turn()
    loss = backup.take_loss()
    assert loss is not None and loss.is_grave
    heading, content = loss.words(full.folder)
    assert "vectors do not match the texts" in heading and f"repair --folder {full.folder}" in content
    assert backup.take_loss() is None


def test_a_store_that_stands_alone_is_repaired_at_once(new_box: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """T-64, issue 22: nobody else would ever do it; the model is asked here."""
    alone = new_box(is_alone=True)
    for text in ("The cellar is wet", "The attic is dry", "The roof is red", "The door is blue"):
        alone.insert(text)
    alone.adopt()
    lose_place(alone.memory.db)
    alone.memory.save()
    alone.memory.close()
    assert cli.main(["repair", "--folder", str(alone.folder)], load=lambda: alone.embedder) == 0
    shown = capsys.readouterr()
    assert '"lacks": "vector"' in shown.out and "1 text embedded anew" in shown.err
    assert cli.main(["repair", "--folder", str(alone.folder), "--dry-run"]) == 0
    assert capsys.readouterr().out == ""


def look_at_index(box: Any, **settings: Any) -> StageReport:
    stages = [one for one in STAGES if one.name == "index"]
    return run_stages(make_job(box, Settings(**settings)), stages)


@pytest.mark.parametrize(("damage", "embedded"), WAYS[:5])
def test_maintenance_counts_and_mends_only_where_it_may(
    full: Any, damage: Callable[[Any], None], embedded: int
) -> None:
    damage(full.memory.db)
    before, asked = dict(full.memory.db.index_to_docstore_id), len(full.embedder.calls)
    report = look_at_index(full)
    assert "`memory-ledger repair`" in report.summary() and not report.failures
    assert full.memory.db.index_to_docstore_id == before and len(full.embedder.calls) == asked
    report = look_at_index(full, repair_index=True)
    assert report.outcomes["index"].counts["texts embedded anew"] == embedded
    assert_agreeing(full)
    assert look_at_index(full, repair_index=True).summary() == "nothing to do"
    assert len(aside(full)) == 1


def test_a_terminal_has_no_model_and_counts(full: Any) -> None:
    """T-64: where no host stands behind the store nothing is embedded, whatever the settings say."""
    lose_place(full.memory.db)
    del full.memory.db.__dict__["_memory_ledger_backup"]
    assert "1 texts without a vector" in look_at_index(full, repair_index=True).summary()
    assert aside(full) == []
