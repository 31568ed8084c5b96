"""Measure who said it, and what a correction in passing does: `python benchmarks/spoken.py` reports to docs/.

A benchmark, not a test: it fails nothing, and every figure is the same at every run. The conversations were written by
people who had not seen the rules; the held-out half by others than the development half. The second part was written
so as well, later; its misses were read once.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

_ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(_ROOT / "tests" / "core"))  # plays the labelled conversations

from measuring import Report, Table  # noqa: E402
from memory_ledger.host.docstore import minilm  # noqa: E402
from spoken_tools import is_users, play, read_rows  # noqa: E402

PARTS = ("development", "second", "held_out")
_REPORT = _ROOT / "docs" / "benchmarks" / "spoken.md"
_HEAD = """# Who said it, and which word counts

Written by `make bench-spoken`; do not edit. Rules decide, never a model; the figures are the same at every run.
"""


def main() -> int:
    """Play every conversation, print the report, and write it."""
    report = Report()
    report.tables.extend((_who(), _corrections()))
    text = "\n".join((_HEAD, *map(str, report.tables)))
    print(text)
    _REPORT.write_text(text, encoding="utf-8")
    return 0


def _who() -> Table:
    table = Table(
        "Who said it",
        "Memories in a model's words after up to eight utterances, half of them what the user said, half what the "
        "agent or a tool said, or what the user only asked, supposed, quoted or denied.",
        ("part", "evidence", "the user's", "traced to the user", "not the user's", "wrongly traced"),
    )
    model = minilm.load_minilm(threads=1)
    for part in PARTS:
        for evidence, likeness in (("words", None), ("words, and likeness by MiniLM", partial(_cosines, model))):
            found = Counter((row["who"], is_users(row, likeness)) for row in read_rows(f"who_{part}"))
            users, others = (sum(found[who, traced] for traced in (True, False)) for who in ("user", "not"))
            table.rows.append(
                (part, evidence, str(users), str(found["user", True]), str(others), str(found["not", True]))
            )
    return table


def _cosines(model: minilm.MiniLM, text: str, others: Sequence[str]) -> Sequence[float]:
    """Return how like a text is to others; the vectors of this model are of length one."""
    vectors = np.asarray(model.embed_documents([text, *others]))
    cosines: list[float] = (vectors[1:] @ vectors[0]).tolist()
    return cosines


def _corrections() -> Table:
    table = Table(
        "Corrections in passing",
        "A fact, its memory, other talk, a correction, its memory; pronouns, bare values, slang, other languages; in a "
        "third of them the agent repeats the new value. Right: the older memory is out of use, or its value is.",
        ("part", "conversations", "right", "both stay", "the stale one wins"),
    )
    for part in PARTS:
        found = Counter(play(row) for row in read_rows(f"corrections_{part}"))
        figures = (found[name] for name in ("right", "both", "inverted"))
        table.rows.append((part, str(found.total()), *map(str, figures)))
    return table


if __name__ == "__main__":
    raise SystemExit(main())
