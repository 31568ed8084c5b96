"""A folder to work in at the terminal: a file of memories, a store, questions."""

import json
from pathlib import Path
from typing import Any

import pytest
from fake_host import HashingEmbedder
from memory_ledger import cli


class Workspace:
    """A folder to work in, with a file of memories and a store; vectors are hashed words."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root = root
        self.store = root / "store"
        self.file = root / "memories.jsonl"
        self.embedder: Any = HashingEmbedder(64)
        self._capsys = capsys
        self.said = ""

    def write(self, *rows: Any, file: str = "memories.jsonl") -> None:
        """Write a file of memories; a text is a line as it is."""
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        (self.root / file).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def ingest(self, *rows: Any, file: str = "memories.jsonl") -> int:
        """Run the command over `rows`, or over what was written before; return its exit code."""
        if rows:
            self.write(*rows, file=file)
        status = cli.main(["ingest", "--store", str(self.store), str(self.root / file)], load=lambda: self.embedder)
        self.said = self._capsys.readouterr().err
        return status

    def export(self) -> list[dict[str, Any]]:
        """Return what the command writes."""
        assert cli.main(["export", "--as", "json-lines", "--folder", str(self.store)]) == 0
        return [json.loads(line) for line in self._capsys.readouterr().out.splitlines()]

    def recall(self, *queries: Any, options: tuple[str, ...] = ()) -> tuple[int, list[dict[str, Any]]]:
        """Return the exit code and the answers to `queries`, put to the store."""
        return self._ask(queries, ["--store", str(self.store), *options])

    def recall_from(
        self, memories: list[Any], *queries: Any, options: tuple[str, ...] = ()
    ) -> tuple[int, list[dict[str, Any]]]:
        """Return the exit code and the answers to `queries`, put to a file of memories."""
        self.write(*memories)
        return self._ask(queries, ["--memories", str(self.file), *options])

    def _ask(self, queries: tuple[Any, ...], options: list[str]) -> tuple[int, list[dict[str, Any]]]:
        self.write(*queries, file="queries.txt")
        command = ["recall", "--queries", str(self.root / "queries.txt"), *options]
        status = cli.main(command, load=lambda: self.embedder)
        shown = self._capsys.readouterr()
        self.said = shown.err
        return status, [json.loads(line) for line in shown.out.splitlines()]

    def texts(self) -> list[str]:
        """Return every text in the store, in the order of insertion."""
        return [one["text"] for one in self.export()]

    def status(self) -> dict[str, str]:
        """Return how far each text holds."""
        return {one["text"]: one["metadata"]["classification"]["validity"] for one in self.export()}
