"""`review`: what the first look and maintenance propose to retire, one after the other, decided by a key.

A proposal is accepted or kept by the request that the page makes of it. Two memories that say the same, and that only a
person may choose between, since the user said both (E-41), are decided as a conflict is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ..clock import system_clock
from ..errors import StoreError
from ..host.docstore.docstore_file import is_of_host
from ..host.storage.conflict_file import ConflictFile
from ..host.storage.database import Database
from ..host.storage.duplicate_pairs import read_pairs
from ..host.storage.inbox import Inbox
from ..host.storage.proposals import Proposal, count_proposals, read_excluded, read_proposals
from ..inbox import Adopt, Arguments, ConflictDecision
from ..ledger.lifecycle import is_classified
from ..maintenance.duplicates import DUPLICATE_RULES, PairOutcome, precedence
from ..quality.conflict_record import RequestKind, conflict_id
from ..texts import counted
from .declaring import DONE, Options, declare
from .options import DRY_RUN, FOLDER, checked
from .orders import order, put, settle
from .output import say
from .questions import KeyQuestion, run_interview, say_end, show_question
from .sides import Known, command_on, memory_in_words, read_known

_ANSWERS = {"r": "retire it as proposed", "k": "keep both permanently"}
_ALONE = {**_ANSWERS, "k": "keep it in use"}
_BOTH_USERS = "they say the same, and you said both"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """`loser` would be retired in favour of `winner`, if there is one; a `is_listed` one stands in the report."""

    loser: str
    winner: str
    winner_text: str = ""
    why: str
    is_listed: bool
    is_duplicate: bool


def _run_review(options: Options) -> int:
    folder = checked(options.folder)
    pairs, known = _find_pairs(folder)
    questions = [_ask_about(number, len(pairs), one, known) for number, one in enumerate(pairs, 1)]
    if not questions:
        say("nothing to review")
        return DONE
    if options.dry_run:
        for pair, one in zip(pairs, questions, strict=True):
            show_question(one)
            say(f"  r {one.answers['r']}: {pair.loser} is {f'replaced by {pair.winner}' if pair.winner else 'retired'}")
            say(f"  k {one.answers['k']}: no memory changes")
        say(f"{counted(len(questions), 'proposal', 'proposals')} to review; nothing was changed")
        return DONE
    desk = _Desk(options, pairs)
    ending = run_interview(questions, decide=desk.decide, take_back=desk.take_back)
    return say_end(ending, command_on(folder, "review"))


def _find_pairs(folder: Path) -> tuple[list[_Pair], Known]:
    """Return what is proposed about memories in use and was not decided yet, with the memories."""
    waiting = [one.asked for one in Inbox(folder).read() if one.answer is None and one.asked is not None]
    found = [*_listed(folder, waiting), *_doubled(folder, waiting)]
    known = read_known(folder, (each for one in found for each in (one.loser, one.winner)))
    in_use = {one for one, memory in known.items() if is_classified(memory) and not memory.is_deprecated}
    pairs = [_in_order(one, known) for one in found if one.loser in in_use and (one.is_listed or one.winner in in_use)]
    first: dict[str, _Pair] = {}
    for one in pairs:
        first.setdefault(one.loser, one)
    return [*first.values()], known


def _listed(folder: Path, waiting: Iterable[Arguments]) -> list[_Pair]:
    if not count_proposals(Database(folder)):
        return []
    accepted = {each for one in waiting if isinstance(one, Adopt) for each in one.memories}
    decided = accepted | kept_in_use(folder)
    return [_to_pair(one) for one in read_proposals(Database(folder)) if one.loser not in decided]


def kept_in_use(folder: Path) -> frozenset[str]:
    """Return the memories that a person wants to stay in use, though they are proposed; also where that waits."""
    asked = [one.asked for one in Inbox(folder).read() if isinstance(one.asked, Adopt) and one.answer is None]
    return frozenset(asked[-1].excluded) if asked else read_excluded(Database(folder))


def _to_pair(one: Proposal) -> _Pair:
    return _Pair(
        loser=one.loser,
        winner=one.winner,
        winner_text=one.winner_text,
        why="; ".join(one.reasons),
        is_listed=True,
        is_duplicate=one.rule in DUPLICATE_RULES,
    )


def _doubled(folder: Path, waiting: Iterable[Arguments]) -> list[_Pair]:
    """Return the pairs that maintenance has left to a person, by what it found of them last."""
    pairs = [row for row in read_pairs(Database(folder)) if row["outcome"] == PairOutcome.REVIEW]
    open_ones = [[row["a"], row["b"]] for row in pairs]
    if not open_ones:
        return []
    conflicts, decided = ConflictFile(folder), {one.about for one in waiting}
    return [
        _Pair(loser=one, winner=other, why=_BOTH_USERS, is_listed=False, is_duplicate=True)
        for one, other in map(sorted, open_ones)
        if conflict_id(one, other) not in decided and not conflicts.is_decided_by_person(one, other)
    ]


def _in_order(pair: _Pair, known: Known) -> _Pair:
    """Return a pair with the memory that would go by the rules of duplicates first, where nobody has proposed one."""
    if pair.is_listed:
        return pair
    loser, winner = sorted((known[pair.loser], known[pair.winner]), key=precedence)
    return _Pair(loser=loser.id, winner=winner.id, why=pair.why, is_listed=False, is_duplicate=True)


def _ask_about(number: int, total: int, pair: _Pair, known: Known) -> KeyQuestion:
    winner = known.get(pair.winner)
    kept = f"{pair.winner_text} (not there any more)" if winner is None else memory_in_words(winner)
    kind = "a duplicate" if pair.is_duplicate else "contradicted" if pair.winner else "without content"
    return KeyQuestion(
        title=f"{number} of {total}: {pair.loser}, {kind}",
        lines={
            "retire": memory_in_words(known[pair.loser]),
            **({"keep": kept} if pair.winner else {}),
            "why": pair.why,
        },
        answers=_ANSWERS if pair.winner else _ALONE,
        memories=(pair.loser,),
        retires={"r": pair.loser},
    )


class _Desk:
    """Puts what a person answers into the inbox, and takes it back from there."""

    def __init__(self, options: Options, pairs: list[_Pair]) -> None:
        self._options, self._folder, self._pairs = options, options.folder, pairs
        self._put: list[Arguments] = []

    def decide(self, number: int, key: str) -> None:
        pair = self._pairs[number]
        asked = self._to_request(pair, is_accepted=key == "r")
        self._put.append(asked)
        if key == "r":
            order(self._options, asked, f"{pair.loser} {{}} be retired", say=say)
        else:
            put(self._folder, asked, at=system_clock())
            if not is_of_host(self._folder):
                settle(self._options, self._folder)
            say(f"{pair.loser} stays in use")

    def _to_request(self, pair: _Pair, *, is_accepted: bool) -> Arguments:
        if pair.is_listed:
            kept = kept_in_use(self._folder)
            kept = kept - {pair.loser} if is_accepted else kept | {pair.loser}
            return Adopt(memories=(pair.loser,) if is_accepted else (), excluded=tuple(sorted(kept)))
        return ConflictDecision(
            action=RequestKind.KEEP if is_accepted else RequestKind.DISMISS,
            memories=(pair.loser, pair.winner),
            keep=pair.winner if is_accepted else None,
        )

    def take_back(self, number: int, key: str) -> None:
        loser = self._pairs[number].loser
        if not Inbox(self._folder).withdraw(self._put[-1]):
            allowed = command_on(self._folder, f"undo {loser}") if key == "r" else "to retire it on the page"
            raise StoreError(f"the answer about {loser} is carried out already; allowed: {allowed}")
        self._put.pop()
        say(f"{loser} is open again")


COMMANDS = (
    declare(
        "review",
        _run_review,
        FOLDER,
        DRY_RUN,
        examples=("memory-ledger review", "memory-ledger review --dry-run"),
        note="Keys: r retire as proposed, k keep both, l later, u undo, q quit, ? help. In a pipe, each line of the "
        "input is a key.",
    ),
)
