"""The README is held to the code: what it names exists, and its examples give what it shows.

Blocks of the language `console` are run, one after another, in a folder that holds a memory folder which the pack has
looked at once: a line that begins with `$ ` is a command, the lines up to the next one are what it prints. Blocks of
`bash-session` are run in the same way, in an empty folder, where the embedding model is installed. Blocks of `demo` are
pieces of what `make demo` prints; `...` stands for lines left out. The block of `answer` is what the agent's tool says
of that memory folder. Blocks of `sh` need Agent Zero, Docker or a network
and are not run.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fake_host import HashingEmbedder
from knowledge_tools.logs import write_todays_log
from memory_ledger import cli
from memory_ledger.clock import system_clock
from memory_ledger.host.adoption.adopter import Adopter
from memory_ledger.host.backup.backup import Backup
from memory_ledger.host.docstore import minilm
from memory_ledger.host.docstore.embedded import EmbeddedMemory
from memory_ledger.host.docstore.store import Store
from memory_ledger.host.knowledge.agent_file import AGENT_FILE
from memory_ledger.host.notes.builder import LOG_FILE
from memory_ledger.host.notes.notes_faiss import INDEX_FILE, META_FILE
from memory_ledger.host.storage import files
from memory_ledger.host.storage.state import StateFile
from memory_ledger.host.storage.transfers import TRANSFERS_FOLDER
from memory_ledger.host.tools.beliefs import look_up
from memory_ledger.host.turns.turn_ring import TurnRing
from memory_ledger.ledger.history import NameBook
from memory_ledger.ledger.retelling import MOST_BELIEFS, MOST_CHARACTERS
from memory_ledger.records import LEDGER_KEYS, Classification, Lineage, Quality, Relevance, Source, Utility, Validity
from memory_ledger.setting_groups import Backup as BackupSettings
from memory_ledger.settings import Settings, list_settings

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
LONGEST_DEFAULT = 60
ELSEWHERE = "see `default_config.yaml`"


def blocks(language: str) -> list[str]:
    """Return the fenced blocks of one language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def table_rows(header: str) -> list[list[str]]:
    """Return the cells of the table whose header line is `header`."""
    lines = README.splitlines()
    start = lines.index(header) + 2
    rows = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return rows


# --- what it names ---------------------------------------------------------------------------------------------------


def test_the_settings_table_is_settings():
    """C-72: every setting with its default and its description, in the same order."""
    wanted = []
    for name, field, value in list_settings():
        default = json.dumps(value, ensure_ascii=False)
        shown = f"`{default}`" if len(default) <= LONGEST_DEFAULT else ELSEWHERE
        wanted.append([f"`{name}`", shown, field.description])
    assert table_rows("| Setting | Default | Meaning |") == wanted


@pytest.mark.parametrize("axis", [Validity, Relevance, Utility, Source])
def test_every_axis_value_is_explained(axis):
    row = next(row for row in table_rows("| Key | Field | Values |") if row[1] == f"`{axis.__name__.lower()}`")
    assert set(re.findall(r"`(\w+)`", row[2])) == {one.value for one in axis}


def test_every_stored_key_is_named():
    rows = table_rows("| Key | Field | Values |")
    named = {name for row in rows for name in re.findall(r"`(\w+)`", f"{row[0]} {row[1]}")}
    quality = {field.alias or name for name, field in Quality.model_fields.items()}
    assert named == {*LEDGER_KEYS, *Classification.model_fields, *Lineage.model_fields, *quality}


@pytest.mark.parametrize(
    "name",
    [
        files.JOURNAL_FILE,
        files.CONFLICTS_FILE,
        files.REQUESTS_FILE,
        f"{TRANSFERS_FOLDER}/",
        files.BACKUP_FILE,
        files.BACKUP_ORDERS_FILE,
        files.QUALITY_REQUESTS_FILE,
        files.CHAIN_FILE,
        files.CHAIN_HEAD_FILE,
        files.CHAIN_REQUESTS_FILE,
        files.SIGNING_KEYS_FILE,
        files.ACCESS_FILE,
        files.KEY_FILE,
        files.PROPOSALS_FILE,
        files.PURGED_FILE,
        files.STATE_FILE,
        files.CO_RETRIEVAL_FILE,
        files.CO_RETRIEVAL_LINES_FILE,
        files.DUPLICATES_FILE,
        files.DUPLICATES_STATE_FILE,
        files.SECRETS_FILE,
        files.CONFIG_FILE,
        "usr/plugins/memory_ledger/",
        *(path.name for folder in ("tools", "prompts") for path in sorted((ROOT / folder).glob("*.*"))),
        files.VAULT_FILE,
        INDEX_FILE,
        META_FILE,
        LOG_FILE,
        "context/memory/",
        AGENT_FILE,
        ".install_record.json",
    ],
)
def test_every_file_that_is_written_has_its_undo(name):
    row = next(row for row in table_rows("| File | What | How to undo it |") if f"`{name}`" in f"{row[0]} {row[1]}")
    assert len(row) == 3 and row[2]


def test_every_command_and_option_is_named(capsys):
    for command in _commands(capsys):
        assert f"`{command}`" in README
        assert re.search(rf"\$ .*memory-ledger {command}\b", README) or command == "demo"
        for option in _options(capsys, [command]):
            assert option in README, f"{command} {option}"


def test_every_verb_of_the_installer_is_named():
    result = subprocess.run([sys.executable, ROOT / "install.py", "--help"], capture_output=True, text=True, check=True)
    for verb in ("install", "uninstall", "status", "doctor"):
        assert verb in result.stdout
        assert f"{verb} FOLDER" in README or f"[{verb}] FOLDER" in README
    for option in set(re.findall(r"--[a-z][a-z-]+", result.stdout)) - {"--help"}:
        assert option in README


def test_both_commands_stand_in_the_makefile():
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert {line for block in blocks("sh") for line in block.splitlines()} >= {"make demo", "make test"}
    assert {"demo", "test"} <= set(targets)


def test_the_structure_tree_names_what_is_there():
    """Each line: names, two spaces or more, what they are; indented lines lie in the folder above them."""
    (tree,) = blocks("text")
    folder = ROOT
    for line in tree.splitlines():
        folder = folder if line.startswith("  ") else ROOT
        *groups, _ = re.split(r"\s{2,}", f"{line.strip()}{'' if '  ' in line.strip() else '  '}")
        for name in " ".join(groups).split():
            assert list(folder.glob(name.replace("<hook>", "*").rstrip("/"))), name
        if line.endswith("/"):
            folder = ROOT / line


def test_linked_files_exist():
    links = [link for link in re.findall(r"\]\(([^)]+)\)", README) if "://" not in link]
    assert links and all((ROOT / link).is_file() for link in links)


def test_versions_agree():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert f"Version {version}." in README
    assert re.search(r"^## \[(.+?)\]", CHANGELOG, re.MULTILINE)[1] == version


# --- what it shows ---------------------------------------------------------------------------------------------------


def test_the_examples_print_what_is_shown(agent_zero_folder):
    snippets = [one for block in blocks("console") for one in _read_snippets(block)]
    assert len(snippets) >= 5
    for command, shown in snippets:
        assert _run(command, agent_zero_folder) == shown, command


def test_the_agents_tool_answers_what_is_shown(agent_zero_folder):
    """C-51: a block of `answer` is what the tool tells of the same memory folder."""
    folder = agent_zero_folder / "usr/memory/default"
    memory = EmbeddedMemory(folder, HashingEmbedder(), clock=system_clock, make_id=str)
    store = Store(memory, folder=folder, states=StateFile(folder.parent), clock=system_clock)
    (shown,) = blocks("answer")
    assert look_up(store, NameBook(), "API port") + "\n" == shown
    memory.close()
    assert "`memory_ledger_history`" in README
    assert f"at most {MOST_BELIEFS} memories and about {MOST_CHARACTERS:,} characters" in README
    for prompt in (ROOT / "prompts").glob("*.md"):
        assert f"about {round(len(prompt.read_text(encoding='utf-8')), -1)} characters" in README


@pytest.mark.model
@pytest.mark.skipif(not minilm.is_installed(), reason="the extra `model` is not installed")
def test_the_examples_with_the_model_print_what_is_shown(tmp_path):
    snippets = [one for block in blocks("bash-session") for one in _read_snippets(block)]
    assert len(snippets) >= 5
    for command, shown in snippets:
        assert _run(command, tmp_path) == shown, command


@pytest.mark.model
@pytest.mark.skipif(not minilm.is_installed(), reason="the extra `model` is not installed")
def test_the_demo_prints_what_is_shown(capsys):
    """The command says by its exit code whether an outdated memory was kept out of a prompt (C-50)."""
    assert cli.main(["demo"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert blocks("demo")
    for block in blocks("demo"):
        position = 0
        for piece in re.split(r"^\.\.\.\n", block, flags=re.MULTILINE):
            found = out.find(piece, position)
            assert found >= 0, piece
            position = found + len(piece)


@pytest.fixture
def agent_zero_folder(tmp_path) -> Path:
    """A folder with three memories from before the pack, after its first look; then one memory replaced another.

    A last one is in the backup only: the host was killed before it saved. Beside it lies an audit log of today.
    """
    moments = iter(datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=day) for day in range(100))
    ids = iter(["dN3vQ8sKx1", "7hRt0PbYc2", "Lw5mE2gUz3", "pK8cV4tNa4", "b2XjW9rQe5", "Zf6hY1kDm8"])
    folder = tmp_path / "usr/memory/default"
    memory = EmbeddedMemory(folder, HashingEmbedder(), clock=moments.__next__, make_id=ids.__next__)
    for text in (
        "User's project uses Python 3.9.",
        "User's project uses Python 3.12.",
        "User likes short answers.",
    ):
        memory.insert(text)
    store = Store(memory, folder=folder, states=StateFile(folder.parent), clock=moments.__next__)
    adopter = Adopter(store, TurnRing(20))
    adopter.run(Settings(), limit=100)
    for text in ("The API listens on port 8080.", "The API listens on port 8443."):
        memory.insert(text)
        adopter.run(Settings(), limit=100)
    assert store.save()
    memory.insert("User's cat is called Minka.")
    Backup(store, BackupSettings(), memory_class=EmbeddedMemory).end_turn()
    memory.close()
    write_todays_log(tmp_path / "usr", 20)
    return tmp_path


def _read_snippets(block: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a console block with what is shown after it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def _run(command: str, folder: Path) -> str:
    """Run `command` as at a terminal and return what it prints, both streams in their order."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    result = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=True,
    )
    return result.stdout


def _commands(capsys) -> list[str]:
    """Return the names of all commands, from the command's own help."""
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    listing = capsys.readouterr().out.partition("COMMAND\n")[2].partition("\noptions:")[0]
    return re.findall(r"^ {4}([a-z-]+)", listing, re.MULTILINE)


def _options(capsys, arguments: list[str]) -> set[str]:
    with pytest.raises(SystemExit):
        cli.main([*arguments, "--help"])
    return set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out)) - {"--help"}
