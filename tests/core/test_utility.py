"""Load-bearing or tactical: keywords as whole words, and the form of a project declaration."""

import pytest
from case_tables import read_cases
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.ledger.classify import find_load_signal
from memory_ledger.ledger.lifecycle import make_tags, with_utility_tag
from memory_ledger.records import Utility
from memory_ledger.settings import Settings

CASES = read_cases(__file__)

SETTINGS = Settings()


def signal(text: str, *, is_user: bool = True, keywords: tuple[str, ...] | None = None) -> str | None:
    settings = SETTINGS if keywords is None else Settings(load_bearing_keywords=keywords)
    return find_load_signal(text, settings, is_user=is_user)


@pytest.mark.parametrize("text", CASES["tactical"])
def test_tactical(text: str) -> None:
    assert signal(text) is None


@pytest.mark.parametrize("text", CASES["keyword"])
def test_keyword(text: str) -> None:
    assert signal(text, is_user=False)
    assert signal(text, is_user=True)


@pytest.mark.parametrize("text", CASES["declaration"])
def test_declaration(text: str) -> None:
    assert signal(text, is_user=True)
    assert signal(text, is_user=False) is None


@pytest.mark.parametrize(("keywords", "text", "found"), CASES["keywords_are_a_setting"])
def test_keywords_are_a_setting(keywords: tuple[str, ...], text: str, found: bool) -> None:
    assert (signal(text, keywords=keywords) is not None) is found


@given(
    st.text(max_size=120), st.lists(st.text(min_size=1, max_size=8).filter(lambda word: bool(word.split())), max_size=4)
)
def test_any_text_and_any_keywords(text: str, keywords: list[str]) -> None:
    assert signal(text, keywords=tuple(keywords), is_user=False) in (None, signal(text, keywords=tuple(keywords)))


def test_topics_are_the_first_eight() -> None:
    """E-37: in order, none twice, none of the words in which memories are written."""
    text = "User uses alpha, beta, gamma, alpha, delta, epsilon, zeta, theta, iota, kappa"
    tags = make_tags(text, utility=Utility.TACTICAL, area="main", domain=None, role_id=None)
    assert [tag for tag in tags if ":" not in tag] == "alpha beta gamma delta epsilon zeta theta iota".split()


@given(st.text(max_size=200), st.sampled_from(Utility), st.none() | st.just("docker"), st.none() | st.just("coder"))
def test_tags_follow_text_and_place(text: str, utility: Utility, domain: str | None, role_id: str | None) -> None:
    """T-11, E-37, E-82: place and utility, then at most eight topics, none twice; a new utility replaces its tag."""
    tags = make_tags(text, utility=utility, area="main", domain=domain, role_id=role_id)
    assert len(set(tags)) == len(tags)
    assert len([tag for tag in tags if ":" not in tag]) <= 8
    assert not [tag for tag in tags if tag.startswith(("validity:", "relevance:", "source:"))]
    assert ("domain:docker" in tags, "role:coder" in tags) == (domain is not None, role_id is not None)
    archived = with_utility_tag(tags, Utility.ARCHIVED)
    assert [tag for tag in archived if tag.startswith("utility:")] == ["utility:archived"]
    assert with_utility_tag(archived, utility) == tags
