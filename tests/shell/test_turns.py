"""Who said what: every shape of the host's history, and the ring of recent turns."""

import json
from types import SimpleNamespace
from typing import Any

import pytest
from memory_ledger.host.turns import (
    Turn,
    TurnRing,
    agent_text,
    current_turn,
    earlier_turns,
    is_human_chat,
    read_message,
    user_text,
)
from memory_ledger.ledger.attribution import Speaker, Utterance
from memory_ledger.ledger.classify import Circumstances

USER, AGENT, TOOL = Speaker.USER, Speaker.AGENT, Speaker.TOOL


def message(content: Any, *, ai: bool = False) -> SimpleNamespace:
    """Return one entry of the host's history."""
    return SimpleNamespace(ai=ai, content=content)


SHAPES = [
    pytest.param(False, {"user_message": "hi"}, (USER, "hi"), id="the person's message"),
    pytest.param(
        False,
        {"user_message": "hi", "system_message": ["x"], "attachments": ["a.png"]},
        (USER, "hi"),
        id="only the words of it, not the system's part or the attachments",
    ),
    pytest.param(False, {"user_intervention": "stop"}, (USER, "stop"), id="an intervention"),
    pytest.param(False, {"user_message": "a", "user_intervention": "b"}, (USER, "a\nb"), id="both"),
    pytest.param(False, {"user_message": "", "attachments": ["a.png"]}, None, id="attachments only"),
    pytest.param(False, {"tool_name": "code", "tool_result": "done"}, (TOOL, "done"), id="a tool's output"),
    pytest.param(False, {"tool_name": "code", "tool_result": 7}, (TOOL, "7"), id="a tool's number"),
    pytest.param(False, {"tool_name": "call_subordinate", "tool_result": "done"}, (AGENT, "done"), id="a subordinate"),
    pytest.param(False, {"tool_name": "code", "tool_result": ""}, None, id="a tool that printed nothing"),
    pytest.param(False, {"system_warning": "careful"}, None, id="a warning"),
    pytest.param(False, {"messages_summary": "they spoke of Python"}, None, id="a compressed summary"),
    pytest.param(False, "they spoke of Python", None, id="a plain summary"),
    pytest.param(False, {"raw_content": [{"type": "image_url"}], "preview": "x"}, None, id="multimodal"),
    pytest.param(False, [{"user_message": "hi"}], None, id="a list"),
    pytest.param(False, None, None, id="nothing"),
    pytest.param(False, {}, None, id="an empty object"),
    pytest.param(True, "plain words", (AGENT, "plain words"), id="the agent's words"),
    pytest.param(True, json.dumps({"thoughts": ["t"], "tool_args": {"text": "x"}}), (AGENT, "t\nx"), id="its JSON"),
    pytest.param(True, {"user_message": "hi"}, None, id="an AI message that is an object is nobody's word"),
]


@pytest.mark.parametrize(("ai", "content", "expected"), SHAPES)
def test_shapes_of_the_hosts_history(ai: bool, content: Any, expected: tuple[Speaker, str] | None) -> None:
    """C-26, contract section 8: `ai=False` is not "user"."""
    read = read_message(message(content, ai=ai), is_human=True)
    assert read == (None if expected is None else Utterance(*expected))


@pytest.mark.parametrize(("ai", "content", "expected"), SHAPES)
def test_no_shape_is_the_persons_where_no_person_writes(ai: bool, content: Any, expected: object) -> None:
    """C-26, contract section 8: subordinates and scheduled tasks."""
    read = read_message(message(content, ai=ai), is_human=False)
    assert read is None or read.speaker is not USER
    assert (read is None) == (expected is None)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param("no JSON", "no JSON", id="plain"),
        pytest.param("{broken", "{broken", id="broken JSON"),
        pytest.param('"a text"', '"a text"', id="JSON, but no object"),
        pytest.param("[" * 100_000, "[" * 100_000, id="nested beyond reading"),
        pytest.param({"thoughts": "one"}, "one", id="thoughts as a text"),
        pytest.param(
            {"tool_name": "x", "tool_args": {"code": "rm", "query": "q"}}, "", id="arguments that say nothing"
        ),
        pytest.param({"tool_args": "text"}, "", id="arguments that are no object"),
        pytest.param({"tool_args": None, "headline": None, "thoughts": []}, "", id="empty"),
        pytest.param(
            {"tool_args": {"text": "e", "message": "f"}, "headline": "c", "thoughts": ["a", "", None, "b", 7]},
            "a\nb\n7\nc\ne\nf",
            id="in the order in which they are written",
        ),
        pytest.param({"tool_args": {"question": "a?", "answer": "b"}}, "a?\nb", id="question and answer"),
    ],
)
def test_words_in_the_agents_raw_answer(content: Any, expected: str) -> None:
    """C-26: what it says, not the names of its tools."""
    assert agent_text(content if isinstance(content, str) else json.dumps(content)) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [({"user_message": "hi"}, "hi"), ("hi", "hi"), (None, ""), ({}, ""), (["hi"], ""), ({"tool_result": "x"}, "")],
)
def test_query_is_the_users_own_words(content: object, expected: str) -> None:
    """T-65: the message alone; a loop without a message has none."""
    assert user_text(SimpleNamespace(content=content)) == expected
    assert user_text(None) == ""


@pytest.mark.parametrize(
    ("number", "kind", "expected"),
    [
        (0, "user", True),
        (0, None, True),
        (0, SimpleNamespace(value="user"), True),
        (0, "task", False),
        (0, SimpleNamespace(value="background"), False),
        (1, "user", False),
    ],
)
def test_where_a_person_writes(number: int, kind: object, expected: bool) -> None:
    """C-26, contract section 8: agent 0 of an ordinary chat."""
    assert is_human_chat(SimpleNamespace(number=number, context=SimpleNamespace(type=kind))) is expected


def test_turns_of_an_agent() -> None:
    """T-01: the present turn and those that a restart left in the history, oldest first; empty ones are none."""
    topics = [
        SimpleNamespace(messages=[message({"user_message": text})] if text else []) for text in ("a", "", "b", "c")
    ]
    history = SimpleNamespace(topics=topics, current=SimpleNamespace(messages=[]))
    agent = SimpleNamespace(number=0, context=SimpleNamespace(type="user"), history=history)
    assert current_turn(agent, Circumstances()) is None
    assert [turn.utterances()[0].text for turn in earlier_turns(agent, 3)] == ["b", "c"]
    history.current = topics[0]
    here = Circumstances(role_id="coder", domain="coding")
    turn = current_turn(agent, here)
    topics[0].messages.append(message("later", ai=True))
    assert (turn.topic, turn.is_human, turn.circumstances) == (topics[0], True, here)
    assert len(turn.messages) == 1


# --- the ring ------------------------------------------------------------------------------------------------------


def turn(text: str, topic: object = None, **place: str) -> Turn:
    """Return a turn of one message of the person's."""
    return Turn(topic, (message({"user_message": text}),), True, Circumstances(**place))


def texts(ring: TurnRing) -> list[str]:
    """Return everything said."""
    return [one.text for one in ring.spoken()[0]]


def test_later_look_at_the_same_turn_replaces_the_earlier() -> None:
    """T-01: in its place, not at the end; another turn with equal words is another turn."""
    ring = TurnRing(5)
    first, second = object(), object()
    ring.note(turn("a", first))
    ring.note(turn("b", second))
    ring.note(turn("a, and more", first))
    ring.note(turn("b", object()))
    assert texts(ring) == ["a, and more", "b", "b"]


def test_ring_keeps_its_size_and_the_newest() -> None:
    """T-01: `turn_window`."""
    ring = TurnRing(3)
    assert (ring.latest(), ring.spoken()) == (None, ([], []))
    for number in range(5):
        ring.note(turn(str(number), object()))
    assert texts(ring) == ["2", "3", "4"]
    assert ring.latest().utterances()[0].text == "4"


def test_every_utterance_has_the_circumstances_of_its_turn() -> None:
    """C-36, T-01: one entry each."""
    ring = TurnRing(5)
    both = (message({"user_message": "a"}), message({"system_warning": "w"}), message("b", ai=True))
    ring.note(Turn(object(), both, True, Circumstances(domain="coding")))
    ring.note(turn("c", object(), domain="food"))
    utterances, circumstances = ring.spoken()
    assert [one.text for one in utterances] == ["a", "b", "c"]
    assert [one.domain for one in circumstances] == ["coding", "coding", "food"]


def test_kept_turns_come_back_as_they_were_said() -> None:
    """T-01: the last five, through plain JSON; long utterances are cut."""
    ring = TurnRing(20)
    for number in range(7):
        ring.note(turn(f"{number}" * 5_000, object(), role_id="coder", domain="coding"))
    rows = json.loads(json.dumps(ring.to_rows()))
    again = TurnRing(20)
    again.restore(rows)
    assert texts(again) == [f"{number}" * 4_000 for number in range(2, 7)]
    assert again.spoken()[1] == [Circumstances(role_id="coder", domain="coding")] * 5
    assert again.to_rows() == rows
    again.note(turn("new", object()))
    again.note(turn("another"))
    assert texts(again)[-2:] == ["new", "another"]
    assert len(texts(again)) == 7


GOOD_ROW = {"role_id": None, "domain": None, "said": [["user", "hi"]]}


@pytest.mark.parametrize(
    "row",
    [
        None,
        7,
        "row",
        [],
        {},
        GOOD_ROW | {"said": None},
        GOOD_ROW | {"said": 7},
        GOOD_ROW | {"said": ["user"]},
        GOOD_ROW | {"said": [["user"]]},
        GOOD_ROW | {"said": [["user", "a", "b"]]},
        GOOD_ROW | {"said": [["king", "hi"]]},
        GOOD_ROW | {"said": [[["user"], "hi"]]},
        GOOD_ROW | {"role_id": 7},
        GOOD_ROW | {"domain": ["coding"]},
        {"said": [["user", "hi"]]},
    ],
)
def test_unreadable_kept_turn_is_left_out(row: object) -> None:
    """C-75: the others are taken up."""
    ring = TurnRing(5)
    ring.restore([GOOD_ROW, row, GOOD_ROW])
    assert texts(ring) == ["hi", "hi"]


@pytest.mark.parametrize("rows", [None, 7, "rows", {"a": 1}, []])
def test_file_that_holds_no_rows_is_left_alone(rows: object) -> None:
    """C-75: nothing to take up."""
    ring = TurnRing(5)
    ring.restore(rows)
    assert ring.latest() is None


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (["Yes, exactly."], True),
        (["What about the port?"], False),
        (["Hello", "Right."], True),
        ([], False),
    ],
)
def test_newest_turn_ends_in_agreement(said: list[str], expected: bool) -> None:
    """C-16: the person's messages of the newest turn only."""
    ring = TurnRing(5)
    assert ring.ends_in_agreement() is False
    ring.note(turn("Yes.", object()))
    messages = tuple(message({"user_message": text}) for text in said)
    ring.note(Turn(object(), (*messages, message("Yes, exactly.", ai=True)), True, Circumstances()))
    assert ring.ends_in_agreement() is expected


def test_agreement_of_another_agent_is_none() -> None:
    """C-16, C-26: a superior agent validates nothing."""
    ring = TurnRing(5)
    ring.note(Turn(object(), (message({"user_message": "Yes, exactly."}),), False, Circumstances()))
    assert ring.ends_in_agreement() is False
