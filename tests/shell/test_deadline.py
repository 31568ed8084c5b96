"""What is asked of files and of models: nobody waits long, and nothing is written twice or out of order (C-74)."""

import contextlib
import errno
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from memory_ledger.errors import EmbeddingError
from memory_ledger.store import deadline, embedding, files
from memory_ledger.store.damage import ProblemLog
from memory_ledger.store.deadline import in_time, keep_deadlines
from memory_ledger.store.embedding import Asker, tell_failure
from memory_ledger.store.lines import LineStore, RetryingLines
from told import Told

NO_ANSWER = r"no answer within 0\.05 s"


@pytest.fixture
def in_a_hurry() -> Iterator[None]:
    keep_deadlines(0.05)
    yield
    deadline._deadlines.seconds = None


class Held:
    """Work that does not end before it is let go."""

    def __init__(self) -> None:
        self.let_go = threading.Event()
        self.ended = threading.Event()
        self.was_given_up: bool | None = None

    def __call__(self, is_given_up: Callable[[], bool]) -> None:
        self.let_go.wait()
        self.was_given_up = is_given_up()
        self.ended.set()

    def end(self) -> None:
        self.let_go.set()
        self.ended.wait()
        while deadline._deadlines._stuck:
            pass


@pytest.mark.usefixtures("in_a_hurry")
def test_what_is_done_in_time_is_as_if_nobody_had_looked(tmp_path: Path) -> None:

    def fail(_: object) -> None:
        raise KeyError("as it is")

    path = tmp_path / "file"
    assert in_time(path, lambda _: in_time(path, lambda _: 7)) == 7
    with pytest.raises(KeyError, match="as it is"):
        in_time(path, fail)


def test_a_terminal_waits(tmp_path: Path) -> None:
    """C-74: only a host keeps deadlines; whoever waits is in its own thread, and nobody gives it up."""
    seen = in_time(tmp_path / "file", lambda is_given_up: (threading.current_thread(), is_given_up()))
    assert seen == (threading.current_thread(), False)


@pytest.mark.usefixtures("in_a_hurry")
@pytest.mark.parametrize("is_reading", [False, True], ids=["writing", "reading"])
def test_what_takes_too_long_fails_and_until_it_ends_so_does_what_is_near(tmp_path: Path, is_reading: bool) -> None:
    """C-74: in its folder, above and below; a reading is tried unless it was one; elsewhere all goes on."""
    held = Held()
    with pytest.raises(OSError, match=NO_ANSWER) as raised:
        in_time(tmp_path / "a/b/file", held, is_reading=is_reading)
    assert raised.value.errno == errno.ETIMEDOUT
    for near in ("a/b/other", "a/other", "a/b/c/other"):
        with pytest.raises(OSError, match=NO_ANSWER):
            in_time(tmp_path / near, lambda _: None)
        if is_reading:
            with pytest.raises(OSError, match=NO_ANSWER):
                in_time(tmp_path / near, lambda _: None, is_reading=True)
        else:
            assert in_time(tmp_path / near, lambda _: 7, is_reading=True) == 7
    assert in_time(tmp_path / "c/other", lambda _: 7) == 7
    held.end()
    assert held.was_given_up
    assert in_time(tmp_path / "a/b/other", lambda _: 7) == 7


@pytest.mark.usefixtures("in_a_hurry")
def test_what_comes_too_late_is_undone(tmp_path: Path) -> None:
    """C-74: nobody would let go of a file that is opened, or a lock that is got, when nobody waits any more."""
    let_go, undone = threading.Event(), threading.Event()
    with pytest.raises(OSError, match=NO_ANSWER):
        in_time(tmp_path / "file", lambda _: let_go.wait(), undo=lambda _: undone.set())
    assert not undone.is_set()
    let_go.set()
    assert undone.wait(30)


@pytest.mark.usefixtures("in_a_hurry")
def test_lines_for_a_file_that_another_holds_come_later_once_and_in_order(tmp_path: Path) -> None:
    """C-74, T-64: told once; whoever has given up writes nothing when the file is free."""
    told = Told()
    lines = RetryingLines(LineStore(tmp_path / "lines.jsonl"), told)
    assert lines.append([{"n": 1}])
    with files.only_writer(tmp_path / "lines.jsonl"):
        waiting = set(threading.enumerate())
        assert not lines.append([{"n": 2}])
        waiting = set(threading.enumerate()) - waiting
        assert not lines.append([{"n": 3}])
    for thread in waiting:
        thread.join()
    keep_deadlines(30)
    assert lines.append([{"n": 4}])
    assert [row["n"] for row in files.read_lines(tmp_path / "lines.jsonl")] == [1, 2, 3, 4]
    assert [one.found for one in told.heard] == ["not written (no answer within 0.05 s)"] * 2
    assert len(told.take()) == 1


@pytest.mark.usefixtures("in_a_hurry")
def test_what_was_given_up_is_not_written_when_the_file_is_free(tmp_path: Path) -> None:
    path, before = tmp_path / "lines.jsonl", set(threading.enumerate())
    with files.only_writer(path):
        with pytest.raises(OSError, match=NO_ANSWER):
            LineStore(path).append([{"n": 1}])
        waiting = set(threading.enumerate()) - before
    for thread in waiting:
        thread.join()
    assert path.read_bytes() == b""


def slow_first_write(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Let the first write to a file wait until what is returned is set."""
    open_stream, let_go, is_slow = os.fdopen, threading.Event(), [True]

    class Slow:
        """A file whose first write waits."""

        def __init__(self, stream: Any) -> None:
            self._stream = stream

        def __getattr__(self, name: str) -> Any:
            return getattr(self._stream, name)

        def write(self, data: bytes) -> int:
            if is_slow and is_slow.pop():
                let_go.wait()
            return int(self._stream.write(data))

    @contextlib.contextmanager
    def open_slowly(*args: Any, **options: Any) -> Iterator[Slow]:
        with open_stream(*args, **options) as stream:
            yield Slow(stream)

    monkeypatch.setattr(os, "fdopen", open_slowly)
    return let_go


@pytest.mark.usefixtures("in_a_hurry")
def test_lines_that_are_written_too_late_are_written_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C-74, T-64: a disk that takes its time has the lines after all, and they are owed no longer."""
    let_go = slow_first_write(monkeypatch)
    lines = RetryingLines(LineStore(tmp_path / "lines.jsonl"), ProblemLog())
    assert not lines.append([{"n": 1}])
    assert not lines.append([{"n": 2}])
    let_go.set()
    while deadline._deadlines._stuck:
        pass
    keep_deadlines(30)
    assert lines.append([{"n": 3}])
    assert [row["n"] for row in files.read_lines(tmp_path / "lines.jsonl")] == [1, 2, 3]


@pytest.mark.usefixtures("in_a_hurry")
def test_lines_that_are_written_just_when_they_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C-74: whoever gives up hears himself that they are written, and does not wait for himself."""
    let_go = slow_first_write(monkeypatch)

    class Stuck(dict[Path, bool]):
        """Is told of a file that takes too long at the moment in which that ends."""

        def __setitem__(self, path: Path, is_reading: bool) -> None:
            super().__setitem__(path, is_reading)
            let_go.set()
            for thread in threading.enumerate():
                if thread.name == "memory-ledger-file":
                    thread.join()

    monkeypatch.setattr(deadline._deadlines, "_stuck", Stuck())
    told = Told()
    lines = RetryingLines(LineStore(tmp_path / "lines.jsonl"), told)
    appending = threading.Thread(target=lines.append, args=([{"n": 1}],), daemon=True)
    appending.start()
    appending.join(30)
    assert len(told.heard) == 1
    keep_deadlines(30)
    assert lines.append([{"n": 2}])
    assert [row["n"] for row in files.read_lines(tmp_path / "lines.jsonl")] == [1, 2]


@pytest.fixture
def silence() -> Iterator[threading.Event]:
    """A model that answers when this is set, which it is at the end of the test."""
    made = threading.Event()
    yield made
    made.set()


def refuse() -> None:
    raise TimeoutError("the server said so")


def test_an_answer_and_a_failure_come_as_they_are() -> None:
    """C-74, must not change: what the model says is what it said, a timeout of its own too."""
    asker = Asker()
    assert asker.ask(lambda: 7, 60.0) == 7
    with pytest.raises(TimeoutError, match="the server said so"):
        asker.ask(refuse, 60.0)


def test_one_thread_answers_one_question_after_another() -> None:
    """T-02: a local model prepares each thread that asks it, which takes longer than an answer."""
    asker = Asker()
    assert len({asker.ask(threading.get_ident, 60.0) for _ in range(5)}) == 1


def test_what_hangs_is_left_alone_and_the_next_question_is_put(
    silence: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    asker = Asker()
    with pytest.raises(EmbeddingError, match=r"no answer within 0\.01 s"):
        asker.ask(silence.wait, 0.01)
    assert asker.ask(lambda: 7, 60.0) == 7
    monkeypatch.setattr(embedding, "_NEXT_SECONDS", 0.02)
    with pytest.raises(EmbeddingError, match=r"within 0\.02 s"):
        asker.ask(silence.wait, 60.0)


def test_so_many_may_hang_and_no_more(silence: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "_NEXT_SECONDS", 0.01)
    asker, done = Asker(), threading.Event()
    for wait in (done.wait, *[silence.wait] * 3):
        with pytest.raises(EmbeddingError):
            asker.ask(wait, 0.01)
    asked: list[int] = []
    with pytest.raises(EmbeddingError):
        asker.ask(lambda: asked.append(1), 60.0)
    assert asked == []
    left = threading.Event()
    next(one for one in asker._hanging).add_done_callback(lambda _: left.set())
    silence.set()
    done.set()
    assert left.wait(60.0)
    monkeypatch.setattr(embedding, "_NEXT_SECONDS", 60.0)
    asker.ask(lambda: asked.append(1), 60.0)
    assert asked == [1]


def test_an_outage_is_told_once() -> None:
    problems = ProblemLog()
    for failure, count in (
        (None, 0),
        (OSError("refused"), 1),
        (EmbeddingError("no answer"), 0),
        (None, 0),
        (OSError("refused"), 1),
    ):
        tell_failure(problems, failure)
        assert len(problems.take()) == count
