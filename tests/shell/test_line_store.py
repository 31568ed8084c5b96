"""The one way in which files of lines are written: what is kept, named, owed, shortened, and how private it is."""

import errno
import os
from pathlib import Path

import pytest
from full_disk import full_disk
from memory_ledger.errors import Problem
from memory_ledger.store import damage, files, lines
from memory_ledger.store.lines import LineStore, RetryingLines
from told import Told

DAMAGED = b'{"torn": \n\xff\xfe\n[7]\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rows.jsonl"


def rows(*numbers: int) -> list[dict[str, int]]:
    return [{"n": one} for one in numbers]


def keep_last(found: list[dict]) -> list[dict]:
    return found[-1:]


def test_a_long_file_is_shortened_and_what_cannot_be_read_stays(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-70, C-75: once it has doubled, to what counts; damaged lines are named, and kept byte for byte."""
    path.write_bytes(DAMAGED)
    kept_lines = LineStore(path, is_durable=False, keep=keep_last)
    kept_lines.append(rows(1, 2))
    assert kept_lines.read() == rows(1, 2)
    monkeypatch.setattr(lines, "SMALLEST_SIZE", 0)
    kept_lines.append(rows(3))
    assert path.read_bytes() == b'{"n":3}\n' + DAMAGED
    short = kept_lines.size
    kept_lines.append(rows(4))
    assert kept_lines.read() == rows(3, 4)
    while kept_lines.size >= short + 8:
        kept_lines.append(rows(5))
    assert kept_lines.read() == rows(5)
    assert any("not readable in 3 lines" in one.found and "these are kept" in one.allowed for one in taken(path))


def taken(path: Path) -> list[Problem]:
    return [one for one in damage.notices.take() if one.where == str(path)]


def test_a_private_file_stays_private(path: Path) -> None:
    """V-17: when it is made, and when it is rewritten, whatever the host's index allows."""
    path.with_name("index.pkl").touch(0o664)
    kept_lines = LineStore(path, mode=0o600)
    for _ in range(2):
        kept_lines.append(rows(1, 2))
        assert path.stat().st_mode & 0o777 == 0o600
        path.chmod(0o644)
        kept_lines.rewrite(keep_last)
        assert path.stat().st_mode & 0o777 == 0o600


def test_what_is_owed_comes_later_in_order_and_however_much_it_is(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C-74: the oldest go where nothing can be written; where it can, all of it is."""
    monkeypatch.setattr(lines, "MOST_OWED", 3)
    told = Told()
    kept_lines = RetryingLines(LineStore(path), told)
    assert kept_lines.append(rows(1, 2, 3, 4, 5))
    with full_disk(path):
        assert not kept_lines.append(rows(6, 7)) and not kept_lines.append(rows(8, 9))
    assert kept_lines.append()
    assert files.read_lines(path) == rows(1, 2, 3, 4, 5, 7, 8, 9)
    assert {one.found for one in told.heard} == {f"not written ({os.strerror(errno.ENOSPC)})"}


def test_a_file_that_cannot_be_shortened_loses_and_doubles_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-70, C-74: the rows are written; it is told, and tried again once the file has doubled."""
    monkeypatch.setattr(lines, "SMALLEST_SIZE", 0)
    told = Told()
    kept_lines = RetryingLines(LineStore(path, keep=keep_last), told)

    def refuse(*_args: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as context:
        context.setattr(Path, "replace", refuse)
        assert kept_lines.append(rows(1, 2)) and kept_lines.append(rows(3))
    assert files.read_lines(path) == rows(1, 2, 3) and not told.heard
    assert [one.found for one in taken(path)] == [f"not shortened ({os.strerror(errno.ENOSPC)})"]
    assert kept_lines.append(rows(4, 5))
    assert files.read_lines(path) == rows(5)
