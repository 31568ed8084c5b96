"""Messages put together to transactions, in order, and only when they have ended (M-03, M-04, T-34)."""

import itertools

import pytest
from knowledge_tools.logs import chain, hops, message
from memory_ledger.knowledge.decisions import Assembler


def agents(transactions):
    """Return the agents of each transaction."""
    return [[hop.agent for hop in one.hops] for one in transactions]


CHAIN = ["objective_agent", "goal_agent", "planning_agent"]


@pytest.mark.parametrize(
    ("end", "is_done"),
    [
        ({"following": None}, True),
        ({"following": "memory_agent"}, True),
        ({"following": "x_agent", "content_type": "workflow_complete"}, True),
        ({"following": "x_agent", "status": "failed", "error": "TIMEOUT"}, True),
        ({"following": "dispatch_agent"}, False),
        ({"following": "dispatch_agent", "status": "failed"}, False),
        ({"following": "dispatch_agent", "status": "success", "error": "TIMEOUT"}, False),
    ],
)
def test_only_what_has_ended_is_read(end, is_done):
    assert len(Assembler(hops(chain("req-1", end=end))).ended) == is_done


def drifting(count):
    """Return chains of one session, each of whose messages has a request of its own."""
    chains = [chain(f"req-{number}") for number in range(count)]
    for messages in chains:
        for number, one in enumerate(messages):
            one["metadata"]["request_id"] += f"-{number}"
    return chains


def test_interleaved_chains_are_kept_apart_by_their_parents():
    """Issue 23, M-04: where nothing else tells them apart, each message follows its parent."""
    chains = drifting(5)
    mixed = [one for step in zip(*chains, strict=True) for one in step]
    done = Assembler(hops(mixed)).ended
    told = [[hop.message for hop in one.hops] for one in done]
    assert told == [[one["message_id"] for one in messages] for messages in chains]


def test_a_transaction_id_says_it_all():
    messages = chain("req-1")
    for number, one in enumerate(messages):
        one["metadata"] |= {"transaction_id": "txn_1", "request_id": f"req-{number}", "parent_message_id": None}
    (done,) = Assembler(hops(messages)).ended
    assert done.id == "txn_1"
    assert agents([done]) == [CHAIN]


def test_a_parent_that_was_made_up_does_not_break_a_chain():
    messages = chain("req-1")
    messages[2]["metadata"] |= {"parent_message_id": "msg-made-up", "request_id": "req-x"}
    assert agents(Assembler(hops(messages)).ended) == [CHAIN]
    messages[2]["metadata"]["sequence_number"] = 9
    assert Assembler(hops(messages)).ended == []


@pytest.mark.parametrize("hour", ["11", "23"])
def test_a_wait_has_an_end(hour):
    """T-34: an hour later it is another chain's message, and so is an earlier one."""
    messages = chain("req-1")
    messages[2]["metadata"] |= {"parent_message_id": "msg-made-up", "request_id": "req-x"}
    messages[2]["timestamp"]["executed_at"] = f"2026-02-26T{hour}:00:00+00:00"
    assert Assembler(hops(messages)).ended == []


def test_what_comes_after_the_end_belongs_to_nothing():
    """M-64: a message that comes after a failure does not make the transaction another one, whenever it is read."""
    messages = chain("req-1")
    messages[0] |= message(following=None, status="failed", error="TIMEOUT", request="req-1")
    found = Assembler(hops(messages))
    assert agents(found.ended) == [["objective_agent"]]
    assert found.stray == 2
    later = Assembler(hops(messages[1:]))
    assert (later.ended, later.stray) == ([], 2)


def rejected_and_gone_on(**values):
    """Return the messages of a request that is rejected at once, and handed on to two agents all the same."""
    messages = chain("req-1")
    messages[0] |= message(following=None, status="failed", error="OUT_OF_SCOPE", request="req-1")
    messages[1] = message("goal_agent", number=2, **{"error": "OUT_OF_SCOPE", "status": "failed", **values})
    return messages


def test_a_chain_that_was_rejected_and_goes_on_is_one_transaction():
    found = Assembler(hops(rejected_and_gone_on()))
    assert (agents(found.ended), found.stray, found.unfinished) == ([CHAIN], 0, [])


@pytest.mark.parametrize(
    "values",
    [
        pytest.param({"agent": "memory_agent"}, id="who remembers it was not called for it"),
        pytest.param({"seconds": 3_700}, id="more than an hour later"),
        pytest.param({"seconds": -60}, id="earlier"),
    ],
)
def test_a_chain_that_was_rejected_has_ended(values):
    first, second, _ = rejected_and_gone_on(**{name: value for name, value in values.items() if name == "seconds"})
    second["agent"]["name"] = values.get("agent", "goal_agent")
    found = Assembler(hops([first, second]))
    assert (agents(found.ended), found.stray) == ([CHAIN[:1]], 1)


def test_a_message_that_stands_twice_is_one():
    """M-64: a copy of a line changes nothing, before the end and after it."""
    plain = Assembler(hops(chain("req-1"))).ended
    doubled = [one for each in chain("req-1") for one in (each, each)]
    assert Assembler(hops(doubled)).ended == plain
    assert Assembler(hops(chain("req-1") + chain("req-1"))).ended == plain


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_messages_out_of_order_stop_nothing(order):
    """M-06, M-04: an end before its beginning is counted, and belongs to nothing."""
    messages = hops(chain("req-1"))
    found = Assembler(messages[at] for at in order)
    done = found.ended
    assert len(done) <= 1
    assert sum(len(one.hops) for one in (*done, *found.unfinished)) + found.stray == 3
    assert (len(done) == 1) == (order == (0, 1, 2) or order.index(0) < order.index(2))


def test_two_first_messages_of_one_request_are_one_chain():
    """T-34: the user adds something before it has ended; after it has, that is another transaction."""
    first, more = message(following="goal_agent"), message(number=2, following="goal_agent", source="user")
    more["input"]["source"] = "user"
    more["metadata"]["parent_message_id"] = None
    (done,) = Assembler(hops([first, more, message("goal_agent", number=3)])).ended
    assert [hop.sequence for hop in done.hops] == [1, 2, 3]
