"""What says nothing is junk of a memorizer; in doubt a text says something (`design.md`, Beyond the specifications)."""

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from core_tools import AGENT, CONFIRMED, DEPRECATED, EXTERNAL, INFERRED, USER, memory
from memory_ledger.contents import Content
from memory_ledger.language import emptiness
from memory_ledger.language.emptiness import find_emptiness
from memory_ledger.ledger.lifecycle import why_empty

DATA = Path(__file__).resolve().parents[1] / "data" / "real"
TABLE = tomllib.loads(Path(emptiness.__file__).with_suffix(".toml").read_text("utf-8"))
ROWS = [*TABLE["row"], *({**row, "why": TABLE["why"][name]} for name, row in TABLE["pattern"].items())]
#: So many of the 20 of each part are found, which may not fall. Of the second it were 11 before anybody had looked at
#: what is missed there.
FOUND = {"junk_development": 20, "junk_held_out": 18}
EMPTY = memory("m", text="N/A", source=AGENT, validity=INFERRED)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["why"])
def test_a_row_finds_what_it_is_for_and_nothing_beside(row) -> None:
    for text in row["examples"]:
        assert find_emptiness(text) == row["why"], text
    for text in row["counterexamples"]:
        assert find_emptiness(text) is None, text


@pytest.mark.parametrize("row", TABLE["row"], ids=lambda row: row["why"])
def test_one_more_word_says_something(row) -> None:
    assert [text for text in row["examples"] if find_emptiness(f"{text} pelican")] == []


@pytest.mark.parametrize("text", TABLE["prompts"]["texts"])
def test_what_the_host_prompts_say_nobody_has_said(text) -> None:
    assert find_emptiness(text) is not None


@pytest.mark.parametrize(
    ("text", "is_id"),
    [("iWnmxWjYNZ", True), ("A4pe0lP1gK", True), ("8robdrblse.", True), ("(ID: 7f3a-21)", True), ("PostgreSQL", False)],
)
def test_an_id_is_told_from_a_name(text, is_id) -> None:
    assert (find_emptiness(f"Consolidated into {text}") is not None) is is_id
    assert find_emptiness(f"Consolidated into {text}: the pump is off") is None


@pytest.mark.parametrize("text", ["", "{}", "---", "and then of the"])
def test_what_has_no_word_says_nothing(text) -> None:
    assert find_emptiness(text) == TABLE["why"]["broken"]


@pytest.mark.parametrize("text", ["👍", "42", "yt-dlp -x YT_URL", "of the pelican", "N/A " * 200])
def test_in_doubt_it_says_something(text) -> None:
    assert find_emptiness(text) is None


@pytest.mark.parametrize("name", FOUND)
def test_real_junk_is_found_and_short_facts_are_not(name) -> None:
    """Texts by somebody who had not seen the rules: none of those that say something is called junk."""
    rows = [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]
    assert [row["text"] for row in rows if not row["junk"] and find_emptiness(row["text"])] == []
    assert sum(find_emptiness(row["text"]) is not None for row in rows if row["junk"]) >= FOUND[name]


@pytest.mark.parametrize("source", [AGENT, EXTERNAL])
def test_junk_of_a_memorizer_is_told_why(source) -> None:
    junk = memory("m", text="N/A", source=source, validity=INFERRED)
    assert why_empty(junk) == TABLE["row"][0]["why"]


@pytest.mark.parametrize(
    "kept",
    [
        pytest.param(memory("m", text="N/A", source=USER, validity=INFERRED), id="the user's word"),
        pytest.param(memory("m", text="N/A", source=AGENT, validity=CONFIRMED), id="confirmed"),
        pytest.param(memory("m", text="Wilma", source=AGENT, validity=INFERRED), id="says something"),
        pytest.param(memory("m", text="N/A", source=AGENT, validity=DEPRECATED), id="retired"),
        pytest.param(replace(EMPTY, content=Content(subject="a", property="b", value="c")), id="structured"),
        pytest.param(replace(EMPTY, is_knowledge=True), id="of a knowledge file"),
    ],
)
def test_what_somebody_vouches_for_is_no_junk(kept) -> None:
    assert why_empty(kept) is None
