"""Carry out what was ordered at a terminal, in the running host (T-64). An order that fails is tried again.

The outcome is written after the host has saved: a crash in between repeats an order, and repeating one changes nothing.
"""

from __future__ import annotations

from dataclasses import replace

from ...errors import MemoryLedgerError, Problem, shorten
from ..storage import files
from .backup import Backup
from .erase import Erasure, Forget, erase
from .orders import Order, OrderFile, OrderKind, OrderResult
from .restore import Tell, restore, restored_words
from .versions import find_versions


class OrderDesk:
    """Carries out the orders of one memory folder; costs one stat call while there are none."""

    def __init__(self, backup: Backup, forget: Forget) -> None:
        self._backup = backup
        self._forget = forget
        self._file = OrderFile(backup.store.folder)
        self._stamp: files.FileStamp | None = None

    def has_orders(self) -> bool:
        """Whether something was ordered since the last look."""
        return files.file_stamp(self._file.path) not in (None, self._stamp)

    def carry_out(self, tell: Tell) -> list[OrderResult]:
        """Do what was ordered and not done yet; what fails is told once, and waits for the next look."""
        stamp = files.file_stamp(self._file.path)
        outcomes: list[OrderResult] = []
        orders = self._file.read()[0]
        for order in orders:
            try:
                outcomes.append(self._do(order, tell))
                self._file.settle(outcomes[-1])
            except (MemoryLedgerError, OSError) as exc:
                self._refuse(order, exc)
        if len(outcomes) == len(orders):
            self._stamp = files.file_stamp(self._file.path) if orders else stamp
        return outcomes

    def _do(self, order: Order, tell: Tell) -> OrderResult:
        if order.action is OrderKind.ERASE:
            return self._outcome(order, self._erase(order).words(), [])
        done = restore(self._backup, order.ids, tell)
        return self._outcome(order, restored_words(done), [f"{one}: {why}" for one, why in done.failed.items()])

    def _erase(self, order: Order) -> Erasure:
        """Erase memories with all that goes with them, which is on record first: what a kill leaves is known still."""
        store = self._backup.store
        found = find_versions(store.folder, dict(store.db.get_all_docs()), order.ids, order.also)
        also = tuple(one for one in found.ids if one not in order.ids)
        if also != order.also:
            self._file.widen(replace(order, also=also))
        return erase(self._backup, found, self._forget)

    def _outcome(self, order: Order, words: str, problems: list[str]) -> OrderResult:
        return OrderResult(
            key=order.key,
            at=self._backup.store.clock(),
            action=order.action,
            words=words,
            problems=tuple(problems),
        )

    def _refuse(self, order: Order, exc: Exception) -> None:
        what = "restore" if order.action is OrderKind.RESTORE else "erase"
        problem = Problem(where=f"`{what}`", found=shorten(str(exc), 400), allowed="it is tried again at the next turn")
        self._backup.store.refuse(problem)
