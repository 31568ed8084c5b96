"""How many memories one core classifies in a second, and how many the obvious way does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import naive
from corpus import Fact, make_facts, written_at
from measuring import Goal, Report, Samples, Table, clear_caches, format_count, format_ratio, format_seconds
from memory_ledger.claims import extract_claims
from memory_ledger.ledger.attribution import Conversation, Speaker, Utterance
from memory_ledger.ledger.classify import classify_memory
from memory_ledger.records import Memory
from memory_ledger.settings import Settings

_MEMORY_COUNT = 2_000
_COLD_EVERY = 4
_ROUNDS = 5
_RINGS = (0, 6, 40)
_GOAL_PER_SECOND = 20_000

_SETTINGS = Settings()


@dataclass(frozen=True, slots=True)
class _Case:
    """A memory, and what was said before it, oldest first."""

    memory: Memory
    ring: tuple[Utterance, ...]


def run() -> Report:
    """Measure classification and, beside it, the reading of claims."""
    facts = make_facts(_MEMORY_COUNT)
    table = Table(
        "Classification, one core",
        f"`classify_memory` on {_MEMORY_COUNT:,} memories; the ring holds the last utterances (none: nothing is known "
        f"of what was said). Backlog: all of them wait while one conversation goes on, as at a first look; "
        f"caches empty at the start. Conversation: one follows each turn, caches empty at its start, so "
        f"that each memory brings a turn that nobody has read yet; middle one of {_ROUNDS} rounds. Warm: the same "
        f"memory and ring once more. Cold: every cache emptied before each of {_MEMORY_COUNT // _COLD_EVERY} calls. "
        f"Naive: shared words and substrings.",
        ("utterances", "caches", "per second", "median", "p99", "naive per second", "naive / ours"),
    )
    goals = []
    for size in _RINGS:
        cases = _make_cases(facts, size)
        plain = _middle(partial(_each, cases, _classify_naively))
        for name, samples in (
            ("backlog", _middle(partial(_classify_backlog, cases), before=clear_caches)),
            ("conversation", _middle(partial(_each, cases, _classify), before=clear_caches)),
            ("warm", _each(cases, _classify, before=_classify)),
            ("cold", _each(cases[::_COLD_EVERY], _classify, before=lambda case: clear_caches())),
        ):
            table.rows.append(
                (
                    str(size),
                    name,
                    format_count(samples.rate),
                    format_seconds(samples.median),
                    format_seconds(samples.p99),
                    format_count(plain.rate),
                    format_ratio(plain.rate, samples.rate),
                )
            )
            if name != "cold":
                goals.append(
                    Goal(
                        what=f"classification, {size} utterances, {name}",
                        goal=f"{_GOAL_PER_SECOND:,}/s at least",
                        measured=f"{format_count(samples.rate)}/s",
                        is_met=samples.rate >= _GOAL_PER_SECOND,
                    )
                )
    return Report([table, _claims_table(facts)], goals)


def _make_cases(facts: Sequence[Fact], size: int) -> list[_Case]:
    spoken: list[Utterance] = []
    cases: list[_Case] = []
    for number, fact in enumerate(facts):
        spoken.append(Utterance(Speaker.USER, fact.said))
        if number % 3 == 0:
            spoken.append(Utterance(Speaker.TOOL, fact.tool))
        spoken.append(Utterance(Speaker.AGENT, fact.reply))
        memory = Memory(
            id=f"m{number}",
            text=fact.text,
            created_at=written_at(number),
            area=fact.area,
            is_knowledge=fact.is_knowledge,
            is_solution=fact.area == "solutions",
        )
        cases.append(_Case(memory, tuple(spoken[-size:]) if size else ()))
    return cases


def _classify(case: _Case) -> object:
    return classify_memory(case.memory, case.ring, _SETTINGS)


def _classify_backlog(cases: Sequence[_Case]) -> Samples:
    conversation = Conversation(cases[len(cases) // 2].ring)
    return _each(cases, lambda case: classify_memory(case.memory, conversation, _SETTINGS, was_there=True))


def _classify_naively(case: _Case) -> object:
    return naive.classify(case.memory.text, case.ring, _SETTINGS.load_bearing_keywords)


def _each(
    cases: Iterable[_Case], run_one: Callable[[_Case], object], *, before: Callable[[_Case], object] | None = None
) -> Samples:
    samples = Samples()
    for case in cases:
        if before is not None:
            before(case)
        samples.time(partial(run_one, case))
    return samples


def _middle(run_round: Callable[[], Samples], *, before: Callable[[], object] = lambda: None) -> Samples:
    """Return the round of median length."""
    rounds = []
    for _ in range(_ROUNDS):
        before()
        rounds.append(run_round())
    return sorted(rounds, key=lambda one: one.total)[_ROUNDS // 2]


def _claims_table(facts: Sequence[Fact]) -> Table:
    table = Table(
        "Claims, one core",
        f"`extract_claims` on the texts of the same {_MEMORY_COUNT:,} memories, middle one of {_ROUNDS} rounds.",
        ("caches", "per second", "median", "p99"),
    )
    cases = _make_cases(facts, 0)
    for name, before in (("empty at the start", clear_caches), ("warm", lambda: None)):
        samples = _middle(partial(_each, cases, lambda case: extract_claims(case.memory.text)), before=before)
        table.rows.append(
            (name, format_count(samples.rate), format_seconds(samples.median), format_seconds(samples.p99))
        )
    return table
