"""What a log comes to, however often it is read, and what is remembered of it (M-03 ... M-06, M-11, M-64, T-58)."""

from datetime import UTC, datetime, timedelta

from knowledge_tools.logs import chain, lines, tally_of
from knowledge_tools.shelf import failed
from memory_ledger.knowledge.hops import parse_log_name
from memory_ledger.knowledge.patterns import ALL, Family, total_of
from memory_ledger.knowledge.state import (
    COUNTED_DAYS,
    KnowledgeState,
    LogCount,
    count_log,
    first_message,
    state_from_text,
    state_to_text,
)
from memory_ledger.knowledge.trail import ToolCall, Trail

TODAY = parse_log_name("20260226.log")


def count(log, name=TODAY, **how):
    """Return what the lines of a log come to."""
    return count_log(name, log, hop_limit=10, **how)


def outcomes(counted):
    """Return how many transactions of a log ended how."""
    total = total_of(counted.days.values()).get(Family.OUTCOME, {}).get(ALL)
    return {} if total is None else total.answers


def test_what_is_malformed_is_counted_and_the_rest_read():
    log = [b"torn\n", *lines(chain("req-1")), b'{"a": 1}\n', *lines(chain("req-2")), b'{"half": \n']
    counted = count(log)
    assert (counted.messages, counted.malformed, counted.transactions) == (6, 3, 2)


def test_what_has_not_ended_is_not_counted():
    """M-03: a chain without its end is only told of."""
    begun = count(lines(chain("req-1", end={"following": "action_agent"})))
    assert (begun.unfinished, begun.days) == (1, {})


def turns(*corrects):
    """Return the messages of turns of one chat; of each, which turn before it takes back."""
    made = []
    for at, back in enumerate(corrects):
        corrects = "" if back is None else made[back][0]["metadata"]["request_id"]
        trail = Trail("chat1", datetime(2026, 2, 26, 12, at, tzinfo=UTC), corrects)
        trail.begin("agent0", characters=1, attachments=0, intent="create chart")
        trail.start_tool("agent0", ToolCall("response", trail.began_at, 1))
        trail.end_tool("agent0", "response", trail.began_at, characters=1, answers=True)
        trail.finish("agent0", None, trail.began_at + timedelta(seconds=3), is_failing=False)
        made.append(list(trail.lines()))
    return made


def test_an_answer_that_was_taken_back_is_no_success():
    counted = count([line for one in turns(None, None, 1) for line in lines(one)])
    assert outcomes(counted) == {"SUCCESS": 2, "FAILURE": 1}
    assert total_of(counted.days.values())[Family.CORRECTION]["create chart"].answers == {"taken back": 1}


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
    assert total_of(memory.days().values())[Family.FAILURE]["action_agent"].total == 5
    text = state_to_text(memory)
    assert state_to_text(state_from_text(text)) == text


def test_what_is_remembered_is_bounded():
    memory = KnowledgeState()
    for day in range(COUNTED_DAYS + 10):
        memory.take({str(day): log_of(day, day=day)})
    assert len(memory.logs) == COUNTED_DAYS + 1
