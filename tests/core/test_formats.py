"""Files in which people have their memories: what each kind is taken for, and what it says (issue 50)."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from json import dumps

import pytest
from case_tables import read_case, read_cases
from hypothesis import given
from hypothesis import strategies as st
from memory_ledger.formats.memories import FileKind as Kind
from memory_ledger.formats.memories import name_memories
from memory_ledger.formats.reading import read_memories
from memory_ledger.records import Source

CASES = read_cases(__file__)

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


EXPORTS = json.loads(read_case(__file__, "exports.json"))
CHATGPT, CLAUDE, TALK, GRAPH, LETTA, MEM0, ZEP = EXPORTS.values()
OF_ANN = ["Ann Lee: lives in Rome", "Ann Lee likes tea"]
NOTE = read_case(__file__, "note.md")


def content_of(told: object) -> str:
    """Return what stands in a file: a text or JSON; the name of an export stands for what it says."""
    if isinstance(told, str):
        return {"note": NOTE, **{name: dumps(one) for name, one in EXPORTS.items()}}.get(told, told)
    return dumps(told)


WRAPPED = [
    ("mem0.json", dumps(MEM0, indent=2), Kind.ROWS, ["Likes tea"]),
    ("c.json", dumps({"conversations": CLAUDE}, indent=1), Kind.CLAUDE, ["I drink Assam."]),
    ("chat.json", dumps(CLAUDE[0], indent=1), Kind.CLAUDE, ["I drink Assam."]),
    ("chat.json", dumps([{"title": "Tea", "messages": TALK}]), Kind.CHATS, ["I drink Assam."]),
    ("chat.jsonl", "\n".join(map(dumps, TALK)), Kind.CHATS, ["I drink Assam."]),
    ("agent.af", dumps(dumps(LETTA, indent=1)), Kind.LETTA, ["Name is Ann.", "Likes tea.", "Heron is late."]),
    ("entities.json", "\n".join(dumps({"type": "entity"} | one) for one in GRAPH["entities"]), Kind.GRAPH, OF_ANN),
]


@pytest.mark.parametrize(("name", "told", "kind", "texts"), [*WRAPPED, *CASES["a_file_is_known_by_its_content"]])
def test_a_file_is_known_by_its_content(name: str, told: object, kind: str, texts: Sequence[str]) -> None:
    found = read_memories(content_of(told).encode(), name)
    assert (found.kind, [one.text for one in found.memories], found.faults) == (kind, [*texts], [])


def test_what_else_a_file_tells_is_kept() -> None:
    """C-24, C-30: whose word it is, when it was said, and the id that it has there."""
    first, last = read_memories(dumps(CHATGPT).encode(), "c.json").memories
    assert (first.source, first.stated_at, first.row_id) == (Source.USER_ASSERTED, NOON, "m1")
    assert (first.metadata, last.row_id) == ({"conversation": "Move"}, "m2")
    (only,) = read_memories(dumps(MEM0).encode(), "m.json", source=Source.USER_ASSERTED).memories
    assert (only.source, only.stated_at, only.row_id) == (Source.USER_ASSERTED, NOON, "a1")
    assert only.metadata == {"user_id": "ann", "tags": ["x"], "room": 7}


@pytest.mark.parametrize(
    "told", [NOON.timestamp(), NOON.timestamp() * 1_000, str(int(NOON.timestamp())), NOON.isoformat()]
)
def test_a_time_is_in_seconds_milliseconds_or_words(told: object) -> None:
    for key in ("created_at", "when", "ts"):
        (only,) = read_memories(dumps([{"text": "a", key: told}]).encode(), "m.json").memories
        assert only.stated_at == NOON


@pytest.mark.parametrize(
    ("name", "content", "left_out"),
    [
        ("c.json", CHATGPT, {"messages of others": 1}),
        ("c.json", CLAUDE, {"messages of others": 1}),
        ("z.json", ZEP, {"facts that are no longer valid": 1}),
        ("a.af", LETTA, {"messages": 3}),
    ],
)
def test_what_is_left_out_is_counted(name: str, content: object, left_out: dict[str, int]) -> None:
    assert read_memories(dumps(content).encode(), name).left_out == left_out


@pytest.mark.parametrize(
    ("data", "encoding", "text"),
    [
        ("Straße".encode(), "UTF-8", "Straße"),
        ("Straße".encode("utf-8-sig"), "UTF-8", "Straße"),
        ("Straße".encode("utf-16"), "UTF-16", "Straße"),
        ("Straße".encode("latin-1"), "Latin-1", "Straße"),
    ],
)
def test_the_encoding_is_found_and_named(data: bytes, encoding: str, text: str) -> None:
    found = read_memories(data, "t.txt")
    assert (found.encoding, [one.text for one in found.memories]) == (encoding, [text])


@pytest.mark.parametrize(
    ("content", "words"), [*CASES["a_broken_document_is_one_fault"], ("[" * 100_000, "nested too deeply")]
)
def test_a_broken_document_is_one_fault(content: str, words: str) -> None:
    found = read_memories(content.encode(), "m.json")
    assert found.memories == [] and len(found.faults) == 1
    assert words in found.faults[0].words


def test_a_kind_that_is_given_counts() -> None:
    assert read_memories(b"# a heading", "n.md", kind=Kind.TEXT).memories[0].text == "# a heading"


def test_a_memory_has_one_id_in_every_file() -> None:
    """Item 11: by its own id and text, else by text, source, time, and how often it was said before."""
    lines = [{"text": "a"}, {"text": "b"}, {"text": "a"}, {"text": "a", "id": 1}, {"text": "a", "id": 1}]

    def ids(rows: list[dict[str, object]]) -> list[str]:
        data = "\n".join(map(dumps, rows)).encode()
        return [one for one, _ in name_memories(read_memories(data, "m.jsonl").memories)]

    found = ids(lines)
    assert found[3] == found[4] and len({*found}) == 4
    assert sorted(ids([*reversed(lines), {"text": "c"}])[:5]) == sorted(found)


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_no_file_breaks_it(data: bytes) -> None:
    for kind in (None, *Kind):
        found = read_memories(data, "any", kind=kind)
        assert all(one.text.strip() for one in found.memories)


def test_what_claude_has_noted_down_of_a_person_and_of_projects() -> None:
    """A line in bold above a paragraph is its heading, and alone it is a memory; nothing of a project is lost."""
    noted = "**Work**\n\nMara is a nurse.\n\n**Likes tea**"
    rows = [{"conversations_memory": noted, "project_memories": {"p": "Heron uses Postgres 15."}}]
    texts = [one.text for one in read_memories(dumps(rows).encode(), "memories.json").memories]
    assert texts == ["Work: Mara is a nurse.", "Work: **Likes tea**", "Heron uses Postgres 15."]


def test_the_first_line_of_an_export_and_the_last_of_a_table_are_no_faults() -> None:
    lines = '{"format": "memory-ledger/1", "folder": "a", "exported_at": "2026-03-02"}\n{"text": "I use vim"}\n'
    for content, name in ((lines, "e.jsonl"), ("memory,source\nI use vim,user\n", "t.csv")):
        found = read_memories(content.encode(), name)
        assert ([one.text for one in found.memories], found.faults, +found.left_out) == (["I use vim"], [], {})


def test_a_table_without_a_text_is_no_note() -> None:
    """Whatever the file is called, and although its cells have the marks of Markdown."""
    for name in ("t.csv", "-"):
        found = read_memories(b'session_id,summary,at\n7,"### Tea\n- black",x\n', name)
        assert (found.kind, found.memories, len(found.faults)) == (Kind.TABLE, [], 1)
