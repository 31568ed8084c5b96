"""What a turn looks like as standard messages (M-31 ... M-42, M-72, T-34, T-56)."""

from datetime import UTC, datetime, timedelta

from knowledge_tools.logs import message
from memory_ledger.knowledge.trail import MOST_STEPS, ToolCall, Trail

NOW = datetime(2026, 2, 26, 12, 0, tzinfo=UTC)


def at(seconds):
    """Return a moment of the turn."""
    return NOW + timedelta(seconds=seconds)


def a_trail(chat="chat1"):
    """Return a turn with one call of a tool."""
    trail = Trail(chat, NOW)
    trail.begin("agent0", characters=12, attachments=1)
    trail.start_tool("agent0", ToolCall("search_engine", at(1), arguments=2))
    trail.end_tool("agent0", "search_engine", at(3), characters=40, answers=False)
    trail.start_tool("agent0", ToolCall("response", at(4), arguments=1))
    trail.end_tool("agent0", "response", at(4), characters=9, answers=True)
    assert trail.finish("agent0", None, at(5), is_failing=False)
    return trail


def shape(value):
    """Return the keys of a message, two levels deep."""
    return {key: sorted(inner) if isinstance(inner, dict) else None for key, inner in value.items()}


def test_a_message_has_every_key_of_the_standard():
    """M-31 ... M-33, M-39 ... M-42: the same keys as a message of the original, none more; seconds in UTC."""
    for one in a_trail().lines():
        assert shape(one) == shape(message(following="x"))
        assert one["timestamp"]["executed_at"].endswith("Z")
        assert one["timestamp"]["timezone"] == "UTC"
        assert one["agent"]["type"] in ("operational", "executional")
        assert one["error"] == dict(
            has_error=False, error_code=None, error_message=None, retry_count=0, recoverable=True
        )
        assert one["audit"]["governance_files_consulted"] == []  # a recorder consults none, and says so
        assert one["audit"]["compliance_notes"] and one["audit"]["reasoning"]
        assert one["next_agent"]["reason"] and one["status"]["message"]


def test_a_chat_is_told_by_an_id_or_a_digest():
    sessions = {next(a_trail(chat=chat).lines())["metadata"]["session_id"] for chat in ("aB3dE6gH", "Anna's chat")}
    assert "sess_aB3dE6gH" in sessions
    assert not any("Anna" in one for one in sessions)


def test_a_long_turn_is_bounded_and_has_an_end():
    trail = Trail("chat1", NOW)
    trail.begin("agent0", characters=1, attachments=0)
    for number in range(3 * MOST_STEPS):
        trail.start_tool("agent0", ToolCall("search_engine", at(number)))
        trail.end_tool("agent0", "search_engine", at(number), characters=1, answers=False)
    trail.finish("agent0", None, at(9_999), is_failing=False)
    messages = list(trail.lines())
    assert len(messages) == MOST_STEPS + 1
    assert messages[-1]["next_agent"]["name"] is None
    assert len({one["message_id"] for one in messages}) == len(messages)
