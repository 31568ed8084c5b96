"""The model stores, searches and deletes as the contract says (section 4)."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from . import FakeHost

HASHED = ("B", "C", "C+", "D")


@pytest.fixture
def hashed_host(tmp_path: Path) -> Iterator[FakeHost]:
    """A running host of a generation with hash file, scores and cascade."""
    with FakeHost("C+", tmp_path / "a0") as running:
        yield running


def contents(host: FakeHost) -> list[str]:
    """Return the contents of agent 0's store, oldest first."""
    return [doc.page_content for doc in host.docs.values()]


async def test_timestamps_are_naive_until_v1_15(host: FakeHost) -> None:
    """Section 4, "Timestamp": ISO with offset later."""
    await host.insert("a fact")
    (document,) = host.docs.values()
    is_iso = host.machine.traits.iso_timestamps
    assert document.metadata["timestamp"] == ("2026-03-01T12:00:00+00:00" if is_iso else "2026-03-01 12:00:00")


async def test_a_filtered_search_sees_only_the_twenty_nearest(host: FakeHost) -> None:
    """Section 4 and trap 9: the filter is applied after fetch_k = 20; a limit above is pointless."""
    for number in range(25):
        await host.insert(f"alpha beta gamma {number}", area="crowd")
    wanted = await host.insert("alpha delta", area="main")
    memory = await host.memory()
    assert await memory.search_similarity_threshold("alpha beta gamma", 100, 0.1, "area == 'main'") == []
    found = await memory.db.asimilarity_search_with_relevance_scores(
        "alpha beta gamma", k=100, fetch_k=100, filter=lambda metadata: metadata["area"] == "main"
    )
    assert [doc.metadata["id"] for doc, _score in found] == [wanted]
    assert len(await memory.search_similarity_threshold("alpha beta gamma", 100, 0.1, "area == 'crowd'")) == 20


async def test_score_is_half_of_one_plus_cosine(host: FakeHost) -> None:
    """Section 4, "Score" and trap 10: (1 + cos) / 2; numpy until C+, and an int where it was clipped."""
    await host.insert("alpha beta")
    memory = await host.memory()
    found = await memory.db.asimilarity_search_with_relevance_scores("alpha gamma", k=1)
    ((_doc, score),) = found
    assert float(score) == pytest.approx(0.75)
    assert type(score) is (float if host.generation in ("C+", "D") else np.float32)
    ((_doc, full),) = await memory.db.asimilarity_search_with_relevance_scores("alpha beta", k=1)
    assert type(full) in ((float,) if host.generation in ("C+", "D") else (int, np.float32))


async def test_a_foreign_index_file_erases_the_store_from_v18_on(host: FakeHost) -> None:
    """Section 4 and trap 6: a hash that does not match loads nothing and saves an empty index over it."""
    await host.insert("alpha")
    path = host.memory_folder() / "index.faiss"
    other = path.read_bytes()
    await host.insert("beta")
    path.write_bytes(other)
    await host.restart()
    assert contents(host) == ([] if host.generation in HASHED else ["alpha", "beta"])


async def test_deleting_by_ids_with_cascade(hashed_host: FakeHost) -> None:
    """Section 5, "Cascade": whole strings and comma lists at any depth; keys do not count; one step only."""
    lost = await hashed_host.insert("lost")
    kept_keys = await hashed_host.insert("as a key", links={lost: 1})
    kept_prefix = await hashed_host.insert("prefixed", link=f"m:{lost}")
    deep = await hashed_host.insert("deep", lineage={"chain": [{"from": lost}]})
    await hashed_host.insert("comma", sources=f"x,{lost}")
    kept_far = await hashed_host.insert("refers to a derived one", link=deep)
    memory = await hashed_host.memory()
    assert [doc.page_content for doc in await memory.delete_documents_by_ids([lost])] == ["lost"]
    removed = await memory.delete_documents_by_ids([lost], cascade=True)
    assert sorted(doc.page_content for doc in removed) == ["comma", "deep"]
    assert set(hashed_host.docs) == {kept_keys, kept_prefix, kept_far}


async def test_knowledge_files_share_the_index(host: FakeHost) -> None:
    """Section 4: knowledge documents are marked; A1 stores an Enum member as the area of root files."""
    host.write_knowledge("topic.md", "alpha knowledge")
    host.write_knowledge("howto.md", "beta knowledge", area="solutions")
    await host.memory()
    areas = {doc.metadata["source_file"]: doc.metadata["area"] for doc in host.docs.values()}
    assert all(doc.metadata["knowledge_source"] is True for doc in host.docs.values())
    assert areas["howto.md"] == "solutions"
    enum_member = host.memory_module.Memory.Area.MAIN
    assert areas["topic.md"] == (enum_member if host.generation == "A1" else "main")
    found = await (await host.memory()).search_similarity_threshold("alpha", 5, 0.1, "area == 'main'")
    assert len(found) == (0 if host.generation == "A1" else 1)
    await host.restart()
    assert len(host.docs) == 2
