"""`settle`: one open conflict after the other, with both texts, decided by a key as `resolve` decides it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from ..clock import system_clock
from ..errors import StoreError
from ..host.storage.conflict_file import ConflictFile
from ..host.storage.inbox import Inbox
from ..inbox import ConflictDecision
from ..ledger.lifecycle import is_classified
from ..quality.conflict_record import Conflict, RequestKind
from ..quality.requests import describe
from ..records import said_at
from ..service.conflicts import reasons_of
from ..texts import counted
from .declaring import DONE, Options, declare
from .looking import open_place
from .options import WRITING, checked
from .output import say
from .questions import KeyQuestion, run_interview, say_end, show_question
from .resolving import plan_decision, put_decision
from .sides import Known, command_on, memory_in_words, read_known


def _run_settle(options: Options) -> int:
    folder = checked(options.folder)
    conflicts, known = _find_open(options)
    questions = [_ask_about(number, len(conflicts), one, known) for number, one in enumerate(conflicts, 1)]
    if not questions:
        say("nothing to settle")
        return DONE
    desk = _Desk(options, conflicts, questions)
    if options.dry_run:
        for number, one in enumerate(questions):
            show_question(one)
            desk.show_changes(number)
        say(f"{counted(len(questions), 'conflict', 'conflicts')} to settle; nothing was changed")
        return DONE
    ending = run_interview(questions, decide=desk.decide, take_back=desk.take_back)
    return say_end(ending, command_on(folder, "settle"))


def _find_open(options: Options) -> tuple[list[Conflict], Known]:
    """Return what is to be decided, what is only possible last, and its memories; not what is decided and waits."""
    waiting = [
        one.asked
        for one in Inbox(options.folder).read()
        if isinstance(one.asked, ConflictDecision) and one.answer is None
    ]
    decided, lost = {one.about for one in waiting}, {*_losers(waiting)}
    unresolved = ConflictFile(options.folder).get_conflicts(unresolved=True)
    found = [one for one in unresolved if one.id not in decided and not lost.intersection(one.memories)]
    known = read_known(options.folder, (each for one in found for each in one.memories))
    found = [one for one in found if all(is_classified(known.get(each)) for each in one.memories)]
    return sorted(found, key=lambda one: one.is_possible), known


def _losers(decisions: Iterable[ConflictDecision]) -> Iterable[str]:
    """Yield the memories that a decision retires."""
    for one in decisions:
        if one.keep is not None:
            yield from (each for each in one.memories if each != one.keep)


def _ask_about(number: int, total: int, conflict: Conflict, known: Known) -> KeyQuestion:
    older, newer = conflict.memories
    is_dated = said_at(known[older]) != said_at(known[newer])
    first, second = ("older", "newer") if is_dated else ("first", "second")
    kind = "may be at odds" if conflict.is_possible else "contradict each other"
    return KeyQuestion(
        title=f"{number} of {total}: {conflict.id}, two memories that {kind}",
        lines={
            first: memory_in_words(known[older]),
            second: memory_in_words(known[newer]),
            "why": "; ".join(reasons_of(conflict, known[older], known[newer])),
        },
        answers={
            "o": f"keep the {first} one",
            "n": f"keep the {second} one",
            "b": "both hold: it is no contradiction",
            "m": "merge: one memory says what both say",
        },
        memories=conflict.memories,
        retires={"o": newer, "n": older},
    )


def _to_decision(conflict: Conflict, key: str) -> ConflictDecision:
    older, newer = conflict.memories
    decide = partial(ConflictDecision, memories=conflict.memories)
    if key in ("o", "n"):
        return decide(action=RequestKind.KEEP, keep=older if key == "o" else newer)
    return decide(action=RequestKind.DISMISS if key == "b" else RequestKind.MERGE)


@dataclass(frozen=True, slots=True)
class _Desk:
    """Puts what a person answers where `resolve` puts it, and takes it back from there."""

    options: Options
    conflicts: list[Conflict]
    questions: list[KeyQuestion]

    def decide(self, number: int, key: str) -> None:
        decision, at = _to_decision(self.conflicts[number], key), system_clock()
        changes = plan_decision(open_place(self.options), decision, at)
        put_decision(self.options, decision, at, changes)

    def take_back(self, number: int, key: str) -> None:
        conflict = self.conflicts[number]
        if not Inbox(self.options.folder).withdraw(_to_decision(conflict, key)):
            reverse = command_on(self.options.folder, f"undo {conflict.id}")
            raise StoreError(f"{conflict.id} is carried out already; allowed: {reverse}, which reverses it")
        say(f"{conflict.id} is open again")

    def show_changes(self, number: int) -> None:
        for key, what in self.questions[number].answers.items():
            decision = _to_decision(self.conflicts[number], key)
            try:
                changes = describe(plan_decision(open_place(self.options), decision, system_clock()))
            except StoreError as exc:
                changes = f"not possible: {exc}"
            say(f"  {key} {what}: {changes}")


COMMANDS = (
    declare(
        "settle",
        _run_settle,
        *WRITING,
        examples=("memory-ledger settle", "memory-ledger settle --dry-run"),
        note="Keys: o keep the older or first, n the newer or second, b both hold, m merge, l later, u undo, q quit, "
        "? help. In a pipe, each line of the input is a key.",
    ),
)
