"""The memory agent at work, and what it learns of the original project's logs (M-14, M-24 ... M-72, T-34)."""

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from knowledge_tools.files import DictFiles
from knowledge_tools.logs import PRIVATE, chain, daily_log, lines, message
from memory_ledger.host.knowledge.addresses import KnowledgeAwayError, LogFolder
from memory_ledger.host.knowledge.memory_agent import Distiller, MemoryAgent, read_governance
from memory_ledger.host.knowledge.service import AGENT_FILE, AgentFile
from memory_ledger.knowledge.documents import FILES, parse_document
from memory_ledger.knowledge.messages import ChainPosition
from memory_ledger.setting_groups import Distillation

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "config" / "memory_agent_message.schema.json").read_text("utf-8"))
NOW = datetime(2026, 2, 27, 8, 0, tzinfo=UTC)
LOG = "20260226.log"
POST_CHAIN = {"trigger": "post_chain", "transaction_id": "req-1", "log_path": f"system/logs/{LOG}"}
WINDOW = {"start": "2026-02-20T00:00:00Z", "end": "2026-02-27T00:00:00Z"}
SCHEDULED = {"trigger": "scheduled_distillation", "time_window": WINDOW}
RETRIEVAL = {"trigger": "context_retrieval", "query": "video requests", "requesting_agent": "planning_agent"}


class Machine:
    """An agent, its files and its logs, as a machine has them."""

    def __init__(self, folder, files=None, **options):
        self.home, self.files = folder, files or DictFiles()
        self.logs = folder / "system" / "logs"
        self.memory = AgentFile(folder / "memory")
        self.agent = MemoryAgent(
            files=self.files,
            logs=LogFolder(str(self.logs)),
            options=Distillation(**options),
            home=folder,
            clock=lambda: NOW,
            number=self.memory.next_number,
        )

    def write_log(self, count, *, first=0, **values):
        """Append so many chains to the log."""
        self.logs.mkdir(parents=True, exist_ok=True)
        with (self.logs / LOG).open("ab") as stream:
            for at in range(first, first + count):
                stream.writelines(lines(chain(f"req-{at}", seconds=10 * at, **values)))

    def ask(self, received, link=None, **how):
        """Return the answer; it is whole, whatever it says."""
        answer = self.agent.answer(received, link, **how)
        Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(answer.message)))
        return answer


@pytest.fixture
def machine(tmp_path):
    """A machine whose log holds twenty transactions."""
    machine = Machine(tmp_path)
    machine.write_log(20)
    return machine


@pytest.mark.parametrize(("received", "action"), [(POST_CHAIN, "log_capture"), (SCHEDULED, "distillation")])
def test_both_ways_the_logs_become_knowledge(machine, received, action):
    """M-24, M-25, M-27, M-28: read, distilled, filed, told."""
    message = machine.ask(received).message
    content = message["output"]["content"]
    assert content["action_taken"] == action
    assert content["statistics"]["transactions_processed"] == 20
    assert content["statistics"]["decisions_catalogued"] == 20
    written = content["statistics"]["knowledge_entries_written"]
    assert written == sum(one["entries_added"] for one in content["knowledge_updates"]) > 0
    for one in content["knowledge_updates"]:
        assert one["file"].removeprefix("context/memory/") in machine.files.texts
    assert not [one for one in PRIVATE if one in json.dumps(message)]


@pytest.mark.parametrize("dry_run", [False, True])
@pytest.mark.parametrize("received", [POST_CHAIN, SCHEDULED, RETRIEVAL, {"trigger": "x"}])
def test_the_agent_only_reads_the_logs(machine, received, dry_run):
    """Issue 23, M-65: whatever it is asked, bytes, time of change and folder stay what they were."""
    log = machine.logs / LOG
    for path in (log, machine.logs):
        os.utime(path, ns=(1, 1))
    before = log.read_bytes()
    machine.ask(received, dry_run=dry_run)
    assert log.read_bytes() == before
    assert [path.stat().st_mtime_ns for path in (log, machine.logs)] == [1, 1]
    assert [path.name for path in machine.logs.iterdir()] == [LOG]


def test_context_is_found_and_nothing_is_written(machine):
    """M-66, M-69: entries of the files as they stand; logs that wait are left alone."""
    machine.ask(SCHEDULED)
    machine.write_log(5, first=20)
    machine.files.written.clear()
    result = machine.ask(RETRIEVAL).message["output"]["content"]["recall_result"]
    assert result["query"] == "video requests"
    assert "context/memory/domain_knowledge.md" in [one["file"] for one in result["entries"]]
    assert machine.files.written == []
    assert not (machine.home / "memory").exists()
    empty = machine.ask({**RETRIEVAL, "query": "kettle"}).message["output"]["content"]["recall_result"]
    assert empty == {"query": "kettle", "entries": []}


def test_another_agents_message_is_answered_in_its_chain(machine):
    """M-26, M-67: the message that hands over is the trigger."""
    machine.ask(SCHEDULED)
    (*_, last) = chain("req-99", end={"following": "memory_agent", "content": {"query": "video"}})
    last["next_agent"]["reason"] = "context_retrieval"
    message = machine.ask(last).message
    assert message["metadata"] == {
        "session_id": "sess-1",
        "request_id": "req-99",
        "sequence_number": 4,
        "parent_message_id": "msg-req-99-3",
    }
    assert message["output"]["content"]["recall_result"]["entries"]
    assert machine.ask({**last, "next_agent": {"name": "x", "reason": "context_retrieval"}}).has_failed


@pytest.mark.parametrize("received", [RETRIEVAL, SCHEDULED, POST_CHAIN])
def test_the_circuit_breaker_holds_for_this_agent_too(machine, received):
    """M-67, T-57: the tenth message of a chain is answered, the eleventh refused, and nothing is done."""
    assert not machine.ask(RETRIEVAL, ChainPosition(sequence_number=10)).has_failed
    message = machine.ask(received, ChainPosition(sequence_number=11)).message
    assert message["error"]["error_code"] == "PROCESSING_ERROR"
    assert message["error"]["recoverable"] is False
    assert message["metadata"]["sequence_number"] == 11
    assert machine.files.texts == {}


@pytest.mark.parametrize(
    "received", [None, "x", {}, {"trigger": "x"}, {**POST_CHAIN, "log_path": "/etc/passwd"}, object()]
)
def test_an_invalid_input_is_answered_and_never_raised(machine, received):
    """M-30, M-63."""
    message = machine.ask(received).message
    assert message["error"]["error_code"] == "INVALID_INPUT"
    assert machine.files.texts == {}


def test_a_log_that_is_not_there_is_named(machine):
    """M-27, M-39: the others are not read in its place."""
    message = machine.ask({**POST_CHAIN, "log_path": "system/logs/20250101.log"}).message
    assert message["error"]["error_code"] == "DEPENDENCY_ERROR"
    assert message["error"]["recoverable"] is True
    assert machine.files.texts == {}


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (KnowledgeAwayError("s3 is away"), "DEPENDENCY_ERROR"),
        (OSError("disk"), "PROCESSING_ERROR"),
        (ZeroDivisionError("a defect"), "PROCESSING_ERROR"),
    ],
)
def test_whatever_goes_wrong_the_message_is_whole(tmp_path, error, code):

    class Broken(DictFiles):
        def read(self, name):
            raise error

    machine = Machine(tmp_path, Broken())
    machine.write_log(1)
    for one in (POST_CHAIN, SCHEDULED, RETRIEVAL):
        message = machine.ask(one).message
        assert (message["error"]["error_code"], message["status"]["code"]) == (code, "failed")


def test_what_forbids_for_the_fleet_and_for_this_machine_both_hold(tmp_path):
    folder = tmp_path / "context" / "governance"
    folder.mkdir(parents=True)
    (folder / "scope.md").write_text("here")
    (folder / "both.md").write_text("same")
    (folder / "notes.txt").write_text("none of it")
    beside = {"scope.md": b"fleet", "both.md": b"same", "fleet.md": b"caf\xe9"}
    assert read_governance(tmp_path, beside) == {
        "context/governance/both.md": "same",
        "context/governance/fleet.md": "caf\ufffd",
        "context/governance/scope.md": "fleet\n\nhere",
    }


def test_governance_beside_the_knowledge_is_obeyed(machine):
    """M-53, M-54, M-55, T-32: an entry at odds with it is a concern; while it is away, on S3, nothing is filed."""
    text = b"Agents must never acquire video or transcribe audio for anybody."

    def agent(governance):
        number = machine.memory.next_number
        machine.files.governance = governance
        how = {"files": machine.files, "logs": LogFolder(str(machine.logs)), "options": Distillation()}
        return MemoryAgent(**how, home=machine.home, clock=lambda: NOW, number=number)

    def away():
        raise KnowledgeAwayError("s3 is away")

    assert agent(away).answer(SCHEDULED).message["error"]["error_code"] == "DEPENDENCY_ERROR"
    assert machine.files.texts == {}
    message = agent(lambda: {"scope.md": text}).answer(SCHEDULED).message
    assert message["audit"]["governance_files_consulted"] == ["context/governance/scope.md"]
    assert "Governance concern" in message["audit"]["compliance_notes"]
    assert "No governance conflicts detected" not in message["audit"]["compliance_notes"]
    assert "Requests to" not in machine.files.texts.get("domain_knowledge.md", "")


def test_a_conflict_stands_under_the_file_of_its_entry(tmp_path):
    """M-61, M-70: flagged, and the entry stays."""
    machine = Machine(tmp_path)
    machine.write_log(30)
    machine.ask(SCHEDULED)
    before = machine.files.texts["domain_knowledge.md"]
    chains = [chain(f"req-b{at}", seconds=86_400 * 10 + at * 10) for at in range(4)]
    for one in chains:
        one[1]["output"]["content"] = {"objective_1": {"goals": ["a"]}}
    log = b"".join(line for one in chains for line in lines(one))
    machine.logs.joinpath("20260308.log").write_bytes(log)
    window = {"start": "2026-03-05T00:00:00Z", "end": "2026-03-10T00:00:00Z"}
    message = machine.ask({**SCHEDULED, "time_window": window}).message
    summaries = {one["file"]: one["summary"] for one in message["output"]["content"]["knowledge_updates"]}
    assert "recent transactions say 2/1" in summaries["context/memory/domain_knowledge.md"]
    assert "recent transactions say 2/1" in message["audit"]["compliance_notes"]
    assert machine.files.texts["domain_knowledge.md"] == before


def test_messages_are_numbered_by_day_across_restarts(tmp_path):
    """M-32: one after the other; what is kept goes on after a restart, and a new day begins anew."""
    memory = AgentFile(tmp_path)
    assert [memory.next_number(NOW) for _ in range(2)] == [1, 2]
    assert not (tmp_path / AGENT_FILE).exists()
    memory.keep({"message_id": "x"}, scheduled_at=NOW)
    again = AgentFile(tmp_path)
    assert again.last == {"message_id": "x"}
    assert again.scheduled_at == NOW
    assert again.next_number(NOW) == 3
    assert again.next_number(NOW + timedelta(days=1)) == 1
    again.keep({"message_id": "y"})
    assert AgentFile(tmp_path).scheduled_at == NOW


@pytest.mark.parametrize(("hours_ago", "is_due"), [(None, True), (0, False), (23.9, False), (24, True), (-1, True)])
def test_a_scheduled_run_is_due_by_the_clock(tmp_path, hours_ago, is_due):
    """M-25: once every `schedule_hours`; at the first start, and after a clock was set back."""
    memory = AgentFile(tmp_path)
    if hours_ago is not None:
        memory.keep({}, scheduled_at=NOW - timedelta(hours=hours_ago))
    assert AgentFile(tmp_path).is_due(NOW, 24.0) is is_due


def test_a_damaged_file_of_the_agent_begins_anew(tmp_path):
    """M-25, C-74: it holds nothing that matters."""
    (tmp_path / AGENT_FILE).write_text("{")
    memory = AgentFile(tmp_path)
    assert (memory.next_number(NOW), memory.is_due(NOW, 24.0)) == (1, True)


def rejections(count, gone_on):
    """Return so many requests that are rejected; so many of them are handed on, the last but one with another error."""
    messages = []
    for at in range(count):
        how = {"status": "failed", "content_type": "error"}
        messages.append(message(request=f"req-{at}", error="OUT_OF_SCOPE", seconds=60 * at + 3, **how))
        if at >= count - gone_on:
            error = "DEPENDENCY_ERROR" if at == count - 2 else "OUT_OF_SCOPE"
            parent = {"parent_message_id": messages[-1]["message_id"]}
            drifted = {"request": f"req-{at}-0", "seconds": 60 * at + 15}
            messages.append(message("goal_agent", number=2, error=error, **how, **parent, **drifted))
    return messages


def drifting(count):
    """Return requests that are planned: each message has a request of its own, and the planner names no real parent."""
    chains = [chain(f"req-{at}", seconds=60 * at) for at in range(count)]
    for messages in chains:
        for number, one in enumerate(messages):
            one["metadata"]["request_id"] += f"-{number}"
        messages[2]["metadata"]["parent_message_id"] = "msg-made-up"
    return [one for messages in chains for one in messages]


def distil(folder, logs, files=None):
    """Write logs as the original does, and distil them; return the files, and the report."""
    files = files or DictFiles()
    for name, messages in logs.items():
        (folder / name).write_text(daily_log(messages), "utf-8")
    distiller = Distiller(logs=LogFolder(str(folder)), files=files, options=Distillation(), home=folder)
    return files, distiller.run(NOW)


def insights(files):
    """Return what is said in which file, by title."""
    blocks = [(name, entry) for name in FILES for entry in parse_document(files.texts.get(name, "")).entries]
    return {entry.title: (name, entry.insight) for name, entry in blocks if entry is not None}


def test_work_that_was_rejected_and_handed_on_is_told(tmp_path):
    """M-14: on how many of how many, since when; a second run changes nothing."""
    files, report = distil(tmp_path, {"20260226-1.md": rejections(20, 19)})
    assert (report.malformed, report.stray, report.unfinished, report.transactions) == (0, 0, 0, 20)
    assert insights(files)["Rejections by objective_agent"] == (
        "error_prevention.md",
        "objective_agent rejected all 20 requests that reached it and have ended since 2026-02-26; 19 of 20 went on to"
        " goal_agent all the same.",
    )
    assert not [title for title in insights(files) if title.endswith("of goal_agent")]
    before = dict(files.texts)
    assert distil(tmp_path, {}, files)[1].texts == {}
    assert files.texts == before


def test_requests_hold_together_though_ids_drift_and_clocks_are_wrong(tmp_path):
    """T-34: by parents, by whom the session waits for, and by the orchestrator's times in the headings."""
    messages = drifting(12)
    log = daily_log(messages)
    for one in messages:
        log = log.replace(one["timestamp"]["executed_at"], "2024-07-28T10:00:00+08:00")
    (tmp_path / "20260226-1.md").write_text(log, "utf-8")
    files, report = distil(tmp_path, {})
    assert (report.transactions, report.stray) == (12, 0)
    told = "In all 12 requests to acquire video and transcribe audio since 2026-02-26"
    assert insights(files)["Requests to acquire video and transcribe audio"][1].startswith(told)
    assert "took 7 seconds or less" in files.texts["session_summaries/2026-02-26_summary.md"]
