"""Classification: axes, lineage and tags by rules alone."""

import json
from pathlib import Path
from typing import Any

import pytest
from core_tools import NOW
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.ledger.attribution import Speaker, Utterance, attribute, confirms
from memory_ledger.ledger.classify import Circumstances, classify_memory
from memory_ledger.records import Memory, Source, Utility, Validity, parse_memory, write_record
from memory_ledger.settings import Settings

DATA = Path(__file__).resolve().parents[1] / "data" / "classify"
SETTINGS = Settings()


def user(text: str) -> Utterance:
    return Utterance(Speaker.USER, text)


def agent(text: str) -> Utterance:
    return Utterance(Speaker.AGENT, text)


def tool(text: str) -> Utterance:
    return Utterance(Speaker.TOOL, text)


def note(text: str, **fields: Any) -> Memory:
    """Return a memory that is not classified yet."""
    return Memory(id="m1", text=text, created_at=NOW, **{"area": "fragments", **fields})


def source_of(text: str, *said: Utterance) -> Source:
    return classify_memory(note(text), said, SETTINGS).classification.source


NOT_THE_USERS = [
    pytest.param("The API uses GraphQL", [user("Does the API use GraphQL?"), agent("Yes.")], id="a question"),
    pytest.param("The API uses GraphQL", [user("does the api use graphql")], id="a question without its mark"),
    pytest.param("The API uses GraphQL", [user("Please check whether the API uses GraphQL.")], id="an order to check"),
    pytest.param("The cache is Redis", [user("Maybe the cache is Redis, I'm not sure.")], id="a guess"),
    pytest.param("The project uses Mongo", [user("What if the project used Mongo?")], id="a hypothesis"),
    pytest.param("The project uses Mongo", [user("Bob said the project uses Mongo.")], id="somebody else's words"),
    pytest.param("The service listens on port 9000", [user("It is port 8443."), agent("Port 9000.")], id="other value"),
    pytest.param("Project uses Redis", [user("The project does not use Redis.")], id="the opposite"),
    pytest.param("Project does not use Redis", [user("The project uses Redis.")], id="the opposite, negated"),
    pytest.param(
        "The build uses Bazel", [agent("The build uses Bazel. Shall I run it?"), user("Yes.")], id="yes to an offer"
    ),
    pytest.param("The build uses Bazel", [agent("The build uses Bazel."), user("No problem.")], id="no problem"),
    pytest.param("The build uses Bazel", [agent("The build uses Bazel."), user("No, that's wrong.")], id="rejected"),
    pytest.param(
        "The build uses Bazel", [agent("The build uses Bazel."), user("Right away, please.")], id="right away"
    ),
    pytest.param("The build uses Bazel", [user("Yes."), agent("The build uses Bazel.")], id="yes before it was said"),
    pytest.param("The disk has 20 GB free", [tool("20 GB free on the disk")], id="C-26 a tool's output"),
    pytest.param("The user is on a thing of the", [user("I am on the thing.")], id="only words that mean nothing"),
    pytest.param("The user's dog is called Rex", [user("My dog is called Max.")], id="another name"),
    pytest.param(
        "The file is probably in /tmp", [agent("The file is probably in /tmp.")], id="C-13 C-78 the agent's guess"
    ),
    pytest.param("User's name is Mara", [user("I met Mara yesterday.")], id="somebody else's name"),
    pytest.param("User's name is Mara", [user("I'm tired, ask Mara.")], id="no introduction"),
    pytest.param("", [user("My project uses Python 3.11.")], id="an empty memory"),
]

THE_USERS = [
    pytest.param("My project uses Python 3.11", [user("My project uses Python 3.11.")], id="C-77 literally"),
    pytest.param("User's project targets Python 3.11", [user("my project uses python 3.11")], id="third person"),
    pytest.param(
        "User's project targets Python 3.11",
        [user("My project uses Python 3.11."), agent("Noted, your project targets Python 3.11.")],
        id="restated by the agent",
    ),
    pytest.param(
        "User lives in Lisbon with two kids",
        [user("I moved to Lisbon."), agent("Nice."), user("My two kids love it here.")],
        id="two messages",
    ),
    pytest.param("The API listens on port 8443", [user("The API listens on port 8,443.")], id="another spelling"),
    pytest.param("The RAM is 32 GB", [user("The ram is 32GB.")], id="unit joined"),
    pytest.param("Meeting is at 15:00 on Friday", [user("The meeting is at 3 pm on Friday.")], id="another clock"),
    pytest.param("Blog is at https://a.example.net", [user("My blog is at https://a.example.net.")], id="C-28 own URL"),
    pytest.param("The build uses Bazel", [agent("The build uses Bazel."), user("Yes, exactly.")], id="C-16 confirmed"),
    pytest.param("The port is 8443", [agent("So the port is 8443, right?"), user("Correct.")], id="C-16 tag question"),
    pytest.param("The budget is 100 EUR", [user("The budget is 100 EUR - can you plan it?")], id="told, then asked"),
    pytest.param("Always notify if the build fails", [user("If the build fails, always notify me.")], id="a condition"),
    pytest.param("User's name is Mara", [user("Hi, I'm Mara and I need help.")], id="an introduction"),
    pytest.param("Der Server heißt Reiher", [user("Mein Server heißt Reiher.")], id="German"),
]


@pytest.mark.parametrize(("text", "said"), NOT_THE_USERS)
def test_what_the_user_did_not_assert(text: str, said: list[Utterance]) -> None:
    """C-13, C-26, T-03: must not become the user's word."""
    assert source_of(text, *said) is Source.AGENT_INFERRED


@pytest.mark.parametrize(("text", "said"), THE_USERS)
def test_what_the_user_asserted(text: str, said: list[Utterance]) -> None:
    """C-12, C-15, C-25, T-03: in whatever words it was written down; confirmed by default."""
    change = classify_memory(note(text), said, SETTINGS)
    assert change.classification.source is Source.USER_ASSERTED
    assert change.classification.validity is Validity.CONFIRMED


@pytest.mark.parametrize(
    ("memory", "said", "source", "validity"),
    [
        pytest.param(note("x y"), [], Source.AGENT_INFERRED, Validity.INFERRED, id="C-15 nothing known"),
        pytest.param(
            note("Rust 1.95 is out: https://blog.example.org"),
            [],
            Source.EXTERNAL_RETRIEVED,
            Validity.INFERRED,
            id="C-98 URL",
        ),
        pytest.param(
            note("As of 2026-02-01 the rate is 4 %"), [], Source.EXTERNAL_RETRIEVED, Validity.INFERRED, id="C-28 dated"
        ),
        pytest.param(
            note("The kickoff is on 2026-02-01"), [], Source.AGENT_INFERRED, Validity.INFERRED, id="C-28 a date alone"
        ),
        pytest.param(
            note("see https://a.example", area="solutions", is_solution=True),
            [user("see https://a.example")],
            Source.AGENT_INFERRED,
            Validity.INFERRED,
            id="C-29 C-98 a solution",
        ),
        pytest.param(
            note("You must read it", is_knowledge=True),
            [user("You must read it")],
            Source.EXTERNAL_RETRIEVED,
            Validity.CONFIRMED,
            id="T-47 knowledge",
        ),
        pytest.param(
            note("x y", origin=Source.EXTERNAL_RETRIEVED),
            [user("x y")],
            Source.EXTERNAL_RETRIEVED,
            Validity.INFERRED,
            id="C-29 an origin that lowers is believed",
        ),
        pytest.param(
            note("x y", origin=Source.USER_ASSERTED),
            [],
            Source.AGENT_INFERRED,
            Validity.INFERRED,
            id="T-69 an origin that raises is not",
        ),
    ],
)
def test_source_and_validity(memory: Memory, said: list[Utterance], source: Source, validity: Validity) -> None:
    """C-15, C-28, C-29, C-98, T-47, T-69."""
    axes = classify_memory(memory, said, SETTINGS).classification
    assert (axes.source, axes.validity) == (source, validity)


def test_trusted_origin_is_taken_as_given() -> None:
    """C-29, T-03: where the caller vouches for it, as at a person's own terminal."""
    change = classify_memory(note("x y", origin=Source.USER_ASSERTED), [], SETTINGS, trusts_origin=True)
    assert change.classification.source is Source.USER_ASSERTED


@pytest.mark.parametrize(
    ("text", "said", "expected"),
    [
        pytest.param("The mustard is never-ending", True, Utility.TACTICAL, id="T-49 parts of words"),
        pytest.param("Never mind the fern", True, Utility.TACTICAL, id="T-49 never mind"),
        pytest.param("Must the port be open?", True, Utility.TACTICAL, id="T-49 a question"),
        pytest.param("A password is not required", True, Utility.TACTICAL, id="T-49 not required"),
        pytest.param("The user likes tea", True, Utility.TACTICAL, id="C-22 a preference"),
        pytest.param("The project uses Python 3.11", False, Utility.TACTICAL, id="T-10 not the user's"),
        pytest.param("The tests MUST pass", True, Utility.LOAD_BEARING, id="C-21 a keyword"),
        pytest.param("Don't deploy on Fridays", True, Utility.LOAD_BEARING, id="C-21 do not"),
        pytest.param("It has two hard requirements", True, Utility.LOAD_BEARING, id="C-21 plural"),
        pytest.param("My project uses Python 3.11", True, Utility.LOAD_BEARING, id="C-77 T-10 a declaration"),
        pytest.param("User's API is built with Go", True, Utility.LOAD_BEARING, id="T-10 in the third person"),
        pytest.param("What for? The fern must be watered.", True, Utility.LOAD_BEARING, id="another sentence"),
    ],
)
def test_utility(text: str, said: bool, expected: Utility) -> None:
    """C-21, C-22, C-77, T-10, T-49: a strong signal, or tactical; archived is never given at write time (C-23)."""
    said_by = [user(text)] if said else [agent(text)]
    change = classify_memory(note(text), said_by, SETTINGS)
    if text.endswith("?"):  # a question asserts nothing; its utility is the point here
        assert change.classification.source is Source.AGENT_INFERRED
    assert change.classification.utility is expected


@pytest.mark.parametrize(
    ("keywords", "text", "expected"),
    [
        ([], "You must", Utility.TACTICAL),
        (["sacred"], "You must", Utility.TACTICAL),
        (["sacred"], "Sunday is sacred", Utility.LOAD_BEARING),
        (["c++ (strict)"], "We use C++ (strict) here", Utility.LOAD_BEARING),
        (["c++ (strict)"], "We use cccc strict here", Utility.TACTICAL),
    ],
)
def test_keywords_are_a_setting(keywords: list[str], text: str, expected: Utility) -> None:
    """C-21, C-72: any words, also none, also with signs in them."""
    settings = Settings(load_bearing_keywords=tuple(keywords))
    assert classify_memory(note(text), [], settings).classification.utility is expected


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


def test_tags_name_domain_utility_and_topics() -> None:
    """E-37, E-82, T-11, C-30: discrete, from the text and the place; of the axes utility alone."""
    places = [Circumstances(role_id="coder", domain="codegen")]
    change = classify_memory(
        note("User's project uses Python 3.11"), [user("My project uses Python 3.11.")], SETTINGS, circumstances=places
    )
    tags = change.classification.tags
    assert {"domain:codegen", "role:coder", "area:fragments", "utility:load_bearing", "project", "python"} <= set(tags)
    assert not [tag for tag in tags if tag.startswith(("validity:", "relevance:", "source:"))]
    assert len([tag for tag in tags if ":" not in tag]) <= 8


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
    """C-25, C-26: however much the agent said."""
    assert not attribute(text, said).is_user


@pytest.mark.parametrize("text", ["Yes, exactly.", "correct", "That's right!", "you're right", "Ja, genau.", "Ok, yes"])
def test_agreement(text: str) -> None:
    """C-16, T-03."""
    assert confirms(text)


@pytest.mark.parametrize(
    "text",
    [
        "no problem",
        "right away",
        "yes please",
        "Yes, but not there",
        "exactly how?",
        "I disagree",
        "correct the typo",
        "",
    ],
)
def test_no_agreement(text: str) -> None:
    """C-16, T-03: must not confirm."""
    assert not confirms(text)


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
    """C-12 ... C-29: nobody tunes on these; the figure may not fall."""
    assert len(labelled("heldout")) - len(misses("heldout")) >= 174
