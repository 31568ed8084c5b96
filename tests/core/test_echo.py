"""Echoes: a new memory that only restates one that was in the prompt; what must not change comes first (T-67, T-68)."""

import json
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from case_tables import read_cases
from core_tools import (
    AGENT,
    CONFIRMED,
    DEPRECATED,
    EXTERNAL,
    INFERRED,
    LATER,
    LOAD_BEARING,
    NOW,
    TACTICAL,
    USER,
    memory,
)
from hypothesis import example, given
from hypothesis import strategies as st
from memory_ledger.contents import Content
from memory_ledger.ledger.copies import find_echo
from memory_ledger.records import Memory, OutdatedPart
from memory_ledger.similar.copies import covers, judge_pair
from rows import every_row

CASES = read_cases(__file__)

DATA = Path(__file__).resolve().parents[1] / "data" / "contradictions"


@every_row(CASES["different"])
def test_what_says_anything_else_is_no_echo(kind: str, original: str, new: str) -> None:
    """T-67, T-68: numbers, versions, dates, paths, names, polarity, roles, and every other addition."""
    assert find_echo(inferred(text=new), memory("old", original)) is None


@every_row(CASES["echoes"])
def test_restatement_is_an_echo(original: str, new: str) -> None:
    reason = find_echo(inferred(text=new), memory("old", original))
    assert reason is not None
    assert reason.startswith("it is the same ")


def test_contradictions_are_no_echoes() -> None:
    """T-67: in either order of the pairs that were written for the rules of contradiction."""
    lines = [line for part in ("development", "held_out") for line in (DATA / f"{part}.jsonl").read_text().splitlines()]
    pairs = [(row["older"], row["newer"]) for row in map(json.loads, lines[::2]) if row["contradiction"]]
    assert len(pairs) > 1_000
    assert sum(covers(*pair).is_copy for pair in pairs) <= 1
    assert sum(covers(*pair[::-1]).is_copy for pair in pairs) <= 2  # the newer one names the older value


# Words that turn a sentence, or narrow it.
DIVERGING = (
    "not never no without only rarely hardly formerly maybe might no-one unless almost most few some again "
    "another second 7 3.12 2026 staging Maria /tmp"
).split()


@given(st.sampled_from(CASES["plain"]), st.sampled_from(DIVERGING), st.integers(0, 30))
def test_one_more_word_that_matters_is_no_echo(text: str, word: str, place: int) -> None:
    words = text.split()
    place %= len(words) + 1
    changed = " ".join([*words[:place], word, *words[place:]])
    assert not judge_pair(changed, text).is_copy


@given(st.text(max_size=60), st.lists(st.sampled_from([" ", "  ", "\t"]), max_size=9))
@example("a\u0308 b", ["\t", " "])
def test_equal_normalised_texts_are_echoes(text: str, spaces: list[str]) -> None:
    """T-67, T-68: white space and composition aside, a text on one line is an echo of itself."""
    words = text.split()
    line = " ".join(words)
    spaced = "".join(word + space for word, space in zip(words, [*spaces, *[" "] * len(words)], strict=False))
    new, original = inferred(text=unicodedata.normalize("NFD", spaced)), memory("old", line)
    assert (find_echo(new, original) is not None) == bool(new.text.strip())


TEXT = "The user's project uses Python 3.11"


def inferred(memory_id: str = "new", text: str = f"{TEXT}.", **given: object) -> Memory:
    """Return what the agent inferred."""
    return memory(memory_id, text, **{"source": AGENT, "validity": INFERRED, **given})


ORIGINAL = memory("old", TEXT)
AGENTS = memory("old", TEXT, source=AGENT, validity=CONFIRMED)
OUTDATED = OutdatedPart(text="Python 3.11", by="x", at=NOW)
PLACE = {"bst_domain": "coding", "created_by_role": "coder"}
CONTENT = Content(subject="project", property="language", value="Python")


@pytest.mark.parametrize(
    ("new", "original"),
    [
        pytest.param(inferred(source=USER), AGENTS, id="C-44 the user's own words, of the agent's"),
        pytest.param(inferred(source=USER), replace(AGENTS, is_knowledge=True), id="T-47 of a knowledge import"),
        pytest.param(
            inferred(source=USER), memory("old", TEXT, validity=INFERRED), id="C-16 of what the user has not confirmed"
        ),
        pytest.param(inferred(source=EXTERNAL), ORIGINAL, id="what was retrieved"),
        pytest.param(replace(inferred(), is_knowledge=True), ORIGINAL, id="T-47 a knowledge import"),
        pytest.param(inferred(validity=DEPRECATED), ORIGINAL, id="C-50 retired already"),
        pytest.param(replace(inferred(), classification=None), ORIGINAL, id="not classified"),
        pytest.param(replace(inferred(), lineage=None), ORIGINAL, id="no lineage"),
        pytest.param(inferred(lineage={"is_correction": True}), ORIGINAL, id="C-41 a correction"),
        pytest.param(inferred("old", TEXT), ORIGINAL, id="the memory itself"),
        pytest.param(inferred(), memory("old", TEXT, validity=DEPRECATED), id="the original is retired"),
        pytest.param(inferred(), replace(ORIGINAL, classification=None), id="the original is not classified"),
        pytest.param(inferred(), replace(ORIGINAL, lineage=None), id="the original has no lineage"),
        pytest.param(
            inferred(), memory("old", TEXT, lineage={"outdated_parts": (OUTDATED,)}), id="C-43 partly outdated"
        ),
        pytest.param(inferred(), memory("old", TEXT, at=LATER), id="the original came later"),
        pytest.param(inferred(area="solutions"), ORIGINAL, id="a solution and a fact"),
        pytest.param(inferred(utility=LOAD_BEARING), memory("old", TEXT, utility=TACTICAL), id="C-46 more weight"),
        pytest.param(inferred(), memory("old", TEXT, lineage=PLACE), id="C-18 the original is seen by one role"),
        pytest.param(replace(inferred(), content=CONTENT), ORIGINAL, id="Q-62 structured content"),
        pytest.param(inferred(text="The project is late"), ORIGINAL, id="another text"),
    ],
)
def test_what_must_stay(new: Memory, original: Memory) -> None:
    """T-68, C-44: a memory that has anything which the original has not is no echo of it."""
    assert find_echo(new, original) is None


@pytest.mark.parametrize(
    ("new", "original"),
    [
        pytest.param(inferred(), ORIGINAL, id="of the user's words"),
        pytest.param(inferred(source=USER, validity=CONFIRMED), ORIGINAL, id="the user's words, of the user's words"),
        pytest.param(inferred(), memory("old", TEXT, source=AGENT, validity=INFERRED), id="of the agent's words"),
        pytest.param(inferred(), replace(ORIGINAL, is_knowledge=True), id="of a knowledge import"),
        pytest.param(inferred(utility=LOAD_BEARING), memory("old", TEXT, utility=LOAD_BEARING), id="of equal weight"),
        pytest.param(inferred(lineage=PLACE), memory("old", TEXT, lineage=PLACE), id="in the same role"),
        pytest.param(inferred(lineage=PLACE), ORIGINAL, id="C-99 of what every role sees"),
        pytest.param(replace(inferred(), content=CONTENT), replace(ORIGINAL, content=CONTENT), id="of equal content"),
    ],
)
def test_what_is_an_echo(new: Memory, original: Memory) -> None:
    """T-68: a restatement of what is in use; the user's, where the original is the user's as well."""
    assert find_echo(new, original) is not None
