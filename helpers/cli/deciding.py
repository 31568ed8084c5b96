"""Decide what needs a person: list the conflicts, resolve one, review them all, undo."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path

from ..clock import system_clock
from ..errors import RequestError, StoreError
from ..host.knowledge.service import Curator
from ..inbox import Adopt, Arguments, ConflictDecision, Readmit, TakeBack
from ..knowledge.shelving import CurationVerb
from ..ledger.undoing import Steps
from ..privacy import mask
from ..quality.conflict_record import CONFLICT_PREFIX, RANKING, Conflict, RequestKind, Strategy, write_conflict
from ..quality.conflicts import detect_conflicts
from ..quality.requests import Asked, describe, plan, reasons_of
from ..records import Memory, said_at
from ..service.inbox import AT_ODDS, FINAL, TITLES, InboxItem, ItemKind, find_items
from ..service.place import MemoryPlace
from ..service.rows import MOST_OF_A_LINE, differing_spans, memory_row
from ..store.conflicts import ConflictFile
from ..store.docstore_file import is_of_host, read_memories
from ..store.files import CHAIN_FILE, CONFLICTS_FILE, JOURNAL_FILE, file_stamp, read_lines_if_any
from ..store.journal import find_undo, to_restore
from ..store.requests import Inbox
from ..texts import counted
from .declaring import DONE, Argument, Options, choice, declare, flag, only_one, option
from .looking import complete
from .options import FOLDER, JSON, WRITING, checked, order, put, settle, waiting_requests, when
from .output import Column, Row, command_on, memory_in_words, note, say, show_rows
from .progress import waiting, watched
from .questions import KeyQuestion, run_interview, say_end, show_question
from .saved import SavedPlace, open_place

_PROGRESS_STEP = 5_000


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
    show_rows(options, rows, _columns(place))
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
    """Return a conflict as it is on record, with both memories; a memory that is gone is None."""
    both = {"older": older, "newer": newer}
    spans = ([], []) if older is None or newer is None else differing_spans(older.text, newer.text)
    return {
        **write_conflict(conflict),
        **{side: memory and memory_row(memory, MOST_OF_A_LINE) for side, memory in both.items()},
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
    every = watched(
        memories, "comparing", len(memories), line="{1} of {2} memories compared".format, step=_PROGRESS_STEP
    )
    return detect_conflicts(every, at=system_clock(), memory=memory)


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
    checked(options.folder)
    place = open_place(options)
    known = (*place.documents(), *(conflict.id for conflict in place.conflicts.get_conflicts()))
    options.id = complete(options.id, known)
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


_CONFLICT = Argument("id", help="a conflict, as `conflicts` lists it")
_LOSER = Argument("id", help="the memory, or the conflict, whose last change is taken back")


#: In bytes: a chain of some two thousand memories, which is verified in less than half a second.
_SHORT_CHAIN = 1_000_000


def _run(options: Options, *, only_at_odds: bool, word: str, nouns: tuple[str, str]) -> int:
    checked(options.folder)
    place = open_place(options)
    stamp = None if only_at_odds else file_stamp(options.folder / CHAIN_FILE)
    thorough = stamp is not None and (stamp[1] <= _SHORT_CHAIN or bool(options.thorough))
    items = [item for item in find_items(place, only_at_odds=only_at_odds, thorough=thorough) if item.choices]
    if stamp is not None and not thorough:
        command = command_on(options.folder, "review --thorough")
        say(f"the chain is long, and not verified; {command} does that", "dim")
    if not items:
        say(f"nothing to {word}")
        return DONE
    desk = _Desk(options, items)
    questions = [_ask_about(place, number, len(items), item) for number, item in enumerate(items, 1)]
    if options.dry_run:
        for number, question in enumerate(questions):
            show_question(question)
            desk.show_changes(number, question)
        say(f"{counted(len(items), *nouns)} to {word}; nothing was changed")
        return DONE
    ending = run_interview(questions, decide=desk.decide, take_back=desk.take_back)
    return say_end(ending, command_on(options.folder, word))


def _ask_about(place: SavedPlace, number: int, total: int, item: InboxItem) -> KeyQuestion:
    memories = [place.read(memory) for memory in item.memories]
    names = item.names(memories) if memories else ()
    lines = {
        name: memory_in_words(memory) if memory is not None or not item.text else f"{item.text} (not there any more)"
        for name, memory in zip(names, memories, strict=True)
    }
    kept = "" if item.keep is None else dict(zip(item.memories, names, strict=True)).get(item.keep, "both")
    if item.kind is ItemKind.SECRET:
        lines = {name: mask(text) for name, text in lines.items()}
    lines |= {"learned": item.text} if item.text and not memories else {}
    lines |= {"agent": f"keep {kept if kept == 'both' else f'the {kept} one'}"} if kept else {}
    answers = item.answers(names)
    retired = {"that": 0, "this": 1} if item.kind in AT_ODDS else {"that": 0, "retire": 0, "erase": 0}
    is_proposal = any(isinstance(choice, Adopt) for choice in item.choices.values())
    return KeyQuestion(
        title=f"{number} of {total}: {item.id}, {TITLES[item.kind][0]}",
        lines={**lines, "why": "; ".join(item.why)},
        answers=dict(answers.values()),
        memories=item.memories[: 1 if is_proposal else 2],
        retires={answers[name][0]: item.memories[place] for name, place in retired.items() if name in answers},
        final=next((answers[name][0] for name in FINAL if name in answers), ""),
    )


class _Desk:
    """Puts a person's answers into the inbox, as the page does, and takes them back from there."""

    def __init__(self, options: Options, items: list[InboxItem]) -> None:
        self._options, self._folder, self._items = options, options.folder, items
        self._put: list[Arguments] = []

    def _choice(self, number: int, key: str) -> tuple[str, Arguments | CurationVerb]:
        """Return the name and the request of an answer; a proposal is read anew, as earlier answers may change it."""
        item = self._items[number]
        name = next(name for name, (answer_key, _) in item.answers(()).items() if answer_key == key)
        if isinstance(item.choices[name], Adopt):
            item = next((fresh for fresh in find_items(open_place(self._options)) if fresh.id == item.id), item)
        return name, item.choices[name]

    def _curator(self) -> Curator:
        place = open_place(self._options)
        threshold = place.settings.distillation.confidence_threshold
        return Curator(place.knowledge(), now=system_clock(), threshold=threshold)

    def decide(self, number: int, key: str) -> None:
        item, (name, asked) = self._items[number], self._choice(number, key)
        if isinstance(asked, CurationVerb):
            self._curator().decide(item.id, asked)
            say(f"{item.id}: {item.answers(())[name][1]}")
            return
        self._put.append(asked)
        if isinstance(asked, ConflictDecision) and item.kind in AT_ODDS:
            now = system_clock()
            put_decision(self._options, asked, now, plan_decision(open_place(self._options), asked, now))
        elif name in ("this", "both", "plain"):
            put(self._folder, asked, now=system_clock())
            if not is_of_host(self._folder):
                settle(self._options, self._folder)
            say(f"{item.memories[0]} stays in use")
        else:
            effect = {"erase": "be erased", "sign": "be signed anew"}.get(name, "be retired")
            order(self._options, asked, f"{(item.memories or ('every memory',))[0]} {{}} {effect}", say=say)

    def take_back(self, number: int, key: str) -> None:
        item = self._items[number]
        if item.kind is ItemKind.KNOWLEDGE:
            self._curator().undo(item.id)
        elif not Inbox(self._folder).withdraw(self._put.pop()):
            reverse = command_on(self._folder, f"undo {item.id}")
            raise StoreError(f"{item.id} is carried out already; allowed: {reverse}, which reverses it")
        say(f"{item.id} is open again")

    def show_changes(self, number: int, question: KeyQuestion) -> None:
        item = self._items[number]
        for name, (key, _) in item.answers(()).items():
            asked = item.choices[name]
            changes = "no memory changes" if name in ("this", "both", "plain") else ""
            if isinstance(asked, ConflictDecision):
                try:
                    changes = describe(plan_decision(open_place(self._options), asked, system_clock()))
                except StoreError as exc:
                    changes = f"not possible: {exc}"
            elif item.memories and not changes:
                changes = " is replaced by ".join(item.memories) if name == "that" else f"{item.memories[0]} is gone"
            say(f"  {key} {question.answers[key]}{changes and f': {changes}'}")


_KEYS = "l later, u undo, q quit, ? help. In a pipe, each line of the input is a key."


COMMANDS = (
    declare(
        "conflicts",
        _run_conflicts,
        flag("--unresolved", "only those that are not resolved yet"),
        option("--memory", "ID", "only those of this memory"),
        flag("--detect", "compare the memories in use again, and list the contradictions"),
        FOLDER,
        JSON,
        examples=("memory-ledger conflicts --unresolved",),
    ),
    declare(
        "resolve",
        _run_resolve,
        _CONFLICT,
        option("--keep", "MEMORY", "keep this memory, and retire the other one"),
        flag("--merge", "replace both by one memory that says what both say"),
        flag("--dismiss", "keep both: they do not contradict each other"),
        choice("--strategy", Strategy, "keep the memory that this strategy prefers; manual: change nothing"),
        *WRITING,
        examples=(
            "memory-ledger resolve conflict_0b1c... --keep MEMORY",
            "memory-ledger resolve conflict_0b1c... --strategy newer-wins --dry-run",
        ),
    ),
    declare("undo", _run_undo, _LOSER, *WRITING, examples=("memory-ledger undo MEMORY --dry-run",)),
    declare(
        "review",
        partial(_run, only_at_odds=False, word="review", nouns=("thing", "things")),
        *WRITING,
        flag("--thorough", "verify every line of the chain, however long that takes"),
        examples=("memory-ledger review", "memory-ledger review --dry-run"),
        note=f"Keys: those that each question names, {_KEYS}",
    ),
    declare(
        "settle",
        partial(_run, only_at_odds=True, word="settle", nouns=("conflict", "conflicts")),
        *WRITING,
        examples=("memory-ledger settle", "memory-ledger settle --dry-run"),
        note=f"Keys: o keep the older or first, n the newer or second, b both hold, m merge, {_KEYS}",
    ),
)
