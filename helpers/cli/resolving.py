"""`resolve` and `undo`: what a person decides about memories that contradict each other."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path

import click

from ..clock import EPOCH, system_clock
from ..errors import RequestError, StoreError
from ..host.docstore.docstore_file import read_docstore
from ..host.storage.conflict_file import ConflictFile
from ..host.storage.files import CONFLICTS_FILE, JOURNAL_FILE, read_lines_if_any
from ..host.storage.undo import find_undo, to_restore
from ..inbox import ConflictDecision, Readmit, TakeBack
from ..ledger.lifecycle import is_classified
from ..ledger.undoing import Line, Steps, moved_on
from ..quality.conflict_record import CONFLICT_PREFIX, RANKING, Conflict, ConflictRequest, RequestKind, Strategy
from ..quality.requests import Asked, describe, plan
from ..records import Memory, parse_memory
from .conflicts import detect
from .declaring import DONE, Argument, Options, declare, flag, only_one
from .options import WRITING, checked
from .orders import order, when
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
    return put_decision(options, decision, at, plan_decision(folder, decision.to_request(at)))


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
    folder = checked(options.folder)
    conflicts = ConflictFile(folder).get_conflicts()
    options.id = complete(options.id, (*read_docstore(folder)[1], *(one.id for one in conflicts)))
    asked = _find_undo(folder, options.id)
    if isinstance(asked, ConflictDecision):
        at = system_clock()
        changes = plan_decision(folder, asked.to_request(at))
        if not changes:
            raise StoreError(
                f"{options.id}: neither memory has retired the other; allowed: a conflict that one has lost"
            )
        return put_decision(options, asked, at, changes)
    (memory,) = _read_memories(folder, asked.memories or ("",))
    what = "come back into use" if memory is not None and memory.is_deprecated else "be as before the last change"
    return order(options, asked, f"{options.id} {{}} {what}")


def _find_undo(folder: Path, one_id: str) -> ConflictDecision | TakeBack | Readmit:
    """Return what takes back the last change to a memory, or of a conflict; raises StoreError where nothing does."""
    journal = read_lines_if_any(folder / JOURNAL_FILE)
    steps, memory = Steps(journal), _read_memories(folder, (one_id,))[0]
    conflict, step = ConflictFile(folder).get(one_id), steps.latest(one_id)
    if memory is not None:
        found = find_undo(memory, steps, journal, partial(_find_obstacle, folder))
        if not isinstance(found, str):
            return found
        if step is not None:
            raise StoreError(f"{folder}: {one_id}: {found}; allowed: a change that nothing has followed")
    if conflict is not None and step is not None and not _find_obstacle(folder, step):
        return TakeBack(act=str(step["act"]), memories=(str(step["memory"]),))
    if conflict is None:
        raise StoreError(f"{folder}: nothing was changed in {one_id}; allowed: a memory that was, or a conflict")
    return ConflictDecision(action=RequestKind.UNDO, memories=conflict.memories)


def _find_obstacle(folder: Path, step: Line) -> str:
    """Return in words what of the memories of a step is not as it left it; the host looks at the rest."""
    changed = step["changed"].get("memories", {})
    found = zip(changed.values(), _read_memories(folder, (*changed,)), strict=True)
    moved = ("it no longer exists" if memory is None else moved_on(memory, fields or {}) for fields, memory in found)
    return next(filter(None, moved), "")


def plan_decision(folder: Path, request: ConflictRequest) -> list[Asked]:
    """Return what the host will change, by what it has saved; raises StoreError if it will refuse the request."""
    one, other = _read_memories(folder, request.memories)
    find_restore = partial(to_restore, folder, request.at)
    try:
        return plan(request, one, other, cycle=0, to_restore=find_restore)[1]
    except RequestError as exc:
        raise StoreError(str(exc)) from exc


def _read_memories(folder: Path, memory_ids: tuple[str, ...]) -> list[Memory | None]:
    documents = read_docstore(folder)[1]
    found: list[Memory | None] = []
    for memory_id in memory_ids:
        document = documents.get(memory_id)
        memory = None
        if document is not None:
            memory, _ = parse_memory(memory_id, document.page_content, document.metadata, inserted_at=EPOCH)
        found.append(memory if is_classified(memory) else None)
    return found


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
