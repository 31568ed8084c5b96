"""Reading audit logs: two forms, a hop a message, nothing somebody wrote (M-02, M-05, M-06, T-34, T-59)."""

import json
from datetime import UTC, date, datetime

import pytest
from case_tables import read_cases
from core_tools import json_of
from hypothesis import given
from hypothesis import strategies as st
from knowledge_tools.logs import PRIVATE, chain, daily_log, hop, lines, message, read_records, records
from memory_ledger.knowledge.hops import LARGEST_RECORD, Record, Task, audit_of, parse_hop, parse_log_name

CASES = read_cases(__file__)

DAY = date(2026, 2, 26)


def test_markdown_of_a_session_holds_whole_messages():
    found = records(daily_log(chain("req-1")).encode().splitlines(keepends=True), is_prose=True)
    assert [one.message for one in found] == chain("req-1")
    assert found[0].clock == "12:00:01 pm"


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b'{"message_id": "torn', id="torn"),
        pytest.param(b"{}x", id="rubbish after it"),
        pytest.param(b'{"a": "\xff"}', id="no text"),
        pytest.param(b'{"a":' + b"[" * 200_000, id="too deep"),
        pytest.param(b"message", id="words"),
        pytest.param(b"[1]", id="a list"),
        pytest.param(b"\x00\x01", id="bytes"),
        pytest.param(b'{"a": "' + b"x" * LARGEST_RECORD + b'"}', id="too large"),
    ],
)
@pytest.mark.parametrize("is_prose", [False, True])
def test_malformed_entries_are_counted_and_the_others_read(line, is_prose):
    """M-06: a bad entry never stops a run, and what stands around it is read."""
    log = [*lines(chain("req-1")), line + b"\n", *lines(chain("req-1"))]
    if is_prose:
        log = [part for one in log for part in (b"```json\n", one, b"```\n", b"prose\n")]
    found = list(read_records(log, is_prose=is_prose))
    assert (found.count(None), len(found)) == (1, 7)


@pytest.mark.parametrize(
    ("inside", "after"), [([b" " * 999_999 + b"\n"] * 6 + [b"```\n"], 3), ([b"{\n"], 0)], ids=["too large", "torn"]
)
def test_a_fence_that_holds_no_message_is_one_malformed_entry(inside, after):
    """M-06, M-02: what is in it is not kept, and what comes after its end is read."""
    good = [part for one in lines(chain("req-1")) for part in (b"```json\n", one, b"```\n")] if after else []
    found = list(read_records([b"```json\n", *inside, *good], is_prose=True))
    assert (found[0], len(found)) == (None, 1 + after)


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
@pytest.mark.parametrize(
    ("log", "is_prose", "count"),
    [
        pytest.param(b"".join(lines(chain("req-1"))), False, 3, id="JSON Lines"),
        pytest.param(daily_log(chain("req-1")).encode(), True, 3, id="Markdown"),
    ],
)
def test_an_editors_marks_change_nothing(log, is_prose, count, newline):
    """M-06, T-34: a byte order mark before the first line, and either end of lines."""
    marked = b"\xef\xbb\xbf" + log.replace(b"\n", newline)
    assert len(records(marked.splitlines(keepends=True), is_prose=is_prose)) == count


@given(
    st.lists(st.binary(max_size=60) | st.sampled_from([b"```json", b"---", b'{"a": 1}', b"## [1:00:00]"]), max_size=20)
)
def test_no_log_stops_the_reader(log):
    """M-06: whatever the bytes, every record is one or malformed, and hops come out or not."""
    for is_prose in (False, True):
        for one in read_records([line + b"\n" for line in log], is_prose=is_prose):
            if one is not None:
                parse_hop(one)


_JSON = json_of(st.none() | st.booleans() | st.integers() | st.text(max_size=8))


@given(st.dictionaries(st.sampled_from([*message()]), _JSON))
def test_no_message_stops_the_reader(one):
    assert parse_hop(Record({**one, "agent": {"name": "x"}}))


def test_a_hop_holds_nothing_that_somebody_wrote():
    """M-57, T-59: the input, the reasoning, error messages and addresses stay behind."""
    one = message(error="TIMEOUT", status="failed", notes=f"said {PRIVATE[0]}", refs=[{"url": PRIVATE[0]}])
    one["output"]["content"] = {"task_result": {"status": "failed", "result_summary": PRIVATE[0]}}
    row = json.dumps(hop(one))
    for private in ("Anna", "601 234", "shop", "token", "anna@", "AKIA"):
        assert private not in row


@pytest.mark.parametrize("name", [PRIVATE[0], "anna@example.org", "", 7, None, "x" * 60, "a b"])
def test_a_name_that_is_none_is_not_repeated(name):
    one = message()
    one["output"]["content_type"] = name
    assert hop(one).content in ("unnamed", "")


@pytest.mark.parametrize(
    ("code", "has_error", "error"),
    [
        *((None, False, ""), (None, True, "OTHER_ERROR"), ("E42: Anna", True, "OTHER_ERROR")),
        *(("anna@example.org", True, "OTHER_ERROR"), ("X" * 60, True, "OTHER_ERROR")),
        ("RESTRICTED_SOURCE", True, "RESTRICTED_SOURCE"),
        *(("restricted_source", True, "RESTRICTED_SOURCE"), (7, False, ""), (" timeout ", True, "TIMEOUT")),
    ],
)
def test_an_error_has_one_of_the_codes(code, has_error, error):
    one = message()
    one["error"] |= {"error_code": code, "has_error": has_error}
    assert hop(one).error == error


def test_names_numbers_and_texts_are_read_so_far():
    """T-59: a tool without its method; a number that somebody made up; the beginning of an objective."""
    one = message(sequence_number=10**30, content=[f"{'x ' * 200}transcribe the audio"])
    one["agent"]["name"] = "code_execution_tool:run"
    found = hop(one)
    assert (found.agent, found.sequence, found.intents) == ("code_execution_tool", 1_000_000, ())


def test_the_audit_field_is_extracted():
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
    refs = [{"platform": "YouTube", "media_type": "video"}, {"platform": "anna.example", "media_type": "???"}]
    assert hop(message(refs=refs)).inputs == ("file from elsewhere", "video from youtube")


@pytest.mark.parametrize(("text", "is_escalated"), CASES["model_escalation_is_seen"])
def test_model_escalation_is_seen(text, is_escalated):
    assert hop(message(reasoning=text)).is_escalated is is_escalated


@pytest.mark.parametrize(("notes", "is_policy"), CASES["governance_interventions_are_seen"])
def test_governance_interventions_are_seen(notes, is_policy):
    """M-14: an instruction that a policy rejected; only where the message failed."""
    assert hop(message(notes=notes, error="VALIDATION_ERROR", status="failed")).is_policy is is_policy
    assert hop(message(notes=notes)).is_policy is False


def test_gaps_are_what_an_assessment_finds_wanting():
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
    found = parse_hop(Record(one, clock), day=DAY)
    assert datetime.fromtimestamp(found.at, UTC).isoformat() == expected


@pytest.mark.parametrize("name", ["notes.md", "2026022.log", "20260226.log.1", "20261326.log", "00010101.log", "x.log"])
def test_a_file_of_another_name_is_no_log(name):
    assert parse_log_name(name) is None
