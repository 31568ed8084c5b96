"""A disk on which nothing can be written any more, for this process and below one place."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock


@contextmanager
def full_disk(place: Path, number: int = errno.ENOSPC) -> Iterator[None]:
    """Refuse to open a file for writing whose path begins like `place`; administrators are refused as well."""
    real_open = os.open

    def refuse(path: Any, flags: int, *args: Any, **kwargs: Any) -> int:
        # A file that is replaced is written under another name first.
        beginnings = (f"{place}/", str(place.with_name(f".{place.name}.")))
        is_meant = str(path) == str(place) or str(path).startswith(beginnings)
        if is_meant and flags & (os.O_WRONLY | os.O_RDWR):
            raise OSError(number, os.strerror(number), str(path))
        return real_open(path, flags, *args, **kwargs)

    with mock.patch.object(os, "open", refuse):
        yield
