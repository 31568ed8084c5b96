"""Measure the quality layer: `python benchmarks/quality.py [COUNT]` reports to docs/benchmarks/quality.md.

A benchmark, not a test: it fails nothing. No model takes part; texts and vectors are made.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

import numpy as np
from contradictions_data import data_folder
from corpus import make_facts, make_vectors
from measuring import Goal, Report, Samples, Table, describe_machine, format_ratio, format_seconds, measure, run_alone
from memory_ledger.cli.saved import SavedPlace
from memory_ledger.clock import system_clock
from memory_ledger.host.quality.chain import ChainKeeper
from memory_ledger.host.quality.open_store import narrow
from memory_ledger.host.quality.reading import report_folder
from memory_ledger.host.recall.search import EVERYBODY, Audience, recall
from memory_ledger.quality.kinds import text_type
from memory_ledger.quality.objects import RecallRequest
from memory_ledger.quality.report import QualityFigures, make_report
from memory_ledger.quality.scores import NEVER, QualityRow, SourceClass, find_stale
from memory_ledger.quality.scores import measure as measure_row
from memory_ledger.recall.lexical import parse_terms
from memory_ledger.recall.plan import RecallLimits, make_plan
from memory_ledger.setting_groups import SignatureAlgorithm
from memory_ledger.settings import Settings
from memory_ledger.store.docstore import Store
from memory_ledger.store.quality_columns import QualityFilter, figures_of, passing, summarize
from recall_data import DATA_SET, TURNS, Conversation, Remembered, read_conversations
from stores import GivenVectors, confirm_all, fill, make_memory, open_store

#: Four times as many take four times as long, and many minutes to fill.
_COUNT = 25_000
_MOST_SECONDS_EACH = 3.0 / 100_000
_MOST_RATIO = 1.2
_REPORT = Path(__file__).resolve().parents[1] / "docs" / "benchmarks" / "quality.md"
_HEAD = """# What the quality layer costs

Written by `make bench-quality`; do not edit. {count} memories, texts and vectors made, no embedding model. CPU time of
the calling thread, medians. All but the recall grows in proportion to the memories, so that four times as many tell
nothing more. Measured on: {machine}
"""
_DAYS_AFTER = (0, 30, 90)
_FILTERS = (
    ("minQuality", RecallRequest(min_quality=0.5)),
    ("maxStaleness", RecallRequest(max_staleness=0.95)),
    ("excludeConflicted", RecallRequest(exclude_conflicted=True)),
    ("all three", RecallRequest(min_quality=0.5, max_staleness=0.95, exclude_conflicted=True)),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and write the report; another count than the default is only printed."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    count = int(arguments[0]) if arguments else _COUNT
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "store"
        report = run_alone(_fill_and_measure, folder, count)
        report.add(run_alone(_measure_cold, folder, count))
    report.tables.append(_count_stale(read_conversations(data_folder([DATA_SET]))))
    text = f"{_HEAD.format(count=count, machine=describe_machine())}\n{report}"
    print(text)
    if count == _COUNT:
        _REPORT.write_text(text, encoding="utf-8")
    return 0


def _fill_and_measure(folder: Path, count: int) -> Report:
    """Measure in the process that holds the store, as a host does."""
    facts = make_facts(count)
    vectors = make_vectors(facts)
    memory = make_memory(folder, GivenVectors())
    memory.save()
    fill(memory.db, facts, vectors)
    store = open_store(memory)
    confirm_all(store)
    for memory_id, fact in zip(store.index.ids, facts, strict=True):
        store.lexical.add(memory_id, parse_terms(fact.text))
    store.is_dirty = True
    store.save()
    report = _measure_recalls(store, facts[count // 2].text, vectors[count // 2])
    warm = measure(lambda: make_report(_figures(store), Settings().quality), 10)
    rows = [("report, from the rows of a running host", format_seconds(warm.median))]
    health = measure(lambda: summarize(store.columns, system_clock(), _rates(), unresolved_conflicts=0), 10)
    rows.append(("figures for the health", format_seconds(health.median)))
    wanted = QualityFilter(0.5, 0.3, True)
    mask = measure(lambda: passing(store.columns, wanted, system_clock(), _rates()), 10)
    rows.append(("who passes all three filters", format_seconds(mask.median)))
    keeper, samples = ChainKeeper(store, SignatureAlgorithm.HMAC), Samples()
    samples.time(keeper.catch_up)
    rows.append(("chain and sign all memories, once", format_seconds(samples.median)))
    verified = Samples()
    found = verified.time(lambda: keeper.file.verify(store.read_as_found))
    rows.append((f"verify the chain of {found.length} lines", format_seconds(verified.median)))
    report.tables.append(Table("In a running host", "Beside the chat, off the event loop.", ("what", "time"), rows))
    memory.close()
    return report


def _figures(store: Store) -> QualityFigures:
    store.refresh_positions()
    return figures_of(store.columns, store.index.ids, store.conflicts, Settings(), system_clock())


def _rates():  # type: ignore[no-untyped-def]
    return Settings().staleness_config


def _measure_recalls(store: Store, query: str, vector) -> Report:  # type: ignore[no-untyped-def]
    plan = make_plan(query, Settings(), system_clock() + timedelta(days=1), limits=RecallLimits(threshold=0.0))
    vectors = vector.reshape(1, -1).repeat(len(plan.variants), axis=0)

    def run(audience: Audience) -> Callable[[], object]:
        return lambda: recall(store, vectors, plan, audience)

    plain = measure(run(EVERYBODY), 40)
    rows, goals = [("none", format_seconds(plain.median), "")], []
    for name, request in _FILTERS:
        filtered = measure(run(Audience(narrow=lambda store, asked=request: narrow(store, Settings(), asked))), 40)
        again = measure(run(EVERYBODY), 40)
        base = (plain.median + again.median) / 2
        rows.append((name, format_seconds(filtered.median), format_ratio(filtered.median, base)))
        ratio = filtered.median / base
        goals.append(Goal(f"recall with {name}", f"at most {_MOST_RATIO} times", f"{ratio:.2f}", ratio <= _MOST_RATIO))
    note = (
        "The same question, once for everybody and once narrowed before the search. The filters let nearly all "
        "through: that is the dearest, for who is left out is not searched."
    )
    return Report([Table("Recall", note, ("filter", "time", "of the unfiltered one"), rows)], goals)


def _measure_cold(folder: Path, count: int) -> Report:
    """Measure in a process that has just begun, with nothing remembered."""
    samples = Samples()
    found = samples.time(lambda: report_folder(SavedPlace(folder, Settings)))
    seconds, most = samples.median, _MOST_SECONDS_EACH * count
    goal = Goal(f"report of {count} memories, cold", f"at most {most:g} s", f"{seconds:.2f} s", seconds <= most)
    rows = [("report, from the disk", format_seconds(seconds), str(found.report["totalMemories"]))]
    return Report(
        [Table("Cold", "One run of a new process, reading the file included.", ("what", "time", "memories"), rows)],
        [goal],
    )


def _count_stale(conversations: Sequence[Conversation]) -> Table:
    """Count what is stale by its staleness alone, and by the definition that report and page share."""
    table = Table(
        "What is stale",
        "The turns of the open LoCoMo conversations, so long after the last session of each. Who speaks first is the "
        "user; what the other one says stands for what nobody vouches for. Nothing was recalled, and nothing replaced.",
        ("after the last session", "turns", "by staleness alone", "stale", "only not recalled"),
    )
    settings = Settings()
    for days in _DAYS_AFTER:
        found = []
        for one in conversations:
            turns, now = one.memories[TURNS], one.ended_at + timedelta(days=days)
            user = turns[0].text.partition(":")[0]
            rows = [_row(turn, user) for turn in turns]
            staleness = np.array([measure_row(row, now, settings.staleness_config).staleness for row in rows])
            names = ("is_forgotten", "is_superseded", "is_vouched_for")
            flags = (np.array([getattr(row, name) for row in rows]) for name in names)
            stale = find_stale(staleness, settings.quality.stale_from, *flags)
            is_old = staleness >= settings.quality.stale_from
            found.append((len(turns), is_old.sum(), stale.stale.sum(), stale.unrecalled.sum()))
        table.rows.append((f"{days} days", *(f"{int(sum(column)):,}" for column in zip(*found, strict=True))))
    return table


def _row(turn: Remembered, user: str) -> QualityRow:
    is_user = turn.text.partition(":")[0] == user
    return QualityRow(
        kind=text_type(turn.text),
        origin=SourceClass.TOLD if is_user else SourceClass.INFERRED,
        confidence=0.9 if is_user else 0.6,
        conflict_risk=0.0,
        created=turn.at.timestamp(),
        validated=NEVER,
        touched=NEVER,
        is_superseded=False,
        has_errors=False,
        is_forgotten=False,
        is_known=True,
        is_vouched_for=is_user,
    )


if __name__ == "__main__":
    sys.exit(main())
