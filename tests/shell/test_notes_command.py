"""`memory-ledger notes`, and the module that the specification names (V-05, V-09, V-11)."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fake_host import FixedClock, HashingEmbedder
from jsonschema import Draft202012Validator
from memory_ledger import cli
from memory_ledger.host.notes.builder import NotesModel, build_index
from memory_ledger.host.notes.notes_faiss import INDEX_FOLDER, META_FILE
from memory_ledger.notes import load_and_index
from memory_ledger.notes.chunker import SemanticChunker
from memory_ledger.notes.model import NotesMeta
from memory_ledger.settings import Settings
from memory_ledger.store import embedding

ROOT = Path(__file__).resolve().parents[2]
LOCAL = f"huggingface/{embedding.HUB_NAME}"
needs_model = pytest.mark.skipif(not embedding.is_installed(), reason="the extra `model` is not installed")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A memory folder with two notes that are indexed, and a file that is none."""
    notes = tmp_path / "default/user_notes"
    notes.mkdir(parents=True)
    (notes / "heron.md").write_text("# Heron\n\n### Deploy\n\nDeploys run on Fridays.\n")
    (notes / "taxes.md").write_text("### Receipts\n\nDue in May.\n")
    (notes / "picture.md").write_bytes(b"\0")
    model = NotesModel(LOCAL, lambda: HashingEmbedder(64))
    build_index(notes, notes.parent / INDEX_FOLDER, model, SemanticChunker(), FixedClock())
    return notes.parent


def run(capsys: pytest.CaptureFixture[str], *argv: object) -> tuple[int, str, str]:
    status = cli.main(["notes", *map(str, argv)])
    return status, *capsys.readouterr()


def test_status(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """V-09, V-11: model, pieces, what has changed since, and what was left out and why; nothing is loaded."""
    (folder / "user_notes/new.md").write_text("owls")
    (folder / "user_notes/taxes.md").write_text("### Receipts\n\nDue in June.\n")
    (folder / "user_notes/heron.md").unlink()
    code, out, _ = run(capsys, "status", "--folder", folder)
    found = json.loads(out)
    assert code == 0
    assert {key: found[key] for key in ("model", "dimension", "pieces", "new", "changed", "gone")} == {
        "model": LOCAL, "dimension": 64, "pieces": 2, "new": 1, "changed": 1, "gone": 1
    }  # fmt: skip
    assert found["notes"] == {"heron.md": "Heron", "taxes.md": "taxes"}
    assert found["left_out"] == [{"file": "picture.md", "found": "binary data", "allowed": "a text in UTF-8"}]


@pytest.mark.parametrize(
    "start", [lambda *argv: cli.main(["notes", "index", *argv]), lambda *argv: load_and_index.main(argv)]
)
def test_index_without_news(folder: Path, capsys: pytest.CaptureFixture[str], start: Any) -> None:
    """V-05, V-11: the command and the module are one; the model is not loaded, what is no note is named."""
    before = (folder / INDEX_FOLDER / META_FILE).read_bytes()
    assert start("--folder", str(folder)) == 1
    out, err = capsys.readouterr()
    assert out == "2 notes unchanged: 2 pieces, 0 embedded now\n"
    assert err == "memory-ledger: left out: picture.md is binary data; allowed: a text in UTF-8\n"
    assert (folder / INDEX_FOLDER / META_FILE).read_bytes() == before
    (folder / "user_notes/picture.md").unlink()
    assert start("--folder", str(folder)) == 0


def test_the_module_runs_by_its_name(folder: Path) -> None:
    command = [sys.executable, "-m", "memory_ledger.notes.load_and_index", "--folder", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "2 notes unchanged: 2 pieces, 0 embedded now\n", done.stderr


def test_what_cannot_be_done_is_said(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for argv, said in (
        (("status", "--folder", tmp_path), "is missing; allowed: an index of notes"),
        (("search", "--folder", tmp_path, "x"), "is missing; allowed: an index of notes"),
        (("index", "--folder", folder, "--notes", tmp_path / "no"), "allowed: a folder of notes"),
        (("search", "--folder", folder, "x", "--note-id", "gone.md"), "no note gone.md; allowed"),
    ):
        code, out, err = run(capsys, *argv)
        assert (code, out) == (1, "") and said in err
    (folder / "embedding.json").write_text('{"model_provider": "openai", "model_name": "small"}')
    for action in (("index",), ("search", "x")):
        code, _, err = run(capsys, action[0], "--folder", folder, *action[1:])
        assert code == 1 and "openai/small" in err
    config = tmp_path / "config.json"
    config.write_text('{"notes": {"embedding_model": "all-mpnet-base-v2"}}')
    code, _, err = run(capsys, "search", "--folder", folder, "x", "--config", config)
    assert code == 1 and "asked with huggingface/sentence-transformers/all-mpnet-base-v2" in err


@pytest.mark.model
@needs_model
def test_a_model_that_is_not_there_is_named(folder: Path, tmp_path: Path, terminal: Path) -> None:
    """V-12, T-20: the setting is what is looked for; without a network that is said, and the old index stays."""
    config = tmp_path / "config.json"
    config.write_text('{"notes": {"embedding_model": "all-mpnet-base-v2"}}')
    before = (folder / INDEX_FOLDER / META_FILE).read_bytes()
    done = subprocess.run(
        [terminal / "memory-ledger", "notes", "index", "--folder", folder, "--config", config],
        env={**os.environ, "HF_ENDPOINT": "http://127.0.0.1:9"},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "sentence-transformers/all-mpnet-base-v2: http://127.0.0.1:9 cannot be reached" in done.stderr
    assert (folder / INDEX_FOLDER / META_FILE).read_bytes() == before


def _strict(schema: Any) -> Any:
    """Return a JSON Schema by which nothing that it does not name is valid."""
    if isinstance(schema, list):
        return [_strict(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {"additionalProperties": False} if isinstance(schema.get("properties"), dict) else {}
    return {**closed, **{key: _strict(one) for key, one in schema.items()}}


def test_schema_describes_settings_and_index(folder: Path) -> None:
    """V-09: every key of the settings group and of a real notes_meta.json, with its meaning."""
    schema = json.loads((ROOT / "config/faiss_schema.json").read_text())
    settings, described = schema["properties"]["notes"], schema["properties"]["notes_meta"]
    assert {key: one["default"] for key, one in settings["properties"].items()} == Settings().notes.model_dump(
        mode="json"
    )
    meta = json.loads((folder / INDEX_FOLDER / META_FILE).read_text())
    Draft202012Validator(_strict(described)).validate(meta)
    assert described["properties"]["index_type"]["const"] == "IndexFlatIP"
    assert set(described["required"]) == set(meta) == set(NotesMeta.model_fields)
    assert "$ref" not in json.dumps(schema)


@pytest.mark.model
@needs_model
def test_stopped_with_control_c_and_gone_on_with(tmp_path: Path, terminal: Path) -> None:
    """V-11: progress is shown, Ctrl-C ends it in order, and the next run embeds the rest only; then it is found."""
    notes = tmp_path / "default/user_notes"
    notes.mkdir(parents=True)
    for number in range(160):
        (notes / f"n{number:03}.md").write_text(
            f"### Room {number}\n\nThe key of room {number} hangs on hook {number}.\n"
        )
    (notes / "last.md").write_text("### Tea\n\nThe kettle stands in the kitchen beside the window.\n")
    command = [sys.executable, "-m", "memory_ledger.cli", "notes", "index", "--folder", str(tmp_path / "default")]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background job ignores it
    ) as process:
        assert process.stderr is not None
        said = [process.stderr.readline() for _ in range(3)]
        process.send_signal(signal.SIGINT)
        _, rest = process.communicate()
    assert said[:2] == ["memory-ledger: 0 of 161 pieces embedded\n", "memory-ledger: 32 of 161 pieces embedded\n"]
    assert process.returncode == 1 and rest.endswith(
        "stopped; what was embedded is kept, and the next run continues from there\n"
    )
    command = [str(terminal / "memory-ledger"), *command[3:]]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    first = int(done.stderr.split(" of ", 2)[1].split()[0])
    assert 0 < first <= 161 - 64
    assert done.stdout == f"161 notes indexed: 161 pieces, {first} embedded now\n"
    search = [*command[:2], "search", *command[3:], "where is the water boiled?", "--limit", "1"]
    found = json.loads(subprocess.run(search, capture_output=True, text=True, check=True).stdout)
    assert (found["note_id"], found["section"], found["line"]) == ("last.md", "Tea", 1)
