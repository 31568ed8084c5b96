"""Positions, exact search and the columns over them, against plain numpy and the rules of recall."""

import random
from collections import Counter
from datetime import UTC, datetime
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_ledger.recall.eligibility import suppression
from memory_ledger.records import Classification, Lineage, Memory, Relevance, Source, Utility, Validity
from memory_ledger.store.columns import MEMORY_AREA, OTHER_AREA, SOLUTION_AREA, Columns
from memory_ledger.store.docstore import Store
from memory_ledger.store.index import Index

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def vector(box, text: str) -> np.ndarray:
    return np.asarray(box.embedder.vector(text), dtype=np.float32)


def opened(box) -> Index:
    """Return an index over the box that has looked once."""
    index = Index(box.memory.db)
    index.refresh()
    return index


WORDS = st.lists(st.sampled_from("cat dog bird fish tea milk red blue".split()), min_size=1, max_size=4)


@settings(max_examples=30)
@given(
    texts=st.lists(WORDS.map(" ".join), min_size=1, max_size=25),
    query=WORDS.map(" ".join),
    k=st.integers(1, 30),
    data=st.data(),
)
def test_search_equals_brute_force(new_box, texts, query, k, data) -> None:
    """T-52: exactly the nearest of the eligible ones, on the host's scale; ties end with the id."""
    box = new_box()
    ids = [box.insert(text) for text in texts]
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=len(ids), max_size=len(ids))), dtype=np.bool_)
    found = opened(box).search(vector(box, query), k, mask)
    similarity = {
        one: float((1 + vector(box, text) @ vector(box, query)) / 2)
        for one, text, flag in zip(ids, texts, mask, strict=True)
        if flag
    }
    expected = sorted(similarity.values(), reverse=True)[:k]
    assert [score for _, score in found] == pytest.approx(expected, abs=1e-5)
    assert all(score == pytest.approx(similarity[one], abs=1e-5) for one, score in found)
    assert len({one for one, _ in found}) == len(found) == min(k, int(mask.sum()))
    assert found == sorted(found, key=lambda one: (-one[1], one[0]))
    assert all(0.0 <= score <= 1.0 for _, score in found)


def test_ties_end_with_the_id(box) -> None:
    """T-66: equal texts come in the order of their ids, wherever they stand."""
    for _ in range(4):
        box.insert("the same")
    box.update("m0001", "the same")
    index = opened(box)
    assert index.ids[-1] == "m0001"
    found = index.search(vector(box, "the same"), 4, np.ones(4, dtype=np.bool_))
    assert [one for one, _ in found] == ["m0001", "m0002", "m0003", "m0004"]


def test_vectors_of_any_length_stay_on_the_hosts_scale(box) -> None:
    """T-15: a model that does not normalise may exceed it."""
    box.insert("cat")
    box.insert("dog")
    index = opened(box)
    everything = np.ones(2, dtype=np.bool_)
    assert index.search(vector(box, "cat") * 9, 1, everything) == [("m0001", 1.0)]
    assert index.search(vector(box, "cat") * -9, 2, everything)[-1] == ("m0001", 0.0)


def test_positions_follow_insertions_and_deletions(box) -> None:
    ids = [box.insert(text) for text in ("a cat", "a dog", "a bird")]
    index = opened(box)
    assert not index.refresh()
    assert [index.position(one) for one in ids] == [0, 1, 2]
    late = box.insert("a fish")
    assert index.position(late) is None
    assert index.vector(late) is None
    assert not index.refresh()
    assert index.position(late) == 3 == len(index) - 1
    box.delete(ids[0], ids[2])
    assert index.refresh()
    assert index.ids == [ids[1], late]
    assert index.position(ids[0]) is None
    assert index.vector(ids[0]) is None
    calls = len(box.embedder.calls)
    assert index.vector(late).dtype == np.float32
    assert index.vector(late) == pytest.approx(vector(box, "a fish"), abs=1e-6)
    assert len(box.embedder.calls) == calls  # T-65: nothing is embedded to compare a memory with its neighbours
    box.delete(ids[1], late)
    assert index.refresh()
    assert len(index) == 0


def test_a_vector_that_is_no_number_silences_no_other(box) -> None:
    """T-15: it counts as a vector of zeros; else the mean of the store, and with it all evidence, were no number."""
    box.insert("cat")
    box.insert("dog")
    index, cat = box.memory.db.index, vector(box, "cat").reshape(1, -1)
    index.reset()
    index.add(np.concatenate([cat, np.full_like(cat, np.nan)]))
    opened_index = opened(box)
    rows = opened_index.rows([0, 1])
    assert opened_index.similarities(cat, rows).tolist() == [[pytest.approx(1.0), 0.5]]
    assert np.isfinite(np.concatenate(opened_index.centre(cat, rows, opened_index.sample(), 1.0), axis=None)).all()


@pytest.mark.parametrize("length", [1.0, 3.0])
def test_a_text_without_its_vector_stops_no_search(length: float, box) -> None:
    """C-74: the host was killed between its two files, so the index is shorter than the list of texts."""
    first, torn = box.insert("cat"), box.insert("dog")
    index = box.memory.db.index
    index.reset()
    index.add(length * vector(box, "cat").reshape(1, -1))
    opened_index, both = opened(box), np.ones(2, dtype=np.bool_)
    query = vector(box, "cat")
    assert [one for one, _ in opened_index.search(query, 2, both)] == [first]
    similar = opened_index.similarities(query.reshape(1, -1), opened_index.rows([0, 1]))
    assert similar.tolist() == [[pytest.approx(1.0), 0.5]]
    assert opened_index.vector(torn) is None


ROLES = {"coder": frozenset({"coding", "build"}), "cook": frozenset({"food"})}
AREAS = {"main": MEMORY_AREA, "fragments": MEMORY_AREA, "solutions": SOLUTION_AREA, "instruments": OTHER_AREA}
AREAS[""] = OTHER_AREA


def domains_of(role_id: str) -> frozenset[str]:
    """Return the domains of a role of this test."""
    return ROLES.get(role_id, frozenset())


def memory(
    *,
    area: str = "main",
    axes: tuple[Validity, Relevance, Utility, Source] | None,
    place: tuple[str | None, str | None] = (None, None),
) -> Memory:
    """Return a memory; unclassified where `axes` is None."""
    if axes is None:
        return Memory(id="m", text="x", created_at=NOW, area=area)
    status = Classification(**dict(zip(("validity", "relevance", "utility", "source"), axes, strict=True)))
    lineage = Lineage(created_at=NOW, bst_domain=place[0], created_by_role=place[1])
    return Memory(id="m", text="x", created_at=NOW, area=area, classification=status, lineage=lineage)


EVERY_STATUS = list(product(Validity, Relevance, Utility, Source))
EVERY_PLACE = list(product([None, "coding", "food"], [None, "coder", "cook", "unknown"]))
EVERY_ROLE = [None, frozenset[str](), frozenset({"coding"}), frozenset({"food", "build"}), frozenset({"other"})]


@pytest.mark.parametrize("allowed", EVERY_ROLE)
def test_columns_agree_with_the_rules_of_recall(allowed: frozenset[str] | None) -> None:
    """C-54 ... C-56, C-95, C-99: every status in every place and area, under every role."""
    memories = [
        memory(axes=axes, place=place, area=area)
        for axes, place, area in product([None, *EVERY_STATUS], EVERY_PLACE, AREAS)
    ]
    columns = Columns.of_memories(memories)
    for area in (MEMORY_AREA, SOLUTION_AREA):
        expected = [AREAS[one.area] == area and suppression(one, allowed, domains_of) is None for one in memories]
        assert columns.eligible(area, allowed, domains_of).tolist() == expected
    assert columns.in_use().tolist() == [not one.is_deprecated for one in memories]


MEMORIES = st.builds(
    memory,
    axes=st.none() | st.sampled_from(EVERY_STATUS),
    place=st.sampled_from(EVERY_PLACE),
    area=st.sampled_from(sorted(AREAS)),
)


@given(steps=st.lists(st.tuples(st.integers(0, 200), MEMORIES), max_size=60), allowed=st.sampled_from(EVERY_ROLE))
def test_columns_say_what_was_written_last(steps, allowed) -> None:
    """C-61, C-62: growth keeps every row; a row that is written again counts once; what has no status counts not."""
    columns = Columns()
    rows: dict[int, Memory] = {}
    for position, one in steps:
        if position >= len(columns):
            places = np.arange(position + 1)
            places[len(columns) :] = -1
            columns = columns.rearranged(places)
        columns.set(position, one)
        rows[position] = one
    unknown = memory(axes=None)
    expected = [
        AREAS[one.area] == MEMORY_AREA and suppression(one, allowed, domains_of) is None
        for one in (rows.get(position, unknown) for position in range(len(columns)))
    ]
    assert columns.eligible(MEMORY_AREA, allowed, domains_of).tolist() == expected
    statuses = [one.classification for one in rows.values() if one.classification is not None]
    assert columns.count() == Counter((one.validity, one.utility, one.source) for one in statuses)


def test_roles_that_change_are_seen_at_once() -> None:
    """C-52, C-95: domains of a role are looked up at every recall; nothing about them is stored in a row."""
    axes = (Validity.CONFIRMED, Relevance.ACTIVE, Utility.TACTICAL, Source.USER_ASSERTED)
    columns = Columns.of_memories([memory(axes=axes, place=(None, "coder"))])
    assert columns.eligible(MEMORY_AREA, {"food"}, domains_of).tolist() == [False]
    assert columns.eligible(MEMORY_AREA, {"food"}, lambda role_id: frozenset({"food"})).tolist() == [True]


_NAMES = ("validity", "utility", "source", "is_dormant", "area", "created")


def rows(columns: Columns, count: int) -> dict[str, list[float]]:
    """Return what the columns say of the first `count` positions."""
    return {name: getattr(columns, name)[:count].tolist() for name in _NAMES}


def test_rows_are_those_of_a_store_that_reads_everything(box) -> None:
    """T-48, T-43: after deletes, updates and inserts in any order the rows are what a new store makes of the folder."""
    choose, ids = random.Random(7), []
    for step in range(12):
        ids += [box.insert(f"note {step} {number}", area=choose.choice(("main", "solutions"))) for number in range(5)]
        box.store.sweep()
        box.classify(*ids[-4:])
        for memory_id in choose.sample(ids, 2):
            box.delete(memory_id)
            ids.remove(memory_id)
        box.update(choose.choice(ids), f"written anew in step {step}")
        if choose.random() < 0.5:
            box.store.refresh_positions()
        box.store.sweep()
        fresh = Store(box.memory, folder=box.folder, clock=box.clock)
        fresh.refresh_positions()
        assert box.store.index.ids == fresh.index.ids
        assert rows(box.store.columns, len(fresh.index)) == rows(fresh.columns, len(fresh.index))


def test_who_reads_the_rows_goes_on_with_the_old_ones(box) -> None:
    """T-48: health counts without the lock, while another thread follows a delete."""
    ids = [box.insert(f"note {number}") for number in range(3)]
    box.store.sweep()
    box.classify(*ids)
    before = box.store.columns
    counted, shown = before.count(), rows(before, 3)
    box.delete(ids[0])
    box.store.refresh_positions()
    assert (before.count(), rows(before, 3)) == (counted, shown)
    assert box.store.columns.count().total() == 2
