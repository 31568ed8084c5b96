"""Which memories are linked by their tags."""

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.ledger.lifecycle import make_tags
from memory_ledger.maintenance.links import COMMON_COUNT, Tagged, counting_tags, find_links
from memory_ledger.records import Utility
from memory_ledger.setting_groups import RelatedMemories

SETTINGS = RelatedMemories()


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


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("a b", "a b", id="E-33 two tags are too few"),
        pytest.param("a b c", "a b d", id="E-33 two of three"),
        pytest.param("", "", id="E-33 no tags"),
        pytest.param("a b a", "b a b", id="E-37 a tag counts once"),
        pytest.param(
            "validity:confirmed relevance:active source:user_asserted a b",
            "validity:confirmed relevance:active source:user_asserted a b",
            id="E-82 axes do not count",
        ),
        pytest.param(
            "domain:devops utility:tactical area:main role:coder nginx",
            "domain:devops utility:tactical area:main role:coder nginx",
            id="E-35 what every memory has is no relation",
        ),
    ],
)
def test_what_is_not_linked(one: str, other: str) -> None:
    assert links(tagged("m1", one), tagged("m2", other)) == {}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("a b c", "c b a", id="E-33 E-68 three"),
        pytest.param("a b c d", "x a y b c", id="E-33 three of many"),
        pytest.param("domain:devops nginx port", "domain:devops nginx port", id="E-82 domain and topics"),
        pytest.param("área:é ñ ü", "área:é ñ ü", id="E-37 any characters"),
    ],
)
def test_what_is_linked(one: str, other: str) -> None:
    assert links(tagged("m1", one), tagged("m2", other)) == {"m1": ("m2",), "m2": ("m1",)}


def test_threshold_is_a_setting() -> None:
    """E-36: `tag_overlap_threshold`."""
    two = tagged("m1", "a b c"), tagged("m2", "a b d")
    assert links(*two, tag_overlap_threshold=2) == {"m1": ("m2",), "m2": ("m1",)}
    assert links(*two, tag_overlap_threshold=3) == {}


def test_strongest_first_then_the_newest_then_by_id() -> None:
    """E-70: the order of a list is what recall cuts it by."""
    one = tagged("m0", "a b c d", at=9)
    others = [
        tagged("old", "a b c x1", at=1),
        tagged("z", "a b d x2", at=5),
        tagged("y", "a c d x3", at=5),
        tagged("strong", "a b c d", at=0),
    ]
    assert links(one, *others)["m0"] == ("strong", "y", "z", "old")


@pytest.mark.parametrize("most", [0, 1, 3, 10])
def test_no_list_is_longer_than_the_setting_on_either_side(most: int) -> None:
    """E-36, E-70: one that would be linked to fifteen keeps the newest; those left out do not name it either."""
    hub = tagged("hub", " ".join(f"t{number}" for number in range(45)), at=0)
    spokes = [tagged(f"s{n:02}", f"t{3 * n} t{3 * n + 1} t{3 * n + 2}", at=n) for n in range(15)]
    found = links(hub, *spokes, max_related_per_memory=most)
    newest = [f"s{n:02}" for n in range(14, 14 - most, -1)]
    assert list(found.get("hub", ())) == newest
    assert {name for name in found if name != "hub"} == set(newest)


def test_equal_memories_are_linked_in_groups_not_all_to_the_same_few() -> None:
    """E-33, E-70: a hundred with the same tags leave none alone."""
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
    """T-11, E-82: two common tags and one topic make three."""
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
    """E-33, E-68, E-70: whatever the order in which they come; mutual, never with itself, never longer than allowed."""
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


def test_tags_of_the_classifier_are_the_same_every_time() -> None:
    """E-37, E-82: discrete and deterministic; domain and words count, what nearly every memory has does not (E-35)."""
    tags = [
        make_tags(
            "The nginx proxy listens on port 8443", utility=Utility.TACTICAL, area="main", domain="devops", role_id="r"
        )
        for _ in range(2)
    ]
    assert tags[0] == tags[1]
    assert {"domain:devops", "utility:tactical", "area:main", "role:r", "nginx"} <= set(tags[0])
    assert counting_tags(tags[0]) == set(tags[0]) - {"utility:tactical", "area:main", "role:r"}
    assert not {tag for tag in tags[0] if tag.startswith(("validity:", "relevance:", "source:"))}
