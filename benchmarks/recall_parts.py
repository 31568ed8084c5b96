"""What is each part of recall worth? One is switched off at a time, and everything is asked again."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from datetime import timedelta
from statistics import fmean, stdev
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from measuring import Table
from memory_ledger.recall import relevance
from memory_ledger.recall.selection import Candidate
from memory_ledger.setting_groups import RankingMode
from recall_data import KINDS, TUNED, Conversation
from recall_messages import MESSAGES, SILENT
from recall_scores import RANKING, Score, ask, ask_others, ask_own, of_category
from recall_ways import LONG_AFTER, MOST, Engine, RememberingModel, Replacement

NO_GATE: Mapping[str, Any] = {"noise_gate": {"enabled": False}}
NO_DECAY: Mapping[str, Any] = {"temporal_decay": {"enabled": False}}
_TIERED: Mapping[str, Any] = {"ranking_mode": RankingMode.TIERED}
_SOON_AFTER = timedelta(hours=1)
_LONG_FORMS = ("behind four sentences", "behind a letter", "before a log")
_MODELS = relevance.read_models()
#: Stands for the learnt order: what has more in common with a sentence of the message comes first.
_BY_EVIDENCE = SimpleNamespace(
    evaluate=lambda columns: 10.0 * relevance.add_up(columns["centred"], columns["coverage"])
)


def _stand_alone(places: Sequence[int], *_: object) -> tuple[relevance.Columns, list[None]]:
    """Return what is written around memories of which each was written alone."""
    names = ("before", "after", "second", "around", "answered", "occasion")
    return {name: np.zeros(len(places)) for name in names}, [None] * len(places)


class _Part(NamedTuple):
    """A part that is switched off, by `changes` to the settings or by what stands `instead` of a function."""

    name: str
    changes: Mapping[str, Any] = {}
    instead: Replacement | None = None


_PARTS = (
    _Part("nothing"),
    _Part("nothing, with the ranking behind the gate", {"noise_gate": {"enabled": True}}),
    _Part("sentences and keywords (`query_expansion`)", {"query_expansion": {"enabled": False}}),
    _Part("keywords", {"query_expansion": {"use_keyword_extraction": False}}),
    _Part("search by words, with sentences and order", {"lexical": {"enabled": False}}),
    _Part("learnt order", instead=(relevance, "read_models", lambda: _MODELS._replace(order=_BY_EVIDENCE))),
    _Part("surroundings", instead=(relevance, "look_around", _stand_alone)),
    _Part("gate", NO_GATE),
    _Part("decay", NO_DECAY),
    _Part("links", {"related_memories": {"enabled": False}}),
    _Part("archived set aside", instead=(Candidate, "is_archived", False)),
    _Part("ranking mode `tiered` instead", _TIERED),
    _Part("ranking mode `score` instead", {"ranking_mode": RankingMode.SCORE}),
)
#: Where memories differ in age, tier and quality.
_CLASSIFIED_PARTS = (
    _Part("nothing, classified and an hour after"),
    _Part("classified: decay", NO_DECAY),
    _Part("classified: ranking mode `tiered` instead", _TIERED),
    _Part("classified: `ranking_weight` 0.2 instead", {"quality": {"ranking_weight": 0.2}}),
)


class _Column(NamedTuple):
    """One figure of every question; shown as their mean, or, if `is_count`, as their sum."""

    values: list[float]
    is_count: bool = False

    def __str__(self) -> str:
        return f"{sum(self.values):.0f}" if self.is_count else f"{fmean(self.values):.3f}"

    def against(self, base: _Column) -> str:
        """Return by how much it differs from `base`, with a star beyond twice the standard error."""
        gained = [one - other for one, other in zip(self.values, base.values, strict=True)]
        shown = f"{sum(gained):+.0f}" if self.is_count else f"{fmean(gained):+.3f}"
        if not float(shown):
            return "0"
        return shown + "*" * (abs(fmean(gained)) > 2.0 * stdev(gained) / math.sqrt(len(gained)))


def measure_parts(conversations: Sequence[Conversation], messages: Conversation, model: RememberingModel) -> Table:
    """Return a row for each part, over the conversations and the messages that are held back."""
    rows: list[tuple[str, ...]] = []
    for parts, after, is_classified in ((_PARTS, LONG_AFTER, False), (_CLASSIFIED_PARTS, _SOON_AFTER, True)):
        with Engine(model, is_classified=is_classified) as engine:
            base: list[_Column] = []
            for part in parts:
                found = _measure(part, engine, after, conversations, messages)
                rows.append((part.name, *(map(str, found) if not base else map(_Column.against, found, base))))
                base = base or found
                print(f"without {part.name}: {', '.join(rows[-1][1:])}", file=sys.stderr, flush=True)
    ranking = [f"{plural} {heading}" for plural in KINDS.values() for heading in RANKING]
    return Table(
        "What each part is worth",
        "What conversations 3-4 and the held-back messages get with everything on, and by how much that changes with "
        "one part switched off; a star where the change is more than twice its standard error. The ranking is "
        "measured without the gate, up to ten memories; the rest with it. Noise: memories that a question of another "
        f"conversation brings. Then, how many of {len(_held_back(messages, _LONG_FORMS[0]))} long messages find the "
        "memory that answers, and how many others come for each of them. Silent: how many of "
        f"{len(_held_back(messages, SILENT))} messages that ask for nothing bring a memory. Without the learnt order "
        "the evidence alone decides; the order is not learnt again without the surroundings. A year after the last "
        "session every memory is equally old, and nothing is archived or linked: what goes by that changes nothing. In "
        "the last rows each memory was classified by its text, and asked for an hour after the last session: there "
        "age, tier and quality differ.",
        ("switched off", *ranking, "noise", *_LONG_FORMS, "others", "silent"),
        rows,
    )


def _held_back(messages: Conversation, *forms: str) -> list[Any]:
    return [one for one in messages.questions if one.is_held_back and one.category in forms]


def _measure(
    part: _Part,
    engine: Engine,
    after: timedelta,
    conversations: Sequence[Conversation],
    messages: Conversation,
) -> list[_Column]:
    ranked = engine.way(part.name, {**NO_GATE, **part.changes}, limit=MOST, after=after, instead=part.instead)
    gated = engine.way(part.name, part.changes, after=after, instead=part.instead)
    stores = [one for one in conversations if one.number not in TUNED]
    own = [ask_own(ranked, kind, stores) for kind in KINDS]
    noise = [score for kind in KINDS for score in ask_others(gated, kind, stores, conversations)]
    said = ask(gated, MESSAGES, messages, _held_back(messages, *_LONG_FORMS, SILENT))
    forms = [of_category(said, form) for form in _LONG_FORMS]
    return [
        *(_column(scores, figure) for scores in own for figure in RANKING.values()),
        _column(noise, "injected"),
        *(_Column([one.found for one in scores], is_count=True) for scores in forms),
        _column([score for scores in forms for score in scores], "others"),
        _Column([one.injected > 0 for one in of_category(said, SILENT)], is_count=True),
    ]


def _column(scores: Sequence[Score], figure: str) -> _Column:
    return _Column([getattr(one, figure) for one in scores])
