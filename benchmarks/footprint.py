"""What the ledger adds to each stored memory: in the host's own metadata, and in what is derived from it."""

from __future__ import annotations

import gc
import pickle
import tempfile
import tracemalloc
from pathlib import Path
from typing import Any

from corpus import make_facts, make_vectors
from measuring import Report, Table, clear_caches, format_count
from stores import GivenVectors, classify_all, fill, make_adopter, make_memory, open_store


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


def _traced() -> int:
    clear_caches()
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def _file_size(documents: dict[str, Any]) -> int:
    return len(pickle.dumps(documents))
