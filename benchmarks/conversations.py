"""Play whole conversations and count what a prompt then tells: `python benchmarks/conversations.py` reports to docs/.

Values are rejected, passed over politely, made up or written again as copies. By default the conversations are played
on the fake host with the real MiniLM. `--script 1` prints the odd ones as a script for the driver of a real host
(tests/real_host/README.md), `--judge OUT` counts its report. The odd ones may be tuned on; the even ones nobody reads.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, Final

import played
from measuring import Report, Table
from spoken_tools import read_rows

_REPORT: Final = played.ROOT / "docs" / "benchmarks" / "conversations.md"
_HEAD: Final = """# What a prompt tells after a conversation

Written by `make bench-conversations`; do not edit. Rules decide, never a model.
"""
#: What is counted of a conversation, and what it means.
_COUNTED: Final = {
    "retired": "what holds is retired",
    "promoted": "what nobody said is the user's",
    "inverted": "what does not hold stands last",
    "stale": "an outdated value stands unmarked before what holds",
    "missing": "what holds is not in the prompt",
}
_Stored = list[tuple[str, dict[str, Any]]]


def main() -> int:
    """Play the conversations and write the report; or print a script for a real host, or judge what that reports."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--script", type=int, choices=(0, 1), help="print the even or the odd ones as a script")
    options.add_argument("--judge", type=Path, help="count the report of a real host's driver")
    asked = options.parse_args()
    if asked.script is not None:
        rows = [row for row in _rows() if played.number_of(row) % 2 == asked.script]
        print(json.dumps(played.to_script((row["id"], [*row["turns"], _ask(row)]) for row in rows)))
        return 0
    if asked.judge is not None:
        turns = played.read_report(asked.judge)
        found: Counter[str] = Counter()
        for row in (one for one in _rows() if one["id"] in turns):
            found.update({**_judge(row, *_read_turn(turns[row["id"]])), "conversations": 1})
        print(dict(found))
        return 0
    played.keep_pack()
    report = Report()
    report.tables.append(_table())
    text = "\n".join((_HEAD, *map(str, report.tables)))
    print(text)
    _REPORT.write_text(text, encoding="utf-8")
    return 0


def _rows() -> list[dict[str, Any]]:
    return [*read_rows("conversations_a"), *read_rows("conversations_b")]


def _ask(row: dict[str, Any]) -> played.Turn:
    return {"name": row["id"], "user": row["question"], "reply": "One moment."}


def _table() -> Table:
    found: dict[tuple[str, str], Counter[str]] = {}
    for row in _rows():
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            counted = _judge(row, *asyncio.run(_play(row, Path(folder))))
        found.setdefault((played.part_of(row), row["kind"]), Counter()).update({**counted, "conversations": 1})
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
    with played.open_host(folder) as host:
        for turn in row["turns"]:
            await played.play_turn(host, turn)
        await host.run("monologue_end/_55_memory_classifier")
        record = await played.play_turn(host, _ask(row))
        stored = [(one.page_content, one.metadata) for one in host.docs.values()]
        return stored, record.prompts[0].memories if record is not None else ""


def _read_turn(turn: dict[str, Any]) -> tuple[_Stored, str]:
    stored = [(one["page_content"], one["metadata"]) for one in turn["docs"]]
    return stored, turn["prompts"][0]["extras_persistent"].get("memories", "")


def _judge(row: dict[str, Any], stored: _Stored, shown: str) -> Counter[str]:
    """Return how often each kind of fault is in what is stored and shown."""
    places = list(played.read_prompt(shown))
    holding = [place for place, text, _ in places if text in row["holds"]]
    states = [(text, data.get("classification", {})) for text, data in stored]
    found = Counter(
        retired=sum(text in row["holds"] and state.get("validity") == "deprecated" for text, state in states),
        promoted=sum(text in row["unsaid"] and state.get("source") == "user_asserted" for text, state in states),
        missing=len(set(row["holds"]) - {text for _, text, _ in places}),
    )
    for place, text, mark in places:
        is_false = text in (*row["outdated"], *row["unsaid"]) and mark != played.OUTDATED
        if is_false and (not holding or place > max(holding)):
            found["inverted"] += 1
        elif is_false and text in row["outdated"]:
            found["stale"] += 1
    return found


if __name__ == "__main__":
    sys.exit(main())
