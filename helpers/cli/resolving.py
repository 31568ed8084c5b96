"""`resolve` and `undo`: what a person decides about memories that contradict each other."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path

import click

from ..clock import system_clock
from ..errors import RequestError, StoreError
from ..inbox import ConflictDecision, Readmit, TakeBack
from ..ledger.undoing import Steps
from ..quality.conflict_record import CONFLICT_PREFIX, RANKING, Conflict, RequestKind, Strategy
from ..quality.requests import Asked, describe, plan
from ..service.place import MemoryPlace
from ..store.conflicts import ConflictFile
from ..store.files import CONFLICTS_FILE, JOURNAL_FILE, read_lines_if_any
from ..store.journal import find_undo, to_restore
from .conflicts import detect
from .declaring import DONE, Argument, Options, declare, flag, only_one
from .options import WRITING, checked
from .orders import order, when
from .saved import open_place
from .showing import complete


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
    at = system_clock()
    return put_decision(options, decision, at, plan_decision(open_place(options), decision, at))


def _action(options: Options, strategy: Strategy | None) -> RequestKind:
    if options.keep is not None:
        return RequestKind.KEEP
    if options.merge or strategy is Strategy.MERGE:
        return RequestKind.MERGE
    return RequestKind.DISMISS if options.dismiss else RequestKind.DECIDE


def _find_conflict(folder: Path, one_id: str) -> Conflict:
    """Return a conflict that is on record, or that the memories in use have with each other; raises StoreError."""
    conflicts = ConflictFile(folder)
    conflict = conflicts.get(complete(one_id, (one.id for one in conflicts.get_conflicts())))
    if conflict is None and one_id.startswith(CONFLICT_PREFIX):
        conflict = next((one for one in detect(folder) if one.id == one_id), None)
    if conflict is None:
        where = folder / CONFLICTS_FILE
        raise StoreError(f"{where}: no conflict {one_id}; allowed: an id that `memory-ledger conflicts` lists")
    return conflict


def _run_undo(options: Options) -> int:
    checked(options.folder)
    place = open_place(options)
    known = (*place.documents(), *(conflict.id for conflict in place.conflicts.get_conflicts()))
    options.id = complete(options.id, known)
    asked = _find_undo(place, options.id)
    if isinstance(asked, ConflictDecision):
        at = system_clock()
        changes = plan_decision(place, asked, at)
        if not changes:
            raise StoreError(
                f"{options.id}: neither memory has retired the other; allowed: a conflict that one has lost"
            )
        return put_decision(options, asked, at, changes)
    (memory,) = place.read_known(asked.memories or ("",))
    what = "come back into use" if memory is not None and memory.is_deprecated else "be as before the last change"
    return order(options, asked, f"{options.id} {{}} {what}")


def _find_undo(place: MemoryPlace, one_id: str) -> ConflictDecision | TakeBack | Readmit:
    """Return what takes back the last change to a memory, or of a conflict; raises StoreError where nothing does."""
    journal, (memory,) = read_lines_if_any(place.path / JOURNAL_FILE), place.read_known((one_id,))
    steps = Steps(journal)
    conflict, step = place.conflicts.get(one_id), steps.latest(one_id)
    if memory is not None:
        found = find_undo(memory, steps, journal, place.find_obstacle)
        if not isinstance(found, str):
            return found
        if step is not None:
            raise StoreError(f"{place.path}: {one_id}: {found}; allowed: a change that nothing has followed")
    if conflict is not None and step is not None and not place.find_obstacle(step):
        return TakeBack(act=str(step["act"]), memories=(str(step["memory"]),))
    if conflict is None:
        raise StoreError(f"{place.path}: nothing was changed in {one_id}; allowed: a memory that was, or a conflict")
    return ConflictDecision(action=RequestKind.UNDO, memories=conflict.memories)


def plan_decision(place: MemoryPlace, decision: ConflictDecision, at: datetime) -> list[Asked]:
    """Return what the host will change, by what it has saved; raises StoreError if it will refuse the decision."""
    one, other = place.read_known(decision.memories)
    find_restore = partial(to_restore, place.path, at)
    try:
        return plan(decision, one, other, at=at, cycle=0, to_restore=find_restore)[1]
    except RequestError as exc:
        raise StoreError(str(exc)) from exc


def put_decision(options: Options, decision: ConflictDecision, at: datetime, changes: list[Asked]) -> int:
    """Ask for a decision, or say in a dry run what it would change."""
    after = f"{when(options.folder)}: {describe(changes)}"
    return order(options, decision, f"{decision.about} {{}} be resolved", after=after, at=at)


_CONFLICT = Argument("id", help="a conflict, as `conflicts` lists it")
_LOSER = Argument("id", help="the memory, or the conflict, whose last change is taken back")

COMMANDS = (
    declare(
        "resolve",
        _run_resolve,
        _CONFLICT,
        click.Option(["--keep"], metavar="MEMORY", help="keep this memory, and retire the other one"),
        flag("--merge", "replace both by one memory that says what both say"),
        flag("--dismiss", "keep both: they do not contradict each other"),
        click.Option(
            ["--strategy"],
            type=click.Choice([one.value for one in Strategy]),
            help="keep the memory that this strategy prefers; manual: change nothing",
        ),
        *WRITING,
        examples=(
            "memory-ledger resolve conflict_0b1c... --keep MEMORY",
            "memory-ledger resolve conflict_0b1c... --strategy newer-wins --dry-run",
        ),
    ),
    declare("undo", _run_undo, _LOSER, *WRITING, examples=("memory-ledger undo MEMORY --dry-run",)),
)
