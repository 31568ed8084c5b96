"""What a person ordered at a terminal: memories to be brought back, or to be erased (T-64, T-70).

The terminal appends a line, the host's next hook carries it out and puts the outcome in its place. Nothing but the host
process ever changes the host's store: it would wipe an index that somebody else has written (contract, section 4).
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path
from typing import Any

from ...clock import format_time, parse_time
from ..storage import files

_log = logging.getLogger(__name__)

_DIGEST_BYTES = 6
_KEPT_OUTCOMES = 20


class OrderKind(StrEnum):
    """What can be ordered."""

    RESTORE = "restore"
    ERASE = "erase"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Bring back `ids`, or all that is missing if there are none; or erase them.

    `also` names what was found to go with the memories that are to be erased, once that has begun.
    """

    at: datetime
    action: OrderKind
    ids: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Return the name of the order."""
        words = json.dumps([format_time(self.at), self.action.value, *self.ids])
        return blake2b(words.encode(), digest_size=_DIGEST_BYTES).hexdigest()

    def to_row(self) -> dict[str, Any]:
        """Return the line of the order."""
        also = {"also": list(self.also)} if self.also else {}
        return {
            "order": self.key,
            "at": format_time(self.at),
            "action": self.action.value,
            "ids": list(self.ids),
            **also,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderResult:
    """What became of an order, in words; what is there of erased memories are numbers alone."""

    key: str
    at: datetime
    action: OrderKind
    words: str
    problems: tuple[str, ...] = field(default=())

    def to_row(self) -> dict[str, Any]:
        """Return the line of the outcome."""
        return {
            "done": self.key,
            "at": format_time(self.at),
            "action": self.action.value,
            "words": self.words,
            "problems": list(self.problems),
        }


class OrderFile:
    """The orders of one memory folder; every call blocks."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / files.BACKUP_ORDERS_FILE

    def append(self, order: Order) -> None:
        """Put an order where the running host finds it."""
        files.append_lines(self.path, [order.to_row()], mode=0o600)

    def read(self) -> tuple[list[Order], list[OrderResult]]:
        """Return what is still to be done, and what was done, each in the order of the lines."""
        orders: dict[str, Order] = {}
        outcomes: list[OrderResult] = []
        for row in files.read_lines_if_any(self.path):
            order, outcome = _to_order(row), _to_outcome(row)
            if order is not None:
                orders[order.key] = order
            elif outcome is not None:
                orders.pop(outcome.key, None)
                outcomes.append(outcome)
            else:
                _log.warning("%s: a line is neither an order nor an outcome", self.path)
        return list(orders.values()), outcomes

    def widen(self, order: Order) -> None:
        """Put an order, which says more now, into the place of the same one."""

        def choose(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
            return [order.to_row() if row.get("order") == order.key else row for row in rows]

        files.rewrite_lines(self.path, choose)

    def settle(self, outcome: OrderResult) -> None:
        """Put an outcome into the place of its order; only the latest outcomes stay."""

        def choose(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
            waiting = [row for row in rows if "done" not in row and row.get("order") != outcome.key]
            done = [row for row in rows if "done" in row]
            return [*done[-_KEPT_OUTCOMES:], outcome.to_row(), *waiting]

        files.rewrite_lines(self.path, choose)


def _to_order(row: dict[str, Any]) -> Order | None:
    at, ids, also = parse_time(row.get("at")), row.get("ids"), row.get("also", [])
    if at is None or "order" not in row or row.get("action") not in set(OrderKind):
        return None
    if not isinstance(ids, list) or not isinstance(also, list):
        return None
    return Order(at=at, action=OrderKind(row["action"]), ids=tuple(map(str, ids)), also=tuple(map(str, also)))


def _to_outcome(row: dict[str, Any]) -> OrderResult | None:
    at, problems = parse_time(row.get("at")), row.get("problems")
    if at is None or "done" not in row or row.get("action") not in set(OrderKind) or not isinstance(problems, list):
        return None
    return OrderResult(
        key=str(row["done"]),
        at=at,
        action=OrderKind(row["action"]),
        words=str(row.get("words", "")),
        problems=tuple(map(str, problems)),
    )
