"""One message becomes up to three questions, against the rules as the specification writes them."""

import re

import pytest
from core_tools import NOW
from hypothesis import example, given
from hypothesis import strategies as st
from memory_ledger.language.words import STOPWORDS
from memory_ledger.recall.plan import RecallLimits, make_plan, make_variants, widen
from memory_ledger.setting_groups import QueryExpansion
from memory_ledger.settings import Settings

MESSAGE = "Which port does the staging server of Heron use?"
KEYWORDS = "port staging server heron use"


def asked(query: str, domain: str | None, **settings: object) -> list[tuple[str, str]]:
    return [(one.name, one.text) for one in make_variants(query, domain, QueryExpansion.model_validate(settings))]


@pytest.mark.parametrize(
    ("query", "domain", "settings"),
    [
        pytest.param(MESSAGE, "devops", {"enabled": False}, id="E-16 switched off"),
        pytest.param("What is it to us?", "devops", {}, id="E-86 stopwords alone"),
        pytest.param("a go ox", "devops", {}, id="E-86 two letters"),
        pytest.param("?!", "devops", {}, id="E-86 no word"),
        pytest.param("", "devops", {}, id="E-86 no message"),
        pytest.param(MESSAGE, None, {"use_keyword_extraction": False}, id="E-16 neither keywords nor domain"),
        pytest.param(
            MESSAGE, "devops", {"use_keyword_extraction": False, "use_domain_scoping": False}, id="E-16 neither"
        ),
    ],
)
def test_message_alone(query: str, domain: str | None, settings: dict[str, object]) -> None:
    """E-09, E-16, E-86: the message as the person wrote it, and nothing else."""
    assert asked(query, domain, **settings) == [("original", query)]


@pytest.mark.parametrize(
    ("domain", "settings", "expected"),
    [
        pytest.param(None, {}, {"keywords": KEYWORDS}, id="E-16 no domain"),
        pytest.param("", {}, {"keywords": KEYWORDS}, id="E-16 empty domain"),
        pytest.param("devops", {"use_domain_scoping": False}, {"keywords": KEYWORDS}, id="E-16 no scoping"),
        pytest.param("devops", {"use_keyword_extraction": False}, {"domain": f"devops: {KEYWORDS}"}, id="E-16 domain"),
        pytest.param("devops", {}, {"keywords": KEYWORDS, "domain": f"devops: {KEYWORDS}"}, id="E-10 E-11"),
        pytest.param(
            "devops", {"max_keywords": 2}, {"keywords": "port staging", "domain": "devops: port staging"}, id="E-17"
        ),
    ],
)
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


# --- the plan around them ------------------------------------------------------------------------------------------


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
    """E-80: no sentence is asked for itself."""
    silent = Settings.model_validate({"lexical": {"enabled": False}})
    asked = make_plan("It rains. Which port?", silent, NOW, limits=RecallLimits())
    assert "sentence" not in {one.name for one in asked.variants}
    assert asked.sentences == {}


def test_a_number_that_is_asked_for_replaces_every_cap() -> None:
    """T-53: of any area, and of each variant."""
    limits = widen(RecallLimits(threshold=0.6), 30)
    assert (limits.injected, limits.solutions, limits.threshold) == (30, 30, 0.6)
    assert make_plan(MESSAGE, Settings(), NOW, limits=limits).per_variant == 30
