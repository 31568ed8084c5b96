"""Who may read what a memory says: our files are no more open than the host's own index (V-17, T-64, T-69)."""

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from documents import documented_files
from fake_host import FakeHost
from hook_tools import configure_pack, remember, rest
from memory_ledger import cli
from memory_ledger.store import files
from memory_ledger.store.lines import LineStore
from test_notes_in_a_host import index as index_notes
from test_notes_in_a_host import write as write_note

#: What the host writes, and the user, in the folders that ours lie in.
NOT_OURS = {"index.faiss", "index.pkl", "index.faiss.sha256", "embedding.json", "knowledge_import.json"}
NOT_OURS |= {"classification_config.json", "owl.md"}

HELPERS = Path(__file__).resolve().parents[2] / "helpers"
FILE_NAME = re.compile(r"\.?\w+\.(?:jsonl?|key)")
#: The rule itself; vectors and digests of notes; what ships with the pack.
MAKERS = {"store/files.py"}


@pytest.fixture(autouse=True)
def open_umask() -> Iterator[None]:
    """Nobody narrows what is written but the pack itself."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def live(host: FakeHost) -> None:
    """Let as many files as possible be written: turns, vault, notes, orders, conflicts, maintenance, knowledge."""
    folder = host.memory_folder()
    host.configure(memory_memorize_consolidation=False, memory_memorize_replace_threshold=0)
    configure_pack(host, maintenance_interval_loops=1)
    write_note(host, "owl.md", "# Owl\n\n### Sleep\n\nThe owl sleeps at noon.\n")
    await index_notes(host)
    assert cli.main(["vault", "add", "Answer in French", "--folder", str(folder)]) == 0
    await remember(host, "My project uses Python 3.9.", "User's project uses Python 3.9", "User has a cat")
    await remember(host, "Actually, my project uses Python 3.11.", "User's project uses Python 3.11")
    await host.turn("Which Python does my project use?")
    assert cli.main(["erase", "--folder", str(folder), next(iter(host.docs))]) == 0
    for _ in range(3):
        await host.turn("Hello.")
        await rest(host)


@pytest.mark.parametrize("width", [0o600, 0o640])
async def test_no_file_is_more_open_than_the_index(host: FakeHost, width: int) -> None:
    """V-17, T-64: whatever the host's process would allow."""
    await host.turn("Hello.")
    await host.settle()
    root, folder = host.memory_folder().parent, host.memory_folder()
    for path in [*root.rglob("*"), *(root.parent / "context").rglob("*")]:
        if path.is_file() and path.name not in NOT_OURS:
            path.unlink()  # made before anybody had chosen
    for name in ("index.pkl", "index.faiss"):
        (folder / name).chmod(width)
    await host.restart()
    await live(host)
    assert mode(folder / "index.pkl") == width
    found = [one for one in (*root.rglob("*"), *(root.parent / "context").rglob("*"))
             if one.is_file() and one.name not in NOT_OURS]  # fmt: skip
    assert {"vault.jsonl", "ledger.jsonl", "conflicts.jsonl", "ledger.db"} <= {one.name for one in found}
    assert [(one.name, oct(mode(one))) for one in found if mode(one) & ~width] == []


@pytest.mark.parametrize("width", [None, 0o600, 0o640, 0o664])
def test_one_rule_for_every_file(width: int | None, tmp_path: Path) -> None:
    """V-17, T-64: appended to or replaced, beside the index, above it or elsewhere; without one, its owner's."""
    folder = tmp_path / "usr" / "memory" / "default"
    folder.mkdir(parents=True)
    if width is not None:
        (folder / "index.pkl").touch(width)
    names = [one for one in documented_files() if FILE_NAME.fullmatch(one)]
    assert len(names) > 20
    for place in (folder, folder.parent, tmp_path / "usr" / "context" / "memory"):
        place.mkdir(parents=True, exist_ok=True)
        for path in (place / name for name in names):
            LineStore(path).append([{"a": 1}])
            appended = mode(path)
            path.unlink()
            files.write_atomically(path, "{}")
            assert (appended, mode(path)) == (width or 0o600, width or 0o600), path


def test_nothing_is_written_past_the_rule() -> None:
    """V-17: a module that makes a file by itself holds no word of a memory in it."""
    made = re.compile(r'write_text|write_bytes|os\.O_CREAT|"wb"|open\("[wax]')
    found = {path.relative_to(HELPERS).as_posix() for path in HELPERS.rglob("*.py") if made.search(path.read_text())}
    assert {one for one in found if not one.startswith("demo/")} == MAKERS
