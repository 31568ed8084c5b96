"""The vault in a browser."""

from __future__ import annotations

from typing import Any

from fake_host import FakeHost

from .conftest import OpenPages, Visit

MISSION, PUMP = "Mission: keep the greenhouse alive", "The pump is off"
ROW = "[data-ledger=record-row]"
DONE, UNDO = ".ledger-notice span", ".ledger-undo"


async def add_record(host: FakeHost, text: str, **more: Any) -> str:
    """Store a record as a person does; return its id."""
    await host.memory()
    answer = await host.call_api("ledger", {"name": "vault.add", "text": text, **more})
    return str(answer["record"]["id"])


async def write(visit: Visit, **fields: str) -> None:
    """Fill in the form and store it."""
    for name, value in fields.items():
        field = visit.find(f"[data-field={name}]")
        await (field.select_option(value) if name in ("scope", "tier") else field.fill(value))
    await visit.find("button", has_text="Store").click()
    await visit.rest()


async def test_a_record_is_written_and_the_prompt_shows_it(host: FakeHost, open_pages: OpenPages) -> None:
    """V-30, V-49, T-70: from the form into the list, the preview and the next prompt; undo takes it out again."""
    await host.memory()
    async with open_pages(host.call_api, "vault") as visit:
        assert await visit.find(".data-empty-state").is_visible()
        await visit.find("button", has_text="Add a record").click()
        await write(visit, text=PUMP, tier="register", topic="pump", tags="water, plants")
        assert await visit.texts(DONE) == ["Stored."]
        assert await visit.texts(f"{ROW} .ledger-said") == [PUMP]
        assert await visit.texts("[data-ledger=found]") == ["1 record; 1 of 100 places taken"]
        assert PUMP in (await visit.texts("[data-ledger=snapshot]"))[0]
        assert PUMP in (await host.turn("Hello.")).prompt.system
        await visit.find(UNDO).click()
        await visit.find(DONE, has_text="Restored to its previous state.").wait_for()
        assert await visit.find(ROW).count() == 0
        assert PUMP not in (await host.turn("Hello again.")).prompt.system


async def test_what_the_gate_refuses_is_said_and_what_was_typed_stays(host: FakeHost, open_pages: OpenPages) -> None:
    """V-43: the reason in an alert; it is there after a look at another part; the next try may pass."""
    await host.memory()
    async with open_pages(host.call_api, "vault") as visit:
        await visit.find("button", has_text="Add a record").click()
        await write(visit, text="the password is Kite&2211")
        words = "Not stored (privacy): the text holds password (characters 16 to 25)."
        await visit.find("[role=alert]", has_text=words).wait_for()
        await visit.open("memories")
        await visit.open("vault")
        assert await visit.find("[data-field=text]").input_value() == "the password is Kite&2211"
        await write(visit, text="The password is in the safe.")
        assert await visit.texts(DONE) == ["Stored."]
        assert not await visit.find("[role=alert]").is_visible()


async def test_a_record_is_changed_retired_and_brought_back(host: FakeHost, open_pages: OpenPages) -> None:
    """V-30, V-31, T-70: each version stays in sight; an earlier one can hold again; who comes second is told."""
    record = await add_record(host, MISSION, category="mission")
    async with open_pages(host.call_api, "vault") as visit:
        await visit.find(f"{ROW} .ledger-said").click()
        detail = visit.find("[data-ledger=record]")
        await detail.get_by_role("button", name="Change").click()
        await write(visit, text=f"{MISSION}, and the bees")
        assert await visit.texts("[data-ledger=record-text]") == [f"{MISSION}, and the bees"]
        assert await visit.find("[data-ledger=version]").count() == 2
        await visit.find("[data-ledger=version] button", has_text="Use this version").last.click()
        await visit.find(DONE, has_text="This version is current again.").wait_for()
        assert await visit.texts("[data-ledger=record-text]") == [MISSION]
        await detail.get_by_role("button", name="Retire").click()
        await visit.find(DONE, has_text="Retired.").wait_for()
        assert not await detail.get_by_role("button", name="Change").is_visible()
        await visit.find(UNDO).click()
        await visit.find(DONE, has_text="Restored to its previous state.").wait_for()
        assert await detail.get_by_role("button", name="Change").is_visible()
        later = {"text": f"{MISSION}, and the frogs", "category": "mission"}
        await host.call_api("ledger", {"name": "vault.update", "id": record, "version": 5, **later})
        await detail.get_by_role("button", name="Retire").click()
        await visit.find("[role=alert]", has_text="has changed in the meantime").wait_for()
        await visit.find("button", has_text="Back to the list").click()
        await visit.find(f"{ROW} .ledger-said:focus").wait_for()


async def test_records_are_searched_and_lead_to_their_memory(host: FakeHost, open_pages: OpenPages) -> None:
    """V-53, T-18: by words, kind and state; the preview is that of the agent that is chosen."""
    await add_record(host, MISSION)
    await add_record(host, PUMP, tier="register", topic="pump", scope="agent0")
    async with open_pages(host.call_api, "vault") as visit:
        await visit.find("input[type=search]").fill("greenhouse")
        await visit.page.keyboard.press("Enter")
        await visit.rest()
        assert await visit.texts(f"{ROW} .ledger-said") == [MISSION]
        await visit.find("button", has_text="Clear").click()
        await visit.rest()
        await visit.find("[data-filter=tier]").select_option("register")
        await visit.rest()
        assert await visit.texts(f"{ROW} .ledger-said") == [PUMP]
        assert PUMP not in (await visit.texts("[data-ledger=snapshot]"))[0]
        await visit.find("[data-field=agent]").select_option("agent0")
        await visit.rest()
        assert PUMP in (await visit.texts("[data-ledger=snapshot]"))[0]
        await visit.find("[data-filter=retired]").check()
        await visit.rest()
        assert await visit.find(ROW).count() == 0
        await visit.find("button", has_text="Clear").click()
        await visit.rest()
        await visit.find(f"{ROW} .ledger-said", has_text="Mission").click()
        await visit.find("button", has_text="Its memory").click()
        assert await visit.find("[data-ledger=memory] [data-ledger=text]").inner_text() == MISSION
