"""Keeps the chain of a store: what came, what was rewritten, what has gone (Q-31, T-30)."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from ...clock import EPOCH, format_time
from ...inbox import SignAnew
from ...ledger.lifecycle import is_classified, status_of
from ...quality import chain
from ...setting_groups import SignatureAlgorithm
from ...texts import counted
from .chain_file import ChainFile, to_core

if TYPE_CHECKING:
    from ..docstore.store import Store

_RULE = "Q-31"


class ChainKeeper:
    """Chains what comes into a store, and what leaves it; nothing new costs a look at two sizes."""

    def __init__(self, store: Store, algorithm: SignatureAlgorithm) -> None:
        self._store = store
        self.file = ChainFile(store.folder, algorithm, store.clock)
        self._seen: dict[str, Any] | None = None
        self._expected: frozenset[str] = frozenset()
        self._lock = threading.Lock()
        self._unsigned_until = EPOCH
        self._known: dict[str, str] = {}
        self._head = chain.ChainHead(count=0, digest=chain.GENESIS)
        store.requests.handlers[SignAnew] = lambda asked, _: [_in_words(len(self.sign_anew(asked)))]

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
        self._store.requests.run(SignAnew)
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

    def _append(self, cores: Iterable[chain.Core], gone: Iterable[str] = (), *, unsigned: Collection[str] = ()) -> None:
        keys, bodies = self.file.keys, list[chain.Line]()

        def describe() -> list[chain.Line]:
            bodies.extend(chain.describe(core, keys, is_signed=core.id not in unsigned) for core in cores)
            bodies.extend(map(chain.bury, gone))
            return bodies

        self._head = self.file.append(self._head, describe, at=format_time(self._store.clock()))
        self._note(bodies)

    def _note(self, bodies: Iterable[chain.Line]) -> None:
        """Know which digest of each memory is chained."""
        for body in bodies:
            if "tombstone" in body:
                del self._known[body["id"]]
            elif (stated := chain.stated_in(body)) is not None:
                self._known[body["id"]] = stated

    def sign_anew(self, asked: SignAnew) -> list[chain.Break]:
        """Chain and sign all memories anew as they are now, if the chain does not hold; return what did not hold.

        A person has agreed to that: the journal keeps what was broken, and why it is left at that.
        """
        with self._lock:
            self._catch_up(None)
            breaks = self.file.verify(self._store.read_as_found).in_order
            if not breaks:
                return []
            keys, bodies = self.file.keys, list[chain.Line]()
            cores = [core for one in self._seen or () if (core := to_core(self._store.read_as_found(one))) is not None]

            def describe() -> list[chain.Line]:
                bodies.extend(chain.describe(core, keys) for core in cores)
                return bodies

            at = format_time(self._store.clock())
            self._known, self._head = {}, self.file.sign_anew(describe, at=at)
            self._note(bodies)
        shared = {"action": "sign-anew", "at": at, "rule": _RULE, "reasons": [asked.reason]}
        rows = ({"line": one.seq, "memory": one.memory_id, "found": one.reason} for one in breaks)
        self._store.record({**shared, **row} for row in rows)
        return breaks

    def erase(self, memory_id: str) -> int:
        """Leave nothing of an erased memory in the chain; return how many lines spoke of it (T-64)."""
        with self._lock:
            count = self.file.erase(memory_id, at=format_time(self._store.clock()))
            self._known.pop(memory_id, None)
            if self._seen is not None:
                self._seen.pop(memory_id, None)
        return count


def _in_words(breaks: int) -> str:
    if not breaks:
        return "the chain holds; nothing was signed anew"
    return f"all memories are signed anew; {counted(breaks, 'break is', 'breaks are')} on record"
