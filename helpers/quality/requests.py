"""Requests about memories, and the changes that they take: to decide a conflict, to refresh, to archive. Pure.

A request for what is so already takes no change, so it can be carried out twice.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from ..errors import RequestError
from ..inbox import ConflictDecision
from ..ledger.adopt import Archived
from ..ledger.authority import Act, Actor, Verdict, judge, word_of
from ..ledger.changes import Archive, Change, Confirm, Qualify, Reinstate, Restore, Supersede
from ..ledger.lifecycle import has_outdated, is_classified, status_of
from ..ledger.resolve import Decision, decide_memories
from ..records import Memory, OutdatedPart, Source, Utility, Validity
from .conflict_record import Conflict, ConflictVerdict, RequestKind, Strategy, resolve
from .conflicts import can_merge, strategic_winner
from .merging import INSTEAD, merge_memories, replace_by_text

#: The reason "a person said so", in the journal and the lineage.
PERSON_RULE = "Q-23"
_POSSIBLE = "their wording may be contradictory, but no rule is sure"


@dataclass(frozen=True, slots=True)
class Bring:
    """A new memory is added: the merge of the two that it replaces."""

    archived: Archived


#: The changes that a request may take.
Asked = Restore | Reinstate | Supersede | Bring
FindRestore = Callable[[Memory, str], Restore]

_ACTS = {
    RequestKind.DISMISS: Act.DISMISS,
    RequestKind.READMIT: Act.BRING_BACK,
    RequestKind.UNDO: Act.BRING_BACK,
}
_ENDINGS = {
    RequestKind.KEEP: (Strategy.MANUAL, ConflictVerdict.ACCEPTED),
    RequestKind.MERGE: (Strategy.MERGE, ConflictVerdict.MERGED),
}
_GRAVITY = (Verdict.ALLOWED, Verdict.ASKED, Verdict.REFUSED)


def permission(
    request: ConflictDecision, sides: Iterable[Memory], *, is_possible: bool, records: Container[str]
) -> Verdict:
    """Return whether a request about two memories is carried out, waits for the user, or is refused.

    The memory that it takes out of use decides, else both. Anybody may say that two possibly contradictory memories
    both hold.
    """
    act = _ACTS.get(request.action, Act.SUPERSEDE)
    if act is Act.DISMISS and is_possible:
        return Verdict.ALLOWED
    words = (word_of(side, is_record=side.id in records) for side in sides if side.id != request.keep)
    return max((judge(request.by.actor, act, word) for word in words), key=_GRAVITY.index, default=Verdict.ALLOWED)


def reasons_of(conflict: Conflict, older: Memory | None, newer: Memory | None) -> list[str]:
    """Return why two memories contradict each other: by the present rules, or else as recorded."""
    if conflict.is_possible:
        return [_POSSIBLE if conflict.description.endswith(_POSSIBLE) else conflict.description]
    if older is None or newer is None or older.classification is None or newer.classification is None:
        return [conflict.description]
    decision = decide_memories(older, newer)[2]
    return [*decision.reasons] if decision.is_contradiction else [conflict.description]


def answers_about(memory_id: str, other: str) -> dict[str, ConflictDecision]:
    """Return the decisions about two memories, by their names at every door."""
    pair = (memory_id, other)
    return {
        "this": ConflictDecision(action=RequestKind.KEEP, memories=pair, keep=memory_id),
        "that": ConflictDecision(action=RequestKind.KEEP, memories=pair, keep=other),
        "both": ConflictDecision(action=RequestKind.DISMISS, memories=pair),
        "merge": ConflictDecision(action=RequestKind.MERGE, memories=pair),
    }


def is_answered(conflict: Conflict | None, at: datetime) -> bool:
    """Whether the resolution of a conflict answers the request made `at` that time, or a later decision."""
    resolution = conflict.resolution if conflict is not None and conflict.is_decided_by_person else None
    return resolution is not None and resolution.resolved_at >= at


def answer(decision: ConflictDecision, conflict: Conflict, at: datetime) -> Conflict:
    """Return `conflict` with the resolution of the decision."""
    strategy, verdict = _ENDINGS.get(decision.action, (Strategy.MANUAL, ConflictVerdict.REJECTED))
    return resolve(conflict, decision.strategy or strategy, verdict, winner=decision.keep, at=at, by=decision.by)


def describe(changes: Iterable[Asked]) -> str:
    """Return the changes in words."""
    return "; ".join(map(_describe, changes)) or "no memory changes"


def _describe(change: Asked) -> str:
    if isinstance(change, Bring):
        return f"{change.archived.id} says what both say"
    if isinstance(change, Restore):
        return f"{change.memory_id} comes back into use"
    if isinstance(change, Reinstate):
        return f"all of {change.memory_id} holds again"
    return f"{change.loser_id} is replaced by {change.winner_id}"


def plan(
    request: ConflictDecision,
    memory: Memory | None,
    other: Memory | None,
    *,
    at: datetime,
    cycle: int,
    to_restore: FindRestore,
) -> tuple[ConflictDecision, list[Asked]]:
    """Return `request` with the memory to keep, where a strategy chooses it, and the changes that it takes.

    Either memory may be gone; `to_restore` returns a loser's state before a winner beat it. Raises RequestError where
    the request is impossible: the strategy prefers neither, the memory to keep is gone or lost to a third one, or the
    two cannot be merged.
    """
    request = _with_choice(request, memory, other, at, to_restore)
    restored, sides = _restored(request, memory, other, at, to_restore)
    changes: list[Asked] = [*restored]
    if request.action is RequestKind.MERGE:
        changes += _merge(sides, request, at, cycle)
    if request.action is RequestKind.KEEP:
        kept, loser = sorted(sides, key=lambda side: side is None or side.id != request.keep)
        if kept is None or kept.is_deprecated:
            state = "gone" if kept is None or kept.lineage is None else f"replaced by {kept.lineage.superseded_by}"
            raise RequestError(f"memory {request.keep}", state, "one that is in use, or that only the other has beaten")
        if kept.is_forgotten:
            raise RequestError(f"memory {request.keep}", "forgotten", "one that is not")
        if loser is not None and not loser.is_deprecated:
            changes.append(_retire(kept.id, loser, request, at, cycle))
    return request, changes


def _with_choice(
    request: ConflictDecision, memory: Memory | None, other: Memory | None, at: datetime, to_restore: FindRestore
) -> ConflictDecision:
    """Return `request` with its choice made; both memories are judged as they stood before either beat the other."""
    if request.action is not RequestKind.DECIDE or request.strategy is None:
        return request
    where = f"the choice between {' and '.join(request.memories)} by {request.strategy.value}"
    first, second = _both(_restored(request, memory, other, at, to_restore)[1], where)
    winner = strategic_winner(first, second, request.strategy)
    if winner is None:
        raise RequestError(where, "open: it prefers neither", INSTEAD)
    return request.model_copy(update={"action": RequestKind.KEEP, "keep": winner.id})


def _both(sides: Sequence[Memory | None], where: str) -> list[Memory]:
    """Return two memories; raises RequestError where one of them is gone or forgotten."""
    present = [side for side in sides if side is not None]
    if len(present) < len(sides) or any(side.is_forgotten for side in present):
        state = "forgotten" if len(present) == len(sides) else "gone"
        raise RequestError(where, f"impossible: one of them is {state}", "two memories")
    return present


def _restored(
    request: ConflictDecision, memory: Memory | None, other: Memory | None, at: datetime, to_restore: FindRestore
) -> tuple[list[Restore | Reinstate], list[Memory | None]]:
    """Return the changes that bring back a loser that is not to lose, and both memories as they then are.

    The mark of a memory that lost in part is taken back, except in a merge, which is to keep both.
    """
    changes: list[Restore | Reinstate] = []
    sides: list[Memory | None] = []
    for side, winner_id in ((memory, request.memories[1]), (other, request.memories[0])):
        if side is not None and winner_id != request.keep:
            # The winner may be gone since.
            if side.is_deprecated and side.lineage and side.lineage.superseded_by in (winner_id, None):
                change = to_restore(side, winner_id)
                changes.append(change)
                side = change.apply(side)[0]
            if request.action is not RequestKind.MERGE and not side.is_deprecated and has_outdated(side, winner_id):
                rule, reasons = PERSON_RULE, request.reasons
                mark = Reinstate(memory_id=side.id, winner_id=winner_id, at=at, rule=rule, reasons=reasons)
                changes.append(mark)
                side = mark.apply_to(side)
        sides.append(side)
    return changes, sides


def _merge(
    sides: Sequence[Memory | None], request: ConflictDecision, at: datetime, cycle: int
) -> Iterator[Bring | Supersede]:
    """Yield the merge of both memories, and the retirement of the two."""
    where = f"the merge of {' and '.join(request.memories)}"
    memory, other = _both(sides, where)
    if memory.is_knowledge or other.is_knowledge:
        raise RequestError(where, "impossible: one is a piece of a knowledge file", INSTEAD)
    older, newer, decision = decide_memories(memory, other)
    if request.text is not None:
        source = Source.USER_ASSERTED if request.by.actor is Actor.PERSON else Source.AGENT_INFERRED
        merged = replace_by_text((older, newer), request.text, source=source, at=at)
    elif can_merge(memory, other):
        merged = merge_memories(older, newer, outdated=_outdated(older, newer, decision, at), at=at)
    else:
        raise RequestError(where, "impossible: they cannot both hold", INSTEAD)
    yield Bring(merged)
    for loser in (older, newer):
        if loser.lineage is None or loser.lineage.superseded_by != merged.id:
            yield _retire(merged.id, loser, request, at, cycle)


def _outdated(older: Memory, newer: Memory, decision: Decision, at: datetime) -> Iterator[OutdatedPart]:
    """Yield the outdated parts of one memory by what the other one says."""
    loser, winner = (older, newer) if decision.winner == "newer" else (newer, older)
    for start, end in decision.spans:
        yield OutdatedPart(text=loser.text[start:end], by=winner.id, at=at)


def _retire(kept_id: str, loser: Memory, request: ConflictDecision, at: datetime, cycle: int) -> Supersede:
    rule, reasons = PERSON_RULE, request.reasons
    return Supersede(winner_id=kept_id, loser_id=loser.id, at=at, cycle=cycle, rule=rule, reasons=reasons)


#: The proof of a memory that was confirmed without any words.
VERIFIED = "somebody verified it (Q-65)"


def refresh_changes(memory: Memory, *, at: datetime, is_verified: bool, confidence: float | None) -> list[Change]:
    """Return the changes of a refresh at `at` of a classified memory; a verified memory is confirmed as well.

    The errors that rules had found are cleared until the next validation.
    """
    stated: dict[str, Any] = {"validated_at": at}
    if confidence is not None:
        stated["confidence"] = confidence
    if is_verified and memory.quality is not None and memory.quality.validation_errors:
        stated["validation_errors"] = ()
    changes: list[Change] = [Qualify(memory_id=memory.id, stated=stated)]
    if is_verified and status_of(memory)[0].validity is Validity.INFERRED:
        changes.append(Confirm(memory_id=memory.id, at=at, evidence=VERIFIED))
    return changes


def may_archive(memory: Memory | None, *, older_than: timedelta, now: datetime, is_forced: bool) -> bool:
    """Whether a stale memory is old enough and not archived yet; a load-bearing memory needs `is_forced`.

    A piece of a knowledge file never may.
    """
    if not is_classified(memory) or memory.is_knowledge:
        return False
    axes, lineage = status_of(memory)
    if axes.utility is Utility.ARCHIVED or (axes.utility is Utility.LOAD_BEARING and not is_forced):
        return False
    return now - lineage.created_at > older_than


def archive_change(memory_id: str, *, at: datetime, cycle: int) -> Archive:
    """Return the change that archives a memory as stale."""
    return Archive(memory_id=memory_id, at=at, cycle=cycle, touched_cycle=0, is_stale=True)
