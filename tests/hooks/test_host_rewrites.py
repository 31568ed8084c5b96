"""What the host does to memories behind the pack: consolidation, deletion, another embedding model, big stores."""

import json

import pytest
from fake_host import FakeHost, HashingEmbedder
from hook_tools import PACK_ROOT, axes, find, learn_two_versions, remember, settle

FIRST, SECOND = "The budget of Falcon is 10000 EUR", "The budget of Falcon is 12000 EUR"


async def budget_is_known(host: FakeHost) -> str:
    await remember(host, "The budget of Falcon is 10000 EUR.", FIRST)
    await settle(host)
    return find(host, "10000").metadata["id"]


async def test_merged_memory_does_not_inherit_a_copied_status(host: FakeHost) -> None:
    """T-43, C-75: the host copies all metadata onto the new text; the ledger derives it anew and keeps the origin."""
    old_id = await budget_is_known(host)
    before = find(host, "10000").metadata["lineage"]
    await host.turn(
        "Falcon again.",
        reply="The budget of Falcon is 12000 EUR (was 10000), I think.",
        fragments=[SECOND],
        consolidation={
            "action": "merge",
            "new_memory_content": "The budget of Falcon is 12000 EUR (was 10000)",
            "memories_to_remove": [old_id],
        },
    )
    await host.finish_memorizing()
    await settle(host)
    merged = find(host, "was 10000")
    assert merged.metadata["classification"]["source"] == "agent_inferred"
    assert merged.metadata["lineage"]["fingerprint"] != before["fingerprint"]
    assert merged.metadata["lineage"]["supersedes_ids"] == [old_id]
    assert merged.metadata["lineage"]["access_count"] == 0


@pytest.mark.parametrize(
    ("merged", "source"),
    [
        ("The Falcon budget is 10000 EUR", "user_asserted"),
        ("The Falcon budget is 10000 EUR as well as vouchers", "agent_inferred"),
    ],
)
async def test_merge_of_the_users_own_words_stays_the_users(host: FakeHost, merged: str, source: str) -> None:
    """T-43, C-25: what the user had asserted in a merged memory counts as said; what a model added to it does not."""
    old_id = await budget_is_known(host)
    for _ in range(25):  # the turn in which it was said leaves the ring
        await host.turn("Hm.")
    await host.turn(
        "Go on.",
        fragments=["The budget of project Falcon is 10000 EUR"],
        consolidation={"action": "merge", "new_memory_content": merged, "memories_to_remove": [old_id]},
    )
    await host.finish_memorizing()
    await settle(host)
    assert axes(find(host, "Falcon budget"))[3] == source


async def test_no_two_documents_share_ledger_metadata(host: FakeHost) -> None:
    """C-30, T-43, contract sections 2 and 4: after an UPDATE the host leaves two with one nested dict; all is JSON."""
    old_id = await budget_is_known(host)
    await host.turn(
        "The budget of Falcon is 12000 EUR.",
        fragments=[SECOND],
        consolidation={
            "action": "update",
            "memories_to_update": [{"id": old_id, "new_content": "Falcon: 10000 EUR then"}],
            "new_memory_content": SECOND,
        },
    )
    await host.finish_memorizing()
    await settle(host)
    for key in ("classification", "lineage"):
        held = [id(document.metadata[key]) for document in host.docs.values()]
        assert len(held) == len(set(held)) >= 1
    for document in host.docs.values():
        plain = {key: document.metadata[key] for key in ("classification", "lineage")}
        assert json.loads(json.dumps(plain)) == plain


@pytest.mark.parametrize("query", ["user", "load_bearing", "superseded_by"])
async def test_forgetting_a_word_of_the_ledger_empties_nothing(host: FakeHost, query: str) -> None:
    """T-61: `memory_forget` also matches metadata text; the ledger's own words are not the user's, the memory's are."""
    await remember(host, "The cat sleeps on the printer.", "The cat sleeps on the printer")
    await remember(host, "You must water the fern.", "One must water the fern")
    await host.turn("Forget it.", tool_calls=[("memory_forget", {"query": query, "threshold": 0.99})])
    assert len(host.docs) == 2
    if host.machine.traits.has_plugins:
        await (await host.memory()).delete_documents_by_query("fern", 0.99, include_exact=True, cascade=True)
        assert [document.page_content for document in host.docs.values()] == ["The cat sleeps on the printer"]


async def test_another_embedding_model_breaks_nothing(host: FakeHost) -> None:
    """design.md (Storage): the host embeds everything anew; status stays, recall goes on."""
    await learn_two_versions(host)
    await settle(host)
    await host.change_embedder(HashingEmbedder(96, name="another/model"))
    record = await host.turn("User's project uses Python")
    assert "3.11" in record.prompt.memories
    assert "3.9" not in record.prompt.memories
    assert axes(find(host, "3.9"))[0] == "deprecated"


async def test_large_store_is_classified_in_the_background(host: FakeHost) -> None:
    """design.md (Storage): nothing new is held up by the first look; progress is shown, nothing is retired."""
    host.uninstall()
    for number in range(170):  # more than a hook waits for, and than one slice of the thread
        await host.insert(f"Shelf {number} holds jar {number % 7}", area="fragments")
    host.install(PACK_ROOT)
    await host.restart()
    await host.turn("Hello.")
    background = [folder for folder in vars((await host.memory()).db).values() if hasattr(folder, "background")]
    thread = background[0].background
    assert thread is not None
    thread.join(timeout=60)
    assert not thread.is_alive()
    assert all("classification" in document.metadata for document in host.docs.values())
    progress = [item for item in host.log if "memories classified" in item.heading]
    assert progress and progress[-1].type == "util"
    assert host.agent._memory_health["by_validity"]["deprecated"] == 0
