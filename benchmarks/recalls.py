"""What a recall costs, beside the two searches of the bare host over the same vectors; the embedding is left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from corpus import Vectors
from fake_host.matching import comparator
from measuring import Goal, Report, Samples, Table, format_count, format_ratio, format_seconds
from memory_ledger.clock import system_clock
from memory_ledger.host.recall.search import recall
from memory_ledger.quality.conflicts import open_conflict
from memory_ledger.recall.plan import RecallLimits, RecallPlan, make_plan
from memory_ledger.settings import Settings
from memory_ledger.store.docstore import Store
from stores import GivenVectors

_LIMITS = RecallLimits()
_MOST_FOR_MARKS = 1e-3
_MESSAGE = "Which port does the checkout gateway run on, and who owns it?"
_MEMORIES = "area == 'main' or area == 'fragments'"
_SOLUTIONS = "area == 'solutions'"


def measure_recalls(store: Store, queries: Vectors, size: int) -> Report:
    """Search for each of `queries`, ours and the host's way."""
    host, plain, ours, counted = Samples(), Samples(), Samples(), Samples()
    embedder: GivenVectors = store.db.embedding_function
    filters = [comparator(one) for one in (_MEMORIES, _SOLUTIONS)]
    areas: list[Callable[[dict[str, Any]], bool]] = [
        lambda one: one["area"] in ("main", "fragments"),
        lambda one: one["area"] == "solutions",
    ]
    searches = (_LIMITS.searched_memories, _LIMITS.searched_solutions)

    def search_as_host(tests: Sequence[Callable[[dict[str, Any]], bool]]) -> None:
        for count, test in zip(searches, tests, strict=True):
            store.db.similarity_search_with_relevance_scores(
                "query", k=count, score_threshold=_LIMITS.threshold, filter=test
            )

    plan = make_plan(_MESSAGE, Settings(), system_clock(), limits=_LIMITS, domain="devops")
    shown: list[tuple[str, ...]] = []
    for query in queries:
        embedder.query = query.tolist()
        host.time(lambda: search_as_host(filters))
        plain.time(lambda: search_as_host(areas))
        vectors = np.asarray([embedder.query] * len(plan.variants), dtype=np.float32)
        found = ours.time(lambda: recall(store, vectors, plan))  # noqa: B023 - called at once
        counted.time(lambda: store.count_recall(found.ids))  # noqa: B023 - called at once
        shown.append(found.ids)
    table = Table(
        "Recall",
        f"`recall` (exact search among the eligible memories, selection) for {len(queries)} query vectors, in a worker "
        f"thread. Beside it the two searches of the host: langchain's 20 nearest, then the area filter, which the host "
        f"evaluates as an expression (simpleeval); and the same with a plain Python filter. Counting: one access of "
        f"each memory that was found.",
        ("memories", "ours", "p99", "host", "ours / host", "host, plain filter", "ours / plain", "counting", "p99"),
        [
            (
                format_count(size),
                format_seconds(ours.median),
                format_seconds(ours.p99),
                format_seconds(host.median),
                format_ratio(ours.median, host.median),
                format_seconds(plain.median),
                format_ratio(ours.median, plain.median),
                format_seconds(counted.median),
                format_seconds(counted.p99),
            )
        ],
    )
    report = Report([table])
    report.add(_measure_marks(store, queries, shown, plan, size))
    return report


def _measure_marks(
    store: Store, queries: Vectors, shown: Sequence[Sequence[str]], plan: RecallPlan, size: int
) -> Report:
    """Search again where every memory that is shown may be at odds with another one (C-96)."""
    last = next(one for one in map(store.read, reversed(store.index.ids)) if one and not one.is_solution)
    before, marked, marks = Samples(), Samples(), 0
    vectors = [np.asarray([query.tolist()] * len(plan.variants), dtype=np.float32) for query in queries]
    for one in vectors:
        before.time(lambda: recall(store, one, plan))  # noqa: B023 - called at once
    shown_ids = dict.fromkeys(one for ids in shown for one in ids if one != last.id)
    pairs = ((store.read(one), last) for one in shown_ids)
    at = system_clock()
    store.conflicts.record(
        *(open_conflict(*pair, at=at, reasons=["measured"], is_possible=True) for pair in pairs if pair[0])
    )
    for one in vectors:
        marks += len(marked.time(lambda: recall(store, one, plan)).possible)  # noqa: B023 - called at once
    more = marked.median - before.median
    table = Table(
        "Recall with marks",
        "The same once each memory that these searches bring may be at odds with another one: both are looked up, and "
        "stand side by side.",
        ("memories", "without", "with", "marks a search"),
        [
            (
                format_count(size),
                format_seconds(before.median),
                format_seconds(marked.median),
                f"{marks / len(vectors):.1f}",
            )
        ],
    )
    goal = f"recall with marks takes more, {size:,} memories"
    return Report([table], [Goal(goal, "1.00 ms at most", format_seconds(max(more, 0.0)), more <= _MOST_FOR_MARKS)])
