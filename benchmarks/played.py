"""Conversations as turns that a host plays: the fake one with the real MiniLM, or a real one by its driver's script.

A turn is what the user says, the reply, and the memories that the host's memorizer makes of it; or a restart.
"""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "core")]

from fake_host import FakeHost, HashingEmbedder, RunningClock, TurnRecord, keep_between_hosts  # noqa: E402
from fake_host.tools import ToolCall  # noqa: E402
from memory_ledger.store import embedding  # noqa: E402

_HELPERS: Final = "usr.plugins.memory_ledger.helpers."
_SETTINGS: Final = {"memory_recall_query_prep": False, "memory_recall_post_filter": False}
_OUTDATED: Final = re.compile(r"\[outdated: ([^\]]*)\]")
_MARK: Final = re.compile(r"^\[(?:contested|at odds\?)[^\]]*\] ")
#: How a memory of a prompt may be marked: a value of it is outdated, or it is at odds with another, possibly or surely.
OUTDATED, IN_DOUBT = "outdated", "in doubt"

Turn = dict[str, Any]


class _MiniLM(HashingEmbedder):
    """The model of the hosts, in the fake one; each text is embedded once."""

    model: Any = None
    known: Final[dict[str, list[float]]] = {}

    def __init__(self) -> None:
        super().__init__(384, name="minilm")

    def vector(self, text: str) -> list[float]:
        """Return the vector of a text, of length one."""
        if text not in self.known:
            type(self).model = self.model or embedding.load_minilm(threads=2)
            self.known[text] = [float(one) for one in self.model.embed_documents([text])[0]]
        return self.known[text]


def keep_pack() -> None:
    """Import what holds no state once for all hosts that follow."""
    keep_between_hosts(
        lambda name: (
            name.startswith(_HELPERS)
            and not name.startswith(tuple(f"{_HELPERS}{room}" for room in ("host", "store", "cli")))
        )
    )


@contextmanager
def open_host(folder: Path, *, has_pack: bool = True) -> Iterator[FakeHost]:
    """Start the newest generation of the fake host with the real MiniLM, with or without the pack."""
    with FakeHost("C", folder / "a0", embedder=_MiniLM(), clock=RunningClock()) as host:
        if has_pack:
            host.install(ROOT)
            importlib.import_module(f"{_HELPERS}clock").system_clock = lambda: host.machine.clock().astimezone(UTC)
            importlib.import_module(f"{_HELPERS}store.deadline").MOST_SECONDS = 60.0
        host.configure(**_SETTINGS)
        yield host


async def play_turn(host: FakeHost, turn: Turn) -> TurnRecord | None:
    """Play one turn and let it be memorized; a restart begins a new chat, and has no record."""
    if turn.get("restart"):
        await host.restart(keep_chats=False)
        return None
    calls = [ToolCall("memory_save", {"text": text}) for text in turn.get("saves", [])]
    memories = list(turn.get("memories", []))
    record = await host.turn(turn["user"], reply=turn["reply"], fragments=memories, tool_calls=calls)
    await host.finish_memorizing()
    host.machine.clock.advance(seconds=90)
    return record


def to_script(conversations: Iterable[tuple[str, Iterable[Turn]]]) -> dict[str, Any]:
    """Return conversations as one script for the driver of a real host, each in a memory folder of its own."""
    script: list[dict[str, Any]] = []
    for name, turns in conversations:
        script += [{"settings": {"agent_memory_subdir": name.replace("-", "")}}, {"restart": "soft"}]
        script += map(_to_step, turns)
    return {"knowledge": "off", "settings": _SETTINGS, "turns": script}


def _to_step(turn: Turn) -> dict[str, Any]:
    if turn.get("restart"):
        return {"restart": "hard"}
    saves = [{"tool_name": "memory_save", "tool_args": {"text": one}} for one in turn.get("saves", [])]
    said = {"user": turn["user"], "fragments": turn.get("memories", []), "replies": [*saves, turn["reply"]]}
    return {"name": turn["name"], **said} if "name" in turn else said


def read_report(path: Path) -> dict[str, dict[str, Any]]:
    """Return the turns that have a name, of the report of a real host's driver."""
    return {turn["name"]: turn for turn in json.loads(path.read_text("utf-8"))["turns"] if turn.get("name")}


def number_of(row: dict[str, Any]) -> int:
    """Return the number of a conversation: the odd ones may be tuned on, the even ones nobody reads."""
    return int(row["id"].split("-")[1])


def part_of(row: dict[str, Any]) -> str:
    """Return whether a conversation may be tuned on."""
    return "tuned on" if number_of(row) % 2 else "held back"


def read_prompt(shown: str) -> Iterator[tuple[int, str, str]]:
    """Yield the place and the text of each memory of a prompt, and how it is marked, "" where it is not."""
    for place, line in enumerate(one for one in shown.splitlines() if one.strip()):
        mark = OUTDATED if "[outdated:" in line else IN_DOUBT if _MARK.match(line) else ""
        yield place, _OUTDATED.sub(r"\1", _MARK.sub("", line)), mark
