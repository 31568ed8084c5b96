"""Every pattern of a wording finds its examples and none of its counterexamples (T-03)."""

import re
import tomllib
from importlib.resources import files

import memory_ledger.language as room
import pytest
from memory_ledger.language.wordings import read_patterns, spell_out

TABLES = {
    path.name.removesuffix(".toml"): tomllib.loads(path.read_text("utf-8"))
    for path in files(room).iterdir()
    if path.name.endswith(".toml")
}
ROWS = [
    (table, name, finds)
    for table, rows in sorted(TABLES.items())
    if "pattern" in rows
    for name, finds in spell_out(rows).items()
]


@pytest.mark.parametrize(("table", "name", "finds"), ROWS, ids=[f"{table}-{name}" for table, name, _ in ROWS])
def test_a_pattern_finds_its_examples_and_nothing_else(table, name, finds):
    """T-03: what a wording means is decided by the tables."""
    one, row = re.compile(finds, re.IGNORECASE), TABLES[table]["pattern"][name]
    assert row["examples"] and row["counterexamples"]
    assert [text for text in row["examples"] if not one.search(text)] == []
    assert [text for text in row["counterexamples"] if one.search(text)] == []
    assert all(read_patterns(table)[name].search(text) for text in row["examples"])
