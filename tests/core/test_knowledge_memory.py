"""What is counted once and remembered, within bounds (M-06, M-11, M-64, T-34, T-58)."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from knowledge_tools.logs import chain, event, hops, lines, message, read_records, tally_of
from knowledge_tools.shelf import failed, walked
from memory_ledger.knowledge.memory import KnowledgeState
from memory_ledger.knowledge.partials import Folded, fold, pack_hops, pack_records
from memory_ledger.knowledge.patterns import MOST_SUBJECTS, Family
from memory_ledger.knowledge.transactions import MOST_OPEN

FIRST = date(2026, 1, 1)
TIMEOUT = (Family.ERROR, "TIMEOUT")


def day_of(number):
    """Return a day by its number."""
    return (FIRST + timedelta(days=number)).isoformat()


@pytest.mark.parametrize(
    ("first", "last", "total"), [(0, 9, 10), (3, 3, 1), (0, 0, 1), (9, 9, 1), (2, 4, 3), (10, 20, None), (5, 4, None)]
)
def test_a_window_has_its_first_day_and_its_last(first, last, total):
    """M-11: both count."""
    memory = KnowledgeState()
    memory.take(Folded(days={day_of(at): tally_of([failed(at)]) for at in range(10)}))
    counts = memory.window(day_of(first), day_of(last)).get(TIMEOUT)
    assert (None if counts is None else counts.total) == total


def test_every_day_counts_once_for_all_time():
    """M-11, T-58: what is counted for its day stands there, with its digest, and in the counts of all time."""
    memory = KnowledgeState()
    for at in range(402):
        memory.take(Folded(days={day_of(at): tally_of([failed(at)])}, tags={day_of(at): {f"{at:016x}": "F"}}))
    assert (len(memory.days), len(memory.digests())) == (402, 402)
    assert memory.known[TIMEOUT].total == 402
    assert memory.window(day_of(340), day_of(401))[TIMEOUT].total == 62


def test_what_is_known_of_all_time_is_bounded():
    """M-64: names that are new every day fill no memory."""
    memory = KnowledgeState()
    for at in range(2):
        paths = [replace(walked(number), path=(f"agent_{at}_{number}",)) for number in range(MOST_SUBJECTS)]
        memory.take(Folded(days={day_of(at): tally_of(paths)}))
    assert sum(family is Family.PATH for family, _ in memory.known) == MOST_SUBJECTS


def test_what_is_malformed_is_counted_and_the_rest_read():
    """M-06: among messages, and what names no agent is no message."""
    log = [b"torn\n", *lines(chain("req-1")), b'{"a": 1}\n', *lines(chain("req-2")), b'{"half": \n']
    read = pack_records(read_records(log, is_prose=False), origin="x.log", day=date(2026, 2, 26), box_count=1)
    assert (read.messages, read.malformed) == (6, 3)
    assert fold(0, [read.boxes[0]], hop_limit=10).transactions == 2


def test_a_piece_of_a_message_has_the_zone_of_those_before_it():
    """T-34 (c): an evening in Singapore is an afternoon in UTC."""
    first = message(following="dispatch_agent")
    first["timestamp"]["executed_at"] = "2026-02-26T14:00:00+08:00"
    over = {"task_states": {}, "dispatches": [{"targetAgent": "memory_agent", "body": {}}], "complete": True}
    log = [*lines([first]), *event("dispatch_agent", over, name="x", clock="2:00:30 pm").encode().splitlines(True)]
    read = pack_records(read_records(log, is_prose=True), origin="x.md", day=date(2026, 2, 26), box_count=1)
    (counts,) = (
        counts
        for tally in fold(0, [read.boxes[0]], hop_limit=10).days.values()
        for key, counts in tally.items()
        if key[0] is Family.OUTCOME
    )
    assert counts.numbers["seconds"] == {30: 1}
    assert datetime.fromtimestamp(counts.samples["SUCCESS"][0][0], UTC).hour == 6


def test_a_copy_of_a_log_is_no_news_however_long_the_log_is():
    """M-64, T-58: in one run too, when the chains of the first copy are no longer in hand."""
    one = hops([message()])[0]
    log = [one._replace(request=f"req-{at}", message=f"msg-{at}") for at in range(MOST_OPEN + 1)]
    boxes = [pack_hops(log, box_count=1).boxes[0]] * 2
    folded = fold(0, boxes, hop_limit=10)
    assert folded.transactions == MOST_OPEN + 1
