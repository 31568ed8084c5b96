"""Pairs of texts with a label: how many contradictions are found, and how many are none (C-39 ... C-43)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pairs_coexist
import pairs_held_out
from contradictions_data import Pair, read_blind, read_edits, read_similar, read_substitutions
from crossing import contradictions, harmless
from measuring import Goal, Report, Table
from memory_ledger.claims import Relation, compare_texts
from pair_tables import CONTRADICTIONS, HARMLESS

_HEADINGS = ("pairs", "contradictions", "found", "recall", "harmless", "false alarms")


def run(folder: Path) -> Report:
    """Judge every labelled pair; a harmless one is judged in both orders."""
    report = Report()
    table = Table(
        "Labelled pairs",
        "`compare_texts`, older text first; a harmless pair in both orders. A false alarm would lose a memory, a "
        "contradiction that is not found only leaves two memories where one would do. `written blind`: by writers who "
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
        recall = format_share(len(hits), positives)
        table.rows.append((name, str(positives), str(len(hits)), recall, str(len(pairs) - positives), str(len(false))))
        alarms.rows.extend((name, str(one.number), rule) for one, rule in false)
    report.tables.append(alarms if alarms.rows else _none(alarms))
    report.tables.append(_by_relation(edits, {one.number for one in found["MQuAKE edits"][0]}))
    for name, recall in (
        ("MQuAKE edits", 0.75),
        ("own tables", 0.90),
        ("written blind, development", 0.90),
        ("written blind, held out", 0.90),
    ):
        positives = sum(one.is_contradiction for one in sets[name])
        share = len(found[name][0]) / positives
        report.goals.append(Goal(f"{name}: recall", f"{recall:.2f}", f"{share:.3f}", share >= recall))
    report.goals.extend(
        Goal(f"{name}: false alarms", "0", str(len(false)), not false) for name, (_, false) in found.items()
    )
    return report


def format_share(part: int, whole: int) -> str:
    """Return a share with three decimals; a dash of nothing."""
    return f"{part / whole:.3f}" if whole else "-"


def _judge(pairs: Iterable[Pair]) -> tuple[list[Pair], list[tuple[Pair, str]]]:
    """Return (contradictions that were found, harmless pairs that were taken for one, with the rule)."""
    hits: list[Pair] = []
    false: list[tuple[Pair, str]] = []
    for one in pairs:
        forward = compare_texts(one.older, one.newer)
        if one.is_contradiction:
            if forward.relation is Relation.CONTRADICTS:
                hits.append(one)
            continue
        for comparison in (forward, compare_texts(one.newer, one.older)):
            if comparison.relation is Relation.CONTRADICTS:
                false.append((one, comparison.rule))
                break
    return hits, false


def own_pairs() -> Iterator[Pair]:
    """Yield the tables that the rules were written against: by hand, and crossed."""
    number = 0
    harmless_rows = (*HARMLESS, *pairs_coexist.REFINE, *pairs_coexist.DUPLICATE, *harmless())
    found_rows = (*CONTRADICTIONS, *contradictions())
    for is_contradiction, rows in ((True, found_rows), (False, harmless_rows)):
        for group, *_, older, newer in rows:
            number += 1
            yield Pair(older, newer, is_contradiction, group, number)


def held_out_pairs() -> Iterator[Pair]:
    for is_contradiction, rows in ((True, pairs_held_out.CONTRADICT), (False, pairs_held_out.COEXIST)):
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
