"""The summary of a day lists what was seen most, and no more of it than a person reads (M-23)."""

from dataclasses import replace

from knowledge_tools.logs import tally_of
from knowledge_tools.shelf import failed
from memory_ledger.knowledge.insights import render_summary


def rows(text, title):
    """Return the rows of a table."""
    table = text.partition(f"## {title}\n")[2].partition("\n## ")[0]
    return [row.split(" | ")[0].removeprefix("| ") for row in table.splitlines() if row.startswith("| ")][1:]


def test_a_table_has_the_ten_most_frequent():
    """M-23: the most frequent first, of those that are as frequent the first by alphabet."""
    paths = [
        replace(failed(100 * at + number, error=""), path=(f"{chr(97 + at)}_agent",))
        for at in range(12)
        for number in range(at + 1)
    ]
    text = render_summary("2026-02-26", tally_of(paths))
    assert rows(text, "Agent pathways") == [f"{chr(97 + at)}_agent" for at in range(11, 1, -1)]
    even = [replace(failed(at, error=""), path=(f"{name}_agent",)) for at, name in enumerate("cab")]
    assert rows(render_summary("2026-02-26", tally_of(even)), "Agent pathways") == ["a_agent", "b_agent", "c_agent"]


def test_a_row_has_the_three_most_frequent_answers():
    """M-10, M-23: of what was used, with which code it failed."""
    many = [
        failed(10 * at + number, error=f"CODE_{name}") for at, name in enumerate("DCBA") for number in range(at + 1)
    ]
    text = render_summary("2026-02-26", tally_of(many))
    assert "| action_agent | 10 | CODE_A: 4, CODE_B: 3, CODE_C: 2 |\n" in text
