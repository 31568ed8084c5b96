"""Write down every decision of the language rules, one a line: `python benchmarks/decisions.py FILE`.

Made before a change and after it, two such files show with `diff` what the change does to claims, comparisons, who said
it, corrections and duplicates. A change of structure alone leaves them the same. Of the parts that nobody reads, only
the outcome is written, not the text.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(_ROOT / folder) for folder in ("tests", "tests/core", "tests/claims")]

from contradictions_data import (  # noqa: E402
    Pair,
    data_folder,
    read_blind,
    read_consolidation,
    read_conversations,
    read_edits,
    read_similar,
    read_substitutions,
)
from contradictions_pairs import held_out_pairs, own_pairs  # noqa: E402
from memory_ledger.claims import Claim, Comparison, extract_claims  # noqa: E402
from memory_ledger.similar.changes import compare_memory_texts  # noqa: E402
from memory_ledger.similar.copies import judge_pair  # noqa: E402
from spoken_tools import is_users, play, read_rows, stays  # noqa: E402

_WHO = ("development", "second", "held_out", "third", "fourth", "fifth")
_CORRECTIONS = ("development", "second", "held_out", "third", "fourth")
#: Of the many pairs that differ in one word by substitution, each so-manieth.
_EVERY = 10
_SEALED = ("held_out", "kinds_held_out")


def main(target: Path) -> int:
    """Write every decision to `target`, in a fixed order."""
    with target.open("w", encoding="utf-8") as file:
        for line in _decisions(data_folder()):
            file.write(f"{line}\n")
    return 0


def _decisions(folder: Path) -> Iterator[str]:
    pairs = _open_pairs(folder)
    texts = dict.fromkeys(text for pair in pairs for text in (pair.older, pair.newer))
    texts |= dict.fromkeys(one.text for one in read_conversations(folder))
    texts |= dict.fromkeys(fact for size in ("6k", "32k") for fact in read_consolidation(folder, size).facts)
    for text in texts:
        for claim in extract_claims(text):
            yield f"claim\t{text!r}\t{_show_claim(claim)}"
    for one in pairs:
        for older, newer in ((one.older, one.newer), (one.newer, one.older)):
            yield f"pair\t{one.is_contradiction}\t{older!r}\t{newer!r}\t{_show(compare_memory_texts(older, newer))}"
    said = [one for one in read_conversations(folder) if one.kind != "turn"]
    for before, after in pairwise(said):
        yield f"neighbours\t{before.key}\t{after.key}\t{_show(compare_memory_texts(before.text, after.text))}"
    for part in _SEALED:
        for one in read_blind(part):
            ways = ((one.older, one.newer), (one.newer, one.older))
            yield f"sealed\t{part}\t{one.number}\t{[compare_memory_texts(*way).rule for way in ways]}"
    yield from _spoken()
    for name in ("apart_development", "apart_held_out"):
        for line in (_ROOT / "tests" / "data" / "duplicates" / f"{name}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            yield f"duplicate\t{row['a']!r}\t{row['b']!r}\t{judge_pair(row['a'], row['b'])}"
    for one in read_similar(folder, "dev"):
        yield f"duplicate\t{one.older!r}\t{one.newer!r}\t{judge_pair(one.older, one.newer)}"


def _open_pairs(folder: Path) -> list[Pair]:
    return [
        *read_similar(folder, "dev"),
        *read_substitutions(folder)[::_EVERY],
        *read_edits(folder),
        *own_pairs(),
        *held_out_pairs(),
        *read_blind("development"),
        *read_blind("kinds_development"),
    ]


def _spoken() -> Iterator[str]:
    for part in _WHO:
        for number, row in enumerate(read_rows(f"who_{part}"), start=1):
            yield f"who\t{part}\t{number}\t{row['who']}\t{is_users(row)}"
    for part in _CORRECTIONS:
        for number, row in enumerate(read_rows(f"corrections_{part}"), start=1):
            yield f"correction\t{part}\t{number}\t{play(row)}"
    for part in ("third", "fourth"):
        for number, row in enumerate(read_rows(f"stays_{part}"), start=1):
            yield f"stays\t{part}\t{number}\t{stays(row)}"


def _show_claim(claim: Claim) -> str:
    """What a claim says, without what is at its default."""
    empty = Claim("", "", claim.value)
    names = (name for name in Claim.__slots__ if name != "value")
    told = {name: getattr(claim, name) for name in names if getattr(claim, name) != getattr(empty, name)}
    return f"{claim.value.kind}:{claim.value.text!r}:{claim.value.norm!r} {told!r}"


def _show(comparison: Comparison) -> str:
    empty = Comparison(comparison.relation)
    names = (name for name in Comparison.__slots__ if name != "relation")
    told = {name: getattr(comparison, name) for name in names if getattr(comparison, name) != getattr(empty, name)}
    return f"{comparison.relation}\t{told!r}"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
