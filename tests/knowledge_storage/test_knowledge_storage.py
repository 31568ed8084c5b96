"""Knowledge in a folder, behind fsspec, and on a real S3 server: whole files, merged writers (T-32, M-21)."""

import os
import subprocess
import sys
from pathlib import Path

import fsspec
import pytest
from memory_ledger.errors import StoreError
from memory_ledger.host.knowledge.addresses import KnowledgeAwayError
from memory_ledger.host.knowledge.places import MOST_BYTES
from places import Place
from servers import BUCKET, make_bucket, s3_environment, start_s3, started

NAME = "domain_knowledge.md"
OPEN = """
        from pathlib import Path
        from memory_ledger.host.knowledge.places import open_files
        from memory_ledger.host.knowledge.service import KnowledgeCache
        from memory_ledger.setting_groups import Knowledge
        root = Path(sys.argv[1])
"""


def test_a_text_comes_back_as_it_was_written(place: Place) -> None:
    """M-48: byte for byte, whatever a person's editor has put into it."""
    files = place.open().files
    assert files.read(NAME) is None
    for text in ("", "# Titel\r\n\r\nä – 雪\u2028\n", "\ufeff# BOM\n", "caf\udce9", "no newline at the end"):
        files.write(NAME, text)
        assert files.read(NAME) == text


def test_what_is_no_text_is_refused(place: Place) -> None:
    """M-48: half of a surrogate pair cannot be written, and is named."""
    with pytest.raises(StoreError, match="character 2 is no text"):
        place.open().files.write(NAME, "ab\ud800")
    assert place.open().files.list() == []


def test_a_merge_that_changes_nothing_writes_nothing(place: Place) -> None:
    """M-64: neither the file nor the signal is touched."""
    knowledge = place.open()
    knowledge.files.write(NAME, "one")
    known = knowledge.cache.refresh()
    assert knowledge.files.update(NAME, lambda text: text) == "one"
    assert knowledge.files.update(NAME, lambda _: None) == "one"
    assert knowledge.files.update("other.md", lambda _: None) is None
    assert knowledge.files.list() == [NAME]
    assert knowledge.cache.refresh() is known


def test_a_merge_sees_what_somebody_wrote_meanwhile(place: Place) -> None:
    """M-21, T-32: the first merge is thrown away, the second one holds both; new files and changed ones."""
    mine, other = place.open("a").files, place.open("b").files
    seen: list[str | None] = []

    def merge_late(change: "list[object]") -> None:
        def merge(text: str | None) -> str:
            seen.append(text)
            if change:
                change.pop()()  # type: ignore[operator]
            return f"{text or ''}+mine"

        mine.update(NAME, merge)

    merge_late([lambda: other.write(NAME, "theirs")])
    assert (seen, mine.read(NAME)) == ([None, "theirs"], "theirs+mine")
    seen.clear()
    merge_late([lambda: other.write(NAME, "newer")])
    assert (seen, mine.read(NAME)) == (["theirs+mine", "newer"], "newer+mine")


def test_a_writer_that_always_loses_gives_up(place: Place) -> None:
    """T-32: it says so; it neither overwrites nor hangs."""
    knowledge = place.open()
    counts = iter(range(10_000))

    def merge(text: str | None) -> str:
        knowledge.files.write(NAME, f"theirs {next(counts)}")
        return "mine"

    with pytest.raises(KnowledgeAwayError, match="changed by others"):
        knowledge.files.update(NAME, merge)
    assert str(knowledge.files.read(NAME)).startswith("theirs")


def test_a_huge_file_is_refused_and_the_others_are_read(place: Place) -> None:
    """M-20: somebody's mistake keeps nobody from what is known."""
    knowledge = place.open()
    knowledge.files.write("huge.md", "x" * (MOST_BYTES + 1))
    knowledge.files.write(NAME, "text")
    with pytest.raises(StoreError, match="larger than"):
        knowledge.files.read("huge.md")
    assert dict(knowledge.cache.refresh()) == {NAME: "text"}


def test_strange_things_in_the_folder_are_no_knowledge(tmp_path: Path) -> None:
    """M-20: a pipe is not waited for; links, folders and names out of the ordinary are left out."""
    place = Place("file://", tmp_path)
    files = place.open().files
    files.write(NAME, "text")
    os.mkfifo(place.folder / "pipe.md")
    (place.folder / "folder.md").mkdir()
    (place.folder / "Team Notes.md").write_text("x")
    (place.folder / "link.md").symlink_to(place.folder / NAME)
    (place.folder / "out").symlink_to(tmp_path)
    assert files.list() == [NAME]
    assert files.read("pipe.md") is None
    assert files.read("folder.md") is None


def test_the_same_place_is_found_again(tmp_path: Path) -> None:
    """T-32: `file://` alone is Agent Zero's own folder; a path and a URL of a folder are that folder."""
    Place("file://", tmp_path).open().files.write(NAME, "text")
    for url in ("", f"{tmp_path}/usr", f"file://{tmp_path}/usr", "../usr", f"file://{tmp_path}/%75sr"):
        assert Place(url, tmp_path).open().files.read(NAME) == "text", url


def test_a_folder_needs_no_library(tmp_path: Path) -> None:
    """P-02: by default neither fsspec nor s3fs is loaded."""
    code = f"""if True:
        import sys
        {OPEN}
        one = KnowledgeCache(open_files(Knowledge(), home=root), recheck_seconds=60)
        one.files.update("x.md", lambda _: "x")
        assert dict(one.refresh()) == {{"x.md": "x"}}
        print(sorted(set(sys.modules) & {{"fsspec", "s3fs", "botocore"}}))
    """
    assert run_python(code, tmp_path) == "[]"


@pytest.mark.parametrize("missing", ["fsspec.core", "s3fs"])
def test_a_missing_extra_is_named(missing: str, tmp_path: Path) -> None:
    """T-32, P-02: without the extra the agent goes on, and what to install is said."""
    code = f"""if True:
        import sys
        sys.modules[{missing!r}] = None
        {OPEN}
        files = open_files(Knowledge(knowledge_url="s3://bucket/x"), home=root)
        one = KnowledgeCache(files, recheck_seconds=60)
        assert not one.refresh()
        print(one.notice)
    """
    assert "for s3://, `" in run_python(code, tmp_path)


def run_python(code: str, root: Path) -> str:
    """Run code in a fresh process; return what it printed."""
    command = [sys.executable, "-W", "ignore", "-c", code, str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-1_000:]
    return done.stdout.strip()


def test_a_bucket_that_is_not_there_is_named(s3: Place) -> None:
    """T-32: it is not taken for an empty one, and is not waited for as if others were faster."""
    place = Place("s3://no-such-bucket/x", s3.root)
    files = place.open().files
    for call in (files.list, lambda: files.write(NAME, "x"), lambda: files.update(NAME, lambda _: "x")):
        with pytest.raises(KnowledgeAwayError, match="bucket"):
            call()


def test_a_server_without_conditional_puts_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-32: two writers would undo each other's work, so nothing is written; what stands there is read."""
    server = started(start_s3, "--without-conditions")
    try:
        for key, value in s3_environment(server.port).items():
            monkeypatch.setenv(key, value)
        make_bucket()
        put_object(f"{BUCKET}/context/memory/{NAME}", b"text")
        knowledge = Place(f"s3://{BUCKET}", tmp_path).open()
        with pytest.raises(KnowledgeAwayError, match=r"takes no conditional puts, .* allowed: a folder, or S3"):
            knowledge.files.update(NAME, lambda _: "mine")
        assert knowledge.files.list() == [NAME]
        assert dict(knowledge.cache.refresh()) == {NAME: "text"}
    finally:
        server.stop()


def test_a_place_that_cannot_compare_is_only_read(tmp_path: Path) -> None:
    """T-32: any file system of fsspec without conditional puts; a turn reads it, a writer is refused."""

    put_object(f"memory://{tmp_path.name}/context/memory/{NAME}", b"text")
    knowledge = Place(f"memory://{tmp_path.name}", tmp_path).open()
    assert dict(knowledge.cache.refresh()) == {NAME: "text"}
    with pytest.raises(KnowledgeAwayError, match="takes no conditional puts"):
        knowledge.files.update(NAME, lambda _: "mine")
    assert knowledge.files.read(NAME) == "text"


def test_governance_is_read_beside_the_knowledge(place: Place) -> None:
    """M-53, M-54: the Markdown files of the folder, and nothing below it; where there is none there is none."""
    knowledge = place.open()
    assert dict(knowledge.files.governance()) == {}
    put_governance(place, {"scope.md": b"# Scope", "notes.txt": b"x", "old/scope.md": b"# Old"})
    assert dict(knowledge.files.governance()) == {"scope.md": b"# Scope"}
    assert knowledge.files.list() == []


def put_governance(place: Place, texts: dict[str, bytes]) -> None:
    """Put governance files into a place, as an administrator does."""
    for name, data in texts.items():
        path = f"context/governance/{name}"
        if place.url == "file://":
            (place.root / "usr" / path).parent.mkdir(parents=True, exist_ok=True)
            (place.root / "usr" / path).write_bytes(data)
        else:
            put_object(f"{place.url}/{path}", data)


def put_object(url: str, data: bytes) -> None:
    """Put an object where no guard looks."""
    filesystem, path = fsspec.core.url_to_fs(url if "://" in url else f"s3://{url}", skip_instance_cache=True)
    filesystem.pipe_file(path, data)
