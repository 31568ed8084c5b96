"""The cache-refresh signal: a mark that is another one after every writing, so that readers read again (M-52).

A reader takes the mark before it reads the files, a writer sets it after it has written them.
"""

from __future__ import annotations

import importlib
import json
import secrets
from collections.abc import Callable
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from ...clock import format_time
from ...errors import shorten
from ..storage import files
from .backend import KnowledgeAwayError

_KEY = "memory_ledger:knowledge:{}"
_NONE_YET = "none"


class Signal(Protocol):
    """Where the mark stands."""

    #: One stat call: it may be asked on the event loop.
    is_local: bool

    def mark(self) -> str:
        """Return the mark that stands there now; KnowledgeAwayError if it cannot be read."""

    def announce(self) -> None:
        """Set another mark; KnowledgeAwayError if it cannot be set."""


class FileSignal:
    """A small file; `place` says where, and refuses a path that a link leads away from."""

    is_local = True

    def __init__(self, place: Callable[[], Path], clock: Callable[[], datetime]) -> None:
        self._place = place
        self._path = str(place())
        self._clock = clock

    def mark(self) -> str:
        """Return what changes with every writing of the file: one stat call."""
        return str(files.file_stamp(self._path) or _NONE_YET)

    def announce(self) -> None:
        """Replace the file in one step, whoever else does."""
        value = {"refreshed_at": format_time(self._clock()), "generation": secrets.token_hex(8)}
        try:
            path = self._place()
            path.parent.mkdir(parents=True, exist_ok=True)
            with files.only_writer(path):
                files.write_atomically(path, json.dumps(value) + "\n")
        except OSError as exc:
            raise KnowledgeAwayError(f"{self._path}: {exc}") from exc


class RedisSignal:
    """A key of a Redis server that a fleet shares; asked off the event loop.

    A mark that could not be set is set as soon as the server answers again.
    """

    is_local = False

    def __init__(self, url: str, *, storage: str, seconds: float, shown: str) -> None:
        self._url = url
        self._seconds = seconds
        self._shown = shown
        self._key = _KEY.format(storage)
        self._is_owed = False

    def mark(self) -> str:
        """Return the mark; first set the one that is owed."""
        if self._is_owed:
            self.announce()
        found = self._ask("get", self._key)
        return _NONE_YET if found is None else str(found)

    def announce(self) -> None:
        """Set a mark that was never there: a server that has lost its memory does not come back to an old one."""
        self._is_owed = True
        self._ask("set", self._key, secrets.token_hex(8))
        self._is_owed = False

    @cached_property
    def _client(self) -> Any:
        redis = importlib.import_module("redis")
        retry = importlib.import_module("redis.retry").Retry(importlib.import_module("redis.backoff").NoBackoff(), 0)
        times = {"socket_timeout": self._seconds, "socket_connect_timeout": self._seconds}
        return redis.Redis.from_url(self._url, retry=retry, decode_responses=True, **times)

    def _ask(self, method: str, *args: str) -> Any:
        try:
            return getattr(self._client, method)(*args)
        except ImportError as exc:
            raise KnowledgeAwayError(f"cache_signal is {self._shown}: {exc}; the extra `fleet` brings it") from exc
        except Exception as exc:
            raise KnowledgeAwayError(f"{self._shown}: {type(exc).__name__}: {shorten(str(exc), 200)}") from exc
