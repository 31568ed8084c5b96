"""What a newer text ends or changes, where it need not be all of the older one, or the same (C-42, C-43, C-96)."""

import pytest
from memory_ledger.claims import Relation, compare_texts
from pairs_missed import MISSED

_APART = [
    ("the ending", "User sold the Panda.", "I drive a Skoda."),
    ("a relative", "User moved from Oslo to Bergen.", "User's sister lives in Oslo."),
    (
        "somebody else",
        "User no longer has a gym membership at FitPoint.",
        "The customer has a gym membership at FitPoint.",
    ),
    ("a place left", "User moved from Bremen to Kiel.", "User supports the handball club of Bremen."),
    ("one occasion", "The store was closed last Sunday.", "The store is open on Sundays until nine."),
    ("one occasion", "Standup was cancelled on 4 May.", "Standup takes place at 9."),
    ("a relative's", "The user's visa has been approved.", "The mother-in-law's visa for Spain has been refused."),
    ("another thing", "The parser's port was changed to 8443.", "The lexer's port on the build box is 8080."),
    (
        "the same value",
        "The feed port was changed to 8000 and then changed back to 8080.",
        "The feed API port is 8080.",
    ),
    ("no fact", "User may sell the Panda.", "I drive a red Fiat Panda."),
    ("somebody's word", "Tom claims that the Jenkins box was shut down.", "We run a Jenkins box in the basement."),
    ("long ago", "The Panda was sold.", "In 2015, the user drove a red Panda."),
]

_IN_DOUBT = [
    ("more than ends", "User sold the Panda and goes everywhere by bicycle.", "I drive a red Fiat Panda."),
    (
        "more than ends",
        "The bakery in Lucca has been handed over to Ilaria.",
        "Grandfather Aldo runs the bakery in Lucca.",
    ),
    ("more than ends", "I gave up space 14, I take the tram.", "Parking space 14 belongs to User."),
    ("a purpose", "Graphite has been shut down.", "The search service writes its metrics to Graphite."),
    ("one of a list", "Bo left the team.", "The team is Ana, Bo and Cem."),
    ("fewer words", "The 4.2 feature freeze was postponed to 26 May.", "Feature freeze for release 4.2 is on 12 May."),
    ("fewer words", "We upgraded ember's kernel to 6.6.", "Kernel on node ember: 6.8"),
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
    """C-96: where the newer text does not speak of all that the older one says."""
    marked = [compare_texts(older, newer).is_open for _, older, newer in MISSED]
    assert sum(marked) >= 0.5 * len(marked)
