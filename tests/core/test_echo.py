"""Echoes: a new memory that only restates one that was in the prompt; what must not change comes first (T-67, T-68)."""

import json
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from case_tables import read_cases
from core_tools import AGENT, INFERRED, memory
from hypothesis import example, given
from hypothesis import strategies as st
from memory_ledger.contents import Content
from memory_ledger.ledger.copies import find_echo
from memory_ledger.records import Memory
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


CONTENT = Content(subject="project", property="language", value="Python")


def changed(one: Memory, row: dict[str, Any]) -> Memory:
    """Return a memory with what a row says of it beyond its axes."""
    bare = dict.fromkeys(row.get("without", ()))
    content = CONTENT if row.get("has_content") else None
    return replace(one, is_knowledge=row.get("is_knowledge", False), content=content, **bare)


def pair_of(new: dict[str, Any], original: dict[str, Any]) -> tuple[Memory, Memory]:
    """Return what the agent has inferred, and the user's confirmed memory of it, changed as the rows say."""
    mine, theirs = ({key: value for key, value in row.items() if key not in MARKS} for row in (new, original))
    return changed(inferred(**mine), new), changed(memory("old", TEXT, **theirs), original)


MARKS = ("without", "has_content", "is_knowledge")


@pytest.mark.parametrize(("new", "original"), CASES["what_must_stay"])
def test_what_must_stay(new: dict[str, Any], original: dict[str, Any]) -> None:
    """T-68, C-44: a memory that has anything which the original has not is no echo of it."""
    assert find_echo(*pair_of(new, original)) is None


@pytest.mark.parametrize(("new", "original"), CASES["what_is_an_echo"])
def test_what_is_an_echo(new: dict[str, Any], original: dict[str, Any]) -> None:
    """T-68: a restatement of what is in use; the user's, where the original is the user's as well."""
    assert find_echo(*pair_of(new, original)) is not None
