"""Issue 23, Q-23, Q-25: one memory that says what two say, and loses nothing of either."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from core_tools import AGENT, INFERRED, LATER, NOW, memory
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.clock import EPOCH
from memory_ledger.errors import RequestError
from memory_ledger.inbox import ConflictDecision
from memory_ledger.language.sentences import split_sentences
from memory_ledger.ledger.adopt import fingerprint
from memory_ledger.ledger.changes import Supersede
from memory_ledger.quality.conflict_record import RequestKind
from memory_ledger.quality.merging import merge_memories, merge_texts, merge_values
from memory_ledger.quality.requests import Bring, describe, plan
from memory_ledger.records import Memory, OutdatedPart, Quality, Relationship, Source, Utility, parse_memory

MUCH_LATER = LATER + timedelta(days=9)
MERGE = ConflictDecision(action=RequestKind.MERGE, memories=("a", "b"))


def with_content(one: Memory, content: object) -> Memory:
    """Return a memory with structured content beside its text."""
    return replace(one, content_text=json.dumps(content))


def merged(older: Memory, newer: Memory, **given) -> Memory:
    """Return the memory that a merge brings, as it is read back."""
    found = merge_memories(older, newer, at=MUCH_LATER, **given)
    return parse_memory(found.id, found.text, found.metadata, inserted_at=EPOCH)[0]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        pytest.param("MST", "EST", id="two texts"),
        pytest.param(1, 2, id="two numbers"),
        pytest.param(1, True, id="a number is no flag"),
        pytest.param({"value": {"city": "Oslo", "zip": "0150"}}, {"value": {"city": "Bergen"}}, id="deep inside"),
        pytest.param({"a": 1}, "a", id="an object and a text"),
    ],
)
def test_two_values_of_one_property_are_not_merged(older, newer) -> None:
    """Q-25: who asks is told which value would be two, and what can be done instead."""
    with pytest.raises(RequestError, match=r"the merge.*impossible: .* cannot both hold; allowed: to keep one of them"):
        merge_values(older, newer, "the merge")


@pytest.mark.parametrize(
    ("older", "newer", "expected"),
    [
        pytest.param(None, {"a": 1}, {"a": 1}, id="null says nothing"),
        pytest.param({"a": 1}, {"b": 2}, {"a": 1, "b": 2}, id="properties"),
        pytest.param({"a": {"b": 1}}, {"a": {"c": [2]}}, {"a": {"b": 1, "c": [2]}}, id="properties of properties"),
        pytest.param(["en", "de"], ["fr", "en"], ["en", "de", "fr"], id="lists, the older one first"),
        pytest.param("en", ["de", "en"], ["en", "de"], id="one and several"),
        pytest.param([{"x": 1}], [{"x": 1}, {"x": 2}], [{"x": 1}, {"x": 2}], id="lists of objects"),
        pytest.param([1], [True, 1.0], [1, True], id="a number is no flag, and the same in both its spellings"),
    ],
)
def test_values_are_merged(older, newer, expected) -> None:
    assert json.dumps(merge_values(older, newer, "the merge")) == json.dumps(expected)


_LEAVES = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["a", "b", ""])
VALUES = st.recursive(
    _LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3)
)


def _leaves(value, path=()):
    """Yield every scalar with the properties that lead to it; a list leads nowhere."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _leaves(one, (*path, key))
    elif isinstance(value, list):
        for one in value:
            yield from _leaves(one, path)
    elif value is not None:
        yield path, json.dumps(value)


@given(VALUES, VALUES)
def test_nothing_of_either_value_is_lost(older, newer) -> None:
    """Q-23: or nothing is merged; merging once more changes nothing, and it comes out the same every time."""
    try:
        found = merge_values(older, newer, "x")
    except RequestError:
        assert older is not None and newer is not None and older != newer
        return
    assert {*_leaves(older), *_leaves(newer)} == {*_leaves(found)}
    assert (
        merge_values(found, newer, "x") == merge_values(found, older, "x") == found == merge_values(older, newer, "x")
    )


SENTENCES = st.lists(
    st.sampled_from(["The port is 80.", "The port is 8080.", "Ann leads it!", "the port is 80", "日本語。", "a b"]),
    min_size=1,
)
TEXTS = st.builds(" ".join, SENTENCES) | st.text(min_size=1).filter(lambda text: text.strip())


@given(TEXTS, TEXTS)
def test_no_sentence_of_either_is_lost(older, newer) -> None:
    found = merge_texts(older, newer)
    said = [fingerprint(one) for one in split_sentences(found)]
    assert {fingerprint(one) for text in (older, newer) for one in split_sentences(text)} <= {*said}
    assert merge_texts(found, newer) == merge_texts(found, older) == found


def test_a_number_is_not_part_of_a_longer_one() -> None:
    assert merge_texts("The port is 80", "The port is 8080") == "The port is 80\nThe port is 8080"
    assert merge_texts("Ann leads it. It is late.", "It is late.") == "Ann leads it. It is late."
    assert merge_texts("It is late.", "Ann leads it. It is late.") == "Ann leads it. It is late."


def test_of_a_text_of_which_not_all_is_read_nothing_is_left_out() -> None:
    long = "a. " * 8_000 + "The end is near."
    assert merge_texts(long, "The port is 80.").endswith("The end is near.\nThe port is 80.")
    assert merge_texts(long, long) == long


ONE = replace(
    memory(
        "a", "Ann leads the shop", lineage={"access_count": 2, "last_accessed": NOW, "related_memory_ids": ("b", "c")}
    ),
    quality=Quality(
        confidence=0.9,
        tags=("shop", "people"),
        relationships=(Relationship(type="supports", target="c"), Relationship(type="contradicts", target="b")),
        citedBy=("d",),
    ),
)
OTHER = replace(
    memory("b", "The shop opens at nine", source=AGENT, validity=INFERRED, at=LATER, lineage={"access_count": 3}),
    quality=Quality(tags=("hours", "shop"), relationships=(Relationship(type="part-of", target="e"),)),
)


def test_everything_that_was_stated_of_both_is_kept() -> None:
    """Q-23: tags, links, citations, when it was said; as sure as the less sure one, of the weaker source."""
    found = merged(ONE, OTHER)
    assert found.text == "Ann leads the shop\nThe shop opens at nine"
    assert found.quality.tags == ("shop", "people", "hours")
    assert [(one.type, one.target) for one in found.quality.relationships] == [("supports", "c"), ("part-of", "e")]
    assert found.quality.cited_by == ("d",) and found.quality.confidence == 0.6
    assert (found.classification.source, found.classification.validity) == (AGENT, INFERRED)
    lineage = found.lineage
    assert (lineage.stated_from, lineage.stated_at, lineage.created_at) == (NOW, LATER, MUCH_LATER)
    assert (lineage.access_count, lineage.last_accessed, lineage.related_memory_ids) == (5, NOW, ("c",))


def test_nobodys_guess_becomes_the_users_word() -> None:
    user, guess = memory("a", "Ann leads it"), memory("b", "It is late", source=AGENT, at=LATER)
    assert merged(user, guess).classification.source is merged(guess, user).classification.source is AGENT
    assert merged(user, memory("b", "It is late")).classification.source is Source.USER_ASSERTED


def test_the_more_important_one_counts() -> None:
    heavy = memory("a", "Ann leads it", utility=Utility.LOAD_BEARING)
    for pair in ((heavy, OTHER), (OTHER, heavy)):
        assert merged(*pair).classification.utility is Utility.LOAD_BEARING


def test_what_no_longer_holds_stays_marked() -> None:
    """C-43: a part of either that another memory had ended, and what the two say against each other."""
    known = OutdatedPart(text="Ann leads", by="x", at=NOW)
    found = OutdatedPart(text="The shop opens at nine", by="a", at=LATER)
    one = replace(ONE, lineage=ONE.lineage.model_copy(update={"outdated_parts": (known,)}))
    assert merged(one, OTHER, outdated=[found]).lineage.outdated_parts == (known, found)


def test_structured_contents_become_one() -> None:
    parts = [{"subject": "Ann", "property": "speaks", "value": [one]} for one in ("en", "de")]
    texts = [f'Ann speaks: ["{one}"]' for one in ("en", "de")]
    pair = [with_content(memory(name, text), one) for name, text, one in zip("ab", texts, parts, strict=True)]
    found = merged(*pair)
    assert json.loads(found.content_text) == {"subject": "Ann", "property": "speaks", "value": ["en", "de"]}
    assert found.text == 'Ann speaks: ["en", "de"]'
    beside = with_content(memory("a", "Ann told me."), parts[0])
    assert merged(beside, pair[1]).text == 'Ann told me.\nAnn speaks: ["de"]'
    whole = [memory(name, json.dumps(one)) for name, one in zip("ab", parts, strict=True)]
    assert json.loads(merged(*whole).text)["value"] == ["en", "de"] and merged(*whole).content_text is None


def test_what_is_valid_for_another_time_is_not_merged() -> None:
    ends = replace(ONE, quality=Quality(expires=LATER))
    with pytest.raises(RequestError, match="until different times"):
        merged(ends, OTHER)
    assert merged(ends, replace(OTHER, quality=Quality(expires=LATER))).quality.expires == LATER


def test_the_same_merge_has_the_same_id() -> None:
    assert merge_memories(ONE, OTHER, at=LATER) == merge_memories(ONE, OTHER, at=LATER)
    assert merge_memories(ONE, OTHER, at=LATER).id != merge_memories(ONE, OTHER, at=NOW).id


def test_a_merge_brings_one_memory_and_retires_two() -> None:
    """Q-23: nothing is deleted; where it was carried out in part the rest is carried out."""
    chosen, changes = plan(MERGE, ONE, OTHER, at=MUCH_LATER, cycle=1, to_restore=None)
    bring, *retired = changes
    assert chosen.keep is None and isinstance(bring, Bring)
    assert [(one.loser_id, one.winner_id) for one in retired] == [("a", bring.archived.id), ("b", bring.archived.id)]
    assert describe(changes).startswith(f"{bring.archived.id} says what both say; a is replaced by ")
    new = parse_memory(bring.archived.id, bring.archived.text, bring.archived.metadata, inserted_at=EPOCH)[0]
    lost = Supersede(winner_id=new.id, loser_id="a", at=NOW, cycle=1, rule="Q-23").apply(ONE, new)[0]
    again = plan(MERGE, lost, OTHER, at=MUCH_LATER, cycle=1, to_restore=None)[1]
    assert [one.loser_id for one in again[1:]] == ["b"]


def test_a_piece_of_a_knowledge_file_is_not_merged() -> None:
    with pytest.raises(RequestError, match="a piece of a knowledge file"):
        plan(MERGE, replace(ONE, is_knowledge=True), OTHER, at=MUCH_LATER, cycle=1, to_restore=None)
