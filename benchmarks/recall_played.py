"""Ask in the middle of whole conversations and count what the prompt shows: `python benchmarks/recall_played.py`.

Questions stand behind chat, name things otherwise than their memory, and follow restarts and changed values; between
them stand messages for which nothing may be shown. `--replay` plays them on the fake host with the real MiniLM, with
the pack and without it. `--script` prints a script for the driver of a real host (tests/real_host/README.md), of all,
of the odd or of the even conversations, and `--judge OUT ...` counts its reports. The odd ones may be tuned on; the
even ones nobody reads.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import played
from measuring import Table

_DATA: Final = played.ROOT / "tests" / "data" / "recall" / "played.jsonl"
_ALL: Final = -1
#: Where a prompt shows memories.
_SECTIONS: Final = ("memories", "solutions")
#: What may come of a question: one of these, the first that holds from below.
_OUTCOMES: Final = {
    "right alone": "what is needed, and nothing else",
    "right with others": "what is needed, and what does not bear",
    "missing": "something, but not all that is needed",
    "nothing": "no memory",
    "in doubt": "what is needed, and an outdated value, marked as possibly at odds",
    "stale": "an outdated value without a mark",
}
_Row = dict[str, Any]
#: The text of each named turn's prompt that may hold memories.
_Prompts = Mapping[str, str]


def main() -> int:
    """Print a script for a real host, or what its reports show, or what the fake host shows."""
    options = argparse.ArgumentParser(description=__doc__)
    way = options.add_mutually_exclusive_group(required=True)
    way.add_argument(
        "--script", nargs="?", type=int, choices=(0, 1), const=_ALL, help="print all, the even or the odd ones"
    )
    way.add_argument("--judge", nargs="+", type=Path, metavar="OUT", help="count reports of a real host's driver")
    way.add_argument("--replay", action="store_true", help="play all on the fake host, and count")
    asked = options.parse_args()
    if asked.script is not None:
        rows = [row for row in _rows() if asked.script in (_ALL, played.number_of(row) % 2)]
        print(json.dumps(played.to_script((row["id"], _turns(row)) for row in rows)))
        return 0
    if asked.judge is not None:
        print(_table((path.stem, _read_prompts(path)) for path in asked.judge))
        return 0
    played.keep_pack()
    print(_table((name, _replay(has_pack)) for name, has_pack in (("with the pack", True), ("bare host", False))))
    return 0


def _rows() -> list[_Row]:
    return [json.loads(line) for line in _DATA.read_text("utf-8").splitlines()]


def _turns(row: _Row) -> Iterator[played.Turn]:
    """Yield the turns with the questions and the noise in their places, which have names."""
    for at, turn in enumerate(row["turns"]):
        yield turn
        for name, ask in _asks(row):
            if ask["after"] == at:
                yield {"name": name, "user": ask["user"], "reply": "One moment."}
        for name, after, text in _noise(row):
            if after == at:
                yield {"name": name, "user": text, "reply": "Sure."}


def _asks(row: _Row) -> Iterator[tuple[str, _Row]]:
    for number, ask in enumerate(row["asks"]):
        yield f"{row['id']} ask {number}", ask


def _noise(row: _Row) -> Iterator[tuple[str, int, str]]:
    """Yield name, place and text of what asks for nothing: evenly spread, and never the first message of a chat."""
    for number, text in enumerate(row["noise"]):
        after = (number + 1) * len(row["turns"]) // (len(row["noise"]) + 1)
        yield f"{row['id']} noise {number}", after + bool(row["turns"][after].get("restart")), text


def _replay(has_pack: bool) -> _Prompts:
    found: dict[str, str] = {}
    for row in _rows():
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            found |= asyncio.run(_play(row, Path(folder), has_pack))
    return found


async def _play(row: _Row, folder: Path, has_pack: bool) -> _Prompts:
    found: dict[str, str] = {}
    with played.open_host(folder, has_pack=has_pack) as host:
        for turn in _turns(row):
            record = await played.play_turn(host, turn)
            if record is not None and "name" in turn:
                found[turn["name"]] = _join(record.prompts[0].extras)
    return found


def _read_prompts(path: Path) -> _Prompts:
    named = played.read_report(path)
    return {name: _join(turn["prompts"][0]["extras_persistent"]) for name, turn in named.items()}


def _join(extras: Mapping[str, Any]) -> str:
    return "\n".join(extras.get(section, "") for section in _SECTIONS)


def _table(hosts: Iterable[tuple[str, _Prompts]]) -> Table:
    table = Table(
        "Asked in the middle of conversations",
        f"{'; '.join(f'{name}: {meaning}' for name, meaning in _OUTCOMES.items())}. Others: memories that are neither "
        "needed nor outdated, for each question. Noise: messages that ask for nothing, and those for which a memory is "
        "shown.",
        ("host", "part", "asks", *_OUTCOMES, "others per ask", "noise", "noise with a memory"),
    )
    for host, prompts in hosts:
        for part in ("tuned on", "held back"):
            counts: Counter[str] = Counter()
            for row in _rows():
                if part == played.part_of(row):
                    counts.update(_judge(row, prompts))
            if counts["asks"]:
                outcomes = (str(counts[one]) for one in _OUTCOMES)
                others = f"{counts['others'] / counts['asks']:.2f}"
                noise = (str(counts["noise"]), str(counts["noise with a memory"]))
                table.rows.append((host, part, str(counts["asks"]), *outcomes, others, *noise))
    return table


def _judge(row: _Row, prompts: _Prompts) -> Counter[str]:
    """Count what came of the questions and of the noise of a conversation, as far as it was played."""
    found: Counter[str] = Counter()
    for name, ask in _asks(row):
        if name in prompts:
            shown = _shown(row, prompts[name])
            others = set(shown) - {*ask["needs"], *ask["stale"]}
            found.update({"asks": 1, _outcome(ask, shown, has_others=bool(others)): 1, "others": len(others)})
    for name, _, _ in _noise(row):
        if name in prompts:
            found.update({"noise": 1, "noise with a memory": bool(_shown(row, prompts[name]))})
    return found


def _outcome(ask: _Row, shown: Mapping[str, str], *, has_others: bool) -> str:
    outdated = {shown[text] for text in ask["stale"] if text in shown}
    if "" in outdated:
        return "stale"
    if not shown:
        return "nothing"
    if not shown.keys() >= set(ask["needs"]):
        return "missing"
    if played.IN_DOUBT in outdated:
        return "in doubt"
    return "right with others" if has_others else "right alone"


def _shown(row: _Row, prompt: str) -> dict[str, str]:
    """Return which memories of the conversation stand in a prompt, and how each is marked."""
    texts = {text for turn in row["turns"] for text in turn.get("memories", ())}
    return {text: mark for _, line, mark in played.read_prompt(prompt) for text in texts if text in line}


if __name__ == "__main__":
    sys.exit(main())
