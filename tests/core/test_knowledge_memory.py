"""What a log comes to, however often it is read, and what is remembered of it (M-03 ... M-06, M-11, M-64, T-58)."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from knowledge_tools.logs import chain, event, lines, message, tally_of
from knowledge_tools.shelf import failed
from memory_ledger.knowledge.confidence import Place
from memory_ledger.knowledge.counting import LogCount, count_log, first_message
from memory_ledger.knowledge.log_names import parse_log_name
from memory_ledger.knowledge.memory import (
    COUNTED_DAYS,
    EntryRecord,
    KnowledgeState,
    memory_from_text,
    memory_to_text,
    total_of,
)
from memory_ledger.knowledge.patterns import ALL, Family
from memory_ledger.knowledge.trail import Trail, messages_of

TODAY, TOMORROW = parse_log_name("20260226.log"), parse_log_name("20260227.log")
OUTCOME = (Family.OUTCOME, ALL)


def count(log, before=None, name=TODAY, **how):
    """Return what the lines of a log come to, after those of the log before it."""
    return count_log(name, log, () if before is None else [(TODAY, before)], hop_limit=10, **how)


def outcomes(counted):
    """Return how many transactions of a log ended how."""
    total = total_of(counted.days.values()).get(OUTCOME)
    return {} if total is None else total.answers


def test_what_is_malformed_is_counted_and_the_rest_read():
    """M-06: among messages, and what names no agent is no message."""
    log = [b"torn\n", *lines(chain("req-1")), b'{"a": 1}\n', *lines(chain("req-2")), b'{"half": \n']
    counted = count(log)
    assert (counted.messages, counted.malformed, counted.transactions) == (6, 3, 2)


def test_a_piece_of_a_message_has_the_zone_of_those_before_it():
    """T-34 (c): an evening in Singapore is an afternoon in UTC."""
    first = message(following="dispatch_agent")
    first["timestamp"]["executed_at"] = "2026-02-26T14:00:00+08:00"
    over = {"task_states": {}, "dispatches": [{"targetAgent": "memory_agent", "body": {}}], "complete": True}
    log = [*lines([first]), *event("dispatch_agent", over, name="x", clock="2:00:30 pm").encode().splitlines(True)]
    counts = count(log, name=parse_log_name("20260226-1.md")).days["2026-02-26"][OUTCOME]
    assert counts.numbers["seconds"] == {30: 1}
    assert datetime.fromtimestamp(counts.samples["SUCCESS"][0][0], UTC).hour == 6


def test_a_chain_that_begins_in_the_log_before_is_counted_where_it_ends():
    """M-04, M-64: once, wherever it is cut, and what it asked for once too."""
    whole = total_of(count(lines(chain("req-1"))).days.values())
    for cut in range(4):
        first, second = lines(chain("req-1")[:cut]), lines(chain("req-1")[cut:])
        earlier = count(first, is_closed=True)
        later = count(second, first, TOMORROW)
        both = total_of([*earlier.days.values(), *later.days.values()])
        assert {key: one.answers for key, one in both.items()} == {key: one.answers for key, one in whole.items()}
        assert (earlier.transactions, later.transactions) == ((0, 1) if cut < 3 else (1, 0))


def test_what_has_not_ended_is_not_counted_while_it_may():
    """M-03: of a chain that fell silent, once a later log is there, what it asked for and how it planned."""
    begun = lines(chain("req-1", end={"following": "action_agent"}))
    assert (count(begun).unfinished, count(begun).days) == (1, {})
    (tally,) = count(begun, is_closed=True).days.values()
    assert {family for family, _ in tally} == {Family.INTENT, Family.PLAN}


def turns(*corrects):
    """Return the messages of turns of one chat; of each, which turn before it takes back."""
    made = []
    for at, back in enumerate(corrects):
        trail = Trail("chat1", datetime(2026, 2, 26, 12, at, tzinfo=UTC))
        if back is not None:
            trail.corrects = made[back][0]["metadata"]["request_id"]
        trail.begin("agent0", characters=1, attachments=0, intent="create chart")
        trail.start_tool("agent0", "response", trail.began_at, arguments=1)
        trail.end_tool("agent0", "response", trail.began_at, characters=1, answers=True)
        trail.finish("agent0", None, trail.began_at + timedelta(seconds=3), is_failing=False)
        made.append(list(messages_of(trail)))
    return made


def test_an_answer_that_was_taken_back_is_no_success():
    """M-12: also where that stands in the log of the next day, which names the request."""
    first, second, third = (lines(one) for one in turns(None, None, 1))
    assert outcomes(count([*first, *second, *third])) == {"SUCCESS": 2, "FAILURE": 1}
    later = count(third, [*first, *second], TOMORROW)
    assert outcomes(later) == {"SUCCESS": 1}
    again = count([*first, *second], taken_back=later.taken_back)
    assert outcomes(again) == {"SUCCESS": 1, "FAILURE": 1}
    assert total_of(again.days.values())[(Family.CORRECTION, "create chart")].answers == {"taken back": 1}


def test_a_log_is_known_by_its_first_message():
    """M-64: whatever its name is, and however much follows; what holds no message is known by nothing."""
    log = lines(chain("req-1"))
    assert first_message(log, is_prose=False) == first_message([b"torn\n", *log[:1]], is_prose=False) != ""
    assert first_message(lines(chain("req-2")), is_prose=False) != first_message(log, is_prose=False)
    assert first_message([b"torn\n"], is_prose=False) == ""


def log_of(number, *, transactions=1, day=0):
    """Return the counts of a log in which so many transactions failed."""
    at = (datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=day)).date().isoformat()
    tally = tally_of(failed(number + one) for one in range(transactions))
    return LogCount(f"{number}.log", at, size=number, days={at: tally}, transactions=transactions)


def test_counts_take_the_place_of_those_before():
    """M-64: a log that is read again changes nothing, one that has grown counts once, one that was cut as before."""
    memory = KnowledgeState()
    assert memory.take({"a": log_of(1, transactions=3)}) == {"2026-01-01"}
    assert memory.take({"a": log_of(1, transactions=3)}) == set()
    assert memory.take({"a": log_of(1, transactions=5)}) == {"2026-01-01"}
    assert memory.take({"a": log_of(1, transactions=2)}) == set()
    assert total_of(memory.days().values())[OUTCOME].total == 5
    text = memory_to_text(memory)
    assert memory_to_text(memory_from_text(text)) == text


def test_what_is_remembered_is_bounded():
    """M-64: the counts of a log go some weeks after the latest one."""
    memory = KnowledgeState()
    for day in range(COUNTED_DAYS + 10):
        memory.take({str(day): log_of(day, day=day)})
    assert len(memory.logs) == COUNTED_DAYS + 1


@pytest.mark.parametrize("chosen", [None, Place.ACTIVE])
def test_of_a_version_before_what_people_decided_is_kept(chosen):
    """M-21: what it said by itself had no rate beside it, and is let go; its numbers are not used again."""
    note = EntryRecord(
        key=(Family.PATH, "a → b"), answer="SUCCESS", base=0.9, peak=0.9, total=9, place=Place.ACTIVE, digest="x",
        chosen=chosen,
    )  # fmt: skip
    value = json.loads(memory_to_text(KnowledgeState(next_number=8, notes={"MEM-007": note})))
    memory = memory_from_text(json.dumps({**value, "version": 3, "logs": {"20260226.log": [1, 1, "x"]}, "open": []}))
    found = memory.notes["MEM-007"]
    assert (memory.next_number, memory.logs) == (8, {})
    assert (found.base, found.key is None) == ((0.9, False) if chosen else (0.0, True))
