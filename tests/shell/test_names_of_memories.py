"""Every command takes the beginning of an id for the memory, or the conflict, that has it alone."""

from __future__ import annotations

import json

import pytest
from fake_host import HashingEmbedder
from memory_ledger import cli
from workspace import Workspace

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
