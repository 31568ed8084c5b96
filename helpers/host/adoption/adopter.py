"""Adopt new memories of the docstore into the ledger: classify them, then settle their contradictions.

The host's memorizers write in the background, after every hook has run, and nothing says when they are done. So each
hook first adopts the new memories. Runs in a worker thread; one run at a time per memory folder.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache, partial
from itertools import islice

from ...errors import Problem
from ...ledger.adopt import Carried, fingerprint, judge_metadata
from ...ledger.attribution import Conversation
from ...ledger.authority import Actor, actor_of
from ...ledger.changes import Change, Classify, Confirm, Outdate, Reinstate, Restore, Revert, Supersede, Withdraw
from ...ledger.classify import Circumstances, classify_memory
from ...ledger.copies import COPY_RULE
from ...ledger.lifecycle import status_of, why_empty, without_future
from ...privacy import scan
from ...recall.lexical import parse_terms
from ...records import Memory, Validity
from ...settings import Settings
from ...store.docstore import Store
from ...store.files import JOURNAL_FILE, read_lines_if_any
from ...store.tables import SecretBook
from ..turns import TurnRing
from . import transfers
from .request_handler import RequestHandler
from .settling import FirstLook, Settler, find_nearest, gather, link_replaced, retire_echoes
from .trust import find_confirmed, read_voucher

_RECENT_COUNT = 200
#: The exceptions of a mistake in a rule; refusals of the system or the host are others.
_FAULTS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


@dataclass(slots=True)
class Adoption:
    """The result of one run: classifications with their reasons, changes of status, and the waiting work.

    `remaining` memories wait to be classified; at a first look, `unreviewed` memories wait to be compared with others.
    """

    classified: list[Classify] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    remaining: int = 0
    unreviewed: int = 0

    @property
    def is_done(self) -> bool:
        """Whether no work waits."""
        return not self.remaining and not self.unreviewed


class Adopter:
    """Adopts the memories of one folder; with `trusts_origin` an operator vouches for the source of new memories.

    With `trusts_time` also for their times; else memories are ordered as they come.
    """

    def __init__(self, store: Store, turns: TurnRing) -> None:
        self.store = store
        self.turns = turns
        self.trusts_origin = False
        self.trusts_time = False
        self._lock = threading.RLock()
        self._pending: deque[str] = deque()
        self._old: dict[str, None] = {}  # memories older than the pack, the oldest last
        self._new: set[str] = set()  # memories that came during the first look
        self._early: list[str] = []  # those of them that were settled before all old ones were read
        self._unworded: deque[str] = deque()
        self._departed: deque[Memory] = deque(maxlen=_RECENT_COUNT)
        self._recent_inferred: deque[str] = deque(maxlen=_RECENT_COUNT)
        self.settler = Settler(store, self._is_settled)
        self._first_look = FirstLook(store, self._is_settled, self._acted_on)
        self.secrets = SecretBook(store.database)
        self.transfers = transfers.TransferHandler(store)
        self.requests = RequestHandler(store, self.transfers.bring)

    def run(self, settings: Settings, *, limit: int) -> Adoption:
        """Adopt at most `limit` memories; costs next to nothing if none is new."""
        with self._lock:
            result = Adoption()
            self.transfers.receive(limit)
            self._sweep()
            self.store.conflicts.rates = settings.staleness_config
            self.enter_words(limit=limit)
            if self._waiting():
                self._adopt(settings, limit, result)
            if not self._waiting() and self.store.is_first_look:
                for retirement in self._first_look.advance(settings, limit):
                    self._carry_out(retirement, result)
            if not self._waiting():
                if settings.secret_warnings and len(self.store):
                    self.secrets.finish()
                self.store.note_all_adopted()
                for change in self.requests.carry_out():
                    self._follow(change, result)
                for change in self.requests.settle_in_words(self.turns):
                    self._follow(change, result)
            self.store.requests.run(*transfers.KINDS)
            result.remaining = self._waiting() + self.transfers.remaining
            result.unreviewed = self._first_look.remaining
            return result

    def candidates(self, memory: Memory) -> list[Memory]:
        """Return the memories that a memory, stored or not, may contradict, from the index of claims."""
        with self._lock:
            return self.settler.candidates(memory, [])

    def has_work(self) -> bool:
        """Whether memories wait from an earlier run, or new requests do; some stat calls."""
        if self._waiting() or self.store.is_first_look or self.store.conflicts.proposed:
            return True
        return self.store.requests.has_requests(*self.requests.kinds, *transfers.KINDS)

    def _waiting(self) -> int:
        return len(self._pending) + len(self._old)

    def _sweep(self) -> None:
        sweep = self.store.sweep()
        self._departed.extend(memory for memory in sweep.vanished if memory.classification is not None)
        vanished = [memory.id for memory in sweep.vanished]
        for memory_id in vanished:
            self.settler.remove(memory_id)
        self.store.names.drop(vanished)
        if self.secrets.drop(vanished):
            self.store.version += 1
        with self.store.lock:
            for memory_id in (*vanished, *sweep.added):
                self.store.lexical.remove(memory_id)  # an updated memory comes again under its id
                self._old.pop(memory_id, None)
        was_there = [
            memory_id
            for memory_id in sweep.added
            if self.store.is_first_look and self.store.honours_unsealed(memory_id)
        ]
        self._old |= dict.fromkeys(reversed(was_there))
        self._pending.extend(memory_id for memory_id in sweep.added if memory_id not in self._old)
        self._unworded.extend(sweep.added)

    def _adopt(self, settings: Settings, limit: int, result: Adoption) -> None:
        evidence = cache(partial(gather, self._departed, self.turns))
        came, now = list[Memory](), self.store.clock()
        fresh: list[str] = []
        unknown: list[str] = []
        derived: set[str] = set()
        for memory_id, is_old in islice(self._next(settings.conflict_top_k), limit):
            with self._stopping_no_other(memory_id):
                memory = self.store.read_as_found(memory_id)
                if memory is None:
                    continue
                judged = judge_metadata(memory, self.store.key, honours_unsealed=self.store.honours_unsealed(memory_id))
                if settings.secret_warnings:
                    self._look_for_secrets(memory, judged)
                match judged:
                    case Carried.OURS:
                        self._remember(memory)
                        if self.transfers.has_brought(memory_id) or memory_id in self._new:
                            fresh.append(memory_id)
                    case Carried.HONOURED:
                        memory = replace(memory, lineage=without_future(status_of(memory)[1], now))
                        self.store.put(memory)
                        self._remember(memory)
                    case carried:
                        voucher = read_voucher(self.store.key, memory)
                        is_trusted = self.trusts_origin or voucher is not None
                        is_copy, heard = carried is Carried.COPIED, evidence(is_old)
                        status = self._classify(
                            memory, heard, settings, now, is_old=is_old, is_copy=is_copy, is_trusted=is_trusted
                        )
                        if not is_old and voucher is None:
                            self.settler.hear(memory.id, status.spoken, status.rejected)
                        result.classified.append(status)
                        if not is_old and voucher is not False:
                            fresh.append(memory_id)
                        if not is_old and not is_trusted:
                            derived.add(memory_id)
                        if not is_old and carried is Carried.ABSENT and voucher is None:
                            unknown.append(memory_id)
                adopted = self.store.read(memory_id)
                if adopted is None or adopted.lineage is None:
                    continue
                came.append(adopted)
                self.settler.enter(adopted)
                is_of_the_pack = memory_id in self._new or memory_id in self.store.mirrored
                if self.store.is_first_look and not is_of_the_pack:
                    self._first_look.add(adopted)
        self.store.order.end_sweep(came, now)
        self._withdraw_empty([memory for memory in came if memory.id in derived], result)
        for change in link_replaced(self.store, unknown, self._departed):
            self._follow(change, result)
        self._retire_echoes(unknown if settings.echo_guard else [], result)
        self._settle(fresh, settings, result)
        self._early += fresh if self._old else []
        if not self._old:  # now that everything is read, against that as well
            self._settle(self._early, settings, result)
            self._early = []

    @contextmanager
    def _stopping_no_other(self, memory_id: str) -> Iterator[None]:
        """Report a fault of ours that a text provokes: its memory stays as it is, and the others go on."""
        try:
            yield
        except _FAULTS as exc:
            fault = f"{type(exc).__name__} while it was read: {exc}"
            allowed = "any text; it stays in use as it is, and nothing is compared with it"
            self.store.problems.tell(Problem(where=f"memory {memory_id}", found=fault, allowed=allowed))

    def _next(self, top_k: int) -> Iterator[tuple[str, bool]]:
        """Yield the waiting ids and whether each is older than the pack; new ones, and their nearest, come first."""
        while self._pending:
            memory_id = self._pending.popleft()
            if self.store.is_first_look:
                self._new.add(memory_id)
            yield memory_id, False
            for near_id in find_nearest(self.store, memory_id, top_k) if self._old else ():
                if near_id in self._old:
                    del self._old[near_id]
                    yield near_id, True
        while self._old:
            yield self._old.popitem()[0], True

    def _look_for_secrets(self, memory: Memory, judged: Carried) -> None:
        """Note the kinds of secrets in a memory, unless it was scanned before."""
        if judged is Carried.OURS and self.secrets.is_whole and not self.transfers.has_brought(memory.id):
            return
        if self.secrets.note(memory.id, (finding.type for finding in scan(memory.text))):
            self.store.version += 1

    def enter_words(self, *, limit: int) -> int:
        """Enter at most `limit` memories, adopted or not, into the search by words; return how many are left.

        This is much faster than adoption, and recall has no search by words until it is done.
        """
        with self._lock:
            for _ in range(min(limit, len(self._unworded))):
                memory_id = self._unworded.popleft()
                memory = self.store.read(memory_id)
                if memory is not None and memory_id not in self.store.lexical:
                    with self._stopping_no_other(memory_id):
                        terms = parse_terms(memory.text, memory.created_at)
                        with self.store.lock:
                            self.store.lexical.add(memory_id, terms)
            return len(self._unworded)

    def _remember(self, memory: Memory) -> None:
        """Write the row of a memory whose status stays as it is."""
        position = self.store.index.position(memory.id)
        if position is not None:
            self.store.rows.so_far.set(position, memory)

    def _classify(
        self,
        memory: Memory,
        evidence: tuple[Conversation, list[Circumstances]],
        settings: Settings,
        now: datetime,
        *,
        is_old: bool,
        is_copy: bool,
        is_trusted: bool,
    ) -> Classify:
        """Classify a memory; what its metadata says of its quality counts where a model cannot have written it."""
        conversation, circumstances = evidence
        keeps_time = is_old or self.trusts_time or self.transfers.has_brought(memory.id)
        ordered_at = None
        if not keeps_time:
            memory, ordered_at = self.store.order.place(memory, now, may_be_old=is_copy)
        change = classify_memory(
            memory,
            conversation,
            settings,
            circumstances=circumstances,
            cycle=self.store.state.recall_cycle,
            trusts_origin=is_trusted,
            earlier=partial(self.settler.known_before, memory, settings.conflict_top_k),
            was_there=is_old,
            ordered_at=ordered_at,
        )
        lineage = without_future(change.lineage, now) if keeps_time else change.lineage
        mark = memory.lineage.fingerprint if is_copy and memory.lineage is not None else None
        origins = (gone.id for gone in reversed(self._departed) if fingerprint(gone.text) == mark)
        if mark is not None and (origin := next(origins, None)):
            # The host wrote the metadata of a deleted memory into this one.
            lineage = lineage.model_copy(update={"supersedes_ids": (origin,)})
        keeps_quality = is_trusted or self.store.honours_unsealed(memory.id)
        change = replace(change, lineage=lineage, keeps_quality=keeps_quality)
        self.store.apply([change])
        if change.classification.validity is Validity.INFERRED:
            self._recent_inferred.append(memory.id)
        return change

    def _acted_on(self) -> frozenset[str]:
        """Return the ids of memories that a person has acted on, which no rule retires as empty."""
        lines = read_lines_if_any(self.store.folder / JOURNAL_FILE)
        return frozenset(str(line.get("memory")) for line in lines if actor_of(line) is Actor.PERSON)

    def _is_settled(self, one_id: str, other_id: str) -> bool:
        """Whether a person has decided about two memories, which no rule overturns."""
        is_decided = self.store.conflicts.is_decided_by_person(one_id, other_id)
        is_brought = self.transfers.has_brought(one_id, other_id)  # where they come from it was settled
        return is_decided or is_brought or self.requests.is_asked(one_id, other_id)

    def _withdraw_empty(self, derived: list[Memory], result: Adoption) -> None:
        """Retire memories that say nothing, unless a person has acted on them."""
        reasons = {
            memory.id: reason
            for memory in derived
            if memory.id not in self.store.mirrored and (reason := why_empty(memory))
        }
        for memory_id in sorted(reasons.keys() - self._acted_on()) if reasons else ():
            moment, cycle = self.store.clock(), self.store.state.recall_cycle
            self._carry_out(
                Withdraw(memory_id=memory_id, at=moment, cycle=cycle, reasons=(reasons[memory_id],)), result
            )

    def _retire_echoes(self, unknown: list[str], result: Adoption) -> None:
        """Retire memories that only restate a memory which was in a prompt of the turn window.

        A rewritten memory is no echo. What the person says next may confirm the original instead of the echo.
        """
        injected = self.store.injected.recent(self.turns.holds)
        for change in retire_echoes(self.store, unknown, injected, self._is_settled):
            self._carry_out(change, result)
            if change.winner_id not in self._recent_inferred:
                self._recent_inferred.append(change.winner_id)

    def _settle(self, fresh: list[str], settings: Settings, result: Adoption) -> None:
        """Compare each new memory with its nearest neighbours and carry out the rulings."""
        for memory_id in fresh:
            with self._stopping_no_other(memory_id), self.store.acts.following(memory_id):
                for change in self.settler.decide_about(memory_id, settings, is_all_read=not self._old):
                    self._carry_out(change, result)
                    if isinstance(change, Supersede | Outdate) and change.rule != COPY_RULE:
                        loser_id = change.loser_id if isinstance(change, Supersede) else change.memory_id
                        for copied in self.settler.retire_copies(loser_id, change.winner_id, settings.conflict_top_k):
                            self._carry_out(copied, result)

    def _carry_out(self, change: Change, result: Adoption) -> None:
        if self.store.apply([change]):
            self._follow(change, result)

    def _follow(self, change: Change, result: Adoption) -> None:
        """Note a change that took effect, in the result and in the claim index."""
        result.changes.append(change)
        if isinstance(change, Supersede | Withdraw):
            self.settler.remove(change.ids[0])
            self._first_look.leave_out(change.ids[0])
        elif (
            isinstance(change, Outdate | Restore | Reinstate | Revert)
            and (memory := self.store.read(change.memory_id)) is not None
        ):
            self.settler.enter(memory)

    def confirm_recent(self) -> list[Confirm]:
        """Confirm the inferred memories that the person's newest message agrees with."""
        with self._lock:
            changes = find_confirmed(self.store, self.turns, list(self._recent_inferred))
            self.store.apply(changes, by=Actor.MESSAGE)
            for change in changes:
                self._recent_inferred.remove(change.memory_id)
            return changes
