"""Count what the aligner marks and takes for copies: `make bench-similar` reports to docs/benchmarks/similar.md.

A benchmark, not a test: it fails nothing. The held-out tables are only counted. Rules first: what they settle or leave
open is found; then what the detector marks beside that.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(_ROOT / "tests"), str(_ROOT / "tests" / "claims")]  # the labelled tables

from contradictions_data import Pair, data_folder, read_blind, read_edits, read_similar, read_substitutions  # noqa: E402
from contradictions_pairs import format_share, held_out_pairs  # noqa: E402
from measuring import Goal, Report, Samples, Table, describe_machine, format_seconds  # noqa: E402
from memory_ledger.claims import Relation  # noqa: E402
from memory_ledger.similar.at_odds import is_at_odds  # noqa: E402
from memory_ledger.similar.changes import compare_memory_texts  # noqa: E402
from memory_ledger.similar.copies import judge_pair  # noqa: E402
from similar_data import (  # noqa: E402
    MEMORIZED,
    NATURAL,
    REAL,
    Labelled,
    neighbours,
    read_changes,
    read_memorized,
    read_plain,
    read_rows,
)

_REPORT = _ROOT / "docs" / "benchmarks" / "similar.md"
_HELD_OUT = "written blind, held out"
#: One of so many rows of the large sets.
_EACH_EDIT, _EACH_SUBSTITUTION, _EACH_NEIGHBOUR = 10, 20, 4
_HEADINGS = ("pairs", "texts", "rules alone", "detector alone", "rules or detector")
_HEAD = """# What is possibly at odds, and what is a copy

Written by `make bench-similar`; do not edit. `rules alone` counts what rules call a contradiction, retired
or left open; `detector` what `memory_ledger.similar.at_odds.is_at_odds` marks. It was trained on the open blind tables,
tables of the project's own, pairs in the shapes of real stores, pairs as people say them and as the hosts' memorizer
writes them, some of all these once more in quotes, and LoCoMo conversations 0 to 2; the rows here were not among them.
`copies` is `memory_ledger.similar.copies.judge_pair`, trained on pairs in the shapes of real stores and of memorizers
by other writers.
Machine:
{machine}
"""


def main() -> int:
    """Count every set, print the report and write it."""
    folder = data_folder()
    sets: dict[str, Sequence[Pair] | Sequence[Labelled]] = {
        _HELD_OUT: read_blind("held_out"),
        "six kinds of text, held out": read_blind("kinds_held_out"),
        "own table, held out": list(held_out_pairs()),
        "MQuAKE edits": read_edits(folder)[::_EACH_EDIT],
        "Breaking NLI": read_substitutions(folder)[::_EACH_SUBSTITUTION],
        "STS-B, similarity 4 and more": [*read_similar(folder, "dev"), *read_similar(folder, "test")],
        f"{REAL}, held out": read_changes("held_out"),
        "of these, snapshots and progress": [
            Labelled(row["older"], row["newer"], True, REAL)
            for row in read_rows("changes_held_out")
            if row["what"] == "snapshot"
        ],
        "as people say it, held out": read_plain("held_out"),
        "as a memorizer writes, held out": read_memorized("held_out"),
        f"LoCoMo 3 and 4, {NATURAL}": neighbours(folder, is_trained=False)[::_EACH_NEIGHBOUR],
    }
    report, table = Report(), Table("Found and marked", "Of contradictions, then of harmless pairs.", _HEADINGS)
    shares: dict[tuple[str, bool], float] = {}
    times = Samples()
    for name, pairs in sets.items():
        labels = [one.label if isinstance(one, Labelled) else one.is_contradiction for one in pairs]
        marks = _marks([(one.older, one.newer) for one in pairs], times)
        for is_contradiction, text in ((True, "contradictions"), (False, "harmless")):
            rows = [one for one, label in zip(marks, labels, strict=True) if label is is_contradiction]
            if rows:
                counts = [sum(way(*one) for one in rows) for way in _WAYS]
                shares[name, is_contradiction] = counts[2] / len(rows)
                cells = (f"{count} ({format_share(count, len(rows))})" for count in counts)
                table.rows.append((name, f"{len(rows):,} {text}", *cells))
    report.tables += [table, _copies()]
    report.goals.extend(_goals(shares))
    text = f"{_HEAD.format(machine=describe_machine())}\n{report}\nOne judgement: {format_seconds(times.median)}.\n"
    print(text)
    _REPORT.write_text(text, encoding="utf-8")
    return 0


def _copies() -> Table:
    """Count the copies that are found, and what of other pairs is taken for one."""
    where = "In the shapes of real stores, of which the development part was trained on, and as a memorizer writes."
    table = Table("Copies", where, ("pairs", "texts", "found"))
    sets = {
        f"{name}, {part}": [
            (row.get("older") or row["first"], row.get("newer") or row["second"]) for row in read_rows(f"{name}_{part}")
        ]
        for part in ("development", "held_out")
        for name in ("copies", "apart", "changes")
    }
    for row in read_rows("held_out", MEMORIZED):
        sets.setdefault(f"{row['kind']}, memorized, held_out", []).append((row["older"], row["newer"]))
    for name, pairs in sets.items():
        found = sum(judge_pair(*pair).is_copy for pair in pairs)
        table.rows.append((name, str(len(pairs)), f"{found} ({format_share(found, len(pairs))})"))
    return table


#: From (rules, detector) to what a column counts.
_WAYS = (lambda rules, marked: rules, lambda rules, marked: marked, lambda rules, marked: rules or marked)


def _marks(pairs: Sequence[tuple[str, str]], times: Samples) -> list[tuple[bool, bool]]:
    found = []
    for pair in pairs:
        marked = times.time(partial(is_at_odds, *pair))
        rules = compare_memory_texts(*pair).relation is Relation.CONTRADICTS
        found.append((rules, marked))
    return found


def _goals(shares: Mapping[tuple[str, bool], float]) -> list[Goal]:
    natural = next(share for (name, _), share in shares.items() if NATURAL in name)
    bounds = (
        (f"{_HELD_OUT}: contradictions found or marked", shares[_HELD_OUT, True], 0.60),
        (f"{_HELD_OUT}: harmless pairs marked", shares[_HELD_OUT, False], -0.03),
        (f"{NATURAL}: marked", natural, -0.005),
    )
    return [
        Goal(name, f"{abs(bound):.3f}", f"{share:.3f}", share >= bound if bound > 0 else share <= -bound)
        for name, share, bound in bounds
    ]


if __name__ == "__main__":
    sys.exit(main())
