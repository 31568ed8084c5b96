"""Open the place that the settings name: a folder by default, any fsspec URL and a Redis signal for a fleet (T-32)."""

from __future__ import annotations

import functools
import hashlib
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit

from ...clock import system_clock
from ...knowledge.files_protocol import KnowledgeFiles
from ...setting_groups import Knowledge
from .backend import KnowledgeAwayError, KnowledgeBackend
from .cache import KnowledgeCache, Patience
from .folder import FolderBackend
from .names import SIGNAL_NAME
from .remote import RemoteBackend
from .signals import FileSignal, RedisSignal, Signal
from .stored_files import StoredFiles

_log = logging.getLogger(__name__)

FILE_SIGNAL = "file"
_COPY_NAME = "knowledge_copy.json"


@dataclass(frozen=True, slots=True)
class OpenKnowledge:
    """The files for who distils and who asks, and the cache for who only wants what enters a prompt."""

    files: KnowledgeFiles
    cache: KnowledgeCache
    #: Reads the governance files that stand beside the knowledge, by their bare names (M-54).
    governance: Callable[[], Mapping[str, bytes]]


def open_knowledge(
    settings: Knowledge,
    *,
    home: Path,
    own_folder: Path,
    clock: Callable[[], datetime] = system_clock,
    monotonic: Callable[[], float] = time.monotonic,
) -> OpenKnowledge:
    """Open knowledge; nothing is asked of a server, and no library of one loaded, before something is read.

    `home` is where Agent Zero keeps what belongs to its user: what `file://` means without a path. `own_folder` is the
    pack's, for what this machine knows of a place elsewhere. Raises StoreError where a link leads out of the folder.
    """
    shown = without_secrets(settings.knowledge_url)
    folder = local_folder(settings.knowledge_url, home)
    backend: KnowledgeBackend
    place: Callable[[], Path]
    if folder is not None:
        backend, place = _open_folder(folder)
    else:
        backend = RemoteBackend(settings.knowledge_url, seconds=settings.storage_timeout_seconds, shown=shown)
        place = functools.partial(own_folder.joinpath, SIGNAL_NAME)
    storage = hashlib.sha256(settings.knowledge_url.encode()).hexdigest()[:16]
    signal: Signal
    if settings.cache_signal == FILE_SIGNAL:
        signal = FileSignal(place, clock)
    else:
        seconds, where = settings.signal_timeout_seconds, without_secrets(settings.cache_signal)
        signal = RedisSignal(settings.cache_signal, storage=storage, seconds=seconds, shown=where)

    def announce() -> None:
        cache.forget()
        try:
            signal.announce()
        except KnowledgeAwayError as exc:
            cache.note_away(exc)

    stored = StoredFiles(backend, announce)
    patience = Patience(turn_seconds=settings.turn_wait_seconds, recheck_seconds=settings.recheck_seconds)
    copy = None if folder is not None else own_folder / _COPY_NAME
    cache = KnowledgeCache(stored, signal, patience, monotonic, where=shown, copy=copy)
    return OpenKnowledge(stored, cache, backend.governance)


def _open_folder(folder: Path) -> tuple[KnowledgeBackend, Callable[[], Path]]:
    backend = FolderBackend(folder)
    return backend, functools.partial(backend.own_place, SIGNAL_NAME)


def local_folder(url: str, home: Path) -> Path | None:
    """Return the folder that a path or a `file://` URL names, None for any other URL; a relative one lies in `home`."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        return home / url
    if scheme.lower() != "file":
        return None
    return home / unquote(rest)


def without_secrets(url: str) -> str:
    """Return a URL as it may be shown: without a user, a password or a query."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        return url
    parts = urlsplit(f"//{rest}")
    return f"{scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
