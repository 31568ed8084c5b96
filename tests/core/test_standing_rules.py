"""Which memories are standing rules, and which of them a prompt has room for."""

import json
from dataclasses import replace
from pathlib import Path

from core_tools import NOW
from memory_ledger.recall.eligibility import is_standing_rule, states_rule
from memory_ledger.records import Classification, Lineage, Memory
from rows import every_row

_CASES = Path(__file__).resolve().parents[1] / "data/recall/standing_rules.jsonl"
CASES = [json.loads(line) for line in _CASES.read_text("utf-8").splitlines()]
AXES = {"validity": "confirmed", "relevance": "active", "utility": "load_bearing", "source": "user_asserted"}


def test_most_wordings_are_told_apart() -> None:
    """Of the cases every second one was held out while the wordings were written: no fact may pass for a rule."""
    wrong = [one["text"] for one in CASES if states_rule(one["text"]) is not one["rule"]]
    assert len(CASES) > 200 and not [one for one in CASES if not one["rule"] and one["text"] in wrong]
    assert len(wrong) <= 3


@every_row(
    [
        ({}, {}, True),
        ({"utility": "tactical"}, {}, True),
        ({"utility": "archived"}, {}, False),
        ({"source": "agent_inferred"}, {}, False),
        ({"source": "bookshelf_document"}, {}, False),
        ({"validity": "deprecated"}, {}, False),
        ({"relevance": "dormant"}, {}, False),
        ({}, {"area": "solutions"}, False),
        ({}, {"classification": None}, False),
        ({}, {"text": "User's project uses Python 3.11"}, False),
    ]
)
def test_only_the_users_own_word_in_use_is_a_rule(axes, changed, expected) -> None:
    status, lineage = Classification(**AXES | axes), Lineage(created_at=NOW)
    one = Memory(id="a", text="Never push on Fridays", created_at=NOW, classification=status, lineage=lineage)
    assert is_standing_rule(replace(one, **changed)) is expected
