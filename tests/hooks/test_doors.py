"""One service, three doors: page, terminal and tool say the same of one store, and what they said when recorded.

That stands in `tests/data/doors.json`; `MEMORY_LEDGER_RECORD=1` writes it anew, for a person to read what differs.
"""

import json
import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from fake_host import FakeHost, HashingEmbedder
from hook_tools import ask_tool, axes, find, remember, settle
from memory_ledger import cli
from page_tools import GYM_NEW, GYM_OLD, answer, ask, ask_in_vain, learn, learn_two_prices, stamps

pytestmark = pytest.mark.parametrize("host", ["D"], indirect=True)

RECORD = Path(__file__).resolve().parents[1] / "data" / "doors.json"
SCRIPT, STEPS = Path(__file__).with_name("cases") / "doors.toml", RECORD.with_name("door_steps.json")
BUDGET_OLD, BUDGET_NEW = "The budget of Falcon is 10000 EUR", "The budget of Falcon is 12000 EUR"
#: What is another one at every run, and what stands for it.
_DRAWN = (
    (re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?"), "TIME"),
    (re.compile(r"conflict_[0-9a-f]+"), "CONFLICT"),
    (re.compile(r"\b[0-9a-f]{16}\b"), "STAMP"),
    (re.compile(r"\b[0-9a-f]{24}\b"), "SEAL"),
    (re.compile(r"\b[0-9a-f]{12}\b"), "ACT"),
    (re.compile(r"\b[0-9a-f]{10}\b"), "WRITTEN"),
    (re.compile(r'(?<="bytes": )\d+|(?<="seconds": )[\d.]+|(?<="score": )[\d.]+'), "0"),
    (re.compile(r"(?<=\d\.\d\d)\d+"), ""),
)


class Doors:
    """The three doors of one host, and what each has said so far."""

    def __init__(self, host: FakeHost, capsys: pytest.CaptureFixture[str]) -> None:
        self.host, self.said, self.number = host, dict[str, Any](), ""
        self._capsys = capsys

    async def page(self, group: str, action: str, **question: Any) -> dict[str, Any]:
        answer = await ask(self.host, group, action, **question)
        return self._note(f"page: {group} {action} {self._plain(question) or ''}".strip(), answer)

    def terminal(self, *words: str) -> list[Any]:
        """Return the rows that a command prints, or its lines where these are none."""
        folder = str(self.host.memory_folder())
        code = cli.main([*words, "--folder", folder], load=HashingEmbedder)
        printed = self._capsys.readouterr()
        lines = [json.loads(one) if one.startswith("{") else one for one in printed.out.splitlines()]
        lines = [one for one in lines if '"installation"' not in json.dumps(one)]
        noted = {"code": code, "out": lines, "err": printed.err.splitlines()}
        self._note(f"terminal: {self._plain(' '.join(words))}", noted)
        return lines

    async def tool(self, verb: str, **given: Any) -> str:
        told = await ask_tool(self.host, verb=verb, **given)
        self._note(f"tool: {verb} {self._plain(given) or ''}".strip(), told.splitlines())
        return told

    def compare(self, record: Path) -> None:
        """Compare what was said with what was recorded, or record it; one line of the file for each."""
        if os.environ.get("MEMORY_LEDGER_RECORD"):
            rows = (f"{json.dumps(name)}: {json.dumps(said)}" for name, said in self.said.items())
            record.write_text("{\n" + ",\n".join(rows) + "\n}\n", "utf-8")
        assert self.said == json.loads(record.read_text("utf-8"))

    def _note(self, name: str, answer: Any) -> Any:
        self.said[self.number + name] = json.loads(self._plain(json.dumps(answer)))
        return answer

    def _plain(self, value: Any) -> str:
        """Return a text in which nothing is another one at the next run."""
        text = value if isinstance(value, str) else json.dumps(value) if value else ""
        text = text.replace(str(folder := self.host.memory_folder()), "FOLDER").replace(str(folder.parent), "MEMORY")
        for pattern, word in _DRAWN:
            text = pattern.sub(word, text)
        return text


def texts(rows: list[dict[str, Any]], *names: str) -> dict[str, tuple[Any, ...]]:
    """Return some fields of each row, by its text; what is empty in one door may be missing in another."""
    return {row["text"]: tuple(row.get(name) or None for name in names) for row in rows}


async def prepare(host: FakeHost) -> dict[str, Any]:
    """Fill a store with what was said, concluded, replaced and is at odds; return the row of the open conflict."""
    await learn(host)
    await remember(host, "The budget of Falcon is 10000 EUR.", BUDGET_OLD)
    await remember(host, "Actually, the budget of Falcon is 12000 EUR.", BUDGET_NEW)
    conflict = await learn_two_prices(host)
    await settle(host)
    return conflict


async def test_every_door_says_the_same(host: FakeHost, capsys: pytest.CaptureFixture[str]) -> None:
    """T-66, C-51, C-96, T-70: the same memories, with the same status, history, conflicts and outcome of an act."""
    conflict = await prepare(host)
    doors = Doors(host, capsys)

    fields = ("id", "source", "validity", "utility", "relevance", "area", "shown")
    for filters, options in (({}, ()), ({"validity": "in_use"}, ("--status", "in_use")), ({"tag": ""}, ("falcon",))):
        query = options[0] if options == ("falcon",) else ""
        listed = await doors.page("memories", "list", filters=filters, query=query)
        shown = doors.terminal("list", "--json", *options)
        assert texts(listed["rows"], *fields) == texts(shown, *fields)
        assert [one["text"] for one in listed["rows"]] == [one["text"] for one in shown]
    stats, overview = doors.terminal("stats", "--json")[0], await doors.page("overview", "read")
    assert (stats["memories"], stats["validity"]) == (overview["total"], overview["by"]["validity"])
    assert stats["possible_conflicts"] == overview["needs"][0]["count"] == 1

    old, new = find(host, "10000").id, find(host, "12000").id
    one, (other,) = await doors.page("memories", "show", id=old), doors.terminal("show", old, "--json")
    assert one["timeline"] == other["timeline"] and one["proof"] == other["proof"] and one["can"] == other["can"]
    assert one["replaced_by"] == other["replaced_by"] == new and "undo" in one["can"] and other["undo"]
    told, beliefs = await doors.tool("history", query="budget Falcon"), doors.terminal("history", "budget", "falcon")
    assert {one["text"] for one in beliefs} == {BUDGET_OLD, BUDGET_NEW}
    assert all(one["id"] in told and one["text"] in told for one in beliefs)

    (row,), told = doors.terminal("conflicts", "--unresolved"), await doors.tool("conflicts")
    assert row["id"] == conflict["id"] and f"{conflict['id']}: possibly at odds" in told
    assert all(row[name] == conflict[name] for name in ("texts", "differs", "why"))
    assert told.index(GYM_OLD) < told.index(GYM_NEW) and row["possible"]

    recalled = await doors.page("recall", "ask", text="what is my rent")
    entered = [one["text"] for one in recalled["rows"] if one["entered"]]
    assert entered and entered == [one["text"] for one in doors.terminal("ask", "what", "is", "my", "rent")]
    told = await doors.tool("recall", query="what is my rent")
    assert all(one in told for one in entered)
    await _decide_through_each(doors, conflict)
    doors.compare(RECORD)


async def _decide_through_each(doors: Doors, conflict: dict[str, Any]) -> None:
    """Keep the newer one by the page, then by the terminal, which does the same; the tool may only propose it."""
    host, (older, newer) = doors.host, stamps(conflict)

    def standing() -> tuple[Any, ...]:
        lineage = find(host, GYM_OLD).metadata["lineage"]
        return axes(find(host, GYM_OLD)), axes(find(host, GYM_NEW)), lineage["superseded_by"]

    before = standing()
    assert (await doors.tool("settle", conflict=conflict["id"], keep=newer)).startswith("proposed, and not done: ")
    assert standing() == before
    (row,) = (await doors.page("inbox", "list"))["rows"]
    decided = await doors.page("inbox", "decide", **answer(row, "that"))
    by_page = standing()
    assert by_page[0][0] == "deprecated" and decided["done"] == [row["id"]]
    taken_back = await doors.page("memories", "take_back", acts=decided["undo"])
    assert standing() == before and taken_back["refused"] == []
    doors.terminal("resolve", row["id"], "--keep", newer, "--dry-run")
    assert standing() == before
    doors.terminal("resolve", row["id"], "--keep", newer)
    await settle(host)
    assert standing() == by_page
    doors.terminal("undo", older)
    await settle(host)
    assert standing()[0] == before[0] and standing()[2] is None


async def test_two_hundred_acts_and_questions(host: FakeHost, capsys: pytest.CaptureFixture[str]) -> None:
    """Issue 47, T-66, T-70, C-74: every door says what it said; what is refused, too, in a sentence."""
    await prepare(host)
    doors = Doors(host, capsys)
    for number, (door, name, *given) in enumerate(tomllib.loads(SCRIPT.read_text("utf-8"))["steps"]):
        stamps = {row["id"]: row for row in (await ask(host, "memories", "stamps"))["rows"]}
        filled = [_fill(host, word, stamps) for word in given]
        doors.number = f"{number:03} "
        if door == "terminal":
            doors.terminal(name, *filled)
        elif door == "tool":
            await doors.tool(name, **(filled or [{}])[0])
        else:
            asked = {"name": name, **(filled or [{}])[0]}
            doors._note(f"page: {doors._plain(asked)}", await host.call_api("ledger", asked))
    doors.compare(STEPS)
    assert len(doors.said) >= 200


def _fill(host: FakeHost, value: Any, stamps: dict[str, Any], *, is_act: bool = False) -> Any:
    """Return a value with the ids, the stamps and the folders that it names."""
    if isinstance(value, dict):
        return {key: _fill(host, part, stamps, is_act=key == "memories") for key, part in value.items()}
    if isinstance(value, list):
        return [_fill(host, part, stamps, is_act=is_act) for part in value]
    if isinstance(value, str) and value.startswith("@"):
        memory_id = find(host, value[1:]).id
        return stamps[memory_id] if is_act else memory_id
    folder = host.memory_folder()
    return {"FOLDER": str(folder), "OTHER": str(folder.parent / "other")}.get(value, value)


async def test_one_list_of_what_needs_a_person(host: FakeHost, capsys: pytest.CaptureFixture[str]) -> None:
    """Page and terminal list the same; a secret is masked, and what the agent proposes says so and stands first."""
    conflict, host.expected_warnings = await learn_two_prices(host), 1
    await remember(host, "Hello.", "The password of the staging box is hunter2!x9")
    await settle(host)

    secret, pair = (await ask(host, "inbox", "list"))["rows"]
    assert (pair["kind"], pair["proposed"], pair) == ("possible", None, conflict)
    assert [one["text"] for one in pair["texts"]] == [GYM_OLD, GYM_NEW]
    assert [*pair["choices"]] == ["this", "that", "both", "merge"] and pair["choices"]["that"] == "keep the newer one"
    assert (secret["kind"], [*secret["choices"]]) == ("secret", ["plain", "erase"]) and "hunter2" not in str(secret)
    await ask_tool(host, verb="settle", conflict=conflict["id"], keep=conflict["texts"][1]["id"])
    found = await ask(host, "inbox", "list", kinds=["agent_proposed"], thorough=True)
    assert [one["proposed"] for one in found["rows"]] == [conflict["texts"][1]["id"]]
    assert found["counts"] == {"agent_proposed": 1, "secret": 1}
    assert cli.main(["review", "--folder", str(host.memory_folder())]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows == (await ask(host, "inbox", "list"))["rows"] and "hunter2" not in str(rows)
    assert rows[0]["choices"]["that"] == "keep the newer one"
    assert "sure" in await ask_in_vain(host, "inbox", {"action": "decide", **answer(secret, "erase")})
    assert (await ask(host, "inbox", "decide", **answer(secret, "erase", sure=True)))["done"] == [secret["id"]]
    assert (await ask(host, "inbox", "list"))["counts"] == {"agent_proposed": 1} and len(host.docs) == 2
