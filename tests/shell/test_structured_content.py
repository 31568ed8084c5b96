"""Structured content in a store opens conflicts through the one engine, and retires nothing (Q-22, Q-62)."""

import json

import pytest
from memory_ledger.store import files


def content(value, *, subject: str = "Adam", name: str = "shoe size") -> dict:
    """Return structured content."""
    return {"subject": subject, "property": name, "value": value}


@pytest.mark.parametrize("where", ["metadata", "JSON in metadata", "text"])
def test_differing_scalars_open_one_conflict(where: str, known) -> None:
    """Q-22, Q-62: both stay in use, one conflict is open, both are in doubt; a restart adds nothing."""

    def insert(note: str, value) -> str:
        stated = content(value)
        if where == "text":
            return known.insert(json.dumps(stated))
        return known.insert(note, content=stated if where == "metadata" else json.dumps(stated))

    one = insert("About Adam's feet", 43)
    for number in range(10):
        known.insert(f"User likes tea number {number}")
    known.adopt()
    known.clock.advance(days=1)
    other = insert("Something else altogether", 44)
    changes = known.adopt(conflict_top_k=1).changes
    assert [type(change).__name__ for change in changes] == ["Contest"]
    (row,) = known.lines(files.CONFLICTS_FILE)
    assert (row["memories"], row["resolution"], row["type"]) == ([one, other], None, "direct")
    assert 'older: "43"; newer: "44"' in row["description"]
    assert {known.validity(one), known.validity(other)} == {"inferred"}
    assert known.read(one).quality.conflict_risk == known.read(other).quality.conflict_risk > 0
    known.restart(is_saved=True)
    known.adopt()
    assert len(known.lines(files.CONFLICTS_FILE)) == 1


def test_no_word_of_the_users_lets_it_retire(known) -> None:
    """Q-62, C-44: not even where the user's word would win."""
    known.learn("A note", content=content("red", name="colour"))
    known.say("The colour is blue for Adam, I must say.")
    known.clock.advance(days=1)
    known.insert("The colour is blue for Adam", content=content("blue", name="colour"))
    known.adopt(retire_existing=True)
    assert [row["action"] for row in known.journal()] == ["contest"]


@pytest.mark.parametrize("value", [["red"], {"a": 1}, None, "red"])
def test_no_scalar_and_no_difference_is_no_conflict(value, known) -> None:
    """Q-20, Q-62."""
    known.insert("A note", content=content("red", name="colour"))
    known.insert("Another note", content=content(value, name="colour"))
    known.learn("A third note", content=content("blue", name="colour", subject="Eve"))
    assert known.lines(files.CONFLICTS_FILE) == []


def test_hostile_content_disturbs_nothing(known) -> None:
    """Q-62, T-69: deep, huge or self-referring metadata is left alone, and what comes with it is adopted."""
    cycle: dict = content(1)
    cycle["value"] = cycle
    deep: dict = {}
    for _ in range(5_000):
        deep = {"content": deep}
    hostile = [cycle, deep, "[" * 200_000, {**content("x" * 1_000_000)}, {"subject": cycle}, b"\xff", {1: 2}]
    ids = [known.insert(f"Hostile note {number}", content=one) for number, one in enumerate(hostile)]
    assert len(known.adopt().classified) == len(hostile)
    assert [known.validity(one) for one in ids] == ["inferred"] * len(hostile)
    assert known.lines(files.CONFLICTS_FILE) == []


def test_a_flood_is_bounded(known) -> None:
    """Q-62, C-37: of many memories that state one property only the newest fifty are compared with a new one."""
    for number in range(60):
        known.insert(f"Flood note {number}", content=content(43))
    known.adopt()
    assert known.lines(files.CONFLICTS_FILE) == []
    known.insert("The last one", content=content(44))
    known.adopt(conflict_top_k=1)
    assert 50 <= len(known.lines(files.CONFLICTS_FILE)) <= 51
