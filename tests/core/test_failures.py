"""Which answers of a tool are failures, and what becomes of them in a chain (T-22, T-35; issue 23)."""

from datetime import UTC, datetime, timedelta

import pytest
from knowledge_tools.logs import hops
from memory_ledger.claims import takes_back
from memory_ledger.knowledge.decisions import decide
from memory_ledger.knowledge.failures import ENDINGS, OPENINGS, failure_of
from memory_ledger.knowledge.trail import Trail, messages_of
from memory_ledger.knowledge.transactions import assemble
from memory_ledger.knowledge.words import ERROR_CODES, ChainOutcome

NOW = datetime(2026, 2, 26, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3 errors were found in the log, all of them old.",
        "The report says: Error: none",
        "Here is how to read it.\nTraceback (most recent call last):\nValueError: 3\n" + "It means that.\n" * 6,
        "Process exited with exit code 0",
        "The request is rejected by 3 of 10 servers.",
        *(one.counterexample for one in (*OPENINGS, *ENDINGS)),
    ],
)
def test_a_result_is_no_failure(text):
    """Issue 23: what merely speaks of errors is a result."""
    assert failure_of(text) == ""


@pytest.mark.parametrize("one", [*OPENINGS, *ENDINGS], ids=lambda one: f"{one.code}: {one.example[:30]!r}")
def test_every_wording_tells_its_code(one):
    """Issue 23: the host's own error texts, exit codes, tracebacks, unknown tools, wrong requests."""
    assert failure_of(one.example) == one.code
    assert one.code in ERROR_CODES


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Error: ModuleNotFoundError\nexit code 1", "PROCESSING_ERROR"),
        ("Error processing document: read timed out", "TIMEOUT"),
        ("Traceback (most recent call last):\n  File 'x'\nKeyError: 'a'\n(venv) root@host:~#", "PROCESSING_ERROR"),
        ('{"error": {"has_error": true, "error_code": "OUT_OF_SCOPE"}}', "OUT_OF_SCOPE"),
    ],
)
def test_what_a_failure_is_told_as(text, code):
    """Issue 23: one code, the most telling one."""
    assert failure_of(text) == code


@pytest.mark.parametrize(
    ("text", "after_question", "expected"),
    [
        ("No thanks.", False, False),
        ("No problem, go on.", False, False),
        ("Is that wrong?", False, False),
        ("How do I undo that in git?", False, False),
        ("No.", True, False),
        ("No.", False, True),
        ("That is wrong. Read the other file, and the table as well.", False, True),
        ("No, that is wrong.", True, True),
        ("undo that", False, True),
        ("Revert it, please.", False, True),
    ],
)
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

    def call(self, tool="search", error="", digest="d", result="r", answers=False):
        self.trail.think("agent0", self.tick(), is_intervened=False, fault="MISFORMATTED")
        self.trail.start_tool("agent0", tool, self.tick(), arguments=1, digest=digest, profile="coder")
        self.trail.end_tool("agent0", tool, self.tick(), characters=1, answers=answers, error=error, result=result)

    def end(self, answers=True):
        if answers:
            self.call("response", digest="", answers=True)
        self.trail.finish("agent0", None, self.tick(), is_failing=False)
        messages = list(messages_of(self.trail))
        (done,) = assemble(hops(messages))
        return done


def test_a_call_that_is_tried_again_is_one_task():
    """Issue 23: the hop that failed says so, and the request succeeded."""
    play = Play()
    play.call(error="TIMEOUT")
    play.call(result="found")
    done = play.end()
    assert [(hop.error, hop.status) for hop in done.hops if hop.tasks] == [("TIMEOUT", "failed"), ("", "success")]
    assert decide(done, hop_limit=10).outcome is ChainOutcome.SUCCESS


def test_a_call_that_is_made_twice_in_vain_is_a_failure():
    """Issue 23: the same call with the same result; not with another one, and not another call."""
    play = Play()
    for digest, result in (("a", "1"), ("a", "2"), ("b", "1"), ("b", "1"), ("b", "1")):
        play.call(digest=digest, result=result)
    assert [(hop.error, hop.repeats) for hop in play.end().hops if hop.tasks] == [
        ("", 0), ("", 0), ("", 0), ("REPEATED_CALL", 1), ("REPEATED_CALL", 2)
    ]  # fmt: skip


def test_a_message_that_calls_nothing_is_a_fault():
    """Issue 23: a misformatted request; the chain goes on and succeeds."""
    play = Play()
    play.trail.think("agent0", play.tick(), is_intervened=False, fault="MISFORMATTED")
    play.call()
    done = play.end()
    assert [hop.error for hop in done.hops] == ["", "MISFORMATTED", "", ""]
    assert decide(done, hop_limit=1).escalation == "hops"  # the request and the answer
    assert decide(done, hop_limit=2).outcome is ChainOutcome.SUCCESS


@pytest.mark.parametrize("is_running", [True, False])
def test_an_intervention_is_a_failure_of_the_hop(is_running):
    """Issue 23: of the call that it ended, or of the agent's own step."""
    play = Play()
    if is_running:
        play.trail.start_tool("agent0", "search", play.tick(), arguments=1)
    play.trail.think("agent0", play.tick(), is_intervened=True, fault="MISFORMATTED")
    play.trail.start_tool("agent0", "search", play.tick(), arguments=1)
    play.trail.end_tool("agent0", "search", play.tick(), characters=1, answers=False)
    found = [(hop.agent, hop.error) for hop in play.end().hops if hop.error]
    assert found == [("search" if is_running else "agent0", "INTERVENTION")]


def test_a_chain_that_was_stopped_has_failed():
    """Issue 23: no answer came."""
    done = Play().end(answers=False)
    assert (done.hops[-1].error, decide(done, hop_limit=10).outcome) == ("NO_ANSWER", ChainOutcome.FAILURE)


def test_a_delegation_that_is_refused_is_told_and_ends_no_chain():
    """Issue 23: nobody took the work, or the subordinate's answer says no."""
    play = Play()
    play.call("call_subordinate", error="OUT_OF_SCOPE")
    play.trail.start_tool("agent0", "call_subordinate", play.tick(), arguments=1, profile="coder")
    play.trail.delegate("agent0", "coder_1", play.tick(), characters=1, intent="create code")
    play.trail.start_tool("coder_1", "response", play.tick(), arguments=1)
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
