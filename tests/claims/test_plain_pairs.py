"""What people say plainly, in pairs that their writers wrote without sight of the rules (C-39, C-96)."""

import json
from pathlib import Path

import pytest
from memory_ledger.claims import Relation, compare_texts
from memory_ledger.similar.at_odds import is_at_odds

_FOLDER = Path(__file__).resolve().parents[1] / "data" / "plain"


@pytest.mark.parametrize(
    ("part", "step"),
    [
        ("training", 8),
        ("development", 2),
        pytest.param("training", 1, marks=pytest.mark.long),
        pytest.param("development", 1, marks=pytest.mark.long),
    ],
)
def test_a_plain_change_is_settled_or_marked(part: str, step: int) -> None:
    """C-39, C-96: with a word of change or without; and what only looks like one is hardly ever marked."""
    counts = {True: [0, 0], False: [0, 0]}
    for row in map(json.loads, (_FOLDER / f"{part}.jsonl").read_text("utf-8").splitlines()[::step]):
        pair = row["older"], row["newer"]
        found = compare_texts(*pair).relation is Relation.CONTRADICTS or is_at_odds(*pair)
        counts[row["contradiction"]][found] += 1
    assert counts[True][True] >= counts[True][False] and counts[False][True] <= 0.03 * counts[False][False], counts
