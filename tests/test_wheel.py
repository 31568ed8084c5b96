"""What is built for PyPI works by itself, in an environment that has its dependencies and nothing of the pack."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest
from documents import ROOT, tracked
from memory_ledger import __version__


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution, unpacked; built from a copy, in which building leaves its traces."""
    folder = tmp_path_factory.mktemp("source")
    for name in tracked():
        copy = folder / "copy" / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy)
    build = f"from setuptools import build_meta; build_meta.build_sdist({str(folder)!r})"
    _run([sys.executable, "-c", build], folder=folder / "copy")
    (built,) = folder.glob("*.tar.gz")
    shutil.unpack_archive(built, folder, filter="data")
    return folder / built.name.removesuffix(".tar.gz")


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source distribution, without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    build = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder)]
    _run([sys.executable, "-m", "pip", *build, str(source)])
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def scripts(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the command of a fresh environment, which sees the dependencies of this one, and not its pack."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    python = folder / "bin/python"
    install = ["install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    _run([sys.executable, "-m", "pip", "--python", str(python), *install])
    (site,) = folder.glob("lib/python*/site-packages")
    here = Path(importlib.util.find_spec("pip").origin).parents[1]
    (site / "dependencies.pth").write_text(f"{here}\n", "utf-8")
    found = _run([str(python), "-c", "import memory_ledger; print(memory_ledger.__file__)"], folder=folder)
    assert found.startswith(str(folder)), "else the tests of this file would prove the folder that they lie in"
    return folder / "bin"


def _run(command: list[str], *, folder: Path | None = None, said: str = "") -> str:
    """Return what a command prints; of the environment of the tests it sees no more than the path."""
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", ""), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        command, cwd=folder, env=environment, input=said, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_source_distribution_is_whole(source: Path) -> None:
    """Issue 50: with it the pack can be installed into a host, tested and measured."""
    assert [name for name in tracked() if not name.startswith(".") and not (source / name).is_file()] == []


def test_what_an_index_shows_has_no_link_into_the_folder(wheel: Path) -> None:
    """Issue 50: there is none of the other pages there."""
    with ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        about = archive.read(name).decode("utf-8")
    assert "Author: The Memory Ledger maintainers" in about and "Classifier: Typing :: Typed" in about
    assert "Project-URL: Agent Zero, https://" in about
    assert re.findall(r"\]\((?!https://)[^)]*\)", about) == []


def test_every_file_of_the_pack_is_in_the_wheel(wheel: Path) -> None:
    """Issue 22: tables, weights and the mark of types too."""
    with ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    kept = {
        f"memory_ledger/{path.relative_to(ROOT / 'helpers').as_posix()}"
        for path in (ROOT / "helpers").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert kept == {name for name in packed if name.startswith("memory_ledger/")}


@pytest.mark.parametrize(
    ("command", "said", "answer"),
    [
        pytest.param("memory-ledger --version", "", f"memory-ledger {__version__}", id="version"),
        pytest.param("python -m memory_ledger --help", "", "Filters: JSON Lines in, JSON Lines out:", id="module"),
        pytest.param("memory-ledger completion bash", "", "_MEMORY_LEDGER_COMPLETE", id="completion"),
        pytest.param(
            "memory-ledger scan", '{"text": "the staging password is Kite&2211"}', '"action": "reject"', id="scan"
        ),
        pytest.param(
            "memory-ledger contradict",
            '{"older": {"text": "The API listens on port 8080"}, "newer": {"text": "The API listens on port 8443"}}',
            '"outcome": "supersede"',
            id="contradict",
        ),
    ],
)
def test_the_command_of_the_wheel_works(command: str, said: str, answer: str, scripts: Path, tmp_path: Path) -> None:
    """Issue 22: what needs no model, from a folder in which nothing of the pack is; as the module too."""
    name, *words = command.split()
    assert answer in _run([str(scripts / name), *words], folder=tmp_path, said=said)
