"""What the original project's Markdown logs teach: their ids drift, parents and times are made up (M-14, T-34)."""

from datetime import UTC, datetime

from knowledge_tools.files import DictFiles
from knowledge_tools.logs import chain, daily_log, message
from memory_ledger.host.knowledge.addresses import LogFolder
from memory_ledger.host.knowledge.memory_agent import Distiller
from memory_ledger.knowledge.documents import FILES, parse_document
from memory_ledger.setting_groups import Distillation

NOW = datetime(2026, 2, 27, 8, 0, tzinfo=UTC)


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
    blocks = [(name, block.entry) for name in FILES for block in parse_document(files.texts.get(name, "")).blocks]
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
