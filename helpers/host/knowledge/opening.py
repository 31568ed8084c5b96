"""Open the place that the settings name, and the files in it: a folder, or an fsspec URL for a fleet (T-32)."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ...clock import format_time, system_clock
from ...errors import StoreError
from ...knowledge.files_protocol import KnowledgeFiles
from ...setting_groups import Knowledge
from .addresses import KnowledgeAwayError, check_name, local_folder, without_secrets
from .cache import TURN_SECONDS, KnowledgeCache
from .places import FolderPlace, KnowledgePlace, RemotePlace, signal_text

_log = logging.getLogger(__name__)

# Each lost race means that somebody else has written: a writer that loses this often meets one that never rests.
_MOST_ROUNDS = 50


@dataclass(frozen=True, slots=True)
class OpenKnowledge:
    """The files for who distils and who asks, and the cache for who only wants what enters a prompt."""

    files: KnowledgeFiles
    cache: KnowledgeCache
    #: Reads the governance files that stand beside the knowledge, by their bare names (M-54).
    governance: Callable[[], Mapping[str, bytes]]


class StoredFiles:
    """`KnowledgeFiles` over any place: the guard, the merging of two writers, the signal after each writing (M-52)."""

    def __init__(self, place: KnowledgePlace, announce: Callable[[], None]) -> None:
        self.place, self._announce = place, announce

    def read(self, name: str) -> str | None:
        """Return the text of a file as it stands, None if there is none."""
        found = self.place.read(check_name(name))
        return None if found is None else _to_text(found.data)

    def update(self, name: str, merge: Callable[[str | None], str | None]) -> str | None:
        """Write what `merge` makes of the text that stands there, and again if somebody was faster (M-21)."""
        check_name(name)
        for _ in range(_MOST_ROUNDS):
            found = self.place.read(name)
            before = None if found is None else _to_text(found.data)
            after = merge(before)
            if after is None or after == before:
                return before
            if self.place.swap(name, _to_data(name, after), None if found is None else found.version):
                self._announce()
                return after
        raise KnowledgeAwayError(f"{self.place}: {name} was changed by others {_MOST_ROUNDS} times in a row")


def open_knowledge(
    settings: Knowledge,
    *,
    home: Path,
    clock: Callable[[], datetime] = system_clock,
    monotonic: Callable[[], float] = time.monotonic,
    turn_seconds: float = TURN_SECONDS,
) -> OpenKnowledge:
    """Open knowledge; nothing is asked of a server, and no library of one loaded, before something is read.

    `home` is where Agent Zero keeps what belongs to its user: what `file://` means without a path. Raises StoreError
    where a link leads out of the folder.
    """
    shown = without_secrets(settings.knowledge_url)
    folder = local_folder(settings.knowledge_url, home)
    place: KnowledgePlace
    if folder is not None:
        place = FolderPlace(folder)
    else:
        place = RemotePlace(settings.knowledge_url, seconds=settings.storage_timeout_seconds, shown=shown)

    def announce() -> None:
        cache.forget()
        try:
            place.announce(signal_text(format_time(clock())))
        except KnowledgeAwayError as exc:  # the file is written; readers look for it all the same, after a while
            _log.info("the signal was not written: %s", exc)

    stored = StoredFiles(place, announce)
    cache = KnowledgeCache(
        place, stored.read, monotonic, where=shown, recheck_seconds=settings.recheck_seconds, turn_seconds=turn_seconds
    )
    return OpenKnowledge(stored, cache, place.governance)


def _to_text(data: bytes) -> str:
    """Return bytes as text; what is not UTF-8 is kept so that writing it again gives the same bytes."""
    return data.decode("utf-8", "surrogateescape")


def _to_data(name: str, text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as exc:
        raise StoreError(f"knowledge file {name}: character {exc.start} is no text; allowed: Unicode text") from exc
