"""Which memories are about the one thing that a message names (T-66)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from memory_ledger.language import keys
from memory_ledger.language.keys import iter_tokens, parse_tokens
from memory_ledger.recall.candidates import Candidate
from memory_ledger.recall.relevance import leading_word, measure_relevance
from memory_ledger.records import Memory
from memory_ledger.setting_groups import Context, Lexical

TEXTS = ("Ingrid owns the gateway.", "Tomasz owns the worker.", "The user's cat sleeps.", "It rains.")
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def favoured(query: str) -> list[str]:
    """Return which of equally good memories a question lifts above the others."""
    candidates = [
        Candidate(memory=Memory(id=text, text=text, created_at=NOW), similarity=0.8, lexical=1.0, place=10 * number)
        for number, text in enumerate(TEXTS)
    ]
    found = measure_relevance(candidates, query, Lexical(), Context())
    best = max(one.value for one in found)
    least = min(one.value for one in found)
    return [text for text, one in zip(TEXTS, found, strict=True) if one.value == best > least]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("what does Ingrid own", [TEXTS[0]]),
        ("what does Tomasz own", [TEXTS[1]]),
        ("who owns what", []),
        ("what do Ingrid and Tomasz own", []),
        ("what do Ingrid and Priya own", [TEXTS[0]]),
        ("what does Priya own", []),
    ],
    ids=["one", "another", "no name", "two names", "one of two is known", "a name that nobody knows"],
)
def test_one_name_lifts_what_is_about_it(query: str, expected: list[str]) -> None:
    """T-66: what begins with the one name of the message comes first; several names lift nothing."""
    assert favoured(query) == expected


def test_tokens_one_by_one_are_those_of_the_whole() -> None:
    """T-66: a memory is led by the same word however much of it is read."""
    text = "The two-week plan of 3 pm costs €5, see node-2.lab.example and /var/run"
    assert tuple(iter_tokens(text)) == parse_tokens(text)
    assert leading_word(text) == next(one for one in parse_tokens(text) if one.keys and one.low != "the").keys[0]


def test_no_page_is_kept() -> None:
    """T-03: the tokens of a sentence are kept, those of a text as long as a page are read again."""
    keys._parse_sentence.cache_clear()
    assert len(parse_tokens("word " * 500)) == 500
    assert keys._parse_sentence.cache_info().currsize == 0
