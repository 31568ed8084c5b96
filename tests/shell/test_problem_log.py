"""What is told once, and told again: the one log of problems (C-74, C-75)."""

import threading
from pathlib import Path

import pytest
from full_disk import full_disk
from memory_ledger.errors import Problem
from memory_ledger.store.damage import WRITABLE, ProblemLog
from memory_ledger.store.lines import LineStore, RetryingLines


def problem(found: str, where: str = "a", allowed: str = "b") -> Problem:
    """Return one of some problems."""
    return Problem(where=where, found=found, allowed=allowed)


ONE, OTHER = problem("one"), problem("other")


@pytest.fixture
def log() -> ProblemLog:
    """A log in which nothing is wrong."""
    return ProblemLog()


def test_the_same_is_told_once_until_it_is_settled(log: ProblemLog) -> None:
    """C-75: once for as long as it lasts, however often it is taken; again when it is back."""
    assert [log.tell(ONE), log.tell(ONE), log.tell(OTHER)] == [True, False, True]
    assert log.take() == [ONE, OTHER]
    assert [log.tell(ONE), log.tell(OTHER)] == [False, False]
    assert log.take() == []
    log.settle(("a", "another requirement"))
    assert not log.tell(ONE)
    log.settle(("a", "b"))
    assert [log.tell(OTHER), log.take()] == [True, [OTHER]]


def test_all_that_is_wrong_now(log: ProblemLog) -> None:
    """C-72: what stays is not told again, what has gone is solved, and told when it is back."""
    for now, new in (([ONE], [ONE]), ([ONE, OTHER], [OTHER]), ([OTHER], []), ([ONE, OTHER], [ONE]), ([], [])):
        log.update("them", now)
        assert log.take() == new
    log.update("them", [ONE])
    log.update("others", [ONE])
    assert log.take() == [ONE]


def test_a_file_that_can_be_written_again(log: ProblemLog, tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    lines = RetryingLines(LineStore(path), log)
    for number in range(2):
        with full_disk(path):
            assert not lines.append([{"n": number}])
            assert not lines.append()
        assert [str(one) for one in log.take()] == [
            f"{path} is not written (No space left on device); allowed: {WRITABLE}"
        ]
        assert lines.append()
    assert log.take() == []


def test_many_threads_tell_one_thing_once(log: ProblemLog) -> None:
    news: list[bool] = []
    threads = [threading.Thread(target=lambda: news.append(log.tell(ONE))) for _ in range(20)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert (sum(news), log.take()) == (1, [ONE])
