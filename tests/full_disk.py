"""A disk on which nothing can be written any more, or that does not answer; for this process and below one place."""

import errno
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock


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
    real_open = os.open

    def opened(path: Any, flags: int, *args: Any, **kwargs: Any) -> int:
        act(path, flags)
        return real_open(path, flags, *args, **kwargs)

    with mock.patch.object(os, "open", opened):
        yield
