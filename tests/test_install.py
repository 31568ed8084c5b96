"""install.py and hooks.py on tiny Agent Zero folders of each layout: what they write, keep, refuse, undo and report."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import json
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from core.case_tables import read_cases
from documents import PAGES, links
from memory_ledger.store.backup import is_far_fewer
from memory_ledger.store.database import Database

CASES = read_cases(__file__)

ROOT = Path(__file__).resolve().parents[1]
PACK = "usr/plugins/memory_ledger"
RECORD = f"{PACK}/.install_record.json"
JOURNAL = f"{PACK}/.install_journal.json"
POINT, HOOK = "monologue_end", "_55_memory_classifier.py"
HOOK_INSIDE = f"extensions/python/{POINT}/{HOOK}"
HOOK_PLACE = f"{PACK}/{HOOK_INSIDE}"
SHIM_FOLDER = f"python/extensions/{POINT}"
SHIMS = {"A1": f"{SHIM_FOLDER}/{HOOK}", "A2": f"usr/extensions/{POINT}/{HOOK}"}
LAYOUTS = ("A1", "A2", "plugins")

HOST_EXTENSION = """
class Extension:
    def __init__(self, agent, **kwargs):
        self.agent, self.kwargs = agent, kwargs
"""
HOST_HOOK = "class Memorize:\n    pass\n"
PACK_EXTENSION = """
try:
    from helpers.extension import Extension
except ImportError:
    from python.helpers.extension import Extension
"""
PACK_HOOK = '''"""monologue_end, 55: leave a mark."""
from usr.plugins.memory_ledger.helpers.host import hooks
from usr.plugins.memory_ledger.helpers.host.extension import Extension


class MemoryClassifier(Extension):
    async def execute(self, loop_data=None, **kwargs):
        self.agent.context.log.lines.append(("ran", loop_data))
        return hooks.ANSWER
'''
CLI = """
import pathlib, sys
folder = pathlib.Path(sys.argv[-1])
if (folder / "refuse").exists():
    sys.exit("refused: " + folder.name)
with open("stripped.txt", "a") as log:
    log.write(" ".join(sys.argv[1:-1]) + " " + folder.name + "\\n")
print(f"{folder}: 1 memory stripped")
"""


def load(path: Path):
    """Load a file by its path, as Agent Zero does: not in `sys.modules`."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


install_py = load(ROOT / "install.py")
installer = install_py.load_installer()


def write(path: Path, text: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def make_host(root: Path, layout: str) -> Path:
    """Write the few files by which an Agent Zero of `layout` is known, and a hook and a setting of its own."""
    for name in ("agent.py", "run_ui.py", "usr/knowledge/main/.gitkeep", "usr/settings.json"):
        write(root / name, "{}" if name.endswith(".json") else "")
    if layout == "plugins":
        write(root / "helpers/extension.py", HOST_EXTENSION)
        write(root / "plugins/_memory/helpers/memory.py")
        write(root / "plugins/_memory/plugin.yaml", "name: _memory\n")
        settings = (
            "memory_recall_enabled: true\nmemory_memorize_consolidation: false\nmemory_memorize_replace_threshold: 0\n"
        )
        write(root / "plugins/_memory/default_config.yaml", settings)
        write(root / f"extensions/python/{POINT}/_90_waiting.py", HOST_HOOK)
        write(root / "usr/plugins/.gitkeep")
    else:
        reader = "from python.helpers import subagents\npaths = subagents.get_paths\n" if layout == "A2" else ""
        write(root / "python/__init__.py")
        write(root / "python/helpers/extension.py", HOST_EXTENSION + reader)
        write(root / "python/helpers/subagents.py", "def get_paths():\n    pass\n")
        write(root / "python/helpers/memory.py")
        write(root / f"python/extensions/{POINT}/_50_memorize.py", HOST_HOOK)
    return root


def make_pack(folder: Path, version: str = "0.1.0") -> Path:
    """Write a small copy of the pack around the real install.py, hooks.py and installer/."""
    for name in ("install.py", "hooks.py", "plugin.yaml"):
        write(folder / name, (ROOT / name).read_text(encoding="utf-8").replace("version: 0.1.0", f"version: {version}"))
    shutil.copytree(ROOT / "installer", folder / "installer")  # with what is compiled: it is loaded again and again
    write(folder / "helpers/__init__.py")
    write(folder / "helpers/cli.py", CLI)
    write(folder / "helpers/host/__init__.py")
    write(folder / "helpers/host/hooks.py", f"ANSWER = {version!r}\n")
    write(folder / "helpers/host/extension.py", PACK_EXTENSION)
    write(folder / f"extensions/python/{POINT}/{HOOK}", PACK_HOOK)
    write(folder / "config/classification_config.json", "{}\n")
    write(folder / "LICENSE", "licence\n")
    for name in ("tests/test_x.py", "benchmarks/b.py", ".venv/x.py", ".git/HEAD", "config.json", ".toggle-0"):
        write(folder / name, "must stay behind\n")
    write(folder / "helpers/__pycache__/cli.cpython-311.pyc", "cache")
    return folder


def make_store(folder: Path, *, hashed: bool = True) -> Path:
    """Write what a store looks like from outside."""
    write(folder / "index.faiss", "vectors")
    write(folder / "index.pkl", "memories")
    write(folder / "embedding.json", "{}")
    if hashed:
        write(folder / "index.faiss.sha256", hashlib.sha256(b"vectors").hexdigest())
    return folder


def tree(root: Path) -> dict[str, str]:
    """Every folder and file under `root`, with the sha256 of each file; Python's caches apart."""
    found = {}
    for path in sorted(root.rglob("*")):
        if "__pycache__" not in path.parts:
            place = path.relative_to(root).as_posix()
            found[place] = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
    return found


def added(before: dict[str, str], after: dict[str, str]) -> set[str]:
    """What is in `after` only; asserts that nothing of `before` changed or went."""
    assert {place: after.get(place) for place in before} == before
    return set(after) - set(before)


def call(pack: Path, *words: object) -> tuple[int, list[str]]:
    """Run the pack's install.py in this process; return its exit code and lines."""
    lines: list[str] = []
    return load(pack / "install.py").main([str(word) for word in words], say=lines.append), lines


@pytest.fixture
def pack(tmp_path):
    return make_pack(tmp_path / "download")


@pytest.fixture(params=LAYOUTS)
def layout(request):
    return request.param


@pytest.fixture
def host(tmp_path, layout):
    return make_host(tmp_path / "a0", layout)


@pytest.fixture
def plugins_host(tmp_path):
    return make_host(tmp_path / "a0", "plugins")


def fill_usr(usr: Path) -> Path:
    """Write the folder of the user's files as releases with plugins leave it."""
    for place, text in {"plugins/_model_config/config.json": "{}", "settings.json": "{}"}.items():
        write(usr / place, text)
    write(usr / "knowledge/main/.gitkeep")
    return usr


def make_obstacle(folder: Path, layout: str, files: dict[str, str]) -> None:
    """Write a host of `layout`, or none, and what is in the way of an installation."""
    if layout == "usr":
        fill_usr(folder)
    elif layout:
        make_host(folder, layout)
    for place, text in files.items():
        if text == "->":
            write(folder.parent / "elsewhere/plugin.yaml", "name: memory_ledger\n")
            (folder / place).symlink_to(folder.parent / "elsewhere")
        else:
            write(folder / place, text)


@pytest.mark.parametrize(("layout", "files", "message"), CASES["install_changes_nothing_where_it_cannot_work"])
def test_install_changes_nothing_where_it_cannot_work(tmp_path, pack, layout, files, message):
    """P-05: a clear message that names the place, exit code 1, nothing half-written."""
    folder = tmp_path / "a0"
    make_obstacle(folder, layout, files)
    before = tree(tmp_path)
    code, lines = call(pack, "install", folder)
    assert (code, tree(tmp_path)) == (1, before)
    report = "\n".join(lines)
    assert message in report
    assert str(folder) in report


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("uninstall", "--dry-run", "{host}"), f"would remove {PACK}/install.py"),
        (("--dry-run", "{host}", "uninstall"), f"would remove {PACK}/install.py"),
        (("{host}", "--dry-run", "--strip-metadata", "uninstall"), f"would remove {PACK}/install.py"),
        (("--dry-run", "{host}"), "ok    Memory Ledger 0.1.0 is installed; nothing to change"),  # no verb: install
    ],
    ids=lambda words: " ".join(words) if isinstance(words, tuple) else "",
)
def test_words_and_options_stand_in_any_order(pack, plugins_host, words, line):
    """Issue 22: `install.py uninstall --dry-run FOLDER`."""
    call(pack, "install", plugins_host)
    before = tree(plugins_host)
    code, lines = call(pack, *(word.format(host=plugins_host) for word in words))
    assert code == 0
    assert line in lines
    assert tree(plugins_host) == before


@pytest.mark.parametrize(("words", "message"), CASES["misuse_is_said_and_changes_nothing"])
def test_misuse_is_said_and_changes_nothing(pack, plugins_host, capsys, words, message):
    """Issue 22: exit code 2, and what was meant where that can be guessed."""
    before = tree(plugins_host)
    assert call(pack, *(word.format(host=plugins_host) for word in words))[0] == 2
    assert message in capsys.readouterr().err
    assert tree(plugins_host) == before


def test_a_folder_with_the_name_of_a_verb_can_be_given(pack, tmp_path, monkeypatch):
    """The first word that is a verb is the verb; and a folder that is there is no typo."""
    for name in ("status", "instal"):
        make_host(tmp_path / name, "plugins")
    monkeypatch.chdir(tmp_path)
    assert call(pack, "install", "status")[0] == 0
    assert (tmp_path / "status" / PACK).is_dir()
    assert call(pack, "instal")[0] == 0
    assert (tmp_path / "instal" / PACK).is_dir()


@pytest.mark.parametrize("verb", ["install", "uninstall", "status", "doctor"])
@pytest.mark.parametrize("installed", [False, True], ids=["before", "after"])
def test_a_dry_run_changes_nothing(pack, plugins_host, verb, installed):
    make_store(plugins_host / "usr/memory/default")
    if installed:
        call(pack, "install", plugins_host)
        write(plugins_host / PACK / "helpers/cli.py", "changed")
    before = tree(plugins_host)
    call(pack, verb, plugins_host, "--dry-run")
    assert tree(plugins_host) == before


@pytest.mark.parametrize(("verb", "word"), [("install", "would write "), ("uninstall", "would remove ")])
def test_a_dry_run_says_exactly_what_is_then_done(pack, host, verb, word):
    if verb == "uninstall":
        call(pack, "install", host)
    before = tree(host)
    _, lines = call(pack, verb, host, "--dry-run")
    call(pack, verb, host)
    after = tree(host)
    changed = {place for place, content in (before | after).items() if content != "folder"}
    assert {line.removeprefix(word) for line in lines if line.startswith(word)} == {
        place for place in changed - {RECORD} if (place in before) is not (place in after)
    }


def test_what_the_pages_lead_to_is_part_of_the_pack():
    """Who has only the installed copy can read every page of it."""
    files = installer.read_pack(ROOT).files
    for page, text in PAGES.items():
        for place, _ in links(text):
            target = ((ROOT / page).parent / place).resolve().relative_to(ROOT).as_posix() if place else page
            assert any(name == target or name.startswith(f"{target}/") for name in files), f"{page}: {place}"


def test_install_adds_the_pack_and_leaves_host_files_byte_identical(pack, host, layout):
    """P-01, P-05, P-07: only files under usr/ come to be, and on v0.9.7 the shims; the host's keep every byte.

    The record names each with its sha256, and a second run changes nothing, down to the record's own bytes.
    """
    before = tree(host)
    assert call(pack, "install", host)[0] == 0
    after = tree(host)
    new = added(before, after)
    shim = {SHIMS[layout]} if layout in SHIMS else set()
    folders = {"usr/plugins", "usr/extensions", f"usr/extensions/{POINT}"}
    assert {place for place in new if not place.startswith(PACK)} <= shim | folders
    inside = {place.removeprefix(PACK + "/") for place in new if (host / place).is_file()} - shim
    assert {"plugin.yaml", "hooks.py", "install.py", "installer/plan.py", "helpers/cli.py", "LICENSE"} <= inside
    assert {"config/classification_config.json", f"extensions/python/{POINT}/{HOOK}"} <= inside
    assert not [place for place in inside if "must stay behind" in (host / PACK / place).read_text(encoding="utf-8")]
    assert (host / HOOK_PLACE).read_text(encoding="utf-8") == PACK_HOOK
    files = {place: after[place] for place in new if after[place] != "folder" and place != RECORD}
    assert json.loads((host / RECORD).read_text(encoding="utf-8"))["files"] == files
    code, lines = call(pack, "install", host)
    assert (code, tree(host)) == (0, after)
    assert "nothing to change" in "\n".join(lines)


def test_plan_writes_nothing_and_apply_does_all_of_it(pack, plugins_host):
    before = tree(plugins_host)
    plan = install_py.plan(plugins_host, pack)
    assert tree(plugins_host) == before
    install_py.apply(plugins_host, plan)
    assert set(plan.writes) < set(tree(plugins_host))
    assert install_py.plan(plugins_host, pack).changes_nothing


def test_the_users_configuration_is_kept(pack, plugins_host):
    """C-72: what the user configured survives an installation, an upgrade and a removal."""
    files = (f"{PACK}/config.json", f"{PACK}/.toggle-1", "usr/memory/classification_config.json", "memory/x.json")
    for name in files:
        write(plugins_host / name, '{"max_injected_memories": 3}')
    before = tree(plugins_host)
    call(pack, "install", plugins_host)
    call(make_pack(pack.parent / "newer", "0.2.0"), "install", plugins_host)
    call(pack, "uninstall", plugins_host)
    assert {name: tree(plugins_host)[name] for name in files} == {name: before[name] for name in files}


def test_an_upgrade_replaces_and_removes_what_was_not_changed(pack, host, layout):
    """P-05: a file of the older version that is gone in the newer one goes, its cache and its shim too."""
    write(pack / "helpers/old/gone.py", "x = 1\n")
    write(pack / "extensions/python/job_loop/_57_old.py", PACK_HOOK)
    before = tree(host)
    call(pack, "install", host)
    write(host / PACK / "helpers/old/__pycache__/gone.cpython-312.pyc", "cache")
    newer = make_pack(pack.parent / "newer", "0.2.0")
    code, lines = call(newer, "install", host)
    assert code == 0
    assert "over 0.1.0" in "\n".join(lines)
    now = tree(host)
    assert not [place for place in added(before, now) if "old" in place or "job_loop" in place]
    assert "0.2.0" in (host / PACK / "helpers/host/hooks.py").read_text(encoding="utf-8")
    assert "nothing to change" in "\n".join(call(newer, "install", host)[1])
    assert call(newer, "uninstall", host)[0] == 0
    assert tree(host) == before


def test_the_layout_of_an_upgraded_agent_zero_is_followed(pack, tmp_path):
    """T-45, T-72: after v0.9.7 became a release with plugins, the shims go, whatever is left of the old program."""
    root = make_host(tmp_path / "a0", "A1")
    call(pack, "install", root)
    make_host(root, "plugins")
    assert any("installed for layout A1" in line for line in call(pack, "status", root)[1])
    assert call(pack, "install", root)[0] == 0
    assert not (root / SHIMS["A1"]).exists()
    assert (root / f"python/extensions/{POINT}/_50_memorize.py").is_file()
    assert call(pack, "status", root)[0] == 0


def test_a_changed_file_is_kept_aside_and_named(pack, host, layout):
    """Also one that the new version drops."""
    write(pack / "helpers/gone.py", "x = 1\n")
    call(pack, "install", host)
    changed = [f"{PACK}/helpers/cli.py", *([SHIMS[layout]] if layout in SHIMS else [])]
    for place in changed:
        write(host / place, "# mine\n")
    code, lines = call(pack, "install", host)
    assert code == 0
    for place in changed:
        assert (host / f"{PACK}/kept/1/{place}").read_text(encoding="utf-8") == "# mine\n"
        assert any(place in line and f"{PACK}/kept/1/{place}" in line for line in lines)
        assert (host / place).read_text(encoding="utf-8") != "# mine\n"
    write(host / PACK / "helpers/gone.py", "x = 2\n")
    call(make_pack(pack.parent / "newer", "0.2.0"), "install", host)
    assert not (host / PACK / "helpers/gone.py").exists()
    assert (host / PACK / "kept/2" / PACK / "helpers/gone.py").read_text(encoding="utf-8") == "x = 2\n"


CRASH = """
import importlib.util, os, pathlib, sys
pack, host, renames = sys.argv[1], sys.argv[2], int(sys.argv[3])
spec = importlib.util.spec_from_file_location("install", pathlib.Path(pack, "install.py"))
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
real = pathlib.Path.replace
def replace(path, target):
    global renames
    if renames == 0:
        os._exit(9)
    renames -= 1
    return real(path, target)
pathlib.Path.replace = replace
sys.exit(module.main(sys.argv[4:] + [host], say=lambda line: None))
"""


def crash(pack: Path, host: Path, renames: int, *words: str) -> None:
    """Run install.py in a process that dies instead of its `renames` + 1st rename."""
    command = [sys.executable, "-c", CRASH, str(pack), str(host), str(renames), *words]
    assert subprocess.run(command, check=False).returncode == 9


@pytest.mark.parametrize("renames", [1, 9])
def test_an_interrupted_install_is_undone_and_then_done(pack, tmp_path, renames):
    """P-05: whatever a crash left, the next `install` ends as if there had been none."""
    host = make_host(tmp_path / "a0", "A1")
    before = tree(host)
    crash(pack, host, renames)
    assert (host / JOURNAL).is_file()
    code, lines = call(pack, "status", host)
    assert code == 1
    assert any("cut short" in line for line in lines)
    left = tree(host)
    assert any("to be undone first" in line for line in call(pack, "install", host, "--dry-run")[1])
    assert tree(host) == left
    assert call(pack, "install", host)[0] == 0
    assert not [place for place in tree(host) if ".ledger-" in place or place == JOURNAL]
    assert call(pack, "status", host)[0] == 0
    call(pack, "uninstall", host)
    assert tree(host) == before


@pytest.mark.parametrize("renames", [1, 5])
@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_an_interrupted_upgrade_or_removal_can_be_undone_exactly(pack, tmp_path, renames, verb):
    host = make_host(tmp_path / "a0", "A2")
    call(pack, "install", host)
    write(host / PACK / "LICENSE", "changed\n")
    newer = make_pack(tmp_path / "newer", "0.2.0")
    for name in ("helpers/cli.py", "helpers/host/__init__.py", "helpers/host/extension.py", "helpers/__init__.py"):
        write(newer / name, "# newer\n")
    before = tree(host)
    crash(newer, host, renames, verb)
    assert tree(host) != before
    assert installer.undo(installer.find_host(host))
    assert tree(host) == before


def test_what_somebody_changed_meanwhile_outlives_the_undoing(pack, tmp_path):
    """P-05: a file that a half-done install has put there goes with it, but not what a person has made of it since.

    Where a file was there before, the undoing brings the old one back, and keeps the changed one beside it.
    """
    host = make_host(tmp_path / "a0", "A1")
    before = tree(host)
    crash(pack, host, 9)
    changed, *others = sorted(place for place in added(before, tree(host)) if place.endswith(".py"))
    assert others
    write(host / changed, "# mine\n")
    assert installer.undo(installer.find_host(host))
    assert [place for place in added(before, tree(host)) if (host / place).is_file()] == [changed]
    assert (host / changed).read_text(encoding="utf-8") == "# mine\n"
    call(pack, "install", host)
    newer = make_pack(tmp_path / "newer", "0.2.0")
    for path in (newer / "helpers").rglob("*.py"):
        path.write_bytes(path.read_bytes() + b"# newer\n")
    before = tree(host)
    crash(newer, host, 9)
    places = [place for place in before if place.endswith(".py") and (host / place).is_file()]
    changed = next(place for place in places if "# newer" in (host / place).read_text("utf-8"))
    write(host / changed, "# mine\n")
    assert installer.undo(installer.find_host(host))
    kept = next(place for place in added(before, tree(host)) if place.endswith(f"/{changed}"))
    assert (host / kept).read_text(encoding="utf-8") == "# mine\n"
    assert all(place.startswith(f"{PACK}/kept") for place in added(before, tree(host)))


def test_a_crash_after_the_change_leaves_only_the_clearing_up(pack, plugins_host):
    """The journal says that all was done: the new files stay, what was moved aside goes."""
    call(pack, "install", plugins_host)
    wanted = tree(plugins_host)
    steps = [[f"{PACK}/LICENSE", "0" * 64, True]]
    write(plugins_host / JOURNAL, json.dumps({"state": "done", "steps": steps, "folders": []}))
    write(plugins_host / PACK / ".LICENSE.ledger-old", "older\n")
    assert call(pack, "install", plugins_host)[0] == 0
    assert tree(plugins_host) == wanted


def test_a_failure_half_way_rolls_back_an_upgrade(pack, plugins_host):
    """A real failure: the old file cannot be moved aside, because a folder has the name."""
    call(pack, "install", plugins_host)
    write(plugins_host / PACK / "installer/.plan.py.ledger-old/x", "in the way")
    newer = make_pack(pack.parent / "newer", "0.2.0")
    for path in (newer / "installer").glob("*.py"):
        path.write_bytes(path.read_bytes() + b"\n")
    before = tree(plugins_host)
    code, lines = call(newer, "install", plugins_host)
    assert code == 1
    assert "nothing was changed" in lines[-1]
    assert tree(plugins_host) == before


def test_an_installation_without_a_record_is_repaired(pack, plugins_host):
    """A copy by hand, or one of which only a part arrived: what differs is kept aside, what is unknown stays."""
    shutil.copytree(pack / "helpers", plugins_host / PACK / "helpers")
    write(plugins_host / PACK / "helpers/cli.py", "# half\n")
    write(plugins_host / PACK / "notes.txt", "mine")
    code, lines = call(pack, "install", plugins_host)
    report = "\n".join(lines)
    assert code == 0
    assert "found without a record" in report
    assert "notes.txt" in report
    assert (plugins_host / f"{PACK}/kept/1/{PACK}/helpers/cli.py").read_text(encoding="utf-8") == "# half\n"
    assert call(pack, "status", plugins_host)[0] == 0
    call(pack, "uninstall", plugins_host)
    assert (plugins_host / PACK / "notes.txt").read_text(encoding="utf-8") == "mine"


def record_text(**changes: object) -> str:
    """A record of format 1, with changes."""
    plain = {"format": 1, "version": "9", "layout": "A1", "installed_at": "", "folders": [], "files": {}, "found": {}}
    return json.dumps({**plain, **changes})


@pytest.mark.parametrize("record", CASES["a_record_that_cannot_be_trusted_removes_nothing"])
def test_a_record_that_cannot_be_trusted_removes_nothing_and_can_be_made_anew(pack, plugins_host, record):
    call(pack, "install", plugins_host)
    write(plugins_host / RECORD, record if isinstance(record, str) else record_text(**record))
    if record == "":
        (plugins_host / RECORD).unlink()
    before = tree(plugins_host)
    for verb in ("uninstall", "status"):
        code, lines = call(pack, verb, plugins_host)
        assert code == 1 and "record" in "\n".join(lines)
    assert tree(plugins_host) == before
    for verb in ("install", "status"):
        assert call(pack, verb, plugins_host)[0] == 0


def test_an_installed_copy_installs_itself(pack, host, layout):
    """After a Plugin Hub, git or ZIP installation only shims and record are written, and only they are taken away."""
    shutil.copytree(pack, host / PACK)
    before = tree(host)
    assert call(host / PACK, "install")[0] == 0
    shim = {SHIMS[layout]} if layout in SHIMS else set()
    assert {place for place in added(before, tree(host)) if (host / place).is_file()} == {RECORD, *shim}
    assert call(host / PACK, "status")[0] == 0
    again = tree(host)
    assert call(host / PACK, "install")[0] == 0
    assert tree(host) == again
    code, lines = call(host / PACK, "uninstall")
    assert code == 1
    assert "still there" in lines[-1]
    assert not [place for place in added(before, tree(host)) if (host / place).is_file()]


def test_a_copied_pack_that_installs_itself_again_stays_a_copy(pack, plugins_host):
    before = tree(plugins_host)
    call(pack, "install", plugins_host)
    record = (plugins_host / RECORD).read_bytes()
    assert call(plugins_host / PACK, "install")[0] == 0
    assert (plugins_host / RECORD).read_bytes() == record
    assert call(plugins_host / PACK, "uninstall")[0] == 0
    assert tree(plugins_host) == before


@pytest.mark.parametrize("folder", ["work", "instance/usr"])
def test_the_mounted_usr_folder_of_a_container_is_enough(pack, tmp_path, folder):
    """Only /a0/usr is mapped, as Agent Zero's documentation says: from v0.9.9 on nothing else is needed."""
    usr = fill_usr(tmp_path / folder)
    before = tree(usr)
    assert call(pack, "install", tmp_path / folder.split("/")[0])[0] == 0
    assert (usr / "plugins/memory_ledger/plugin.yaml").is_file()
    assert call(pack, "doctor", usr)[0] == 0
    assert call(pack, "uninstall", usr)[0] == 0
    assert tree(usr) == before


def test_the_usr_folder_of_a_whole_agent_zero_means_that_agent_zero(pack, tmp_path):
    host = make_host(tmp_path / "a0", "A1")
    assert call(pack, "install", host / "usr")[0] == 0
    assert call(pack, "status", host)[0] == 0
    assert (host / SHIMS["A1"]).is_file()


def test_an_incomplete_download_is_refused(pack, plugins_host):
    (pack / "helpers/__init__.py").unlink()
    before = tree(plugins_host)
    code, lines = call(pack, "install", plugins_host)
    assert (code, tree(plugins_host)) == (1, before)
    assert "helpers/__init__.py" in lines[-1]


def test_uninstall_removes_exactly_what_was_recorded(pack, host):
    """P-07: after use (caches, settings, memories) only what the user or the host made is left; twice is once."""
    before = tree(host)
    call(pack, "install", host)
    for place in (PACK + "/helpers", f"{PACK}/extensions/python/{POINT}"):
        write(host / place / "__pycache__/cli.cpython-312.pyc", "cache")
        write(host / place / f"__pycache__/{HOOK[:-3]}.cpython-312.pyc", "cache")
    shutil.rmtree(host / PACK / "extensions/python" / POINT / "__pycache__")
    assert call(pack, "uninstall", host)[0] == 0
    after = tree(host)
    assert not [place for place in added(before, after) if (host / place).is_file()]
    code, lines = call(pack, "uninstall", host)
    assert (code, tree(host)) == (0, after)
    assert "not installed" in lines[-1]


def test_uninstall_keeps_and_names_what_the_user_changed(pack, host, layout):
    call(pack, "install", host)
    changed = [HOOK_PLACE, *([SHIMS[layout]] if layout in SHIMS else [])]
    for place in changed:
        write(host / place, "# mine\n")
    write(host / PACK / "config.json", "{}")
    code, lines = call(pack, "uninstall", host)
    assert code == 0
    for place in changed:
        assert not (host / place).exists(), "a hook without its pack would disable the whole point"
        assert (host / f"{PACK}/kept/1/{place}").read_text(encoding="utf-8") == "# mine\n"
        assert any(f"{PACK}/kept/1/{place}" in line for line in lines)
    assert f"left  {PACK}/config.json" in lines


def test_ledger_metadata_and_data_files_stay_and_are_named(pack, host, layout):
    folder = "memory/default" if layout == "A1" else "usr/memory/default"
    make_store(host / folder)
    write(host / folder / "ledger.jsonl", "{}")
    write((host / folder).parent / "state.json", "{}")
    before = tree(host)
    call(pack, "install", host)
    code, lines = call(pack, "uninstall", host)
    assert code == 0
    assert f"left  {folder}/ledger.jsonl" in lines
    assert f"left  {folder.rsplit('/', 1)[0]}/state.json" in lines
    assert not any(line.startswith("left") and "index" in line for line in lines)
    after = tree(host)
    assert {place: after[place] for place in before} == before
    assert (host / "stripped.txt").read_text(encoding="utf-8") == "strip --pointers-only --folder default\n"


def test_strip_metadata_runs_the_packs_own_code_over_every_store_first(pack, host, layout, monkeypatch):
    monkeypatch.setenv("A0_PYTHON", sys.executable)
    folder = host / ("memory" if layout == "A1" else "usr/memory")
    make_store(folder / "default")
    make_store(folder / "other")
    make_store(host / "usr/projects/p/.a0proj/memory")
    call(pack, "install", host)
    _, lines = call(pack, "uninstall", host, "--strip-metadata", "--dry-run")
    commands = [line for line in lines if "-m usr.plugins.memory_ledger.helpers.cli strip --folder" in line]
    assert [command.split()[-1] for command in commands][:2] == [str(folder / "default"), str(folder / "other")]
    assert not (host / "stripped.txt").exists()
    code, lines = call(pack, "uninstall", host, "--strip-metadata")
    assert code == 0
    stripped_first = [line for line in lines if line.endswith("1 memory stripped")]
    assert stripped_first[0] == f"ok    {folder / 'default'}: 1 memory stripped" and len(stripped_first) == 3
    stripped = (host / "stripped.txt").read_text(encoding="utf-8").splitlines()
    assert stripped == ["strip --folder default", "strip --folder other", "strip --folder memory"]
    assert not (host / PACK).exists()


@pytest.mark.parametrize(
    ("python", "refuses", "message"),
    [
        pytest.param(sys.executable, True, "refused: default", id="it fails"),
        pytest.param("/no/such/python", False, "cannot be run", id="no such Python"),
    ],
)
def test_nothing_is_removed_when_stripping_fails(pack, plugins_host, monkeypatch, python, refuses, message):
    monkeypatch.setenv("A0_PYTHON", python)
    store = make_store(plugins_host / "usr/memory/default")
    if refuses:
        write(store / "refuse")
    call(pack, "install", plugins_host)
    refuses_to_strip(pack, plugins_host, message, str(store))
    code, lines = call(pack, "uninstall", plugins_host)
    assert code == 0, "unasked, it is only tried: a plain removal goes on"
    assert any(line.startswith("warn") and message in line for line in lines)


def test_a_python_that_cannot_strip_is_named_with_where_to_name_another(pack, plugins_host, monkeypatch):
    """Issue 22: README's `--strip-metadata` with a Python that is not Agent Zero's; with A0_PYTHON no such hint."""
    write(make_store(plugins_host / "usr/memory/default") / "refuse")
    call(pack, "install", plugins_host)
    for python in (None, sys.executable):
        monkeypatch.setenv("A0_PYTHON", python) if python else monkeypatch.delenv("A0_PYTHON", raising=False)
        _, lines = call(pack, "uninstall", plugins_host, "--strip-metadata")
        assert lines[-1].endswith("name it in A0_PYTHON") is (python is None)


def test_stripping_refuses_while_agent_zero_runs(pack, plugins_host):
    """The running host would write its own copy of the memories over the change."""
    make_store(plugins_host / "usr/memory/default")
    write(plugins_host / "run_ui.py", "input()\n")
    call(pack, "install", plugins_host)
    command = [sys.executable, "run_ui.py"]
    with subprocess.Popen(command, cwd=plugins_host, stdin=subprocess.PIPE) as process:
        refuses_to_strip(pack, plugins_host, "stop it first")
        process.communicate(b"\n")


def test_stripping_needs_more_than_the_usr_folder(pack, tmp_path):
    usr = fill_usr(tmp_path / "work")
    make_store(usr / "memory/default")
    call(pack, "install", usr)
    refuses_to_strip(pack, usr, "docker exec")


def refuses_to_strip(pack: Path, folder: Path, *messages: str) -> None:
    """Nothing is removed where the metadata cannot be, and what keeps it from that is said."""
    before = tree(folder)
    code, lines = call(pack, "uninstall", folder, "--strip-metadata")
    assert (code, tree(folder)) == (1, before)
    assert all(message in lines[-1] for message in messages)


HOST_RUN = """
import asyncio, importlib.util, inspect, json, os, sys
from python.helpers.extension import Extension

class Log:
    lines = []
    def log(self, type, heading=None, content=None, **kwargs):
        self.lines.append((type, heading, content))

class Agent:
    def __init__(self):
        self.data = {}
        self.context = type("Context", (), {"log": Log()})()
    def get_data(self, key):
        return self.data.get(key)
    def set_data(self, key, value):
        self.data[key] = value

def classes(folder):
    for name in sorted(name for name in os.listdir(folder) if name.endswith(".py")):
        spec = importlib.util.spec_from_file_location(name[:-3], os.path.join(folder, name))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found = [cls for _, cls in inspect.getmembers(module, inspect.isclass)]
        found = [cls for cls in found if cls is not Extension and issubclass(cls, Extension)]
        if found:
            yield found

async def run(agent, found):
    return [await cls[-1](agent=agent).execute(loop_data="L") for cls in found]

found, agent = list(classes(sys.argv[1])), Agent()
try:
    results = asyncio.run(run(agent, found)) + asyncio.run(run(agent, found))
except Exception as exc:
    results = type(exc).__name__
print(json.dumps({"classes": [len(cls) for cls in found], "results": results, "log": agent.context.log.lines}))
"""


def run_point(host: Path, layout: str) -> dict:
    """Load and run, twice, a hook point as v0.9 does: by path, not in `sys.modules`, one class per file."""
    command = [sys.executable, "-c", HOST_RUN, str((host / SHIMS[layout]).parent)]
    result = subprocess.run(command, cwd=host, capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


@pytest.mark.parametrize("layout", ["A1", "A2"])
def test_a_shim_hands_over_to_the_packs_hook(pack, tmp_path, layout):
    """T-72: one Extension class, loaded by the host's rule, runs the very hook file that a plugin host reads."""
    host = make_host(tmp_path / "a0", layout)
    call(pack, "install", host)
    answer = run_point(host, layout)
    assert answer == {"classes": [1], "results": ["0.1.0"] * 2, "log": [["ran", "L"]] * 2}


@pytest.mark.parametrize("layout", ["A1", "A2"])
@pytest.mark.parametrize(
    ("place", "text"),
    [
        pytest.param("", None, id="no pack"),
        pytest.param("helpers/host/hooks.py", None, id="a module is missing"),
        pytest.param(HOOK_INSIDE, "class (\n", id="syntax"),
        pytest.param(HOOK_INSIDE, "x = 1\n", id="no class"),
        pytest.param(HOOK_INSIDE, PACK_HOOK.replace("return hooks.ANSWER", "raise RuntimeError"), id="it fails"),
    ],
)
def test_a_shim_whose_pack_is_broken_reports_once_and_raises_nothing(pack, tmp_path, layout, place, text):
    host = make_host(tmp_path / "a0", layout)
    call(pack, "install", host)
    if text is not None:
        write(host / PACK / place, text)
    elif place:
        (host / PACK / place).unlink()
    else:
        shutil.rmtree(host / PACK)
    answer = run_point(host, layout)
    assert answer["results"] == [None, None]
    (warning,) = [line for line in answer["log"] if line[0] == "warning"]
    assert POINT in warning[1]


def test_a_shim_lets_the_hosts_own_signals_through(pack, tmp_path):
    """An intervention of the user is raised as an exception; swallowing it would lose the message."""
    host = make_host(tmp_path / "a0", "A1")
    text = "class InterventionException(Exception):\n    pass\n\n\n" + PACK_HOOK.replace(
        "return hooks.ANSWER", "raise InterventionException"
    )
    write(pack / f"extensions/python/{POINT}/{HOOK}", text)
    call(pack, "install", host)
    assert run_point(host, "A1")["results"] == "InterventionException"


def doctor(pack: Path, host: Path) -> tuple[int, str]:
    code, lines = call(pack, "doctor", host)
    assert all(line[:6] in ("ok    ", "warn  ", "fail  ") for line in lines)
    return code, "\n".join(lines)


def test_status_tells_version_layout_and_files(pack, host, layout):
    for verb in ("status", "doctor"):
        code, lines = call(pack, verb, host)
        assert code == 1 and "not installed" in "\n".join(lines)
    call(pack, "install", host)
    code, lines = call(pack, "status", host)
    report = "\n".join(lines)
    assert code == 0
    assert "0.1.0" in report
    assert f"layout {layout} (" in report
    assert "0 changed, 0 missing" in report
    write(host / PACK / "LICENSE", "changed\n")
    (host / PACK / "helpers/cli.py").unlink()
    code, lines = call(pack, "status", host)
    report = "\n".join(lines)
    assert code == 1
    assert "1 changed, 1 missing" in report
    assert f"fail  {PACK}/helpers/cli.py: missing" in report
    assert f"warn  {PACK}/LICENSE: changed" in report


def test_a_sound_installation_has_nothing_to_fail(pack, host, layout):
    store = make_store(host / ("memory/default" if layout == "A1" else "usr/memory/default"))
    write(store / "ledger_backup.jsonl", "{}\n")
    call(pack, "install", host)
    code, report = doctor(pack, host)
    assert code == 0
    assert "fail" not in report
    assert "0 hours behind" in report
    assert "hooks: 1 file," in report


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        pytest.param(None, "no hook file", id="missing"),
        pytest.param("class (\n", "not Python", id="syntax"),
        pytest.param("x = 1\n", "0 Extension classes", id="no class"),
        pytest.param(PACK_HOOK + "\n\nclass Z(Extension):\n    pass\n", "2 Extension classes", id="two classes"),
        pytest.param("from . import x\n" + PACK_HOOK, "relative import", id="relative import"),
        pytest.param("from a import BaseExtension\n" + PACK_HOOK, "BaseExtension", id="an imported subclass"),
        pytest.param(PACK_HOOK.replace("host.extension", "host.gone"), "helpers.host.gone", id="a missing module"),
    ],
)
def test_doctor_finds_a_hook_that_agent_zero_cannot_run(pack, plugins_host, text, fault):
    call(pack, "install", plugins_host)
    (plugins_host / HOOK_PLACE).unlink()
    if text is not None:
        write(plugins_host / HOOK_PLACE, text)
    code, report = doctor(pack, plugins_host)
    assert code == 1
    assert [line for line in report.splitlines() if line.startswith("fail") and fault in line]
    assert text is None or f"fail  {HOOK_PLACE}: " in report


@pytest.mark.parametrize(("layout", "folder", "ours_is_run"), CASES["collisions"])
def test_a_file_of_the_same_name_is_reported_with_what_is_run(pack, tmp_path, layout, folder, ours_is_run):
    """T-71: by install and by doctor, in all the folders that the host searches."""
    host = make_host(tmp_path / "a0", layout)
    write(host / folder / HOOK, HOST_HOOK)
    ours, theirs = SHIMS.get(layout, HOOK_PLACE), f"{folder}/{HOOK}"
    loser = theirs if ours_is_run else ours
    wanted = f"warn  {theirs}: same name and hook point as {ours}; Agent Zero runs only one of them, and not {loser}"
    for words in (("--dry-run",), ()):
        code, lines = call(pack, "install", host, *words)
        assert code == 0
        assert wanted in lines
    assert wanted in doctor(pack, host)[1]


def _leave_the_backup_alone(store):
    shutil.rmtree(store)
    write(store / "ledger_backup.jsonl", "{}\n")


@pytest.mark.parametrize(
    ("spoil", "level", "message"),
    [
        pytest.param(lambda store: (store / "index.pkl").unlink(), "fail", "index.faiss without index.pkl", id="half"),
        pytest.param(lambda store: write(store / "index.pkl"), "fail", "empty", id="empty"),
        pytest.param(lambda store: write(store / "index.faiss", "x"), "fail", "does not match", id="sha256"),
        pytest.param(lambda store: (store / "index.faiss.sha256").unlink(), "ok", "store readable", id="no sha256"),
        pytest.param(lambda store: None, "warn", "no backup yet", id="no backup"),
        pytest.param(_leave_the_backup_alone, "fail", "a backup, but no store", id="a backup alone"),
    ],
)
def test_doctor_looks_at_the_stores(pack, plugins_host, spoil, level, message):
    """T-64: what would make Agent Zero replace the store by an empty one is said before it happens."""
    store = make_store(plugins_host / "usr/memory/default")
    call(pack, "install", plugins_host)
    spoil(store)
    code, report = doctor(pack, plugins_host)
    assert code == (level == "fail")
    assert [line for line in report.splitlines() if line.startswith(level) and message in line]


def test_doctor_tells_how_far_a_backup_is_behind(pack, plugins_host):
    store = make_store(plugins_host / "usr/memory/default")
    write(store / "ledger_backup.jsonl", "{}\n")
    os.utime(store / "index.pkl", (1_000_000 + 9 * 86400,) * 2)
    os.utime(store / "ledger_backup.jsonl", (1_000_000,) * 2)
    call(pack, "install", plugins_host)
    assert "warn  usr/memory/default: backup is 216 hours behind the store" in doctor(pack, plugins_host)[1]


@pytest.mark.parametrize(("present", "level"), [(0, "fail"), (10, "warn")])
def test_doctor_finds_a_store_with_far_fewer_memories_than_its_backup(pack, plugins_host, present, level):
    """T-64: less than half, and at least ten fewer; deleted ones and damaged lines taken off. The pack's own rule."""
    store = make_store(plugins_host / "usr/memory/default")
    (store / "index.faiss").write_bytes(struct.pack("<4siq", b"IxFI", 384, present))
    (store / "index.faiss.sha256").unlink()
    lines = [json.dumps({"id": str(number), "text": "t", "metadata": {}}) for number in range(21)]
    lines += ["garbage", json.dumps({"deleted": "20", "at": "2026-03-01T00:00:00+00:00", "by": "host"})]
    write(store / "ledger_backup.jsonl", "\n".join(lines) + "\n")
    os.utime(store / "ledger_backup.jsonl", (1_000_000,) * 2)
    call(pack, "install", plugins_host)
    found = [line for line in doctor(pack, plugins_host)[1].splitlines() if "backup" in line]
    assert is_far_fewer(present, 20) is (level == "fail")
    assert found[0].startswith(level) and ("memories, but 20 in the backup" in found[0]) is (level == "fail")


def test_doctor_tells_of_memories_that_may_hold_a_secret(pack, plugins_host):
    """V-56, T-22: how many and of which kinds; a damaged file, or none, says nothing."""
    store = make_store(plugins_host / "usr/memory/default")
    call(pack, "install", plugins_host)
    assert "secret" not in doctor(pack, plugins_host)[1]
    database = Database(store)
    for row in (("m1", '["password"]'), ("m2", '["pin", "password"]')):
        database.change(lambda db, row=row: db.execute("INSERT INTO secret VALUES (?, ?)", row))
    assert "warn  usr/memory/default: 2 memories may hold a secret (password, pin)" in doctor(pack, plugins_host)[1]
    database.change(lambda db: db.execute("DELETE FROM secret"))
    assert "secret" not in doctor(pack, plugins_host)[1]
    database.path.write_bytes(b"no database")
    assert "secret" not in doctor(pack, plugins_host)[1]


DANGEROUS = {
    "memory_recall_enabled": False,
    "memory_memorize_consolidation": True,
    "memory_memorize_replace_threshold": 0.9,
}


@pytest.mark.parametrize(("layout", "place"), CASES["places_of_settings"])
def test_host_settings_that_work_against_the_pack_are_named_never_changed(pack, tmp_path, layout, place):
    """T-43: advice only, by install and by doctor."""
    host = make_host(tmp_path / "a0", layout)
    is_json = place.endswith(".json")
    flat = "".join(f"{key}: {str(value).lower()}\n" for key, value in DANGEROUS.items())
    write(host / place, json.dumps(DANGEROUS) if is_json else flat)
    before = tree(host)
    for report in ("\n".join(call(pack, "install", host)[1]), doctor(pack, host)[1]):
        for key in DANGEROUS:
            assert f"warn  {place}: {key} is " in report
    added(before, tree(host))


def test_settings_that_do_not_are_not_named(pack, host, layout):
    place = {"A1": "tmp/settings.json", "A2": "usr/settings.json"}.get(layout, "usr/plugins/_memory/config.json")
    write(host / place, json.dumps({**DANGEROUS, **dict.fromkeys(DANGEROUS, 0), "memory_recall_enabled": True}))
    call(pack, "install", host)
    assert f"ok    {place}: no setting of Agent Zero works against the pack" in doctor(pack, host)[1]


@pytest.mark.parametrize(("place", "text", "message"), CASES["doctor_looks_at_the_packs_own_switches"])
def test_doctor_looks_at_the_packs_own_switches(pack, plugins_host, place, text, message):
    call(pack, "install", plugins_host)
    write(plugins_host / place, text)
    code, report = doctor(pack, plugins_host)
    assert code == (message == "fail")
    assert any(line.startswith(message) and place in line for line in report.splitlines())


def test_the_plugin_hooks_record_and_undo_and_load_no_module_for_good(pack, host, layout):
    """P-05: as Agent Zero calls them after a Plugin Hub installation: by path, again after an update, at the end."""
    shutil.copytree(pack, host / PACK)
    before = tree(host)
    path, modules = list(sys.path), set(sys.modules)
    hooks = load(host / PACK / "hooks.py")
    assert "installed" in hooks.install()
    shim = {SHIMS[layout]} if layout in SHIMS else set()
    assert {place for place in added(before, tree(host)) if (host / place).is_file()} == {RECORD, *shim}
    once = tree(host)
    assert "nothing to change" in hooks.install()
    assert hooks.pre_update() == ""
    assert tree(host) == once
    said = hooks.uninstall()
    assert all(words in said for words in ("stay in the memories", *shim))
    assert tree(host) == before
    assert "nothing to undo" in hooks.uninstall()
    assert (sys.path, {name for name in set(sys.modules) - modules if "installer" in name}) == (path, set())


def test_the_uninstall_hook_leaves_the_folder_for_the_host_to_delete(pack, plugins_host):
    """Agent Zero looks for plugin.yaml after the hook and fails if it is gone."""
    call(pack, "install", plugins_host)
    before = tree(plugins_host)
    load(plugins_host / PACK / "hooks.py").uninstall()
    after = tree(plugins_host)
    assert set(before) - set(after) == {RECORD}


def test_pre_update_names_files_that_git_would_refuse_to_overwrite(pack, plugins_host, caplog):
    shutil.copytree(pack, plugins_host / PACK)
    hooks = load(plugins_host / PACK / "hooks.py")
    hooks.install()
    write(plugins_host / PACK / "LICENSE", "mine\n")
    assert f"{PACK}/LICENSE" in hooks.pre_update()
    assert "LICENSE" in caplog.text


def test_an_update_is_recorded_anew(pack, plugins_host):
    shutil.copytree(pack, plugins_host / PACK)
    hooks = load(plugins_host / PACK / "hooks.py")
    hooks.install()
    shutil.rmtree(plugins_host / PACK / "installer")
    shutil.copytree(make_pack(pack.parent / "newer", "0.2.0"), plugins_host / PACK, dirs_exist_ok=True)
    assert "over 0.1.0" in hooks.install()
    assert call(plugins_host / PACK, "status")[0] == 0


@pytest.mark.parametrize("gone", ["install.py", "installer/plan.py", "helpers/__init__.py"])
def test_a_broken_pack_never_raises_into_the_host(pack, plugins_host, gone, caplog):
    shutil.copytree(pack, plugins_host / PACK)
    hooks = load(plugins_host / PACK / "hooks.py")
    (plugins_host / PACK / gone).unlink()
    assert "fail" in hooks.install()
    for hook in (hooks.pre_update, hooks.uninstall):
        assert isinstance(hook(), str)


def _pythons() -> list[Path]:
    """Other interpreters, where pyenv has some."""
    return sorted(Path.home().glob(".pyenv/versions/3.*/bin/python"))


@pytest.mark.parametrize("python", [Path(sys.executable), *_pythons()], ids=lambda python: python.parts[-3])
def test_the_command_runs_or_says_which_python_it_needs(pack, tmp_path, python):
    """On whatever Python the user's machine has: it works from 3.9 on, and never ends in a traceback."""
    host = make_host(tmp_path / "a0", "A1")
    before = tree(host)
    result = subprocess.run(
        [str(python), str(pack / "install.py"), str(host)], capture_output=True, text=True, check=False
    )
    assert "Traceback" not in result.stderr
    version = subprocess.run(
        [str(python), "-c", "import sys; print(sys.version_info[1])"], capture_output=True, text=True
    )
    if int(version.stdout) >= 9:
        assert result.returncode == 0, result.stderr
        assert (host / SHIMS["A1"]).is_file()
    else:
        assert result.returncode == 2
        assert "needs 3.9 or newer" in result.stdout
        assert tree(host) == before


def test_install_py_and_installer_import_nothing_but_the_standard_library():
    """hooks.py alone also reaches for the installed pack, which runs in the host by then (T-61)."""
    allowed = sys.stdlib_module_names | {"usr"}
    for path in [ROOT / "install.py", ROOT / "hooks.py", *(ROOT / "installer").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert {alias.name.split(".")[0] for alias in node.names} <= allowed, path
            elif isinstance(node, ast.ImportFrom) and not node.level:
                assert node.module.split(".")[0] in allowed, path


@pytest.mark.parametrize(("tag", "words"), CASES["releases"])
def test_the_release_is_read_from_git_and_whether_it_was_tried_is_said(pack, plugins_host, tag, words):
    if shutil.which("git") is None:
        pytest.skip("no git here")
    settings = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    for command in (["init", "-q"], [*settings, "commit", "-q", "--allow-empty", "-m", "x"], ["tag", tag]):
        subprocess.run(["git", "-C", str(plugins_host), *command], check=True)
    assert call(pack, "install", plugins_host)[1][0].endswith(f"; release {words}")
    assert doctor(pack, plugins_host)[1].splitlines()[0].endswith(f"; release {words}")


def test_a_release_without_git_data_is_known_by_its_files(pack, plugins_host):
    assert "(no git data in the folder), tried were v0.9.7" in call(pack, "install", plugins_host)[1][0]
    (plugins_host / "helpers" / "tool_policy.py").write_text("")
    assert "(no git data in the folder), tried in part" in doctor(pack, plugins_host)[1]


def test_a_plan_with_problems_cannot_be_applied(pack, plugins_host):
    write(plugins_host / PACK / "plugin.yaml", "name: something_else\n")
    before = tree(plugins_host)
    host = installer.find_host(plugins_host)
    plan = installer.plan_install(installer.read_pack(pack), host)
    with pytest.raises(installer.InstallError, match="belongs to another plugin"):
        installer.apply(host, plan)
    assert tree(plugins_host) == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("{", "not a readable journal", id="torn"),
        pytest.param(
            '{"state": "begun", "steps": [["agent.py", null, false]], "folders": []}', "agent.py", id="a host file"
        ),
    ],
)
def test_a_journal_that_cannot_be_trusted_stops_everything(pack, plugins_host, text, message):
    call(pack, "install", plugins_host)
    write(plugins_host / JOURNAL, text)
    before = tree(plugins_host)
    for verb in ("install", "uninstall", "status", "doctor"):
        code, lines = call(pack, verb, plugins_host)
        assert code == 1
        assert message in "\n".join(lines)
    assert tree(plugins_host) == before


def test_uninstall_names_files_that_were_gone_already(pack, plugins_host):
    before = tree(plugins_host)
    call(pack, "install", plugins_host)
    (plugins_host / PACK / "LICENSE").unlink()
    code, lines = call(pack, "uninstall", plugins_host)
    assert (code, tree(plugins_host)) == (0, before)
    assert f"warn  {PACK}/LICENSE: was gone already" in lines


def test_status_tells_when_the_files_are_newer_than_the_record(pack, plugins_host):
    """After a `git pull` by hand nothing has called install.py."""
    shutil.copytree(pack, plugins_host / PACK)
    call(plugins_host / PACK, "install")
    write(plugins_host / PACK / "plugin.yaml", "name: memory_ledger\nversion: 0.2.0\n")
    assert any("version 0.2.0, but 0.1.0 on record" in line for line in call(pack, "status", plugins_host)[1])


def test_a_reader_that_stops_reading_gets_no_traceback(pack, plugins_host):
    """`install.py doctor X | head -1`: the report ends, without noise."""
    call(pack, "install", plugins_host)
    for number in range(400):  # more than a pipe holds
        write(plugins_host / f"usr/memory/{number:0200}/index.faiss")
    command = [sys.executable, str(pack / "install.py"), "doctor", str(plugins_host)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
    assert (process.returncode, errors) == (1, b"")


def test_a_download_takes_over_from_a_zip_that_the_plugin_hub_unpacked(pack, plugins_host):
    """Its files are known from the record, so an older version is replaced and not taken for the user's changes."""
    shutil.copytree(pack, plugins_host / PACK, ignore=shutil.ignore_patterns(".git"))
    load(plugins_host / PACK / "hooks.py").install()
    newer = make_pack(pack.parent / "newer", "0.2.0")
    assert call(newer, "install", plugins_host)[0] == 0
    assert not (plugins_host / PACK / "kept").exists()
    assert any("copied by install.py" in line for line in call(newer, "status", plugins_host)[1])
    code, lines = call(newer, "uninstall", plugins_host)
    assert code == 0
    assert f"left  {PACK}/tests/test_x.py" in lines
    assert not (plugins_host / PACK / "plugin.yaml").exists()


@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_a_usr_folder_that_came_from_v097_can_be_gone_on_with(pack, tmp_path, verb):
    """Its record names shims in a program folder that is not here: they are no obstacle."""
    old = make_host(tmp_path / "a0", "A1")
    write(pack / "extensions/python/job_loop/_57_new.py", PACK_HOOK)
    call(pack, "install", old)
    usr = tmp_path / "work"
    shutil.copytree(old / "usr", usr)
    write(usr / "chats/x.json", "{}")
    code, lines = call(pack, verb, usr)
    assert code == 0
    if verb == "uninstall":
        assert any(SHIMS["A1"] in line and "by hand" in line for line in lines)
        assert not (usr / "plugins/memory_ledger").exists()
    else:
        assert call(pack, "status", usr)[0] == 0


# --- tools and the prompts that describe them ------------------------------------------------------------------------

TOOL, PROMPT = "memory_ledger_x.py", "agent.system.tool.memory_ledger_x.md"
AIDS = {
    "A1": {f"python/tools/{TOOL}", f"prompts/{PROMPT}"},
    "A2": {f"usr/tools/{TOOL}", f"usr/prompts/{PROMPT}"},
    "plugins": set(),
}
PACK_TOOL = "from python.helpers.extension import Extension as Tool\n\n\nclass X(Tool):\n    pass\n"


@pytest.fixture
def tool_pack(pack):
    """The small pack with a tool, its prompt, and a prompt that describes no tool."""
    write(pack / "tools" / TOOL, PACK_TOOL)
    write(pack / "prompts" / PROMPT, "### memory_ledger_x\n")
    write(pack / "prompts/agent.system.tool.unknown.md", "not found by its name, so not handed over\n")
    return pack


def outside(host: Path, before: dict[str, str]) -> set[str]:
    """The files outside the pack's folder that are new."""
    return {place for place in added(before, tree(host)) if (host / place).is_file() and not place.startswith(PACK)}


def test_what_this_pack_installs_it_uninstalls(host, layout):
    """C-51, P-05, T-72: the record of an installation of this very pack can be read, whatever its tools are called.

    A host without plugins gets each of them, with the words that describe it, by the name that it has here.
    """
    write(host / "prompts/agent.system.main.md", "the host's own\n")
    write(host / "python/tools/response.py", HOST_HOOK)
    before = tree(host)
    assert call(ROOT, "install", host)[0] == 0
    assert AIDS[layout] or outside(host, before) == set()
    for place in {one.rpartition("/")[0] for one in AIDS[layout]}:
        names = {one.name for one in (ROOT / place.rpartition("/")[2]).iterdir() if one.is_file()}
        assert names and names <= {one.name for one in (host / place).iterdir()}, place
    for verb in ("status", "doctor"):
        assert call(ROOT, verb, host)[0] == 0
    assert "nothing to change" in "\n".join(call(ROOT, "install", host)[1])
    code, lines = call(ROOT, "uninstall", host)
    assert code == 0, lines
    assert tree(host) == before


@pytest.mark.parametrize("layout", ["A1", "A2"])
def test_what_hands_over_to_a_tool_holds_its_class_and_its_words(tool_pack, tmp_path, layout):
    """T-72: the host takes the class from what the file imports, and finds the included prompt by its path."""
    host = make_host(tmp_path / "a0", layout)
    call(tool_pack, "install", host)
    tool, prompt = (next(host / place for place in AIDS[layout] if place.endswith(end)) for end in (".py", ".md"))
    code = f"import runpy; print(runpy.run_path({str(tool)!r})['X'].__mro__[1].__name__)"
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, cwd=host, capture_output=True, text=True, check=True)
    assert result.stdout == "Extension\n"
    included = prompt.read_text(encoding="utf-8").split('"')[1]
    assert (host / included).read_text(encoding="utf-8") == "### memory_ledger_x\n"


@pytest.mark.parametrize("layout", ["A1", "A2"])
def test_doctor_finds_what_does_not_hand_over(tool_pack, tmp_path, layout):
    """Of a hook, of a tool, of a prompt."""
    host = make_host(tmp_path / "a0", layout)
    call(tool_pack, "install", host)
    for place in (SHIMS[layout], *AIDS[layout]):
        write(host / place, "x = 1\n")
        assert f"fail  {place}: does not hand over" in doctor(tool_pack, host)[1]
        (host / place).unlink()
        code, report = doctor(tool_pack, host)
        assert code == 1
        assert f"fail  {place}: missing" in report
        assert "shims: 2 of 3 files hand over" in report
        call(tool_pack, "install", host)
        assert doctor(tool_pack, host)[0] == 0


@pytest.mark.parametrize("layout", ["A1", "A2"])
def test_orphaned_shims_are_cleared_and_changed_ones_named(tool_pack, tmp_path, layout):
    """Of a hook, of a tool, of a prompt: the folder of the pack was deleted by hand, the record with it."""
    host = make_host(tmp_path / "a0", layout)
    before = tree(host)
    call(tool_pack, "install", host)
    shutil.rmtree(host / PACK)
    changed = {SHIMS[layout], next(one for one in AIDS[layout] if one.endswith(".md"))}
    for place in changed:
        write(host / place, (host / place).read_text(encoding="utf-8") + "# mine\n")
    code, lines = call(tool_pack, "uninstall", host)
    assert code == 0
    assert outside(host, before) == changed
    assert all(any(place in line and "by hand" in line for line in lines) for place in changed)


def test_a_file_of_the_tools_name_that_is_not_ours_is_not_replaced(tool_pack, tmp_path):
    """P-07: neither by an installation nor by a removal."""
    host = make_host(tmp_path / "a0", "A1")
    write(host / f"prompts/{PROMPT}", "somebody's\n")
    before = tree(host)
    code, lines = call(tool_pack, "install", host)
    assert (code, tree(host)) == (1, before)
    assert any(PROMPT in line and "is not Memory Ledger's" in line for line in lines)
    assert call(tool_pack, "uninstall", host)[0] == 0
    assert tree(host) == before


@pytest.mark.parametrize("place", CASES["a_record_names_no_tool_or_prompt_of_the_hosts"])
def test_a_record_names_no_tool_or_prompt_of_the_hosts(tool_pack, tmp_path, place):
    """P-07: a record that was tampered with removes nothing of the host's."""
    host = make_host(tmp_path / "a0", "A1")
    write(host / "prompts/agent.system.main.md", "the host's own\n")
    write(host / "python/tools/response.py", HOST_HOOK)
    call(tool_pack, "install", host)
    write(host / RECORD, record_text(files={place: "0"}))
    before = tree(host)
    code, lines = call(tool_pack, "uninstall", host)
    assert (code, tree(host)) == (1, before)
    assert place in lines[-1]
