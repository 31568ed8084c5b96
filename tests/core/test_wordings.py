"""Every pattern of a wording finds its examples and none of its counterexamples (T-03, V-39)."""

import re
import tomllib
from pathlib import Path

import memory_ledger
import pytest
from memory_ledger.language.vocabulary import read_patterns, spell_out
from memory_ledger.privacy import Level, scan

PACK = Path(memory_ledger.__file__).parent
TABLES = {
    (room, path.stem): tomllib.loads(path.read_text("utf-8"))
    for room in ("language", "privacy", "recall")
    for path in sorted((PACK / room).glob("*.toml"))
}
ROWS = [
    (room, table, name, finds)
    for (room, table), rows in TABLES.items()
    if "pattern" in rows
    for name, finds in spell_out(rows).items()
]
#: The guard's classes: a text, and a word that is not of the class.
WORDS = TABLES["privacy", "words"]["words"]


@pytest.mark.parametrize(("room", "table", "name", "finds"), ROWS, ids=["-".join(row[:3]) for row in ROWS])
def test_a_pattern_finds_its_examples_and_nothing_else(room, table, name, finds):
    """T-03, V-39: what a wording means is decided by the tables; `begins` says that it is tried at one place."""
    one, row = re.compile(finds, re.IGNORECASE), TABLES[room, table]["pattern"][name]

    def is_found(text):
        found = one.match(text) if row.get("begins") else one.search(text)
        return found is not None and not (row.get("begins") and text and not found[0])

    assert row["examples"] and row["counterexamples"]
    assert [text for text in row["examples"] if not is_found(text)] == []
    assert [text for text in row["counterexamples"] if is_found(text)] == []
    patterns = read_patterns(table, str(PACK / room / "module.py"))
    assert all(patterns[name].search(text) for text in row["examples"])


def test_every_class_of_the_guard_has_an_example():
    assert WORDS["examples"].keys() == WORDS.keys() - {"examples"}


@pytest.mark.parametrize("name", WORDS["examples"])
def test_a_text_is_judged_alike_with_every_word_of_a_class(name):
    text, other = WORDS["examples"][name]

    def is_found(word):
        return scan(text.format(word), Level.STRICT) != ()

    words = WORDS[name].split()
    assert [word for word in words if is_found(word) != is_found(words[0])] == []
    assert is_found(words[0]) != is_found(other)
