"""What the ledger adds to each stored memory: in the host's own metadata, and in what is derived from it."""

from __future__ import annotations

import gc
import pickle
import tempfile
import tracemalloc
from pathlib import Path
from typing import Any

from corpus import make_facts, make_vectors
from measuring import Goal, Report, Table, clear_caches, format_count
from memory_ledger.recall.lexical import parse_query
from memory_ledger.settings import Settings
from memory_ledger.store.query_vectors import REMEMBERED_QUERIES, remember_queries
from stores import GivenVectors, classify_all, fill, make_adopter, make_memory, open_store

_MOST_DERIVED, _MOST_BYTES = 1_536, 4_096


def run(size: int) -> Report:
    """Count bytes per memory over a store of `size` memories."""
    facts = make_facts(size)
    with tempfile.TemporaryDirectory() as name:
        memory = make_memory(Path(name) / "default", GivenVectors())
        fill(memory.db, facts, make_vectors(facts))
        documents = memory.db.get_all_docs()
        texts = sum(len(one.page_content.encode()) for one in documents.values())
        bare_file = _file_size(documents)
        tracemalloc.start()
        before = _traced()
        parts: list[Any] = [open_store(memory)]
        parts.append(make_adopter(parts[0]))
        classify_all(parts[0], facts)
        everything = _traced()
        parts.clear()
        metadata_only = _traced()
        tracemalloc.stop()
        full_file = _file_size(documents)
    table = Table(
        "Bytes per memory",
        f"tracemalloc over {size:,} memories of {texts / size:.0f} bytes of text on average, caches emptied; a vector "
        f"of 384 numbers has 1,536 bytes. On disk: the pickled documents, without the ledger and by how much "
        f"they grow.",
        ("metadata in memory", "derived (store, columns, index)", "on disk without", "on disk more"),
        [
            (
                format_count((metadata_only - before) / size),
                format_count((everything - metadata_only) / size),
                format_count(bare_file / size),
                format_count((full_file - bare_file) / size),
            )
        ],
    )
    return Report([table])


def measure_parts(size: int) -> Report:
    """Count bytes per memory of each structure that recall and adoption keep over a store of `size` memories."""
    facts = make_facts(size)
    with tempfile.TemporaryDirectory() as name:
        memory = make_memory(Path(name) / "default", GivenVectors())
        fill(memory.db, facts, make_vectors(facts))
        tracemalloc.start()
        bare = _traced()
        classify_all(open_store(memory), facts)
        metadata = _traced() - bare
        store = open_store(memory)
        adopter = make_adopter(store)
        while not adopter.run(Settings(), limit=1_000).is_done:
            pass
        queries = remember_queries(memory.db)
        for number in range(2 * REMEMBERED_QUERIES):
            queries.embed_query(f"question {number}")
        eligible = store.columns.eligible(None, None, lambda role_id: frozenset())
        store.lexical.match([parse_query(facts[0].text)], eligible, store.index.positions)
        store.index.search(memory.db.index.reconstruct(0), 5, eligible)
        whole = _traced() - bare - metadata
        rows = [(what, _without(owner, names)) for what, owner, names in _structures(store, adopter, memory.db)]
        tracemalloc.stop()
    rows.append(("everything else", whole - sum(count for _, count in rows)))
    rows.append(("derived, together", whole))
    rows.append(("metadata of the ledger", metadata))
    rows.append(("together", whole + metadata))
    table = Table(
        "Bytes per stored memory",
        f"tracemalloc over {size:,} memories, caches emptied, every memory adopted and asked for; no structure holds a "
        f"copy of the vectors, which have 1,536 bytes each.",
        ("what", "bytes per memory"),
        [(what, format_count(count / size)) for what, count in rows],
    )
    derived, everything = whole / size, (whole + metadata) / size
    return Report(
        [table],
        [
            Goal("derived bytes per memory", "1,536 at most", format_count(derived), derived <= _MOST_DERIVED),
            Goal("with the ledger's metadata", "4,096 at most", format_count(everything), everything <= _MOST_BYTES),
        ],
    )


def _structures(store: Any, adopter: Any, db: Any) -> list[tuple[str, Any, tuple[str, ...]]]:
    """Return the structures to be dropped one after the other: what each is called, its owner and its attributes."""
    return [
        ("search by words", store, ("lexical",)),
        ("claim index", adopter.settler, ("_claims",)),
        ("lengths of the vectors", store.index, ("_lengths",)),
        ("index positions", store.index, ("ids", "_positions", "_map")),
        ("columns", store, ("rows",)),
        ("documents seen", store, ("_seen",)),
        ("query vectors", db, ("embedding_function",)),
    ]


def _without(owner: Any, names: tuple[str, ...]) -> int:
    """Return how many bytes are free after the attributes of `owner` are gone."""
    before = _traced()
    for name in names:
        setattr(owner, name, None)
    return before - _traced()


def _traced() -> int:
    clear_caches()
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def _file_size(documents: dict[str, Any]) -> int:
    return len(pickle.dumps(documents))
