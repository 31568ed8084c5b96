"""Reading audit logs: four forms, a hop a message, nothing somebody wrote (M-02, M-05, M-06, T-34, T-59)."""

import json
from datetime import UTC, date, datetime
from time import thread_time

import pytest
from core_tools import json_of
from hypothesis import given
from hypothesis import strategies as st
from knowledge_tools.logs import (
    PRIVATE,
    bracketed,
    chain,
    daily_log,
    event,
    hop,
    lines,
    message,
    read_records,
    records,
)
from memory_ledger.knowledge.hops import Task, audit_of, parse_hop
from memory_ledger.knowledge.log_lines import LARGEST_RECORD, Heading, Record, parse_log_name

DAY = date(2026, 2, 26)


def test_blocks_of_bracketed_fields_are_messages():
    """T-34 (a): what the fields tell is read, what the user said is not."""
    text = bracketed("objective_agent", source="user") + bracketed("goal_agent", source="objective_agent", number=2)
    found = records(text.encode().splitlines(keepends=True))
    assert [one.message["agent"]["name"] for one in found] == ["objective_agent", "goal_agent"]
    first = parse_hop(found[0], day=DAY)
    assert (first.session, first.message, first.source) == ("sess-1", "msg-objective_agent-1", "user")
    assert audit_of(found[0].message).governance_files == ("context/application.md", "context/governance/audit.md")
    assert datetime.fromtimestamp(first.at, UTC) == datetime(2026, 2, 26, 10, 0, 1, tzinfo=UTC)


def test_markdown_of_a_session_holds_whole_messages():
    """T-34 (b)."""
    found = records(daily_log(chain("req-1")).encode().splitlines(keepends=True), is_prose=True)
    assert [one.message for one in found] == chain("req-1")
    assert found[0].heading == Heading(clock="4:17:30 pm", agent="objective_agent")


def test_pieces_of_messages_take_the_rest_from_their_heading():
    """T-34 (c): a dispatcher's state and an action's result are hops too."""
    state = {"task_states": {"task_1": {"status": "complete"}, "task_2": {"status": "pending"}}, "complete": False}
    result = {"task_id": "task_1", "status": "failed", "output_refs_produced": [], "summary": PRIVATE[0]}
    text = event("dispatch_agent", state, name="task_dispatched") + event("action_agent", result, name="task_failed")
    hops = [parse_hop(one, day=DAY) for one in records(text.encode().splitlines(keepends=True), is_prose=True)]
    assert [one.agent for one in hops] == ["dispatch_agent", "action_agent"]
    assert [(one.session, one.request) for one in hops] == [("sess-1", "req-1")] * 2
    assert [one.content for one in hops] == ["task_dispatch", "task_result"]
    assert [one.tasks for one in hops] == [(Task("task_1", "", "complete"),), (Task("task_1", "", "failed"),)]
    assert not any(one.is_terminal for one in hops)
    assert datetime.fromtimestamp(hops[0].at, UTC) == datetime(2026, 2, 26, 14, 28, 15, tzinfo=UTC)


@pytest.mark.parametrize(("target", "status"), [("memory_agent", "partial"), ("output_agent", "complete")])
def test_the_end_of_a_workflow_is_terminal(target, status):
    """T-34: `complete: true` is the end, whoever gets the whole."""
    body = {"output": {"content": {"workflow_result": {"status": status}}}}
    state = {"task_states": {}, "dispatches": [{"targetAgent": target, "body": body}], "complete": True}
    found = hop(state)
    assert found.is_terminal
    assert found.content == "workflow_complete"
    assert found.status == {"partial": "partial", "complete": "success"}[status]


@pytest.mark.parametrize(
    ("line", "is_torn"),
    [
        pytest.param(b'{"message_id": "torn', False, id="torn"),
        pytest.param(b"{}x", False, id="rubbish after it"),
        pytest.param(b'{"a": "\xff"}', False, id="no text"),
        pytest.param(b'{"a":' + b"[" * 200_000, False, id="too deep"),
        pytest.param(b"message", False, id="words"),
        pytest.param(b"\x00\x01", False, id="bytes"),
        pytest.param(b'{"a": "' + b"x" * LARGEST_RECORD + b'"}', False, id="too large"),
        pytest.param(b"[TIMESTAMP: 10:00:00]\n[AGENT: a]\n---", False, id="half a block"),
        pytest.param(b"[TIMESTAMP: 10:00:00]\n[AGENT: a]", True, id="torn block"),
        pytest.param(b"```json\n{", True, id="torn fence"),
        pytest.param(b"```json\n[1]\n```", False, id="a list in a fence"),
    ],
)
def test_malformed_entries_are_counted_and_the_others_read(line, is_torn):
    """M-06: a bad entry never stops a run, and what stands around it is read."""
    good = lines(chain("req-1"))
    torn = line.split(b"\n")
    log = [*good, *(one + b"\n" for one in torn)]
    log += [] if is_torn else good
    found = list(read_records(log, is_prose=False))
    assert (found.count(None), len(found)) == (1, 4 if is_torn else 7)


def test_a_fence_without_an_end_is_too_large_at_last():
    """M-06, M-02: what is in it is not kept, and what comes after it is read."""
    log = [b"```json\n", *([b" " * 999_999 + b"\n"] * 6), b"```\n", *lines(chain("req-1"))]
    found = list(read_records(log, is_prose=False))
    assert found[0] is None
    assert len(found) == 4


def test_a_block_that_another_one_interrupts_is_malformed():
    """M-06: the second one is read."""
    text = "[TIMESTAMP: 10:00:00]\n[AGENT: a]\n" + bracketed("goal_agent", source="user")
    found = list(read_records(text.encode().splitlines(keepends=True), is_prose=False))
    assert [one is None for one in found] == [True, False]


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
@pytest.mark.parametrize(
    ("log", "is_prose", "count"),
    [
        pytest.param(b"".join(lines(chain("req-1"))), False, 3, id="JSON Lines"),
        pytest.param(bracketed("goal_agent", source="user").encode(), False, 1, id="blocks"),
        pytest.param(daily_log(chain("req-1")).encode(), True, 3, id="Markdown"),
    ],
)
def test_an_editors_marks_change_nothing(log, is_prose, count, newline):
    """M-06, T-34: a byte order mark before the first line, and either end of lines."""
    marked = b"\xef\xbb\xbf" + log.replace(b"\n", newline)
    assert len(records(marked.splitlines(keepends=True), is_prose=is_prose)) == count


def test_a_line_that_is_made_to_be_slow_costs_no_more_than_its_length():
    """M-06: a bracket without an end, and forty thousand spaces; it was eighteen seconds."""
    before = thread_time()
    log = [b"[TIMESTAMP: 1]\n", b"[AGENT:" + b" " * 40_000 + b"x\n", b"---\n"]
    assert list(read_records(log, is_prose=False)) == [None]
    assert thread_time() - before < 6


def test_an_agentless_record_is_no_hop():
    """M-06: what names no agent tells nothing."""
    assert parse_hop(Record({"a": 1}, Heading())) is None


@given(
    st.lists(
        st.binary(max_size=60) | st.sampled_from([b"```json", b"---", b'{"a": 1}', b"[TIMESTAMP: 1]"]), max_size=20
    )
)
def test_no_log_stops_the_reader(log):
    """M-06: whatever the bytes, every record is one or malformed, and hops come out or not."""
    for is_prose in (False, True):
        for one in read_records([line + b"\n" for line in log], is_prose=is_prose):
            if one is not None:
                parse_hop(one)


_JSON = json_of(st.none() | st.booleans() | st.integers() | st.text(max_size=8))


@given(st.dictionaries(st.sampled_from([*message(), "task_states", "task_id", "dispatches", "complete"]), _JSON))
def test_no_message_stops_the_reader(one):
    """M-06: any JSON under any of the keys is a hop or none."""
    found = parse_hop(Record(one, Heading(agent="x")))
    assert found is not None


def test_a_hop_holds_nothing_that_somebody_wrote():
    """M-57, T-59: the input, the reasoning, error messages and addresses stay behind."""
    one = message(error="TIMEOUT", status="failed", notes=f"said {PRIVATE[0]}", refs=[{"url": PRIVATE[0]}])
    one["output"]["content"] = {"task_result": {"status": "failed", "result_summary": PRIVATE[0]}}
    row = json.dumps(hop(one))
    for private in ("Anna", "601 234", "shop", "token", "anna@", "AKIA"):
        assert private not in row


@pytest.mark.parametrize("name", [PRIVATE[0], "anna@example.org", "", 7, None, "x" * 60, "a b"])
def test_a_name_that_is_none_is_not_repeated(name):
    """T-59: a name has the form of one."""
    one = message()
    one["output"]["content_type"] = name
    assert hop(one).content in ("unnamed", "")


@pytest.mark.parametrize(
    ("code", "has_error", "error"),
    [
        (None, False, ""),
        (None, True, "OTHER_ERROR"),
        ("E42: Anna", True, "OTHER_ERROR"),
        ("anna@example.org", True, "OTHER_ERROR"),
        ("X" * 60, True, "OTHER_ERROR"),
        ("RESTRICTED_SOURCE", True, "RESTRICTED_SOURCE"),
        ("restricted_source", True, "RESTRICTED_SOURCE"),
        (7, False, ""),
        (" timeout ", True, "TIMEOUT"),
    ],
)
def test_an_error_has_one_of_the_codes(code, has_error, error):
    """M-10, T-59: a code that nobody knows is no text to repeat."""
    one = message()
    one["error"] |= {"error_code": code, "has_error": has_error}
    assert hop(one).error == error


def test_names_numbers_and_texts_are_read_so_far():
    """T-59: a tool without its method; a number that somebody made up; the beginning of an objective."""
    one = message(sequence_number=10**30, content=[f"{'x ' * 200}transcribe the audio"])
    one["agent"]["name"] = "code_execution_tool:run"
    found = hop(one)
    assert (found.agent, found.sequence, found.intents) == ("code_execution_tool", 1_000_000, ())


def test_what_has_a_parent_is_no_beginning():
    """T-34: models number from one again."""
    one = message(source="goal_agent")
    assert hop(one).begins
    one["metadata"]["parent_message_id"] = "msg-0"
    assert not hop(one).begins


def test_the_audit_field_is_extracted():
    """M-05: compliance notes, governance files consulted, reasoning."""
    one = message(notes="notes", reasoning="why", files=["context/governance/audit.md", "../../etc/passwd", "x"])
    audit = audit_of(one)
    assert (audit.compliance_notes, audit.reasoning) == ("notes", "why")
    assert audit.governance_files == ("context/governance/audit.md",)
    assert audit_of({}).reasoning == ""


def test_objectives_and_goals_are_counted_and_named_by_the_tables():
    """M-07: an objective becomes a verb and a thing; its goals are a number."""
    first, second, third = (hop(one) for one in chain("req-1"))
    assert (first.objectives, first.intents) == (2, ("acquire video", "transcribe audio"))
    assert second.goals == 3
    assert third.tasks == (Task("task_1", "CAP-ACQ-001", "planned"), Task("task_2", "CAP-AUD-001", "planned"))


def test_tasks_may_be_a_list():
    """M-12: a plan is read in either shape, and what is none has no tasks."""
    tasks = [{"capability_ids": ["CAP-ACQ-001"]}, "x"]
    plan = message(content_type="plan", content={"plan": {"tasks": tasks}})
    assert hop(plan).tasks == (Task("task_1", "CAP-ACQ-001", "planned"),)
    assert hop(message(content_type="plan", content={"plan": {"plan": {"plan": {}}}})).tasks == ()
    assert hop(message(content=["Summarise"])).intents == ("summarise",)


def test_inputs_are_a_kind_and_a_platform():
    """M-09, T-59: an address is never repeated."""
    refs = [{"platform": "YouTube", "media_type": "video"}, {"platform": "anna.example", "media_type": "???"}]
    assert hop(message(refs=refs)).inputs == ("file from elsewhere", "video from youtube")


@pytest.mark.parametrize(
    ("text", "is_escalated"),
    [
        ("Model escalation: the task exceeded the small model", True),
        ("escalated to the larger model", True),
        ("SLM-to-LLM escalation", True),
        ("SLM -> LLM", True),
        ("No model escalation was required", False),
        ("done without escalating to the LLM", False),
        ("escalate to a human", False),
        ("nothing to say", False),
    ],
)
def test_model_escalation_is_seen(text, is_escalated):
    """M-13: where a message says so, and does not deny it."""
    assert hop(message(reasoning=text)).is_escalated is is_escalated


@pytest.mark.parametrize(
    ("notes", "is_policy"),
    [
        ("Instruction rejected by policy.", True),
        ("The request violates governance rules", True),
        ("No governance conflicts detected", False),
        ("No policy was violated", False),
        ("Rejected. The policy file was read.", False),
    ],
)
def test_governance_interventions_are_seen(notes, is_policy):
    """M-14: an instruction that a policy rejected; only where the message failed."""
    assert hop(message(notes=notes, error="VALIDATION_ERROR", status="failed")).is_policy is is_policy
    assert hop(message(notes=notes)).is_policy is False


def test_gaps_are_what_an_assessment_finds_wanting():
    """M-12, M-15: failed checks, limitations, low confidence."""
    result = {
        "task_id": "task_1",
        "status": "complete",
        "quality_checks": {"all_inputs_consumed": False, "output_structured": True},
        "confidence_assessment": {"overall_confidence": "low", "limitations": [PRIVATE[0]]},
    }
    one = message("reasoning_agent", content_type="task_result", content={"task_result": result})
    assert hop(one).gaps == ("all_inputs_consumed", "limitations", "low_confidence")
    result["quality_checks"] = {"not_asked": None, "not_said": "", "none_found": 0, "failed": False}
    assert hop(one).gaps == ("failed", "limitations", "low_confidence")
    result["quality_checks"] = {f"check_{at}": False for at in range(500)}
    assert len(hop(one).gaps) == 50


@pytest.mark.parametrize(
    ("moment", "clock", "expected"),
    [
        ("2026-02-26T10:00:00+08:00", "", "2026-02-26T02:00:00+00:00"),
        ("2024-07-28T10:00:00+00:00", "9:30:05 pm", "2026-02-26T21:30:05+00:00"),
        ("iso_format", "12:00:01 am", "2026-02-26T00:00:01+00:00"),
        ("2026-02-25T14:07:39Z", "22:07:39", "2026-02-26T22:07:39+00:00"),
        ("2026-02-27T10:00:00Z", "", "2026-02-27T10:00:00+00:00"),
        ("2026-03-02T10:00:00Z", "", "2026-02-26T12:00:00+00:00"),
        ("iso_format", "", "2026-02-26T12:00:00+00:00"),
        ("iso_format", "77:00:00", "2026-02-26T12:00:00+00:00"),
    ],
)
def test_a_time_is_that_of_the_log(moment, clock, expected):
    """T-34, issue 23: models invent dates and zones; the orchestrator's own are in the file's name and the heading."""
    one = message()
    one["timestamp"]["executed_at"] = moment
    found = parse_hop(Record(one, Heading(clock=clock)), day=DAY)
    assert datetime.fromtimestamp(found.at, UTC).isoformat() == expected


def test_a_heading_is_that_of_one_message():
    """T-34 (c): a message without one is not told under that of another."""
    text = event("dispatch_agent", {"a": 1}, name="x") + '```json\n{"b": 2}\n```\n'
    first, second = records(text.encode().splitlines(keepends=True), is_prose=True)
    assert (first.heading.agent, first.heading.request) == ("dispatch_agent", "req-1")
    assert second.heading == Heading()


@pytest.mark.parametrize(("status", "is_terminal"), [("failed", True), ("success", False), ("partial", False)])
def test_a_block_that_failed_ends_its_chain(status, is_terminal):
    """T-34 (a): such a log has no field for an error."""
    text = bracketed("goal_agent", source="user", status=status)
    assert parse_hop(records(text.encode().splitlines(keepends=True))[0], day=DAY).is_terminal is is_terminal


@pytest.mark.parametrize("name", ["notes.md", "2026022.log", "20260226.log.1", "20261326.log", "00010101.log", "x.log"])
def test_a_file_of_another_name_is_no_log(name):
    """T-34: it is left alone."""
    assert parse_log_name(name) is None
