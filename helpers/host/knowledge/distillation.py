"""One run of distillation: read what is new in the logs, count it, bring the files up to it (M-11, M-17 ... M-23).

The logs are only read. The files are written through `KnowledgeFiles`, after the memory of the run: a crash in between
leaves to the next run what is still to be written, and no transaction is counted twice (M-64).
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from ...errors import MemoryLedgerError
from ...knowledge.categories import FILES, STATE_NAME, file_of, summary_name
from ...knowledge.files_protocol import KnowledgeFiles
from ...knowledge.filing import file_knowledge, window_of
from ...knowledge.held import Filing
from ...knowledge.hops import from_row
from ...knowledge.insights import CATEGORY_OF
from ...knowledge.memory import Memory, memory_from_text, memory_to_text
from ...knowledge.options import Distillation
from ...knowledge.partials import Folded, fold, pack_hops
from ...knowledge.summaries import render_summary
from .log_files import Mark, Piece, list_logs, mark_of, pieces_of, read_piece, unread_from
from .schedulers import Here, Scheduler, in_order

#: Of logs, how much goes into one box, which one process folds at a time.
_BOX_BYTES = 64_000_000
_MOST_BOXES = 256
#: So often another writer may be faster before a run gives up.
_MOST_ROUNDS = 5

Progress = Callable[[str, int, int], None]


class DistillationError(MemoryLedgerError):
    """A run cannot be finished."""


@dataclass(slots=True)
class Report:
    """What a run did (M-35, M-36); with `dry_run` what it would have done."""

    filing: Filing = field(default_factory=Filing)
    #: New texts of all files, the summaries too, by name; and what stood there before.
    texts: dict[str, str] = field(default_factory=dict)
    before: dict[str, str | None] = field(default_factory=dict)
    logs_read: int = 0
    messages: int = 0
    malformed: int = 0
    transactions: int = 0
    repeated: int = 0
    #: Messages that belong to no chain, and chains that have not ended.
    stray: int = 0
    unfinished: int = 0


class Distiller:
    """Distils the logs of one folder into the knowledge files of one place."""

    def __init__(
        self,
        logs: Path,
        files: KnowledgeFiles,
        options: Distillation,
        *,
        governance_texts: Mapping[str, str] | None = None,
        scheduler: Scheduler | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._logs, self._files, self._options = logs, files, options
        self._governance = dict(governance_texts or {})
        self._scheduler: Scheduler = scheduler or Here()
        self._progress = progress or (lambda what, done, total: None)

    def run(self, now: datetime, *, window: tuple[str, str] | None = None, dry_run: bool = False) -> Report:
        """Distil what is new; `window` (first day, last day) is where new patterns are looked for (M-11, M-28)."""
        for _ in range(_MOST_ROUNDS):
            before = self._files.read(STATE_NAME)
            report, memory = self._plan(before, now, window or window_of(now, self._options.pattern_window_days))
            if dry_run:
                return report
            if self._commit(before, memory, report):
                return report
        raise DistillationError(f"{STATE_NAME}: other writers were faster {_MOST_ROUNDS} times; try again later")

    def _plan(self, state: str | None, now: datetime, window: tuple[str, str]) -> tuple[Report, Memory]:
        memory = memory_from_text(state)
        self._finish_writing(memory)
        report = Report()
        touched = self._read_logs(memory, report)
        texts = {name: text for name in FILES if (text := self._files.read(name)) is not None}
        report.filing = file_knowledge(
            texts,
            memory,
            memory.window(*window),
            options=self._options,
            now=now,
            governance_texts=self._governance,
        )
        report.texts = dict(report.filing.texts)
        report.before = {name: texts.get(name) for name in report.texts}
        self._summarise(memory, touched, report)
        return report, memory

    def _read_logs(self, memory: Memory, report: Report) -> set[str]:
        """Read what is new in the logs, and count it; return the days that have changed."""
        pieces: list[Piece] = []
        renewed: set[str] = set()
        for name, path in list_logs(self._logs):
            known = memory.logs.get(name.name)
            start = unread_from(name, path, None if known is None else Mark(*known))
            if start is not None:
                pieces += pieces_of(name, path, start)
                report.logs_read += 1
                if start == 0:
                    renewed.add(name.name)
        if not pieces:
            report.unfinished = _chains_in(memory.open_rows)
            return set()
        folded = self._fold(pieces, memory, renewed, report)
        memory.take(folded)
        report.transactions, report.repeated = folded.transactions, folded.repeated
        report.stray = folded.stray
        report.unfinished = _chains_in(memory.open_rows) + folded.given_up
        return set(folded.days)

    def _fold(self, pieces: list[Piece], memory: Memory, renewed: set[str], report: Report) -> Folded:
        box_count = min(_MOST_BOXES, 1 + sum(piece.end - piece.start for piece in pieces) // _BOX_BYTES)
        carried = [hop for hop in map(from_row, memory.open_rows) if hop.origin not in renewed]
        boxes: dict[int, list[bytes]] = {}
        for box, data in pack_hops(carried, box_count=box_count).boxes.items():
            boxes.setdefault(box, []).append(data)
        ends: dict[str, tuple[Path, int]] = {}
        reading = functools.partial(read_piece, box_count=box_count)
        for done, (piece, read) in enumerate(
            zip(pieces, in_order(self._scheduler, reading, pieces), strict=True), start=1
        ):
            for box, data in read.boxes.items():
                boxes.setdefault(box, []).append(data)
            report.messages += read.messages
            report.malformed += read.malformed
            ends[piece.name.name] = (Path(piece.path), read.whole_up_to)
            self._progress("logs read", done, len(pieces))
        for name, (path, end) in ends.items():
            mark = mark_of(path, end)
            memory.logs[name] = (mark.offset, mark.size, mark.head)
        known = memory.digests()
        folding = functools.partial(fold_box, hop_limit=self._options.hop_limit, known=known)
        whole = Folded()
        listed = sorted(boxes.items())
        for done, folded in enumerate(in_order(self._scheduler, folding, listed), start=1):
            whole.merge(folded)
            self._progress("transactions counted", done, len(listed))
        return whole

    def _summarise(self, memory: Memory, days: set[str], report: Report) -> None:
        """Write the summary of each day that has changed; one that a person has edited is left alone (M-23)."""
        for day in sorted(days & set(memory.days)):
            name, text = summary_name(day), render_summary(day, memory.days[day])
            before = self._files.read(name)
            if before is not None and memory.summaries.get(day) != _digest(before):
                continue
            memory.summaries[day] = _digest(text)
            if text != before:
                report.texts[name], report.before[name] = text, before

    def _commit(self, state: str | None, memory: Memory, report: Report) -> bool:
        """Write the memory, then the files; False if another run has written its memory meanwhile."""
        memory.writing = {name: (_digest(report.before[name]), text) for name, text in report.texts.items()}
        if not self._swap(state, memory_to_text(memory)):
            return False
        if memory.writing:
            with_writing = memory_to_text(memory)
            self._finish_writing(memory)
            self._swap(with_writing, memory_to_text(memory))
        return True

    def _swap(self, before: str | None, after: str) -> bool:
        is_ours = True

        def merge(found: str | None) -> str | None:
            nonlocal is_ours
            is_ours = found == before
            return after if is_ours and after != before else found

        self._files.update(STATE_NAME, merge)
        return is_ours

    def _finish_writing(self, memory: Memory) -> None:
        """Write what a run was about to write; a file that somebody else has changed meanwhile stays theirs."""
        for name, (before, text) in memory.writing.items():
            stands = self._files.update(name, functools.partial(_unless_changed, before=before, text=text))
            for note in memory.notes.values() if stands != text else ():
                if note.key is not None and file_of(CATEGORY_OF[note.key[0]], note.place) == name:
                    note.is_filed = False
        memory.writing = {}


def fold_box(box: tuple[int, list[bytes]], *, hop_limit: int, known: frozenset[str]) -> Folded:
    """Fold one box; a function of its own, because it runs in other processes and on other machines."""
    number, parts = box
    return fold(number, parts, hop_limit=hop_limit, known=known)


def _chains_in(rows: list[list[Any]]) -> int:
    return sum(from_row(row).begins for row in rows)


def _unless_changed(found: str | None, *, before: str, text: str) -> str | None:
    return text if _digest(found) == before else found


def _digest(text: str | None) -> str:
    if text is None:
        return ""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
