"""The labelled tables: what must not change first, then what must (C-39 ... C-43)."""

import json
from pathlib import Path

import pytest
from crossing import contradictions, harmless
from memory_ledger.claims import Relation, compare_texts
from pair_tables import CONTRADICTIONS, DUPLICATES, HARMLESS, HELD_OUT_HARMLESS, MISSED, REFINED
from read_once import compare_read, would_retire
from rows import every_row

_DATA = Path(__file__).resolve().parents[1] / "data"
#: Nobody reads what is held out.
BLIND = (
    "contradictions/development",
    "contradictions/held_out",
    "plain/training",
    "plain/development",
    "plain/held_out",
)


def _retires(older, newer):
    return would_retire(compare_texts(older, newer))


@every_row(HARMLESS)
def test_harmless_pairs_are_no_contradiction(group, older, newer):
    assert not _retires(older, newer)
    assert not _retires(newer, older)


@every_row(MISSED)
def test_what_the_newer_text_leaves_unsaid_is_not_retired(group, older, newer):
    """C-43: the newer text does not speak of all that the older one says."""
    assert not _retires(older, newer)


@pytest.mark.parametrize("step", [pytest.param(4, id="a fourth"), pytest.param(1, id="all", marks=pytest.mark.long)])
@pytest.mark.parametrize("part", BLIND)
def test_pairs_that_were_written_without_sight_of_the_rules_raise_no_alarm(part, step):
    """C-43: 5,000 harmless pairs, each in words of its own, in either order: plainly said ones among them."""
    lines = (_DATA / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
    pairs = [(row["older"], row["newer"]) for row in map(json.loads, lines) if not row["contradiction"]][::step]
    assert len(pairs) >= 100 / step
    both_ways = [pair for older, newer in pairs for pair in ((older, newer), (newer, older))]
    found = {pair: compare_read(*pair) for pair in both_ways}
    assert [pair for pair in both_ways if would_retire(found[pair])] == []
    assert sum(found[pair].is_open for pair in both_ways) <= max(1, 0.005 * len(both_ways))


@every_row(HELD_OUT_HARMLESS)
def test_held_out_harmless_pairs_are_no_contradiction(older, newer):
    assert not _retires(older, newer)


def test_crossing_a_slot_with_another_subject_scope_time_or_modality_is_harmless():
    pairs = list(harmless())[::2]
    assert len(pairs) > 1000
    alarms = [
        (slot, first, second)
        for slot, older, newer in pairs
        for first, second in ((older, newer), (newer, older))
        if _retires(first, second)
    ]
    assert alarms == []


@every_row(REFINED)
def test_more_precise_pairs_refine(group, older, newer):
    assert compare_texts(older, newer).relation is Relation.REFINES
    assert compare_texts(newer, older).relation is Relation.REFINES


@every_row(DUPLICATES)
def test_the_same_value_in_other_words_is_a_duplicate(group, older, newer):
    assert compare_texts(older, newer).relation is Relation.DUPLICATES
    assert compare_texts(newer, older).relation is Relation.DUPLICATES


def test_another_number_after_a_mark_is_another_statement():
    comparison = compare_texts("The issue that blocks us is #42", "The issue that blocks us is #43")
    assert comparison.relation is Relation.COEXISTS


@every_row(CONTRADICTIONS)
def test_contradictions_are_found_by_the_rule_that_fits(group, rule, older, newer):
    comparison = compare_texts(older, newer)
    assert comparison.relation is Relation.CONTRADICTS
    assert comparison.rule == rule
    assert len(comparison.reasons) == 4


def test_every_wording_of_a_slot_contradicts_every_other_with_another_value():
    missed = [pair for pair in contradictions() if compare_texts(*pair[1:]).relation is not Relation.CONTRADICTS]
    assert missed == []
