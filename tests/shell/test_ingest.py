"""Anybody's own data at the terminal: ingest, export and recall, stopped and killed wherever it hurts."""

import io
import json
import os
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from fake_host import FixedClock, HashingEmbedder
from memory_ledger import cli
from memory_ledger.errors import Problem
from memory_ledger.formats.memories import NewMemory, name_memories
from memory_ledger.host.adoption import ingest as ingest_module
from memory_ledger.host.adoption.ingest import open_ingest
from memory_ledger.settings import Settings
from memory_ledger.store import embedding, files
from memory_ledger.store.database import Database
from memory_ledger.store.docstore_file import read_docstore
from memory_ledger.store.proposals import count_proposals
from workspace import Workspace

OLD = {"text": "Heron uses Python 3.9", "source": "user_asserted", "timestamp": "2026-03-02T09:00:00Z"}
NEW = {"text": "Heron uses Python 3.12", "source": "user_asserted", "timestamp": "2026-03-04T09:00:00Z"}
GUESS = {"text": "Heron stores its readings in PostgreSQL", "source": "agent_inferred"}


def numbered(count: int) -> list[dict[str, Any]]:
    return [{"text": f"The API of node-{i % 7} listens on port {8000 + i}"} for i in range(count)]


def test_lines_become_memories_with_a_status(workspace) -> None:
    """C-24, C-30, T-03: in order; the source is believed, the metadata kept, and every memory classified."""
    assert workspace.ingest({**OLD, "metadata": {"chat": 7, "area": "fragments"}}, GUESS) == 0
    first, second = workspace.export()
    assert set(first) == {"id", "text", "metadata"}
    assert first["text"] == OLD["text"] and second["text"] == GUESS["text"]
    axes, lineage = first["metadata"]["classification"], first["metadata"]["lineage"]
    assert (axes["source"], axes["validity"], axes["utility"]) == ("user_asserted", "confirmed", "tactical")
    assert lineage["created_at"] == "2026-03-02T09:00:00Z"
    assert (first["metadata"]["chat"], first["metadata"]["area"]) == (7, "fragments")
    assert second["metadata"]["classification"]["source"] == "agent_inferred"
    assert "2 memories stored" in workspace.said


def test_contradictions_are_settled_as_they_come(workspace) -> None:
    """C-47, C-48: in a store that ingest makes nothing is put off to a report."""
    assert workspace.ingest(OLD, GUESS, NEW) == 0
    assert workspace.status() == {OLD["text"]: "deprecated", GUESS["text"]: "inferred", NEW["text"]: "confirmed"}
    assert count_proposals(Database(workspace.store)) == 0
    (row,) = [json.loads(line) for line in (workspace.store / files.JOURNAL_FILE).read_text().splitlines()]
    assert row["action"] == "supersede"


@pytest.mark.parametrize(
    ("earlier", "status"),
    [
        ("2026-03-02T09:00:00Z", "deprecated"),
        ("2026-03-04T08:59:59.5Z", "deprecated"),
        ("2026-03-04T10:59:59+02:00", "deprecated"),
        pytest.param(NEW["timestamp"], "confirmed", id="C-96 at equal times both stay"),
    ],
)
def test_the_time_of_a_line_decides_not_its_place(workspace, earlier, status) -> None:
    """C-47: what was stated earlier is the older, also by less than a second, and if its line comes later."""
    assert workspace.ingest(NEW, {**OLD, "timestamp": earlier}) == 0
    assert workspace.status() == {NEW["text"]: "confirmed", OLD["text"]: status}


def test_lines_without_a_time_are_in_their_order(workspace) -> None:
    ports = [NewMemory(text=f"The server listens on port {port}") for port in (8001, 8002, 8003)]
    with open_ingest(workspace.store, workspace.embedder, Settings(), clock=FixedClock()) as ingest:
        assert ingest.run(name_memories(ports)) == 3
    assert list(workspace.status().values()) == ["deprecated", "deprecated", "inferred"]


@pytest.mark.parametrize(("name", "status"), [("notes.md", "inferred"), ("notes.txt", "deprecated")])
def test_what_a_note_says_holds_at_once(workspace, capsys, name: str, status: str) -> None:
    """C-96: its lines have no order of time, so that no rule retires what somebody left standing there."""
    works = ["Alice Chen works at Acme", "Alice Chen works at Initech"]
    file = workspace.root / name
    file.write_text("".join(f"- {text}\n" if name.endswith("md") else f"{text}\n" for text in works))
    command = ["ingest", str(file), "--store", str(workspace.store)]
    assert cli.main(command, load=lambda: workspace.embedder) == 0
    assert workspace.status() == {works[0]: status, works[1]: "inferred"}
    assert cli.main(command, load=lambda: workspace.embedder) == 0
    assert "2 of 2 memories stored before" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("count", "later", "in_use"),
    [(2, "", 2), (6, "", 6), (6, "Build action: step-9.sh", 7), (2, "Build action: step-9.sh", 1)],
)
def test_a_list_stays_whole(workspace, count: int, later: str, in_use: int) -> None:
    """C-96: two values that were said at once may be a slip; three are a list, to which a later value adds."""
    names = ["Build action: step-0.sh", *(f"Build action: step-{n}.sh" for n in range(count))]  # the first twice
    rows = [{**GUESS, "text": name, "timestamp": OLD["timestamp"]} for name in names]
    last = [{"text": later, "source": "agent", "timestamp": NEW["timestamp"]}] if later else []
    assert workspace.ingest(*rows, *last) == 0
    assert [*workspace.status().values()].count("inferred") == in_use
    rows = [json.loads(line) for line in (workspace.store / files.CONFLICTS_FILE).read_text().splitlines()]
    assert len({row["id"] for row in rows}) == (5 if later and count == 2 else 2)


def test_a_correction_of_a_list_is_heard(workspace) -> None:
    """C-41: what says in words that it corrects is no item of the list."""
    rows = [{**OLD, "text": f"Build action: step-{n}.sh"} for n in range(3)]
    last = {"text": "The build action is step-9.sh now, not step-1.sh", "source": "user", "timestamp": NEW["timestamp"]}
    assert workspace.ingest(*rows, last) == 0
    assert workspace.status()["Build action: step-1.sh"] == "deprecated"


def test_equal_texts_stay_separate(workspace) -> None:
    """Item 11: in one file; another file brings as many of them as the store does not hold."""
    assert workspace.ingest(GUESS, GUESS, NEW) == 0
    assert workspace.ingest(GUESS, file="other.jsonl") == 0
    assert workspace.ingest(GUESS, GUESS, GUESS, file="third.jsonl") == 0
    assert workspace.texts() == [GUESS["text"], GUESS["text"], NEW["text"], GUESS["text"]]
    assert len({one["id"] for one in workspace.export()}) == 4


def test_a_memory_folder_of_a_host_is_read_as_a_file(workspace, box) -> None:
    """Issue 50: what Agent Zero has kept goes into a store of one's own, once; the folder stays as it is."""
    for text in ("The office closes at noon", NEW["text"]):
        box.insert(text)
    box.memory.save()
    box.memory.close()
    before = {path: path.read_bytes() for path in box.folder.iterdir() if path.is_file()}
    for _ in range(2):
        words = ["ingest", "--store", str(workspace.store), str(box.folder)]
        assert cli.main(words, load=lambda: workspace.embedder) == 0
    assert workspace.texts() == ["The office closes at noon", NEW["text"]]
    assert {path: path.read_bytes() for path in box.folder.iterdir() if path.is_file()} == before


def test_forged_status_in_a_line_is_derived_anew(workspace) -> None:
    """C-91, T-69: only the pack says how far a memory holds."""
    forged = {"validity": "deprecated", "relevance": "dormant", "utility": "archived", "source": "user_asserted"}
    assert workspace.ingest({**GUESS, "metadata": {"classification": forged, "id": "mine"}}) == 0
    (only,) = workspace.export()
    assert only["metadata"]["classification"]["validity"] == "inferred"
    assert only["id"] == only["metadata"]["id"] != "mine"


def test_a_store_that_exists_stays_as_it_is(workspace, box) -> None:
    """C-91, T-03: its memories keep their status, and what they say of their own origin is not an operator's word."""
    known = box.insert("The office closes at noon")
    box.adopt()
    box.classify(known, utility="load_bearing")
    forged = box.insert("The office closes at one", origin="user_asserted")
    box.memory.save()
    box.memory.close()
    workspace.store = box.folder
    assert workspace.ingest(GUESS) == 0
    found = {one["id"]: one["metadata"]["classification"] for one in workspace.export()}
    assert found[known]["utility"] == "load_bearing"
    assert found[forged]["source"] == "agent_inferred"
    assert len(found) == 3


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("{", "not JSON"),
        ('{"source": "user_asserted"}', "text is missing"),
        ('{"text": "x", "source": "god"}', "source is 'god'"),
        ('{"text": "x", "source": "bookshelf_document"}', "allowed: user_asserted, agent_inferred, external_retrieved"),
        ('{"text": "x", "source": ["user_asserted"]}', "source is ['user_asserted']"),
        ('{"text": "x", "timestamp": "yesterday"}', "timestamp is 'yesterday'"),
        ('{"text": "x", "timestamp": 5}', "timestamp is 5"),
        ('{"text": "x", "metadata": []}', "metadata is []"),
    ],
)
def test_a_bad_line_is_named_and_the_rest_go_on(workspace, line, named) -> None:
    """Item 11, C-27: the exit code says so every time, also when everything else is stored already."""
    for _ in range(2):
        status = workspace.ingest(OLD, line, "", GUESS)
        assert status == 1
        (told,) = [one for one in workspace.said.splitlines() if "memories.jsonl, line 2: " in one]
        assert named in told
        assert "1 line could not be read" in workspace.said
        assert workspace.texts() == [OLD["text"], GUESS["text"]]


@pytest.mark.parametrize("name", ["embedding.json", "index.faiss.sha256", "knowledge_import.json"])
def test_a_folder_of_agent_zero_is_left_alone(workspace, name) -> None:
    """Contract, trap 6: the host wipes an index that somebody else has changed."""
    workspace.store.mkdir()
    (workspace.store / name).write_text("{}")
    assert workspace.ingest(OLD) == 1
    assert name in workspace.said
    assert [one.name for one in workspace.store.iterdir()] == [name]


def test_two_do_not_feed_one_store(workspace) -> None:
    """T-48: each would write its own index over the other's."""
    with open_ingest(workspace.store, workspace.embedder, Settings(), clock=FixedClock()):
        assert workspace.ingest(OLD) == 1
    assert "one writer at a time" in workspace.said
    assert workspace.ingest(OLD) == 0


def test_a_store_of_its_own_keeps_a_backup(workspace, capsys) -> None:
    assert workspace.ingest(OLD, NEW) == 0
    before = workspace.export()
    for name in ("index.pkl", "index.faiss"):
        (workspace.store / name).unlink()
    assert cli.main(["restore", "--folder", str(workspace.store)], load=lambda: HashingEmbedder(64)) == 0
    capsys.readouterr()
    assert sorted(before, key=str) == sorted(workspace.export(), key=str)


@pytest.mark.parametrize("kind", ["json-lines", "markdown", "mem0"])
def test_what_is_written_for_others_is_read_again(workspace, kind: str, tmp_path: Path, capsys) -> None:
    """T-61: what is in use; what was replaced goes where its standing goes along, and is no new truth elsewhere."""
    notes = {"text": "Two lines\n\nof one note\n```\nwith code\n```\n---\n# and a heading"}
    assert workspace.ingest(OLD, NEW, notes) == 0
    file, there = tmp_path / "out", tmp_path / "there"
    assert cli.main(["export", "--as", kind, "--folder", str(workspace.store), "--out", str(file)]) == 0
    is_whole = kind == "json-lines"
    assert ("1 memory not in use any more left out" in capsys.readouterr().err) is not is_whole
    assert cli.main(["ingest", str(file), "--folder", str(there)], load=lambda: HashingEmbedder(64)) == 0
    found = [one.page_content.split() for one in read_docstore(there)[1].values()]
    assert found == [one["text"].split() for one in ([OLD] if is_whole else []) + [NEW, notes]]


def test_a_store_that_is_not_there_is_a_plain_message(workspace, capsys) -> None:
    assert workspace.recall("Which?")[0] == 1
    assert "allowed" in workspace.said
    assert cli.main(["export", "--store", str(workspace.store)]) == 1
    assert "allowed" in capsys.readouterr().err
    assert not workspace.store.exists()


def test_another_model_is_a_plain_message(workspace) -> None:
    workspace.ingest(OLD)
    workspace.embedder = HashingEmbedder(32)
    assert workspace.recall("Which?")[0] == 1
    assert "64 numbers; allowed: 32" in workspace.said


DRIVER = """
import os, sys
from fake_host import HashingEmbedder
from memory_ledger import cli
from memory_ledger.host.adoption import ingest

ingest._SMALLEST_PAUSE = 128  # so many memories from one save to the next

class Fatal(HashingEmbedder):
    batches = 0
    def embed_documents(self, texts):
        self.batches += 1
        if self.batches == int(sys.argv[2]):
            os.kill(os.getpid(), int(sys.argv[1]))
        return super().embed_documents(texts)

sys.exit(cli.main(["ingest", "--store", "store", "memories.jsonl"], load=lambda: Fatal(64)))
"""


def run_fatal(workspace: Workspace, signal_number: int, batch: int) -> subprocess.CompletedProcess[str]:
    """Run the command in a process that gets a signal while it embeds its `batch`-th 64 texts."""
    path = os.pathsep.join([str(Path(__file__).resolve().parents[1]), *sys.path])
    command = [sys.executable, "-c", DRIVER, str(int(signal_number)), str(batch)]
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(command, cwd=workspace.root, env=environment, capture_output=True, text=True, check=False)


def lasting(found: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Return what must not depend on when a line was stored: ids, texts, and what replaced what."""
    rows = []
    for one in found:
        lineage = one["metadata"]["lineage"]
        pointers = lineage["supersedes"], lineage["superseded_by"]
        rows.append((one["id"], one["text"], one["metadata"]["classification"], *pointers))
    return rows


_WHOLE: list[tuple[Any, ...]] = []


@pytest.fixture
def whole(workspace) -> list[tuple[Any, ...]]:
    """What 208 lines come to in one go, in another store; the first test that asks finds it for all."""
    workspace.write(*numbered(208))
    if not _WHOLE:
        workspace.store = workspace.root / "whole"
        assert workspace.ingest() == 0
        _WHOLE.extend(lasting(workspace.export()))
        workspace.store = workspace.root / "store"
    return _WHOLE


@pytest.mark.parametrize(
    ("number", "batch", "code", "said", "stored"),
    [
        pytest.param(signal.SIGTERM, 3, 1, "the same command continues", range(128, 208), id="what was read is saved"),
        pytest.param(signal.SIGKILL, 4, -9, "128 of 208", [128], id="after the first save"),
    ],
)
def test_a_stop_or_a_kill_loses_nothing_and_the_same_command_goes_on(
    workspace, whole, number, batch, code, said, stored
) -> None:
    """Item 11: nothing is stored twice, and in the end all is as in one go."""
    stopped = run_fatal(workspace, number, batch)
    assert stopped.returncode == code, stopped.stderr
    assert said in stopped.stderr
    assert (count := len(workspace.export())) in stored
    assert workspace.ingest() == 0
    assert f"{count} of 208 memories stored before" in workspace.said
    assert lasting(workspace.export()) == whole


def test_a_kill_between_the_two_files_of_a_save(workspace, whole) -> None:
    """Item 11: the vectors are new, the memories old; every memory keeps its own vector."""
    assert run_fatal(workspace, signal.SIGTERM, batch=2).returncode == 1
    before = (workspace.store / "index.pkl").read_bytes()
    assert run_fatal(workspace, signal.SIGTERM, batch=3).returncode == 1
    (workspace.store / "index.pkl").write_bytes(before)
    assert workspace.ingest() == 0
    assert lasting(workspace.export()) == whole
    live = [row for row in workspace.export() if row["metadata"]["classification"]["validity"] != "deprecated"]
    assert len(live) == 7
    _, answers = workspace.recall(*(row["text"] for row in live), options=("--k", "1", "--no-gate"))
    assert [answer["results"][0]["id"] for answer in answers] == [row["id"] for row in live]
    assert [answer["results"][0]["score"] for answer in answers] == pytest.approx([1.0] * len(live), abs=1e-5)


def test_a_kill_before_anything_is_whole(workspace) -> None:
    """Item 11: vectors without memories are no store yet."""
    workspace.ingest(OLD)
    (workspace.store / "index.pkl").unlink()
    assert workspace.ingest(OLD, NEW) == 0
    assert workspace.status() == {OLD["text"]: "deprecated", NEW["text"]: "confirmed"}


def test_a_file_that_has_grown_brings_what_is_new(workspace) -> None:
    """Item 11: wherever the new lines stand, whatever it is called, and whoever has shuffled it."""
    workspace.ingest(OLD, GUESS)
    workspace.ingest()
    workspace.ingest(OLD, GUESS, file="copy.jsonl")
    assert workspace.texts() == [OLD["text"], GUESS["text"]]
    assert workspace.ingest(NEW, OLD, GUESS, file="december.jsonl") == 0
    assert "2 of 3 memories stored before" in workspace.said
    assert workspace.ingest(GUESS, NEW, OLD) == 0
    assert workspace.texts() == [OLD["text"], GUESS["text"], NEW["text"]]


def test_a_row_is_known_by_its_own_id(workspace) -> None:
    """Item 11: the same text under two ids is said twice, and another text under one id is a new one."""
    rows = [{"id": 1, "text": "The door is green."}, {"id": 2, "text": "The door is green."}]
    workspace.ingest(*rows, rows[0])
    workspace.ingest(*reversed(rows), {"id": 2, "text": "The gate is red."}, file="other.jsonl")
    assert workspace.texts() == ["The door is green."] * 2 + ["The gate is red."]


def test_what_was_erased_does_not_come_back_with_a_file(workspace, capsys) -> None:
    workspace.ingest(OLD, GUESS)
    (row,) = [one for one in workspace.export() if one["text"] == GUESS["text"]]
    assert cli.main(["erase", row["id"], "--folder", str(workspace.store)], load=lambda: workspace.embedder) == 0
    capsys.readouterr()
    assert workspace.ingest(GUESS, OLD, NEW, file="december.jsonl") == 0
    assert "1 memory erased before, and left out" in workspace.said
    assert workspace.texts() == [OLD["text"], NEW["text"]]


@pytest.mark.parametrize(("typed", "words", "left"), [("n\n", (), 3), ("y\n", (), 1), ("", ("--yes",), 1)])
def test_a_person_is_asked_before_anything_is_erased(workspace, monkeypatch, capsys, typed, words, left) -> None:
    """T-64: several at once, each by the beginning of its id; it cannot be undone."""
    workspace.ingest(OLD, GUESS, NEW)
    command = ["erase", *(row["id"][:6] for row in workspace.export()[:2]), *words, "--folder", str(workspace.store)]
    monkeypatch.setattr(sys, "stdin", keyboard := io.StringIO(typed))
    keyboard.isatty = lambda: True
    assert cli.main(command, load=lambda: workspace.embedder) == (left == 3)
    assert ("cannot be undone" in capsys.readouterr().err) is not bool(words)
    assert len(workspace.export()) == left


def test_a_store_can_be_moved(workspace) -> None:
    """C-91: it is known wherever it lies; there is no second first look, which would put things off to a report."""
    workspace.ingest(OLD)
    workspace.store = workspace.store.rename(workspace.root / "moved")
    assert workspace.ingest(OLD, NEW) == 0
    assert workspace.status() == {OLD["text"]: "deprecated", NEW["text"]: "confirmed"}
    assert count_proposals(Database(workspace.store)) == 0


@pytest.mark.parametrize(("content", "status"), [("", 0), ("\n", 0), ('{"text": 7}', 1), ('{\n"text": "x",\n', 1)])
def test_nothing_to_store_leaves_no_folder(workspace, content: str, status: int) -> None:
    workspace.file.write_text(content)
    assert workspace.ingest() == status
    assert not workspace.store.exists()


def test_a_dry_run_shows_what_it_would_take(workspace, capsys) -> None:
    workspace.write(OLD, *numbered(7))
    command = ["ingest", str(workspace.file), "--store", str(workspace.store), "--dry-run"]
    assert cli.main(command) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines() == [OLD["text"], *(row["text"] for row in numbered(4))]
    assert "JSON Lines, 8 memories" in shown.err and not workspace.store.exists()


@pytest.mark.parametrize("command", ["scan", "classify"])
def test_a_filter_knows_the_keys_of_a_file(workspace, capsys, command: str) -> None:
    workspace.write({"memory": "my password is Kite&2211"}, {"content": "my password is Kite&2211"})
    assert cli.main([command, str(workspace.file)]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == second and ("password" in first or "classification" in first)


def test_one_memory_is_added_by_hand(workspace) -> None:
    """C-24: what a person types is the user's word, unless it is said to be the agent's."""
    for text, options in ((NEW["text"], ()), (GUESS["text"], ("--source", "agent"))):
        command = ["add", text, "--store", str(workspace.store), *options]
        assert cli.main(command, load=lambda: workspace.embedder) == 0
    found = {one["text"]: one["metadata"]["classification"]["source"] for one in workspace.export()}
    assert found == {NEW["text"]: "user_asserted", GUESS["text"]: "agent_inferred"}


def test_saves_become_rarer_and_texts_are_embedded_many_at_a_time(workspace, monkeypatch) -> None:
    """Item 11: every save writes the whole index, so a fixed pause would cost the square of the lines."""
    monkeypatch.setattr(ingest_module, "_SMALLEST_PAUSE", 64)
    monkeypatch.setattr(ingest_module, "_SHARE_OF_PAUSE", 0.5)
    told: list[int] = []
    notes = [NewMemory(text=f"note {i}") for i in range(256)]
    with open_ingest(workspace.store, workspace.embedder, Settings(), clock=FixedClock()) as ingest:
        assert ingest.run(name_memories(notes), tell_saved=told.append) == 256
    pauses = [after - before for before, after in pairwise(told)]
    assert min(pauses) >= 64 and pauses[-1] > pauses[0]
    assert workspace.embedder.count("documents") == 256 // 64


def test_what_cannot_be_read_in_a_memory_is_told(workspace) -> None:
    """P-04: a problem in the metadata of a line is reported, and stops nothing."""
    told: list[Problem] = []
    memory = NewMemory(text="note", metadata={"lineage": {"access_count": -1}})
    with open_ingest(workspace.store, workspace.embedder, Settings(), clock=FixedClock()) as ingest:
        assert ingest.run(name_memories([memory]), tell_problem=told.append) == 1
    assert any("access_count" in str(one) for one in told)


@pytest.mark.model
@pytest.mark.skipif(not embedding.is_installed(), reason="the extra `model` is not installed")
def test_the_three_commands_with_the_real_model(workspace, terminal) -> None:
    """Item 11: from a file to an answer, as at a terminal."""

    def run(*arguments: str) -> str:
        return subprocess.run(
            [terminal / "memory-ledger", *arguments], cwd=workspace.root, stdout=subprocess.PIPE, text=True, check=True
        ).stdout

    workspace.write(OLD, GUESS, NEW)
    run("ingest", "--store", "store", "memories.jsonl")
    assert workspace.status()[OLD["text"]] == "deprecated"
    (workspace.root / "queries.txt").write_text("Which version of Python does Heron run on?\n")
    (best,) = json.loads(run("recall", "--store", "store", "--queries", "queries.txt", "--k", "1"))["results"]
    assert best["id"] == next(one["id"] for one in workspace.export() if one["text"] == NEW["text"])


def test_maintenance_retires_the_copies_in_a_store_of_ones_own(workspace, capsys):
    """Issue 45: the pack has put them there itself, so nobody is asked; the fuller one stays."""

    class Near(HashingEmbedder):
        """To which all that speaks of an ETF is near."""

        def vector(self, text: str) -> list[float]:
            return super().vector("ETF" if "ETF" in text else text)

    workspace.embedder = Near(64)
    texts = [
        "User saves 300 a month in a world ETF.",
        "The choir meets on Mondays.",
        "User puts 300 into a world ETF every month, on the 5th.",
        "The choir meets on Mondays.",
        "Fuse 8 is the kitchen.",
    ]
    assert workspace.ingest(*({"text": text} for text in texts)) == 0
    assert cli.main(["maintain", "--folder", str(workspace.store)]) == 0
    stages = {row["stage"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert len(stages["deduplicate"]["ids"]["duplicates retired"]) == 2
    rows = workspace.export()
    used = [one["text"] for one in rows if one["metadata"]["classification"]["validity"] != "deprecated"]
    assert sorted(used) == sorted([texts[2], texts[3], texts[4]])
