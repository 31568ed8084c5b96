"""FactConsolidation: facts stored one by one through the real write path, then one question after the other (C-37)."""

from __future__ import annotations

import itertools
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from contradictions_data import Consolidation, cut_fact, read_consolidation, relation_of
from corpus import START, Vectors
from measuring import Goal, Report, Table
from memory_ledger.recall.lexical import LexicalIndex, parse_query, parse_terms
from memory_ledger.settings import Settings
from memory_ledger.store.docstore import Store
from memory_ledger.store.embedded import EmbeddedMemory
from memory_ledger.store.embedding import load_minilm
from stores import GivenVectors, make_adopter

_GOALS = {"6k": 0.99, "32k": 0.96}
_ALL_AT_ONCE = 10_000
_STEP = timedelta(seconds=37)


class _Stored(NamedTuple):
    """What is left of the facts: which positions are in use, which fact retired which, and which two are contested."""

    in_use: list[int]
    retired: dict[int, int]
    contested: set[frozenset[int]]

    def rivals(self, number: int) -> set[int]:
        """The facts of which nobody can say whether they hold or the fact `number`."""
        return {one for pair in self.contested if number in pair for one in pair - {number}}


def run(folder: Path) -> Report:
    """Store and ask both sizes."""
    report = Report()
    table = Table(
        "Facts that supersede each other",
        "FactConsolidation, single hop: facts stored one by one (`Adopter` over an embedded store), then each question "
        "asked of what is still in use: the best match (BM25 and all-MiniLM-L6-v2, fused half and half) must hold an "
        "accepted answer, and nothing in use may say anything else of the same thing, unless it is shown as contested "
        "beside the newest. `contested`: superseded in the data, in use, and shown so: of what some have two of, as "
        "of founders, nothing is retired without a word of change. `stale`: in use, and nobody is told. `false`: "
        "retired, though no later fact speaks against it. `alone`: right, and nothing else in use, contested or not.",
        (
            *("size", "facts", "superseded", "retired", "contested", "stale", "false", "questions", "right", "share"),
            "alone",
        ),
    )
    missed = Table(
        "Questions without the right answer",
        "By number, from 1. `superseded`: a later fact contradicts the accepted answer itself.",
        ("size", "question", "why"),
    )
    model = load_minilm(threads=2)
    for size, goal in _GOALS.items():
        data = read_consolidation(folder, size)
        vectors = np.asarray(model.embed_documents([*data.facts, *data.questions]), dtype=np.float32)
        stored = _store(data, vectors)
        cuts = [cut_fact(fact) for fact in data.facts]
        latest = {head: number for number, (head, _) in enumerate(cuts)}
        superseded = {number for number, cut in enumerate(cuts) if cuts[latest[cut[0]]] != cut}
        kept = superseded & set(stored.in_use)
        told = {one for one in kept for other in stored.rivals(one) if cuts[other] == cuts[latest[cuts[one][0]]]}
        false = {one: by for one, by in stored.retired.items() if one not in superseded}
        wrong = dict(_ask(data, vectors, stored, told))
        alone = len(data.questions) - len(dict(_ask(data, vectors, stored, set())))
        right = len(data.questions) - len(wrong)
        share = right / len(data.questions)
        table.rows.append(
            (
                *(size, f"{len(data.facts):,}", str(len(superseded)), str(len(stored.retired)), str(len(told))),
                *(str(len(kept - told)), str(len(false)), str(len(data.questions)), str(right), f"{share:.2f}"),
                f"{alone / len(data.questions):.2f}",
            )
        )
        missed.rows.extend((size, str(number + 1), why) for number, why in wrong.items())
        missed.rows.extend((size, f"fact {one + 1}", f"retired by fact {by + 1}") for one, by in sorted(false.items()))
        report.goals.append(Goal(f"FactConsolidation {size}: right", f"{goal:.2f}", f"{share:.2f}", share >= goal))
        report.goals.append(Goal(f"FactConsolidation {size}: false", "0", str(len(false)), not false))
    report.tables += [table, missed]
    return report


def _store(data: Consolidation, vectors: Vectors) -> _Stored:
    """Insert and adopt one fact after the other, and read what became of them."""
    settings = Settings()
    ticks = itertools.count()

    def clock() -> datetime:
        return START + next(ticks) * _STEP

    embedder = GivenVectors()
    positions = itertools.count()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "default"
        memory = EmbeddedMemory(folder, embedder, clock=clock, make_id=lambda: f"n{next(positions):09d}")
        store = Store(memory, folder=folder, clock=clock)
        adopter = make_adopter(store)
        adopter.run(settings, limit=_ALL_AT_ONCE)
        ids: list[str] = []
        for number, (fact, vector) in enumerate(zip(data.facts, vectors, strict=False)):
            embedder.by_text = {fact: vector.tolist()}
            ids.append(memory.insert(fact))
            adopter.run(settings, limit=_ALL_AT_ONCE)
            if not number % 250:
                print(f"{data.name}: {number:,} of {len(data.facts):,} facts stored", file=sys.stderr, flush=True)
        position_of = {memory_id: number for number, memory_id in enumerate(ids)}
        memories = [_read(store, memory_id) for memory_id in ids]
        contested = {
            frozenset(position_of[one] for one in conflict.memories)
            for conflict in store.conflicts.get_conflicts(unresolved=True)
        }
        memory.close()
    retired = {
        number: position_of[one.lineage.superseded_by]
        for number, one in enumerate(memories)
        if one.is_deprecated and one.lineage.superseded_by
    }
    return _Stored([number for number, one in enumerate(memories) if not one.is_deprecated], retired, contested)


def _read(store: Store, memory_id: str) -> Any:
    memory = store.read(memory_id)
    if memory is None or memory.lineage is None:
        raise ValueError(f"memory {memory_id} was not adopted")
    return memory


def _ask(data: Consolidation, vectors: Vectors, stored: _Stored, told: set[int]) -> Iterator[tuple[int, str]]:
    """Yield the questions that go wrong, each with the reason; who reads is `told` which facts are contested."""
    texts = [data.facts[one] for one in stored.in_use]
    score_words = _search_by_words(texts)
    dense = vectors[stored.in_use]
    cuts = [cut_fact(fact) for fact in data.facts]
    latest = {head: value for head, value in cuts}
    plain = [one for one in stored.in_use if one not in told]
    for number, (question, accepted) in enumerate(zip(data.questions, data.answers, strict=True)):
        scores = _spread(score_words(question)) + _spread(dense @ vectors[len(data.facts) + number])
        best = stored.in_use[int(np.argmax(scores))]
        head = cuts[best][0]
        said = {other for one, other in cuts if one == head}
        if said.isdisjoint(accepted):
            yield number, "another fact is nearer"
        elif latest[head] not in accepted:
            yield number, "superseded"
        elif {cuts[one][1] for one in plain if cuts[one][0] == head} != {latest[head]}:
            yield number, f"a stale value is in use ({relation_of(data.facts[best])})"


def _search_by_words(texts: Sequence[str]) -> Callable[[str], Any]:
    """Return what scores each of `texts` by the words of a question: the engine's own search by words."""
    index = LexicalIndex()
    for number, text in enumerate(texts):
        index.add(str(number), parse_terms(text))
    everything, places = np.ones(len(texts), dtype=bool), {str(number): number for number in range(len(texts))}
    return lambda question: index.match([parse_query(question)], everything, places).scores[0]


def _spread(scores: Any) -> Any:
    """Return scores from 0 to 1."""
    low, high = float(scores.min()), float(scores.max())
    return (scores - low) / (high - low) if high > low else scores * 0
