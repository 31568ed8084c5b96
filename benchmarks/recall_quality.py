"""Does recall bring what answers a question, and nothing to a question that has no answer? (E-07, E-79, E-80, T-66)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from measuring import Goal, Report, Table
from memory_ledger.store.embedding import load_minilm
from recall_data import KINDS, OBSERVATIONS, TURNS, Conversation, categories_of, read_conversations
from recall_messages import ALONE, FORMS, MESSAGES, SILENT, SPELLED, read_messages
from recall_parts import NO_DECAY, NO_GATE, measure_parts
from recall_scores import RANKING, Score, ask, ask_others, ask_own, mean, of_category, split
from recall_ways import HOST_INJECTED, MOST, ChatBefore, Engine, RememberingModel, Way, host_way

#: By kind of memories: the least of each figure of the ranking, and of R@5 of questions that need several memories.
_GOALS = {
    TURNS: ({"R@5": 0.74, "R@10": 0.80, "MRR": 0.65}, 0.48),
    OBSERVATIONS: ({"R@5": 0.76, "R@10": 0.80, "MRR": 0.65}, 0.55),
}
_MULTI_HOP = "multi_hop"
_LEAST_FOUND, _MOST_SILENT, _LEAST_SPELLED = 0.95, 0.02, 0.95
#: With a chat before the message every text is as long as the model reads: of those questions every fourth will do.
_SAMPLE = 4
_AS_SPECIFIED = {**NO_GATE, **NO_DECAY, "lexical": {"enabled": False}}
_OURS, _UNGATED = "ours", "ours, without the gate"


def run(folder: Path) -> Report:
    """Measure recall, noise, and what each part of it is worth."""
    conversations, messages = read_conversations(folder), read_messages()
    model = RememberingModel(load_minilm(threads=1))
    report = Report(goals_note="On what nothing was learnt from. The ranking is measured without the gate.")
    with Engine(model) as engine:
        for kind, plural in KINDS.items():
            report.add(_compare(kind, plural, _ways(conversations, engine, model), conversations))
        report.add(Report([measure_parts(conversations, messages[0], model)]))
        report.add(_ask_messages(messages, engine.way(_OURS), host_way("bare host", model)))
    return report


def _ways(conversations: Sequence[Conversation], engine: Engine, model: RememberingModel) -> list[Way]:
    chats = {"first message of a chat": (0, 1), "after two turns": (2, _SAMPLE), "after a session": (None, _SAMPLE)}
    return [
        host_way("bare host, message as written", model),
        *(
            host_way(f"bare host, {name}", model, ChatBefore(conversations, turns), every=every)
            for name, (turns, every) in chats.items()
        ),
        engine.way("single dense query", {**_AS_SPECIFIED, "query_expansion": {"enabled": False}}, limit=MOST),
        engine.way("expansion as specified", _AS_SPECIFIED, limit=MOST),
        engine.way(_UNGATED, NO_GATE, limit=MOST),
        engine.way(_OURS),
    ]


def _compare(kind: str, plural: str, ways: Sequence[Way], conversations: Sequence[Conversation]) -> Report:
    """Put every way beside the others, for one kind of memories."""
    categories = categories_of(conversations)
    figures = list(RANKING.values())
    overview, by_category, goals = [], [], []
    for way in ways:
        every = ask_own(way, kind, conversations)
        tuned, rest = split(every)
        noise = ask_others(way, kind, conversations, conversations)
        parts = [*(of_category(every, one) for one in categories), of_category(rest, _MULTI_HOP)]
        shown = [(every, figures), (tuned, ["five"]), (rest, ["five", "ten", "reciprocal"]), (noise, ["injected"])]
        overview.append((way.name, *(_show(scores, one) for scores, names in shown for one in names)))
        by_category.append((way.name, *(_show(scores, "five") for scores in parts)))
        print(f"{plural}: {', '.join(overview[-1])}", file=sys.stderr, flush=True)
        if way.name == _UNGATED:
            counts = [len(scores) for scores in parts]
            least, multi_hop = _GOALS[kind]
            goals = [_at_least(f"{plural}: {one}", goal, mean(rest, RANKING[one])) for one, goal in least.items()]
            goals.append(_at_least(f"{plural}: R@5, multi-hop", multi_hop, mean(parts[-1], "five")))
    note = (
        f"R@5, R@8, R@10: the share of what answers a question among the first five, eight, ten; MRR: one divided by "
        f"the place of the first that answers, 0 where none of them does. Means over the {sum(counts[:-1])} questions "
        f"that {plural} answer. Noise: memories that a question of another conversation brings, which nothing "
        f"answers. The bare host brings {HOST_INJECTED} at most, of a cosine of 0.4 at least; ours with the gate 8."
    )
    of_both = ("0-2: R@5", "3-4: R@5", "3-4: R@10", "3-4: MRR", "noise")
    names = [f"{one.replace('_', '-')} ({count})" for one, count in zip((*categories, _MULTI_HOP), counts, strict=True)]
    return Report(
        [
            Table(f"Recall of {plural}", note, ("recall by", *RANKING, *of_both), overview),
            Table(
                f"Recall of {plural} by category",
                "R@5 over all conversations, in brackets how many questions; in the last column over 3-4.",
                ("recall by", *names[:-1], f"3-4: {names[-1]}"),
                by_category,
            ),
        ],
        goals,
    )


def _ask_messages(messages: Sequence[Conversation], ours: Way, host: Way) -> Report:
    """Ask all messages as people write them."""
    scores = {
        way: [score for one in messages for score in ask(way, MESSAGES, one, one.questions)] for way in (ours, host)
    }
    rows, shares = [], {}
    for form in (*FORMS, SPELLED, SILENT):
        (tuned, rest), (_, bare) = (split(of_category(scores[way], form)) for way in (ours, host))
        found = [str(sum(one.found for one in each)) for each in (rest, bare, tuned)]
        others = [f"{mean(each, 'others'):.2f}" for each in (rest, bare)]
        rows.append((form, str(len(rest)), found[0], others[0], found[1], others[1], found[2]))
        shares[form] = mean(rest, "found")
    behind = [share for form, share in shares.items() if form in FORMS and form != ALONE]
    silent = fmean(one.injected > 0 for one in split(of_category(scores[ours], SILENT))[1])
    memories = " and ".join(str(len(one.memories[MESSAGES])) for one in messages)
    table = Table(
        "Messages",
        f"Questions and tasks in forms in which people write them, over {memories} memories. Found: the memory that "
        "answers is in the prompt; others: what else is, for each message; both with the gate. Every second row is "
        "held back; the last column counts the others, which were learnt from. The bare host embeds each message as "
        "one text.",
        ("message", "held back", "found", "others", "host: found", "host: others", "learnt from: found"),
        rows,
    )
    what = "messages in all other forms: found, of what the question alone finds"
    most = f"{_MOST_SILENT:.2f} at most"
    goals = [
        _at_least(what, _LEAST_FOUND, fmean(behind) / shares[ALONE]),
        Goal("messages that ask for nothing and bring a memory", most, f"{silent:.3f}", silent <= _MOST_SILENT),
        _at_least("other spellings: found", _LEAST_SPELLED, shares[SPELLED]),
    ]
    return Report([table], goals)


def _at_least(what: str, goal: float, measured: float) -> Goal:
    return Goal(what, f"{goal:.2f}", f"{measured:.3f}", measured >= goal)


def _show(scores: Sequence[Score], figure: str) -> str:
    return f"{mean(scores, figure):.3f}" if scores else "-"
