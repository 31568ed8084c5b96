"""The log of what was recalled together: entries, eviction, cluster candidates, and the form in which it is stored."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Any

import pytest
from case_tables import read_case
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.maintenance.co_retrieval import (
    CoRetrievalEntry,
    CoRetrievals,
    append_entries,
    find_clusters,
    parse_pair_entry,
    promote_clusters,
    read_log,
    without_memory,
    write_log,
)

NOW = datetime(2026, 2, 20, 5, 0, tzinfo=UTC)
SPECIFIED = json.loads(read_case(__file__, "co_retrieval.json"))


def entry(ids: str, cycle: int = 1, **values: Any) -> CoRetrievalEntry:
    """Return a recall of the memories `ids`, each a letter, so many hours after NOW as its cycle says."""
    return CoRetrievalEntry(at=NOW + timedelta(hours=cycle), memory_ids=tuple(ids), cycle=cycle, **values)


def log(*entries: CoRetrievalEntry, max_entries: int = 500, **values: Any) -> CoRetrievals:
    """Return a log of these entries."""
    return append_entries(CoRetrievals(max_entries=max_entries, **values), entries)


def pairs(found: Iterable[dict[str, Any]]) -> dict[str, int]:
    """Return the candidates as "ab": count."""
    return {"".join(one["memory_ids"]): one["co_retrieval_count"] for one in found}


def test_form_is_the_specified_one() -> None:
    """E-27 ... E-29: the specification's own example is read, and comes back key for key."""
    found = read_log(SPECIFIED, max_entries=3)
    assert found.entries == (
        CoRetrievalEntry(at=NOW, query_domain="codegen", memory_ids=("abc123", "def456", "ghi789"), cycle=42),
    )
    assert json.loads(write_log(found)) == SPECIFIED
    assert list(json.loads(write_log(found))) == list(SPECIFIED)
    assert json.loads(write_log(log())) == {"max_entries": 500, "entries": [], "cluster_candidates": []}


def test_entry_of_a_recall_has_the_specified_keys() -> None:
    """E-28, E-65: whole seconds in UTC with Z, the domain or null; another folder's entry names it besides."""
    at = datetime.fromisoformat("2026-02-20T07:00:00.987+02:00")
    one = CoRetrievalEntry(at=at, memory_ids=("b", "a"), cycle=7)
    row = {"timestamp": "2026-02-20T05:00:00Z", "query_domain": None, "memory_ids": ["b", "a"], "cycle": 7}
    assert one.to_row() == row
    assert replace(one, memory_subdir="projects/x").to_row() == {**row, "memory_subdir": "projects/x"}


@pytest.mark.parametrize("value", json.loads(read_case(__file__, "co_retrieval_damaged.json")))
def test_what_is_not_as_specified_is_refused(value: object) -> None:
    with pytest.raises(ValueError):
        read_log(value, max_entries=3)


@pytest.mark.parametrize("row", [None, 7, [], "x", {}])
def test_what_is_no_entry_is_none(row: object) -> None:
    assert parse_pair_entry(row) is None


SUBDIRS = st.sampled_from(["default", "projects/x"])
ENTRIES = st.lists(
    st.builds(
        CoRetrievalEntry,
        at=st.integers(0, 10_000).map(lambda minutes: NOW + timedelta(minutes=minutes)),
        memory_ids=st.lists(st.sampled_from("abcdef"), max_size=5).map(tuple),
        cycle=st.integers(0, 99),
        query_domain=st.none() | st.text(max_size=3),
        memory_subdir=SUBDIRS,
    ),
    max_size=40,
)


@given(entries=ENTRIES, cut=st.integers(0, 40), max_entries=st.integers(1, 12))
def test_oldest_go_first_in_each_folder(entries, cut, max_entries) -> None:
    """E-30, E-66: never more than the cap of one folder, always its latest, however they arrive."""
    whole = log(*entries, max_entries=max_entries)
    for subdir in ("default", "projects/x"):
        own = [one for one in entries if one.memory_subdir == subdir]
        assert [one for one in whole.entries if one.memory_subdir == subdir] == own[-max_entries:]
    assert append_entries(log(*entries[:cut], max_entries=max_entries), entries[cut:]) == whole


@given(entries=ENTRIES, max_entries=st.integers(1, 50), threshold=st.integers(1, 3))
def test_log_comes_back_as_it_was_written(entries, max_entries, threshold) -> None:
    """E-27 ... E-29, E-48."""
    whole = promote_clusters(log(*entries, max_entries=max_entries), "default", threshold)
    assert read_log(json.loads(write_log(whole)), max_entries=7) == whole


@given(entries=ENTRIES, threshold=st.integers(1, 6))
def test_counts_are_those_of_a_naive_recount(entries, threshold) -> None:
    """E-31, E-67, T-07: every pair above the threshold, and no other; the most frequent first, then by id."""
    own = [one for one in entries if one.memory_subdir == "default"]
    naive = Counter(pair for one in own for pair in combinations(sorted(set(one.memory_ids)), 2))
    expected = {"".join(pair): count for pair, count in naive.items() if count > threshold}
    found = find_clusters(own, threshold)
    assert pairs(found) == expected
    assert found == sorted(found, key=lambda one: (-one["co_retrieval_count"], one["memory_ids"]))
    assert find_clusters(own[::-1], threshold) == found


def test_clusters_are_a_folders_own() -> None:
    """E-31: the same ids in two folders are two pairs, and each folder names its own."""
    here = [entry("ab", cycle) for cycle in range(1, 4)]
    there = [entry("ab", cycle, memory_subdir="projects/x") for cycle in range(4, 7)]
    whole = log(*here, *there)
    assert promote_clusters(whole, "default", 3).candidates == ()
    both = promote_clusters(promote_clusters(whole, "projects/x", 2), "default", 2)
    found = [(one.get("memory_subdir"), one["co_retrieval_count"]) for one in both.candidates]
    assert found == [("projects/x", 3), (None, 3)]


def test_promotion_changes_candidates_only_and_only_once() -> None:
    """E-32: nothing follows from a candidate; a second run finds the same."""
    whole = log(*(entry("abc", cycle) for cycle in range(1, 8)))
    once = promote_clusters(whole, "default", 5)
    assert pairs(once.candidates) == {"ab": 7, "ac": 7, "bc": 7}
    assert replace(once, candidates=()) == whole
    assert promote_clusters(once, "default", 5) == once


def test_pair_goes_with_its_entries_and_keeps_when_it_was_first_seen() -> None:
    """T-07: a candidate can be counted again at any time; `first_seen` outlives the entry that it came from."""
    full = promote_clusters(log(*(entry("ab", cycle) for cycle in range(1, 8)), max_entries=7), "default", 5)
    later = promote_clusters(append_entries(full, [entry("c", 8)]), "default", 5)
    (still,) = later.candidates
    assert (still["co_retrieval_count"], still["first_seen"]) == (6, "2026-02-20T06:00:00Z")
    gone = promote_clusters(append_entries(later, [entry("c", 9)]), "default", 5)
    assert gone.candidates == ()


def test_erased_memory_is_in_no_entry_and_no_candidate() -> None:
    full = promote_clusters(log(*(entry("abc", cycle) for cycle in range(1, 8))), "default", 5)
    left = without_memory(full, "a")
    assert [one.memory_ids for one in left.entries] == [("b", "c")] * 7
    assert [one["memory_ids"] for one in left.candidates] == [["b", "c"]]
    assert without_memory(left, "a") == left
