"""Real processes write at the same time, and die while they write (T-32): nothing is lost, nobody sees half a file."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from places import Place
from writer import FOOTER, HEADER, NAME

HERE = Path(__file__).parent
Writer = subprocess.Popen[str]


def start_writer(place: Place, task: str, who: str, count: int) -> Writer:
    """Start a writer of its own machine, and return when it has opened the place."""
    command = [sys.executable, "-W", "ignore", str(HERE / "writer.py"), task, place.url, str(place.root), who, who]
    writer = subprocess.Popen(
        [*command, str(count)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE.parent), str(HERE)])},
    )
    assert writer.stdout is not None
    assert writer.stdout.readline() == "ready\n"
    return writer


def begin(writer: Writer) -> None:
    assert writer.stdin is not None
    writer.stdin.write("go\n")
    writer.stdin.flush()


@pytest.fixture(params=["file", "s3"])
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """What two processes can share."""
    found: Place = request.getfixturevalue("s3") if request.param == "s3" else Place("file://", tmp_path)
    return found


def test_two_processes_lose_nothing(shared: Place) -> None:
    """T-32, M-21: every line of both is there, once and in order; a reader in between always sees whole texts."""
    count = 15 if shared.url == "file://" else 6  # a folder is so fast that fewer would not meet
    writers = [start_writer(shared, "append", who, count) for who in ("b", "c")]
    for writer in writers:
        begin(writer)
    reader, lengths = shared.open("a").files, set()
    while any(writer.poll() is None for writer in writers):
        text = reader.read(NAME)
        assert text is None or (text.startswith(HEADER) and text.endswith(f".\n{FOOTER}"))
        lengths.add(len(text or ""))
    assert [writer.wait() for writer in writers] == [0, 0]
    for writer in writers:
        writer.communicate()
    lines = [line.split()[0] for line in str(reader.read(NAME)).splitlines()[1:-1]]
    for who in ("b", "c"):
        assert [line for line in lines if line.startswith(who)] == [f"{who}-{number}" for number in range(count)]
    assert lengths
    assert lines != sorted(lines), "they wrote at the same time"


@pytest.mark.parametrize("task", ["die-at-fsync", "die-at-rename"])
def test_a_writer_killed_in_mid_write_leaves_the_old_text(task: str, tmp_path: Path) -> None:
    """T-32: all of the new text is in the temporary file, none of it where it is read; the next writer clears up."""
    place = Place("file://", tmp_path)
    files = place.open().files
    files.write(NAME, "the old text")
    writer = start_writer(place, task, "b", 1)
    begin(writer)
    writer.communicate()
    assert writer.returncode == -signal.SIGKILL
    left = list(place.folder.glob("*.tmp")) + list(place.folder.glob(".*.tmp"))
    assert left, "it died while it wrote"
    assert files.read(NAME) == "the old text"
    assert files.list() == [NAME]
    assert dict(place.open().cache.refresh()) == {NAME: "the old text"}
    files.write(NAME, "the new text")
    assert not list(place.folder.glob(".*.tmp"))
