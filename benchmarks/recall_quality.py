"""Does recall bring what answers a question, and nothing to a question that has no answer? (E-07, E-79, E-80, T-66)."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, NamedTuple

from measuring import Goal, Report, Table
from memory_ledger.host.docstore.minilm import load_minilm
from memory_ledger.setting_groups import RankingMode
from recall_data import KINDS, TUNED, TURNS, Conversation, Question, categories_of, read_conversations
from recall_ways import (
    HOST_INJECTED,
    INJECTED,
    ChatBefore,
    Engine,
    RememberingModel,
    Way,
    host_way,
    say_alone,
    say_wrapped,
)

_GOAL_TURNS = 0.70
_GOAL_RATIO = 1.5
#: With a chat before the message every text is as long as the model reads: of those questions every fourth will do.
_SAMPLE = 4
_SOON_AFTER = timedelta(hours=1)

_NO_GATE = {"noise_gate": {"enabled": False}}
_NO_DECAY = {"temporal_decay": {"enabled": False}}
_AS_SPECIFIED = {**_NO_GATE, **_NO_DECAY, "lexical": {"enabled": False}}

_STRICTER = {"least_likely": 0.3}

_OURS, _HOST = "ours", "bare host, message as written"


class Score(NamedTuple):
    """What one question of one conversation got: the share of its gold among the first, and how many memories.

    `gold` of these answer it.
    """

    conversation: int
    category: str
    first_five: float
    first_eight: float
    reciprocal: float
    injected: int
    gold: int = 0


Mean = Callable[[Score], float]


@dataclass(frozen=True, slots=True)
class Bench:
    """The conversations, and the ways that are compared."""

    conversations: Sequence[Conversation]
    engine: Engine
    model: RememberingModel

    def scores(self, way: Way, kind: str) -> list[Score]:
        """Ask every question that memories of `kind` answer, of its own conversation."""
        found = []
        for one in self.conversations:
            questions = [each for each in one.questions[:: way.every] if each.is_answerable(kind)]
            answers = way.answer(kind, one, questions)
            found += [_score(one, each, kind, ids) for each, ids in zip(questions, answers, strict=True)]
        return found

    def both(self, way: Way) -> list[list[Score]]:
        """Return the scores of `way` for each kind of memories."""
        return [self.scores(way, kind) for kind in KINDS]

    def noise(self, way: Way, kind: str) -> list[Score]:
        """Ask every question of every other conversation's memories; `conversation` is the one that is asked."""
        found = []
        for store in self.conversations:
            questions = [each for one in self.conversations if one is not store for each in one.questions[:: way.every]]
            answers = way.answer(kind, store, questions)
            found += [
                Score(store.number, each.category, 0.0, 0.0, 0.0, len(ids))
                for each, ids in zip(questions, answers, strict=True)
            ]
        return found


def run(folder: Path) -> Report:
    """Measure recall, noise, and what each part of it is worth."""
    conversations = read_conversations(folder)
    model = RememberingModel(load_minilm(threads=1))
    with Engine(conversations, model) as engine:
        bench = Bench(conversations, engine, model)
        report = _compare(bench)
        report.add(_measure_noise(bench))
        report.add(Report([_ablate(bench)]))
    return report


def _compare(bench: Bench) -> Report:
    """Put every way beside the others, for each kind of memories."""
    engine = bench.engine
    ways = [
        *_host_ways(bench),
        engine.way("single dense query", {**_AS_SPECIFIED, "query_expansion": {"enabled": False}}),
        engine.way("expansion as specified", _AS_SPECIFIED),
        engine.way(f"{_OURS}, without the gate", _NO_GATE),
        engine.way(_OURS),
    ]
    report = Report()
    for kind, plural in KINDS.items():
        scores = {way.name: bench.scores(way, kind) for way in ways}
        _tell(f"{plural}: {len(ways)} ways compared")
        report.add(Report([_overview(plural, ways, scores), _categories(plural, ways, scores, bench)]))
        report.goals.append(_recall_goal(kind, plural, scores))
    return report


def _host_ways(bench: Bench) -> list[Way]:
    chats, model = bench.conversations, bench.model
    return [
        host_way(_HOST, model, say_alone),
        host_way("bare host, as its history writes it", model, say_wrapped),
        host_way("bare host, first message of a chat", model, ChatBefore(chats, 0)),
        host_way("bare host, after two turns", model, ChatBefore(chats, 2), every=_SAMPLE),
        host_way("bare host, after a session", model, ChatBefore(chats, None), every=_SAMPLE),
    ]


def _overview(plural: str, ways: Sequence[Way], scores: Mapping[str, list[Score]]) -> Table:
    rows = []
    for way in ways:
        every, tuned, rest = scores[way.name], *parts_of(scores[way.name])
        rows.append(
            (
                way.name,
                f"{len(every):,}",
                *(_show(every, one) for one in (_at5, _at8, _reciprocal)),
                *(_show(part, one) for part in (tuned, rest) for one in (_at5, _at8)),
                f"{fmean(one.injected for one in every):.2f}",
            )
        )
    note = (
        f"The share of what answers a question among the first five and eight, meant over the questions that {plural} "
        f"answer; MRR: one divided by the place of the first that answers, 0 where none of {INJECTED} does. The bare "
        f"host brings {HOST_INJECTED} at most, of a cosine of 0.4 at least."
    )
    headings = ("recall by", "questions", "recall@5", "recall@8", "MRR", "0-2 @5", "0-2 @8", "3-4 @5", "3-4 @8")
    return Table(f"Recall of {plural}", note, (*headings, "memories"), rows)


def _categories(plural: str, ways: Sequence[Way], scores: Mapping[str, list[Score]], bench: Bench) -> Table:
    categories = categories_of(bench.conversations)
    counts = {one: sum(each.category == one for each in scores[_HOST]) for one in categories}
    rows = [
        (
            way.name,
            *(_show([one for one in scores[way.name] if one.category == category], _at5) for category in categories),
        )
        for way in ways
    ]
    headings = ("recall by", *(f"{one.replace('_', ' ')} ({counts[one]})" for one in categories))
    return Table(
        f"Recall of {plural} by category",
        "recall@5 over all conversations; in brackets, how many questions.",
        headings,
        rows,
    )


def _recall_goal(kind: str, plural: str, scores: Mapping[str, list[Score]]) -> Goal:
    ours = _mean(scores[f"{_OURS}, without the gate"], _at5)
    if kind == TURNS:
        return Goal(f"{plural}: recall@5", f"{_GOAL_TURNS:.3f}", f"{ours:.3f}", ours >= _GOAL_TURNS)
    others = {name: _mean(found, _at5) for name, found in scores.items() if not name.startswith(_OURS)}
    best = max(others, key=lambda name: others[name])
    return Goal(f"{plural}: recall@5, against {best}", f"{others[best]:.3f}", f"{ours:.3f}", ours >= others[best])


def _measure_noise(bench: Bench) -> Report:
    """Ask what cannot be answered: the fewer memories come, the better, as long as the right ones still do."""
    engine = bench.engine
    ungated = engine.way(f"{_OURS}, without the gate", _NO_GATE).of_every(_SAMPLE)
    ways = [
        *_host_ways(bench),
        engine.way(_OURS),
        engine.way(f"{_OURS}, least relevance 0", {"noise_gate": {"least_relevance": 0.0}}),
        engine.way(f"{_OURS}, a stricter gate", {"noise_gate": _STRICTER}),
        ungated,
    ]
    table = Table(
        "Noise",
        "Memories that a question of one conversation brings from the store of another, meant over every question and "
        "the four other stores (0-2, 3-4: stores of these conversations). Beside it recall@8 of the questions that can "
        f"be answered, as above, and both as a multiple of those of the first row. A stricter gate: "
        f"{_name(_STRICTER)}. With a chat before the message every {_SAMPLE}th question is asked, as above; so "
        "it is for the noise without the gate.",
        ("memories", "recall by", "0-2", "3-4", "noise", "of the host's", "recall@8", "of the host's"),
    )
    goals = []
    for kind, plural in KINDS.items():
        noise = {way.name: bench.noise(way, kind) for way in ways}
        scores = {way.name: bench.scores(way.of_every(1) if way is ungated else way, kind) for way in ways}
        _tell(f"{plural}: noise measured")
        host_noise, host_recall = _mean(noise[_HOST], _injected), _mean(scores[_HOST], _at8)
        for way in ways:
            found, recall = _mean(noise[way.name], _injected), _mean(scores[way.name], _at8)
            parts = (f"{_mean(part, _injected):.2f}" for part in parts_of(noise[way.name]))
            table.rows.append(
                (
                    plural,
                    way.name,
                    *parts,
                    f"{found:.2f}",
                    f"{found / host_noise:.2f}",
                    f"{recall:.3f}",
                    f"{recall / host_recall:.2f}",
                )
            )
        ours, recall = _mean(noise[_OURS], _injected), _mean(scores[_OURS], _at8) / host_recall
        goals += [
            Goal(f"{plural}: noise", f"{host_noise:.2f} at most", f"{ours:.2f}", ours <= host_noise),
            Goal(
                f"{plural}: recall@8 behind the gate, times the host's",
                f"{_GOAL_RATIO:.2f}",
                f"{recall:.2f}",
                recall >= _GOAL_RATIO,
            ),
        ]
    return Report([table], goals)


def _ablate(bench: Bench) -> Table:
    """Turn one switch at a time; what is no better than without it earns nothing."""
    way = bench.engine.way
    ways = [
        *(way(name, {**_NO_GATE, **changes}) for name, changes in _ABLATIONS.items()),
        way("asked an hour after the last session", _NO_GATE, after=_SOON_AFTER),
        way("asked then, without decay", {**_NO_GATE, **_NO_DECAY}, after=_SOON_AFTER),
        way("with the gate"),
        way("with the gate, least relevance 0", {"noise_gate": {"least_relevance": 0.0}}),
    ]
    columns = [f"{plural} {part} @{count}" for plural in KINDS.values() for part in ("0-2", "3-4") for count in (5, 8)]
    table = Table(
        "What each part is worth",
        "Without the gate, one switch at a time. Worth: how much less recall@5 there is then over the turns and the "
        "observations of conversations 0-2, question by question, with its standard error; below twice that, a part "
        "has not shown that it helps. Nothing is classified or linked, so the links and the ranking modes decide "
        "nothing here. What quality is worth has a report of "
        "its own.",
        ("changed", "worth", *columns),
    )
    return _fill_in(bench, table, ways)


def _fill_in(bench: Bench, table: Table, ways: Sequence[Way]) -> Table:
    ours = bench.both(bench.engine.way(_OURS, _NO_GATE))
    table.rows.append((_OURS, "-", *_columns(ours)))
    for one in ways:
        found = bench.both(one)
        table.rows.append((one.name, _worth(ours, found), *_columns(found)))
        _tell(f"ablation: {one.name}")
    return table


def _columns(scores: Sequence[list[Score]]) -> list[str]:
    return [_show(part, mean) for each in scores for part in parts_of(each) for mean in (_at5, _at8)]


def _worth(ours: Sequence[list[Score]], changed: Sequence[list[Score]]) -> str:
    """Return the mean difference over what was tuned on, and its standard error."""
    pairs = (pair for one, other in zip(ours, changed, strict=True) for pair in zip(one, other, strict=True))
    lost = [one.first_five - other.first_five for one, other in pairs if one.conversation in TUNED]
    return f"{fmean(lost):+.3f} ± {stdev(lost) / math.sqrt(len(lost)):.3f}"


_ABLATIONS: Mapping[str, Mapping[str, Any]] = {
    "no keyword variant": {"query_expansion": {"use_keyword_extraction": False}},
    "no search by words, and no learnt order": {"lexical": {"enabled": False}},
    "no decay": _NO_DECAY,
    "no links": {"related_memories": {"enabled": False}},
    "ranking mode tiered": {"ranking_mode": RankingMode.TIERED},
    "ranking mode score": {"ranking_mode": RankingMode.SCORE},
}


def _name(values: Mapping[str, float]) -> str:
    return ", ".join(f"`{name}` {value}" for name, value in values.items())


def _score(conversation: Conversation, question: Question, kind: str, ids: Sequence[str]) -> Score:
    gold = question.gold[kind]
    first = next((1.0 / place for place, one in enumerate(ids, 1) if one in gold), 0.0)
    five, eight = (len(gold.intersection(ids[:count])) / len(gold) for count in (5, 8))
    return Score(conversation.number, question.category, five, eight, first, len(ids), len(gold.intersection(ids)))


def parts_of(scores: Iterable[Score]) -> tuple[list[Score], list[Score]]:
    """Return the conversations that were tuned on, and the rest."""
    found = list(scores)
    return [one for one in found if one.conversation in TUNED], [one for one in found if one.conversation not in TUNED]


def _at5(one: Score) -> float:
    return one.first_five


def _at8(one: Score) -> float:
    return one.first_eight


def _reciprocal(one: Score) -> float:
    return one.reciprocal


def _injected(one: Score) -> float:
    return one.injected


def _mean(scores: Collection[Score], of: Mean) -> float:
    return fmean(map(of, scores))


def _show(scores: Collection[Score], of: Mean) -> str:
    return f"{_mean(scores, of):.3f}"


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
