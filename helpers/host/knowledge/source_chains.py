"""The chains that an entry comes from, as the audit logs tell them: who had a part, and how it ended (M-03, M-45).

The logs are only read, a bounded part of them: those of the days in which the entry was observed, the latest first.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from ...knowledge.decisions import TransactionSummary, decide
from ...knowledge.hops import Hop, parse_hop
from ...knowledge.log_lines import Heading, Record
from ...knowledge.log_names import LogName
from ...knowledge.transactions import Transaction
from ...knowledge.words import told_id
from .logs import LogFolder

_MOST_BYTES = 64_000_000
_DAY = timedelta(days=1)


def find_chains(
    folder: LogFolder, sources: Sequence[str], *, first: date, last: date, hop_limit: int
) -> dict[str, TransactionSummary]:
    """Return what became of chains, by their ids; one whose log is gone, or too long ago, is left out. Blocking.

    A chain may begin in the log before the one that it ends in, so one more is read once all are found.
    """
    found: dict[str, list[Hop]] = {}
    left = _MOST_BYTES
    logs = [
        (name, size)
        for name, size in reversed(folder.sizes().items())
        if first - _DAY <= name.day <= last + _DAY and not name.is_prose
    ]
    for name, size in logs:
        is_last = len(found) == len(set(sources))
        if size > left:
            break
        left -= size
        for hop in _hops_of(folder, name, size, sources):
            found.setdefault(_id_of(hop), []).append(hop)
        if is_last:
            break
    return {
        one: decide(Transaction(tuple(sorted(hops, key=lambda hop: (hop.at, hop.sequence)))), hop_limit=hop_limit)
        for one, hops in found.items()
    }


def _hops_of(folder: LogFolder, name: LogName, size: int, sources: Sequence[str]) -> Iterator[Hop]:
    wanted, marks = {*sources}, [json.dumps(one)[1:-1].encode() for one in sources]
    for line in folder.lines(name, end=size):
        if not any(mark in line for mark in marks):
            continue
        try:
            message = json.loads(line)
        except ValueError:
            continue
        record = Record(message, Heading()) if isinstance(message, dict) else None
        hop = None if record is None else parse_hop(record, origin=name.name, day=name.day)
        if hop is not None and _id_of(hop) in wanted:
            yield hop


def _id_of(hop: Hop) -> str:
    """Return the id that an entry names the chain of a message by."""
    return told_id(hop.transaction or hop.request or hop.session or hop.message)
