"""`memory-ledger maintain`: a store is looked after at a terminal, or a copy of it is."""

import json
from pathlib import Path
from typing import Any

import pytest
from full_disk import full_disk
from memory_ledger import cli
from memory_ledger.store import files
from memory_ledger.store.tables import write_counters


@pytest.fixture
def stored(known: Any) -> Any:
    """A store with two memories that nobody has recalled for sixty cycles, as `ingest` leaves it."""
    ids = [known.insert(f"The nginx proxy of the harbour, part {number}") for number in (1, 2)]
    known.adopt()
    known.store.save()
    assert [known.read(one).classification.utility.value for one in ids] == ["tactical"] * 2
    known.store.state.recall_cycle = 60
    write_counters(known.store.database, known.store.state)
    known.memory.close()
    return known


def run(capsys: pytest.CaptureFixture[str], box: Any, *options: str) -> dict[str, Any]:
    """Run the command; return what it said of each stage."""
    status = cli.main(["maintain", "--store", str(box.folder), *options])
    out, err = capsys.readouterr()
    assert status == 0, err
    assert "memory-ledger: looking for memories that have long been unused" in err
    return {row["stage"]: row for row in map(json.loads, out.splitlines())}


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_dry_run_says_what_would_be_done_and_does_nothing(stored: Any, capsys: pytest.CaptureFixture[str]) -> None:
    before, ids = content(stored.folder), sorted(stored.docs)
    said = run(capsys, stored, "--dry-run")
    assert said["archive"]["counts"] == {"archived": 2, "brought back": 0}
    assert sorted(said["archive"]["ids"]["archived"]) == ids
    assert sorted(said["link"]["ids"]["linked anew"]) == ids
    assert content(stored.folder) == before


def test_what_is_done_is_saved_and_done_once(stored: Any, capsys: pytest.CaptureFixture[str]) -> None:
    said = run(capsys, stored)
    stored.open()
    (one, other) = stored.docs
    assert [stored.read(each).classification.utility.value for each in (one, other)] == ["archived"] * 2
    assert stored.read(one).lineage.related_memory_ids == (other,)
    stored.memory.close()
    assert said["archive"]["counts"]["archived"] == 2
    assert not any(row["ids"] for row in run(capsys, stored).values())


def test_folder_of_agent_zero_is_only_looked_at(stored: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """T-64: its host would wipe an index that somebody else has changed."""
    (stored.folder / "embedding.json").write_text("{}")
    before = content(stored.folder)
    assert cli.main(["maintain", "--store", str(stored.folder)]) == 1
    assert "embedding.json of Agent Zero" in capsys.readouterr().err
    assert run(capsys, stored, "--dry-run")["archive"]["counts"]["archived"] == 2
    assert content(stored.folder) == before


def test_folder_without_a_store_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for options in ([], ["--dry-run"]):
        assert cli.main(["maintain", "--store", str(tmp_path), *options]) == 1
        assert "holds no store of this pack" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_stage_that_fails_is_named(stored: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"enable_purge": True}))
    with full_disk(stored.folder / files.DATABASE_FILE):
        assert cli.main(["maintain", "--store", str(stored.folder), "--config", str(config)]) == 1
    out, err = capsys.readouterr()
    assert "deduplicate failed: OSError" in err
    assert "link" in [json.loads(line)["stage"] for line in out.splitlines()]
