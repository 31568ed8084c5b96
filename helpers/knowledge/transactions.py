"""Messages put together to transactions: what was asked once, and all that agents did for it (M-03, M-04, T-34).

A message belongs to the transaction that it names; else to that of its parent; else to that of its request; else to
the latest chain of its session that was waiting for just this agent (a model invents parents, an orchestrator does
not). A chain begins with its first message or with the user, and ends with its first terminal one: what comes after
that belongs to nothing. Only a chain that ended with a rejection goes on where an agent was called all the same. Pure.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field

from .hops import MEMORY_AGENT, NO_WORD, Hop, is_rejection

#: So many chains may wait for their next message at a time; the one that has waited longest is given up.
MOST_OPEN = 5_000
#: So many messages of one chain are kept; of one that goes on, only the end is.
MOST_HOPS = 2_000
#: So many messages of chains that wait are kept in all.
MOST_WAITING = 100_000
#: A message is found again by so many keys at most.
_KEYS_OF_A_HOP = 5
#: A message without a parent that holds continues a chain only this long after its last one, and any message a
#: chain that was rejected.
_PATIENCE_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class Transaction:
    """A chain from its first message to its end, in order; `origin` is the log that it ended in."""

    hops: tuple[Hop, ...]
    origin: str = ""

    @property
    def id(self) -> str:
        """The id that a person finds it by in the log: its own, else its request's, else its session's."""
        first = self.hops[0]
        return first.transaction or first.request or first.session or first.message or "unnamed"


@dataclass(slots=True)
class _Chain:
    hops: list[Hop] = field(default_factory=list)
    is_closed: bool = False
    is_rejected: bool = False
    origin: str = ""

    def goes_on_with(self, hop: Hop) -> bool:
        """Whether an agent was called soon after the chain was rejected; who remembers it is none that should not."""
        waited = hop.at - self.hops[-1].at
        return self.is_rejected and hop.agent != MEMORY_AGENT and 0 <= waited <= _PATIENCE_SECONDS


class Assembler:
    """Takes messages in the order of the log and gives transactions as they end, one that is rejected once it is past.

    `finish` gives those that were rejected and might have gone on.
    """

    def __init__(self, most_open: int = MOST_OPEN, most_waiting: int = MOST_WAITING) -> None:
        self._chains: OrderedDict[int, _Chain] = OrderedDict()
        self._by_key: dict[tuple[str, str, str], int] = {}
        self._keys_of: dict[int, list[tuple[str, str, str]]] = {}
        self._next = 0
        self._most_open, self._most_waiting = most_open, most_waiting
        self._waiting_hops = 0
        #: Messages that belong to no chain, come after its end, or are too many.
        self.stray = 0

    def add(self, hop: Hop) -> Iterator[Transaction]:
        """Take the next message; yield the transactions that end with it."""
        copy = _copy_key(hop)
        number = self._find(hop, copy)
        if number is None:
            if not hop.begins and not hop.transaction:
                self.stray += 1
                return
            yield from self._close_silent(hop)
            number = self._begin()
        chain = self._chains[number]
        self._chains.move_to_end(number)
        if self._by_key.get(copy) == number:
            return  # written twice
        if len(self._keys_of[number]) < _KEYS_OF_A_HOP * MOST_HOPS:
            self._index(number, hop, copy)
        is_full = len(chain.hops) >= MOST_HOPS and not hop.is_terminal
        if is_full or (chain.is_closed and not chain.goes_on_with(hop)):
            self.stray += 1
            return
        chain.hops.append(hop)
        self._waiting_hops += 1
        if hop.is_terminal and not chain.is_closed:
            yield from self._close(chain)
        yield from self._forget_oldest()

    def silent(self) -> Iterator[Transaction]:
        """Yield the chains that have not ended, as far as they went."""
        for chain in self._chains.values():
            if not chain.is_closed:
                yield Transaction(tuple(chain.hops))

    def finish(self) -> Iterator[Transaction]:
        """Yield the chains that were rejected, with what was called all the same."""
        for chain in self._chains.values():
            if chain.is_rejected:
                yield Transaction(tuple(chain.hops), chain.origin)

    def _begin(self) -> int:
        self._next += 1
        self._chains[self._next] = _Chain()
        self._keys_of[self._next] = []
        return self._next

    def _find(self, hop: Hop, copy: tuple[str, str, str]) -> int | None:
        if hop.transaction:
            return self._by_key.get(("transaction", "", hop.transaction))
        if hop.parent and (found := self._by_key.get(("message", hop.session, hop.parent))) is not None:
            return found
        if (copied := self._by_key.get(copy)) is not None:
            return copied
        if hop.begins and not self._same_request(hop):
            return None
        if hop.request and (found := self._by_key.get(("request", hop.session, hop.request))) is not None:
            return found
        return self._waiting(hop)

    def _same_request(self, hop: Hop) -> bool:
        """Whether a first message goes on with a request that has not ended: two users' messages of one request."""
        found = self._by_key.get(("request", hop.session, hop.request)) if hop.request else None
        return found is not None and not self._chains[found].is_closed

    def _waiting(self, hop: Hop) -> int | None:
        found = self._by_key.get(("waiting", hop.session, hop.agent))
        if found is None:
            found = self._by_key.get(("silent", hop.session, "")) if hop.following == NO_WORD else None
            return found
        last = self._chains[found].hops[-1]
        follows = hop.sequence in (0, last.sequence + 1) and 0 <= hop.at - last.at <= _PATIENCE_SECONDS
        return found if follows else None

    def _index(self, number: int, hop: Hop, copy: tuple[str, str, str]) -> None:
        keys = [copy]
        if hop.message:
            keys.append(("message", hop.session, hop.message))
        if hop.transaction:
            keys.append(("transaction", "", hop.transaction))
        if hop.request:
            keys.append(("request", hop.session, hop.request))
        if hop.following not in ("", NO_WORD):
            keys.append(("waiting", hop.session, hop.following))
        if hop.following == NO_WORD:
            keys.append(("silent", hop.session, ""))
        for key in keys:
            self._by_key[key] = number
        self._keys_of[number].extend(keys)

    def _close(self, chain: _Chain) -> Iterator[Transaction]:
        chain.is_closed, chain.is_rejected = True, is_rejection(chain.hops[-1])
        chain.origin = chain.hops[-1].origin
        if not chain.is_rejected:
            yield Transaction(tuple(chain.hops), chain.origin)
            self._waiting_hops -= len(chain.hops)
            chain.hops = chain.hops[-1:]

    def _close_silent(self, hop: Hop) -> Iterator[Transaction]:
        """Where messages never say who follows, a chain ends where the next one of its session begins."""
        number = self._by_key.get(("silent", hop.session, ""))
        chain = self._chains.get(number) if number is not None else None
        if chain is not None and not chain.is_closed and chain.hops[-1].following == NO_WORD:
            yield from self._close(chain)

    def _forget_oldest(self) -> Iterator[Transaction]:
        while len(self._chains) > self._most_open or self._waiting_hops > self._most_waiting:
            number, chain = self._chains.popitem(last=False)
            if chain.is_rejected:
                yield Transaction(tuple(chain.hops), chain.origin)
            if chain.is_rejected or not chain.is_closed:
                self._waiting_hops -= len(chain.hops)
            for key in self._keys_of.pop(number):
                if self._by_key.get(key) == number:
                    del self._by_key[key]


def _copy_key(hop: Hop) -> tuple[str, str, str]:
    """Return what two copies of one message have in common, and two messages of one id have not."""
    return "copy", hop.session, f"{hop.message or hop.agent}@{hop.at}/{hop.content}/{hop.tasks}"
