"""Issue 23, Q-16: what follows from what is read of a sentence by a table of wordings with examples."""

import tomllib
from importlib.resources import files

import memory_ledger.claims.sentences as room
import pytest
from memory_ledger.claims import Modality, extract_claims
from memory_ledger.claims.sentences.conditionals import parse_conditional
from memory_ledger.language.segment import parse_sentences

ROWS = tomllib.loads(files(room).joinpath("conditionals.toml").read_text("utf-8"))
EXAMPLES = [(name, *example) for name, row in ROWS.items() for example in row["examples"]]


def _parse(text):
    (sentence,) = parse_sentences(text)
    return None if sentence.asks else parse_conditional(sentence.tokens)


def _words(tokens):
    return " ".join(token.text for token in tokens)


@pytest.mark.parametrize("text", [text for row in ROWS.values() for text in row["counterexamples"]])
def test_what_is_no_conditional(text):
    assert _parse(text) is None


@pytest.mark.parametrize(("row", "text", "condition", "consequence"), EXAMPLES)
def test_condition_and_consequence(row, text, condition, consequence):
    found = _parse(text)
    assert (_words(found.condition), _words(found.consequence)) == (condition, consequence)
    assert found.is_given is (row == "given")


@pytest.mark.parametrize("row", ROWS)
def test_every_wording_of_a_row_opens_what_its_example_opens(row):
    """The word that the example has, and any other of its row in its place."""
    text, condition, consequence = ROWS[row]["examples"][0]
    wordings = [" ".join(one.split()) for one in ROWS[row]["opens"].split("|")]
    own = next(one for one in sorted(wordings, key=len, reverse=True) if f" {one} " in f" {text.lower()} ")
    at = f" {text.lower()} ".index(f" {own} ")
    for one in wordings:
        found = _parse(f"{text[:at]}{one}{text[at + len(own) :]}")
        assert (_words(found.condition), _words(found.consequence)) == (condition, consequence), one


@pytest.mark.parametrize("text", [text for name, text, *_ in EXAMPLES if name != "given"])
def test_neither_part_of_a_conditional_is_a_fact(text):
    """What follows is read as a claim of its own, which is so only where something else is."""
    claims = extract_claims(text)
    assert all(one.modality is Modality.HYPOTHESIS for one in claims)
    assert any(one.is_only_implied for one in claims)


@pytest.mark.parametrize("text", [text for name, text, *_ in EXAMPLES if name == "given"])
def test_what_follows_from_a_fact_is_a_fact(text):
    implied = [one for one in extract_claims(text) if one.implied]
    assert implied and not any(one.is_only_implied for one in implied)
