"""How long work in a thread leaves the interpreter to the chats, on a clock of its own (C-74)."""

import threading
from collections.abc import Callable

import pytest
from memory_ledger.store import deadline
from memory_ledger.store.deadline import Stopped, Throttle, give_way, go_on


class Waiting(threading.Event):
    """A stop that nobody sets: whoever waits for it moves the clock, and `meanwhile` happens."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 100.0
        self.meanwhile: Callable[[], object] = bool

    def wait(self, timeout: float | None = None) -> bool:
        self.now += timeout or 0.0
        self.meanwhile()
        return self.is_set()


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> Waiting:
    """Let the clock of the module be one that only waiting moves; no prompt is prepared."""
    one = Waiting()
    monkeypatch.setattr(deadline, "perf_counter", lambda: one.now)
    go_on()
    return one


def rest(waiting: Waiting, worked: float, *, share: float = 1.0, rests: bool = True) -> float:
    """Return how long work of so many seconds rests."""
    one = Throttle(share, stop=waiting, rests=rests)
    waiting.now += worked
    begun = waiting.now
    one.rest()
    return waiting.now - begun


@pytest.mark.parametrize(("worked", "share", "rested"), [(0.004, 1.0, 0.0), (0.1, 1.0, 0.1), (0.1, 3.0, 0.3)])
def test_it_rests_for_a_share_of_its_work(waiting: Waiting, worked: float, share: float, rested: float) -> None:
    assert rest(waiting, worked, share=share) == pytest.approx(rested)


def test_a_terminal_does_not_rest(waiting: Waiting) -> None:
    """C-74: nobody chats there."""
    give_way()
    assert rest(waiting, 0.1, rests=False) == 0.0


def test_it_rests_while_a_prompt_is_prepared(waiting: Waiting) -> None:
    give_way()
    assert rest(waiting, 0.1) == pytest.approx(deadline._PROMPT_SECONDS - 0.1, abs=2 * deadline._GLANCE_SECONDS)


def test_it_goes_on_when_the_prompt_is_sent(waiting: Waiting) -> None:
    """C-74: the model takes longer than all that waits."""
    give_way()
    waiting.meanwhile = lambda: go_on() if waiting.now > 100.3 else None
    assert rest(waiting, 0.1) == pytest.approx(0.2, abs=2 * deadline._GLANCE_SECONDS)


def test_chats_without_end_do_not_keep_it_for_ever(waiting: Waiting) -> None:
    """C-74: a busy host gets its work done as well."""
    waiting.meanwhile = give_way
    assert rest(waiting, 0.1) == pytest.approx(deadline._LONGEST_REST, abs=2 * deadline._GLANCE_SECONDS)


def test_it_stops_while_it_rests(waiting: Waiting) -> None:
    """C-68: whoever is asked to end does not wait for a prompt."""
    give_way()
    waiting.meanwhile = waiting.set
    with pytest.raises(Stopped):
        rest(waiting, 0.1)
    assert waiting.now == pytest.approx(100.2)
