"""The backup on a page: how old, what could come back, a dry run, and bringing back; what a doctor says (T-64)."""

import asyncio
import importlib
import json
import threading
from typing import Any

from fake_host import FakeHost
from hook_tools import find, remember, rest, wipe
from memory_ledger.store import files
from page_tools import CAT, RENT, answer, ask, ask_in_vain, every_page, lines, state

pytestmark = every_page


async def fill(host: FakeHost) -> None:
    """Two memories, both in the backup."""
    await remember(host, "My rent is 900 euros a month.", RENT)
    await remember(host, "Hello.", CAT)
    await rest(host)


async def lose(host: FakeHost) -> None:
    """Lose the index, and start again without it."""
    await host.settle()
    wipe(host)
    await host.restart()
    await host.memory()


async def finished(host: FakeHost) -> dict[str, Any]:
    """Return what came of an order, once it has ended."""
    while (found := await ask(host, "backup", "state"))["is_working"]:
        await asyncio.sleep(0.02)
    return found["order"]


def texts(found: dict[str, Any]) -> list[str]:
    return sorted(one["text"] for one in found["rows"])


async def test_what_was_lost_comes_back_after_a_dry_run(host: FakeHost) -> None:
    """T-64: ids, texts and status; the request is the operator's, and its answer stays on record."""
    await fill(host)
    ids = {document.page_content: one for one, document in host.docs.items()}
    await lose(host)
    assert dict(host.docs) == {}
    found = await ask(host, "backup", "read")
    assert (found["memories"], found["missing"]) == (0, 2)
    assert texts(await ask(host, "backup", "list")) == sorted([CAT, RENT])
    trial = await ask(host, "backup", "try")
    assert (trial["memories"], trial["records"], trial["retired"]) == (2, 0, 0)
    assert sorted(one["text"] for one in trial["examples"]) == sorted([CAT, RENT]) and dict(host.docs) == {}
    await ask(host, "backup", "restore")
    order = await finished(host)
    assert order["kind"] == "restore" and "2 memories brought back" in order["words"] and order["problems"] == []
    assert {document.page_content: one for one, document in host.docs.items()} == ids
    after = await ask(host, "backup", "read")
    assert after["missing"] == 0 and after["answers"][0]["words"] == order["words"]
    assert {row["by"] for row in lines(host, "ledger_inbox.jsonl") if "by" in row} == {"operator"}
    assert str(host.root) not in json.dumps(after)


async def test_one_deleted_memory_comes_back_by_name_alone(host: FakeHost) -> None:
    """T-64: with who deleted it; it is none of those that are missing."""
    await fill(host)
    gone = find(host, CAT).id
    await (await host.memory()).delete_documents_by_ids([gone])
    found = await ask(host, "backup", "read")
    assert (found["missing"], found["deleted"]) == (0, 1)
    (row,) = (await ask(host, "backup", "list", which="deleted"))["rows"]
    assert (row["id"], row["text"], row["by"]) == (gone, CAT, "host") and row["deleted_at"]
    assert (await ask(host, "backup", "try", memories=[gone]))["memories"] == 1
    await ask(host, "backup", "restore", memories=[gone])
    assert "1 memory brought back" in (await finished(host))["words"]
    assert find(host, CAT).id == gone
    assert "already exists" in await ask_in_vain(host, "backup", {"action": "restore", "memories": [gone]})


async def test_lost_records_of_the_vault_come_back_at_once(host: FakeHost) -> None:
    """V-17: their file needs no host."""
    await fill(host)
    folder = importlib.import_module("usr.plugins.memory_ledger.helpers.host.session").open_folder("default")
    vault = importlib.import_module("usr.plugins.memory_ledger.helpers.cli")
    assert vault.main(["vault", "add", "The door code is kept by Tom.", "--folder", str(folder.store.folder)]) == 0
    (folder.store.folder / files.VAULT_FILE).write_text("")
    (row,) = (await ask(host, "backup", "list"))["rows"]
    assert row["text"] == "The door code is kept by Tom." and row["is_record"]
    assert (await ask(host, "backup", "try"))["records"] == 1
    assert (await ask(host, "backup", "restore"))["records"] == 1
    assert (await ask(host, "backup", "read"))["missing"] == 0


async def test_a_second_order_is_refused_while_the_first_goes_on(host: FakeHost) -> None:
    """One at a time for each folder, whoever began it; nothing is noted down."""
    await fill(host)
    await lose(host)
    folder = importlib.import_module("usr.plugins.memory_ledger.helpers.host.session").open_folder("default")
    go_on = threading.Event()
    folder.carrying_out = threading.Thread(target=go_on.wait, args=(20,))
    folder.carrying_out.start()
    try:
        before = state(host)
        assert (await ask(host, "backup", "state"))["is_working"]
        for action in ("restore", "repair"):
            assert "is being carried out" in await ask_in_vain(host, "backup", {"action": action})
        assert state(host) == before
    finally:
        go_on.set()
        folder.carrying_out.join()
    await ask(host, "backup", "restore")
    assert "2 memories brought back" in (await finished(host))["words"]


async def test_a_break_of_the_chain_is_named_and_healed_on_record(host: FakeHost) -> None:
    """Q-31: the memory that reads otherwise, with its text; signed anew, it is counted no more."""
    await fill(host)
    for text in (CAT, RENT):
        find(host, text).page_content += " So they say."
    assert [one["count"] for one in (await ask(host, "overview", "check"))["needs"]] == [2]
    (need,) = (await ask(host, "inbox", "list", thorough=True))["rows"]
    assert (need["kind"], need["final"], len(need["why"]), need["differs"]) == ("chain_break", ["sign"], 2, [[], []])
    first, second = need["texts"]
    assert (first["id"], first["text"]) == (find(host, RENT).id, f"{RENT} So they say.")
    signed = await ask(host, "inbox", "decide", **answer(need, "sign", sure=True))
    assert (signed["done"], signed["what"]) == ([need["id"]], "all memories are signed anew; 2 breaks are on record")
    assert (await ask(host, "overview", "check"))["needs"] == []
    rows = [one for one in lines(host, files.JOURNAL_FILE) if one["action"] == "sign-anew"]
    wanted = [(one["id"], ["agreed by a person who looked at the breaks"]) for one in (first, second)]
    assert [(one["memory"], one["reasons"]) for one in rows] == wanted
