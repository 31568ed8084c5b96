"""The recall inspector in a browser."""

from __future__ import annotations

from fake_host import FakeHost
from hooks.hook_tools import remember as say

from .conftest import OpenPages, Visit

RENT, BARN = "User's rent is 900 euros a month.", "The barn door squeaks in every winter storm."
QUESTION = "What rent does the user pay?"
ENTERED, CUT = "[data-group=entered] .ledger-link", "[data-group=cut] .ledger-link"


async def talk(host: FakeHost) -> str:
    """Let a chat have two memories and a prompt about one of them; return how its address names it."""
    await say(host, "My rent is 900 euros a month.", RENT)
    host.machine.clock.advance(seconds=60)
    await say(host, "Hello.", BARN)
    await host.turn(QUESTION)
    return f"?chat={host.agent.context.id}"


async def numbers(visit: Visit, group: str) -> list[str]:
    return await visit.texts(f"[data-group={group}] .ledger-score .ledger-number")


async def test_the_last_prompt_shows_what_entered_what_was_cut_and_why(host: FakeHost, open_pages: OpenPages) -> None:
    """C-54 ... C-58: the latest at once, others by a click; each figure as bar and number; a text opens its memory."""
    chat = await talk(host)
    async with open_pages(host.call_api, query=chat) as visit:
        await visit.open("recall")
        assert await visit.texts("[data-ledger=recalled] [role=status]") == ["What was recalled for this prompt"]
        assert (await visit.texts(ENTERED), await visit.texts(CUT)) == ([RENT], [BARN])
        assert "noise gate" in (await visit.texts("[data-ledger=rule]"))[-1]
        beside = "It gains relevance from a memory written just before or after it: "
        assert [one for one in await visit.texts("[data-ledger=remarks]") if one] == [f"{beside}{RENT}"]
        found = await numbers(visit, "entered")
        assert len(found) == 6 and all(0 < float(one) <= 1 for one in found)
        widths = await visit.find("[data-group=entered] .ledger-bar").evaluate_all(
            "all => all.map((one) => parseFloat(one.style.getPropertyValue('--share')))"
        )
        assert [f"{one / 100:.2f}" for one in widths] == found
        prompts = visit.find("[data-ledger=prompt]")
        assert (await prompts.all_inner_texts())[0] == QUESTION
        await prompts.last.click()
        await visit.rest()
        assert QUESTION not in " ".join(await visit.texts("[data-ledger=recalled] dd"))
        await prompts.first.click()
        await visit.find(ENTERED, has_text="rent").click()
        assert await visit.find("[data-ledger=memory] [data-ledger=text]").inner_text() == RENT
