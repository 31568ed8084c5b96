"""The slot table: complete, consistent, and open to a person's own rows (C-39, issue 3 section 2)."""

import pytest
from case_tables import read_cases
from memory_ledger.claims import SLOTS, STATES, Relation, Slot, compare_texts, extract_claims
from memory_ledger.claims.slots.rows import build_table
from memory_ledger.claims.values.readers import READERS
from memory_ledger.language.lexicon import ALSO, FAMILIES, SERVING, further_families, terms

CASES = read_cases(__file__)


def test_every_row_can_be_said():
    for row in SLOTS:
        assert row.nouns or row.verbs
        assert set(row.reads) <= READERS.keys()
        assert "*" not in row.name or row.nouns


def test_every_state_has_an_opposite():
    """C-39: an antonym list in which a word has no opposite decides nothing."""
    rows = {state for states in STATES.values() for state in states}
    for slot in {slot for slot, _ in rows}:
        assert len({value for name, value in rows if name == slot}) > 1


def test_every_term_is_listed_in_one_family():
    """C-43: a spelling in two families would be compared by chance; "MIT-licensed" is the only one that is derived."""
    listed = [
        (family, tuple(spelling.replace("_", " ").split()))
        for family, members in FAMILIES.items()
        for group in members.split()
        for spelling in group.split("=")
    ]
    licences = {(f"{words[0]}-licensed",) for family, words in listed if family == "licence" and len(words) == 1}
    assert len(terms()) == len(listed) + len(licences)
    assert terms().keys() == {words for _, words in listed} | licences
    assert {terms()[words][0] for words in licences} == {"licence"}


def test_further_families_are_listed_by_the_name_that_is_compared():
    """C-43: a member belongs to others than its own only by `ALSO`, and there under the first of its spellings."""
    names = {name: family for family, name in terms().values()}
    for name, families in ALSO.items():
        assert set(families) <= SERVING - {names[name]}
        assert further_families((names[name], name)) == families
    assert further_families(terms()["apache",]) == ("web server",)
    older, newer = "The static files are served with Apache", "The static files are served with Caddy"
    assert compare_texts(older, newer).relation is Relation.CONTRADICTS


@pytest.mark.parametrize(("text", "key"), CASES["a_noun_of_several_words_is_read_with_its_owner"])
def test_a_noun_of_several_words_is_read_with_its_owner(text, key):
    """C-39: the "of" inside a noun of the table is not the one before the owner."""
    assert next((c.subject, c.slot) for c in extract_claims(text) if not c.loose) == key


def test_a_row_with_an_unknown_reader_is_refused():
    with pytest.raises(ValueError, match=r"slot 'x': reads is 'colour'; allowed: address, age"):
        build_table((Slot(name="x", reads=("colour",), nouns="x"),))
