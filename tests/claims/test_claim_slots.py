"""The slot table is complete and open to a person's own rows, and its page says what the code does (C-39)."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
import slot_docs
from core.case_tables import read_cases
from memory_ledger.claims import SLOTS, STATES, Relation, Slot, compare_texts, extract_claims
from memory_ledger.claims.comparison.conflicts import find_contradictions, find_pairs
from memory_ledger.claims.slots.rows import TABLE, build_table
from memory_ledger.claims.values.agreement import Agreement, compare_values
from memory_ledger.claims.values.readers import READERS, parse_value
from memory_ledger.clock import EPOCH
from memory_ledger.language.lexicon import ALSO, FAMILIES, SERVING, further_families, terms
from memory_ledger.language.segment import tokenise
from memory_ledger.ledger.resolve import Outcome, Party, decide
from memory_ledger.records import Source, Utility, Validity
from rows import every_row
from slot_examples import AMOUNTS, ENDINGS, OTHER_WORDS, OWN_WAYS, say, wordings
from value_types import VALUE_TYPES, value_type

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


ROOT = Path(__file__).resolve().parents[2]
SHOWN = re.compile(r'^- (retires it|leaves both, contested|does not): "(.+)", then "(.+)"$', re.MULTILINE)

READINGS = [reading for way in (*OTHER_WORDS, *OWN_WAYS) for reading in way.readings]


def effect_of(older: str, newer: str) -> str:
    """What the newer of two texts that the user said does to the other."""
    parties = [
        Party(source=Source.USER_ASSERTED, validity=Validity.CONFIRMED, utility=Utility.TACTICAL, at=EPOCH + delay)
        for delay in (timedelta(0), timedelta(days=1))
    ]
    decision = decide(*parties, extract_claims(older), extract_claims(newer), older_text=older, newer_text=newer)
    if decision.outcome is Outcome.CONTEST:
        return "leaves both, contested"
    assert not decision.is_contradiction or decision.winner == "newer"
    return "retires it" if decision.outcome is Outcome.SUPERSEDE else "does not"


def test_the_page_is_what_the_code_writes(tmp_path):
    assert slot_docs.main([str(tmp_path)]) == 0
    assert (tmp_path / slot_docs.PAGE).read_text("utf-8") == (ROOT / slot_docs.PAGE).read_text("utf-8")
    assert slot_docs.main([]) == 2


@pytest.fixture(scope="module")
def in_full() -> str:
    return slot_docs.render_in_full()


def test_every_example_is_true(in_full):
    """C-42, C-43: of each row, way and state one pair supersedes, the other does not."""
    found = SHOWN.findall(in_full)
    states = list(slot_docs.state_examples())
    assert len(states) >= 2 * len({slot for states in STATES.values() for slot, _ in states})
    assert len(found) == 2 * (len(SLOTS) + len(AMOUNTS) + len(ENDINGS) + len(READINGS)) + len(states)
    wrong = [(older, newer) for what, older, newer in found if effect_of(older, newer) != what]
    assert wrong == []


@pytest.mark.parametrize("slot", AMOUNTS)
def test_every_amount_is_read_by_its_words_alone(slot: str):
    """C-39, C-43: the kind that the page and the guard of names speak of is the one that the text gives."""
    text = AMOUNTS[slot].said.format(AMOUNTS[slot].first)
    assert slot in {claim.slot for claim in extract_claims(text) if claim.loose}


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_ending_is_one(ending):
    assert "ends" in {claim.slot for claim in extract_claims(ending.ends)}


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.newer)
def test_every_way_reads_the_slot_that_it_names(reading):
    """C-39, C-41: the two texts contradict each other in that slot, and not by what a newer text ends by name."""
    claims = [extract_claims(text) for text in (reading.said, reading.newer)]
    assert find_contradictions(find_pairs(*claims))[0].older.slot.startswith(reading.slot)
    assert compare_texts(reading.said, reading.newer).relation is Relation.CONTRADICTS
    assert compare_texts(reading.said, reading.other).relation is Relation.COEXISTS


@pytest.mark.parametrize("name", VALUE_TYPES)
def test_the_values_of_a_type_are_what_the_page_says(name):
    """C-39: of a type, the two that differ do, and the third one says the same as the first."""
    kind = value_type(name)
    first, second, agrees = (
        parse_value((name,), tokenise(text), 0) for text in (kind.first, kind.second, kind.agrees or kind.first)
    )
    assert compare_values(first.value, second.value) is Agreement.DIFFERENT
    assert compare_values(first.value, agrees.value) in (Agreement.SAME, Agreement.COMPATIBLE)


@every_row((row, wording) for row in SLOTS for wording in (*wordings(row)[0], *wordings(row)[1]))
def test_every_wording_of_the_table_is_read(row: Slot, wording: str):
    """C-39: what the page lists is no dead letter; with some type of its values, two of them contradict each other."""
    kinds = [value_type(str(reader)) for reader in row.reads]
    pairs = [(say(row, wording, kind.first), say(row, wording, kind.second)) for kind in kinds]
    read = [pair for pair in pairs if all(slot_docs.reads_row(row, wording, text) for text in pair)]
    assert any(compare_texts(*pair).relation is Relation.CONTRADICTS for pair in read), pairs


def test_every_wording_is_on_the_page_in_full(in_full):
    assert [noun for noun in TABLE.nouns if f'"{noun}"' not in in_full] == []
