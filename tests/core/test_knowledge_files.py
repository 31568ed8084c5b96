"""Knowledge files: a person can read and edit them, and not a byte is lost (M-43 ... M-49, M-73, T-38, T-39)."""

from datetime import UTC, date, datetime
from time import thread_time

import pytest
from case_tables import read_case
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.knowledge.documents import (
    EDITED,
    FILES,
    Category,
    Entry,
    EntryChange,
    Place,
    entry_id,
    file_of,
    marked,
    new_document,
    parse_document,
    parse_entry,
    rendered,
    revise,
    with_bullets,
)

NOW = datetime(2026, 2, 27, 8, 0, 5, 123, tzinfo=UTC)

_WORDS = st.text("abc XYZ0,.;:→é'|", min_size=1, max_size=40).map(lambda one: " ".join(one.split()) or "x")
_DAYS = st.dates(date(2020, 1, 1), date(2030, 1, 1))
ENTRIES = st.builds(
    Entry,
    id=st.integers(1, 12_345).map(entry_id),
    title=_WORDS,
    confidence=st.integers(0, 100).map(lambda one: one / 100),
    transactions=st.integers(0, 500),
    first_observed=_DAYS,
    last_confirmed=_DAYS,
    sources=st.lists(st.sampled_from(["txn_1", "req-20260226-145650"]), max_size=3).map(tuple),
    category=st.sampled_from(Category),
    insight=_WORDS,
    action=_WORDS,
    applicability=_WORDS,
    edited_on=st.none() | _DAYS,
)

#: As the specification shows it: without a description, and with brackets around the category.
SPECIFIED = read_case(__file__, "knowledge_file.md")


def an_entry(number=1, **values):
    """Return an entry."""
    defaults = {
        "id": entry_id(number),
        "title": "Error TIMEOUT",
        "confidence": 0.85,
        "transactions": 23,
        "first_observed": date(2026, 2, 1),
        "last_confirmed": date(2026, 2, 26),
        "sources": ("txn_1", "txn_2"),
        "category": Category.ERROR_PREVENTION,
        "insight": "It is slow.",
        "action": "Split it.",
        "applicability": "action_agent",
    }
    return Entry(**{**defaults, **values})


def a_file(*entries):
    """Return a file with these entries."""
    blocks = [rendered(one).text for one in entries]
    changes = [EntryChange("2026-02-27", "ADDED", one.id, one.title) for one in entries]
    return revise(
        new_document(Category.ERROR_PREVENTION, threshold=0.7), blocks, changes, now=NOW, threshold=0.7
    ).render()


def test_a_file_looks_as_specified():
    """M-43 ... M-48, M-56, T-38: H1, three bracketed lines, a description, rules, entries, the log of changes.

    Of an entry (M-44, M-46) title, six bullets, three sections.
    """
    assert a_file(an_entry(), an_entry(2)) == read_case(__file__, "knowledge_file_written.md")


@given(ENTRIES)
def test_an_entry_comes_back(entry):
    assert parse_entry(rendered(entry).text) == entry


_PIECES = st.sampled_from(
    [SPECIFIED, "## Entry: x\n", "## [CHANGE_LOG]\n", "---\n", "|--|\n", "\r\n", "\ufeff", "**Insight:**\n"]
)


@given(st.lists(_PIECES | st.text(max_size=30), max_size=8).map("".join))
def test_whatever_a_person_made_of_a_file_comes_back(text):
    assert parse_document(text).render() == text


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_specifications_own_example_is_read(newline):
    """M-43, T-38: without a description, and with the ends of lines of any editor."""
    text = SPECIFIED.replace("\n", newline)
    document = parse_document(text)
    (entry,) = document.entries
    assert entry == an_entry(
        title="Restricted content",
        first_observed=date(2025, 5, 15),
        last_confirmed=date(2025, 6, 1),
        sources=("txn_20250515_003", "txn_20250520_011", "txn_20250601_001"),
        insight="Restricted content fails late.",
        action="Flag it early.",
        applicability="objective_agent",
    )
    assert document.render() == text
    assert document.numbers() == {1, 12}


@pytest.mark.parametrize(
    "broken",
    [
        "- **ID:** MEM-001\n",
        "- **Confidence:** 0.85 (based on 23 transactions)\n",
        "- **First Observed:** 2025-05-15\n",
    ],
)
def test_an_entry_that_cannot_be_read_stays_in_the_file(broken):
    text = SPECIFIED.replace(broken, "")
    document = parse_document(text)
    assert (len(document.blocks), document.entries) == (1, [])
    assert document.render() == text


def test_the_newest_changes_come_first():
    """M-73, M-21: rows are added at the top, and what stands in the file stays."""
    document = parse_document(SPECIFIED)
    change = EntryChange("2026-02-27", "REVISED", "MEM-001", "Confidence from 0.60 to 0.85")
    text = revise(document, document.blocks, [change], now=NOW, threshold=0.7).render()
    rows = text[text.index("|------|") :].splitlines()[1:]
    assert rows == [
        "| 2026-02-27 | REVISED | MEM-001 | Confidence from 0.60 to 0.85 |",
        "| 2025-06-01 | ADDED | MEM-012 | New restricted short-form content heuristic |",
    ]
    assert "[LAST_UPDATED]: 2026-02-27T08:00:05Z\n[ENTRY_COUNT]: 1\n" in text
    assert document.blocks[0] in text


def test_a_file_without_a_log_of_changes_gets_one():
    document = parse_document(SPECIFIED[: SPECIFIED.index("## [CHANGE_LOG]")])
    text = revise(
        document, document.blocks, [EntryChange("2026-02-27", "EDITED", "MEM-001", "x")], now=NOW, threshold=0.7
    )
    assert text.render().endswith("|------|--------|----------|-------------|\n| 2026-02-27 | EDITED | MEM-001 | x |\n")


def test_marking_an_entry_touches_nothing_else():
    text = rendered(an_entry()).text.replace("It is slow.", "It is  *slow*.\r\nVery.\t")
    once = with_bullets(text, {EDITED: "2026-02-27"})
    assert once.replace(f"- **{EDITED}:** 2026-02-27\r\n", "").replace(f"\r\n- **{EDITED}:** 2026-02-27", "") == text
    assert with_bullets(once, {EDITED: "2026-02-27"}) == once
    entry = marked(parse_entry(text), {"Confidence": "0.50 (based on 2 transactions)"})
    assert entry.confidence == 0.5
    assert "It is  *slow*.\r\nVery.\t" in entry.text


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_confidence_is_one_at_most(newline):
    text = rendered(an_entry()).text.replace("0.85 (", "1.85 (").replace("\n", newline)
    assert parse_entry(text).confidence == 1.0


def test_only_the_header_is_brought_up_to_date():
    document = parse_document(SPECIFIED.replace("---\n\n## Entry", "[ENTRY_COUNT]: see above\n\n---\n\n## Entry", 1))
    text = revise(document, document.blocks, [], now=NOW, threshold=0.7).render()
    assert "[ENTRY_COUNT]: 1\n" in text and "[ENTRY_COUNT]: see above\n" in text


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_list_in_a_section_is_its_writers_own(newline):
    """M-21, M-48: bullets are those before the sections; what is marked is marked there."""
    section = "It is slow.\n\n- **Note:** ask Tom\n- **Confidence:** high"
    text = rendered(an_entry(insight=section)).text.replace("\n", newline)
    assert parse_entry(text).confidence == 0.85
    entry = marked(parse_entry(text), {EDITED: "2026-02-27", "Confidence": "0.50 (based on 2 transactions)"})
    assert entry == an_entry(insight=section, edited_on=date(2026, 2, 27), confidence=0.5, transactions=2)
    assert entry.text.count("\r\n") == (entry.text.count("\n") if newline == "\r\n" else 0)


def test_spaces_of_a_person_cost_no_more_than_their_length():
    """M-48: eight hundred in a bullet took five seconds, eight thousand in a title half a one."""
    before = thread_time()
    spaces = " " * 20_000
    text = rendered(an_entry()).text.replace("MEM-001", f"MEM-001{spaces}\rx").replace("TIMEOUT", f"{spaces}x{spaces}y")
    assert parse_entry(text).title.endswith("y")
    assert thread_time() - before < 6


def test_a_row_of_the_log_of_changes_is_one_row():
    row = EntryChange("2026-02-27", "ARCHIVED", "MEM-001", "a | b\nc: confidence 0.30").row()
    assert row == "| 2026-02-27 | ARCHIVED | MEM-001 | a / b c: confidence 0.30 |\n"


def test_files_have_the_names_of_the_specification():
    """M-19, T-39: the stem in the plural, the entry's category in the singular; staging and archive beside them."""
    names = "domain_knowledge.md operational_heuristics.md error_prevention.md quality_benchmarks.md".split()
    assert [file_of(one, Place.ACTIVE) for one in Category] == names
    assert file_of(Category.OPERATIONAL_HEURISTIC, Place.STAGING) == "staging/operational_heuristics.md"
    assert file_of(Category.QUALITY_BENCHMARK, Place.ARCHIVE) == "archive/quality_benchmarks.md"
    assert len(FILES) == 12
    values = "domain_knowledge operational_heuristic error_prevention quality_benchmark"
    assert [one.value for one in Category] == values.split()
