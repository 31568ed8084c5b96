"""What the README and the pages of `docs/` show is what happens.

Blocks of the language `console` are run, page by page and one after another, in a folder that holds a memory folder
which the pack has looked at once: a line that begins with `$ ` is a command, the lines up to the next one are what it
prints. Blocks of `bash-session` are run in the same way, in an empty folder, where the embedding model is installed.
Blocks of `demo` are pieces of what `make demo` prints; `...` stands for lines left out. The block of `answer` is what
the agent's tool says of that memory folder. The block of `install` is what `install.py` prints. `python` is run, `json`
is read by what it is for.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
from documents import PAGES, README, ROOT, blocks, documented_files, pages_with, snippets
from fake_host import HashingEmbedder
from knowledge_tools.logs import write_todays_log
from memory_ledger.clock import system_clock
from memory_ledger.host.adoption.adopter import Adopter
from memory_ledger.host.profiles import ModelProfiles
from memory_ledger.host.tools.questions import look_up
from memory_ledger.host.turns import TurnRing
from memory_ledger.ledger.history import MOST_BELIEFS, MOST_CHARACTERS, NameBook
from memory_ledger.setting_groups import Backup as BackupSettings
from memory_ledger.settings import Settings, load_settings
from memory_ledger.store import embedding
from memory_ledger.store.backup import BackupWriter
from memory_ledger.store.damage import ProblemLog
from memory_ledger.store.docstore import Store
from memory_ledger.store.embedded import EmbeddedMemory

needs_model = pytest.mark.skipif(not embedding.is_installed(), reason="the extra `model` is not installed")
#: The page whose examples run as they were installed, in processes of their own.
INSTALLING = "docs/install.md"
#: Agent Zero's own files of a memory folder, and what the examples are told to write.
INSTALLED = Path(sys.executable).parent
NOT_OF_THE_PACK = ("index.faiss", "*.md")


@pytest.mark.parametrize("page", pages_with("console"))
def test_the_examples_print_what_is_shown(page, agent_zero_folder, terminal):
    """And every file that they leave behind stands in the table of all files."""
    scripts = INSTALLED if page == INSTALLING else terminal
    today = f"since {system_clock():%Y-%m-%d} "  # of the logs, which end on the day on which they are read
    for command, shown in snippets(page, "console"):
        assert _run(command, agent_zero_folder, scripts).replace(today, "since 2026-03-02 ") == shown, command
    known = [name for name in documented_files() if "/" not in name]
    known += [name.rpartition("/")[2].replace("YYYYMMDD", "*") for name in documented_files() if "." in name]
    for path in (agent_zero_folder / "usr").rglob("*"):
        is_known = any(fnmatchcase(path.name, one) for one in (*known, *NOT_OF_THE_PACK))
        assert path.is_dir() or is_known, path


@pytest.mark.model
@needs_model
@pytest.mark.parametrize("page", pages_with("bash-session"))
def test_the_examples_with_the_model_print_what_is_shown(page, tmp_path, terminal):
    for command, shown in snippets(page, "bash-session"):
        assert _run(command, tmp_path, terminal) == shown, command


def test_the_agents_tool_answers_what_is_shown(agent_zero_folder):
    """C-51: a block of `answer` is what the tool tells of the same memory folder."""
    folder = agent_zero_folder / "usr/memory/default"
    memory = EmbeddedMemory(folder, HashingEmbedder(), clock=system_clock, make_id=str)
    store = Store(memory, folder=folder, clock=system_clock)
    (page,) = pages_with("answer")
    ((_, shown),) = blocks(page, "answer")
    assert look_up(store, NameBook(), "API port") + "\n" == shown
    memory.close()
    limits = f"at most {MOST_BELIEFS} memories and about {MOST_CHARACTERS:,} characters"
    assert limits in " ".join(PAGES[page].split())


@pytest.mark.model
@needs_model
def test_the_demo_prints_what_is_shown(tmp_path, terminal):
    """The command says by its exit code whether an outdated memory was kept out of a prompt (C-50)."""
    out = _run("memory-ledger demo", tmp_path, terminal)
    assert pages_with("demo") == [README]
    for _, block in blocks(README, "demo"):
        position = 0
        for piece in re.split(r"^\.\.\.\n", block, flags=re.MULTILINE):
            found = out.find(piece, position)
            assert found >= 0, piece
            position = found + len(piece)


def test_the_installation_prints_what_is_shown(tmp_path):
    """Of a release that was tried; `...` stands for what differs, or is left out."""
    for place in ("agent.py", "plugins/_memory/helpers/memory.py"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).touch()
    git = f"git -C {tmp_path} -c user.name=a -c user.email=a"
    assert _run(f"{git} init -q && {git} commit -q --allow-empty -m a && {git} tag v2.6", tmp_path, INSTALLED) == ""
    out = _run(f"{sys.executable} {ROOT / 'install.py'} {tmp_path}", tmp_path, INSTALLED)
    assert pages_with("install") == [README]
    ((_, shown),) = blocks(README, "install")
    assert fnmatchcase(out.replace(str(tmp_path), "/srv/agent-zero"), shown.replace("...", "*"))


async def test_the_python_that_is_shown_runs(tmp_path):
    """As it stands there, its imports too."""
    assert pages_with("python") == ["docs/quality.md"]
    for _, block in blocks("docs/quality.md", "python"):
        names: dict[str, Any] = {}
        exec(block, names)
        memory, fresh, report = await names["remember_and_recall"](tmp_path / "memories", HashingEmbedder())
        assert [one["id"] for one in fresh] == [memory["id"]] and memory["quality"]["validationErrors"] == []
        assert report["totalMemories"] == 1


@pytest.mark.parametrize("page", pages_with("json"))
def test_the_json_that_is_shown_is_understood(page, tmp_path):
    """A setting, or a model profile on the page of recall; nothing in it is left out as unknown."""
    for _, block in blocks(page, "json"):
        value = json.loads(block)
        if page == "docs/recall.md":
            (tmp_path / "default.json").write_text(block, "utf-8")
            log = ProblemLog()
            limits, problems = ModelProfiles(tmp_path, log).limits(None), log.take()
            assert limits.max_injected == value["memory"]["max_injected"]
        else:
            settings, problems = load_settings([(page, value)])
            assert settings != Settings()
        assert problems == []


@pytest.fixture
def agent_zero_folder(first_look, tmp_path) -> Path:
    """A copy of the folder in which the pack has looked once."""
    shutil.copytree(first_look, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture(scope="module")
def first_look(tmp_path_factory) -> Path:
    """A folder with three memories from before the pack, after its first look; then one memory replaced another.

    A last one is in the backup only: the host was killed before it saved. Beside it lies an audit log of today.
    """
    root = tmp_path_factory.mktemp("agent_zero")
    moments = iter(datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=day) for day in range(400))
    ids = iter(["dN3vQ8sKx1", "7hRt0PbYc2", "Lw5mE2gUz3", "pK8cV4tNa4", "b2XjW9rQe5", "Zf6hY1kDm8"])
    folder = root / "usr/memory/default"
    memory = EmbeddedMemory(folder, HashingEmbedder(), clock=moments.__next__, make_id=ids.__next__)
    for text in ("User's project uses Python 3.9.", "User's project uses Python 3.12.", "User likes short answers."):
        memory.insert(text)
    store = Store(memory, folder=folder, clock=moments.__next__)
    adopter = Adopter(store, TurnRing(20))
    adopter.run(Settings(), limit=100)
    for text in ("The API listens on port 8080.", "The API listens on port 8443."):
        memory.insert(text)
        adopter.run(Settings(), limit=100)
    assert store.save()
    memory.insert("User's cat is called Minka.")
    BackupWriter(store, BackupSettings(), memory_class=EmbeddedMemory).end_turn()
    memory.close()
    write_todays_log(root / "usr", 20)
    return root


def _run(command: str, folder: Path, scripts: Path) -> str:
    """Run `command` as at a terminal and return what it prints, both streams in their order."""
    path = os.pathsep.join([str(scripts), str(INSTALLED), os.environ["PATH"]])
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
