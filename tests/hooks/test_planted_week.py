"""A week in which known things happen: every one of them is told, and no other sentence (issue 23, M-10 ... M-14)."""

import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fake_host import FakeHost
from knowledge_tools.planted import count_planted
from memory_ledger.knowledge.documents import parse_document
from test_audit_log import written
from test_distilling_in_a_host import finish, folder_of, memory_files

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
DAYS = 7
TIMED_OUT, FOUND = "Error: the request timed out after 30 seconds", "found it"
COMPARE, DEPLOY = "Compare the data of both shops.", "Deploy the server."
PAGE = Path(__file__).resolve().parents[2] / "docs" / "knowledge.md"

#: What was planted, as it is to be told.
SENTENCES = {
    "TIMEOUT of search_engine": (
        "search_engine failed with TIMEOUT in 12 of 37 requests that used it since 2026-03-02, and in 0 of 38 uses of"
        " all else; called again, it worked in 12 of these.",
        "When search_engine fails with TIMEOUT, call it once more before anything else.",
    ),
    "Work for researcher: compare data": (
        "In all 14 requests in which researcher was given work to compare data since 2026-03-02 it was done at try 3.",
        "Give researcher at once what its earlier tries lacked, or expect 3 tries.",
    ),
    "Work for coder: run server": (
        "In all 14 requests in which coder was given work to run server since 2026-03-02 it was rejected.",
        "Do not hand work to run server to coder: do it without one, or choose another profile.",
    ),
}


class Week:
    """The clock of the week, and how often the tool was asked: one time in three it is too late."""

    def __init__(self) -> None:
        self.now, self.asked = START, 0

    def clock(self) -> datetime:
        self.now += timedelta(seconds=2)
        return self.now

    def search(self) -> list[tuple[str, dict[str, Any], str]]:
        """Return the calls of the tool in one turn."""
        self.asked += 1
        call = ("search_engine", {"query": f"shop {self.asked}"})
        return [(*call, TIMED_OUT), (*call, FOUND)] if self.asked % 3 == 1 and self.asked < 36 else [(*call, FOUND)]

    def turns(self, day: int) -> list[tuple[str, list[tuple[str, dict[str, Any], str]]]]:
        """Return what the user says on a day, and what is called for it."""
        work = {"message": COMPARE, "profile": "researcher", "reset": "true"}
        tries = [("call_subordinate", {**work, "message": f"{COMPARE} Try {at}."}, f"Part {at}.") for at in (1, 2, 3)]
        refused = [("call_subordinate", {**work, "message": DEPLOY, "profile": "coder"}, "Rejected: not my work.")]
        said = [
            ("Compare the data for me.", [*tries, *self.search()]),
            ("Deploy the server, please.", [*refused, *self.search()]),
            ("Compare the data once more.", [*tries, *self.search()]),
            ("Deploy the server again.", [*refused, *self.search()]),
            ("Summarise the report.", self.search()),
        ]
        return [*said, ("No, that is wrong.", self.search())] if day in (2, 5) else said


async def play_week(host: FakeHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play the week; the logs are distilled after every chain, as they are in a chat."""
    week = Week()
    await host.turn("Hello.")
    await finish(host)
    log = sys.modules["usr.plugins.memory_ledger.helpers.host.hooks"].audit_log
    monkeypatch.setattr(log, "system_clock", week.clock)
    folder_of(host).knowledge.clock = week.clock
    for path in (host.root / "usr/system/logs").iterdir():
        path.unlink()
    for path in (host.root / "usr/context/memory").rglob("*"):
        if path.is_file():
            path.unlink()
    for day in range(DAYS):
        week.now = START + timedelta(days=day)
        for said, calls in week.turns(day):
            await host.turn(said, tool_calls=calls)
            await finish(host)
    week.now = START + timedelta(days=DAYS)
    await host.turn("Hello.")
    await finish(host)


def entries(host: FakeHost) -> dict[str, tuple[str, str]]:
    """Return what stands in every file that may reach a prompt: title, insight, action."""
    found = {}
    for name, text in memory_files(host).items():
        if name.endswith(".md") and "/" not in name:
            found |= {one.title: (one.insight, one.action) for one in parse_document(text).entries}
    return found


async def test_every_planted_fact_is_told_and_nothing_else(host: FakeHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue 23: three sentences for every prompt, what users took back in the summaries; the rest is no news.

    The counts are those of the raw log, counted anew, message by message; and the page shows each sentence.
    """
    await play_week(host, monkeypatch)
    messages = await written(host)
    counted = count_planted(messages, tool="search_engine", slow="researcher", refusing="coder")
    assert counted == {"used": 37, "late": 12, "mended": 12, "three tries": 14, "refused": 14, "taken back": 2}
    assert "timed out" not in json.dumps(messages) and "Rejected" not in json.dumps(messages)
    page = " ".join(PAGE.read_text("utf-8").split())
    for insight, action in SENTENCES.values():
        assert insight in page and action in page
    assert entries(host) == SENTENCES
    files = memory_files(host)
    waiting = [name for name, text in files.items() if name.startswith(("staging/", "archive/")) and "## Entry" in text]
    assert waiting == []
    for day in range(DAYS):
        summary = files[f"session_summaries/{START + timedelta(days=day):%Y-%m-%d}_summary.md"]
        row = "| summarise document | 1 | taken back: 1 |"
        assert (row in summary) is (day in (2, 5)), summary
        assert f"| FAILURE | {int(day in (2, 5))} |" in summary
    system = (await host.turn("Hello.")).prompt.system
    assert all(f"- {title} (MEM-" in system for title in SENTENCES)
    await finish(host)
