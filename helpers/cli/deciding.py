"""Decide what needs a person: list it and answer, list the conflicts, resolve one, undo."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

import click

from ..clock import system_clock
from ..errors import RequestError, StoreError, shorten
from ..host.knowledge.curation import Curator
from ..inbox import ConflictDecision, Readmit, TakeBack
from ..knowledge.shelving import CurationVerb
from ..ledger.undoing import Steps
from ..quality.conflict_record import CONFLICT_PREFIX, RANKING, Conflict, RequestKind, Strategy, write_conflict
from ..quality.conflicts import detect_conflicts
from ..quality.requests import Asked, describe, plan, reasons_of
from ..recall.selection import SOURCE_WORDS
from ..records import Memory, Source
from ..service.inbox import CHAIN_ID, FINAL, InboxItem, find_items, item_row, names_of_pair, spans_of, text_rows
from ..service.place import MemoryPlace
from ..store.conflicts import ConflictFile
from ..store.docstore_file import read_memories
from ..store.files import CHAIN_FILE, CONFLICTS_FILE, JOURNAL_FILE, file_stamp, read_lines_if_any
from ..store.journal import find_undo, to_restore
from ..store.requests import Inbox
from ..texts import counted
from .declaring import DONE, PROBLEMS, Options, only_one
from .looking import complete
from .options import checked, order, waiting_requests, when
from .output import Column, Row, command_on, note, say, show_rows, waiting, watched
from .saved import SavedPlace, open_place


def _run_conflicts(options: Options) -> None:
    file = ConflictFile(checked(options.folder))
    if options.detect:
        every = [file.get(conflict.id) or conflict for conflict in detect(options.folder, options.memory)]
        listed = [conflict for conflict in every if conflict.resolution is None or not options.unresolved]
    else:
        listed = file.get_conflicts(unresolved=options.unresolved)
    if options.memory is not None:
        memory = complete(options.memory, (memory_id for conflict in listed for memory_id in conflict.memories))
        listed = [conflict for conflict in listed if memory in conflict.memories]
    place = open_place(options)
    rows = (conflict_row(conflict, *map(place.read, conflict.memories)) for conflict in listed)
    show_rows(options, rows, _CONFLICTS)
    unresolved = sum(conflict.resolution is None for conflict in listed)
    waiting = sum(isinstance(request.asked, ConflictDecision) for request in waiting_requests(options.folder))
    possible = sum(conflict.is_possible and conflict.resolution is None for conflict in listed)
    line = f"{counted(len(listed), 'conflict', 'conflicts')}, {unresolved} unresolved"
    if possible:
        line += f" ({possible} only possible: no rule says so)"
    if waiting:
        line += f"; {counted(waiting, 'decision waits', 'decisions wait')} for Agent Zero's next turn"
    note(line)


def conflict_row(conflict: Conflict, older: Memory | None, newer: Memory | None) -> Row:
    """Return a conflict as it is on record, with both texts as the inbox shows them; a memory that is gone is None."""
    pair = (older, newer)
    texts = text_rows(conflict.memories, names_of_pair(pair), pair, gone={"text": ""})
    return {
        **write_conflict(conflict),
        "texts": texts,
        "differs": spans_of(texts),
        "why": reasons_of(conflict, older, newer),
    }


def _in_lines(row: Row) -> str:
    """Return the texts of a conflict or an item in lines, the reasons, and the answers if there are any."""
    lines = [f"{text['name']}: {_text_in_words(text)}" for text in row["texts"]]
    lines += [f"why: {'; '.join(row['why'])}"]
    return "\n".join(lines + [f"{name}: {words}" for name, words in row.get("choices", {}).items()])


def _text_in_words(row: Row) -> str:
    """Return a memory in a line: its date, its source and its text."""
    if "said_at" not in row:
        return row["text"] or "(not there any more)"
    source = "unknown" if row["source"] is None else SOURCE_WORDS[Source(row["source"])]
    return f"{row['said_at'][:10]}, {source}: {row['text']}"


def _state(row: Row) -> str:
    """Return the outcome of a conflict in words."""
    resolution = row["resolution"]
    if resolution is None:
        asked = row.get("proposal")
        sides = dict(zip(row["memories"], ("the older one", "the newer one"), strict=True))
        proposed = f"; the agent proposed to keep {sides.get(asked['keep'], 'both')}" if asked else ""
        return f"{'possible' if row.get('possible') else 'open'}{proposed}"
    by, winner = resolution["resolvedBy"], resolution.get("winner")
    kept = "both stay" if winner is None else f"the {'older' if winner == row['memories'][0] else 'newer'} one stays"
    return f"{kept} ({resolution['strategy']}, {by})"


def detect(folder: Path, memory_id: str | None = None) -> list[Conflict]:
    """Return the conflicts among the memories as they were last saved, or those of one of them; raises StoreError."""
    with waiting("reading the memories"):
        memories = read_memories(folder)
    memory = next((memory_in_use for memory_in_use in memories if memory_in_use.id == memory_id), None)
    if memory_id is not None and memory is None:
        raise StoreError(f"{folder}: no memory {memory_id}; allowed: the id of one that is stored there")
    return detect_conflicts(watched(memories, "comparing", len(memories)), at=system_clock(), memory=memory)


def _run_resolve(options: Options) -> int:
    choices = {f"--{name}": getattr(options, name) for name in ("keep", "merge", "dismiss", "strategy")}
    only_one(choices)
    folder = checked(options.folder)
    conflict = _find_conflict(folder, options.id)
    strategy = None if options.strategy is None else Strategy(options.strategy)
    if strategy is Strategy.MANUAL:
        state = "stays open for a person" if conflict.resolution is None else "stays as it was resolved"
        print(f"{conflict.id} {state}: no memory changes")
        return DONE
    keep = None if options.keep is None else complete(options.keep, conflict.memories)
    if keep is not None and keep not in conflict.memories:
        raise StoreError(f"{options.id}: no memory {options.keep} in it; allowed: {', '.join(conflict.memories)}")
    decision = ConflictDecision(
        action=_action(options, strategy),
        memories=conflict.memories,
        keep=keep,
        strategy=strategy if strategy in RANKING else None,
    )
    now = system_clock()
    return put_decision(options, decision, now, plan_decision(open_place(options), decision, now))


def _action(options: Options, strategy: Strategy | None) -> RequestKind:
    if options.keep is not None:
        return RequestKind.KEEP
    if options.merge or strategy is Strategy.MERGE:
        return RequestKind.MERGE
    return RequestKind.DISMISS if options.dismiss else RequestKind.DECIDE


def _find_conflict(folder: Path, about: str) -> Conflict:
    """Return a conflict from the record, or one between the memories in use; raises StoreError."""
    conflicts = ConflictFile(folder)
    conflict = conflicts.get(complete(about, (known.id for known in conflicts.get_conflicts())))
    if conflict is None and about.startswith(CONFLICT_PREFIX):
        conflict = next((detected for detected in detect(folder) if detected.id == about), None)
    if conflict is None:
        where = folder / CONFLICTS_FILE
        raise StoreError(f"{where}: no conflict {about}; allowed: an id that `memory-ledger conflicts` lists")
    return conflict


def _run_undo(options: Options) -> int:
    place = open_place(options)
    requests = [request.asked for request in waiting_requests(checked(options.folder)) if request.asked]
    waiting = {asked.about: asked for asked in requests if asked.about}
    known = (*place.documents(), *(conflict.id for conflict in place.conflicts.get_conflicts()), *waiting)
    options.id = complete(options.id, known)
    if options.id in waiting:
        if not options.dry_run:
            Inbox(options.folder).withdraw(waiting[options.id])
        note(f"what waits for {options.id} {'would be' if options.dry_run else 'is'} taken back, and was not done")
        return DONE
    asked = _find_undo(place, options.id)
    if isinstance(asked, ConflictDecision):
        now = system_clock()
        changes = plan_decision(place, asked, now)
        if not changes:
            raise StoreError(
                f"{options.id}: neither memory has retired the other; allowed: a conflict that one has lost"
            )
        return put_decision(options, asked, now, changes)
    (memory,) = place.read_known(asked.memories or ("",))
    effect = "come back into use" if memory is not None and memory.is_deprecated else "be as before the last change"
    return order(options, asked, f"{options.id} {{}} {effect}")


def _find_undo(place: MemoryPlace, about: str) -> ConflictDecision | TakeBack | Readmit:
    """Return the request that reverses the last change of a memory or a conflict; raises StoreError if none does."""
    journal, (memory,) = read_lines_if_any(place.path / JOURNAL_FILE), place.read_known((about,))
    steps = Steps(journal)
    conflict, step = place.conflicts.get(about), steps.latest(about)
    if memory is not None:
        undo = find_undo(memory, steps, journal, place.find_obstacle)
        if not isinstance(undo, str):
            return undo
        if step is not None:
            raise StoreError(f"{place.path}: {about}: {undo}; allowed: a change that nothing has followed")
    if conflict is not None and step is not None and not place.find_obstacle(step):
        return TakeBack(act=str(step["act"]), memories=(str(step["memory"]),))
    if conflict is None:
        raise StoreError(f"{place.path}: nothing was changed in {about}; allowed: a memory that was, or a conflict")
    return ConflictDecision(action=RequestKind.UNDO, memories=conflict.memories)


def plan_decision(place: MemoryPlace, decision: ConflictDecision, now: datetime) -> list[Asked]:
    """Return the changes that the host will make, by what it has saved; raises StoreError if it will refuse."""
    older, newer = place.read_known(decision.memories)
    find_restore = partial(to_restore, place.path, now)
    try:
        return plan(decision, older, newer, at=now, cycle=0, to_restore=find_restore)[1]
    except RequestError as exc:
        raise StoreError(str(exc)) from exc


def put_decision(options: Options, decision: ConflictDecision, now: datetime, changes: list[Asked]) -> int:
    """Put a decision into the inbox, or say in a dry run what it would change; return the exit code."""
    after = f"{when(options.folder)}: {describe(changes)}"
    return order(options, decision, f"{decision.about} {{}} be resolved", after=after, now=now)


_CONFLICTS = Column("conflict", lambda row: f"{row['id']}\n{_state(row)}", "bold"), Column("memories", _in_lines)
_ITEMS = Column("what", lambda row: f"{row['id']}\n{row['title']}", "bold"), Column("texts and answers", _in_lines)
#: In bytes: a chain of some two thousand memories, which is verified in less than half a second.
_SHORT_CHAIN = 1_000_000


def _run_review(options: Options) -> int:
    """List what needs a person, or give an answer from that list."""
    place, stamp = open_place(options), file_stamp(checked(options.folder) / CHAIN_FILE)
    is_asked = bool(options.thorough) or options.id == CHAIN_ID
    thorough = stamp is not None and (stamp[1] <= _SHORT_CHAIN or is_asked)
    items = find_items(place, thorough=thorough)
    if options.id is not None:
        return _answer(options, place, items)
    show_rows(options, (item_row(place, item) for item in items), _ITEMS)
    note(f"{counted(len(items), 'thing needs', 'things need')} you")
    if stamp is not None and not thorough:
        note(f"the chain is long, and not verified; {command_on(options.folder, 'review --thorough')} does that")
    return DONE


def _answer(options: Options, place: SavedPlace, items: Sequence[InboxItem]) -> int:
    item_id, name = complete(options.id, (item.id for item in items)), options.answer
    choices = {choice: item for item in reversed(items) if item.id == item_id for choice in item.choices}
    if name not in choices:
        allowed = ", ".join(choices) or "an id that `memory-ledger review` lists"
        given = shorten(name) if name else "missing"
        where = f"the answer to {item_id} is {given}" if choices else f"{options.id} does not need you"
        raise StoreError(f"{options.folder}: {where}; allowed: {allowed}")
    item = choices[name]
    asked, words = item.choices[name], item_row(place, item)["choices"][name]
    if isinstance(asked, ConflictDecision):
        now = system_clock()
        return put_decision(options, asked, now, plan_decision(place, asked, now))
    is_asked = name in FINAL and sys.stdin.isatty() and not options.yes and not options.dry_run
    if is_asked and not click.confirm(f"{item.id}: {words}\nThis cannot be undone. Do it?", err=True):
        return PROBLEMS
    if isinstance(asked, CurationVerb):
        threshold = place.settings.distillation.confidence_threshold
        curator = Curator(place.knowledge(), now=system_clock(), threshold=threshold)
        curator.decide(item.id, asked, dry_run=options.dry_run)
        say(f"{item.id} {'would be' if options.dry_run else 'is'} settled: {words}")
        return DONE
    return order(options, asked, f"{item.id} {{}} be settled", after=f"{when(options.folder)}: {words}")
