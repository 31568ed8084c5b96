"""A disk on which nothing can be written any more, or that does not answer; for this process and below one place."""

import errno
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import unquote


@contextmanager
def full_disk(place: Path, number: int = errno.ENOSPC) -> Iterator[None]:
    """Refuse to open a file for writing whose path begins like `place`; administrators are refused as well."""

    def refuse(path: Any, flags: int) -> None:
        if _is_below(place, path) and flags & (os.O_WRONLY | os.O_RDWR):
            raise OSError(number, os.strerror(number), str(path))

    with _before_opening(refuse):
        yield


@contextmanager
def hanging_disk(place: Path, *, for_readers: bool) -> Iterator[list[str]]:
    """Let whoever opens a file wait, for reading too or not, whose path begins like `place`; return who waited."""
    waited: list[str] = []
    is_over = threading.Event()

    def wait(path: Any, flags: int) -> None:
        if _is_below(place, path) and (for_readers or flags & (os.O_WRONLY | os.O_RDWR)) and not is_over.is_set():
            waited.append(str(path))
            is_over.wait()

    with _before_opening(wait):
        try:
            yield waited
        finally:
            is_over.set()


def _is_below(place: Path, path: Any) -> bool:
    # A file that is replaced is written under another name first.
    beginnings = (f"{place}/", str(place.with_name(f".{place.name}.")))
    return str(path) == str(place) or str(path).startswith(beginnings)


@contextmanager
def _before_opening(act: Callable[[Any, int], None]) -> Iterator[None]:
    real_open, real_connect = os.open, sqlite3.connect

    def opened(path: Any, flags: int, *args: Any, **kwargs: Any) -> int:
        act(path, flags)
        return real_open(path, flags, *args, **kwargs)

    def connected(address: str, *args: Any, **kwargs: Any) -> sqlite3.Connection:
        db = real_connect(address, *args, **kwargs)
        path = unquote(address.removeprefix("file://").partition("?")[0])
        try:
            act(path, os.O_RDWR)
        except OSError:
            db.execute("PRAGMA query_only = ON")  # SQLite refuses what it is not let write
        return db

    with mock.patch.object(os, "open", opened), mock.patch.object(sqlite3, "connect", connected):
        yield
