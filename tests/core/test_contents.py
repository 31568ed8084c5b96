"""Structured content: what is read of it, and that it opens a conflict and retires nothing (Q-01, Q-20, Q-62)."""

import json
from dataclasses import replace
from enum import Enum

import pytest
from case_tables import read_cases
from core_tools import AGENT, INFERRED, LATER, json_of, memory
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.claims import Relation, compare_claims
from memory_ledger.clock import EPOCH
from memory_ledger.contents import FORMLESS, Content, parse_content, write_content
from memory_ledger.ledger.claim_index import ClaimIndex
from memory_ledger.ledger.resolve import Outcome, decide_memories, parse_claims
from memory_ledger.records import parse_memory

CASES = read_cases(__file__)

MST = {"subject": "Adam", "property": "timezone", "value": "MST"}


def nested(depth: int) -> dict:
    """Return an object of so many levels."""
    found: dict = {}
    for _ in range(depth):
        found = {"content": found}
    return found


def cyclic() -> dict:
    """Return an object that holds itself, wherever one could look."""
    found = dict(MST)
    found["content"] = found["scope"] = found["value"] = found
    return found


@pytest.mark.parametrize(("text", "metadata"), CASES["content_is_read_where_it_lies"])
def test_content_is_read_where_it_lies(text, metadata) -> None:
    found, problems = parse_memory("a", text, metadata, inserted_at=EPOCH)
    assert (found.content, problems) == (Content(subject="adam", property="timezone", value="MST"), [])


@pytest.mark.parametrize(("value", "expected"), CASES["scalars"])
def test_scalars(value, expected) -> None:
    """Q-20: the same value is the same however JSON writes it; a version is no number."""
    found = parse_content("x", {"content": {**MST, "value": value}})
    assert found is not None and found.value == expected


@pytest.mark.parametrize(
    "stated",
    [
        pytest.param({**MST, "value": ["MST"]}, id="list"),
        pytest.param({**MST, "value": {"zone": "MST"}}, id="object"),
        pytest.param({**MST, "value": None}, id="null"),
        pytest.param({**MST, "value": float("nan")}, id="no number"),
        pytest.param({**MST, "value": float("inf")}, id="infinite"),
        pytest.param({**MST, "value": 10**5000}, id="huge number"),
        pytest.param({**MST, "value": "x" * 1_001}, id="huge text"),
        pytest.param({**MST, "value": "half \ud800"}, id="half a character"),
        pytest.param({**MST, "value": object()}, id="no JSON"),
        pytest.param({**MST, "subject": "s" * 201}, id="huge subject"),
        pytest.param({**MST, "property": ""}, id="no property"),
        pytest.param({**MST, "subject": " "}, id="no subject"),
        pytest.param({"property": "timezone", "value": "MST"}, id="subject missing"),
        pytest.param({**MST, "scope": {"a": 1}}, id="scope that cannot be read"),
        pytest.param({**MST, "scope": ["a", ["b"]]}, id="scope that cannot be read whole"),
        pytest.param({**MST, "scope": list("abcdefghijkl")}, id="huge scope"),
        pytest.param(json.dumps(MST) + " " * 10_000, id="huge JSON"),
        pytest.param("[" * 9_000, id="deep JSON"),
        pytest.param('{"subject": "a", "property": "b", "value": ' + "9" * 5_000 + "}", id="number too long to read"),
        pytest.param("{", id="no JSON text"),
        pytest.param([MST], id="a list"),
        pytest.param(7, id="a number"),
        pytest.param(nested(5_000), id="deep"),
        pytest.param(cyclic(), id="cyclic"),
    ],
)
def test_what_cannot_be_compared_is_no_content(stated) -> None:
    """Q-62: in the metadata or as a text; nothing is raised, whatever is there."""
    found, _ = parse_memory("a", "Adam lives in MST", {"content": stated}, inserted_at=EPOCH)
    assert found.content is None
    if isinstance(stated, str):
        assert parse_content(stated, {}) is None


SCALARS = st.none() | st.booleans() | st.floats() | st.text()


@given(json_of(SCALARS))
def test_any_json_is_safe(value) -> None:
    for found in (
        parse_content(json.dumps(value), {}),
        parse_content("x", {"content": value}),
        parse_content("x", {"content": {"subject": value, "property": "p", "value": 1, "scope": value}}),
    ):
        assert found is None or len(found.subject) <= 200


def stated(memory_id: str, value: object, *, text: str = "", subject: str = "Adam", name: str = "mood", **more):
    """Return a memory that states one thing about Adam's mood, in words that say nothing."""
    content = {"subject": subject, "property": name, "value": value, "scope": more.pop("scope", None)}
    bare = memory(memory_id, text or f"Note {memory_id}", **more)
    return replace(bare, content=parse_content("x", {"content": content}))


@pytest.mark.parametrize("name", ["mood", "timezone", "port", "likes", "favourite colour", "x"])
def test_differing_scalars_are_contested(name: str) -> None:
    """Q-62, C-96: of any property, open, whoever said it and when; no winner. The claim index finds the other one."""
    one = stated("a", "glad", name=name)
    other = stated("b", "sad", name=name, at=LATER, source=AGENT, validity=INFERRED)
    older, newer, decision = decide_memories(one, other)
    assert (older.id, newer.id) == ("a", "b")
    assert (decision.outcome, decision.winner, decision.rule) == (Outcome.CONTEST, None, "Q-62")
    assert decision.reasons[:3] == (f'both speak of the property "{name}" of "adam"', 'older: "glad"', 'newer: "sad"')
    index = ClaimIndex()
    index.add("a", parse_claims(one))
    assert index.candidates(parse_claims(other)) == ["a"]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"value": "glad"}, id="equal"),
        pytest.param({"value": ["sad"]}, id="list"),
        pytest.param({"value": {"now": "sad"}}, id="object"),
        pytest.param({"value": None}, id="null"),
        pytest.param({"value": "sad", "subject": "Eve"}, id="other subject"),
        pytest.param({"value": "sad", "name": "weight"}, id="other property"),
        pytest.param({"value": "sad", "scope": "at work"}, id="other scope"),
        pytest.param({"value": "sad", "scope": ["at work", "mondays"]}, id="narrower scope"),
    ],
)
def test_what_contradicts_nothing(other) -> None:
    one, two = stated("a", "glad"), stated("b", **other, at=LATER)
    assert decide_memories(one, two)[2].outcome is Outcome.COEXIST


class Colour(Enum):
    """What a pickled store may hold where JSON holds a text."""

    RED = "red"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(None, None, id="none"),
        pytest.param("A text", '"A text"', id="a text is no object"),
        pytest.param(json.dumps(MST), json.dumps(json.dumps(MST)), id="nor is JSON text"),
        pytest.param({"b": 1, "a": [None, 1.0]}, '{"a":[null,1.0],"b":1}', id="in one order"),
        pytest.param({"a": (1, 2)}, '{"a":[1,2]}', id="as a backup brings it back"),
        pytest.param({"a": EPOCH, "b": Colour.RED}, '{"a":"1970-01-01T00:00:00+00:00","b":"red"}', id="so as well"),
        pytest.param({1: 2}, '{"1":2}', id="a number for a key"),
        pytest.param("\ud800", '"\\ud800"', id="half a character"),
        pytest.param({1: 2, "a": 3}, FORMLESS, id="no order of the keys"),
        pytest.param({(1, 2): 3}, FORMLESS, id="no key of JSON"),
        pytest.param(cyclic(), FORMLESS, id="holds itself"),
        pytest.param(nested(5_000), FORMLESS, id="deep"),
        pytest.param({"a": object()}, FORMLESS, id="no JSON"),
        pytest.param({"a": float("nan")}, FORMLESS, id="no number"),
    ],
)
def test_one_text_stands_for_content(content, expected) -> None:
    """Q-01, T-30, T-69: of any shape; what has no one form is named so, and disturbs nothing."""
    assert write_content({"content": content}) == expected
    assert parse_memory("m", "", {"content": content}, inserted_at=EPOCH)[0].content_text == expected


def test_one_scope_however_it_is_written() -> None:
    one = stated("a", "glad", scope=["Mondays", "at work"])
    assert decide_memories(one, stated("b", "sad", scope=["at work", "mondays"]))[2].outcome is Outcome.CONTEST
    one = stated("a", "glad", scope="At work")
    assert decide_memories(one, stated("b", "sad", scope=["at work"]))[2].outcome is Outcome.CONTEST


def test_words_decide_where_they_contradict() -> None:
    """Q-62, C-39: the texts are compared as ever, and retire as ever; their structured contents add nothing."""
    one = stated("a", "3.9", text="User's project uses Python 3.9", name="python")
    other = stated("b", "3.11", text="User's project uses Python 3.11", name="python", at=LATER)
    decision = decide_memories(one, other)[2]
    assert (decision.outcome, decision.winner, decision.rule) == (Outcome.SUPERSEDE, "newer", "C-47")
    bare = decide_memories(replace(one, content=None), replace(other, content=None))[2]
    assert decision == bare


def test_words_that_agree_do_not_hide_a_contradiction() -> None:
    text = "User's project uses Python 3.9"
    assert decide_memories(stated("a", 1, text=text), stated("b", 2, text=text))[2].outcome is Outcome.CONTEST
    assert decide_memories(stated("a", 1, text=text), stated("b", 1, text=text))[2].outcome is Outcome.DUPLICATE


def test_words_and_structured_content_are_not_crossed() -> None:
    one = stated("a", 8443, subject="the API", name="port", text="Note")
    other = memory("b", "The API listens on port 8080", at=LATER)
    assert compare_claims(parse_claims(one), parse_claims(other)).relation is Relation.COEXISTS
