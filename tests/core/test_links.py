"""Which memories are linked by their tags, and what stands for one that is not there any more."""

import random
from itertools import combinations

import pytest
from case_tables import read_cases
from core_tools import DEPRECATED, NOW, memory
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.ledger.changes import Repoint, Restore, Supersede
from memory_ledger.maintenance.links import COMMON_COUNT, Tagged, counting_tags, decide_repair, find_heirs, find_links
from memory_ledger.records import Memory
from memory_ledger.setting_groups import RelatedMemories

CASES = read_cases(__file__)

SETTINGS = RelatedMemories()
AXES, PLACE = (
    "validity:confirmed relevance:active source:user_asserted",
    "domain:devops utility:tactical area:main role:coder",
)


def tagged(name: str, tags: str, at: float = 0.0) -> Tagged:
    return Tagged(name, at, tuple(tags.split()))


def links(*memories: Tagged, **settings) -> dict[str, tuple[str, ...]]:
    return find_links(memories, RelatedMemories(**settings))


def oracle(memories: list[Tagged], settings: RelatedMemories) -> dict[str, tuple[str, ...]]:
    """Compare all with all; only for as many memories as make every tag count."""
    assert len(memories) <= COMMON_COUNT
    ranked = sorted(memories, key=lambda one: (-one.written_at, one.memory_id))
    pairs = [
        (-len(counting_tags(one.tags) & counting_tags(other.tags)), newer, older)
        for (newer, one), (older, other) in combinations(enumerate(ranked), 2)
    ]
    found: dict[str, list[str]] = {one.memory_id: [] for one in ranked}
    for overlap, newer, older in sorted(pairs):
        one, other = found[ranked[newer].memory_id], found[ranked[older].memory_id]
        has_room = max(len(one), len(other)) < settings.max_related_per_memory
        if -overlap >= settings.tag_overlap_threshold and has_room:
            one.append(ranked[older].memory_id)
            other.append(ranked[newer].memory_id)
    return {name: tuple(others) for name, others in found.items() if others}


@pytest.mark.parametrize(("one", "other"), CASES["what_is_not_linked"])
def test_what_is_not_linked(one: str, other: str) -> None:
    assert links(tagged("m1", one), tagged("m2", other)) == {}


@pytest.mark.parametrize(("one", "other"), CASES["what_is_linked"])
def test_what_is_linked(one: str, other: str) -> None:
    assert links(tagged("m1", one), tagged("m2", other)) == {"m1": ("m2",), "m2": ("m1",)}


def test_equal_memories_are_linked_in_groups_not_all_to_the_same_few() -> None:
    found = find_links([tagged(f"m{n:03}", "a b c", at=n) for n in range(110)], SETTINGS)
    assert found == {}  # on every one of them: too common
    others = [tagged(f"x{n}", f"x{n}", at=-n) for n in range(11_000)]
    found = find_links([*(tagged(f"m{n:03}", "a b c", at=n) for n in range(110)), *others], SETTINGS)
    assert len(found) == 110
    assert {len(one) for one in found.values()} == {10}


@pytest.mark.parametrize(("count", "is_linked"), [(COMMON_COUNT, True), (COMMON_COUNT + 1, False)])
def test_common_tags_bring_nobody_together(count: int, is_linked: bool) -> None:
    """T-11: what only shares its domain and words with very many is not related; in a small store it is."""
    common = "domain:devops server port"
    found = find_links([tagged(f"m{n:03}", f"{common} own{n}", at=n) for n in range(count)], SETTINGS)
    assert bool(found) is is_linked


def test_a_common_tag_counts_where_a_rare_one_brings_two_together() -> None:
    common = "domain:devops server"
    crowd = [tagged(f"m{n:03}", f"{common} own{n}", at=n) for n in range(200)]
    two = [tagged("a", f"{common} nginx", at=1), tagged("b", f"{common} nginx", at=2)]
    assert find_links([*crowd, *two], SETTINGS) == {"a": ("b",), "b": ("a",)}
    assert find_links([*crowd, *two], RelatedMemories(tag_overlap_threshold=4)) == {}


memories = st.lists(
    st.tuples(st.lists(st.sampled_from("abcdefgh"), max_size=6), st.integers(0, 3)), max_size=COMMON_COUNT
).map(lambda rows: [Tagged(f"m{n:02}", float(at), tuple(tags)) for n, (tags, at) in enumerate(rows)])


@given(memories, st.integers(1, 4), st.integers(0, 6), st.randoms(use_true_random=False))
def test_same_links_as_comparing_all_with_all(
    memories: list[Tagged], threshold: int, most: int, chance: random.Random
) -> None:
    """E-33, E-36, E-68, E-70: in whatever order they come; mutual, never with itself, never longer than allowed."""
    settings = RelatedMemories(tag_overlap_threshold=threshold, max_related_per_memory=most)
    shuffled = list(memories)
    chance.shuffle(shuffled)
    found = find_links(shuffled, settings)
    assert found == oracle(memories, settings)
    for name, others in found.items():
        assert name not in others and len(others) <= most
        assert all(name in found[other] for other in others)


def test_links_are_made_in_small_pieces() -> None:
    """C-68: who links many memories leaves the interpreter to the chats again and again."""
    pauses: list[None] = []
    find_links([tagged(f"m{n}", f"a{n} b{n} c{n}") for n in range(1_000)], SETTINGS, pause=lambda: pauses.append(None))
    assert len(pauses) >= 50


def retired(name: str, winner: str | None, **lineage) -> Memory:
    return memory(name, validity=DEPRECATED, lineage={"superseded_by": winner, **lineage})


def repair(one: Memory, *others: Memory) -> Repoint | None:
    everybody = [one, *others]
    heirs = find_heirs((each.id, each.lineage) for each in everybody)
    return decide_repair(one, heirs, {each.id for each in everybody}.__contains__, at=NOW)


def winner(name: str, supersedes: str | None = None, *others: str) -> Memory:
    """Return a memory that has beaten one last, and others before or beside it."""
    return memory(name, lineage={"supersedes": supersedes, "supersedes_ids": others})


@pytest.mark.parametrize(
    ("one", "others"),
    [
        pytest.param(memory("a"), [], id="T-43 no pointers"),
        pytest.param(retired("a", "b"), [winner("b", "a")], id="T-43 both are there"),
        pytest.param(winner("b", "a"), [retired("a", "b")], id="T-43 both, the other side"),
        pytest.param(retired("a", None), [], id="T-43 nobody knows the winner"),
        pytest.param(winner("x", None, "gone"), [], id="T-43 the record of a merge stays"),
        pytest.param(memory("a", lineage={"related_memory_ids": ["gone"]}), [], id="E-71 links wait for the rebuild"),
    ],
)
def test_what_stays_as_it_is(one: Memory, others: list[Memory]) -> None:
    assert repair(one, *others) is None


@pytest.mark.parametrize(
    ("one", "others", "won", "lost"),
    [
        pytest.param(retired("a", "gone"), [], None, None, id="T-43 winner gone, no heir"),
        pytest.param(retired("a", "gone"), [winner("merged", None, "gone")], "merged", None, id="T-43 merged"),
        pytest.param(retired("a", "b"), [winner("c", "b")], "c", None, id="T-08 the winner was purged"),
        pytest.param(retired("a", "b"), [winner("d", "c", "b", "c"), retired("c", "d")], "d", None, id="T-43 the last"),
        pytest.param(retired("a", None), [winner("b", "a")], "b", None, id="T-43 the winner is back"),
        pytest.param(winner("b", "gone"), [], None, None, id="T-43 loser gone"),
        pytest.param(winner("b", "gone", "a", "gone"), [retired("a", "b")], None, "a", id="T-09 an earlier loser"),
    ],
)
def test_what_is_repaired(one: Memory, others: list[Memory], won: str | None, lost: str | None) -> None:
    change = repair(one, *others)
    assert change is not None
    assert (change.superseded_by, change.supersedes) == (won, lost)
    repaired = change.apply_to(one)
    assert repair(repaired, *others) is None
    assert repaired.classification == one.classification
    before = {one.lineage.supersedes, *one.lineage.supersedes_ids} - {None}
    assert before <= {*repaired.lineage.supersedes_ids, repaired.lineage.supersedes}


def test_ring_of_foreign_pointers_ends() -> None:
    """T-09, T-43: two that claim to have replaced each other, and a third one that names itself."""
    ring = [winner("x", None, "y"), winner("y", None, "x")]
    own = retired("a", "a2", supersedes_ids=["a", "a2"])
    assert repair(retired("b", "y"), *ring) is None
    assert repair(own) is not None and repair(own).superseded_by is None


def test_undo_after_the_winner_has_gone() -> None:
    """T-43, T-70: a memory that names no winner any more comes back for the one that the journal names."""
    loser, winner = memory("a"), memory("b")
    change = Supersede(winner_id="b", loser_id="a", at=NOW, cycle=1, rule="C-47")
    lost = repair(retired("a", "b")).apply_to(change.apply(loser, winner)[0])
    back = Restore(
        memory_id="a",
        winner_id="b",
        at=NOW,
        validity=loser.classification.validity,
        lineage=loser.lineage,
        winner_lineage=winner.lineage,
        rule="person",
    )
    assert back.apply(lost) == (loser,)
