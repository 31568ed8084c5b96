"""Play whole conversations and count what a prompt then tells: `python benchmarks/conversations.py` reports to docs/.

Values are rejected, passed over politely, made up or written again as copies. By default the conversations are played
on the fake host with the real MiniLM. `--script 1` prints the odd ones as a script for the driver of a real host
(tests/real_host/README.md), `--judge OUT` counts its report. The odd ones may be tuned on; the even ones nobody reads.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path
from typing import Any, Final

_ROOT: Final = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(_ROOT / "tests"), str(_ROOT / "tests" / "core")]

from fake_host import FakeHost, HashingEmbedder, RunningClock, keep_between_hosts  # noqa: E402
from fake_host.tools import ToolCall  # noqa: E402
from measuring import Report, Table  # noqa: E402
from memory_ledger.host.docstore import minilm  # noqa: E402
from spoken_tools import read_rows  # noqa: E402

_HELPERS: Final = "usr.plugins.memory_ledger.helpers."
_REPORT: Final = _ROOT / "docs" / "benchmarks" / "conversations.md"
_HEAD: Final = """# What a prompt tells after a conversation

Written by `make bench-conversations`; do not edit. Rules decide, never a model.
"""
_OUTDATED: Final = re.compile(r"\[outdated: ([^\]]*)\]")
_MARK: Final = re.compile(r"^\[(?:contested|at odds\?)[^\]]*\] ")
_SETTINGS: Final = {"memory_recall_query_prep": False, "memory_recall_post_filter": False}
#: What is counted of a conversation, and what it means.
_COUNTED: Final = {
    "retired": "what holds is retired",
    "promoted": "what nobody said is the user's",
    "inverted": "what does not hold stands last",
    "stale": "an outdated value stands unmarked before what holds",
    "missing": "what holds is not in the prompt",
}
_Stored = list[tuple[str, dict[str, Any]]]


class _MiniLM(HashingEmbedder):
    """The model of the hosts, in the fake one; each text is embedded once."""

    model: Any = None
    known: Final[dict[str, list[float]]] = {}

    def __init__(self) -> None:
        super().__init__(384, name="minilm")

    def vector(self, text: str) -> list[float]:
        """Return the vector of a text, of length one."""
        if text not in self.known:
            type(self).model = self.model or minilm.load_minilm(threads=2)
            self.known[text] = [float(one) for one in self.model.embed_documents([text])[0]]
        return self.known[text]


def main() -> int:
    """Play the conversations and write the report; or print a script for a real host, or judge what that reports."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--script", type=int, choices=(0, 1), help="print the even or the odd ones as a script")
    options.add_argument("--judge", type=Path, help="count the report of a real host's driver")
    asked = options.parse_args()
    if asked.script is not None:
        print(json.dumps(_to_script([row for row in _rows() if _number(row) % 2 == asked.script])))
        return 0
    if asked.judge is not None:
        turns = {turn["name"]: turn for turn in json.loads(asked.judge.read_text("utf-8"))["turns"]}
        found: Counter[str] = Counter()
        for row in (one for one in _rows() if one["id"] in turns):
            found.update({**_judge(row, *_read_turn(turns[row["id"]])), "conversations": 1})
        print(dict(found))
        return 0
    keep_between_hosts(
        lambda name: name.startswith(_HELPERS) and not name.startswith((f"{_HELPERS}host", f"{_HELPERS}cli"))
    )
    report = Report()
    report.tables.append(_table())
    text = "\n".join((_HEAD, *map(str, report.tables)))
    print(text)
    _REPORT.write_text(text, encoding="utf-8")
    return 0


def _rows() -> list[dict[str, Any]]:
    return [*read_rows("conversations_a"), *read_rows("conversations_b")]


def _number(row: dict[str, Any]) -> int:
    return int(row["id"].split("-")[1])


def _table() -> Table:
    found: dict[tuple[str, str], Counter[str]] = {}
    for row in _rows():
        with tempfile.TemporaryDirectory() as folder:
            counted = _judge(row, *asyncio.run(_play(row, Path(folder))))
        half = "tuned on" if _number(row) % 2 else "held back"
        found.setdefault((half, row["kind"]), Counter()).update({**counted, "conversations": 1})
    rows = [
        (*key, str(counts["conversations"]), *(str(counts[one]) for one in _COUNTED))
        for key, counts in sorted(found.items())
    ]
    what = "; ".join(f"{name}: {meaning}" for name, meaning in _COUNTED.items())
    table = Table(
        "By kind",
        f"On the newest generation of the fake host, with MiniLM. {what}.",
        ("half", "kind", "conversations", *_COUNTED),
    )
    table.rows.extend(rows)
    return table


async def _play(row: dict[str, Any], folder: Path) -> tuple[_Stored, str]:
    """Return what is stored at the end, and the memories of the prompt after the question."""
    with FakeHost("C", folder / "a0", embedder=_MiniLM(), clock=RunningClock()) as host:
        host.install(_ROOT)
        importlib.import_module(f"{_HELPERS}clock").system_clock = lambda: host.machine.clock().astimezone(UTC)
        importlib.import_module(f"{_HELPERS}host.storage.deadline").MOST_SECONDS = 60.0
        host.configure(**_SETTINGS)
        for turn in row["turns"]:
            if turn.get("restart"):
                await host.restart(keep_chats=False)
                continue
            calls = [ToolCall("memory_save", {"text": text}) for text in turn.get("saves", [])]
            memories = list(turn.get("memories", []))
            await host.turn(turn["user"], reply=turn["reply"], fragments=memories, tool_calls=calls)
            await host.finish_memorizing()
            host.machine.clock.advance(seconds=90)
        await host.run("monologue_end/_55_memory_classifier")
        record = await host.turn(row["question"], reply="Let me see.")
        stored = [(one.page_content, one.metadata) for one in host.docs.values()]
        return stored, record.prompts[0].extras.get("memories", "")


def _to_script(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the conversations as one script, each in a memory folder of its own."""
    turns: list[dict[str, Any]] = []
    for row in rows:
        turns += [{"settings": {"agent_memory_subdir": row["id"].replace("-", "")}}, {"restart": "soft"}]
        for turn in row["turns"]:
            saves = [{"tool_name": "memory_save", "tool_args": {"text": one}} for one in turn.get("saves", [])]
            said = {
                "user": turn.get("user"),
                "fragments": turn.get("memories", []),
                "replies": [*saves, turn.get("reply")],
            }
            turns.append({"restart": "hard"} if turn.get("restart") else said)
        turns.append({"name": row["id"], "user": row["question"], "reply": "One moment."})
    return {"knowledge": "off", "settings": _SETTINGS, "turns": turns}


def _read_turn(turn: dict[str, Any]) -> tuple[_Stored, str]:
    stored = [(one["page_content"], one["metadata"]) for one in turn["docs"]]
    return stored, turn["prompts"][0]["extras_persistent"].get("memories", "")


def _judge(row: dict[str, Any], stored: _Stored, shown: str) -> Counter[str]:
    """Return how often each kind of fault is in what is stored and shown."""
    places = list(_read_prompt(shown))
    holding = [place for place, text, _ in places if text in row["holds"]]
    states = [(text, data.get("classification", {})) for text, data in stored]
    found = Counter(
        retired=sum(text in row["holds"] and state.get("validity") == "deprecated" for text, state in states),
        promoted=sum(text in row["unsaid"] and state.get("source") == "user_asserted" for text, state in states),
        missing=len(set(row["holds"]) - {text for _, text, _ in places}),
    )
    for place, text, is_marked in places:
        is_false = text in (*row["outdated"], *row["unsaid"]) and not is_marked
        if is_false and (not holding or place > max(holding)):
            found["inverted"] += 1
        elif is_false and text in row["outdated"]:
            found["stale"] += 1
    return found


def _read_prompt(shown: str) -> Iterator[tuple[int, str, bool]]:
    """Yield the place and the text of each memory of a prompt, and whether a value of it is marked as outdated."""
    for place, line in enumerate(one for one in shown.splitlines() if one.strip()):
        yield place, _OUTDATED.sub(r"\1", _MARK.sub("", line)), "[outdated:" in line


if __name__ == "__main__":
    sys.exit(main())
