"""Who said what and when: every shape of the host's history, and the ring of recent turns."""

import json
import threading
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import Topic
from memory_ledger.clock import EPOCH
from memory_ledger.host.host_agent import agent_text, is_human_chat, read_message, user_text
from memory_ledger.host.turns import Turn, TurnRing, current_turn, earlier_turns
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
        pytest.param(
            {"thoughts": "t", "tool_name": "memory_save", "tool_args": {"text": "x"}}, "t", id="what is to be saved"
        ),
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
    assert agent_text(content if isinstance(content, str) else json.dumps(content)) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [({"user_message": "hi"}, "hi"), ("hi", "hi"), (None, ""), ({}, ""), (["hi"], ""), ({"tool_result": "x"}, "")],
)
def test_query_is_the_users_own_words(content: object, expected: str) -> None:
    assert user_text(SimpleNamespace(content=content)) == expected
    assert user_text(None) == ""


@pytest.mark.parametrize(
    ("number", "chat", "expected"),
    [
        (0, {"type": "user"}, True),
        (0, {"output_data": {"parent_context_id": None}}, True),
        (0, {"type": SimpleNamespace(value="user")}, True),
        (0, {"type": SimpleNamespace(value="task")}, False),
        (0, {"type": "user", "output_data": {"parent_context_id": "x7"}}, False),
        (1, {"type": "user"}, False),
    ],
)
def test_where_a_person_writes(number: int, chat: dict[str, object], expected: bool) -> None:
    """C-26, contract section 8: agent 0 of an ordinary chat, which no other agent has opened."""
    assert is_human_chat(SimpleNamespace(number=number, context=SimpleNamespace(**chat))) is expected


NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATER = NOW + timedelta(minutes=1)


def test_turns_of_an_agent() -> None:
    """T-01: the present turn and those that a restart left in the history, oldest first; empty ones are none."""
    topics = [
        SimpleNamespace(messages=[message({"user_message": text})] if text else []) for text in ("a", "", "b", "c")
    ]
    history = SimpleNamespace(topics=topics, current=SimpleNamespace(messages=[]))
    context = SimpleNamespace(id="x7", type="user", created_at=NOW)
    agent = SimpleNamespace(number=0, context=context, history=history)
    assert current_turn(agent, Circumstances()) is None
    turns, began_at = earlier_turns(agent, 3)
    assert [one.messages[0].content["user_message"] for one in turns] == ["b", "c"]
    assert began_at == NOW
    history.current = topics[0]
    here = Circumstances(role_id="coder", domain="coding")
    turn = current_turn(agent, here)
    topics[0].messages.append(message("later", ai=True))
    assert (turn.topic, turn.is_human, turn.circumstances, turn.chat) == (topics[0], True, here, "x7/0")
    assert len(turn.messages) == 1


@pytest.mark.parametrize("began", [None, "soon", 7])
def test_chat_that_does_not_say_when_it_began(began: object) -> None:
    history = SimpleNamespace(topics=[], current=SimpleNamespace(messages=[]))
    agent = SimpleNamespace(number=0, context=SimpleNamespace(id="x7", created_at=began), history=history)
    assert earlier_turns(agent, 3) == ([], EPOCH)


def turn(text: str, topic: object = None, chat: str = "a", **place: str) -> Turn:
    """Return a turn of one message of the person's."""
    return Turn(topic, (message({"user_message": text}),), True, Circumstances(**place), chat)


def texts(ring: TurnRing) -> list[str]:
    """Return everything said."""
    return [one.text for one in ring.spoken()[0]]


def times(ring: TurnRing) -> dict[str, datetime]:
    """Return when each thing was said."""
    return {one.text: one.at for one in ring.spoken()[0]}


def test_later_look_at_a_turn_adds_what_is_new() -> None:
    """T-01, C-47: a message keeps its moment; another turn with equal words is another turn."""
    ring = TurnRing(5)
    first = Topic()
    opening, more = message({"user_message": "a"}), message("more", ai=True)
    ring.note(Turn(first, (opening,), True, Circumstances()), NOW)
    ring.note(turn("b", Topic()), LATER)
    ring.note(Turn(first, (opening, more), True, Circumstances()), LATER + timedelta(hours=1))
    ring.note(turn("b", Topic()), LATER + timedelta(hours=2))
    assert texts(ring) == ["a", "b", "more", "b"]
    assert times(ring)["a"] == NOW
    assert times(ring)["more"] == LATER + timedelta(hours=1)


def test_what_the_host_compressed_was_said_all_the_same() -> None:
    """T-01, C-25: the host replaces old messages by a summary; the person's words stay known."""
    ring = TurnRing(5)
    topic, words, answer = Topic(), message({"user_message": "My port is 8443."}), message("Noted.", ai=True)
    ring.note(Turn(topic, (words, answer), True, Circumstances()), NOW)
    ring.note(Turn(topic, (message({"messages_summary": "of a port"}), answer), True, Circumstances()), LATER)
    assert texts(ring) == ["My port is 8443.", "Noted."]


def test_no_two_messages_have_one_moment() -> None:
    """C-47: neither within one look, nor with a clock that stands still or goes back; oldest first."""
    ring = TurnRing(9)
    both = (message({"user_message": "a"}), message("b", ai=True))
    ring.note(Turn(Topic(), both, True, Circumstances()), NOW)
    ring.note(turn("c", Topic()), NOW)
    ring.note(turn("d", Topic()), NOW - timedelta(days=1))
    assert texts(ring) == ["a", "b", "c", "d"]
    assert sorted(set(times(ring).values())) == list(times(ring).values())
    assert times(ring)["d"] - NOW < timedelta(seconds=2)


def kept(*turns: Turn, size: int = 20) -> TurnRing:
    """Return the ring of a new process after one that has seen `turns`, a minute apart, from NOW on."""
    ring = TurnRing(size)
    for number, one in enumerate(turns):
        ring.note(one, NOW + timedelta(minutes=number))
    again = TurnRing(size)
    again.restore(json.loads(json.dumps(ring.to_state())))
    return again


def test_kept_turns_come_back_as_they_were_said() -> None:
    """T-01, C-36: the last five, with their moments and circumstances; long utterances are cut."""
    """T-01: the last five, through plain JSON, with their moments; long utterances are cut."""
    ring = kept(*[turn(f"{number}" * 5_000, Topic(), role_id="coder", domain="coding") for number in range(7)])
    assert texts(ring) == [f"{number}" * 4_000 for number in range(2, 7)]
    assert list(times(ring).values()) == [NOW + timedelta(minutes=number) for number in range(2, 7)]
    assert {one.chat for one in ring.spoken()[0]} == {"a"}
    assert ring.spoken()[1] == [Circumstances(role_id="coder", domain="coding")] * 5
    ring.note(turn("new", Topic()), NOW)
    ring.note(turn("another"), NOW)
    assert texts(ring)[-2:] == ["new", "another"]
    assert len(texts(ring)) == 7


def test_reopened_chat_is_not_heard_twice() -> None:
    """T-01, C-47: what was kept on disk is the same turn, with what was said in it since."""
    topic, words = Topic(), message({"user_message": "b"})
    ring = kept(turn("b", chat="other"), Turn(Topic(), (words,), True, Circumstances(domain="coding"), "a"))
    ring.take_up([Turn(topic, (words, message("yes", ai=True)), True, Circumstances(), "a")], NOW, LATER)
    assert [(one.text, one.chat) for one in ring.spoken()[0]] == [("b", "other"), ("b", "a"), ("yes", "a")]
    assert ring.latest().circumstances.domain == "coding"
    ring.note(Turn(topic, (words, message("c", ai=True)), True, Circumstances(), "a"), LATER)
    assert texts(ring) == ["b", "b", "yes", "c"]


@pytest.mark.parametrize("found", [turn("b", chat="other"), turn("c b"), turn("")])
def test_other_turns_than_those_kept(found: Turn) -> None:
    """T-01: the same words in another chat, or others in the same one; nothing that was kept is lost."""
    ring = kept(turn("b"))
    ring.take_up([found], NOW, LATER)
    assert "b" in texts(ring)
    assert len(list(ring._turns)) == 2


def test_moments_of_a_reopened_chat() -> None:
    """C-47: the person's messages keep their moments, however many came after them; of the others, the order is kept.

    What was not seen when it was said lies between its neighbours, or between the beginning of the chat and now.
    """
    old = [turn(f"m{number}", Topic()) for number in range(10)]
    ring = kept(*old[1:9])
    began_at, now = NOW - timedelta(days=2), NOW + timedelta(days=1)
    unseen = Turn(Topic(), (message("hello", ai=True),), True, Circumstances(), "a")
    ring.take_up([old[0], old[1], unseen, *old[2:]], began_at, now)
    found = {one.text: (one.since, one.at) for one in ring.spoken()[0]}
    assert [found[f"m{number}"] for number in range(1, 9)] == [
        (None, NOW + timedelta(minutes=number)) for number in range(8)
    ]
    assert found["m0"][0] == began_at
    assert NOW - timedelta(seconds=1) < found["m0"][1] < NOW
    assert found["hello"][0] == NOW
    assert NOW < found["hello"][1] < NOW + timedelta(minutes=1)
    assert found["m9"][0] == NOW + timedelta(minutes=7)
    assert found["m9"][1] == now
    assert texts(ring) == ["m0", "m1", "hello", *(f"m{number}" for number in range(2, 10))]


def test_a_turn_that_goes_on_after_a_restart_was_said_before_it() -> None:
    """C-47: the host looks at its last turn again, with no new message; what another chat said since is newer."""
    words, answer = message({"user_message": "It is 3.9."}), message("Noted.", ai=True)
    going_on = Turn(Topic(), (words, answer), True, Circumstances(), "a")
    ring = kept(going_on, turn("It is 3.11.", Topic(), chat="other"))
    more = message("Anything else?", ai=True)
    ring.note(Turn(Topic(), (words, answer, more), True, Circumstances(), "a"), LATER)
    assert texts(ring) == ["It is 3.9.", "Noted.", "It is 3.11.", "Anything else?"]
    assert times(ring)["It is 3.9."] == NOW


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(["It is 3.9."], ["It is 3.9."], id="said again, and not answered yet"),
        pytest.param(["It is 3.9.", "Noted."], ["It is 3.9."], id="said again after it was answered"),
        pytest.param(["It is 3.9.", "Noted."], ["It is 3.9.", "I see."], id="answered otherwise"),
    ],
)
def test_a_new_turn_with_the_same_words_is_a_new_one(before: list[str], after: list[str]) -> None:
    first, then = (
        tuple(message({"user_message": one} if at == 0 else one, ai=at > 0) for at, one in enumerate(said))
        for said in (before, after)
    )
    ring = kept(Turn(Topic(), first, True, Circumstances(), "a"))
    ring.note(Turn(Topic(), then, True, Circumstances(), "a"), LATER)
    assert [one.at for one in ring.spoken()[0] if one.text == "It is 3.9."] == [NOW, LATER]


def test_a_long_turn_keeps_its_moments_whatever_other_chats_say() -> None:
    """C-47: it has left the ring when it is looked at again; what was said since in other chats is newer."""
    ring, topic = TurnRing(3), Topic()
    words = message({"user_message": "It is 3.9."})
    ring.note(Turn(topic, (words,), True, Circumstances(), "a"), NOW)
    for number in range(4):
        ring.note(turn(f"It is 3.{number + 10}.", Topic(), chat="other"), NOW + timedelta(minutes=number + 1))
    ring.note(Turn(topic, (words, message("Noted.", ai=True)), True, Circumstances(), "a"), LATER)
    assert texts(ring) == ["It is 3.9.", "It is 3.12.", "It is 3.13.", "Noted."]
    assert times(ring)["It is 3.9."] == NOW


def test_what_was_erased_meanwhile_is_not_heard_again_from_a_long_turn() -> None:
    ring, topic = TurnRing(1), Topic()
    words = message({"user_message": "It is 3.9."})
    ring.note(Turn(topic, (words,), True, Circumstances(), "a"), NOW)
    ring.note(turn("Hello.", Topic(), chat="other"), NOW)
    assert ring.forget(lambda text: "3.9" in text) == 1
    ring.note(Turn(topic, (words, message("3.9, then.", ai=True)), True, Circumstances(), "a"), LATER)
    assert texts(ring) == []


GOOD_ROW = {"chat": "a", "role_id": None, "domain": None, "said": [["user", "hi", "2026-03-01T12:00:00+00:00"]]}


@pytest.mark.parametrize(
    "row",
    [
        *(None, 7, "row", [], {}, GOOD_ROW | {"said": None}, GOOD_ROW | {"said": 7}),
        *(GOOD_ROW | {"said": ["user"]}, GOOD_ROW | {"said": [["user"]]}),
        *(GOOD_ROW | {"said": [["user", "a"]]}, GOOD_ROW | {"said": [["king", "hi", None]]}),
        GOOD_ROW | {"said": [[["user"], "hi", None]]},
        GOOD_ROW | {"role_id": 7},
        GOOD_ROW | {"domain": ["coding"]},
        GOOD_ROW | {"chat": None},
        GOOD_ROW | {"said": [["user", "hi", "2026", "x"]]},
        {"said": GOOD_ROW["said"]},
    ],
)
def test_unreadable_kept_turn_is_left_out(row: object) -> None:
    ring = TurnRing(5)
    ring.restore({"turns": [GOOD_ROW, row, GOOD_ROW]})
    assert texts(ring) == ["hi", "hi"]


@pytest.mark.parametrize("rows", [None, 7, "rows", {"a": 1}, []])
def test_file_that_holds_no_rows_is_left_alone(rows: object) -> None:
    ring = TurnRing(5)
    ring.restore({"turns": rows, "moments": rows, "silenced": rows})
    assert (ring.latest(), ring.to_state()) == (None, {"turns": [], "moments": {}, "silenced": []})


def about(words: str) -> Any:
    """Return whether a text is about something."""
    return lambda text: words in text


class Slow:
    """A message that something else happens in the middle of reading it."""

    ai = True

    def __init__(self, text: str, happens: Any) -> None:
        self.text = text
        self.happens = happens

    @property
    def content(self) -> str:
        happens, self.happens = self.happens, lambda: None
        happens()
        return self.text


def test_what_is_forgotten_while_it_is_read_stays_forgotten() -> None:
    ring = TurnRing(5)

    def forget() -> None:
        thread = threading.Thread(target=lambda: counts.append(ring.forget(about("3.11"))))
        thread.start()
        thread.join()

    counts: list[int] = []
    ring.note(Turn(Topic(), (Slow("It is 3.11.", forget), message("Sure.", ai=True)), True, Circumstances()), NOW)
    assert texts(ring) == ["Sure."] and counts == [1]
    assert texts(ring) == ["Sure."] and "3.11" not in json.dumps(ring.to_state())


def test_a_turn_that_goes_on_does_not_repeat_what_was_erased() -> None:
    """T-64: its prompt may hold it still; what a person says of it in another turn was said anew, and is heard."""
    ring = TurnRing(5)
    topic, question = Topic(), message({"user_message": "Which Python?"})
    ring.note(Turn(topic, (question,), True, Circumstances(), "a"), NOW)
    assert ring.forget(about("3.11")) == 0
    answers = (message("It is 3.11.", ai=True), message("Anything else?", ai=True))
    ring.note(Turn(topic, (question, *answers), True, Circumstances(), "a"), LATER)
    ring.note(Turn(topic, (question, *answers, message("3.11!", ai=True)), True, Circumstances(), "a"), LATER)
    assert texts(ring) == ["Which Python?", "Anything else?"]
    ring.note(turn("It is 3.11 now."), LATER)
    assert texts(ring)[-1] == "It is 3.11 now."
    assert ring.forget(about("Whales")) == 0
    assert texts(ring)[-1] == "It is 3.11 now."


@pytest.mark.parametrize("is_restarted", [False, True])
def test_a_reopened_chat_does_not_bring_back_what_was_erased(is_restarted: bool) -> None:
    """T-64: the host's own history of the chat still says it, also beyond what is kept of a long message."""
    long = f"My project uses Python 3.11. {'More of it. ' * 1_000}"
    said = Turn(Topic(), (message({"user_message": long}), message("Noted.", ai=True)), True, Circumstances(), "a")
    ring = kept(said)
    assert ring.forget(about("3.11")) == 1
    if is_restarted:
        again = TurnRing(5)
        again.restore(json.loads(json.dumps(ring.to_state())))
        ring = again
    ring.take_up([said, turn("It is 3.12.")], NOW, LATER)
    assert texts(ring) == ["Noted.", "It is 3.12."]
    assert "3.11" not in json.dumps(ring.to_state())
    ring.take_up([turn(long, chat="b")], NOW, LATER)
    assert [one.chat for one in ring.spoken()[0] if "3.11" in one.text] == (["b"] if is_restarted else [])


def test_everything_that_was_said_of_it_is_forgotten() -> None:
    ring = TurnRing(5)
    ring.note(
        Turn(Topic(), (message({"user_message": "3.11?"}), message("3.11!", ai=True)), True, Circumstances()), NOW
    )
    ring.note(turn("So 3.11."), LATER)
    ring.note(turn("Whales."), LATER)
    assert ring.forget(about("3.11")) == 3 and texts(ring) == ["Whales."]
    assert ring.forget(about("3.11")) == 0


def test_a_chat_that_was_not_open_does_not_bring_back_what_was_erased() -> None:
    ring = TurnRing(5)
    ring.forget(about("3.11"))
    ring.take_up([turn("It is 3.11."), turn("It is 3.12.")], NOW, LATER)
    assert texts(ring) == ["It is 3.12."]


def test_of_what_was_erased_the_latest_thousand_digests_are_kept() -> None:
    ring = TurnRing(1)
    for number in range(1_005):
        ring.note(turn(f"m{number}", Topic()), NOW)
        ring.forget(about("m"))
    state = ring.to_state()
    assert len(state["silenced"]) == 1_000
    again = TurnRing(5)
    again.restore(state | {"silenced": [7, None, *state["silenced"]]})
    again.take_up([turn("m4"), turn("m5"), turn("m1004")], NOW, LATER)
    assert texts(again) == ["m4"]


@pytest.mark.parametrize("said", [("It is 3.9.", "It is 3.11.", "It is 3.9."), ("Yes.", "It is 3.11.", "Yes.")])
def test_what_is_said_again_counts_from_then_on(said: tuple[str, ...]) -> None:
    """C-47, T-01: also in a chat that is opened again; what was said between stays between them."""
    turns = [turn(words, Topic()) for words in said]
    ring = kept(*turns)
    ring.take_up(turns, NOW - timedelta(days=2), NOW + timedelta(days=1))
    assert texts(ring) == [*said]
    assert times(ring)[said[-1]] == NOW + timedelta(minutes=2)


@pytest.mark.parametrize(
    ("said", "is_human", "expected"),
    [
        (["Yes, exactly."], True, True),
        (["What about the port?"], True, False),
        (["Hello", "Right."], True, True),
        ([], True, False),
        pytest.param(["Yes, exactly."], False, False, id="C-26 another agent validates nothing"),
    ],
)
def test_newest_turn_ends_in_agreement(said: list[str], is_human: bool, expected: bool) -> None:
    ring = TurnRing(5)
    assert ring.ends_in_agreement() is False
    ring.note(turn("Yes.", Topic()), NOW)
    messages = (*(message({"user_message": text}) for text in said), message("Yes, exactly.", ai=True))
    ring.note(Turn(Topic(), messages, is_human, Circumstances()), NOW)
    assert ring.ends_in_agreement() is expected
