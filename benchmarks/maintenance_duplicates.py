"""Deduplication of real sentences with rewordings and corrections among them, and the specification's own way.

Of the memories 5 % reword another one, and 5 % differ from another one in a number only. The sentences and their
vectors are real; where a store is larger than there are sentences, one comes again with another number and a vector
beside the first one (a cosine of about 0.8). A rewording or correction has a vector that is nearer than 0.95.
"""

from __future__ import annotations

import random
import resource
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import faiss
import numpy as np
from corpus import START, Vectors
from langchain_core.documents import Document
from measuring import Goal, Report, Table, format_count, format_ratio, format_seconds
from memory_ledger.host.maintenance.duplicates import DuplicateReport, deduplicate
from memory_ledger.records import Classification, Lineage, Relevance, Source, Utility, Validity
from memory_ledger.settings import Settings
from memory_ledger.store import files
from memory_ledger.store.db import StateName, read_state
from memory_ledger.store.docstore import Store
from memory_ledger.store.embedding import load_minilm
from recall_data import read_conversations
from stores import GivenVectors, add_documents, make_job, make_memory, open_store

_NEW_COUNT = 100
_SHARE = 0.05
_NEIGHBOUR, _NEAR = 0.8, 0.97
# The specification's own way embeds every memory again; so many are timed, and their time is multiplied.
_LARGEST_NAIVE, _TIMED = 10_000, 100
_THRESHOLD, _NEAREST = 0.9, 5
_GOAL_MEDIUM, _GOAL_LARGE, _GOAL_NEW, _GOAL_MEMORY, _GOAL_RATIO = 5.0, 300.0, 1.0, 1024, 20.0
_INFERRED = Classification(
    validity=Validity.INFERRED, relevance=Relevance.ACTIVE, utility=Utility.TACTICAL, source=Source.AGENT_INFERRED
)
_REWORDINGS: tuple[Callable[[str], str], ...] = (
    lambda text: text.rstrip(".!"),
    lambda text: text.replace(" do not ", " don't ").replace(" is not ", " isn't ").replace("  ", " "),
    str.lower,
    str.upper,
    lambda text: f"Note: {text}",
    lambda text: text.replace(" a ", " the ", 1) if text.count(" a ") == 1 else text,
    lambda text: text.replace(" big ", " large ").replace(" kids", " children").replace(" bought ", " purchased "),
    lambda text: f"{text.rstrip('.')}.".replace(" and ", " & "),
)


class _Texts(NamedTuple):
    """Memories to be, with their vectors; `duplicates` and `corrections` are pairs of places."""

    texts: list[str]
    vectors: Vectors
    duplicates: set[frozenset[int]]
    corrections: set[frozenset[int]]


def run(folder: Path, size: int) -> Report:
    """Measure one size: the first pass, then `_NEW_COUNT` new memories, then the specification's own way."""
    model = load_minilm(threads=1)
    made = _make(folder, size + _NEW_COUNT, model)
    with tempfile.TemporaryDirectory() as name:
        memory = make_memory(Path(name) / "default", GivenVectors())
        store = open_store(memory)
        store.end_first_look()
        _add(store, memory, made, 0, size)
        before = _peak_mib()
        first, seconds = _time(store)
        more = _peak_mib() - before
        _add(store, memory, made, size, size + _NEW_COUNT)
        _, new_seconds = _time(store)
        found = _found(store)
    merged = found & made.corrections
    rediscovered = len(found & made.duplicates)
    naive = _naive(made, size, model) if size <= _LARGEST_NAIVE else None
    row = (
        format_count(size),
        format_seconds(seconds),
        "-" if naive is None else format_seconds(naive),
        "-" if naive is None else format_ratio(naive, seconds),
        format_seconds(new_seconds),
        f"{more:.0f} MiB",
        format_count(first.candidates),
        f"{rediscovered} of {len(made.duplicates)}",
        f"{len(merged)} of {len(made.corrections)}",
    )
    table = Table(
        "Duplicates",
        f"{__doc__.split(chr(10) * 2)[1]}\n\nThe specification's own way: each memory is embedded and its {_NEAREST} "
        f"nearest are looked for, one at a time; {_TIMED} of them are timed, and their time is multiplied. `merged "
        "wrongly`: of the pairs that differ in a number only.",
        (
            "memories",
            "first pass",
            "as specified",
            "ratio",
            f"{_NEW_COUNT} new",
            "memory more",
            "pairs above 0.90",
            "duplicates found",
            "merged wrongly",
        ),
        [row],
    )
    return Report([table], _goals(size, seconds, naive, new_seconds, more, made, rediscovered, len(merged)))


def _goals(
    size: int,
    seconds: float,
    naive: float | None,
    new_seconds: float,
    more: float,
    made: _Texts,
    found: int,
    merged: int,
) -> list[Goal]:
    at = f"at {size:,}"
    share = found / max(1, len(made.duplicates))
    goals = [
        Goal(f"duplicates merged wrongly {at}", "0", str(merged), merged == 0),
        Goal(f"duplicates found {at}", "0.80", f"{share:.2f}", share >= 0.8),
    ]
    if size == 10_000 and naive is not None:
        goals.append(Goal(f"first pass {at}", "5 s", format_seconds(seconds), seconds <= _GOAL_MEDIUM))
        goals.append(
            Goal(f"faster than as specified {at}", "20x", format_ratio(naive, seconds), naive >= _GOAL_RATIO * seconds)
        )
    if size == 100_000:
        goals.append(Goal(f"first pass {at}", "5 min", format_seconds(seconds), seconds <= _GOAL_LARGE))
        goals.append(Goal(f"memory more {at}", "1 GiB", f"{more:.0f} MiB", more <= _GOAL_MEMORY))
        goals.append(Goal(f"{_NEW_COUNT} new {at}", "1 s", format_seconds(new_seconds), new_seconds <= _GOAL_NEW))
    return goals


def _make(folder: Path, size: int, model: Any) -> _Texts:
    """Return `size` memories, seeded; the variants stand anywhere behind what they vary."""
    choose, draw = random.Random(5), np.random.default_rng(5)
    sentences = sorted(
        {one.text for each in read_conversations(folder) for kind in each.memories.values() for one in kind}
    )
    choose.shuffle(sentences)
    sentences = sentences[:size]
    known = np.asarray(model.embed_documents(sentences), dtype=np.float32)
    variants = int(_SHARE * size)
    texts: list[str] = []
    vectors = np.zeros((size, known.shape[1]), dtype=np.float32)
    for number in range(size - 2 * variants):
        place = number % len(sentences)
        again = number // len(sentences)
        texts.append(f"{sentences[place]} Item {choose.randrange(10, 1000)} of part {again + 1}.")
        vectors[number] = _beside(known[place], _NEIGHBOUR, draw) if again else known[place]
    duplicates: set[frozenset[int]] = set()
    corrections: set[frozenset[int]] = set()
    for origin in choose.sample(range(len(texts)), 2 * variants):
        place, text = len(texts), texts[origin]
        vectors[place] = _beside(vectors[origin], _NEAR, draw)
        if place % 2:
            texts.append(choose.choice(_REWORDINGS)(text))
            duplicates.add(frozenset((origin, place)))
        else:
            texts.append(text.replace(" Item ", " Item 1", 1))
            corrections.add(frozenset((origin, place)))
    order = [*range(size)]
    choose.shuffle(order)
    place_of = {origin: place for place, origin in enumerate(order)}
    moved = [{frozenset(place_of[one] for one in pair) for pair in pairs} for pairs in (duplicates, corrections)]
    return _Texts([texts[one] for one in order], vectors[order], *moved)


def _beside(vector: Any, cosine: float, draw: np.random.Generator) -> Any:
    """Return a unit vector with about that cosine to a given one."""
    other = draw.standard_normal(len(vector)).astype(np.float32)
    other -= (other @ vector) * vector
    other /= np.linalg.norm(other)
    return cosine * vector + np.sqrt(1 - cosine**2) * other


def _add(store: Store, memory: Any, made: _Texts, start: int, stop: int) -> None:
    """Store some of the memories as the agent's own."""
    documents = {
        _id(place): Document(
            page_content=made.texts[place],
            metadata={"area": "main", "timestamp": (START + place * timedelta(seconds=37)).isoformat()},
        )
        for place in range(start, stop)
    }
    add_documents(memory.db, documents, made.vectors[start:stop])
    store.sweep()
    for one in documents:
        found = store.read(one)
        if found is not None:
            store.put(replace(found, classification=_INFERRED, lineage=Lineage(created_at=found.created_at)))
    store.save()


def _id(place: int) -> str:
    return f"m{place:09d}"


def _time(store: Store) -> tuple[DuplicateReport, float]:
    began = perf_counter()
    settings = Settings(retire_existing=True)  # what was there is not only proposed, so that it can be counted
    report = deduplicate(make_job(store, settings))
    return report, perf_counter() - began


def _found(store: Store) -> set[frozenset[int]]:
    """Return the pairs that were taken for duplicates, whether one has gone already or waits for its turn."""
    waiting = (store.database.read(lambda db: read_state(db, StateName.DUPLICATES)) or {}).get("waiting", [])
    done = [
        (row["memory"], row["winner"])
        for row in files.read_lines(store.folder / files.JOURNAL_FILE)
        if row["action"] == "supersede" and row["rule"].startswith("E-")
    ]
    return {frozenset(int(each[1:]) for each in pair[:2]) for pair in (*waiting, *done)}


def _naive(made: _Texts, size: int, model: Any) -> float:
    """Return how long the specification's own way takes: an embedding and a search for each memory."""
    index = faiss.IndexFlatIP(made.vectors.shape[1])
    index.add(made.vectors[:size])
    began = perf_counter()
    for place, text in enumerate(made.texts[:_TIMED]):
        _search(index, model.embed_query(text), place)
    return (perf_counter() - began) * size / _TIMED


def _search(index: Any, vector: Sequence[float], place: int) -> list[tuple[int, int]]:
    cosines, places = index.search(np.asarray([vector], dtype=np.float32), _NEAREST)
    near = zip(places[0].tolist(), cosines[0].tolist(), strict=True)
    return [(place, other) for other, cosine in near if cosine > _THRESHOLD and other != place]


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
