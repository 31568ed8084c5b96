"""Load-bearing or tactical: keywords as whole words, and the form of a project declaration."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.ledger.classify import find_load_signal
from memory_ledger.ledger.lifecycle import make_tags, with_utility_tag
from memory_ledger.records import Utility
from memory_ledger.settings import Settings

SETTINGS = Settings()


def signal(text: str, *, is_user: bool = True, keywords: tuple[str, ...] | None = None) -> str | None:
    settings = SETTINGS if keywords is None else Settings(load_bearing_keywords=keywords)
    return find_load_signal(text, settings, is_user=is_user)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("User likes mustard", id="T-49 inside a word"),
        pytest.param("The site is hosted at alwaysdata", id="T-49 inside a name"),
        pytest.param("A never-ending story", id="T-49 part of a compound"),
        pytest.param("The non-critical path is green", id="T-49 non-critical"),
        pytest.param("Never mind the hotel", id="T-49 never mind"),
        pytest.param("I don't know the port", id="T-49 an idiom"),
        pytest.param("Should the backup always run at night?", id="T-49 a question"),
        pytest.param("Must it be open", id="T-49 a question without its mark"),
        pytest.param("The port must be open, right?", id="T-49 a tag question"),
        pytest.param("User asked whether the backup must run daily.", id="T-49 a reported question"),
        pytest.param("A tie is not required", id="T-49 not required"),
        pytest.param("A tie isn't mandatory", id="T-49 isn't mandatory"),
        pytest.param("A tie is no longer required", id="T-49 no longer required"),
        pytest.param("There is no requirement", id="T-49 no requirement"),
        pytest.param("Nothing essential was lost", id="T-49 nothing essential"),
        pytest.param("Green tea, as always", id="T-49 as always"),
        pytest.param("User prefers dark mode", id="C-22 T-10 a preference"),
        pytest.param("The app runs slowly", id="T-10 runs, but on nothing"),
        pytest.param("Does our API use Rust?", id="T-10 a question"),
        pytest.param("Python uses indentation", id="T-10 no project of anybody's"),
        pytest.param("", id="an empty memory"),
    ],
)
def test_tactical(text: str) -> None:
    """C-22, T-10, T-49."""
    assert signal(text) is None


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("All responses MUST be JSON", id="C-21 any case"),
        pytest.param("There are two hard requirements", id="C-21 plural"),
        pytest.param("do   not touch the folder", id="C-21 a phrase over white space"),
        pytest.param("Don\u2019t touch the folder", id="C-21 don't, typographic"),
        pytest.param("Which port? It must be 8443.", id="C-21 another sentence asks"),
        pytest.param("It is mission-critical.", id="C-21 the keyword as the end of a compound"),
    ],
)
def test_keyword(text: str) -> None:
    """C-21, T-49: whoever said it."""
    assert signal(text, is_user=False)
    assert signal(text, is_user=True)


@pytest.mark.parametrize(
    "text",
    [
        "My project uses Python 3.11",
        "The user's project uses Python 3.11",
        "User's mobile app targets Android 14",
        "Our API is built with FastAPI",
        "The user's stack runs on Kubernetes 1.30",
        "Our services run on Cloud Run",
        "User's e-commerce site is built on Shopify",
        "This project is written in Rust",
        "My team's backend is using Go",
    ],
)
def test_declaration(text: str) -> None:
    """T-10, C-77: first and third person; only of the user's."""
    assert signal(text, is_user=True)
    assert signal(text, is_user=False) is None


@pytest.mark.parametrize(
    ("keywords", "text", "found"),
    [
        pytest.param((), "It must be", False, id="C-72 none at all"),
        pytest.param(("sacred",), "It must be", False, id="C-72 others than the defaults"),
        pytest.param(("sacred",), "Sunday is SACRED.", True, id="C-72 any case"),
        pytest.param(("c++",), "Use C++ here", True, id="C-72 signs"),
        pytest.param(("c++",), "Use cc here", False, id="C-72 no pattern"),
        pytest.param((".*",), "anything", False, id="C-72 no pattern either"),
        pytest.param(("(x",), "an (x here", True, id="C-72 an open bracket"),
        pytest.param(("under no circumstances",), "under no  circumstances", True, id="C-72 a phrase"),
        pytest.param(("don\u2019t",), "don't go", True, id="C-72 typographic apostrophe"),
        pytest.param(("muss",), "Das MUSS sein", True, id="C-72 another language"),
    ],
)
def test_keywords_are_a_setting(keywords: tuple[str, ...], text: str, found: bool) -> None:
    """C-21, C-72."""
    assert (signal(text, keywords=keywords) is not None) is found


@given(
    st.text(max_size=120), st.lists(st.text(min_size=1, max_size=8).filter(lambda word: bool(word.split())), max_size=4)
)
def test_any_text_and_any_keywords(text: str, keywords: list[str]) -> None:
    """C-72: no keyword is a pattern, so none can break the search."""
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
    assert ("domain:docker" in tags, "role:coder" in tags) == (domain is not None, role_id is not None)
    archived = with_utility_tag(tags, Utility.ARCHIVED)
    assert [tag for tag in archived if tag.startswith("utility:")] == ["utility:archived"]
    assert with_utility_tag(archived, utility) == tags
