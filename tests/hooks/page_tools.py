"""What the tests of the pages ask: a page, as the web interface does, and what stood before and after."""

import copy
import json
from typing import Any

import pytest
from fake_host import FakeHost
from hook_tools import find, remember

#: The releases that have plugins, and so pages.
every_page = pytest.mark.parametrize("host", ["B", "C", "C+", "D"], indirect=True)

RENT, CAT = "User's rent is 900 euros a month.", "User's cat is called Minka."
GYM_OLD, GYM_NEW = "User's gym membership costs 40 euros a month.", "The gym put its monthly price up to 55 euros."


async def ask(host: FakeHost, page: str, action: str, **question: Any) -> dict[str, Any]:
    """Return what a page answers, which it must."""
    answer = await host.call_api("ledger", {"name": f"{page}.{action}", **question})
    assert answer["ok"], answer
    return answer


async def ask_in_vain(host: FakeHost, page: str, question: Any) -> str:
    """Return in one sentence why a page does not answer: nothing of the machine is in it."""
    if isinstance(question, dict) and "action" in question:
        action, question = question["action"], {key: one for key, one in question.items() if key != "action"}
        question["name"] = f"{page}.{action}" if isinstance(action, str) else action
    answer = await host.call_api("ledger", question)
    assert answer.keys() == {"ok", "error"} and answer["ok"] is False
    assert "\n" not in answer["error"] and str(host.root) not in answer["error"]
    return str(answer["error"])


async def row(host: FakeHost, text: str) -> dict[str, Any]:
    """Return the one row of the list that holds `text`."""
    (found,) = (await ask(host, "memories", "list", query=text))["rows"]
    return found


async def act(host: FakeHost, action: str, *rows: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Do something about memories as these rows show them."""
    shown = [{"id": one["id"], "stamp": one["stamp"]} for one in rows]
    answer = await ask(host, "memories", action, memories=shown, **more)
    return {key: answer[key] for key in ("done", "refused", "waiting")}


def done(*rows: dict[str, Any]) -> dict[str, Any]:
    """What an answer is where all was done."""
    return {"done": [one["id"] for one in rows], "refused": [], "waiting": []}


async def show(host: FakeHost, text: str) -> dict[str, Any]:
    """Return one memory with all that is known of it."""
    return await ask(host, "memories", "show", id=find(host, text).id)


async def learn(host: FakeHost) -> None:
    """Two things of which the user says one, and the agent concludes the other."""
    await remember(host, "My rent is 900 euros a month.", RENT)
    host.machine.clock.advance(seconds=60)
    await remember(host, "Hello.", CAT)


async def learn_two_prices(host: FakeHost) -> dict[str, Any]:
    """Return what the list says of two memories that may be at odds."""
    await remember(host, "My gym membership costs 40 euros a month.", GYM_OLD)
    await remember(host, GYM_NEW, GYM_NEW)
    (found,) = await at_odds(host)
    return found


async def at_odds(host: FakeHost) -> list[dict[str, Any]]:
    """Return what the list says of memories that are at odds, or may be."""
    return (await ask(host, "inbox", "list", kinds=["agent_proposed", "conflict", "possible"]))["rows"]


def answer(one: dict[str, Any], choice: str, **more: Any) -> dict[str, Any]:
    """Return an answer to what needs a person, as the list shows it."""
    return {"kind": one["kind"], "id": one["id"], "choice": choice, "stamps": stamps(one), **more}


def stamps(one: dict[str, Any]) -> dict[str, str]:
    return {text["id"]: text["stamp"] for text in one["texts"]}


def state(host: FakeHost) -> Any:
    """Everything that a question could change: the documents, and the pack's own lines."""
    documents = {one: (found.page_content, copy.deepcopy(found.metadata)) for one, found in host.docs.items()}
    names = ("ledger.jsonl", "ledger_inbox.jsonl", "conflicts.jsonl")
    return documents, [path.read_bytes() for one in names if (path := host.memory_folder() / one).is_file()]


def lines(host: FakeHost, name: str) -> list[dict[str, Any]]:
    """Return the rows of one of the pack's files."""
    return [json.loads(one) for one in (host.memory_folder() / name).read_text("utf-8").splitlines()]
