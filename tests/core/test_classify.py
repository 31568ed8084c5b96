"""Classification: axes, lineage and tags by rules alone."""

import json
from pathlib import Path
from typing import Any

import pytest
from case_tables import read_cases
from core_tools import NOW
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.ledger.attribution import Speaker, Utterance, attribute
from memory_ledger.ledger.classify import Circumstances, classify_memory
from memory_ledger.records import Memory, Source, Utility, Validity, parse_memory, write_record
from memory_ledger.settings import Settings

DATA = Path(__file__).resolve().parents[1] / "data" / "classify"
CASES, SETTINGS = read_cases(__file__), Settings()


def user(text: str) -> Utterance:
    return Utterance(Speaker.USER, text)


def agent(text: str) -> Utterance:
    return Utterance(Speaker.AGENT, text)


def note(text: str, **fields: Any) -> Memory:
    """Return a memory that is not classified yet."""
    return Memory(id="m1", text=text, created_at=NOW, **{"area": "fragments", **fields})


@pytest.mark.parametrize(("text", "fields", "said", "expected"), CASES["source_and_validity"])
def test_source_and_validity(text: str, fields: dict[str, Any], said: str, expected: str) -> None:
    """C-15, C-28, C-29, C-98, T-47, T-69: what is known of where it comes from, and what may only lower its status."""
    given = fields | ({"origin": Source(fields["origin"])} if "origin" in fields else {})
    axes = classify_memory(note(text, **given), [user(said)] if said else [], SETTINGS).classification
    assert f"{axes.source}, {axes.validity}" == expected


def test_trusted_origin_is_taken_as_given() -> None:
    """C-29, T-03: where the caller vouches for it, as at a person's own terminal."""
    change = classify_memory(note("x y", origin=Source.USER_ASSERTED), [], SETTINGS, trusts_origin=True)
    assert change.classification.source is Source.USER_ASSERTED


@pytest.mark.parametrize(("text", "keywords", "expected"), CASES["utility"])
def test_utility(text: str, keywords: tuple[str, ...] | None, expected: str) -> None:
    """C-21, C-22, C-23, C-72, C-77, T-10: a strong signal, or tactical (`test_utility`); never archived at first."""
    settings = SETTINGS if keywords is None else Settings(load_bearing_keywords=keywords)
    assert classify_memory(note(text), [user(text)], settings).classification.utility == expected
    of_agent = classify_memory(note(text), [agent(text)], settings).classification.utility
    assert of_agent == (Utility.TACTICAL if text.startswith("My project") else expected)


def test_new_memory_is_active_and_counts_nothing() -> None:
    """C-14, C-17, C-30, C-31, C-32: at write time active, never deprecated, nothing null on an axis."""
    change = classify_memory(note("The user likes tea"), [user("I like tea.")], SETTINGS, cycle=7)
    assert change.classification.relevance.value == "active"
    assert change.classification.validity is not Validity.DEPRECATED
    assert None not in write_record(change.classification).values()
    assert (change.lineage.access_count, change.lineage.last_accessed) == (0, None)
    assert (change.lineage.supersedes, change.lineage.superseded_by) == (None, None)
    assert change.lineage.classified_at_cycle == 7
    assert set(change.why) == {"source", "validity", "utility"}


def test_circumstances_are_those_of_the_turn_that_said_it() -> None:
    """C-36, C-99a, T-01: not those of the turn in which it happened to be found."""
    said = [user("My project uses Python 3.11."), agent("Noted."), user("What is a good tea?")]
    places = [Circumstances(role_id="coder", domain="codegen")] * 2 + [Circumstances(role_id="host", domain="tea")]
    lineage = classify_memory(note("User's project uses Python 3.11"), said, SETTINGS, circumstances=places).lineage
    assert (lineage.created_by_role, lineage.bst_domain) == ("coder", "codegen")
    unknown = classify_memory(note("Zebras eat grass"), said, SETTINGS, circumstances=places)
    assert unknown.lineage.bst_domain in {"codegen", "tea"}


@given(
    st.text(max_size=200), st.lists(st.builds(Utterance, st.sampled_from(Speaker), st.text(max_size=120)), max_size=4)
)
def test_any_text_is_classified_the_same_twice(text: str, said: list[Utterance]) -> None:
    """C-03, C-32: no text breaks it, and the answer depends on nothing else."""
    first = classify_memory(note(text), said, SETTINGS)
    assert classify_memory(note(text), list(said), SETTINGS) == first
    assert len(write_record(first.classification)) >= 4


@given(st.text(max_size=200), st.lists(st.builds(Utterance, st.just(Speaker.AGENT), st.text(max_size=120)), max_size=4))
def test_nothing_becomes_the_users_without_the_user(text: str, said: list[Utterance]) -> None:
    assert not attribute(text, said).is_user


def labelled(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]


def answer(case: dict[str, Any]) -> dict[str, str]:
    """Return the axes that the rules give to a labelled case."""
    if "turns" in case:
        said = [Utterance(Speaker(turn["role"]), turn["text"]) for turn in case["turns"]]
    else:
        said = [user(text) for text in case.get("user_messages", [])]
        said += [agent(text) for text in case.get("agent_messages", [])]
    metadata = {**case.get("metadata", {}), "area": case.get("area", "fragments")}
    memory, _ = parse_memory(case["id"], case["text"], metadata, inserted_at=NOW)
    axes = classify_memory(memory, said, SETTINGS).classification
    return {"source": axes.source.value, "validity": axes.validity.value, "utility": axes.utility.value}


def misses(name: str) -> set[str]:
    return {
        case["id"]
        for case in labelled(name)
        if any(
            answer(case)[axis] != label
            for axis, label in case["expect"].items()
            if axis in ("source", "validity", "utility")
        )
    }


def test_labelled_cases_of_the_development_part() -> None:
    """C-12 ... C-29: labels by somebody who had not seen the rules; what is known to be missed is named."""
    wishes = {"dev-user-keyword-07", "dev-user-summary-08"}  # only asked for, of the task at hand
    assert misses("development") == wishes


def test_labelled_cases_held_back() -> None:
    assert len(labelled("heldout")) - len(misses("heldout")) >= 174
