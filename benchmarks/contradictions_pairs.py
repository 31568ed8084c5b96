"""Pairs of texts with a label: how many contradictions are found, and how many are none (C-39 ... C-43)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from contradictions_data import Pair, read_blind, read_edits, read_similar, read_substitutions
from crossing import contradictions, harmless
from measuring import Goal, Report, Table
from memory_ledger.claims import Relation
from memory_ledger.similar.changes import compare_memory_texts
from pair_tables import (
    CONTRADICTIONS,
    DUPLICATES,
    HARMLESS,
    HELD_OUT_CONTRADICTIONS,
    HELD_OUT_HARMLESS,
    REFINED,
)

_HEADINGS = ("pairs", "contradictions", "found", "of these left open", "recall", "harmless", "retired", "left open")


def run(folder: Path) -> Report:
    """Judge every labelled pair; a harmless one is judged in both orders."""
    report = Report()
    table = Table(
        "Labelled pairs",
        "`compare_memory_texts`, older text first; a harmless pair in both orders. What is left open retires "
        "neither: both are marked. A false alarm that retires would lose a memory, one that is left open marks two "
        "memories in vain, and a contradiction that is not found leaves two memories where one would do. "
        "`written blind`: by writers who "
        "had not seen the rules, each pair in words of its own; the held-out part was never looked at. `six kinds of "
        "text`: the same by six other writers (projects, life, office, home and health, travel and shopping, "
        "operations); one half was read, the other never.",
        _HEADINGS,
    )
    report.tables.append(table)
    alarms = Table("False alarms", "All of them, by row of the data set.", ("pairs", "row", "rule"))
    edits = read_edits(folder)
    substitutions = read_substitutions(folder)
    sets = {
        "STS-B, similarity 4 and more, dev": read_similar(folder, "dev"),
        "STS-B, similarity 4 and more, test": read_similar(folder, "test"),
        "Breaking NLI, entailment": [one for one in substitutions if one.group == "entailment"],
        "Breaking NLI, neutral": [one for one in substitutions if one.group == "neutral"],
        "Breaking NLI, contradiction": [one for one in substitutions if one.is_contradiction],
        "MQuAKE edits": edits,
        "own tables": list(own_pairs()),
        "own table, held out": list(held_out_pairs()),
        "written blind, development": read_blind("development"),
        "written blind, held out": read_blind("held_out"),
        "six kinds of text, development": read_blind("kinds_development"),
        "six kinds of text, held out": read_blind("kinds_held_out"),
    }
    found = {name: _judge(pairs) for name, pairs in sets.items()}
    for name, pairs in sets.items():
        hits, false = found[name]
        positives = sum(one.is_contradiction for one in pairs)
        shares = (str(len(hits)), str(sum(is_open for _, is_open in hits)), format_share(len(hits), positives))
        retired, left = ([one for one in false if one.is_open is is_open] for is_open in (False, True))
        harmless_count = str(len(pairs) - positives)
        table.rows.append((name, str(positives), *shares, harmless_count, str(len(retired)), str(len(left))))
        alarms.rows.extend((name, str(one.pair.number), one.rule) for one in false)
    report.tables.append(alarms if alarms.rows else _none(alarms))
    report.tables.append(_by_relation(edits, {one.number for one, _ in found["MQuAKE edits"][0]}))
    for name, recall in (
        ("MQuAKE edits", 0.75),
        ("own tables", 0.90),
        ("written blind, development", 0.90),
        ("written blind, held out", 0.90),
    ):
        positives = sum(one.is_contradiction for one in sets[name])
        share = len(found[name][0]) / positives
        report.goals.append(Goal(f"{name}: recall", f"{recall:.2f}", f"{share:.3f}", share >= recall))
    for name, (_, false) in found.items():
        wrong = sum(not one.is_open for one in false)
        report.goals.append(Goal(f"{name}: retired wrongly", "0", str(wrong), not wrong))
    return report


def format_share(part: int, whole: int) -> str:
    """Return a share with three decimals; a dash of nothing."""
    return f"{part / whole:.3f}" if whole else "-"


class _Alarm(NamedTuple):
    """A harmless pair that was taken for a contradiction, by which rule, and whether both stay."""

    pair: Pair
    rule: str
    is_open: bool


def _judge(pairs: Iterable[Pair]) -> tuple[list[tuple[Pair, bool]], list[_Alarm]]:
    """Return what was found, and whether it is left open, and the false alarms, each the worse of both orders."""
    hits: list[tuple[Pair, bool]] = []
    false: list[_Alarm] = []
    for one in pairs:
        ways = [(one.older, one.newer)] if one.is_contradiction else [(one.older, one.newer), (one.newer, one.older)]
        found = [two for way in ways if (two := compare_memory_texts(*way)).relation is Relation.CONTRADICTS]
        if not found:
            continue
        worst = min(found, key=lambda comparison: comparison.is_open)
        if one.is_contradiction:
            hits.append((one, worst.is_open))
        else:
            false.append(_Alarm(one, worst.rule, worst.is_open))
    return hits, false


def own_pairs() -> Iterator[Pair]:
    """Yield the tables that the rules were written against: by hand, and crossed."""
    number = 0
    harmless_rows = (*HARMLESS, *REFINED, *DUPLICATES, *harmless())
    found_rows = (*CONTRADICTIONS, *contradictions())
    for is_contradiction, rows in ((True, found_rows), (False, harmless_rows)):
        for group, *_, older, newer in rows:
            number += 1
            yield Pair(older, newer, is_contradiction, group, number)


def held_out_pairs() -> Iterator[Pair]:
    for is_contradiction, rows in ((True, HELD_OUT_CONTRADICTIONS), (False, HELD_OUT_HARMLESS)):
        for number, (older, newer) in enumerate(rows, start=1):
            yield Pair(older, newer, is_contradiction, "held out", number)


def _by_relation(edits: Iterable[Pair], found: set[int]) -> Table:
    """What is found of which relation: the ones with little are those that hold several values at a time."""
    all_of = Counter(one.group for one in edits if one.is_contradiction)
    found_of = Counter(one.group for one in edits if one.number in found)
    rows = [
        (name, str(count), str(found_of[name]), format_share(found_of[name], count))
        for name, count in sorted(all_of.items(), key=lambda item: (-item[1], item[0]))
    ]
    return Table(
        "MQuAKE edits by relation",
        "The data set takes every relation for single-valued. Seven are not, and the engine leaves them alone "
        "on purpose: the language that somebody speaks, a child, what somebody is famous for, the field and the city "
        "that somebody works in, the founders of something, and those who performed it. Some rows "
        "name one value in two ways, or a wider one (Catholic Church, Christianity): these refine, and retire nothing.",
        ("relation", "contradictions", "found", "recall"),
        rows,
    )


def _none(table: Table) -> Table:
    return Table(table.title, "None.", table.headings, [tuple("-" for _ in table.headings)])
