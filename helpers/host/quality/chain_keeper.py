"""Keeps the chain of a store: what came, what was rewritten, what has gone; and what a person asks for (Q-31, T-30)."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from ...clock import EPOCH, format_time
from ...inbox import AcceptBreaks, RotateKey
from ...ledger.lifecycle import is_classified, status_of
from ...quality import chain
from ...texts import counted
from .chain_file import ChainFile, to_core

if TYPE_CHECKING:
    from ..docstore.store import Store

_RULE = "Q-31"


class ChainKeeper:
    """Chains what comes into a store, and what leaves it; nothing new costs a look at two sizes."""

    def __init__(self, store: Store, file: ChainFile) -> None:
        self._store = store
        self.file = file
        self._seen: dict[str, Any] | None = None
        self._expected: frozenset[str] = frozenset()
        self._lock = threading.Lock()
        self._unsigned_until = EPOCH
        self._known: dict[str, str] = {}
        self._head = chain.ChainHead(count=0, digest=chain.GENESIS)
        store.requests.handlers |= {
            AcceptBreaks: lambda asked, _: [f"{counted(len(self.accept(asked)), 'break', 'breaks')} accepted"],
            RotateKey: lambda asked, _: [f"signed with key {self.rotate(reason=asked.reason)} from now on"],
        }

    def expect(self, memory_ids: Collection[str]) -> None:
        """Take what these memories say for a change of our own, which a kill may have kept from the chain."""
        self._expected = frozenset(memory_ids)

    def catch_up(self, *, limit: int | None = None) -> int:
        """Write what is new since the last time, and return how many lines: adopted, rewritten, deleted by the host.

        A memory that is chained and reads otherwise when the process begins was altered behind our back: it stays as it
        is, for the verification to name. What was there before there was a chain is chained unsigned (T-30). With a
        `limit` the rest is left to the next call. One call at a time: the end of a turn comes here too. What a person
        asked for at a terminal is done as well.
        """
        with self._lock:
            written = self._catch_up(limit)
        self._store.requests.run(AcceptBreaks, RotateKey)
        return written

    def _catch_up(self, limit: int | None) -> int:
        with self._store.lock:
            documents: dict[str, Any] = dict(self._store.db.get_all_docs())
        is_first = self._seen is None
        if self._seen is None:
            self._unsigned_until = self.file.begin(self._store.clock() if documents else EPOCH)
            self._head, self._known = self.file.open()
            # What is chained already is as it was until somebody proves otherwise.
            kept = {*self._known} - self._expected
            self._seen = {one: document for one, document in documents.items() if one in kept}
        if not is_first and not self._has_news(documents):
            return 0
        due = [one for one, document in documents.items() if self._seen.get(one) is not document]
        read = [memory for memory in map(self._store.read, due[:limit]) if is_classified(memory)]
        fresh = [core for core in map(to_core, read) if core is not None and self._is_new(core)]
        old = {memory.id for memory in read if status_of(memory)[1].created_at <= self._unsigned_until}
        gone = [one for one in self._known if one not in documents]
        before = self._head.count
        if fresh or gone:
            # What nobody signed comes first, as it was there first.
            self._append(sorted(fresh, key=lambda core: core.id not in old), gone, unsigned=old)
        waiting = set(due) - {one.id for one in read}
        self._seen = {one: document for one, document in documents.items() if one not in waiting}
        return self._head.count - before

    def _has_news(self, documents: dict[str, Any]) -> bool:
        seen, last = self._seen or {}, next(reversed(documents.items()), None)
        return len(documents) != len(seen) or (last is not None and seen.get(last[0]) is not last[1])

    def _is_new(self, core: chain.Core) -> bool:
        known = self._known.get(core.id)
        return known is None or not chain.fits(core, known, self.file.keys)

    def _append(
        self,
        cores: Iterable[chain.Core],
        gone: Iterable[str] = (),
        *,
        unsigned: Collection[str] = (),
        accepted: Collection[chain.Break] = (),
    ) -> None:
        keys, bodies = self.file.keys, list[chain.Line]()

        def describe() -> list[chain.Line]:
            bodies.extend(chain.describe(core, keys, is_signed=core.id not in unsigned) for core in cores)
            bodies.extend(map(chain.bury, gone))
            bodies.extend([chain.accept(accepted)] if accepted else [])
            return bodies

        self._head = self.file.append(self._head, describe, at=format_time(self._store.clock()))
        for body in bodies:
            if "tombstone" in body:
                del self._known[body["id"]]
            elif (stated := chain.stated_in(body)) is not None:
                self._known[body["id"]] = stated

    # --- what a person asks for ----------------------------------------------------------------------------------

    def rotate(self, *, reason: str) -> str:
        """Sign with a new key from now on, and put that on record; return the name of the key."""
        with self._lock:
            name = self.file.keys.rotate()
        self._record("rotate-key", reason, [{"key": name}])
        return name

    def accept(self, asked: AcceptBreaks) -> list[chain.Break]:
        """Accept the breaks of some lines, or all, as they are now; return them.

        A line says so for good, and so does the journal. A memory that reads otherwise is chained as it reads; where
        lines are missing the chain goes on from where it ends.
        """
        with self._lock:
            self._catch_up(None)
            report = self.file.verify(self._store.read_as_found)
            chosen = [one for one in report.in_order if asked.lines is None or one.seq in asked.lines]
            if not chosen:
                return []
            if any(one.digest is None and one.memory_id is None for one in chosen):
                self._head = self.file.end()
            about = dict.fromkeys(one.memory_id for one in chosen if one.memory_id is not None)
            cores = [core for one in about if (core := to_core(self._store.read_as_found(one))) is not None]
            self._append(cores, accepted=chosen)
        rows = [{"line": one.seq, "memory": one.memory_id, "found": one.reason} for one in chosen]
        self._record("accept-break", asked.reason, rows)
        return chosen

    def erase(self, memory_id: str) -> int:
        """Leave nothing of an erased memory in the chain; return how many lines spoke of it (T-64)."""
        with self._lock:
            count = self.file.erase(memory_id, at=format_time(self._store.clock()))
            self._known.pop(memory_id, None)
            if self._seen is not None:
                self._seen.pop(memory_id, None)
        return count

    def _record(self, action: str, reason: str, rows: Iterable[dict[str, Any]]) -> None:
        at = format_time(self._store.clock())
        shared = {"action": action, "at": at, "rule": _RULE, "reasons": [reason]}
        self._store.record({**shared, **row} for row in rows)
