"""Measure the vault: `python benchmarks/vault.py` reports to docs/benchmarks/vault.md.

A benchmark, not a test: it fails nothing. No model takes part; texts are made.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from measuring import Goal, Report, Samples, Table, describe_machine, format_seconds, measure, run_alone
from memory_ledger.clock import EPOCH
from memory_ledger.host.vault.vault_store import VaultStore
from memory_ledger.setting_groups import Vault
from memory_ledger.store.files import to_line
from memory_ledger.vault.record import VaultRecord, write_row
from memory_ledger.vault.taxonomy import MAX_TEXT_LENGTH, Tier

_LINES, _ACTIVE = 10_000, 100
_MOST_OPEN_SECONDS, _MOST_SEARCH_SECONDS = 0.2, 0.012
_REPORT = Path(__file__).resolve().parents[1] / "docs" / "benchmarks" / "vault.md"
_HEAD = """# What the vault costs

Written by `make bench-vault`; do not edit. A file of {lines:,} lines that come to {active} active records of {length:,}
characters, the most that a vault takes. CPU time of the calling thread, medians. Measured on: {machine}
"""
_WORDS = """
greenhouse pump mission stable runtime explore boundary layer tool agent prefers metric answer briefly backup
night server port staging deploy budget quarter report review weekly garden irrigation sensor threshold alarm
heater window schedule morning evening water level nutrient light cycle seed tray harvest market delivery
invoice supplier contract language german english style tone humour never always ask before delete archive
private public key rotation
""".split()
_QUERIES = (
    ("a short question", "when does the greenhouse pump run at night"),
    ("one that all records hold a word of", "pump mission server budget garden sensor"),
    ("a message of 300 characters", ""),
)


def main() -> int:
    """Measure and write the report."""
    report = Report()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _fill(folder)
        for section in (_measure_open, _measure_search, _measure_writes):
            report.add(run_alone(section, folder))
    head = _HEAD.format(lines=_LINES, active=_ACTIVE, length=MAX_TEXT_LENGTH, machine=describe_machine())
    text = f"{head}\n{report}"
    print(text)
    _REPORT.write_text(text, encoding="utf-8")
    return 0


def _text(chance: random.Random, length: int) -> str:
    text = ""
    while len(text) < length:
        text += chance.choice(_WORDS) + " "
    return text[:length].strip()


def _strange(chance: random.Random) -> str:
    """Return a text of words that no other one has, so that every comparison of the gate is made to its end."""
    words = ("".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(150))
    return " ".join(words)


def _fill(folder: Path) -> None:
    chance = random.Random(1)
    versions = _LINES // _ACTIVE
    with (folder / "vault.jsonl").open("w", encoding="utf-8") as stream:
        for version in range(1, versions + 1):
            for number in range(_ACTIVE):
                record = VaultRecord(
                    id=f"{number:012x}",
                    text=_text(chance, MAX_TEXT_LENGTH),
                    scope="shared",
                    category="project",
                    created_at=EPOCH,
                    tier=Tier.REGISTER if number % 2 else Tier.CANON,
                    topic_id=f"topic {number}" if number % 2 else None,
                    version=version,
                )
                stream.write(to_line(write_row(record)))


def _measure_open(folder: Path) -> Report:
    opened = measure(lambda: VaultStore(folder).list_active(), 10)
    vault = VaultStore(folder)
    vault.list_active()
    again = measure(lambda: vault.list_active(), 200)
    goal = Goal(
        f"open a vault of {_LINES:,} lines",
        f"at most {_MOST_OPEN_SECONDS:g} s",
        format_seconds(opened.median),
        opened.median <= _MOST_OPEN_SECONDS,
    )
    rows = [
        ("open and read it", format_seconds(opened.median)),
        ("look again, nothing was written", format_seconds(again.median)),
        ("snapshot of all of it", format_seconds(measure(lambda: vault.build_snapshot("shared"), 10).median)),
    ]
    return Report([Table("Reading", "The whole file, in one process.", ("what", "time"), rows)], [goal])


def _measure_search(folder: Path) -> Report:
    vault, chance, rows, worst = VaultStore(folder), random.Random(2), [], 0.0
    first = Samples()
    first.time(lambda: vault.search(_QUERIES[0][1], "shared"))
    for name, query in _QUERIES:
        asked = query or _text(chance, 300)
        found = measure(lambda asked=asked: vault.search(asked, "shared"), 30)
        rows.append((name, str(len(vault.search(asked, "shared", limit=_ACTIVE))), format_seconds(found.median)))
        worst = max(worst, found.median) if query else worst
    rows.append(("the first search, file read and texts prepared", "", format_seconds(first.median)))
    goal = Goal(
        f"search {_ACTIVE} active records of {MAX_TEXT_LENGTH:,} characters",
        f"at most {_MOST_SEARCH_SECONDS * 1e3:g} ms",
        format_seconds(worst),
        worst <= _MOST_SEARCH_SECONDS,
    )
    note = "By words, no vector; the best 20 of all that have a word in common with the query, exactly scored."
    return Report([Table("Search", note, ("query", "records with a common word", "time"), rows)], [goal])


def _measure_writes(folder: Path) -> Report:
    settings = Vault(max_active=2 * _ACTIVE)
    vault, chance = VaultStore(folder, settings), random.Random(3)
    vault.list_active()

    def time_all(run: Callable[[], object], count: int) -> str:
        return format_seconds(measure(run, count, warm_up=1).wall_median)

    rows = [
        ("update a register", time_all(lambda: vault.update_by_topic("topic 1", "shared", _text(chance, 1200)), 30)),
        (
            "gate and add a record unlike the others",
            time_all(lambda: vault.add_memory(_strange(chance), "shared", "x"), 10),
        ),
        ("pairs to consolidate", time_all(vault.find_consolidation_candidates, 1)),
        ("compact", time_all(vault.compact, 1)),
    ]
    note = "Wall-clock time: each write waits until its line is on the disk."
    return Report([Table("Writing and tidying", note, ("what", "time"), rows)])


if __name__ == "__main__":
    sys.exit(main())
