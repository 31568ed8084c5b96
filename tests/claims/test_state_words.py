"""Every word of a state excludes the words of the other values of its slot, as the tables are written (C-40)."""

import tomllib
from itertools import product
from pathlib import Path

import memory_ledger
import pytest
from memory_ledger.claims import Relation, compare_texts

CLAIMS = Path(memory_ledger.__file__).parent / "claims"
ROWS = {
    (table, slot): {value: words.split() for value, words in values.items()}
    for table, file in (("states", "clauses/state_words.toml"), ("being", "polarity/polar_words.toml"))
    for slot, values in tomllib.loads((CLAIMS / file).read_text("utf-8"))[table].items()
    if len(values) > 1
}
SUBJECTS = ("The gate of Heron", "Bug 17 of Heron", "User")
#: Words that the other words of their slot do not exclude of these subjects, or that another reader takes.
READ_OTHERWISE = {
    *("married", "unmarried", "todo", "fully_booked", "half_empty", "in_production_use", "under_active_development"),
    *("still_there", "being_considered", "in_preview", "an_early_preview", "production_ready", "expecting_a_baby"),
    *("expecting_a_child", "free_of_debt", "delivered", "unclear", "gone", "retired"),
}


@pytest.mark.parametrize(("table", "slot"), ROWS, ids=[slot for _, slot in ROWS])
def test_each_word_excludes_those_of_another_value(table: str, slot: str) -> None:
    values = ROWS[table, slot]
    silent = {
        word
        for value, words in values.items()
        for word in words
        if not any(_exclude(word, other) for told, others in values.items() if told != value for other in others)
    }
    assert silent <= READ_OTHERWISE


def test_every_exception_is_a_word() -> None:
    assert {word for values in ROWS.values() for words in values.values() for word in words} >= READ_OTHERWISE


def _exclude(word: str, other: str) -> bool:
    pairs = [(word, other), (other, word)]
    return any(
        compare_texts(f"{who} is {_spoken(one)}", f"{who} is {_spoken(two)} now").relation is Relation.CONTRADICTS
        for (one, two), who in product(pairs, SUBJECTS)
    )


def _spoken(word: str) -> str:
    return word.replace("_", " ")
