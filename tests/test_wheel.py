"""Issue 22: what is built for PyPI works by itself, without the folder that it was built from.

The wheel is built without a network, and runs from an environment that has its dependencies and nothing of the pack.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest
from documents import ROOT
from memory_ledger import __version__

_BUILT_FROM = ("pyproject.toml", "README.md", "LICENSE", "helpers")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy, in which building leaves its traces."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in _BUILT_FROM:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / "source" / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            (folder / "source").mkdir(exist_ok=True)
            shutil.copy(ROOT / name, folder / "source")
    build = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder)]
    _run([sys.executable, "-m", "pip", *build, str(folder / "source")])
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
    return folder / "bin"


def _run(command: list[str], *, folder: Path | None = None, said: str = "") -> str:
    """Return what a command prints; of the environment of the tests it sees no more than the path."""
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", ""), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        command, cwd=folder, env=environment, input=said, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


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
    ("words", "said", "answer"),
    [
        pytest.param(["--version"], "", f"memory-ledger {__version__}", id="version"),
        pytest.param(["--help"], "", "Filters: JSON Lines in, JSON Lines out:", id="help"),
        pytest.param(["completion", "bash"], "", "_MEMORY_LEDGER_COMPLETE", id="completion"),
        pytest.param(["scan"], '{"text": "the staging password is Kite&2211"}', '"action": "reject"', id="scan"),
        pytest.param(["classify"], '{"text": "Our API must stay stateless"}', '"load_bearing"', id="classify"),
        pytest.param(
            ["contradict"],
            '{"older": {"text": "The API listens on port 8080"}, "newer": {"text": "The API listens on port 8443"}}',
            '"outcome": "supersede"',
            id="contradict",
        ),
    ],
)
def test_the_command_of_the_wheel_works(
    words: list[str], said: str, answer: str, scripts: Path, tmp_path: Path
) -> None:
    """Issue 22: what needs no model, from a folder in which nothing of the pack is; as the module too."""
    assert answer in _run([str(scripts / "memory-ledger"), *words], folder=tmp_path, said=said)
    assert answer in _run([str(scripts / "python"), "-m", "memory_ledger", *words], folder=tmp_path, said=said)


def test_it_is_the_wheel_that_runs(scripts: Path, tmp_path: Path) -> None:
    """Otherwise the tests of this file would prove the folder that they lie in."""
    code = "import memory_ledger; print(memory_ledger.__file__)"
    assert _run([str(scripts / "python"), "-c", code], folder=tmp_path).startswith(str(scripts.parent))
