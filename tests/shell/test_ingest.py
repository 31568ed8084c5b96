"""Anybody's own data at the terminal: ingest, export and recall, stopped and killed wherever it hurts."""

import json
import os
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from desk_tools import Desk
from fake_host import FixedClock, HashingEmbedder
from memory_ledger import cli
from memory_ledger.errors import Problem, StoreError
from memory_ledger.host.adoption.ingest import open_ingest
from memory_ledger.host.adoption.line_file import LineFile, NewMemory
from memory_ledger.host.docstore import minilm
from memory_ledger.host.storage import files
from memory_ledger.settings import Settings

OLD = {"text": "Heron uses Python 3.9", "source": "user_asserted", "timestamp": "2026-03-02T09:00:00Z"}
NEW = {"text": "Heron uses Python 3.12", "source": "user_asserted", "timestamp": "2026-03-04T09:00:00Z"}
GUESS = {"text": "Heron stores its readings in PostgreSQL", "source": "agent_inferred"}


def numbered(count: int) -> list[dict[str, Any]]:
    """Return so many memories, some of which replace others."""
    return [{"text": f"The API of node-{i % 7} listens on port {8000 + i}"} for i in range(count)]


# --- what is stored --------------------------------------------------------------------------------------------------


def test_lines_become_memories_with_a_standing(desk) -> None:
    """C-24, C-30, T-03: in order; the source is believed, the metadata kept, and every memory classified."""
    assert desk.ingest({**OLD, "metadata": {"chat": 7, "area": "fragments"}}, GUESS) == 0
    first, second = desk.export()
    assert set(first) == {"id", "text", "metadata"}
    assert first["text"] == OLD["text"] and second["text"] == GUESS["text"]
    axes, lineage = first["metadata"]["classification"], first["metadata"]["lineage"]
    assert (axes["source"], axes["validity"], axes["utility"]) == ("user_asserted", "confirmed", "tactical")
    assert lineage["created_at"] == "2026-03-02T09:00:00Z"
    assert (first["metadata"]["chat"], first["metadata"]["area"]) == (7, "fragments")
    assert second["metadata"]["classification"]["source"] == "agent_inferred"
    assert "2 memories stored" in desk.said


def test_contradictions_are_settled_as_they_come(desk) -> None:
    """C-47, C-48: in a store that ingest makes nothing is put off to a report."""
    assert desk.ingest(OLD, GUESS, NEW) == 0
    assert desk.status_of() == {OLD["text"]: "deprecated", GUESS["text"]: "inferred", NEW["text"]: "confirmed"}
    assert not (desk.store / files.PROPOSALS_FILE).exists()
    (row,) = [json.loads(line) for line in (desk.store / files.JOURNAL_FILE).read_text().splitlines()]
    assert row["action"] == "supersede"


@pytest.mark.parametrize("earlier", ["2026-03-02T09:00:00Z", "2026-03-04T08:59:59.5Z", "2026-03-04T10:59:59+02:00"])
def test_the_time_of_a_line_decides_not_its_place(desk, earlier) -> None:
    """C-47: what was stated earlier is the older, also by less than a second, and if its line comes later."""
    assert desk.ingest(NEW, {**OLD, "timestamp": earlier}) == 0
    assert desk.status_of() == {NEW["text"]: "confirmed", OLD["text"]: "deprecated"}


def test_at_equal_times_both_stay(desk) -> None:
    """C-96."""
    assert desk.ingest(OLD, {**NEW, "timestamp": OLD["timestamp"]}) == 0
    assert set(desk.status_of().values()) == {"confirmed"}


def test_lines_without_a_time_are_in_their_order(desk) -> None:
    """C-47: although the clock stands still."""
    ports = [NewMemory(text=f"The server listens on port {port}") for port in (8001, 8002, 8003)]
    desk.write(*({"text": one.text} for one in ports))
    marks = [mark for mark, _ in LineFile(desk.file)]
    with open_ingest(desk.store, desk.embedder, Settings(), clock=FixedClock()) as ingest:
        assert ingest.run(zip(marks, ports, strict=True)) == 3
    assert list(desk.status_of().values()) == ["deprecated", "deprecated", "inferred"]


def test_equal_texts_stay_separate(desk) -> None:
    """Item 11: in one file, and in two."""
    assert desk.ingest(GUESS, GUESS, NEW) == 0
    assert desk.ingest(GUESS, file="other.jsonl") == 0
    assert desk.texts() == [GUESS["text"], GUESS["text"], NEW["text"], GUESS["text"]]
    assert len({one["id"] for one in desk.export()}) == 4


def test_forged_standing_in_a_line_is_derived_anew(desk) -> None:
    """C-91, T-69: only the pack says how far a memory holds."""
    forged = {"validity": "deprecated", "relevance": "dormant", "utility": "archived", "source": "user_asserted"}
    assert desk.ingest({**GUESS, "metadata": {"classification": forged, "id": "mine"}}) == 0
    (only,) = desk.export()
    assert only["metadata"]["classification"]["validity"] == "inferred"
    assert only["id"] == only["metadata"]["id"] != "mine"


def test_a_store_that_exists_stays_as_it_is(desk, box) -> None:
    """C-91, T-03: its memories keep their status, and what they say of their own origin is not an operator's word."""
    known = box.insert("The office closes at noon")
    box.adopt()
    box.classify(known, utility="load_bearing")
    forged = box.insert("The office closes at one", origin="user_asserted")
    box.memory.save()
    box.memory.close()
    desk.store = box.folder
    assert desk.ingest(GUESS) == 0
    found = {one["id"]: one["metadata"]["classification"] for one in desk.export()}
    assert found[known]["utility"] == "load_bearing"
    assert found[forged]["source"] == "agent_inferred"
    assert len(found) == 3


# --- lines that are wrong --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("{", "not JSON"),
        ('["text"]', "a JSON object"),
        ('{"source": "user_asserted"}', "text is missing"),
        ('{"text": " "}', "text is ' '"),
        ('{"text": "half \\ud800"}', "not Unicode"),
        ('{"text": "x", "source": "god"}', "source is 'god'"),
        ('{"text": "x", "source": "bookshelf_document"}', "allowed: user_asserted, agent_inferred, external_retrieved"),
        ('{"text": "x", "source": ["user_asserted"]}', "source is ['user_asserted']"),
        ('{"text": "x", "timestamp": "yesterday"}', "timestamp is 'yesterday'"),
        ('{"text": "x", "timestamp": 5}', "timestamp is 5"),
        ('{"text": "x", "metadata": []}', "metadata is []"),
    ],
)
def test_a_bad_line_is_named_and_the_rest_go_on(desk, line, named) -> None:
    """Item 11, C-27: the exit code says so every time, also when everything else is stored already."""
    for _ in range(2):
        status = desk.ingest(OLD, line, "", GUESS)
        assert status == 1
        (told,) = [one for one in desk.said.splitlines() if "memories.jsonl, line 2: " in one]
        assert named in told
        assert "1 line could not be read" in desk.said
        assert desk.texts() == [OLD["text"], GUESS["text"]]


def test_bytes_that_are_no_text_are_named(desk) -> None:
    desk.file.write_bytes(b"\xef\xbb\xbf" + json.dumps(OLD).encode() + b'\r\n{"text": "\xff"}')
    assert desk.ingest() == 1
    assert "line 2: not Unicode" in desk.said
    assert desk.texts() == [OLD["text"]]


@pytest.mark.parametrize("name", ["embedding.json", "index.faiss.sha256", "knowledge_import.json"])
def test_a_folder_of_agent_zero_is_left_alone(desk, name) -> None:
    """Contract, trap 6: the host wipes an index that somebody else has changed."""
    desk.store.mkdir()
    (desk.store / name).write_text("{}")
    with pytest.raises(StoreError, match=name):
        desk.ingest(OLD)
    assert [one.name for one in desk.store.iterdir()] == [name]


def test_two_do_not_feed_one_store(desk) -> None:
    """T-48: each would write its own index over the other's."""
    with (
        open_ingest(desk.store, desk.embedder, Settings(), clock=FixedClock()),
        pytest.raises(StoreError, match="one writer at a time"),
    ):
        desk.ingest(OLD)
    assert desk.ingest(OLD) == 0


@pytest.mark.parametrize("command", ["export", "recall"])
def test_a_store_that_is_not_there_is_a_plain_message(desk, command, capsys) -> None:
    """Errors say where, what was found, what is allowed; and nothing is made by asking."""
    if command == "export":
        assert cli.main(["export", "--store", str(desk.store)]) == 1
        assert "allowed" in capsys.readouterr().err
    else:
        with pytest.raises(StoreError, match="allowed"):
            desk.recall("Which?")
    assert not desk.store.exists()


def test_another_model_is_a_plain_message(desk) -> None:
    desk.ingest(OLD)
    desk.embedder = HashingEmbedder(32)
    with pytest.raises(StoreError, match="64 numbers; allowed: 32"):
        desk.recall("Which?")


# --- stopped, killed, gone on with -----------------------------------------------------------------------------------

DRIVER = """
import os, sys
from fake_host import HashingEmbedder
from memory_ledger import cli
from memory_ledger.cli import stores

class Fatal(HashingEmbedder):
    batches = 0
    def embed_documents(self, texts):
        self.batches += 1
        if self.batches == int(sys.argv[2]):
            os.kill(os.getpid(), int(sys.argv[1]))
        return super().embed_documents(texts)

options = cli._parser().parse_args(["ingest", "--store", "store", "memories.jsonl"])
sys.exit(stores.run_ingest(options, load=lambda: Fatal(64)))
"""


def run_fatal(desk: Desk, signal_number: int, batch: int) -> subprocess.CompletedProcess[str]:
    """Run the command in a process that gets a signal while it embeds its `batch`-th 64 texts."""
    path = os.pathsep.join([str(Path(__file__).resolve().parents[1]), *sys.path])
    return subprocess.run(
        [sys.executable, "-c", DRIVER, str(int(signal_number)), str(batch)],
        cwd=desk.root,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def lasting(found: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Return what must not depend on when a line was stored: ids, texts, and what replaced what."""
    return [
        (
            one["id"],
            one["text"],
            one["metadata"]["ingested"]["line"],
            one["metadata"]["classification"],
            one["metadata"]["lineage"]["supersedes"],
            one["metadata"]["lineage"]["superseded_by"],
        )
        for one in found
    ]


@pytest.fixture(scope="module")
def found_whole() -> list[tuple[Any, ...]]:
    """What the first test that asks has found; the others ask no store again."""
    return []


@pytest.fixture
def whole(desk, found_whole) -> list[tuple[Any, ...]]:
    """What 400 lines come to in one go; the store is another one."""
    desk.write(*numbered(400))
    if not found_whole:
        desk.store = desk.root / "whole"
        assert desk.ingest() == 0
        found_whole += lasting(desk.export())
        desk.store = desk.root / "store"
    return found_whole


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_is_orderly_and_the_same_command_goes_on(desk, whole, number) -> None:
    """Item 11: what was adopted is saved, nothing is stored twice, and in the end all is as in one go."""
    stopped = run_fatal(desk, number, batch=3)
    assert stopped.returncode == 1, stopped.stderr
    assert "the same command continues" in stopped.stderr
    assert 128 <= len(desk.export()) < 400
    assert desk.ingest() == 0
    assert lasting(desk.export()) == whole


def test_a_kill_loses_what_was_not_saved_and_nothing_else(desk, whole) -> None:
    """Item 11: the fifth batch comes after the first save."""
    killed = run_fatal(desk, signal.SIGKILL, batch=6)
    assert killed.returncode == -signal.SIGKILL
    assert "256 of 400 lines stored" in killed.stderr
    assert len(desk.export()) == 256
    assert desk.ingest() == 0
    assert "256 of 400 lines stored before" in desk.said
    assert lasting(desk.export()) == whole


def test_a_kill_between_the_two_files_of_a_save(desk, whole) -> None:
    """Item 11: the vectors are new, the memories old; every memory keeps its own vector."""
    assert run_fatal(desk, signal.SIGTERM, batch=2).returncode == 1
    before = (desk.store / "index.pkl").read_bytes()
    assert run_fatal(desk, signal.SIGTERM, batch=3).returncode == 1
    (desk.store / "index.pkl").write_bytes(before)
    assert desk.ingest() == 0
    assert lasting(desk.export()) == whole
    live = [row for row in desk.export() if row["metadata"]["classification"]["validity"] != "deprecated"]
    assert len(live) == 7
    _, answers = desk.recall(*(row["text"] for row in live), options=("--k", "1"))
    assert [answer["results"][0]["id"] for answer in answers] == [row["id"] for row in live]
    assert [answer["results"][0]["score"] for answer in answers] == pytest.approx([1.0] * len(live), abs=1e-5)


def test_a_kill_before_anything_is_whole(desk) -> None:
    """Item 11: vectors without memories are no store yet."""
    desk.ingest(OLD)
    (desk.store / "index.pkl").unlink()
    assert desk.ingest(OLD, NEW) == 0
    assert desk.status_of() == {OLD["text"]: "deprecated", NEW["text"]: "confirmed"}


def test_a_file_is_known_by_its_content_and_grows_in_its_place(desk) -> None:
    """Item 11: repeated or copied it is stored once; what is appended is stored; another file is another one."""
    desk.ingest(OLD, GUESS)
    desk.ingest()
    desk.ingest(OLD, GUESS, file="copy.jsonl")
    assert desk.texts() == [OLD["text"], GUESS["text"]]
    assert desk.ingest(OLD, GUESS, NEW) == 0
    assert desk.texts() == [OLD["text"], GUESS["text"], NEW["text"]]
    assert desk.ingest(GUESS, OLD) == 0
    assert desk.texts() == [OLD["text"], GUESS["text"], NEW["text"], GUESS["text"], OLD["text"]]


def test_a_store_can_be_moved(desk) -> None:
    """C-91: it is known wherever it lies; there is no second first look, which would put things off to a report."""
    desk.ingest(OLD)
    desk.store = desk.store.rename(desk.root / "moved")
    assert desk.ingest(OLD, NEW) == 0
    assert desk.status_of() == {OLD["text"]: "deprecated", NEW["text"]: "confirmed"}
    assert not (desk.store / files.PROPOSALS_FILE).exists()


def test_what_an_earlier_run_stored_is_found_however_it_is_worded(desk) -> None:
    """C-37, C-39: by subject and slot, though every other memory is nearer."""
    desks = [{"text": f"The user moved to sofa {number}"} for number in range(20)]
    home = {"text": "The user lives in Oslo"}
    desk.ingest(home, *desks)
    assert desk.ingest(home, *desks, {"text": "The user moved to Lisbon"}) == 0
    assert desk.status_of()[home["text"]] == "deprecated"


def test_no_lines_make_an_empty_store(desk) -> None:
    desk.file.touch()
    assert desk.ingest() == 0
    assert desk.export() == []
    assert desk.recall("anything")[1] == [{"id": 1, "results": []}]


def test_saves_become_rarer_and_texts_are_embedded_many_at_a_time(desk) -> None:
    """Item 11: every save writes the whole index, so a fixed pause would cost the square of the lines."""
    desk.write(*({"text": f"note {i}"} for i in range(3_000)))
    told: list[int] = []
    file = LineFile(desk.file)
    with open_ingest(desk.store, desk.embedder, Settings(), clock=FixedClock()) as ingest:
        lines = ((mark, NewMemory(**json.loads(line))) for mark, line in file)
        assert ingest.run(lines, tell_saved=told.append) == 3_000
    pauses = [after - before for before, after in pairwise(told)]
    assert min(pauses) >= 256 and pauses[-1] > pauses[0]
    assert desk.embedder.count("documents") == -(-3_000 // 64)


def test_what_cannot_be_read_in_a_memory_is_told(desk) -> None:
    """P-04: a problem in the metadata of a line is reported, and stops nothing."""
    told: list[Problem] = []
    desk.write(OLD)
    memory = NewMemory(text="note", metadata={"lineage": {"access_count": -1}})
    with open_ingest(desk.store, desk.embedder, Settings(), clock=FixedClock()) as ingest:
        assert ingest.run([(mark, memory) for mark, _ in LineFile(desk.file)], tell_problem=told.append) == 1
    assert any("access_count" in str(one) for one in told)


# --- with the real model ---------------------------------------------------------------------------------------------


@pytest.mark.model
@pytest.mark.skipif(not minilm.is_installed(), reason="the extra `model` is not installed")
def test_the_three_commands_with_the_real_model(desk, terminal) -> None:
    """Item 11: from a file to an answer, as at a terminal."""

    def run(*arguments: str) -> str:
        return subprocess.run(
            [terminal / "memory-ledger", *arguments], cwd=desk.root, stdout=subprocess.PIPE, text=True, check=True
        ).stdout

    desk.write(OLD, GUESS, NEW)
    run("ingest", "--store", "store", "memories.jsonl")
    assert desk.status_of()[OLD["text"]] == "deprecated"
    (desk.root / "queries.txt").write_text("Which version of Python does Heron run on?\n")
    (best,) = json.loads(run("recall", "--store", "store", "--queries", "queries.txt", "--k", "1"))["results"]
    assert best["id"] == next(one["id"] for one in desk.export() if one["text"] == NEW["text"])
