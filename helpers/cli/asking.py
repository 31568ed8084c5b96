"""Ask a store what it would recall: one question, or a file of queries."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import Field, StrictStr

from ..clock import Clock, system_clock
from ..recall.plan import RecallLimits, RecallPlan, make_plan, widen
from ..recall.selection import Candidate, Selection, explain
from ..service.rows import entry_row
from ..settings import Settings
from ..store.catalogue import to_entry
from ..texts import counted
from .declaring import DONE, PROBLEMS, Options, drop_default_folder, only_one, tell
from .options import InputError, InputLine, check_text, open_input, read_folder_settings, read_row, read_settings
from .output import ID, Advance, Column, Row, progress, show_rows

if TYPE_CHECKING:
    from ..host.recall.folder_recall import GivenMemory, ReadOnlyStore

_DIGITS = 6
RECALLED = "recalled"


def _run_ask(options: Options) -> None:
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


def _to_rows(selection: Selection, options: Options) -> Iterator[dict[str, Any]]:
    """Yield the recalled memories, the best first; with --all, then those that were left out."""
    outcome = {"outcome": RECALLED} if options.all else {}
    for candidate in selection.by_score:
        yield {**_to_row(candidate, selection), **outcome}
    if options.all:
        for candidate, reason in selection.left_out:
            yield {**_to_row(candidate, selection), "outcome": reason}


def _to_row(candidate: Candidate, selection: Selection) -> dict[str, Any]:
    return {
        **entry_row(to_entry(candidate.memory)),
        "score": round(candidate.score, _DIGITS),
        "why": _explain_candidate(candidate, selection),
    }


def _explain_candidate(candidate: Candidate, selection: Selection) -> str:
    """Return in words the evidence for a memory."""
    reasons = []
    if selection.uses_meaning:
        reasons.append(f"meaning {candidate.similarity:.0%} alike")
    if selection.uses_words and candidate.coverage:
        reasons.append(f"holds {candidate.coverage:.0%} of the question's words")
    if candidate.lender is not None:
        reasons.append(f"written beside {candidate.lender}")
    if candidate.boost:
        reasons.append("linked to another one that was found")
    if candidate.memory.id in selection.contested:
        reasons.append("at odds with another memory")
    if candidate.memory.id in selection.past:
        reasons.append(f"held from {selection.past[candidate.memory.id]}")
    return ", ".join(reasons)


def _in_words(row: Row) -> str:
    standing = ", ".join(filter(None, (row["said_at"][:10], row["source"], row["validity"])))
    outcome = f"\n{row['outcome']}" if "outcome" in row else ""
    return f"{standing}: {row['why']}{outcome}"


_COLUMNS = (ID, Column("memory", "text", note=_in_words))


_QUERIES_AT_ONCE = 64


class _Query(NamedTuple):
    """A line of the queries: the id of its answer, and the plan, or the error of the line."""

    name: object
    plan: RecallPlan | None
    error: str = ""


def _run_recall(options: Options) -> int:
    """Answer every line of a file of queries, in order."""
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
        with progress("reading the memories") as advance:
            reader = opened.enter_context(_open(options, embedder, clock, problems, advance))
        lines = ((number, line.rstrip("\r\n")) for number, line in enumerate(stream, 1) if line.strip())
        # In a pipe, each query is answered before the next one is read.
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


def _read_memories(file: str, problems: list[str]) -> list[GivenMemory]:
    """Return the memories of a file; a line that cannot be read is named and left out."""
    memories: dict[str, GivenMemory] = {}
    with open_input(file) as stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                memory = _read_memory(line)
                if memory.id in memories:
                    raise InputError(f"id is {memory.id!r} again; allowed: one line for each id")
            except InputError as exc:
                problems.append(f"{file}, line {number}: {exc}")
                tell(problems[-1])
                continue
            memories[memory.id] = memory
    return list(memories.values())


class _MemoryLine(InputLine):
    id: StrictStr
    text: StrictStr
    metadata: dict[str, Any] = Field(default_factory=dict)
    timestamp: Any = None


def _read_memory(line: str) -> GivenMemory:
    from ..host.recall.folder_recall import GivenMemory

    row = _MemoryLine.of(read_row(line))
    stamped = {} if row.timestamp is None else {"timestamp": row.timestamp}
    return GivenMemory(row.id, row.text, {**row.metadata, **stamped})


def _answer(
    reader: ReadOnlyStore, lines: list[tuple[int, str]], options: Options, settings: Settings, clock: Clock
) -> Iterator[dict[str, Any]]:
    limits = RecallLimits(injected=settings.max_injected_memories)
    if options.k:
        limits = widen(limits, options.k)
    queries = [_read_query(line, number, settings, limits, clock()) for number, line in lines]
    answers = reader.answer([query.plan for query in queries if query.plan is not None])
    for query in queries:
        if query.plan is None:
            yield {"id": query.name, "error": query.error}
            continue
        selection = next(answers)
        results = [_show(candidate, selection.past.get(candidate.memory.id)) for candidate in selection.by_score]
        explanation = {"explanation": _explain(query.plan, selection)} if options.explain else {}
        yield {"id": query.name, "results": results, **explanation}


class _QueryLine(InputLine):
    text: StrictStr
    domain: StrictStr | None = None


def _read_query(line: str, number: int, settings: Settings, limits: RecallLimits, now: datetime) -> _Query:
    """Return the query of a line: a JSON object with `text`, or plain text, whose id is its number."""
    name: object = number
    try:
        row: Row = {"text": check_text(line)}
        if line.lstrip().startswith("{"):
            row = read_row(line)
            name = row.get("id", number)
        query = _QueryLine.of(row)
    except InputError as exc:
        return _Query(name, None, f"line {number}: {exc}")
    return _Query(name, make_plan(query.text, settings, now, limits=limits, domain=query.domain))


def _show(candidate: Candidate, past: str | None) -> dict[str, Any]:
    return {
        "id": candidate.memory.id,
        "score": round(candidate.score, _DIGITS),
        "dense": round(candidate.similarity, _DIGITS),
        "lexical": round(candidate.lexical, _DIGITS),
        "recency": round(candidate.recency, _DIGITS),
        **({} if past is None else {"past": past}),
    }


def _explain(plan: RecallPlan, selection: Selection) -> dict[str, Any]:
    """Return the explanation of a recall, with the text of each candidate."""
    texts = {candidate.memory.id: candidate.memory.text for candidate in selection.considered}
    explanation = explain(plan, selection)
    for row in explanation["candidates"]:
        row["text"] = texts[row["id"]]
    return explanation
