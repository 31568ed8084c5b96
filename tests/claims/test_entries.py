"""Entries of a diary and lines of a document stay side by side (issue 45, C-39); a label alone still says something."""

import pytest
from memory_ledger.claims import Relation, compare_texts

ARTICLE = "# Article {n}: insurance\n\n## Details\n- Title: Part {n}\n- Word count: {words} words\n- Path: /srv/{n}"
APART = [
    ("Team Status: June 2: all tests are green", "Team Status: June 9: two tests are red"),
    ("Project_Status: March 14, 2025: issues found", "Project_Status: March 20, 2025: phase completed"),
    ("Diary: Monday: the pump is off", "Diary: Tuesday: the pump is on"),
    (ARTICLE.format(n=9, words="5,751"), ARTICLE.format(n=11, words="5,349")),
    ("Receipts:\n- API docs: http://localhost:8001", "Printing:\n- API docs: http://localhost:8002"),
]


@pytest.mark.parametrize(("older", "newer"), APART)
def test_entries_of_a_diary_and_items_of_a_document_contradict_nothing(older: str, newer: str) -> None:
    for pair in ((older, newer), (newer, older)):
        assert compare_texts(*pair).relation is not Relation.CONTRADICTS


@pytest.mark.parametrize(
    ("older", "newer"),
    [("Deadline: March 14", "Deadline: March 20"), ("Staging port: 8080", "Staging port: 8081")],
)
def test_a_label_with_its_value_is_a_statement(older: str, newer: str) -> None:
    assert compare_texts(older, newer).relation is Relation.CONTRADICTS
