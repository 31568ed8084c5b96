"""A message is read as the sentences that speak to the agent (T-66), and becomes up to three questions as specified."""

import re

import pytest
from case_tables import read_cases
from core_tools import NOW
from hypothesis import example, given
from hypothesis import strategies as st
from memory_ledger.language.words import STOPWORDS
from memory_ledger.recall.plan import MOST_SENTENCES, RecallLimits, make_plan, make_variants, split_message, widen
from memory_ledger.setting_groups import QueryExpansion
from memory_ledger.settings import Settings

CASES = read_cases(__file__)

MESSAGE = "Which port does the staging server of Heron use?"


def asked(query: str, domain: str | None, **settings: object) -> list[tuple[str, str]]:
    return [(one.name, one.text) for one in make_variants(query, domain, QueryExpansion.model_validate(settings))]


@pytest.mark.parametrize(("query", "domain", "settings"), CASES["message_alone"])
def test_message_alone(query: str, domain: str | None, settings: dict[str, object]) -> None:
    assert asked(query, domain, **settings) == [("original", query)]


@pytest.mark.parametrize(("domain", "settings", "expected"), CASES["variants"])
def test_variants(domain: str | None, settings: dict[str, object], expected: dict[str, str]) -> None:
    """E-10, E-11, E-16, E-17, E-53: keywords in their order, the domain before them; the message comes first."""
    assert asked(MESSAGE, domain, **settings) == [("original", MESSAGE), *expected.items()]


@example("One two THREE four five six seven eight nine ten eleven twelve thirteen fourteen fifteen", "d", 12)
@given(
    st.text(max_size=200) | st.lists(st.sampled_from(sorted(STOPWORDS) + MESSAGE.split())).map(" ".join),
    st.none() | st.text(max_size=9),
    st.integers(1, 14),
)
def test_variants_are_the_specifications(query: str, domain: str | None, most: int) -> None:
    """E-09 ... E-11, E-15, E-52, E-86: written down here once more, from the specification's own words."""
    words = [word for word in re.findall(r"\b\w+\b", query.lower()) if word not in STOPWORDS and len(word) > 2]
    keywords = " ".join(words[:most])
    expected = [query]
    if keywords:
        expected += [keywords, *([f"{domain}: {keywords}"] if domain else [])]
    assert [text for _, text in asked(query, domain, max_keywords=most)] == expected


def plan(settings: Settings | None = None, *, is_enhanced: bool = True, **limits: float):
    return make_plan(
        MESSAGE,
        settings or Settings(),
        NOW,
        limits=RecallLimits(**limits),  # type: ignore[arg-type]
        domain="devops",
        is_enhanced=is_enhanced,
    )


@pytest.mark.parametrize(
    ("injected", "configured", "expected"), [(4, 8, 8), (8, 8, 8), (8, 20, 20), (8, 3, 8), (12, 8, 12)]
)
def test_each_variant_brings_as_many_as_may_be_injected(injected: int, configured: int, expected: int) -> None:
    """E-04, E-12, E-79: eight of each variant; more only where more may be injected than that."""
    settings = Settings(query_expansion=QueryExpansion(retrieval_k_per_variant=configured))
    assert plan(settings, injected=injected).per_variant == expected


def test_classification_asks_with_the_message_alone() -> None:
    """C-94: without the enhancement there is one question, and words are not looked for."""
    own = plan(is_enhanced=False)
    assert [one.text for one in own.variants] == [MESSAGE]
    assert not own.uses_words
    assert own.sentences == {}


def test_each_sentence_is_asked_behind_the_variants() -> None:
    """T-66: by the number of its variant; a message of one sentence is the original."""
    asked = make_plan("It rains. Which port?", Settings(), NOW, limits=RecallLimits())
    names = [(one.name, one.text) for one in asked.variants[-2:]]
    assert names == [("sentence", "It rains."), ("sentence", "Which port?")]
    first = len(asked.variants) - 2
    assert {at: one.text for at, one in asked.sentences.items()} == {first: "It rains.", first + 1: "Which port?"}
    assert list(plan().sentences) == [0]


def test_the_users_own_words_are_asked_beside_those_of_a_model() -> None:
    """T-65, T-66: a model's query asks, though it has no mark, and what the user wrote may ask for more."""
    asked = make_plan("port of staging", Settings(), NOW, limits=RecallLimits(), message="It rains. Which port?")
    assert asked.variants[0].text == asked.sentences[0].text == "port of staging" and asked.sentences[0].asks
    assert [one.text for one in list(asked.sentences.values())[1:]] == ["It rains.", "Which port?"]
    same = make_plan("Which port?", Settings(), NOW, limits=RecallLimits(), message="Which port?")
    assert list(same.sentences) == [0]


def test_without_the_expansion_the_message_is_asked_as_a_whole() -> None:
    """E-16: `query_expansion.enabled: false` leaves only the original query, and its words are evidence."""
    settings = Settings(query_expansion=QueryExpansion(enabled=False))
    asked = make_plan("It rains. Which port?", settings, NOW, limits=RecallLimits())
    assert [one.text for one in asked.variants] == ["It rains. Which port?"]
    assert [one.text for one in asked.sentences.values()] == ["It rains. Which port?"]


def test_by_meaning_alone_the_variants_are_the_specifications() -> None:
    silent = Settings.model_validate({"lexical": {"enabled": False}})
    asked = make_plan("It rains. Which port?", silent, NOW, limits=RecallLimits())
    assert "sentence" not in {one.name for one in asked.variants}
    assert asked.sentences == {}


def test_a_number_that_is_asked_for_replaces_every_cap() -> None:
    limits = widen(RecallLimits(threshold=0.6), 30)
    assert (limits.injected, limits.solutions, limits.threshold) == (30, 30, 0.6)
    assert make_plan(MESSAGE, Settings(), NOW, limits=limits).per_variant == 30


LOG = "\n".join(f"2026-02-07 01:13:{number} DEBUG (node.{number}) heartbeat ok rssi=-39" for number in range(10, 40))
LETTER = (
    "Dear all,\n\nthe stairwell will be painted in a light ochre. The vote was close. The broken intercom is to be "
    "exchanged. The motion on laundry was rejected. The assembly closed at nine.\n\nKind regards,\nWim"
)
CHAT = "We walked along the river. It rained a lot. My shoes are wet."


def texts(message: str) -> list[str]:
    return [one.text for one in split_message(message)]


@pytest.mark.parametrize("message", ["Which port has staging?", "deploy it", "passt die Farbe zu Jan?", "42"])
def test_one_sentence_is_the_message(message: str) -> None:
    assert texts(message) == [message]


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(f"{CHAT} Which port has staging?", id="behind chat"),
        pytest.param(f"Which port has staging? {CHAT}", id="before chat"),
        pytest.param("Which port has staging The park was full of dogs.", id="before chat, without a mark"),
        pytest.param(f"{LOG}\n\nWhich port has staging?", id="behind a log"),
        pytest.param(f"Which port has staging?\n\n{LOG}", id="before a log"),
        pytest.param(f"here is the log:\n{LOG}\n\nWhich port has staging?", id="behind a log that is announced"),
        pytest.param(f"{LETTER}\n\nWhich port has staging?", id="behind a letter"),
        pytest.param("```\nport = 1\n```\nWhich port has staging?", id="behind code"),
        pytest.param("> Which port has prod?\n\nWhich port has staging?", id="behind a quote"),
    ],
)
def test_the_question_is_asked_for_itself(message: str) -> None:
    found = split_message(message)
    assert [one.text.rstrip("?") for one in found if one.asks] == ["Which port has staging"]
    assert len(found) <= 4


@pytest.mark.parametrize(("sentence", "expected"), CASES["what_asks"])
def test_what_asks(sentence: str, expected: bool) -> None:
    assert split_message(sentence)[0].asks is expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [("what is my dose?", True), ("wie hoch ist unsere Miete?", True), ("what is the capital of Laos?", False)],
)
def test_what_is_the_users_own(sentence: str, expected: bool) -> None:
    assert split_message(sentence)[0].is_own is expected


@pytest.mark.parametrize("message", ["", "   ", "👍", "```\nx = 1\n```", LOG])
def test_what_says_nothing_asks_nothing(message: str) -> None:
    assert split_message(message) == ()


@given(st.lists(st.sampled_from(["It rains.", "Who calls?", "We left, and it was late."]), max_size=60))
def test_a_message_has_sixteen_sentences_at_most(parts: list[str]) -> None:
    message = " ".join(parts)
    found = texts(message)
    assert len(found) <= MOST_SENTENCES
    assert [message.find(one) for one in found] == sorted({message.find(one) for one in found})


def test_of_a_long_message_what_asks_stays() -> None:
    message = " ".join([*(f"Day {number} was fine." for number in range(1, 31)), "Who calls?", "It rains."])
    found = texts(message)
    assert len(found) == MOST_SENTENCES
    assert "Who calls?" in found
    assert found[0] == "Day 1 was fine."
    assert found[-1] == "It rains."
