"""The notes of a memory folder in a running host: indexed in a thread when they have changed, searched by the tool.

No turn waits for the thread; until it is done, answers come from the former index. The notes are checked when the host
starts, then once a minute while somebody chats, and whenever the agent asks.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from ...clock import Clock
from ...errors import MemoryLedgerError, StoreError
from ...setting_groups import Notes
from ...store.damage import ProblemLog
from ...store.deadline import Throttle
from ...store.erase import Trace
from ...store.files import FileStamp, file_stamp, files_below, write_atomically
from ...texts import counted
from .builder import NotesModel, build_index, forget_index
from .notes_faiss import INDEX_FOLDER, META_FILE, NotesFAISS, remove_index
from .sources import make_chunker, notes_folder

_log = logging.getLogger(__name__)

_LOOK_AGAIN = timedelta(seconds=60)
_MOST_NAMED = 20

#: Makes the line in the chat's log that shows the progress.
OpenItem = Callable[[str], Any]


class _HostMovedOn(MemoryLedgerError):
    """The host has loaded the folder anew, and indexes its notes there."""


class NotesService:
    """The index of one memory folder, and the thread that keeps it up to its notes."""

    def __init__(self, folder: Path, clock: Clock, problems: ProblemLog) -> None:
        self.folder = folder
        self.index_folder = folder / INDEX_FOLDER
        self.thread: threading.Thread | None = None
        self._clock = clock
        self._looked_at: datetime | None = None
        self._index: NotesFAISS | None = None
        self._stamp: FileStamp | None = None
        self._lock = threading.Lock()
        self._problems = problems

    def is_at_work(self) -> bool:
        """Whether the notes are being indexed at this moment."""
        return self.thread is not None and self.thread.is_alive()

    def look_after(
        self, settings: Notes, find_model: Callable[[], NotesModel], open_item: OpenItem, is_current: Callable[[], bool]
    ) -> None:
        """Start the thread if it is time; costs two stat calls where there are neither notes nor an index."""
        now = self._clock()
        if not settings.enabled or self.is_at_work() or (self._looked_at and now - self._looked_at < _LOOK_AGAIN):
            return
        self._looked_at = now
        if not notes_folder(self.folder, settings).is_dir() and not (self.index_folder / META_FILE).exists():
            return
        work = (settings, find_model(), _Progress(open_item, is_current))
        self.thread = threading.Thread(target=self._work, args=work, name="memory-ledger-notes", daemon=True)
        self.thread.start()

    def look_again(self) -> None:
        """Let the next hook check the notes without a pause."""
        self._looked_at = None

    def forget(self, trace: Trace, settings: Notes) -> int:
        """Cut the texts of an erased memory out of the notes in the memory folder; return the number of changed notes.

        These are indexed again. Raises StoreError while somebody else builds the index.
        """
        place, count = notes_folder(self.folder, settings), 0
        is_ours = place.resolve().is_relative_to(self.folder.resolve())
        for path in files_below(place) if is_ours else ():
            data = b"" if path.is_symlink() else path.read_bytes()
            text_left = trace.cut_from(data)
            if text_left != data:
                write_atomically(path, text_left)
                count += 1
        if forget_index(self.index_folder, trace):
            self.look_again()
        return count

    def current(self) -> NotesFAISS | None:
        """Return the last index, whoever built it; None where there is none. Blocking."""
        with self._lock:
            stamp = file_stamp(self.index_folder / META_FILE)
            if stamp != self._stamp or self._index is None:
                try:
                    self._index, self._stamp = NotesFAISS.open(self.index_folder), stamp
                except StoreError as exc:
                    _log.info("no notes: %s", exc)
                    self._index, self._stamp = None, None
            return self._index

    def _work(self, settings: Notes, model: NotesModel, progress: _Progress) -> None:
        place, chunker = notes_folder(self.folder, settings), make_chunker(settings)
        try:
            if not place.is_dir():  # who takes away the notes does not want the agent to know them any more
                remove_index(self.index_folder)
                return
            report = build_index(place, self.index_folder, model, chunker, self._clock, tell=progress.tell)
        except _HostMovedOn:
            progress.say("the notes are being reindexed")
        except Exception as exc:  # noqa: BLE001 - the last stop of a thread; it goes on at the next look
            content = f"{type(exc).__name__}: {exc}"
            _log.warning("the notes were not indexed: %s", content)
            self._report(progress, "the notes are not indexed yet", content)
        else:  # the files that are no readable notes are named once
            left_out = f", {counted(len(report.problems), 'file', 'files')} left out" if report.problems else ""
            named = "\n".join(map(str, report.problems[:_MOST_NAMED]))
            self._report(progress, f"{counted(report.notes, 'note', 'notes')} indexed{left_out}", named)

    def _report(self, progress: _Progress, words: str, problems: str) -> None:
        """Report the end of a build with work, or with new problems."""
        if self._problems.settle(self.index_folder, [problems] if problems else []) or progress.item is not None:
            progress.say(words, problems)


class _Progress:
    """The line in the chat's log, made once there is something to embed."""

    def __init__(self, open_item: OpenItem, is_current: Callable[[], bool]) -> None:
        self.item: Any = None
        self._open_item = open_item
        self._is_current = is_current
        self._throttle = Throttle()

    def tell(self, done: int, every: int) -> None:
        """Show the progress, then leave the processor to the chat for as long as the last step took."""
        if not self._is_current():
            raise _HostMovedOn("Agent Zero has reloaded this memory folder")
        self.say(f"{done} of {counted(every, 'piece', 'pieces')} of notes embedded")
        if done:
            self._throttle.rest()
        self._throttle.begin()

    def say(self, words: str, content: str = "") -> None:
        """Write or update the line."""
        heading = f"Memory Ledger: {words}"
        if self.item is None:
            self.item = self._open_item(heading)
        self.item.update(heading=heading, content=content)
