"""What the original project's logs teach, against a count of their raw messages (issue 23, M-10 ... M-14, T-34).

A log of the same structure, in the original's three forms, is always read. The original's own logs are read where the
environment variable `ORIGINAL_LOGS` names their folder; nothing of them is part of this project.
"""

import json
import os
import re
import shutil
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from knowledge_tools.files import DictFiles
from knowledge_tools.logs import chain, lines
from knowledge_tools.original import RawRequest, raw_requests, write_original
from memory_ledger.host.knowledge.distillation import Distiller
from memory_ledger.host.knowledge.logs import LogFolder
from memory_ledger.knowledge.categories import FILES
from memory_ledger.knowledge.documents import parse_document
from memory_ledger.knowledge.options import Distillation
from memory_ledger.knowledge.words import intent_of

NOW = datetime(2026, 2, 27, 8, 0, tzinfo=UTC)
LESSON = (
    "objective_agent rejected 10 of 14 requests that reached it and have ended since 2026-02-25; 8 of 10 went on to"
    " goal_agent all the same."
)
OF = r"(?:all (?P<all{0}>\d+)|(?P<some{0}>\d+) of (?P<of{0}>\d+))"


def distil(logs, files=None, *, now=NOW, fewest=3):
    """Distil once; return the files, and the report."""
    files = files or DictFiles()
    options = Distillation(pattern_window_days=60, min_transactions=fewest)
    return files, Distiller(logs=LogFolder(str(logs)), files=files, options=options, home=logs).run(now)


def entries_of(files):
    """Return every entry, with the file that it stands in."""
    blocks = [(name, block.entry) for name in FILES for block in parse_document(files.texts.get(name, "")).blocks]
    return [(name, entry) for name, entry in blocks if entry is not None]


@pytest.fixture
def logs(tmp_path):
    """The log that was made up."""
    write_original(tmp_path / "logs")
    return tmp_path / "logs"


def pair(found, number=""):
    """Return what a sentence says of how many of how many."""
    whole = found[f"all{number}"]
    return (int(whole), int(whole)) if whole else (int(found[f"some{number}"]), int(found[f"of{number}"]))


def objectives(request):
    """Return what a request asks for, with its objectives and goals, all from the raw messages."""
    outputs = [(one.get("output") or {}) for one in request.messages]
    texts = [text for one in outputs if one.get("content_type") == "objectives" for text in one["content"] or ()]
    goals = [one["content"] for one in outputs if one.get("content_type") == "goals" and one["content"]]
    asked = " + ".join(sorted({intent_of(one) for one in texts} - {""}))
    return asked.replace(" + ", " and "), len(texts), sum(len(one["goals"]) for each in goals for one in each.values())


def plan(request):
    """Return the capabilities of the latest plan of a request."""
    listed = list(_tasks(request).values())
    return ["+".join(sorted(one)) for one in listed]


def count_rejections(found, _, requests):
    """Count who was rejected, of those that reached the agent before the end, and who was handed on."""
    mine = [one for one in requests if one.has_ended and found["agent"] in one.agents(alive=True)]
    rejected = [
        one
        for one in mine
        if any(
            agent == found["agent"] and code == "OUT_OF_SCOPE"
            for agent, code in zip([_name(each) for each in one.alive], one.errors(), strict=True)
        )
    ]
    after = [next(iter(one.agents()[one.agents().index(found["agent"]) + 1 :]), "") for one in rejected]
    return [(len(rejected), len(mine)), (after.count(found["next"] or ""), len(rejected))], mine


def _name(message):
    return (message.get("agent") or {}).get("name") or message["heading"]


def outcomes(requests):
    """Return of some requests how they ended, by a rule of this file."""
    told = []
    for one in requests:
        states = [state["status"] for each in one.messages for state in (each.get("task_states") or {}).values()]
        calls = [
            each for each in one.messages if "task_result" not in str(each.get("output")) and "task_id" not in each
        ]
        is_done = "failed" not in states
        told.append(
            "REJECTED"
            if "OUT_OF_SCOPE" in one.errors()
            else "ESCALATED"
            if len(calls) > 10
            else "SUCCESS"
            if is_done
            else "PARTIAL"
        )
    return Counter(told)


def count_inputs(found, _, requests):
    """Count how requests with an input of a kind have ended."""
    kind = {"media_type": found["media"], "platform": found["platform"]}
    mine = [
        one
        for one in requests
        if one.has_ended
        and any(
            {name: ref.get(name) for name in kind} == kind
            for each in one.messages
            for ref in (each.get("resources") or {}).get("source_refs") or ()
        )
    ]
    return [(len(mine) - outcomes(mine)["SUCCESS"], len(mine))], mine


def count_good(found, _, requests):
    """Count which requests for something succeeded without a check that failed."""
    mine = [one for one in requests if one.has_ended and objectives(one)[0] == found["kind"]]
    return [(outcomes(mine)["SUCCESS"], len(mine))], mine


def count_intents(found, _, requests):
    """Count how requests were taken apart."""
    mine = [one for one in requests if objectives(one)[0] == found["kind"] and objectives(one)[2]]
    shape = (int(found["objectives"]), int(found["goals"]))
    return [(sum(objectives(one)[1:] == shape for one in mine), len(mine))], mine


def count_plans(found, _, requests):
    """Count how requests were planned, however they ended."""
    mine = [one for one in requests if objectives(one)[0] == found["kind"] and plan(one)]
    told = found["plan"].split(" → ")
    is_whole = "the plan was" in found.string
    alike = [one for one in mine if plan(one)[: len(told)] == told and is_whole == (len(plan(one)) == len(told))]
    return [(len(alike), len(mine))], mine


def count_failures(found, _, requests):
    """Count in which requests a capability failed that was used; a task of the plan that has no end was not."""
    mine, failed = [], 0
    for one in requests:
        tasks = _tasks(one)
        states = [(name, state) for each in one.messages for name, state in _states(each)]
        used = [state for name, state in states if found["agent"] in tasks.get(name, ())]
        if one.has_ended and used:
            mine.append(one)
            failed += "failed" in used
    return [(failed, len(mine))], mine


def _tasks(request):
    outputs = [one.get("output") or {} for one in request.messages]
    plans = [one["content"]["workflow"]["tasks"] for one in outputs if one.get("content_type") == "plan"]
    return {name: task["capability_ids"] for name, task in plans[-1].items()} if plans else {}


def _states(message):
    content = (message.get("output") or {}).get("content")
    result = content.get("task_result", {}) if isinstance(content, dict) else message
    of_one = [(result["task_id"], result["status"])] if "task_id" in result else []
    return of_one + [(name, one["status"]) for name, one in (message.get("task_states") or {}).items()]


def count_gaps(found, _, requests):
    """Count in which of the requests that used an agent its check has failed."""
    mine = [one for one in requests if one.has_ended and found["agent"] in one.agents()]
    failed = [one for one in mine if f'"{found["check"]}": false' in json.dumps(one.messages)]
    return [(len(failed), len(mine))], failed


SENTENCES = [
    (r"(?P<agent>\w+) rejected " + OF.format("") + r" requests that reached it and have ended since (?P<day>[\d-]+);"
     r" " + OF.format("2") + r" (?:went on to (?P<next>\w+) all the same|ended there)\.", count_rejections),
    (r"(?:All (?P<all>\d+)|(?P<some>\d+) of (?P<of>\d+)) requests since (?P<day>[\d-]+) with (?P<media>\w+) from"
     r" (?P<platform>\w+) did not succeed, most often with (?P<outcome>[A-Z]+)", count_inputs),
    (r"(?:All (?P<all>\d+)|(?P<some>\d+) of (?P<of>\d+)) requests to (?P<kind>.+) since (?P<day>[\d-]+) succeeded"
     r" without a gap\.", count_good),
    (r"In " + OF.format("") + r" requests to (?P<kind>.+) since (?P<day>[\d-]+) the request was taken apart into"
     r" (?P<objectives>\d+) objectives? and (?P<goals>\d+) goals?\.", count_intents),
    (r"In " + OF.format("") + r" requests to (?P<kind>.+) since (?P<day>[\d-]+) that were planned, the plan"
     r" (?:was|began with) (?P<plan>[^;]+);", count_plans),
    (r"(?P<agent>[\w-]+) failed with OTHER_ERROR in " + OF.format("") + r" requests that used it since"
     r" (?P<day>[\d-]+), and in", count_failures),
    (r"In " + OF.format("") + r" requests that used (?P<agent>\w+) since (?P<day>[\d-]+) it found that its check"
     r" (?P<check>\w+) failed,", count_gaps),
]  # fmt: skip


def settled(requests, latest):
    """Return the requests that have ended, or fell silent before the day of the latest log."""
    return [one for one in requests if one.has_ended or one.day < latest]


def check_by_counting(files, requests):
    """Hold every sentence against the raw messages; return how many there are of each kind."""
    kinds = Counter()
    requests = settled(requests, max(one.day for one in requests))
    for name, entry in entries_of(files):
        read = [(count, found) for pattern, count in SENTENCES if (found := re.match(pattern, entry.insight))]
        assert len(read) == 1, entry.insight
        ((count, found),) = read
        expected, cases = count(found, entry.title, requests)
        said = [pair(found), pair(found, "2")] if found.re.groupindex.get("all2") else [pair(found)]
        assert said == expected, entry.insight
        first = min(date.fromisoformat(one.day) for one in cases)  # a file may be named on the next day
        assert first - date.fromisoformat(found["day"]) in (timedelta(), timedelta(days=1)), entry.insight
        if "/" not in name:
            (agreeing, of), *_ = said[::-1]
            assert of >= 10 and 2 * agreeing > of, entry.insight
        kinds[count.__name__] += 1
    return kinds


def close_all(folder, requests):
    """End every request that fell silent, with a success, in its own log."""
    for at, one in enumerate(requests):
        last = one.messages[-1]
        if one.has_ended or "metadata" not in last or "{" in last["message_id"]:  # an id that was never filled in
            continue
        end = {
            **last,
            "message_id": f"msg-end-{at}",
            "agent": {"name": "output_agent"},
            "input": {"source": last["agent"]["name"]},
            "output": {"content_type": "response", "content": None},
            "next_agent": {"name": None},
            "metadata": {
                **last["metadata"],
                "parent_message_id": one.messages[0]["message_id"],
                "sequence_number": last["metadata"]["sequence_number"] + 1,
            },
        }
        one.messages.append(end)
        entry = f"\n## [11:59:00 pm] Execution Log\n**Agent:** output_agent\n```json\n{json.dumps(end)}\n```\n---\n"
        path = next(log for log in folder.iterdir() if last["message_id"] in log.read_text("utf-8"))
        with path.open("a", encoding="utf-8") as stream:
            stream.write(entry)


def test_the_lesson_of_the_log_is_told(logs):
    """Issue 23, M-14: work that objective_agent rejected went on to goal_agent; on how many of how many, since when."""
    files, report = distil(logs)
    assert (report.malformed, report.stray, report.unfinished) == (0, 0, 12)
    rejections = [entry for _, entry in entries_of(files) if entry.title == "Rejections by objective_agent"]
    assert [one.insight for one in rejections] == [LESSON]
    action = "End the chain when objective_agent rejects a request, and say why; do not call goal_agent."
    assert rejections[0].action == action
    assert not [entry.title for _, entry in entries_of(files) if entry.title.endswith("of goal_agent")]
    again, report = distil(logs, files)
    assert report.texts == {}
    assert again.texts == files.texts


def test_enough_of_it_reaches_the_prompt(tmp_path):
    """Issue 23, M-58: with 28 of 30 it is in use; a majority below the threshold waits."""
    write_original(tmp_path / "logs", rejected=20, gone_on=19)
    files, _ = distil(tmp_path / "logs")
    assert [name for name, entry in entries_of(files) if entry.title == "Rejections by objective_agent"] == [
        "error_prevention.md"
    ]


@pytest.mark.parametrize("fewest", [1, 3])
@pytest.mark.parametrize("state", ["open", "given up", "closed"])
def test_every_sentence_is_counted_anew(logs, state, fewest):
    """Issue 23: on the log that was made up, with chains that are open, given up, and closed by a success."""
    kinds = check_state(logs, state, fewest)
    assert kinds["count_rejections"] == 1
    if fewest == 1:
        assert kinds["count_failures"] == 1


def check_state(logs, state, fewest):
    """Bring the open chains of logs into a state, distil, and check every sentence."""
    requests = raw_requests(logs)
    now = NOW
    if state == "closed":
        close_all(logs, requests)
    elif state == "given up":
        now = NOW + timedelta(days=10)
        messages = chain("req-later")
        for one in messages:
            one["timestamp"]["executed_at"] = f"{now:%Y-%m-%d}T07:00:00Z"
        (logs / f"{now:%Y%m%d}.log").write_bytes(b"".join(lines(messages)))
        requests += raw_requests_of(messages, now)
    files, _ = distil(logs, now=now, fewest=fewest)
    return check_by_counting(files, requests)


def raw_requests_of(messages, now):
    """Return our own request as the others are."""
    return [RawRequest(f"{now:%Y-%m-%d}", [{"heading": "", **one} for one in messages])]


@pytest.mark.parametrize("fewest", [1, 3])
@pytest.mark.parametrize("state", ["open", "given up", "closed"])
@pytest.mark.skipif("ORIGINAL_LOGS" not in os.environ, reason="ORIGINAL_LOGS names no folder with the original's logs")
def test_every_sentence_on_the_originals_logs_is_counted_anew(tmp_path, state, fewest):
    """Issue 23: the original project's own logs, by hand."""
    shutil.copytree(Path(os.environ["ORIGINAL_LOGS"]), tmp_path / "logs")
    kinds = check_state(tmp_path / "logs", state, fewest)
    assert kinds["count_rejections"] >= 1
