"""What a newer text ends or changes, where it need not be all of the older one, or the same (C-42, C-43, C-96)."""

from datetime import UTC, datetime, timedelta

import pytest
from memory_ledger.claims import Relation, compare_texts, extract_claims
from memory_ledger.ledger.claim_index import ClaimIndex
from memory_ledger.ledger.resolve import Outcome, Party, decide
from memory_ledger.records import Source, Utility, Validity
from memory_ledger.similar.at_odds import is_at_odds
from pair_tables import MISSED

_APART = [
    ("somebody else", "User stopped commuting with the ferry.", "The customer commutes with the ferry."),
    ("a relative", "User used to work at Lidl.", "User's wife works at Lidl."),
    ("a colleague", "User works from home on Mondays.", "Colleague Anselm no longer works from home on Mondays."),
    ("a place left", "User moved from Bremen to Kiel.", "User supports the handball club of Bremen."),
    ("one occasion", "Standup was cancelled on 4 May.", "Standup takes place at 9."),
    ("one occasion", "The shop was closed last Sunday.", "The shop is open on Sundays."),
    ("another part", "Graphite has been shut down in staging.", "The search service writes its metrics to Graphite."),
    ("another thing", "The parser's port was changed to 8443.", "The lexer's port on the build box is 8080."),
    ("a denial", "User does not like Windows.", "User likes Windows 11."),
    ("given up already", "The project uses pnpm rather than npm.", "Instead of npm, the project uses pnpm."),
    ("told anew", "The door was replaced; it's blue now.", "The door code is 4417."),
    ("was so", "The team no longer uses SVN.", "Originally the team used SVN."),
    ("the same value", "The feed port was changed to 8000, then changed back to 8080.", "The feed API port is 8080."),
    ("no fact", "User may sell the Panda.", "I drive a red Fiat Panda."),
    ("somebody's word", "Tom claims that the Jenkins box was shut down.", "We run a Jenkins box in the basement."),
]

_IN_DOUBT = [
    ("more than ends", "User sold the Panda and goes everywhere by bicycle.", "I drive a red Fiat Panda."),
    ("more than ends", "The bakery in Lucca has been handed over to Ilaria.", "Aldo runs the family bakery in Lucca."),
    ("more than ends", "I gave up space 14, I take the tram.", "Parking space 14 belongs to User."),
    ("a purpose", "Graphite has been shut down.", "The search service writes its metrics to Graphite."),
    ("one of a list", "Bo left the team.", "The team is Ana, Bo and Cem."),
    ("fewer words", "The 4.2 feature freeze was postponed to 26 May.", "Feature freeze for release 4.2 is on 12 May."),
    ("fewer words", "We upgraded ember's kernel to 6.6.", "Kernel on node ember: 6.8"),
    ("for a while", "Telemetry is off while the tests run.", "Telemetry is on."),
    ("for a while", "User works in the office while the kitchen is renovated.", "User works from home."),
    ("for a while", "The gate is closed as long as it rains.", "The gate is open."),
    ("for a while", "The gate is open.", "The gate is closed as long as it rains."),
    ("for a while", "The gate is open.", "The gate is closed so long as it rains. The shop is open."),
    ("one of two", "User is a citizen of Canada.", "User is a citizen of Germany."),
    ("one of two", "Acme was founded by Bo Chen.", "The founder of Acme is Ana Silva."),
]


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
    """C-37: by the claim index alone, however many memories there are."""
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


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("User lives in Rome.", "User lives in Oslo now, while Ann lives in Rome."),
        ("The gate is open while it is dry.", "The gate is closed."),
    ],
)
def test_what_differs_or_was_so_for_a_while_is_settled(older: str, newer: str) -> None:
    """C-41: behind a comma "while" sets two things against each other; what was so for a while may be over."""
    assert not compare_texts(older, newer).is_open
    assert compare_texts(older, newer).relation is Relation.CONTRADICTS
