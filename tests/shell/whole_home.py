"""A user's folder with something for every command: two stores, a vault, notes, an index of them, logs, files.

`NAMES` stand in the table of commands for what is in it.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

from driven import drive
from fake_host import FixedClock, HashingEmbedder
from knowledge_tools.logs import write_todays_log
from memory_ledger.host.adoption.adopter import Adopter
from memory_ledger.host.notes.builder import NotesModel, build_index
from memory_ledger.host.notes.notes_faiss import INDEX_FOLDER
from memory_ledger.host.turns import TurnRing
from memory_ledger.notes.chunker import SemanticChunker
from memory_ledger.setting_groups import Backup
from memory_ledger.settings import Settings
from memory_ledger.store import embedding
from memory_ledger.store.backup import BackupWriter
from memory_ledger.store.conflicts import ConflictFile
from memory_ledger.store.docstore import Store
from memory_ledger.store.docstore_file import read_docstore
from memory_ledger.store.embedded import EmbeddedMemory
from memory_ledger.store.files import CHAIN_FILE

#: What a terminal would obey or hide: clears the screen, rings, turns the text over.
HOSTILE = "User's cat is called \x1b[2J\x1b]0;owned\x07 \x9b31m \u202eMinka\u2066, \x00 never mind."
_TEXTS = ("User's project uses Python 3.9.", "User's project uses Python 3.12.", HOSTILE, f"User likes {'tea ' * 60}.")
#: Two memories that contradict each other, of which nobody knows which holds.
_AT_ONCE = ("The API listens on port 8080", "The API listens on port 8443")
EMBEDDER = HashingEmbedder(64)
#: What Agent Zero notes of the model that it embeds with.
_MODEL = {"model_provider": "huggingface", "model_name": embedding.HUB_NAME}
FOLDER, STORE, OPEN = Path("usr/memory/default"), Path("my-store"), Path("open-store")
_KEY = "AKIA" + "IOSFODNN7EXAMPLE"


def build_home(home: Path) -> dict[str, str]:
    """Make the folder; return what the names of the table stand for."""
    moments = iter(datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=day) for day in range(400))
    names = iter(f"m{number:04}" for number in range(1, 100))
    folder = home / FOLDER
    memory = EmbeddedMemory(folder, EMBEDDER, clock=moments.__next__, make_id=names.__next__)
    for text in _TEXTS:
        memory.insert(text)
    store = Store(memory, folder=folder, clock=moments.__next__)
    adopter = Adopter(store, TurnRing(20))
    adopter.run(Settings(), limit=100)
    for text in ("The API listens on port 8080.", "The API listens on port 8443.", "The API listens on port 9000."):
        memory.insert(text)
        adopter.run(Settings(), limit=100)
    assert store.save()
    memory.insert(f"User's dog is called \x1b[31mRex\x07 {_KEY}.")
    BackupWriter(store, Backup(), memory_class=EmbeddedMemory).end_turn()
    memory.close()
    write_todays_log(home / "usr", 20)
    (folder / "embedding.json").write_text(json.dumps(_MODEL))
    _write_notes(folder)
    _write_files(home)
    for words in (
        ["ingest", "memories.jsonl", "--folder", str(STORE)],
        ["export", "--folder", str(STORE), "--out", "archive.jsonl"],
        ["ingest", "disputed.jsonl", "--folder", str(OPEN)],
        ["sign-anew", "--folder", str(OPEN)],
        ["vault", "add", "Answer in French", "--category", "preference"],
        ["vault", "add", "Ship on Friday", "--tier", "register", "--topic", "shipping"],
        ["knowledge", "distil"],
        ["knowledge", "archive", "MEM-001"],
    ):
        done = drive(words, home, on_terminal=False, load=lambda: EMBEDDER)
        assert done.code == 0, (words, done)
    retired = _leave_open(home / OPEN)
    records = [json.loads(line)["id"] for line in (folder / "vault.jsonl").read_text("utf-8").splitlines()]
    conflict = ConflictFile(folder).get_conflicts()[0]
    dispute = ConflictFile(home / OPEN).get_conflicts(unresolved=True)[0]
    done = drive(["link", conflict.memories[1], "related-to", conflict.memories[0]], home, on_terminal=False)
    assert done.code == 0, done
    return {
        "old": conflict.memories[0],
        "new": conflict.memories[1],
        "conflict": conflict.id,
        "record": records[0],
        "register": records[1],
        "folder": str(FOLDER),
        "store": str(STORE),
        "open": str(OPEN),
        "dispute": dispute.id,
        "retired": retired,
    }


def _leave_open(folder: Path) -> str:
    """Leave much to do in a store that stands alone: a broken chain, a memory of other tools; return a retired one."""
    chain = folder / CHAIN_FILE
    chain.write_bytes(b"".join(chain.read_bytes().splitlines(keepends=True)[:-1]))
    memory = EmbeddedMemory(folder, EMBEDDER, clock=FixedClock())
    memory.insert("User's deploys need two approvals", {"classification": {"validity": "Confirmed"}})
    memory.save()
    memory.close()
    documents = read_docstore(folder)[1]
    return next(one for one, found in documents.items() if "Python 3.9" in found.page_content)


def _write_notes(folder: Path) -> None:
    notes = folder / "user_notes"
    notes.mkdir()
    (notes / "heron.md").write_text(f"# Heron\n\n### Deploy\n\nDeploys run {HOSTILE}.\n".replace("\0", ""), "utf-8")
    model = NotesModel(f"huggingface/{embedding.HUB_NAME}", lambda: EMBEDDER)
    build_index(notes, folder / INDEX_FOLDER, model, SemanticChunker(), FixedClock())


def _write_files(home: Path) -> None:
    rows = {
        "memories.jsonl": [{"id": f"x{at}", "text": text} for at, text in enumerate((*_TEXTS, f"The key is {_KEY}"))],
        "disputed.jsonl": [
            *({"text": text} for text in _TEXTS[:2]),
            *({"text": text, "timestamp": "2026-03-01T00:00:00Z"} for text in _AT_ONCE),
        ],
        "queries.jsonl": [{"id": "q1", "text": "python version"}, {"id": "q2", "text": "cat"}],
        "pairs.jsonl": [{"older": {"text": one}, "newer": {"text": other}} for one, other in pairwise(_TEXTS)],
        "same.jsonl": [{"a": _TEXTS[0], "b": _TEXTS[1]}, {"a": HOSTILE, "b": HOSTILE}],
    }
    for name, lines in rows.items():
        (home / name).write_text("".join(f"{json.dumps(one)}\n" for one in lines), "utf-8")
