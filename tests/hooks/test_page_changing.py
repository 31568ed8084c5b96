"""What a person changes on a page: as at a terminal, at once, on record, and to be taken back (T-70, C-96)."""

import importlib
import json
from typing import Any

import pytest
from fake_host import FakeHost
from hook_tools import axes, find, settle
from memory_ledger import cli
from page_tools import (
    CAT,
    GYM_NEW,
    GYM_OLD,
    RENT,
    act,
    answer,
    ask,
    ask_in_vain,
    at_odds,
    done,
    every_page,
    learn,
    learn_two_prices,
    lines,
    row,
    show,
    stamps,
    state,
)

pytestmark = every_page

QUESTION = "How much is my rent a month?"


def module(name: str) -> Any:
    """Return a module of the pack as the host has it."""
    return importlib.import_module(f"usr.plugins.memory_ledger.helpers.{name}")


async def in_use(host: FakeHost) -> list[dict[str, Any]]:
    """Return the rows of what holds, whatever its validity."""
    return (await host.call_api("ledger", {"name": "memories.list", "filters": {"validity": "in_use"}}))["rows"]


async def test_a_retired_memory_leaves_the_next_prompt_and_undo_brings_it_back(host: FakeHost) -> None:
    """T-70, C-50: nothing takes its place; it stays in the store, with who retired it."""
    await learn(host)
    assert RENT in str((await host.turn(QUESTION)).prompts)
    rent = await row(host, RENT)
    assert await act(host, "retire", rent) == done(rent)
    assert axes(find(host, RENT))[0] == "deprecated"
    assert RENT not in str((await host.turn(QUESTION)).prompts)
    assert [one["text"] for one in await in_use(host)] == [CAT]
    retired = await show(host, RENT)
    assert retired["can"] == ["restore", "undo", "erase"] and retired["replacement"] is None
    assert retired["timeline"][-1]["what"] == "a person retired it"
    assert await act(host, "undo", retired) == done(rent)
    assert RENT in str((await host.turn(QUESTION)).prompts)
    assert (await row(host, RENT))["stamp"] == rent["stamp"]
    assert [(one["action"], one["rule"]) for one in lines(host, "ledger.jsonl")[-2:]] == [
        ("withdraw", "T-70"),
        ("undo", "T-70"),
    ]
    assert {one["by"] for one in lines(host, "ledger_inbox.jsonl") if "by" in one} == {"operator"}


async def test_what_was_done_is_taken_back_without_a_second_look(host: FakeHost) -> None:
    """T-70: the answer names the act, and that of an undo the one that does it again; each once, however often."""
    conflict = await learn_two_prices(host)
    newer = conflict["texts"][1]
    shown = [{"id": newer["id"], "stamp": newer["stamp"]}]
    before = metadata(host)
    retired = await ask(host, "memories", "retire", memories=shown)
    await settle(host)
    after = metadata(host)
    back = await ask(host, "memories", "take_back", acts=retired["undo"])
    assert metadata(host) == before
    again = await ask(host, "memories", "take_back", acts=retired["undo"])
    assert (again["already"], again["undo"]) == ([newer["id"]], back["undo"])
    redone = await ask(host, "memories", "take_back", acts=back["undo"])
    assert metadata(host) == after and redone["done"] == [newer["id"]]
    nothing = await ask(host, "memories", "take_back", acts=["none"])
    assert nothing["refused"] == [{"id": "none", "why": "there is nothing to undo"}]


async def test_what_was_retired_on_a_page_is_undone_at_a_terminal(
    host: FakeHost, capsys: pytest.CaptureFixture
) -> None:
    """T-70: one inbox, one journal; saved with the store, without another turn."""
    await learn(host)
    rent = await row(host, RENT)
    await act(host, "retire", rent)
    await host.restart()
    assert cli.main(["undo", rent["id"], "--folder", str(host.memory_folder()), "--dry-run"]) == 0
    assert cli.main(["undo", rent["id"], "--folder", str(host.memory_folder())]) == 0
    assert [one.partition(" ")[2] for one in capsys.readouterr().out.splitlines()] == [
        f"{word} come back into use at Agent Zero's next turn" for word in ("would", "will")
    ]
    assert axes(find(host, RENT))[0] == "deprecated"
    await settle(host)
    assert axes(find(host, RENT))[0] == "confirmed"


@pytest.mark.parametrize(
    ("action", "text", "before", "after"),
    [
        ("confirm", CAT, ("inferred", "tactical"), ("confirmed", "tactical")),
        ("archive", RENT, ("confirmed", "tactical"), ("confirmed", "archived")),
        ("protect", RENT, ("confirmed", "tactical"), ("confirmed", "load_bearing")),
    ],
)
async def test_a_step_about_one_memory_is_taken_back(
    host: FakeHost, action: str, text: str, before: tuple[str, str], after: tuple[str, str]
) -> None:
    """Q-27, Q-28, T-70: as it stood, and only once."""
    await learn(host)
    shown = await row(host, text)
    assert (shown["validity"], shown["utility"]) == before
    assert await act(host, action, shown) == done(shown)
    changed = await row(host, text)
    assert (changed["validity"], changed["utility"]) == after
    assert await act(host, action, changed) == done(shown)
    assert await act(host, "undo", changed) == done(shown)
    assert await act(host, "undo", changed) == done(shown)
    back = await row(host, text)
    assert (back["validity"], back["utility"]) == before
    assert (await act(host, "undo", back))["refused"][0]["why"] == "there is nothing to undo"


async def test_where_a_memory_comes_from_is_set_right(host: FakeHost) -> None:
    """T-70, C-24: by a person, on record, taken back as it stood; nothing is called what it is already."""
    await learn(host)
    shown = await row(host, CAT)
    assert await act(host, "correct", shown, source="user_asserted") == done(shown)
    changed = await row(host, CAT)
    assert (changed["source"], changed["validity"]) == ("user_asserted", "inferred")
    assert "a person corrected its source" in [one["what"] for one in (await show(host, CAT))["timeline"]]
    assert await act(host, "correct", changed, source="user_asserted") == done(shown)
    assert await act(host, "undo", changed) == done(shown)
    assert (await row(host, CAT))["stamp"] == shown["stamp"]
    assert "source is 'bookshelf_document'" in await ask_in_vain(
        host, "memories", {"action": "correct", "memories": [{"id": "a", "stamp": "0"}], "source": "bookshelf_document"}
    )


def metadata(host: FakeHost) -> str:
    """Return how every memory stands, byte for byte."""
    return json.dumps({one: found.metadata for one, found in host.docs.items()}, default=str)


async def test_what_has_changed_since_is_said_and_not_undone(host: FakeHost) -> None:
    """T-70: of the act, what nothing has followed is undone all the same."""
    await learn(host)
    shown = [{key: (await row(host, text))[key] for key in ("id", "stamp")} for text in (RENT, CAT)]
    answer = await ask(host, "memories", "protect", memories=shown)
    await act(host, "archive", await row(host, CAT))
    last = {"id": shown[1]["id"], "why": "its utility has changed since"}
    part = await ask(host, "memories", "take_back", acts=answer["undo"], about=[shown[1]["id"]])
    assert (part["done"], part["refused"]) == ([], [last])
    back = await ask(host, "memories", "take_back", acts=answer["undo"])
    assert (back["done"], back["refused"]) == ([shown[0]["id"]], [last])


async def test_a_request_that_a_crash_repeats_takes_back_one_step_only(host: FakeHost) -> None:
    """T-70: it was done and not answered yet; the step before is not undone with it."""
    await learn(host)
    await act(host, "confirm", await row(host, CAT))
    cat = await row(host, CAT)
    retired = await ask(host, "memories", "retire", memories=[{"id": cat["id"], "stamp": cat["stamp"]}])
    store, inbox = module("host.session").open_folder("default").store, module("inbox")
    asked = inbox.TakeBack(act=retired["undo"][0])
    request = inbox.new_request(asked, at=store.clock(), by=None)
    answers = [store.requests.handlers[inbox.TakeBack](asked, request) for _ in range(2)]
    assert answers == [["1 change taken back"], ["it was done before"]]
    assert axes(find(host, CAT))[0] == "confirmed"


@pytest.mark.parametrize("choice", ["this", "that", "both"])
async def test_a_conflict_is_settled_as_the_person_says(host: FakeHost, choice: str) -> None:
    """C-96, Q-24: also against the later word; on record as a person's, twice is once, and an undo opens it again."""
    conflict = await learn_two_prices(host)
    before = metadata(host), lines(host, "conflicts.jsonl")[-1]
    question = answer(conflict, choice)
    decided = await ask(host, "inbox", "decide", **question)
    assert (decided["done"], decided["refused"], len(decided["undo"])) == ([conflict["id"]], [], 1)
    again = await ask(host, "inbox", "decide", **question)
    assert (again["already"], again["undo"]) == ([conflict["id"]], decided["undo"])
    out = [text for text in (GYM_OLD, GYM_NEW) if axes(find(host, text))[0] == "deprecated"]
    assert out == {"this": [GYM_NEW], "that": [GYM_OLD], "both": []}[choice]
    assert await at_odds(host) == (await ask(host, "overview", "read"))["needs"] == []
    assert lines(host, "conflicts.jsonl")[-1]["resolution"]["resolvedBy"] == "operator"
    assert (await ask(host, "memories", "take_back", acts=decided["undo"]))["refused"] == []
    assert (metadata(host), lines(host, "conflicts.jsonl")[-1]) == before
    assert await at_odds(host) == [conflict]
    other = answer(conflict, "both" if choice == "this" else "this")
    assert (await ask(host, "inbox", "decide", **other))["done"] == [conflict["id"]]


async def test_one_text_takes_the_place_of_two_memories(host: FakeHost) -> None:
    """C-96, T-70: a person's word, as important as either was; both are replaced by it, and come back with one undo."""
    await learn_two_prices(host)
    await act(host, "protect", await row(host, GYM_OLD))
    (conflict,) = await at_odds(host)
    text = "The gym cost 40 euros a month, and costs 55 now."
    question = answer(conflict, "merge", text=f" {text}\n")
    decided = await ask(host, "inbox", "decide", **question)
    assert (decided["done"], decided["refused"], decided["waiting"]) == ([conflict["id"]], [], [])
    merged = await row(host, text)
    assert (merged["source"], merged["validity"], merged["utility"]) == ("user_asserted", "confirmed", "load_bearing")
    assert [one["text"] for one in await in_use(host)] == [text]
    assert {(await show(host, one))["replaced_by"] for one in (GYM_OLD, GYM_NEW)} == {merged["id"]}
    assert (await show(host, text))["replaced_by"] is None and len((await show(host, text))["replaces"]) == 2
    assert await at_odds(host) == []
    assert text in str((await host.turn("What does the gym cost a month?")).prompts)
    again = await ask(host, "inbox", "decide", **question)
    assert (again["already"], again["undo"]) == ([conflict["id"]], decided["undo"])
    other = await ask(host, "inbox", "decide", **{**question, "text": "Another text."})
    assert other["refused"] == [{"id": conflict["id"], "why": "it has changed in the meantime"}]

    assert (await ask(host, "memories", "take_back", acts=decided["undo"]))["refused"] == []
    await settle(host)
    assert {one["text"] for one in await in_use(host)} == {GYM_OLD, GYM_NEW}
    assert axes(find(host, GYM_OLD))[0] == axes(find(host, GYM_NEW))[0] == "confirmed"
    assert [one["id"] for one in await at_odds(host)] == [conflict["id"]]
    assert (await act(host, "erase", await row(host, text), sure=True))["done"] == [merged["id"]]
    files = [path for path in host.memory_folder().iterdir() if path.is_file()]
    assert [path.name for path in files if text.encode() in path.read_bytes()] == []


async def test_a_conflict_that_is_not_as_it_was_shown_stays_open(host: FakeHost) -> None:
    """C-96: another stamp, another conflict, an answer that is none, a merge without a text of its own."""
    conflict = await learn_two_prices(host)
    question, (one, other) = answer(conflict, "that"), stamps(conflict)
    before = state(host)
    merge = answer(conflict, "merge")
    refused = (await ask(host, "inbox", "decide", **merge, text=f"{GYM_OLD} "))["refused"]
    assert refused == [{"id": conflict["id"], "why": "the text is the same as one of the two: keep that one"}]
    for text in ("", " \n", "x" * 20_001, "half \ud83d", 3, None):
        assert "text is" in await ask_in_vain(host, "inbox", {"action": "decide", **merge, "text": text})
    stale = [{"stamps": {**question["stamps"], other: "0"}}, {"stamps": {one: question["stamps"][one]}}]
    for changed in (*stale, {"id": "conflict_0"}, {"kind": "duplicate"}):
        decided = await ask(host, "inbox", "decide", **{**question, **changed})
        assert decided["done"] == [] and len(decided["refused"]) == 1
    for changed in ({"choice": "retire"}, {"kind": "x"}, {"choice": "erase"}, {"stamps": []}):
        await ask_in_vain(host, "inbox", {"action": "decide", **question, **changed})
    assert state(host) == before
