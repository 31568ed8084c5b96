"""A store that was just opened is asked before it is read: what a recall brings is the same (E-07, C-54 ... C-58)."""

import random

import numpy as np
import pytest
from memory_ledger.host.recall.search import recall
from memory_ledger.recall.plan import RecallLimits, make_plan
from memory_ledger.recall.selection import Selection
from memory_ledger.setting_groups import NoiseGate
from memory_ledger.settings import Settings

WORDS = "port worker queue cache owl fern budget release printer kiln ferry harbour".split()
STATUSES = (
    {},
    {"validity": "deprecated"},
    {"relevance": "dormant"},
    {"utility": "load_bearing"},
    {"source": "agent_inferred", "validity": "inferred"},
)
ASKED = [f"Which {one} and {other}?" for one, other in zip(WORDS, WORDS[3:], strict=False)]


@pytest.fixture
def full(box):
    """A folder of 600 memories: about the same things, in every status, every area, many of them twice."""
    choose = random.Random(11)
    for number in range(600):
        text = f"the {choose.choice(WORDS)} and the {choose.choice(WORDS)} of {choose.randrange(20)}"
        one = box.insert(text, area=choose.choice(("main", "fragments", "solutions", "elsewhere")))
        if number % 10:
            box.classify(one, **choose.choice(STATUSES))
    box.store.sweep()
    box.store.end_first_look()
    box.store.note_all_adopted()
    box.restart(is_saved=True)
    return box


def brought(found: Selection) -> tuple[list[str], list[str]]:
    return tuple([one.memory.id for one in chosen] for chosen in (found.memories, found.solutions))


def ask(box, question: str, *, is_enhanced: bool) -> tuple[list[str], list[str]]:
    """Return what a question brings, asked from several angles or as the host asks."""
    limits = RecallLimits(threshold=0.0)
    settings = Settings(noise_gate=NoiseGate(enabled=False))
    plan = make_plan(question, settings, box.clock(), limits=limits, is_enhanced=is_enhanced)
    return brought(recall(box.store, np.asarray([box.embedder.vector(one.text) for one in plan.variants]), plan))


@pytest.mark.parametrize("is_enhanced", [True, False], ids=["enhanced", "plain"])
def test_what_a_recall_brings_is_the_same(is_enhanced: bool, full) -> None:
    asked = {question: ask(full, question, is_enhanced=is_enhanced) for question in ASKED}
    assert any(solutions for _, solutions in asked.values())
    assert 0 < full.store.rows.so_far.unread() < 600
    full.restart()
    full.store.refresh_positions()
    assert full.store.columns.count().total() > 400 and not full.store.rows.so_far.unread()
    assert {question: ask(full, question, is_enhanced=is_enhanced) for question in ASKED} == asked


def test_who_asks_for_all_rows_has_them(full) -> None:
    """T-48, C-62: read in slices, one by one for a recall, or at once: the rows are the same."""
    for question in ASKED[:3]:
        ask(full, question, is_enhanced=True)
    slices = 0
    while full.store.rows.read(limit=50):
        slices += 1
    assert slices > 2
    counted = full.store.columns.count()
    full.restart()
    full.store.refresh_positions()
    assert full.store.rows.so_far.unread() == 600
    assert full.store.columns.count() == counted


def test_a_row_that_changes_before_it_is_read(full) -> None:
    full.store.refresh_positions()
    one, other, third = [memory_id for memory_id in full.docs if full.docs[memory_id].metadata["area"] == "main"][:3]
    full.classify(one, validity="deprecated")
    full.update(other, "written anew")
    full.delete(third)
    full.store.sweep()
    in_use = full.store.columns.in_use()
    assert not full.store.rows.so_far.unread()
    assert not in_use[full.store.index.position(one)] and in_use[full.store.index.position(other)]
    assert full.store.index.position(third) is None
