"""Asking an embedding model that may not answer: nobody waits for long, and it is told once (C-74)."""

import threading
from collections.abc import Iterator

import pytest
from memory_ledger.errors import EmbeddingError
from memory_ledger.store import embedding
from memory_ledger.store.damage import ProblemLog
from memory_ledger.store.embedding import Asker, tell_failure


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
