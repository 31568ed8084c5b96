"""The page tells why a prompt holds what it holds, and what a question would be given; that counts as nothing."""

from typing import Any

from fake_host import FakeHost
from hook_tools import configure_pack, find, remember, settle
from page_tools import CAT, RENT, act, ask, every_page, learn, row, state

pytestmark = every_page

QUESTION = "What rent does the user pay?"
BARN = "The barn door squeaks in every winter storm."
FIGURES = ("score", "similarity", "relevance", "recency", "coverage")


async def recalls(host: FakeHost) -> list[dict[str, Any]]:
    """Return the last recalls of the open chat."""
    found = await ask(host, "recall", "list", context=host.agent.context.id)
    return list(found["rows"])


async def detail(host: FakeHost, place: int = 0) -> dict[str, Any]:
    """Return one of the last recalls with its candidates."""
    number = (await recalls(host))[place]["number"]
    return await ask(host, "recall", "show", context=host.agent.context.id, number=number)


def rows(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["text"]: one for one in found["rows"]}


async def test_the_last_prompts_of_a_chat_tell_what_entered_and_what_was_cut(host: FakeHost) -> None:
    """C-54 ... C-58, T-66: each candidate with its figures and the rule; the latest prompt first, ten at most."""
    await learn(host)
    await remember(host, "Hello.", BARN)
    await host.turn(QUESTION)
    first = (await recalls(host))[0]
    assert (first["query"], first["entered"], first["cut"], first["agent"]) == (QUESTION, 1, 2, 0)
    found = await detail(host)
    assert (found["query"], found["limit"], found["uses_words"], found["uses_meaning"]) == (QUESTION, 8, True, True)
    assert [one["name"] for one in found["variants"]] == ["keywords"]
    shown = rows(found)
    assert (shown[RENT]["outcome"], shown[RENT]["entered"], shown[RENT]["rule"]) == ("injected", True, "")
    cut = [one["rule"] for one in shown.values() if not one["entered"]]
    assert all(rule.startswith("The noise gate: it has too little to do with the message") for rule in cut)
    assert all(0 <= shown[RENT][name] <= 1 for name in FIGURES)
    for number in range(12):
        await host.turn(f"Hello for the {number}. time.")
    assert [one["query"] for one in await recalls(host)] == [f"Hello for the {11 - one}. time." for one in range(10)]
    assert (await ask(host, "recall", "list", context="other"))["rows"] == []


async def test_each_rule_that_cuts_is_said_in_plain_words(host: FakeHost) -> None:
    """T-04, T-66: over the cap, nothing near enough."""
    await remember(host, "Hello.", *(f"Shelf {number} holds paint for the barn." for number in range(12)))
    await host.turn("Which shelf holds paint for the barn?")
    cut = [one for one in (await detail(host))["rows"] if not one["entered"]]
    assert {(one["outcome"], one["rule"]) for one in cut} == {
        ("over the cap of 8", "The maximum number of memories was reached.")
    }
    await host.turn("Is the moon made of cheese?")
    assert {one["rule"].partition(",")[0] for one in (await detail(host))["rows"]} == {
        "The noise gate: no memory is likely enough to bear on the message"
    }


async def test_a_typed_question_gets_what_the_chat_would_and_counts_as_nothing(host: FakeHost) -> None:
    """C-60, T-05, T-42: as the last prompt of the chat was recalled; no access, no cycle, no entry, no file."""
    await learn(host)
    await host.turn("Hello again.")
    await settle(host)
    await host.settle()  # what is distilled after the turn
    context = host.agent.context.id
    store = (await host.memory()).db.__dict__["_memory_ledger_folder"].store
    before, files, cycle = state(host), _files(host), store.state.recall_cycle
    prompts = len(await recalls(host))
    asked = await ask(host, "recall", "ask", context=context, text=f"  {QUESTION}\n")
    assert (asked["query"], asked["as_chat"]) == (QUESTION, True)
    elsewhere = await ask(host, "recall", "ask", text=QUESTION)
    assert elsewhere["as_chat"] is False
    assert state(host) == before and _files(host) == files and len(await recalls(host)) == prompts
    assert store.state.recall_cycle == cycle
    await host.turn(QUESTION)
    real = await detail(host)
    same = ("outcome", "similarity", "coverage", "relevance")
    for found in (asked, elsewhere):
        assert {text: [one[key] for key in same] for text, one in rows(found).items()} == {
            text: [one[key] for key in same] for text, one in rows(real).items()
        }


async def test_a_changed_setting_holds_in_a_trial_at_once(host: FakeHost) -> None:
    """Issue 47: before the next message; a chat without a recall, and no chat at all, likewise."""
    await learn(host)
    await host.turn(QUESTION)
    context = host.agent.context.id
    assert (await ask(host, "recall", "ask", context=context, text=QUESTION))["limit"] == 8
    configure_pack(host, max_injected_memories=1)
    asked = [await ask(host, "recall", "ask", context=chat, text=QUESTION) for chat in (context, "")]
    assert [one["limit"] for one in asked] == [1, 1]


def _files(host: FakeHost) -> dict[str, bytes]:
    folder = host.memory_folder()
    return {path.name: path.read_bytes() for path in [*folder.iterdir(), *folder.parent.iterdir()] if path.is_file()}


async def test_a_retired_memory_is_found_no_more_and_a_gone_one_is_named_so(host: FakeHost) -> None:
    """C-54, T-64: what cannot take part is no candidate; no trace of what is erased stays in what was recalled."""
    await learn(host)
    await host.turn(QUESTION)
    rent, context = await row(host, RENT), host.agent.context.id
    await act(host, "retire", rent)
    assert RENT not in rows(await ask(host, "recall", "ask", context=context, text=QUESTION))
    assert rows(await detail(host))[RENT]["entered"]
    await host.turn("Is the moon made of cheese?")
    await (await host.memory()).db.adelete([find(host, CAT).id])
    assert [one["is_gone"] for one in (await detail(host))["rows"]] == [True]
    await act(host, "erase", await row(host, RENT), sure=True)
    assert [one["query"] for one in await recalls(host)] == ["Is the moon made of cheese?"]
