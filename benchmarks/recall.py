"""Measure recall on public data: `python benchmarks/recall.py` reports to docs/.

A benchmark, not a test: it fails nothing. The quality is what recall finds, and what it leaves alone; the speed what a
turn costs. Each has a file of its own; `--only` measures and writes one of them.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from contradictions_data import SOURCES, VARIABLE, data_folder
from measuring import describe_machine, run_alone
from recall_data import DATA_SET

_REPORTS = Path(__file__).resolve().parents[1] / "docs" / "benchmarks"
_SPEED_HEAD = """# What recall costs

Written by `make bench-recall`; do not edit. With and without the pack on the same store and message, in one run, with
the real all-MiniLM-L6-v2. The times are those of one machine: {machine}
"""
_QUALITY_HEAD = """# What recall brings, and what it leaves alone

Written by `make bench-recall`; do not edit. The embedding model is the host's default, all-MiniLM-L6-v2, with its real
weights; no other model takes part. What is found is the same at every run on one kind of processor: another one may
round a vector otherwise in its last digits, and with it the third digit of a figure here. Measured on: {machine}

The conversations are for measuring only, and none of them is part of this project:

- {what}: <{url}>, {licence}

Put `memories.jsonl.gz` and `queries.jsonl.gz`, as the readers in `benchmarks/recall_data.py` say, into a folder
`{data_set}` of the folder that `{variable}` names. Two people talk for months: `turns` are what they said, word
for word, `observations` one sentence for each thing that is worth keeping. Each conversation is two stores, one of
each. A question counts as far as the memories come from which people answered it; those that nobody can answer are left
out, and so are those that none of the store's memories answers. The messages (`tests/data/recall`) were written by
people who had not seen the rules.

- What is learnt (`benchmarks/train_recall.py`) was learnt from conversations 0-2 and every second message, and from
  rows that are not asked here. Conversations 3-4 and the other messages were left alone.
- The pack goes the way of `memory-ledger recall --memories FILE --queries FILE --k 10 --no-gate`, and with the gate of
  `--k 8`: the text, and when it was written; nothing is classified or linked, and no domain is known. It is asked a
  year after the last session, unless a row says otherwise.
- The bare host embeds the message and, behind it, the end of the chat, which ends with the message itself; the model
  reads 256 tokens. `message as written` is the question alone, without a chat and without the host's JSON: no host
  embeds that, and its search finds most with it. `first message of a chat` is the message twice, as the host has it,
  its greeting left out; `after two turns` and `after a session` have the last two turns, or all, of the conversation's
  last session before the message in the chat, the first speaker's as the user's, the other's as the agent's answers;
  every fourth question is asked so.
- `as specified`: meaning alone, without the search by words, the learnt order, and age.
"""
#: The module that measures a part, the page, and how it begins.
_PARTS = {
    "quality": ("recall_quality", "recall.md", _QUALITY_HEAD),
    "speed": ("recall_speed", "recall_speed.md", _SPEED_HEAD),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the parts, and print and write the report of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=_PARTS, help="one part only")
    options = parser.parse_args(argv)
    folder = data_folder([DATA_SET])
    what, url, licence = SOURCES[DATA_SET]
    for name, (module, page, head) in _PARTS.items():
        if options.only not in (None, name):
            continue
        start, machine = perf_counter(), describe_machine()
        report = run_alone(importlib.import_module(module).run, folder)
        print(f"{name}: {perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
        named = head.format(machine=machine, what=what, url=url, licence=licence, data_set=DATA_SET, variable=VARIABLE)
        text = f"{named}\n{report}"
        print(text)
        (_REPORTS / page).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
