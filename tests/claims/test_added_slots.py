"""Slots that a person adds are read like the built-in ones, and guarded like them (C-39 ... C-43, C-72)."""

import sys

import pytest
from memory_ledger.claims import SLOTS, Relation, compare_texts, extract_claims, slot_table
from memory_ledger.claims.added_slots import MAX_SLOTS, AddedSlot, parse_added_slots
from memory_ledger.claims.comparison.conflicts import find_contradictions, find_elliptical, find_pairs

ROWS = [
    {"name": "mascot", "nouns": ["mascot"], "verbs": ["be represented by"], "value": "name"},
    {
        "name": "support grade",
        "nouns": ["support grade", "grade"],
        "values": ["gold", "silver", "grade 3", "grade 3 plus"],
    },
    {"name": "motto", "nouns": ["motto", "line of business"]},
    {"name": "regime", "nouns": ["regime"], "values": ["vegan", "kosher"], "person": True},
    {"name": "next review", "nouns": ["review"], "value": "date", "bare": True},
    {"name": "instrument", "nouns": ["instrument"], "values": ["oboe", "cello"], "verbs": ["be learning"]},
]
SLOTS_OF_A_PERSON = tuple(AddedSlot.model_validate(row).to_row() for row in ROWS)
TABLE = slot_table(SLOTS_OF_A_PERSON)

KEEP = [
    ("The mascot of the team is Otto", "The mascot of the team is Otto"),
    ("The mascot of the team is Otto Weber", "The mascot of the team is Otto"),
    ("The mascot of the team is Otto", "The mascot of the club is Frieda"),
    ("The mascot of the team is Otto", "The mascot of the team is Frieda in staging"),
    ("The staging mascot of the team is Otto", "The production mascot of the team is Frieda"),
    ("The mascot of the team is Otto", "Is the mascot of the team Frieda?"),
    ("The mascot of the team is Otto", "The mascot of the team will be Frieda"),
    ("The mascot of the team is Otto", "We plan that the mascot of the team is Frieda"),
    ("The mascot of the team is Otto", "If the mascot of the team is Frieda, we lose"),
    ("The mascot of the team is Otto", "The mascot of the team might be Frieda"),
    ("The mascot of the team is Otto", "Bob said that the mascot of the team is Frieda"),
    ("The mascot of the team is Otto", "TODO: the mascot of the team is Frieda"),
    ("The mascot of the team is Otto", "The mascot of the team should be Frieda"),
    ("The mascot of the team is Otto", "The mascot of the team was Frieda"),
    ("The mascot of the team is Otto", "The mascot of the team was Frieda in 2019"),
    ("The mascot of the team is Otto", "The mascot of the team is also Frieda"),
    ("The mascot of the team is Otto", "The mascot of the team is Otto and Frieda"),
    ("The mascot of the team is Otto", "The mascot of the team is Otto or Frieda"),
    ("The mascot of the team is Otto", "The mascot of the team is not Frieda"),
    ("The mascot of the team is Otto", "The mascot of the team is a red fox"),
    ("The mascot of the team is Otto", "The mascot of the team is funny"),
    ("The mascot of the team is Otto", "The backup mascot of the team is Frieda"),
    ("The mascot of the team is Otto", "The favourite mascot of the team is Frieda"),
    ("The mascot of the team is Otto", "The old mascot of the team is Frieda"),
    ("The mascot of the team is Otto", "A mascot of the team is Frieda"),
    ("The mascot of the team is Otto", "Its mascot is Frieda"),
    ("The mascot is Otto", "The mascot is Frieda"),
    ("The grade of Acme is gold", "The grade of Acme is high"),
    ("The grade of Acme is grade 3", "The grade of Osprey is grade 3 plus"),
    ("The grade of Acme is gold", "The grade of Acme is probably silver"),
    ("The grade of Acme is gold", "The price of Acme is 5 euros"),
    ("The motto of the team is Onward", "The motto of the team is good"),
    ("The motto of the team is the red fox", "The motto of the team is the blue whale"),
    ("The motto of the team is great", "The motto of the team is too long"),
    ("Ann's regime is vegan", "Bea's regime is kosher"),
    ("My regime is vegan", "The regime of Ann is kosher"),
    ("The review is 5 March 2026", "The review is 5 March"),
    ("User likes oboe", "User likes cello"),
    ("The team uses gold", "The team uses silver"),
]
RETIRE = [
    ("The mascot of the team is Otto", "The mascot of the team is Frieda", "value"),
    ("The team's mascot is Otto", "Our team mascot is Frieda", "value"),
    ("Team mascot: Otto", "The mascot of the team is Frieda", "value"),
    ("The mascot of the team is Otto", "The team is represented by Frieda", "value"),
    ("The mascot of the team is Otto", "The mascot of the team is not Otto", "negation"),
    ("The mascot of the team is Otto", "The mascot of the team is no longer Otto", "negation"),
    ("The mascot of the team is Otto", "The team's mascot changed from Otto to Frieda", "state_change"),
    ("The mascot of the team is Otto in staging", "In staging the mascot of the team is Frieda", "value"),
    ("The mascot of the team is Otto", "Actually, the mascot of the team is Frieda", "correction"),
    ("The support grade of Acme is gold", "Acme's grade is silver", "value"),
    ("Acme's grade is grade 3", "Acme's grade is grade 3 plus", "value"),
    ("The grade of Acme is gold", "Actually it's silver", "correction"),
    ("The motto of the team is Onward", "The motto of the team is Sunrise", "value"),
    ("The motto of the team is the red fox", "Actually, the motto of the team is the blue whale", "correction"),
    ("The line of business of Acme is Banking", "Acme's line of business is Shipping", "value"),
    ("My regime is vegan", "User's regime is kosher", "value"),
    ("Ann's regime is vegan", "The regime of Ann is kosher", "value"),
    ("The review is 5 March 2026", "The review is on 9 April", "value"),
    ("Ann is learning oboe", "Ann's instrument is cello", "value"),
]


@pytest.mark.parametrize(("older", "newer"), KEEP)
def test_what_must_not_change(older, newer):
    """C-43: other subjects, scopes and times, and what is not stated as a fact; in both orders."""
    assert compare_texts(older, newer, TABLE).relation is not Relation.CONTRADICTS
    assert compare_texts(newer, older, TABLE).relation is not Relation.CONTRADICTS


@pytest.mark.parametrize(("older", "newer", "rule"), RETIRE)
def test_two_values_of_an_added_slot_contradict_each_other(older, newer, rule):
    """C-39, C-40, C-41: by every wording, in that slot."""
    comparison = compare_texts(older, newer, TABLE)
    assert (comparison.relation, comparison.rule) == (Relation.CONTRADICTS, rule)
    if rule != "negation":
        claims = [extract_claims(text, TABLE) for text in (older, newer)]
        hits = find_contradictions(find_pairs(*claims)) or find_elliptical(*claims)
        assert hits[0].older.slot in {row["name"] for row in ROWS}


def test_only_a_newer_text_corrects_free_text():
    """C-43: what was said after a correction, in words that are no name, may come in addition."""
    corrected, plain = "Actually, the motto of the team is the red fox", "The motto of the team is the blue whale"
    assert compare_texts(corrected, plain, TABLE).addable
    assert not compare_texts(plain, corrected, TABLE).addable


def test_a_built_in_slot_is_read_as_before():
    """C-39: what is added stands behind the table."""
    for text in ("The port of the API is 8080", "User's editor is vim", "The team uses Redis", "Ann lives in Oslo"):
        assert extract_claims(text, TABLE) == extract_claims(text)


def test_equal_slots_make_one_table():
    """A table is a value: what was read with it may be remembered by it."""
    again = tuple(AddedSlot.model_validate(row).to_row() for row in ROWS)
    assert slot_table(again) is TABLE
    assert slot_table(again[1:]) is not TABLE
    assert slot_table() is slot_table(())


@pytest.mark.parametrize(
    ("row", "where", "found", "allowed"),
    [
        ({"nouns": ["port"]}, "slot 1, nouns, 1", "port", "this one means the built-in slot 'port'"),
        ({"nouns": ["a", "Color  Scheme"]}, "slot 1, nouns, 2", "Color  Scheme", "the built-in slot 'theme'"),
        ({"nouns": ["cto"]}, "slot 1, nouns, 1", "cto", "the built-in slot 'cto'"),
        ({"verbs": ["lives in"]}, "slot 1, verbs, 1", "lives in", "the built-in slot"),
        ({"verbs": ["like"]}, "slot 1, verbs, 1", "like", "'like' takes several"),
        ({"verbs": ["frobnicate"]}, "slot 1, verbs, 1", "frobnicate", "a verb that the grammar knows"),
        ({"nouns": ["x"], "name": "editor"}, "slot 1, name", "editor", "a name that no built-in slot has"),
        ({"nouns": ["x"], "name": "version of go"}, "slot 1, name", "version of go", "a name that no built-in slot"),
        ({"nouns": ["favourite snack"]}, "slot 1, nouns, 1", "favourite snack", "a noun without 'favorite'"),
        ({"nouns": ["sn.*k"]}, "slot 1, nouns, 1", "sn.*k", "one to 4 plain words"),
        ({"nouns": ["one two three four five"]}, "slot 1, nouns, 1", "one two three four five", "one to 4 plain"),
        ({"nouns": ["x" * 61]}, "slot 1, nouns, 1", "x" * 61, "at most 60 characters"),
        ({"nouns": [""]}, "slot 1, nouns, 1", "", "one to 4 plain words"),
        ({"nouns": [7]}, "slot 1, nouns, 1", 7, "a text"),
        ({"nouns": [f"noun{i}" for i in range(13)]}, "slot 1, nouns", None, "at most 12"),
        ({"nouns": ["snack"], "value": "colour"}, "slot 1, value", "colour", "text, name, number"),
        ({"nouns": ["snack"], "value": ".*"}, "slot 1, value", ".*", "text, name, number"),
        ({"nouns": ["snack"], "values": ["plum", "plum"]}, "slot 1", None, "two different values"),
        (
            {"nouns": ["snack"], "values": ["plum", "planned"]},
            "slot 1",
            None,
            "Heron is planned' is none",
        ),
        ({"nouns": ["snack"], "values": ["plum", "fig"], "value": "name"}, "slot 1", None, "either a value or a list"),
        ({"nouns": ["snack"], "person": "yes"}, "slot 1, person", "yes", "true or false"),
        ({"nouns": ["todo"], "value": "name"}, "slot 1", None, "'The todo of Heron is Otto Weber' is none"),
        ({"nouns": ["snack"], "colour": 1}, "slot 1, colour", "unknown", "name, nouns, verbs, value, values"),
        ({}, "slot 1", None, "a noun or a verb at least"),
    ],
)
def test_what_cannot_be_read_is_refused(row, where, found, allowed):
    """C-72: where, what was found, what is allowed; the other slots of the list work."""
    full = {"name": "snack"} | row
    slots, (refusal,) = parse_added_slots([full, ROWS[0]])
    assert [one.name for one in slots] == ["mascot"]
    assert refusal.where == where
    assert found is None or refusal.found == found
    assert allowed in refusal.allowed


def test_of_two_alike_the_first_counts():
    """C-39: one wording means one slot."""
    twin = {"name": "animal", "nouns": ["beast", "mascot"]}
    slots, (refusal,) = parse_added_slots([ROWS[0], twin, {"name": "mascot", "nouns": ["emblem"]}][:2])
    assert [one.name for one in slots] == ["mascot"]
    assert refusal == ("slot 2", "mascot", "names and wordings that no slot before it has")
    assert len(parse_added_slots([ROWS[0], {"name": "mascot", "nouns": ["emblem"]}])[1]) == 1


def test_their_number_is_bounded():
    slots, refused = parse_added_slots([{"name": f"slot{i}", "nouns": [f"slot{i}"]} for i in range(MAX_SLOTS + 5)])
    assert (len(slots), len(refused)) == (MAX_SLOTS, 1)
    assert refused[0].allowed == f"at most {MAX_SLOTS} slots"


def test_a_full_table_takes_no_more_steps():
    """Wordings are looked up, not searched: fifty slots of twelve wordings cost what none cost."""
    rows = [{"name": f"slot{i}", "nouns": [f"noun{i}x{j}" for j in range(12)]} for i in range(MAX_SLOTS)]
    table = slot_table(tuple(one.to_row() for one in parse_added_slots(rows)[0]))
    assert len(table.nouns) == len(slot_table().nouns) + 12 * MAX_SLOTS
    text = "The API of the shop runs on port 8080. The mascot of the team is Otto. " * 10
    assert _calls(text, table) == _calls(text, slot_table()) > 100


def _calls(text, table):
    count = 0

    def profile(frame, event, _arg):
        nonlocal count
        count += event == "call" and "claims" in frame.f_code.co_filename

    extract_claims(text, table)
    sys.setprofile(profile)
    try:
        extract_claims(text, table)
    finally:
        sys.setprofile(None)
    return count


def test_the_built_in_table_is_left_alone():
    assert len(slot_table().nouns) == len({noun for row in SLOTS for noun in row.nouns.split("|") if noun})
