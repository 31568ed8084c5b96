"""What a newer text ends or changes, where it need not be all of the older one, or only looks so (C-42, C-43, C-96)."""

from datetime import UTC, datetime, timedelta

import pytest
from core.case_tables import read_cases
from memory_ledger.claims import Relation, compare_texts, extract_claims
from memory_ledger.ledger.claim_index import ClaimIndex
from memory_ledger.ledger.resolve import Outcome, Party, decide
from memory_ledger.records import Source, Utility, Validity
from memory_ledger.similar.at_odds import is_at_odds
from pair_tables import MISSED

CASES = read_cases(__file__)

_APART = CASES["apart"]

_IN_DOUBT = CASES["in_doubt"]


@pytest.mark.parametrize(("why", "newer", "older"), _APART)
def test_what_is_of_another_matter_is_not_marked(why, newer, older):
    """C-43: another person, place, thing or day, or what is no fact: neither is retired or marked."""
    assert compare_texts(older, newer).relation is Relation.COEXISTS


@pytest.mark.parametrize(("why", "newer", "older"), _IN_DOUBT)
def test_in_doubt_neither_is_retired_and_both_are_marked(why, newer, older):
    """C-42, C-96: the newer text ends or changes something of what the older one says, and need not end the rest."""
    comparison = compare_texts(older, newer)
    assert (comparison.relation, comparison.rule, comparison.is_open) == (Relation.CONTRADICTS, "in doubt", True)
    assert len(comparison.reasons) == 4


def test_most_of_what_is_not_retired_is_marked():
    """C-96: by a rule, where the newer text does not speak of all that the older one says, or by how alike they are."""
    marked = [compare_texts(older, newer).is_open or is_at_odds(older, newer) for _, older, newer in MISSED]
    assert sum(marked) >= 0.5 * len(marked)


@pytest.mark.parametrize(("why", "newer", "older"), _IN_DOUBT)
def test_what_is_in_doubt_is_found_whichever_of_the_two_is_known(why, newer, older):
    for known, asked in ((older, newer), (newer, older)):
        index = ClaimIndex()
        index.add("known", extract_claims(known))
        assert index.contradictable(["known"], extract_claims(asked)) == ["known"]
    index = ClaimIndex()
    index.add("older", extract_claims(older))
    assert index.candidates(extract_claims(newer)) == ["older"]


@pytest.mark.parametrize("source", [Source.USER_ASSERTED, Source.AGENT_INFERRED])
def test_in_doubt_no_rank_names_a_winner(source):
    """C-96: not even the user's own later word, which does not say that it means the whole."""
    at = datetime(2026, 1, 5, tzinfo=UTC)
    older = Party(Source.USER_ASSERTED, Validity.CONFIRMED, Utility.TACTICAL, at)
    newer = Party(source, Validity.CONFIRMED, Utility.TACTICAL, at + timedelta(days=1))
    texts = "I drive a red Fiat Panda.", "User sold the Panda and goes everywhere by bicycle."
    decision = decide(older, newer, *map(extract_claims, texts), older_text=texts[0], newer_text=texts[1])
    assert (decision.outcome, decision.winner, decision.rule) == (Outcome.CONTEST, None, "C-96")


@pytest.mark.parametrize(("older", "newer"), CASES["what_differs_or_was_so_for_a_while_is_settled"])
def test_what_differs_or_was_so_for_a_while_is_settled(older: str, newer: str) -> None:
    """C-41: behind a comma "while" sets two things against each other; what was so for a while may be over."""
    assert not compare_texts(older, newer).is_open
    assert compare_texts(older, newer).relation is Relation.CONTRADICTS


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


@pytest.mark.parametrize(("older", "newer"), CASES["a_label_with_its_value_is_a_statement"])
def test_a_label_with_its_value_is_a_statement(older: str, newer: str) -> None:
    assert compare_texts(older, newer).relation is Relation.CONTRADICTS
