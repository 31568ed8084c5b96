"""`memory-ledger recall` over a store or other memories (E-07, E-79, E-80); beginnings of ids in every command."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from fake_host import FixedClock, HashingEmbedder
from memory_ledger import cli
from memory_ledger.cli import main
from memory_ledger.settings import Settings
from memory_ledger.store import files
from memory_ledger.store.embedded import EmbeddedMemory
from workspace import Workspace

OLD = {"text": "Heron uses Python 3.9", "source": "user_asserted", "timestamp": "2026-03-02T09:00:00Z"}
NEW = {"text": "Heron uses Python 3.12", "source": "user_asserted", "timestamp": "2026-03-04T09:00:00Z"}
GUESS = {"text": "Heron stores its readings in PostgreSQL", "source": "agent_inferred"}
TEA = {"id": "tea", "text": "Ann likes green tea", "timestamp": "2026-03-01T09:00:00Z"}
PORT = {"id": "port", "text": "The API runs on port 8443", "timestamp": "2026-02-01T09:00:00Z"}
CITY = {"id": "city", "text": "User lives in Lisbon", "timestamp": "2026-01-01T09:00:00Z"}
NOW = ("--now", "2026-03-01T09:00:00Z")


def ids(answer):
    return [one["id"] for one in answer["results"]]


def test_questions_are_answered_in_order_by_what_is_in_use(workspace) -> None:
    workspace.ingest(OLD, NEW, GUESS)
    known = {one["text"]: one["id"] for one in workspace.export()}
    status, (first, second) = workspace.recall(
        {"id": 7, "text": "Heron uses which Python"}, "Where are the readings of Heron stored?"
    )
    assert status == 0
    assert (first["id"], second["id"]) == (7, 2)
    assert known[OLD["text"]] not in ids(first) + ids(second)
    assert ids(first)[0] == known[NEW["text"]]
    assert set(first) == {"id", "results"}
    assert set(first["results"][0]) == {"id", "score", "dense", "lexical", "recency"}


def test_a_question_about_the_past_is_answered_with_when_it_was_so(workspace, capsys) -> None:
    workspace.ingest(OLD, NEW)
    known = {one["text"]: one["id"] for one in workspace.export()}
    status, (before, now) = workspace.recall("Which Python did Heron use before?", "Which Python does Heron use?")
    assert (status, ids(now)) == (0, [known[NEW["text"]]])
    assert {one["id"]: one.get("past") for one in before["results"]} == {
        known[OLD["text"]]: "2026-03-02 to 2026-03-04",
        known[NEW["text"]]: None,
    }
    asked = ["ask", "Which Python did Heron use before?", "--folder", str(workspace.store)]
    assert main(asked, load=lambda: workspace.embedder) == 0
    assert "held from 2026-03-02 to 2026-03-04" in capsys.readouterr().out


def test_without_words_the_score_is_the_specifications_to_the_digit(workspace) -> None:
    """E-19, E-23, E-80: the similarity is (1 + cosine) / 2, and the recency a half after the half-life."""
    config = workspace.root / "config.json"
    config.write_text(json.dumps({"lexical": {"enabled": False}, "query_expansion": {"enabled": False}}))
    _, (answer,) = workspace.recall_from(
        [TEA, PORT, CITY], "green tea", options=(*NOW, "--no-gate", "--config", str(config))
    )
    query = np.asarray(workspace.embedder.vector("green tea"))
    for found, memory, age in zip(
        sorted(answer["results"], key=lambda one: one["id"]), (CITY, PORT, TEA), (59, 28, 0), strict=True
    ):
        cosine = float(query @ np.asarray(workspace.embedder.vector(memory["text"])))
        recency = max(0.1, math.exp(-math.log(2) / 168 * 24 * age))
        assert found["dense"] == pytest.approx((1 + cosine) / 2, abs=1e-6)
        assert found["score"] == pytest.approx(0.85 * (1 + cosine) / 2 + 0.15 * recency, abs=1e-6)
        assert found["lexical"] == 0.0


def test_what_the_metadata_says_of_a_status_holds(workspace) -> None:
    """C-54, E-21: an exported memory can be asked as it stands; what is deprecated answers nothing."""
    workspace.ingest(OLD, NEW)
    exported = workspace.export()
    _, (answer,) = workspace.recall_from(exported, "Heron uses which Python", options=NOW)
    assert ids(answer) == [one["id"] for one in exported if one["text"] == NEW["text"]]
    assert answer["results"][0]["recency"] == 1.0


@pytest.mark.parametrize("timestamp", ["yesterday", 7, None, [], "2026-13-01"])
def test_an_unreadable_timestamp_is_no_error(timestamp, workspace) -> None:
    status, (answer,) = workspace.recall_from([{**TEA, "timestamp": timestamp}], "green tea", options=NOW)
    assert (status, ids(answer)) == (0, ["tea"])


def test_the_gate_and_the_number(workspace) -> None:
    """C-58, T-66: `--no-gate` lets in what is far away, `--k` says how many, at most eight without it."""
    workspace.ingest(*({"text": f"note number {i}"} for i in range(12)))
    _, (gated,) = workspace.recall("something else entirely")
    assert gated["results"] == []
    _, (open_,) = workspace.recall("something else entirely", options=("--no-gate",))
    assert len(open_["results"]) == Settings().max_injected_memories
    for count in (3, 11):
        _, (found,) = workspace.recall("note number 3", options=("--no-gate", "--k", str(count)))
        assert len(found["results"]) == count
    for misuse in (("--k", "0"), ("--now", "soon"), ("--memories", "x", "--store", "y")):
        assert workspace.recall("note", options=misuse)[0] == 2


def test_solutions_count_as_any_other_where_a_number_is_asked_for(workspace) -> None:
    """T-53: `--k` replaces the caps, that of the solutions as well."""
    memories = [{"id": f"s{i}", "text": f"note number {i}", "metadata": {"area": "solutions"}} for i in range(6)]
    _, (capped,) = workspace.recall_from(memories, "note number 3", options=("--no-gate",))
    _, (asked,) = workspace.recall_from(memories, "note number 3", options=("--no-gate", "--k", "6"))
    assert (len(capped["results"]), len(asked["results"])) == (3, 6)


def test_every_candidate_is_explained(workspace) -> None:
    """E-81: what was injected, what was cut, and why, with the figures of every stage."""
    _, (answer,) = workspace.recall_from(
        [TEA, PORT, CITY], {"id": 1, "text": "Which port has the API?", "domain": "devops"}, options=("--explain", *NOW)
    )
    told = answer["explanation"]
    assert [one["name"] for one in told["variants"]] == ["original", "keywords", "domain"]
    assert told["variants"][2]["text"] == "devops: port api"
    outcomes = {one["id"]: one["outcome"] for one in told["candidates"]}
    assert outcomes["port"] == "injected"
    assert set(outcomes) == {"tea", "port", "city"}
    assert {one["text"] for one in told["candidates"]} == {one["text"] for one in (TEA, PORT, CITY)}


def test_a_bad_line_keeps_its_place(workspace) -> None:
    status, answers = workspace.recall_from([TEA], '{"id": 5, "text": 5}', "green tea", "{", options=NOW)
    assert status == 1
    assert [(one["id"], "error" in one) for one in answers] == [(5, True), (2, False), (3, True)]
    assert ids(answers[1]) == ["tea"]


@pytest.mark.parametrize("line", ["{", '{"text": "no id"}', '{"id": "x"}', "7", '{"id": "tea", "text": "again"}'])
def test_a_memory_that_cannot_be_read_is_named(line, workspace) -> None:
    status, (answer,) = workspace.recall_from([TEA, line], "green tea", options=NOW)
    assert (status, ids(answer)) == (1, ["tea"])
    assert "line 2" in workspace.said


def test_asking_changes_nothing(workspace) -> None:
    workspace.ingest(OLD, NEW)
    before = {path.name: path.read_bytes() for path in workspace.store.iterdir()}
    workspace.recall("Heron uses which Python")
    workspace.export()
    assert {path.name: path.read_bytes() for path in workspace.store.iterdir()} == before


def test_a_folder_that_the_pack_has_not_seen_is_not_asked(workspace) -> None:
    """Asking would make a seal key there, and the first look of its own host would find it."""
    memory = EmbeddedMemory(workspace.store, workspace.embedder, clock=FixedClock())
    memory.insert("note")
    memory.save()
    memory.close()
    assert workspace.recall("note")[0] == 1
    assert "no store of this pack" in workspace.said
    assert not (workspace.store / files.KEY_FILE).exists()


ROWS = (
    {"text": "Heron uses Python 3.9", "source": "user_asserted", "timestamp": "2026-03-02"},
    {"text": "Heron uses Python 3.12", "source": "user_asserted", "timestamp": "2026-03-04"},
    {"text": "The API listens on port 8080", "timestamp": "2026-03-02"},
    {"text": "The API listens on port 8443", "timestamp": "2026-03-02"},
)
COMMANDS = (
    "show {retired}",
    "undo {retired} --dry-run",
    "erase {retired} --dry-run",
    "restore --id {retired} --dry-run",
    "copy --id {retired} --id {kept} --to there --dry-run",
    "move --id {kept} --to there --dry-run",
    "link {kept} supports {retired} --dry-run",
    "validate {kept}",
    "refresh {kept} --dry-run",
    "resolve {conflict} --keep {port} --dry-run",
    "conflicts --memory {port}",
    "history Heron",
)


def test_a_beginning_is_enough(
    workspace: Workspace, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends as with the whole id, and says the same."""
    monkeypatch.chdir(workspace.store.parent)
    assert workspace.ingest(*ROWS) == 0
    retired, kept, port, _ = (one["id"] for one in workspace.export())
    cli.main(["conflicts", "--unresolved", "--folder", str(workspace.store)])
    conflict = json.loads(capsys.readouterr().out)["id"]
    names = {"retired": retired, "kept": kept, "port": port, "conflict": conflict}

    def run(words: str, length: int) -> tuple[int, str]:
        cut = {key: one[: one.find("_") + 1 + length] for key, one in names.items()}
        arguments = [*words.format_map(cut).split(), "--folder", str(workspace.store)]
        status = cli.main(arguments, load=lambda: HashingEmbedder(64))
        shown = capsys.readouterr()
        return status, shown.out + shown.err

    for words in COMMANDS:
        found = run(words, 16)
        assert found[0] == 0 and run(words, 6) == found, words
