"""`conflicts`: what contradicts what in a memory folder."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..clock import system_clock
from ..errors import StoreError
from ..inbox import ConflictDecision
from ..quality.conflict_record import Conflict, write_conflict
from ..quality.conflicts import detect_conflicts
from ..quality.requests import reasons_of
from ..records import Memory, said_at
from ..service.rows import MOST_OF_A_LINE, differing_spans, memory_row
from ..store.conflicts import ConflictFile
from ..store.docstore_file import read_memories
from ..store.requests import Inbox
from ..texts import counted
from .declaring import DONE, Options, declare, flag
from .options import FOLDER, JSON, checked
from .output import Column, Row, memory_in_words, show_rows
from .progress import waiting, watched
from .saved import SavedPlace, open_place
from .showing import complete

_PROGRESS_STEP = 5_000


def _run_conflicts(options: Options) -> int:
    conflicts = ConflictFile(checked(options.folder))
    if options.detect:
        every = [conflicts.get(conflict.id) or conflict for conflict in detect(options.folder, options.memory)]
        found = [one for one in every if one.resolution is None or not options.unresolved]
    else:
        found = conflicts.get_conflicts(unresolved=options.unresolved)
    if options.memory is not None:
        memory = complete(options.memory, (each for one in found for each in one.memories))
        found = [one for one in found if memory in one.memories]
    place = open_place(options)
    show_rows(options, (conflict_row(one, *map(place.read, one.memories)) for one in found), _columns(place))
    unresolved = sum(one.resolution is None for one in found)
    waiting = sum(one.kind == ConflictDecision.kind and one.answer is None for one in Inbox(options.folder).read())
    possible = sum(one.is_possible and one.resolution is None for one in found)
    line = f"{counted(len(found), 'conflict', 'conflicts')}, {unresolved} unresolved"
    if possible:
        line += f" ({possible} only possible: no rule says so)"
    if waiting:
        line += f"; {counted(waiting, 'decision waits', 'decisions wait')} for Agent Zero's next turn"
    print(line, file=sys.stderr)
    return DONE


def conflict_row(conflict: Conflict, older: Memory | None, newer: Memory | None) -> Row:
    """Return a conflict as it is on record, then what is known of both memories; None stands for one that is gone."""
    both = {"older": older, "newer": newer}
    spans = ([], []) if older is None or newer is None else differing_spans(older.text, newer.text)
    return {
        **write_conflict(conflict),
        **{side: one and memory_row(one, MOST_OF_A_LINE) for side, one in both.items()},
        "reasons": reasons_of(conflict, older, newer),
        "differs": dict(zip(both, spans, strict=True)),
    }


def _columns(place: SavedPlace) -> tuple[Column, ...]:
    def in_lines(row: Row) -> str:
        memories = [place.read(memory) for memory in row["memories"]]
        is_tied = len({memory and said_at(memory) for memory in memories}) == 1
        names = ("first", "second") if is_tied else ("older", "newer")
        lines = [f"{name}: {memory_in_words(memory)}" for name, memory in zip(names, memories, strict=True)]
        return "\n".join([*lines, f"why: {'; '.join(row['reasons'])}"])

    return Column("conflict", lambda row: f"{row['id']}\n{_state(row)}", "bold"), Column("memories", in_lines)


def _state(row: Row) -> str:
    """Return in words what became of a conflict."""
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
    """Return what contradicts what among the memories as they were last saved, whatever is on record (Q-43)."""
    with waiting("reading the memories"):
        memories = read_memories(folder)
    memory = next((one for one in memories if one.id == memory_id), None)
    if memory_id is not None and memory is None:
        raise StoreError(f"{folder}: no memory {memory_id}; allowed: the id of one that is stored there")
    every = watched(
        memories, "comparing", len(memories), line="{1} of {2} memories compared".format, step=_PROGRESS_STEP
    )
    return detect_conflicts(every, at=system_clock(), memory=memory)


COMMANDS = (
    declare(
        "conflicts",
        _run_conflicts,
        flag("--unresolved", "only those that are not resolved yet"),
        click.Option(["--memory"], metavar="ID", help="only those of this memory"),
        flag("--detect", "compare the memories in use again, and list the contradictions"),
        FOLDER,
        JSON,
        examples=("memory-ledger conflicts --unresolved",),
    ),
)
