"""Run somebody else's validator so that it cannot hurt: in a thread of its own, for so long, on a copy (Q-37).

A thread cannot be stopped. One that hangs is left behind, and its validator is not asked again until it has come back.
"""

from __future__ import annotations

import copy
import queue
import threading
from collections.abc import Mapping
from typing import Any

from ...errors import shorten
from ...quality.validators import Validator, parse_verdict


class TimeBox:
    """Asks validators, each in a thread of its own that starts with the first question."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._workers: dict[str, _Worker] = {}

    def ask(self, validator: Validator, memory: Mapping[str, Any]) -> str | None:
        """Return what is wrong with `memory`, or with the validator; None where the memory is valid."""
        with self._lock:
            worker = self._workers.get(validator.name)
            if worker is not None and worker.is_left_behind and worker.is_alive():
                return "is still busy with another memory"
            if worker is None or worker.validator is not validator or worker.is_left_behind:
                if worker is not None:
                    worker.leave()
                worker = self._workers[validator.name] = _Worker(validator)
                worker.start()
        return worker.ask(copy.deepcopy(dict(memory)), self._seconds)


class _Worker(threading.Thread):
    def __init__(self, validator: Validator) -> None:
        super().__init__(name=f"memory-ledger-validator-{validator.name}", daemon=True)
        self.validator = validator
        self.is_left_behind = False
        self._asked: queue.SimpleQueue[tuple[dict[str, Any], queue.SimpleQueue[str | None]] | None]
        self._asked = queue.SimpleQueue()

    def ask(self, memory: dict[str, Any], seconds: float) -> str | None:
        answer: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._asked.put((memory, answer))
        try:
            return answer.get(timeout=seconds)
        except queue.Empty:
            self.leave()
            return f"gave no answer in {seconds:g} s"

    def leave(self) -> None:
        """End the thread as soon as it comes back."""
        self.is_left_behind = True
        self._asked.put(None)

    def run(self) -> None:
        while (asked := self._asked.get()) is not None:
            memory, answer = asked
            answer.put(self._judge(memory))
            if self.is_left_behind:
                return

    def _judge(self, memory: dict[str, Any]) -> str | None:
        try:
            return parse_verdict(self.validator.validate(memory))
        except BaseException as exc:  # noqa: BLE001 - somebody else's code: whatever it raises is its answer
            return f"raised {type(exc).__name__}: {shorten(str(exc))}"
