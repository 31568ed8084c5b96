"""What did we believe about X, and when (C-51): one call over the memories of a folder."""

import json
from datetime import timedelta

import pytest
from memory_ledger import cli
from memory_ledger.ledger.history import believed_at, find_beliefs

START = "2026-03-01T12:00:00+00:00"


@pytest.fixture
def folder(known):
    """Three versions of one fact, a day apart, one in other words, and memories of other things; saved to disk."""
    said = [
        "My project uses Python 3.9.",
        "My shop is in Bergen. The port of the shop is 8080.",
        "We upgraded the project to Python 3.11.",
        "The port of the shop is 8443.",
        "The project uses Python 3.12.",
    ]
    texts = [
        "User's project uses Python 3.9",
        "User's shop is in Bergen. The port of the shop is 8080.",
        "User upgraded the project to Python 3.11",
        "The port of the shop is 8443",
        "User's project uses Python 3.12",
    ]
    for words, text in zip(said, texts, strict=True):
        known.say(words)
        known.insert(text)
        known.adopt()
        known.clock.advance(days=1)
    known.insert("The user likes Python as a pet")
    known.adopt()
    known.memory.save()
    return known


def memories(box):
    return [box.read(memory_id) for memory_id in box.docs]


def line(box, query: str) -> list[tuple[str, str | None]]:
    """Return text and winner of what was believed, in order."""
    return [(one.memory_id, one.replaced_by) for one in find_beliefs(memories(box), query)]


def test_the_line_of_memories_that_held_one_slot(folder) -> None:
    """C-51: in the order of time, whatever their wording; what says nothing of it is left out."""
    assert line(folder, "python version") == [("m0001", "m0003"), ("m0003", "m0005"), ("m0005", None)]
    assert line(folder, "What did we previously believe about the Python version?") == line(folder, "Version of Python")
    assert line(folder, "port shop") == [("m0002", "m0004"), ("m0004", None)]
    assert line(folder, "kettle") == line(folder, "") == line(folder, "what was it?") == []


def test_what_was_believed_at_a_moment(folder) -> None:
    """C-51: from the moment it was written to the moment it was replaced, that one excluded."""
    beliefs = find_beliefs(memories(folder), "python version")
    first = beliefs[0].since
    days = {
        day: [one.memory_id for one in believed_at(beliefs, first + timedelta(days=day))] for day in (-1, 0, 1, 2, 3, 9)
    }
    assert days == {-1: [], 0: ["m0001"], 1: ["m0001"], 2: ["m0003"], 3: ["m0003"], 9: ["m0005"]}


def test_part_of_a_memory(folder) -> None:
    """C-51, C-43: only the piece that was replaced has an end."""
    (old, new) = find_beliefs(memories(folder), "shop port")
    assert (old.part, old.until, old.replaced_by) == ("The port of the shop is 8080", new.since, "m0004")
    (place,) = find_beliefs(memories(folder), "shop Bergen")
    assert (place.part, place.until) == (None, None)


def test_commands(folder, capsys) -> None:
    """C-51: JSON Lines from a folder on disk, without a host."""
    assert cli.main(["history", "python", "version", "--folder", str(folder.folder)]) == 0
    rows = [json.loads(one) for one in capsys.readouterr().out.splitlines()]
    assert [(row["text"][-4:].strip(), row["validity"], row["rule"]) for row in rows] == [
        ("3.9", "deprecated", "C-41"),
        ("3.11", "deprecated", "C-46"),
        ("3.12", "confirmed", None),
    ]
    assert rows[0]["since"] == START
    assert rows[0]["until"] == rows[1]["since"]
    assert (rows[0]["subject"], rows[0]["slot"]) == ("project", "version of python")
    assert cli.main(["believed-at", START, "python version", "--folder", str(folder.folder)]) == 0
    assert [json.loads(one)["id"] for one in capsys.readouterr().out.splitlines()] == ["m0001"]


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["believed-at", "soon", "x", "--folder", "{}"], "TIME is 'soon'; allowed: ISO 8601"),
        (["history", "x", "--folder", "{}/nowhere"], "index.pkl is missing; allowed: a memory folder of Agent Zero"),
    ],
)
def test_misuse(folder, capsys, argv: list[str], message: str) -> None:
    """Errors say what was found and what is allowed."""
    assert cli.main([one.format(folder.folder) for one in argv]) == 1
    assert message in capsys.readouterr().err
