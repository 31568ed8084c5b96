"""Does recall find more where the quality of a memory counts (`quality.ranking_weight`, Q-51)?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from statistics import fmean, stdev

from measuring import Report, Table
from memory_ledger.host.docstore.minilm import load_minilm
from recall_data import KINDS, read_conversations
from recall_quality import Bench, Score, parts_of
from recall_ways import LONG_AFTER, Engine, RememberingModel

_WEIGHTS = (0.0, 0.05, 0.1, 0.2, 0.4)
_MOMENTS = {"a year after": LONG_AFTER, "an hour after": timedelta(hours=1)}


def run(folder: Path) -> Report:
    """Measure each weight at both moments, by half of the conversations and by kind of memories."""
    conversations = read_conversations(folder)
    model = RememberingModel(load_minilm(threads=1))
    table = Table(
        "What quality is worth",
        "Behind the gate: what reaches the prompt. Worth: how much more recall@5 there is than with a weight of 0, "
        "question by question, with its standard error; below twice that, a weight has not shown that it helps. "
        "Precision: the share of what comes that answers the question.",
        ("asked", "weight", "conversations", "memories", "worth", "recall@5", "recall@8", "precision"),
    )
    with Engine(conversations, model, is_classified=True) as engine:
        bench = Bench(conversations, engine, model)
        for asked, after in _MOMENTS.items():
            plain: dict[str, list[Score]] = {}
            for weight in _WEIGHTS:
                way = engine.way(asked, {"quality": {"ranking_weight": weight}}, after=after)
                for kind, plural in KINDS.items():
                    found = bench.scores(way, kind)
                    base = plain.setdefault(kind, found)
                    halves = zip(("0-2", "3-4"), parts_of(base), parts_of(found), strict=True)
                    table.rows += [
                        (asked, f"{weight:g}", half, plural, *_columns(before, after_it))
                        for half, before, after_it in halves
                    ]
    return Report([table])


def _columns(base: Sequence[Score], found: Sequence[Score]) -> list[str]:
    gained = [one.first_five - other.first_five for one, other in zip(found, base, strict=True)]
    precision = sum(one.gold for one in found) / sum(one.injected for one in found)
    return [
        f"{fmean(gained):+.3f} ± {stdev(gained) / math.sqrt(len(gained)):.3f}",
        f"{fmean(one.first_five for one in found):.3f}",
        f"{fmean(one.first_eight for one in found):.3f}",
        f"{precision:.3f}",
    ]
