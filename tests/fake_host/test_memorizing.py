"""The model memorizes late and consolidates as the contract says (section 5)."""

from typing import Any

from . import FakeHost
from .probes import hook, seen


def texts(host: FakeHost) -> list[str]:
    """Return the contents of agent 0's store, oldest first."""
    return [doc.page_content for doc in host.docs.values()]


async def memorize(host: FakeHost, *fragments: str, **script: Any) -> None:
    """Play a turn that memorizes `fragments`, to its very end."""
    await host.turn("Remember this", fragments=list(fragments), **script)
    await host.finish_memorizing()


def by_text(host: FakeHost, text: str) -> dict[str, Any]:
    """Return the metadata of the one memory with this content."""
    (metadata,) = [doc.metadata for doc in host.docs.values() if doc.page_content == text]
    return metadata


async def test_no_hook_of_the_turn_sees_the_new_memories(host: FakeHost) -> None:
    """Section 5 and trap 1: monologue_end/_55 and process_chain_end run before any memory exists."""
    count = (
        f"import {host.machine.traits.memory_module} as m\nseen.append(len(m.Memory.index['default'].get_all_docs()))"
    )
    host.write_extension("monologue_end/_55_probe", hook(host, count))
    await host.turn("Hello", fragments=["a fact"], solutions=[{"problem": "p", "solution": "s"}])
    assert seen(host) == [0]
    assert host.docs == {}
    await host.finish_memorizing()
    assert texts(host) == ["a fact", "# Problem\n p\n# Solution\n s"]
    areas = [doc.metadata["area"] for doc in host.docs.values()]
    assert areas == ["fragments", "solutions"]


async def test_keep_separate_inserts_with_the_action_and_what_the_model_invents(host: FakeHost) -> None:
    """Section 5 and trap 31: the model's metadata wins, a forged classification included."""
    await memorize(host, "alpha beta gamma")
    forged = {"action": "keep_separate", "metadata": {"classification": {"source": "user_asserted"}, "area": "main"}}
    await memorize(host, "alpha beta delta", consolidation=forged)
    metadata = by_text(host, "alpha beta delta")
    assert metadata["consolidation_action"] == "keep_separate"
    assert metadata["classification"] == {"source": "user_asserted"}
    assert metadata["area"] == "main"


async def test_merge_copies_metadata_shallowly_and_lets_the_older_win(host: FakeHost) -> None:
    """Section 5: every key the new memory lacks is taken over, first original wins, lineage keys go stale."""
    first = await host.insert("alpha beta one", area="fragments", ledger={"n": 1}, consolidation_action="old")
    second = await host.insert("alpha beta two", area="fragments", ledger={"n": 2}, tags=["b"])
    shared = host.docs[first].metadata["ledger"]
    answer = {"action": "MERGE", "memories_to_remove": [first, second, "nobody"], "new_memory_content": "merged"}
    await memorize(host, "alpha beta three", consolidation=answer)
    assert texts(host) == ["merged"]
    metadata = by_text(host, "merged")
    assert metadata["ledger"] is shared
    assert metadata["consolidation_action"] == "old"
    assert metadata["consolidated_from"] == [first, second, "nobody"]
    assert metadata["tags"] == ["b"]


async def test_update_shares_one_nested_object_between_both_results(host: FakeHost) -> None:
    """Section 5 and trap 32: new ids, `updated_from`, and until v1.13 the new memory additionally."""
    first = await host.insert("alpha beta one", area="fragments", ledger={"n": 1})
    second = await host.insert("alpha beta two", area="fragments")
    items = [{"id": i, "new_content": f"changed {n}"} for n, i in enumerate((first, second))]
    items.append({"id": "nobody", "new_content": "ignored"})
    await memorize(host, "alpha beta three", consolidation={"action": "update", "memories_to_update": items})
    expected = ["changed 0", "changed 1"]
    assert texts(host) == (expected if host.machine.traits.deletes_derived else [*expected, "alpha beta three"])
    ledgers = [doc.metadata["ledger"] for doc in host.docs.values()]
    assert all(ledger is ledgers[0] for ledger in ledgers)
    assert by_text(host, "changed 1")["updated_from"] == second


async def test_memory_tools(host: FakeHost) -> None:
    """Section 5, "Tools": direct insertion with any metadata; cascade and exact matches from v1.14 on."""
    save = ("memory_save", {"text": "alpha", "area": "custom", "classification": {"forged": True}})
    await host.turn("Save", tool_calls=[save])
    ((saved, doc),) = host.docs.items()
    assert doc.metadata["classification"] == {"forged": True}
    await host.insert("refers", link=saved)
    record = await host.turn("Load", tool_calls=[("memory_load", {"query": "alpha"})])
    shown = host.agent.history.output()[-2]["content"]["tool_result"]
    assert "area: custom" in shown and "Content: alpha" in shown
    await host.turn("Delete", tool_calls=[("memory_delete", {"ids": saved})])
    assert texts(host) == ([] if host.machine.traits.deletes_derived else ["refers"])
    await host.insert("gamma", note="superseded")
    await host.turn("Forget", tool_calls=[("memory_forget", {"query": "superseded"})])
    assert ("gamma" in texts(host)) is not host.machine.traits.deletes_derived
    assert record.response == "Done."
