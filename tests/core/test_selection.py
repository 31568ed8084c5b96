"""Who may take part in a recall, what enters the prompt and in which order, and which memories are standing rules."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from case_tables import read_cases
from core_tools import AGENT, ARCHIVED, LATER, LOAD_BEARING, NOW, TACTICAL, USER, memory
from hypothesis import example, given
from hypothesis import strategies as st
from memory_ledger.recall.eligibility import is_standing_rule, states_rule, suppression
from memory_ledger.recall.selection import (
    ORDERS,
    Candidate,
    Order,
    access_order,
    join_texts,
    mark_outdated,
    score_order,
    select,
    utility_order,
)
from memory_ledger.records import Classification, Lineage, Memory, Source
from memory_ledger.setting_groups import RankingMode
from memory_ledger.texts import neutralize
from rows import every_row

CASES = read_cases(__file__)

ROLES = {"docker_specialist": frozenset({"docker"})}


def domains_of(role_id: str) -> frozenset[str]:
    return ROLES.get(role_id, frozenset())


@pytest.mark.parametrize(("status", "allowed", "expected"), CASES["suppression"])
def test_suppression(status: dict[str, Any], allowed: tuple[str, ...], expected: str) -> None:
    """C-18, C-54, C-55, C-56, C-59, C-84, C-95, C-99: "all" is a role, or none, that may see everything."""
    domains = None if "all" in allowed else set(allowed)
    assert (suppression(memory(**status), domains, domains_of) or "") == expected


def scored(found: Memory, score: float = 0.8) -> Candidate:
    return Candidate(memory=found, similarity=score, relevance=score, recency=1.0, score=score)


def candidate(memory_id: str, score: float = 0.8, **fields: object) -> Candidate:
    return scored(memory(memory_id, **fields), score)  # type: ignore[arg-type]


def order(by: Order, *found: Candidate) -> list[str]:
    return [one.memory.id for one in select(found, by=by, shown=by, limit=100, solution_limit=100).memories]


@pytest.mark.parametrize(
    ("orders", "first", "second"),
    [
        ("access", {"utility": LOAD_BEARING}, {"lineage": {"access_count": 9}}),
        ("access", {"utility": TACTICAL}, {"utility": ARCHIVED, "score": 0.99}),
        ("access", {"lineage": {"access_count": 2}}, {"score": 0.99}),
        ("access", {"score": 0.9, "source": AGENT}, {"source": USER}),
        ("access", {"source": USER}, {"source": AGENT, "at": LATER}),
        ("score", {"score": 0.9}, {"source": USER, "lineage": {"access_count": 9}}),
        ("score", {"source": USER}, {"source": AGENT, "lineage": {"access_count": 2}}),
        ("score", {"lineage": {"access_count": 2}}, {"at": LATER}),
        ("access score", {"at": LATER}, {"at": NOW}),
    ],
)
def test_order(orders: str, first: dict[str, object], second: dict[str, object]) -> None:
    """C-09, C-57, C-94, T-04: tier, access count, similarity, source and recency, or the score before all of them."""
    found = candidate("b", **first), candidate("a", **second)
    by = {"access": (access_order,), "score": (score_order, utility_order), "access score": (access_order, score_order)}
    for one in by[orders]:
        assert order(one, *found) == order(one, *found[::-1]) == ["b", "a"]


def test_the_better_one_of_equals_is_shown_first() -> None:
    """Scores that differ by less than a hundredth are equal; the user's word stands before a better claim."""

    def of_quality(name: str, score: float, quality: float, source: Source = AGENT) -> Candidate:
        return replace(candidate(name, score, source=source), quality=quality)

    found = of_quality("a", 0.801, 0.2), of_quality("b", 0.799, 0.9), of_quality("c", 0.8, 0.1, USER)
    assert order(utility_order, *found) == ["c", "b", "a"]
    assert order(score_order, of_quality("a", 0.8, 0.2), of_quality("b", 0.8, 0.9)) == ["b", "a"]


def test_modes_differ_in_what_the_tier_decides() -> None:
    """T-04: by default selected by score and shown by tier; `tiered` selects by tier; `score` never asks for it."""
    found = [candidate("bearing", 0.6, utility=LOAD_BEARING), candidate("best", 0.9), candidate("good", 0.8)]
    shown = {}
    for mode in RankingMode:
        by, order_shown = ORDERS[mode]
        for limit in (2, 3):
            shown[mode, limit] = select(found, by=by, shown=order_shown, limit=limit, solution_limit=0).ids
    assert shown == {
        (RankingMode.SELECT_BY_SCORE, 2): ("best", "good"),
        (RankingMode.SELECT_BY_SCORE, 3): ("bearing", "best", "good"),
        (RankingMode.TIERED, 2): ("bearing", "best"),
        (RankingMode.TIERED, 3): ("bearing", "best", "good"),
        (RankingMode.SCORE, 2): ("best", "good"),
        (RankingMode.SCORE, 3): ("best", "good", "bearing"),
    }


@example("{{{{{ include 'a' }}}}}")
@example("{{%if x%}}{%%}")
@example("{\u200b{ x }\u200b}")
@given(st.text(alphabet="{}% \nab'\u200b", max_size=40) | st.text(max_size=40))
def test_no_template_directive_survives(text: str) -> None:
    """T-62: no mark of a directive is left in any text, a person reads the same, and once is enough."""
    safe = neutralize(text)
    assert not re.search(r"\{\{|\}\}|\{%|%\}", safe)
    assert safe.replace("\u200b", "") == text.replace("\u200b", "")
    assert neutralize(safe) == safe


@given(st.lists(st.text(alphabet="{}% ab", max_size=12), max_size=4))
def test_no_directive_arises_between_two_memories(texts: list[str]) -> None:
    joined = join_texts([candidate(str(number), text=text) for number, text in enumerate(texts)])
    assert not re.search(r"\{\{|\}\}|\{%|%\}", joined)


def test_text_without_a_directive_is_left_as_it_is() -> None:
    text = 'Send {"limit": {"cpu": "50%"} } and 5 % of {x}'
    assert neutralize(text) == text


def test_memory_that_is_not_classified_yet_takes_part() -> None:
    bare = Memory(id="m", text="t", created_at=NOW)
    assert suppression(bare, {"bugfix"}, domains_of) is None
    assert order(access_order, scored(bare), candidate("b", utility=LOAD_BEARING)) == ["b", "m"]


@pytest.mark.parametrize(("text", "parts", "expected"), CASES["what_no_longer_holds_is_marked_once"])
def test_what_no_longer_holds_is_marked_once(text: str, parts: tuple[str, ...], expected: str) -> None:
    lineage = {"outdated_parts": [{"text": part, "by": "x", "at": NOW} for part in parts]}
    assert mark_outdated(memory(text=text, lineage=lineage)) == expected


_CASES = Path(__file__).resolve().parents[1] / "data/recall/standing_rules.jsonl"
RULES = [json.loads(line) for line in _CASES.read_text("utf-8").splitlines()]
AXES = {"validity": "confirmed", "relevance": "active", "utility": "load_bearing", "source": "user_asserted"}


def test_most_wordings_are_told_apart() -> None:
    """Of the cases every second one was held out while the wordings were written: no fact may pass for a rule."""
    wrong = [one["text"] for one in RULES if states_rule(one["text"]) is not one["rule"]]
    assert len(RULES) > 200 and not [one for one in RULES if not one["rule"] and one["text"] in wrong]
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
