"""Words of a text: one tokeniser, one stopword list, one stemmer."""

import unicodedata

import pytest
from case_tables import read_cases
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.language.words import (
    STOPWORDS,
    content_words,
    extract_keywords,
    normalize_token,
    shares_half,
    split_tokens,
)
from memory_ledger.texts import normalize_text

CASES = read_cases(__file__)


def test_stopwords_are_the_specifications() -> None:
    assert len(STOPWORDS) == 81
    assert {"the", "into", "which", "but", "as"} <= STOPWORDS
    assert not {"before", "off", "must", "never"} & STOPWORDS


@given(st.text(max_size=300), st.integers(0, 20))
def test_keywords_are_bounded(text: str, limit: int) -> None:
    words = extract_keywords(text, limit)
    assert len(words) <= limit
    assert words == extract_keywords(text, 10_000)[:limit]
    assert not STOPWORDS & set(words)


@pytest.mark.parametrize(("text", "tokens"), [*CASES["tokens"], *((201 * one + " end", ("end",)) for one in "xé")])
def test_tokens(text: str, tokens: tuple[str, ...]) -> None:
    """T-66: recall and comparison speak of the same tokens in every script."""
    assert split_tokens(text) == list(tokens)


@given(st.text(max_size=300))
def test_any_text_has_tokens(text: str) -> None:
    """Never an exception; tokens are not empty and in NFC where they are not pairs."""
    for token in split_tokens(text):
        assert token
        assert len(token) <= 200
        assert normalize_token(token)
        assert len(token) <= 2 or unicodedata.is_normalized("NFC", token)


@pytest.mark.parametrize(("one", "other"), CASES["equal_spellings"])
def test_equal_spellings(one: str, other: str) -> None:
    assert normalize_token(one) == normalize_token(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("3.11", "3.1"), ("8,443", "84,43"), ("v1", "v2"), ("class", "clas"), ("bus", "bu"), ("off", "of")],
)
def test_different_tokens_stay_different(one: str, other: str) -> None:
    assert normalize_token(one) != normalize_token(other)


@given(st.text(max_size=100))
def test_normal_text_is_stable(text: str) -> None:
    """T-43: white space and composition make no difference; once is enough."""
    normal = normalize_text(text)
    assert normalize_text(normal) == normal
    assert normalize_text(f"  {text}\n") == normal
    assert normalize_text(unicodedata.normalize("NFD", text)) == normal


@pytest.mark.parametrize(("text", "other", "expected"), CASES["what_was_said_about_a_memory"])
def test_what_was_said_about_a_memory(text: str, other: str, expected: bool) -> None:
    """T-64: a message with half of the words that carry meaning is about the same thing."""
    assert shares_half(content_words(text), content_words(other)) is expected
