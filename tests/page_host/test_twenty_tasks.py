"""What a person wants of the page, played on it: twenty tasks, each with at most four clicks; typing is none."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from fake_host import FakeHost
from hooks.hook_tools import axes, find, install_late
from hooks.hook_tools import remember as say

from .conftest import OpenPages, Visit, remember
from .test_backup import CAT, KEY, lose
from .test_maintenance import configure
from .test_pages import OLD, ROW, learn_two_prices

MOST_CLICKS: Final = 4
DIET, HOME, PORTO = "User's diet is vegan.", "User lives in Berlin.", "I live in Porto."
OLD_PORT, NEW_PORT = "The API listens on port 8080", "The API listens on port 8443"
TEA, TEA_AGAIN = "The user likes green tea in the morning", "In the morning it is green tea that the user likes"
PIN = "User's PIN is 4711"
NOTICE, DETAIL = ".ledger-notice:visible", "[data-ledger=memory]"


@dataclass
class Person:
    """Somebody at the page, whose clicks are counted."""

    visit: Visit
    host: FakeHost
    folder: Path
    clicks: int = 0

    async def click(self, selector: str, text: str = "") -> None:
        """Press what is found."""
        self.clicks += 1
        found = self.visit.find(f"{selector}:visible", **({"has_text": text} if text else {}))
        await found.first.click()
        await self.visit.rest()

    async def press(self, *names: str) -> None:
        """Press buttons by the names that they have, in the window that is on top."""
        for name in names:
            self.clicks += 1
            await self.visit.page.get_by_role("button", name=name, exact=True).last.click()
            await self.visit.rest()

    async def search(self, words: str) -> None:
        """Type what to look for, and Enter."""
        await self.visit.find("[data-ledger=memories] input[type=search]").fill(words)
        await self.visit.page.keyboard.press("Enter")
        await self.visit.rest()

    async def open(self, words: str) -> None:
        """Find a memory, and open it."""
        await self.press("Memories")
        await self.search(words)
        await self.click(f"{ROW} .ledger-said")

    async def write(self, text: str) -> None:
        """Write the text of a memory, and save it."""
        await self.visit.find("[data-field=written]:focus").fill(text)
        await self.press("Save")

    async def hear(self, words: str) -> None:
        """Wait until the page says so."""
        await self.visit.find(NOTICE, has_text=words).first.wait_for()

    async def read(self, selector: str) -> str:
        """Return what is to be read there."""
        await self.visit.find(f"{selector}:visible").first.wait_for()
        return "\n".join(await self.visit.texts(f"{selector}:visible"))

    def standing(self, text: str) -> str:
        """Return how the memory with a text stands."""
        return axes(find(self.host, text))[0]


Before = Callable[[FakeHost], Awaitable[object]]
Play = Callable[[Person], Awaitable[None]]
TASKS: dict[str, tuple[Before, Play, int]] = {}


def task(words: str, before: Before, clicks: int) -> Callable[[Play], Play]:
    """Make a task of a function."""

    def add(play: Play) -> Play:
        TASKS[words] = before, play, clicks
        return play

    return add


async def live(host: FakeHost) -> None:
    """A few memories of a person."""
    await say(host, "My diet is vegan.", DIET)
    await say(host, "I live in Berlin.", HOME)


async def learn_port(host: FakeHost) -> None:
    """One that replaces another."""
    await say(host, f"{OLD_PORT}.", OLD_PORT)
    await say(host, f"Actually, {NEW_PORT.lower()}.", NEW_PORT)


async def ask_about_port(host: FakeHost) -> None:
    """A prompt that one memory entered, and others did not."""
    await live(host)
    await learn_port(host)
    await host.turn("On which port does the API listen?")


async def tell_pin(host: FakeHost) -> None:
    """A secret."""
    await say(host, "My PIN is 4711.", PIN, "User's garden is small")


async def delete(host: FakeHost) -> None:
    """A memory that a person has deleted in Agent Zero."""
    await live(host)
    await (await host.memory()).delete_documents_by_ids([find(host, DIET).id])


async def install(host: FakeHost) -> None:
    """An existing store, of which two memories are proposed to be retired."""
    configure(host)
    said = ("is 10", "was changed to 12")
    await install_late(host, *(f"The budget of {name} {what} EUR" for name in ("Falcon", "Heron") for what in said))


@task("what does it know about my diet", live, 1)
async def ask(person: Person) -> None:
    await person.press("Memories")
    await person.search("diet")
    assert await person.read(f"{ROW} .ledger-said") == DIET


@task("which of two is right, and say so", learn_two_prices, 2)
async def settle(person: Person) -> None:
    await person.click("[data-ledger=needs] button", "may contradict")
    await person.press("Keep the newer one")
    await person.hear("Settled")
    assert person.standing(OLD) == "deprecated"


@task("undo what it did this morning", learn_port, 3)
async def undo(person: Person) -> None:
    await person.press("What the agent changed today")
    await person.click("[aria-label='Select all that were found']")
    await person.press("Undo the last change")
    await person.hear("restored to")
    assert person.standing(OLD_PORT) == "confirmed"


@task("find what the agent changed", learn_port, 1)
async def find_changes(person: Person) -> None:
    await person.press("All that it changed")
    assert OLD_PORT in await person.read(f"{ROW} .ledger-said")


@task("add that I moved", live, 3)
async def add(person: Person) -> None:
    await person.press("Memories", "Add a memory")
    await person.write(PORTO)
    await person.hear("Added")
    assert (person.standing(PORTO), person.standing(HOME)) == ("confirmed", "deprecated")


@task("bring back what I deleted on Monday", delete, 3)
async def bring_back(person: Person) -> None:
    await person.click("[data-ledger=figures] [data-ledger=backup] button")
    await person.press("Deleted")
    await person.click("[data-ledger=row] button", "Bring back")
    await person.visit.find("[data-ledger=order]:visible", has_text="1 memory brought back").wait_for()
    assert person.standing(DIET) == "confirmed"


@task("stop it from remembering passwords", live, 3)
async def forbid(person: Person) -> None:
    await person.press("Memories", "Add a memory")
    await person.write("Never remember passwords.")
    await person.hear("Added")
    assert "Never remember passwords." in (await person.host.turn("Hello.")).prompt.system


@task("correct a memory's text", live, 4)
async def correct(person: Person) -> None:
    await person.open("diet")
    await person.press("Correct the text")
    await person.write("User's diet is vegetarian.")
    await person.hear("replaced by your text")
    assert (person.standing("vegetarian"), person.standing(DIET)) == ("confirmed", "deprecated")


@task("who said this, and when", live, 2)
async def who(person: Person) -> None:
    await person.open("diet")
    assert "told by you\n" in await person.read(f"{DETAIL} dl")
    assert "My diet is vegan." in await person.read("section[aria-label='Where it comes from']")


@task("what entered the last prompt and why not that memory", ask_about_port, 1)
async def explain(person: Person) -> None:
    await person.press("Prompt")
    assert NEW_PORT in await person.read("[data-group=entered]")
    assert HOME in await person.read("[data-group=cut]")
    assert "noise gate" in await person.read("[data-group=cut] [data-ledger=rule]")


@task("erase my PIN for good", tell_pin, 3)
async def erase(person: Person) -> None:
    await person.click("[data-ledger=needs] button", "secrets")
    assert "4711" not in await person.read("[data-ledger=inbox]")
    await person.click("[data-choice=erase]")
    assert person.standing(PIN) == "confirmed"
    await person.click("[data-choice=erase]")
    await person.hear("Settled")
    assert not any("4711" in one.page_content for one in person.host.docs.values())


@task("merge two that say the same", lambda host: remember(host, TEA, TEA_AGAIN), 4)
async def merge(person: Person) -> None:
    await person.press("Memories")
    await person.search("tea")
    await person.click("[aria-label='Select all that were found']")
    await person.press("Merge")
    await person.write("I like green tea in the morning.")
    await person.hear("2 memories replaced by your text")
    assert {person.standing(one) for one in (TEA, TEA_AGAIN)} == {"deprecated"}


@task("accept all that is proposed after the installation", install, 3)
async def accept(person: Person) -> None:
    await person.click("[data-ledger=needs] button", "proposed retirements: 2")
    await person.click("[data-ledger=accept]")
    await person.click("[data-ledger=accept]")
    await person.hear("2 memories retired as proposed")
    assert person.standing("Falcon is 10") == person.standing("Heron is 10") == "deprecated"
    await person.press("Undo")
    await person.hear("restored to")
    assert person.standing("Falcon is 10") == person.standing("Heron is 10") == "inferred"
    person.clicks -= 1


@task("export everything", learn_port, 2)
async def export(person: Person) -> None:
    await person.click("[data-ledger=figures] button", "memories")
    async with person.visit.page.expect_download() as coming:
        await person.press("Export all of them")
    await (await coming.value).save_as(person.folder / "export.jsonl")
    assert len((person.folder / "export.jsonl").read_text("utf-8").splitlines()) == 3


@task("import a file", live, 2)
async def import_file(person: Person) -> None:
    file = person.folder / "memories.md"
    file.write_text("- The boiler was built in 1987.\n- The cellar key hangs in the hall.\n")
    await person.press("Memories")
    async with person.visit.page.expect_file_chooser() as asking:
        await person.press("Import a file")
    await (await asking.value).set_files(file)

    await person.hear("2 memories taken in; 0 were there already")
    assert "boiler" in await person.read(f"{ROW} .ledger-said")


@task("which rule holds in every prompt", lambda host: say(host, "Never push on Fridays.", "Never push on Fridays"), 0)
async def rules(person: Person) -> None:
    assert "Never push on Fridays" in await person.read("[data-ledger=rules]")


@task("is anything wrong", live, 3)
async def check(person: Person) -> None:
    assert await person.read("[data-ledger=needs]") == "Nothing needs you"
    await person.press("More", "Backup", "Run the check")
    assert "store readable" in await person.read("[data-ledger=findings]")


@task("make a backup and go back to it", lose, 4)
async def go_back(person: Person) -> None:
    await person.press("More", "Backup")
    assert "It contains 2 memories; the store contains 0." in await person.read("[data-ledger=age]")
    await person.press("Preview restoring all", "Bring back")
    await person.visit.find("[data-ledger=found]", has_text="0 memories").wait_for()
    assert {one.page_content for one in person.host.docs.values()} == {CAT, KEY}


@task("keep this in the vault", live, 3)
async def keep(person: Person) -> None:
    await person.open("diet")
    await person.press("Keep in the vault")
    await person.hear("kept in the vault")
    assert "vegan" in (await person.host.turn("Hello.")).prompt.system


@task("see what it was a month ago", learn_port, 2)
async def look_back(person: Person) -> None:
    await person.open("8443")
    assert OLD_PORT in await person.read("section[aria-label='What was believed, and when']")


@pytest.mark.parametrize("words", TASKS)
async def test_it_takes_few_clicks(words: str, host: FakeHost, open_pages: OpenPages, tmp_path: Path) -> None:
    """Issue 47: each is done with the clicks that are named, at most four."""
    before, play, clicks = TASKS[words]
    host.expected_warnings = int(before is tell_pin)
    await before(host)
    assert len(TASKS) == 20
    async with open_pages(host.call_api, query=f"?chat={host.agent.context.id}") as visit:
        person = Person(visit, host, tmp_path)
        await play(person)
        assert person.clicks == clicks <= MOST_CLICKS
