"""The model stores, searches and deletes as the contract says (section 4)."""

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import numpy as np
import pytest

from . import FakeHost, FixedClock, HostCrashed
from .langchain import Document

HASHED = ("B", "C", "C+", "D")


@pytest.fixture
def hashed_host(tmp_path: Path) -> Iterator[FakeHost]:
    """A running host of a generation with hash file, scores and cascade."""
    with FakeHost("C+", tmp_path / "a0") as running:
        yield running


def contents(host: FakeHost) -> list[str]:
    """Return the contents of agent 0's store, oldest first."""
    return [doc.page_content for doc in host.docs.values()]


@pytest.mark.parametrize(
    ("generation", "written"),
    [
        ("A1", "2026-03-01 14:00:00"),
        ("A2", "2026-03-01 14:00:00"),
        ("B", "2026-03-01 14:00:00"),
        ("C", "2026-03-01T14:00:00+02:00"),
        ("C+", "2026-03-01T14:00:00+02:00"),
    ],
)
async def test_timestamps(generation: str, written: str, tmp_path: Path) -> None:
    """Section 4, "Timestamp": naive until v1.15, ISO with offset later."""
    clock = FixedClock(datetime(2026, 3, 1, 14, tzinfo=timezone(timedelta(hours=2))))
    with FakeHost(generation, tmp_path, clock=clock) as host:
        await host.insert("a fact")
        assert [doc.metadata["timestamp"] for doc in host.docs.values()] == [written]


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


async def test_scores_and_embeddings_exist_only_where_the_generation_has_them(host: FakeHost) -> None:
    """Section 4, table: with_scores from v1.8, `embedding` and `embed_query` in C+."""
    memory = await host.memory()
    assert hasattr(memory, "search_similarity_threshold_with_scores") == (host.generation in HASHED)
    assert hasattr(memory, "embed_query") == (host.generation in ("C+", "D"))
    search = memory.search_similarity_threshold
    await host.insert("alpha beta")
    vector = host.embedder.vector("alpha beta")
    if host.generation in ("C+", "D"):
        assert len(await search("unused", 5, 0.9, embedding=vector)) == 1
    else:
        with pytest.raises(TypeError, match="embedding"):
            await search("unused", 5, 0.9, embedding=vector)


async def test_filters_that_cannot_be_evaluated_match_nothing(host: FakeHost) -> None:
    """Section 4, "Filter": a missing key is no match and prints a line; v1.8 on has a whitelist."""
    await host.insert("alpha", area="main", classification={"source": "user"})
    search = (await host.memory()).search_similarity_threshold
    assert await search("alpha", 5, 0.1, "no_such_key == 1") == []
    assert any("no_such_key" in line for line in host.printed)
    assert len(await search("alpha", 5, 0.1, "classification['source'] == 'user'")) == 1
    guarded = "area == 'main' and area != '*'"
    assert len(await search("alpha", 5, 0.1, guarded)) == (0 if host.generation in HASHED else 1)


async def test_an_update_loses_the_document_if_embedding_fails(host: FakeHost) -> None:
    """Section 4, table and trap 7: delete, await, add."""
    new_id = await host.insert("alpha")
    memory = await host.memory()
    changed = Document(page_content="a new text", metadata=dict(host.docs[new_id].metadata))
    host.embedder.fail_next(OSError("no model"))
    with pytest.raises(OSError, match="no model"):
        await memory.update_documents([changed])
    assert host.docs == {}


async def test_a_foreign_index_file_erases_the_store_from_v18_on(host: FakeHost) -> None:
    """Section 4 and trap 6: a hash that does not match loads nothing and saves an empty index over it."""
    await host.insert("alpha")
    path = host.memory_folder() / "index.faiss"
    other = path.read_bytes()
    await host.insert("beta")
    path.write_bytes(other)
    await host.restart()
    assert contents(host) == ([] if host.generation in HASHED else ["alpha", "beta"])


async def test_a_crash_between_the_files_leaves_a_broken_or_an_empty_store(host: FakeHost) -> None:
    """Section 4, "Save is not atomic": later searches fail, or from v1.8 on everything is gone."""
    await host.insert("alpha beta")
    host.die_while_saving("index.faiss")
    with pytest.raises(HostCrashed):
        await host.insert("alpha gamma")
    await host.restart()
    if host.generation in HASHED:
        assert host.docs == {}
        return
    with pytest.raises(KeyError):
        await (await host.memory()).search_similarity_threshold("alpha", 5, 0.1)


async def test_a_reload_leaves_an_orphan_that_overwrites_the_file(host: FakeHost) -> None:
    """Section 4, table: old wrappers keep writing to the object nobody sees."""
    old = await host.memory()
    new = await host.memory_module.Memory.reload(host.agent)
    await new.insert_text("seen", {})
    await old.insert_text("unseen", {})
    assert contents(host) == ["seen"]
    await host.restart()
    assert contents(host) == ["unseen"]


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
