"""Links between memories: types, keys, what follows from what is stored, traversal (Q-38 ... Q-42, Q-68, T-31)."""

from dataclasses import replace

import pytest
from core_tools import LATER, NOW, memory
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.quality.conflict_record import ConflictVerdict, Resolver, Strategy, resolve
from memory_ledger.quality.conflicts import open_conflict
from memory_ledger.quality.relationships import (
    Graph,
    RelationshipError,
    all_relationships,
    derived_relationships,
    parse_relationship,
    show_relationship,
)
from memory_ledger.records import Quality, Relationship

OPEN = open_conflict(memory("m1"), memory("m2", "User likes tea"), at=NOW, reasons=("they differ",))


def link(kind: str, target: str, *, is_bidirectional: bool = False) -> Relationship:
    return Relationship(type=kind, target=target, bidirectional=is_bidirectional)


def test_keys_of_a_link() -> None:
    """Q-39: type, target, created, reason, bidirectional; what is not given has its default."""
    given_one = {"type": "causes", "target": "m2", "created": NOW.isoformat(), "reason": "why", "bidirectional": True}
    assert show_relationship(parse_relationship(given_one, source_id="m1", now=LATER)) == given_one
    short = parse_relationship({"type": "part-of", "target": "m2"}, source_id="m1", now=NOW)
    assert show_relationship(short) == {
        "type": "part-of",
        "target": "m2",
        "created": NOW.isoformat(),
        "reason": None,
        "bidirectional": False,
    }
    assert parse_relationship(short, source_id="m1", now=LATER) == short
    assert show_relationship(link("causes", "m2"))["created"] is None


@pytest.mark.parametrize(
    "change",
    [
        *({"type": "hates"}, {"type": None}, {"target": ""}, {"target": "m1"}, {"target": 3}, {"reason": 3}),
        *({"bidirectional": "yes"}, {"created": "once"}, {"weight": 1}),
    ],
)
def test_what_is_no_link_is_refused(change) -> None:
    with pytest.raises(RelationshipError, match=r"relationship of m1: .*; allowed: "):
        parse_relationship({"type": "causes", "target": "m2", **change}, source_id="m1", now=NOW)


def test_what_follows_is_shown() -> None:
    """T-31: supersedes from the lineage, related-to from the links, contradicts from an open conflict."""
    one = memory(lineage={"supersedes": "m3", "supersedes_ids": ("m2", "m3"), "related_memory_ids": ("m4",)})
    found = derived_relationships(one, [OPEN])
    assert [(each.type, each.target) for each in found] == [
        ("supersedes", "m2"),
        ("supersedes", "m3"),
        ("related-to", "m4"),
        ("contradicts", "m2"),
    ]
    assert all(each.bidirectional for each in found)
    assert (found[-1].created, found[-1].reason) == (NOW, "they differ")
    only = memory(lineage={"supersedes": "m3"})
    assert [each.target for each in derived_relationships(only, [])] == ["m3"]
    settled = resolve(OPEN, Strategy.MANUAL, ConflictVerdict.REJECTED, winner=None, at=NOW, by=Resolver.OPERATOR)
    assert derived_relationships(memory(), [settled]) == []
    assert derived_relationships(replace(one, lineage=None), []) == []


def test_nothing_is_shown_twice() -> None:
    stated = (link("supersedes", "m3"), link("causes", "m3"))
    one = replace(memory(lineage={"supersedes": "m3"}), quality=Quality(relationships=stated))
    assert all_relationships(one, []) == list(stated)
    assert len(all_relationships(memory(lineage={"supersedes": "m3"}), [])) == 1


CHAINED = Graph([(str(number), link("causes", str(number + 1))) for number in range(9)])


def test_a_traversal_skips_what_has_gone_and_other_types() -> None:
    assert CHAINED.traverse("0", lambda one: one != "2", depth=3) == ["1"]
    assert CHAINED.traverse("0", lambda one: True, kind="supports", depth=3) == []


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.booleans()), max_size=30), st.integers(0, 8))
def test_a_traversal_ends_and_comes_to_each_memory_once(edges, depth) -> None:
    graph = Graph((str(source), link("causes", str(target), is_bidirectional=both)) for source, target, both in edges)
    found, shorter = (graph.traverse("0", lambda one: True, depth=most) for most in (depth, max(0, depth - 1)))
    assert len(found) == len(set(found)) and "0" not in found and found[: len(shorter)] == shorter
    led_to = {target for one in ("0", *shorter) for _, target in graph.neighbours(one)}
    assert {"0", *found} == {"0"} | (led_to if depth else set())
