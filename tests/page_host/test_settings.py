"""The settings page in a browser, mounted as a host's dialog mounts it."""

from __future__ import annotations

import copy
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from fake_host import ALL_GENERATIONS, FakeHost, RunningClock, config
from memory_ledger.setting_form import SECTIONS
from memory_ledger.settings import default_values, list_settings

from .browser import read_axe
from .conftest import OpenPages, Visit
from .hostile_texts import HOSTILE_TEXTS
from .server import PACK, Answer
from .test_barriers import expect_no_barrier
from .test_hostile_texts import expect_inert

PLUGIN = "memory_ledger"


def dialog_of(host: FakeHost) -> Answer:
    """Answer as the pack does, and as the host's settings dialog is answered."""

    async def answer(file: str, sent: dict[str, Any]) -> dict[str, Any]:
        if file:
            return await host.call_api(file, sent)
        if sent["action"] == "save_config":
            config.save_plugin_config(host.machine, PLUGIN, "", "", sent["settings"])
            return {"ok": True}
        if sent["action"] == "get_default_config":
            return {"ok": True, "data": config.get_default_plugin_config(host.machine, PLUGIN)}
        return {"ok": True, "data": saved(host)}

    return answer


def saved(host: FakeHost) -> dict[str, Any]:
    """Return what the host has for the pack's configuration."""
    return dict(config.get_plugin_config(host.machine, PLUGIN, project_name="", agent_profile=""))


class Dialog:
    """The page in its dialog."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit

    async def config(self) -> dict[str, Any]:
        return dict(await self.visit.page.evaluate("Alpine.store('settingsDialog').settings"))

    def field(self, name: str) -> Any:
        return self.visit.find(f"[data-setting='{name}']")

    async def open_section(self, title: str) -> None:
        section = self.visit.find(f"[data-section='{title}']")
        if not await section.is_visible():
            await self.visit.find("[data-do=advanced]").click()
        if await section.get_attribute("open") is None:
            await section.locator("summary").click()

    async def type(self, name: str, text: str) -> None:
        """Type into a field, and leave it."""
        control = self.field(name).locator("input, textarea")
        await control.fill(text)
        await control.blur()

    async def faults(self, count: int) -> list[str]:
        """Return what is said above the fields, once there are so many sentences."""
        sentences = self.visit.find("[data-ledger=faults] .ledger-said")
        await self.visit.page.wait_for_function(
            f"document.querySelectorAll('[data-ledger=faults] .ledger-said').length === {count}"
        )
        return list(await sentences.all_inner_texts())

    async def save(self) -> None:
        await self.visit.find("[data-dialog=save]").click()
        await self.visit.find("[data-ledger=settings]").wait_for(state="detached")


@pytest.fixture
def host(tmp_path: Path) -> Iterator[FakeHost]:
    """The newest generation with a copy of the pack in it: a configuration is saved beside the pack's own files."""
    with FakeHost(ALL_GENERATIONS[-1], tmp_path / "a0", clock=RunningClock()) as running:
        running.install(PACK, how="installer")
        yield running


@pytest.fixture
def open_dialog(open_pages: OpenPages) -> Any:
    @asynccontextmanager
    async def opened(answer: Answer, *, width: int = 1280) -> AsyncIterator[Dialog]:
        async with open_pages(answer, width=width) as visit:
            await visit.page.keyboard.press("Escape")
            await visit.page.evaluate("void openModal('/settings.html')")
            await visit.find("[data-section]").first.wait_for()
            await visit.rest()
            yield Dialog(visit)

    return opened


async def test_every_section_opens_and_every_setting_has_its_field(host: FakeHost, open_dialog: Any) -> None:
    """C-72: in the order in which people think of them, each with its help and its default."""
    async with open_dialog(dialog_of(host)) as dialog:
        assert await dialog.visit.texts("[data-section]:visible .section-title") == [*SECTIONS][:1]
        await dialog.visit.find("[data-do=advanced]").click()
        await dialog.visit.find("[data-ledger=settings] .ledger-head input").fill("dask scheduler")
        await dialog.field("knowledge.cluster").locator("input").wait_for()
        assert await dialog.visit.texts("[data-setting]:visible .field-title") == ["Cluster"]
        await dialog.visit.find("[data-ledger=settings] .ledger-head input").fill("")
        assert await dialog.visit.texts("[data-section] .section-title") == list(SECTIONS)
        for title in SECTIONS:
            await dialog.open_section(title)
            assert await dialog.visit.find(f"[data-section='{title}'] .field").first.is_visible()
        names = {name for name, _, _ in list_settings()}
        assert await dialog.visit.find("[data-setting]").count() == len(names)
        for name in names:
            field = dialog.field(name)
            assert await field.locator(".field-title").is_visible(), name
            assert "Default: " in await field.locator(".field-description").inner_text(), name
            assert await field.locator("input, select, textarea").count() >= 1, name
        await dialog.visit.page.set_viewport_size({"width": 420, "height": 800})
        assert await dialog.visit.fits()


async def test_what_is_changed_is_saved_and_holds_at_the_next_call(host: FakeHost, open_dialog: Any) -> None:
    """Each kind of field changes its one value and nothing else; the host saves, and the pack goes by it."""
    domains = {"coder": ["codegen"]}
    async with open_dialog(dialog_of(host)) as dialog:
        for title in SECTIONS:
            await dialog.open_section(title)
        await dialog.field("enabled").locator(".toggler").click()
        await dialog.type("max_injected_memories", " 5 ")
        await dialog.type("noise_gate.least_likely", "0.25")
        await dialog.field("ranking_mode").locator("select").select_option("tiered")
        await dialog.field("temporal_decay.exempt_sources").get_by_label("from a document").check()
        await dialog.type("vault.agents", "anna\n\n  berta ")
        await dialog.type("profile_domains", json.dumps(domains))
        await dialog.type("notes.embedding_model", "all-mpnet-base-v2")
        await dialog.type("knowledge.cluster", "tcp://cluster:8786")
        wanted = copy.deepcopy(default_values())
        wanted |= {"enabled": False, "max_injected_memories": 5, "ranking_mode": "tiered", "profile_domains": domains}
        wanted["noise_gate"]["least_likely"] = 0.25
        wanted["temporal_decay"]["exempt_sources"] = ["user_asserted", "bookshelf_document"]
        wanted["vault"]["agents"] = ["anna", "berta"]
        wanted["notes"]["embedding_model"] = "all-mpnet-base-v2"
        wanted["knowledge"]["cluster"] = "tcp://cluster:8786"
        assert await dialog.config() == wanted
        assert await dialog.faults(0) == []
        await dialog.save()
    assert saved(host) == wanted
    answer = await host.call_api("ledger", {"name": "overview.read"})
    assert answer == {"ok": False, "error": "Memory Ledger is switched off (enabled: false)."}


async def test_a_setting_that_is_not_in_the_configuration_is_its_default(host: FakeHost, open_dialog: Any) -> None:
    """A host merges nothing into a `config.json` by hand; a group that lacks is made where one of its keys is set."""
    host.write_plugin_config(PLUGIN, {"notes": {"max_results": 7}})
    async with open_dialog(dialog_of(host)) as dialog:
        await dialog.open_section("Knowledge and notes")
        assert await dialog.field("notes.max_results").locator("input").input_value() == "7"
        assert await dialog.field("notes.max_chars").locator("input").input_value() == "1200"
        await dialog.open_section("Vault")
        await dialog.type("vault.max_items", "3")
        assert await dialog.config() == {"notes": {"max_results": 7}, "vault": {"max_items": 3}}
        await dialog.type("notes.embedding_model", "")
        assert (await dialog.config())["notes"] == {"max_results": 7}


WRONG = {
    "max_injected_memories": ("1000", "max_injected_memories is 1000; allowed: at most 100"),
    "noise_gate.least_share": ("a lot", "noise_gate.least_share is 'a lot'; allowed: a number"),
    "load_bearing_keywords": ("", ""),
    "profile_domains": ('{"coder": [', "profile_domains is not JSON: Expecting value: line 1 column 12 (char 11)"),
    "structural_patterns": (
        "[",
        "structural_patterns is ['[']; allowed: a regular expression (unterminated character set at position 0)",
    ),
    "knowledge.cluster": (
        "carrier pigeon",
        "knowledge.cluster is 'carrier pigeon'; allowed: empty, or the address of a Dask scheduler such as tcp://host:8786",
    ),
}


async def test_a_wrong_value_is_named_at_its_field(host: FakeHost, open_dialog: Any) -> None:
    """In the words of the chat's log, before it is saved; what was typed stays, and a value that fits ends it."""
    async with open_dialog(dialog_of(host)) as dialog:
        for title in SECTIONS:
            await dialog.open_section(title)
        for name, (text, say) in WRONG.items():
            await dialog.type(name, text)
            assert await dialog.faults(1 if say else 0) == ([say] if say else [])
            assert (await dialog.field(name).locator(".ledger-fault").inner_text()).strip() == say
            assert await dialog.field(name).locator("input, textarea").input_value() == text
            await dialog.field(name).get_by_role("button", name="Reset to the default").click()
            assert await dialog.faults(0) == []
            assert await dialog.config() == default_values()


async def test_what_was_saved_wrong_is_named_when_the_page_opens(host: FakeHost, open_dialog: Any) -> None:
    """Also where no field shows it: an unknown key, or no group where one belongs."""
    host.write_plugin_config(
        PLUGIN, {"noise_gate": {"least_likely": 7}, "no_such": 1, "vault": "closed", "notes": {"loud": True}}
    )
    async with open_dialog(dialog_of(host)) as dialog:
        assert await dialog.faults(4) == [
            "noise_gate.least_likely is 7; allowed: at most 1",
            "no_such is no setting of this version",
            "vault is 'closed'; allowed: an object",
            "notes.loud is no setting of this version",
        ]
        await dialog.visit.find("[data-ledger=faults] button", has_text="Go there").click()
        await dialog.visit.find("#memory-ledger-setting-noise_gate-least_likely:focus").wait_for()
        for count in (3, 2, 1):
            await dialog.visit.find("[data-ledger=faults] button", has_text="Remove").first.click()
            await dialog.faults(count)
        assert await dialog.config() == {"noise_gate": {"least_likely": 7}, "notes": {}}


async def test_one_value_or_all_of_them_go_back_to_the_default(host: FakeHost, open_dialog: Any) -> None:
    """One with its own button; all with the dialog's, which the page follows."""
    host.write_plugin_config(PLUGIN, {**default_values(), "conflict_top_k": 9, "turn_window": 5})
    async with open_dialog(dialog_of(host)) as dialog:
        await dialog.open_section("Contradictions")
        notes = dialog.visit.find("[data-section='Contradictions'] summary .ledger-muted")
        assert await notes.inner_text() == "2 changed"
        await dialog.field("conflict_top_k").get_by_role("button").click()
        assert (await dialog.config())["conflict_top_k"] == 5
        assert await notes.inner_text() == "1 changed"
        await dialog.visit.find("[data-dialog=default]").click()
        await dialog.visit.find("[data-setting=turn_window] button", has_text="Reset").wait_for(state="hidden")
        assert await dialog.field("turn_window").locator("input").input_value() == "20"
        assert await dialog.config() == default_values()


async def test_the_users_own_file_is_named_where_it_holds(host: FakeHost, open_dialog: Any) -> None:
    """T-16: a default in the dialog is no decision; what holds instead is said at the field."""
    path = host.memory_folder().parent / "classification_config.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"conflict_top_k": 9}))
    async with open_dialog(dialog_of(host)) as dialog:
        await dialog.open_section("Contradictions")
        say = dialog.field("conflict_top_k").locator(".ledger-file")
        assert (await say.inner_text()).startswith("classification_config.json says 9, which applies")
        await dialog.type("conflict_top_k", "6")
        await say.wait_for(state="hidden")


async def test_hostile_values_are_inert(host: FakeHost, open_dialog: Any) -> None:
    """Forty texts as values, as keys, in lists and in place of groups."""
    texts = [text[:20_000] for text in HOSTILE_TEXTS]
    names = [name for name, _, _ in list_settings()]
    given: dict[str, Any] = {text: text for text in texts}
    for place, name in enumerate(names):
        group, _, key = name.rpartition(".")
        value = [texts[place % 40], {texts[place % 40]: 1}] if place % 3 else texts[place % 40]
        (given.setdefault(group, {}) if group else given)[key] = value
    given["vault"] = texts[0]
    host.write_plugin_config(PLUGIN, given)
    async with open_dialog(dialog_of(host)) as dialog:
        for title in SECTIONS:
            await dialog.open_section(title)
        await dialog.visit.find("[data-ledger=faults] .ledger-said").first.wait_for()
        await expect_inert(dialog.visit)
        assert await dialog.visit.fits()
        assert texts[0] in await dialog.visit.find("[data-setting=enabled] .ledger-said").inner_text()
        await dialog.type("conflict_top_k", texts[4])
        await dialog.type("profile_domains", texts[5])
        await dialog.visit.rest()
        await expect_inert(dialog.visit)


async def test_it_can_be_filled_in_with_keys(host: FakeHost, open_dialog: Any) -> None:
    """From a section's heading to its first field and on; space turns a switch; a button leads to the page."""
    async with open_dialog(dialog_of(host)) as dialog:
        keys = dialog.visit.page.keyboard
        await dialog.visit.find("[data-section='Most used'] summary").focus()
        await keys.press("Tab")
        await keys.press("Space")
        assert (await dialog.config())["enabled"] is False
        await dialog.visit.find("[data-do=advanced]").click()
        section = dialog.visit.find("[data-section='Contradictions'] summary")
        await section.wait_for()
        await section.focus()
        await keys.press("Enter")
        await dialog.field("retire_existing").locator(".field-title").wait_for()
        await dialog.visit.find("[data-do=open-page]").click()
        await dialog.visit.find("[data-ledger=overview][aria-busy=false]").wait_for(state="attached")


async def test_no_setting_has_a_serious_barrier(host: FakeHost, open_dialog: Any) -> None:
    """All sections open, one field with a fault: names, roles, contrast, focus."""
    axe = read_axe()
    async with open_dialog(dialog_of(host)) as dialog:
        await dialog.visit.page.add_script_tag(content=axe)
        for title in SECTIONS:
            await dialog.open_section(title)
        await dialog.type("max_injected_memories", "many")
        await expect_no_barrier(dialog.visit, "settings")
