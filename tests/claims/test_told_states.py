"""Every word of a state, every phrase that tells one and every prefixed word excludes another value (C-40)."""

import tomllib
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import memory_ledger
import pytest
from memory_ledger.claims import Relation, compare_texts

CLAIMS = Path(memory_ledger.__file__).parent / "claims"
POLAR = tomllib.loads((CLAIMS / "polarity" / "polar_words.toml").read_text("utf-8"))
TABLE = tomllib.loads((CLAIMS / "clauses" / "state_words.toml").read_text("utf-8"))
STATES, PREFIXED = TABLE["states"], {prefix: words.split() for prefix, words in TABLE["prefixed"].items()}
DOERS = ("We", "User")
THINGS = (
    "the gate of Heron",
    "bug 17 of Heron",
    "bug 17",
    "the flat",
    "a bike",
    "Ann",
    "the visa",
    "user",
    "user's sister",
)
#: So many words of another value are tried.
NEIGHBOURS = 6
#: "Again" and "has" stand for a part of the phrase only, or another reader takes it.
READ_OTHERWISE = {
    *("opened_again", "opened_its_doors_again", "picked_up_again", "took_up_again", "was_taken_up_again"),
    *("has_begun", "still_occurs", "still_exists", "had_her_baby", "got_better", "got_going_again"),
}
#: No other word tells another value.
ALONE = {("household", "alone")}
ROWS = [
    (table, slot, value) for table in ("telling", "done_to") for slot in POLAR[table] for value in POLAR[table][slot]
]


def said(word: str, table: str, thing: str) -> Iterator[str]:
    """Yield sentences in which a word of a table tells of a thing."""
    words, subject = word.replace("_", " "), thing[:1].upper() + thing[1:]
    if table == "done_to":
        yield from (f"{doer} {words} {thing}" for doer in DOERS)
    else:
        yield f"{subject} {words}" if table == "telling" else f"{subject} is {words}"


def others(slot: str, value: str) -> list[tuple[str, str]]:
    """Return (table, word) of the other values of a slot."""
    tables = {"being": POLAR["being"], "states": STATES, "telling": POLAR["telling"], "done_to": POLAR["done_to"]}
    return [
        (name, word)
        for name, table in tables.items()
        for other, words in table.get(slot, {}).items()
        if other != value
        for word in words.split()[:NEIGHBOURS]
    ]


def is_told(table: str, word: str, other: tuple[str, str]) -> bool:
    return any(
        compare_texts(older, newer).relation is Relation.CONTRADICTS
        for thing in THINGS
        for older in said(other[1], other[0], thing)
        for newer in said(word, table, thing)
    )


@pytest.mark.parametrize(("table", "slot", "value"), ROWS, ids=["-".join(row) for row in ROWS])
def test_each_phrase_excludes_another_value(table: str, slot: str, value: str) -> None:
    against = others(slot, value)
    words = set(POLAR[table][slot][value].split()) - READ_OTHERWISE
    assert bool(against) is ((slot, value) not in ALONE)
    assert {word for word in words if against and not any(is_told(table, word, one) for one in against)} == set()


def opposites(word: str) -> list[str]:
    """Return a word with the prefixes that turn it round, and without the one that it has."""
    with_prefix = [f"{prefix}{word}" for prefix, words in PREFIXED.items() if word in words]
    return with_prefix + [
        word.removeprefix(prefix) for prefix, words in PREFIXED.items() if word[len(prefix) :] in words
    ]


@pytest.mark.parametrize("prefix", PREFIXED)
def test_each_prefixed_word_excludes_the_word_alone(prefix: str) -> None:
    ways = {f"{prefix}{word}": word for word in PREFIXED[prefix]}
    ways |= {} if prefix.endswith("-") else {f"{prefix}-{word}": word for word in PREFIXED[prefix]}
    silent = {one for one, word in ways.items() if not is_told("states", one, ("states", word))}
    assert silent <= {"unsatisfied", "un-satisfied"}  # who is not satisfied is "dissatisfied"


@pytest.mark.parametrize("word", TABLE["acts"].split())
def test_who_does_it_brings_about_the_state_of_the_word(word: str) -> None:
    tables = (STATES, POLAR["being"])
    states = [
        (slot, one) for table in tables for slot in table for one in table[slot] if word in table[slot][one].split()
    ]
    against = [other for slot, value in states for other in others(slot, value)]
    against += [("states", other) for other in opposites(word)]
    assert any(is_told("done_to", word, other) for other in against)


@pytest.mark.parametrize("table", ["acts_also", "acts_instead"])
def test_what_is_done_says_beside_its_word(table: str) -> None:
    rows = [
        (slot, value, word)
        for slot in TABLE[table]
        for value, words in TABLE[table][slot].items()
        for word in words.split()
    ]
    silent = [
        word for slot, value, word in rows if not any(is_told("done_to", word, one) for one in others(slot, value))
    ]
    assert silent == []


@pytest.mark.parametrize(
    ("older", "newer", "expected"),
    [
        ("User is not vegan", "User is vegetarian", Relation.COEXISTS),
        ("User is vegan", "User is vegetarian", Relation.CONTRADICTS),
    ],
)
def test_who_is_not_so_strict_may_be_nearly_so(older: str, newer: str, expected: Relation) -> None:
    assert TABLE["stricter"] == "vegan"
    assert compare_texts(older, newer).relation is expected


SLOTS = {
    (table, slot): {value: words.split() for value, words in values.items()}
    for table, file in (("states", "clauses/state_words.toml"), ("being", "polarity/polar_words.toml"))
    for slot, values in tomllib.loads((CLAIMS / file).read_text("utf-8"))[table].items()
    if len(values) > 1
}
SUBJECTS = ("The gate of Heron", "Bug 17 of Heron", "User")
#: Words that the other words of their slot do not exclude of these subjects, or that another reader takes.
OF_ANOTHER_READER = {
    *("married", "unmarried", "todo", "fully_booked", "half_empty", "in_production_use", "under_active_development"),
    *("still_there", "being_considered", "in_preview", "an_early_preview", "production_ready", "expecting_a_baby"),
    *("expecting_a_child", "free_of_debt", "delivered", "unclear", "gone", "retired"),
}


@pytest.mark.parametrize(("table", "slot"), SLOTS, ids=[slot for _, slot in SLOTS])
def test_each_word_excludes_those_of_another_value(table: str, slot: str) -> None:
    values = SLOTS[table, slot]
    silent = {
        word
        for value, words in values.items()
        for word in words
        if not any(_exclude(word, other) for told, others in values.items() if told != value for other in others)
    }
    assert silent <= OF_ANOTHER_READER


def test_every_exception_is_a_word() -> None:
    assert {word for values in SLOTS.values() for words in values.values() for word in words} >= OF_ANOTHER_READER


def _exclude(word: str, other: str) -> bool:
    pairs = [(word, other), (other, word)]
    return any(
        compare_texts(f"{who} is {_spoken(one)}", f"{who} is {_spoken(two)} now").relation is Relation.CONTRADICTS
        for (one, two), who in product(pairs, SUBJECTS)
    )


def _spoken(word: str) -> str:
    return word.replace("_", " ")
