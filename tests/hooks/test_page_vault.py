"""The vault on the page: read, searched and changed by the terminal's gate; what is secret stays masked."""

import json
from typing import Any

from fake_host import FakeHost
from memory_ledger import cli
from page_tools import ask, ask_in_vain, every_page, state

pytestmark = every_page

MISSION, PUMP = "Mission: keep the greenhouse alive", "The pump is off"
SECRET = "Kite&2211"


async def add(host: FakeHost, text: str, **more: Any) -> dict[str, Any]:
    record = (await ask(host, "vault", "add", text=text, **more))["record"]
    assert record["text"] == text
    return dict(record)


async def texts(host: FakeHost, **question: Any) -> list[str]:
    answer = await host.call_api("ledger", {"name": "vault.list", **question})
    return [one["text"] for one in answer["rows"]]


def seen(record: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A record as the page names it when it is to be changed."""
    return {"id": record["id"], "version": record["version"], **more}


def write_by_hand(host: FakeHost, **row: Any) -> None:
    row = {"id": "0123456789ab", "version": 1, "scope": "shared", "category": "other", **row}
    with (host.memory_folder() / "vault.jsonl").open("a") as stream:
        stream.write(json.dumps(row) + "\n")


async def test_records_are_listed_searched_and_narrowed(host: FakeHost) -> None:
    """V-52, V-53: by words, scope and kind; the latest first; who wrote it, and when."""
    await host.memory()
    assert (await ask(host, "vault", "list"))["rows"] == []
    mission = await add(host, MISSION, category="mission", tags=["plants"])
    host.machine.clock.advance(seconds=60)
    await add(host, PUMP, tier="register", topic="pump", scope="agent0")
    found = await ask(host, "vault", "list")
    assert [one["text"] for one in found["rows"]] == [PUMP, MISSION]
    assert (found["total"], found["active"], found["most"], found["enabled"]) == (2, 2, 100, True)
    assert found["choices"]["scope"][0] == "shared" and "agent0" in found["choices"]["scope"]
    row = found["rows"][1]
    assert (row["tier"], row["category"], row["scope"], row["source"]) == ("canon", "mission", "shared", "operator")
    assert (row["tags"], row["date"], row["secret"]) == (["plants"], mission["created"], "")
    assert await texts(host, query="greenhouse mission") == [MISSION]
    assert await texts(host, scope="agent0") == await texts(host, tier="register") == [PUMP]
    assert await texts(host, query="greenhouse", scope="agent0") == await texts(host, retired=True) == []
    assert await texts(host, page=2, size=1) == [MISSION]


async def test_a_record_is_added_changed_promoted_and_retired(host: FakeHost) -> None:
    """V-30 ... V-34, V-48, T-70: every version stays and can hold again; the next prompt says what holds."""
    await host.memory()
    record = await add(host, PUMP, tier="register", topic="pump")
    assert PUMP in (await host.turn("Hello.")).prompt.system
    changed = await ask(host, "vault", "update", **seen(record, text="The pump is on", category="plan", tags=["water"]))
    assert [changed["record"][key] for key in ("version", "category", "tags")] == [2, "plan", ["water"]]
    assert "The pump is on" in (await host.turn("And now?")).prompt.system
    canon = (await ask(host, "vault", "promote", **seen(changed["record"])))["record"]
    assert (canon["tier"], canon["version"]) == ("canon", 3)
    back = (await ask(host, "vault", "revert", **seen(canon, to=2)))["record"]
    assert (back["tier"], back["text"], back["version"]) == ("register", "The pump is on", 4)
    first = (await ask(host, "vault", "revert", **seen(back, to=1)))["record"]
    assert (first["text"], first["category"], first["tags"]) == (PUMP, "other", [])
    gone = (await ask(host, "vault", "retire", **seen(first)))["record"]
    assert gone["is_retired"] and PUMP not in (await host.turn("Hm?")).prompt.system
    assert await texts(host) == [] and await texts(host, retired=True) == [PUMP]
    shown = await ask(host, "vault", "show", id=record["id"])
    assert [one["version"] for one in shown["versions"]] == [6, 5, 4, 3, 2, 1]
    assert shown["can"] == ["revert"] and shown["is_memory"] is False
    await ask(host, "vault", "revert", **seen(gone, to=5))
    shown = await ask(host, "vault", "show", id=record["id"])
    assert (shown["record"]["text"], shown["can"]) == (PUMP, ["update", "delete", "revert", "promote"])
    assert shown["is_memory"] is True and PUMP in (await host.turn("Again?")).prompt.system
    rows = [json.loads(one) for one in (host.memory_folder() / "vault.jsonl").read_text().splitlines()]
    assert [one["version"] for one in rows] == [1, 2, 3, 4, 5, 6, 7]
    assert {one["source"] for one in rows} == {"operator", "promotion"}


async def test_the_gate_refuses_in_plain_words(host: FakeHost) -> None:
    """V-35 ... V-43: each step says why, and what to do; nothing is written, and no secret repeated."""
    await host.memory()
    known = await add(host, MISSION)
    await add(host, PUMP, tier="register", topic="pump")
    before = state(host), (host.memory_folder() / "vault.jsonl").read_bytes()
    record = {"text": "The vents open at noon.", "scope": "shared"}
    for given, expected in (
        ({"text": "Heartbeat: no changes"}, 'Not stored (journal noise): the text holds "heartbeat", which belongs'),
        ({"tier": "log"}, "Not stored (tier log): tier log is never stored."),
        ({"text": "w" * 1201}, "Not stored (length): the text has 1201 characters. Compress it"),
        ({"text": " "}, "Not stored (length): the text is empty."),
        ({"scope": "nobody"}, "Not stored (fields): scope is 'nobody'. Allowed: "),
        ({"category": ""}, "Not stored (fields): category is ''. Allowed: a text of 1 to 80 characters."),
        ({"tags": [""]}, "Not stored (fields): tags are not a list of short texts."),
        ({"text": f"the password is {SECRET}"}, "Not stored (privacy): the text holds password (characters 16 to 25)."),
        ({"text": MISSION}, f"Not stored (duplicate): {known['id']} says nearly the same in scope shared"),
    ):
        error = await ask_in_vain(host, "vault", {"action": "add", **record, **given})
        assert error.startswith(expected), error
        assert SECRET not in error
    change = {"action": "update", **seen(known, category="mission")}
    error = await ask_in_vain(host, "vault", {**change, "text": f"the password is {SECRET}"})
    assert error.startswith("Not stored (privacy)")
    assert (state(host), (host.memory_folder() / "vault.jsonl").read_bytes()) == before
    await ask(
        host, "vault", "update", **seen(known, text=f"{MISSION}!", category="mission")
    )  # it is no duplicate of itself


async def test_what_comes_back_needs_its_place(host: FakeHost) -> None:
    """V-40 ... V-42, T-70: a topic that another register has by now, a text that another record says by now."""
    await host.memory()
    old = await add(host, PUMP, tier="register", topic="pump")
    gone = (await ask(host, "vault", "retire", **seen(old)))["record"]
    new = await add(host, "The pump is on", tier="register", topic="pump")
    back = {"action": "revert", **seen(gone, to=1)}
    assert (await ask_in_vain(host, "vault", back)).startswith(
        f"Not stored (register upsert): {new['id']} is the register of 'pump' in scope shared."
    )
    await ask(host, "vault", "retire", **seen(new))
    await add(host, f"{PUMP}.")
    assert "says nearly the same" in await ask_in_vain(host, "vault", back)
    for version, why in ((7, "has no version 7"), (2, "has no version 2")):
        assert why in await ask_in_vain(host, "vault", {**back, "to": version})


async def test_what_is_secret_in_the_file_is_masked_everywhere(host: FakeHost) -> None:
    """V-56: somebody wrote it by hand; list, search, detail and preview show its kind alone."""
    await host.memory()
    await add(host, MISSION)
    write_by_hand(host, text=f"The feed server: the password is {SECRET}", tags=[f"password={SECRET}"])
    answers = [
        await ask(host, "vault", "list"),
        await ask(host, "vault", "list", query="feed server"),
        await ask(host, "vault", "show", id="0123456789ab"),
        await ask(host, "vault", "preview"),
    ]
    assert SECRET not in json.dumps(answers)
    (row,) = answers[1]["rows"]
    assert row["text"] == "The feed server: the password is [password]"
    assert row["secret"] == "the text holds password (characters 33 to 42); no prompt shows it"
    assert row["date"] == ""  # nobody wrote one
    assert answers[2]["is_memory"] is False and "feed server" not in answers[3]["text"]
    gone = await ask(host, "vault", "retire", id="0123456789ab", version=1)
    assert SECRET not in json.dumps(gone)
    error = await ask_in_vain(host, "vault", {"action": "revert", "id": "0123456789ab", "version": 2, "to": 1})
    assert error.startswith("Not stored (privacy)") and SECRET not in error


async def test_the_preview_is_what_the_next_prompt_says(host: FakeHost) -> None:
    """V-49 ... V-52, V-61: for the agent of the open chat, or one that is named; what has no room is named."""
    await host.memory()
    await add(host, MISSION, category="mission")
    await add(host, PUMP, tier="register", topic="pump", scope="agent0")
    for agent, has_pump in (("", False), ("agent0", True)):
        found = await ask(host, "vault", "preview", agent=agent)
        assert MISSION in found["text"] and (PUMP in found["text"]) is has_pump
        assert found["agent"] == agent and found["scopes"] == ["shared", *([agent] if agent else [])]
    context = host.new_context(profile="agent0")
    await host.turn("Hello.", agent=context.agent0)
    found = await ask(host, "vault", "preview", context=context.id)
    assert (found["agent"], found["scopes"]) == ("agent0", ["shared", "agent0"])
    assert found["text"] in (await host.turn("And?", agent=context.agent0)).prompt.system


async def test_who_comes_second_is_told_and_changes_nothing(host: FakeHost) -> None:
    """T-70: at a page or at a terminal, whoever was faster."""
    await host.memory()
    record = await add(host, MISSION)
    folder = str(host.memory_folder())
    assert cli.main(["vault", "update", record["id"], f"{MISSION}, and the bees", "--folder", folder]) == 0
    before = (host.memory_folder() / "vault.jsonl").read_bytes()
    text = {"text": f"{MISSION}, and the frogs", "category": "mission"}
    for action, more in (("update", text), ("retire", {}), ("revert", {"to": 1})):
        error = await ask_in_vain(host, "vault", {"action": action, **seen(record, **more)})
        assert error.startswith("This record has changed in the meantime"), action
    assert (host.memory_folder() / "vault.jsonl").read_bytes() == before
    assert "canon already" in await ask_in_vain(host, "vault", {"action": "promote", "id": record["id"], "version": 2})
    missing = {"id": "ffffffffffff", "version": 1, **text}
    assert await ask_in_vain(host, "vault", {"action": "update", **missing}) == "This record no longer exists."
