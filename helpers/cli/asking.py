"""Ask a store what it would recall: one question, or a file of queries."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ..clock import Clock, system_clock
from ..recall.plan import RecallLimits, RecallPlan, make_plan, widen
from ..recall.selection import Candidate, Selection, explain
from ..service.rows import entry_row
from ..settings import Settings
from ..store.catalogue import to_entry
from ..texts import counted
from .declaring import DONE, PROBLEMS, Argument, Options, declare, drop_default_folder, flag, only_one, tell
from .lines import InputError, check_text, open_input, read_field, read_folder_settings, read_row, read_settings
from .options import COUNT, FILTER_CONFIG, LISTING, folder_option, read_moment
from .output import ID, Column, Row, show_rows
from .progress import Advance, progress

if TYPE_CHECKING:
    from ..host.recall.folder_recall import GivenMemory, ReadOnlyStore

_DIGITS = 6
RECALLED = "recalled"


def _run_ask(options: Options) -> int:
    from ..host.recall.folder_recall import check_reader, open_reader

    check_reader(options.folder)  # before anybody waits for the model
    settings = read_folder_settings(options.folder, options.config)
    limits = RecallLimits(injected=settings.max_injected_memories)
    if options.limit:
        limits = widen(limits, options.limit)
    plan = make_plan(" ".join(options.question), settings, system_clock(), limits=limits)
    embedder = options.load()
    with (
        progress("reading the memories") as advance,
        open_reader(options.folder, embedder, clock=system_clock, tell=advance) as reader,
    ):
        (selection,) = reader.answer([plan])
    show_rows(options, _to_rows(selection, options), _COLUMNS)
    if not selection.chosen:
        others = counted(len(selection.left_out), "memory was", "memories were")
        tell(f"nothing would be recalled; {others} found and left out" + ("" if options.all else " (--all shows them)"))
    return DONE


def _to_rows(selection: Selection, options: Options) -> Iterator[dict[str, Any]]:
    """Yield what was recalled, the best first; then, where it is asked for, what was held back."""
    outcome = {"outcome": RECALLED} if options.all else {}
    for one in selection.by_score:
        yield {**_to_row(one, selection), **outcome}
    if options.all:
        for one, reason in selection.left_out:
            yield {**_to_row(one, selection), "outcome": reason}


def _to_row(one: Candidate, selection: Selection) -> dict[str, Any]:
    return {
        **entry_row(to_entry(one.memory)),
        "score": round(one.score, _DIGITS),
        "why": _explain_candidate(one, selection),
    }


def _explain_candidate(one: Candidate, selection: Selection) -> str:
    """Return in words which evidence a memory was found by."""
    reasons = []
    if selection.uses_meaning:
        reasons.append(f"meaning {one.similarity:.0%} alike")
    if selection.uses_words and one.coverage:
        reasons.append(f"holds {one.coverage:.0%} of the question's words")
    if one.lender is not None:
        reasons.append(f"written beside {one.lender}")
    if one.boost:
        reasons.append("linked to another one that was found")
    if one.memory.id in selection.contested:
        reasons.append("at odds with another memory")
    if one.memory.id in selection.past:
        reasons.append(f"held from {selection.past[one.memory.id]}")
    return ", ".join(reasons)


def _in_words(row: Row) -> str:
    standing = ", ".join(filter(None, (row["said_at"][:10], row["source"], row["validity"])))
    outcome = f"\n{row['outcome']}" if "outcome" in row else ""
    return f"{standing}: {row['why']}{outcome}"


_COLUMNS = (ID, Column("memory", lambda row: row["text"], note=_in_words))
_QUESTION = Argument("question", nargs=-1, required=True, help="what would be asked in the chat")


_QUERIES_AT_ONCE = 64


class _Asked(NamedTuple):
    """A line of the questions: how its answer is named, and the plan, or what is wrong with the line."""

    name: object
    plan: RecallPlan | None
    error: str = ""


def run_recall(options: Options) -> int:
    """Answer every line of a file of questions, in order."""
    drop_default_folder(options, options.memories)
    only_one({"--folder": options.folder, "--memories": options.memories})
    if options.queries == "-" and options.memories == "-":
        raise InputError("--memories and --queries are both -; allowed: standard input for one of them")
    settings = read_settings(options.config)
    if options.no_gate:
        gate = settings.noise_gate.model_copy(update={"enabled": False})
        settings = settings.model_copy(update={"noise_gate": gate})
    problems: list[str] = []
    clock: Clock = (lambda: options.now) if options.now else system_clock
    with open_input(options.queries) as stream, ExitStack() as opened:
        embedder = options.load()
        with progress("reading the memories", line=_to_line) as advance:
            reader = opened.enter_context(_open(options, embedder, clock, problems, advance))
        lines = ((number, line.rstrip("\r\n")) for number, line in enumerate(stream, 1) if line.strip())
        # At a pipe nobody waits for the questions that are still to come.
        while batch := list(islice(lines, 1 if options.queries == "-" else _QUERIES_AT_ONCE)):
            for answer in _answer(reader, batch, options, settings, clock):
                problems += [answer["error"]] if "error" in answer else []
                print(json.dumps(answer, ensure_ascii=False), flush=True)
    return PROBLEMS if problems else DONE


def _open(
    options: Options, embedder: Any, clock: Clock, problems: list[str], tell_done: Advance
) -> AbstractContextManager[ReadOnlyStore]:
    from ..host.recall.folder_recall import open_memories, open_reader

    if options.folder is not None:
        return open_reader(options.folder, embedder, clock=clock, tell=tell_done)
    memories = _read_memories(options.memories, problems)
    return open_memories(memories, embedder, clock=clock, tell=tell_done)


def _to_line(_what: str, done: int, every: int) -> str:
    return f"{done} of {counted(every, 'memory', 'memories')} ready"


def _read_memories(file: str, problems: list[str]) -> list[GivenMemory]:
    """Return the memories of a file; a line that cannot be read is named, and the rest goes on."""
    found: dict[str, GivenMemory] = {}
    with open_input(file) as stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                memory = _read_memory(line)
                if memory.id in found:
                    raise InputError(f"id is {memory.id!r} again; allowed: one line for each id")
            except InputError as exc:
                problems.append(f"{file}, line {number}: {exc}")
                tell(problems[-1])
                continue
            found[memory.id] = memory
    return list(found.values())


def _read_memory(line: str) -> GivenMemory:
    from ..host.recall.folder_recall import GivenMemory

    row = read_row(line)
    metadata = dict(read_field(row, "metadata", dict, {}))
    if row.get("timestamp") is not None:
        metadata["timestamp"] = row["timestamp"]
    return GivenMemory(read_field(row, "id", str), read_field(row, "text", str), metadata)


def _answer(
    reader: ReadOnlyStore, lines: list[tuple[int, str]], options: Options, settings: Settings, clock: Clock
) -> Iterator[dict[str, Any]]:
    limits = RecallLimits(injected=settings.max_injected_memories)
    if options.k:
        limits = widen(limits, options.k)
    asked = [_read_query(line, number, settings, limits, clock()) for number, line in lines]
    answers = reader.answer([one.plan for one in asked if one.plan is not None])
    for one in asked:
        if one.plan is None:
            yield {"id": one.name, "error": one.error}
            continue
        selection = next(answers)
        results = [_show(found, selection.past.get(found.memory.id)) for found in selection.by_score]
        explanation = {"explanation": _explain(one.plan, selection)} if options.explain else {}
        yield {"id": one.name, "results": results, **explanation}


def _read_query(line: str, number: int, settings: Settings, limits: RecallLimits, now: datetime) -> _Asked:
    """Return the plan for a line: a JSON object with `text`, or plain text, which is named by its number."""
    name: object = number
    domain: str | None = None
    try:
        text = check_text(line)
        if line.lstrip().startswith("{"):
            row = read_row(line)
            name = row.get("id", number)
            text = read_field(row, "text", str)
            domain = read_field(row, "domain", str, None)
    except InputError as exc:
        return _Asked(name, None, f"line {number}: {exc}")
    return _Asked(name, make_plan(text, settings, now, limits=limits, domain=domain))


def _show(one: Candidate, past: str | None) -> dict[str, Any]:
    return {
        "id": one.memory.id,
        "score": round(one.score, _DIGITS),
        "dense": round(one.similarity, _DIGITS),
        "lexical": round(one.lexical, _DIGITS),
        "recency": round(one.recency, _DIGITS),
        **({} if past is None else {"past": past}),
    }


def _explain(plan: RecallPlan, selection: Selection) -> dict[str, Any]:
    """Return the explanation of one recall, with the texts, which a person at a terminal does not know by their ids."""
    texts = {candidate.memory.id: candidate.memory.text for candidate in selection.considered}
    explanation = explain(plan, selection)
    for row in explanation["candidates"]:
        row["text"] = texts[row["id"]]
    return explanation


_ONE_OR_OTHER = folder_option(is_found=False, help="the store to ask")


COMMANDS = (
    declare(
        "ask",
        _run_ask,
        _QUESTION,
        click.Option(["-k", "--limit"], type=COUNT, metavar="N", help="maximum results, of any area"),
        flag("--all", "also list what was found and left out, with the reason"),
        *LISTING,
        examples=('memory-ledger ask "which database does billing use?"', 'memory-ledger ask "staging port" --all'),
        only_looks=True,
    ),
    declare(
        "recall",
        run_recall,
        _ONE_OR_OTHER,
        click.Option(
            ["--memories"], metavar="FILE", help="JSON Lines: id, text, timestamp, metadata; - is standard input"
        ),
        click.Option(
            ["--queries"], required=True, metavar="FILE", help="JSON Lines: id, text, domain; - is standard input"
        ),
        click.Option(["--k"], type=COUNT, metavar="N", help="maximum results per query, of any area"),
        flag("--no-gate", "also include memories that have little to do with the query"),
        flag("--explain", "add every candidate, with its scores and whether it was included"),
        click.Option(
            ["--now"], callback=read_moment, metavar="TIME", help="query as of this ISO 8601 time (default: now)"
        ),
        FILTER_CONFIG,
        examples=("memory-ledger recall --folder my-store --queries queries.jsonl --k 5",),
    ),
)
