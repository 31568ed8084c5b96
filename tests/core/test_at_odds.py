"""What is possibly at odds: alignment, features and marks; nothing here retires."""

from __future__ import annotations

import json
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
from case_tables import read_cases
from core_tools import NOW, memory
from memory_ledger.claims import Relation
from memory_ledger.ledger.settle import find_possible
from memory_ledger.similar import at_odds
from memory_ledger.similar.alignment import align, spelled
from memory_ledger.similar.at_odds import is_at_odds
from memory_ledger.similar.changes import compare_memory_texts
from memory_ledger.similar.features import WEIGHTS

CASES = read_cases(__file__)

PAIRS = Path(__file__).parents[1] / "data" / "contradictions"
MEMORIZED = PAIRS.with_name("memorized") / "held_out.jsonl"
STORED = Path(at_odds.__file__).with_name(WEIGHTS)


@pytest.mark.parametrize(("older", "newer", "alone", "swaps"), CASES["alignment_leaves_what_differs"])
def test_alignment_leaves_what_differs(older, newer, alone, swaps) -> None:
    found = align(older, newer)
    assert (spelled(found.older.alone), spelled(found.newer.alone)) == alone
    assert tuple((spelled(one), spelled(other)) for one, other in found.swaps) == swaps


@pytest.mark.parametrize(("older", "newer", "alike"), CASES["another_form_of_a_word_and_the_parts_of_a_path_are_alike"])
def test_another_form_of_a_word_and_the_parts_of_a_path_are_alike(older: str, newer: str, alike: str) -> None:
    """C-40: a number is itself or another one; what numbers a list is no word."""
    assert spelled(align(older, newer).older.alike) == alike


def test_a_plain_change_is_marked_and_the_same_text_is_not() -> None:
    older = "The deadline of the grant application is on May 15."
    assert is_at_odds(older, "The deadline of the grant application was moved to May 29.")
    assert not is_at_odds(older, older)


@pytest.mark.parametrize(("older", "newer"), CASES["what_a_small_store_has_side_by_side_is_not_marked"])
def test_what_a_small_store_has_side_by_side_is_not_marked(older: str, newer: str) -> None:
    """C-96: what shares no word but "the user", and what differs in part, purpose or time."""
    assert not is_at_odds(older, newer)
    assert not is_at_odds(newer, older)


def is_marked(older: str, newer: str) -> bool:
    """Whether memories of two days are marked; nothing of theirs was written at once."""
    return find_possible(memory("a", older), memory("b", newer, at=NOW + timedelta(days=1))) is not None


@pytest.mark.parametrize(("older", "newer"), CASES["entries_of_notes_are_not_marked"])
def test_entries_of_notes_are_not_marked(older: str, newer: str) -> None:
    """C-96: of other headings, of other hours, and events that differ in their counts."""
    assert not is_marked(older, newer)
    assert not is_marked(newer, older)


@pytest.mark.parametrize(("older", "newer"), CASES["what_goes_on_under_one_heading_is_marked"])
def test_what_goes_on_under_one_heading_is_marked(older: str, newer: str) -> None:
    """C-96: a state, a step and another outcome are no entries that stand side by side."""
    assert is_marked(older, newer)


@pytest.mark.parametrize(("said", "quoted"), CASES["what_is_quoted_is_at_odds_with_what_it_denies"])
def test_what_is_quoted_is_at_odds_with_what_it_denies(said: str, quoted: str) -> None:
    """C-44, C-96: rules settle nothing by a quotation; in either order both are shown."""
    assert is_at_odds(said, quoted) and is_at_odds(quoted, said)
    assert not is_at_odds(said, quoted.replace("I", "We"))
    assert not is_at_odds("User likes tea.", quoted)


@pytest.mark.parametrize("text", ["", " ", "\0", "?" * 9_000, "a" * 9_000, "你好 " * 900, "1" * 5_000])
def test_no_text_breaks_it(text: str) -> None:
    for pair in ((text, "The port is 80."), ("The port is 80.", text), (text, text)):
        assert not is_at_odds(*pair)


def test_weights_are_small() -> None:
    assert STORED.stat().st_size <= 350_000


def test_few_harmless_pairs_are_marked_that_nobody_has_seen() -> None:
    count, marked = count_harmless("held_out", "kinds_held_out")
    assert marked <= 0.04 * count


def test_changes_that_a_memorizer_writes_are_marked() -> None:
    """C-40, C-96: half of the pairs of a writer that nobody has seen; few of what is true side by side."""
    rows = [json.loads(line) for line in MEMORIZED.read_text("utf-8").splitlines()]
    marked = Counter(row["kind"] for row in rows if is_at_odds(row["older"], row["newer"]))
    assert marked["change"] >= 0.5 * sum(row["kind"] == "change" for row in rows)
    assert marked["apart"] + marked["copy"] <= 0.04 * sum(row["kind"] != "change" for row in rows)


def test_most_of_what_has_gone_on_since_is_settled_or_marked() -> None:
    """C-40, C-96: what was a state or a count of one thing; the words of the held-out pairs are not known here."""
    rows = map(json.loads, (PAIRS.with_name("real") / "changes_held_out.jsonl").read_text("utf-8").splitlines())
    pairs = [(row["older"], row["newer"]) for row in rows if row["what"] == "snapshot"]
    found = [is_at_odds(*pair) or compare_memory_texts(*pair).relation is Relation.CONTRADICTS for pair in pairs]
    assert sum(found) >= 0.45 * len(pairs)


def count_harmless(*parts: str) -> tuple[int, int]:
    """Return how many harmless pairs there are and how many are marked: a failing test must not print these rows."""
    rows = [json.loads(line) for part in parts for line in (PAIRS / f"{part}.jsonl").read_text("utf-8").splitlines()]
    harmless = [(row["older"], row["newer"]) for row in rows if not row["contradiction"]]
    return len(harmless), sum(is_at_odds(*pair) for pair in harmless)


def test_what_a_rule_settles_is_never_only_possible() -> None:
    """C-96: the rules are asked about what looks at odds; a part that is over, and another order, change nothing."""
    older = memory("a", "The deadline of the grant application is on May 15.")
    settled = memory("b", "The deadline of the grant application was moved to May 29.", at=NOW + timedelta(days=1))
    assert is_at_odds(older.text, settled.text)
    assert find_possible(older, settled) is None
    gym = memory("c", "User's gym membership costs 40 euros a month.")
    price = memory("d", "The gym put its monthly price up to 55 euros.", at=NOW + timedelta(days=1))
    for pair in ((gym, price), (price, gym)):
        found = find_possible(*pair)
        assert found is not None and [one.id for one in found[:2]] == ["c", "d"]


def test_a_report_of_one_hour_replaces_none_of_another() -> None:
    """C-40: entries of a diary stay whole; opening hours are no entries."""
    rounds = [f"Watch log: {hour} round: pumps healthy, no new leaks or visitors" for hour in ("10:52 AM", "2:52 PM")]
    assert compare_memory_texts(*rounds).relation is Relation.COEXISTS
    assert compare_memory_texts("Gym: 7:00 to 21:00", "Gym: 8:00 to 20:00").relation is Relation.CONTRADICTS


def test_what_was_noted_at_once_under_one_heading_is_never_only_possible() -> None:
    """C-96: an author does not contradict himself in one note; on another day he may."""
    before = memory("c", "Drought warning: Now 5 of 7 barrels are empty")
    texts = "Drought warning: Only the tank at the shed still has water", "Only the tank at the shed still has water"
    for text, days, is_marked in ((texts[0], 0, False), (texts[0], 1, True), (texts[1], 0, False)):
        found = find_possible(before, memory("d", text, at=NOW + timedelta(days=days)))
        assert (found is not None) is is_marked, (text, days)


def test_what_has_lost_a_part_already_is_never_only_possible() -> None:
    """C-96: what is marked as outdated is settled, so what is left of the memory is not put in doubt by its words."""
    part = {"text": "costs 40 euros a month", "by": "x", "at": NOW}
    gym = memory("c", "User's gym membership costs 40 euros a month.", lineage={"outdated_parts": [part]})
    price = memory("d", "The gym put its monthly price up to 55 euros.", at=NOW + timedelta(days=1))
    assert is_at_odds(gym.text, price.text)
    assert find_possible(gym, price) is None
