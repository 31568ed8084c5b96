"""Which answers of a tool are failures, and what becomes of them in a chain (T-22, T-35; issue 23)."""

import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from case_tables import read_cases
from knowledge_tools.logs import chain, hop, hops, message, tally_of
from memory_ledger.claims import takes_back
from memory_ledger.knowledge import words
from memory_ledger.knowledge.decisions import Assembler, Transaction, decide
from memory_ledger.knowledge.patterns import FINE, Family
from memory_ledger.knowledge.trail import ToolCall, Trail
from memory_ledger.knowledge.words import ChainOutcome, failure_of, intent_of, raised_in

CASES = read_cases(__file__)

NOW = datetime(2026, 2, 26, 12, 0, tzinfo=UTC)
_SOURCE = tomllib.loads(Path(words.__file__).with_name("failures.toml").read_text("utf-8"))
WORDINGS = [one for rows in _SOURCE.values() for one in rows]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3 errors were found in the log, all of them old.",
        "The report says: Error: none",
        "Here is how to read it.\nTraceback (most recent call last):\nValueError: 3\n" + "It means that.\n" * 6,
        "Traceback (most recent call last):\n" + "of a log that is read as it is\n" * 1_000 + "ValueError: 3",
        "Process exited with exit code 0",
        "The request is rejected by 3 of 10 servers.",
        *(text for one in WORDINGS for text in one["counterexamples"]),
    ],
)
def test_a_result_is_no_failure(text):
    assert failure_of(text) == ""


@pytest.mark.parametrize("one", WORDINGS, ids=lambda one: f"{one['code']}: {one['examples'][0][:30]!r}")
def test_every_wording_tells_its_code(one):
    """Issue 23: the host's own error texts, exit codes, tracebacks, unknown tools, wrong requests."""
    assert [failure_of(text) for text in one["examples"]] == [one["code"]] * len(one["examples"])


@pytest.mark.parametrize(("text", "code"), CASES["what_a_failure_is_told_as"])
def test_what_a_failure_is_told_as(text, code):
    assert failure_of(text) == code


TRACEBACK = "Traceback (most recent call last):\n  File 'x', line 3, in search\n    return await it"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", ""),
        ("Your message is not valid: read about errors", ""),
        ("You sent the same message again.", ""),
        (f"This error has occurred: {TRACEBACK}\nTimeoutError\n. Proceed with your task.", "TIMEOUT"),
        (f"This error has occurred: aiohttp.ServerTimeoutError: no data\n\n{TRACEBACK}\n. Proceed.", "TIMEOUT"),
        (f"{TRACEBACK}\nrequests.exceptions.ReadTimeout: read timed out\n", "TIMEOUT"),
        (f"ModuleNotFoundError: No module named 'x'\n\n{TRACEBACK}\n", "DEPENDENCY_ERROR"),
        (f"This error has occurred: ValueError: a Timeout: 3\n\n{TRACEBACK}", "PROCESSING_ERROR"),
        (f"{TRACEBACK}\nhelpers.errors.RepairableException: no such profile", "PROCESSING_ERROR"),
    ],
)
def test_an_exception_that_the_host_goes_on_after_tells_its_code(text, code):
    """Issue 23: a tool that raises answers nothing; the host tells the model of it, as Agent Zero formats errors."""
    assert raised_in(text) == code


@pytest.mark.parametrize(("text", "after_question", "expected"), CASES["the_user_takes_back_what_was_answered"])
def test_the_user_takes_back_what_was_answered(text, after_question, expected):
    """Issue 23, C-41: by the corrections of the language engine; a bare "no" may answer a question."""
    assert takes_back(text, after_question=after_question) is expected


class Play:
    """A turn, a second for each thing that happens in it."""

    def __init__(self):
        self.at, self.trail = NOW, Trail("chat1", NOW)
        self.trail.begin("agent0", characters=1, attachments=0)

    def tick(self):
        self.at += timedelta(seconds=1)
        return self.at

    def call(self, tool="search", error="", digest=1, result=1, answers=False):
        self.trail.think("agent0", self.tick(), is_intervened=False, find_fault=lambda _: "MISFORMATTED")
        self.trail.start_tool("agent0", ToolCall(tool, self.tick(), 1, digest, "coder"))
        self.trail.end_tool("agent0", tool, self.tick(), characters=1, answers=answers, error=error, result=result)

    def end(self, answers=True):
        if answers:
            self.call("response", digest=None, answers=True)
        self.trail.finish("agent0", None, self.tick(), is_failing=False)
        messages = list(self.trail.lines())
        (done,) = Assembler(hops(messages)).ended
        return done


def test_a_call_that_is_tried_again_is_one_task():
    play = Play()
    play.call(error="TIMEOUT")
    play.call(result=2)
    done = play.end()
    assert [(hop.error, hop.status) for hop in done.hops if hop.tasks] == [("TIMEOUT", "failed"), ("", "success")]
    assert decide(done, hop_limit=10).outcome is ChainOutcome.SUCCESS


def test_a_delegation_that_is_refused_is_told_and_ends_no_chain():
    play = Play()
    play.call("call_subordinate", error="OUT_OF_SCOPE")
    play.trail.start_tool("agent0", ToolCall("call_subordinate", play.tick(), 1, profile="coder"))
    play.trail.delegate("agent0", "coder_1", play.tick(), characters=1, intent="create code")
    play.trail.start_tool("coder_1", ToolCall("response", play.tick(), 1))
    play.trail.end_tool("coder_1", "response", play.tick(), characters=1, answers=True, error="OUT_OF_SCOPE")
    play.trail.finish("coder_1", "agent0", play.tick(), is_failing=False)
    play.trail.end_tool("agent0", "call_subordinate", play.tick(), characters=1, answers=False, error="OUT_OF_SCOPE")
    done = play.end()
    found = [(hop.agent, hop.content, hop.error) for hop in done.hops if hop.content.startswith("delegation")]
    assert found == [
        ("coder", "delegation_result", "OUT_OF_SCOPE"),
        ("agent0", "delegation", ""),
        ("coder_1", "delegation_result", "OUT_OF_SCOPE"),
    ]
    assert done.hops[-1].following == "" and len(done.hops) == 5


@pytest.mark.parametrize(("text", "intent"), CASES["a_reference_is_no_verb_and_no_thing"])
def test_a_reference_is_no_verb_and_no_thing(text, intent):
    assert intent_of(text) == intent


def chained(*hops_given):
    """Return the record of a chain of messages: who, from whom, and what else."""
    messages = [message(agent, number=at, **given) for at, (agent, given) in enumerate(hops_given, 1)]
    return decide(Transaction(tuple(hops(messages))), hop_limit=30)


def answers(record, family):
    """Return what was observed, by its subject, beside what went as it should."""
    return {one.subject: one.answer for one in record.observations if one.family is family and one.answer != FINE}


def test_who_was_called_after_a_rejection():
    rejected = {"error": "OUT_OF_SCOPE", "following": "goal_agent"}
    gone_on = chained(("objective_agent", rejected), ("goal_agent", {}))
    assert answers(gone_on, Family.REJECTION) == {"objective_agent": "goal_agent"}
    assert answers(gone_on, Family.FAILURE) == {}
    assert answers(chained(("objective_agent", rejected)), Family.REJECTION) == {"objective_agent": "stopped"}


def task(tool, state, error=None):
    """Return the message of a task that a tool carried out."""
    content = {"task_result": {"task_id": tool, "status": state, "tool_name": tool}}
    return tool, {"content_type": "task_result", "content": content, "error": error, "following": "agent0"}


@pytest.mark.parametrize(
    ("later", "then"),
    [
        ([], ""),
        ([task("search", "complete")], "again"),
        ([task("search", "failed", "TIMEOUT"), task("search", "complete")], "again"),
        ([task("browser", "complete")], "browser"),
        ([task("browser", "failed", "TIMEOUT"), task("reader", "complete")], ""),
    ],
)
def test_what_was_tried_next_and_worked(later, then):
    record = chained(task("search", "failed", "TIMEOUT"), *later)
    assert answers(record, Family.FAILURE)["search"] == f"TIMEOUT>{then}"


def planned(*names):
    """Return the message of a plan of these tasks, all by one capability."""
    tasks = {name: {"capability_ids": ["CAP-ACQ-001"]} for name in names}
    return "planning_agent", {"content_type": "plan", "content": {"tasks": tasks}, "following": "dispatch_agent"}


def ended(name, state):
    """Return the message of a task of a plan that has ended."""
    content = {"task_result": {"task_id": name, "status": state}}
    return "action_agent", {"content_type": "task_result", "content": content, "following": "dispatch_agent"}


@pytest.mark.parametrize(
    ("later", "then"),
    [
        pytest.param([ended("task_3", "complete")], "", id="another task of the same capability"),
        pytest.param([ended("task_2", "failed"), ended("task_2", "complete")], "again", id="the task itself"),
        pytest.param([task("browser", "complete")], "", id="what came next in any case"),
    ],
)
def test_a_task_of_a_plan_worked_when_it_was_tried_again(later, then):
    """Issue 23, M-14: on the original's logs a capability whose tasks all failed was told to have worked again."""
    before = [planned("task_1", "task_2", "task_3"), ended("task_1", "complete"), ended("task_2", "failed")]
    read = tuple(hop(message(agent, **values)) for agent, values in (*before, *later))
    assert answers(decide(Transaction(read), hop_limit=30), Family.FAILURE) == {"CAP-ACQ-001": f"OTHER_ERROR>{then}"}


def test_what_comes_after_a_rejection_says_nothing_of_who_does_it():
    """Issue 23, M-10: an agent that is called in vain has not failed, and rejected nothing; one cause, one entry."""
    rejected = {"error": "OUT_OF_SCOPE", "status": "failed"}
    in_vain = ("goal_agent", {"error": "DEPENDENCY_ERROR", "status": "failed"})
    record = chained(("objective_agent", rejected), in_vain, ("planning_agent", rejected))
    assert answers(record, Family.REJECTION) == {"objective_agent": "goal_agent"}
    used = [(one.subject, one.answer) for one in record.observations if one.family is Family.FAILURE]
    assert used == [("objective_agent", FINE)]
    assert (record.error, record.failed_at) == ("OUT_OF_SCOPE", "objective_agent")
    assert record.path == ("objective_agent", "goal_agent", "planning_agent")
    memory = chained(("objective_agent", rejected), ("memory_agent", {}))
    assert answers(memory, Family.REJECTION) == {"objective_agent": "stopped"}


def test_a_message_that_calls_nothing_is_not_mended_by_the_next():
    """Issue 23: "call it once more" is no advice to an agent whose message could not be read."""
    play = Play()
    play.trail.think("agent0", play.tick(), is_intervened=False, find_fault=lambda _: "MISFORMATTED")
    play.trail.think("agent0", play.tick(), is_intervened=False, find_fault=lambda _: "MISFORMATTED")
    play.call()
    assert answers(decide(play.end(), hop_limit=10), Family.FAILURE) == {"agent0": "MISFORMATTED>"}


def test_plans_are_shapes_by_capability():
    """M-12: with how the request ended, so that none is recommended for having ended well by itself."""
    (done,) = Assembler(hops(chain("r"))).ended
    shown = tally_of([decide(done, hop_limit=10)])
    assert shown[Family.PLAN]["acquire video + transcribe audio"].answer == "CAP-ACQ-001 → CAP-AUD-001>good"
    (failed,) = Assembler(hops(chain("r", end={"status": "failed", "error": "TIMEOUT"}))).ended
    shown = tally_of([decide(failed, hop_limit=10)])
    assert shown[Family.PLAN]["acquire video + transcribe audio"].answer == "CAP-ACQ-001 → CAP-AUD-001>wanting"
