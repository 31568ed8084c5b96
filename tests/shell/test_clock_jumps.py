"""C-47: in one folder what comes later is later, whatever the clock says; times are for people, and for imports."""

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory_ledger.host.tools.questions import open_archive
from memory_ledger.ledger.changes import Classify
from memory_ledger.ledger.history import NameBook, find_beliefs
from memory_ledger.ledger.resolve import Party, in_order
from memory_ledger.recall.rank import order_by_standing
from memory_ledger.recall.selection import Candidate, Selection
from memory_ledger.records import Classification, Lineage, order_of, said_at

OLD, NEW = "The staging server listens on port 8080", "The staging server listens on port 8443"
SAID_OLD, SAID_NEW = f"{OLD}.", f"{NEW} now."
A_DAY = timedelta(days=1)
FAR: Final = datetime(2999, 1, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def tell(box: Any, said: str, text: str, jumps: Sequence[timedelta] = (MINUTE,) * 3) -> str:
    """Let the user say something, a memorizer write it, and a sweep find it; the clock jumps before each."""
    before_said, before_written, before_found = jumps
    box.clock.now += before_said
    box.say(said)
    box.clock.now += before_written
    memory_id = box.insert(text)
    box.clock.now += before_found
    box.adopt()
    return memory_id


def holds(box: Any) -> list[str]:
    return [one.page_content for one in box.docs.values() if box.validity(one.metadata["id"]) != "deprecated"]


@pytest.mark.parametrize(
    "jumps",
    [
        pytest.param((-A_DAY, MINUTE, MINUTE), id="before it is said"),
        pytest.param((MINUTE, -A_DAY, MINUTE), id="before it is written"),
        pytest.param((MINUTE, MINUTE, -A_DAY), id="before it is found"),
        pytest.param((-A_DAY, MINUTE, A_DAY), id="and is right again when it is found"),
        pytest.param((timedelta(seconds=-30), MINUTE / 4, MINUTE), id="a little, as when it is set right"),
        pytest.param((FAR - datetime(2026, 3, 1, tzinfo=UTC), MINUTE, MINUTE), id="to the year 2999"),
    ],
)
@pytest.mark.parametrize("is_restarted", [False, True])
def test_the_clock_goes_back(known, jumps: tuple[timedelta, ...], is_restarted: bool) -> None:
    """The last word holds, and so does the one after it, once the clock is right again."""
    first = tell(known, SAID_OLD, OLD)
    if is_restarted:
        known.restart(is_saved=True)
    second = tell(known, SAID_NEW, NEW, jumps)
    assert holds(known) == [NEW] and known.read(first).lineage.superseded_by == second
    known.restart(is_saved=True)
    known.clock.now = datetime(2026, 3, 9, tzinfo=UTC)
    again = tell(known, f"Back again: {SAID_OLD[0].lower()}{SAID_OLD[1:]}", f"{OLD} again")
    assert known.read(second).lineage.superseded_by == again


def test_people_are_told_the_clocks_time_and_everything_else_goes_by_the_order(known) -> None:
    """C-47, C-51: the prompt's order, the history and the resolver's have one source."""
    first = tell(known, SAID_OLD, OLD)
    said = known.clock() - A_DAY + MINUTE
    second = tell(known, SAID_NEW, NEW, (MINUTE - A_DAY, MINUTE, MINUTE))
    old, new = known.read(first), known.read(second)
    assert abs(said_at(new) - said) <= 2 * MINUTE and order_of(new) > order_of(old)
    assert in_order(new, old) == (old, new) and Party.of(old).is_before(Party.of(new))
    found = [Candidate(memory=one) for one in (new, old)]
    assert order_by_standing(Selection(memories=tuple(found))).ids == (first, second)
    before, after = find_beliefs(open_archive(known.store, NameBook()), "staging server port")
    assert (before.memory_id, after.memory_id, before.until) == (first, second, after.since)
    assert before.since < after.since


def test_two_in_one_second_are_in_the_order_of_their_sweeps(known) -> None:
    """C-47, C-96: also where the clock stands still or has gone back; of one sweep neither is the newer."""
    ids = [tell(known, SAID_OLD, OLD, (MINUTE, *[timedelta()] * 2))]
    for back in (timedelta(), -A_DAY, timedelta()):
        known.clock.now += back
        ids.append(known.insert(f"The staging server listens on port {9000 + len(ids)}"))
        known.adopt()
    moments = [order_of(known.read(one)) for one in ids]
    assert all(one < other for one, other in pairwise(moments))
    known.clock.now -= A_DAY
    both = [known.insert(text) for text in ("User likes tea", "User likes milk")]
    known.clock.advance(seconds=5)
    both.append(known.insert("User likes rye bread"))
    known.adopt()
    tea, milk, bread = (order_of(known.read(one)) for one in both)
    assert moments[-1] < tea == milk < bread


def test_a_store_with_a_time_to_come(known) -> None:
    """C-47: what an earlier version has stored with it retires no later correction."""
    first = known.insert(OLD)
    memory = known.read(first)
    axes = Classification(validity="confirmed", relevance="active", utility="tactical", source="user_asserted")
    lineage = Lineage(created_at=FAR)
    known.store.apply([Classify(memory_id=first, classification=axes, lineage=lineage)])
    known.restart(is_saved=True)
    second = tell(known, SAID_NEW, NEW)
    assert known.read(first).lineage.superseded_by == second
    assert said_at(known.read(second)) < FAR and memory.text == OLD


@pytest.mark.parametrize(("zone", "begin"), [("Europe/Berlin", (10, 25, 0, 40)), ("America/New_York", (11, 1, 5, 40))])
def test_the_hour_that_comes_twice(known, zone: str, begin: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """C-47: hosts up to v1.15 write the time of their server without its offset."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    known.clock.now = datetime(2026, *begin, tzinfo=UTC)
    ids = []
    for said, text in ((SAID_OLD, OLD), (SAID_NEW, NEW)):
        known.say(said)
        ids.append(known.insert(text, timestamp=known.clock().astimezone().strftime("%Y-%m-%d %H:%M:%S")))
        known.adopt()
        known.clock.advance(minutes=40)
    monkeypatch.undo()
    time.tzset()
    assert holds(known) == [NEW] and known.read(ids[0]).lineage.superseded_by == ids[1]


def test_a_line_from_the_future_orders_nothing(workspace) -> None:
    """C-47, C-96: nobody knows when it was said, but that was before it was stored; what comes later is later."""
    at = "2026-02-01T09:00:00Z"
    future, past = ({"text": text, "source": "user_asserted"} for text in (OLD, NEW))
    later = {"text": OLD.replace("8080", "9090"), "source": "user_asserted"}
    assert workspace.ingest({**past, "timestamp": at}, {**future, "timestamp": "2999-01-01T00:00:00Z"}) == 0
    assert workspace.status() == {OLD: "confirmed", NEW: "confirmed"}
    assert workspace.ingest(later) == 0
    assert workspace.status() == {OLD: "deprecated", NEW: "deprecated", later["text"]: "confirmed"}


PORTS = (8080, 8443, 9090)
# No few of these take the clock back to the very second: what is written then may be as much later.
SECONDS = (60, -31, -3_603, 90_007, -82_811, 34_560_013)
JUMPS = st.sampled_from([timedelta(seconds=one) for one in SECONDS])
STEPS = st.tuples(st.sampled_from(["user", "agent", "restart"]), st.sampled_from(PORTS), st.tuples(JUMPS, JUMPS, JUMPS))


def play(box: Any, steps: Sequence[tuple[str, int, tuple[timedelta, ...]]], *, is_steady: bool) -> list[Any]:
    """Return how each memory stands after some steps; with a steady clock there is a minute before each."""
    for who, port, jumps in steps:
        text, jumps = f"The staging server listens on port {port}", (MINUTE,) * 3 if is_steady else jumps
        if who == "restart":
            box.clock.now += jumps[0]
            box.restart(is_saved=True)
        elif who == "user":
            tell(box, f"{text} now.", text, jumps)
        else:
            tell(box, "What is the weather like?", text, jumps)
    places = {one: place for place, one in enumerate(box.docs)}
    lineages = [(box.validity(one), box.read(one).lineage) for one in box.docs]
    return [(validity, places.get(lineage.superseded_by)) for validity, lineage in lineages]


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEPS, min_size=2, max_size=6))
def test_no_jump_of_the_clock_changes_what_holds(new_box: Callable[..., Any], steps: list[Any]) -> None:
    outcomes = []
    for is_steady in (True, False):
        box = new_box()
        box.adopt()
        outcomes.append(play(box, steps, is_steady=is_steady))
        box.memory.close()
    assert outcomes[0] == outcomes[1]
