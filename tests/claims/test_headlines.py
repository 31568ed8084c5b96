"""Notes without "is" and "was" say what the sentence says that they stand for (C-39): the table, and pairs of notes."""

import tomllib
from importlib.resources import files

import memory_ledger.claims.sentences as room
import pytest
from memory_ledger.claims import Relation, compare_texts
from memory_ledger.claims.sentences.headlines import completed
from memory_ledger.language.segment import parse_sentences

ROWS = tomllib.loads(files(room).joinpath("headlines.toml").read_text("utf-8"))


def _completed(text):
    (sentence,) = parse_sentences(text)
    return " ".join(token.text for token in completed(sentence.tokens))


@pytest.mark.parametrize("text", [text for row in ROWS.values() for text in row["counterexamples"]])
def test_a_sentence_stays_as_it_is(text):
    assert _completed(text).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(("text", "whole"), [pair for row in ROWS.values() for pair in row["examples"]])
def test_a_note_is_completed(text, whole):
    assert _completed(text) == whole


def test_every_row_has_examples():
    assert all(row["examples"] and row["counterexamples"] for row in ROWS.values())


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Prototype due March 3", "Audit delayed to April 10"),
        ("Prototype due March 3", "Second prototype delayed to April 10"),
        ("Night crew assigned to Hall North", "Day crew reassigned to Hall South"),
        ("Dana owns the onboarding checklist", "Exit checklist reassigned to Felix"),
        ("Roman law exam is on March 9", "Criminal law exam pushed back to April 30"),
        ("Dana owns the onboarding checklist", "Onboarding checklist reassigned to Felix while Dana is away"),
        ("Dana owns the onboarding checklist", "Onboarding checklist temporarily reassigned to Felix"),
        ("Prototype due March 3", "Rumour: prototype delayed to April 10"),
        ("Prototype due March 3", "Prototype may be delayed to April 10"),
        ("Prototype due March 3", "Prototype not delayed to April 10"),
    ],
)
def test_notes_of_two_things_coexist(older, newer):
    """C-43."""
    assert compare_texts(older, newer).relation is Relation.COEXISTS


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Prototype due March 3", "Prototype delayed to April 10"),
        ("The prototype is due on March 3", "The prototype was postponed to April 10"),
        ("Night crew assigned to Hall North", "Night crew reassigned to Hall South"),
        ("Dana owns the onboarding checklist", "Onboarding checklist reassigned to Felix"),
        ("The checklist is assigned to Dana", "The checklist was reassigned to Felix"),
        ("Roman law exam is on March 9", "Roman law exam pushed back to April 30"),
        ("Ticket INC-4410 open", "Ticket INC-4410 closed"),
    ],
)
def test_a_note_of_a_change_retires_what_it_changes(older, newer):
    """C-41."""
    found = compare_texts(older, newer)
    assert (found.relation, found.partial) == (Relation.CONTRADICTS, False)
