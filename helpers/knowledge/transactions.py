"""Messages put together to transactions: what was asked once, and all that agents did for it (M-03, M-04, T-34).

A message belongs to the transaction that it names; else to that of its parent; else to that of its request; else to
the latest chain of its session that was waiting for just this agent (a model invents parents, an orchestrator does
not). A chain begins with its first message or with the user, and ends with its first terminal one: what comes after
that belongs to nothing. Only a chain that ended with a rejection goes on where an agent was called all the same. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .hops import MEMORY_AGENT, Hop

#: So many chains may wait for their next message at a time; the one that has waited longest is given up.
MOST_OPEN = 5_000
#: So many messages of one chain are kept; of one that goes on, only the end is.
MOST_HOPS = 500
#: A message is found again by so many keys at most.
_KEYS_OF_A_HOP = 5
#: A message without a parent that holds continues a chain only this long after its last one, and any message a
#: chain that was rejected.
_PATIENCE_SECONDS = 3600.0

_HopKey = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Transaction:
    """A chain from its first message to its end, in order."""

    hops: tuple[Hop, ...]

    @property
    def id(self) -> str:
        """The id that a person finds it by in the log: its own, else its request's, else its session's."""
        first = self.hops[0]
        return first.transaction or first.request or first.session or first.message or "unnamed"


@dataclass(slots=True, eq=False)
class _Chain:
    hops: list[Hop] = field(default_factory=list)
    keys: list[_HopKey] = field(default_factory=list)
    is_closed: bool = False
    is_rejected: bool = False

    def goes_on_with(self, hop: Hop) -> bool:
        """Whether an agent was called soon after the chain was rejected; who remembers it is none that should not."""
        waited = hop.at - self.hops[-1].at
        return self.is_rejected and hop.agent != MEMORY_AGENT and 0 <= waited <= _PATIENCE_SECONDS


class Assembler:
    """Takes messages in the order of the log and gives transactions as they end, one that is rejected once it is past.

    `finish` gives those that were rejected and might have gone on.
    """

    def __init__(self, most_open: int = MOST_OPEN) -> None:
        self._most_open = most_open
        #: Every chain that a message may still belong to; the one in which something happened last is the last.
        self._chains: dict[_Chain, None] = {}
        self._by_key: dict[_HopKey, _Chain] = {}
        #: Messages that belong to no chain, come after its end, or are too many.
        self.stray = 0

    def add(self, hop: Hop) -> Iterator[Transaction]:
        """Take the next message; yield the transactions that end with it."""
        copy = _copy_key(hop)
        chain = self._find(hop, copy)
        if chain is None:
            if not hop.begins and not hop.transaction:
                self.stray += 1
                return
            chain = _Chain()
        self._chains.pop(chain, None)
        self._chains[chain] = None
        if self._by_key.get(copy) is chain:
            return  # written twice
        if len(chain.keys) < _KEYS_OF_A_HOP * MOST_HOPS:
            self._index(chain, hop, copy)
        is_full = len(chain.hops) >= MOST_HOPS and not hop.is_terminal
        if is_full or (chain.is_closed and not chain.goes_on_with(hop)):
            self.stray += 1
            return
        chain.hops.append(hop)
        if hop.is_terminal and not chain.is_closed:
            yield from self._close(chain)
        if len(self._chains) > self._most_open:
            yield from self._forget(next(iter(self._chains)))

    def silent(self) -> Iterator[Transaction]:
        """Yield the chains that have not ended, as far as they went."""
        return (Transaction(tuple(chain.hops)) for chain in self._chains if not chain.is_closed)

    def finish(self) -> Iterator[Transaction]:
        """Yield the chains that were rejected, with what was called all the same."""
        return (Transaction(tuple(chain.hops)) for chain in self._chains if chain.is_rejected)

    def _find(self, hop: Hop, copy: _HopKey) -> _Chain | None:
        if hop.transaction:
            return self._by_key.get(("transaction", "", hop.transaction))
        if hop.parent and (found := self._by_key.get(("message", hop.session, hop.parent))) is not None:
            return found
        if (copied := self._by_key.get(copy)) is not None:
            return copied
        same = self._by_key.get(("request", hop.session, hop.request)) if hop.request else None
        if hop.begins and (same is None or same.is_closed):
            return None  # two users' messages of one request that has not ended are one chain
        return same or self._waiting(hop)

    def _waiting(self, hop: Hop) -> _Chain | None:
        found = self._by_key.get(("waiting", hop.session, hop.agent))
        if found is None:
            return None
        last = found.hops[-1]
        follows = hop.sequence in (0, last.sequence + 1) and 0 <= hop.at - last.at <= _PATIENCE_SECONDS
        return found if follows else None

    def _index(self, chain: _Chain, hop: Hop, copy: _HopKey) -> None:
        keys = [copy]
        if hop.message:
            keys.append(("message", hop.session, hop.message))
        if hop.transaction:
            keys.append(("transaction", "", hop.transaction))
        if hop.request:
            keys.append(("request", hop.session, hop.request))
        if hop.following:
            keys.append(("waiting", hop.session, hop.following))
        self._by_key.update(dict.fromkeys(keys, chain))
        chain.keys.extend(keys)

    def _close(self, chain: _Chain) -> Iterator[Transaction]:
        chain.is_closed, chain.is_rejected = True, chain.hops[-1].is_rejection
        if not chain.is_rejected:
            yield Transaction(tuple(chain.hops))
            chain.hops = chain.hops[-1:]

    def _forget(self, chain: _Chain) -> Iterator[Transaction]:
        del self._chains[chain]
        if chain.is_rejected:
            yield Transaction(tuple(chain.hops))
        for key in chain.keys:
            if self._by_key.get(key) is chain:
                del self._by_key[key]


def _copy_key(hop: Hop) -> _HopKey:
    """Return what two copies of one message have in common, and two messages of one id have not."""
    return "copy", hop.session, f"{hop.message or hop.agent}@{hop.at}/{hop.content}/{hop.tasks}"
