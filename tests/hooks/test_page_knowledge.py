"""What agents have learned, on a page: what waits and what holds, where it comes from, what a person decides (M-21)."""

from typing import Any

import pytest
from fake_host import FakeHost
from knowledge_tools.logs import write_todays_log
from memory_ledger import cli
from page_tools import answer, ask, ask_in_vain, every_page

pytestmark = every_page

TITLE = "Plan for requests"
HEADING = "# Institutional knowledge"


@pytest.fixture
async def learned(host: FakeHost) -> FakeHost:
    """A host whose logs were distilled: all that was learnt waits."""
    await host.memory()
    home = host.root / "usr"
    write_todays_log(home, 4)
    assert cli.main(["knowledge", "distil", "--home", str(home)]) == 0
    return host


async def entries(host: FakeHost, place: str = "staging") -> dict[str, dict[str, Any]]:
    """Return the entries that stand so, by their titles."""
    answer = await host.call_api("ledger", {"name": "knowledge.list", "place": place})
    return {one["title"]: one for one in answer["rows"]}


async def path_entry(host: FakeHost, place: str = "staging") -> dict[str, Any]:
    return next(one for title, one in (await entries(host, place)).items() if title.startswith(TITLE))


def shown(one: dict[str, Any]) -> dict[str, str]:
    return {"id": one["id"], "stamp": one["stamp"]}


def files(host: FakeHost) -> dict[str, bytes]:
    """Every file that a decision may change."""
    folder = host.root / "usr"
    return {
        str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file() and "knowledge" in path.name
    } | {str(path): path.read_bytes() for path in (folder / "context").rglob("*") if path.is_file()}


async def test_what_waits_is_listed_with_the_chains_that_it_comes_from(learned: FakeHost) -> None:
    """M-08, M-45, M-58: who had a part in each chain, how long it took, how it ended; reading changes nothing."""
    before = files(learned)
    answer = await ask(learned, "knowledge", "list")
    assert answer["counts"]["active"] == answer["counts"]["archive"] == 0 < answer["counts"]["staging"]
    assert answer["prompt"] == {"text": "", "tokens": 0, "limit": 2000}
    assert answer["where"] == "context/memory in Agent Zero's user folder"
    assert answer["enabled"] is True and answer["decided"] == [] and answer["unreadable"] == 0
    one = await path_entry(learned)
    assert one["can"] == ["approve", "archive", "reject", "edit"] and not one["is_shown"]
    found = await ask(learned, "knowledge", "show", id=one["id"])
    assert [row["what"] for row in found["history"]] == ["added"]
    assert [row["by"] for row in found["history"]] == ["distillation"]
    assert len(found["chains"]) == 4 and all(row["is_found"] for row in found["chains"])
    chain = found["chains"][0]
    assert chain["path"] == ["objective_agent", "goal_agent", "planning_agent"]
    assert (chain["hops"], chain["outcome"], chain["failed_at"]) == (3, "SUCCESS", "")
    assert files(learned) == before


async def test_what_is_approved_stands_in_the_next_prompt_until_it_is_taken_back(learned: FakeHost) -> None:
    """M-20, M-21: the page shows what a prompt will show, and who decided that when."""
    one = await path_entry(learned)
    done = await ask(learned, "knowledge", "approve", **shown(one))
    assert done["done"] == one["id"]
    answer = await ask(learned, "knowledge", "list", place="active")
    assert answer["prompt"]["text"].startswith(HEADING) and f"({one['id']}, confidence" in answer["prompt"]["text"]
    assert answer["prompt"]["tokens"] > 0 and answer["rows"][0]["is_shown"]
    assert answer["prompt"]["text"] in (await learned.turn("Hello.")).prompt.system
    (decided,) = answer["decided"]
    assert (decided["what"], decided["by"], decided["entry"]) == ("approve", "operator", one["id"])
    assert done["undo"] == decided["id"]
    found = await ask(learned, "knowledge", "show", id=one["id"])
    assert sorted((row["what"], row["by"]) for row in found["history"]) == [
        ("added", "distillation"),
        ("approved", "a person"),
    ]
    await ask(learned, "knowledge", "undo", decision=decided["id"])
    assert (await path_entry(learned))["stamp"] == one["stamp"]
    assert (await ask(learned, "knowledge", "list"))["decided"] == []
    assert HEADING not in (await learned.turn("Hello again.")).prompt.system
    again = {"action": "undo", "decision": decided["id"]}
    assert "can no longer be undone" in await ask_in_vain(learned, "knowledge", again)


async def test_a_rejected_entry_comes_back_by_undo_alone(learned: FakeHost) -> None:
    """M-21: two steps for what goes for good; the terminal's undo is the same one."""
    one = await path_entry(learned)
    before = files(learned)
    assert "sure set to true" in await ask_in_vain(learned, "knowledge", {"action": "reject", **shown(one)})
    assert files(learned) == before
    await ask(learned, "knowledge", "reject", **shown(one), sure=True)
    assert not [title for title in await entries(learned) if title.startswith(TITLE)]
    assert "no longer exists" in await ask_in_vain(learned, "knowledge", {"action": "show", "id": one["id"]})
    assert cli.main(["knowledge", "undo", one["id"], "--home", str(learned.root / "usr")]) == 0
    assert (await path_entry(learned))["stamp"] == one["stamp"]


async def test_an_edited_entry_keeps_the_words_of_a_person(learned: FakeHost) -> None:
    """M-21: marked as theirs, left alone by every run, and put back as it was."""
    one = await path_entry(learned)
    words = {"title": "The usual way", "insight": "Ask Tom.", "recommended": "Ask him\nfirst.", "applicability": ""}
    done = await ask(learned, "knowledge", "edit", **shown(one), **words)
    home = str(learned.root / "usr")
    assert cli.main(["knowledge", "distil", "--home", home]) == 0
    edited = (await entries(learned))["The usual way"]
    assert edited["is_edited"] and edited["insight"] == "Ask Tom."
    found = await ask(learned, "knowledge", "show", id=one["id"])
    assert (found["entry"]["action"], found["entry"]["applicability"]) == ("Ask him\nfirst.", "")
    assert [row["what"] for row in found["history"]].count("edited") == 1
    log = learned.root / "usr/context/memory/staging/operational_heuristics.md"
    assert log.read_text("utf-8").count("| EDITED |") == 1
    await ask(learned, "knowledge", "undo", decision=done["undo"])
    assert (await path_entry(learned))["stamp"] == one["stamp"]
    write_todays_log(learned.root / "usr", 6, first=4)
    assert cli.main(["knowledge", "distil", "--home", home]) == 0
    again = await path_entry(learned, "active")
    assert again["insight"] == one["insight"].replace("all 4", "all 10") and not again["is_edited"]


async def test_words_that_would_break_the_file_are_refused(learned: FakeHost) -> None:
    """M-48: nothing is written."""
    one, before = await path_entry(learned), files(learned)
    for name, words in (
        ("insight", "x\n## Entry: another\n"),
        ("recommended", "x\n## [CHANGE_LOG]\n| a | b | MEM-001 | c |"),
        ("insight", "x\n**Recommended Action:**\ny"),
        ("title", "two\nlines"),
        ("title", " "),
    ):
        given = {"title": "t", "insight": "i", "recommended": "r", "applicability": "a", name: words}
        question = {"action": "edit", **shown(one), **given}
        assert "refused" in await ask_in_vain(learned, "knowledge", question), words
    assert files(learned) == before


async def test_who_comes_second_is_told(learned: FakeHost) -> None:
    """An entry that stands elsewhere, or says something else, is left alone; so is one that was changed after all."""
    one = await path_entry(learned)
    done = await ask(learned, "knowledge", "archive", **shown(one))
    assert "has changed in the meantime" in await ask_in_vain(learned, "knowledge", {"action": "approve", **shown(one)})
    await ask(learned, "knowledge", "approve", **shown(await path_entry(learned, "archive")))
    undo = {"action": "undo", "decision": done["undo"]}
    assert "can no longer be undone" in await ask_in_vain(learned, "knowledge", undo)


async def test_what_waits_is_decided_in_the_list_of_what_needs_a_person(learned: FakeHost) -> None:
    """As here, and taken back as here; to reject is asked twice."""
    one = (await ask(learned, "inbox", "list", kinds=["knowledge"]))["rows"][0]
    assert {*one["choices"]} == {"approve", "archive", "reject"} and one["final"] == ["reject"]
    assert "sure" in await ask_in_vain(learned, "inbox", {"action": "decide", **answer(one, "reject")})
    decided = await ask(learned, "inbox", "decide", **answer(one, "approve"))
    assert decided["done"] == [one["id"]] == [each["id"] for each in (await entries(learned, "active")).values()]
    assert (await ask(learned, "knowledge", "undo", decision=decided["decision"]))["done"] == one["id"]
    assert one in (await ask(learned, "inbox", "list", kinds=["knowledge"]))["rows"]
