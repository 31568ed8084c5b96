"""The memory agent: a trigger goes in, a whole standard message comes out, whatever happens (M-24 ... M-42, M-63).

It reads the logs, writes through `KnowledgeFiles`, and holds the audit writer's log as foreign (T-56). Blocking: hooks
call it in a thread.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ...clock import Clock
from ...errors import MemoryLedgerError, shorten
from ...knowledge.answers import Call, ErrorCode, answer_distilled, answer_found, answer_refused
from ...knowledge.categories import FILES
from ...knowledge.filing import window_of
from ...knowledge.retrieval import find_entries
from ...knowledge.shelving import RunReport
from ...knowledge.standard_message import ChainPosition
from ...knowledge.triggers import PostChain, Retrieval, Scheduled, TriggerError, parse_handover, parse_trigger
from ..storage.throttle import Stopped
from .addresses import KnowledgeAwayError
from .distillation import Distiller

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """The message, and what the run over the logs did where there was one."""

    message: dict[str, Any]
    report: RunReport | None = None

    @property
    def has_failed(self) -> bool:
        """Whether the message tells of an error."""
        return bool(self.message["error"]["has_error"])


@dataclass(frozen=True, kw_only=True)
class MemoryAgent(Distiller):
    """Answers triggers for the knowledge of one place; `number` gives each message of a day its number (M-32)."""

    clock: Clock
    number: Callable[[datetime], int]

    def answer(self, received: object, link: ChainPosition | None = None, *, dry_run: bool = False) -> Answer:
        """Do what a trigger asks; a message that hands over to this agent is one as well (M-26).

        Raises nothing but Stopped, where `rest` does.
        """
        now = self.clock().astimezone(UTC)
        handed = parse_handover(received) if isinstance(received, Mapping) and "trigger" not in received else None
        if handed is not None:
            received, link = handed
        call = Call(received=received, link=link or ChainPosition(), now=now, number=self.number(now))
        if call.link.sequence_number > self.options.hop_limit:
            why = f"message {call.link.sequence_number} of a chain; the circuit breaker allows {self.options.hop_limit}"
            return Answer(answer_refused(call, ErrorCode.PROCESSING_ERROR, why, recoverable=False))
        try:
            return self._carry_out(call, dry_run=dry_run)
        except TriggerError as exc:
            return Answer(answer_refused(call, ErrorCode.INVALID_INPUT, str(exc)))
        except KnowledgeAwayError as exc:
            return Answer(answer_refused(call, ErrorCode.DEPENDENCY_ERROR, str(exc)))
        except Stopped:
            raise
        except Exception as exc:  # noqa: BLE001 - a message is the answer, whatever happened (M-63)
            if not isinstance(exc, MemoryLedgerError):
                _log.exception("the memory agent failed")
            why = f"{type(exc).__name__}: {shorten(str(exc), 300)}"
            return Answer(answer_refused(call, ErrorCode.PROCESSING_ERROR, why))

    def _carry_out(self, call: Call, *, dry_run: bool) -> Answer:
        trigger = parse_trigger(call.received)
        if isinstance(trigger, Retrieval):
            texts = {name: text for name in FILES if (text := self.files.read(name)) is not None}
            return Answer(answer_found(call, trigger.query, find_entries(texts, trigger.query)))
        usual = window_of(call.now, self.options.pattern_window_days)
        days = trigger.days if isinstance(trigger, Scheduled) else usual
        if isinstance(trigger, PostChain):
            name = trigger.log_path.rpartition("/")[2]
            if name not in {siz.name for siz in self.logs.sizes()}:
                raise KnowledgeAwayError(f"{trigger.log_path} is missing; allowed: an audit log")
        report = self.run(call.now, window=days, dry_run=dry_run)
        return Answer(answer_distilled(call, report), report)
