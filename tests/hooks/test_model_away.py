"""The embedding model is away: recall by words, adoption as ever, told once (C-74)."""

import importlib
import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fake_host import FakeHost, HashingEmbedder
from hook_tools import CLASSIFIER, NEW, OLD, axes, configure_pack, find, remember, settle

HELPERS = "usr.plugins.memory_ledger.helpers."
OTHER = "The greenhouse opens at nine"
QUESTION = "Which Python does my project use?"


class Outage:
    """What becomes of every question to the model; `heal` lets it answer again."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.act: Callable[[], None] = lambda: None
        self.asked: list[str] = []
        self._released = threading.Event()
        for name in ("embed_query", "embed_documents"):
            monkeypatch.setattr(HashingEmbedder, name, self._wrap(getattr(HashingEmbedder, name)))

    def _wrap(self, embed: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(model: HashingEmbedder, given: Any) -> Any:
            self.asked.append(str(given))
            self.act()
            return embed(model, given)

        return wrapper

    def fail(self, error: Callable[[], Exception]) -> None:
        def act() -> None:
            raise error()

        self.act = act

    def hang(self) -> None:
        self.act = lambda: self._released.wait() and None

    def heal(self) -> None:
        self.act = lambda: None
        self._released.set()


@pytest.fixture
def outage(monkeypatch: pytest.MonkeyPatch) -> Iterator[Outage]:
    made = Outage(monkeypatch)
    yield made
    made.heal()


def lose_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait for a model that does not answer."""
    asking = importlib.import_module(f"{HELPERS}store.embedding")
    monkeypatch.setattr(asking, "_NEXT_SECONDS", 0.01)
    for name in ("store.embedding", "host.recall.recall_task"):
        monkeypatch.setattr(importlib.import_module(f"{HELPERS}{name}"), "MOST_SECONDS", 0.05)


def told(host: FakeHost) -> list[str]:
    """Return what the chat's log says of the model."""
    return [str(item.content) for item in host.warnings if "the embedding model" in str(item.content)]


async def learn(host: FakeHost) -> None:
    await remember(host, "My project uses Python 3.11.", NEW)
    await remember(host, "The greenhouse opens at nine.", OTHER)
    await settle(host)


def explanation(host: FakeHost) -> dict[str, Any]:
    found: dict[str, Any] = host.agent.data["_memory_ledger_last_recall"]
    return found


async def test_a_model_that_answers_changes_nothing(host: FakeHost, outage: Outage) -> None:
    """C-74, must not change: meaning and words decide together, and nothing is told."""
    await learn(host)
    record = await host.turn(QUESTION)
    assert NEW in record.prompt.memories and OTHER not in record.prompt.memories
    assert explanation(host)["uses_meaning"] and explanation(host)["uses_words"]
    assert told(host) == []


@pytest.mark.parametrize(("kind", "mode"), [("down", "auto"), ("down", "wrap"), ("hangs", "auto")])
async def test_recall_goes_on_by_words(
    host: FakeHost, outage: Outage, monkeypatch: pytest.MonkeyPatch, kind: str, mode: str
) -> None:
    """C-74, T-66: what the message's words find is in the prompt, and nothing else; the turn ends as ever."""
    await learn(host)
    configure_pack(host, recall_mode=mode)
    await host.turn("Hello.")
    lose_patience(monkeypatch)
    if kind == "down":
        outage.fail(lambda: ConnectionError("refused"))
    else:
        outage.hang()
    record = await host.turn(QUESTION, reply="It is 3.11.")
    assert record.response == "It is 3.11."
    assert NEW in record.prompt.memories and OTHER not in record.prompt.memories
    assert not explanation(host)["uses_meaning"]
    [line] = told(host)
    assert line.startswith("the embedding model is away (") and "by words alone" in line
    host.expected_warnings = 1


async def test_each_turn_tries_again_and_it_is_told_once_for_each_outage(host: FakeHost, outage: Outage) -> None:
    """C-74: whatever it fails with meanwhile; once more when it came back and went away again."""
    await learn(host)
    for number in (1, 2):
        for reason in ("refused, request 17", "timed out, request 18"):
            outage.fail(lambda reason=reason: ConnectionError(reason))
            asked = len(outage.asked)
            await host.turn(f"{QUESTION} {reason} {number}")
            assert len(outage.asked) > asked
            assert not explanation(host)["uses_meaning"]
        outage.heal()
        await host.turn(f"{QUESTION} Now, {number}?")
        assert explanation(host)["uses_meaning"]
        assert len(told(host)) == number
    host.expected_warnings = 2


async def test_what_got_in_is_adopted_and_settled(host: FakeHost, outage: Outage) -> None:
    """C-37, C-74: the model is away for queries alone; the rules find the contradiction by its claims."""
    await remember(host, "My project uses Python 3.9.", OLD)
    await settle(host)

    def act() -> None:
        if outage.asked[-1] != str([NEW]):
            raise ConnectionError("refused")

    outage.act = act
    await host.turn("Actually, my project uses Python 3.11.")
    await host.insert(NEW, area="fragments")
    await host.run(CLASSIFIER)
    assert axes(find(host, "3.11"))[0] == "confirmed"
    assert axes(find(host, "3.9"))[0] == "deprecated"
    record = await host.turn(QUESTION)
    assert NEW in record.prompt.memories and OLD not in record.prompt.memories
    host.expected_warnings = 1


async def test_a_save_that_fails_is_the_hosts_and_leaves_nothing_half(host: FakeHost, outage: Outage) -> None:
    """C-74, T-64: the host's own insert raises as without the pack; no document, no line that would bring it back."""
    await learn(host)
    outage.fail(lambda: ConnectionError("refused"))
    with pytest.raises(ConnectionError):
        await host.insert("The cat sleeps on the printer.")
    assert all("printer" not in one.page_content for one in host.docs.values())
    backup = host.memory_folder() / "ledger_backup.jsonl"
    assert "printer" not in backup.read_text()
    await host.run(CLASSIFIER)


async def test_the_vault_is_shown_all_the_same(host: FakeHost, outage: Outage, monkeypatch: pytest.MonkeyPatch) -> None:
    """V-10, V-50, C-74: a record that cannot be embedded is in the prompt, and in the index once the model is back."""
    await host.turn("Hello.")
    row = {"id": "aaaaaaaaaaaa", "version": 1, "scope": "shared", "category": "x", "text": "Bees dance at noon"}
    path = host.memory_folder() / "vault.jsonl"
    path.write_text(json.dumps({**row, "tier": "canon"}) + "\n")
    outage.fail(lambda: ConnectionError("refused"))
    for _ in range(2):
        record = await host.turn("Hello again.")
        assert "Bees dance at noon" in record.prompt.system
    assert len([one for one in host.warnings if "vault" in one.heading]) == 1
    outage.heal()
    await host.turn("Once more.")
    assert "aaaaaaaaaaaa" in host.docs
    host.expected_warnings = 2
