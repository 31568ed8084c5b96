"""Measure who said it, and what a correction in passing does: `python benchmarks/spoken.py` reports to docs/.

A benchmark, not a test: it fails nothing, and every figure is the same at every run. The conversations were written by
people who had not seen the rules, each part by others. The misses of `development`, of `second`, and of the
corrections of `third` were read; half of those of `fourth` and `fifth` as well, but little was changed for them. Nobody
has read `held_out`, but its counts were watched while rules were kept or dropped: it is no clean part any more.
The third part of who said it has only memories that a model got wrong, by one who tried to make them look right. Of
`sixth` and `seventh` the odd rows were read, and the even ones only counted.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(_ROOT / "tests" / "core"))  # plays the labelled conversations

from contradictions_data import data_folder, read_lines  # noqa: E402
from measuring import Report, Table  # noqa: E402
from memory_ledger.ledger.replaced import Spoken, find_replacement  # noqa: E402
from spoken_tools import is_users, play, read_rows, stays, stays_users  # noqa: E402

PARTS = ("development", "second", "held_out", "third", "fourth")
_REPORT = _ROOT / "docs" / "benchmarks" / "spoken.md"
_HEAD = """# Who said it, and which word counts

Written by `make bench-spoken`; do not edit. Rules decide, never a model; the figures are the same at every run.
"""


def main() -> int:
    """Play every conversation, print the report, and write it."""
    report = Report()
    report.tables.extend((_who(), _rewritten(), _corrections(), _staying(), _natural()))
    text = "\n".join((_HEAD, *map(str, report.tables)))
    print(text)
    _REPORT.write_text(text, encoding="utf-8")
    return 0


def _who() -> Table:
    table = Table(
        "Who said it",
        "Memories in a model's words after up to eight utterances, half of them what the user said, half what the "
        "agent or a tool said, or what the user only asked, supposed, quoted or denied.",
        ("part", "the user's", "traced to the user", "not the user's", "wrongly traced"),
    )
    for part in (*PARTS, "fifth", "sixth", "seventh"):
        found = Counter((row["who"], is_users(row)) for row in read_rows(f"who_{part}"))
        users, others = (sum(found[who, traced] for traced in (True, False)) for who in ("user", "not"))
        table.rows.append((part, str(users), str(found["user", True]), str(others), str(found["not", True])))
    return table


def _rewritten() -> Table:
    table = Table(
        "Memories that a consolidation wrote anew",
        "One to three memories of the user's, and what a model made of them: the same in other words, or with a fact "
        "added, a value changed, an owner swapped, a denial lost. Every second row was read, the others only counted.",
        ("part", "the same", "stays the user's", "changed", "stays the user's all the same"),
    )
    for part, rows in (("read", read_rows("rewritten")[1::2]), ("held back", read_rows("rewritten")[::2])):
        found = Counter((row["label"], stays_users(row)) for row in rows)
        same, changed = (sum(found[label, traced] for traced in (True, False)) for label in ("users", "not"))
        table.rows.append((part, *map(str, (same, found["users", True], changed, found["not", True]))))
    return table


def _corrections() -> Table:
    table = Table(
        "Corrections in passing",
        "A fact, its memory, other talk, a correction, its memory; pronouns, bare values, slang, other languages; in a "
        "third of them the agent repeats the new value. Right: the older memory is retired, or its value is.",
        ("part", "conversations", "right", "both stay", "the stale one wins"),
    )
    for part in PARTS:
        found = Counter(play(row) for row in read_rows(f"corrections_{part}"))
        figures = (found[name] for name in ("right", "both", "inverted"))
        table.rows.append((part, str(found.total()), *map(str, figures)))
    return table


def _staying() -> Table:
    table = Table(
        "What is still true",
        "A memory, and a later one that sounds like a change of it and is none: another person, another thing, another "
        "time, an addition, a plan.",
        ("part", "pairs", "retired, whole or in part"),
    )
    for part in ("third", "fourth"):
        found = Counter(stays(row) for row in read_rows(f"stays_{part}"))
        table.rows.append((part, str(found.total()), str(found[False])))
    return table


def _natural() -> Table:
    table = Table(
        "Memories of natural conversations",
        "Observations of LoCoMo 0-4, each pair of one speaker's that come from different turns, the newer one as its "
        "turn says it, and with a word of change put before it. Nothing of them should be taken for replaced.",
        ("said", "pairs", "taken for replaced"),
    )
    for how, prefix in (("as it is", ""), ('after "It changed."', "It changed. ")):
        found = Counter(
            find_replacement(older, newer, Spoken(f"{prefix}{said}", before, said)) is not None
            for older, newer, said, before in _natural_pairs()
        )
        table.rows.append((how, f"{found.total():,}", str(found[True])))
    return table


def _natural_pairs() -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """Yield an older and a newer memory of one speaker's, the newer one's turn, and the speaker's last turns before."""
    turns: dict[tuple[int, str], dict[tuple[int, ...], str]] = {}
    memories: dict[tuple[int, str], list[tuple[tuple[int, ...], str]]] = {}
    for line in read_lines(data_folder({"locomo_open"}) / "locomo_open" / "memories.jsonl.gz"):
        if line["kind"] == "turn":
            speaker, _, said = line["text"].partition(": ")
            turns.setdefault((line["conv"], speaker), {})[_number(line["id"])] = said
        else:
            place = _number(line["evidence"][0])
            memories.setdefault((line["conv"], line["speaker"]), []).append((place, line["text"]))
    for key, written in memories.items():
        said = turns[key]
        own = sorted(one for one in written if one[0] in said)
        for at, (place, newer) in enumerate(own):
            before = tuple(said[one] for one in sorted(said) if one < place)
            for earlier, older in own[:at]:
                if earlier < place:
                    yield older, newer, said[place], before


def _number(name: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", name)))


if __name__ == "__main__":
    raise SystemExit(main())
