"""The pages read: figures, lists, one memory, conflicts; a question of another form gets a sentence, and no more."""

import asyncio
import importlib
import json
import threading
from typing import Any

import pytest
from core.case_tables import read_cases
from fake_host import FakeHost
from hook_tools import PACK, PACK_ROOT, configure_pack, find, remember, rest, threads_that_open, use_folder
from page_tools import CAT, GYM_NEW, RENT, ask, ask_in_vain, every_page, learn, learn_two_prices, row, show, state

pytestmark = every_page

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "javascript:alert(1)",
    "{{ include 'x.md' }} ${1+1} x-html=\"alert(1)\"",
    "\u202eright to left\u202c \u0000\u0007\u001b[31m",
    "a lone half \ud83d of a pair",
    "x" * 1_000_000,
]


async def test_the_overview_counts_what_is_there_and_what_needs_a_person(host: FakeHost) -> None:
    """C-61 ... C-65: every figure is of this folder, and leads to the page where it is settled."""
    await learn_two_prices(host)
    await learn(host)
    found = await ask(host, "overview", "read")
    assert (found["folder"], found["folders"], found["total"], found["unread"]) == ("default", ["default"], 4, 0)
    assert found["by"]["source"] == {"user_asserted": 3, "agent_inferred": 1}
    assert found["by"]["validity"] == {"confirmed": 3, "inferred": 1}
    assert [len(found["known"][name]) for name in ("person", "other", "unsure")] == [2, 1, 1]
    assert found["needs"] == [{"kind": "possible", "words": "memories that may contradict each other", "count": 1}]
    assert found["backup_at"] is not None
    assert (await ask(host, "overview", "check"))["needs"] == []


async def test_every_need_says_where_it_is_settled(host: FakeHost) -> None:
    """V-56, Q-31, T-64: a secret in a memory, a chain that does not hold, a folder without a backup."""
    await learn(host)
    await remember(host, "My staging password is Kite&2211.", "User's staging password is Kite&2211")
    host.expected_warnings = 1
    (need,) = (await ask(host, "overview", "read"))["needs"]
    assert (need["kind"], need["count"]) == ("secret", 1)
    (found,) = (await ask(host, "memories", "list", filters={"about": "secrets"}))["rows"]
    assert found["text"].startswith("User's staging password")

    assert (await ask(host, "overview", "check"))["needs"] == []
    chain = host.memory_folder() / "chain.jsonl"
    first, *rest = chain.read_text("utf-8").splitlines(keepends=True)
    chain.write_text(first.replace('"seq":1', '"seq":7') + "".join(rest), "utf-8")
    (need,) = (await ask(host, "overview", "check"))["needs"]
    assert need["kind"] == "chain_break" and need["count"] >= 1

    (host.memory_folder() / "ledger_backup.jsonl").unlink()
    found = await ask(host, "overview", "read")
    assert [(one["kind"], one["count"]) for one in found["needs"]] == [("secret", 1), ("no_backup", 3)]
    assert found["backup_at"] is None


async def test_the_list_is_searched_narrowed_ordered_and_cut_into_pages(host: FakeHost) -> None:
    """T-66, C-30: by words in any order, by what stands there, by each axis; what was said last comes first."""
    await learn(host)

    async def texts(**question: Any) -> list[str]:
        answer = await host.call_api("ledger", {"name": "memories.list", **question})
        return [one["text"] for one in answer["rows"]]

    assert await texts() == [CAT, RENT] and await texts(sort="oldest") == [RENT, CAT]
    assert await texts(query="euros rent") == await texts(query="RENT IS 9") == [RENT]
    assert await texts(query="rent cat") == [] and len(await texts(query="user's cat called", by_meaning=True)) == 2
    assert (await texts(query="what is the cat called", by_meaning=True))[0] == CAT
    for name, value, expected in (
        ("source", "agent_inferred", [CAT]),
        ("validity", "confirmed", [RENT]),
        ("utility", "load_bearing", []),
        ("relevance", "active", [CAT, RENT]),
        ("area", "fragments", [CAT, RENT]),
        ("area", "main", []),
        ("tag", "rent", [RENT]),
        ("domain", "law", []),
        ("since", "2020-01-01", [CAT, RENT]),
        ("until", "2020-01-01", []),
    ):
        assert await texts(filters={name: value}) == expected, name
    second = await host.call_api("ledger", {"name": "memories.list", "page": 2, "size": 1, "sort": "quality"})
    assert (second["total"], second["pages"], second["page"]) == (2, 2, 2)
    assert [one["text"] for one in second["rows"]] == [CAT]  # what the user said is worth more
    assert sorted(await texts(page=9)) == sorted([CAT, RENT])  # the last page
    stamps = await ask(host, "memories", "stamps", query="rent")
    assert stamps["rows"] == [{"id": find(host, RENT).id, "stamp": (await row(host, RENT))["stamp"]}]


async def test_one_memory_tells_where_it_comes_from_and_what_became_of_it(host: FakeHost) -> None:
    """C-51, T-70: the words that prove it, when it was believed, what replaced it, and why."""
    await remember(host, "The budget of Falcon is 10000 EUR.", "The budget of Falcon is 10000 EUR")
    await remember(host, "Actually, the budget of Falcon is 12000 EUR.", "The budget of Falcon is 12000 EUR")
    old, new = find(host, "10000").id, find(host, "12000").id
    found = await show(host, "10000")
    assert found["validity"] == "deprecated" and found["replaced_by"] == found["replacement"]["id"] == new
    assert found["proof"] == "The budget of Falcon is 10000 EUR."
    assert [(one["id"], one["what"].partition(":")[0]) for one in found["timeline"]] == [
        (old, "you said so"),
        (new, "you said so"),
        (old, "a rule retired it"),
    ]
    assert "an explicit correction supersedes" in found["timeline"][-1]["what"]
    assert found["can"] == ["restore", "undo", "erase"]
    assert found["replacement"]["text"] == "The budget of Falcon is 12000 EUR"
    (replaced,) = (await show(host, "12000"))["replaces"]
    assert (replaced["id"], replaced["text"]) == (old, "The budget of Falcon is 10000 EUR")
    assert "an explicit correction supersedes" in replaced["why"]
    assert (await row(host, "10000"))["replaced_by"] == new


MEMORY = [{"id": "m000000001", "stamp": "0"}]
PAGES = "overview memories inbox maintenance backup recall vault notes knowledge settings".split()
FOLDERS = [("overview", "read"), *((page, "list") for page in ("memories", "inbox", "vault", "notes", "recall"))]
FOLDERS += [("maintenance", "run"), ("backup", "restore")]
REFUSED: list[tuple[str, Any, str]] = [
    *((page, question, "name is") for page in PAGES for question in ({}, None, [])),
    *(
        (page, {"action": action, "folder": folder}, "folder is")
        for page, action in FOLDERS
        for folder in ("..", "../default", "default/../default", "/etc", "projects/none", "other", "", 3, None)
    ),
    ("memories", {"action": "retire", "memories": MEMORY * 101}, "memories is"),
    ("memories", {"action": "erase", "memories": MEMORY}, "allowed: with sure set to true"),
    ("memories", {"action": "erase", "memories": MEMORY, "sure": "yes"}, "sure is 'yes'"),
    ("backup", {"action": "restore", "memories": ["x"] * 101}, "memories is"),
    ("recall", {"action": "ask", "text": "w" * 2001}, "allowed: a text of 1 to 2000 characters"),
    ("vault", {"action": "add", "text": "w" * 100_001}, "text is"),
    *read_cases(__file__)["refused"],
]


async def test_a_question_of_another_form_gets_a_sentence_and_changes_nothing(host: FakeHost) -> None:
    """C-72: no action by default, none of another folder, none by a GET, which the host hands on with an empty body."""
    await learn(host)
    await rest(host)
    folder = host.root / "usr"
    before = state(host), {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for page, question, expected in REFUSED:
        assert expected in await ask_in_vain(host, page, question), question
    assert state(host) == before[0]
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before[1]


async def test_what_a_memory_says_comes_out_as_plain_text(host: FakeHost) -> None:
    """T-62, T-69: of texts and ids alike, on every page; of a long one the beginning."""
    await learn_two_prices(host)
    documents, memory = host.process.memory().Document, await host.memory()
    for number, text in enumerate(HOSTILE, 3):
        memory_id = f"'\"><b>{text[:60]}"
        document = documents(page_content=text, metadata={"id": memory_id, "area": text[:50]})
        memory.db.add_documents([document], ids=[memory_id])
        (found,) = (await ask(host, "memories", "list", filters={"area": text[:50]}))["rows"]
        assert (found["id"], found["text"], found["area"]) == (memory_id, text[:300], text[:50])
        shown = await ask(host, "memories", "show", id=memory_id)
        assert shown["text"] == text[:100_000] and shown["is_cut"] == (len(text) > 100_000)
        assert (await ask(host, "overview", "read"))["total"] == number
        assert "\n" not in await ask_in_vain(host, "inbox", {"action": text})


async def test_one_folder_knows_nothing_of_another(host: FakeHost) -> None:
    """T-06: neither list nor detail, and no change; the other one is asked by its own name."""
    await learn(host)
    rent = await row(host, RENT)
    use_folder(host, "other")
    await remember(host, "Hello.", CAT)
    before = state(host)
    assert (await ask(host, "memories", "list"))["folders"] == ["default", "other"]
    assert [one["text"] for one in (await ask(host, "memories", "list", folder="other"))["rows"]] == [CAT]
    assert "no longer exists" in await ask_in_vain(
        host, "memories", {"action": "show", "folder": "other", "id": rent["id"]}
    )
    shown = [{"id": rent["id"], "stamp": rent["stamp"]}]
    answer = await ask(host, "memories", "retire", folder="other", memories=shown)
    assert (answer["done"], answer["refused"]) == ([], [{"id": rent["id"], "why": "it no longer exists"}])
    assert state(host) == before


async def test_a_folder_that_no_chat_has_used_yet_can_be_looked_at(host: FakeHost) -> None:
    """T-06: after a restart the page may be the first to open a folder; what it shows is what was saved."""
    await learn(host)
    before = (await row(host, RENT))["stamp"]
    await host.settle()
    await host.restart()
    host.memory_module.Memory.index.clear()
    assert (await row(host, RENT))["stamp"] == before
    assert (await show(host, RENT))["source"] == "user_asserted"


async def test_what_goes_wrong_inside_is_a_sentence(host: FakeHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """C-74: no traceback and no place of the machine, which the host would show whole."""
    await learn(host)
    db = (await host.memory()).db

    def fail(*_: Any) -> Any:
        raise OSError(5, "the disk is gone", str(host.root))

    monkeypatch.setattr(type(db), "get_all_docs", fail)
    for page, action in (("overview", "read"), ("memories", "list")):
        assert await ask_in_vain(host, page, {"action": action}) == (
            "Memory Ledger could not do that; see the server log."
        )


async def test_a_pack_that_is_switched_off_says_so(host: FakeHost) -> None:
    await learn(host)
    configure_pack(host, enabled=False)
    assert "switched off" in await ask_in_vain(host, "overview", {"action": "read"})


async def test_what_the_pack_has_not_read_yet_is_shown_as_that(host: FakeHost) -> None:
    """C-25: who said it, the next hook finds out, which knows the conversation; a page does not guess."""
    await host.turn("Hello.")
    await host.insert(CAT)
    assert (await ask(host, "overview", "read"))["unread"] == 1
    found = await row(host, CAT)
    assert [found[one] for one in ("source", "validity", "utility", "relevance")] == [None] * 4
    assert (await show(host, CAT))["can"] == ["erase"]
    answer = await ask(host, "memories", "retire", memories=[{"id": found["id"], "stamp": found["stamp"]}])
    assert answer["refused"][0]["why"].startswith("it has no status yet")
    assert "classification" not in find(host, CAT).metadata


async def test_the_first_look_begins_with_the_overview(host: FakeHost) -> None:
    """Without a message; what the user says in the open chat is known as that."""
    host.uninstall()
    await host.turn("My cat is called Minka.", fragments=["User's cat is called Minka"])
    await host.finish_memorizing()
    host.install(PACK_ROOT)
    folder = importlib.import_module(f"{PACK}.host.session").open_folder("default")
    assert (await ask(host, "overview", "read"))["is_reading"]
    await asyncio.to_thread(folder.background.join)
    assert (await ask(host, "overview", "read"))["unread"] == 0
    assert find(host, "Minka").metadata["classification"]["source"] == "user_asserted"


async def test_the_event_loop_waits_for_no_file(host: FakeHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """C-74: chats of this process go on while a page is answered."""
    conflict = await learn_two_prices(host)
    page = importlib.import_module("usr.plugins.memory_ledger.helpers.page")
    shown = [{"id": conflict["texts"][1]["id"], "stamp": conflict["texts"][1]["stamp"]}]
    threads = threads_that_open(monkeypatch)
    for question in (
        {"name": "overview.read"},
        {"name": "memories.show", "id": shown[0]["id"]},
        {"name": "memories.retire", "memories": shown},
    ):
        assert (await page.answer(question))["ok"]
    assert threads and threading.main_thread() not in threads


async def test_what_is_read_changes_nothing(host: FakeHost) -> None:
    """C-60: looking is no access."""
    await learn_two_prices(host)
    before = state(host)
    await ask(host, "overview", "read")
    await ask(host, "memories", "list", query="gym", sort="quality")
    await show(host, GYM_NEW)
    await ask(host, "inbox", "list")
    assert state(host) == before and json.dumps(before[0], default=str)
