"""The write guard: whatever keeps the files, nothing is written but under `context/memory/` (M-53, T-32)."""

import os
from functools import partial
from pathlib import Path

import pytest
from fake_host import FixedClock
from memory_ledger.errors import StoreError
from memory_ledger.host.knowledge.addresses import KnowledgeAwayError, NameRefusedError
from memory_ledger.host.knowledge.places import FolderFiles
from places import Place

ALLOWED = (
    "domain_knowledge.md",
    "staging/error_prevention.md",
    "archive/quality_benchmarks.md",
    "session_summaries/2026-11-22_summary.md",
    ".state.json",
)

ESCAPES = {
    "parent": "../governance/audit.md",
    "parent in between": "staging/../../governance/audit.md",
    "parent at the end": "staging/..",
    "only parent": "..",
    "here": "./domain_knowledge.md",
    "empty": "",
    "empty part": "staging//x.md",
    "trailing slash": "staging/",
    "absolute": "/etc/passwd",
    "home": "~/x.md",
    "drive": "c:/x.md",
    "url": "s3://other/x.md",
    "encoded": "%2e%2e/governance/audit.md",
    "encoded slash": "..%2fgovernance%2faudit.md",
    "encoded twice": "%252e%252e/governance/audit.md",
    "backslash": "..\\governance\\audit.md",
    "backslash without dots": "staging\\x.md",
    "NUL": "x.md\0.txt",
    "newline": "x.md\n",
    "space at the end": ".. /x.md",
    "dots of another width": "\uff0e\uff0e/governance/audit.md",
    "two dots in one sign": "\u2025/governance/audit.md",
    "slash of another width": "..\uff0fgovernance",
    "other case": "Domain_Knowledge.md",
    "other case of the signal": "Cache_Refresh.json",
    "letter that folds to another": "\u212anowledge.md",
    "right to left": "\u202edm.x",
    "query": "x.md?versionId=1",
    "fragment": "x.md#1",
    "pattern": "*.md",
    "the signal": "cache_refresh.json",
    "the signal in a folder": "staging/cache_refresh.json",
    "the lock": ".knowledge.lock",
    "a writer's temporary file": ".domain_knowledge.md.12.tmp",
    "deep": "a/b/c/d/e.md",
    "long": f"{'a' * 300}.md",
}


def test_names_of_the_specification_are_allowed(place: Place) -> None:
    """M-19, M-60, T-58: every name that the specification writes is kept, on every backend."""
    files = place.open().files
    for name in ALLOWED:
        files.write(name, f"# {name}\n")
    assert {name: files.read(name) for name in files.list()} == {name: f"# {name}\n" for name in ALLOWED}


def test_no_name_leaves_the_folder(place: Place) -> None:
    """M-53: a name that could leave the folder is refused by every call, and nothing is written anywhere."""
    files = place.open().files
    files.write("domain_knowledge.md", "kept")
    before = tree(place.root)
    for escape, name in ESCAPES.items():
        for call in (partial(files.update, name, lambda _: "x"), partial(files.read, name)):
            with pytest.raises(NameRefusedError, match="allowed: a path below context/memory/"):
                call()
        assert tree(place.root) == before, escape
    assert files.list() == ["domain_knowledge.md"]


@pytest.mark.parametrize("link", ["context", "context/memory", "context/memory/staging"])
def test_no_folder_on_the_way_may_be_a_link(link: str, tmp_path: Path) -> None:
    """M-53: a symbolic link anywhere on the way is refused for reading and for writing."""
    place, outside = Place("file://", tmp_path), tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "usr" / link).parent.mkdir(parents=True)
    knowledge = place.open()
    (tmp_path / "usr" / link).symlink_to(outside)
    for call in (
        lambda: knowledge.files.update("staging/x.md", lambda _: "x"),
        lambda: knowledge.files.read("staging/x.md"),
    ):
        with pytest.raises(NameRefusedError, match="no symbolic link"):
            call()
    assert tree(outside) == {}


@pytest.mark.parametrize("name", ["domain_knowledge.md", "cache_refresh.json", ".knowledge.lock"])
@pytest.mark.parametrize("is_there", [True, False], ids=["a file", "nothing"])
def test_no_file_may_be_a_link(name: str, is_there: bool, tmp_path: Path) -> None:
    """M-53: nor may the file itself, the signal or the lock be one; what it leads to is neither changed nor made.

    A link in the place of what only the pack needs is set aside (C-75).
    """
    place, governance = Place("file://", tmp_path), tmp_path / "usr/context/governance/audit.md"
    governance.parent.mkdir(parents=True)
    if is_there:
        governance.write_text("the rules")
    place.folder.mkdir(parents=True)
    knowledge = place.open()
    (place.folder / name).symlink_to(governance)
    before = tree(governance.parent)
    if name == "domain_knowledge.md":
        with pytest.raises(StoreError, match="no symbolic link"):
            knowledge.files.write(name, "x")
        assert name not in knowledge.files.list()
    else:
        knowledge.files.write("domain_knowledge.md", "x")
        assert (place.folder / f"{name}.damaged").is_symlink() and not (place.folder / name).is_symlink()
    assert tree(governance.parent) == before
    assert knowledge.cache.refresh().get("domain_knowledge.md") != "the rules"


def test_a_link_that_comes_after_the_look_is_not_followed(tmp_path: Path) -> None:
    """M-53: whoever puts one between the check and the opening gains nothing."""
    secret = tmp_path / "audit.md"
    secret.write_text("the rules")

    class Raced(FolderFiles):
        """A folder in which somebody is just so fast."""

        def _place(self, name: str) -> Path:
            path = super()._place(name)
            if not name.endswith(".md"):
                return path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(secret)
            return path

    with pytest.raises(KnowledgeAwayError, match="symbolic links"):
        Raced(tmp_path / "usr", FixedClock()).read("domain_knowledge.md")


def test_a_temporary_file_that_is_a_link_is_not_written_through(tmp_path: Path) -> None:
    """M-53: whoever foresees the name of the temporary file gains nothing."""
    place, governance = Place("file://", tmp_path), tmp_path / "audit.md"
    governance.write_text("the rules")
    place.folder.mkdir(parents=True)
    (place.folder / f".domain_knowledge.md.{os.getpid()}.tmp").symlink_to(governance)
    place.open().files.write("domain_knowledge.md", "x")
    assert governance.read_text() == "the rules"


def test_a_second_name_of_a_governance_file_changes_nothing_in_it(tmp_path: Path) -> None:
    """M-53: a hard link is replaced, not written to."""
    place, governance = Place("file://", tmp_path), tmp_path / "usr/context/governance/audit.md"
    governance.parent.mkdir(parents=True)
    governance.write_text("the rules")
    place.folder.mkdir(parents=True)
    (place.folder / "domain_knowledge.md").hardlink_to(governance)
    place.open().files.update("domain_knowledge.md", lambda text: f"{text}, changed")
    assert governance.read_text() == "the rules"
    assert (place.folder / "domain_knowledge.md").read_text() == "the rules, changed"


@pytest.mark.parametrize("url", ["local:///{}", "simplecache::file://{}", "dir::file://{}"])
def test_a_folder_is_only_reached_through_the_guard(url: str, tmp_path: Path) -> None:
    """M-53: another spelling of a folder, whose links nobody would look at, is refused."""
    with pytest.raises((StoreError, ValueError), match=r"allowed|one URL such as"):
        Place(url.format(tmp_path), tmp_path).open().files.write("x.md", "x")
    assert tree(tmp_path) == {}


def tree(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder that is not the machine's own note of what it knows."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }
